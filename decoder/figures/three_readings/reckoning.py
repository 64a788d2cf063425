"""Reckoning: the score that the job must have after all that its lane remembers."""

from __future__ import annotations

from decoder.figures.three_readings.request import Request, by_server
from decoder.figures.three_readings.scene import (
    ARRIVAL,
    DELAY_MS,
    DUE_MS,
    EVERY_MS,
    next_after,
    score_under,
)
from decoder.readings.catalogue import Reading
from decoder.readings.run import Score
from decoder.sandbox.execution import Execution


def reckoned(request: Request, done: Execution, stored: str | None) -> Score:
    """Compute the score from the facts that what the lane remembers gave the job."""
    reading = request.reading
    if stored is None or not done.entries:
        return score_under(reading, stored, None if by_server(request) else DUE_MS)
    return score_under(reading, stored, _due_of(reading, done), _arrival_of(done))


def _due_of(reading: Reading, done: Execution) -> int | None:
    step, *story = done.entries
    if reading.kind != "next-run":
        # Only the run that wrote on the server's clock knows what TIME it was.
        wrote = any(s.script == "one-number/schedule" and s.words[0] == "TIME" for s in done.steps)
        late = done.time_ms + DELAY_MS if wrote else None
        return late if step.endswith("-server") else DUE_MS
    due_ms = None if step == "step-1" else DUE_MS
    for entry in story:
        action, _, rest = entry.partition("-")
        # What is registered is not registered again, and what is not does not advance.
        if action == "register_again" and (due_ms is None or reading.design == "packed"):
            due_ms = next_after(int(rest))
        elif action == "advance" and (due_ms is not None or reading.design == "packed"):
            due_ms = DUE_MS + EVERY_MS
    return due_ms


def _arrival_of(done: Execution) -> int | None:
    """Return the arrival that the last change of priority gave, as far as this run knows it."""
    changes = [entry for entry in done.entries if entry.startswith("change_priority")]
    if not changes:
        return ARRIVAL
    if changes[-1].endswith("-lifo"):
        return 0
    given = [
        step.reply
        for step in done.steps
        if step.script == "packed/change_priority" and step.words[0] == "INCR"
    ]
    return given[-1] if given and isinstance(given[-1], int) else None
