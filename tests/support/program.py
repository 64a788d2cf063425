"""`decoder serve` as a user starts it: a process on a free port, and what it left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType

WAIT_S = 20.0


class Program:
    """A running launcher. Its temporary directory is `folder`, so that leftovers can be seen."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("DECODER_")}
        self.environment = {**inherited, "TMPDIR": str(folder), **environment}
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "decoder.cli", "serve", "--port", "0", *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        assert found, f"no address was printed but: {line}"
        self.address = found[0].rstrip("/")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        by = time.monotonic() + WAIT_S
        while self.status("/readyz") != 200:
            assert time.monotonic() < by, "the program did not become ready"

    def status(self, path: str) -> int:
        """Return the HTTP status of a GET, 0 when nothing answered."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except OSError:
            return 0

    def log(self) -> str:
        """End the program; return all that it wrote after its first line."""
        self.end()
        assert self.process
        assert self.process.stdout
        return self.process.stdout.read()

    def end(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait; return the exit code."""
        assert self.process
        self.process.send_signal(by)
        return self.process.wait(WAIT_S)

    def __enter__(self) -> Program:
        try:
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.process and self.process.poll() is None:
            self.end()
        if self.process and self.process.stdout:
            self.process.stdout.close()
