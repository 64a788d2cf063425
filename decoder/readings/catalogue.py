"""The catalogue: six readings, each one way to store and read a job.

Figures, pages and JSON draw from here. A new reading is one entry below, its script in
lua/<design>/, and a test.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from decoder.encodings import branded, delay, flat, instant, packed
from decoder.errors import OutOfRange
from decoder.readings import actions, questions, records, schedules
from decoder.readings.reading import Case, Computed, Conclusion, Job, Reading, Script, members
from decoder.readings.run import Fact

# packed/fire-time


def _shifted(job: Job) -> Computed:
    facts = [Fact("due_ms", job.due_ms, (52, 12)), Fact("slot", job.slot, (11, 0))]
    return Computed(delay.encode(job.due_ms, job.slot), facts)


def _due(score: float) -> Conclusion:
    due_ms, slot = delay.decode(int(score))
    return Conclusion(
        {"due_ms": due_ms, "slot": slot},
        f"{int(score)} / 4096 is {due_ms} ms, {_date(due_ms)}, slot {slot} of that millisecond.",
    )


def _delayed_scene(reading: Reading, case: Case) -> list[Script]:
    # The one that is due in the same millisecond comes after mine, to get the next slot.
    others = [one for one in case.others if one.due_ms != case.job.due_ms]
    pairs = [(reading.encode(one).score, one.member) for one in others]
    record = records.mine(case.job, priority=case.job.tier, delay=case.job.delay_ms)
    return [members(reading.keys, pairs), record]


def _add_delayed(case: Case) -> list[Script]:
    jobs = [case.job, *(one for one in case.others if one.due_ms == case.job.due_ms)]
    return [actions.delayed(one) for one in jobs]


# packed/priority


def _packed(job: Job) -> Computed:
    facts = [Fact("tier", job.tier, (52, 32)), Fact("arrival", job.arrival, (31, 0))]
    return Computed(packed.encode(job.tier, job.arrival), facts)


def _priority(score: float) -> Conclusion:
    tier, arrival = packed.decode(int(score))
    never = " Tier 0 is never in such a set." if tier == 0 else ""
    return Conclusion(
        {"tier": tier, "arrival": arrival}, f"Tier {tier}, arrival number {arrival}.{never}"
    )


_LADDER = {"prioritized": "prioritized", "counter": "pc"}


def _ladder_scene(reading: Reading, case: Case) -> list[Script]:
    jobs = " ".join(f"{reading.encode(one).score} {one.member}" for one in case.others)
    counted = max(one.arrival for one in case.others)
    return [
        Script("stage/cast", _LADDER, {"counted": counted, "jobs": jobs}),
        records.mine(case.job, priority=case.job.tier),
    ]


def _add_prioritized(case: Case) -> list[Script]:
    arrival, counter = {"arrival": case.job.arrival}, {"counter": "pc"}
    job = {"tier": case.job.tier, "member": case.job.member}
    return [
        Script("stage/set_counter", counter, {**arrival}),
        Script("packed/add_prioritized", _LADDER, {**job}),
        Script("stage/restore_counter", counter, {**arrival}),
    ]


# What is scored by milliseconds: packed/next-run, one-number/fire-time, one-number/next-run.


def _millisecond(job: Job) -> Computed:
    return Computed(instant.encode_ms(job.due_ms), [Fact("due_ms", job.due_ms, (52, 0))])


def _time(what: str) -> Callable[[float], Conclusion]:
    def conclude(score: float) -> Conclusion:
        at = instant.decode_ms(score)
        return Conclusion({"due_ms": at}, f"{what} {_date(at)}.")

    return conclude


def _date(instant_ms: int) -> str:
    try:
        return instant.iso(instant_ms)
    except OutOfRange:
        return "long after the year 9999"


def _schedules(reading: Reading, case: Case) -> list[Script]:
    # What stands here are schedules and no jobs, so they have names of their own.
    minted = case.job.minted_ms
    return [members(reading.keys, [(minted + 20_000, "cleanup"), (minted + 600_000, "report")])]


def _upsert(case: Case) -> list[Script]:
    return [schedules.upsert(case.job, case.job.due_ms)]


def _register(case: Case) -> list[Script]:
    return [schedules.register(case.job, case.job.due_ms)]


def _schedule(case: Case) -> list[Script]:
    return [actions.scheduled(case.job, server=case.server)]


# one-number/order


def _zero(_job: Job) -> Computed:
    return Computed(flat.encode(), [])


def _flat(score: float) -> Conclusion:
    if flat.decode(score):
        return Conclusion({}, "Every score here is 0, so the bytes of the id carry the order.")
    return Conclusion({}, "A score that is not 0 has no business in a set ordered by its members.")


def _minted(member: str) -> dict[str, int]:
    return {"minted_ms": branded.parse(member).minted_ms}


def _enqueue(case: Case) -> list[Script]:
    keys = {"record": "job:" + case.job.member, "pending": "pending"}
    job = {"member": case.job.member, "payload": case.job.payload}
    return [Script("one-number/enqueue", keys, {**job})]


_ENTRIES = (
    Reading(
        id="packed/fire-time",
        question="When?",
        keys="delayed",
        encoding="shifted-delay",
        formula="(timestamp + delay) × 4096 + slot",
        meaning="the millisecond at which the job may run, and its slot within it",
        script="packed/add_delayed",
        writes="ZREVRANGEBYSCORE, then ZADD",
        reads="ZRANGEBYSCORE 0 (now + 1) × 4096 − 1",
        encode=_shifted,
        conclude=_due,
        scene=_delayed_scene,
        write=_add_delayed,
        read=actions.DUE_BY_SLOTS,
        actions=(actions.PROMOTE_DELAYED, actions.ADD_DELAYED),
    ),
    Reading(
        id="packed/priority",
        question="In what order?",
        keys="prioritized",
        encoding="packed-priority",
        formula="tier × 2³² + arrival",
        meaning="how urgent the job is, and when it came among its equals",
        script="packed/add_prioritized",
        writes="INCR, then ZADD",
        reads="ZPOPMIN",
        encode=_packed,
        conclude=_priority,
        scene=_ladder_scene,
        write=_add_prioritized,
        read=actions.next_of("prioritized"),
        actions=(actions.serve("prioritized", questions.SERVE_BY_SCORE), actions.CHANGE_PRIORITY),
        least=packed.ARRIVALS,
    ),
    Reading(
        id="packed/next-run",
        question="How often?",
        keys="repeat",
        encoding="milliseconds",
        formula="next run, in ms",
        meaning="the millisecond at which the schedule fires next",
        script="packed/upsert_repeat",
        writes="ZSCORE, then ZADD",
        reads="ZRANGEBYSCORE −inf now",
        encode=_millisecond,
        conclude=_time("Runs next at"),
        scene=_schedules,
        write=_upsert,
        read=actions.due_in("repeat"),
        most=instant.LAST_DATE_MS,
        actions=(schedules.UPSERT_AGAIN, schedules.UPSERT_NEXT),
    ),
    Reading(
        id="one-number/fire-time",
        question="When?",
        keys="schedule",
        encoding="milliseconds",
        formula="run at, in ms",
        meaning="the millisecond at which the job may run",
        script="one-number/schedule",
        writes="EXISTS, HSET, ZADD",
        reads="ZRANGEBYSCORE −inf now",
        encode=_millisecond,
        conclude=_time("Due at"),
        write=_schedule,
        written_by_clock=True,
        read=actions.due_in("schedule"),
        most=instant.LAST_DATE_MS,
        actions=(actions.PROMOTE_SCHEDULED, actions.CLAIM, actions.ADD_SCHEDULED),
    ),
    Reading(
        id="one-number/order",
        question="In what order?",
        keys="pending",
        encoding="flat",
        formula="0, for every member",
        meaning="nothing; the id says when the job was minted, and sorts by it",
        script="one-number/enqueue",
        writes="EXISTS, HSET, ZADD",
        reads="ZPOPMIN",
        encode=_zero,
        conclude=_flat,
        of_member=_minted,
        write=_enqueue,
        read=actions.next_of("pending"),
        actions=(actions.serve("pending", questions.SERVE_BY_MEMBER), actions.CLAIM),
        most=0,
    ),
    Reading(
        id="one-number/next-run",
        question="How often?",
        keys="repeat",
        encoding="milliseconds",
        formula="next run, in ms",
        meaning="the millisecond at which the schedule fires next",
        script="one-number/register",
        writes="EXISTS, HSET, ZADD",
        reads="ZRANGEBYSCORE −inf now",
        encode=_millisecond,
        conclude=_time("Runs next at"),
        scene=_schedules,
        write=_register,
        read=actions.due_in("repeat"),
        most=instant.LAST_DATE_MS,
        actions=(schedules.REGISTER_AGAIN, schedules.ADVANCE),
    ),
)

READINGS: dict[str, Reading] = {one.id: actions.with_bits(one) for one in _ENTRIES}
"""Every reading by its id, those of one design in the order of their questions."""

DESIGNS = {"packed": "order in the score", "one-number": "order in the member"}
"""What people call each design: its id stands in code and addresses only."""


def named(reading: Reading) -> str:
    """Return what a reading is called beside those of the other design."""
    return f"{reading.question} · {DESIGNS[reading.design]}"


def of_design(design: str) -> list[Reading]:
    """Return the readings of one design, in the order of their questions."""
    return [one for one in READINGS.values() if one.design == design]


def misread(score: float, right: Reading) -> list[tuple[Reading, str]]:
    """Say what a score would mean under every reading other than the right one.

    Empty for a score that is not a finite number of at least 0.
    """
    if not math.isfinite(score) or score < 0:
        return []
    wrong = [one for one in READINGS.values() if one.id != right.id]
    return [(one, one.conclude(score).says) for one in wrong]
