"""The lab `bounds`: one set of due times, read with bounds that are nearly the right ones."""

from __future__ import annotations

from typing import NamedTuple

from decoder.encodings import delay
from decoder.figures.labs.lab import (
    PINNED_NOW_MS,
    Choice,
    Found,
    Lab,
    Request,
    pairs,
    replies,
    rows,
)
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import GO_ON, Program
from decoder.transcripts.reply import Failure

SET = "emq:{orders}:delayed"
FIRST = delay.encode(PINNED_NOW_MS, 0)
LAST = delay.due_bound(PINNED_NOW_MS)
"""The first and the last slot of this millisecond."""
DUE_NOW = "due-now"

MEMBERS = {
    "below-zero": (-1, "a score below 0: due at any time"),
    "a-minute-ago": (delay.encode(PINNED_NOW_MS - 60_000, 0), "due 11:27:08 UTC, slot 0"),
    DUE_NOW: (delay.encode(PINNED_NOW_MS, 7), "due 11:28:08 UTC, this very millisecond, slot 7"),
    "next-ms": (
        delay.encode(PINNED_NOW_MS + 1, 0),
        "due 11:28:08.001 UTC, slot 0: one millisecond later",
    ),
    "in-90-s": (delay.encode(PINNED_NOW_MS + 90_000, 0), "due 11:29:38 UTC, slot 0"),
}
"""Each member with its score, and what that says; by score."""
DUE = [member for member, (score, _) in MEMBERS.items() if score <= LAST]


class Read(NamedTuple):
    """One read of the set: its command, what follows the key, and why it gives what it gives."""

    label: str
    command: str
    words: tuple[str | int, ...]
    why: str


_TEN = ("WITHSCORES", "LIMIT", 0, 10)
READS = {
    "exact": Read(
        "-inf to (now + 1) · 4096 − 1", "ZRANGEBYSCORE", ("-inf", LAST, *_TEN),
        "A bound is part of the range, so it has to be the last slot of this millisecond.",
    ),
    "one-more": Read(
        "-inf to (now + 1) · 4096", "ZRANGEBYSCORE", ("-inf", LAST + 1, *_TEN),
        "A bound is part of the range, and (now + 1) · 4096 is the first slot of the next "
        "millisecond: without − 1 a job of that slot is taken one millisecond early.",
    ),
    "exclusive": Read(
        "-inf to ( before (now + 1) · 4096", "ZRANGEBYSCORE", ("-inf", f"({LAST + 1}", *_TEN),
        "A “(” before a bound leaves that score itself out, so no − 1 is needed.",
    ),
    "first-slot": Read(
        "-inf to now · 4096", "ZRANGEBYSCORE", ("-inf", FIRST, *_TEN),
        "now · 4096 is only the first of this millisecond’s 4096 slots, and the job is in slot 7.",
    ),
    "zero": Read(
        "0 to (now + 1) · 4096 − 1", "ZRANGEBYSCORE", (0, LAST, *_TEN),
        "The range begins at 0, so a score below 0 is in no such answer, however often it is "
        "asked for.",
    ),
    "limit": Read(
        "-inf to (now + 1) · 4096 − 1, the first 2", "ZRANGEBYSCORE",
        ("-inf", LAST, "WITHSCORES", "LIMIT", 0, 2),
        "LIMIT 0 2 skips none and takes two, from the lowest score on; the rest waits for the "
        "next read.",
    ),
    "reversed": Read(
        "the bounds turned round", "ZRANGEBYSCORE", (LAST, "-inf", *_TEN),
        "ZRANGEBYSCORE wants the lower bound first. Nothing is at least the larger and at most "
        "the smaller one, so the answer is empty, and that is no error.",
    ),
    "from-above": Read(
        "ZREVRANGEBYSCORE, the last 2", "ZREVRANGEBYSCORE",
        (LAST, "-inf", "WITHSCORES", "LIMIT", 0, 2),
        "ZREVRANGEBYSCORE wants the upper bound first and begins there, so LIMIT 0 2 takes the "
        "two that became due last.",
    ),
    "bracket": Read(
        "a [ before the bound", "ZRANGEBYSCORE", ("-inf", f"[{LAST}", *_TEN),
        "A score without a sign before it is included already; “[” is for ranges of "
        "members (BYLEX).",
    ),
    "ranks": Read(
        "ZRANGE without BYSCORE", "ZRANGE", (0, LAST, "WITHSCORES"),
        "Without BYSCORE the two numbers are ranks, so this asks for everything from the first "
        "member on, due or not.",
    ),
}  # fmt: skip
READ = Choice("read", "The read", {name: one.label for name, one in READS.items()}, "exact")


def scene(asked: Program, request: Request) -> None:
    """Put the jobs into the set, look at it, and read what is due."""
    one = READS[request.chosen["read"]]
    added = [word for member, (score, _) in MEMBERS.items() for word in (score, member)]
    asked.plain("ZADD", SET, *added)
    asked.plain("ZRANGE", SET, 0, -1, "WITHSCORES")
    asked.command([one.command, SET, *map(str, one.words)], {1}, when=GO_ON)


def find(request: Request, done: Execution) -> Found:
    """Look in the reply for the job of this millisecond, and for any that is due later."""
    one = READS[request.chosen["read"]]
    whole = replies(done, "ZRANGE")[0]
    reply = done.steps[-1].reply
    notes = {member: says for member, (_, says) in MEMBERS.items()}
    setup = Table("In the set, by score", rows(whole, notes, DUE_NOW))
    if isinstance(reply, Failure):
        told = [Row("refused", reply.text)]
        return Found([setup], [Table(_title(one), told)], "refused", f"{one.why} Nothing was read.")
    read = [member for member, _ in pairs(reply)]
    early = [member for member, _ in pairs(whole) if member in read and member not in DUE]
    missed = [member for member in DUE if member not in read]
    there = "early" if early else "yes"
    answer = there if DUE_NOW in read else "no"
    because = [one.why]
    if early:
        because.append(f"Not due yet and read all the same: {_and(early)}.")
    if missed:
        because.append(f"Due and not read: {_and(missed)}.")
    if not early and not missed:
        because.append("All that is due was read, and nothing else.")
    found = Table(_title(one), rows(reply, notes, DUE_NOW))
    return Found([setup], [found], answer, " ".join(because))


def _title(one: Read) -> str:
    return " ".join([one.command, "delayed", *map(str, one.words)])


def _and(members: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(members[:-1]), members[-1]]))


LAB = Lab(
    NAME="bounds",
    TITLE="A bound that is off by one reads a job early, or never",
    INVITES="Choose how the due jobs are read, and say whether this instant’s job is among them.",
    says="A delayed set keeps (milliseconds · 4096 + slot) as score. It holds five jobs, and a "
    "reader asks at 11:28:08 UTC for what is due: everything up to the last slot of this "
    "millisecond.",
    notice="Watch the two bounds: is the score itself inside, and from where does the range begin?",
    question="Is the job that is due at this very millisecond in the answer?",
    answers={
        "yes": "yes, and none that is due later",
        "early": "yes, with one or more that are not due yet",
        "no": "no",
        "refused": "the server refuses the read",
    },
    SCRIPTS=(),
    scene=scene,
    find=find,
    CHOICES=(READ,),
)
