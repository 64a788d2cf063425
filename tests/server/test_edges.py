"""The edges of a score as people have reported them, each asked of the server again.

The letter and number are those of a public report; data and words are our own.
"""

from __future__ import annotations

from typing import Any

import pytest
import redis
from flask.testing import FlaskClient

from tests.support.figure import JSON
from tests.support.valkey import Valkey


def ask(valkey: Valkey, line: str) -> Any:
    """Send one command as it is written here; an error is an answer too."""
    try:
        return valkey.admin.execute_command(*line.split())
    except redis.exceptions.ResponseError as refusal:
        return f"ERR {refusal}" if not str(refusal).startswith("ERR") else str(refusal)


def text(valkey: Valkey, line: str) -> Any:
    """Send one command from a script: the client would make a float of a score's text."""
    return valkey.admin.eval("return redis.call(unpack(ARGV))", 0, *line.split())


def inside(client: FlaskClient, typed: str) -> dict[str, Any]:
    """Type a score into the figure bits."""
    answer = client.post("/figures/bits/runs", data={"score": typed}, headers=JSON)
    body: dict[str, Any] = answer.get_json()
    return body


# D: what a double cannot hold.


def test_paging_by_the_last_score_repeats_or_skips_what_fell_together(valkey: Valkey) -> None:
    """D03."""
    first = 319545566822428714
    for n in range(4):
        ask(valkey, f"ZADD rows {first + n} row{n}")
    scores = {valkey.admin.execute_command("ZSCORE", "rows", f"row{n}") for n in range(4)}
    assert len(scores) == 1
    every = ["row0", "row1", "row2", "row3"]
    assert ask(valkey, f"ZRANGEBYSCORE rows {first + 1} {first + 1}") == every
    assert ask(valkey, f"ZRANGEBYSCORE rows ({first + 1} +inf") == []


@pytest.mark.parametrize(
    ("typed", "text", "exact"),
    [
        ("9223372036854775807", "9223372036854776000", "9223372036854775808"),
        ("-9223372036854775808", "-9223372036854776000", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709552000", "18446744073709551616"),
    ],
)
def test_the_zeros_at_the_end_of_a_large_score_are_padding(
    client: FlaskClient, typed: str, text: str, exact: str
) -> None:
    """D05."""
    rows = {row["name"]: row["value"] for row in inside(client, typed)["bits"]["rows"]}
    assert rows["the server’s own text"] == text
    assert rows["the exact value"] == exact


@pytest.mark.parametrize(
    ("typed", "stored", "spacing"),
    [
        ("1780226978", "1780226978", "0.0000002384185791015625"),
        ("1780226978123456", "1780226978123456", "0.25"),
        ("1780226978123456789", "1780226978123456768", "256"),
    ],
)
def test_seconds_and_microseconds_fit_and_nanoseconds_do_not(
    client: FlaskClient, typed: str, stored: str, spacing: str
) -> None:
    """D06."""
    body = inside(client, typed)
    rows = {row["name"]: row["value"] for row in body["bits"]["rows"]}
    assert rows["the exact value"] == stored
    assert rows["spacing here"] == spacing
    assert body["score"]["exact"] is (typed == stored)


def test_two_ids_of_one_millisecond_are_one_score(client: FlaskClient) -> None:
    """D08."""
    words = {inside(client, one)["bits"]["word"] for one in ("USR0NbWMtkosp8", "USR0NbWMtkosp9")}
    assert len(words) == 1
    assert "No double is exactly that" in inside(client, "USR0NbWMtkosp8")["sentence"]
    # Node 0, sequence 0: the low bits are 0 and nothing is lost.
    assert inside(client, "JOB0Nb1VTbfnu4")["score"]["exact"]


# E: what is printed, and what passes for a score.


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("1.1", "1.1"), ("-151.99", "-151.99"), ("0.1", "0.1"), ("1e18", "1000000000000000000"),
        ("100000000000000000", "100000000000000000"), ("5e18", "5e+18"),
        # E02: with seven decimals an exponent, with six none.
        ("1700000000.123456", "1700000000.123456"), ("1700000000.1234567", "1.7000000001234567e+9"),
        # E08: as other languages spell them.
        ("1.0E8", "100000000"), ("1.724183254088E12", "1724183254088"),
        ("3.8881537795375E+15", "3888153779537500"),
        ("+5", "5"), (".5", "0.5"), ("5.", "5"), ("5e-324", "5e-324"), ("Infinity", "inf"),
    ],
)  # fmt: skip
def test_the_text_of_a_score_is_the_servers_and_the_double_is_what_was_typed(
    client: FlaskClient, typed: str, text: str
) -> None:
    """E01, E02, E08, E12."""
    score = inside(client, typed)["score"]
    assert score["stored"] == text
    assert float(text) == float(typed)


def test_minus_zero_keeps_its_sign_in_a_large_set_only(valkey: Valkey) -> None:
    """E04."""
    ask(valkey, "ZADD small -0 m")
    for n in range(200):
        ask(valkey, f"ZADD large {n + 1} other{n}")
    ask(valkey, "ZADD large -0 m")
    assert ask(valkey, "OBJECT ENCODING small") == "listpack"
    assert ask(valkey, "OBJECT ENCODING large") == "skiplist"
    assert text(valkey, "ZSCORE small m") == "0"
    assert text(valkey, "ZSCORE large m") == "-0"


def test_fractions_that_are_added_drift(valkey: Valkey) -> None:
    """E10."""
    ask(valkey, "ZADD sum 100 m")
    told = [text(valkey, "ZINCRBY sum 0.1 m") for _ in range(3)]
    assert told == ["100.1", "100.19999999999999", "100.29999999999998"]


@pytest.mark.parametrize("typed", ["NaN", "-1e400", "2e-324", "--1", "1e", "Tue", "1__0"])
def test_what_is_no_score_is_refused_in_the_servers_words(client: FlaskClient, typed: str) -> None:
    """E12."""
    body = inside(client, typed)
    assert body["steps"][0]["reply"] == "(error) ERR value is not a valid float"


@pytest.mark.parametrize("typed", [" 17", "17 ", "\t17"])
def test_blanks_around_a_number_are_left_out_and_that_is_said(
    client: FlaskClient, valkey: Valkey, typed: str
) -> None:
    """E12: the server itself takes none."""
    body = inside(client, typed)
    assert body["score"]["stored"] == "17"
    assert "Blanks around it were left out" in body["sentence"]
    with pytest.raises(redis.exceptions.ResponseError, match="not a valid float"):
        valkey.admin.execute_command("ZADD", "k", typed, "m")


# G: flags, bounds and races.


def test_zadd_counts_what_it_adds_and_with_ch_what_it_changes(valkey: Valkey) -> None:
    """G01."""
    asked = ("ZADD z 1 a", "ZADD z 100 a", "ZADD z CH 100 a", "ZADD z CH 101 a 7 b")
    assert [ask(valkey, line) for line in asked] == [1, 0, 0, 2]


def test_flags_that_exclude_each_other_are_told_so(valkey: Valkey) -> None:
    """G03."""
    pair = "ERR GT, LT, and/or NX options at the same time are not compatible"
    for line, said in (
        ("ZADD z NX XX 1 a", "ERR XX and NX options at the same time are not compatible"),
        ("ZADD z GT LT 1 a", pair),
        ("ZADD z NX GT 1 a", pair),
        ("ZADD z INCR 1 a 2 b", "ERR INCR option supports a single increment-element pair"),
        ("ZADD z 1 a 2", "ERR syntax error"),
    ):
        assert ask(valkey, line).removeprefix("ERR ") in said
    assert ask(valkey, "ZADD z NX INCR 1 a") in ("1", 1.0)
    assert ask(valkey, "ZADD z NX INCR 1 a") is None
    assert ask(valkey, "ZADD z XX INCR 1 nobody") is None


def test_a_member_in_the_place_of_the_score_is_refused_unless_it_is_a_number(
    valkey: Valkey,
) -> None:
    """G04."""
    assert "not a valid float" in ask(valkey, "ZADD q caller 1608531876")
    assert ask(valkey, "ZADD q 901 1608531876") == 1
    # Of several pairs none is written when one is wrong.
    assert "not a valid float" in ask(valkey, "ZADD all 1 good wrong bad")
    assert ask(valkey, "EXISTS all") == 0


def test_bounds_are_included_unless_a_bracket_stands_in_front(valkey: Valkey) -> None:
    """G06."""
    ask(valkey, "ZADD m 1 one 2 two 3 three")
    for line, members in (
        ("ZRANGEBYSCORE m (1 (2", []),
        ("ZRANGEBYSCORE m (1 3", ["two", "three"]),
        ("ZRANGEBYSCORE m 1 (3", ["one", "two"]),
        ("ZRANGEBYSCORE m (-inf (+inf", ["one", "two", "three"]),
    ):
        assert ask(valkey, line) == members
    for line in ("ZRANGEBYSCORE m [1 3", "ZRANGEBYSCORE m 1 NaN"):
        assert "min or max is not a float" in ask(valkey, line)


def test_zrange_takes_ranks_unless_it_is_told_otherwise(valkey: Valkey) -> None:
    """G08."""
    ask(valkey, "ZADD p 1715190000.5 a")
    assert "not an integer" in ask(valkey, "ZRANGE p 0 1715190000.5")
    assert ask(valkey, "ZRANGE p 0 1715190000.5 BYSCORE") == ["a"]
    assert "LIMIT is only supported" in ask(valkey, "ZRANGE p 0 -1 LIMIT 0 1")
    assert ask(valkey, "ZRANGEBYSCORE p -inf +inf LIMIT -1 5") == []
    assert ask(valkey, "ZRANGEBYSCORE p -inf +inf LIMIT 0 -1") == ["a"]


def test_a_member_is_its_bytes_so_changed_json_is_another_one(valkey: Valkey) -> None:
    """G13; G10 and G11 are tests of the lab race."""
    ask(valkey, 'ZADD jobs 1780226978 {"id":"A","attempts":0}')
    assert ask(valkey, 'ZADD jobs XX CH 1780226978 {"id":"A","attempts":1}') == 0
    assert ask(valkey, "ZCARD jobs") == 1
    assert ask(valkey, 'ZADD jobs 1780226978 {"id":"A","attempts":1}') == 1
    assert ask(valkey, "ZCARD jobs") == 2
