"""Instants: milliseconds and seconds as scores, and how a time is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.encodings import instant
from decoder.errors import OutOfRange

DATED = st.integers(-62135596800000, 253402300799999)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def test_the_example_job_is_due_at_11_29_38() -> None:
    assert instant.encode_ms(1780226978000) == 1780226978000
    assert instant.iso(1780226978000) == "2026-05-31T11:29:38.000Z"
    assert instant.clock(1780226978000) == "11:29:38"
    assert instant.iso(1780226888000) == "2026-05-31T11:28:08.000Z"


def test_the_packed_score_of_the_example_is_in_april_1970_as_milliseconds() -> None:
    assert instant.iso(instant.decode_ms(8589934609.0)).startswith("1970-04-10T")


def test_the_dates_of_the_facts_are_written_as_they_stand_there() -> None:
    assert instant.iso(2**41) == "2039-09-07T15:47:35.552Z"
    assert instant.iso(1704067200000) == "2024-01-01T00:00:00.000Z"
    assert instant.iso(253402300799999) == "9999-12-31T23:59:59.999Z"


@given(at_ms=DATED)
@example(at_ms=-1)
@example(at_ms=-62135596800000)
def test_a_date_names_its_millisecond_and_no_other(at_ms: int) -> None:
    text = instant.iso(at_ms)
    assert len(text) == 24
    assert (datetime.fromisoformat(text) - EPOCH) // timedelta(milliseconds=1) == at_ms


@given(at_ms=DATED)
def test_the_time_of_day_is_that_of_the_date(at_ms: int) -> None:
    text = instant.clock(at_ms)
    assert instant.iso(at_ms)[11:23] == (text if "." in text else text + ".000")
    assert text.endswith(f".{at_ms % 1000:03d}") == bool(at_ms % 1000)


@pytest.mark.parametrize("at_ms", [253402300800000, -62135596800001, 2**53, 10**30])
def test_what_has_no_date_of_four_digits_is_refused(at_ms: int) -> None:
    with pytest.raises(OutOfRange, match="10000"):
        instant.iso(at_ms)


@given(at_ms=st.integers(-(2**53), 2**53))
def test_a_millisecond_is_its_own_score(at_ms: int) -> None:
    assert instant.decode_ms(float(instant.encode_ms(at_ms))) == at_ms


@pytest.mark.parametrize("at_ms", [2**53 + 1, -(2**53) - 1])
def test_a_millisecond_that_a_double_would_skip_is_refused(at_ms: int) -> None:
    with pytest.raises(OutOfRange) as caught:
        instant.encode_ms(at_ms)
    assert caught.value.limit == 2**53


@pytest.mark.parametrize(("score", "at_ms"), [(1.0, 1), (1.999, 1), (-0.5, -1), (0.0, 0)])
def test_a_fraction_of_a_millisecond_is_rounded_down(score: float, at_ms: int) -> None:
    assert instant.decode_ms(score) == at_ms


LAST_S_MS = 2**43 * 1000


@given(at_ms=st.integers(-LAST_S_MS, LAST_S_MS))
@example(at_ms=LAST_S_MS)
@example(at_ms=LAST_S_MS - 1)
@example(at_ms=253402300799999)
@example(at_ms=-1)
def test_seconds_with_a_fraction_keep_every_millisecond(at_ms: int) -> None:
    assert instant.decode_s(instant.encode_s(at_ms)) == at_ms


@pytest.mark.parametrize("at_ms", [LAST_S_MS + 1, -LAST_S_MS - 1, 2**60])
def test_an_instant_whose_milliseconds_a_double_of_seconds_would_round_is_refused(
    at_ms: int,
) -> None:
    with pytest.raises(OutOfRange, match="seconds") as caught:
        instant.encode_s(at_ms)
    assert caught.value.limit == LAST_S_MS == instant.LAST_EXACT_S_MS


def test_past_the_limit_the_rounded_seconds_are_given_only_when_asked_for() -> None:
    score = instant.encode_s(LAST_S_MS + 1, past_the_limit=True)
    assert instant.decode_s(score) == LAST_S_MS + 2, "the next double is two milliseconds on"
    with pytest.raises(OutOfRange, match="no double"):
        instant.encode_s(10**400, past_the_limit=True)


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (0, "0 ms"),
        (1, "1 ms"),
        (-1, "1 ms"),
        (999, "999 ms"),
        (1000, "1 s"),
        (1001, "1.001 s"),
        (90_000, "90 s"),
        (119_000, "119 s"),
        (119_999, "119.999 s"),
        (120_000, "2 min"),
        (125_000, "2 min 5 s"),
        (3_600_000, "1 h"),
        (5_400_000, "1 h 30 min"),
        (86_400_000, "1 d"),
        (90_000_000, "1 d 1 h"),
    ],
)
def test_a_span_is_written_in_words(span: int, text: str) -> None:
    assert instant.apart(span) == text
    assert instant.apart(-span) == text


def test_past_the_limit_a_millisecond_is_given_only_when_asked_for() -> None:
    beyond = 2**53 + 1
    with pytest.raises(OutOfRange):
        instant.encode_ms(beyond)
    assert instant.encode_ms(beyond, past_the_limit=True) == beyond
