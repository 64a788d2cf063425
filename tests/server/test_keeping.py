"""How long a sandbox lives: what was promised holds, and keeping renews without using it up."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.figures import FIGURES
from decoder.figures.desk import EXPIRED, GONE
from decoder.readings.catalogue import READINGS
from decoder.sandbox.keys import RECORD
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.server.test_tokens import signed
from tests.support.figure import JSON, Body
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

KEEPING = [name for name, figure in FIGURES.items() if "keep" in figure.ACTIONS]
KEPT = "is kept for another"
ORDER_STEPS = 6
"""What reading one order sends at most; a figure reads two, and counts for a ghost."""


def client_with(valkey: Valkey, **limits: Any) -> FlaskClient:
    return create_app(Settings(valkey_url=valkey.url, secret=SECRET, **limits)).test_client()


def post(client: FlaskClient, figure: str, **fields: Any) -> Any:
    return client.post(f"/figures/{figure}/runs", data=fields, headers=JSON)


def run(client: FlaskClient, figure: str, **fields: Any) -> Body:
    answer = post(client, figure, **fields)
    assert answer.status_code == 200, answer.text
    body: Body = answer.json
    return body


def sandbox_of(token: str) -> str:
    return f"{{sbx:{token.split('.')[0]}}}:"


def keys_of(valkey: Valkey, token: str) -> list[str]:
    return sorted(valkey.admin.scan_iter(sandbox_of(token) + "*", count=1000))


def forget(valkey: Valkey, token: str) -> None:
    """Remove all that a sandbox holds, as its expiry or a new server would."""
    valkey.admin.delete(*keys_of(valkey, token))


def commands_of(valkey: Valkey, token: str) -> int:
    """Return how many commands the sandbox's record counts in its minute."""
    return int(valkey.admin.get(sandbox_of(token) + RECORD).split("|")[0].split(";")[1])


def parts(figure: str) -> list[dict[str, str]]:
    """Return the fields that lead to each lane of a figure."""
    has_readings = "reading" in FIGURES[figure].FIELDS
    return [{"reading": name} for name in READINGS] if has_readings else [{}]


@pytest.mark.usefixtures("in_one_minute")
@pytest.mark.parametrize("figure", FIGURES)
def test_keeping_it_often_runs_little_also_when_the_minutes_commands_are_used_up(
    valkey: Valkey, figure: str
) -> None:
    client = client_with(valkey, commands_per_minute=1)
    inputs = {one.name: one.default for one in FIGURES[figure].INPUTS}
    for part in parts(figure):
        token = run(client_with(valkey), figure, **part)["sandbox"]["token"]
        spent = commands_of(valkey, token)
        times = 10
        for _ in range(times):
            post(client, figure, action="keep", token=token, **part, **inputs)
        assert commands_of(valkey, token) - spent <= times * 2 * ORDER_STEPS


@pytest.mark.usefixtures("in_one_minute")
@pytest.mark.parametrize("figure", KEEPING)
def test_what_was_lost_is_not_built_again_for_nothing(valkey: Valkey, figure: str) -> None:
    client = client_with(valkey, commands_per_minute=1)
    for part in parts(figure):
        token = run(client, figure, **part)["sandbox"]["token"]
        record = sandbox_of(token) + RECORD
        minute = valkey.admin.get(record).split("|")[0]
        # Of the lane nothing is left; of the minute neither.
        valkey.admin.set(record, minute, ex=60)
        answer = post(client, figure, action="keep", token=token, **part)
        assert answer.status_code == 429


@pytest.mark.parametrize("figure", KEEPING)
def test_keeping_says_what_it_keeps_and_how_long(valkey: Valkey, figure: str) -> None:
    for minutes in (1, 5, 600):
        client = client_with(valkey, sandbox_minutes=minutes)
        for part in parts(figure):
            token = run(client, figure, **part)["sandbox"]["token"]
            for key in keys_of(valkey, token):
                valkey.admin.pexpire(key, 10_000)
            kept = run(client, figure, action="keep", token=token, **part)
            left_s = kept["sandbox"]["expires_in_s"]
            assert minutes * 60 <= left_s <= minutes * 72
            said = f"This queue {KEPT} {left_s // 60} min."
            assert said in kept["sentence"]
            ttls = [valkey.admin.pttl(key) for key in keys_of(valkey, token)]
            assert min(ttls) > left_s * 1000 - 5_000


@pytest.mark.parametrize("figure", KEEPING)
def test_keeping_what_has_expired_claims_nothing(valkey: Valkey, figure: str) -> None:
    client = client_with(valkey)
    for part in parts(figure):
        token = run(client, figure, **part)["sandbox"]["token"]
        forget(valkey, token)
        body = run(client, figure, action="keep", token=token, **part)
        assert body["notices"] == [GONE]
        assert KEPT not in body["sentence"]
        assert body["sentence"]


def test_a_queue_that_was_not_used_for_long_is_told_as_expired(valkey: Valkey) -> None:
    client = client_with(valkey, sandbox_minutes=60)
    for age_s, told in ((60 * 60, GONE), (72 * 60, EXPIRED), (5 * 3600, EXPIRED)):
        token = run(client, "composite")["sandbox"]["token"]
        forget(valkey, token)
        page = signed(token.split(".")[0], age_s=age_s)
        assert run(client, "composite", action="add", token=page)["notices"] == [told]


def test_no_use_of_another_figure_breaks_a_promise(valkey: Valkey) -> None:
    client = client_with(valkey)
    transcript = "/scripts/packed/add_prioritized/transcripts/example/runs"
    for _ in range(20):
        first = run(client, "composite")["sandbox"]
        token, promised_s = first["token"], first["expires_in_s"]
        for figure in ("three-readings", "two-designs"):
            run(client, figure, token=token)
        assert client.post(transcript, data={"token": token}, headers=JSON).status_code == 200
        record_ms = valkey.admin.pttl(sandbox_of(token) + RECORD)
        assert record_ms > promised_s * 1000 - 5_000


def test_a_full_server_promises_no_more_than_what_stands(valkey: Valkey) -> None:
    client = client_with(valkey)
    token = run(client, "composite")["sandbox"]["token"]
    record = sandbox_of(token) + RECORD
    # Another figure was used later: this one's queue has ten minutes left.
    minute, rest = valkey.admin.get(record).split("|", 1)
    name, _, others = rest.split(";", 2)
    deadline = int(valkey.admin.time()[0]) + 600
    valkey.admin.set(record, f"{minute}|{name};{deadline};{others}", ex=4000)
    valkey.admin.config_set("maxmemory", 1)
    try:
        kept = run(client, "composite", action="keep", token=token)
    finally:
        valkey.admin.config_set("maxmemory", "128mb")
    assert 590 <= kept["sandbox"]["expires_in_s"] <= 600
    assert KEPT not in kept["sentence"]
