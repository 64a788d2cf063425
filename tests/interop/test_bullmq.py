"""The real BullMQ and our packed scripts, given the same jobs, leave the same scores.

How to read it: BullMQ comes from npm, pinned in package.json, into a temporary folder, and speaks
to the suite's own Valkey through driver.mjs. Each workload below is played twice, by BullMQ and by
the scripts of lua/packed in a sandbox lane (peers.py); then three things must be equal: what each
action answered and so the order of serving, what is stored to the last bit of each score, and the
commands that the scripts sent. Where the two differ, BullMQ is right. Needs Node.js, npm and the
registry; without them it fails.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interop.peers import Action, BullMQ, Ours, Played

pytestmark = pytest.mark.long

T0 = 1780226888000
TIER = 2**32
SLOTS = 4096


def clock(ms: int) -> Action:
    return {"do": "clock", "ms": ms}


def add(member: str, priority: int = 0, delay: int = 0, timestamp: int = T0) -> Action:
    made = {"id": member, "timestamp": timestamp, "priority": priority, "delay": delay}
    return {"do": "add", "job": made}


def change(member: str, priority: int, *, lifo: bool = False) -> Action:
    return {"do": "change", "id": member, "priority": priority, "lifo": lifo}


def take(times: int) -> list[Action]:
    return [{"do": "take"}] * times


PUSH_BACK: Action = {"do": "push_back"}


def both(bullmq: BullMQ, actions: list[Action]) -> Played:
    """Play a workload twice; return what both peers did, having compared it."""
    theirs, ours = bullmq.play(actions), Ours(bullmq.valkey).play(actions)
    assert ours.answers == theirs.answers
    assert ours.stored == theirs.stored
    assert ours.commands == theirs.commands
    return theirs


def test_jobs_with_priorities_are_served_by_tier_and_arrival(bullmq: BullMQ) -> None:
    jobs = [("z", 2), ("y", 1), ("x", 2), ("none", 0), ("w", 2097151), ("v", 1)]
    added = [clock(T0), *[add(member, tier) for member, tier in jobs]]
    assert both(bullmq, added).stored["prioritized"] == [
        *("y", str(TIER + 2)),
        *("v", str(TIER + 5)),
        *("z", str(2 * TIER + 1)),
        *("x", str(2 * TIER + 3)),
        *("w", str(2097151 * TIER + 4)),
    ]
    served = both(bullmq, [*added, *take(7)]).answers[-7:]
    assert served == ["none", "y", "v", "z", "x", "w", None]


def test_the_example_job_has_the_same_scores_in_both(bullmq: BullMQ) -> None:
    count = {"do": "count", "value": 16}
    mine = "JOB0Nb1VTbfnu4"
    parked = both(bullmq, [clock(T0), count, add(mine, 2, 90_000)])
    assert parked.stored["delayed"] == [mine, "7291809701888000"]
    there = both(bullmq, [clock(T0), count, add(mine, 2)])
    assert there.stored["prioritized"] == [mine, "8589934609"]


def test_an_empty_ladder_lets_the_arrivals_begin_anew(bullmq: BullMQ) -> None:
    actions = [clock(T0), add("a", 2), add("b", 2), *take(2), add("c", 2)]
    assert both(bullmq, actions).stored["pc"] == "3"
    actions = [clock(T0), add("a", 2), add("b", 2), *take(3), add("c", 2)]
    assert both(bullmq, actions).stored["prioritized"] == ["c", str(2 * TIER + 1)]


def test_jobs_due_in_one_millisecond_get_slots_and_are_promoted_in_their_order(
    bullmq: BullMQ,
) -> None:
    members = ["z", "a", "m", "10", "9x"]
    parked = [clock(T0), *[add(f"j{m}", n % 3, 90_000) for n, m in enumerate(members)]]
    assert both(bullmq, parked).stored["delayed"] == [
        word
        for slot, member in enumerate(members)
        for word in (f"j{member}", str((T0 + 90_000) * SLOTS + slot))
    ]
    early = [*parked, clock(T0 + 89_999), *take(1)]
    assert both(bullmq, early).answers[-1] is None
    due = [*parked, clock(T0 + 90_000), *take(6)]
    assert both(bullmq, due).answers[-6:] == ["jz", "j10", "ja", "j9x", "jm", None]


def test_promoted_jobs_arrive_behind_those_that_are_there(bullmq: BullMQ) -> None:
    actions = [
        *[clock(T0), add("late", 2, 10), add("soon", 2, 5), add("there", 2)],
        *[clock(T0 + 9), *take(1), add("new", 2), clock(T0 + 10), *take(4)],
    ]
    assert both(bullmq, actions).answers[-4:] == ["soon", "new", "late", None]


def test_the_4097th_job_of_a_millisecond_is_ordered_by_its_bytes_in_both(bullmq: BullMQ) -> None:
    jobs = [add(f"j{9999 - n}", 0, 1)["job"] for n in range(4098)]
    held = both(bullmq, [clock(T0), {"do": "add_many", "jobs": jobs}]).stored["delayed"]
    last = str((T0 + 1) * SLOTS + 4095)
    assert held[-8:] == ["j5905", str(int(last) - 1), "j5902", last, "j5903", last, "j5904", last]


@pytest.mark.parametrize(("due", "order"), [(2199023255551, "cba"), (2199023255552, "abc")])
def test_slots_end_in_september_2039_in_both(bullmq: BullMQ, due: int, order: str) -> None:
    parked = [clock(T0), *[add(f"j{m}", 1, due - T0) for m in "cba"]]
    assert both(bullmq, parked).stored["delayed"][::2] == [f"j{m}" for m in order]
    served = both(bullmq, [*parked, clock(due), *take(3)]).answers[-3:]
    assert served == [f"j{m}" for m in order]


@pytest.mark.parametrize("counted", [2**31 - 2, TIER - 2])
def test_the_counter_wraps_at_2_to_the_32_in_both(bullmq: BullMQ, counted: int) -> None:
    count = {"do": "count", "value": counted}
    added = [clock(T0), count, *[add(m, 7) for m in ("first", "second", "third")]]
    served = both(bullmq, [*added, *take(3)]).answers[-3:]
    wrapped = counted > 2**31
    assert served == (["second", "third", "first"] if wrapped else ["first", "second", "third"])


def test_a_changed_job_goes_behind_its_tier_or_with_lifo_in_front(bullmq: BullMQ) -> None:
    added = [clock(T0), *[add(m, 5) for m in "pqrs"]]
    changed = [*added, change("p", 5), change("r", 5, lifo=True), change("s", 3)]
    assert both(bullmq, changed).stored["prioritized"] == [
        *("s", str(3 * TIER + 6)),
        *("r", str(5 * TIER)),
        *("q", str(5 * TIER + 2)),
        *("p", str(5 * TIER + 5)),
    ]
    tied = [*added, *[change(m, 5, lifo=True) for m in "srqp"], *take(4)]
    assert both(bullmq, tied).answers[-4:] == ["p", "q", "r", "s"]


def test_a_changed_job_moves_between_the_wait_list_and_the_ladder(bullmq: BullMQ) -> None:
    actions = [
        *[clock(T0), add("p", 5), add("q", 5), add("r", 5), add("w"), add("x")],
        *[change("p", 0), change("q", 0, lifo=True), change("w", 4), change("x", 4, lifo=True)],
    ]
    held = both(bullmq, actions).stored
    assert held["wait"] == ["p", "q"]
    assert held["prioritized"][::2] == ["x", "w", "r"]
    both(bullmq, [*actions, *take(6)])


def test_the_new_priority_of_a_delayed_job_counts_when_it_is_promoted(bullmq: BullMQ) -> None:
    actions = [
        *[clock(T0), add("d", 5, 10), add("e", 0, 10), change("d", 0), change("e", 2)],
        *[clock(T0 + 10), *take(2)],
    ]
    assert both(bullmq, actions).answers[-2:] == ["d", "e"]


def test_a_job_whose_record_is_gone_is_left_where_it_is(bullmq: BullMQ) -> None:
    actions = [clock(T0), add("p", 5), {"do": "forget", "id": "p"}, change("p", 1)]
    played = both(bullmq, actions)
    assert played.stored["prioritized"] == ["p", str(5 * TIER + 1)]
    assert "Missing key" in played.answers[-1]["error"]


def test_a_job_that_is_pushed_back_is_the_next_of_its_tier(bullmq: BullMQ) -> None:
    added = [clock(T0), *[add(m, 5) for m in "pqr"], add("w"), add("x")]
    actions = [*added, *take(1), PUSH_BACK, *take(3), PUSH_BACK, *take(4)]
    assert both(bullmq, actions).answers[6:] == [
        *("w", "w"),
        *("w", "x", "p", "p"),
        *("p", "q", "r", None),
    ]
    held = both(bullmq, [*added, *take(4), PUSH_BACK, PUSH_BACK]).stored
    assert held["prioritized"][:4] == ["p", str(5 * TIER), "q", str(5 * TIER)]


def test_ids_that_look_like_numbers_stay_text_in_both(bullmq: BullMQ) -> None:
    members = ["3e+8", "1e+8", "007", "0x10", "1.0"]
    added = [clock(T0), *[add(m, 1 + n % 2, n % 3) for n, m in enumerate(members)]]
    both(bullmq, [*added, clock(T0 + 5), *[change(m, 1) for m in members], *take(6)])


def test_bullmq_refuses_the_first_priority_that_a_double_would_round(bullmq: BullMQ) -> None:
    played = bullmq.play([clock(T0), add("largest", 2097151), add("too large", 2097152)])
    assert played.answers[1] == "largest"
    assert played.answers[2] == {"error": "Priority should be between 0 and 2097151"}
    assert played.stored["prioritized"] == ["largest", str(2097151 * TIER + 1)]


def upsert(next_ms: int, **repeat: Any) -> Action:
    return {"do": "upsert", "scheduler": "report", "repeat": repeat, "next_ms": next_ms}


def only_repeat(played: Played) -> Played:
    """Leave out the jobs that BullMQ makes for the next run: they are no part of the upsert."""
    commands = [sent for sent in played.commands if " repeat " in sent]
    return Played(played.answers, {"repeat": played.stored["repeat"]}, commands)


EVERY_90_S = {"every": 90_000}
UPSERTS: list[tuple[str, list[Action]]] = [
    ("first run at once", [upsert(T0, **EVERY_90_S)]),
    ("first run later", [upsert(T0 + 90_000, **EVERY_90_S, startDate=T0 + 90_000)]),
    # The same period again, as a reboot would: the run that was set stays.
    (
        "again",
        [
            upsert(T0 + 90_000, **EVERY_90_S, startDate=T0 + 90_000),
            clock(T0 + 60_000),
            upsert(T0 + 90_000, **EVERY_90_S),
        ],
    ),
    # Another period: ZADD replaces.
    (
        "another period",
        [
            upsert(T0 + 90_000, **EVERY_90_S, startDate=T0 + 90_000),
            upsert(T0 + 240_000, every=60_000, startDate=T0 + 240_000),
        ],
    ),
    # T0 is 11:28:08.
    ("a pattern", [upsert(T0 + 112_000, pattern="0 */5 * * * *", tz="UTC")]),
    (
        "another pattern",
        [
            upsert(T0 + 112_000, pattern="0 */5 * * * *", tz="UTC"),
            upsert(T0 + 52_000, pattern="0 * * * * *", tz="UTC"),
        ],
    ),
]


@pytest.mark.parametrize("upserts", [one for _, one in UPSERTS], ids=[said for said, _ in UPSERTS])
def test_a_scheduler_is_one_member_scored_by_its_next_run(
    bullmq: BullMQ, upserts: list[Action]
) -> None:
    actions = [clock(T0), *upserts]
    theirs = only_repeat(bullmq.play(actions))
    assert only_repeat(Ours(bullmq.valkey).play(actions)) == theirs
    assert theirs.stored["repeat"] == ["report", str(upserts[-1]["next_ms"])]


@st.composite
def workloads(draw: st.DrawFn) -> list[Action]:
    """Some jobs, each added once, and whatever may happen to them as the clock moves on."""
    now, known, actions = T0, list[str](), [clock(T0)]
    for n in range(draw(st.integers(1, 20))):
        kind = draw(st.sampled_from(["add", "add", "delay", "take", "change", "push", "clock"]))
        tier = draw(st.integers(0, 2))
        if kind in ("add", "delay") or not known:
            member = "j" + draw(st.sampled_from("aBz9")) + str(n)
            wait_ms = draw(st.integers(1, 2)) if kind == "delay" else 0
            actions.append(add(member, tier, wait_ms, now))
            known.append(member)
        elif kind == "change":
            member = draw(st.sampled_from(known))
            actions.append(change(member, tier, lifo=draw(st.booleans())))
        elif kind == "clock":
            now += draw(st.integers(1, 2))
            actions.append(clock(now))
        else:
            actions.append(PUSH_BACK if kind == "push" else take(1)[0])
    return [*actions, clock(now + 2), *take(len(known) + 1)]


@given(actions=workloads())
@settings(max_examples=60)
def test_any_workload_is_served_as_bullmq_serves_it(bullmq: BullMQ, actions: list[Action]) -> None:
    both(bullmq, actions)
