"""Doubles: the three fields, and which integers survive."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.encodings import double


@given(value=st.floats(allow_nan=False))
@example(value=0.0)
@example(value=-0.0)
@example(value=math.inf)
@example(value=5e-324)
def test_the_three_fields_make_the_double_again(value: float) -> None:
    bits = double.bits(value)
    assert len(bits.fraction) == 52
    sign = -1 if bits.sign else 1
    fraction = int(bits.fraction, 2)
    if bits.exponent == 2047:
        assert math.isinf(value)
        assert fraction == 0
    elif bits.exponent == 0:
        assert sign * math.ldexp(fraction, -1074) == value
    else:
        assert sign * math.ldexp(2**52 + fraction, bits.exponent - 1075) == value
    assert math.copysign(1, value) == sign


def test_the_example_score_has_the_fields_of_the_contract() -> None:
    assert double.bits(8589934609.0) == double.Bits(
        0, 1056, "0000000000000000000000000000100010000000000000000000"
    )


@pytest.mark.parametrize(
    ("whole", "exact"),
    [
        (0, True),
        (2**53 - 1, True),
        (2**53, True),
        (2**53 + 1, False),
        (2**53 + 2, True),
        (9007199254741009, False),
        (9007199254741008, True),
        (-(2**53) - 1, False),
        (1009651914519660544, True),
        (1009651914519660511, False),
        (2**1000, True),
        pytest.param(2**1024, False, id="past the largest double"),
        pytest.param(-(10**400), False, id="past the smallest"),
    ],
)
def test_an_integer_is_exact_or_not(whole: int, exact: bool) -> None:
    assert double.is_exact(whole) is exact


@given(whole=st.integers(-(2**53), 2**53))
def test_every_integer_up_to_2_to_the_53_is_exact(whole: int) -> None:
    assert double.is_exact(whole)


@given(half=st.integers(2**52, 2**53 - 1))
def test_past_2_to_the_53_every_second_integer_is_exact(half: int) -> None:
    assert double.is_exact(2 * half)
    assert not double.is_exact(2 * half + 1)


@pytest.mark.parametrize(
    ("value", "apart"),
    [(1.0, 2.0**-52), (2.0**53 - 1, 1), (2.0**53, 2), (2.0**54, 4), (1e18, 128), (0.0, 5e-324)],
)
def test_the_spacing_is_that_of_the_facts(value: float, apart: float) -> None:
    assert double.spacing(value) == apart
    assert double.spacing(-value) == apart


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_no_double_lies_between_a_double_and_its_neighbours(value: float) -> None:
    below, above = double.neighbours(value)
    assert below < value < above
    assert math.nextafter(below, math.inf) == value == math.nextafter(above, -math.inf)


def test_a_value_halfway_to_the_next_is_lost_and_one_past_it_is_not() -> None:
    stored = 1009651914519660544.0
    assert double.spacing(stored) == 128
    assert stored + 64 == stored
    assert stored + 65 == double.neighbours(stored)[1]


@given(whole=st.integers(-(2**70), 2**70).map(float))
@example(whole=2.0**63)
@example(whole=1e18)
def test_a_whole_double_is_written_with_every_digit(whole: float) -> None:
    text = double.exact_text(whole)
    assert "e" not in text
    assert int(text) == whole


@given(value=st.floats())
@example(value=0.1)
@example(value=math.inf)
@example(value=math.nan)
def test_the_text_of_any_double_reads_back_as_it(value: float) -> None:
    read = float(double.exact_text(value))
    assert read == value or (math.isnan(read) and math.isnan(value))
