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


_BLANKS = " \t\r\n"


def split(line: str) -> list[str]:
    r"""Split a line into the words of a command, as the prompt does; `write` is its other half.

    Words are parted by blanks. "…" knows \n \r \t \b \a, \xNN for any byte, and \ before any other
    character; '…' knows only \'. Raises ValueError where a quote does not close, or where something
    follows it without a blank: Valkey 9 reads that on and Redis refuses it. Source: sdssplitargs of
    their src/sds.c.
    """
    line, words, at = line.strip(_BLANKS), [], 0
    while at < len(line):
        word = _WORD.match(line, at)
        if word is None:
            raise ValueError("a quote in this line does not close where its word ends")
        bare, double, single = word.groups("")
        words.append(bare + _unescaped(double) + single.replace("\\'", "'"))
        at = word.end()
    return words


# What was taken is never given back (*+): the server does not look twice either.
_WORD = re.compile(
    r"""([^\s"']*+) (?: "((?:\\.|[^"\\])*+)" | '((?:\\'|[^'])*+)' )?+ (?:[ \t\r\n]++|\Z)""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)


def _unescaped(inside: str) -> str:
    out = b""
    for plain, byte, escaped in _ESCAPED.findall(inside):
        if byte:
            out += bytes([int(byte, 16)])
        else:
            out += _UNESCAPED.get(escaped) or (plain or escaped).encode("utf-8", "surrogateescape")
    return out.decode("utf-8", "surrogateescape")


_ESCAPED = re.compile(r"([^\\]+)|\\x([0-9a-fA-F]{2})|\\(.)", re.DOTALL)
_UNESCAPED = {"n": b"\n", "r": b"\r", "t": b"\t", "b": b"\b", "a": b"\a"}

KEYLESS = frozenset({"TIME", "PING", "COMMAND"})
MANY_KEYS = frozenset({"DEL", "EXISTS", "UNLINK"})


def key_places(words: Sequence[str]) -> list[int]:
    """Return which words of a plain command are keys, as positions from 0."""
    name = words[0].upper()
    if name in KEYLESS or len(words) < 2:
        return []
    return list(range(1, len(words))) if name in MANY_KEYS else [1]
