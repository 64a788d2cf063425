"""Panels: the parts of a picture, each drawn from a run into an area of the paper."""

from __future__ import annotations

import re

from decoder.errors import OutOfRange
from decoder.readings import ladder
from decoder.readings.catalogue import DESIGNS, READINGS, named
from decoder.readings.run import Order, Placed, Run, Score
from decoder.readings.tables import Inside
from decoder.web import drawing, lettering
from decoder.web.cells import hue
from decoder.web.drawing import CARD, GOOD, HUES, INK, LINE, MINE, MINE_TINT, SOFT, Area, Canvas
from decoder.web.rows import fact_words

ROWS_MOST = 7
CAPTION, ROW = 20, 22
PITCH_LEAST, PITCH_MOST = 34, 42
"""Pixels from one row of a list to the next."""
_NUMBER_SIZES = (84, 76, 68, 60, 52, 46, 40, 34, 28, 22, 18)
_GAP = 0.22
"""Between groups of three digits, in widths of the number's letters."""
PAD, FRAME, NAMES_FROM = 14, 24, 36
"""Inside a card: at its sides; above and below its rows, with the caption's gap; of its names."""
DIGITS_FROM = 10**17
"""From here on a fact is told by its first digits and its magnitude."""


def score(canvas: Canvas, area: Area, run: Run) -> None:
    """Draw the number, large, with its facts below it and how it came to be stored."""
    groups = _groups(run)
    size = next(
        (size for size in _NUMBER_SIZES if _wide(groups, size) <= area.width), _NUMBER_SIZES[-1]
    )
    groups = groups if len(groups) > 1 else [lettering.fitted(groups[0], size, area.width)]
    middle = area.top + area.height // 2
    read = run.reading in READINGS and (run.score.facts or run.order.of)
    caption = named(READINGS[run.reading]) if read else "the score"
    canvas.write(area.left, middle - round(size * 0.8) - 24, caption, CAPTION, SOFT)
    x: float = area.left
    for group in groups:
        x = canvas.write(x, middle, group, size, bold=True) + size * _GAP
    line = middle + 44
    if run.score.facts:
        _facts_of_score(canvas, area, line + 10, run.score)
        line += 52
    words, colour = _stored(run.score)
    canvas.write(area.left, line, lettering.fitted(words, CAPTION, area.width), CAPTION, colour)


def _groups(run: Run) -> list[str]:
    """Return the number in groups of three digits; what was typed instead, where there is none."""
    text = run.score.stored or str(
        run.inputs.get("score", "") if run.score.computed is None else run.score.computed
    )
    if not re.fullmatch(r"-?[0-9]{4,}", text):
        return [text]
    return f"{int(text):,}".split(",")


def _wide(groups: list[str], size: int) -> float:
    gaps = size * _GAP * (len(groups) - 1)
    return sum(lettering.width(group, size) for group in groups) + gaps


def _facts_of_score(canvas: Canvas, area: Area, line: int, shown: Score) -> None:
    facts = [_fact(fact.name, fact.value) for fact in shown.facts]
    told = " · ".join(words for _, words in facts).replace("no. ", "arrival ")
    size = next(size for size in (32, 26, 22, 18, 14) if lettering.width(told, size) <= area.width)
    x: float = area.left
    for n, (name, words) in enumerate(facts):
        x = canvas.write(x, line, " · ", size, SOFT) if n else x
        x = canvas.write(x, line, words.replace("no. ", "arrival "), size, HUES[name])


def _fact(name: str, value: int) -> tuple[str, str]:
    """Return a fact's hue and words, also for what has no date or more digits than one can read."""
    try:
        colour, words = fact_words(name, value)
    except OutOfRange:
        colour, words = "time", f"due {value} ms"
    return colour, words.replace(str(value), _short(value))


def _short(number: float) -> str:
    return f"{number:.4g}" if abs(number) >= DIGITS_FROM else str(number)


def _stored(shown: Score) -> tuple[str, str]:
    if shown.stored is None:
        return (
            ("not stored", SOFT) if shown.computed is None else ("computed, not in the set", SOFT)
        )
    if shown.agrees and shown.exact:
        return "stored = computed", GOOD
    if shown.computed is None:
        return "as the server spells it", SOFT
    how = "stored; a double rounds" if shown.agrees else "stored; computed was"
    return f"{how} {_short(shown.computed)}", SOFT


def queue(canvas: Canvas, area: Area, order: Order, caption: str, *, most: int = ROWS_MOST) -> None:
    """Draw a window of an order around the visitor's job, as a card with a caption above."""
    stands = "" if order.rank is None else f"{ladder.ordinal(order.rank + 1)} of {order.of}"
    inside = area.height - CAPTION - FRAME
    room = min(most, inside // PITCH_LEAST)
    mine = next((n for n, placed in enumerate(order.shown) if placed.mine), 0)
    # The head of a queue is told wherever there is room for it and for mine.
    first = max(0, min(mine - room // 2, len(order.shown) - room)) if mine > room - 2 else 0
    seen = order.shown[first : first + room]
    pitch = min(PITCH_MOST, inside // max(1, len(seen)))
    bottom = area.top + CAPTION + FRAME + pitch * max(1, len(seen))
    card = framed(canvas, area._replace(bottom=bottom), caption, stands)
    if not seen:
        canvas.write(card.left, card.top + ROW + 6, "Nobody waits here.", ROW, SOFT)
    for n, placed in enumerate(seen):
        top = card.top + n * pitch
        _member(canvas, Area(card.left, top, card.right, top + pitch), placed)


def framed(canvas: Canvas, area: Area, caption: str, aside: str = "") -> Area:
    """Draw a card below its caption and return the area inside."""
    line = area.top + CAPTION
    end: float = area.right
    if aside:
        end = canvas.write_left_of(area.right, line, aside, CAPTION, INK) - PAD
    size = next(
        (n for n in (CAPTION, 18) if lettering.width(caption, n) <= end - area.left), CAPTION - 4
    )
    canvas.write(area.left, line, lettering.fitted(caption, size, end - area.left), size, SOFT)
    whole = area._replace(top=line + 12)
    canvas.fill(whole, CARD, radius=12, edge=LINE)
    return Area(whole.left + PAD, whole.top + 6, whole.right - PAD, whole.bottom - 6)


def _member(canvas: Canvas, row: Area, placed: Placed) -> None:
    line = (row.top + row.bottom) // 2 + ROW // 3
    if placed.mine:
        marker(canvas, row, NAMES_FROM + lettering.width(ladder.named(placed), ROW))
    canvas.write(row.left, line, str(placed.rank + 1), ROW, SOFT if not placed.mine else INK)
    x: float = row.right
    for name, value in reversed(placed.facts.items()):
        colour, words = _fact(name, value)
        x = canvas.write_left_of(x, line, words, ROW - 2, HUES[colour]) - 12
    begin = row.left + NAMES_FROM
    canvas.write(begin, line, lettering.fitted(ladder.named(placed), ROW, x - begin), ROW)


def marker(canvas: Canvas, row: Area, length: float) -> None:
    """Draw the stroke of a marker behind the first `length` pixels of a row, its tint behind it."""
    canvas.fill(Area(row.left - 8, row.top + 1, row.right + 8, row.bottom - 1), MINE_TINT, radius=5)
    stroke = Area(row.left - 8, row.top + 4, row.left + round(length) + 8, row.bottom - 4)
    canvas.fill(stroke, MINE, radius=5)


def orders(canvas: Canvas, area: Area, run: Run) -> None:
    """Draw the order in which each design served the same jobs, side by side."""
    gap = 32
    wide = (area.width - gap * (len(run.orders) - 1)) // len(run.orders)
    for n, (design, order) in enumerate(run.orders.items()):
        left = area.left + n * (wide + gap)
        part = area._replace(left=left, right=left + wide)
        queue(canvas, part, order, f"served, {DESIGNS[design]}")


def cells(canvas: Canvas, area: Area, inside: Inside) -> None:
    """Draw the 64 bits of a double in four lines, each field in the colour of its fact."""
    if not inside.fields:
        return
    canvas.write(area.left, area.top + CAPTION, "the double in memory, 64 bits", CAPTION, SOFT)
    pitch, names = area.width // 16, {}
    top = area.top + CAPTION + 16
    for field in inside.fields:
        colour = hue(field.of)
        names[field.of] = HUES.get(colour, SOFT)
        for n, digit in enumerate(field.digits):
            down, along = divmod(63 - (field.highest - n), 16)
            cell = Area(
                area.left + along * pitch, top + down * 42,
                area.left + along * pitch + pitch - 3, top + down * 42 + 38,
            )  # fmt: skip
            canvas.fill(cell, drawing.TINTS.get(colour, CARD), radius=4, edge=LINE)
            middle = (cell.left + cell.right - lettering.width(digit, CAPTION)) / 2
            canvas.write(middle, cell.top + 26, digit, CAPTION, names[field.of])
    x: float = area.left
    for name, ink in names.items():
        x = canvas.write(x, top + 4 * 42 + 26, name.removesuffix("_ms"), CAPTION, ink) + 22
