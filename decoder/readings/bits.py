"""Bits: the 64 bits of a stored score, each with the field or the fact that it belongs to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from decoder.encodings import double
from decoder.readings.run import Fact

FRACTION_BITS = 52
SIGN_BIT, EXPONENT_BIT = 63, 62
BITS = 64
TEXT_MOST = 24
"""How much of a text that is no bit is repeated."""

PLAIN_LEAST, HUGE = 1e-9, 1e30
"""What is smaller is written with an exponent."""


class Field(NamedTuple):
    """Some bits in a row: what they are part of, their digits, and the highest bit of the double.

    `of` is sign or exponent, the name of the fact whose bits of the number lie here, integer for
    other bits of the number before the point, or fraction for those behind it.
    """

    of: str
    digits: str
    highest: int


def fields(word: int, facts: Sequence[Fact]) -> list[Field]:
    """Cut the 64 bits of a double, given as one number, into fields, from the sign down.

    A whole number n with 2**k <= n < 2**(k+1) has its bit k implied; the bits below it begin the
    fraction. So bit b of the number is bit b + 52 − k of the double, and the facts lie there.

     63   62        52 51                            51 − k                0
    +----+------------+-------------------------------+--------------------+
    |sign| exponent   | bits k − 1 … 0 of the number  | behind the point   |
    +----+------------+-------------------------------+--------------------+
    """
    digits = f"{word:064b}"
    leading = leading_bit(double.from_word(word))
    bounds = [("sign", SIGN_BIT), ("exponent", EXPONENT_BIT)]
    if leading:
        shift = FRACTION_BITS - leading
        bounds += [(n, b + shift) for n, b in _parts(leading - 1, facts) if b + shift >= 0]
    # Of a number past 2**53 every bit of the fraction is one of its own.
    if leading is None or leading < FRACTION_BITS:
        bounds += [("fraction", FRACTION_BITS - 1 - (leading or 0))]
    ends = [highest for _, highest in bounds[1:]] + [-1]
    return [
        Field(name, digits[SIGN_BIT - highest : SIGN_BIT - end], highest)
        for (name, highest), end in zip(bounds, ends, strict=True)
    ]


def _parts(highest: int, facts: Sequence[Fact]) -> list[tuple[str, int]]:
    """Return what the bits of a number belong to, from `highest` down: names, highest bits."""
    parts, at = [], highest
    for name, _, (high, low) in facts:
        if low > at:
            continue
        if high < at:
            parts.append(("integer", at))
        parts.append((name, min(high, at)))
        at = low - 1
    return [*parts, ("integer", at)] if at >= 0 else parts


def leading_bit(score: float) -> int | None:
    """Return k of 2**k <= |score| < 2**(k+1): the bit that a double implies; None below 1."""
    if not math.isfinite(score) or abs(score) < 1:
        return None
    return math.frexp(score)[1] - 1


def implied(word: int, facts: Sequence[Fact]) -> str:
    """Return what the bit belongs to that a double implies above its fraction; "" for no such."""
    leading = leading_bit(double.from_word(word))
    return "" if leading is None else _fact_of(leading, facts)


def _fact_of(bit: int, facts: Sequence[Fact]) -> str:
    for fact in facts:
        high, low = fact.bits
        if low <= bit <= high:
            return fact.name
    return "integer"


def toggled(word: int, bit: int) -> int:
    """Turn one of the 64 bits over; bit 63 is the sign."""
    return word ^ (1 << bit)


def read_bit(said: str) -> int | None:
    """Read which of the 64 bits is meant, from 0 to 63; None for none of them."""
    known = said.isascii() and said.isdigit() and len(said) <= 2
    return int(said) if known and int(said) < BITS else None


def no_bit(said: str) -> str:
    """Say that a text names none of the bits."""
    return f"Bits run from 0 to 63; “{said[:TEXT_MOST]}” is none of them."


def turned(score: int, said: str, least: int, most: int) -> tuple[int, str]:
    """Turn a bit of a whole score over; return the nearest one that its set may hold, and why.

    `said` names the bit, from 0 to 63. Nothing is said where the score is the turned one itself.
    """
    bit = read_bit(said)
    if bit is None:
        return score, no_bit(said)
    value = double.from_word(toggled(double.word(float(score)), bit))
    if math.isnan(value):
        return score, f"With bit {bit} turned over it would be no number, so it stays as it is."
    nearest = least if value < least else most if value > most else round(value)
    if nearest == value:
        return nearest, ""
    runs = f"Scores here run from {least} to {most}"
    if least == most:
        runs = f"Every score here is {least}"
    return nearest, f"{runs}: with bit {bit} turned over it would be {text(value)}, now {nearest}."


def text(score: float) -> str:
    """Write a double so that a server reads the same one back: 17 digits, inf, or nan."""
    return format(score, ".17g")


def exact(score: float) -> str:
    """Write a finite double with all its digits, at most 767; a tiny one by an exponent."""
    if not math.isfinite(score):
        return text(score)
    return format(Decimal(score), "f" if abs(score) >= PLAIN_LEAST or score == 0 else "E")


def distance(score: float) -> str:
    """Say how far it is to 2**53, where a double stops holding every whole number."""
    limit = double.LAST_EXACT_INTEGER
    if not math.isfinite(score):
        return "no number is as far away"
    size = abs(Fraction(score))
    if size == limit:
        return "0: this is 2⁵³ itself"
    apart = abs(limit - size)
    below = "below it" if size < limit else "past it"
    if size > limit:
        return f"{apart} {below}" if size < HUGE else f"about {text(float(apart))} {below}"
    near = Decimal(apart.numerator) / Decimal(apart.denominator)
    exactly = Fraction(near) == apart
    return f"{near if exactly else f'about {limit}'} {below}"
