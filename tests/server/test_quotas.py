"""Quotas, expiry and admission: what a sandbox may hold and do, and how it is told."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import parse_qsl

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.errors import ProgramFailed
from decoder.figures.desk import Desk
from decoder.readings.catalogue import READINGS
from decoder.sandbox import embedded
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import Program
from decoder.settings import Settings, files
from tests.conftest import SECRET
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

JSON = {"Accept": "application/json"}
STREAM = {"Accept": "text/html, text/event-stream"}


def app_with(valkey: Valkey, **limits: Any) -> Flask:
    return create_app(Settings(valkey_url=valkey.url, secret=SECRET, **limits))


def post(client: FlaskClient, **fields: Any) -> Any:
    return client.post("/figures/composite/runs", data=fields, headers=JSON)


def token_of(client: FlaskClient) -> str:
    token: str = post(client, tier=2, arrival=17).json["sandbox"]["token"]
    return token


def error_of(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json["error"]
    assert set(error) == {"code", "sentence", "limit", "retry_after_s"}
    assert answer.headers["Retry-After"] == str(error["retry_after_s"])
    assert error["sentence"].endswith(".")
    return error


@pytest.mark.usefixtures("in_one_minute")
def test_the_minutes_commands_run_out_with_a_sentence_that_says_when(valkey: Valkey) -> None:
    client = app_with(valkey, commands_per_minute=30).test_client()
    token = token_of(client)
    answers = [post(client, tier=2, arrival=n, token=token) for n in range(1, 10)]
    error = error_of(next(a for a in answers if a.status_code != 200), 429)
    assert error["limit"] == 30
    assert 1 <= error["retry_after_s"] <= 60
    assert "30 commands a minute" in error["sentence"]
    assert f"{error['retry_after_s']} s" in error["sentence"]


MOST = 200
ACTION_MOST = 20
"""More than the commands of any one action, and of the reads of the order after it."""


def story_of(figure: str) -> str:
    """Write an address with as many actions as one carries."""
    if figure == "composite":
        return "?tier=2&arrival=17&then=" + ",".join(f"at-2-{n},add" for n in range(40, 80))
    return "?reading=packed/priority&then=" + ",".join(["change_priority"] * 40)


@pytest.mark.usefixtures("in_one_minute")
@pytest.mark.parametrize("figure", ["composite", "three-readings"])
def test_an_address_of_many_actions_stops_where_the_minutes_commands_end(
    valkey: Valkey, figure: str
) -> None:
    client = app_with(valkey, commands_per_minute=MOST).test_client()
    desk: Desk = client.application.extensions["desk"]
    query = dict(parse_qsl(story_of(figure).removeprefix("?")))
    with pytest.raises(ProgramFailed) as failed:
        desk.run(desk.open(figure, query, "/"))
    assert MOST <= len(failed.value.steps) <= MOST + ACTION_MOST
    assert failed.value.limit == MOST
    assert 1 <= (failed.value.retry_after_s or 0) <= 60
    page = client.get(f"/figures/{figure}{story_of(figure)}")
    assert page.status_code == 200
    assert f"{MOST} commands a minute and none is left" in page.text


@pytest.mark.usefixtures("in_one_minute")
@pytest.mark.parametrize("most", range(MOST, MOST + 8))
def test_no_action_is_left_half_done_where_the_minutes_commands_end(
    valkey: Valkey, most: int
) -> None:
    desk: Desk = app_with(valkey, commands_per_minute=most).extensions["desk"]
    query = dict(parse_qsl(story_of("composite").removeprefix("?")))
    with pytest.raises(ProgramFailed) as failed:
        desk.run(desk.open("composite", query, "/"))
    steps = failed.value.steps
    names = [step.words[0] for step in steps]
    moves = [step.script for step in steps].count("stage/set_counter")
    # Each move and each job that is added gets its number and its score; a job tells its rank, too.
    assert names.count("INCR") == names.count("ZADD") - 1 == moves + names.count("ZRANK") - 1
    assert names[-1] in ("ZRANGE", "ZCOUNT"), "the order was read all the same"


@pytest.mark.usefixtures("in_one_minute")
@pytest.mark.parametrize("spent", range(180, 200, 3))
def test_a_lane_that_is_opened_with_the_last_commands_is_whole(valkey: Valkey, spent: int) -> None:
    client = app_with(valkey, commands_per_minute=MOST).test_client()
    first = post(client, tier=2, arrival=17).json
    token = first["sandbox"]["token"]
    record = f"{{sbx:{token.partition('.')[0]}}}:.sandbox"
    minute, rest = valkey.admin.get(record).split(";", 1)
    valkey.admin.set(record, f"{minute};{spent}|{rest.partition('|')[2]}", keepttl=True)
    for figure in ("three-readings", "two-designs", "composite"):
        client.post(f"/figures/{figure}/runs", data={"token": token}, headers=JSON)
    valkey.admin.set(record, valkey.admin.get(record).replace(minute, "1", 1), keepttl=True)
    for figure in ("three-readings", "two-designs", "composite"):
        form = {"token": token}
        answer = client.post(f"/figures/{figure}/runs", data=form, headers=JSON).json
        fresh = client.post(f"/figures/{figure}/runs", headers=JSON).json
        assert answer["order"] == fresh["order"], figure


@pytest.mark.usefixtures("in_one_minute")
def test_what_is_left_is_told_before_it_bites(client: FlaskClient) -> None:
    token = token_of(client)
    first = post(client, tier=2, arrival=18, token=token).json
    second = post(client, tier=2, arrival=19, token=token).json
    used = first["sandbox"]["commands_left"] - second["sandbox"]["commands_left"]
    assert used == len(second["steps"])
    page = client.get("/").text
    assert "This queue expires in" in page
    assert "commands left this minute" in page
    assert "Keep it for another hour" in page


@pytest.mark.parametrize(
    ("minutes", "words"), [(60, "hour"), (30, "30 minutes"), (90, "90 minutes"), (1, "minute")]
)
@pytest.mark.parametrize("figure", ["composite", "three-readings"])
def test_the_button_says_for_how_long_a_queue_is_kept_at_least(
    valkey: Valkey, figure: str, minutes: int, words: str
) -> None:
    client = app_with(valkey, sandbox_minutes=minutes).test_client()
    page = lxml.html.document_fromstring(client.get(f"/figures/{figure}").text)
    (button,) = page.xpath('//button[@value="keep"]')
    assert button.text_content() == f"Keep it for another {words}"
    form = {"token": page.xpath('//input[@name="token"]/@value')[0], "action": "keep"}
    kept = client.post(f"/figures/{figure}/runs", data=form, headers=JSON).get_json()
    assert kept["sandbox"]["expires_in_s"] >= minutes * 60


def test_a_set_that_is_full_takes_no_new_member_but_moves_those_it_has(valkey: Valkey) -> None:
    client = app_with(valkey, members_per_set=20).test_client()
    token = token_of(client)
    for _ in range(10):
        assert post(client, action="add", token=token).status_code == 200
    error = error_of(post(client, action="add", token=token), 429)
    assert error["limit"] == 20
    assert "20 members" in error["sentence"]
    assert "expires" in error["sentence"]
    moved = post(client, tier=5, arrival=3, token=token).json
    assert moved["position"]["of"] == 20


def test_a_sandbox_that_is_full_of_keys_makes_no_new_one(valkey: Valkey) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, keys_per_sandbox=4)
    desk = Desk(settings, files("lua"))
    visit = desk.open("composite", {}, "/")
    composed = desk.composed("composite")
    for lane_name in ("one", "two"):
        lane = Lane(visit.lane.sandbox_id, lane_name)
        desk.executor.execute(lane, composed, two_keys(lane, composed), None)
    third = Lane(visit.lane.sandbox_id, "three")
    with pytest.raises(Exception, match="holds 4 keys"):
        desk.executor.execute(third, composed, two_keys(third, composed), None)
    # Whoever has another sandbox, or moves within these keys, is not concerned.
    again = Lane(visit.lane.sandbox_id, "two")
    desk.executor.execute(again, composed, two_keys(again, composed), None)
    other = desk.open("composite", {}, "/").lane
    desk.executor.execute(other, composed, two_keys(other, composed), None)


def two_keys(lane: Lane, composed: Any) -> Program:
    program = Program(lane, composed)
    keys = {"prioritized": "ladder", "counter": "counter"}
    program.script("packed/add_prioritized", keys, tier=2, member="JOB0Nb1VTbfnu4")
    return program


def test_a_value_that_is_too_heavy_is_refused(valkey: Valkey) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, bytes_per_value=100)
    desk = Desk(settings, files("lua"))
    lane, composed = desk.open("composite", {}, "/").lane, desk.composed("composite")
    for weight, fits in ((100, True), (101, False)):
        program = Program(lane, composed)
        keys = {"prioritized": "ladder", "counter": "counter"}
        program.script("packed/add_prioritized", keys, tier=2, member="m" * weight)
        if fits:
            desk.executor.execute(lane, composed, program, None)
        else:
            with pytest.raises(Exception, match="weigh 100 bytes and this one weighs 101:"):
                desk.executor.execute(lane, composed, program, None)


def keys_of(valkey: Valkey) -> list[str]:
    return sorted(valkey.admin.scan_iter("{sbx:*}:composite:*")) + sorted(
        valkey.admin.scan_iter("{sbx:*}:.sandbox")
    )


def test_every_key_expires_in_an_hour_and_a_jitter_of_10_to_20_percent(
    client: FlaskClient, valkey: Valkey
) -> None:
    ttls = set()
    for _ in range(20):
        post(client, tier=2, arrival=17)
    for key in keys_of(valkey):
        ttls.add(valkey.admin.pttl(key) // 10_000)
        assert 3600 * 1.1 - 10 <= valkey.admin.pttl(key) / 1000 <= 3600 * 1.2
    assert len(ttls) > 5


def test_keeping_it_for_another_hour_restarts_the_expiry_and_changes_nothing_else(
    client: FlaskClient, valkey: Valkey
) -> None:
    before = post(client, tier=3, arrival=5).json
    for key in keys_of(valkey):
        valkey.admin.pexpire(key, 30_000)
    kept = post(client, action="keep", token=before["sandbox"]["token"]).json
    assert kept["order"] == before["order"]
    assert kept["address"] == before["address"]
    assert re.match(r"This queue is kept for another (6[6-9]|7[0-2]) min\.", kept["sentence"])
    assert all(valkey.admin.pttl(key) > 3_600_000 for key in keys_of(valkey))


def test_no_key_lives_for_ever(client: FlaskClient, valkey: Valkey) -> None:
    token = token_of(client)
    for action in ("add", "serve", "keep", "reset", "move"):
        post(client, action=action, token=token)
    client.get("/readyz")
    client.get("/")
    assert [k for k in valkey.admin.scan_iter("*") if valkey.admin.ttl(k) < 0] == []


EXAMPLE = "/scripts/packed/add_prioritized/transcripts/example/runs"
WAIT_S = 20
LANES = [
    *(("composite", {}), ("two-designs", {}), (EXAMPLE, {})),
    *(("three-readings", {"reading": name}) for name in READINGS),
]


@pytest.mark.parametrize(("place", "query"), LANES)
def test_an_idle_sandbox_weighs_at_most_800_bytes_in_listpacks(
    valkey: Valkey, place: str, query: dict[str, str]
) -> None:
    client = app_with(valkey, sandboxes_per_minute=10**6).test_client()
    desk: Desk = client.application.extensions["desk"]

    def open_many(count: int) -> int:
        for _ in range(count):
            if place == EXAMPLE:
                assert client.post(EXAMPLE, headers=JSON).status_code == 200
            else:
                desk.run(desk.open(place, query, "/"))
        # The server moves its table of keys bit by bit, and holds two of them until that is done.
        by = time.monotonic() + WAIT_S
        while (memory := valkey.admin.info("memory"))["mem_overhead_db_hashtable_rehashing"]:
            assert time.monotonic() < by, "the table of keys was never moved"
        return int(memory["used_memory"])

    count = 1000
    start = open_many(count)
    assert (open_many(count) - start) / count <= 800
    sets = list(valkey.admin.scan_iter(count=1000, _type="ZSET"))
    encodings = {valkey.admin.object("encoding", key) for key in sets[:50]}
    # What two-designs stored was served at once.
    assert encodings == (set() if place == "two-designs" else {"listpack"})


@pytest.mark.long
def test_ten_thousand_sandboxes_expiring_together_leave_moves_working(valkey: Valkey) -> None:
    client = app_with(valkey).test_client()
    desk: Desk = client.application.extensions["desk"]
    for _ in range(10_000):
        desk.run(desk.open("composite", {}, "/"))
    keys = list(valkey.admin.scan_iter("*", count=10_000))
    assert len(keys) >= 30_000
    token = token_of(client)
    pipeline = valkey.admin.pipeline(transaction=False)
    for key in keys:
        pipeline.pexpire(key, 200)
    pipeline.execute()
    left, moves = len(keys), 0
    while left > 20 and moves < 5_000:
        answer = post(client, tier=1 + moves % 5, arrival=1 + moves % 900, token=token)
        assert answer.status_code == 200, answer.text
        moves += 1
        left = valkey.admin.dbsize()
    assert left <= 20
    assert post(client, tier=2, arrival=17, token=token).json["position"]["rank"] == 4


def test_too_many_sandboxes_from_one_address_are_refused_with_a_complete_page(
    valkey: Valkey,
) -> None:
    client = app_with(valkey, sandboxes_per_minute=3).test_client()
    token = token_of(client)
    assert [client.get("/").status_code for _ in range(2)] == [200, 200]
    page = client.get("/")
    assert page.status_code == 200
    assert "3 sandboxes were opened from your network" in page.text
    # The score that was computed stands there without a server.
    assert 'value="8589934609"' in page.text
    assert 'name="token" value=""' in page.text
    error = error_of(post(client, tier=2, arrival=17), 429)
    assert error["limit"] == 3
    stream = client.post("/figures/composite/runs", data={"tier": 2, "arrival": 17}, headers=STREAM)
    assert "as many as one address may" in stream.text
    # A sandbox that is open goes on, and so does another address.
    assert post(client, tier=1, arrival=1, token=token).status_code == 200
    elsewhere = client.get("/", environ_base={"REMOTE_ADDR": "10.0.0.2"})
    assert "as many as one address may" not in elsewhere.text


def test_behind_a_trusted_proxy_the_visitors_own_address_counts(valkey: Valkey) -> None:
    limits = {"sandboxes_per_minute": 1}
    trusting = app_with(valkey, trusted_proxies=1, **limits).test_client()
    for visitor in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        page = trusting.get("/", headers={"X-Forwarded-For": visitor})
        assert "as many as one address may" not in page.text
    distrusting = app_with(valkey, **limits).test_client()
    distrusting.get("/", headers={"X-Forwarded-For": "192.0.2.7"})
    page = distrusting.get("/", headers={"X-Forwarded-For": "192.0.2.8"})
    assert "as many as one address may" in page.text


def test_the_addresses_of_the_cap_are_forgotten_within_a_minute(
    client: FlaskClient, valkey: Valkey
) -> None:
    client.get("/")
    counted = list(valkey.admin.scan_iter("{sbx:limits}*"))
    assert counted
    assert all(0 < valkey.admin.ttl(key) <= 60 for key in counted)


def test_a_full_server_says_so_keeps_what_it_has_readable_and_recovers(valkey: Valkey) -> None:
    client = app_with(valkey).test_client()
    before = post(client, tier=2, arrival=17).json
    token = before["sandbox"]["token"]
    valkey.admin.config_set("maxmemory", valkey.admin.info("memory")["used_memory"] // 2)
    try:
        refused = post(client, tier=3, arrival=17, token=token)
        kept = post(client, action="keep", token=token)
        page = client.get("/")
        # Read here: the stream asks the server while it is read.
        stream = client.post(
            "/figures/composite/runs", data={"tier": 3, "token": token}, headers=STREAM
        ).text
    finally:
        valkey.admin.config_set("maxmemory", "128mb")
    error = error_of(refused, 429)
    assert "full just now" in error["sentence"]
    assert kept.status_code == 200, kept.text
    assert kept.json["order"] == before["order"]
    # What could not be written down is not claimed.
    assert "is kept" not in kept.json["sentence"]
    assert any("not renewed" in notice for notice in kept.json["notices"])
    assert page.status_code == 200
    assert "full just now" in page.text
    assert "full just now" in stream
    after = post(client, tier=3, arrival=17, token=token).json
    assert after["position"] == {"rank": 6, "of": 10}


def test_a_body_above_64_kib_is_refused_with_the_limit(client: FlaskClient) -> None:
    answer = client.post(
        "/figures/composite/runs", data={"tier": "2", "guess": "x" * 70_000}, headers=JSON
    )
    assert answer.status_code == 413
    assert "64 KiB" in answer.json["error"]["sentence"]


def test_members_left_and_keys_left_are_told_before_they_bite(valkey: Valkey) -> None:
    client = app_with(valkey, members_per_set=20, keys_per_sandbox=4).test_client()
    first = post(client, tier=2, arrival=17).json["sandbox"]
    assert (first["members_left"], first["keys_left"]) == (10, 2)
    added = post(client, action="add", token=first["token"]).json
    assert added["sandbox"]["members_left"] == 20 - added["position"]["of"] == 9
    assert added["sandbox"]["keys_left"] == 2
    # A page says it once less than half is left.
    assert "members left" not in client.get("/").text
    told = client.get("/?tier=2&arrival=17&then=add").text
    assert "9 of 20 members left" in told
    assert "keys left" not in told


def test_a_page_tells_the_keys_left_of_the_whole_sandbox(valkey: Valkey) -> None:
    client = app_with(valkey, keys_per_sandbox=10).test_client()
    lefts = []
    token = ""
    for figure in ("composite", "three-readings"):
        answer = client.post(f"/figures/{figure}/runs", data={"token": token}, headers=JSON).json
        token = answer["sandbox"]["token"]
        lefts.append(answer["sandbox"]["keys_left"])
    stored = len(list(valkey.admin.scan_iter(physical(token))))
    assert lefts == [8, 10 - stored]


def physical(token: str) -> str:
    """Every key of the token's sandbox but its record."""
    return f"{{sbx:{token.partition('.')[0]}}}:[^.]*"


@pytest.mark.usefixtures("in_one_minute")
def test_the_page_keeps_a_sandbox_also_when_its_commands_are_used_up(valkey: Valkey) -> None:
    client = app_with(valkey, commands_per_minute=30).test_client()
    token = token_of(client)
    while post(client, tier=2, arrival=18, token=token).status_code == 200:
        pass
    for key in valkey.admin.scan_iter(physical(token)):
        valkey.admin.pexpire(key, 30_000)
    kept = post(client, action="keep", token=token)
    assert kept.status_code == 200
    assert "is kept for another" in kept.json["sentence"]
    assert kept.json["sandbox"]["commands_left"] == 0
    assert all(
        valkey.admin.pttl(key) > 3_600_000 for key in valkey.admin.scan_iter(physical(token))
    )
    assert post(client, tier=2, arrival=19, token=token).status_code == 429


def test_a_full_server_says_what_it_may_hold_where_that_is_known(own_valkey: Valkey) -> None:
    ours = app_with(own_valkey, memory_megabytes=16).test_client()
    socket = own_valkey.folder / embedded.SOCKET
    theirs_at = socket.with_name("elsewhere.sock")
    theirs_at.symlink_to(socket)
    url = own_valkey.url.replace(str(socket), str(theirs_at))
    theirs = create_app(Settings(valkey_url=url, secret=SECRET)).test_client()
    own_valkey.admin.config_set("maxmemory", 1)
    known = error_of(post(ours, tier=2), 429)
    assert known["limit"] == 16
    assert "16 MB" in known["sentence"]
    unknown = error_of(post(theirs, tier=2), 429)
    assert unknown["limit"] is None
    assert "MB" not in unknown["sentence"]
