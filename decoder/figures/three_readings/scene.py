"""The scene: the job, the others around it, their keys, and the scores that are computed."""

from __future__ import annotations

from decoder.encodings import branded, delay, instant, packed
from decoder.readings.catalogue import Reading
from decoder.readings.run import Fact, Score

NAME = "three-readings"
TITLE = "One job, stored three ways"
T0_MS = 1780226888000
DELAY_MS = 90_000
EVERY_MS = 90_000
DUE_MS = T0_MS + DELAY_MS
REBOOT_MS = T0_MS + 30_000
LEASE_MS = 30_000
MINE = "JOB0Nb1VTbfnu4"
TIER, ARRIVAL = 2, 17
WINDOW = 15
LATEST_NOW_MS = T0_MS + 150_000

# Those that can be added, in this order: due in the millisecond of mine, and minted by turns
# before and after it, so that the order of coming and the order of the ids differ.
ADDED = (-3, 3, -4, 4)

# The others: when each was minted, in seconds from t0, and when it is due. The one that was
# minted last is due early, and one is due in the very millisecond of mine.
OTHERS = ((-2, 12), (-1, 114), (1, 90), (2, 35))

QUEUE = "emq:{orders}:"
DELAYED, LADDER, COUNTER = QUEUE + "delayed", QUEUE + "prioritized", QUEUE + "pc"
WAIT = QUEUE + "wait"
SCHEDULE, PENDING, ACTIVE = QUEUE + "schedule", QUEUE + "pending", QUEUE + "active"
REPEAT, JOB, REGISTRATION = QUEUE + "repeat", QUEUE + "job:", QUEUE + "repeat:"

PAYLOAD = "send the receipt"
COUNTED = 30
CLOCKS = ("pinned", "server")


def minted(seconds: int) -> str:
    """Return the id of a job minted so many seconds after t0."""
    return branded.mint(T0_MS + seconds * 1000)


MINTED = tuple(seconds for seconds, _ in OTHERS)
SAME_MS_JOBS = tuple(minted(seconds) for seconds in ADDED)
_LADDER_CAST = ((1, 9, -2), (2, 15, -1), (2, 30, 1), (3, 2, 2))
LADDER_JOBS = " ".join(f"{packed.encode(tier, n)} {minted(s)}" for tier, n, s in _LADDER_CAST)


def set_key(reading: Reading) -> str:
    """Return the logical key of a reading's set."""
    return QUEUE + reading.keys


def keys_of(reading: Reading) -> list[str]:
    """Return every key that anything done in a reading can leave behind, its set first."""
    if reading.kind == "next-run":
        return [REPEAT, REGISTRATION + MINE]
    others = [*map(minted, MINTED), *(SAME_MS_JOBS if reading.kind == "fire-time" else ())]
    records = [JOB, *(JOB + member for member in (MINE, *others))]
    filled = [WAIT, LADDER, COUNTER] if reading.design == "packed" else [PENDING, ACTIVE]
    return list(dict.fromkeys([set_key(reading), *filled, *records]))


def next_after(now_ms: int) -> int:
    """Return the next run that a register sets, made when a reboot is over, or later."""
    return max(now_ms, REBOOT_MS) + EVERY_MS


def score_under(
    reading: Reading, stored: str | None, due_ms: int | None, arrival: int | None = ARRIVAL
) -> Score:
    """Compute the job's score under a reading.

    Without the due time or the arrival that its formula asks for, the server alone knows.
    """
    if reading.encoding == "shifted-delay":
        facts = [Fact("due_ms", DUE_MS, (52, 12)), Fact("slot", 0, (11, 0))]
        return Score(delay.encode(DUE_MS, 0), stored, facts)
    if reading.encoding == "packed-priority":
        if arrival is None:
            return Score(None, stored, [])
        facts = [Fact("tier", TIER, (52, 32)), Fact("arrival", arrival, (31, 0))]
        return Score(packed.encode(TIER, arrival), stored, facts)
    if reading.encoding == "flat":
        return Score(0, stored, [])
    if due_ms is None:
        return Score(None, stored, [])
    return Score(instant.encode_ms(due_ms), stored, [Fact("due_ms", due_ms, (52, 0))])


def score_of(reading: Reading) -> int:
    """Return the score that the job has under a reading, as the encoding computes it."""
    score = score_under(reading, None, DUE_MS).computed
    return score or 0


def is_timed(reading: Reading) -> bool:
    """Tell whether a reading asks what is due, which changes nothing, or takes the next."""
    return reading.kind in ("fire-time", "next-run")
