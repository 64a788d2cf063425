"""Packed priority: a tier and an arrival number in one score.

     63     53 52                  32 31                              0
    +---------+----------------------+---------------------------------+
    | unused  |  tier (21 bits)      |  arrival (32 bits)              |
    +---------+----------------------+---------------------------------+

21 + 32 = 53 bits, as many as a double holds exactly: it fits with nothing to spare.
Source: BullMQ getPriorityScore, priority * 0x100000000 + INCR pc % 0x100000000.
"""

from __future__ import annotations

from decoder.errors import OutOfRange

ARRIVALS = 2**32
"""How many arrival numbers there are before the counter wraps."""

MOST_URGENT = 1
"""Tier 0 is never in the set: BullMQ keeps jobs without a priority in a list."""

LAST_EXACT_TIER = 2**21 - 1
"""2 097 151: with every arrival, the score stays at or below 2**53 - 1."""


def encode(tier: int, arrival: int, *, past_the_limit: bool = False) -> int:
    """Pack `tier` (1..2097151) and `arrival` (0..2**32-1) into the exact integer score.

    An arrival at or past 2**32 wraps, as the counter does. With `past_the_limit` a tier that a
    double would round is computed all the same, to show what is lost.
    Raises OutOfRange for a tier below 1, a negative arrival, or a tier past the limit.
    """
    if tier < MOST_URGENT:
        raise OutOfRange(
            f"Tier {tier} is not in the set: the most urgent tier is 1.", limit=MOST_URGENT
        )
    if arrival < 0:
        raise OutOfRange(f"Arrival {arrival} is below 0, the front of its tier.", limit=0)
    if tier > LAST_EXACT_TIER and not past_the_limit:
        raise OutOfRange(
            f"Tier {tier} needs more than 53 bits: a double would round the arrival away. "
            f"The last exact tier is {LAST_EXACT_TIER}.",
            limit=LAST_EXACT_TIER,
        )
    return tier * ARRIVALS + arrival % ARRIVALS


def decode(score: int) -> tuple[int, int]:
    """Return (tier, arrival) of a whole score of at least 0."""
    return divmod(score, ARRIVALS)
