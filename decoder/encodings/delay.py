"""Shifted delay: a due millisecond and a slot within it, in one score.

     53 52                                  12 11         0
    +-----------------------------------------+------------+
    |  due, ms since 1970 (41 bits)           | slot (12)  |
    +-----------------------------------------+------------+

Exact while the due time is below 2**41 ms, which is 2039-09-07T15:47:35.552Z.
Source: BullMQ getDelayedScore, (timestamp + delay) * 0x1000 + slot.
"""

from __future__ import annotations

from decoder.errors import OutOfRange

SLOTS = 4096
"""Slots of one millisecond; the 4097th job and all later ones keep the last."""

LAST_EXACT_DUE_MS = 2**41 - 1
"""2199023255551, the last millisecond whose 4096 slots are all exact integers in a double."""


def encode(due_ms: int, slot: int, *, past_the_limit: bool = False) -> int:
    """Pack a due time and a slot (0..4095) into the exact integer score.

    With `past_the_limit` a due time whose slots a double would round is computed all the same.
    Raises OutOfRange for a negative due time, a slot beyond 4095, or a due time past the limit.
    """
    if due_ms < 0:
        raise OutOfRange(f"The due time {due_ms} ms lies before 1970.", limit=0)
    if not 0 <= slot < SLOTS:
        raise OutOfRange(f"Slot {slot} does not exist: they run from 0 to 4095.", limit=SLOTS - 1)
    if due_ms > LAST_EXACT_DUE_MS and not past_the_limit:
        raise OutOfRange(
            f"Due times after {LAST_EXACT_DUE_MS} ms (September 2039) lose slots in a double.",
            limit=LAST_EXACT_DUE_MS,
        )
    return due_ms * SLOTS + slot


def decode(score: int) -> tuple[int, int]:
    """Return (due_ms, slot) of a whole score of at least 0."""
    return divmod(score, SLOTS)


def due_bound(now_ms: int) -> int:
    """Return the largest score that is due at `now_ms`: every slot of that millisecond.

    Source: BullMQ promoteDelayedJobs, (now + 1) * 0x1000 - 1.
    """
    return (now_ms + 1) * SLOTS - 1
