"""Valkey down, slow, full, emptied or restarted while a page is open."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from decoder.app import create_app
from decoder.settings import Settings
from tests.support.figure import (
    COUNTER,
    FIGURE,
    HTML,
    JSON,
    MINE,
    RUNS,
    STREAM,
    Page,
    Visitor,
    key,
    ladder,
    messages,
)
from tests.support.lossy import Lossy
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

SECRET = "a secret of the faults"
TIMEOUT_MS = 1000
DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"


@pytest.fixture
def stood(own_valkey: Valkey) -> Flask:
    """An application in front of a server of the test's own."""
    return create_app(
        Settings(valkey_url=own_valkey.url, secret=SECRET, valkey_timeout_ms=TIMEOUT_MS)
    )


@pytest.fixture
def visitor(stood: Flask) -> Visitor:
    one = Visitor(stood.test_client())
    one.move(2, 17)
    return one


@pytest.fixture(scope="module")
def down(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    """A visitor who has moved once, before the server died for good."""
    with Valkey(tmp_path_factory.mktemp("down")) as server:
        one = Visitor(
            create_app(
                Settings(valkey_url=server.url, secret=SECRET, valkey_timeout_ms=TIMEOUT_MS)
            ).test_client()
        )
        one.move(2, 17)
    return one


@contextmanager
def paused(valkey: Valkey) -> Iterator[None]:
    """Let the server take connections and answer nothing."""
    assert valkey.process
    valkey.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        valkey.process.send_signal(signal.SIGCONT)


def assert_error(answer: TestResponse, code: str) -> None:
    error = answer.get_json()["error"]
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) == error["retry_after_s"] >= 1
    assert error["code"] == code
    assert error["sentence"].endswith(".")
    assert_no_traceback(answer)


def assert_no_traceback(answer: TestResponse) -> None:
    for trace in ("Traceback", "redis.", "File &#34;", 'File "', "Error:", "valkey.sock"):
        assert trace not in answer.text


ACTIONS = [
    {"tier": 3, "arrival": 3},
    {"action": "serve"},
    {"action": "serve", "guess": MINE},
    {"action": "add"},
    {"action": "reset"},
    {"tier": 2097152, "arrival": 0, "full": 1},
]


@pytest.mark.parametrize("fields", ACTIONS)
def test_with_valkey_down_a_program_gets_503_and_when_to_retry(
    down: Visitor, fields: dict[str, object]
) -> None:
    assert_error(down.post(JSON, **fields), "server_unreachable")


@pytest.mark.parametrize("fields", ACTIONS)
def test_with_valkey_down_a_form_gets_the_page_with_a_sentence(
    down: Visitor, fields: dict[str, object]
) -> None:
    answer = down.post(HTML, **fields)
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert_no_traceback(answer)
    page = Page(answer.text)
    assert "cannot be reached" in page.text("composite_failure")
    assert page.token.split(".")[0] == down.token.split(".")[0]


@pytest.mark.parametrize("fields", ACTIONS)
def test_with_valkey_down_the_stream_ends_with_a_sentence(
    down: Visitor, fields: dict[str, object]
) -> None:
    *_, failure = messages(down.post(STREAM, **fields).text)
    assert failure.ids == [f"{down.seq}/failure"]
    assert "cannot be reached" in failure.parts["composite_failure"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?tier=3&arrival=3",
        "?tier=3&arrival=3&then=serve",
        "?then=add",
        "?then=serve-JOB0Nb1VTbfnu4,add",
        "?tier=2097152&arrival=0&full=1",
    ],
)
@pytest.mark.parametrize("path", ["/", FIGURE, DIVE])
def test_with_valkey_down_every_page_still_opens_and_says_so(
    down: Visitor, path: str, query: str
) -> None:
    answer = down.client.get(path + query)
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert_no_traceback(answer)
    assert "cannot be reached" in Page(answer.text).text("composite_failure")


def test_with_valkey_down_the_computed_score_still_stands_marked_as_not_stored(
    down: Visitor,
) -> None:
    page = Page(down.client.get(f"{FIGURE}?tier=2&arrival=17").text)
    assert page.score == "8589934609"
    assert "not stored" in page.text("composite_score")
    assert page.members == []


def test_pages_without_a_figure_need_no_valkey(down: Visitor) -> None:
    client = down.client
    assert client.get("/redis-patterns/time-delay-priority").status_code == 200
    assert client.get("/nothing").status_code == 404
    assert client.get("/healthz").status_code == 200


def test_ready_means_that_a_real_run_works(stood: Flask, own_valkey: Valkey) -> None:
    client = stood.test_client()
    assert client.get("/readyz").status_code == 200
    own_valkey.kill()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert_no_traceback(answer)
    own_valkey.start()
    assert client.get("/readyz").status_code == 200


def test_a_server_that_takes_no_writes_is_not_ready(stood: Flask, own_valkey: Valkey) -> None:
    own_valkey.admin.config_set("maxmemory", 1)
    assert stood.test_client().get("/readyz").status_code == 503


def test_once_valkey_is_back_the_next_move_works_in_a_queue_that_starts_afresh(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    visitor.serve()
    own_valkey.kill()
    assert visitor.post(JSON, tier=3, arrival=3).status_code == 503
    own_valkey.start()
    token = visitor.token
    body = visitor.move(2, 17)
    assert body["position"] == {"rank": 4, "of": 10}
    assert any("afresh" in notice for notice in body["notices"])
    assert visitor.token.split(".")[0] == token.split(".")[0]
    assert visitor.move(3, 3)["notices"] == []


def test_a_restart_that_no_request_saw_is_recovered_from_too(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    own_valkey.kill()
    own_valkey.start()
    body = visitor.move(2, 17)
    assert body["score"]["stored"] == "8589934609"
    assert any("afresh" in notice for notice in body["notices"])


def test_the_page_says_that_the_queue_starts_afresh(visitor: Visitor, own_valkey: Valkey) -> None:
    own_valkey.kill()
    own_valkey.start()
    page = Page(visitor.post(HTML, tier=2, arrival=17).text)
    assert any("afresh" in notice for notice in page.notices)
    assert len(page.members) == 10


def test_older_numbers_count_again_after_a_restart(visitor: Visitor, own_valkey: Valkey) -> None:
    visitor.ask(seq=50, tier=3, arrival=3)
    own_valkey.kill()
    own_valkey.start()
    body = visitor.ask(seq=51, tier=1, arrival=1)
    assert body["inputs"] == {"tier": 1, "arrival": 1}
    assert body["seq"] == 51


def test_many_kills_in_a_row_are_each_recovered_from(visitor: Visitor, own_valkey: Valkey) -> None:
    for tier in (1, 2, 3):
        own_valkey.kill()
        assert visitor.post(JSON, tier=tier, arrival=3).status_code == 503
        own_valkey.start()
        assert visitor.move(tier, 3)["score"]["agrees"] is True


def test_a_fresh_page_after_a_restart_says_nothing_about_it(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    own_valkey.kill()
    own_valkey.start()
    page = Page(visitor.client.get(FIGURE).text)
    assert page.notices == []


def test_reset_in_a_queue_that_is_gone_just_resets(visitor: Visitor, own_valkey: Valkey) -> None:
    own_valkey.admin.flushall()
    body = visitor.reset()
    assert body["notices"] == []
    assert body["position"] == {"rank": 4, "of": 10}


def test_an_expired_queue_starts_afresh_with_a_notice(visitor: Visitor, own_valkey: Valkey) -> None:
    visitor.serve()
    for name in own_valkey.admin.keys("{sbx:*"):
        own_valkey.admin.pexpire(name, 0)
    body = visitor.serve()
    assert any("afresh" in notice for notice in body["notices"])
    assert len(body["order_before"]) == 10


def test_flushed_scripts_are_loaded_again_by_the_move_itself(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    before = ladder(own_valkey, visitor.token)
    for mode in ("SYNC", "ASYNC"):
        own_valkey.admin.execute_command("SCRIPT", "FLUSH", mode)
        body = visitor.move(2, 17)
        assert body["notices"] == []
        assert ladder(own_valkey, visitor.token) == before


def test_flushed_scripts_do_not_serve_a_job_twice(visitor: Visitor, own_valkey: Valkey) -> None:
    own_valkey.admin.script_flush()
    visitor.serve()
    assert len(ladder(own_valkey, visitor.token)) == 9


def test_a_slow_server_is_given_up_in_time_with_a_sentence(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    with paused(own_valkey):
        started = time.monotonic()
        answer = visitor.post(JSON, tier=3, arrival=3)
        took = time.monotonic() - started
    assert_error(answer, "server_unreachable")
    assert f"within {TIMEOUT_MS / 1000:g} s" in answer.get_json()["error"]["sentence"]
    assert took < 10 * TIMEOUT_MS / 1000


def test_a_slow_server_gives_a_page_not_a_blank(stood: Flask, own_valkey: Valkey) -> None:
    stood.test_client().get(FIGURE)
    with paused(own_valkey):
        answer = stood.test_client().get(FIGURE)
    assert answer.status_code == 503
    assert "did not answer" in Page(answer.text).text("composite_failure")
    assert_no_traceback(answer)


def test_a_server_that_is_slow_from_the_start_gives_a_page_too(
    stood: Flask, own_valkey: Valkey
) -> None:
    with paused(own_valkey):
        answer = stood.test_client().get(FIGURE)
    assert answer.status_code == 503
    assert "did not answer" in Page(answer.text).text("composite_failure")


@pytest.mark.parametrize("headers", [JSON, HTML, STREAM], ids=["json", "html", "stream"])
@pytest.mark.parametrize("address", [RUNS, f"{DIVE}/transcripts/delayed-queue/runs"])
def test_whoever_has_no_sandbox_yet_waits_for_a_silent_server_once(
    stood: Flask, own_valkey: Valkey, address: str, headers: dict[str, str]
) -> None:
    """Counting who opens a sandbox does not wait beside the run."""
    client = stood.test_client()
    assert client.post(address, headers=headers, buffered=True).status_code == 200
    with paused(own_valkey):
        began = time.monotonic()
        answer = client.post(address, headers=headers, buffered=True)
        waited = time.monotonic() - began
    assert f"did not answer within {TIMEOUT_MS / 1000:g} s" in answer.text
    assert waited < 1.9 * TIMEOUT_MS / 1000
    if headers is not STREAM:
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) >= 1


@pytest.mark.parametrize(
    "path", ["/", DIVE, DIVE.removesuffix("/packed"), "/scripts/packed/add_delayed"]
)
def test_a_page_of_any_number_of_figures_waits_for_a_silent_server_once(
    stood: Flask, own_valkey: Valkey, path: str
) -> None:
    client = stood.test_client()
    client.get(path)
    with paused(own_valkey):
        began = time.monotonic()
        answer = client.get(path)
        waited = time.monotonic() - began
    figures = answer.text.count("<live-figure")
    assert answer.status_code == (503 if figures else 200)
    assert answer.text.count(f"did not answer within {TIMEOUT_MS / 1000:g} s") >= figures
    # A page takes a moment itself.
    assert waited < 2.4 * TIMEOUT_MS / 1000


def test_a_late_reply_is_never_taken_for_the_answer_to_the_next_move(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    with paused(own_valkey):
        for tier in (4, 5):
            assert visitor.post(JSON, tier=tier, arrival=tier).status_code == 503
    for tier in (1, 2, 3):
        body = visitor.move(tier, 100 + tier)
        assert body["inputs"] == {"tier": tier, "arrival": 100 + tier}
        assert body["score"]["stored"] == str(tier * 2**32 + 100 + tier)
    assert dict(ladder(own_valkey, visitor.token))[MINE] == str(3 * 2**32 + 103)


@pytest.mark.parametrize("headers", [JSON, HTML, STREAM], ids=["json", "html", "stream"])
def test_a_serve_whose_answer_was_lost_is_not_sent_twice(
    valkey: Valkey, tmp_path: Path, headers: dict[str, str]
) -> None:
    with Lossy(valkey.folder, tmp_path) as wire:
        url = valkey.url.partition("@")[0] + f"@{wire.socket_path}"
        visitor = Visitor(create_app(Settings(valkey_url=url, secret=SECRET)).test_client())
        visitor.move(2, 17)
        wire.lose_next()
        answer = visitor.post(headers, action="serve")
        assert "cannot be reached" in answer.text
        assert wire.lost == 1
        assert len(ladder(valkey, visitor.token)) == 9
        body = visitor.move(2, 17)
    # It did happen, and the page catches up with it.
    assert body["position"]["of"] == 9
    assert "serve" in body["address"]


def full(valkey: Valkey) -> None:
    valkey.admin.config_set("maxmemory", 1)


@pytest.mark.parametrize("fields", [{"tier": 3, "arrival": 3}, {"action": "add"}])
def test_a_full_server_refuses_in_words_and_changes_nothing(
    visitor: Visitor, own_valkey: Valkey, fields: dict[str, object]
) -> None:
    stands = ladder(own_valkey, visitor.token)
    counter = own_valkey.admin.get(key(visitor.token, COUNTER))
    address = visitor.move(2, 17)["address"]
    full(own_valkey)
    answer = visitor.post(JSON, **fields)
    assert answer.status_code in (429, 503)
    assert int(answer.headers["Retry-After"]) >= 1
    assert "full" in answer.get_json()["error"]["sentence"]
    assert_no_traceback(answer)
    assert ladder(own_valkey, visitor.token) == stands
    assert own_valkey.admin.get(key(visitor.token, COUNTER)) == counter
    own_valkey.admin.config_set("maxmemory", 0)
    assert visitor.move(2, 17)["address"] == address


def test_a_page_opened_on_a_full_server_says_so(stood: Flask, own_valkey: Valkey) -> None:
    full(own_valkey)
    answer = stood.test_client().get(FIGURE)
    assert answer.status_code in (200, 429, 503)
    assert "full" in Page(answer.text).text("composite_failure")
    assert_no_traceback(answer)


def test_serving_on_a_full_server_keeps_set_and_memory_in_step(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    full(own_valkey)
    answer = visitor.post(JSON, action="serve")
    own_valkey.admin.config_set("maxmemory", 0)
    of = visitor.move(2, 17)["position"]["of"]
    served = answer.status_code == 200
    assert of == (9 if served else 10)


def test_a_user_without_permissions_is_our_failure_in_words(
    visitor: Visitor, own_valkey: Valkey
) -> None:
    own_valkey.admin.execute_command("ACL", "SETUSER", "decoder", "-evalsha")
    answer = visitor.post(JSON, tier=3, arrival=3)
    assert_error(answer, "server_unreachable")
    assert "evalsha" in answer.get_json()["error"]["sentence"]


def test_another_password_is_our_failure_in_words(own_valkey: Valkey) -> None:
    url = own_valkey.url.replace(":page@", ":wrong@")
    client = create_app(Settings(valkey_url=url, secret=SECRET)).test_client()
    answer = client.post(RUNS, data={"tier": 3, "arrival": 3}, headers=JSON)
    assert_error(answer, "server_unreachable")
    assert "wrong" not in answer.text


def test_a_replica_is_told_apart_from_a_dead_server(visitor: Visitor, own_valkey: Valkey) -> None:
    own_valkey.admin.execute_command("REPLICAOF", "127.0.0.1", "1")
    answer = visitor.post(JSON, tier=3, arrival=3)
    assert_error(answer, "server_unreachable")
    assert "replica" in answer.get_json()["error"]["sentence"]
    own_valkey.admin.execute_command("REPLICAOF", "NO", "ONE")
    assert visitor.move(3, 3)["score"]["agrees"] is True


@pytest.fixture
def tight(valkey: Valkey) -> Callable[..., Visitor]:
    """Makes visitors under settings that a test can reach the limits of."""

    def make(**limits: int) -> Visitor:
        settings = Settings(valkey_url=valkey.url, secret=SECRET, **limits)  # type: ignore[arg-type]
        return Visitor(create_app(settings).test_client())

    return make


def test_a_set_that_is_full_refuses_in_words_with_the_limit(
    tight: Callable[..., Visitor], valkey: Valkey
) -> None:
    visitor = tight(members_per_set=20)
    visitor.move(2, 17)
    for _ in range(10):
        visitor.add()
    answer = visitor.post(JSON, action="add")
    error = answer.get_json()["error"]
    assert answer.status_code < 500
    assert error["limit"] == 20
    assert "20" in error["sentence"]
    assert len(ladder(valkey, visitor.token)) == 20


def test_a_set_that_is_full_still_takes_moves_and_serves(tight: Callable[..., Visitor]) -> None:
    visitor = tight(members_per_set=20)
    visitor.move(2, 17)
    for _ in range(10):
        visitor.add()
    visitor.post(JSON, action="add")
    assert visitor.move(1, 1)["position"] == {"rank": 0, "of": 20}
    assert visitor.serve()["notices"] == []


def test_a_refused_add_is_no_part_of_the_address(tight: Callable[..., Visitor]) -> None:
    visitor = tight(members_per_set=20)
    visitor.move(2, 17)
    for _ in range(10):
        address = visitor.add()["address"]
    visitor.post(JSON, action="add")
    again = visitor.move(2, 17)["address"]
    assert again.count("add") == address.count("add") == 10
    assert visitor.client.get(again).status_code == 200


def test_a_refusal_of_ours_is_a_whole_page_and_no_failure_of_the_server(
    tight: Callable[..., Visitor],
) -> None:
    visitor = tight(members_per_set=20)
    visitor.move(2, 17)
    for _ in range(10):
        visitor.add()
    answer = visitor.post(HTML, action="add")
    assert answer.status_code < 500
    assert "20" in Page(answer.text).text("composite_failure")


@pytest.mark.usefixtures("in_one_minute")
def test_a_minutes_commands_used_up_are_told_with_limit_and_time(
    tight: Callable[..., Visitor],
) -> None:
    visitor = tight(commands_per_minute=40)
    answers = [visitor.post(JSON, tier=2, arrival=17)]
    visitor.token = answers[0].get_json()["sandbox"]["token"]
    while answers[-1].status_code == 200:
        assert len(answers) < 20
        answers.append(visitor.post(JSON, tier=2, arrival=17))
    error = answers[-1].get_json()["error"]
    assert answers[-1].status_code == 429
    assert error["limit"] == 40
    assert 1 <= error["retry_after_s"] <= 60
    assert answers[-1].headers["Retry-After"] == str(error["retry_after_s"])
    assert answers[-2].get_json()["sandbox"]["commands_left"] >= 0


@pytest.mark.usefixtures("in_one_minute")
def test_a_minutes_commands_used_up_are_told_on_page_and_stream_too(
    tight: Callable[..., Visitor],
) -> None:
    visitor = tight(commands_per_minute=40)
    visitor.move(2, 17)
    while visitor.post(JSON, tier=2, arrival=17).status_code == 200:
        assert visitor.seq < 20
    page = visitor.post(HTML, tier=2, arrival=17)
    assert page.status_code < 500
    assert "40" in Page(page.text).text("composite_failure")
    *_, failure = messages(visitor.post(STREAM, tier=2, arrival=17).text)
    assert "40" in failure.parts["composite_failure"]


def test_a_silent_server_makes_nothing_ready_and_is_told_as_silent(
    stood: Flask, own_valkey: Valkey
) -> None:
    with paused(own_valkey):
        answer = stood.test_client().get("/readyz")
    assert answer.status_code == 503
    assert "Valkey did not answer within" in answer.text
    assert int(answer.headers["Retry-After"]) >= 1


def test_who_never_had_a_run_is_not_told_of_the_last_one(stood: Flask, own_valkey: Valkey) -> None:
    client = stood.test_client()
    token = Page(client.get(FIGURE).text).token
    with paused(own_valkey):
        without = client.post(RUNS, headers=STREAM, buffered=True).text
        after = client.post(RUNS, data={"token": token}, headers=STREAM, buffered=True).text
    assert "Nothing was run" in without
    assert "the last run" not in without
    assert "What you see is the last run" in after
