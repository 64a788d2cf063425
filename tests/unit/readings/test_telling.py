"""Telling: one plain and true sentence for each thing that a reading does."""

from __future__ import annotations

import pytest

from decoder.readings import telling
from decoder.readings.catalogue import READINGS
from decoder.readings.run import Order, Placed

T0 = 1780226888000
DUE = 1780226978000
MINE = "JOB0Nb1VTbfnu4"
OTHER = "JOB0Nb1VKRy3l2"
EMPTY = Order([], None, 0, None)


def ladder(rank: int, arrival: int, of: int = 4) -> Order:
    """Return an order in which only my job is in the window."""
    score = str(2 * 2**32 + arrival)
    facts = {"tier": 2, "arrival": arrival}
    return Order([Placed(rank, MINE, score, facts, True)], rank, of, score)


@pytest.mark.parametrize(
    ("instant_ms", "text"),
    [
        (T0, "11:28:08 UTC (now)"),
        (DUE, "11:29:38 UTC (in 90 s)"),
        (T0 - 1, "11:28:07.999 UTC (1 ms ago)"),
        (T0 + 3_600_000, "12:28:08 UTC (in 1 h)"),
    ],
)
def test_an_instant_is_told_with_its_zone_and_how_far_it_lies(instant_ms: int, text: str) -> None:
    assert telling.at(instant_ms, T0) == text


@pytest.mark.parametrize("name", list(READINGS))
def test_the_meaning_names_the_set(name: str) -> None:
    said = telling.meaning(READINGS[name])
    assert said.startswith(f"In {READINGS[name].keys}, the score is ")


def test_what_was_written_is_told_with_its_formula_and_its_place() -> None:
    said = telling.written(READINGS["packed/priority"], "8589934609", ladder(2, 17))
    assert said == "Stored 8589934609: tier × 2³² + arrival. By that number the job is 3rd of 4."


def test_a_flat_score_is_told_with_the_place_that_the_bytes_give() -> None:
    said = telling.written(READINGS["one-number/order"], "0", ladder(0, 0))
    assert "bytes of its id the job is 1st of 4" in said


def test_what_is_not_in_the_set_has_no_place() -> None:
    for reading in READINGS.values():
        assert "not in the set" in telling.written(reading, "0", EMPTY)


@pytest.mark.parametrize(
    ("found", "head"),
    [
        (0, "No job is"),
        (1, "One job is"),
        (2, "Two jobs are"),
        (4, "Four jobs"),
        (5, "Five jobs are"),
        (11, "11 jobs are"),
    ],
)
def test_who_is_due_is_counted(found: int, head: str) -> None:
    said = telling.due([OTHER] * found, MINE, DUE, T0)
    assert said.startswith(f"{head} ")
    assert "at 11:28:08 UTC" in said


def test_one_millisecond_before_the_read_leaves_the_job_and_at_it_returns_it() -> None:
    before = telling.due([], MINE, DUE, 1780226977999)
    assert "1 ms ahead of now, so the read leaves it" in before
    at = telling.due([MINE], MINE, DUE, 1780226978000)
    assert "this very millisecond" in at
    assert "30 s ago" in telling.due([MINE], MINE, DUE, DUE + 30_000)


def test_a_job_that_was_promoted_is_no_longer_read() -> None:
    assert "no longer in this set" in telling.due([], MINE, None, DUE)


def test_a_promotion_says_who_moved_and_by_what_they_are_ordered_now() -> None:
    assert telling.promoted_to_pending([]) == "Nothing was due, so nothing moved."
    assert telling.promoted_by_priority([], [], EMPTY) == "Nothing was due, so nothing moved."
    pending = telling.promoted_to_pending([OTHER, MINE])
    assert "Two jobs were due and moved to pending" in pending
    assert "when they were minted" in pending


def test_of_a_promotion_by_priority_each_job_is_told_where_it_went() -> None:
    wait = telling.promoted_by_priority([OTHER], [OTHER], EMPTY)
    assert wait.startswith("One job was due. ")
    assert "has none, so it moved to the wait list" in wait
    assert "moved to the ladder" not in wait
    said = telling.promoted_by_priority([OTHER, MINE], [OTHER], ladder(0, 31))
    assert "Your job has a priority and moved to the ladder, as no. 31 of its tier" in said
    assert "moved to the wait list" in said
    assert "wait list" not in telling.promoted_by_priority([MINE], [], ladder(0, 31))


def test_who_is_next_is_told_without_serving_anyone() -> None:
    assert telling.next_up(ladder(0, 31)).startswith("Next is your job: ")
    assert "Nobody waits" in telling.next_up(EMPTY)


def same_ms(rank: int, member: str, **facts: int) -> Placed:
    return Placed(rank, member, "7", {"due_ms": DUE, **facts}, member == MINE)


def test_one_more_job_of_a_millisecond_is_told_by_its_slot_or_by_its_bytes() -> None:
    mine = same_ms(1, MINE)
    said = telling.same_ms(same_ms(2, OTHER, slot=1), mine, 3)
    assert said.startswith("JOB…3l2 is due in the same millisecond and took slot 1: ")
    assert "in front of yours, minted 11:28:08 UTC" in telling.same_ms(same_ms(0, OTHER), mine, 3)
    assert "behind yours" in telling.same_ms(same_ms(2, OTHER), mine, 3)
    assert "due at 11:29:38 UTC, with" in telling.same_ms(same_ms(2, OTHER), None, 3)
    late = Placed(2, MINE, "8", {"due_ms": DUE + 1}, True)
    assert "the same" not in telling.same_ms(same_ms(0, OTHER), late, 3)


def test_who_was_taken_and_why() -> None:
    mine = Placed(0, MINE, "0", {}, True)
    other = Placed(0, OTHER, "4294967305", {}, False)
    assert "your job: all scores are equal" in telling.taken(mine, True)
    assert "minted 11:28:08 UTC" in telling.taken(mine, True)
    assert telling.taken(other, False) == "Valkey served JOB…3l2: no score was smaller."
    assert "Nobody waits" in telling.taken(None, True) == telling.taken(None, False)


def test_a_second_register_is_told_by_what_it_wrote() -> None:
    packed, single = READINGS["packed/next-run"], READINGS["one-number/next-run"]
    said = telling.registered(single, None, "1780226978000", False)
    assert "wrote nothing" in said
    assert "still 11:29:38 UTC" in said
    said = telling.registered(packed, "1780226978000", "1780227008000", True)
    assert "11:29:38 UTC, and ZADD replaced it with 11:30:08 UTC" in said
    said = telling.registered(single, None, "1780227008000", True)
    assert "not registered, so it is now" in said


def test_an_advance_is_told_with_the_next_run_or_that_it_is_gone() -> None:
    assert "11:31:08 UTC" in telling.advanced("1780227068000")
    assert "gone" in telling.advanced(None)


def test_a_changed_priority_is_told_with_its_new_place() -> None:
    behind = telling.changed(ladder(3, 31), ladder(1, 17), lifo=False)
    assert behind.startswith("It lost its place: ")
    assert "no. 31, behind everyone in tier 2. Now it is 4th of 4" in behind
    front = telling.changed(ladder(1, 0), ladder(3, 31), lifo=True)
    assert "in front of tier 2, 2nd of 4" in front
    assert "no longer on the ladder" in telling.changed(EMPTY, None, lifo=False)


def test_a_changed_priority_that_changed_nothing_is_told_so() -> None:
    behind = telling.changed(ladder(3, 32), ladder(3, 31), lifo=False)
    assert behind.startswith("It kept its place: ")
    assert "where it stood already. It is 4th of 4" in behind
    front = telling.changed(ladder(1, 0), ladder(1, 0), lifo=True)
    assert "in front of tier 2, where it stood already, 2nd of 4" in front
