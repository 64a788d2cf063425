"""Launcher: starts Valkey and the web server as two children, and ends both together.

It never forks a worker out of itself. The listening socket is its own, so that it survives a web
server that dies, and a port that is taken is known at once.
"""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from decoder.errors import CannotStart, SettingsError
from decoder.sandbox import embedded
from decoder.settings import Settings, files

LOOK_S = 0.1
"""How often the launcher looks after its children."""

CALM_S = 2.0
"""A child that ends at once is started at most this often."""

END_S = 10.0
"""How long a child may take to end before it is killed."""

START_S = 30.0
"""A child that gives up within this time of its first start will not do better the next time."""

LOCAL = ("127.0.0.1", "0.0.0.0", "::")  # noqa: S104
"""Addresses that the terminal shows as localhost; nothing is bound here."""


class Child:
    """One process that is started again whenever it ends by itself."""

    def __init__(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        fds: tuple[int, ...] = (),
    ) -> None:
        self.name = name
        self._command = command
        self._environment = environment
        self._fds = fds
        self._first = True
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self._started = time.monotonic()
        return subprocess.Popen(
            self._command,
            env=self._environment,
            pass_fds=self._fds,
            stdin=subprocess.DEVNULL,
            # A process group of its own: Ctrl-C reaches the launcher alone, which ends the rest.
            process_group=0,
            preexec_fn=embedded.die_with_the_parent,
        )

    def look_after(self) -> None:
        """Start the process again if it has ended."""
        code = self.process.poll()
        if code is None:
            return
        lived = time.monotonic() - self._started
        # A negative code is a signal from outside, which says nothing about the next start.
        if self._first and code > 0 and lived < START_S:
            raise CannotStart(f"{self.name} could not start; the lines above say why.")
        if lived < CALM_S:
            return
        self._first = False
        _say(f"{self.name} ended with {code}; starting it again")
        self.process = self._start()

    def end(self, by: float) -> None:
        """End the process, with SIGKILL when it still runs at the monotonic time `by`."""
        try:
            self.process.wait(max(0.0, by - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def listen(host: str, port: int) -> socket.socket:
    """Take the port; raises SettingsError, with a cure, when it is busy."""
    taken = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        taken.listen(1024)
    except OSError as fault:
        taken.close()
        if isinstance(fault, socket.gaierror) or fault.errno == errno.EADDRNOTAVAIL:
            raise SettingsError(
                f"The host {host} is no address of this machine: {fault.strerror}. "
                "Try another one, as in: --host 127.0.0.1, or --host 0.0.0.0 for all of them."
            ) from None
        raise SettingsError(
            f"Port {port} cannot be used: {fault.strerror}. "
            f"Try another one, as in: PORT={port + 1 if port < 65535 else 8000} make run"
        ) from None
    taken.set_inheritable(True)
    return taken


def serve(settings: Settings, host: str, port: int, *, reload: bool = False) -> None:
    """Serve until SIGTERM or Ctrl-C.

    Raises SettingsError before anything was started, and CannotStart when a child gave up at once.
    """
    if settings.valkey_url:
        # Imported only here: the client would add a tenth of a second to every other start.
        from decoder.sandbox.server import check_url

        check_url(settings.valkey_url)
    if settings.valkey_url and not settings.secret:
        raise SettingsError(
            "DECODER_SECRET is needed with a server of your own: any long random text, kept."
        )
    ended = _on_signals()
    listener = listen(host, port)
    children: list[Child] = []
    with embedded.private_folder() as folder:
        try:
            environment = {
                **os.environ,
                "DECODER_SECRET": settings.secret or secrets.token_urlsafe(32),
            }
            if not settings.valkey_url:
                password = secrets.token_urlsafe(24)
                command = embedded.write_configuration(folder, password, settings.memory_megabytes)
                environment["DECODER_VALKEY_URL"] = embedded.url(folder, password)
                children.append(Child("Valkey", command, dict(os.environ)))
            web = _web_command(listener.fileno(), settings, folder, reload=reload)
            children.append(Child("the web server", web, environment, (listener.fileno(),)))
            shown = "localhost" if host in LOCAL else host
            print(f"Score Decoder is at http://{shown}:{listener.getsockname()[1]}/", flush=True)
            while not ended():
                time.sleep(LOOK_S)
                for child in children:
                    child.look_after()
        finally:
            _end(children)
            listener.close()


def _web_command(listener: int, settings: Settings, folder: Path, *, reload: bool) -> list[str]:
    command = [
        sys.executable, "-m", "gunicorn", "decoder.app:create_app()",
        "--bind", f"fd://{listener}",
        "--worker-class", "gevent",
        "--workers", str(1 if reload else settings.workers),
        "--worker-tmp-dir", str(folder),
        "--graceful-timeout", "3",
        # The most that it takes; the longest address that a figure writes is a quarter of it.
        "--limit-request-line", "8190",
        # A warning would name the address of whoever sent a request that cannot be parsed.
        "--log-level", "error",
        # Parallel servers would share one control socket in the home directory.
        "--no-control-socket",
    ]  # fmt: skip
    if reload:
        command += ["--reload"]
        folders = [files(name) for name in ("templates", "static", "lua", "content")]
        folders += [Path(settings.content)] if settings.content else []
        for path in [path for folder in folders for path in folder.rglob("*.*")]:
            command += ["--reload-extra-file", str(path)]
    return command


def _end(children: list[Child]) -> None:
    """Ask all to end, the web server first, so that its last answers still have a Valkey."""
    by = time.monotonic() + END_S
    for child in reversed(children):
        if child.process.poll() is None:
            child.process.terminate()
        child.end(by)


def _on_signals() -> Callable[[], bool]:
    received: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        received.append(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # nohup has SIGHUP ignored: whoever asked for that wants to outlive the terminal.
        if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
            continue
        signal.signal(number, note)
    return lambda: bool(received)


def _say(words: str) -> None:
    print(f"decoder: {words}", file=sys.stderr, flush=True)
