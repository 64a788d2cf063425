"""Tokens: the signed name of a sandbox, carried by the page and never by a cookie."""

from __future__ import annotations

import re
import time

from itsdangerous import BadSignature, SignatureExpired, TimestampSigner

from decoder.sandbox.keys import is_sandbox_id, new_sandbox_id

_SPELLING = re.compile(r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{1,12}\.[A-Za-z0-9_-]{27}")

STRANGE = "This page's sandbox token is not one of ours, so you got a fresh sandbox."
TOO_OLD = "This page was open for very long, so its sandbox is gone and you got a fresh one."


class Tokens:
    """Signs sandbox names with the server's secret and reads them back."""

    def __init__(self, secret: str, hours: int) -> None:
        self._signer = TimestampSigner(secret, salt="sandbox")
        self._seconds = hours * 3600

    def sign(self, sandbox_id: str) -> str:
        """Return the token of a sandbox."""
        return self._signer.sign(sandbox_id).decode()

    def read(self, token: str) -> tuple[str, str, int]:
        """Return (sandbox id, notice, age). A missing, forged or old token gives a fresh sandbox.

        The notice is the sentence to show, empty when the token was good or absent; the age is in
        seconds, 0 for a fresh sandbox.
        """
        if not token:
            return new_sandbox_id(), "", 0
        # Base64 forgives what stands around it; one sandbox has one spelling.
        if not _SPELLING.fullmatch(token):
            return new_sandbox_id(), STRANGE, 0
        try:
            signed, when = self._signer.unsign(token, max_age=self._seconds, return_timestamp=True)
            sandbox_id = signed.decode()
        except SignatureExpired:
            return new_sandbox_id(), TOO_OLD, 0
        except (BadSignature, UnicodeError):
            return new_sandbox_id(), STRANGE, 0
        if not is_sandbox_id(sandbox_id):
            return new_sandbox_id(), STRANGE, 0
        return sandbox_id, "", int(time.time() - when.timestamp())
