"""Bodies: a request whose body comes too slowly, or is too large, is given up with a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from gevent import Timeout
from werkzeug.exceptions import RequestEntityTooLarge, RequestTimeout

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class LimitedBody:
    """A request body that must have been read before `seconds` are over, `most` bytes of it.

    What tells its length is refused before it is read; what comes in chunks tells none.
    """

    def __init__(self, body: Any, seconds: float, most: int) -> None:
        self._body = body
        self._left = most
        self._until = time.monotonic() + seconds

    def read(self, *size: int) -> bytes:
        """Read; raises RequestTimeout (408) or RequestEntityTooLarge (413) past a limit."""
        return self._in_limits(self._body.read, *size)

    def readline(self, *size: int) -> bytes:
        """Read a line; raises as `read` does."""
        return self._in_limits(self._body.readline, *size)

    def _in_limits(self, read: Callable[..., bytes], *size: int) -> bytes:
        with Timeout(max(0.001, self._until - time.monotonic()), RequestTimeout()):
            part = read(*size)
        self._left -= len(part)
        if self._left < 0:
            raise RequestEntityTooLarge
        return part


def limited(application: Wsgi, seconds: float, most: int) -> Wsgi:
    """Return the application with a limit on how long a body may take, and on its bytes."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("REQUEST_METHOD") == "POST":
            environ["wsgi.input"] = LimitedBody(environ["wsgi.input"], seconds, most)
        return application(environ, start)

    return answer
