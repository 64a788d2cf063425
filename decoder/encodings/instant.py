"""Instants: a score that is a time and nothing else, in milliseconds or in seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

from decoder.encodings.double import LAST_EXACT_INTEGER
from decoder.errors import OutOfRange

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_DATE_MS = 253402300799999
"""9999-12-31T23:59:59.999Z, the last millisecond with a date of four-digit years."""

LAST_EXACT_S_MS = 2**43 * 1000
"""8796093022208000 ms: up to 2**43 s doubles lie 2**-10 s apart at most, less than 1 ms."""


def encode_ms(instant_ms: int, *, past_the_limit: bool = False) -> int:
    """Return the score of a millisecond: itself.

    With `past_the_limit` one that a double would round is returned all the same, to be shown.
    Raises OutOfRange past 2**53, where a double skips milliseconds.
    """
    if abs(instant_ms) > LAST_EXACT_INTEGER and not past_the_limit:
        raise OutOfRange(
            f"{instant_ms} ms lies past 2^53, where a double skips milliseconds.",
            limit=LAST_EXACT_INTEGER,
        )
    return instant_ms


def decode_ms(score: float) -> int:
    """Return the millisecond that a finite score names, rounded down."""
    return int(score // 1)


def encode_s(instant_ms: int, *, past_the_limit: bool = False) -> float:
    """Return the score in seconds: the double nearest to it, which still names its millisecond.

    With `past_the_limit` one whose milliseconds are rounded away is returned all the same.
    Raises OutOfRange past 2**43 s, and always where there is no double so large.
    """
    if abs(instant_ms) > LAST_EXACT_S_MS and not past_the_limit:
        raise OutOfRange(
            f"{instant_ms} ms lies past 2^43 seconds, where a double of seconds rounds "
            "milliseconds away.",
            limit=LAST_EXACT_S_MS,
        )
    try:
        return instant_ms / 1000
    except OverflowError:
        raise OutOfRange("There is no double as large as these seconds.") from None


def decode_s(score: float) -> int:
    """Return the millisecond nearest to a finite score in seconds."""
    return round(Fraction(score) * 1000)


def iso(instant_ms: int) -> str:
    """Write an instant as 2026-05-31T11:29:38.000Z; raises OutOfRange beyond the year 9999."""
    if not -62135596800000 <= instant_ms <= LAST_DATE_MS:
        raise OutOfRange(f"{instant_ms} ms has no date before the year 10000.", limit=LAST_DATE_MS)
    moment = _EPOCH + timedelta(milliseconds=instant_ms)
    # strftime does not pad a year before 1000.
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}.{instant_ms % 1000:03d}Z"


def clock(instant_ms: int) -> str:
    """Write only the time of day, as 11:29:38, with milliseconds where there are any."""
    text = iso(instant_ms)[11:-1]
    return text.removesuffix(".000")


def apart(milliseconds: int) -> str:
    """Write a span in words: 90 s, 2 min 5 s, 3 h, 250 ms; negative ones are written positive."""
    span = abs(milliseconds)
    if span < 1000:
        return f"{span} ms"
    if span < 120_000:
        return f"{span / 1000:g} s"
    for unit, size, rest, small in (
        ("d", 86_400_000, "h", 3_600_000),
        ("h", 3_600_000, "min", 60_000),
        ("min", 60_000, "s", 1000),
    ):
        if span >= size:
            whole, left = divmod(span, size)
            return f"{whole} {unit}" + (f" {left // small} {rest}" if left >= small else "")
    return f"{span} ms"
