"""The JSON of a run, field by field: names and types that other people's programs rely on."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.settings import Settings
from tests.support.figure import JSON, MINE, RUNS, Visitor, ladder
from tests.support.valkey import Valkey

Shape = dict[str, Any]

TEXT_OR_NONE = (str, type(None))
PLACED: Shape = {
    "rank": int,
    "member": str,
    "score": str,
    "facts": {"tier": int, "arrival": int},
    "mine": bool,
}
RUN: Shape = {
    "figure": str,
    "reading": str,
    "design": str,
    "seq": int,
    "inputs": {"tier": int, "arrival": int},
    "notices": [str],
    "address": str,
    "score": {
        "computed": TEXT_OR_NONE,
        "stored": TEXT_OR_NONE,
        "agrees": (bool, type(None)),
        "exact": (bool, type(None)),
        "hex": TEXT_OR_NONE,
        "facts": [{"name": str, "value": int, "bits": [int]}],
        "double": {"sign": int, "exponent": int, "fraction": str},
    },
    "steps": [{"n": int, "by": str, "script": TEXT_OR_NONE, "command": str, "reply": str}],
    "order": [PLACED],
    "position": {"rank": int, "of": int},
    "sentence": str,
    "round_trip_us": int,
    "now_ms": int,
    "clock": str,
    "server": {"software": str, "version": str, "time_ms": int},
    "sandbox": {
        "token": str,
        "expires_in_s": int,
        "commands_left": int,
        "keys_left": int,
        "members_left": int,
    },
}


def assert_shape(value: Any, shape: Any, where: str = "run") -> None:
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        for name, inner in shape.items():
            assert name in value, f"{where}.{name} is missing"
            assert_shape(value[name], inner, f"{where}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for n, item in enumerate(value):
            assert_shape(item, shape[0], f"{where}[{n}]")
    else:
        kinds = shape if isinstance(shape, tuple) else (shape,)
        assert type(value) in kinds, f"{where} is {value!r}"


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    return Visitor(client)


def test_a_move_has_every_field_of_the_contract(visitor: Visitor) -> None:
    assert_shape(visitor.move(2, 17), RUN)


def test_a_serve_has_the_order_before_and_the_guess_as_well(visitor: Visitor) -> None:
    body = visitor.serve(MINE)
    assert_shape(body, RUN | {"order_before": [PLACED]})
    assert_shape(body["guess"], {"said": str, "served": str, "right": bool})


def test_a_run_without_my_job_has_null_where_nothing_can_be_said(visitor: Visitor) -> None:
    visitor.move(1, 1)
    body = visitor.serve()
    score = body["score"]
    assert body["position"] is None
    assert (score["stored"], score["agrees"], score["double"]) == (None, None, None)
    rest = {name: shape for name, shape in RUN.items() if name not in ("position", "score")}
    assert_shape(body, rest)


def test_names_of_figure_reading_and_design_are_those_of_the_course(visitor: Visitor) -> None:
    body = visitor.move(2, 17)
    assert body["figure"] == "composite"
    assert body["reading"] == "packed/priority"
    assert body["design"] == "packed"
    assert body["clock"] in ("pinned", "server")
    assert body["server"]["software"] == "valkey"


@given(
    tier=st.integers(1, 2097152),
    arrival=st.integers(0, 2**32),
)
@example(tier=2, arrival=17)
def test_the_double_in_the_answer_is_the_double_that_was_stored(
    visitor: Visitor, tier: int, arrival: int
) -> None:
    score = visitor.move(tier, arrival, full=True)["score"]
    double = score["double"]
    word = f"{double['sign']:b}{double['exponent']:011b}{double['fraction']}"
    assert len(word) == 64
    (value,) = struct.unpack(">d", int(word, 2).to_bytes(8, "big"))
    assert value == float(score["stored"])


def test_the_bits_of_the_facts_are_the_53_that_a_double_holds(visitor: Visitor) -> None:
    facts = visitor.move(2, 17)["score"]["facts"]
    assert facts == [
        {"name": "tier", "value": 2, "bits": [52, 32]},
        {"name": "arrival", "value": 17, "bits": [31, 0]},
    ]


def test_scores_cross_as_text_so_that_no_program_rounds_them(visitor: Visitor) -> None:
    body = visitor.move(2097151, 4294967295, full=True)
    assert body["score"]["stored"] == "9007199254740991"
    assert body["order"][-1]["score"] == "9007199254740991"


def test_the_sequence_number_is_echoed(visitor: Visitor) -> None:
    assert visitor.ask(seq=7, tier=2, arrival=17)["seq"] == 7
    assert visitor.ask(seq=999_999_999_999_999, tier=2, arrival=17)["seq"] == 999_999_999_999_999


def test_the_sandbox_tells_what_is_left_of_it(visitor: Visitor, settings: Settings) -> None:
    first = visitor.move(2, 17)
    again = visitor.move(3, 17)
    most, minutes = settings.commands_per_minute, settings.sandbox_minutes
    assert first["sandbox"]["commands_left"] == most - len(first["steps"])
    # The count is of a minute of the server's clock.
    minutes_of = [body["server"]["time_ms"] // 60_000 for body in (first, again)]
    before = len(first["steps"]) if minutes_of[0] == minutes_of[1] else 0
    assert again["sandbox"]["commands_left"] == most - before - len(again["steps"])
    # A jitter of 10-20 %, so that a class does not expire at once.
    for body in (first, again):
        assert minutes * 66 <= body["sandbox"]["expires_in_s"] <= minutes * 72


def test_the_token_is_that_of_the_sandbox_in_which_the_run_ran(
    visitor: Visitor, valkey: Valkey
) -> None:
    body = visitor.move(4, 44)
    assert dict(ladder(valkey, body["sandbox"]["token"]))[MINE] == str(4 * 2**32 + 44)


def test_the_json_of_a_run_is_json_that_strict_readers_accept(client: FlaskClient) -> None:
    answer = client.post(RUNS, data={"tier": 2, "arrival": 17}, headers=JSON)
    assert answer.mimetype == "application/json"
    json.loads(answer.text, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/figures/nothing/runs", 404),
        ("GET", "/nothing", 404),
        ("GET", "/figures/nothing", 404),
        ("PUT", "/figures/composite/runs", 405),
        ("POST", "/", 405),
    ],
)
def test_an_error_has_the_fields_of_the_contract(
    client: FlaskClient, method: str, path: str, status: int
) -> None:
    answer = client.open(path, method=method, headers=JSON)
    assert answer.status_code == status
    error = answer.get_json()["error"]
    assert set(error) >= {"code", "sentence", "limit", "retry_after_s"}
    assert isinstance(error["code"], str)
    assert error["sentence"].endswith(".")


def test_more_than_64_kib_is_refused_with_the_limit(client: FlaskClient) -> None:
    answer = client.post(RUNS, data={"tier": "9" * 70_000}, headers=JSON)
    assert answer.status_code == 413
    assert "64" in answer.get_json()["error"]["sentence"]


@pytest.mark.parametrize(
    ("accept", "mimetype"),
    [
        ("application/json", "application/json"),
        ("application/json, */*", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/html, text/event-stream", "text/event-stream"),
        ("text/html", "text/html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("*/*", "text/html"),
        ("", "text/html"),
    ],
)
def test_accept_alone_decides_which_of_three_answers_is_given(
    client: FlaskClient, accept: str, mimetype: str
) -> None:
    for more in ({}, {"HX-Request": "true"}):
        answer = client.post(
            RUNS, data={"tier": 2, "arrival": 17}, headers={"Accept": accept, **more}
        )
        assert answer.status_code == 200
        assert answer.mimetype == mimetype
        assert "8589934609" in answer.text
