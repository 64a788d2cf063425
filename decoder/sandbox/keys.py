"""Key names: the one place that makes a physical key, and the one that takes it back.

A visitor's key is `{sbx:<id>}:<lane>:` + the logical key that pages show. The braces are a
cluster hash tag: a whole sandbox lives in one slot.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_PREFIX = re.compile(r"\{sbx:[A-Za-z0-9_-]*\}:[^:\s]*:")
RECORD = ".sandbox"


def new_sandbox_id() -> str:
    """Return a random 128-bit name, 22 characters of URL-safe base64."""
    return secrets.token_urlsafe(16)


def is_sandbox_id(text: str) -> bool:
    """Tell whether a text could be a name that `new_sandbox_id` made."""
    return _ID.fullmatch(text) is not None


def strip(text: str) -> str:
    """Return a server's text without the prefix of any sandbox's key, for showing."""
    return _PREFIX.sub("", text)


@dataclass(frozen=True)
class Lane:
    """The part of one sandbox that belongs to one figure."""

    sandbox_id: str
    name: str

    @property
    def prefix(self) -> str:
        """What stands before every logical key of this lane."""
        return f"{{sbx:{self.sandbox_id}}}:{self.name}:"

    def physical(self, logical: str) -> str:
        """Return the key as the server knows it."""
        return self.prefix + logical

    @property
    def record(self) -> str:
        """The key that remembers each lane of the sandbox and what was spent."""
        return f"{{sbx:{self.sandbox_id}}}:{RECORD}"
