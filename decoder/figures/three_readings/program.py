"""The program: what a request asks of Valkey, in the words of its reading."""

from __future__ import annotations

from collections.abc import Iterable

from decoder.figures.three_readings.request import (
    LOOK,
    Request,
    by_server,
    entry_of,
    read_entry,
    step_entry,
    target_of,
)
from decoder.figures.three_readings.scene import CASE, JOB, MINE, QUEUE, WINDOW, keys_of, set_key
from decoder.readings.catalogue import READINGS, of_design
from decoder.readings.reading import Call, Case, Script
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
        if request.step >= 2:
            _send(asked, reading.write(written))
        if request.panel:
            _panel(asked, request, lane)
        if request.step >= 3:
            _do(asked, request, "read")
        for entry in request.story[1:]:
            asked.note(entry)
            _do(asked, request, entry)
    else:
        asked.note(step_entry(request._replace(step=2)), when=IF_FRESH)
        _send(asked, [*reading.scene(reading, CASE), *reading.write(written)], IF_FRESH)
        if request.action not in ("keep", LOOK):
            entry = entry_of(request)
            asked.note(entry)
            _do(asked, request, entry)
    asked.order(set_key(reading), MINE, WINDOW)
    target = target_of(request)
    if target:
        asked.order(QUEUE + target, MINE, WINDOW)
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


def _panel(asked: Program, request: Request, lane: Lane) -> None:
    """Store the job under the other readings of the design as well, and read all scores back.

    Under its own it stands there already, except before it is written, and on the server's clock;
    where nothing more is done, the order that is read at the end has its score.
    """
    design, own = of_design(request.reading.design), request.reading
    here = request.step >= 2 and not by_server(request)
    lanes = {one.kind: Lane(lane.sandbox_id, f"{lane.name}.{one.kind}") for one in design}
    if here:
        lanes[own.kind] = lane
    written = {one.kind: one.write(Case(JOB)) for one in design}
    for one in design:
        if here and one == own:
            continue
        with asked.elsewhere(lanes[one.kind]):
            _send(asked, written[one.kind])
    stays = here and len(request.story) == 1 and (request.step == 2 or own.is_timed)
    for one in design:
        if stays and one == own:
            continue
        with asked.elsewhere(lanes[one.kind]):
            asked.plain("ZSCORE", set_key(one), MINE)
            if lanes[one.kind] != lane:
                keys = [key for call in written[one.kind] for key in call.keys.values()]
                asked.drop(*(QUEUE + key for key in dict.fromkeys(keys)))


def _do(asked: Program, request: Request, entry: str) -> None:
    """Do one action on what stands."""
    action, case = read_entry(request, entry)
    if action is None:
        return
    if action.takes:
        asked.order(set_key(request.reading), MINE, WINDOW)
    _send(asked, action.calls(case))
