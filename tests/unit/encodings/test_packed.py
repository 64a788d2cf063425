"""Packed priority: exact integers, their limits, and the words that say so."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.encodings import packed
from decoder.errors import OutOfRange

TIERS = st.integers(1, 2097151)
ARRIVALS = st.integers(0, 2**32 - 1)


def test_tier_2_arrival_17_is_8589934609_in_two_halves_of_hex() -> None:
    assert packed.encode(2, 17) == 8589934609 == 0x2_00000011


def test_the_largest_score_is_2_to_the_53_minus_1() -> None:
    assert packed.encode(2097151, 2**32 - 1) == 9007199254740991 == 2**53 - 1


def test_one_tier_further_is_2_to_the_53_and_only_for_showing() -> None:
    assert packed.encode(2097152, 0, past_the_limit=True) == 2**53
    assert packed.encode(2097152, 17, past_the_limit=True) == 9007199254741009


@given(tier=TIERS, arrival=ARRIVALS)
def test_decoding_gives_back_what_was_encoded(tier: int, arrival: int) -> None:
    assert packed.decode(packed.encode(tier, arrival)) == (tier, arrival)


@given(tier=TIERS, arrival=ARRIVALS)
def test_a_score_is_a_double_without_rounding(tier: int, arrival: int) -> None:
    score = packed.encode(tier, arrival)
    assert int(float(score)) == score


@given(score=st.integers(2**32, 2**53 - 1))
def test_encoding_gives_back_what_was_decoded(score: int) -> None:
    assert packed.encode(*packed.decode(score)) == score


@given(one=st.tuples(TIERS, ARRIVALS), other=st.tuples(TIERS, ARRIVALS))
def test_scores_compare_as_tier_first_and_arrival_second(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    assert (packed.encode(*one) < packed.encode(*other)) == (one < other)


@given(tier=TIERS, arrival=st.integers(0, 2**40))
@example(tier=3, arrival=2**32)
@example(tier=3, arrival=2**32 + 1)
def test_an_arrival_wraps_as_the_counter_does(tier: int, arrival: int) -> None:
    assert packed.decode(packed.encode(tier, arrival)) == (tier, arrival % 2**32)


def test_a_counter_that_wraps_sends_later_jobs_to_the_front() -> None:
    scores = [packed.encode(7, counter) for counter in (4294967295, 4294967296, 4294967297)]
    assert scores == [34359738367, 30064771072, 30064771073]


@pytest.mark.parametrize(
    ("tier", "arrival", "limit"),
    [(0, 17, 1), (-1, 17, 1), (2, -1, 0), (2097152, 17, 2097151), (2**40, 0, 2097151)],
)
def test_what_has_no_bits_is_refused_with_number_and_limit(
    tier: int, arrival: int, limit: int
) -> None:
    with pytest.raises(OutOfRange) as caught:
        packed.encode(tier, arrival)
    assert caught.value.limit == limit
    wrong = arrival if arrival < 0 else tier
    assert str(wrong) in caught.value.sentence
    assert str(limit) in caught.value.sentence


@pytest.mark.parametrize(("tier", "arrival"), [(0, 1), (-5, 1), (1, -1)])
def test_past_the_limit_is_no_leave_to_go_below_it(tier: int, arrival: int) -> None:
    with pytest.raises(OutOfRange):
        packed.encode(tier, arrival, past_the_limit=True)
