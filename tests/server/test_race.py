"""The lab `race`: every interleaving, against what ZREM promises, read from the server."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from flask.testing import FlaskClient

from decoder.settings import files
from tests.support.figure import JSON
from tests.support.valkey import Valkey

RUNS = "/figures/race/runs"
SCRIPT = files("lua") / "labs" / "remove_if_score.lua"


def raced(client: FlaskClient, turns: str, how: str = "zrem", **fields: str) -> dict[str, Any]:
    form = {"turns": turns or "-", "how": how, **fields}
    answer = client.post(RUNS, data=form, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def told(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["name"], row["value"]) for row in body["lesson"]["outcome"][0]["rows"]]


def test_of_two_who_read_the_same_job_one_is_told_1_and_the_other_0(client: FlaskClient) -> None:
    assert told(raced(client, "abab")) == [
        ("worker A", "reads the job"),
        ("worker B", "reads the job"),
        ("worker A", "is told 1"),
        ("worker B", "is told 0"),
    ]
    assert raced(client, "abab")["lesson"]["answer"] == "a"
    assert raced(client, "abba")["lesson"]["answer"] == "b"
    assert told(raced(client, "aab"))[2] == ("worker B", "reads nothing")


@pytest.mark.parametrize("how", ["zrem", "compare"])
def test_without_a_new_schedule_exactly_one_gets_it_whatever_the_order(
    client: FlaskClient, how: str
) -> None:
    token = raced(client, "")["sandbox"]["token"]
    for length in range(5):
        for turns in map("".join, itertools.product("ab", repeat=length)):
            body = raced(client, turns, how, token=token)
            ones = [name for name, value in told(body) if value == "is told 1"]
            removed = [s for s in body["steps"] if s["command"].startswith("ZREM")]
            assert len(ones) == sum(s["reply"] == "(integer) 1" for s in removed) <= 1
            answer = body["lesson"]["answer"]
            assert answer == (ones[0][-1].lower() if ones else "waits")
            # Whoever has gone twice has read and removed.
            assert bool(ones) == any(turns.count(worker) >= 2 for worker in "ab")


def test_a_late_zrem_removes_what_was_scheduled_again_and_the_script_does_not(
    client: FlaskClient,
) -> None:
    lost = raced(client, "ara")
    assert lost["lesson"]["answer"] == "lost"
    assert lost["lesson"]["outcome"][1]["rows"] == []
    assert lost["steps"][-2]["reply"] == "(integer) 1"
    kept = raced(client, "ara", "compare")
    assert kept["lesson"]["answer"] == "waits"
    (left,) = kept["lesson"]["outcome"][1]["rows"]
    assert left["value"] == "1780226948000"
    assert told(kept)[2] == ("worker A", "is told 0")
    assert not any(step["command"].startswith("ZREM") for step in kept["steps"])


NOW_MS = 1780226888000


def expected(turns: str, how: str) -> tuple[list[str], int | None, str]:
    """Play the turns with a dict for the set: what each turn is told, what stands, the answer."""
    due, holds, says = {"job": NOW_MS}, dict[str, int](), list[str]()
    scheduled, answer = 0, "waits"
    for letter in turns:
        if letter == "r":
            scheduled += 1
            due["job"] = NOW_MS + 60_000 * scheduled
            says.append("scheduled again")
        elif letter in holds:
            seen = holds.pop(letter)
            found = due.get("job") == seen if how == "compare" else "job" in due
            if found:
                answer = letter if due.pop("job") == seen else "lost"
            says.append(f"is told {int(found)}")
        elif due.get("job", NOW_MS + 1) <= NOW_MS:
            holds[letter] = due["job"]
            says.append("reads the job")
        else:
            says.append("reads nothing")
    return says, due.get("job"), "waits" if due else answer


@pytest.mark.parametrize("how", ["zrem", "compare"])
def test_every_interleaving_with_new_schedules_is_what_one_set_makes_of_it(
    client: FlaskClient, how: str
) -> None:
    token = raced(client, "")["sandbox"]["token"]
    for length in range(6):
        for turns in map("".join, itertools.product("abr", repeat=length)):
            body = raced(client, turns, how, token=token)
            says, stands, answer = expected(turns, how)
            assert [value for _, value in told(body)] == says, turns
            left = [int(row["value"]) for row in body["lesson"]["outcome"][1]["rows"]]
            assert left == ([] if stands is None else [stands]), turns
            assert body["lesson"]["answer"] == answer, turns


@pytest.mark.parametrize("turns", ["abrab", "abrba"])
def test_who_comes_after_the_late_zrem_is_not_told_that_the_job_stays(
    client: FlaskClient, turns: str
) -> None:
    body = raced(client, turns)
    assert body["lesson"]["answer"] == "lost"
    *_, late, last = body["lesson"]["outcome"][0]["rows"]
    assert late["note"] == "it removed a job that had been scheduled again"
    assert (last["value"], last["note"]) == ("is told 0", "somebody else removed it")
    kept = raced(client, turns, "compare")["lesson"]["outcome"][0]["rows"]
    assert {row["note"] for row in kept[-2:]} == {"it was scheduled again, so it stays"}


def test_two_pollers_read_one_job_and_one_zrem_is_told_1(valkey: Valkey) -> None:
    """G10."""
    ask = valkey.admin.execute_command
    ask("ZADD", "mail", 40, "letter")
    for _ in range(2):
        assert ask("ZRANGEBYSCORE", "mail", "-inf", 40, "LIMIT", 0, 1) == ["letter"]
    assert [ask("ZREM", "mail", "letter") for _ in range(2)] == [1, 0]
    assert ask("ZPOPMIN", "mail") == []


def test_our_script_keeps_what_a_late_zrem_takes(valkey: Valkey) -> None:
    """G11."""
    ask, script = valkey.admin.execute_command, SCRIPT.read_text()
    ask("ZADD", "mail", 40, "letter")
    assert ask("ZADD", "mail", 70, "letter") == 0
    assert ask("ZREM", "mail", "letter") == 1
    assert ask("ZSCORE", "mail", "letter") is None
    ask("ZADD", "mail", 70, "letter")
    assert valkey.admin.eval(script, 1, "mail", "letter", "40") == 0
    assert ask("ZSCORE", "mail", "letter") == 70
    # Another spelling of the same number is the same score.
    assert valkey.admin.eval(script, 1, "mail", "letter", "7e1") == 1
    assert valkey.admin.eval(script, 1, "mail", "letter", "70") == 0


def test_what_stands_in_the_end_is_what_the_script_would_never_lose(client: FlaskClient) -> None:
    token = raced(client, "")["sandbox"]["token"]
    for turns in map("".join, itertools.product("abr", repeat=4)):
        body = raced(client, turns, "compare", token=token)
        assert body["lesson"]["answer"] != "lost", turns
        # A job that is scheduled again after it was taken, or while it waits, stands there.
        if turns.endswith("r"):
            assert body["lesson"]["answer"] == "waits"


def test_turns_past_six_and_letters_that_are_none_are_told(client: FlaskClient) -> None:
    body = raced(client, "abababab")
    assert body["inputs"]["turns"] == "ababab"
    assert "“abababab” became “ababab”" in body["notices"][0]
    assert raced(client, "axb")["inputs"]["turns"] == "ab"
    assert client.get("/figures/race?turns=-").status_code == 200
    assert raced(client, "")["address"] == "/figures/race?turns=-"
