"""A prompt on a real server: type a line, and the server itself splits and unquotes it.

Lines go out as inline commands, whose quoting is the one of valkey-cli (both are `sdssplitargs`).
Replies are written down by rules of their own, so that they can judge decoder/transcripts.
"""

from __future__ import annotations

import socket
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from decoder.sandbox import embedded
from tests.support.valkey import ADMINISTRATOR

NAMED = {0x07: "\\a", 0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\"}

Bulk = bytes | int | None | str | list["Bulk"]


class Prompt:
    """One connection of an administrator who types."""

    def __init__(self, folder: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        self._socket.connect(str(folder / embedded.SOCKET))
        self._replies: BinaryIO = self._socket.makefile("rb")
        assert self.type(f"AUTH {ADMINISTRATOR} admin") == "OK"

    def ask(self, line: str) -> Bulk:
        """Type one line; return the reply: bytes for a bulk string, text for status and error."""
        assert "\n" not in line
        self._socket.sendall(line.encode() + b"\r\n")
        return self._read()

    def type(self, line: str) -> str:
        """Type one line; return what a terminal shows."""
        return printed(self.ask(line))

    def _read(self) -> Bulk:
        head = self._replies.readline().removesuffix(b"\r\n").decode()
        kind, rest = head[:1], head[1:]
        if kind == "+":
            return rest
        if kind == "-":
            return f"(error) {rest}"
        if kind == ":":
            return int(rest)
        size = int(rest)
        if size < 0:
            return None
        if kind == "$":
            return self._replies.read(size + 2)[:-2]
        assert kind == "*", head
        return [self._read() for _ in range(size)]

    def __enter__(self) -> Prompt:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._replies.close()
        self._socket.close()


def printed(reply: Bulk) -> str:
    """Write a reply as valkey-cli does on a terminal; flat arrays are all that our steps have."""
    if isinstance(reply, bytes):
        shown = [
            NAMED.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}")
            for byte in reply
        ]
        return '"' + "".join(shown) + '"'
    if isinstance(reply, int):
        return f"(integer) {reply}"
    if reply is None:
        return "(nil)"
    if isinstance(reply, str):
        return reply
    width = len(str(len(reply)))
    lines = [f"{n:{width}}) {printed(one)}" for n, one in enumerate(reply, 1)]
    return "\n".join(lines) or "(empty array)"
