"""The 64 bits cut into fields, against the definition of a double."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from decoder.encodings import double
from decoder.readings import bits
from decoder.readings.run import Fact

LADDER = [Fact("tier", 0, (52, 32)), Fact("arrival", 0, (31, 0))]
WORDS = st.integers(0, 2**64 - 1)


@given(word=WORDS)
def test_the_fields_are_all_the_bits_from_the_sign_down(word: int) -> None:
    fields = bits.fields(word, LADDER)
    assert "".join(one.digits for one in fields) == f"{word:064b}"
    assert [one.of for one in fields[:2]] == ["sign", "exponent"]
    at = 63
    for one in fields:
        assert one.highest == at
        at -= len(one.digits)
    assert at == -1


@given(tier=st.integers(1, 2**21 - 1), arrival=st.integers(0, 2**32 - 1))
def test_the_bits_of_a_fact_spell_its_number(tier: int, arrival: int) -> None:
    word = double.word(float(tier * 2**32 + arrival))
    named = {one.of: one.digits for one in bits.fields(word, LADDER)}
    assert bits.implied(word, LADDER) == "tier"
    assert int("1" + named.get("tier", ""), 2) == tier
    assert int(named["arrival"], 2) == arrival


@given(arrival=st.integers(1, 2**32 - 1))
def test_in_tier_0_the_implied_bit_is_the_arrivals(arrival: int) -> None:
    word = double.word(float(arrival))
    assert bits.implied(word, LADDER) == "arrival"


@given(word=WORDS, bit=st.integers(0, 63))
def test_turned_over_twice_a_bit_is_as_before(word: int, bit: int) -> None:
    once = bits.toggled(word, bit)
    assert (once ^ word).bit_count() == 1
    assert bits.toggled(once, bit) == word


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_the_exact_value_has_every_digit(value: float) -> None:
    assert Fraction(Decimal(bits.exact(value))) == Fraction(value)
    assert double.word(float(bits.text(value))) == double.word(value)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_the_distance_to_2_to_the_53_is_exact_where_it_says_so(value: float) -> None:
    said, way, *_ = bits.distance(value).split(" ", 1)
    if said == "about":
        return
    apart = abs(2**53 - abs(Fraction(value)))
    assert Fraction(said.rstrip(":")) == apart
    assert (way == "past it") == (abs(value) > 2**53)
