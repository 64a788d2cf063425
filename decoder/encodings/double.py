"""A score is an IEEE 754 double: its 64 bits, and whether an integer survives in it.

 63   62        52 51                                             0
+----+------------+------------------------------------------------+
|sign| exponent   | fraction (52 bits, a 53rd is implied)          |
+----+------------+------------------------------------------------+
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

LAST_EXACT_INTEGER = 2**53
"""Up to here every integer is a double; above, only every second, fourth, eighth…"""


@dataclass(frozen=True)
class Bits:
    """The three fields of a double: sign 0 or 1, biased exponent 0..2047, 52 fraction digits."""

    sign: int
    exponent: int
    fraction: str


def bits(value: float) -> Bits:
    """Split a double into its fields."""
    (word,) = struct.unpack(">Q", struct.pack(">d", value))
    return Bits(word >> 63, (word >> 52) & 0x7FF, format(word & (2**52 - 1), "052b"))


def is_exact(whole: int) -> bool:
    """Tell whether this integer can be stored in a double without rounding."""
    try:
        return int(float(whole)) == whole
    except OverflowError:
        return False


def spacing(value: float) -> float:
    """Return the distance to the next double away from zero: 1 below 2**53, then 2."""
    return math.ulp(value)


def neighbours(value: float) -> tuple[float, float]:
    """Return the next double below and the next above."""
    return math.nextafter(value, -math.inf), math.nextafter(value, math.inf)


def exact_text(value: float) -> str:
    """Write a whole double in full, every digit of it; others in the shortest exact form."""
    return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
