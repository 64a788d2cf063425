"""What sets scored by time, by priority or not at all do by themselves, without any script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from decoder.encodings import branded, delay, double, instant, packed
from decoder.sandbox import embedded
from decoder.sandbox.keys import Lane, new_sandbox_id
from tests.support.prompt import Prompt
from tests.support.scripts import KEYS, Scripts, job, record
from tests.support.valkey import Valkey

T0 = 1780226888000
MINE = "JOB0Nb1VTbfnu4"
SET = "a set"


def zadd(valkey: Valkey, *words: Any) -> Any:
    return valkey.admin.execute_command("ZADD", SET, *words)


def members(valkey: Valkey) -> list[str]:
    found: list[str] = valkey.admin.zrange(SET, 0, -1)
    return found


def due(valkey: Valkey, now: Any) -> list[str]:
    found: list[str] = valkey.admin.execute_command("ZRANGEBYSCORE", SET, "-inf", now)
    return found


# The first commands of the course: a task is there, and is not due yet.


@pytest.mark.parametrize(
    ("member", "score", "early"),
    [
        ("task:abc123", 1706649000, 1706648500),
        (MINE, 1706649000000, 1706648500000),
        (MINE, T0 + 90_000, T0),
    ],
)
def test_the_due_read_is_empty_before_the_due_time_and_full_at_it(
    valkey: Valkey, member: str, score: int, early: int
) -> None:
    with Prompt(valkey.folder) as prompt:
        assert prompt.type(f'ZADD delayed_queue {score} "{member}"') == "(integer) 1"
        read = "ZRANGEBYSCORE delayed_queue -inf {} LIMIT 0 10"
        assert prompt.type(read.format(early)) == "(empty array)"
        assert prompt.type(read.format(score - 1)) == "(empty array)"
        assert prompt.type(read.format(score)) == f'1) "{member}"'
        assert prompt.type(f'ZREM delayed_queue "{member}"') == "(integer) 1"
        assert prompt.type(f'ZREM delayed_queue "{member}"') == "(integer) 0"


def test_the_score_of_that_task_is_in_january_2024_long_before_the_id_was_minted() -> None:
    assert instant.iso(1706649000000) == "2024-01-30T21:10:00.000Z"
    assert instant.iso(branded.parse(MINE).minted_ms) == "2026-05-31T11:28:08.000Z"


# How others read the same commands.


def test_fractional_seconds_are_due_by_their_milliseconds(valkey: Valkey) -> None:
    # Sidekiq's schedule and retry.
    zadd(valkey, repr(instant.encode_s(T0 + 1)), "a", repr(instant.encode_s(T0 + 2)), "b")
    assert due(valkey, repr(instant.encode_s(T0))) == []
    assert due(valkey, repr(instant.encode_s(T0 + 1))) == ["a"]
    assert due(valkey, T0 // 1000 + 1) == ["a", "b"]


def test_whole_seconds_are_due_all_together(valkey: Valkey) -> None:
    # asynq's scheduled, and the run_times of APScheduler 3.
    zadd(valkey, T0 // 1000, "b", T0 // 1000, "a", T0 // 1000 + 1, "c")
    assert due(valkey, T0 // 1000 - 1) == []
    assert due(valkey, T0 // 1000) == ["a", "b"]


def test_what_expires_at_infinity_is_never_due_before_it(valkey: Valkey) -> None:
    # RQ's registries.
    zadd(valkey, "+inf", "kept", 1780226978, "expires")
    assert due(valkey, 2**62) == ["expires"]
    assert valkey.admin.execute_command("ZSCORE", SET, "kept") in ("inf", float("inf"))


def test_a_bare_priority_knows_no_arrival_so_bytes_decide(valkey: Valkey) -> None:
    # Bull 3.
    zadd(valkey, 2, "b", 1, "z", 2, "a")
    assert members(valkey) == ["z", "a", "b"]


# Reading what is due writes nothing.


@pytest.mark.parametrize("key", ["schedule", "repeat"])
def test_a_due_read_removes_nothing_and_zpopmin_does(valkey: Valkey, key: str) -> None:
    queue = Scripts(valkey)
    fields = {"member": MINE, "payload": "p", "mode": "at", "ms": T0}
    queue.run("one-number/schedule", of=MINE, **fields)
    first = {"registration": MINE, "every_ms": 1000, "template": "t", "first_ms": T0}
    queue.run("one-number/register", of=MINE, **first)
    for _ in range(2):
        assert queue.plain("ZRANGEBYSCORE", key, "-inf", T0, "LIMIT", 0, 10) == [MINE]
    assert queue.stored(key) == [(MINE, str(T0))]
    assert queue.hash(job(MINE))["state"] == "scheduled"
    assert queue.pop(key) == [MINE]
    assert queue.stored(key) == []


# B13: why the slot has 12 bits.


def test_with_20_bits_for_the_id_the_jobs_of_a_millisecond_share_one_score(valkey: Valkey) -> None:
    wide = [T0 * 2**20 + low for low in (4, 5, 6, 40)]
    assert double.spacing(float(wide[0])) == 256
    for score, member in zip(wide, ("4", "5", "6", "40"), strict=True):
        zadd(valkey, score, member)
    stored = {valkey.admin.zscore(SET, member) for member in ("4", "5", "6", "40")}
    assert stored == {float(T0 * 2**20)}
    assert members(valkey) == ["4", "40", "5", "6"], "by their bytes: 40 came last"
    for low in (4, 5, 6, 40):
        zadd(valkey, delay.encode(T0, low), str(low))
    assert members(valkey) == ["4", "5", "6", "40"]


# H07: an order is a list of pairs.


def test_members_that_are_numbers_keep_the_servers_order_and_their_scores(valkey: Valkey) -> None:
    queue = Scripts(valkey)
    stands = [("404", "1200"), ("77", "8000"), ("200", "8000"), ("1", "9100")]
    for member, score in stands:
        queue.plain("ZADD", "pending", score, member)
    program = queue.program()
    program.order(KEYS["pending"], "77", 10)
    done = queue.execute(program)
    (read,) = done.orders
    served = [("404", "1200"), ("200", "8000"), ("77", "8000"), ("1", "9100")]
    assert read.pairs(done.steps) == served
    assert (read.rank(done.steps), read.of(done.steps)) == (2, 4)
    # A map keyed by the numbers would go by their values, or lose which score is whose.
    assert sorted(served, key=lambda pair: int(pair[0])) != served


# H04: the published ids, and the largest.


def test_the_published_ids_stand_in_the_order_of_their_mint_and_the_largest_last(
    valkey: Valkey,
) -> None:
    bodies = ["AzL8n0Y58m7", "0NgWEfAEJfs", "0NcxSaH8oE4", "0NbWMtkosp8", "0NbD94T0Qtu"]
    bodies += ["0Nb1VTbfnu4", "0KHTOWnGLuC", "00000000000"]
    for body in bodies:
        zadd(valkey, 0, f"JOB{body}")
    instants = [branded.parse(member).minted_ms for member in members(valkey)]
    assert instants == sorted(instants)
    assert members(valkey) == [f"JOB{body}" for body in reversed(bodies)]
    assert instants[-1] == branded.EPOCH_MS + 2**41 - 1


# A07: one tier is one range of scores.


@pytest.mark.parametrize(
    ("tier", "first", "last"),
    [
        (1, 4294967296, 8589934591),
        (2, 8589934592, 12884901887),
        (2097151, 9007194959773696, 9007199254740991),
    ],
)
def test_the_bounds_of_a_tier_hold_all_of_it_and_nothing_of_its_neighbours(
    valkey: Valkey, tier: int, first: int, last: int
) -> None:
    assert (packed.encode(tier, 0), packed.encode(tier, 2**32 - 1)) == (first, last)
    for n, score in enumerate((first - 1, first, first + 5, last, last + 1)):
        zadd(valkey, score, f"m{n}")
    assert valkey.admin.zcount(SET, first, last) == 3


# The braces of a queue's keys.


def test_everything_of_one_queue_lives_in_one_slot_of_a_cluster(tmp_path: Path) -> None:
    class Cluster(Valkey):
        """A server that knows slots; nothing else of a cluster is needed to ask for them."""

        def start(self) -> None:
            with (self.folder / embedded.CONFIGURATION).open("a") as lines:
                lines.write("cluster-enabled yes\n")
            super().start()

    names = [*KEYS.values(), job(MINE), record("one-number/register", MINE)]
    assert {name.rpartition("}:")[0] for name in names} == {"emq:{q"}
    lane = Lane(new_sandbox_id(), "scripts")
    with Cluster(tmp_path) as server:

        def slots(keys: list[str]) -> set[int]:
            return {server.admin.execute_command("CLUSTER KEYSLOT", key) for key in keys}

        assert len(slots(names)) == 1
        assert len(slots([lane.physical(name) for name in names])) == 1
        assert len(slots([name.replace("{q}", "q") for name in names])) > 1
