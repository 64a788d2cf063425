"""Takeaway: which commands of a run lead to the order that it shows."""

from __future__ import annotations

from decoder.figures import FIGURES
from decoder.readings.run import Run, Step
from decoder.transcripts.reply import Failure
from decoder.transcripts.takeaway import Line, Taken

_POPS = ("ZPOPMIN", "ZPOPMAX", "HGETALL")
"""Commands whose reply is of members and scores, or fields and values, without being asked."""


def taken(run: Run, address: str) -> Taken:
    """Take the commands of a run that began in a fresh sandbox and recorded all of them whole.

    `address` is the absolute one of this state.
    """
    steps = [step for step in run.steps if step.by != "aside"]
    figure = FIGURES[run.figure]
    server = f"{run.server.software.capitalize()} {run.server.version}"
    file = f"score-decoder-{run.figure}"
    # A queue that is kept is shown as it stands in the end; all else as it was read on the way.
    if "keep" in figure.ACTIONS:
        lines = [_line(step, tells=False) for step in steps]
        lines.append(Line(["ZRANGE", _shown(run, steps), "0", "-1", "WITHSCORES"], tells=True))
    else:
        lines = [_line(step, tells=_tells(step)) for step in steps]
    return Taken(figure.TITLE, address, server, file, lines)


def _line(step: Step, *, tells: bool) -> Line:
    refused = isinstance(step.reply, Failure)
    return Line(step.words, tells and not refused, refused)


def _tells(step: Step) -> bool:
    """Tell whether a step is a plain read whose reply is an order: what the figure shows."""
    paired = step.words[0] in _POPS or "WITHSCORES" in step.words
    return step.by == "client" and paired and isinstance(step.reply, list)


def _shown(run: Run, steps: list[Step]) -> str:
    """Return the key of the set whose order is shown: the one that was read last."""
    return run.set_key or next(s.words[1] for s in reversed(steps) if s.words[0] == "ZRANGE")
