"""The program: what a request asks of Valkey, in the words of its reading."""

from __future__ import annotations

from collections.abc import Iterable

from decoder.figures.three_readings.request import (
    LOOK,
    SELECTED,
    Request,
    case_of,
    entry_of,
    read_entry,
    step_entry,
    target_of,
)
from decoder.figures.three_readings.scene import CASE, JOB, MINE, QUEUE, WINDOW, keys_of, set_key
from decoder.readings.catalogue import READINGS, of_design
from decoder.readings.reading import Action, Call, Case, Reading, Script
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import ALWAYS, IF_FRESH, Program, at_time
from decoder.sandbox.scripts import Composed


def scripts() -> tuple[str, ...]:
    """Return the scripts that the readings of the catalogue run."""
    calls = [call for reading in READINGS.values() for call in reading.calls(CASE)]
    return tuple(dict.fromkeys(call.name for call in calls if isinstance(call, Script)))


SCRIPTS = scripts()


def program(request: Request, lane: Lane, composed: Composed) -> Program:
    """Write what is asked as one program: a step replays those before it from a clean lane."""
    asked, reading = Program(lane, composed), request.reading
    if request.action == "keep":
        asked.keep()
    # Whatever was done before, a restart has to find it.
    asked.declare(*keys_of(reading))
    written = CASE._replace(server=request.wrote == "server")
    if request.story:
        asked.restart()
        asked.note(request.story[0])
        _send(asked, reading.scene(reading, CASE))
        if request.step != 1:
            _send(asked, reading.write(written))
        if request.step == SELECTED:
            # A read that serves somebody is a step of its own.
            _do(asked, reading, reading.looking, case_of(request))
        elif request.step >= 3:
            _do(asked, reading, reading.read, case_of(request))
        for entry in request.story[1:]:
            asked.note(entry)
            _do(asked, reading, *read_entry(request, entry))
    else:
        asked.note(step_entry(request._replace(step=2)), when=IF_FRESH)
        _send(asked, [*reading.scene(reading, CASE), *reading.write(written)], IF_FRESH)
        if request.action not in ("keep", LOOK):
            entry = entry_of(request)
            asked.note(entry)
            _do(asked, reading, *read_entry(request, entry))
    asked.order(set_key(reading), MINE, WINDOW)
    target = target_of(request)
    if target:
        asked.order(QUEUE + target, MINE, WINDOW)
    if request.panel:
        _panel(asked, reading, lane)
    return asked


def _send(asked: Program, calls: Iterable[Call], when: str = ALWAYS) -> None:
    for call in calls:
        if isinstance(call, Script):
            keys = {name: QUEUE + key for name, key in call.keys.items()}
            asked.script(
                call.name, keys, when=at_time(call.nth) if call.nth else when, **call.arguments
            )
        else:
            asked.plain(call.command, QUEUE + call.key, *call.arguments)


def _do(asked: Program, reading: Reading, action: Action | None, case: Case) -> None:
    """Do one action on what stands."""
    if action is None:
        return
    if action.shows_before:
        asked.order(set_key(reading), MINE, WINDOW)
    _send(asked, action.calls(case))


def _panel(asked: Program, reading: Reading, lane: Lane) -> None:
    """Store the job aside under each reading of the design, and read its scores for the cards."""
    for one in of_design(reading.design):
        written = one.write(Case(JOB))
        with asked.aside(Lane(lane.sandbox_id, f"{lane.name}.{one.kind}")):
            _send(asked, written)
            asked.plain("ZSCORE", set_key(one), MINE)
            keys = [key for call in written for key in call.keys.values()]
            asked.drop(*(QUEUE + key for key in dict.fromkeys(keys)))
