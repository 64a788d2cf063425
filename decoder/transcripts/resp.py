"""RESP2: commands and replies as they stand on the wire."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

from decoder.transcripts.reply import Failure, Reply, Status


def write(words: Sequence[str]) -> bytes:
    """Write a command as an array of bulk strings. Source: valkey.io/topics/protocol."""
    parts = [word.encode("utf-8", "surrogateescape") for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(p), p) for p in parts)


_NUMBER = re.compile(r"-?\d+")


def read(replies: BinaryIO) -> Reply:
    """Read one reply, telling a status from a bulk string, which redis-py does not.

    Raises EOFError where the stream ends, ValueError (“no reply …”) at what is none.
    """
    head = replies.readline()
    if not head.endswith(b"\r\n"):
        raise EOFError("the server hung up")
    kind, rest = head[:1], head[1:-2].decode("utf-8", "surrogateescape")
    if kind == b"+":
        return Status(rest)
    if kind == b"-":
        return Failure(rest)
    if kind not in (b":", b"$", b"*") or not _NUMBER.fullmatch(rest):
        raise ValueError(f"no reply begins with {head[:20]!r}")
    number = int(rest)
    if kind == b":":
        return number
    if number < 0:
        return None
    if kind == b"*":
        return [read(replies) for _ in range(number)]
    text = replies.read(number + 2)
    if len(text) < number + 2:
        raise EOFError("the server hung up")
    return text[:-2].decode("utf-8", "surrogateescape")
