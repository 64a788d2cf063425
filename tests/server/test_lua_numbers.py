"""The lab `lua-numbers`: what of a number arrives by each way out of a script, run as it stands."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from decoder.figures.labs.lua_numbers import NUMBERS, WAYS
from decoder.transcripts import command as commands
from tests.server.test_labs import ask
from tests.support.scripts import SCRIPTS
from tests.support.valkey import Valkey

SOURCE = SCRIPTS["labs/lua_numbers"].source
SHORT = ("redis.call", "%.17g", "tostring", "..", "cjson", "return")

ARRIVED = {
    "7122403857137664": (
        dict.fromkeys(("redis.call", "%.17g", "return"), "7122403857137664")
        | dict.fromkeys(("tostring", "..", "cjson"), "7.1224038571377e+15")
        | {"bit.band": "-269680640"}
    ),
    "8589934609": dict.fromkeys(SHORT, "8589934609") | {"bit.band": "17"},
    "9007199254740993": (
        dict.fromkeys(("redis.call", "%.17g", "return"), "9007199254740992")
        | dict.fromkeys(("tostring", "..", "cjson"), "9.007199254741e+15")
        | {"bit.band": "0"}
    ),
    "3.99": dict.fromkeys(SHORT, "3.99")
    | {"%.17g": "3.9900000000000002", "bit.band": "4", "return": "3"},
    "2147483649": dict.fromkeys(SHORT, "2147483649") | {"bit.band": "-2147483647"},
}

LOST = {
    "bits": {"bit.band"},
    "return": {"bit.band", "return"},
    "text": {"bit.band", "tostring", "..", "cjson"},
    "all": set(WAYS),
}
"""Which ways each answer names."""

EVERY_NUMBER = pytest.mark.parametrize("number", NUMBERS)


def rows(body: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the rows of the outcome by the field in which the script keeps each."""
    (table,) = body["lesson"]["outcome"]
    fields = {written: way for way, written in WAYS.items()}
    return {fields[row["name"]]: row for row in table["rows"]}


@EVERY_NUMBER
def test_each_row_is_what_the_script_alone_brings_about(
    client: FlaskClient, valkey: Valkey, number: str
) -> None:
    found = rows(ask(client, "lua-numbers", number=number))
    shown = {way: row["value"] for way, row in found.items()}
    returned = valkey.admin.eval(SOURCE, 1, "plain", number)
    assert shown == {**valkey.admin.hgetall("plain"), "return": str(returned)}
    assert shown == ARRIVED[number]


@EVERY_NUMBER
def test_each_step_is_what_the_script_alone_sends(
    client: FlaskClient, valkey: Valkey, number: str
) -> None:
    steps = ask(client, "lua-numbers", number=number)["steps"]
    shown = [step["command"] for step in steps if step["by"] == "script"]
    sent = []
    with valkey.admin.monitor() as monitor:
        valkey.admin.eval(SOURCE, 1, "arrived", number)
        while len(sent) < len(shown):
            told = monitor.next_command()
            if told["client_type"] == "lua":
                sent.append(told["command"])
    assert [commands.split(one) for one in shown] == [commands.split(one) for one in sent]


@EVERY_NUMBER
def test_the_answer_names_the_ways_that_lose_something(client: FlaskClient, number: str) -> None:
    body = ask(client, "lua-numbers", number=number)
    lost = {
        way for way, row in rows(body).items() if row["note"].startswith(("lost", "another number"))
    }
    assert lost == LOST[body["lesson"]["answer"]]
    others = {way: row["note"] for way, row in rows(body).items() if way not in lost}
    assert set(others.values()) <= {"the same number", "the same double, in other digits"}


@pytest.mark.parametrize(
    ("number", "way", "note"),
    [
        ("7122403857137664", "tostring", "lost: 7122403857137700 is 36 too large"),
        ("9007199254740993", "redis.call", "lost: 9007199254740992 is 1 too small"),
        ("2147483649", "bit.band", "lost: -2147483647 is 4294967296 too small"),
        ("3.99", "return", "another number: 3"),
        ("3.99", "%.17g", "the same double, in other digits"),
    ],
)
def test_a_row_says_what_was_lost(client: FlaskClient, number: str, way: str, note: str) -> None:
    assert rows(ask(client, "lua-numbers", number=number))[way]["note"] == note


def test_bit_band_puts_an_arrival_into_tier_0(client: FlaskClient, valkey: Valkey) -> None:
    said = ask(client, "lua-numbers", number="2147483649")["sentence"]
    assert "the score 2147483649, which reads as tier 0; n % 2³² makes 6442450945." in said
    made = """local n = tonumber(ARGV[1])
        return {string.format('%.17g', 2^32 + bit.band(n, 0xffffffff)),
                string.format('%.17g', 2^32 + n % 2^32)}"""
    assert valkey.admin.eval(made, 0, "2147483649") == ["2147483649", "6442450945"]


def test_a_score_that_went_through_text_is_another_score(
    client: FlaskClient, valkey: Valkey
) -> None:
    for way, row in rows(ask(client, "lua-numbers", number="7122403857137664")).items():
        valkey.admin.zadd("scores", {way: row["value"]})
    stored = {way: int(valkey.admin.zscore("scores", way)) for way in WAYS}
    assert stored == {
        way: {"tostring": 7122403857137700, "..": 7122403857137700, "cjson": 7122403857137700,
              "bit.band": -269680640}.get(way, 7122403857137664)
        for way in WAYS
    }  # fmt: skip
