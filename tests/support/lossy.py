"""A wire to a real Valkey that can be cut right after the server has answered."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path
from types import TracebackType

from decoder.sandbox import embedded

MOST = 1 << 20


class Lossy:
    """Passes bytes between a client and the server; `lose_next` cuts instead of answering."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.socket_path = folder / "lossy.sock"
        self.lost = 0
        self._server = server / embedded.SOCKET
        self._lose = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket_path))
        self._listener.listen()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_next(self) -> None:
        """Let the next request reach the server, and its answer reach no one."""
        self._lose.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(str(self._server))
                self._open += [near, far]
                threading.Thread(target=self._pass_requests, args=(near, far), daemon=True).start()
                threading.Thread(target=self._pass_replies, args=(near, far), daemon=True).start()

    def _pass_requests(self, near: socket.socket, far: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := near.recv(MOST):
                far.sendall(part)

    def _pass_replies(self, near: socket.socket, far: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := far.recv(MOST):
                if self._lose.is_set():
                    self._lose.clear()
                    self.lost += 1
                    near.shutdown(socket.SHUT_RDWR)
                    return
                near.sendall(part)

    def __enter__(self) -> Lossy:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for one in [self._listener, *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
