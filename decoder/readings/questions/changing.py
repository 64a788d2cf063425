"""Changing: where a new priority puts a job among its equals."""

from __future__ import annotations

from decoder.readings.questions.judging import true_of
from decoder.readings.reading import Came, Outcome, Question, Reading
from decoder.readings.run import Order


def _placed_anew(_reading: Reading, outcome: Outcome) -> Came:
    after, before = outcome.shown, outcome.before
    mine = next((placed for placed in after.members if placed.mine), None)
    if mine is None:
        return Came((), "moved nothing", "your job was no longer on the ladder")
    tier = [one for one in after.members if one.facts["tier"] == mine.facts["tier"]]
    true = {
        "stays": _members(before) == _members(after),
        "back": tier[-1] == mine,
        "front": tier[0] == mine,
    }
    answers = true_of(true)
    did = "put it in front of its tier" if outcome.lifo else "put it behind its tier"
    if true["stays"]:
        did = f"{did}, where it stood already"
    if outcome.lifo:
        return Came(answers, did, "lifo uses the number 0 instead of the next arrival")
    return Came(answers, did, "to change a priority is to arrive again, with a new number")


def _members(order: Order | None) -> list[str]:
    return [placed.member for placed in order.members] if order else []


CHANGE_PRIORITY = Question(
    "Change its priority, to the tier that it has: where does it go?",
    {
        "stays": "nowhere: it keeps its place",
        "back": "behind everyone in its tier",
        "front": "in front of its tier",
    },
    _placed_anew,
    lifo="Change it with lifo, to the tier that it has: where does it go?",
)
