"""Comparing: where two orders of service part, and the fact that decided on either side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.encodings import branded
from decoder.readings.comparing import Work, compared, parting

T0 = 1780226888000
MINE = "JOB0Nb1VTbfnu4"
ORDERS = st.permutations(["a", "b", "c", "d"])


def work(seconds: int, tier: int, delay_s: int = 0) -> Work:
    minted_ms = T0 + seconds * 1000
    return Work(branded.mint(minted_ms), minted_ms, tier, delay_s * 1000)


@given(one=ORDERS, other=ORDERS)
def test_orders_part_at_the_first_place_that_differs(one: list[str], other: list[str]) -> None:
    place = parting(one, other)
    if place is None:
        assert one == other
    else:
        assert one[:place] == other[:place]
        assert one[place] != other[place]


def test_orders_that_are_the_same_do_not_part() -> None:
    jobs = [work(0, 1), work(1, 1)]
    order = [one.member for one in jobs]
    assert parting(order, order) is None
    assert parting([], []) is None
    assert "same order" in compared(order, order, jobs, MINE)


def test_another_tier_is_the_reason_on_one_side_and_the_mint_on_the_other() -> None:
    early, late = work(-1, 2), work(0, 1)
    said = compared([late.member, early.member], [early.member, late.member], [early, late], MINE)
    assert said.startswith("They part at the 1st place.")
    assert "serves your job, because tier 1 goes before tier 2" in said
    assert "serves JOB…vpY, because its id was minted first, at 11:28:07 UTC" in said
    assert "it knows no tier" in said


def test_who_came_to_the_ladder_first_was_due_earlier() -> None:
    waits, at_once = work(-1, 2, 60), work(0, 2)
    by_score, by_member = [at_once.member, waits.member], [waits.member, at_once.member]
    said = compared(by_score, by_member, [waits, at_once], MINE)
    assert "in tier 2 it came to the ladder earlier, as it was due earlier" in said


def test_a_tier_is_no_reason_between_two_jobs_of_one_tier() -> None:
    waits, at_once = work(-1, 2, 60), work(0, 2)
    by_score, by_member = [at_once.member, waits.member], [waits.member, at_once.member]
    said = compared(by_score, by_member, [waits, at_once], MINE)
    assert "it knows no tier" not in said
    assert "once due, it is not asked how long it waited" in said


def test_a_wait_that_changed_the_order_within_a_tier_is_told_beside_the_tiers() -> None:
    waits, at_once, urgent = work(-1, 2, 60), work(0, 2), work(2, 1)
    by_score = [urgent.member, at_once.member, waits.member]
    by_member = [waits.member, at_once.member, urgent.member]
    said = compared(by_score, by_member, [waits, at_once, urgent], MINE)
    assert "because tier 1 goes before tier 2" in said
    assert "Within tier 2 the score puts your job before JOB…vpY, because it came" in said
    assert said.endswith("the member does not ask how long anyone waited.")


def test_where_tiers_alone_decide_no_wait_is_told() -> None:
    early, late = work(-1, 2), work(0, 1)
    said = compared([late.member, early.member], [early.member, late.member], [early, late], MINE)
    assert "Within" not in said


def test_the_place_is_counted_from_one() -> None:
    jobs = [work(0, 1), work(1, 3), work(2, 2)]
    by_member = [one.member for one in jobs]
    by_score = [by_member[0], by_member[2], by_member[1]]
    assert "part at the 2nd place" in compared(by_score, by_member, jobs, MINE)


@pytest.mark.parametrize(("delay_s", "due_s"), [(0, 5), (90, 95)])
def test_a_job_is_due_so_long_after_its_mint(delay_s: int, due_s: int) -> None:
    assert work(5, 1, delay_s).due_ms == T0 + due_s * 1000


def test_being_due_earlier_is_said_only_of_a_job_that_was() -> None:
    # Mine waits a second, until the very mint of the other, or until before it.
    for seconds in (1, 2):
        mine, at_once = work(0, 2, 1), work(seconds, 2)
        by_score, by_member = [at_once.member, MINE], [MINE, at_once.member]
        said = compared(by_score, by_member, [mine, at_once], MINE)
        assert "it was due earlier" not in said
