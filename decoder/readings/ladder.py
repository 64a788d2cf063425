"""Ladder: say in one plain sentence where a job stands in a priority ladder, and why."""

from __future__ import annotations

from decoder.encodings.double import LAST_EXACT_INTEGER
from decoder.readings.run import Guess, Order, Placed

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


REFILL = "Move a slider to put your job back, or reset."


def ordinal(number: int) -> str:
    """Write 1st, 2nd, 3rd, 4th, 11th."""
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{suffix or 'th'}"


def _count(number: int) -> str:
    return _WORDS[number] if number < len(_WORDS) else str(number)


def stand(order: Order, own: str = "Your job") -> str:
    """Say where the visitor's job stands: rank, and who is ahead for which reason."""
    if not order.of:
        return f"The queue is empty. {REFILL}"
    if order.rank is None:
        return (
            f"{own} has been served and is no longer among {_waiting(order.of)}. "
            "Move a slider to put it back."
        )
    head = f"{own} is {ordinal(order.rank + 1)} of {order.of}"
    if order.rank == 0:
        return f"{head}: it is served next."
    mine = next(placed for placed in order.members if placed.mine)
    ahead = [placed for placed in order.members if placed.rank < mine.rank]
    if len(ahead) < order.rank:
        last = ahead[-1]
        return (
            f"{head}: {_crowd(order)}the one just before it is {short(last.member)} "
            f"(tier {last.facts['tier']}, no. {last.facts['arrival']})."
        )
    behind = " and ".join(_ahead(mine, ahead)).removesuffix(",")
    return f"{head}: behind {behind}."


def _crowd(order: Order) -> str:
    """Count who is ahead by why, where the server counted them and not all are shown."""
    if order.rank is None or order.urgent is None:
        return ""
    same = order.rank - order.urgent
    parts = [f"{_count(order.urgent)} more urgent job{'s' * (order.urgent > 1)}"] * bool(
        order.urgent
    )
    parts += [f"{_count(same)} of its own tier"] * bool(same)
    return f"behind {' and '.join(parts)}; "


def _waiting(number: int) -> str:
    return "the jobs that wait" if number > 1 else "those that wait: one job is left"


def _ahead(mine: Placed, ahead: list[Placed]) -> list[str]:
    tier = mine.facts["tier"]
    urgent = [placed for placed in ahead if placed.facts["tier"] < tier]
    same = [placed for placed in ahead if placed.facts["tier"] == tier]
    tied = [placed for placed in same if float(placed.score) == float(mine.score)]
    before = len(same) - len(tied)
    parts = []
    if urgent:
        parts.append(_urgent(urgent, mine))
    if before:
        who = "the one" if before == 1 else f"the {_count(before)}"
        parts.append(f"{who} that reached tier {tier} before it")
    if tied:
        names = ", ".join(short(placed.member) for placed in tied)
        parts.append(f"{names}, whose score is equal and whose bytes come first")
    return parts


def _urgent(urgent: list[Placed], mine: Placed) -> str:
    tiers = {placed.facts["tier"] for placed in urgent}
    many = len(urgent)
    kind = f"tier-{min(tiers)} " if len(tiers) == 1 else "more urgent "
    jobs = "job" if many == 1 else "jobs"
    who = "both" if many == 2 else "the" if many == 1 else f"all {_count(many)}"
    latest = max(placed.facts["arrival"] for placed in urgent) - mine.facts["arrival"]
    even = ""
    if mine.facts["arrival"] == 0 or float(mine.score) >= LAST_EXACT_INTEGER:
        # Pushed to the front, wrapped, or rounded: its number says nothing about when it came.
        even = ""
    elif latest > 0 and many == 1:
        even = f", though it came {latest} arrivals later,"
    elif latest > 0:
        even = f", even the one that came {latest} arrivals later,"
    return f"{who} {kind}{jobs}{even}"


def short(member: str) -> str:
    """Write an id by its namespace and its last three bytes, where its siblings differ."""
    return f"{member[:3]}…{member[-3:]}" if len(member) > 9 else member


def named(placed: Placed) -> str:
    """Name a job as the ladder shows it."""
    return "your job" if placed.mine else short(placed.member)


def served(placed: Placed | None, said: Placed | None, guess: Guess | None) -> str:
    """Say whom the server served, and why that one rather than the one the visitor said."""
    if placed is None:
        head = f"You said {short(guess.said)}, which was not waiting; " if guess else ""
        return f"{head}Valkey served no one: the queue was empty. {REFILL}"
    facts = f"tier {placed.facts['tier']}, no. {placed.facts['arrival']}"
    if guess is None:
        return f"Valkey served {named(placed)} ({facts}): no score was smaller."
    if guess.right:
        return f"You said {named(placed)}, and Valkey served it ({facts}): no score was smaller."
    if said is None:
        return (
            f"You said {short(guess.said)}, which was not waiting; "
            f"Valkey served {named(placed)} ({facts})."
        )
    return f"You said {named(said)}; Valkey served {named(placed)}, because {why(placed, said)}."


def why(first: Placed, other: Placed) -> str:
    """Say why one job goes before another."""
    if first.facts["tier"] != other.facts["tier"]:
        return (
            f"tier {first.facts['tier']} goes before tier {other.facts['tier']}, whoever came first"
        )
    if float(first.score) != float(other.score):
        return (
            f"within tier {first.facts['tier']} no. {first.facts['arrival']} "
            f"goes before no. {other.facts['arrival']}"
        )
    return "their scores are equal, so the bytes of the members decide"


def joined(added: Placed, tier: int, arrival: int, order: Order) -> str:
    """Say where a job stands that was just added to a tier, as the counter's number `arrival`.

    `added` has the facts that are read back from its score, which may be others.
    """
    read = added.facts["tier"], added.facts["arrival"]
    return (
        f"{short(added.member)} joined tier {tier} as no. {arrival}"
        f"{_read_back(read, tier, arrival)}, {_beside(added, order)}: "
        f"{ordinal(added.rank + 1)} of {order.of}."
    )


def _read_back(read: tuple[int, int], tier: int, arrival: int) -> str:
    if read == (tier, arrival):
        return ""
    named = f"no. {read[1]}" if read[0] == tier else f"tier {read[0]}, no. {read[1]}"
    return f", which its score reads back as {named}"


def _beside(added: Placed, order: Order) -> str:
    """Say where in its tier a job stands that was just added."""
    tier = added.facts["tier"]
    if any(m.facts["tier"] == tier and m.rank > added.rank for m in order.members):
        return "in front of some that came before it, because the counter has wrapped past 2³²"
    before = next((m for m in order.shown if m.rank == added.rank - 1), None)
    if added.rank == 0 or (before and before.facts["tier"] != tier):
        return "the only one of its tier"
    return "behind everyone in its tier"
