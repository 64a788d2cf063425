"""Serving: who is next, and what becomes of a job that a worker claims."""

from __future__ import annotations

from decoder.encodings import instant
from decoder.readings.ladder import short
from decoder.readings.questions.judging import true_of
from decoder.readings.reading import Came, Outcome, Question, Reading
from decoder.readings.run import Placed


def _popped(outcome: Outcome) -> Placed | None:
    popped = outcome.texts("ZPOPMIN")
    before = outcome.before.members if outcome.before else []
    return next((placed for placed in before if popped and placed.member == popped[0]), None)


_NOBODY = Came((), "served nobody", "the set is empty")


def _served_by_score(_reading: Reading, outcome: Outcome) -> Came:
    served = _popped(outcome)
    if not served or not outcome.before:
        return _NOBODY
    stood = outcome.before.members
    tier = served.facts["tier"]
    true = {
        "urgent": tier == min(one.facts["tier"] for one in stood),
        "oldest": served.facts["arrival"] == min(one.facts["arrival"] for one in stood),
        "mine": served.mine,
    }
    why = f"tier {tier} stands in the high bits, so no score is smaller"
    return Came(true_of(true), f"served {_who(served)}", why)


def _served_by_member(_reading: Reading, outcome: Outcome) -> Came:
    served = _popped(outcome)
    if not served or not outcome.before:
        return _NOBODY
    minted = [one.facts["minted_ms"] for one in outcome.before.members]
    true = {
        "first": served.facts["minted_ms"] == min(minted),
        "last": served.facts["minted_ms"] == max(minted),
        "mine": served.mine,
    }
    why = "all scores are 0, and of the ids that wait its bytes sort first"
    return Came(true_of(true), f"served {_who(served)}", why)


def _claimed(_reading: Reading, outcome: Outcome) -> Came:
    popped, lease = outcome.texts("ZPOPMIN"), outcome.replied("ZADD", "one-number/claim")
    if not popped:
        return Came((), "claimed nothing", "nobody waits in pending")
    if not lease or lease.words[-1] != popped[0]:
        return Came(("gone",), "took it out", "no other set was written")
    until = instant.clock(int(float(lease.words[2])))
    return Came(
        ("leased",), f"moved it into active, until {until} UTC",
        "one script takes it and leases it, so a worker that dies loses no job",
    )  # fmt: skip


def _who(placed: Placed) -> str:
    return "your job" if placed.mine else short(placed.member)


SERVE_BY_SCORE = Question(
    "Serve the next: who is it?",
    {
        "urgent": "the first of the smallest tier",
        "oldest": "the one that arrived before all others",
        "mine": "your job",
    },
    _served_by_score,
)
SERVE_BY_MEMBER = Question(
    "Serve the next: who is it?",
    {
        "first": "the one that was minted first",
        "last": "the one that was minted last",
        "mine": "your job",
    },
    _served_by_member,
)
CLAIM = Question(
    "A worker claims the next job: where is it then?",
    {
        "leased": "in active, for as long as its lease runs",
        "gone": "nowhere: the worker has it",
        "pending": "still in pending, until it is done",
    },
    _claimed,
)
