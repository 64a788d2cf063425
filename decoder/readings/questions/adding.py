"""Adding: where one more job of the same millisecond stands."""

from __future__ import annotations

from decoder.readings.questions.judging import true_of
from decoder.readings.reading import Came, Outcome, Question, Reading
from decoder.readings.run import Placed


def _neighbours(outcome: Outcome) -> tuple[Placed, list[Placed]] | None:
    """Return the job that was added, and the others that are due in its millisecond."""
    extra, members = outcome.case.extra, outcome.own.members
    if outcome.times > len(extra):
        return None
    name = extra[outcome.times - 1].member
    added = next(one for one in members if one.member == name)
    due_ms = added.facts["due_ms"]
    return added, [one for one in members if one != added and one.facts["due_ms"] == due_ms]


_ALL_THERE = Came((), "added nothing", "all that can be added here are there")


def _slotted(_reading: Reading, outcome: Outcome) -> Came:
    found = _neighbours(outcome)
    if not found:
        return _ALL_THERE
    added, others = found
    slot, slots = added.facts["slot"], [one.facts["slot"] for one in others]
    if not slots:
        return Came((), f"gave it slot {slot}", "no other job of this millisecond was there")
    true = {"next": slot == max(slots) + 1, "same": slot in slots, "first": slot < min(slots)}
    why = "the script reads the last score of the millisecond and adds 1"
    return Came(true_of(true), f"gave it slot {slot}", why)


def _tied(_reading: Reading, outcome: Outcome) -> Came:
    found = _neighbours(outcome)
    if not found:
        return _ALL_THERE
    added, others = found
    mine = next((one for one in others if one.mine), None)
    if mine is None:
        return Came((), "added it", "your job had left this millisecond before")
    if added.rank < mine.rank:
        minted = "its id was minted before yours"
        return Came(("front",), "put it in front of yours", f"the scores are equal, and {minted}")
    minted = "its id was minted after yours"
    return Came(("behind",), "put it behind yours", f"the scores are equal, and {minted}")


_SAME_MS = "Another job is due in the same millisecond: "
SAME_SLOTS = Question(
    _SAME_MS + "which slot does it get?",
    {
        "next": "the next one after yours",
        "same": "the same: the score is the millisecond",
        "first": "one before yours",
    },
    _slotted,
)
SAME_SCORES = Question(
    _SAME_MS + "where does it stand?",
    {
        "front": "in front of yours",
        "behind": "behind yours: it came later",
        "instead": "in its place: a score stands there once",
    },
    _tied,
)
