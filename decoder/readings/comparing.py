"""Comparing: say in one sentence how two orders of service differ, and why."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from decoder.encodings import instant
from decoder.readings.ladder import ordinal, short
from decoder.readings.run import Guess


class Work(NamedTuple):
    """One job of a workload: its id, when it was minted, its tier, and how long it waits."""

    member: str
    minted_ms: int
    tier: int
    delay_ms: int

    @property
    def due_ms(self) -> int:
        """When it may run."""
        return self.minted_ms + self.delay_ms


def parting(by_score: list[str], by_member: list[str]) -> int | None:
    """Return the first place at which two orders differ, None when they are the same."""
    pairs = enumerate(zip(by_score, by_member, strict=False))
    return next((place for place, (one, other) in pairs if one != other), None)


def turned(by_score: list[str], by_member: list[str], work: list[Work]) -> list[tuple[Work, Work]]:
    """Return the pairs of one tier that the score serves in the other order than the member."""
    jobs = {one.member: one for one in work}
    return [
        (jobs[first], jobs[second])
        for first, second in itertools.combinations(by_score, 2)
        if jobs[first].tier == jobs[second].tier
        and by_member.index(first) > by_member.index(second)
    ]


def compared(by_score: list[str], by_member: list[str], work: list[Work], mine: str) -> str:
    """Say where the two designs part, which fact decided on either side, and what a wait changed.

    Both orders are of the same jobs, all of them in `work`.
    """
    place = parting(by_score, by_member)
    if place is None:
        return "Both designs serve these jobs in the same order: whoever was minted first is first."
    jobs = {one.member: one for one in work}
    first, second = jobs[by_score[place]], jobs[by_member[place]]
    said = (
        f"They part at the {ordinal(place + 1)} place. Order in the score serves "
        f"{_name(first, mine)}, {_by_score(first, second)}. Order in the member serves "
        f"{_name(second, mine)}, because its id was minted first, at "
        f"{instant.clock(second.minted_ms)} UTC; "
    )
    if first.tier == second.tier:
        return said + "once due, it is not asked how long it waited."
    said += "it knows no tier."
    for one, other in turned(by_score, by_member, work)[:1]:
        said += (
            f" Within tier {one.tier} the score puts {_name(one, mine)} before "
            f"{_name(other, mine)}, because {_first_on_the_ladder(one, other)}; the member does "
            "not ask how long anyone waited."
        )
    return said


ANSWERS = {
    "score": "order in the score",
    "member": "order in the member",
    "same": "at the same place",
}
"""Answers to the question in which design a job is served earlier."""


def judged(
    said: str, by_score: list[str], by_member: list[str], work: list[Work], mine: str
) -> tuple[Guess, str]:
    """Hold an answer against the two orders: where each design served my job, and why there."""
    jobs = {one.member: one for one in work}
    at, by_mint = by_score.index(mine), by_member.index(mine)
    came = "same" if at == by_mint else "score" if at < by_mint else "member"
    where = f"{ordinal(at + 1)} in both designs"
    if came != "same":
        where = f"{ordinal(at + 1)} by the score and {ordinal(by_mint + 1)} by the member"
    first, second = (jobs[one] for one in (by_score[:2] if at == 0 else by_score[at - 1 : at + 1]))
    why = _by_score(first, second).removeprefix("because ")
    if at:
        why = f"{_name(first, mine)} is just ahead ({why})"
    told = (
        f"You said “{ANSWERS[said]}”{', and' if said == came else ';'} Valkey served your job "
        f"{where}, because by the score {why}, and its id was minted {ordinal(by_mint + 1)}."
    )
    return Guess(said, came, said == came), told


def _name(one: Work, mine: str) -> str:
    return "your job" if one.member == mine else short(one.member)


def _by_score(first: Work, second: Work) -> str:
    if first.tier != second.tier:
        return f"because tier {first.tier} goes before tier {second.tier}"
    return f"because in tier {first.tier} {_first_on_the_ladder(first, second)}"


def _first_on_the_ladder(first: Work, second: Work) -> str:
    if first.delay_ms == second.delay_ms:
        return "it arrived earlier"
    if first.due_ms < second.due_ms:
        return "it came to the ladder earlier, as it was due earlier"
    return "it reached the ladder earlier"
