"""Write a command as one would type it at the valkey-cli prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What the prompt reads as one word without quotes. Braces and colons are part of our key names.
_BARE = re.compile(r"[A-Za-z0-9_:{}()+\-.*/@=,]+")

_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\a": "\\a",
    "\b": "\\b",
}


def write(arguments: Sequence[str]) -> str:
    """Join the words of a command, quoting those that the prompt would split or unescape."""
    return " ".join([word if _BARE.fullmatch(word) else quote(word) for word in arguments])


def quote(text: str) -> str:
    r"""Quote as valkey-cli prints a bulk string: printable ASCII as it is, other bytes as \xNN.

    Bytes that are not UTF-8 are expected as Python's surrogate escapes.
    """
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    out = []
    for character in text:
        if character in _ESCAPES:
            out.append(_ESCAPES[character])
        elif character.isascii() and character.isprintable():
            out.append(character)
        else:
            raw = character.encode("utf-8", "surrogateescape")
            out.extend(f"\\x{byte:02x}" for byte in raw)
    return '"' + "".join(out) + '"'
