"""Questions: what is asked before an action that surprises, and which answer came true.

An answer is judged by what the server replied, never by what the action was meant to do.
"""

from __future__ import annotations

from decoder.encodings import instant
from decoder.readings.reading import Came, Outcome, Question, Reading
from decoder.readings.run import Guess, Order

# Register again.

_FOUND_THE_SAME = "the run that it wrote was the one that stood there"


def _upserted(_reading: Reading, outcome: Outcome) -> Came:
    prior = outcome.replied("ZSCORE", "packed/upsert_repeat")
    before = prior.reply if prior else None
    if not isinstance(before, str):
        return Came((), "registered it", "it was not there before")
    if float(before) == float(outcome.own.score or before):
        return Came(("nothing",), "changed nothing", _FOUND_THE_SAME)
    return Came(("moves",), "moved the next run", "this script replaces the score that it finds")


def _registered(_reading: Reading, outcome: Outcome) -> Came:
    known = outcome.replied("EXISTS", "one-number/register")
    if known and known.reply == 1:
        return Came(("nothing",), "changed nothing", "this script asks for the record first")
    return Came((), "registered it", "there was no record of it")


_REGISTER = "Register again, as a reboot would: what changes?"
_CHANGES = {
    "nothing": "nothing",
    "moves": "the next run moves",
    "twice": "it is there twice",
}
UPSERT_AGAIN = Question(_REGISTER, _CHANGES, _upserted)
REGISTER_AGAIN = Question(_REGISTER, _CHANGES, _registered)


# Promote what is due.


def _moved(outcome: Outcome) -> list[str]:
    return outcome.texts("ZRANGEBYSCORE")


def _to_the_ladder(_reading: Reading, outcome: Outcome) -> Came:
    if outcome.mine in _moved(outcome):
        to_list = outcome.replied("LPUSH", "packed/promote_delayed")
        if to_list and to_list.words[2] == outcome.mine:
            return Came(("list",), "put it into the wait list", "it has no priority")
        return Came(
            ("ladder",), "put it on the ladder, as the last to arrive",
            "it has a priority, and INCR numbers it now that it is due",
        )  # fmt: skip
    if outcome.own.score is None:
        return Came((), "found nothing of yours to move", "your job had left this set before")
    return Came(("stays",), "left it where it was", "it is not due yet")


def _to_pending(_reading: Reading, outcome: Outcome) -> Came:
    moved = _moved(outcome)
    if not moved:
        at = instant.clock(outcome.now_ms)
        nobody = f"the due read up to {at} UTC returned nobody"
        return Came(("nothing",), "moved nothing", nobody)
    stand = [placed for placed in outcome.shown.members if placed.member in moved]
    by_mint = sorted(stand, key=lambda placed: placed.facts["minted_ms"])
    # The due read returns them in the order of their due times.
    true = {"due": [one.member for one in stand] == moved, "mint": stand == by_mint}
    answers = tuple(name for name, holds in true.items() if holds)
    if len(answers) > 1:
        same = "only one was due" if len(moved) == 1 else "here the two orders are the same"
        return Came(answers, "moved what was due, in either order", same)
    return Came(
        answers, "put them in the order of their mints",
        "every score is 0 in pending, and the ids sort by their mint",
    )  # fmt: skip


PROMOTE_DELAYED = Question(
    "Promote what is due: where does your job go?",
    {
        "ladder": "onto the ladder, as the last to arrive",
        "list": "into the wait list, with the others",
        "stays": "nowhere: it is not due",
    },
    _to_the_ladder,
)
PROMOTE_SCHEDULED = Question(
    "Promote what is due: in what order?",
    {
        "due": "by when they were due",
        "mint": "by when they were minted",
        "nothing": "nothing is due",
    },
    _to_pending,
)


# Change the priority.


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
    answers = tuple(name for name, holds in true.items() if holds)
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
    lifo="Change it once more, now with lifo: where does it go?",
)


def judged(question: Question, said: str, reading: Reading, outcome: Outcome) -> tuple[Guess, str]:
    """Hold an answer against what came: the guess, and what is said of it."""
    came = question.came(reading, outcome)
    right = said in came.answers
    served = said if right else next(iter(came.answers), None)
    joined = ", and" if right else ";"
    told = f"You said “{question.answers[said]}”{joined} Valkey {came.did}, because {came.because}."
    return Guess(said, served, right), told
