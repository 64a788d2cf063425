"""Branded id: a 14-byte member that sorts, byte by byte, as the instant it was minted.

    JOB 0Nb1VTbfnu4
    |   +-- 11 base62 digits of a 63-bit snowflake:
    +-- namespace, A-Z      62       22 21    12 11        0
                            | ms (41)  | node   | sequence |   ms since 2024-01-01T00:00:00Z

The alphabet runs 0-9 A-Z a-z, which is ASCII order: so byte order is time order.
Source: the published EchoMQ vectors in tests/unit/encodings/test_branded.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from decoder.errors import NotAnId, OutOfRange

EPOCH_MS = 1704067200000
"""2024-01-01T00:00:00Z."""

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BODY_DIGITS = 11
LARGEST_SNOWFLAKE = 2**63 - 1

_SHAPE = re.compile(r"([A-Z]{3})([0-9A-Za-z]{11})")
_VALUE = {digit: value for value, digit in enumerate(ALPHABET)}


@dataclass(frozen=True)
class BrandedId:
    """The facts of one id: namespace, mint instant in ms since 1970, node and sequence."""

    namespace: str
    minted_ms: int
    node: int
    sequence: int


def mint(minted_ms: int, *, namespace: str = "JOB", node: int = 0, sequence: int = 0) -> str:
    """Write the id minted at `minted_ms`; raises OutOfRange where a field has too few bits."""
    since_epoch = minted_ms - EPOCH_MS
    for name, value, bits in (
        ("mint time", since_epoch, 41),
        ("node", node, 10),
        ("sequence", sequence, 12),
    ):
        if not 0 <= value < 2**bits:
            raise OutOfRange(f"The {name} {value} does not fit {bits} bits.", limit=2**bits - 1)
    return namespace + _digits(since_epoch << 22 | node << 12 | sequence)


def neighbours(text: str, apart_ms: int = 1000) -> tuple[str, str]:
    """Return the ids minted `apart_ms` before and after this one, by the same node.

    Raises NotAnId, or OutOfRange where the id is too close to the end of the 41 bits.
    """
    one = parse(text)
    before, after = (
        mint(one.minted_ms + way * apart_ms, namespace=one.namespace, node=one.node)
        for way in (-1, 1)
    )
    return before, after


def mint_stem(minted_ms: int) -> str:
    """Return 13 bytes to which any one base62 digit can be added to make 62 ids of one instant.

    The sequence is chosen so that the last digit begins at 0. Raises OutOfRange as mint does.
    """
    return mint(minted_ms, sequence=-((minted_ms - EPOCH_MS) << 22) % 62)[:-1]


def parse(text: str) -> BrandedId:
    """Read an id; raises NotAnId when it has not the shape, or its body exceeds 63 bits."""
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise NotAnId(f"{text[:40]!r} is not three letters A-Z and eleven base62 digits.")
    snowflake = 0
    for digit in shape[2]:
        snowflake = snowflake * 62 + _VALUE[digit]
    if snowflake > LARGEST_SNOWFLAKE:
        raise NotAnId(f"{text} does not fit 63 bits; the largest body is AzL8n0Y58m7.")
    return BrandedId(
        shape[1], (snowflake >> 22) + EPOCH_MS, snowflake >> 12 & 0x3FF, snowflake & 0xFFF
    )


def _digits(snowflake: int) -> str:
    digits = []
    for _ in range(BODY_DIGITS):
        snowflake, value = divmod(snowflake, 62)
        digits.append(ALPHABET[value])
    return "".join(reversed(digits))
