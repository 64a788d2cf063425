"""Replies: the five kinds a server answers with, and their text at the valkey-cli prompt."""

from __future__ import annotations

from dataclasses import dataclass

from decoder.transcripts.command import quote


@dataclass(frozen=True)
class Status:
    """A one-word answer such as OK."""

    text: str


@dataclass(frozen=True)
class Failure:
    """The server's refusal, in its own words."""

    text: str


Reply = int | str | None | Status | Failure | list["Reply"]
"""An integer, a bulk string, nil, a status, an error, or an array of replies."""


def write(reply: Reply) -> str:
    """Write a reply exactly as valkey-cli prints it on a terminal, without a final newline."""
    if isinstance(reply, str):
        return quote(reply)
    if isinstance(reply, int):
        return f"(integer) {reply}"
    if reply is None:
        return "(nil)"
    if isinstance(reply, Status):
        return reply.text
    if isinstance(reply, Failure):
        return f"(error) {reply.text}"
    return _write_array(reply)


def _write_array(replies: list[Reply]) -> str:
    if not replies:
        return "(empty array)"
    width = len(str(len(replies)))
    lines = []
    for number, reply in enumerate(replies, 1):
        first, *rest = write(reply).split("\n")
        lines.append(f"{number:>{width}}) {first}")
        lines.extend(" " * (width + 2) + line for line in rest)
    return "\n".join(lines)
