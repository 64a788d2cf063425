"""The request: a reading, a step to stand at, and an action, read from a form or an address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from decoder.figures.inputs import Input, Range
from decoder.figures.three_readings.scene import (
    CLOCKS,
    LADDER,
    LATEST_NOW_MS,
    NAME,
    PENDING,
    T0_MS,
)
from decoder.readings.catalogue import READINGS, Reading
from decoder.sandbox.execution import ACTIONS_MOST

DEFAULT = "one-number/order"
STEPS = ("what it means", "write", "read", "conclude")
ACTIONS_OF: dict[str, tuple[str, ...]] = {
    "packed/fire-time": ("promote",),
    "packed/priority": ("serve", "change_priority"),
    "packed/next-run": ("register_again", "advance"),
    "one-number/fire-time": ("promote", "claim"),
    "one-number/order": ("serve", "claim"),
    "one-number/next-run": ("register_again", "advance"),
}
LOOK = "look"
"""Read the set again, with another now: what moving the clock does where nothing is timed."""

ACTIONS = (
    "write", "read", "promote", "claim", "register_again", "advance", "change_priority", "serve",
    "keep", "reset", LOOK,
)  # fmt: skip

TIMED = ("read", "promote", "claim", "register_again", "advance")
STEP = Input("step", "Step", Range(1, 4), Range(1, 4), 2)
_NOWS = Range(T0_MS, LATEST_NOW_MS)
SECONDS = Input("seconds", "Now, seconds after the mint", Range(0, 150), Range(0, 150), 0)
NOW = Input("now_ms", "Now, in ms,", _NOWS, _NOWS, T0_MS)
INPUTS = (STEP, NOW)
ENTRY = re.compile(r"([a-z_]+)(?:-\d{13}|-lifo)?")


class Request(NamedTuple):
    """What is asked of one reading: a step to stand at, or an action on what stands.

    With `panel` the job is also stored under the other readings of the design, to be shown.
    """

    reading: Reading
    step: int
    now_ms: int
    clock: str
    lifo: bool
    action: str
    story: list[str]
    notices: list[str]
    seq: int | None
    panel: bool = False


def lane_name(request: Request) -> str:
    """Return the lane of the reading that is asked for."""
    return f"{NAME}.{request.reading.id.replace('/', '.')}"


def read_action(form: Mapping[str, str]) -> Request:
    """Read form fields; whatever is wrong becomes a notice."""
    asked = _read(form)
    on_clock = form.get("on_clock") or "write"
    action = form.get("action") or ("" if form.get("step") else on_clock)
    if action and action not in ACTIONS:
        asked.notices.append(f"“{action[:24]}” is nothing this figure does; the job was written.")
        action = "write"
    if action in ("write", "reset"):
        return asked._replace(action=action, step=2, story=["step-2"], panel=True)
    if not action:
        return asked._replace(action="step", story=[f"step-{asked.step}"])
    if action not in ("read", "keep", LOOK, *ACTIONS_OF[asked.reading.id]):
        asked.notices.append(f"“{action}” belongs to another reading; this one was only read.")
        action = "read"
    return asked._replace(action=action)


def read_story(query: Mapping[str, str]) -> Request:
    """Read an address: a step, and the actions to replay after it."""
    asked = _read(query)
    story = [f"step-{asked.step}"]
    for part in [part for part in query.get("then", "").split(",") if part][: ACTIONS_MOST - 1]:
        shape = ENTRY.fullmatch(part)
        if shape and shape[1] in ("read", *ACTIONS_OF[asked.reading.id]):
            story.append(part)
        else:
            asked.notices.append(f"“{part[:24]}” is nothing this reading does; it was left out.")
    last = ENTRY.fullmatch(story[-1])
    return asked._replace(action=last[1] if last else "step", story=story, panel=True)


def _read(form: Mapping[str, str]) -> Request:
    notices: list[str] = []
    name = form.get("reading") or DEFAULT
    if name not in READINGS:
        known = ", ".join(READINGS)
        notices.append(f"“{name[:24]}” is no reading; it is {DEFAULT}. There are {known}.")
        name = DEFAULT
    step, now_ms = STEP.default, NOW.default
    if form.get("step"):
        step, said = STEP.read(form["step"], False)
        notices += [said] if said else []
    if form.get("now_ms"):
        now_ms, said = NOW.read(form["now_ms"], False)
        notices += [said] if said else []
    elif form.get("seconds"):
        seconds, said = SECONDS.read(form["seconds"], False)
        now_ms = T0_MS + seconds * 1000
        notices += [said] if said else []
    clock = form.get("clock") or CLOCKS[0]
    if clock not in CLOCKS:
        notices.append(f"“{clock[:24]}” is no clock; it is {CLOCKS[0]}.")
        clock = CLOCKS[0]
    seq = form.get("seq", "")
    number = int(seq) if seq.isascii() and seq.isdigit() and len(seq) < 16 else None
    lifo = form.get("lifo") in ("1", "on", "true")
    return Request(READINGS[name], step, now_ms, clock, lifo, "", [], notices, number)


def by_server(request: Request) -> bool:
    """Tell whether the server's own clock decides the score: schedule … in."""
    return request.clock == "server" and request.reading.id == "one-number/fire-time"


def entry_of(request: Request) -> str:
    """Write an action so that replaying it does the same: with the now at which it was done."""
    if request.action in TIMED:
        return f"{request.action}-{request.now_ms}"
    return request.action + ("-lifo" if request.lifo else "")


def target_of(request: Request) -> str:
    """Return the other set that an action filled or took from, empty for none."""
    if request.action == "promote":
        return LADDER if request.reading.design == "packed" else PENDING
    return PENDING if request.action == "claim" and request.reading.kind == "fire-time" else ""
