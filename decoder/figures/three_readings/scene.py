"""The scene: the job, the others around it, their keys, and the scores that are computed.

An idle sandbox with one figure weighs at most 800 bytes, so the others have no records before an
action looks for them (readings/records.py). Schedules that no action touches have none.
"""

from __future__ import annotations

from decoder.encodings import branded
from decoder.readings.reading import Case, Job, Reading, Script
from decoder.readings.run import Score

NAME = "three-readings"
TITLE = "One job, stored three ways"
INVITES = "Choose a set: a real Valkey stores the job there and reads it back."
"""What a page that begins with this figure asks for."""
T0_MS = 1780226888000
DELAY_MS = 90_000
EVERY_MS = 90_000
DUE_MS = T0_MS + DELAY_MS
MINE = "JOB0Nb1VTbfnu4"
TIER, ARRIVAL = 2, 17
PAYLOAD = "send the receipt"
WINDOW = 15
LATEST_NOW_MS = T0_MS + 150_000
QUEUE = "emq:{orders}:"

# The others: when each was minted, in seconds from t0, and when it is due. The one that was
# minted last is due early, and one is due in the very millisecond of mine.
OTHERS = ((-2, 12), (-1, 114), (1, 90), (2, 35))
# Their places on the ladder: tier and arrival.
_PLACES = ((1, 9), (2, 15), (2, 30), (3, 2))

# Those that can be added, in this order: due in the millisecond of mine, and minted by turns
# before and after it, so that the order of coming and the order of the ids differ.
_ADDED = (-3, 3, -4, 4)


def _job(minted_s: int, due_s: int, tier: int, arrival: int) -> Job:
    minted_ms, due_ms = T0_MS + minted_s * 1000, T0_MS + due_s * 1000
    return Job(branded.mint(minted_ms), minted_ms, due_ms, tier, arrival, EVERY_MS, PAYLOAD)


JOB = Job(MINE, T0_MS, DUE_MS, TIER, ARRIVAL, EVERY_MS, PAYLOAD)
OTHER_JOBS = tuple(_job(*when, *place) for when, place in zip(OTHERS, _PLACES, strict=True))
EXTRA_JOBS = tuple(_job(minted, DELAY_MS // 1000, TIER, ARRIVAL) for minted in _ADDED)
CASE = Case(JOB, OTHER_JOBS, EXTRA_JOBS, T0_MS)
"""The job among the others, as every reading begins."""


def set_key(reading: Reading) -> str:
    """Return the logical key of a reading's set."""
    return QUEUE + reading.keys


def keys_of(reading: Reading) -> list[str]:
    """Return every key that anything done in a reading can leave behind, its set first."""
    keys = [reading.keys]
    for call in reading.calls(CASE):
        keys += call.keys.values() if isinstance(call, Script) else [call.key]
    jobs = (JOB, *OTHER_JOBS, *EXTRA_JOBS)
    records = [prefix + one.member for prefix in keys if prefix.endswith(":") for one in jobs]
    return [QUEUE + key for key in dict.fromkeys([*keys, *records])]


def score_under(reading: Reading, stored: str | None, job: Job | None = JOB) -> Score:
    """Compute the score of a job under a reading; None: the server alone knows its facts."""
    if job is None:
        return Score(None, stored, [])
    score, facts = reading.encode(job)
    return Score(score, stored, facts)


def score_of(reading: Reading) -> int:
    """Return the score that the job has under a reading, as the encoding computes it."""
    return reading.encode(JOB).score
