"""Slow bodies: a request whose body does not arrive in time is given up, with a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from gevent import Timeout
from werkzeug.exceptions import RequestTimeout

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class TimedBody:
    """A request body that must have been read before `seconds` are over."""

    def __init__(self, body: Any, seconds: float) -> None:
        self._body = body
        self._until = time.monotonic() + seconds

    def read(self, *size: int) -> bytes:
        """Read; raises RequestTimeout (408) when the time is over first."""
        return self._in_time(self._body.read, *size)

    def readline(self, *size: int) -> bytes:
        """Read a line; raises RequestTimeout (408) when the time is over first."""
        return self._in_time(self._body.readline, *size)

    def _in_time(self, read: Callable[..., bytes], *size: int) -> bytes:
        with Timeout(max(0.001, self._until - time.monotonic()), RequestTimeout()):
            return read(*size)


def timed(application: Wsgi, seconds: float) -> Wsgi:
    """Return the application with a limit on how long a body may take to arrive."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("REQUEST_METHOD") == "POST":
            environ["wsgi.input"] = TimedBody(environ["wsgi.input"], seconds)
        return application(environ, start)

    return answer
