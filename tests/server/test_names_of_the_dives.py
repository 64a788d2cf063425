"""Every name that a dive sets as code exists: keys, upstream's names, states that it links to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.course.known import EVERY_FIGURE_HAS
from decoder.figures import FIGURES, composite, two_designs
from decoder.figures.three_readings import scene
from decoder.readings.catalogue import READINGS
from decoder.sandbox.keys import Lane
from decoder.sandbox.scripts import Script, compose, load_scripts
from decoder.settings import files
from tests.support.figure import JSON, MINE, Visitor

CHAPTER = "/redis-patterns/time-delay-priority"
BY_MEMBER = f"{CHAPTER}/score-as-meaning"
DIVES = [f"{BY_MEMBER}/packed", BY_MEMBER]
SCRIPTS: dict[str, Script] = load_scripts(files("lua"))
MEMBERS = ["one-number/fire-time", "one-number/order", "one-number/next-run"]
SEEDS = {"delayed_queue", "schedule", "task:abc123"}
"""The keys and the task of the examples that the course began with."""

UPSTREAM = re.compile(r"@[a-z]+|[a-z]+\.ex|EchoMQ\.[\w./]+|[a-z]+_[a-z]+|[a-z]+[A-Z]\w*(-\d+)?")
"""A script of EchoMQ, a file, a function, a script or a variable of BullMQ."""


def tree(client: FlaskClient, path: str) -> lxml.html.HtmlElement:
    answer = client.get(path)
    assert answer.status_code == 200
    page = lxml.html.document_fromstring(answer.text)
    for figure in page.xpath("//live-figure"):
        figure.drop_tree()
    return page


def set_as_code(client: FlaskClient, path: str) -> list[str]:
    """Return what the prose of a dive sets as code."""
    return [code.text_content() for code in tree(client, path).xpath("//article//code")]


def keys_of_figures() -> set[str]:
    """Return the names of keys, below their queue, that the figures really use."""
    keys = {key for one in READINGS.values() for key in scene.keys_of(one)}
    for figure in (composite, two_designs):
        asked = figure.read_story({})
        composed = compose(files("lua"), SCRIPTS, figure.SCRIPTS)
        keys |= set(figure.program(asked, Lane("x", "x"), composed).keys.values())
    return {key.removeprefix(scene.QUEUE) for key in keys}


def spelled(code: str) -> Iterator[str]:
    """Yield the names of keys in a piece of code, below their queue: pending of emq:{q}:pending."""
    for word in code.split():
        below = re.fullmatch(r"(?:emq:\{\w+\})?:([\w:<>{}]+)", word)
        if below:
            yield below[1]


def known_key(name: str, keys: set[str]) -> bool:
    """Whether a key is one of the figures', a job's or a registration's record among them."""
    stem, colon, _ = name.partition(":")
    return name in keys or (bool(colon) and any(one.startswith(stem + colon) for one in keys))


@pytest.mark.parametrize("path", [*DIVES, CHAPTER])
def test_every_key_that_a_dive_names_is_one_that_a_figure_uses(
    client: FlaskClient, path: str
) -> None:
    keys = keys_of_figures()
    assert {"delayed", "prioritized", "repeat", "schedule", "pending", "pc", "active"} <= keys
    named = [name for code in set_as_code(client, path) for name in spelled(code)]
    assert path == CHAPTER or len(named) > 5
    assert [name for name in named if not known_key(name, keys)] == []


@pytest.mark.parametrize("path", DIVES)
def test_every_key_of_a_transcript_is_a_figures_a_seeds_or_said_to_be_made_up(
    client: FlaskClient, path: str
) -> None:
    keys = keys_of_figures()
    page = tree(client, path)
    typed = [str(kbd.text_content()) for kbd in page.xpath("//form//kbd")]
    ours = [name for one in typed for name in spelled(one)]
    assert len(ours) > 20
    assert [name for name in ours if not known_key(name, keys)] == []
    others = {one.split()[1] for one in typed if not one.startswith("valkey-cli") and " " in one}
    made_up = {one for one in others if not one.startswith("emq:") and one not in SEEDS}
    assert made_up <= {"marks", "line", "ids"}


def upstream(client: FlaskClient, path: str) -> set[str]:
    return {code for code in set_as_code(client, path) if UPSTREAM.fullmatch(code)}


def declared() -> set[str]:
    """Return every name in the headers of the scripts that have a page."""
    found: set[str] = set()
    for name, script in SCRIPTS.items():
        if not name.startswith("stage/"):
            header = script.source.partition("]]")[0]
            found |= set(re.findall(r"[@\w][\w./@-]*\w", header))
    # A function goes by its own name, too.
    return found | {name.rpartition(".")[2].partition("/")[0] for name in found}


@pytest.mark.parametrize(("path", "least"), [*zip(DIVES, (11, 8), strict=True)])
def test_every_upstream_name_of_a_dive_is_declared_on_the_page_of_a_script(
    client: FlaskClient, path: str, least: int
) -> None:
    named = upstream(client, path)
    assert len(named) >= least, sorted(named)
    # What stands in a script's own listing, such as run_at, is ours.
    bodies = " ".join(script.body for script in SCRIPTS.values())
    missing = named - declared()
    assert {name for name in missing if not re.search(rf"\b{re.escape(name)}\b", bodies)} == set()


@pytest.mark.parametrize("name", ["addPrioritizedJob-9", "EchoMQ.Jobs.enqueue_at/6", "@register"])
def test_a_declared_name_is_on_the_page_of_its_script(client: FlaskClient, name: str) -> None:
    assert name in declared()
    pages = [f"/scripts/{one}" for one in SCRIPTS if not one.startswith("stage/")]
    assert any(name in tree(client, page).xpath("string(//main)") for page in pages)


@pytest.mark.parametrize("path", DIVES)
def test_an_upstream_name_in_the_prose_is_set_as_code(client: FlaskClient, path: str) -> None:
    page = tree(client, path)
    for code in page.xpath("//code | //pre | //form | //math"):
        code.drop_tree()
    said = page.xpath("string(//article)")
    names = re.findall(r"EchoMQ\.[A-Z]\w+|\b[a-z]+[A-Z]\w+-\d+|\b(?:get|add|store)[A-Z]\w+", said)
    assert names == []


PAGES = ["/", CHAPTER, *DIVES, "/instructors", "/glossary"]


@pytest.mark.parametrize("path", PAGES)
def test_every_state_of_a_figure_that_a_page_links_to_is_read_without_a_notice(
    client: FlaskClient, path: str
) -> None:
    links = [str(one) for one in tree(client, path).xpath("//main//a/@href")]
    states = [urlsplit(one) for one in links if one.startswith("/figures/")]
    assert len([one for one in states if one.query]) >= (2 if path in DIVES else 0)
    for state in states:
        figure = FIGURES[Path(state.path).name]
        query = dict(
            parse_qsl(state.query, keep_blank_values=True, strict_parsing=bool(state.query))
        )
        assert set(query) <= {*figure.FIELDS, *EVERY_FIGURE_HAS}, state.geturl()
        assert figure.read_story(query).notices == [], state.geturl()


def test_a_state_that_no_figure_has_would_be_found() -> None:
    for name, query in (
        ("three-readings", {"reading": "packed/none"}),
        ("three-readings", {"reading": "packed/priority", "then": "promote"}),
        ("composite", {"tier": "9", "arrival": "1"}),
        ("two-designs", {"tier": "1", "guess": "nobody"}),
    ):
        assert FIGURES[name].read_story(query).notices


def test_the_registry_of_the_dive_and_of_the_figure_have_one_key_one_name_and_one_story(
    client: FlaskClient,
) -> None:
    transcript = f"{DIVES[0]}/transcripts/upsert-after-a-reboot/runs"
    told = client.post(transcript, headers=JSON).get_json()["steps"]
    inside = [[one["command"] for one in step["inside"]] for step in told]
    reader = Visitor(client)
    reader.runs = "/figures/three-readings/runs"
    for action, sent in (("write", inside[0]), ("register_again", inside[1])):
        body = reader.ask(reading="packed/next-run", action=action)
        script = [one for one in body["steps"] if one["script"] == "packed/upsert_repeat"]
        assert [one["command"] for one in script] == sent
    assert told[-1]["command"] == f"ZSCORE {body['set']} {MINE}"
    assert told[-1]["reply"] == f'"{body["score"]["stored"]}"'


def test_the_table_of_three_sets_names_the_keys_and_scores_of_the_figures_cards(
    client: FlaskClient,
) -> None:
    rows = tree(client, DIVES[0]).xpath('//section[@id="three-sets-one-mechanism"]//tbody/tr')
    told = [(row.xpath("string(td[2])"), row.xpath("string(td[3])").split(":")[0]) for row in rows]
    page = lxml.html.document_fromstring(
        client.get("/figures/three-readings?reading=packed/priority").text
    )
    cards = page.xpath('//li[contains(@class, "card")]')
    assert told == [(card.xpath("string(code)"), card.xpath("string(data)")) for card in cards]
    for row, card in zip(rows, cards, strict=True):
        written = re.findall("[A-Z]{4,}", row.xpath("string(td[4])"))
        assert written == re.findall("[A-Z]{4,}", card.xpath("string(.//kbd[1])"))


def test_the_table_of_three_real_sets_names_the_commands_of_the_figures_cards(
    client: FlaskClient,
) -> None:
    rows = tree(client, BY_MEMBER).xpath('//section[@id="one-number-three-real-sets"]//tbody/tr')
    for row, one in zip(rows[:3], [READINGS[name] for name in MEMBERS], strict=True):
        key, written, read = (row.xpath(f"string(td[{n}])") for n in (2, 4, 5))
        assert key.endswith(f":{one.keys}")
        assert re.findall("[A-Z]{4,}", written) == re.findall("[A-Z]{4,}", one.writes)
        assert read == one.reads.split()[0]
