"""The scripts of lua/one-number on a real Valkey: one number a member, the order in the member.

Right values are FACTS.md's (sections 1, 2 and 4), or follow from the ids. Letters and numbers such
as H03 name a public report in cases/public-reports.jsonl.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoder.encodings import branded
from decoder.errors import ProgramFailed
from decoder.transcripts.reply import Failure, Reply
from tests.support.scripts import KEYS, Ran, Scripts, job
from tests.support.valkey import Valkey

T0 = 1780226888000
MINE = "JOB0Nb1VTbfnu4"
# Minted a second apart, from two seconds before T0 on (FACTS.md, section 2).
NEIGHBOURS = ["JOB0Nb1VKRy3l2", "JOB0Nb1VP1ovpY", MINE, "JOB0Nb1VYBWfya", "JOB0Nb1VclNY36"]
EMQKIND = Failure("EMQKIND job id must be JOB-namespaced")


@pytest.fixture
def queue(valkey: Valkey) -> Scripts:
    return Scripts(valkey)


def enqueue(queue: Scripts, member: str, payload: str = "p") -> Reply:
    return queue.run("one-number/enqueue", of=member, member=member, payload=payload).value


def schedule(queue: Scripts, member: str, ms: int, mode: str = "at") -> Ran:
    what = {"member": member, "payload": "p", "mode": mode, "ms": ms}
    return queue.run("one-number/schedule", of=member, **what)


def promote(queue: Scripts, now_ms: int | str = "", limit: int = 100) -> Reply:
    return queue.run("one-number/promote", limit=limit, now_ms=now_ms).value


def claim(queue: Scripts, now_ms: int | str = "", lease_ms: int = 30_000) -> Reply:
    return queue.run("one-number/claim", lease_ms=lease_ms, now_ms=now_ms).value


def register(queue: Scripts, name: str, first_ms: int, every_ms: int = 90_000) -> Ran:
    what = {"every_ms": every_ms, "template": "t", "first_ms": first_ms}
    return queue.run("one-number/register", of=name, registration=name, **what)


def advance(queue: Scripts, name: str, next_ms: int) -> Ran:
    return queue.run("one-number/advance", of=name, registration=name, next_ms=next_ms)


def due(queue: Scripts, key: str, now_ms: int) -> Reply:
    """Read what is due, which is a plain command and no script."""
    return queue.plain("ZRANGEBYSCORE", key, "-inf", now_ms, "LIMIT", 0, 10)


def registration(name: str) -> str:
    return f"{KEYS['repeat']}:{name}"


# --- the example job ---


def test_the_example_job_is_stored_as_fire_time(queue: Scripts) -> None:
    assert schedule(queue, MINE, T0 + 90_000).value == 1
    assert queue.stored("schedule") == [(MINE, "1780226978000")]


def test_the_example_job_is_stored_as_order(queue: Scripts) -> None:
    assert enqueue(queue, MINE) == 1
    assert queue.stored("pending") == [(MINE, "0")]


def test_the_example_job_is_stored_as_next_run(queue: Scripts) -> None:
    assert register(queue, MINE, T0 + 90_000).value == 1
    assert queue.stored("repeat") == [(MINE, "1780226978000")]


@pytest.mark.parametrize("key", ["schedule", "repeat"])
def test_the_due_read_is_empty_before_and_full_at_and_after_the_due_time(
    queue: Scripts, key: str
) -> None:
    schedule(queue, MINE, T0 + 90_000)
    register(queue, MINE, T0 + 90_000)
    assert due(queue, key, T0 + 89_999) == []
    assert due(queue, key, T0 + 90_000) == [MINE]
    assert due(queue, key, T0 + 90_001) == [MINE]


# --- enqueue ---


def test_a_job_is_admitted_with_a_record_and_a_flat_score(queue: Scripts) -> None:
    ran = queue.run("one-number/enqueue", of=MINE, member=MINE, payload='{"n": 1}')
    assert ran.value == 1
    assert [step.words for step in ran.steps] == [
        ["EXISTS", job(MINE)],
        ["HSET", job(MINE), "state", "pending", "attempts", "0", "payload", '{"n": 1}'],
        ["ZADD", "emq:{q}:pending", "0", MINE],
    ]
    assert queue.hash(job(MINE)) == {"state": "pending", "attempts": "0", "payload": '{"n": 1}'}


def test_a_job_that_is_known_is_answered_0_and_nothing_is_written(queue: Scripts) -> None:
    enqueue(queue, MINE, "first")
    claim(queue, T0)
    again = queue.run("one-number/enqueue", of=MINE, member=MINE, payload="second")
    assert (again.value, again.commands) == (0, [f"EXISTS {job(MINE)}"])
    assert queue.members("pending") == []
    assert queue.hash(job(MINE)) == {"state": "active", "attempts": "1", "payload": "first"}


def test_a_scheduled_job_cannot_be_enqueued_nor_the_other_way_round(queue: Scripts) -> None:
    schedule(queue, MINE, T0)
    assert enqueue(queue, MINE) == 0
    assert enqueue(queue, NEIGHBOURS[0]) == 1
    assert schedule(queue, NEIGHBOURS[0], T0).value == 0
    assert (queue.members("pending"), queue.members("schedule")) == ([NEIGHBOURS[0]], [MINE])


STRANGERS = [
    # H04: good ids of other kinds.
    "USR0KHTOWnGLuC",
    "TSK0NcxSaH8oE4",
    "LSN0NbD94T0Qtu",
    "job0Nb1VTbfnu4",
    "0Nb1VTbfnu4",
    "JO",
    " JOB0Nb1VTbfnu4",
    # H09: the moment is no name.
    "1780226978000",
]


@pytest.mark.parametrize("member", STRANGERS)
def test_an_id_of_another_kind_is_refused_before_anything_is_asked(
    queue: Scripts, member: str
) -> None:
    ran = queue.run("one-number/enqueue", of=member, member=member, payload="p")
    assert (ran.value, ran.steps) == (EMQKIND, [])
    ran = schedule(queue, member, T0)
    assert (ran.value, ran.steps) == (EMQKIND, [])
    assert queue.valkey.admin.keys(queue.lane.prefix.replace("[", "\\[") + "*") == []


def test_only_the_kind_is_looked_at_not_the_rest_of_the_id(queue: Scripts) -> None:
    # F01: and what looks like a number stays text.
    members = ["JOB", "JOB-1", "JOB3e+8", "JOB300000000", "JOBé"]
    assert [enqueue(queue, member) for member in members] == [1] * 5
    assert queue.members("pending") == sorted(members)


# --- order in the member ---


def test_pending_jobs_stand_in_the_order_of_their_mint(queue: Scripts) -> None:
    for member in (NEIGHBOURS[n] for n in (3, 0, 4, 2, 1)):
        enqueue(queue, member)
    assert queue.stored("pending") == [(member, "0") for member in NEIGHBOURS]
    served = [claim(queue, T0) for _ in range(5)]
    assert [one[0] for one in served if isinstance(one, list)] == NEIGHBOURS


def test_upper_case_stands_before_lower_case_as_mint_time_asks(queue: Scripts) -> None:
    # H03: written with a-z before A-Z, the same five instants come out in another order.
    instants = [branded.parse(f"JOB{body}").minted_ms for body in ("0KHTOWnGLuL", "0KHTOWnGLvB")]
    assert instants[0] <= instants[1]
    bodies = ["0KHTOWnGLuY", "0KHTOWnGLuZ", "0KHTOWnGLua", "0KHTOWnGLub", "0KHTOWnGLv0"]
    for body in bodies[::-1]:
        enqueue(queue, f"JOB{body}")
    assert queue.members("pending") == [f"JOB{body}" for body in bodies]
    for body in bodies:
        enqueue(queue.fresh(), f"JOB{body.swapcase()}")
    for body in bodies:
        enqueue(queue, f"JOB{body.swapcase()}")
    swapped = [f"JOB{bodies[n].swapcase()}" for n in (4, 2, 3, 0, 1)]
    assert queue.members("pending") == sorted(swapped)
    assert queue.members("pending") != [f"JOB{body.swapcase()}" for body in bodies]


@pytest.mark.parametrize(
    "body", ["0KHTOWnGLuC", "0NgWEfAEJfs", "0NcxSaH8oE4", "0NbWMtkosp8", "0NbD94T0Qtu"]
)
def test_a_published_id_stands_between_those_minted_around_it(queue: Scripts, body: str) -> None:
    # H04.
    before, after = branded.neighbours(f"JOB{body}", apart_ms=1)
    for member in (after, f"JOB{body}", before):
        enqueue(queue, member)
    assert queue.members("pending") == [before, f"JOB{body}", after]


def test_plain_numbers_as_ids_are_not_in_the_order_of_their_values(queue: Scripts) -> None:
    # H01: why an id has a fixed width.
    for n in (9, 10, 2, 100):
        enqueue(queue, f"JOB{n}")
    assert queue.members("pending") == ["JOB10", "JOB100", "JOB2", "JOB9"]


# --- schedule ---


def test_at_is_the_callers_own_millisecond(queue: Scripts) -> None:
    ran = schedule(queue, MINE, T0 + 90_000)
    assert [step.words for step in ran.steps] == [
        ["EXISTS", job(MINE)],
        ["HSET", job(MINE), "state", "scheduled", "attempts", "0", "payload", "p"],
        ["ZADD", "emq:{q}:schedule", "1780226978000", MINE],
    ]
    assert queue.hash(job(MINE))["state"] == "scheduled"


def test_in_is_a_delay_after_the_servers_time(queue: Scripts) -> None:
    ran = schedule(queue, MINE, 90_000, mode="in")
    asked, time, _, written = ran.steps
    assert (asked.words[0], time.words) == ("EXISTS", ["TIME"])
    assert isinstance(time.reply, list)
    seconds, micros = (int(str(part)) for part in time.reply)
    assert written.words[2] == str(seconds * 1000 + micros // 1000 + 90_000)
    assert queue.score("schedule", MINE) == written.words[2]


def test_a_second_schedule_of_a_job_leaves_its_time_alone(queue: Scripts) -> None:
    # H09.
    schedule(queue, MINE, T0)
    again = schedule(queue, MINE, T0 + 1)
    assert (again.value, len(again.steps)) == (0, 1)
    assert queue.stored("schedule") == [(MINE, str(T0))]


def test_jobs_due_in_one_millisecond_are_two_members_in_the_order_of_their_mint(
    queue: Scripts,
) -> None:
    # H09: with the moment as member they would be one.
    for member in (NEIGHBOURS[3], MINE):
        schedule(queue, member, T0)
    assert queue.stored("schedule") == [(MINE, str(T0)), (NEIGHBOURS[3], str(T0))]


def test_a_time_that_is_no_number_is_refused_and_writes_nothing(queue: Scripts) -> None:
    with pytest.raises(ProgramFailed) as caught:
        queue.run("one-number/schedule", of=MINE, member=MINE, payload="p", mode="in", ms="soon")
    assert [step.words[0] for step in caught.value.steps] == ["EXISTS", "TIME"]
    assert queue.plain("EXISTS", job(MINE)) == 0


# --- promote ---


def test_what_is_due_moves_to_pending_with_score_0(queue: Scripts) -> None:
    schedule(queue, MINE, T0 + 90_000)
    assert promote(queue, T0 + 89_999) == 0
    assert promote(queue, T0 + 90_000) == 1
    assert (queue.stored("pending"), queue.members("schedule")) == ([(MINE, "0")], [])
    assert queue.hash(job(MINE)) == {"state": "pending", "attempts": "0", "payload": "p"}


def test_a_promotion_removes_before_it_adds(queue: Scripts) -> None:
    schedule(queue, MINE, T0)
    ran = queue.run("one-number/promote", limit=7, now_ms=T0)
    assert ran.commands[:3] == [
        f"ZRANGEBYSCORE emq:{{q}}:schedule -inf {T0} LIMIT 0 7",
        f"ZREM emq:{{q}}:schedule {MINE}",
        f"ZADD emq:{{q}}:pending 0 {MINE}",
    ]
    assert ran.steps[3].words[2:] == ["state", "pending"]


def test_a_job_minted_earlier_but_due_later_is_served_by_its_mint(queue: Scripts) -> None:
    for n, member in enumerate(NEIGHBOURS):
        schedule(queue, member, T0 + (5 - n) * 1000)
    assert queue.members("schedule") == NEIGHBOURS[::-1]
    assert promote(queue, T0 + 5000) == 5
    assert queue.members("pending") == NEIGHBOURS


def test_a_promoted_job_goes_before_one_that_was_minted_later_and_waited_longer(
    queue: Scripts,
) -> None:
    enqueue(queue, NEIGHBOURS[3])
    schedule(queue, MINE, T0)
    promote(queue, T0)
    assert queue.members("pending") == [MINE, NEIGHBOURS[3]]


def test_the_limit_takes_the_first_due_and_leaves_the_rest(queue: Scripts) -> None:
    for n, member in enumerate(NEIGHBOURS):
        schedule(queue, member, T0 - n)
    assert promote(queue, T0, limit=2) == 2
    assert queue.members("pending") == NEIGHBOURS[3:]
    assert queue.members("schedule") == NEIGHBOURS[2::-1]


def test_without_a_clock_the_servers_own_decides(queue: Scripts) -> None:
    schedule(queue, MINE, -1, mode="in")
    schedule(queue, NEIGHBOURS[0], 3_600_000, mode="in")
    ran = queue.run("one-number/promote", limit=10, now_ms="")
    assert ran.value == 1
    assert ran.steps[0].words == ["TIME"]
    assert queue.members("pending") == [MINE]
    taken = queue.run("one-number/claim", lease_ms=30_000, now_ms="")
    (time,) = [step.reply for step in taken.steps if step.words == ["TIME"]]
    assert isinstance(time, list)
    now = int(str(time[0])) * 1000 + int(str(time[1])) // 1000
    assert queue.stored("active") == [(MINE, str(now + 30_000))]


# --- claim ---


def test_a_claim_leases_the_oldest_job_and_counts_the_attempt(queue: Scripts) -> None:
    enqueue(queue, NEIGHBOURS[3], "later")
    enqueue(queue, MINE, "mine")
    assert claim(queue, T0, lease_ms=30_000) == [MINE, "mine", 1]
    assert queue.stored("active") == [(MINE, str(T0 + 30_000))]
    assert queue.hash(job(MINE)) == {"state": "active", "attempts": "1", "payload": "mine"}
    assert queue.members("pending") == [NEIGHBOURS[3]]


def test_nothing_pending_is_an_empty_list_and_one_read(queue: Scripts) -> None:
    ran = queue.run("one-number/claim", lease_ms=1, now_ms=T0)
    assert (ran.value, ran.commands) == ([], ["ZPOPMIN emq:{q}:pending"])


def test_each_claim_of_a_job_is_a_new_attempt(queue: Scripts) -> None:
    enqueue(queue, MINE)
    for attempt in (1, 2, 3):
        assert claim(queue, T0 + attempt) == [MINE, "p", attempt]
        # Its lease ran out: a reaper would put it back.
        queue.plain("ZREM", "active", MINE)
        queue.plain("ZADD", "pending", 0, MINE)


def test_a_pending_job_without_a_record_is_claimed_without_a_payload(queue: Scripts) -> None:
    queue.plain("ZADD", "pending", 0, MINE)
    assert claim(queue, T0) == [MINE, None, 1]


def test_a_record_reached_through_its_prefix_is_shown_by_its_logical_key(queue: Scripts) -> None:
    schedule(queue, MINE, T0)
    promoted = queue.run("one-number/promote", limit=1, now_ms=T0)
    claimed = queue.run("one-number/claim", lease_ms=1, now_ms=T0)
    assert promoted.commands[-1] == f"HSET emq:{{q}}:job:{MINE} state pending"
    assert claimed.commands[-1] == f"HGET emq:{{q}}:job:{MINE} payload"


# --- register, advance, cancel ---


def test_a_second_register_as_a_reboot_would_writes_nothing(queue: Scripts) -> None:
    register(queue, "report", T0)
    again = register(queue, "report", T0 + 5000, every_ms=1)
    assert (again.value, again.commands) == (0, ["EXISTS emq:{q}:repeat:report"])
    assert queue.stored("repeat") == [("report", str(T0))]
    assert queue.hash(registration("report")) == {"every_ms": "90000", "template": "t"}


def test_a_register_writes_a_record_and_the_first_run(queue: Scripts) -> None:
    ran = register(queue, "report", T0)
    assert ran.commands == [
        "EXISTS emq:{q}:repeat:report",
        "HSET emq:{q}:repeat:report every_ms 90000 template t",
        f"ZADD emq:{{q}}:repeat {T0} report",
    ]
    assert ran.value == 1


def test_an_advance_moves_the_next_run_and_keeps_the_member(queue: Scripts) -> None:
    # C01, C03: the next run is plain milliseconds, so its offset in the period stays.
    every, first = 900_000, 1762000621007
    register(queue, "report", first, every_ms=every)
    for n in range(1, 5):
        ran = advance(queue, "report", first + n * every)
        assert (ran.value, ran.steps[1].reply) == (1, 0)
        ((member, score),) = queue.stored("repeat")
        assert (member, int(score) % every) == ("report", first % every)
    assert int(score) == first + 4 * every


def test_an_advance_without_a_record_sweeps_the_name(queue: Scripts) -> None:
    register(queue, "report", T0)
    queue.plain("DEL", registration("report"))
    ran = advance(queue, "report", T0 + 90_000)
    assert (ran.value, ran.commands[1]) == (0, "ZREM emq:{q}:repeat report")
    assert queue.members("repeat") == []


def test_a_cancelled_registration_is_gone_and_may_be_registered_anew(queue: Scripts) -> None:
    cancel = {"of": "report", "registration": "report"}
    register(queue, "report", T0)
    assert queue.run("one-number/cancel", **cancel).value == 1
    assert queue.members("repeat") == []
    assert queue.plain("EXISTS", registration("report")) == 0
    assert queue.run("one-number/cancel", **cancel).value == 0
    assert register(queue, "report", T0 + 1).value == 1


def test_one_registration_never_touches_another(queue: Scripts) -> None:
    register(queue, "a", T0)
    register(queue, "b", T0 + 1)
    advance(queue, "a", T0 + 2)
    queue.run("one-number/cancel", of="a", registration="a")
    assert queue.stored("repeat") == [("b", str(T0 + 1))]
    assert queue.hash(registration("b")) == {"every_ms": "90000", "template": "t"}


# --- faults, and workloads against a model ---

KEYS_OF: list[tuple[str, dict[str, Any], str, int]] = [
    ("enqueue", {"of": MINE, "member": MINE, "payload": "p"}, "pending", 3),
    (
        "schedule",
        {"of": MINE, "member": MINE, "payload": "p", "mode": "at", "ms": T0},
        "schedule",
        3,
    ),
    ("promote", {"limit": 1, "now_ms": T0}, "schedule", 1),
    ("claim", {"lease_ms": 1, "now_ms": T0}, "pending", 1),
    (
        "register",
        {"of": "r", "registration": "r", "every_ms": 1, "template": "t", "first_ms": T0},
        "repeat",
        3,
    ),
    ("cancel", {"of": "r", "registration": "r"}, "repeat", 1),
    ("advance", {"of": "r", "registration": "r", "next_ms": T0}, "repeat", 2),
]


@pytest.mark.parametrize(("script", "arguments", "key", "sent"), KEYS_OF)
def test_a_key_of_another_kind_stops_a_script_and_brings_its_steps(
    queue: Scripts, script: str, arguments: dict[str, Any], key: str, sent: int
) -> None:
    queue.plain("EXISTS", "counter")  # a lane begins empty, so this one begins before
    queue.valkey.admin.set(queue.physical(key), "no set")
    with pytest.raises(ProgramFailed) as caught:
        queue.run(f"one-number/{script}", **arguments)
    assert len(caught.value.steps) == sent
    assert "WRONGTYPE Operation against a key holding the wrong" in caught.value.sentence
    assert queue.lane.prefix not in caught.value.sentence


def minted(n: int) -> str:
    # Two ids an instant, so that the sequence decides as well.
    return branded.mint(T0 + n // 2, sequence=n % 2)


IDS = st.integers(0, 9)
WORKLOADS = st.lists(
    st.one_of(
        st.tuples(st.just("enqueue"), IDS),
        st.tuples(st.just("schedule"), IDS, st.integers(0, 3)),
        st.tuples(st.just("promote"), st.integers(0, 3), st.integers(1, 3)),
        st.tuples(st.just("claim"), st.integers(0, 3)),
    ),
    min_size=1,
    max_size=25,
)
Workload = list[tuple[Any, ...]]


class Model:
    """What the one-number design promises. Jobs are numbers in the order of their mint."""

    def __init__(self) -> None:
        self.known: set[int] = set()
        self.scheduled: dict[int, int] = {}
        self.pending: set[int] = set()

    def enqueue(self, n: int) -> int:
        if n in self.known:
            return 0
        self.known.add(n)
        self.pending.add(n)
        return 1

    def schedule(self, n: int, ms: int) -> int:
        if n in self.known:
            return 0
        self.known.add(n)
        self.scheduled[n] = ms
        return 1

    def promote(self, now: int, limit: int) -> int:
        due = sorted((ms, n) for n, ms in self.scheduled.items() if ms <= now)[:limit]
        for _, n in due:
            del self.scheduled[n]
            self.pending.add(n)
        return len(due)

    def claim(self, _now: int) -> list[Any]:
        if not self.pending:
            return []
        n = min(self.pending)
        self.pending.remove(n)
        return [minted(n), f"payload {n}", 1]


def play(queue: Scripts, workload: Workload) -> list[Reply]:
    """Run a workload as one program and return what each script answered."""
    program = queue.program()
    for action, *facts in workload:
        arguments: dict[str, Any]
        if action == "promote":
            arguments = {"now_ms": T0 + facts[0], "limit": facts[1]}
        elif action == "claim":
            arguments = {"lease_ms": 1, "now_ms": T0 + facts[0]}
        else:
            member = minted(facts[0])
            arguments = {"of": member, "member": member, "payload": f"payload {facts[0]}"}
        if action == "schedule":
            arguments |= {"mode": "at", "ms": T0 + facts[1]}
        queue.ask(program, f"one-number/{action}", **arguments)
    return [value for _, value in queue.execute(program).returned]


def modelled(model: Model, workload: Workload) -> list[Reply]:
    return [getattr(model, action)(*facts) for action, *facts in workload]


def drained(workload: Workload) -> Workload:
    """Add what it takes to serve everything that a workload leaves."""
    return [*workload, ("promote", 3, 100), *[("claim", 3)] * 11]


@given(workload=WORKLOADS)
@settings(max_examples=150)
def test_any_workload_is_answered_and_served_as_a_model_says(
    valkey: Valkey, workload: Workload
) -> None:
    queue, model = Scripts(valkey), Model()
    assert play(queue, workload) == modelled(model, workload)
    assert queue.stored("pending") == [(minted(n), "0") for n in sorted(model.pending)]
    scheduled = sorted((ms, n) for n, ms in model.scheduled.items())
    assert queue.stored("schedule") == [(minted(n), str(T0 + ms)) for ms, n in scheduled]


@pytest.mark.long
@given(workload=WORKLOADS)
@settings(max_examples=10_000)
def test_10_000_workloads_are_served_to_the_end_as_the_model_says(
    queue: Scripts, workload: Workload
) -> None:
    whole = drained(workload)
    assert play(queue.fresh(), whole) == modelled(Model(), whole)
