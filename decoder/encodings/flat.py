"""Flat: every member has score 0, and the bytes of the members carry the order.

Equal scores are sorted by memcmp, so a member whose bytes begin with its mint time needs no
number at all. Source: t_zset.c, zslCompareNodes.
"""

from __future__ import annotations

SCORE = 0


def encode() -> int:
    """Return the score of every member."""
    return SCORE


def decode(score: float) -> bool:
    """Tell whether a score says nothing, as a flat one does."""
    return score == SCORE


def before(member: str, other: str) -> bool:
    """Tell whether one member stands before another of the same score: by bytes."""
    return _bytes(member) < _bytes(other)


def _bytes(member: str) -> bytes:
    return member.encode("utf-8", "surrogateescape")
