"""The figure `bits`: every double, as the server keeps it, against a decoder of our own here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from decoder.readings.catalogue import READINGS
from tests.support.figure import HTML, JSON, STREAM, Page

RUNS = "/figures/bits/runs"


def store(client: FlaskClient, **fields: object) -> dict[str, Any]:
    answer = client.post(RUNS, data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def digits_of(body: dict[str, Any]) -> str:
    return "".join(one["digits"] for one in body["bits"]["fields"])


def value_of(digits: str) -> Fraction:
    """Work out what 64 bits are worth, by the definition: no struct, no float."""
    sign, exponent, fraction = digits[0], int(digits[1:12], 2), int(digits[12:], 2)
    assert exponent != 2047
    whole = fraction + (2**52 if exponent else 0)
    size = Fraction(whole) * Fraction(2) ** (max(exponent, 1) - 1075)
    return -size if sign == "1" else size


def row(body: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in body["bits"]["rows"] if one["name"] == name)


@pytest.fixture(scope="module")
def token(shared_app: Flask) -> str:
    """Name one sandbox for all that hypothesis asks."""
    return str(store(shared_app.test_client())["sandbox"]["token"])


@settings(max_examples=300, deadline=None)
@given(word=st.integers(0, 2**64 - 1) | st.floats(allow_nan=False).map(repr))
@example(word="5e-324")
@example(word="2.2250738585072014e-308")
@example(word="1.7976931348623157e+308")
def test_the_cells_are_the_bits_of_every_double_that_is_typed(
    shared_app: Flask, token: str, word: int | str
) -> None:
    text = word if isinstance(word, str) else str(word)
    body = store(shared_app.test_client(), token=token, score=text)
    stored = body["score"]["stored"]
    assume(text != "-0.0")
    if "inf" in text:
        assert stored in ("inf", "-inf")
        return
    digits = digits_of(body)
    assert len(digits) == 64
    assert value_of(digits) == Fraction(float(text)) == Fraction(float(stored))
    assert Fraction(row(body, "the exact value")["value"]) == value_of(digits)
    below, above = (
        Fraction(float(row(body, f"the double {way}")["value"]))
        if "inf" not in row(body, f"the double {way}")["value"] else None
        for way in ("below", "above")
    )  # fmt: skip
    worth = value_of(digits)
    assert below is None or below < worth
    assert above is None or worth < above


@settings(max_examples=200, deadline=None)
@given(word=st.integers(0, 2**64 - 1), bit=st.integers(0, 63))
@example(word=0, bit=63)
@example(word=0x7FE0000000000001, bit=52)
def test_a_cell_that_is_pressed_turns_over_its_bit_alone(
    shared_app: Flask, token: str, word: int, bit: int
) -> None:
    body = store(shared_app.test_client(), token=token, word=f"{word:016x}", toggle=bit)
    expected = word ^ (1 << bit)
    exponent, fraction = expected >> 52 & 2047, expected & (2**52 - 1)
    if exponent == 2047 and fraction:
        assert body["score"]["stored"] is None
        assert "ERR value is not a valid float" in body["sentence"]
        assert "NaN is no number" in body["sentence"]
        assert f"bits={expected:016x}" in body["address"]
    elif expected == 1 << 63:
        assert body["score"]["stored"] == "0"
        assert "the sign of −0 is lost" in body["sentence"]
        expected = 0
    assert int(body["bits"]["word"], 16) == expected
    assert int(digits_of(body), 2) == expected


REFUSED = "ERR value is not a valid float"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("nan", "NaN is no number"),
        ("-nan", "NaN is no number"),
        ("1e400", "past the largest double"),
        ("-1e400", "past the largest double"),
        ("1e-400", "nearer to 0 than the smallest double"),
        ("abc", "A score is a decimal number"),
        ("12 34", "A score is a decimal number"),
        ("1,5", "A score is a decimal number"),
        ("0x", "A score is a decimal number"),
        ("2^99999", "A score is a decimal number"),
        ("2026-13-45", "A score is a decimal number"),
        ("\x00", "A score is a decimal number"),
        ("日", "A score is a decimal number"),
    ],
)
def test_what_is_no_score_gets_the_servers_own_refusal_and_our_explanation(
    client: FlaskClient, typed: str, why: str
) -> None:
    body = store(client, score=typed)
    assert body["score"]["stored"] is None
    first = body["steps"][0]
    assert first["command"].startswith("ZADD")
    assert first["reply"] == f"(error) {REFUSED}"
    assert f"Valkey refused it: {REFUSED}. " in body["sentence"]
    assert why in body["sentence"]


@pytest.mark.parametrize("typed", ["NX", "XX", "GT", "LT", "CH", "INCR", "", " "])
def test_a_word_of_the_command_is_no_score_either(client: FlaskClient, typed: str) -> None:
    body = store(client, score=typed)
    assert body["score"]["stored"] is None
    assert "Valkey refused it: ERR" in body["sentence"]


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("8589934609", "8589934609"),
        ("0x0000000200000011", "8589934609"),
        ("8 589 934 609", "8589934609"),
        ("2^53-1", "9007199254740991"),
        ("-2**10", "-1024"),
        ("6.02e23", "6.02e+23"),
        ("inf", "inf"),
        ("+inf", "inf"),
        ("-Infinity", "-inf"),
        ("2026-05-31T11:28:08Z", "1780226888000"),
        ("2026-05-31T13:28:08+02:00", "1780226888000"),
        ("2026-05-31", "1780185600000"),
        ("JOB0Nb1VTbfnu4", "319436884017152000"),
        ("1700000000.1234567", "1.7000000001234567e+9"),
    ],
)
def test_a_score_can_be_typed_in_every_form_that_people_use(
    client: FlaskClient, typed: str, stored: str
) -> None:
    body = store(client, score=typed)
    assert body["score"]["stored"] == stored
    assert body["score"]["agrees"]
    assert Page(client.get(body["address"]).text).tree.xpath('//input[@id="bits_said"]/@value') == [
        typed
    ]


@pytest.mark.parametrize(
    ("typed", "changes"),
    [("9007199254740991", True), ("9007199254740992", False), ("1e18", False), ("0.1", True)],
)
def test_whether_one_more_changes_anything_is_asked_of_the_server(
    client: FlaskClient, typed: str, changes: bool
) -> None:
    body = store(client, score=typed)
    (asked,) = [s for s in body["steps"] if s["command"].startswith("ZINCRBY")]
    answered = asked["reply"].strip('"')
    assert row(body, "after ZINCRBY 1")["value"] == answered
    assert (float(answered) != float(body["score"]["stored"])) is changes
    said = "Adding 1 changes it." if changes else "Adding 1 changes nothing here"
    assert said in body["sentence"]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("8589934609", "9007190664806383 below it"),
        ("2^53", "0: this is 2⁵³ itself"),
        ("2^53+2", "2 past it"),
        ("-1", "9007199254740991 below it"),
        ("0.5", "9007199254740991.5 below it"),
        ("inf", "no number is as far away"),
    ],
)
def test_it_says_how_far_it_is_to_2_to_the_53(client: FlaskClient, typed: str, says: str) -> None:
    assert row(store(client, score=typed), "to 2⁵³")["value"] == says


def test_spacing_grows_with_the_number(client: FlaskClient) -> None:
    for typed, spacing in (
        ("2^52", "1"),
        ("2^53", "2"),
        ("1e18", "128"),
        ("1009651914519660544", "128"),
    ):
        assert row(store(client, score=typed), "spacing here")["value"] == spacing


@pytest.mark.parametrize(
    ("reading", "typed", "parts"),
    [
        # Of tier 2 the upper bit is implied.
        ("packed/priority", "8589934609",
         [("tier", "0"), ("arrival", f"{17:032b}"), ("fraction", "0" * 19)]),
        ("packed/fire-time", "7291809701888000",
         [("due_ms", f"{1780226978000:b}"[1:]), ("slot", "0" * 12)]),
        ("one-number/fire-time", "1780226978000",
         [("due_ms", f"{1780226978000:b}"[1:]), ("fraction", "0" * 12)]),
        ("one-number/order", "3.5", [("integer", "1"), ("fraction", "1" + "0" * 50)]),
    ],
)  # fmt: skip
def test_the_numbers_own_bits_lie_where_the_double_has_them_in_the_colours_of_the_reading(
    client: FlaskClient, reading: str, typed: str, parts: list[tuple[str, str]]
) -> None:
    body = store(client, score=typed, reading=reading)
    found = [(one["of"], one["digits"]) for one in body["bits"]["fields"][2:]]
    assert [name for name, _ in found] == [name for name, _ in parts]
    assert "".join(d for _, d in found)[: len("".join(d for _, d in parts))] == "".join(
        d for _, d in parts
    )


def test_the_readings_follow_the_bits(client: FlaskClient) -> None:
    first = store(client)
    says = {one["reading"]: one["says"] for one in first["bits"]["meanings"]}
    assert says["packed/priority"] == "Tier 2, arrival number 17."
    assert list(says) == list(READINGS)
    lowest = 63 - digits_of(first).rindex("1")
    after = store(client, word=first["bits"]["word"][2:], toggle=lowest)
    says = {one["reading"]: one["says"] for one in after["bits"]["meanings"]}
    assert says["packed/priority"] == "Tier 2, arrival number 16."


def test_below_zero_and_at_infinity_nothing_has_a_meaning(client: FlaskClient) -> None:
    for typed in ("-1", "inf", "-inf"):
        assert store(client, score=typed)["bits"]["meanings"] == []
    assert "None of our readings" in client.get("/figures/bits?score=inf").text


def test_one_score_costs_five_commands_and_leaves_no_key(client: FlaskClient) -> None:
    body = store(client)
    assert len(body["steps"]) == 5
    assert (
        store(client, token=body["sandbox"]["token"])["sandbox"]["keys_left"]
        == (body["sandbox"]["keys_left"])
    )


@pytest.mark.parametrize(
    "typed", ["8589934609", "5e-324", "-1.7976931348623157e308", "x" * 400, "2^53-1"]
)
def test_an_answer_weighs_at_most_8_kib(client: FlaskClient, typed: str) -> None:
    for headers in (JSON, STREAM):
        weight = len(client.post(RUNS, data={"score": typed}, headers=headers).data)
        assert weight <= 8192, (headers, weight)


def test_the_64_cells_are_buttons_that_work_without_scripts(client: FlaskClient) -> None:
    page = Page(client.get("/figures/bits").text)
    cells = page.tree.xpath('//form//button[@name="toggle"]')
    assert [cell.get("value") for cell in cells] == [str(n) for n in range(63, -1, -1)]
    (word,) = page.tree.xpath('//input[@name="word"]/@value')
    answer = client.post(RUNS, data={"word": word, "toggle": "63"}, headers=HTML)
    after = Page(answer.text)
    assert after.tree.xpath('//input[@id="bits_said"]/@value') == ["-8589934609"]
