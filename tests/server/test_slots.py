"""The lab `slots` and its script, read from the server: FACTS.md, section 3; report B07."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from flask.testing import FlaskClient

from decoder.encodings import branded
from decoder.figures.labs import slots
from tests.support.figure import JSON, STREAM
from tests.support.scripts import Scripts
from tests.support.valkey import Valkey

T0 = 1780226888000
DUE_MS = T0 + 90_000
FIRST_SCORE = 7291809701888000
LAST_SCORE = FIRST_SCORE + 4095
STREAM_BYTES_MOST = 8192


def run(client: FlaskClient, **fields: object) -> dict[str, Any]:
    answer = client.post("/figures/slots/runs", data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def held(table: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["name"], row["value"]) for row in table["rows"]]


# --- the ids ---


def test_the_ids_count_down_and_are_all_minted_in_one_millisecond() -> None:
    ids = [slots.job(number) for number in range(1, 5001)]
    assert {branded.parse(one).minted_ms for one in ids} == {T0}
    assert all(later < earlier for earlier, later in itertools.pairwise(ids))
    assert ids[-1] == "JOB0Nb1VTbfnu4"


# --- the script ---


def many(queue: Scripts, jobs: int, first: int = slots.FIRST) -> None:
    added = queue.run("labs/add_many", due_ms=DUE_MS, jobs=jobs, stem=slots.STEM, first=first)
    assert added.value == jobs


@pytest.mark.parametrize("jobs", [1, 3, 500, 501, 4095, 4096, 4097, 4100])
def test_many_at_once_get_the_scores_that_as_many_calls_give(valkey: Valkey, jobs: int) -> None:
    queue = Scripts(valkey, "labs/add_many", "packed/add_delayed")
    many(queue, jobs)
    at_once = queue.stored("delayed")
    queue.fresh()
    program = queue.program()
    for number in range(1, jobs + 1):
        member = slots.job(number)
        queue.ask(program, "packed/add_delayed", timestamp_ms=DUE_MS, delay_ms=0, member=member)
    queue.execute(program)
    assert at_once == queue.stored("delayed")
    assert len(at_once) == jobs


@pytest.mark.parametrize(("before", "jobs"), [(2, 3), (4094, 4), (4097, 3)])
def test_many_go_on_where_the_set_has_got_to(valkey: Valkey, before: int, jobs: int) -> None:
    queue = Scripts(valkey, "labs/add_many")
    many(queue, before)
    many(queue, jobs, slots.FIRST - before)
    in_two = queue.stored("delayed")
    queue.fresh()
    many(queue, before + jobs)
    assert in_two == queue.stored("delayed")


def test_no_command_of_the_script_has_more_than_500_pairs(client: FlaskClient) -> None:
    zadds = [s["command"] for s in run(client, jobs=5000)["steps"] if s["command"][:4] == "ZADD"]
    assert len(zadds) == 10
    # 1 + 1 + 2 · 500 words, of which 12 are told.
    assert all(" ...990-more... " in one for one in zadds)


# --- the lab ---


def test_the_4097th_shares_the_last_slot_and_bytes_decide(client: FlaskClient) -> None:
    body = run(client)
    assert body["inputs"]["jobs"] == 4098
    head, edge = body["lesson"]["outcome"]
    assert held(head) == [(slots.job(n), str(FIRST_SCORE + n - 1)) for n in (1, 2, 3)]
    by_bytes = sorted(slots.job(n) for n in (4096, 4097, 4098))
    assert held(edge)[-3:] == [(member, str(LAST_SCORE)) for member in by_bytes]
    assert held(edge)[:3] == [(slots.job(n), str(FIRST_SCORE + n - 1)) for n in (4093, 4094, 4095)]
    assert by_bytes == [slots.job(n) for n in (4098, 4097, 4096)]
    assert head["more"] + len(head["rows"]) + len(edge["rows"]) == 4098
    assert "3 jobs share slot 4095" in body["sentence"]
    assert body["lesson"]["answer"] == "sooner"


NUMBERS = [*range(1, 12), 500, 4090, *range(4093, 4106), 4999, 5000]


@pytest.mark.parametrize("jobs", NUMBERS)
def test_the_last_stays_last_as_long_as_there_are_slots(client: FlaskClient, jobs: int) -> None:
    body = run(client, jobs=jobs)
    # What the order must be, by the rule alone.
    slot_of = {slots.job(n): min(n - 1, 4095) for n in range(1, jobs + 1)}
    order = sorted(slot_of, key=lambda member: (slot_of[member], member))
    shown, passed = [], 0
    for table in body["lesson"]["outcome"]:
        shown += [(passed + n, pair) for n, pair in enumerate(held(table))]
        passed += len(table["rows"]) + table["more"]
    assert passed == jobs
    for rank, (member, score) in shown:
        assert (member, int(score)) == (order[rank], FIRST_SCORE + slot_of[member])
    assert shown[-1][0] == jobs - 1
    last = slots.job(jobs)
    assert body["lesson"]["answer"] == ("last" if order[-1] == last else "sooner")
    assert [row["name"] for t in body["lesson"]["outcome"] for row in t["rows"] if row["mine"]] == [
        last
    ]
    if jobs > 4096:
        assert f"{jobs - 4095} jobs share slot 4095" in body["sentence"]
        assert f"number {order.index(last) + 1} to come back" in body["sentence"]
        assert "job 4096 is the last of all" in body["sentence"]
    right = [run(client, jobs=jobs, answer=one)["guess"]["right"] for one in slots.LAB.answers]
    assert sum(right) == 1


@pytest.mark.parametrize("jobs", [*NUMBERS, 5001])
@pytest.mark.parametrize("answer", slots.LAB.answers)
def test_an_answer_stays_light_however_many_there_are(
    client: FlaskClient, jobs: int, answer: str
) -> None:
    fields = {"jobs": jobs, "answer": answer, "seq": 123456}
    sent = client.post("/figures/slots/runs", data=fields, headers=STREAM)
    assert b"You said" in sent.data
    assert len(sent.data) <= STREAM_BYTES_MOST


def test_5000_jobs_take_little_time(client: FlaskClient) -> None:
    assert min(run(client, jobs=5000)["round_trip_us"] for _ in range(5)) < 100_000
