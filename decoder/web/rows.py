"""Rows: the parts that repeat a dozen times per answer, written in Python instead of a template.

Each `{{ }}` of a template costs a call and an escape; these rows are most of an interaction's
cost, so they are joined here from texts that are escaped once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from decoder.encodings import instant
from decoder.readings import ladder
from decoder.readings.run import Order, Placed, Run, Step
from decoder.transcripts import reply as replies

_WHO = {"stage": "setting the scene", "client": "read back", "aside": "for the cards"}
_TAKES = ("ZPOPMIN",)
"""Commands with which a worker takes a job, so no mere reading."""

_LINES_UNFOLDED = 3

MIDDLE, HALF_A_LETTER = 50, 1.4
"""Of the line of time, in percent: its middle, and half of a letter where a screen is narrow."""
LEVELS = (76, 58)
"""Where names stand below it, in pixels."""


def _text(words: str) -> str:
    """Escape for text content, where a quote needs none; a newline keeps to its line."""
    return (
        words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "&#10;")
    )


def executed_html(run: Run | None, steps: Iterable[Step]) -> Markup:
    """Write which server took the steps, in which time, and the steps themselves."""
    if run is None:
        return steps_html(steps)
    server, ms = run.server, run.round_trip_us / 1000
    said = f"{server.software.capitalize()} {server.version} · one round trip, {ms:.2f} ms"
    return Markup(f"<li class=by>{_text(said)}</li> ") + steps_html(steps)


def steps_html(steps: Iterable[Step]) -> Markup:
    """Write the executed steps as list items; the argument that carries the score is marked."""
    rows, before = [], ""
    for step in steps:
        row, who = _step(step, before)
        rows.append(row)
        before = who
    return Markup("".join(rows))


def _step(step: Step, before: str) -> tuple[str, str]:
    command = _text(step.command)
    if step.by == "script" and step.words[0] == "ZADD":
        changed = _text(step.words[2])
        command = command.replace(f" {changed} ", f" <mark>{changed}</mark> ", 1)
    written = replies.write(step.reply)
    reply = f"<samp>{_text(written)}</samp>"
    lines = written.count("\n") + 1
    if lines > _LINES_UNFOLDED:
        reply = f"<details><summary>{lines} lines</summary>{reply}</details>"
    who, kind = _WHO.get(step.by) or step.script.partition("/")[2], step.by
    if kind == "client" and step.words[0] in _TAKES:
        who, kind = "a worker", "worker"
    # Who sent it is said once for all steps in a row.
    said = "" if who == before else f" <i>{who}</i>"
    # What is inside the script that is shown is most of it, so it needs no class.
    item = "<li>" if kind == "script" else f"<li class={kind}>"
    return f"{item}<kbd>{command}</kbd> {reply}{said}", who


def ladder_html(run: Run, form: str) -> Markup:
    """Write the members as the server returned them, in bands of one tier, mine marked.

    A job that was just served stands above, struck out: the order before, and the order after.
    What is more than one rank away from the visitor's job is `far`: a narrow screen folds it.
    """
    order = run.order
    parts = [_gone(run)] if run.order_before else []
    if not order.of:
        return Markup("".join([*parts, "<li class=more>Nobody waits."]))
    mine = order.rank or 0
    expected, ghosted = 0, False
    for tier, jobs in itertools.groupby(order.shown, key=lambda placed: placed.facts["tier"]):
        band = list(jobs)
        near = any(mine - 1 <= placed.rank <= mine + 1 or not placed.rank for placed in band)
        parts.append(f'<li class="band{"" if near else " far"}">Tier {tier}')
        for placed in band:
            if run.ghost is not None and not ghosted and placed.rank >= run.ghost:
                parts.append("<li class=ghost>tier 1 would put you here")
                ghosted = True
            if placed.rank > expected:
                parts.append(f"<li class=more>{placed.rank - expected} more")
            parts.append(_job(placed, mine, form))
            expected = placed.rank + 1
    after = order.of - expected
    if after:
        parts.append(f"<li class=more>{after} more after these")
    return Markup("".join(parts))


def _gone(run: Run) -> str:
    before = run.order_before.shown if run.order_before else []
    still = {placed.member for placed in run.order.shown}
    served = next((placed for placed in before if placed.rank == 0), None)
    if served is None or served.member in still:
        return ""
    facts = f"tier {served.facts['tier']}, no. {served.facts['arrival']}"
    return f"<li class=gone>served: <s>{_text(ladder.named(served))}</s> {facts}"


def _job(placed: Placed, mine: int, form: str) -> str:
    member = _text(placed.member).replace('"', "&quot;")
    near = mine - 1 <= placed.rank <= mine + 1 or not placed.rank
    kind = " mine" if placed.mine else "" if near else " far"
    name = "your job" if placed.mine else _text(ladder.short(placed.member))
    return (
        f'<li class="job{kind}" id="job_{member}"><label>'
        f'<input type=radio name=guess value="{member}" form={form}> '
        f"<b>{placed.rank + 1}</b> "
        f"<code>{name}</code> <span class=fact-tier>tier {placed.facts['tier']}</span> "
        f"<span class=fact-arrival>no. {placed.facts['arrival']}</span></label>"
    )


def members_html(run: Run) -> Markup:
    """Write the members of any set in the server's order, each with its score and its facts."""
    if not run.order.of:
        return Markup("<li class=more>The set is empty: the server has no such key.")
    return Markup("".join([_member(placed) for placed in run.order.members]))


def _member(placed: Placed, *, with_score: bool = True) -> str:
    member = _text(placed.member)
    name = "your job" if placed.mine else member
    facts = " ".join([_fact(*fact) for fact in placed.facts.items()])
    kind = '"member mine"' if placed.mine else "member"
    score = f"<data>{_text(placed.score)}</data> " if with_score else ""
    return (
        f"<li class={kind}><b>{placed.rank + 1}</b> <code>{name}</code> {score}<span>{facts}</span>"
    )


def served_html(order: Order) -> Markup:
    """Write the members that were served, first to last, with their facts but not their scores."""
    return Markup("".join([_member(placed, with_score=False) for placed in order.members]))


def _fact(name: str, value: int) -> str:
    hue, words = fact_words(name, value)
    return f"<span class=fact-{hue}>{words}</span>"


def fact_words(name: str, value: int) -> tuple[str, str]:
    """Return a fact's hue and how a row tells it; raises OutOfRange beyond the year 9999."""
    if name.endswith("_ms"):
        what = "minted" if name == "minted_ms" else "due"
        return "time", f"{what} {instant.clock(value)}"
    hue = "slot" if name == "slot" else "tier" if name == "tier" else "arrival"
    return hue, f"{'no.' if name == 'arrival' else name} {value}"


def axis_svg(run: Run) -> Markup:
    """Draw a set of instants on a line of time, with now and what is due up to it.

    Empty for a set whose members carry no due time. The list beside it says the same in words.
    """
    dues: dict[int, list[Placed]] = {}
    for placed in run.order.members:
        if "due_ms" in placed.facts:
            dues.setdefault(placed.facts["due_ms"], []).append(placed)
    if not dues:
        return Markup("")
    first, last = min(run.now_ms, *dues), max(run.now_ms, *dues)
    span = max(1, last - first)

    def at(instant_ms: int) -> float:
        return round(6 + 84 * (instant_ms - first) / span, 2)

    now = at(run.now_ms)
    # What it is called stands where there is more room.
    side, dx = ("now late", -4) if now > MIDDLE else ("now", 4)
    parts = [
        f'<rect class="due" x="0" y="14" width="{now}%" height="44"></rect>',
        '<line class="line" x1="0" y1="36" x2="100%" y2="36"></line>',
        f'<line class="now" x1="{now}%" y1="8" x2="{now}%" y2="66"></line>',
        f'<text class="{side}" x="{now}%" dx="{dx}" y="12">now {instant.clock(run.now_ms)}</text>',
    ]
    # Jobs of one millisecond share one point; mine is drawn last, to lie on top.
    points = [_point(at(due), together) for due, together in dues.items()]
    points.sort(key=lambda point: point.mine)
    for x, mine, _ in points:
        kind = "mine" if mine else "other"
        parts.append(f'<circle class="{kind}" cx="{x}%" cy="36" r="6"></circle>')
    for (x, mine, name), level in _levels(points):
        kind = "mine" if mine else "other"
        parts.append(f'<text class="{kind}" x="{x}%" y="{level}">{name}</text>')
    said = "Each job at its due time; what lies left of now is returned by the due read."
    return Markup(f'<svg class="axis" role="img" aria-label="{said}">{"".join(parts)}</svg>')


class _Point(NamedTuple):
    """A point of the line of time: how far along it is in percent, and what is written there."""

    x: float
    mine: bool
    name: str


def _point(x: float, together: list[Placed]) -> _Point:
    shown = next((placed for placed in together if placed.mine), together[0])
    name = "your job" if shown.mine else _text(ladder.short(shown.member))
    more = f" +{len(together) - 1}" if len(together) > 1 else ""
    return _Point(x, shown.mine, name + more)


def _levels(points: list[_Point]) -> list[tuple[_Point, int]]:
    """Give each name a line of text below the axis, mine first; one without room is left out."""
    placed: list[tuple[_Point, int]] = []
    for point in reversed(points):
        for level in LEVELS:
            beside = [one for one, taken in placed if taken == level]
            if all(
                abs(one.x - point.x) > HALF_A_LETTER * len(one.name + point.name) for one in beside
            ):
                placed.append((point, level))
                break
    return placed
