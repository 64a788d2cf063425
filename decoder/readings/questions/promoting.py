"""Promoting: where what is due goes, and in what order it stands there."""

from __future__ import annotations

from decoder.encodings import instant
from decoder.readings.questions.judging import true_of
from decoder.readings.reading import Came, Outcome, Question, Reading


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
    answers = true_of(true)
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
