"""Surprises ask first: an answer is optional, is judged by what Valkey did, and never blocks."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from decoder.readings.catalogue import READINGS as CATALOGUE
from decoder.readings.reading import Question
from tests.server.test_cost import ANSWER_BYTES_MOST
from tests.server.test_three_readings import (
    DUE,
    FIGURE,
    LATEST,
    T0,
    Page,
    Reader,
    opened,
    state,
)
from tests.support.figure import STREAM, messages
from tests.support.valkey import Valkey

ASKED = [
    (reading.id, action.name, lifo)
    for reading in CATALOGUE.values()
    for action in reading.actions
    if action.question
    for lifo in (["", "1"] if action.lifo else [""])
]


def question(reading: str, action: str) -> Question:
    what = CATALOGUE[reading].action(action)
    assert what
    assert what.question
    return what.question


ANSWERS = [
    (reading, action, lifo, answer)
    for reading, action, lifo in ASKED
    for answer in question(reading, action).answers
]


@pytest.fixture
def reader(client: FlaskClient) -> Reader:
    return Reader(client)


def test_all_that_surprises_asks_first() -> None:
    assert {(reading, action) for reading, action, _ in ASKED} == {
        ("packed/fire-time", "promote"),
        ("packed/fire-time", "same_ms"),
        ("one-number/fire-time", "promote"),
        ("one-number/fire-time", "claim"),
        ("one-number/fire-time", "same_ms"),
        ("packed/priority", "serve"),
        ("one-number/order", "serve"),
        ("one-number/order", "claim"),
        ("packed/priority", "change_priority"),
        ("packed/next-run", "register_again"),
        ("one-number/next-run", "register_again"),
    }


# What Valkey does in each case, told beside every answer.
CAME: list[tuple[str, dict[str, Any], set[str], str]] = [
    ("packed/fire-time", {"action": "promote", "now_ms": T0}, {"stays"}, "it is not due yet"),
    ("packed/fire-time", {"action": "promote", "now_ms": DUE}, {"ladder"}, "INCR numbers it now"),
    ("one-number/fire-time", {"action": "promote", "now_ms": T0}, {"nothing"}, "returned nobody"),
    (
        "one-number/fire-time", {"action": "promote", "now_ms": T0 + 20_000}, {"due", "mint"},
        "only one was due",
    ),
    (
        "one-number/fire-time", {"action": "promote", "now_ms": T0 + 40_000}, {"due", "mint"},
        "the two orders are the same",
    ),
    ("one-number/fire-time", {"action": "promote", "now_ms": DUE}, {"mint"}, "sort by their mint"),
    ("packed/priority", {"action": "change_priority"}, {"back"}, "is to arrive again"),
    ("packed/priority", {"action": "change_priority", "lifo": "1"}, {"front"}, "the number 0"),
    ("packed/priority", {"action": "serve"}, {"urgent"}, "tier 1 stands in the high bits"),
    ("one-number/order", {"action": "serve"}, {"first"}, "its bytes sort first"),
    ("one-number/order", {"action": "claim"}, {"leased"}, "a worker that dies loses no job"),
    ("packed/fire-time", {"action": "same_ms"}, {"next"}, "reads the last score"),
    ("one-number/fire-time", {"action": "same_ms"}, {"front"}, "minted before yours"),
    ("packed/next-run", {"action": "register_again"}, {"moves"}, "replaces the score"),
    ("one-number/next-run", {"action": "register_again"}, {"nothing"}, "asks for the record first"),
]  # fmt: skip


@pytest.mark.parametrize(("reading", "fields", "true", "because"), CAME)
def test_an_answer_is_told_with_what_valkey_did_and_why(
    client: FlaskClient, reading: str, fields: dict[str, Any], true: set[str], because: str
) -> None:
    answers = question(reading, fields["action"]).answers
    assert true <= set(answers)
    for answer, says in answers.items():
        body = Reader(client).ask(reading=reading, guess=answer, **fields)
        right = answer in true
        served = answer if right else next(name for name in answers if name in true)
        assert body["guess"] == {"said": answer, "served": served, "right": right}
        joined = ", and" if right else ";"
        assert body["sentence"].startswith(f"You said “{says}”{joined} Valkey ")
        assert because in body["sentence"].partition(", because ")[2]
        assert body["notices"] == []


@pytest.mark.parametrize(("reading", "action", "lifo", "answer"), ANSWERS)
def test_an_answer_changes_nothing_of_what_is_done(
    client: FlaskClient, valkey: Valkey, reading: str, action: str, lifo: str, answer: str
) -> None:
    fields = {"reading": reading, "action": action, "lifo": lifo, "now_ms": DUE}
    silent, guessing = Reader(client), Reader(client)
    plain, said = silent.ask(**fields), guessing.ask(**fields, guess=answer)
    assert "guess" not in plain
    assert not plain["sentence"].startswith("You said")
    assert said["sentence"].endswith(plain["sentence"])
    assert state(valkey, guessing.token, reading) == state(valkey, silent.token, reading)
    assert [one["command"] for one in said["steps"]] == [one["command"] for one in plain["steps"]]


@pytest.mark.parametrize(("reading", "action", "lifo", "answer"), ANSWERS)
def test_an_answer_is_part_of_the_address_and_is_told_again(
    client: FlaskClient, reading: str, action: str, lifo: str, answer: str
) -> None:
    body = Reader(client).ask(reading=reading, action=action, lifo=lifo, now_ms=DUE, guess=answer)
    assert body["address"].endswith(f"-{answer}")
    page = opened(client, body["address"])
    assert page.sentence == body["sentence"]
    assert page.notices == []
    assert page.address == body["address"]


def test_what_is_done_after_an_answer_says_nothing_of_it(reader: Reader) -> None:
    reader.do("one-number/fire-time", "promote", now_ms=DUE, guess="due")
    for action in ("keep", "look", "claim", "promote", "write"):
        body = reader.do("one-number/fire-time", action, now_ms=DUE)
        assert "You said" not in body["sentence"]
        assert "guess" not in body


def test_a_second_change_in_a_row_stays_where_it_stood(reader: Reader) -> None:
    reader.do("packed/priority", "change_priority")
    for lifo, answer in (("", "back"), ("1", "front")):
        reader.do("packed/priority", "change_priority", lifo=lifo)
        for said in (answer, "stays"):
            body = reader.do("packed/priority", "change_priority", lifo=lifo, guess=said)
            assert body["guess"]["right"] is True
            assert "where it stood already" in body["sentence"]
        assert len(body["order_before"]) == len(body["order"])


def test_a_second_upsert_at_the_same_moment_changes_nothing(reader: Reader) -> None:
    reader.do("packed/next-run", "register_again")
    body = reader.do("packed/next-run", "register_again", guess="moves")
    assert body["guess"] == {"said": "moves", "served": "nothing", "right": False}
    assert "the one that stood there" in body["sentence"]


def test_where_no_answer_came_true_that_is_said(reader: Reader) -> None:
    for _ in range(5):
        reader.do("packed/priority", "serve")
    body = reader.do("packed/priority", "change_priority", guess="back")
    assert body["guess"] == {"said": "back", "served": None, "right": False}
    assert "your job was no longer on the ladder" in body["sentence"]
    reader.do("packed/fire-time", "promote", now_ms=DUE)
    body = reader.do("packed/fire-time", "promote", now_ms=DUE, guess="stays")
    assert (body["guess"]["served"], body["guess"]["right"]) == (None, False)
    for reading in ("packed/next-run", "one-number/next-run"):
        reader.step(reading, 1)
        body = reader.do(reading, "register_again", guess="nothing")
        assert (body["guess"]["served"], body["guess"]["right"]) == (None, False)
        assert "Valkey registered it" in body["sentence"]


def test_who_is_served_is_judged_by_who_stood_there(reader: Reader) -> None:
    # The first of the smallest tier, then mine: of tier 2, but two came before it.
    for answer in ("urgent", "urgent", "mine"):
        body = reader.do("packed/priority", "serve", guess=answer)
        assert body["guess"]["right"] is True, answer
    assert "Valkey served your job" in body["sentence"]
    for answer in ("first", "first", "mine", "first", "last"):
        body = reader.do("one-number/order", "serve", guess=answer)
        assert body["guess"]["right"] is True, answer


@pytest.mark.parametrize(
    ("reading", "action", "answer", "did"),
    [
        ("packed/priority", "serve", "urgent", "served nobody"),
        ("one-number/order", "serve", "mine", "served nobody"),
        ("one-number/order", "claim", "leased", "claimed nothing"),
        ("one-number/fire-time", "claim", "gone", "claimed nothing"),
        ("packed/fire-time", "same_ms", "next", "added nothing"),
        ("one-number/fire-time", "same_ms", "front", "added nothing"),
    ],
)
def test_where_nothing_is_left_to_do_no_answer_came_true(
    reader: Reader, reading: str, action: str, answer: str, did: str
) -> None:
    for _ in range(6):
        body = reader.do(reading, action, guess=answer)
    assert body["guess"] == {"said": answer, "served": None, "right": False}
    assert f"Valkey {did}, because" in body["sentence"]


def test_jobs_of_one_millisecond_stand_by_slot_or_by_mint(reader: Reader) -> None:
    for _ in range(4):
        body = reader.do("packed/fire-time", "same_ms", guess="next")
        assert body["guess"]["right"] is True
    stands = []
    for _ in range(4):
        body = reader.do("one-number/fire-time", "same_ms", guess="behind")
        stands.append(body["guess"]["served"])
    assert stands == ["front", "behind", "front", "behind"]


def test_where_mine_has_left_the_millisecond_nothing_is_said_of_it(reader: Reader) -> None:
    reader.do("packed/fire-time", "promote", now_ms=DUE)
    body = reader.do("packed/fire-time", "same_ms", now_ms=DUE, guess="next")
    assert "no other job of this millisecond was there" in body["sentence"]
    reader.do("one-number/fire-time", "promote", now_ms=DUE)
    body = reader.do("one-number/fire-time", "same_ms", now_ms=DUE, guess="behind")
    assert "your job had left this millisecond before" in body["sentence"]


@pytest.mark.parametrize("guess", ["nonsense", "due ", "DUE", "due-mint", "é", "x" * 900, "12"])
def test_what_is_no_answer_is_told_and_the_action_is_done(reader: Reader, guess: str) -> None:
    body = reader.do("one-number/fire-time", "promote", now_ms=DUE, guess=guess)
    (notice,) = body["notices"]
    assert guess[:24] in notice
    assert "due, mint, nothing" in notice
    assert "moved to pending" in body["sentence"]
    assert "guess" not in body
    assert len(notice) < 200


def test_an_address_with_what_is_no_answer_is_replayed_without_it(client: FlaskClient) -> None:
    address = f"{FIGURE}?reading=packed/priority&then=change_priority-upwards"
    page = opened(client, address)
    assert len(page.notices) == 1
    assert "upwards" in page.notices[0]
    assert page.order == opened(client, address.removesuffix("-upwards")).order


def test_an_older_request_judges_no_answer(reader: Reader) -> None:
    reader.ask(reading="packed/priority", action="write", seq=9)
    body = reader.ask(reading="packed/priority", action="change_priority", guess="back", seq=2)
    assert "guess" not in body
    assert "You said" not in body["sentence"]


@pytest.mark.parametrize("reading", CATALOGUE)
def test_each_question_stands_on_the_page_above_links_for_its_answers_and_for_none(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    groups = page.tree.xpath('//div[@class="offers"][not(@hidden)]/*[@role="group"]')
    asked = [(action, lifo) for name, action, lifo in ASKED if name == reading]
    assert len(groups) == len(asked)
    for group, (action, lifo) in zip(groups, asked, strict=True):
        what = question(reading, action)
        assert group.get("aria-label") == (what.lifo if lifo else what.asks)
        assert group.findtext("p") == group.get("aria-label")
        *answers, silent = group.xpath("a")
        assert [one.text for one in answers] == list(what.answers.values())
        assert silent.text.startswith("Just ")
        for link, answer in zip(answers, what.answers, strict=True):
            assert link.get("href").endswith(("-lifo" if lifo else action) + f"-{answer}")
            there = opened(client, FIGURE + link.get("href"))
            assert there.sentence.startswith("You said “")
        assert not opened(client, FIGURE + silent.get("href")).sentence.startswith("You said")


def test_every_name_in_the_offers_is_told_apart(client: FlaskClient) -> None:
    for reading in CATALOGUE:
        page = opened(client, f"{FIGURE}?reading={reading}")
        groups = page.tree.xpath('//div[@class="offers"][not(@hidden)]/*[@role="group"]')
        alone = page.tree.xpath('//div[@class="offers"][not(@hidden)]/a/text()')
        silent = [group.xpath("string(a[last()])") for group in groups]
        assert len({*alone, *silent}) == len([*alone, *silent])


def test_no_answer_may_be_taken_for_a_clock_or_for_lifo() -> None:
    for reading, action, _ in ASKED:
        names = set(question(reading, action).answers)
        assert not names & {"server", "pinned", "lifo"}
        assert all(name.isascii() and name.isalpha() and name.islower() for name in names)


@pytest.mark.parametrize(("reading", "action", "lifo", "answer"), ANSWERS)
def test_an_answer_streams_within_8_kib(
    reader: Reader, reading: str, action: str, lifo: str, answer: str
) -> None:
    fields = {"reading": reading, "action": action, "lifo": lifo, "guess": answer}
    for more in ({"now_ms": DUE}, {"now_ms": LATEST}, {"clock": "server"}):
        reader.do(reading, "write")
        stream = reader.post(STREAM, **fields, **more)
        assert len(stream.data) <= ANSWER_BYTES_MOST
        sentence = messages(stream.text)[-1].parts["three_readings_sentence"]
        assert sentence.startswith("You said “")


def test_a_form_without_scripts_answers_with_the_page_and_the_judgement(reader: Reader) -> None:
    form = {"reading": "one-number/next-run", "action": "register_again", "guess": "moves"}
    page = Page(reader.post({"Accept": "text/html"}, **form).text)
    assert page.sentence.startswith("You said “the next run moves”; Valkey changed nothing")
