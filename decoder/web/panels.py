"""Panels: the parts of a picture, each drawn from a run into an area of the paper."""

from __future__ import annotations

import re

from decoder.errors import OutOfRange
from decoder.readings import ladder
from decoder.readings.catalogue import DESIGNS, READINGS, named
from decoder.readings.run import Order, Placed, Run, Score
from decoder.readings.tables import Inside, Lesson, Row, Table
from decoder.web import lettering
from decoder.web.cells import hue
from decoder.web.drawing import (
    CARD, GOOD, HUES, INK, LINE, MINE, MINE_TINT, SOFT, TINTS, Area, Canvas,
)  # fmt: skip
from decoder.web.rows import fact_words

ROWS_MOST = 7
CAPTION, ROW = 20, 22
PITCH_LEAST, PITCH_MOST = 34, 42
"""Pixels from one row of a list to the next."""
_NUMBER_SIZES = (84, 76, 68, 60, 52, 46, 40, 34, 28, 22, 18)
_GAP = 0.22
"""Between groups of three digits, in widths of the number's letters."""
_PAD = 14


def score(canvas: Canvas, area: Area, run: Run) -> None:
    """Draw the number, large, with its facts below it and how it came to be stored."""
    groups = _groups(run)
    size = next(
        (size for size in _NUMBER_SIZES if _wide(groups, size) <= area.width), _NUMBER_SIZES[-1]
    )
    groups = groups if len(groups) > 1 else [lettering.fitted(groups[0], size, area.width)]
    middle = area.top + area.height // 2
    caption = named(READINGS[run.reading]) if run.reading in READINGS else "the score"
    canvas.write(area.left, middle - 78, caption, CAPTION, SOFT)
    x: float = area.left
    for group in groups:
        x = canvas.write(x, middle, group, size, bold=True) + size * _GAP
    _facts_of_score(canvas, area, middle + 54, run.score)
    words, colour = _stored(run.score)
    canvas.write(
        area.left, middle + 98, lettering.fitted(words, CAPTION, area.width), CAPTION, colour
    )


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
    size = next(
        size for size in (32, 26, 22, 18, 14) if lettering.width(told, size) <= area.width
    )
    x: float = area.left
    for n, (name, words) in enumerate(facts):
        x = canvas.write(x, line, " · ", size, SOFT) if n else x
        x = canvas.write(x, line, words.replace("no. ", "arrival "), size, HUES[name])


def _fact(name: str, value: int) -> tuple[str, str]:
    """Return a fact's hue and words, also for a time that has no date."""
    try:
        return fact_words(name, value)
    except OutOfRange:
        return "time", f"due {value} ms"


def _stored(shown: Score) -> tuple[str, str]:
    if shown.stored is None:
        return ("not stored", SOFT) if shown.computed is None else ("computed, not in the set", SOFT)
    if shown.agrees and shown.exact:
        return "stored = computed", GOOD
    if shown.computed is None:
        return "as the server spells it", SOFT
    how = "stored; a double rounds" if shown.agrees else "stored; computed was"
    return f"{how} {shown.computed}", SOFT


def queue(canvas: Canvas, area: Area, order: Order, caption: str, *, most: int = ROWS_MOST) -> None:
    """Draw a window of an order around the visitor's job, as a card with a caption above."""
    stands = "" if order.rank is None else f"{ladder.ordinal(order.rank + 1)} of {order.of}"
    card = _card(canvas, area, caption, stands)
    room = min(most, card.height // PITCH_LEAST)
    mine = next((n for n, placed in enumerate(order.shown) if placed.mine), 0)
    first = max(0, min(mine - room // 2, len(order.shown) - room))
    seen = order.shown[first : first + room]
    if not seen:
        canvas.write(card.left, card.top + PITCH_LEAST - 8, "Nobody waits here.", ROW, SOFT)
        return
    pitch = min(PITCH_MOST, card.height // len(seen))
    for n, placed in enumerate(seen):
        top = card.top + n * pitch
        _member(canvas, Area(card.left, top, card.right, top + pitch), placed)


def _card(canvas: Canvas, area: Area, caption: str, aside: str = "") -> Area:
    """Draw a card below its caption and return the area inside."""
    line = area.top + CAPTION
    end: float = area.right
    if aside:
        end = canvas.write_left_of(area.right, line, aside, CAPTION, INK) - _PAD
    canvas.write(
        area.left, line, lettering.fitted(caption, CAPTION, end - area.left), CAPTION, SOFT
    )
    whole = area._replace(top=line + 12)
    canvas.fill(whole, CARD, radius=12, edge=LINE)
    return Area(whole.left + _PAD, whole.top + 6, whole.right - _PAD, whole.bottom - 6)


def _member(canvas: Canvas, row: Area, placed: Placed) -> None:
    line = (row.top + row.bottom) // 2 + ROW // 3
    if placed.mine:
        _marker(canvas, row, 44 + lettering.width(ladder.named(placed), ROW))
    canvas.write(row.left, line, str(placed.rank + 1), ROW, SOFT if not placed.mine else INK)
    x: float = row.right
    for name, value in reversed(placed.facts.items()):
        colour, words = _fact(name, value)
        x = canvas.write_left_of(x, line, words, ROW - 2, HUES[colour]) - _PAD
    begin = row.left + 44
    canvas.write(begin, line, lettering.fitted(ladder.named(placed), ROW, x - begin), ROW)


def _marker(canvas: Canvas, row: Area, length: float) -> None:
    """Draw the stroke of a marker behind the first `length` pixels of a row, its tint behind all."""
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


def question(canvas: Canvas, area: Area, lesson: Lesson, said: str) -> None:
    """Draw a lab's question and its answers, the one that was given with a marker."""
    size, broken = lettering.told(lesson.question, (30, 26, 22), area.width, 5)
    line = area.top
    for text in broken:
        line += round(size * 1.3)
        canvas.write(area.left, line, text, size, bold=True)
    line += 14
    for answer, label in lesson.answers.items():
        for n, text in enumerate(lettering.lines(label, CAPTION, area.width - 34)[:2]):
            line += 27
            if line > area.bottom:
                return
            _answer(canvas, area, line, text, first=n == 0, given=answer == said)
        line += 5


def _answer(
    canvas: Canvas, area: Area, line: int, text: str, *, first: bool, given: bool
) -> None:
    begin = area.left + 30
    if given:
        end = begin + round(lettering.width(text, CAPTION)) + 6
        canvas.fill(Area(begin - 6, line - 19, end, line + 6), MINE, radius=5)
    if first:
        dot = Area(area.left + 2, line - 14, area.left + 16, line)
        canvas.fill(dot, INK if given else CARD, radius=7, edge=SOFT)
    canvas.write(begin, line, text, CAPTION)


def tables(canvas: Canvas, area: Area, found: list[Table]) -> None:
    """Draw the tables of a lab below one another, as many of their rows as there is room for."""
    top = area.top
    for n, table in enumerate(found):
        left = area.bottom - top
        others = sum(1 for one in found[n + 1 :])
        room = (left - others * (2 * PITCH_LEAST + 56) - 44) // PITCH_LEAST
        shown = table.rows[: max(room, 0)]
        if not shown and table.rows:
            return
        height = 44 + max(1, len(shown)) * PITCH_LEAST
        if height > left:
            return
        more = len(table.rows) - len(shown) + table.more
        card = _card(
            canvas, area._replace(top=top, bottom=top + height), table.title,
            f"{more:,} more" if more else "",
        )  # fmt: skip
        _rows(canvas, card, shown)
        top += height + 12


def _rows(canvas: Canvas, card: Area, rows: list[Row]) -> None:
    if not rows:
        canvas.write(card.left, card.top + 24, "nothing", CAPTION, SOFT)
        return
    names = min(max(lettering.width(row.name, CAPTION) for row in rows), card.width * 0.45)
    values = max(lettering.width(row.value, CAPTION) for row in rows)
    second = card.left + names + 18
    third = second + min(values, card.right - second) + (18 if values else 0)
    for n, row in enumerate(rows):
        top = card.top + n * PITCH_LEAST
        line = top + 24
        if row.mine:
            place = Area(card.left, top, card.right, top + PITCH_LEAST)
            _marker(canvas, place, min(names, lettering.width(row.name, CAPTION)))
        canvas.write(card.left, line, lettering.fitted(row.name, CAPTION, names), CAPTION)
        value = lettering.fitted(row.value, CAPTION, card.right - second)
        canvas.write(second, line, value, CAPTION, HUES.get(row.fact, INK))
        if card.right - third > 60:
            note = lettering.fitted(row.note, CAPTION - 2, card.right - third)
            canvas.write(third, line, note, CAPTION - 2, SOFT)


def cells(canvas: Canvas, area: Area, inside: Inside) -> None:
    """Draw the 64 bits of a double in four lines, each field in the colour of its fact."""
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
            canvas.fill(cell, TINTS.get(colour, CARD), radius=4, edge=LINE)
            middle = (cell.left + cell.right - lettering.width(digit, CAPTION)) / 2
            canvas.write(middle, cell.top + 26, digit, CAPTION, names[field.of])
    x: float = area.left
    for name, ink in names.items():
        x = canvas.write(x, top + 4 * 42 + 26, name.removesuffix("_ms"), CAPTION, ink) + 22
