"""Bits: the 64 bits of a stored score, each with the field or the fact that it belongs to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from decoder.encodings import double
from decoder.readings.run import Fact

FRACTION_BITS = 52


class Field(NamedTuple):
    """Some bits in a row: what they are part of, their digits, and the highest bit of the double.

    `of` is sign, exponent, fraction, or the name of the fact whose bits of the number lie here.
    """

    of: str
    digits: str
    highest: int


def fields(score: float, facts: Sequence[Fact]) -> list[Field]:
    """Cut the 64 bits of a score into fields, from the sign down.

    A whole number n with 2**k <= n < 2**(k+1) has its bit k implied; the bits below it begin the
    fraction. So bit b of the number is bit b + 52 − k of the double, and the facts lie there.
    """
    split = double.bits(score)
    names = [
        _fact_of(_bit_of_number(score, bit), facts) for bit in range(FRACTION_BITS - 1, -1, -1)
    ]
    out = [Field("sign", str(split.sign), 63), Field("exponent", f"{split.exponent:011b}", 62)]
    at = 0
    for name, group in itertools.groupby(names):
        length = len(list(group))
        digits = split.fraction[at : at + length]
        out.append(Field(name, digits, FRACTION_BITS - 1 - at))
        at += length
    return out


def leading_bit(score: float) -> int | None:
    """Return k of 2**k <= |score| < 2**(k+1): the bit that a double implies; None below 1."""
    if not math.isfinite(score) or abs(score) < 1:
        return None
    return math.frexp(score)[1] - 1


def _bit_of_number(score: float, bit: int) -> int | None:
    leading = leading_bit(score)
    if leading is None:
        return None
    whole = bit - FRACTION_BITS + leading
    return whole if whole >= 0 else None


def _fact_of(bit: int | None, facts: Sequence[Fact]) -> str:
    if bit is not None:
        for fact in facts:
            high, low = fact.bits
            if low <= bit <= high:
                return fact.name
    return "fraction"


def toggled(score: float, bit: int) -> float:
    """Return the double with one of its 64 bits turned over; bit 63 is the sign."""
    return double.from_word(double.word(score) ^ (1 << bit))
