"""RESP2: commands and replies as they stand on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from decoder.transcripts.reply import Failure, Reply, Status


def write(words: Sequence[str]) -> bytes:
    """Write a command as an array of bulk strings. Source: valkey.io/topics/protocol."""
    parts = [word.encode("utf-8", "surrogateescape") for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(p), p) for p in parts)


def read(replies: BinaryIO) -> Reply:
    """Read one reply, telling a status from a bulk string, which redis-py does not.

    Raises EOFError where the stream ends, ValueError at what is no reply.
    """
    head = replies.readline()
    if not head.endswith(b"\r\n"):
        raise EOFError("the server hung up")
    kind, rest = head[:1], head[1:-2].decode("utf-8", "surrogateescape")
    if kind == b"+":
        return Status(rest)
    if kind == b"-":
        return Failure(rest)
    if kind == b":":
        return int(rest)
    if kind == b"$":
        if rest == "-1":
            return None
        return replies.read(int(rest) + 2)[:-2].decode("utf-8", "surrogateescape")
    if kind == b"*":
        return None if rest == "-1" else [read(replies) for _ in range(int(rest))]
    raise ValueError(f"no reply begins with {head[:20]!r}")
