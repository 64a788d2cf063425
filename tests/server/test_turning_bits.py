"""A bit of a stored score is turned over inside the figures: another score, stored and read."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decoder.readings.catalogue import READINGS
from tests.server.test_three_readings import DUE, MINE, Reader, opened
from tests.support.figure import Page, Visitor

pytestmark = pytest.mark.sample
SLOW = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
ORDERED = [name for name in READINGS if name != "one-number/order"]


def turned(score: float, bit: int) -> float:
    """Turn a bit over, as memory holds it."""
    (word,) = struct.unpack(">Q", struct.pack(">d", score))
    (value,) = struct.unpack(">d", struct.pack(">Q", word ^ (1 << bit)))
    return float(value)


def turn(visitor: Reader | Visitor, bit: object, **fields: Any) -> dict[str, Any]:
    return dict(visitor.ask(toggle=bit, **fields))


@SLOW
@given(tier=st.integers(1, 2**21 - 1), arrival=st.integers(0, 2**32 - 1), bit=st.integers(0, 63))
def test_in_the_composite_a_bit_is_another_tier_or_arrival(
    client: FlaskClient, tier: int, arrival: int, bit: int
) -> None:
    body = turn(Visitor(client), bit, tier=tier, arrival=arrival, full="1")
    score = body["score"]
    meant = turned(tier * 2**32 + arrival, bit)
    nearest = min(max(meant, 2**32), 2**53 - 1) if meant == meant else tier * 2**32 + arrival
    assert abs(int(score["computed"]) - nearest) <= 0.5
    assert score["agrees"] is True
    assert bool(body["notices"]) is (meant != int(score["computed"]))
    assert [one["value"] for one in score["facts"]] == list(divmod(int(score["computed"]), 2**32))
    again = Page.opened(client, body["address"])
    assert again.notices == []


def test_a_bit_past_the_plain_range_opens_the_full_one(client: FlaskClient) -> None:
    visitor = Visitor(client)
    body = turn(visitor, 51, tier=2, arrival=17)
    assert body["inputs"] == {"tier": 3, "arrival": 17}
    assert "full=1" not in body["address"]
    body = turn(visitor, 30, tier=2, arrival=17)
    assert body["inputs"] == {"tier": 2, "arrival": 17 + 2**11}
    assert "full=1" in body["address"]


@pytest.mark.parametrize("bit", ["64", "-1", "x", "٣", "9" * 900])
@pytest.mark.parametrize("figure", ["composite", "three-readings"])
def test_what_is_no_bit_is_told_and_the_score_stays(
    client: FlaskClient, figure: str, bit: str
) -> None:
    visitor = Visitor(client) if figure == "composite" else Reader(client)
    fields = {} if figure == "composite" else {"reading": "packed/priority"}
    body = turn(visitor, bit, **fields, tier=2, arrival=17, score="8589934609")
    (notice,) = body["notices"]
    assert "Bits run from 0 to 63" in notice
    assert len(notice) < 100
    assert body["score"]["stored"] == "8589934609"


@pytest.mark.parametrize("reading", ORDERED)
@SLOW
@given(bit=st.integers(0, 63))
def test_in_every_reading_the_server_stores_the_turned_score_and_reads_it_back(
    client: FlaskClient, reading: str, bit: int
) -> None:
    reader = Reader(client)
    start = reader.step(reading, 2)["score"]["stored"]
    body = turn(reader, bit, reading=reading, score=start)
    meant, stored = turned(float(start), bit), int(body["score"]["stored"])
    least = 2**32 if reading == "packed/priority" else 0
    # A score of milliseconds keeps a date of four-digit years.
    most = 253402300799999 if READINGS[reading].encoding == "milliseconds" else 2**53 - 1
    nearest = min(max(meant, least), most) if meant == meant else float(start)
    assert abs(stored - nearest) <= 0.5
    assert bool(body["notices"]) is (meant != stored)
    assert body["score"]["agrees"] is True
    assert body["score"]["facts"]
    assert body["read_back"]["facts"] == READINGS[reading].conclude(float(stored)).facts
    assert body["address"].endswith(f"then=at-{stored}")
    page = opened(client, body["address"])
    assert page.notices == []
    assert page.sentence == body["sentence"]


def test_a_set_of_zeros_stays_one(client: FlaskClient) -> None:
    reader = Reader(client)
    for bit in (0, 51, 62, 63):
        body = turn(reader, bit, reading="one-number/order", score="0")
        assert body["score"]["stored"] == "0"
        assert bit == 63 or "Every score here is 0" in body["notices"][0]


def test_bits_that_are_turned_in_a_row_are_one_entry_of_the_address(client: FlaskClient) -> None:
    reader, score = Reader(client), "8589934609"
    for bit in range(20, 40):
        body = turn(reader, bit, reading="packed/priority", score=score)
        score = body["score"]["stored"]
        assert body["notices"] == []
    assert body["address"].endswith(f"&then=at-{score}")


@pytest.mark.parametrize("reading", ORDERED)
def test_what_is_done_after_a_turned_bit_agrees_with_the_server(
    client: FlaskClient, reading: str
) -> None:
    for action in [one.name for one in READINGS[reading].actions if one.label] + ["read"]:
        reader = Reader(client)
        start = reader.step(reading, 2)["score"]["stored"]
        turn(reader, 20, reading=reading, score=start)
        body = reader.do(reading, action, now_ms=DUE)
        assert body["score"]["agrees"] in (True, None), action
        assert (body["score"]["stored"] is None) is (body["score"]["agrees"] is None)
        assert opened(client, body["address"]).sentence == body["sentence"], action


@pytest.mark.parametrize("score", ["", "x", "-1", "1e3", "9" * 17, "8589934609.5"])
def test_what_is_no_score_is_told_and_nothing_stored(client: FlaskClient, score: str) -> None:
    for more in ({"toggle": "3"}, {"action": "at"}):
        body = Reader(client).ask(reading="packed/priority", score=score, **more)
        assert "o score" in body["notices"][0]
        assert body["score"]["stored"] == "8589934609"


def test_a_score_beyond_its_set_becomes_the_nearest(client: FlaskClient) -> None:
    body = Reader(client).ask(reading="packed/priority", action="at", score="17")
    assert body["score"]["stored"] == str(2**32)
    assert "17" in body["notices"][0]
    page = opened(client, "/figures/three-readings?reading=packed/priority&then=at-17")
    assert (MINE, str(2**32)) in page.order
