"""Actions: what can be done to a job that stands under a reading; the catalogue names them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from decoder.encodings import instant
from decoder.readings import questions, records, telling
from decoder.readings.reading import (
    CLOCKS,
    Action,
    Call,
    Case,
    Job,
    Outcome,
    Plain,
    Question,
    Reading,
    Script,
)
from decoder.readings.run import Placed, Step

LIMIT = 10
"""How many due jobs one read or one promotion takes at most."""

LEASE_MS = 30_000
"""How long a worker may keep a job that it claimed."""


# Reading a set: what is due, or who is next.


def due_in(keys: str) -> Action:
    """Read what is due in a set that is scored by milliseconds; changes nothing."""

    def calls(case: Case) -> list[Call]:
        return [Plain("ZRANGEBYSCORE", keys, ("-inf", case.clock, "LIMIT", 0, LIMIT))]

    return Action("read", calls, _due, clocks=CLOCKS)


def _due_by_slots(case: Case) -> list[Call]:
    return [
        Plain("ZRANGEBYSCORE", "delayed", (0, case.slots, "LIMIT", 0, LIMIT)),
        Script("packed/next_delayed", {"delayed": "delayed"}, {}),
    ]


def _due(reading: Reading, outcome: Outcome) -> str:
    found, score = outcome.texts("ZRANGEBYSCORE"), outcome.own.score
    due_ms = reading.conclude(float(score)).facts.get("due_ms") if score is not None else None
    return telling.due(found, outcome.mine, due_ms, outcome.now_ms)


DUE_BY_SLOTS = Action("read", _due_by_slots, _due, clocks=CLOCKS)
"""Read what is due in a set that is scored by milliseconds and slots; changes nothing."""


def next_of(keys: str) -> Action:
    """Read who is next in a set, which takes it."""

    def calls(_case: Case) -> list[Call]:
        return [Plain("ZPOPMIN", keys, ())]

    def peek(_case: Case) -> list[Call]:
        return [Plain("ZRANGE", keys, (0, 0, "WITHSCORES"))]

    return Action("read", calls, _next, takes=True, peek=Action("peek", peek, _next_up))


def _next_up(_reading: Reading, outcome: Outcome) -> str:
    return telling.next_up(outcome.own)


def _next(reading: Reading, outcome: Outcome) -> str:
    return telling.taken(_popped(outcome), flat=reading.encoding == "flat")


def _popped(outcome: Outcome) -> Placed | None:
    popped = outcome.texts("ZPOPMIN")
    return Placed(0, popped[0], popped[1], {}, popped[0] == outcome.mine) if popped else None


def serve(keys: str, question: Question) -> Action:
    """Serve the next of a set: the same as reading it."""
    return replace(next_of(keys), name="serve", label="Just serve it", question=question)


# What is due goes where it is served.


def _promote_delayed(case: Case) -> list[Call]:
    keys = {"delayed": "delayed", "wait": "wait", "prioritized": "prioritized", "counter": "pc"}
    keys["record_prefix"] = "job:"
    promote = Script("packed/promote_delayed", keys, {"now_ms": case.clock})
    return [records.delayed(case, "delayed"), promote]


def _promote_scheduled(case: Case) -> list[Call]:
    keys = {"schedule": "schedule", "pending": "pending", "record_prefix": "job:"}
    promote = Script("one-number/promote", keys, {"limit": LIMIT, "now_ms": case.told})
    return [records.admitted(case, "schedule", "scheduled"), promote]


def _promoted_to_ladder(_reading: Reading, outcome: Outcome) -> str:
    by = "packed/promote_delayed"
    pushes = [one for one in outcome.steps if one.script == by and one.words[0] == "LPUSH"]
    waiting = [one.words[2] for one in pushes]
    return telling.promoted_by_priority(outcome.texts("ZRANGEBYSCORE"), waiting, outcome.shown)


def _promoted_to_pending(_reading: Reading, outcome: Outcome) -> str:
    return telling.promoted_to_pending(outcome.texts("ZRANGEBYSCORE"))


_PROMOTE = "Just promote"
PROMOTE_DELAYED = Action(
    "promote", _promote_delayed, _promoted_to_ladder, _PROMOTE,
    question=questions.PROMOTE_DELAYED, clocks=CLOCKS, fills="prioritized",
)  # fmt: skip
PROMOTE_SCHEDULED = Action(
    "promote", _promote_scheduled, _promoted_to_pending, _PROMOTE,
    question=questions.PROMOTE_SCHEDULED, clocks=CLOCKS, fills="pending",
)  # fmt: skip


def _claim(case: Case) -> list[Call]:
    keys = {"pending": "pending", "active": "active", "record_prefix": "job:"}
    claim = Script("one-number/claim", keys, {"lease_ms": LEASE_MS, "now_ms": case.told})
    return [records.admitted(case, "pending", "pending"), claim]


def _claimed(_reading: Reading, outcome: Outcome) -> str:
    popped = _popped(outcome)
    said = telling.taken(popped, flat=True)
    lease, attempt = outcome.replied("ZADD", "one-number/claim"), outcome.replied("HINCRBY")
    if popped is None or lease is None or attempt is None:
        return said
    until = instant.clock(int(float(lease.words[2])))
    return f"{said} It is attempt {attempt.reply}, leased until {until} UTC."


CLAIM = Action(
    "claim", _claim, _claimed, "Just claim it",
    question=questions.CLAIM, clocks=CLOCKS, drains="pending",
)  # fmt: skip


# Further jobs of one millisecond.


def delayed(one: Job, nth: int = 0) -> Script:
    """Park a job of the packed design until it is due."""
    arguments: dict[str, object] = {
        "timestamp_ms": one.minted_ms,
        "delay_ms": one.delay_ms,
        "member": one.member,
    }
    return Script("packed/add_delayed", {"delayed": "delayed"}, arguments, nth)


def scheduled(one: Job, *, server: bool = False, nth: int = 0) -> Script:
    """Park a job of the one-number design until its due time or, by the server, for its delay."""
    keys = {"record": "job:" + one.member, "schedule": "schedule"}
    mode, ms = ("in", one.delay_ms) if server else ("at", one.due_ms)
    arguments = {"member": one.member, "payload": one.payload, "mode": mode, "ms": ms}
    return Script("one-number/schedule", keys, arguments, nth)


def _add_delayed(case: Case) -> list[Call]:
    return [delayed(one, n) for n, one in enumerate(case.extra, 1)]


def _add_scheduled(case: Case) -> list[Call]:
    return [scheduled(one, nth=n) for n, one in enumerate(case.extra, 1)]


def _added(_reading: Reading, outcome: Outcome) -> str:
    extra = outcome.case.extra
    if outcome.times > len(extra):
        return telling.no_more(len(extra))
    placed = {one.member: one for one in outcome.own.members}
    added = placed[extra[outcome.times - 1].member]
    return telling.same_ms(added, placed.get(outcome.mine), outcome.own.of)


_ADD = "Just add it"
ADD_DELAYED = Action("same_ms", _add_delayed, _added, _ADD, question=questions.SAME_SLOTS)
ADD_SCHEDULED = Action("same_ms", _add_scheduled, _added, _ADD, question=questions.SAME_SCORES)


# A bit turned over.

AT = "at"
"""The action that puts the job at another score of its set: at-<score>."""


def with_bits(reading: Reading) -> Reading:
    """Return a reading whose score can have bits turned over: the job is stored at the new one."""

    def calls(case: Case) -> list[Call]:
        return [Plain("ZADD", reading.keys, ("XX", "CH", case.score, case.job.member))]

    def changes(job: Job | None, case: Case, _steps: list[Step]) -> Job | None:
        facts: dict[str, Any] = {**reading.conclude(float(case.score)).facts}
        return job and job._replace(**facts)

    at = Action(AT, calls, _turned_over, changes=changes)
    return replace(reading, actions=(*reading.actions, at))


def _turned_over(reading: Reading, outcome: Outcome) -> str:
    if outcome.own.score is None:
        return telling.stands(reading, outcome.own)
    says = reading.conclude(float(outcome.own.score)).says
    return f"Stored {outcome.own.score}. {says} {telling.stands(reading, outcome.own)}"


# A changed priority.


def _change_priority(case: Case) -> list[Call]:
    keys = {"wait": "wait", "prioritized": "prioritized", "counter": "pc"}
    keys["record"] = "job:" + case.job.member
    arguments = {"tier": case.job.tier, "member": case.job.member, "lifo": int(case.lifo)}
    return [Script("packed/change_priority", keys, arguments)]


def _changed(_reading: Reading, outcome: Outcome) -> str:
    return telling.changed(outcome.shown, outcome.before, lifo=outcome.lifo)


def _new_arrival(_job: Job | None, case: Case, steps: list[Step]) -> Job | None:
    if case.lifo:
        return case.job._replace(arrival=0)
    given = [
        step.reply
        for step in steps
        if step.script == "packed/change_priority" and step.words[0] == "INCR"
    ]
    # Only the run that changed it knows what INCR answered.
    if not given or not isinstance(given[-1], int):
        return None
    return case.job._replace(arrival=given[-1])


CHANGE_PRIORITY = Action(
    "change_priority",
    _change_priority,
    _changed,
    "Just change it",
    lifo="Just change it, with lifo",
    question=questions.CHANGE_PRIORITY,
    compares=True,
    changes=_new_arrival,
)
