"""Telling: say in one plain sentence what a step of a reading did, and what it means."""

from __future__ import annotations

from decoder.encodings import branded, instant
from decoder.readings.ladder import ordinal, short
from decoder.readings.reading import Reading
from decoder.readings.run import Order, Placed

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def _jobs(count: int, one: str, more: str) -> str:
    """Count jobs in words, with the verb that fits."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} job {one}" if count < 2 else f"{number} jobs {more}"


NOTHING_DUE = "Nothing was due, so nothing moved."


def at(instant_ms: int, now_ms: int) -> str:
    """Write an instant as a time of day with its zone, and how far it lies from now."""
    span = instant.apart(instant_ms - now_ms)
    way = "now" if instant_ms == now_ms else f"in {span}" if instant_ms > now_ms else f"{span} ago"
    return f"{instant.clock(instant_ms)} UTC ({way})"


def meaning(reading: Reading) -> str:
    """Say what a number means in a set."""
    return f"In {reading.keys}, the score is {reading.meaning}."


def written(reading: Reading, score: str, order: Order) -> str:
    """Say what was stored, and where the job stands by it."""
    where = "it is not in the set"
    if order.rank is not None:
        where = f"the job is {ordinal(order.rank + 1)} of {order.of}"
    if reading.encoding == "flat":
        return f"Stored 0, like every other job here; by the bytes of its id {where}."
    return f"Stored {score}: {reading.formula}. By that number {where}."


def next_up(order: Order) -> str:
    """Say who is served next, read without serving anyone."""
    if not order.members:
        return "Nobody waits: ZRANGE 0 0 answered an empty array."
    head = order.members[0]
    who = "your job" if head.mine else short(head.member)
    return f"Next is {who}: ZRANGE 0 0 only looks, ZPOPMIN is what serves."


def stands(reading: Reading, order: Order) -> str:
    """Say where the job stands, and nothing of how it came there."""
    if order.rank is None:
        return f"Your job is not in {reading.keys} now."
    return f"Your job is {ordinal(order.rank + 1)} of {order.of} in {reading.keys}."


def due(found: list[str], mine: str, due_ms: int | None, now_ms: int) -> str:
    """Say what a due read returned, and whether the visitor's job is among it."""
    head = f"{_jobs(len(found), 'is', 'are')} due at {instant.clock(now_ms)} UTC."
    if due_ms is None:
        return f"{head} Yours is no longer in this set."
    if mine in found:
        late = instant.apart(now_ms - due_ms)
        when = "this very millisecond" if now_ms == due_ms else f"{late} ago"
        return f"{head} Yours is one of them: its time came {when}."
    ahead = instant.apart(due_ms - now_ms)
    return f"{head} Yours is not: its score is {ahead} ahead of now, so the read leaves it."


def promoted_to_pending(moved: list[str]) -> str:
    """Say which jobs a promotion moved to pending, and by what they are ordered there."""
    if not moved:
        return NOTHING_DUE
    return (
        f"{_jobs(len(moved), 'was', 'were')} due and moved to pending: {_names(moved)}. There "
        "every score is 0: they stand by when they were minted, no longer by when they were due."
    )


def promoted_by_priority(moved: list[str], waiting: list[str], ladder: Order) -> str:
    """Say which jobs a promotion moved to the ladder, and which without a priority to the list."""
    if not moved:
        return NOTHING_DUE
    said = [f"{_jobs(len(moved), 'was', 'were')} due."]
    for placed in ladder.members:
        if placed.member in moved:
            who = "Your job" if placed.mine else short(placed.member)
            number = placed.facts["arrival"]
            said.append(
                f"{who} has a priority and moved to the ladder, as no. {number} of its tier."
            )
    if waiting:
        have, they = ("has", "it") if len(waiting) == 1 else ("have", "they")
        said.append(
            f"{_names(waiting)} {have} none, so {they} moved to the wait list, which goes before "
            "every ladder."
        )
    return " ".join(said)


def _names(members: list[str]) -> str:
    *others, last = [short(member) for member in members]
    return f"{', '.join(others)} and {last}" if others else last


def taken(placed: Placed | None, flat: bool) -> str:
    """Say whom ZPOPMIN took, and why that one."""
    if placed is None:
        return "Nobody waits: ZPOPMIN answered an empty array."
    who = "your job" if placed.mine else short(placed.member)
    if not flat:
        return f"Valkey served {who}: no score was smaller."
    minted = instant.clock(branded.parse(placed.member).minted_ms)
    return f"Valkey served {who}: all scores are equal, and its id, minted {minted} UTC, is first."


def same_ms(added: Placed, mine: Placed | None, of: int) -> str:
    """Say where one more job of a millisecond stands, and by what: its slot, or its bytes."""
    due_ms, name = added.facts["due_ms"], short(added.member)
    together = mine is not None and mine.facts["due_ms"] == due_ms
    when = "in the same millisecond" if together else f"at {instant.clock(due_ms)} UTC"
    head = f"{name} is due {when}"
    if "slot" in added.facts:
        return (
            f"{head} and took slot {added.facts['slot']}: jobs of one millisecond keep the order "
            "in which they came, up to 4096 of them."
        )
    if mine is None or not together:
        return f"{head}, with the score {added.score}: it is {ordinal(added.rank + 1)} of {of}."
    side = "in front of" if added.rank < mine.rank else "behind"
    return (
        f"{head} and has the same score, {added.score}: the bytes of the ids decide. Minted "
        f"{_minted(added)}, it stands {side} yours, minted {_minted(mine)}."
    )


def _minted(placed: Placed) -> str:
    return f"{instant.clock(branded.parse(placed.member).minted_ms)} UTC"


def no_more(added: int) -> str:
    """Say that there is no further job to add."""
    return f"All {added} jobs that can be added to this millisecond are there; reset to go on."


def registered(reading: Reading, before: str | None, after: str | None, wrote: bool) -> str:
    """Say what a second register did, as a reboot would make it."""
    now = instant.clock(int(float(after or 0)))
    if not wrote:
        return (
            f"EXISTS found the record, so the script answered 0 and wrote nothing: the next run "
            f"is still {now} UTC. A reboot changes nothing."
        )
    if before is None:
        return f"It was not registered, so it is now: the next run is {now} UTC."
    was = instant.clock(int(float(before)))
    member = "one member still" if reading.design == "packed" else "one registration still"
    return (
        f"ZSCORE found the earlier run, {was} UTC, and ZADD replaced it with {now} UTC: {member}, "
        "so nothing is doubled."
    )


def advanced(score: str | None) -> str:
    """Say where the next run of a schedule is after one has fired."""
    if score is None:
        return "The registration is gone, so its dangling name was swept out of the set."
    following = instant.clock(int(float(score)))
    return f"It fired, so its score moved one period on: the next run is {following} UTC."


def changed(order: Order, before: Order | None, *, lifo: bool) -> str:
    """Say where a changed priority put the job within its tier, and whether that is elsewhere."""
    if order.rank is None:
        return "Your job is no longer on the ladder, so its priority changed nothing there."
    mine = next(placed for placed in order.members if placed.mine)
    arrival, tier = mine.facts["arrival"], mine.facts["tier"]
    where = f"{ordinal(order.rank + 1)} of {order.of}"
    stays = before is not None and before.rank == order.rank
    if lifo:
        already = ", where it stood already" if stays else ""
        return (
            f"With lifo the counter is 0: the job stands in front of tier {tier}{already}, {where}."
        )
    anew = f"ZREM, then a new arrival, no. {arrival}, behind everyone in tier {tier}"
    if stays:
        return f"It kept its place: {anew}, where it stood already. It is {where}."
    return f"It lost its place: {anew}. Now it is {where}."
