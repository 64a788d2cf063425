"""What an interaction costs, in what can be counted: round trips, commands, bytes, calls."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from tests.support.figure import (
    FIGURE,
    HTML,
    JSON,
    LADDER,
    MINE,
    RUNS,
    STREAM,
    Page,
    Visitor,
    key,
)
from tests.support.valkey import Valkey

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"
ANSWER_BYTES_MOST = 8 * 1024


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    """Someone whose connection, scripts and sandbox are warm."""
    one = Visitor(client)
    one.move(2, 17)
    one.move(2, 18)
    return one


def sent(valkey: Valkey, act: Callable[[], Any]) -> list[str]:
    """Do something; return the names of the commands that came over a connection meanwhile."""
    with valkey.admin.monitor() as monitor:
        valkey.admin.echo("begin")
        act()
        valkey.admin.echo("end")
        seen: list[str] = []
        while "ECHO end" not in (line := monitor.next_command())["command"]:
            # What runs inside a script is marked lua.
            if line["client_type"] != "lua":
                seen.append(line["command"].split()[0].upper())
    return seen[seen.index("ECHO") + 1 :]


def ran(valkey: Valkey, act: Callable[[], Any]) -> dict[str, int]:
    """Do something; return how often each command ran meanwhile, in scripts or not."""
    before = _calls(valkey)
    act()
    after = _calls(valkey)
    return {
        name: count - before.get(name, 0)
        for name, count in after.items()
        if count != before.get(name, 0)
    }


def _calls(valkey: Valkey) -> dict[str, int]:
    stats = valkey.admin.info("commandstats")
    return {name.removeprefix("cmdstat_"): int(one["calls"]) for name, one in stats.items()}


ACTIONS: list[dict[str, object]] = [
    {"tier": 3, "arrival": 33},
    {"tier": 2097152, "arrival": 2**32, "full": 1},
    {"tier": "nonsense"},
    {"action": "serve"},
    {"action": "serve", "guess": MINE},
    {"action": "add"},
    {"action": "add", "tier": 4, "arrival": 44},
    {"action": "reset"},
    {"seq": 1, "tier": 5, "arrival": 5},
]


@pytest.mark.parametrize("headers", [JSON, HTML, STREAM], ids=["json", "html", "stream"])
@pytest.mark.parametrize("fields", ACTIONS)
def test_every_interaction_is_one_evalsha_and_nothing_else(
    visitor: Visitor, valkey: Valkey, headers: dict[str, str], fields: dict[str, object]
) -> None:
    assert sent(valkey, lambda: visitor.post(headers, **fields).data) == ["EVALSHA"]


def test_the_server_counts_one_evalsha_for_each_move(visitor: Visitor, valkey: Valkey) -> None:
    assert ran(valkey, lambda: visitor.move(3, 33))["evalsha"] == 1
    assert ran(valkey, lambda: [visitor.move(3, n) for n in range(1, 11)])["evalsha"] == 10


def test_an_address_with_40_actions_is_replayed_by_one_evalsha(
    client: FlaskClient, valkey: Valkey
) -> None:
    client.get(FIGURE)
    then = ",".join(["serve", "add", f"serve-{MINE}", "add"] * 10)
    address = f"{FIGURE}?tier=2&arrival=17&then={then}"
    # Counting who opens sandboxes is the same for both; the run itself is one.
    assert sent(valkey, lambda: client.get(address)) == sent(valkey, lambda: client.get(FIGURE))
    assert ran(valkey, lambda: client.get(address))["zpopmin"] == 20


def test_opening_a_page_costs_one_run_and_one_count_of_who_opens_it(
    client: FlaskClient, valkey: Valkey
) -> None:
    client.get(FIGURE)
    assert len(sent(valkey, lambda: client.get(FIGURE))) <= 2


@pytest.mark.parametrize("path", ["/redis-patterns/time-delay-priority", "/healthz", "/nothing"])
def test_pages_without_a_figure_ask_the_server_nothing(
    visitor: Visitor, valkey: Valkey, path: str
) -> None:
    assert sent(valkey, lambda: visitor.client.get(path)) == []


def test_after_a_script_flush_the_move_loads_the_script_once(
    visitor: Visitor, valkey: Valkey
) -> None:
    valkey.admin.script_flush()
    assert sent(valkey, lambda: visitor.move(3, 33)) == ["EVALSHA", "SCRIPT", "EVALSHA"]
    assert sent(valkey, lambda: visitor.move(3, 34)) == ["EVALSHA"]


def test_moves_reuse_their_connection(visitor: Visitor, valkey: Valkey) -> None:
    before = valkey.admin.info("stats")["total_connections_received"]
    for arrival in range(1, 30):
        visitor.move(2, arrival)
    assert valkey.admin.info("stats")["total_connections_received"] == before


def test_the_work_of_a_move_does_not_grow_with_the_queue(visitor: Visitor, valkey: Valkey) -> None:
    name = key(visitor.token, LADDER)

    def fill(jobs: int) -> None:
        valkey.admin.zadd(name, {f"x{n}": 3 * 2**32 + n % 999 for n in range(jobs)})

    fill(200)
    small = ran(valkey, lambda: visitor.move(3, 33))
    fill(10_000)
    assert ran(valkey, lambda: visitor.move(3, 34)) == small


def longest(client: FlaskClient) -> Visitor:
    """Make the longest address there is: 40 actions, each after a move in the full range."""
    visitor = Visitor(client)
    for n in range(40):
        visitor.move(2097151 - n % 2, 2**32 - 1, full=True)
        visitor.ask(action="add", full=1)
    return visitor


@pytest.mark.parametrize("headers", [JSON, STREAM])
@pytest.mark.parametrize(
    "fields",
    [
        {"tier": 2097151, "arrival": 2**32 - 1, "full": 1},
        {"tier": 2097152, "arrival": 2**32 - 1, "full": 1},
        {"tier": 3, "arrival": 33},
        {"action": "serve", "guess": MINE, "full": 1},
        {"action": "add", "full": 1},
        {"action": "reset"},
    ],
)
def test_an_answer_weighs_at_most_8_kib_with_50_jobs_of_the_largest_scores(
    client: FlaskClient, headers: dict[str, str], fields: dict[str, object]
) -> None:
    visitor = Visitor(client)
    visitor.move(2097151, 2**32 - 50, full=True)
    for _ in range(39):
        visitor.ask(action="add", full=1)
    assert len(visitor.post(headers, **fields).data) <= ANSWER_BYTES_MOST


@pytest.mark.parametrize("headers", [JSON, STREAM])
def test_an_answer_weighs_at_most_8_kib_after_40_moves_and_40_actions(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    visitor = longest(client)
    answer = visitor.post(headers, tier=2097151, arrival=2**32 - 1, full=1)
    assert len(answer.data) <= ANSWER_BYTES_MOST


@pytest.mark.parametrize("headers", [JSON, STREAM])
@pytest.mark.parametrize("fields", [{"tier": 3, "arrival": 33}, {"action": "serve"}])
def test_an_answer_weighs_at_most_8_kib_among_10_000_jobs(
    visitor: Visitor, valkey: Valkey, headers: dict[str, str], fields: dict[str, object]
) -> None:
    jobs = {f"JOB{n:011}": 3 * 2**32 + n for n in range(10_000)}
    valkey.admin.zadd(key(visitor.token, LADDER), jobs)
    assert len(visitor.post(headers, **fields).data) <= ANSWER_BYTES_MOST


# Calls: what PERFORMANCE.md names G1, counted by cProfile on a warm, direct WSGI call.


def total_calls(app: Flask, environ: Callable[[], dict[str, Any]]) -> int:
    """Count the Python and C calls of one request; the least of some, as nothing else should."""

    def once() -> int:
        prepared = environ()
        profile = cProfile.Profile()
        profile.enable()
        answer = app(prepared, lambda *_: lambda _: None)
        for _ in answer:
            pass
        answer.close()  # type: ignore[attr-defined]
        profile.disable()
        return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

    for _ in range(20):
        once()
    return min(once() for _ in range(5))


def move_of(token: str, headers: dict[str, str]) -> Callable[[], dict[str, Any]]:
    arrivals = iter(range(1, 999))

    def environ() -> dict[str, Any]:
        arrival = next(arrivals)
        form = {
            "token": token,
            "seq": str(1000 + arrival),
            "tier": "3",
            "arrival": str(arrival),
            "page": DIVE,
            "was_tier": "2",
            "was_arrival": "17",
        }
        return EnvironBuilder(RUNS, method="POST", data=form, headers=headers).get_environ()

    return environ


@pytest.mark.parametrize(("headers", "most"), [(JSON, 6), (STREAM, 7)], ids=["json", "stream"])
def test_the_calls_of_a_move_are_few_times_those_of_a_bare_handler(
    app: Flask, headers: dict[str, str], most: int
) -> None:
    app.add_url_rule("/bare", view_func=lambda: "ok")
    token = Page(app.test_client().get(FIGURE).text).token
    bare = total_calls(app, lambda: EnvironBuilder("/bare").get_environ())
    move = total_calls(app, move_of(token, headers))
    assert move <= most * bare, f"{move} calls are {move / bare:.2f} times {bare}"


@pytest.mark.parametrize(("headers", "most"), [(JSON, 6), (STREAM, 7)], ids=["json", "stream"])
def test_64_cells_cost_no_more_calls_than_any_other_move(
    app: Flask, headers: dict[str, str], most: int
) -> None:
    app.add_url_rule("/bare", view_func=lambda: "ok")
    token = Page(app.test_client().get(FIGURE).text).token
    scores = iter(range(8589934609, 8589934709))

    def environ() -> dict[str, Any]:
        form = {"token": token, "score": str(next(scores)), "page": "/figures/bits"}
        runs = "/figures/bits/runs"
        return EnvironBuilder(runs, method="POST", data=form, headers=headers).get_environ()

    bare = total_calls(app, lambda: EnvironBuilder("/bare").get_environ())
    turned = total_calls(app, environ)
    assert turned <= most * bare, f"{turned} calls are {turned / bare:.2f} times {bare}"
