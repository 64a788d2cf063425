"""The lab `cliff-2039`: due times so late that ms · 4096 reaches 2⁵³, and slots collapse."""

from __future__ import annotations

from decoder.encodings import delay, instant
from decoder.figures.inputs import Input, Range
from decoder.figures.labs.lab import Choice, Found, Lab, Request, pairs, replies, rows
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program

FIRST_BAD_MS = delay.LAST_EXACT_DUE_MS + 1
DELAYED = "emq:{orders}:delayed"
JOBS = ("c", "b", "a")
AROUND = Range(-3, 3)
OFFSET = Input("offset", "Milliseconds from 2039-09-07 15:47:35.552 UTC", AROUND, AROUND, 0)
WAY = Choice(
    "way",
    "The slots are",
    {"number": "written by number: 0, 1, 2", "script": "found by the script of a real queue"},
    "number",
)


def scene(asked: Program, request: Request) -> None:
    """Park the three jobs, their slots written by number or found by the script; read them back."""
    due_ms = _due_ms(request)
    for slot, job in enumerate(JOBS):
        if request.chosen["way"] == "number":
            asked.plain("ZADD", DELAYED, delay.encode(due_ms, slot, past_the_limit=True), job)
        else:
            asked.script(
                "packed/add_delayed", {"delayed": DELAYED},
                timestamp_ms=due_ms, delay_ms=0, member=job,
            )  # fmt: skip
    asked.plain("ZRANGE", DELAYED, 0, -1, "WITHSCORES")


def find(request: Request, done: Execution) -> Found:
    """Read the order off ZRANGE, and what was sent off the steps."""
    due_ms, by_number = _due_ms(request), request.chosen["way"] == "number"
    (reply,) = replies(done, "ZRANGE")
    back = pairs(reply)
    kept = {job: delay.decode(int(score)) for job, score in back}
    sent = {step.words[3]: step.words[2] for step in done.steps if step.words[0] == "ZADD"}
    planned = [
        Row(job, sent[job] if by_number else "the slot after the highest", f"slot {slot}"
            if by_number else "") for slot, job in enumerate(JOBS)
    ]  # fmt: skip
    if by_number:
        wrote = {job: f"kept {dict(back)[job]}" for job in JOBS}
    else:
        asked = [pairs(one) for one in replies(done, "ZREVRANGEBYSCORE")]
        wrote = {
            job: f"after {one[0][1]}" if one else "the first"
            for job, one in zip(JOBS, asked, strict=True)
        }
    told = {job: f"slot {slot}, {instant.clock(ms)} UTC" for job, (ms, slot) in kept.items()}
    return Found(
        [Table(f"Due {due_ms} ms = {instant.iso(due_ms)}, added in this order", planned)],
        [
            Table("What was written", [Row(job, sent[job], wrote[job]) for job in JOBS]),
            Table("Read back by ZRANGE", rows(reply, told)),
        ],
        back[0][0],
        _because(back, by_number=by_number)
        + (" The millisecond is exact all the same." if _all_due(kept, due_ms) else ""),
    )


def _due_ms(request: Request) -> int:
    return FIRST_BAD_MS + request.inputs["offset"]


def _all_due(kept: dict[str, tuple[int, int]], due_ms: int) -> bool:
    """Whether some share a slot while every score still names the millisecond."""
    slots = {slot for _, slot in kept.values()}
    return len(slots) < len(kept) and {ms for ms, _ in kept.values()} == {due_ms}


def _because(back: list[tuple[str, str]], *, by_number: bool) -> str:
    order = ", ".join(job for job, _ in back)
    if len({score for _, score in back}) == len(back):
        return (
            f"Up to {delay.LAST_EXACT_DUE_MS} ms the score, ms · 4096 + slot, stays below 2⁵³: "
            f"each job has a slot of its own, and they come back as they were added, {order}."
        )
    if by_number:
        return (
            f"From {FIRST_BAD_MS} ms on the score is at least 2⁵³, where a double holds every "
            f"second whole number only: slots 0 and 1 have become one score, and bytes decide "
            f"between their jobs, so they come back as {order}."
        )
    return (
        f"The script takes the highest score of the millisecond and adds 1. From {FIRST_BAD_MS} ms "
        f"on the sum is no double and is rounded back to where it was, so all three share slot 0 "
        f"and come back by their bytes, {order}."
    )


LAB = Lab(
    NAME="cliff-2039",
    TITLE="In September 2039 the slots of a millisecond run into one another",
    INVITES="Move the due time across 2039-09-07 15:47:35.552 UTC, and see who comes back first.",
    says="A delayed job’s score is its due millisecond times 4096, plus a slot that keeps the "
    "order of arrival. At 2199023255552 ms, which is 2039-09-07T15:47:35.552Z, that product is "
    "2⁵³. Three jobs of one millisecond are added: c, then b, then a.",
    notice="Watch the slot that is read back: the millisecond beside it stays what it was.",
    question="Added c, b, a, all due in one millisecond. Which one comes back first?",
    answers={"c": "c, added first", "b": "b, added second", "a": "a, added third"},
    SCRIPTS=("packed/add_delayed",),
    scene=scene,
    find=find,
    INPUTS=(OFFSET,),
    CHOICES=(WAY,),
    ends={"offset": ("−3: 15:47:35.549 UTC", "+3: 15:47:35.555 UTC")},
)
