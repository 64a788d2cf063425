"""Lettering: what of a text Pillow's own font can draw, how wide it is, and where its lines end.

The font comes with the library, so a picture needs none of the machine's. It has little beyond
ASCII: a digit above or below the line is a small one that is raised or lowered, other signs are
written in those it has.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from PIL import ImageFont

SIGNS = {
    "×": "x", "÷": "/", "−": "-", "–": "-", "—": "-", "→": "->", "←": "<-", "≥": ">=", "≤": "<=",
    "≠": "is not", "∞": "infinity", "„": "“", "•": "·",
}  # fmt: skip
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
UNKNOWN, CUT = "?", "…"
SIGNS_KEPT = 4096
"""How many characters are remembered: what people type into an address may be any of a million."""
_SMALL, _UP, _DOWN = 0.62, 0.38, -0.14
_NO_CHARACTER = "\uffff"


class Piece(NamedTuple):
    """Letters of one size in pixels, raised above the line by so many."""

    text: str
    size: int
    rise: int


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font in a size of pixels."""
    found = ImageFont.load_default(size=size)
    assert isinstance(found, ImageFont.FreeTypeFont)  # noqa: S101  FreeType is in every wheel
    return found


@lru_cache(SIGNS_KEPT)
def _written(sign: str) -> str:
    """Return a character in letters that the font has."""
    if sign in SIGNS or (sign.isprintable() and _has(sign)):
        return SIGNS.get(sign, sign)
    if sign.isspace() or not sign.isprintable():
        return " "
    plain = [one for one in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(one)]
    return "".join([one if _has(one) else UNKNOWN for one in plain]) or UNKNOWN


def _has(sign: str) -> bool:
    return sign.isascii() or bytes(font(20).getmask(sign)) != bytes(font(20).getmask(_NO_CHARACTER))


def pieces(text: str, size: int) -> list[Piece]:
    """Cut a text into what is drawn at once: its letters, and digits above or below the line."""
    cut: list[Piece] = []
    for sign in text:
        small, rise = round(size * _SMALL), 0
        if sign in RAISED:
            letter, rise = RAISED[sign], round(size * _UP)
        elif sign in LOWERED:
            letter, rise = LOWERED[sign], round(size * _DOWN)
        else:
            letter, small = _written(sign), size
        if cut and cut[-1][1:] == (small, rise):
            cut[-1] = cut[-1]._replace(text=cut[-1].text + letter)
        else:
            cut.append(Piece(letter, small, rise))
    return cut


@lru_cache(SIGNS_KEPT)
def _letter(sign: str, size: int) -> float:
    return sum(font(piece.size).getlength(piece.text) for piece in pieces(sign, size))


def width(text: str, size: int) -> float:
    """Return how many pixels wide a text is at most: pairs of letters that move closer, apart."""
    return sum(_letter(sign, size) for sign in text)


def fitted(text: str, size: int, room: float) -> str:
    """Return as much of a text as `room` pixels hold; what is cut is told by an ellipsis."""
    if width(text, size) <= room:
        return text
    return text[: _held(text, size, room - width(CUT, size))].rstrip() + CUT


def _held(text: str, size: int, room: float) -> int:
    """Return how many characters of a text `room` pixels hold."""
    for n, sign in enumerate(text):
        room -= _letter(sign, size)
        if room < 0:
            return n
    return len(text)


def lines(text: str, size: int, room: float) -> list[str]:
    """Break a text into lines of at most `room` pixels; a longer word is broken where it must."""
    done: list[str] = []
    line, used, blank = "", 0.0, width(" ", size)
    for word in text.split():
        long = width(word, size)
        if line and used + blank + long <= room:
            line, used = f"{line} {word}", used + blank + long
            continue
        if line:
            done.append(line)
        line, used = word, long
        while used > room:
            held = max(1, _held(line, size, room))
            done.append(line[:held])
            line = line[held:]
            used = width(line, size)
    return [*done, line] if line else done


def even(text: str, size: int, room: float) -> list[str]:
    """Break a text into as few lines as `room` pixels allow, of nearly the same width."""
    best = lines(text, size, room)
    while len(narrower := lines(text, size, room * 0.96)) == len(best) > 1:
        best, room = narrower, room * 0.96
    return best


def told(text: str, sizes: tuple[int, ...], room: float, most: int) -> tuple[int, list[str]]:
    """Return the largest size in which a text takes at most `most` lines, and these lines.

    Where none is small enough, the whole sentences that fit stand there, else its first words.
    """
    sentences = re.split(r"(?<=[.?!]) +", text)
    for count in range(len(sentences), 0, -1):
        for size in sizes:
            broken = lines(" ".join(sentences[:count]), size, room)
            if len(broken) <= most:
                return size, broken
    *kept, last = lines(text, size, room)[:most]
    return size, [*kept, fitted(last, size, room - width(CUT, size)).removesuffix(CUT) + CUT]
