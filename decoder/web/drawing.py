"""Drawing: a picture's paper, the colours of its facts, and what was written where."""

from __future__ import annotations

import io
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageColor, ImageDraw

from decoder.web import lettering

WIDTH, HEIGHT, MARGIN = 1200, 630, 64
"""In pixels: what link previews show whole."""

PAPER, CARD, INK, SOFT, LINE = "#fbfaf6", "#ffffff", "#1d2023", "#5b6168", "#e3dfd4"
MINE, MINE_TINT, GOOD = "#f7c948", "#fff4cc", "#1f7a4d"
HUES = {"tier": "#bc3f00", "arrival": "#1b66cf", "time": "#0b6e5e", "slot": "#734482"}
TINTS = {"tier": "#fbe9df", "arrival": "#e2edf8", "time": "#dff1ee", "slot": "#f0e6f6"}
"""A fact's colour and what lies behind it, those of static/css/tokens.css by day."""

_BOLD = 0.6
_SHADES = 7


class Area(NamedTuple):
    """A part of the picture, in pixels from its upper left corner."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """How high it is."""
        return self.bottom - self.top


class Box(NamedTuple):
    """A text that was drawn, and the pixels that its ink takes."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


class Canvas:
    """The paper with what is drawn on it; `boxes` tells where each text stands."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        self.boxes: list[Box] = []
        self._draw = ImageDraw.Draw(self.image)

    def write(
        self, x: float, line: float, text: str, size: int, colour: str = INK, *, bold: bool = False
    ) -> float:
        """Write a text from `x` on along a line and return where it ends; nothing of it is cut."""
        stroke = _BOLD if bold else 0
        ink: list[tuple[float, float, float, float]] = []
        for piece in lettering.pieces(text, size):
            font, at = lettering.font(piece.size), (x, line - piece.rise)
            self._draw.text(at, piece.text, colour, font, anchor="ls", stroke_width=stroke)
            if piece.text.strip():
                left, top, right, bottom = font.getbbox(piece.text, anchor="ls")
                ink.append((x + left, at[1] + top, x + right, at[1] + bottom))
            x += font.getlength(piece.text)
        if ink:
            lefts, tops, rights, bottoms = zip(*ink, strict=True)
            self.boxes.append(Box(text, min(lefts), min(tops), max(rights), max(bottoms)))
        return x

    def write_left_of(self, x: float, line: float, text: str, size: int, colour: str) -> float:
        """Write a text that ends at `x` and return where it begins."""
        begin = x - lettering.width(text, size)
        self.write(begin, line, text, size, colour)
        return begin

    def fill(self, area: Area, colour: str, *, radius: int = 0, edge: str | None = None) -> None:
        """Fill an area, with round corners and an edge where they are asked for."""
        self._draw.rounded_rectangle(area, radius, colour, edge)

    def png(self) -> bytes:
        """Return the picture as a PNG, in the few colours that it is made of."""
        few = self.image.quantize(palette=_palette(), dither=Image.Dither.NONE)
        out = io.BytesIO()
        # The highest level would save a fifteenth and take eight times as long.
        few.save(out, "PNG", compress_level=6)
        return out.getvalue()


@cache
def _palette() -> Image.Image:
    """Return the colours of a picture: each ink on each ground, in the shades of its edges."""
    inks = [INK, SOFT, GOOD, *HUES.values()]
    pairs = [(PAPER, ink) for ink in inks] + [(CARD, ink) for ink in inks]
    pairs += [(MINE_TINT, ink) for ink in (SOFT, *HUES.values())] + [(MINE, INK)]
    pairs += [(tint, HUES[name]) for name, tint in TINTS.items()] + [(LINE, LINE)]
    shades = {
        _blend(ground, ink, step / _SHADES) for ground, ink in pairs for step in range(_SHADES + 1)
    }
    flat = [part for shade in sorted(shades) for part in shade]
    palette = Image.new("P", (1, 1))
    palette.putpalette(flat)
    return palette


def _blend(ground: str, ink: str, share: float) -> tuple[int, ...]:
    pairs = zip(ImageColor.getrgb(ground), ImageColor.getrgb(ink), strict=True)
    return tuple(round(under + (over - under) * share) for under, over in pairs)
