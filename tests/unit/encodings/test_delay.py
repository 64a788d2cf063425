"""Shifted delay: a due millisecond and its slot, the limits, and the bound of a due read."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.encodings import delay, double
from decoder.errors import OutOfRange

DUES = st.integers(0, 2199023255551)
SLOTS = st.integers(0, 4095)


def test_the_example_job_is_7291809701888000() -> None:
    assert delay.encode(1780226978000, 0) == 7291809701888000
    assert delay.decode(7291809701888000) == (1780226978000, 0)


def test_the_second_job_of_the_millisecond_has_the_next_score() -> None:
    assert delay.encode(1780226978000, 1) == 7291809701888001


@given(due_ms=DUES, slot=SLOTS)
@example(due_ms=2199023255551, slot=4095)
@example(due_ms=0, slot=0)
def test_decoding_gives_back_what_was_encoded_and_a_double_keeps_it(due_ms: int, slot: int) -> None:
    score = delay.encode(due_ms, slot)
    assert delay.decode(score) == (due_ms, slot)
    assert double.is_exact(score)


@given(one=st.tuples(DUES, SLOTS), other=st.tuples(DUES, SLOTS))
def test_scores_are_ordered_by_due_time_and_then_by_slot(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    assert (delay.encode(*one) < delay.encode(*other)) == (one < other)


def test_the_last_millisecond_with_4096_exact_slots_is_that_of_the_facts() -> None:
    assert delay.LAST_EXACT_DUE_MS == 2199023255551
    assert delay.encode(2199023255551, 4095) == 2**53 - 1


def test_one_millisecond_further_loses_slots_and_is_only_for_showing() -> None:
    with pytest.raises(OutOfRange, match="2039") as caught:
        delay.encode(2199023255552, 0)
    assert caught.value.limit == 2199023255551
    scores = [delay.encode(2199023255552, slot, past_the_limit=True) for slot in (0, 1, 2)]
    assert [int(float(score)) for score in scores] == [
        9007199254740992,
        9007199254740992,
        9007199254740994,
    ]


@pytest.mark.parametrize(
    ("due_ms", "slot", "limit"), [(-1, 0, 0), (0, -1, 4095), (0, 4096, 4095), (1, 10**20, 4095)]
)
def test_what_does_not_exist_is_refused_with_its_limit(due_ms: int, slot: int, limit: int) -> None:
    for past in (False, True):
        with pytest.raises(OutOfRange) as caught:
            delay.encode(due_ms, slot, past_the_limit=past)
        assert caught.value.limit == limit


@given(now_ms=DUES, due_ms=DUES, slot=SLOTS)
@example(now_ms=1780226977999, due_ms=1780226978000, slot=0)
@example(now_ms=1780226978000, due_ms=1780226978000, slot=4095)
def test_the_bound_takes_every_slot_of_now_and_none_of_the_next_millisecond(
    now_ms: int, due_ms: int, slot: int
) -> None:
    assert (delay.encode(due_ms, slot) <= delay.due_bound(now_ms)) == (due_ms <= now_ms)


def test_the_bound_is_that_of_the_facts() -> None:
    assert delay.due_bound(1780226888000) == (1780226888000 + 1) * 4096 - 1
