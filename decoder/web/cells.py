"""Cells: the 64 bits of a score as HTML, put together from texts that are made once.

64 cells in a template would cost 64 escapes; these are looked up (PERFORMANCE.md, G1).
"""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup

from decoder.encodings import double
from decoder.figures.bits import DEFAULT_READING
from decoder.readings import bits
from decoder.readings.bits import BITS, FRACTION_BITS, Field
from decoder.readings.run import Run
from decoder.readings.tables import Inside

HUES = {"due_ms": "time"}
"""The colour of a fact whose name is not that of its colour."""

_NAMES = {
    "sign": "sign", "exponent": "exponent", "fraction": "behind the point",
    "integer": "the whole number", "due_ms": "time",
}  # fmt: skip
_NO_NUMBER = ("sign", "exponent", "fraction")

_CELLS = [
    [f"<button name=toggle value={bit}>{digit}</button>" for digit in "01"] for bit in range(BITS)
]
# Above a cell stands the bit of the whole number that lies there.
_OF_NUMBER = [
    [f"<button name=toggle value={bit} data-n={digit}>{digit}</button>" for digit in "01"]
    for bit in range(BITS)
]


def hue(fact: str) -> str:
    """Return the name of a fact's colour: tier, arrival, time or slot."""
    return HUES.get(fact, fact)


def cells_html(inside: Inside) -> Markup:
    """Write the 64 cells as buttons, in fields; what a double implies stands above bit 52."""
    return Markup("".join([_field(one, inside.implied) for one in inside.fields]))


def cells_of(run: Run | None, form: str) -> Markup:
    """Write the cells of a stored score for another figure, whose form they belong to.

    They are written with the page; static/js/score-bits.js keeps them as the strip above them says.
    """
    if run is None or run.score.stored is None:
        return Markup("")
    word = double.word(float(run.score.stored))
    over = bits.implied(word, run.score.facts)
    cells = "".join([_field(one, over) for one in bits.fields(word, run.score.facts)])
    return Markup(cells.replace("<button", f"<button form={form}"))


def inside_html(run: Run | None) -> Markup:
    """Write the 64 bits of a stored score as digits, the whole number's own bits above them.

    This is the inside of a score as other figures show it, with the way to where its bits can be
    turned over. Empty where nothing is stored.
    """
    if run is None or run.score.stored is None:
        return Markup("")
    word = double.word(float(run.score.stored))
    over = bits.implied(word, run.score.facts)
    upper = [f"<span class=fact-{hue(over)}>{'1' if over else ' ':>{BITS - FRACTION_BITS}}</span>"]
    lower = []
    for of, digits, _ in bits.fields(word, run.score.facts):
        part = f"<span class=fact-{HUES.get(of, of)}>{digits}</span>"
        lower.append(part)
        if of not in _NO_NUMBER:
            upper.append(part)
    coloured = "" if run.reading == DEFAULT_READING else f"&amp;reading={run.reading}"
    return Markup(
        f"<code>{''.join(upper)}</code><code>{''.join(lower)}</code>"
        f'<a href="/figures/bits?score={quote(run.score.stored)}{coloured}">Look inside</a>'
    )


def _field(field: Field, implied: str) -> str:
    made = _CELLS if field.of in _NO_NUMBER else _OF_NUMBER
    highest = field.highest
    cells = [made[highest - n][digit == "1"] for n, digit in enumerate(field.digits)]
    if implied and highest - len(cells) + 1 == FRACTION_BITS:
        last = cells[-1].replace("<button", f"<button class=fact-{hue(implied)} data-implied=1")
        cells[-1] = last
    lowest = highest - len(cells) + 1
    where = f"bit {highest}" if highest == lowest else f"bits {highest} to {lowest}"
    name = _NAMES.get(field.of, field.of)
    said = f"{name}, {where}: {int(field.digits, 2)}"
    return (
        f'<span class="field fact-{hue(field.of)}" role=group data-name="{name}" '
        f'aria-label="{said}">{"".join(cells)}</span>'
    )


def summary(inside: Inside) -> str:
    """Say the 64 bits in one sentence: sign, exponent, and what the rest is made of."""
    sign, exponent, *rest = inside.fields
    biased = int(exponent.digits, 2)
    parts = [f"{_NAMES.get(one.of, one.of)} {len(one.digits)} bits" for one in rest]
    signed = "minus" if sign.digits == "1" else "plus"
    return (
        f"64 bits: {signed}, exponent {biased} − 1023 = {biased - 1023}, then {', '.join(parts)}."
    )
