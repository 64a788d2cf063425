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


_UNESCAPED = {"n": b"\n", "r": b"\r", "t": b"\t", "b": b"\b", "a": b"\a"}


def split(line: str) -> list[str]:
    r"""Split a line into the words of a command, as the prompt does; `write` is its other half.

    Words are parted by blanks. "…" knows \n \r \t \b \a, \xNN for any byte, and \ before any other
    character; '…' knows only \'. Raises ValueError where a quote does not close, or closes inside
    a word. Source: sdssplitargs of Valkey's src/sds.c.
    """
    words, at = [], 0
    while match := _WORD.match(line, at):
        word, at = match[0].strip(), match.end()
        if not word:
            break
        words.append(_unquoted(word))
    if line[at:].strip():
        raise ValueError("a quote in this line does not close where its word ends")
    return words


_WORD = re.compile(
    r"""\s*(?: "(?:\\.|[^"\\])*"(?=\s|$) | '(?:\\'|[^'])*'(?=\s|$) | [^\s"']+(?=\s|$) | $ )""",
    re.VERBOSE,
)


def _unquoted(word: str) -> str:
    if word[0] == "'":
        return word[1:-1].replace("\\'", "'")
    if word[0] != '"':
        return word
    out, inside = b"", word[1:-1]
    for plain, byte, escaped in _ESCAPED.findall(inside):
        if plain:
            out += plain.encode("utf-8", "surrogateescape")
        elif byte:
            out += bytes([int(byte, 16)])
        else:
            out += _UNESCAPED.get(escaped, escaped.encode("utf-8", "surrogateescape"))
    return out.decode("utf-8", "surrogateescape")


_ESCAPED = re.compile(r"([^\\]+)|\\x([0-9a-fA-F]{2})|\\(.)", re.DOTALL)

KEYLESS = frozenset({"TIME", "PING", "COMMAND"})
MANY_KEYS = frozenset({"DEL", "EXISTS", "UNLINK"})


def key_places(words: Sequence[str]) -> list[int]:
    """Return which words of a plain command are keys, as positions from 0."""
    name = words[0].upper()
    if name in KEYLESS or len(words) < 2:
        return []
    return list(range(1, len(words))) if name in MANY_KEYS else [1]
