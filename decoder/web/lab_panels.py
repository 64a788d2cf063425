"""Lab panels: what a picture shows of a lab: its question with the answers, and its tables."""

from __future__ import annotations

from decoder.readings.tables import Lesson, Row, Table
from decoder.web import lettering
from decoder.web.drawing import CARD, HUES, INK, MINE, SOFT, Area, Canvas
from decoder.web.panels import CAPTION, FRAME, PAD, framed, marker
from decoder.web.view import grouped

ANSWERS_FROM, NOTE_LEAST = 30, 60
"""Pixels before the words of an answer; fewer than these hold no note."""
_BETWEEN = 12
_OUTSIDE = CAPTION + FRAME + _BETWEEN
"""What a table takes beside its rows."""


def question(canvas: Canvas, area: Area, lesson: Lesson, said: str) -> None:
    """Draw a lab's question and its answers, the one that was given with a marker."""
    size, broken = lettering.told(lesson.question, (34, 30, 26, 22), area.width, 3)
    line = area.top
    for text in broken:
        line += round(size * 1.25)
        canvas.write(area.left, line, text, size, bold=True)
    line += 16
    for small in (24, 21, 18):
        labels = {
            answer: lettering.lines(label, small, area.width - ANSWERS_FROM)
            for answer, label in lesson.answers.items()
        }
        pitch = round(small * 1.4)
        if line + sum(len(texts) * pitch + 4 for texts in labels.values()) <= area.bottom:
            break
    for answer, texts in labels.items():
        for n, text in enumerate(texts):
            line += pitch
            if line <= area.bottom:
                _answer(canvas, area, line, (text, small), first=n == 0, given=answer == said)
        line += 4


def _answer(
    canvas: Canvas, area: Area, line: int, label: tuple[str, int], *, first: bool, given: bool
) -> None:
    begin, (text, size) = area.left + ANSWERS_FROM, label
    if given:
        end = begin + round(lettering.width(text, size)) + 6
        canvas.fill(Area(begin - 6, line - size + 1, end, line + 7), MINE, radius=5)
    if first:
        dot = Area(area.left + 2, line - 15, area.left + 16, line - 1)
        canvas.fill(dot, INK if given else CARD, radius=7, edge=SOFT)
    canvas.write(begin, line, text, size)


def tables(canvas: Canvas, area: Area, found: list[Table]) -> None:
    """Draw the tables of a lab below one another, as many of their rows as there is room for."""
    size = next((size for size in (24, 21) if _fits(found, size, area)), 18)
    pitch = round(size * 1.6)
    top = area.top
    for n, table in enumerate(found):
        # The tables below are left room for two rows each.
        below = sum(_OUTSIDE + min(2, max(1, len(one.rows))) * pitch for one in found[n + 1 :])
        room = area.bottom - top - below - CAPTION - FRAME
        shown = _window(table.rows, max(room // pitch, 0))
        bottom = top + CAPTION + FRAME + max(1, len(shown)) * pitch
        if bottom > area.bottom or (table.rows and not shown):
            return
        more = len(table.rows) - len(shown) + table.more
        place = area._replace(top=top, bottom=bottom)
        card = framed(canvas, place, table.title, f"{grouped(more)} more" if more else "")
        _rows(canvas, card, shown, size, pitch)
        top = bottom + _BETWEEN


def _window(rows: list[Row], most: int) -> list[Row]:
    """Return at most so many rows, the visitor's own among them."""
    mine = next((n for n, row in enumerate(rows) if row.mine), 0)
    first = max(0, min(mine - most // 2, len(rows) - most)) if mine >= most else 0
    return rows[first : first + most]


def _fits(found: list[Table], size: int, area: Area) -> bool:
    """Tell whether all rows of all tables can be drawn in a size, whole."""
    high = sum(_OUTSIDE + max(1, len(table.rows)) * round(size * 1.6) for table in found)
    wide = [sum(_columns(table.rows, size)) for table in found if table.rows]
    return high - _BETWEEN <= area.height and max(wide, default=0) <= area.width - 2 * PAD


def _columns(rows: list[Row], size: int) -> tuple[float, float, float]:
    """Return how wide names, values and notes are, each with the space before it."""
    names, values, notes = (
        max(lettering.width(text, size - small) for text in texts) + space
        for texts, small, space in (
            ([row.name for row in rows], 0, 0),
            ([row.value for row in rows], 0, 18),
            ([row.note for row in rows], 2, 18),
        )
    )
    return names, values, notes


def _rows(canvas: Canvas, card: Area, rows: list[Row], size: int, pitch: int) -> None:
    if not rows:
        canvas.write(card.left, card.top + pitch - size // 2, "nothing", size, SOFT)
        return
    names, values, _ = _columns(rows, size)
    names = min(names, card.width * 0.45)
    second = card.left + names + 18
    third = min(second + values, card.right)
    for n, row in enumerate(rows):
        place = Area(card.left, card.top + n * pitch, card.right, card.top + (n + 1) * pitch)
        line = place.top + (pitch + size) // 2 - 3
        if row.mine:
            marker(canvas, place, min(names, lettering.width(row.name, size)))
        canvas.write(card.left, line, lettering.fitted(row.name, size, names), size)
        value = lettering.fitted(row.value, size, card.right - second)
        canvas.write(second, line, value, size, HUES.get(row.fact, INK))
        if card.right - third > NOTE_LEAST:
            note = lettering.fitted(row.note, size - 2, card.right - third)
            canvas.write(third, line, note, size - 2, SOFT)
