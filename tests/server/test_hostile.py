"""Hostile text in every field of every figure: nothing outside one's own sandbox is touched."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.figures import FIGURES
from decoder.readings.catalogue import READINGS
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.support.course import page, write
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

ACCEPTS = ("application/json", "text/html, text/event-stream", "text/html")

HOSTILE = {
    "quotes": '\'"`\\"; DROP',
    "braces": "{sbx:}}{:{{",
    "globs": "*?[a-z]{sbx:*",
    "lines": "a\r\nFLUSHALL\r\nSET x y\r\n",
    "nul": "JOB\x00evil\x00",
    "unicode": "т͟ест‮🧨" + "\u2028" * 20,
    "lone byte": "\udcff\udc80",
    "number": "1e999999999",
    "negative": "-9223372036854775809",
    "lua": "1); redis.call('FLUSHALL') --",
    "operation": "=x,k1,#y,@9,~note,?script",
    "record": "|composite;9999999999;0;;at-1-1",
    "html": "<script>alert(1)</script><hx-partial hx-target=body>",
    "long": "9" * 50_000,
}


@pytest.fixture
def unlimited(valkey: Valkey) -> Flask:
    limits = {"commands_per_minute": 10**9, "sandboxes_per_minute": 10**6}
    return create_app(Settings(valkey_url=valkey.url, secret=SECRET, **limits))


def post(client: FlaskClient, figure: str, accept: str, fields: dict[str, Any]) -> Any:
    return client.post(f"/figures/{figure}/runs", data=fields, headers={"Accept": accept})


def sandbox_of(token: str) -> str:
    return "{sbx:" + token.split(".")[0] + "}"


def everything(valkey: Valkey, *, but: str) -> dict[str, bytes]:
    """Return each key's whole content, except those of one sandbox and the counted addresses."""
    keys = [
        key
        for key in valkey.admin.scan_iter("*", count=1000)
        if not key.startswith((but, "{sbx:limits}"))
    ]
    raw = valkey.raw
    return {key: raw.dump(key) for key in sorted(keys)}


def states(figure: str) -> list[dict[str, str]]:
    """Return the fields that lead to each part of a figure: its readings, where it has some."""
    if "reading" not in FIGURES[figure].FIELDS:
        return [{}]
    return [{"reading": name} for name in READINGS]


# Each kind of text goes to one figure within `make test`, and to each within `test-all`.
@pytest.mark.parametrize(
    ("kind", "figure"),
    [
        pytest.param(kind, figure, marks=() if n % len(FIGURES) == m else pytest.mark.long)
        for n, kind in enumerate(HOSTILE)
        for m, figure in enumerate(FIGURES)
    ],
)
def test_every_action_with_hostile_text_touches_only_its_own_sandbox(
    unlimited: Flask, valkey: Valkey, figure: str, kind: str
) -> None:
    client, module = unlimited.test_client(), FIGURES[figure]
    text = HOSTILE[kind].encode("utf-8", "surrogateescape")
    neighbour = post(client, figure, ACCEPTS[0], {}).json["sandbox"]["token"]
    valkey.admin.set("foreign", "untouched")
    own = post(client, figure, ACCEPTS[0], {}).json["sandbox"]["token"]
    before = everything(valkey, but=sandbox_of(own))
    assert any(key.startswith(sandbox_of(neighbour)) for key in before)
    fields = [*module.FIELDS, "seq", "guess", "nudge", "full", "page", "action", "then"]
    # Each action where it belongs, so that its script runs, and every field in every kind of
    # answer: by turns where a figure has many readings.
    places = states(figure)
    cases = itertools.product(places, module.ACTIONS, fields)
    for n, (state, action, field) in enumerate(cases):
        turn = ACCEPTS[(n + n // len(fields)) % len(ACCEPTS)]
        for accept in [turn] if len(places) > 1 else ACCEPTS:
            answer = post(
                client, figure, accept, {"token": own, **state, "action": action, field: text}
            )
            assert answer.status_code < 500, answer.text
            assert answer.is_json or b"<script>alert" not in answer.data
    after = everything(valkey, but=sandbox_of(own))
    assert after == before


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_token_or_address_opens_a_fresh_sandbox_and_touches_no_other(
    unlimited: Flask, valkey: Valkey, figure: str, kind: str
) -> None:
    client, module = unlimited.test_client(), FIGURES[figure]
    text = HOSTILE[kind].encode("utf-8", "surrogateescape")
    neighbour = post(client, figure, ACCEPTS[0], {}).json["sandbox"]["token"]
    forged = neighbour.rsplit(".", 1)[0].encode() + b"." + text
    before = everything(valkey, but="{nothing")
    for token in (text, forged, neighbour.encode() + text):
        body = post(client, figure, ACCEPTS[0], {"token": token[:60_000]}).json
        assert body["sandbox"]["token"] != neighbour
        assert any("fresh sandbox" in notice for notice in body["notices"])
    for name in [*module.FIELDS, "then", "full"]:
        answer = client.get(f"/figures/{figure}", query_string={name: text[:4000]})
        assert answer.status_code < 500
        assert b"<script>alert" not in answer.data
    after = everything(valkey, but="{nothing")
    assert {key: after.get(key) for key in before} == before


@pytest.mark.parametrize("figure", FIGURES)
def test_a_megabyte_is_refused_before_it_is_read(
    unlimited: Flask, valkey: Valkey, figure: str
) -> None:
    client = unlimited.test_client()
    own = post(client, figure, ACCEPTS[0], {}).json["sandbox"]["token"]
    before = everything(valkey, but="{nothing")
    for field in ("guess", "token", "tier", "action"):
        for accept in ACCEPTS:
            answer = post(client, figure, accept, {"token": own, field: "x" * 2**20})
            assert answer.status_code == 413
            assert "64 KiB" in answer.text
    assert everything(valkey, but="{nothing") == before


@pytest.mark.parametrize("figure", FIGURES)
def test_the_prefix_of_another_sandbox_in_a_text_is_only_a_text(
    unlimited: Flask, valkey: Valkey, figure: str
) -> None:
    client, module = unlimited.test_client(), FIGURES[figure]
    neighbour = post(client, figure, ACCEPTS[0], {}).json["sandbox"]["token"]
    own = post(client, figure, ACCEPTS[0], {}).json["sandbox"]["token"]
    held = list(valkey.admin.scan_iter(sandbox_of(neighbour) + "*"))
    assert len(held) > 1 or "keep" not in module.ACTIONS
    before = everything(valkey, but=sandbox_of(own))
    fields = [*module.FIELDS, "guess", "seq", "page", "nudge", "action"]
    cases = itertools.product(fields, module.ACTIONS, ACCEPTS)
    for name, (field, action, accept) in zip(itertools.cycle(held), cases, strict=False):
        form = {"action": action, "token": own, field: name}
        assert post(client, figure, accept, form).status_code == 200
    assert everything(valkey, but=sandbox_of(own)) == before


# Transcripts: what a dive says is the author's; what a visitor sends is a token and a number.


@pytest.fixture
def dive(tmp_path: Path, valkey: Valkey) -> tuple[FlaskClient, str]:
    """A client, and the address to which the runs of a transcript are posted."""
    told = "> SET k v\nOK\n> ZADD s 1 m\n(integer) 1\n"
    write(tmp_path, "page.md", page(f"## Part\n\n```transcript one\n{told}```\n"))
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path))
    return create_app(settings).test_client(), "/page/transcripts/one/runs"


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_sent_to_a_transcript_touches_only_its_own_sandbox(
    dive: tuple[FlaskClient, str], valkey: Valkey, kind: str
) -> None:
    client, address = dive
    text = HOSTILE[kind].encode("utf-8", "surrogateescape")

    def run(accept: str = ACCEPTS[0], **form: Any) -> Any:
        return client.post(address, data=form, headers={"Accept": accept})

    neighbour = run().json["sandbox"]["token"]
    post(client, "composite", ACCEPTS[0], {"token": neighbour})
    valkey.admin.set("foreign", "untouched")
    own = run().json["sandbox"]["token"]
    before = everything(valkey, but=sandbox_of(own))
    assert any(key.startswith(sandbox_of(neighbour)) for key in before)
    for accept in ACCEPTS:
        for field in ("upto", "seq", "page", "action", "reading", "then"):
            answer = run(accept, **{"token": own, field: text})
            assert answer.status_code == 200, answer.text
            assert answer.is_json or b"<script>alert" not in answer.data
    assert everything(valkey, but=sandbox_of(own)) == before
    for token in (text, neighbour.rsplit(".", 1)[0].encode() + b"." + text, own.encode() + text):
        body = run(token=token[:60_000]).json
        assert body["sandbox"]["token"].split(".")[0] not in (own, neighbour)
    after = everything(valkey, but=sandbox_of(own))
    assert {key: after.get(key) for key in before} == before


@pytest.mark.parametrize("accept", ACCEPTS)
def test_a_megabyte_sent_to_a_transcript_is_refused_before_it_is_read(
    dive: tuple[FlaskClient, str], accept: str
) -> None:
    client, address = dive
    answer = client.post(address, data={"upto": "9" * 2**20}, headers={"Accept": accept})
    assert answer.status_code == 413
    assert "64 KiB" in answer.text


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize(
    "said", ["http://[x", "http://[::1", "//", "javascript:1", "\u00ff" * 3000, "", "http://x:y:z/"]
)
def test_hostile_headers_of_htmx_change_nothing(unlimited: Flask, figure: str, said: str) -> None:
    names = ("HX-Current-URL", "HX-Request", "HX-Target", "HX-Trigger", "HX-Boosted", "HX-Prompt")
    accept = {"Accept": "text/html, text/event-stream"}
    client = unlimited.test_client()
    answer = client.post(
        f"/figures/{figure}/runs", headers={**dict.fromkeys(names, said), **accept}, buffered=True
    )
    assert answer.status_code == 200
    for kind in ("score", "commands", "order"):
        assert f"/{kind}\n" in answer.text
