"""Reckoning: the score that the job must have after all that its lane remembers."""

from __future__ import annotations

from decoder.figures.three_readings.request import Request, by_server, read_entry
from decoder.figures.three_readings.scene import JOB, score_under
from decoder.readings.reading import Job
from decoder.readings.run import Score
from decoder.sandbox.execution import Execution


def reckoned(request: Request, done: Execution, stored: str | None) -> Score:
    """Compute the score from the facts that what the lane remembers gave the job."""
    reading = request.reading
    if stored is None or not done.entries:
        return score_under(reading, stored, None if by_server(request) else JOB)
    step, *story = done.entries
    job = _written(request, done, step)
    for entry in story:
        action, case = read_entry(request, entry)
        if action:
            job = action.changes(job, case, done.steps)
    return score_under(reading, stored, job)


def _written(request: Request, done: Execution, step: str) -> Job | None:
    if step == "step-1":
        return None
    if not step.endswith("-server"):
        return JOB
    # Only the run that wrote on the server's clock knows what TIME it was.
    script = request.reading.script
    wrote = any(one.script == script and one.words[0] == "TIME" for one in done.steps)
    return JOB._replace(due_ms=done.time_ms + JOB.delay_ms) if wrote else None
