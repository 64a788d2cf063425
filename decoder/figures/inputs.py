"""Inputs: a figure's numbers by name, range and default; bad text moves to the nearest valid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

SHOWN_OF_BAD_TEXT = 24

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?|[+-]?inf(?:inity)?", re.IGNORECASE
)


@dataclass(frozen=True)
class Range:
    """Whole numbers from `least` to `most`."""

    least: int
    most: int

    def nearest(self, value: Decimal) -> int:
        """Return the whole number of this range that lies nearest."""
        if value <= self.least:
            return self.least
        return self.most if value >= self.most else int(value.to_integral_value())


@dataclass(frozen=True)
class Input:
    """One number that a visitor sets: its name, range, full range, and where it starts."""

    name: str
    label: str
    range: Range
    full_range: Range
    default: int

    def allowed(self, full: bool) -> Range:
        """Return the range in force."""
        return self.full_range if full else self.range

    def read(self, text: str | None, full: bool) -> tuple[int, str]:
        """Return the nearest valid value and the notice that says so, empty when it was valid."""
        allowed = self.allowed(full)
        runs = f"{self.label} runs from {allowed.least} to {allowed.most}"
        if text is None or not text.strip():
            return self.default, f"{self.label} was missing; it is {self.default}."
        shown = text.strip()[:SHOWN_OF_BAD_TEXT]
        if not _NUMBER.fullmatch(text.strip()):
            return self.default, f"{runs}; “{shown}” is no number, so it is {self.default}."
        value = Decimal(text.strip())
        nearest = allowed.nearest(value)
        return nearest, "" if nearest == value else f"{runs}; “{shown}” became {nearest}."


def read_inputs(
    inputs: Sequence[Input], form: Mapping[str, str], full: bool
) -> tuple[dict[str, int], list[str]]:
    """Read every input of a figure; return the values and the notices to show."""
    values, notices = {}, []
    for one in inputs:
        values[one.name], notice = one.read(form.get(one.name), full)
        if notice:
            notices.append(notice)
    return values, notices
