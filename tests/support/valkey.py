"""A real Valkey for tests, configured as the launcher configures it, plus an administrator."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import redis

from decoder.sandbox import embedded

ADMINISTRATOR = "admin"
WAIT_S = 10.0


class Valkey:
    """One server process: `url` is the page's user, `admin` a client that may do everything."""

    def __init__(self, folder: Path, *, memory_megabytes: int = 128) -> None:
        self.folder = folder
        self.url = embedded.url(folder, "page")
        self._command = embedded.write_configuration(folder, "page", memory_megabytes)
        configuration = folder / embedded.CONFIGURATION
        with configuration.open("a") as lines:
            lines.write(f"user {ADMINISTRATOR} on >admin ~* &* +@all\n")
        self.admin: Any = redis.Redis(
            unix_socket_path=str(folder / embedded.SOCKET),
            username=ADMINISTRATOR,
            password="admin",
            decode_responses=True,
            protocol=2,
        )
        self.raw: Any = redis.Redis(
            unix_socket_path=str(folder / embedded.SOCKET),
            username=ADMINISTRATOR,
            password="admin",
            protocol=2,
        )
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self._command)
        by = time.monotonic() + WAIT_S
        while not self._answers():
            assert time.monotonic() < by, "Valkey did not start"
            assert self.process.poll() is None, "Valkey ended at once"

    def _answers(self) -> bool:
        try:
            return bool(self.admin.ping())
        except redis.exceptions.RedisError:
            return False

    def kill(self) -> None:
        """Kill -9, as a crash would."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Valkey:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.admin.close()
        self.raw.close()
        self.kill()
