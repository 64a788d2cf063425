"""Proving: a fresh server on which a course's transcripts are run, with nobody else on it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from decoder.errors import CannotStart
from decoder.sandbox import embedded
from decoder.sandbox.scripts import Script
from decoder.transcripts import reply as replies
from decoder.transcripts import resp
from decoder.transcripts.block import Exchange
from decoder.transcripts.reply import Reply

WAIT_S = 10.0


def installed() -> list[Path]:
    """Return other servers of this machine that transcripts are compared on."""
    found = shutil.which("redis-server")
    return [Path(found)] if found else []


class ProvingServer:
    """One server process on a private socket, without limits: only our own files reach it."""

    def __init__(self, binary: Path, scripts: Mapping[str, Script]) -> None:
        self._binary = binary
        self._scripts = scripts
        self.name = ""

    def __enter__(self) -> ProvingServer:
        self._held = ExitStack()
        folder = self._held.enter_context(embedded.private_folder())
        self.path = folder / embedded.SOCKET
        options = ["--port", "0", "--unixsocket", str(self.path), "--save", "", "--dir"]
        self._process = subprocess.Popen(
            [self._binary, *options, str(folder), "--loglevel", "warning"],
            stdout=subprocess.DEVNULL,
            # Ctrl-C is for the one who asked; what is started here is ended below.
            process_group=0,
            preexec_fn=embedded.die_with_the_parent,
        )
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(WAIT_S)
        self._replies = self._socket.makefile("rb")
        try:
            self._connect()
        except BaseException:  # Ctrl-C while it starts too
            self.__exit__(None, None, None)
            raise
        info = str(self._ask(["INFO", "server"]))
        told = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
        valkey = told.get("valkey_version")
        self.name = f"Valkey {valkey}" if valkey else f"Redis {told['redis_version']}"
        return self

    def _connect(self) -> None:
        by = time.monotonic() + WAIT_S
        while True:
            try:
                return self._socket.connect(str(self.path))
            except OSError:
                if time.monotonic() > by or self._process.poll() is not None:
                    raise CannotStart(f"{self._binary} does not start.") from None
                time.sleep(0.01)

    def begin(self) -> None:
        """Empty the server."""
        self._ask(["FLUSHALL"])

    def reply(self, exchange: Exchange) -> str:
        """Run one command, or a script as valkey-cli --eval does; return what it prints."""
        words = exchange.words
        if exchange.script:
            source = self._scripts[exchange.script].source
            words = ["EVAL", source, str(exchange.keys), *words]
        return replies.write(self._ask(words))

    def _ask(self, words: list[str]) -> Reply:
        self._socket.sendall(resp.write(words))
        return resp.read(self._replies)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._replies.close()
        self._socket.close()
        self._process.kill()
        self._process.wait()
        self._held.close()
