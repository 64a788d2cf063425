"""Comparing: say in one sentence how two orders of service differ, and why."""

from __future__ import annotations

from typing import NamedTuple

from decoder.encodings import instant
from decoder.readings.ladder import ordinal, short


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


def compared(by_score: list[str], by_member: list[str], work: list[Work], mine: str) -> str:
    """Say where the two designs part, and which fact decided on either side."""
    place = parting(by_score, by_member)
    if place is None:
        return "Both designs serve these jobs in the same order: whoever was minted first is first."
    jobs = {one.member: one for one in work}
    first, second = jobs[by_score[place]], jobs[by_member[place]]
    return (
        f"They part at the {ordinal(place + 1)} place. Order in the score serves "
        f"{_name(first, mine)}, {_by_score(first, second)}. Order in the member serves "
        f"{_name(second, mine)}, because its id was minted first, at "
        f"{instant.clock(second.minted_ms)} UTC; it knows no tier."
    )


def _name(one: Work, mine: str) -> str:
    return "your job" if one.member == mine else short(one.member)


def _by_score(first: Work, second: Work) -> str:
    if first.tier != second.tier:
        return f"because tier {first.tier} goes before tier {second.tier}"
    if first.delay_ms != second.delay_ms:
        if first.due_ms < second.due_ms:
            return f"because in tier {first.tier} it came to the ladder first: it was due earlier"
        return f"because in tier {first.tier} it reached the ladder first"
    return f"because in tier {first.tier} it arrived first"
