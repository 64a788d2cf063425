"""The pages around the dives: a page for every script, the glossary, and the guide to writing."""

from __future__ import annotations

import html as entities
import re
from pathlib import Path
from urllib.parse import urljoin

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.course import front, guide, markup
from decoder.course.dive import Definition, Listing, Note, Pair, Placed, Prose, Transcript
from decoder.figures import FIGURES
from decoder.figures.library import SHELVES
from decoder.sandbox.scripts import Script, load_scripts
from decoder.settings import Settings, files
from tests.conftest import SECRET
from tests.support.valkey import Valkey

SCRIPTS = load_scripts(files("lua"))
SHOWN = [one for one in SCRIPTS.values() if not one.name.startswith("stage/")]
JSON = {"Accept": "application/json"}
HTML = {"Accept": "text/html"}
STREAM = {"Accept": "text/html, text/event-stream"}

DIVE_OF_OWN = """---
title: A dive of the test
headline: A *dive*.
kicker: Test
summary: What a test needs.
lede: A score is a number.
proved: Valkey 9.1.2
---

## Its only section {#only}

The score is a number.

::: script packed/push_back
:::

```transcript how-it-is-called fresh
$ valkey-cli --eval lua/packed/next_delayed.lua emq:{q}:delayed
(nil)
```
"""


def words(element: lxml.html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def tree(client: FlaskClient, path: str) -> lxml.html.HtmlElement:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return lxml.html.document_fromstring(answer.text)


@pytest.fixture
def beside(valkey: Valkey, tmp_path: Path) -> FlaskClient:
    """The site with a dive of one's own beside ours."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "dive.md").write_text(DIVE_OF_OWN)
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path))
    return create_app(settings).test_client()


# Scripts


def test_the_list_of_scripts_leads_to_each_by_its_design(client: FlaskClient) -> None:
    page = tree(client, "/scripts")
    for folder, design in SHELVES.items():
        (section,) = page.xpath(f'//section[h2[text()="{design.capitalize()}"]]')
        links = [f"/scripts/{one.name}" for one in SHOWN if one.name.startswith(f"{folder}/")]
        assert sorted(section.xpath(".//h3/a/@href")) == sorted(links)
    for script in SHOWN:
        assert script.says in words(page)


@pytest.mark.parametrize("script", SHOWN, ids=lambda one: one.name)
def test_the_page_of_a_script_shows_what_its_header_says(
    client: FlaskClient, script: Script
) -> None:
    page = tree(client, f"/scripts/{script.name}")
    shown = ["".join(pre.itertext()).strip() for pre in page.iter("pre")]
    assert shown == [script.body.strip(), script.source.strip()]
    text = words(page)
    for one in script.parameters:
        assert f"{one.place} {one.name} {one.says}" in text
    for part in (script.says, script.returns, script.leans_on, *script.stands_for):
        assert " ".join(part.split()) in text
    example, _ = script.example
    typed = [line[2:] for line in example.splitlines() if line.startswith(("> ", "$ "))]
    assert [kbd.text_content() for kbd in page.xpath("//form//li/kbd")] == typed


def test_the_source_is_coloured(client: FlaskClient) -> None:
    page = tree(client, "/scripts/packed/add_prioritized")
    assert page.xpath('//pre//span[@class="kd"][text()="local"]')


def test_a_script_names_the_figures_that_run_it(client: FlaskClient) -> None:
    for script in SHOWN:
        page = tree(client, f"/scripts/{script.name}")
        running = {f"/figures/{n}" for n, one in FIGURES.items() if script.name in one.SCRIPTS}
        links = page.xpath('//div[dt="Used by"]//@href')
        assert {link for link in links if link.startswith("/figures/")} == running


def test_a_script_names_the_dives_that_show_and_call_it(beside: FlaskClient) -> None:
    shown = tree(beside, "/scripts/packed/push_back")
    assert "/own/dive#only" in shown.xpath('//div[dt="Used by"]//@href')
    called = tree(beside, "/scripts/packed/next_delayed")
    assert "/own/dive#how-it-is-called" in called.xpath('//div[dt="Used by"]//@href')


def test_a_script_names_each_page_that_uses_it_once_with_its_places_below(
    client: FlaskClient,
) -> None:
    several = 0
    for script in SHOWN:
        page = tree(client, f"/scripts/{script.name}")
        uses = page.xpath('//div[dt="Used by"]/dd[a]')
        pages = [use.xpath("a/@href")[0] for use in uses]
        assert len(pages) == len(set(pages)), script.name
        figures = [one.startswith("/figures/") for one in pages]
        assert figures == sorted(figures, reverse=True), script.name
        for use, path in zip(uses, pages, strict=True):
            places = use.xpath("ul/li/a/@href")
            assert len(places) == len(set(places)), script.name
            assert {one.partition("#")[0] for one in places} <= {path}
            assert bool(places) != path.startswith("/figures/")
            several += len(places) > 1
    assert several >= 3


def test_the_scripts_are_chained_and_cover_every_page(client: FlaskClient) -> None:
    path, walked = tree(client, "/scripts").xpath("//h3/a/@href")[0], []
    while path:
        walked.append(path)
        page = tree(client, path)
        before = page.xpath('//a[@rel="prev"]/@href')
        assert before == walked[-2:-1]
        path = next(iter(page.xpath('//a[@rel="next"]/@href')), "")
    assert sorted(walked) == sorted(f"/scripts/{one.name}" for one in SHOWN)


@pytest.mark.parametrize("script", SHOWN, ids=lambda one: one.name)
def test_the_example_of_a_script_runs_in_a_sandbox_as_recorded(
    client: FlaskClient, script: Script
) -> None:
    answer = client.post(f"/scripts/{script.name}/transcripts/example/runs", headers=JSON)
    assert answer.status_code == 200
    steps = answer.get_json()["steps"]
    assert len(steps) == sum(
        line.startswith(("> ", "$ ")) for line in script.example[0].splitlines()
    )
    assert [step for step in steps if not step["agrees"]] == []
    (sent,) = [one["inside"] for one in steps if script.name in one["command"]][:1]
    assert sent


def test_without_scripts_the_example_is_answered_with_the_page(client: FlaskClient) -> None:
    path = "/scripts/packed/add_delayed"
    answer = client.post(f"{path}/transcripts/example/runs", headers=HTML)
    page = lxml.html.document_fromstring(answer.text)
    assert words(page.xpath("//h1")[0]) == "add_delayed.lua"
    lives = page.xpath('//form//*[@class="live"]/samp')
    assert [one.text_content() for one in lives][-1].split("\n")[0] == '1) "JOB0Nb1VTbfnu4"'


def test_a_streamed_reply_keeps_its_lines(client: FlaskClient) -> None:
    path = "/scripts/packed/add_delayed"
    answer = client.post(f"{path}/transcripts/example/runs", headers=STREAM)
    message = answer.text.split("\n\n")[2]
    data = "\n".join(
        line.removeprefix("data: ") for line in message.split("\n") if line.startswith("data: ")
    )
    (samp,) = lxml.html.fragment_fromstring(data).xpath("//samp")
    expected = '1) "JOB0Nb1VTbfnu4"\n2) "7291809701888000"\n3) "JOB0Nb1VYBWfya"'
    assert samp.text_content().startswith(expected)


@pytest.mark.parametrize("name", ["packed/nothing", "stage/cast", "packed", "../packed/claim"])
def test_a_script_without_a_page_is_not_found(client: FlaskClient, name: str) -> None:
    assert client.get(f"/scripts/{name}").status_code == 404


def test_a_dive_lists_a_script_without_the_example_of_its_header(beside: FlaskClient) -> None:
    (pre,) = tree(beside, "/own/dive").xpath('//figure[@class="listing"]//pre')
    text = "".join(pre.itertext()).strip()
    script = SCRIPTS["packed/push_back"]
    assert text == script.listing.strip()
    assert text.endswith(script.body.strip())
    assert "KEYS[1] wait" in text
    assert "Example:" not in text


# Glossary


def test_the_glossary_defines_every_word_under_its_anchor(client: FlaskClient) -> None:
    app = client.application
    terms = app.jinja_env.globals["course"].terms.values()
    assert terms
    page = tree(client, "/glossary")
    assert page.xpath('//*[@class="glossary"]/div/@id') == [one.anchor for one in terms]
    for term in terms:
        (entry,) = page.xpath(f'//*[@id="{term.anchor}"]')
        text = words(entry)
        assert text.startswith(term.name)
        assert all(form in text for form in term.also)
        said = lxml.html.fragment_fromstring(markup.rendered(term.says), create_parent="div")
        assert words(said) in text


def test_every_word_of_the_glossary_is_used_by_a_page_that_leads_to_it_and_back(
    client: FlaskClient,
) -> None:
    page = tree(client, "/glossary")
    trees = {
        path: tree(client, path) for path in client.application.jinja_env.globals["course"].dives
    }
    for entry in page.xpath('//*[@class="glossary"]/div'):
        anchor = entry.get("id")
        back = entry.xpath('.//ul[@class="uses"]//@href')
        assert back, f"no page uses “{anchor}”"
        for path, _, section in (one.partition("#") for one in back):
            (used,) = trees[path].xpath(f'//section[@id="{section}"]')
            assert f"/glossary#{anchor}" in used.xpath(".//@href"), f"{anchor} in {path}"


def test_the_first_use_of_every_form_of_a_word_leads_to_the_glossary(client: FlaskClient) -> None:
    course = client.application.jinja_env.globals["course"]
    forms = {form.lower(): one for one in course.terms.values() for form in (one.name, *one.also)}
    longest = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    word = re.compile(rf"(?<![\w-])(?:{longest})(?![\w-])", re.IGNORECASE)
    prose = (
        '//article//*[contains(concat(" ", @class, " "), " prose ")][not(self::dl)]'
        "//text()[not(ancestor::h3 or ancestor::h4 or ancestor::code or ancestor::math or "
        'ancestor::ul[@class="references"] or ancestor::a[not(@class="term")])]'
    )
    for path, dive in course.dives.items():
        if path == guide.PATH:
            continue
        led: set[str] = set()
        for text in tree(client, path).xpath(prose):
            if text.getparent().get("class") == "term" and not text.is_tail:
                led.add(text.getparent().get("href"))
            missed = {f"/glossary#{forms[one.lower()].anchor}" for one in word.findall(text)} - led
            assert missed == set(), f"{path}: {text}"
        assert len(led) >= 3, dive.path


def test_a_word_of_the_glossary_leads_back_to_the_dives_that_use_it(beside: FlaskClient) -> None:
    entry = tree(beside, "/glossary").xpath('//*[@id="score"]')[0]
    assert "/own/dive#only" in entry.xpath(".//@href")
    assert "/glossary#score" in tree(beside, "/own/dive").xpath("//article//@href")


# The guide


def markdown() -> str:
    return (files("content") / guide.FILE).read_text("utf-8")


def test_every_directive_is_in_the_guide_and_comes_out_alive(client: FlaskClient) -> None:
    written = markdown()
    for name in markup.DIRECTIVES:
        assert f"\n::: {name} " in written
    assert "\n```transcript " in written
    dive = client.application.jinja_env.globals["course"].dives[guide.PATH]
    kinds = {type(block) for block in dive.blocks}
    assert kinds == {Prose, Placed, Transcript, Listing, Pair, Note, Definition}


def test_the_guide_shows_each_piece_beside_what_was_written(client: FlaskClient) -> None:
    page = tree(client, "/instructors")
    told = []
    for section in page.xpath('//section[contains(@class, "sample")]'):
        (written,) = section.xpath('.//figure[@class="written"]/pre')
        told.append(f"## {words(section.xpath('h2')[0])}\n\n{written.text_content()}")
    below = front.read(markdown()).markdown
    assert "\n\n".join(told) == below.strip()


def test_the_guide_shows_formula_key_command_picture_table_and_term(client: FlaskClient) -> None:
    page = tree(client, "/instructors")
    for part in (
        '//*[local-name()="math"]//*[@class="fact-tier"]',
        '//code[@class="key"]',
        '//code[@class="command"]',
        "//article//img[@alt]",
        "//article//table",
        '//a[@class="term"]',
        '//a[@href="/scripts/packed/next_delayed"]',
        '//*[@id="composite_score"]',
        '//form[contains(@class, "transcript")]//samp',
    ):
        assert page.xpath(part), part
    assert page.xpath('//input[@name="tier"][@type="range"]/@value') == ["3"]
    (picture,) = page.xpath("//article//img/@src")
    assert client.get(urljoin("/instructors", picture), buffered=True).mimetype == "image/svg+xml"


def test_the_guide_explains_every_field_of_the_front_matter(client: FlaskClient) -> None:
    page = tree(client, "/instructors")
    rows = page.xpath('//section[@id="front-matter"]//tbody/tr')
    assert [words(row.xpath("th/code")[0]) for row in rows] == list(front.FIELDS)
    assert [words(row.xpath("td")[0]) for row in rows] == [
        " ".join(field.says.split()) for field in front.FIELDS.values()
    ]
    needed = [words(row.xpath("th/code")[0]) for row in rows if row.xpath("th/small")]
    assert sorted(needed) == sorted(front.REQUIRED)


def test_the_guide_names_the_commands_and_the_setting(client: FlaskClient) -> None:
    text = client.get("/instructors").text
    for named in ("decoder new dive", "decoder check", "DECODER_CONTENT"):
        assert named in entities.unescape(text)


def test_the_transcript_of_the_guide_runs_as_recorded(client: FlaskClient) -> None:
    answer = client.post("/instructors/transcripts/who-comes-first/runs", headers=JSON)
    steps = answer.get_json()["steps"]
    assert len(steps) == 5
    assert all(step["agrees"] for step in steps)


def test_only_our_own_folder_holds_the_guide(valkey: Valkey, tmp_path: Path) -> None:
    (tmp_path / guide.FILE).write_text(DIVE_OF_OWN)
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path))
    client = create_app(settings).test_client()
    assert "A dive of the test" not in client.get("/instructors").text
    assert client.get("/instructors").status_code == 200
