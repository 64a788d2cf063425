"""Rows: the parts that repeat a dozen times per answer, written in Python instead of a template.

Each `{{ }}` of a template costs a call and an escape; these rows are most of an interaction's
cost, so they are joined here from texts that are escaped once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from markupsafe import Markup

from decoder.readings import ladder
from decoder.readings.run import Placed, Run, Step
from decoder.transcripts import reply as replies

_WHO = {"stage": "setting the scene", "client": "read back"}
_TAKES = ("ZPOPMIN",)
"""Commands with which a worker takes a job, so no mere reading."""

_LINES_UNFOLDED = 3


def _text(words: str) -> str:
    """Escape for text content, where a quote needs none; a newline keeps to its line."""
    return (
        words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "&#10;")
    )


def steps_html(steps: Iterable[Step]) -> Markup:
    """Write the executed steps as list items; the argument that carries the score is marked."""
    return Markup("".join([_step(step) for step in steps]))


def _step(step: Step) -> str:
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
        who, kind = "a worker takes the next", "client worker"
    return f'<li class="step {kind}"><kbd>{command}</kbd> {reply} <i>{who}</i>'


def ladder_html(run: Run, form: str) -> Markup:
    """Write the members as the server returned them, in bands of one tier, mine marked.

    A job that was just served stands above, struck out: the order before, and the order after.
    What is more than one rank away from the visitor's job is `far`: a narrow screen folds it.
    """
    order = run.order
    parts = [_gone(run)] if run.order_before else []
    if not order.of:
        return Markup("".join([*parts, '<li class="more">Nobody waits.']))
    mine = order.rank or 0
    first = order.members[0].rank
    if first:
        parts.append(f'<li class="more">{first} more before these')
    for tier, jobs in itertools.groupby(order.members, key=lambda placed: placed.facts["tier"]):
        band = list(jobs)
        near = any(abs(placed.rank - mine) <= 1 or not placed.rank for placed in band)
        parts.append(f'<li class="band{"" if near else " far"}">Tier {tier}')
        for placed in band:
            if placed.rank == run.ghost:
                parts.append('<li class="ghost">tier 1 would put you here')
            parts.append(_job(placed, mine, form))
    after = order.of - first - len(order.members)
    if after:
        parts.append(f'<li class="more">{after} more after these')
    return Markup("".join(parts))


def _gone(run: Run) -> str:
    before = run.order_before.members if run.order_before else []
    still = {placed.member for placed in run.order.members}
    served = next((placed for placed in before if placed.rank == 0), None)
    if served is None or served.member in still:
        return ""
    facts = f"tier {served.facts['tier']}, no. {served.facts['arrival']}"
    return f'<li class="gone">served: <s>{_text(ladder.named(served))}</s> {facts}'


def _job(placed: Placed, mine: int, form: str) -> str:
    member = _text(placed.member).replace('"', "&quot;")
    kind = " mine" if placed.mine else " far" if abs(placed.rank - mine) > 1 and placed.rank else ""
    name = "your job" if placed.mine else _text(ladder.short(placed.member))
    return (
        f'<li class="job{kind}" id="job_{member}"><label>'
        f'<input type="radio" name="guess" value="{member}" form="{form}"> '
        f"<b>{placed.rank + 1}</b> "
        f'<code>{name}</code> <span class="fact-tier">tier {placed.facts["tier"]}</span> '
        f'<span class="fact-arrival">no. {placed.facts["arrival"]}</span></label>'
    )
