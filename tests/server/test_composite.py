"""The composite figure against a real Valkey: moves, the cast, the ghost, the limit."""

from __future__ import annotations

import re
import time
from fractions import Fraction

import pytest
from flask.testing import FlaskClient
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoder.encodings import branded
from decoder.figures.composite import WINDOW
from tests.support.figure import (
    COUNTED,
    COUNTER,
    FIGURE,
    FIRST,
    HTML,
    LADDER,
    LAST_OF_1,
    MINE,
    STREAM,
    Page,
    Visitor,
    commands,
    key,
    ladder,
    messages,
    shown,
)
from tests.support.valkey import Valkey

T0 = 1780226888000
TIERS = st.integers(1, 5)
ARRIVALS = st.integers(1, 999)
FULL_TIERS = st.integers(1, 2097152)
FULL_ARRIVALS = st.integers(0, 2**32)


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    return Visitor(client)


def test_tier_2_arrival_17_is_stored_as_8589934609(visitor: Visitor) -> None:
    score = visitor.move(2, 17)["score"]
    assert (score["computed"], score["stored"]) == ("8589934609", "8589934609")
    assert score["hex"] == "0x0000000200000011"
    assert score["agrees"] is True
    assert score["exact"] is True


def test_the_example_job_is_the_one_of_the_facts(visitor: Visitor, valkey: Valkey) -> None:
    body = visitor.move(2, 17)
    (mine,) = [placed for placed in body["order"] if placed["mine"]]
    assert mine == {
        "rank": 4,
        "member": MINE,
        "score": "8589934609",
        "facts": {"tier": 2, "arrival": 17},
        "mine": True,
    }
    assert (body["reading"], body["design"]) == ("packed/priority", "packed")
    assert (body["now_ms"], body["clock"]) == (T0, "pinned")
    assert valkey.admin.zscore(key(visitor.token, LADDER), MINE) == 8589934609


def test_the_default_is_5th_of_10(visitor: Visitor) -> None:
    body = visitor.move(2, 17)
    assert body["position"] == {"rank": 4, "of": 10}
    assert "5th of 10" in body["sentence"]


def test_the_cast_is_nine_jobs_of_every_tier_placed_so_that_each_lesson_shows(
    visitor: Visitor,
) -> None:
    others = [placed for placed in visitor.move(2, 17)["order"] if not placed["mine"]]
    assert len({placed["member"] for placed in others}) == 9
    assert {placed["facts"]["tier"] for placed in others} == {1, 2, 3, 4, 5}
    first = [placed["facts"]["arrival"] for placed in others if placed["facts"]["tier"] == 1]
    second = [placed["facts"]["arrival"] for placed in others if placed["facts"]["tier"] == 2]
    assert len(first) == 2
    assert max(first) > 17 + 100
    assert sorted(arrival < 17 for arrival in second) == [False, True, True]


def test_the_ids_of_the_cast_were_minted_around_t0_in_the_order_in_which_they_arrived(
    visitor: Visitor,
) -> None:
    order = visitor.move(2, 17)["order"]
    by_arrival = [p["member"] for p in sorted(order, key=lambda p: p["facts"]["arrival"])]
    ids = [branded.parse(member) for member in by_arrival]
    assert {one.namespace for one in ids} == {"JOB"}
    assert [one.minted_ms for one in ids] == sorted(one.minted_ms for one in ids)
    assert all(abs(one.minted_ms - T0) < 3_600_000 for one in ids)
    assert ids[by_arrival.index(MINE)].minted_ms == T0


@given(tier=TIERS, arrival=ARRIVALS)
def test_every_move_is_computed_stored_and_read_back_as_one_number(
    visitor: Visitor, valkey: Valkey, tier: int, arrival: int
) -> None:
    body = visitor.move(tier, arrival)
    packed = tier * 2**32 + arrival
    assert body["inputs"] == {"tier": tier, "arrival": arrival}
    assert body["notices"] == []
    assert body["score"]["computed"] == str(packed)
    assert body["score"]["stored"] == str(packed)
    assert body["score"]["hex"] == f"0x{packed:016X}"
    assert (body["score"]["exact"], body["score"]["agrees"]) == (True, True)
    assert valkey.admin.zrank(key(visitor.token, LADDER), MINE) == body["position"]["rank"]
    assert shown(body) == ladder(valkey, visitor.token)


@given(moves=st.lists(st.tuples(TIERS, ARRIVALS), min_size=1, max_size=6))
def test_a_move_scores_the_visitors_job_only(
    visitor: Visitor, valkey: Valkey, moves: list[tuple[int, int]]
) -> None:
    visitor.token = ""
    visitor.move(2, 17)
    before = {pair for pair in ladder(valkey, visitor.token) if pair[0] != MINE}
    for tier, arrival in moves:
        visitor.move(tier, arrival)
    after = dict(ladder(valkey, visitor.token))
    assert after.pop(MINE) == str(moves[-1][0] * 2**32 + moves[-1][1])
    assert set(after.items()) == before


def test_the_same_move_again_changes_nothing(visitor: Visitor, valkey: Valkey) -> None:
    first = visitor.move(3, 200)
    stands = ladder(valkey, visitor.token), valkey.admin.get(key(visitor.token, COUNTER))
    again = visitor.move(3, 200)
    assert (shown(again), again["address"]) == (shown(first), first["address"])
    assert stands == (
        ladder(valkey, visitor.token),
        valkey.admin.get(key(visitor.token, COUNTER)),
    )


def test_adding_answers_1_and_scoring_anew_answers_0(visitor: Visitor) -> None:
    def answers(tier: int) -> list[str]:
        steps = visitor.move(tier, 17)["steps"]
        return [
            step["reply"]
            for step in steps
            if step["script"] == "packed/add_prioritized" and step["command"].startswith("ZADD")
        ]

    assert answers(2) == ["(integer) 1"]
    assert answers(3) == ["(integer) 0"]


def test_a_move_shows_every_command_and_who_sent_it(visitor: Visitor) -> None:
    visitor.move(2, 17)
    steps = visitor.move(3, 200)["steps"]
    told = [(step["by"], step["script"], step["command"], step["reply"]) for step in steps]
    script = "packed/add_prioritized"
    assert told[:8] == [
        ("stage", "stage/set_counter", f"SET {COUNTER} 199 GET", f'"{COUNTED}"'),
        ("script", script, f"INCR {COUNTER}", "(integer) 200"),
        ("script", script, f"ZADD {LADDER} 12884902088 {MINE}", "(integer) 0"),
        ("stage", "stage/restore_counter", f"SET {COUNTER} {COUNTED}", "OK"),
        ("client", None, f"ZSCORE {LADDER} {MINE}", '"12884902088"'),
        ("client", None, f"ZRANK {LADDER} {MINE}", "(integer) 7"),
        ("client", None, f"ZCARD {LADDER}", "(integer) 10"),
        ("client", None, f"ZRANGE {LADDER} 0 {WINDOW - 1} WITHSCORES", told[7][3]),
    ]
    assert [step["n"] for step in steps] == list(range(1, len(steps) + 1))


def test_whatever_sets_the_scene_is_marked_stage_and_nothing_else_is(visitor: Visitor) -> None:
    for step in visitor.move(2, 17)["steps"]:
        staged = (step["script"] or "").startswith("stage/")
        assert (step["by"] == "stage") == staged
        assert (step["by"] == "client") == (step["script"] is None)
    fresh = Visitor(visitor.client)
    assert [step["by"] for step in fresh.add()["steps"]].count("stage") > 0


@given(moves=st.lists(st.tuples(FULL_TIERS, st.integers(0, 2**32 - 2)), max_size=8))
@settings(max_examples=50)
def test_after_any_moves_the_counter_stands_at_its_highest_value(
    client: FlaskClient, valkey: Valkey, moves: list[tuple[int, int]]
) -> None:
    visitor = Visitor(client)
    visitor.move(2, 17)
    for tier, arrival in moves:
        visitor.move(tier, arrival, full=True)
        # Of moves in a row only the last counts, as in the address that replays them.
        highest = max(COUNTED, arrival)
        assert int(valkey.admin.get(key(visitor.token, COUNTER))) == highest


@given(
    moves=st.lists(
        st.tuples(st.integers(1, 2097151), st.integers(0, 2**32 - 42)) | st.tuples(TIERS, ARRIVALS),
        min_size=1,
        max_size=8,
    ),
    adds=st.integers(1, 3),
)
@settings(max_examples=50)
def test_after_any_moves_a_job_that_is_added_joins_the_back_of_its_tier(
    client: FlaskClient, valkey: Valkey, moves: list[tuple[int, int]], adds: int
) -> None:
    visitor = Visitor(client)
    for tier, arrival in moves:
        visitor.move(tier, arrival, full=True)
    for _ in range(adds):
        before = {member for member, _ in ladder(valkey, visitor.token)}
        body = visitor.ask(action="add", full="1")
        order = ladder(valkey, visitor.token)
        (new,) = [pair for pair in order if pair[0] not in before]
        tier = int(new[1]) >> 32
        assert tier == moves[-1][0]
        assert new == [pair for pair in order if int(pair[1]) >> 32 == tier][-1]
        assert "behind everyone in its tier" in body["sentence"]


@given(tier=st.integers(2, 5), arrival=ARRIVALS)
@settings(max_examples=60)
@example(tier=2, arrival=17)
@example(tier=3, arrival=FIRST)  # ties with a job of the cast, whose bytes come first
@example(tier=3, arrival=LAST_OF_1)  # ties with one whose bytes come later
def test_the_ghost_stands_where_the_server_puts_the_job_in_tier_1(
    client: FlaskClient, tier: int, arrival: int
) -> None:
    here, there = Visitor(client), Visitor(client)
    page = Page(here.post(HTML, tier=tier, arrival=arrival).text)
    assert page.ghost == there.move(1, arrival)["position"]["rank"]


def test_the_ghost_comes_from_a_real_zcount_of_the_scores_below_tier_1s(visitor: Visitor) -> None:
    counted = [
        (step["command"], step["reply"])
        for step in visitor.move(2, 17)["steps"]
        if step["command"].startswith("ZCOUNT")
    ]
    assert counted == [(f"ZCOUNT {LADDER} -inf (4294967313", "(integer) 1")]


def test_a_job_in_tier_1_has_no_ghost(visitor: Visitor) -> None:
    page = Page(visitor.post(HTML, tier=1, arrival=17).text)
    assert page.ghost is None
    assert MINE in page.members


@given(tier=FULL_TIERS, arrival=FULL_ARRIVALS)
@example(tier=1, arrival=0)
@example(tier=2097151, arrival=2**32 - 1)
@example(tier=2097151, arrival=2**32)
@example(tier=2097152, arrival=0)
@example(tier=2097152, arrival=2**32 - 1)
def test_the_full_range_tells_exactly_what_a_double_keeps(
    visitor: Visitor, tier: int, arrival: int
) -> None:
    score = visitor.move(tier, arrival, full=True)["score"]
    packed = tier * 2**32 + arrival % 2**32
    stored = Fraction(score["stored"])
    assert score["computed"] == str(packed)
    assert score["exact"] == (stored == packed)
    assert score["agrees"] is True
    # Spacing of doubles: 1 below 2**53, 2 above (FACTS.md, section 3).
    assert abs(stored - packed) <= (1 if packed > 2**53 else 0)
    assert [(fact["name"], fact["value"]) for fact in score["facts"]] == [
        ("tier", tier),
        ("arrival", arrival % 2**32),
    ]


def test_one_tier_past_the_limit_arrival_17_is_lost(visitor: Visitor) -> None:
    score = visitor.move(2097152, 17, full=True)["score"]
    assert (score["computed"], score["stored"]) == ("9007199254741009", "9007199254741008")
    assert (score["exact"], score["agrees"]) == (False, True)


def test_the_page_says_what_was_lost_past_the_limit(visitor: Visitor) -> None:
    page = Page(visitor.post(HTML, tier=2097152, arrival=17, full=1).text)
    assert page.score == "9007199254741009"
    words = page.text("composite_score").replace("\u202f", "")
    assert "9007199254741008" in words
    assert re.search(r"\b17\b.*\b16\b|off by 1", words)


@pytest.mark.parametrize(
    ("arrival", "says"),
    [
        (17, "so arrival 17 is read back as 16."),
        (
            4294967295,
            "so tier 2097152 is read back as 2097153 and arrival 4294967295 is read back as 0.",
        ),
    ],
)
@pytest.mark.parametrize("headers", [HTML, STREAM], ids=["html", "stream"])
def test_past_the_limit_all_is_told_that_is_read_back_as_something_else(
    visitor: Visitor, headers: dict[str, str], arrival: int, says: str
) -> None:
    answer = visitor.post(headers, tier=2097152, arrival=arrival, full=1)
    assert answer.text.count(says) == 1


def test_at_the_limit_nothing_is_lost(visitor: Visitor) -> None:
    score = visitor.move(2097151, 4294967295, full=True)["score"]
    assert (score["computed"], score["stored"]) == ("9007199254740991", "9007199254740991")
    assert score["exact"] is True
    assert score["hex"] == "0x001FFFFFFFFFFFFF"


def test_arrival_0_stands_in_front_of_its_tier(visitor: Visitor) -> None:
    order = visitor.move(3, 0, full=True)["order"]
    assert next(placed["mine"] for placed in order if placed["facts"]["tier"] == 3) is True


def test_arrival_2_to_the_32_wraps_to_the_front_of_its_tier(visitor: Visitor) -> None:
    body = visitor.move(3, 2**32, full=True)
    assert body["score"]["stored"] == str(3 * 2**32)
    assert f"INCR {COUNTER}" in commands(body)
    replies = {step["command"]: step["reply"] for step in body["steps"]}
    assert replies[f"INCR {COUNTER}"] == "(integer) 4294967296"
    assert next(p["mine"] for p in body["order"] if p["facts"]["tier"] == 3) is True


def test_a_job_added_after_the_counter_wrapped_is_said_to_stand_in_front(visitor: Visitor) -> None:
    visitor.move(3, 2**32, full=True)
    body = visitor.ask(action="add", full="1")
    assert body["position"]["of"] == 11
    added = [p for p in body["order"] if p["facts"] == {"tier": 3, "arrival": 1}]
    assert len(added) == 1
    assert "wrapped" in body["sentence"]


def test_jobs_of_equal_score_stand_in_the_order_of_their_bytes(visitor: Visitor) -> None:
    visitor.move(2, 17)
    for arrival in (FIRST, LAST_OF_1):
        order = visitor.move(1, arrival)["order"]
        tied = [p for p in order if p["score"] == str(2**32 + arrival)]
        assert len(tied) == 2
        assert [p["member"].encode() for p in tied] == sorted(p["member"].encode() for p in tied)


# In the order of their bytes: no sort by number, by letter or by Python's own text order (where
# the lone byte, a surrogate, comes before U+FFFD) would give this.
TIED = [b"", b"10", b"2", b"9", b"B", b"a", b"\xc3\x84", b"\xef\xbf\xbd", b"\xff"]


def test_the_order_shown_is_the_order_of_the_servers_reply(
    visitor: Visitor, valkey: Valkey
) -> None:
    visitor.move(5, 999)
    name = key(visitor.token, LADDER)
    valkey.admin.zremrangebyrank(name, 0, -1)
    for member in reversed(TIED):
        valkey.admin.zadd(name, {member: 4294967296})
    body = visitor.move(5, 999)
    members = [p["member"].encode("utf-8", "surrogateescape") for p in body["order"]]
    assert members == [*TIED, MINE.encode()]
    assert [p["rank"] for p in body["order"]] == list(range(len(TIED) + 1))


def test_scores_that_read_alike_as_text_or_facts_are_not_sorted_by_either(
    visitor: Visitor, valkey: Valkey
) -> None:
    visitor.move(5, 999)
    name = key(visitor.token, LADDER)
    valkey.admin.zremrangebyrank(name, 0, -1)
    # By number; as text "10…" would come before "9…". The half is lost in the facts, not here.
    pairs = {"z": 4294967297, "m": 4294967297.5, "a": 9007199254740, "b": 10007199254740}
    valkey.admin.zadd(name, pairs)
    body = visitor.move(5, 999)
    assert [p["member"] for p in body["order"]] == ["z", "m", MINE, "a", "b"]


@pytest.mark.parametrize("answer", [HTML, {"Accept": "text/html, text/event-stream"}])
def test_the_ladder_on_the_page_has_the_servers_order_too(
    visitor: Visitor, valkey: Valkey, answer: dict[str, str]
) -> None:
    visitor.move(5, 999)
    name = key(visitor.token, LADDER)
    valkey.admin.zremrangebyrank(name, 0, -1)
    for member in ("b", "a", "B", "10", "9", "é", "2"):
        valkey.admin.zadd(name, {member: 4294967296})
    text = visitor.post(answer, tier=5, arrival=999).text
    if "event-stream" in answer["Accept"]:
        part = messages(text)[-1].parts["composite_order"]
        text = f'<ol id="composite_order">{part}</ol>'
    assert Page(text).members == ["10", "2", "9", "B", "a", "b", "é", MINE]


def test_a_long_queue_is_shown_as_a_window_around_the_visitors_job(
    visitor: Visitor, valkey: Valkey
) -> None:
    visitor.move(3, 500)
    name = key(visitor.token, LADDER)
    valkey.admin.zadd(name, {f"x{n:05}": 3 * 2**32 + n for n in range(1000)})
    body = visitor.move(3, 500)
    rank = body["position"]["rank"]
    assert body["position"]["of"] == 1010
    assert 3 <= len(body["order"]) <= 25
    around = [p["rank"] for p in body["order"]]
    assert around == list(range(around[0], around[-1] + 1))
    assert around[0] < rank < around[-1]
    assert shown(body) == ladder(valkey, visitor.token)[around[0] : around[-1] + 1]


def test_the_server_named_is_the_server_that_answered(visitor: Visitor, valkey: Valkey) -> None:
    info = valkey.admin.info("server")
    before = _now_ms(valkey)
    started = time.perf_counter_ns()
    body = visitor.move(2, 17)
    took_us = (time.perf_counter_ns() - started) // 1000
    assert body["server"]["software"] == info["server_name"]
    assert body["server"]["version"] == info["valkey_version"]
    assert before <= body["server"]["time_ms"] <= _now_ms(valkey)
    assert 0 < body["round_trip_us"] <= took_us


def _now_ms(valkey: Valkey) -> int:
    seconds, micros = valkey.admin.time()
    return int(seconds) * 1000 + int(micros) // 1000


def test_the_page_shows_formula_decimal_hex_and_that_stored_is_computed(visitor: Visitor) -> None:
    page = Page(visitor.post(HTML, tier=2, arrival=17).text)
    text = page.text("composite_score")
    assert page.score == "8589934609"
    assert "2 × 4 294 967 296 + 17" in text
    halves = page.tree.xpath('//*[@id="composite_score"]//code')
    assert [(half.get("class"), half.text) for half in halves] == [
        ("fact-tier", "0000 0002"),
        ("fact-arrival", "0000 0011"),
    ]
    assert "stored = computed" in text


def test_the_page_says_version_round_trip_now_and_how_long_the_sandbox_lives(
    visitor: Visitor, valkey: Valkey
) -> None:
    page = Page(visitor.client.get(FIGURE).text)
    whole = " ".join(page.tree.text_content().split())
    assert f"Valkey {valkey.admin.info('server')['valkey_version']}" in whole
    assert "one round trip" in whole
    assert "2026-05-31 11:28:08 UTC" in whole
    assert page.tree.xpath('//*[@id="composite_steps"]//kbd')[0].text.startswith("SET ")
