"""Bodies: a request whose body is too slow, too large or broken is given up with a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from gevent import Timeout
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    RequestEntityTooLarge,
    RequestTimeout,
)

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class LimitedBody:
    """A request body that must have been read before `seconds` are over, `most` bytes of it.

    What tells its length is refused before it is read; what comes in chunks tells none. `told` is
    that length: a body that ends before it was cut on its way.
    """

    def __init__(self, body: Any, seconds: float, most: int, told: int = 0) -> None:
        self._body = body
        self._left = most
        self._missing = told
        self._until = time.monotonic() + seconds

    def read(self, *size: int) -> bytes:
        """Read; raises RequestTimeout (408) or RequestEntityTooLarge (413) past a limit.

        Raises BadRequest (400) for what is cut off, or no body at all.
        """
        return self._in_limits(self._body.read, *size)

    def readline(self, *size: int) -> bytes:
        """Read a line; raises as `read` does."""
        return self._in_limits(self._body.readline, *size)

    def _in_limits(self, read: Callable[..., bytes], *size: int) -> bytes:
        with Timeout(max(0.001, self._until - time.monotonic()), RequestTimeout()):
            try:
                part = read(*size)
            except HTTPException:
                raise
            except Exception:  # noqa: BLE001  every web server has kinds of its own
                # The web server's own words quote what was sent, which no log shall hold.
                raise BadRequest from None
        self._left -= len(part)
        self._missing -= len(part)
        if not part and self._missing > 0 and size != (0,):
            raise BadRequest
        if self._left < 0:
            raise RequestEntityTooLarge
        return part


def limited(application: Wsgi, seconds: float, most: int) -> Wsgi:
    """Return the application with a limit on how long a body may take, and on its bytes."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("REQUEST_METHOD") == "POST":
            length = environ.get("CONTENT_LENGTH") or ""
            told = int(length) if length.isascii() and length.isdigit() else 0
            environ["wsgi.input"] = LimitedBody(environ["wsgi.input"], seconds, most, told)
        return application(environ, start)

    return answer
