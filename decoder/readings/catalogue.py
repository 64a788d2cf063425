"""The catalogue: six readings, each one way to store and read a job.

Pages and JSON draw from here. A new reading is one entry
below, its script in lua/<design>/, and a test.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from decoder.encodings import delay, instant, packed
from decoder.errors import OutOfRange


class Conclusion(NamedTuple):
    """What a reader concludes from a score: the facts, and one sentence."""

    facts: dict[str, int]
    says: str


@dataclass(frozen=True)
class Reading:
    """One way to store and read a job.

    `keys` names the set; `writes` and `reads` are the commands in outline, `script` the Lua file
    that writes. `conclude` takes a finite score of at least 0 back to its facts.
    """

    id: str
    question: str
    keys: str
    encoding: str
    formula: str
    meaning: str
    script: str
    writes: str
    reads: str
    conclude: Callable[[float], Conclusion]

    @property
    def design(self) -> str:
        """The family of readings that this one belongs to: packed or one-number."""
        return self.id.partition("/")[0]

    @property
    def kind(self) -> str:
        """What it is within its design: fire-time, priority, order or next-run."""
        return self.id.partition("/")[2]


def _due(score: float) -> Conclusion:
    due_ms, slot = delay.decode(int(score))
    return Conclusion(
        {"due_ms": due_ms, "slot": slot},
        f"{int(score)} / 4096 is {due_ms} ms, {_date(due_ms)}, slot {slot} of that millisecond.",
    )


def _priority(score: float) -> Conclusion:
    tier, arrival = packed.decode(int(score))
    never = " Tier 0 is never in such a set." if tier == 0 else ""
    return Conclusion(
        {"tier": tier, "arrival": arrival}, f"Tier {tier}, arrival number {arrival}.{never}"
    )


def _time(what: str) -> Callable[[float], Conclusion]:
    def conclude(score: float) -> Conclusion:
        at = instant.decode_ms(score)
        return Conclusion({"due_ms": at}, f"{what} {_date(at)}.")

    return conclude


def _flat(score: float) -> Conclusion:
    if score == 0:
        return Conclusion({}, "Nothing: every score is 0, and the bytes of the id carry the order.")
    return Conclusion({}, "A score that is not 0 has no business in a set ordered by its members.")


def _date(instant_ms: int) -> str:
    try:
        return instant.iso(instant_ms)
    except OutOfRange:
        return "long after the year 9999"


_ENTRIES = (
    Reading(
        "packed/fire-time",
        "When?",
        "delayed",
        "shifted-delay",
        "(timestamp + delay) × 4096 + slot",
        "the millisecond at which the job may run, and its slot within it",
        "packed/add_delayed",
        "ZREVRANGEBYSCORE, then ZADD",
        "ZRANGEBYSCORE 0 (now + 1) × 4096 − 1",
        _due,
    ),
    Reading(
        "packed/priority",
        "In what order?",
        "prioritized",
        "packed-priority",
        "tier × 2³² + arrival",
        "how urgent the job is, and when it came among its equals",
        "packed/add_prioritized",
        "INCR, then ZADD",
        "ZPOPMIN",
        _priority,
    ),
    Reading(
        "packed/next-run",
        "How often?",
        "repeat",
        "milliseconds",
        "next run, in ms",
        "the millisecond at which the schedule fires next",
        "packed/upsert_repeat",
        "ZSCORE, then ZADD",
        "ZRANGEBYSCORE −inf now",
        _time("Runs next at"),
    ),
    Reading(
        "one-number/fire-time",
        "When?",
        "schedule",
        "milliseconds",
        "run at, in ms",
        "the millisecond at which the job may run",
        "one-number/schedule",
        "HSET the record, ZADD",
        "ZRANGEBYSCORE −inf now",
        _time("Due at"),
    ),
    Reading(
        "one-number/order",
        "In what order?",
        "pending",
        "flat",
        "0, for every member",
        "nothing; the id says when the job was minted, and sorts by it",
        "one-number/enqueue",
        "HSET the record, ZADD 0",
        "ZPOPMIN",
        _flat,
    ),
    Reading(
        "one-number/next-run",
        "How often?",
        "repeat",
        "milliseconds",
        "next run, in ms",
        "the millisecond at which the schedule fires next",
        "one-number/register",
        "EXISTS, then HSET and ZADD",
        "ZRANGEBYSCORE −inf now",
        _time("Runs next at"),
    ),
)

READINGS: dict[str, Reading] = {one.id: one for one in _ENTRIES}
"""Every reading by its id, those of one design in the order of their questions."""


def of_design(design: str) -> list[Reading]:
    """Return the readings of one design, in the order of their questions."""
    return [one for one in READINGS.values() if one.design == design]


def misread(score: float, right: Reading) -> list[tuple[Reading, str]]:
    """Say what a score would mean under every reading other than the right one.

    Empty for a score that is not a finite number of at least 0.
    """
    if not math.isfinite(score) or score < 0:
        return []
    wrong = [one for one in READINGS.values() if one.id != right.id]
    return [(one, one.conclude(score).says) for one in wrong]
