"""The figure three-readings against a real Valkey: one job, six readings, every step and action."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoder.encodings import branded
from decoder.figures.three_readings.request import ACTIONS
from decoder.figures.three_readings.scene import OTHERS
from decoder.readings.catalogue import READINGS as CATALOGUE
from tests.server.test_cost import ANSWER_BYTES_MOST, sent
from tests.support.figure import (
    JSON,
    MINE,
    STREAM,
    Body,
    Visitor,
    commands,
    ladder,
    messages,
    shown,
)
from tests.support.figure import Page as FigurePage
from tests.support.valkey import Valkey

FIGURE = "/figures/three-readings"
RUNS = f"{FIGURE}/runs"
T0 = 1780226888000
DUE = 1780226978000
LATEST = T0 + 150_000
QUEUE = "emq:{orders}:"
SERVER = {"clock": "server"}

# FACTS.md, section 2: reading, set, stored score, facts, and what it is read back as.
TABLE: list[tuple[str, str, str, dict[str, int], str]] = [
    (
        "packed/fire-time", "delayed", "7291809701888000", {"due_ms": DUE, "slot": 0},
        "/ 4096 is 1780226978000 ms, 2026-05-31T11:29:38.000Z",
    ),
    (
        "packed/priority", "prioritized", "8589934609", {"tier": 2, "arrival": 17},
        "Tier 2, arrival number 17",
    ),
    (
        "packed/next-run", "repeat", "1780226978000", {"due_ms": DUE}, "2026-05-31T11:29:38.000Z",
    ),
    (
        "one-number/fire-time", "schedule", "1780226978000", {"due_ms": DUE},
        "2026-05-31T11:29:38.000Z",
    ),
    ("one-number/order", "pending", "0", {}, "Every score here is 0"),
    (
        "one-number/next-run", "repeat", "1780226978000", {"due_ms": DUE},
        "2026-05-31T11:29:38.000Z",
    ),
]  # fmt: skip
SETS = {name: logical for name, logical, *_ in TABLE}
STORED = {name: score for name, _, score, *_ in TABLE}
READINGS = list(SETS)
TIMED = [name for name in READINGS if not name.endswith(("priority", "order"))]
TAKING = ["packed/priority", "one-number/order"]
FIRE_TIMES = ["packed/fire-time", "one-number/fire-time"]
NEXT_RUNS = ["packed/next-run", "one-number/next-run"]
ACTIONS_OF = {name: [one.name for one in CATALOGUE[name].actions] for name in READINGS}
STEPS = [(name, step) for name in READINGS for step in (1, 2, 3, 4)]
WALKS = [
    [(name, step) for name in READINGS if name.startswith(design) for step in (1, 2, 3, 4)]
    for design in ("packed", "one-number")
]
NOWS = st.integers(T0, LATEST) | st.sampled_from([DUE - 1, DUE, DUE + 1])

# The others are ours to choose; what follows from them is worked out here.
MINTED = {branded.mint(T0 + minted * 1000): T0 + due * 1000 for minted, due in OTHERS}
DUES = {**MINTED, MINE: DUE}
IN_ORDER_OF_MINT = sorted(DUES, key=str.encode)


def due_at(now_ms: int) -> list[str]:
    """Return who is due at a moment, by due time, and by mint among those of one millisecond."""
    found = [member for member, due in DUES.items() if due <= now_ms]
    return sorted(found, key=lambda member: (DUES[member], member.encode()))


class Reader(Visitor):
    """Someone at this figure, in one sandbox."""

    runs = RUNS

    def read(self, headers: dict[str, str], **fields: Any) -> bytes:
        """Send one interaction and read its answer to the end."""
        return self.post(headers, **fields).data

    def step(self, reading: str, step: int, **fields: Any) -> Body:
        return self.ask(reading=reading, step=step, **fields)

    def do(self, reading: str, action: str, **fields: Any) -> Body:
        return self.ask(reading=reading, action=action, **fields)


class Page(FigurePage):
    """A page of this figure as a reader without scripts gets it."""

    figure = "three_readings"

    @property
    def order(self) -> list[tuple[str, str]]:
        """Members and scores of the set that is shown, from first to last."""
        rows = self.tree.xpath('//*[@id="three_readings_order"]//li[b]')
        pairs = [(row.xpath("string(code)"), row.xpath("string(data)")) for row in rows]
        return [(MINE if name == "your job" else name, score) for name, score in pairs]

    @property
    def cards(self) -> dict[str, str]:
        """The score on each of the three cards, by reading."""
        cards = self.tree.xpath('//li[@data-reading][contains(@class, "card")]')
        return {card.get("data-reading"): card.xpath("string(data)") for card in cards}

    @property
    def since(self) -> dict[str, str]:
        """What each card says of its score, the one of two labels that its style shows."""
        cards = self.tree.xpath('//li[@data-reading][contains(@class, "card")]')
        return {
            card.get("data-reading"): card.xpath(
                f"string(.//*[@class='since']/span[{1 if 'chosen' in card.get('class') else 2}])"
            )
            for card in cards
        }

    @property
    def chosen(self) -> list[str]:
        return [
            str(one) for one in self.tree.xpath('//li[contains(@class, "chosen")]/@data-reading')
        ]

    @property
    def replies(self) -> dict[str, str]:
        """The reply to each command among the steps."""
        rows = self.tree.xpath('//*[@id="three_readings_steps"]//li[kbd]')
        return {row.xpath("string(kbd)"): row.xpath("string(.//samp)") for row in rows}


@pytest.fixture
def reader(client: FlaskClient) -> Reader:
    return Reader(client)


opened = Page.opened


def prefix(token: str, reading: str) -> str:
    lane = reading.replace("/", ".")
    return f"{{sbx:{token.split('.')[0]}}}:{lane}:"


def state(valkey: Valkey, token: str, reading: str) -> dict[str, Any]:
    """Return everything that a reading's lane holds, by logical key."""
    begins, admin = prefix(token, reading), valkey.admin
    kinds: dict[str, Callable[[str], Any]] = {
        "zset": lambda name: admin.zrange(name, 0, -1, withscores=True),
        "hash": admin.hgetall,
        "list": lambda name: admin.lrange(name, 0, -1),
        "string": admin.get,
    }
    pattern = begins.replace("{", "[{]").replace("}", "[}]") + "*"
    names = sorted(admin.keys(pattern))
    return {name.removeprefix(begins + QUEUE): kinds[admin.type(name)](name) for name in names}


def members(reply: str) -> list[str]:
    """Return the members in the text of an array reply."""
    return re.findall(r"JOB[0-9A-Za-z]{11}", reply)


def reply_to(body: Body, begins: str) -> str:
    """Return the reply to the last command that begins so."""
    found = [step["reply"] for step in body["steps"] if step["command"].startswith(begins)]
    return str(found[-1])


def sent_by(body: Body, script: str) -> list[str]:
    return [step["command"] for step in body["steps"] if step["script"] == script]


# The table of the facts.


@pytest.mark.parametrize(("reading", "logical", "stored", "facts", "says"), TABLE)
def test_each_row_of_the_table_is_what_the_server_stores_and_the_reader_concludes(
    reader: Reader, valkey: Valkey, reading: str, logical: str, stored: str,
    facts: dict[str, int], says: str,
) -> None:  # fmt: skip
    body = reader.ask(reading=reading)
    score = body["score"]
    assert (body["figure"], body["reading"]) == ("three-readings", reading)
    assert body["design"] == reading.split("/")[0]
    assert (score["computed"], score["stored"]) == (stored, stored)
    assert (score["agrees"], score["exact"]) == (True, True)
    assert {fact["name"]: fact["value"] for fact in score["facts"]} == facts
    assert body["read_back"]["reading"] == reading
    assert body["read_back"]["facts"] == facts
    assert says in body["read_back"]["says"]
    assert body["notices"] == []
    assert (body["now_ms"], body["clock"]) == (T0, "pinned")
    there = valkey.admin.zscore(prefix(reader.token, reading) + QUEUE + logical, MINE)
    assert there == float(stored)


@pytest.mark.parametrize("reading", READINGS)
def test_the_facts_fill_the_bits_of_the_score_that_they_name(reader: Reader, reading: str) -> None:
    score = reader.ask(reading=reading)["score"]
    total = sum(fact["value"] << fact["bits"][1] for fact in score["facts"])
    assert total == int(score["stored"])
    assert all(
        fact["value"] < 2 ** (fact["bits"][0] - fact["bits"][1] + 1) for fact in score["facts"]
    )
    assert score["hex"] == f"0x{int(score['stored']):016X}"


@pytest.mark.parametrize("reading", READINGS)
def test_the_page_shows_all_three_stored_scores_of_the_design_as_the_server_answered_them(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    design = reading.split("/")[0]
    expected = {name: score for name, score in STORED.items() if name.startswith(design)}
    assert page.cards == expected
    assert page.chosen == [reading]
    assert page.notices == []
    for name, score in expected.items():
        assert page.replies[f"ZSCORE {QUEUE}{SETS[name]} {MINE}"] == f'"{score}"'
    assert (MINE, STORED[reading]) in page.order


def test_the_first_screen_has_the_order_reading_of_todays_design_chosen(
    client: FlaskClient,
) -> None:
    page = opened(client, FIGURE)
    assert page.chosen == ["one-number/order"]
    assert list(page.cards.values()) == ["1780226978000", "0", "1780226978000"]
    assert [member for member, _ in page.order] == IN_ORDER_OF_MINT


@pytest.mark.parametrize("reading", READINGS)
def test_what_was_stored_for_the_cards_alone_is_gone_again(
    client: FlaskClient, valkey: Valkey, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    begins = prefix(page.token, reading)
    record = f"{begins.split('}:')[0]}}}:.sandbox"
    keys = valkey.admin.keys("{sbx:" + page.token.split(".")[0] + "}*")
    assert all(key == record or key.startswith(begins) for key in keys)
    assert {name.rsplit(":")[-1] for name in keys} >= {SETS[reading]}


EVERY_OWN_ACTION = [(name, action) for name, actions in ACTIONS_OF.items() for action in actions]


def the_first_of_others(reading: str) -> dict[str, str]:
    """Return the scores that the other readings of a design first store."""
    design = reading.split("/")[0]
    return {
        name: score for name, score in STORED.items() if name.startswith(design) and name != reading
    }


@pytest.mark.parametrize("clock", ["pinned", "server"])
@pytest.mark.parametrize(("reading", "then"), EVERY_OWN_ACTION)
def test_the_chosen_card_shows_what_the_server_has_now_and_the_others_what_was_stored_first(
    client: FlaskClient, valkey: Valkey, reading: str, then: str, clock: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}&then={then}&now_ms={DUE}&clock={clock}")
    there = valkey.admin.zscore(prefix(page.token, reading) + QUEUE + SETS[reading], MINE)
    now = "no longer in this set" if there is None else str(int(there))
    assert page.cards == {reading: now, **the_first_of_others(reading)}
    assert page.since == {
        name: "now in the set" if name == reading else "as first stored" for name in page.cards
    }


@pytest.mark.parametrize("reading", READINGS)
def test_before_the_job_is_written_its_card_says_so(client: FlaskClient, reading: str) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}&step=1")
    assert page.cards == {reading: "not stored yet", **the_first_of_others(reading)}


@pytest.mark.parametrize(("reading", "action"), EVERY_OWN_ACTION)
def test_the_cards_of_a_page_that_answers_a_form_are_those_of_the_server_too(
    reader: Reader, valkey: Valkey, reading: str, action: str
) -> None:
    token = reader.do(reading, "write")["sandbox"]["token"]
    fields = {"reading": reading, "action": action, "now_ms": DUE}
    page = Page(reader.post({"Accept": "text/html"}, **fields).text)
    there = valkey.admin.zscore(prefix(token, reading) + QUEUE + SETS[reading], MINE)
    now = "no longer in this set" if there is None else str(int(there))
    assert page.cards == {reading: now, **the_first_of_others(reading)}


def test_what_runs_for_the_cards_alone_is_marked_and_comes_after_the_reading(
    reader: Reader,
) -> None:
    for reading in READINGS:
        body = reader.ask(reading=reading)
        steps, aside = body["steps"], body["steps_aside"]
        assert [step["n"] for step in steps + aside] == list(range(1, len(steps + aside) + 1))
        assert {step["by"] for step in steps} == {"stage", "script", "client"}
        assert {step["by"] for step in aside} == {"aside"}
        asked = [step["command"] for step in aside if step["command"].startswith("ZSCORE")]
        sets = {command.split()[1].removeprefix(QUEUE) for command in asked}
        design = reading.split("/")[0]
        assert sets == {SETS[name] for name in READINGS if name.startswith(design)}
        page = opened(reader.client, f"{FIGURE}?reading={reading}")
        assert page.tree.xpath('//li[@class="aside"]/i/text()') == ["for the cards"]


@pytest.mark.parametrize("reading", READINGS)
def test_how_the_other_cards_were_filled_is_folded_and_leaves_the_chosen_one_out(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    (folded,) = page.tree.xpath('//ol[@id="three_readings_steps"]/li/details[ol]')
    assert folded.get("open") is None
    assert folded.findtext("summary").startswith("how the other cards were filled")
    inside = [str(kbd.text_content()) for kbd in folded.xpath("ol/li/kbd")]
    assert len(inside) == len(page.tree.xpath('//li[@class="aside"]'))
    sets = {command.split()[1] for command in inside if command.startswith(("ZADD", "ZSCORE"))}
    assert sets == {QUEUE + SETS[name] for name in the_first_of_others(reading)}


@pytest.mark.parametrize("action", [*ACTIONS, "move"])
@pytest.mark.parametrize("reading", READINGS)
def test_every_json_answer_is_complete(reader: Reader, reading: str, action: str) -> None:
    for fields in ({"action": action}, {"action": action, **SERVER}, {"step": 1}, {"step": 3}):
        body = reader.ask(reading=reading, now_ms=DUE, **fields)
        assert body["panel"] == {reading: body["score"]["stored"], **the_first_of_others(reading)}
        assert [one["reading"] for one in body["misread"]] == [n for n in READINGS if n != reading]
        assert (body["read_back"] is None) == (body["score"]["stored"] is None)
        logical = body["set"].removeprefix(QUEUE)
        assert logical in ("prioritized", "pending", *SETS.values())


def test_a_stream_asks_the_server_nothing_for_the_cards(reader: Reader) -> None:
    reader.ask(reading="packed/priority")
    for fields in ({"action": "select"}, {"action": "write"}, {"step": 3}, {"action": "reset"}):
        stream = reader.post(STREAM, reading="packed/priority", **fields).text
        assert "ZADD" in stream
        assert "aside" not in stream


# Every action for every reading.


@pytest.mark.parametrize("action", [*ACTIONS, "move", "nonsense"])
@pytest.mark.parametrize("reading", READINGS)
def test_every_action_of_every_reading_is_answered_and_says_when_it_belongs_elsewhere(
    client: FlaskClient, reading: str, action: str
) -> None:
    own = action in ("select", "write", "read", "look", "keep", "reset", *ACTIONS_OF[reading])
    for more in ({}, SERVER, {"lifo": "1"}, {"now_ms": DUE}):
        reader = Reader(client)
        for _ in range(2):
            body = reader.do(reading, action, **more)
            told = [one for one in body["notices"] if "afresh" not in one]
            # A register is over when the reboot is, so no other clock decides.
            other_clock = own and action == "register_again" and more == SERVER
            # Nobody said at which score.
            nowhere = action == "at"
            assert bool(told) is (other_clock or nowhere or not own)
            assert body["sentence"].endswith(".")
            assert not any("ERR" in step["reply"] for step in body["steps"])
            assert [p["rank"] for p in body["order"]] == list(range(len(body["order"])))
        if not own:
            assert action in told[0]


def test_an_action_of_another_reading_takes_no_job_away(reader: Reader, valkey: Valkey) -> None:
    for reading in TAKING:
        reader.do(reading, "write")
        before = state(valkey, reader.token, reading)
        body = reader.do(reading, "promote")
        assert "so it was not done" in body["notices"][0]
        assert state(valkey, reader.token, reading) == before


@pytest.mark.parametrize(
    ("reading", "action"),
    [
        (name, action)
        for name in READINGS
        for action in ("read", "look", *ACTIONS_OF[name])
    ],
)  # fmt: skip
def test_the_start_state_is_written_first_when_the_lane_is_empty_and_only_then(
    client: FlaskClient, valkey: Valkey, reading: str, action: str
) -> None:
    one, other = Reader(client), Reader(client)
    other.do(reading, "write")
    fields = {"now_ms": DUE}
    empty, there = one.do(reading, action, **fields), other.do(reading, action, **fields)
    # The records that a script looks for are a scene of their own.
    sets = [
        [step for step in body["steps"] if step["by"] == "stage" and "HSET" not in step["command"]]
        for body in (empty, there)
    ]
    assert len(sets[0]) > 0
    assert sets[1] == []
    assert shown(empty) == shown(there)
    assert state(valkey, one.token, reading) == state(valkey, other.token, reading)
    assert empty["sentence"] == there["sentence"]
    assert empty["address"] == there["address"]


@pytest.mark.parametrize("reading", READINGS)
def test_a_lane_is_empty_again_after_its_keys_expired(
    reader: Reader, valkey: Valkey, reading: str
) -> None:
    before = shown(reader.do(reading, "write"))
    valkey.admin.flushall()
    body = reader.do(reading, "look")
    assert shown(body) == before
    assert any("afresh" in notice for notice in body["notices"])


def expire(valkey: Valkey, token: str, reading: str) -> None:
    """Let a reading's lane be past its deadline, as it is when only the others were used."""
    record = f"{{sbx:{token.split('.')[0]}}}:.sandbox"
    lane = reading.replace("/", ".")
    past = re.sub(rf"(\|{re.escape(lane)};)\d+", r"\g<1>1", valkey.admin.get(record))
    valkey.admin.set(record, past, keepttl=True)
    names = valkey.admin.keys("*" + prefix(token, reading).split("}:")[1] + "*")
    assert names
    valkey.admin.delete(*names)


@pytest.mark.parametrize("fields", [{"action": "look"}, {"action": "read"}, {"step": 3}])
@pytest.mark.parametrize("reading", READINGS)
def test_a_lane_that_expired_in_a_living_sandbox_says_that_it_starts_afresh(
    reader: Reader, valkey: Valkey, reading: str, fields: dict[str, Any]
) -> None:
    other = next(name for name in READINGS if name != reading)
    reader.do(reading, ACTIONS_OF[reading][0], now_ms=DUE)
    expire(valkey, reader.token, reading)
    assert reader.do(other, "look")["notices"] == []
    told = reader.ask(reading=reading, **fields)["notices"]
    assert len(told) == 1
    assert "expired" in told[0]
    assert "afresh" in told[0]
    assert reader.ask(reading=reading, **fields)["notices"] == [], "it is told once"


@pytest.mark.parametrize("again", ["write", "reset"])
@pytest.mark.parametrize(
    ("reading", "action"),
    [(name, action) for name in READINGS for action in ("read", *ACTIONS_OF[name])],
)
def test_writing_starts_the_lane_afresh_whatever_was_done_in_it(
    client: FlaskClient, valkey: Valkey, reading: str, action: str, again: str
) -> None:
    reader, fresh = Reader(client), Reader(client)
    reader.do(reading, action, now_ms=DUE)
    reader.do(reading, action, now_ms=DUE, lifo="1")
    body, expected = reader.do(reading, again), fresh.do(reading, "write")
    assert shown(body) == shown(expected)
    assert state(valkey, reader.token, reading) == state(valkey, fresh.token, reading)
    assert body["address"] == expected["address"]


def test_a_reset_says_what_it_did(reader: Reader) -> None:
    for reading in READINGS:
        reader.do(reading, ACTIONS_OF[reading][0], now_ms=DUE)
        assert re.search("back|afresh|reset|again", reader.do(reading, "reset")["sentence"])


@pytest.mark.parametrize(
    ("reading", "action"),
    [(name, action) for name in READINGS for action in ("read", "look", *ACTIONS_OF[name])],
)
@pytest.mark.parametrize("fields", [{}, SERVER], ids=["pinned", "server"])
def test_a_computed_score_is_never_said_to_differ_from_one_that_an_action_rightly_stored(
    reader: Reader, reading: str, action: str, fields: dict[str, str]
) -> None:
    reader.do(reading, "write", **fields)
    for _ in range(2):
        assert reader.do(reading, action, now_ms=DUE, **fields)["score"]["agrees"] is not False


# When: the due read, before, at and after.


@pytest.mark.parametrize("reading", TIMED)
@pytest.mark.parametrize("now_ms", [T0, DUE - 1, DUE, DUE + 1, LATEST])
def test_the_due_read_is_empty_of_my_job_until_its_very_millisecond(
    client: FlaskClient, reading: str, now_ms: int
) -> None:
    bodies = [
        Reader(client).do(reading, "read", now_ms=now_ms),
        Reader(client).step(reading, 3, now_ms=now_ms),
    ]
    for body in bodies:
        found = members(reply_to(body, "ZRANGEBYSCORE"))
        assert (MINE in found) == (now_ms >= DUE)
        assert body["now_ms"] == now_ms
        said = "Yours is one of them" if now_ms >= DUE else "Yours is not"
        assert said in body["sentence"]
        assert body["position"] is not None
    page = opened(client, f"{FIGURE}?reading={reading}&step=3&now_ms={now_ms}")
    assert page.sentence == bodies[1]["sentence"]


def test_one_millisecond_before_and_at_the_due_time_are_told_exactly(reader: Reader) -> None:
    for reading in TIMED:
        before = reader.do(reading, "read", now_ms=1780226977999)["sentence"]
        assert "at 11:29:37.999 UTC" in before
        assert "1 ms ahead of now" in before
        at = reader.do(reading, "read", now_ms=1780226978000)["sentence"]
        assert "at 11:29:38 UTC" in at
        assert "this very millisecond" in at


@given(now_ms=NOWS)
@example(now_ms=T0)
@example(now_ms=min(DUES.values()) - 1)
@example(now_ms=min(DUES.values()))
@example(now_ms=DUE - 1)
@example(now_ms=DUE)
@example(now_ms=LATEST)
def test_the_due_read_returns_exactly_who_is_due_in_both_designs(
    client: FlaskClient, now_ms: int
) -> None:
    for reading in FIRE_TIMES:
        body = Reader(client).do(reading, "read", now_ms=now_ms)
        assert members(reply_to(body, "ZRANGEBYSCORE")) == due_at(now_ms)
        assert len(body["order"]) == len(DUES), "a read removes nothing"


@given(now_ms=NOWS)
@example(now_ms=DUE)
def test_the_packed_due_read_is_bounded_by_the_last_slot_of_now(
    client: FlaskClient, now_ms: int
) -> None:
    body = Reader(client).do("packed/fire-time", "read", now_ms=now_ms)
    bound = (now_ms + 1) * 4096 - 1
    assert f"ZRANGEBYSCORE {QUEUE}delayed 0 {bound} LIMIT 0 10" in commands(body)


def test_the_two_jobs_of_one_millisecond_have_two_slots_and_are_due_together(
    reader: Reader,
) -> None:
    body = reader.do("packed/fire-time", "read", now_ms=DUE)
    slots = [p["facts"]["slot"] for p in body["order"] if p["facts"]["due_ms"] == DUE]
    assert slots == [0, 1]
    scores = [p["score"] for p in body["order"] if p["facts"]["due_ms"] == DUE]
    assert scores == ["7291809701888000", "7291809701888001"]


def test_the_head_of_the_delayed_set_is_read_for_its_due_time(reader: Reader) -> None:
    body = reader.do("packed/fire-time", "read")
    head = body["order"][0]
    assert sent_by(body, "packed/next_delayed") == [f"ZRANGE {QUEUE}delayed 0 0 WITHSCORES"]
    assert head["member"] in reply_to(body, f"ZRANGE {QUEUE}delayed 0 0 ")
    assert head["facts"]["due_ms"] == min(DUES.values())


# The server's clock.


@pytest.mark.parametrize(
    "fields", [{"action": "write"}, {"step": 2}, {"step": 4}, {"action": "look"}]
)
def test_on_the_servers_clock_the_job_is_due_90_seconds_after_the_time_of_the_frame(
    reader: Reader, fields: dict[str, Any]
) -> None:
    body = reader.ask(reading="one-number/fire-time", clock="server", **fields)
    seconds, micros = re.findall(r'"(\d+)"', reply_to(body, "TIME"))
    due_ms = int(seconds) * 1000 + int(micros) // 1000 + 90_000
    assert body["score"]["stored"] == body["score"]["computed"] == str(due_ms)
    assert body["score"]["agrees"] is True
    assert body["server"]["time_ms"] == due_ms - 90_000 == body["now_ms"]
    assert (body["clock"], body["inputs"]["clock"]) == ("server", "server")
    assert body["read_back"]["facts"] == {"due_ms": due_ms}


def test_the_page_on_the_servers_clock_shows_the_score_of_the_servers_time(
    client: FlaskClient, valkey: Valkey
) -> None:
    page = opened(client, f"{FIGURE}?reading=one-number/fire-time&clock=server")
    seconds, micros = re.findall(r'"(\d+)"', page.replies["TIME"])
    due_ms = int(seconds) * 1000 + int(micros) // 1000 + 90_000
    assert dict(page.order)[MINE] == str(due_ms)
    assert valkey.admin.zscore(
        prefix(page.token, "one-number/fire-time") + QUEUE + "schedule", MINE
    ) == float(due_ms)


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_a_due_read_on_the_servers_clock_is_bounded_by_the_time_of_the_run(
    reader: Reader, reading: str
) -> None:
    body = reader.do(reading, "read", clock="server")
    now_ms = body["server"]["time_ms"]
    low, bound = ("0", (now_ms + 1) * 4096 - 1) if reading[0] == "p" else ("-inf", now_ms)
    assert f"ZRANGEBYSCORE {QUEUE}{SETS[reading]} {low} {bound} LIMIT 0 10" in commands(body)
    assert body["now_ms"] == now_ms


def test_a_lease_on_the_servers_clock_ends_30_seconds_after_the_time_of_the_run(
    reader: Reader,
) -> None:
    body = reader.do("one-number/order", "claim", clock="server")
    (lease,) = [c for c in commands(body) if c.startswith(f"ZADD {QUEUE}active")]
    assert lease.split()[2] == str(body["server"]["time_ms"] + 30_000)


# What is due is promoted.


@given(now_ms=NOWS)
@example(now_ms=T0)
@example(now_ms=DUE - 1)
@example(now_ms=DUE)
@settings(max_examples=40)
def test_packed_promotion_moves_my_job_to_the_ladder_and_those_without_priority_to_the_list(
    client: FlaskClient, valkey: Valkey, now_ms: int
) -> None:
    reader = Reader(client)
    body = reader.do("packed/fire-time", "promote", now_ms=now_ms)
    lane, due = state(valkey, reader.token, "packed/fire-time"), due_at(now_ms)
    # LPUSH: whoever came first is last in the list, and served first from its right end.
    assert lane.get("wait", []) == [member for member in reversed(due) if member != MINE]
    arrived = [(MINE, float(2 * 2**32 + 1))] if MINE in due else []
    assert lane.get("prioritized", []) == arrived
    assert [member for member, _ in lane.get("delayed", [])] == [
        member for member in due_at(LATEST) if member not in due
    ]
    left = [(member, score) for member, score in lane.get("delayed", [])]
    # The ladder is shown once somebody stands on it.
    assert [(member, float(score)) for member, score in shown(body)] == (arrived or left)
    assert body["score"]["stored"] == (None if arrived else STORED["packed/fire-time"])


def test_a_promoted_job_has_a_new_arrival_and_the_sentence_says_so(reader: Reader) -> None:
    body = reader.do("packed/fire-time", "promote", now_ms=DUE)
    (mine,) = body["order"]
    assert mine["facts"] == {"tier": 2, "arrival": 1}
    assert "Your job has a priority and moved to the ladder, as no. 1 of its" in body["sentence"]
    assert body["position"] == {"rank": 0, "of": 1}


@given(now_ms=NOWS)
@example(now_ms=T0)
@example(now_ms=DUE - 1)
@example(now_ms=DUE)
@settings(max_examples=40)
def test_one_number_promotion_orders_by_mint_and_no_longer_by_due_time(
    client: FlaskClient, valkey: Valkey, now_ms: int
) -> None:
    reader = Reader(client)
    body = reader.do("one-number/fire-time", "promote", now_ms=now_ms)
    lane, due = state(valkey, reader.token, "one-number/fire-time"), due_at(now_ms)
    assert lane.get("pending", []) == [(m, 0.0) for m in sorted(due, key=str.encode)]
    assert [member for member, _ in lane.get("schedule", [])] == [
        member for member in due_at(LATEST) if member not in due
    ]
    if due:
        assert shown(body) == [(member, "0") for member in sorted(due, key=str.encode)]
    if MINE in due:
        assert lane[f"job:{MINE}"]["state"] == "pending"
        assert "stand by when they were minted" in body["sentence"]


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_where_nothing_is_due_a_promotion_shows_the_set_that_it_looked_into(
    reader: Reader, reading: str
) -> None:
    standing = shown(reader.do(reading, "write"))
    body = reader.do(reading, "promote")
    assert body["sentence"] == "Nothing was due, so nothing moved."
    assert shown(body) == standing != []
    assert body["set"] == QUEUE + SETS[reading]
    assert body["position"] is not None
    page = opened(reader.client, body["address"])
    assert page.order == standing
    assert QUEUE + SETS[reading] in page.text("three_readings_order")
    moved = reader.do(reading, "promote", now_ms=DUE)
    assert moved["set"] == QUEUE + ("prioritized" if reading[0] == "p" else "pending")


def test_jobs_without_a_priority_are_said_to_wait_in_the_list_and_not_on_the_ladder(
    reader: Reader, valkey: Valkey
) -> None:
    body = reader.do("packed/fire-time", "promote", now_ms=T0 + 40_000)
    lane = state(valkey, reader.token, "packed/fire-time")
    assert "prioritized" not in lane
    assert len(lane["wait"]) == 2
    assert body["sentence"].startswith("Two jobs were due. ")
    assert "have none, so they moved to the wait list" in body["sentence"]
    assert "moved to the ladder" not in body["sentence"]
    assert dict(shown(body))[MINE] == STORED["packed/fire-time"]


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_a_second_promotion_finds_nothing_and_says_so(reader: Reader, reading: str) -> None:
    first = reader.do(reading, "promote", now_ms=DUE)
    again = reader.do(reading, "promote", now_ms=DUE)
    assert shown(again) == shown(first)
    assert "Nothing was due" in again["sentence"]


# Several jobs due in one millisecond.


def due_with_mine(body: Body) -> list[dict[str, Any]]:
    return [placed for placed in body["order"] if placed["facts"]["due_ms"] == DUE]


def test_each_job_of_a_millisecond_takes_the_next_slot_whenever_it_was_minted(
    reader: Reader, valkey: Valkey
) -> None:
    before = due_with_mine(reader.do("packed/fire-time", "write"))
    came = [placed["member"] for placed in before]
    for slot in range(len(came), len(came) + 4):
        body = reader.do("packed/fire-time", "same_ms")
        together = due_with_mine(body)
        assert [placed["facts"]["slot"] for placed in together] == list(range(slot + 1))
        assert [placed["member"] for placed in together[:-1]] == came
        came.append(together[-1]["member"])
        assert f"took slot {slot}" in body["sentence"]
        assert came[-1][-3:] in body["sentence"]
        (read,) = [c for c in sent_by(body, "packed/add_delayed") if "ZREVRANGEBYSCORE" in c]
        assert f" {(DUE + 1) * 4096 - 1} {DUE * 4096} " in read
    assert came != sorted(came, key=str.encode), "the ids would give another order"
    stands = state(valkey, reader.token, "packed/fire-time")["delayed"]
    assert [int(score) - DUE * 4096 for member, score in stands if member in came] == [*range(6)]


def test_without_slots_the_jobs_of_a_millisecond_share_a_score_and_stand_by_their_bytes(
    reader: Reader,
) -> None:
    reader.do("one-number/fire-time", "write")
    sides = []
    for count in range(3, 7):
        body = reader.do("one-number/fire-time", "same_ms")
        together = due_with_mine(body)
        names = [placed["member"] for placed in together]
        assert len(names) == count
        assert names == sorted(names, key=str.encode)
        assert {placed["score"] for placed in together} == {str(DUE)}
        added = re.search(rf"ZADD {QUEUE}schedule {DUE} (\S+)", "\n".join(commands(body)))
        assert added
        side = "in front of" if names.index(added[1]) < names.index(MINE) else "behind"
        assert f"it stands {side} yours" in body["sentence"]
        sides.append(side)
    assert set(sides) == {"in front of", "behind"}


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_a_fifth_job_of_the_millisecond_is_not_added_and_that_is_said(
    reader: Reader, valkey: Valkey, reading: str
) -> None:
    for _ in range(4):
        reader.do(reading, "same_ms")
    stands = state(valkey, reader.token, reading)
    body = reader.do(reading, "same_ms")
    assert state(valkey, reader.token, reading) == stands
    assert "All 4 jobs" in body["sentence"]
    assert opened(reader.client, body["address"]).sentence == body["sentence"]


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_what_was_added_to_the_millisecond_is_promoted_and_expires_with_the_rest(
    reader: Reader, valkey: Valkey, reading: str
) -> None:
    reader.do(reading, "same_ms")
    assert len(due_with_mine(reader.do(reading, "same_ms"))) > 2
    reader.do(reading, "promote", now_ms=DUE)
    names = valkey.admin.keys("*" + prefix(reader.token, reading).split("}:")[1] + "*")
    assert len([name for name in names if ":job:" in name]) >= 3
    assert [name for name in names if valkey.admin.pttl(name) < 0] == []


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_jobs_of_one_millisecond_are_one_point_on_the_line_of_time(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}&then=same_ms,same_ms")
    names = page.tree.xpath('//*[@id="three_readings_order"]//*[local-name()="text"]/text()')
    points = page.tree.xpath('//*[@id="three_readings_order"]//*[local-name()="circle"]')
    assert len(points) == len(set(DUES.values()))
    assert [name for name in names if name.startswith("your job")] == ["your job +3"]


def test_a_job_added_when_mine_has_left_is_not_compared_with_it(reader: Reader) -> None:
    for reading in FIRE_TIMES:
        reader.do(reading, "promote", now_ms=DUE)
        sentence = reader.do(reading, "same_ms", now_ms=DUE)["sentence"]
        assert "due at 11:29:38 UTC" in sentence
        assert "yours" not in sentence


# In what order: serve and claim.


@pytest.mark.parametrize("reading", TAKING)
@pytest.mark.parametrize("action", ["serve", "read"])
def test_serving_takes_the_head_until_nobody_waits(
    reader: Reader, valkey: Valkey, reading: str, action: str
) -> None:
    standing = shown(reader.do(reading, "write"))
    for left in range(len(standing), 0, -1):
        body = reader.do(reading, action)
        assert members(reply_to(body, "ZPOPMIN"))[0] == standing[-left][0]
        assert [(p["member"], p["score"]) for p in body["order_before"]] == standing[-left:]
        assert shown(body) == standing[len(standing) - left + 1 :]
        name = "your job" if standing[-left][0] == MINE else standing[-left][0][-3:]
        assert name in body["sentence"]
    body = reader.do(reading, action)
    assert "Nobody waits" in body["sentence"]
    assert (body["order"], body["position"]) == ([], None)
    assert state(valkey, reader.token, reading).get(SETS[reading]) is None


def test_pending_is_claimed_in_the_order_of_mint_with_attempts_and_leases(
    reader: Reader, valkey: Valkey
) -> None:
    reader.do("one-number/order", "write")
    for n, member in enumerate(IN_ORDER_OF_MINT):
        body = reader.do("one-number/order", "claim", now_ms=T0 + n * 1000)
        assert members(reply_to(body, "ZPOPMIN")) == [member]
        assert reply_to(body, f"HINCRBY {QUEUE}job:{member} attempts 1") == "(integer) 1"
        assert f"ZADD {QUEUE}active {T0 + n * 1000 + 30_000} {member}" in commands(body)
        assert "It is attempt 1, leased until" in body["sentence"]
    lane = state(valkey, reader.token, "one-number/order")
    assert lane["active"] == [
        (m, float(T0 + 30_000 + n * 1000)) for n, m in enumerate(IN_ORDER_OF_MINT)
    ]
    assert lane[f"job:{MINE}"] == {
        "state": "active", "attempts": "1", "payload": "send the receipt",
    }  # fmt: skip
    body = reader.do("one-number/order", "claim")
    assert "Nobody waits" in body["sentence"]
    assert "attempt" not in body["sentence"]


def test_a_claim_that_finds_nobody_tells_no_lease_when_earlier_ones_are_replayed(
    client: FlaskClient,
) -> None:
    then = ",".join(["claim"] * (len(IN_ORDER_OF_MINT) + 1))
    page = opened(client, f"{FIGURE}?reading=one-number/order&then={then}")
    assert page.sentence == "Nobody waits: ZPOPMIN answered an empty array."


def test_the_lease_is_told_by_the_pinned_now(reader: Reader) -> None:
    body = reader.do("one-number/order", "claim", now_ms=DUE)
    assert "leased until 11:30:08 UTC" in body["sentence"]


def test_a_scheduled_job_is_promoted_then_claimed_by_mint(reader: Reader) -> None:
    reader.do("one-number/fire-time", "promote", now_ms=DUE)
    body = reader.do("one-number/fire-time", "claim", now_ms=DUE)
    # Minted two seconds before t0, due 12 s after: first by both.
    assert members(reply_to(body, "ZPOPMIN")) == [IN_ORDER_OF_MINT[0]]
    body = reader.do("one-number/fire-time", "claim", now_ms=DUE)
    # Mine was minted before the one that was due at 35 s.
    assert members(reply_to(body, "ZPOPMIN")) == [MINE]
    assert "attempt 1" in body["sentence"]


def test_claiming_before_anything_was_promoted_finds_nobody(reader: Reader) -> None:
    body = reader.do("one-number/fire-time", "claim", now_ms=DUE)
    assert "Nobody waits" in body["sentence"]
    assert body["order"] == []


# In what order: a changed priority.


def test_a_changed_priority_goes_behind_everyone_in_its_tier(
    reader: Reader, valkey: Valkey
) -> None:
    before = reader.do("packed/priority", "write")
    counter = int(state(valkey, reader.token, "packed/priority")["pc"])
    body = reader.do("packed/priority", "change_priority")
    tier = [p["member"] for p in body["order"] if p["facts"]["tier"] == 2]
    stood = [p["member"] for p in before["order"] if p["facts"]["tier"] == 2]
    assert stood[-1] != MINE
    assert tier == [*(member for member in stood if member != MINE), MINE]
    assert body["score"]["stored"] == str(2 * 2**32 + counter + 1)
    assert f"no. {counter + 1}, behind everyone in tier 2" in body["sentence"]
    assert sent_by(body, "packed/change_priority")[:2] == [
        f"EXISTS {QUEUE}job:{MINE}",
        f"ZREM {QUEUE}prioritized {MINE}",
    ]


@pytest.mark.parametrize("lifo", ["1", "on", "true"])
def test_with_lifo_it_goes_in_front_of_its_tier_with_the_counter_0(
    reader: Reader, lifo: str
) -> None:
    body = reader.do("packed/priority", "change_priority", lifo=lifo)
    tier = [p["member"] for p in body["order"] if p["facts"]["tier"] == 2]
    assert tier[0] == MINE
    assert body["score"]["stored"] == str(2 * 2**32)
    assert "in front of tier 2" in body["sentence"]
    assert body["inputs"]["lifo"] is True
    assert body["address"].endswith("then=change_priority-lifo")


def test_a_job_that_was_served_has_no_place_to_change(reader: Reader) -> None:
    for _ in range(5):
        reader.do("packed/priority", "serve")
    body = reader.do("packed/priority", "change_priority")
    assert body["order"] == []
    assert "no longer on the ladder" in body["sentence"]


# How often: register again and advance.


def test_a_second_upsert_reads_the_prior_run_and_replaces_it(reader: Reader) -> None:
    before = reader.do("packed/next-run", "write")
    body = reader.do("packed/next-run", "register_again")
    # The reboot is 30 s after t0, so the next run is 30 s + 90 s after it.
    assert sent_by(body, "packed/upsert_repeat") == [
        f"ZSCORE {QUEUE}repeat {MINE}",
        f"ZADD {QUEUE}repeat {T0 + 120_000} {MINE}",
    ]
    assert reply_to(body, f"ZADD {QUEUE}repeat") == "(integer) 0"
    assert '"1780226978000"' in [step["reply"] for step in body["steps"]]
    assert len(body["order"]) == len(before["order"])
    assert "11:29:38 UTC, and ZADD replaced it with 11:30:08 UTC" in body["sentence"]


def test_a_second_register_writes_nothing(reader: Reader, valkey: Valkey) -> None:
    before = reader.do("one-number/next-run", "write")
    stands = state(valkey, reader.token, "one-number/next-run")
    body = reader.do("one-number/next-run", "register_again", now_ms=LATEST)
    assert sent_by(body, "one-number/register") == [f"EXISTS {QUEUE}repeat:{MINE}"]
    assert reply_to(body, "EXISTS") == "(integer) 1"
    assert shown(body) == shown(before)
    assert state(valkey, reader.token, "one-number/next-run") == stands
    assert "wrote nothing" in body["sentence"]


@pytest.mark.parametrize("reading", NEXT_RUNS)
def test_advancing_moves_the_run_on_by_one_period(reader: Reader, reading: str) -> None:
    body = reader.do(reading, "advance", now_ms=DUE)
    assert body["score"]["stored"] == str(DUE + 90_000)
    assert "11:31:08 UTC" in body["sentence"]
    assert [m for m, _ in shown(body)].count(MINE) == 1


@pytest.mark.parametrize("reading", NEXT_RUNS)
def test_the_other_schedules_stay_as_they_were(reader: Reader, reading: str) -> None:
    before = [pair for pair in shown(reader.do(reading, "write")) if pair[0] != MINE]
    for action in ("register_again", "advance"):
        body = reader.do(reading, action, now_ms=LATEST)
        assert [pair for pair in shown(body) if pair[0] != MINE] == before


# A reading that is selected: write, read, conclude.


SELECTS = [{}, {"action": "select"}, {"action": "select", "step": "3"}]


@pytest.mark.parametrize("fields", SELECTS)
@pytest.mark.parametrize("reading", READINGS)
def test_selecting_a_reading_writes_the_job_reads_it_and_concludes_but_serves_nobody(
    reader: Reader, valkey: Valkey, reading: str, fields: dict[str, str]
) -> None:
    written = reader.do(reading, "write")
    stands = state(valkey, reader.token, reading)
    wrote = [step["command"] for step in written["steps"] if step["by"] == "script"]
    body = reader.ask(reading=reading, **fields)
    did = commands(body)
    by_script = [step["command"] for step in body["steps"] if step["by"] == "script"]
    assert by_script[: len(wrote)] == wrote
    if reading in TAKING:
        reads = [f"ZRANGE {QUEUE}{SETS[reading]} 0 0 WITHSCORES"]
        assert members(reply_to(body, reads[0])) == [body["order"][0]["member"]]
        assert "ZPOPMIN is what serves" in body["sentence"]
    else:
        reads = [command for command in did if command.startswith("ZRANGEBYSCORE")]
        assert "Yours is not" in body["sentence"]
    assert len(reads) == 1
    assert did.index(reads[0]) > did.index(wrote[-1])
    assert not any(command.startswith("ZPOPMIN") for command in did)
    assert state(valkey, reader.token, reading) == stands
    assert "Stored" in body["sentence"]
    assert body["score"]["stored"] == body["score"]["computed"] == STORED[reading]
    assert body["read_back"]["says"]
    assert body["inputs"]["step"] == 0
    assert body["address"] == f"{FIGURE}?reading={reading}"


@pytest.mark.parametrize("reading", READINGS)
def test_a_selection_is_the_same_from_the_card_and_from_its_address(
    client: FlaskClient, valkey: Valkey, reading: str
) -> None:
    reader = Reader(client)
    body = reader.do(reading, "select")
    page = opened(client, body["address"])
    assert (page.sentence, page.order) == (body["sentence"], shown(body))
    assert page.notices == []
    assert state(valkey, page.token, reading) == state(valkey, reader.token, reading)
    assert page.tree.xpath("//nav//a[@aria-current]") == [], "it is none of the four steps"


@pytest.mark.parametrize("reading", READINGS)
def test_a_selection_streams_what_the_reader_concludes(client: FlaskClient, reading: str) -> None:
    reader = Reader(client)
    says = reader.do(reading, "select")["read_back"]["says"]
    stream = messages(reader.post(STREAM, reading=reading, action="select").text)
    assert [one.ids[0].split("/")[1] for one in stream] == ["score", "commands", "order"]
    parts = {name: html for one in stream for name, html in one.parts.items()}
    assert parts["three_readings_read_back"] == f"read back: {says}"
    assert STORED[reading] in parts["three_readings_badge"] or reading == "one-number/order"
    page = opened(client, f"{FIGURE}?reading={reading}")
    assert says in page.text("three_readings_read_back")


@pytest.mark.parametrize("action", ["change_priority", "serve"])
def test_the_wrong_readings_are_those_of_the_score_that_stands_now(
    reader: Reader, action: str
) -> None:
    reader.do("packed/priority", "write")
    stream = messages(reader.post(STREAM, reading="packed/priority", action=action).text)
    parts = stream[-1].parts
    wrong = parts["three_readings_misread"] + parts["three_readings_same"]
    body = reader.do("packed/priority", "keep")
    assert body["misread"]
    assert all(one["says"] in wrong for one in body["misread"])


# Four steps a reading.


@pytest.mark.parametrize(("reading", "step"), STEPS)
def test_a_step_is_the_same_from_the_button_and_from_its_address(
    client: FlaskClient, valkey: Valkey, reading: str, step: int
) -> None:
    reader = Reader(client)
    body = reader.step(reading, step)
    page = opened(client, f"{FIGURE}?reading={reading}&step={step}")
    assert body["inputs"]["step"] == step
    assert body["address"] == f"{FIGURE}?reading={reading}&step={step}"
    assert page.sentence == body["sentence"]
    assert page.order == shown(body)
    assert state(valkey, page.token, reading) == state(valkey, reader.token, reading)


def test_steps_and_writes_of_a_sandbox_that_stands_say_nothing_of_a_lost_queue(
    reader: Reader,
) -> None:
    told = []
    for reading, step in [*STEPS, *reversed(STEPS)]:
        told += reader.step(reading, step)["notices"]
        told += reader.do(reading, "write")["notices"]
    assert told == []


@pytest.mark.parametrize("action", ["write", "read", "look", "keep"])
def test_the_first_visit_to_another_reading_says_nothing_of_a_lost_queue(
    reader: Reader, action: str
) -> None:
    told = []
    for reading in READINGS:
        told += reader.do(reading, action)["notices"]
    assert told == []


@pytest.mark.parametrize("reading", READINGS)
def test_the_four_steps_are_meaning_write_read_and_conclusion(reader: Reader, reading: str) -> None:
    meaning, write, read, conclude = (reader.step(reading, step) for step in (1, 2, 3, 4))
    assert "the score is" in meaning["sentence"]
    assert meaning["position"] is None
    assert (meaning["score"]["stored"], meaning["score"]["agrees"]) == (None, None)
    assert write["score"]["stored"] == STORED[reading]
    assert "Stored" in write["sentence"]
    asks = "ZPOPMIN" if reading in TAKING else "ZRANGEBYSCORE"
    assert any(command.startswith(asks) for command in commands(read))
    assert not any(command.startswith(asks) for command in commands(write))
    assert write["read_back"] == conclude["read_back"]
    assert "concludes" in conclude["sentence"]
    assert conclude["read_back"]["says"] in conclude["sentence"]


@pytest.mark.parametrize("walk", WALKS, ids=["packed", "one-number"])
def test_walking_all_twelve_steps_forwards_and_backwards_never_corrupts_what_comes_after(
    client: FlaskClient, valkey: Valkey, walk: list[tuple[str, int]]
) -> None:
    walker = Reader(client)
    for reading, step in [*walk, *reversed(walk), *walk]:
        body, fresh = walker.step(reading, step), Reader(client)
        expected = fresh.step(reading, step)
        assert shown(body) == shown(expected)
        assert body["sentence"] == expected["sentence"]
        assert body["address"] == expected["address"]
        assert state(valkey, walker.token, reading) == state(valkey, fresh.token, reading)


ANY_ACT = st.sampled_from(
    [(name, action) for name in READINGS for action in ("read", "look", *ACTIONS_OF[name])]
)


@given(acts=st.lists(ANY_ACT | st.sampled_from(STEPS), max_size=5), last=st.sampled_from(STEPS))
@settings(max_examples=60)
@example(acts=[("packed/fire-time", "promote")], last=("packed/fire-time", 2))
@example(acts=[("one-number/order", "claim")], last=("one-number/order", 2))
@example(acts=[("one-number/next-run", 2)], last=("one-number/next-run", 1))
def test_a_step_after_anything_is_the_step_on_a_clean_lane(
    client: FlaskClient,
    valkey: Valkey,
    acts: list[tuple[str, str | int]],
    last: tuple[str, int],
) -> None:
    walker, fresh = Reader(client), Reader(client)
    for reading, what in acts:
        fields = {"step": what} if isinstance(what, int) else {"action": what}
        walker.ask(reading=reading, now_ms=DUE, **fields)
    body, expected = walker.step(*last), fresh.step(*last)
    assert shown(body) == shown(expected)
    assert body["sentence"] == expected["sentence"]
    assert state(valkey, walker.token, last[0]) == state(valkey, fresh.token, last[0])


def test_registering_after_a_step_back_to_the_meaning_registers(reader: Reader) -> None:
    reader.step("one-number/next-run", 2)
    reader.step("one-number/next-run", 1)
    body = reader.do("one-number/next-run", "register_again")
    assert reply_to(body, "EXISTS") == "(integer) 0"
    assert body["score"]["stored"] == str(T0 + 120_000)
    assert "It was not registered" in body["sentence"]
    page = opened(reader.client, body["address"])
    assert page.order == shown(body)
    assert page.sentence == body["sentence"]


@pytest.mark.parametrize("design", ["packed", "one-number"])
def test_previous_and_next_lead_through_all_twelve_steps_without_scripts(
    client: FlaskClient, design: str
) -> None:
    first = f"{FIGURE}?reading={design}/fire-time&step=1"
    address, seen = first, []
    while True:
        page = opened(client, address)
        seen.append(page.sentence)
        after = page.tree.xpath('//a[contains(@class, "next")]/@href')
        if not after:
            break
        address = FIGURE + str(after[0])
    assert len(seen) == 12
    back = []
    while True:
        page = opened(client, address)
        back.append(page.sentence)
        before = page.tree.xpath('//a[contains(@class, "previous")]/@href')
        if not before:
            break
        address = FIGURE + str(before[0])
    assert back == seen[::-1]


# An address is a replay.


def stories(names: list[str]) -> st.SearchStrategy[tuple[str, int, list[dict[str, Any]]]]:
    """Draw a reading, the step at which it begins, and what is done then."""

    def of(reading: str) -> st.SearchStrategy[tuple[str, int, list[dict[str, Any]]]]:
        act = st.fixed_dictionaries(
            {"action": st.sampled_from(["read", "look", "keep", *ACTIONS_OF[reading]])},
            optional={"now_ms": NOWS, "lifo": st.just("1")},
        )
        steps = st.integers(2, 4)
        return st.tuples(st.just(reading), steps, st.lists(act, max_size=6))

    return st.sampled_from(names).flatmap(of)


def lived(client: FlaskClient, story: tuple[str, int, list[dict[str, Any]]]) -> tuple[Reader, Body]:
    reading, step, acts = story
    reader = Reader(client)
    body = reader.step(reading, step)
    for fields in acts:
        body = reader.ask(reading=reading, **fields)
    return reader, body


@given(story=stories(READINGS))
@settings(max_examples=60)
def test_opening_the_address_of_any_answer_makes_the_same_sandbox(
    client: FlaskClient, valkey: Valkey, story: tuple[str, int, list[dict[str, Any]]]
) -> None:
    reader, body = lived(client, story)
    page = opened(client, body["address"])
    assert page.notices == []
    assert state(valkey, page.token, story[0]) == state(valkey, reader.token, story[0])


@given(story=stories(READINGS))
@settings(max_examples=60)
@example(story=("packed/fire-time", 2, [{"action": "promote", "now_ms": DUE}, {"action": "read"}]))
@example(story=("one-number/fire-time", 2, [{"action": "claim"}, {"action": "look"}]))
def test_opening_the_address_of_any_answer_shows_the_same_order(
    client: FlaskClient, story: tuple[str, int, list[dict[str, Any]]]
) -> None:
    _, body = lived(client, story)
    page = opened(client, body["address"])
    assert page.order == shown(body)


@pytest.mark.parametrize("reading", TIMED)
def test_a_read_before_my_job_was_written_is_replayed_without_my_job(
    client: FlaskClient, reading: str
) -> None:
    reader = Reader(client)
    reader.step(reading, 1)
    body = reader.do(reading, "read", now_ms=DUE)
    assert opened(client, body["address"]).order == shown(body)


@pytest.mark.parametrize("clocks", [("pinned", "server"), ("server", "pinned")])
@pytest.mark.parametrize("action", ["read", "promote"])
def test_an_address_replays_each_action_on_the_clock_on_which_it_was_done(
    client: FlaskClient, action: str, clocks: tuple[str, str]
) -> None:
    reader = Reader(client)
    reader.do("one-number/fire-time", "write", clock=clocks[0])
    body = reader.do("one-number/fire-time", action, clock=clocks[1], now_ms=LATEST)
    page = opened(client, body["address"])
    assert [member for member, _ in page.order] == [member for member, _ in shown(body)]


@given(story=stories(READINGS))
@settings(max_examples=40)
def test_the_address_of_an_address_is_itself_and_carries_no_token(
    client: FlaskClient, story: tuple[str, int, list[dict[str, Any]]]
) -> None:
    reader, body = lived(client, story)
    page = opened(client, body["address"])
    (again,) = page.tree.xpath('//*[@id="three_readings_state"]//a/@href')
    assert again == body["address"]
    assert "token" not in again
    assert reader.token.split(".")[0] not in again


def test_an_address_carries_at_most_40_actions_and_says_so(reader: Reader) -> None:
    for _ in range(45):
        body = reader.do("packed/priority", "change_priority")
    assert any("40 actions" in notice for notice in body["notices"])
    page = opened(reader.client, body["address"])
    assert page.order == shown(body)
    assert "behind everyone" not in body["sentence"], "nothing was changed"


# Double clicks, and answers out of order.


@pytest.mark.parametrize("numbers", [(5, 5), (5, 6), (6, 5)])
@pytest.mark.parametrize(
    ("reading", "action"),
    [(name, action) for name in READINGS for action in ACTIONS_OF[name]],
)
def test_a_double_click_leaves_page_and_sandbox_agreeing(
    shared_app: Flask,
    valkey: Valkey,
    reading: str,
    action: str,
    numbers: tuple[int, int],
) -> None:
    first = Reader(shared_app.test_client()).do(reading, "write", seq=1)
    token, together = first["sandbox"]["token"], Barrier(2)

    def click(seq: int) -> Body:
        one = Reader(shared_app.test_client(), token)
        together.wait()
        return one.do(reading, action, seq=seq, now_ms=DUE)

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(click, numbers))
    stands = state(valkey, token, reading)
    address = Reader(shared_app.test_client(), token, 10).do(reading, "keep", now_ms=DUE)["address"]
    # The page keeps the answer to the newest number; of two equal ones, that of the later run.
    last = max(answers, key=lambda body: (body["seq"], len(body["address"])))
    assert last["address"] == address
    page = opened(shared_app.test_client(), address)
    assert page.order == shown(last)
    assert state(valkey, page.token, reading) == stands


STALE: list[dict[str, Any]] = [
    {"action": "write"},
    {"action": "reset"},
    {"action": "read"},
    {"step": 1},
    {"step": 3},
    *({"action": action} for action in ("promote", "claim", "serve", "change_priority")),
    *({"action": action} for action in ("register_again", "advance")),
]


@pytest.mark.parametrize("fields", STALE)
@pytest.mark.parametrize("reading", READINGS)
def test_an_older_request_changes_nothing_and_says_so(
    reader: Reader, valkey: Valkey, reading: str, fields: dict[str, Any]
) -> None:
    last = reader.ask(reading=reading, seq=20, action=ACTIONS_OF[reading][0], now_ms=DUE)
    before = state(valkey, reader.token, reading)
    body = reader.ask(reading=reading, seq=19, now_ms=DUE, **fields)
    assert state(valkey, reader.token, reading) == before
    assert any("newer" in notice for notice in body["notices"])
    assert not any(step["by"] != "client" for step in body["steps"])
    query = body["address"].split("then=")[-1]
    assert query == last["address"].split("then=")[-1]


def test_an_older_request_that_did_nothing_is_not_told_as_if_it_had(reader: Reader) -> None:
    untrue = [
        ("packed/priority", "serve", "Nobody waits"),
        ("one-number/order", "claim", "Nobody waits"),
        ("packed/fire-time", "promote", "Nothing was due"),
        ("one-number/fire-time", "read", "No job is due"),
        ("packed/next-run", "register_again", "It was not registered"),
        ("one-number/next-run", "register_again", "EXISTS found"),
        ("one-number/next-run", "advance", "It fired"),
        ("packed/priority", "change_priority", "It lost its place"),
    ]
    told = []
    for reading, action, claim in untrue:
        reader.ask(reading=reading, action="write", seq=100)
        body = reader.ask(reading=reading, action=action, seq=1, now_ms=DUE)
        told += [(reading, action)] if claim in body["sentence"] else []
    assert told == []


@given(order=st.permutations(range(1, 6)))
@settings(max_examples=20)
def test_requests_that_arrive_in_any_order_end_with_page_and_sandbox_agreeing(
    client: FlaskClient, valkey: Valkey, order: list[int]
) -> None:
    reader = Reader(client)
    acts: list[dict[str, Any]] = [
        {"action": "write"}, {"action": "serve"}, {"action": "change_priority"},
        {"action": "change_priority", "lifo": "1"}, {"action": "serve"},
    ]  # fmt: skip
    answers = {
        seq: reader.ask(reading="packed/priority", seq=seq, **acts[seq - 1]) for seq in order
    }
    standing = [(member, float(score)) for member, score in shown(answers[5])]
    assert state(valkey, reader.token, "packed/priority").get("prioritized", []) == standing
    assert opened(client, answers[5]["address"]).order == shown(answers[5])


def test_the_page_of_a_form_agrees_with_the_sandbox_too(reader: Reader, valkey: Valkey) -> None:
    for reading in READINGS:
        page = Page(reader.post({"Accept": "text/html"}, reading=reading, action="write").text)
        pairs = [(member, float(score)) for member, score in page.order]
        assert state(valkey, page.token, reading)[SETS[reading]] == pairs
        assert page.chosen == [reading]


# Each reading in its own lane.


@pytest.mark.parametrize("reading", READINGS)
def test_whatever_is_done_in_one_reading_leaves_the_others_and_the_composite_untouched(
    client: FlaskClient, valkey: Valkey, reading: str
) -> None:
    slider = Visitor(client)
    slider.move(3, 33)
    reader = Reader(client, slider.token)
    others = [name for name in READINGS if name != reading]
    addresses = {
        name: reader.do(name, ACTIONS_OF[name][0], now_ms=DUE)["address"] for name in others
    }
    before = {name: state(valkey, reader.token, name) for name in others}
    for action in ("write", "read", *ACTIONS_OF[reading], "look", "keep", "reset"):
        reader.do(reading, action, now_ms=DUE)
    for step in (1, 2, 3, 4):
        reader.step(reading, step)
    assert {name: state(valkey, reader.token, name) for name in others} == before
    assert {name: reader.do(name, "keep", now_ms=DUE)["address"] for name in others} == addresses
    assert dict(ladder(valkey, slider.token))[MINE] == str(3 * 2**32 + 33)
    assert slider.ask(action="keep")["address"].endswith("?tier=3&arrival=33")


# What an interaction costs.


EVERY_INTERACTION: list[dict[str, Any]] = [
    *({"step": step} for step in (1, 2, 3, 4)),
    *({"action": action} for action in ACTIONS),
    *({"action": action, "clock": "server", "lifo": "1"} for action in ACTIONS),
]


@pytest.mark.parametrize("reading", READINGS)
def test_no_answer_of_the_stream_is_longer_than_8_kib(client: FlaskClient, reading: str) -> None:
    reader = Reader(client, reader_token(client))
    sizes = {}
    for fields in EVERY_INTERACTION:
        for now_ms in (T0, LATEST):
            reader.ask(reading=reading, action="write")
            answer = reader.post(STREAM, reading=reading, now_ms=now_ms, **fields)
            assert answer.status_code == 200
            assert len(messages(answer.text)) == 3
            sizes[f"{fields} {now_ms}"] = len(answer.data)
    assert {name: size for name, size in sizes.items() if size > ANSWER_BYTES_MOST} == {}


@pytest.mark.parametrize("reading", FIRE_TIMES)
def test_an_answer_weighs_at_most_8_kib_after_40_actions_on_the_fullest_set(
    client: FlaskClient, reading: str
) -> None:
    reader = Reader(client, reader_token(client))
    acts = [("same_ms", T0)] * 4 + [("promote", DUE - 1)] * 35
    for action, now_ms in acts:
        reader.ask(reading=reading, action=action, now_ms=now_ms)
    for fields in ({"action": "read"}, {"action": "keep"}, {"action": "promote"}):
        answer = reader.post(STREAM, reading=reading, now_ms=LATEST, **fields)
        assert len(answer.data) <= ANSWER_BYTES_MOST


def reader_token(client: FlaskClient) -> str:
    return str(Reader(client).ask()["sandbox"]["token"])


@pytest.mark.parametrize("reading", READINGS)
def test_every_interaction_is_one_evalsha_and_nothing_else(
    client: FlaskClient, valkey: Valkey, reading: str
) -> None:
    reader = Reader(client, reader_token(client))
    for fields in EVERY_INTERACTION:
        for headers in (JSON, STREAM):
            ask = partial(reader.read, headers, reading=reading, **fields)
            assert sent(valkey, ask) == ["EVALSHA"], fields


def test_a_long_address_is_replayed_by_one_evalsha(client: FlaskClient, valkey: Valkey) -> None:
    client.get(FIGURE)
    then = ",".join(["serve", "change_priority"] * 20)
    address = f"{FIGURE}?reading=packed/priority&then={then}"
    assert sent(valkey, lambda: client.get(address)) == sent(valkey, lambda: client.get(FIGURE))


# The wrong readings.


def test_8589934609_read_as_milliseconds_is_the_10th_of_april_1970(reader: Reader) -> None:
    body = reader.do("packed/priority", "write")
    says = {one["reading"]: one["says"] for one in body["misread"]}
    assert "packed/priority" not in says
    for name in ("packed/next-run", "one-number/fire-time", "one-number/next-run"):
        assert "1970-04-10" in says[name]


@pytest.mark.parametrize("action", ["write", "read", "look", "keep", "reset"])
@pytest.mark.parametrize("reading", READINGS)
def test_every_answer_reads_the_stored_number_under_every_other_reading(
    reader: Reader, reading: str, action: str
) -> None:
    body = reader.do(reading, action)
    others = [name for name in READINGS if name != reading]
    assert [one["reading"] for one in body["misread"]] == others
    score = float(STORED[reading])
    assert [one["says"] for one in body["misread"]] == [
        CATALOGUE[name].conclude(score).says for name in others
    ]


CALLED = {
    "packed/fire-time": "When? · order in the score",
    "packed/priority": "In what order? · order in the score",
    "packed/next-run": "How often? · order in the score",
    "one-number/fire-time": "When? · order in the member",
    "one-number/order": "In what order? · order in the member",
    "one-number/next-run": "How often? · order in the member",
}


def read_as(page: Page, block: str) -> dict[str, str]:
    """Return what the number is said to mean, by what each reading is called."""
    return {
        str(name): item.text_content().removeprefix(item.xpath("string(b)")).strip()
        for item in page.tree.xpath(f'//*[@id="three_readings_{block}"]/li')
        for name in item.xpath("string(b)").split(", ")
    }


@pytest.mark.parametrize("reading", READINGS)
def test_the_page_reads_the_number_under_every_other_reading_each_sentence_once(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    said = {**read_as(page, "misread"), **read_as(page, "same")}
    body = Reader(client).do(reading, "write")
    assert said == {CALLED[one["reading"]]: one["says"] for one in body["misread"]}
    items = page.tree.xpath('//details[contains(@class, "misread")]//li')
    assert len(items) == len(set(said.values()))


@pytest.mark.parametrize("reading", READINGS)
def test_a_reading_of_the_same_encoding_is_told_apart_from_nonsense(
    client: FlaskClient, reading: str
) -> None:
    page, body = opened(client, f"{FIGURE}?reading={reading}"), Reader(client).do(reading, "write")
    plain = ["packed/next-run", "one-number/fire-time", "one-number/next-run"]
    same = [name for name in plain if name != reading] if reading in plain else []
    assert [one["reading"] for one in body["misread"] if one["same_encoding"]] == same
    assert set(read_as(page, "same")) == {CALLED[name] for name in same}
    wrong = set(READINGS) - {*same, reading}
    assert set(read_as(page, "misread")) == {CALLED[name] for name in wrong}
    seen = page.tree.xpath('//details[contains(@class, "misread")][not(@hidden)]/summary/text()')
    assert any("only the set’s name tells these apart" in summary for summary in seen) is bool(same)


# What things are called.


@pytest.mark.parametrize("reading", READINGS)
def test_a_card_names_the_commands_that_write_in_the_order_in_which_they_ran(
    reader: Reader, reading: str
) -> None:
    ran = [c.split()[0] for c in sent_by(reader.do(reading, "write"), CATALOGUE[reading].script)]
    named = re.findall("[A-Z]{4,}", CATALOGUE[reading].writes)
    assert named == [word for word in dict.fromkeys(ran) if word in named]
    if reading.startswith("one-number"):
        assert named == ran == ["EXISTS", "HSET", "ZADD"]


PAGES = ["/figures/composite", "/figures/two-designs"]
PAGES += [f"{FIGURE}?reading={name}" for name in READINGS]
CODE = ("code", "kbd", "pre", "samp", "script", "style")


@pytest.mark.parametrize("address", PAGES)
def test_nobody_is_shown_the_names_that_only_code_uses(client: FlaskClient, address: str) -> None:
    outside = " and ".join(f"not(ancestor::{tag})" for tag in CODE)
    body = opened(client, address).tree.xpath("//body")[0]
    seen = " ".join(str(text) for text in body.xpath(f".//text()[{outside}]"))
    assert "Valkey" in seen
    assert "packed" not in seen
    assert "one-number" not in seen


# Garbage moves to the nearest valid value, with a notice.


GARBAGE = [
    (
        {"reading": "nonsense"},
        ["nonsense", "In what order? · order in the member", "When? · order in the score"],
    ),
    ({"step": "9"}, ["1 to 4", "9", "4"]),
    ({"step": "0"}, ["1 to 4", "became 1"]),
    ({"step": "two"}, ["1 to 4", "two", "2"]),
    ({"now_ms": "abc"}, [str(T0), str(LATEST), "abc"]),
    ({"now_ms": "0"}, [str(T0), str(LATEST), f"became {T0}"]),
    ({"now_ms": "9" * 30}, [str(LATEST), f"became {LATEST}"]),
    ({"now_ms": "nan"}, [str(T0), "nan"]),
    ({"now_ms": "1e999999999"}, [f"became {LATEST}"]),
    ({"seconds": "-1"}, ["0 to 150", "-1", "became 0"]),
    ({"seconds": "151"}, ["0 to 150", "became 150"]),
    ({"seconds": "soon"}, ["0 to 150", "soon", "0"]),
    ({"clock": "sundial"}, ["sundial", "pinned"]),
    ({"step": "½"}, ["1 to 4"]),
]


@pytest.mark.parametrize(("fields", "told"), GARBAGE)
def test_a_bad_value_is_moved_to_the_nearest_valid_one_and_the_limit_is_told(
    client: FlaskClient, fields: dict[str, str], told: list[str]
) -> None:
    body = Reader(client).ask(**fields)
    page = opened(client, f"{FIGURE}?" + "&".join(f"{k}={v}" for k, v in fields.items()))
    for notices in (body["notices"], page.notices):
        (notice,) = notices
        assert [part for part in told if part not in notice] == []
    assert body["inputs"]["reading"] == "one-number/order"
    assert T0 <= body["now_ms"] <= LATEST
    assert body["clock"] == "pinned"


def test_an_unknown_clock_is_told_with_the_clocks_that_there_are(reader: Reader) -> None:
    (notice,) = reader.ask(clock="sundial")["notices"]
    assert "server" in notice


@pytest.mark.parametrize("then", ["nonsense", "promote", "serve-12", ",,x", "read-٣", "é" * 500])
def test_what_an_address_cannot_replay_is_left_out_with_a_notice(
    client: FlaskClient, then: str
) -> None:
    page = opened(client, f"{FIGURE}?reading=one-number/order&then={then}")
    assert len(page.notices) == 1
    assert "left out" in page.notices[0]
    assert page.order == opened(client, FIGURE).order


@pytest.mark.parametrize("now_ms", ["0000000000000", "9999999999999"])
def test_a_now_inside_an_address_keeps_to_the_range_of_the_clock(
    client: FlaskClient, now_ms: str
) -> None:
    page = opened(client, f"{FIGURE}?reading=one-number/fire-time&then=promote-{now_ms}")
    assert any(str(LATEST) in notice for notice in page.notices)


def test_garbage_by_the_thousand_leaves_a_page_of_normal_size(client: FlaskClient) -> None:
    normal = len(client.get(FIGURE).data)
    answer = client.get(FIGURE, query_string={"then": ",".join(f"x{n}" for n in range(600))})
    assert answer.status_code == 200
    assert len(answer.data) < normal + 4096


JUNK = st.text(max_size=12) | st.sampled_from(
    ["", "0", "-1", "2", "1e400", "nan", "inf", "promote", "server", *READINGS, *ACTIONS]
)
FIELDS = st.dictionaries(
    st.sampled_from(
        ["reading", "step", "now_ms", "seconds", "clock", "lifo", "action", "then", "on_clock",
         "seq", "token", "nudge", "was_seconds", "guess", "full"]
    ),
    JUNK,
    max_size=7,
)  # fmt: skip


@given(fields=FIELDS)
@settings(max_examples=100)
def test_no_text_in_any_field_is_answered_with_a_fault(
    client: FlaskClient, fields: dict[str, str]
) -> None:
    for headers in (JSON, STREAM, {"Accept": "text/html"}):
        assert client.post(RUNS, data=fields, headers=headers).status_code == 200
    assert client.get(FIGURE, query_string=fields).status_code == 200


WAS = {"on_clock": "now", "was_now_ms": DUE - 1, "was_seconds": "89"}


@pytest.mark.parametrize(
    ("fields", "now_ms"),
    [
        ({"seconds": "89"}, DUE - 1),
        ({}, DUE - 1),
        ({"seconds": "90"}, DUE),
        ({"seconds": "88"}, DUE - 2000),
        ({"seconds": "0"}, T0),
        ({"seconds": "89", "now_ms": DUE}, DUE),
        ({"seconds": "89", "nudge": "seconds:1"}, DUE),
        ({"seconds": "89", "nudge": "seconds:-1"}, DUE - 2000),
        ({"seconds": "89", "was_now_ms": "x"}, DUE - 1000),
        ({"seconds": "89", "was_now_ms": "9" * 40}, DUE - 1000),
        ({"seconds": "89", "was_now_ms": T0}, DUE - 1000),
    ],
)
def test_the_millisecond_of_the_page_counts_until_its_seconds_are_moved(
    reader: Reader, fields: dict[str, Any], now_ms: int
) -> None:
    for action in ({}, {"action": "promote", "reading": "packed/fire-time"}, {"step": 2}):
        body = reader.ask(**{"reading": "one-number/fire-time", **WAS, **action, **fields})
        assert body["now_ms"] == now_ms
        assert body["notices"] == []


def test_moving_the_pinned_now_means_the_pinned_clock(reader: Reader) -> None:
    fields = {"reading": "packed/fire-time", **SERVER, **WAS}
    assert reader.ask(**fields, seconds="89")["clock"] == "server"
    assert reader.ask(**fields, seconds="95")["clock"] == "pinned"
    assert reader.ask(**fields, seconds="89", nudge="seconds:1")["clock"] == "pinned"
    assert reader.ask(**fields, seconds="95", step=2)["clock"] == "server"


@pytest.mark.parametrize("fields", [{"on_clock": "now"}, {"action": "look"}])
@pytest.mark.parametrize("step", [1, 2, 3, 4])
@pytest.mark.parametrize("reading", READINGS)
def test_the_clock_that_moves_serves_nobody_at_any_step(
    reader: Reader, valkey: Valkey, reading: str, step: int, fields: dict[str, str]
) -> None:
    reader.step(reading, step)
    stands = state(valkey, reader.token, reading)
    for now_ms in (DUE - 1, DUE, LATEST):
        body = reader.ask(reading=reading, now_ms=now_ms, **fields)
        assert not any(command.startswith("ZPOPMIN") for command in commands(body))
    assert state(valkey, reader.token, reading) == stands
    assert opened(reader.client, body["address"]).order == shown(body)


@pytest.mark.parametrize("reading", READINGS)
def test_the_moments_of_the_clock_are_offered_where_something_is_timed(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    seen = page.tree.xpath('//p[@class="moments"][not(@hidden)]//a/text()')
    assert ("at due" in seen) is (reading in TIMED)


@pytest.mark.parametrize("reading", READINGS)
def test_where_nothing_is_timed_the_page_says_that_time_does_not_matter(
    client: FlaskClient, reading: str
) -> None:
    page = opened(client, f"{FIGURE}?reading={reading}")
    seen = page.tree.xpath("//form//p[not(@hidden)]/text()")
    assert ("Time does not order this set." in seen) is (reading not in TIMED)


@pytest.mark.parametrize("step", ["", 1, 2, 4])
@pytest.mark.parametrize("reading", TAKING)
def test_where_nothing_is_timed_the_clock_that_moves_leaves_the_sentence_as_it_was(
    reader: Reader, reading: str, step: str | int
) -> None:
    before = reader.ask(reading=reading, step=step)["sentence"]
    body = reader.ask(reading=reading, on_clock="now", now_ms=DUE)
    assert body["sentence"] == before == opened(reader.client, body["address"]).sentence


@pytest.mark.parametrize("reading", TAKING)
def test_after_a_served_job_the_clock_that_moves_says_where_mine_stands_and_who_is_next(
    reader: Reader, reading: str
) -> None:
    reader.step(reading, 3)
    said = reader.ask(reading=reading, on_clock="now", now_ms=DUE)["sentence"]
    assert said.startswith("Stored ")
    assert "Next is " in said


@pytest.mark.parametrize("reading", READINGS)
def test_a_link_of_an_action_goes_on_from_the_story_on_screen(
    client: FlaskClient, reading: str
) -> None:
    story = f"reading={reading}&now_ms={DUE}&then={ACTIONS_OF[reading][0]}"
    page = opened(client, f"{FIGURE}?{story}")
    (address,) = page.tree.xpath('//*[@id="three_readings_state"]//a/@href')
    links = page.tree.xpath('//div[@class="offers"][not(@hidden)]//a[not(contains(., "Reset"))]')
    assert len(links) >= 2
    reader = Reader(client)
    for link in links:
        # What it leads to is what pressing it does, after the same story.
        reader.do(reading, "select")
        reader.do(reading, ACTIONS_OF[reading][0], now_ms=DUE)
        fields = dict(field.split(":") for field in link.get("hx-vals").split())
        body = reader.ask(**fields, now_ms=DUE)
        assert link.get("href").startswith(address.removeprefix(FIGURE))
        there = opened(client, FIGURE + link.get("href"))
        assert (there.sentence, there.order) == (body["sentence"], shown(body))


@pytest.mark.parametrize("reading", READINGS)
def test_the_clocks_form_moves_now_in_seconds(reader: Reader, reading: str) -> None:
    body = reader.ask(
        reading=reading, seconds="90", on_clock="read" if reading in TIMED else "look"
    )
    assert body["now_ms"] == DUE
    assert f"now_ms={DUE}" in body["address"]


def test_the_buttons_beside_the_clock_move_it_by_one_second_without_scripts(
    reader: Reader,
) -> None:
    fields = {"reading": "one-number/fire-time", "on_clock": "read", "seconds": "89"}
    assert reader.ask(**fields, nudge="seconds:1")["now_ms"] == DUE
    assert reader.ask(**fields, nudge="seconds:-1")["now_ms"] == DUE - 2000


@pytest.mark.long
@given(story=stories(READINGS))
@settings(max_examples=2000)
def test_two_thousand_stories_are_replayed_to_the_same_sandbox(
    client: FlaskClient, valkey: Valkey, story: tuple[str, int, list[dict[str, Any]]]
) -> None:
    # So many sandboxes are more than one address may open in a minute.
    valkey.admin.flushall()
    reader, body = lived(client, story)
    page = opened(client, body["address"])
    assert state(valkey, page.token, story[0]) == state(valkey, reader.token, story[0])


# The others have records too, from the moment that a script looks for them.

OTHER_MEMBERS = [member for member in IN_ORDER_OF_MINT if member != MINE]


def test_a_claim_of_another_job_finds_the_record_that_its_admission_made(
    reader: Reader, valkey: Valkey
) -> None:
    reader.do("one-number/order", "write")
    first, *_ = IN_ORDER_OF_MINT
    assert first != MINE
    body = reader.do("one-number/order", "claim", now_ms=DUE)
    record = f"{QUEUE}job:{first}"
    replies = {one["command"]: one["reply"] for one in body["steps"] if one["by"] == "script"}
    assert replies[f"HINCRBY {record} attempts 1"] == "(integer) 1"
    assert replies[f"HSET {record} state active"] == "(integer) 0"
    assert replies[f"HGET {record} payload"] == '"send the receipt"'
    lane = state(valkey, reader.token, "one-number/order")
    assert lane[f"job:{first}"] == lane[f"job:{MINE}"] | {"state": "active", "attempts": "1"}


def test_a_promotion_finds_a_whole_record_of_every_job_that_it_moves(
    reader: Reader, valkey: Valkey
) -> None:
    body = reader.do("one-number/fire-time", "promote", now_ms=DUE)
    moved = [one for one in body["steps"] if one["command"].endswith(" state pending")]
    assert len(moved) == len(due_at(DUE))
    assert {one["reply"] for one in moved} == {"(integer) 0"}
    lane = state(valkey, reader.token, "one-number/fire-time")
    whole = {"state": "pending", "attempts": "0", "payload": "send the receipt"}
    assert all(lane[f"job:{member}"] == whole for member in due_at(DUE))
    body = reader.do("packed/fire-time", "promote", now_ms=DUE)
    found = {one["command"]: one["reply"] for one in body["steps"] if one["by"] == "script"}
    for member in due_at(DUE):
        record = f"{QUEUE}job:{member}"
        assert found[f"HGET {record} priority"] == ('"2"' if member == MINE else '"0"')
        assert found[f"HSET {record} delay 0"] == "(integer) 0"


@pytest.mark.parametrize(
    ("reading", "action"),
    [(name, "promote") for name in FIRE_TIMES] + [("one-number/order", "claim")],
)
def test_records_are_set_once_and_only_for_those_that_have_none(
    reader: Reader, reading: str, action: str
) -> None:
    reader.do(reading, "write")
    staged = []
    for _ in range(3):
        body = reader.do(reading, action, now_ms=DUE)
        staged.append([one["command"] for one in body["steps"] if one["by"] == "stage"])
    assert staged[1:] == [[], []]
    assert sorted(command.split()[1] for command in staged[0]) == sorted(
        f"{QUEUE}job:{member}" for member in OTHER_MEMBERS
    )
    assert all(command.startswith("HSET ") for command in staged[0])


def test_a_job_that_was_added_has_the_record_of_its_own_admission(
    reader: Reader, valkey: Valkey
) -> None:
    for reading in FIRE_TIMES:
        reader.do(reading, "same_ms")
        body = reader.do(reading, "promote", now_ms=DUE)
        wrote = [one for one in body["steps"] if one["by"] == "stage"]
        # The script of one design admits it with a record; in the other, the scene has to.
        assert len(wrote) == len(OTHER_MEMBERS) + (reading[0] == "p")
        lane = state(valkey, reader.token, reading)
        assert len([name for name in lane if name.startswith("job:")]) == len(DUES) + 1


@pytest.mark.parametrize(
    "address", ["/figures/composite", *(f"{FIGURE}?reading={n}" for n in READINGS)]
)
def test_an_idle_sandbox_with_one_figure_weighs_at_most_800_bytes(
    client: FlaskClient, valkey: Valkey, address: str
) -> None:
    client.get(address)
    names = [name for name in valkey.raw.scan_iter("{sbx:*") if b"{sbx:limits}" not in name]
    assert len(names) >= 2
    assert sum(valkey.raw.memory_usage(name, samples=0) for name in names) <= 800
