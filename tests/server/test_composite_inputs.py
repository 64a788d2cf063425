"""Bad and missing values: never a 5xx, always a notice with the limit and the nearest value."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.figure import (
    FIGURE,
    HTML,
    JSON,
    RUNS,
    STREAM,
    Page,
    Visitor,
    messages,
)
from tests.support.valkey import Valkey

# A text, and the tier it becomes in 1..5. What cannot be read as a number becomes the default 2.
BAD_TIERS = [
    ("0", 1),
    ("-1", 1),
    ("-0.5", 1),
    ("6", 5),
    ("5.0000001", 5),
    ("99999999999999999999999999", 5),
    ("9" * 10_000, 5),
    ("-" + "9" * 10_000, 1),
    ("1e999", 5),
    ("-1e999", 1),
    ("1e-999", 1),
    ("1e999999999", 5),
    ("inf", 5),
    ("-inf", 1),
    ("Infinity", 5),
    ("2.7", 3),
    ("4.2", 4),
    ("0." + "9" * 10_000, 1),
    ("2097152", 5),
    ("nan", 2),
    ("-nan", 2),
    ("sNaN", 2),
    ("abc", 2),
    ("", 2),
    ("   ", 2),
    ("0x10", 2),
    ("1,5", 2),
    ("--3", 2),
    ("3 4", 2),
    ("\x00", 2),
    ("3\x00", 2),
    ("\x1b[31m", 2),
    ("💣" * 2_500, 2),
    ("é", 2),
    ("∞", 2),
    ("<script>alert(1)</script>", 2),
    ("'\"><img src=x onerror=alert(1)>", 2),
    ("a" * 10_240, 2),
    ("\u202e3", 2),
    ("3\r\nSet-Cookie: a=b", 2),
    ("\nid: 1/order", 2),
]


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    return Visitor(client)


def mentions(notices: list[str], *words: object) -> bool:
    return any(all(str(word) in notice for word in words) for notice in notices)


@pytest.mark.parametrize(("text", "tier"), BAD_TIERS)
def test_a_bad_tier_moves_to_the_nearest_valid_one_with_a_notice(
    visitor: Visitor, text: str, tier: int
) -> None:
    answer = visitor.post(JSON, tier=text, arrival=17)
    assert answer.status_code == 200
    body = answer.get_json()
    assert body["inputs"] == {"tier": tier, "arrival": 17}
    if text.strip():
        assert mentions(body["notices"], "1 to 5", tier)
    else:
        assert mentions(body["notices"], "missing", tier)
    assert len(answer.data) < 8192


@pytest.mark.parametrize(("text", "tier"), BAD_TIERS)
def test_a_bad_tier_does_no_harm_to_page_stream_or_address(
    visitor: Visitor, text: str, tier: int
) -> None:
    page = visitor.post(HTML, tier=text, arrival=17)
    stream = visitor.post(STREAM, tier=text, arrival=17)
    opened = visitor.client.get(FIGURE, query_string={"tier": text, "arrival": 17})
    for answer in (page, opened):
        assert answer.status_code == 200
        read = Page(answer.text.replace("\x00", "?"))
        assert read.field("tier") == str(tier)
        assert read.notices
    assert len(messages(stream.text)) == 3
    assert f'data-tier="{tier}"' in stream.text
    for answer in (page, stream, opened):
        assert not re.search(r"<script>|<img src=x", answer.text)
        assert "Set-Cookie" not in answer.headers


def test_what_a_notice_repeats_is_text_and_nothing_else(visitor: Visitor) -> None:
    for text in ("{{7*7}}", "<b>x</b>", "&amp;", "%(x)s"):
        page = Page(visitor.post(HTML, tier=text, arrival=17).text)
        assert mentions(page.notices, text)


@pytest.mark.parametrize(
    ("text", "arrival", "full"),
    [
        ("0", 1, False),
        ("1000", 999, False),
        ("-5", 0, True),
        ("4294967297", 4294967296, True),
        ("1e10", 4294967296, True),
        ("18446744073709551616", 4294967296, True),
        ("x", 17, True),
    ],
)
def test_a_bad_arrival_moves_to_the_nearest_of_the_range_in_force(
    visitor: Visitor, text: str, arrival: int, full: bool
) -> None:
    body = visitor.ask(tier=2, arrival=text, full=1 if full else None)
    assert body["inputs"]["arrival"] == arrival
    limits = "0 to 4294967296" if full else "1 to 999"
    assert mentions(body["notices"], limits, arrival)


def test_the_full_range_of_the_tier_ends_one_past_the_limit(visitor: Visitor) -> None:
    body = visitor.ask(tier=2097153, arrival=17, full=1)
    assert body["inputs"]["tier"] == 2097152
    assert mentions(body["notices"], "1 to 2097152", 2097152)


def test_leaving_the_full_range_brings_the_job_back_into_the_short_one(visitor: Visitor) -> None:
    visitor.move(2097152, 4294967296, full=True)
    body = visitor.ask(tier=2097152, arrival=4294967296)
    assert body["inputs"] == {"tier": 5, "arrival": 999}
    assert len(body["notices"]) == 2


@pytest.mark.parametrize("text", ["3", " 3 ", "3.0", "+3", "3e0", "03"])
def test_a_number_written_differently_is_that_number(visitor: Visitor, text: str) -> None:
    body = visitor.ask(tier=text, arrival=17)
    assert body["inputs"]["tier"] == 3
    assert body["notices"] == []


def test_missing_inputs_are_the_defaults_with_a_notice_each(visitor: Visitor) -> None:
    body = visitor.ask()
    assert body["inputs"] == {"tier": 2, "arrival": 17}
    assert mentions(body["notices"], "tier", "missing", 2)
    assert mentions(body["notices"], "Arrival", "missing", 17)
    assert body["position"] == {"rank": 4, "of": 10}


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "multipart/form-data"])
@pytest.mark.parametrize("data", [b"", b'{"tier": 3}', b"\xff\x00\xfe", b"--x\r\nbroken"])
def test_a_body_that_is_no_form_is_a_move_to_the_defaults(
    client: FlaskClient, content_type: str, data: bytes
) -> None:
    answer = client.post(RUNS, data=data, content_type=content_type, headers=JSON)
    assert answer.status_code == 200
    assert answer.get_json()["inputs"] == {"tier": 2, "arrival": 17}
    assert answer.get_json()["notices"]


@pytest.mark.parametrize("raw", [b"%ff%fe", b"%ED%A0%80", b"%00", b"%", b"%zz", b"\xff"])
def test_bytes_that_are_no_utf_8_are_no_number(client: FlaskClient, raw: bytes) -> None:
    answer = client.post(
        RUNS,
        data=b"tier=" + raw + b"&arrival=17&guess=" + raw + b"&token=" + raw + b"&action=" + raw,
        content_type="application/x-www-form-urlencoded",
        headers=JSON,
    )
    assert answer.status_code == 200
    assert answer.get_json()["inputs"] == {"tier": 2, "arrival": 17}
    assert answer.get_json()["notices"]
    opened = client.get(f"{FIGURE}?tier={raw.decode('latin-1')}&then={raw.decode('latin-1')}")
    assert opened.status_code == 200


HOSTILE = [
    "\x00",
    "💣" * 2_500,
    "a" * 10_240,
    "1e999",
    "nan",
    "-1",
    "9" * 400,
    "<script>alert(1)</script>",
    "a,b",
    "JOB0Nb1VTbfnu4,add",
    "../../etc/passwd",
    "'; return redis.call('FLUSHALL') --",
    "{sbx:x}",
    "%s%n",
    "\r\nX: y",
    "٣",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_guess_that_names_no_job_is_no_right_guess_and_said(visitor: Visitor, text: str) -> None:
    answer = visitor.post(JSON, action="serve", guess=text)
    assert answer.status_code == 200
    body = answer.get_json()
    assert len(body["order"]) == 9
    if "guess" in body:
        assert body["guess"]["said"] == text
        assert body["guess"]["right"] is False
        assert "not waiting" in body["sentence"]
    else:
        assert mentions(body["notices"], "name of a job")
    assert visitor.client.get(body["address"]).status_code == 200
    assert len(answer.data) < 8192


@pytest.mark.parametrize("text", HOSTILE)
def test_an_unknown_action_is_a_move_with_a_notice(visitor: Visitor, text: str) -> None:
    answer = visitor.post(JSON, action=text, tier=3, arrival=33)
    body = answer.get_json()
    assert answer.status_code == 200
    assert body["inputs"] == {"tier": 3, "arrival": 33}
    assert mentions(body["notices"], "nothing this figure does")
    assert len(body["order"]) == 10


@pytest.mark.parametrize("text", HOSTILE)
def test_a_token_that_is_not_ours_is_a_fresh_sandbox_with_a_notice(
    visitor: Visitor, text: str
) -> None:
    body = visitor.ask(token=text, tier=3, arrival=33)
    assert mentions(body["notices"], "fresh sandbox")
    assert body["position"]["of"] == 10


@pytest.mark.parametrize("text", [*HOSTILE, "", "1.5", " 7", "+7", "0x7", "१", "1" * 16])
def test_a_sequence_number_that_is_none_stops_no_move(visitor: Visitor, text: str) -> None:
    visitor.ask(seq=5, tier=2, arrival=17)
    answer = visitor.post(JSON, seq=text, tier=3, arrival=33)
    assert answer.status_code == 200
    body = answer.get_json()
    assert body["inputs"] == {"tier": 3, "arrival": 33}
    assert isinstance(body["seq"], int)
    for message in messages(visitor.post(STREAM, seq=text, tier=3, arrival=33).text):
        assert re.fullmatch(r"\d+/(score|commands|order)", message.ids[0])


@pytest.mark.parametrize(
    "text",
    [*HOSTILE, "tier", "tier:", "tier:2", "tier:-1:1", "score:1", "tier:1e9", ":", "tier:−1"],
)
def test_a_button_that_does_not_exist_presses_nothing(visitor: Visitor, text: str) -> None:
    body = visitor.ask(nudge=text, tier=3, arrival=33)
    assert body["inputs"] == {"tier": 3, "arrival": 33}


@pytest.mark.parametrize(
    ("nudge", "tier", "arrival", "limit"),
    [
        ("tier:-1", 1, 33, "1 to 5"),
        ("tier:1", 5, 33, "1 to 5"),
        ("arrival:-1", 3, 1, "1 to 999"),
        ("arrival:1", 3, 999, "1 to 999"),
    ],
)
def test_a_button_pressed_at_the_end_stays_there_with_a_notice(
    visitor: Visitor, nudge: str, tier: int, arrival: int, limit: str
) -> None:
    body = visitor.ask(nudge=nudge, tier=tier, arrival=arrival)
    assert body["inputs"] == {"tier": tier, "arrival": arrival}
    assert mentions(body["notices"], limit)


@pytest.mark.parametrize(
    "text", [*HOSTILE, "//evil.example", "https://evil.example/", "/nothing", "/figures/nothing"]
)
def test_a_page_that_does_not_exist_is_the_figures_own(visitor: Visitor, text: str) -> None:
    page = Page(visitor.post(HTML, page=text, tier=3, arrival=33).text)
    assert page.field("page") == FIGURE
    assert page.address == f"{FIGURE}?tier=3&arrival=33"
    stream = visitor.post(STREAM, page=text, tier=3, arrival=33).text
    assert f'href="{FIGURE}?tier=3&amp;arrival=33"' in stream


@pytest.mark.parametrize("text", [*HOSTILE, "0", "no", "yes"])
def test_a_switch_that_is_not_on_is_off(visitor: Visitor, text: str) -> None:
    assert visitor.ask(full=text, tier=9, arrival=17)["inputs"]["tier"] == 5


FIELDS = ["tier", "arrival", "guess", "nudge", "token", "seq", "page", "action", "full", "then"]


@given(
    fields=st.dictionaries(
        st.sampled_from([*FIELDS, "was_tier", "was_arrival"]), st.text(max_size=200), max_size=8
    ),
    headers=st.sampled_from([JSON, HTML, STREAM]),
)
@settings(max_examples=150)
def test_no_fields_whatsoever_make_the_server_fail(
    client: FlaskClient, valkey: Valkey, fields: dict[str, Any], headers: dict[str, str]
) -> None:
    valkey.admin.flushall()
    # What a browser cannot send: lone surrogates have no UTF-8.
    sent = {name: value.encode("utf-8", "ignore").decode() for name, value in fields.items()}
    answer = client.post(RUNS, data=sent, headers=headers)
    assert answer.status_code == 200
    if headers is STREAM:
        assert "/failure" not in answer.text
    assert client.get(FIGURE, query_string=sent).status_code == 200
    assert all(name.startswith("{sbx:") for name in valkey.admin.keys("*"))


def test_a_field_sent_a_hundred_times_is_read_once(client: FlaskClient) -> None:
    answer = client.post(
        RUNS,
        data="&".join(["tier=3&arrival=33"] * 100),
        content_type="application/x-www-form-urlencoded",
        headers=JSON,
    )
    assert answer.status_code == 200
    assert answer.get_json()["inputs"] == {"tier": 3, "arrival": 33}
