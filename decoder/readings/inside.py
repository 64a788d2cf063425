"""Inside: what lies around a stored score, what it means, and how that is said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from decoder.encodings import double
from decoder.readings import bits
from decoder.readings.catalogue import READINGS, named
from decoder.readings.run import Fact
from decoder.readings.tables import Inside, Meaning, Row, Table

AROUND = "This double and its neighbours"
DIGITS_MOST, TINY = 32, 1e-6
"""How many digits one can read, and what is too small to be shown by its first ones."""


def inside(word: int | None, facts: Sequence[Fact], text: str | None, plus: str | None) -> Inside:
    """Put together the inside of a score: its 64 bits, what is around it, and what it means.

    `text` is the server's own, `plus` what ZINCRBY 1 answered; None where nothing is stored.
    """
    if word is None:
        return Inside(None, [], "", Table(AROUND, []), [])
    rows = [] if text is None else _rows(float(text), text, plus)
    fields, implied = bits.fields(word, facts), bits.implied(word, facts)
    return Inside(word, fields, implied, Table(AROUND, rows), _meanings(text))


def told(exact: Fraction | None, word: int | None, text: str, plus: str | None) -> str:
    """Say what became of a number that was meant exactly, and whether one more would change it."""
    value = float(text)
    rounded = exact is not None and math.isfinite(value) and exact != Fraction(value)
    head = f"Stored as {text}."
    if rounded:
        head = f"No double is exactly that: the nearest is stored, {_shortened(value, text)}."
    if word == double.word(-0.0) and not text.startswith("-"):
        head += " A small set keeps whole numbers as integers, so the sign of −0 is lost."
    if not math.isfinite(value):
        return f"{head} It stands {'behind' if value > 0 else 'before'} every number, for good."
    changes = plus is not None and float(plus) != value
    adds = "Adding 1 changes it." if changes else "Adding 1 changes nothing here: it is lost."
    return f"{head} {adds}"


def _rows(value: float, text: str, plus: str | None) -> list[Row]:
    exact = bits.exact(value)
    rows = [
        Row("the server’s own text", text, "what ZSCORE answers"),
        Row("the exact value", exact, "every digit of the double"),
    ]
    if math.isfinite(value):
        below, above = double.neighbours(value)
        rows += [
            Row("the double below", bits.text(below)),
            Row("the double above", bits.text(above)),
            Row("spacing here", _spacing(value), "to the next one"),
        ]
    changes = plus is not None and float(plus) != value
    rows += [
        Row("after ZINCRBY 1", plus or "", "changed" if changes else "nothing changed"),
        Row("to 2⁵³", bits.distance(value)),
    ]
    return rows


def _spacing(value: float) -> str:
    digits = bits.exact(double.spacing(value))
    return digits if len(digits) <= DIGITS_MOST * 2 else bits.text(double.spacing(value))


def _meanings(text: str | None) -> list[Meaning]:
    if text is None or not math.isfinite(float(text)) or float(text) < 0:
        return []
    value = float(text)
    return [Meaning(one.id, named(one), one.conclude(value).says) for one in READINGS.values()]


def _shortened(value: float, text: str) -> str:
    """Write the digits of a stored double as far as one can read them."""
    digits = bits.exact(value)
    if len(digits) <= DIGITS_MOST:
        return digits
    return f"{digits[:DIGITS_MOST]}…" if abs(value) > TINY else text
