"""The request: a reading, a step to stand at, and an action, read from a form or an address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from decoder.figures.inputs import Input, Range
from decoder.figures.three_readings.scene import CASE, LATEST_NOW_MS, T0_MS
from decoder.readings import bits
from decoder.readings.actions import AT
from decoder.readings.catalogue import READINGS, named
from decoder.readings.reading import CLOCKS, Action, Case, Reading
from decoder.sandbox.execution import ACTIONS_MOST

DEFAULT = "one-number/order"
STEPS = ("what it means", "write", "read", "conclude")
SELECT = "select"
"""Choose a reading: write the job, read it in the way that takes nobody away, and conclude."""

SELECTED = 0
"""The step of a reading that was chosen as a whole; its address names no step."""

LOOK = "look"
"""Look at what is due, or at the set where nothing is timed: what moving the clock does.

As an entry, look-<now>, it is the due read of a timed reading, which changes nothing.
"""


def actions() -> tuple[str, ...]:
    """Return everything that this figure does, under one reading or under all of them."""
    named = [one.name for reading in READINGS.values() for one in reading.actions]
    return tuple(dict.fromkeys([SELECT, "write", "read", *named, "keep", "reset", LOOK]))


ACTIONS = actions()
STEP = Input("step", "Step", Range(1, 4), Range(1, 4), 2)
_NOWS = Range(T0_MS, LATEST_NOW_MS)
SECONDS = Input("seconds", "Now in seconds after the mint", Range(0, 150), Range(0, 150), 0)
NOW_DIGITS = len(str(T0_MS))
NOW = Input("now_ms", "Now in milliseconds", _NOWS, _NOWS, T0_MS)
INPUTS = (STEP, NOW)
FIELDS = (
    "reading", "step", "now_ms", "seconds", "was_now_ms", "clock", "lifo", "on_clock", "brief",
)  # fmt: skip
ENTRY = re.compile(r"([a-z_]+)(?:-([0-9]{1,16}|server|lifo))?(?:-([a-z]+))?")
_SCORE = re.compile(r"[0-9]{1,16}")
_NUDGES = {"seconds:-1": -1, "seconds:1": 1}


class Request(NamedTuple):
    """What is asked of one reading: a step to stand at, or an action on what stands.

    `wrote` is the clock on which the job is written where it has to be written first. With
    `panel` the job is also stored aside, under each reading of the design, to be shown on its card.
    """

    reading: Reading
    step: int
    now_ms: int
    clock: str
    wrote: str
    lifo: bool
    action: str
    story: list[str]
    notices: list[str]
    seq: int | None
    guess: str = ""
    """The answer that the visitor gave before the action; none is needed."""
    panel: bool = False
    score: int = 0
    """Where an action `at` puts the job."""
    moves: bool = False
    """Whether the clock was moved: its address replaces the one before, and is no step back."""


def lane_name(request: Request) -> str:
    """Return the lane of the reading that is asked for: short, as every key of it carries it."""
    return request.reading.id.replace("/", ".")


def read_action(form: Mapping[str, str]) -> Request:
    """Read form fields; whatever is wrong becomes a notice.

    Without an action and a step a reading is selected, unless `on_clock` says that the clock moved:
    `now` is a look. `brief` leaves the cards out.
    """
    asked = _read(form)._replace(panel=not form.get("brief"))
    on_clock = form.get("on_clock") or SELECT
    action = form.get("action") or ("" if form.get("step") else on_clock)
    if action == "now" and not form.get("action"):
        action, asked = LOOK, asked._replace(moves=True)
        # Who moves the pinned now means the pinned clock.
        asked = asked._replace(clock=CLOCKS[0]) if _is_moved(form) else asked
    if action and action not in actions():
        asked.notices.append(f"“{action[:24]}” is nothing this figure does; the job was written.")
        action = "write"
    if action == SELECT:
        asked, action = asked._replace(step=SELECTED), ""
    if action == AT or (form.get("toggle") and not form.get("action")):
        asked, action = _at_score(asked, form.get("score", ""), form.get("toggle"))
    if action in ("write", "reset"):
        asked = asked._replace(action=action, step=2)
        return asked._replace(story=[step_entry(asked)])
    if not action:
        return asked._replace(action="step", story=[step_entry(asked)])
    if action not in ("keep", LOOK) and not asked.reading.action(action):
        asked.notices.append(f"“{action}” belongs to another reading, so it was not done.")
        action = LOOK
    asked = _on_its_clock(_guessed(asked, action, form.get("guess", "")), action)
    looks = action == LOOK and asked.reading.is_timed
    return asked._replace(action="read" if looks else action)


def _at_score(asked: Request, score: str, bit: str | None) -> tuple[Request, str]:
    """Read the score to store, of which a bit may be turned over; return the action for it."""
    allowed = Range(asked.reading.least, asked.reading.most)
    if not _SCORE.fullmatch(score):
        said = f"“{score[:24]}” is no score" if score else "No score was said"
        asked.notices.append(f"{said} that could be stored here, so none was.")
        return asked, LOOK
    stored, said = Input("score", "The score", allowed, allowed, 0).read(score, False)
    if bit:
        stored, said = bits.turned(stored, bit, allowed.least, allowed.most)
    asked.notices.extend([said] if said else [])
    return asked._replace(score=stored), AT


def read_story(query: Mapping[str, str]) -> Request:
    """Read an address: a step, and the actions to replay after it, each on its own clock."""
    asked = _read(query)
    if query.get("wrote") in CLOCKS:
        asked = asked._replace(wrote=query["wrote"])
    story = [step_entry(asked)]
    # Where nothing is timed a look is no entry: it says nothing, and there is nothing to say of it.
    nothing = ("",) if asked.reading.is_timed else ("", LOOK)
    parts = [part for part in query.get("then", "").split(",") if part not in nothing]
    for n, part in enumerate(parts[:ACTIONS_MOST], 1):
        entry = _replayable(asked, part)
        if not entry:
            asked.notices.append(f"“{part[:24]}” is nothing this reading does; it was left out.")
        elif n < ACTIONS_MOST or entry.startswith(LOOK):
            story.append(entry)
    action = story[-1].partition("-")[0]
    lifo = asked.lifo or _parts(story[-1])[1] == "lifo"
    action = "read" if action == LOOK else action
    return asked._replace(action=action, lifo=lifo, story=story, panel=True)


def _on_its_clock(asked: Request, action: str) -> Request:
    """Go by a clock that the action knows, where it knows one and is asked to go by another."""
    what = asked.reading.action(action)
    if not what or not what.clocks or asked.clock in what.clocks:
        return asked
    asked.notices.append(f"This goes by the {what.clocks[0]} clock, whichever is chosen.")
    return asked._replace(clock=what.clocks[0])


def _replayable(asked: Request, part: str) -> str:
    """Return a part of an address as the entry that a lane remembers, empty for none."""
    shape = ENTRY.fullmatch(part)
    if not shape:
        return ""
    action, rest, guess = shape.groups()
    if rest and rest.isdigit() and action != AT and len(rest) != NOW_DIGITS:
        return ""
    looks = asked.reading.is_timed and action == LOOK
    if not looks and not asked.reading.action(action):
        return ""
    again = asked._replace(action="read" if looks else action, lifo=rest == "lifo")
    again = _guessed(again, action, guess or "")
    if rest == "server":
        again = again._replace(clock=rest)
    elif action == AT:
        least, most = asked.reading.least, asked.reading.most
        again = again._replace(score=min(max(int(rest or 0), least), most))
    elif rest and rest != "lifo":
        now_ms, said = NOW.read(rest, False)
        again = again._replace(clock=CLOCKS[0], now_ms=now_ms)
        asked.notices.extend([said] if said and said not in asked.notices else [])
    return entry_of(again)


def _guessed(asked: Request, action: str, guess: str) -> Request:
    """Take up an answer to what is asked before an action; a bad one is told, and none is given."""
    what = asked.reading.action(action)
    question = what.question if what else None
    if not guess or not question:
        return asked._replace(guess="")
    if guess not in question.answers:
        known = ", ".join(question.answers)
        said = f"“{guess[:24]}” is no answer to this, so nothing was guessed. There are {known}."
        asked.notices.extend([said] if said not in asked.notices else [])
        guess = ""
    return asked._replace(guess=guess)


def _read(form: Mapping[str, str]) -> Request:
    notices: list[str] = []
    name = form.get("reading") or DEFAULT
    if name not in READINGS:
        known = ", ".join(map(named, READINGS.values()))
        said = f"“{name[:24]}” is no reading; it is {named(READINGS[DEFAULT])}."
        notices.append(f"{said} There are {known}.")
        name = DEFAULT
    step = SELECTED
    if form.get("step"):
        step, said = STEP.read(form["step"], False)
        notices += [said] if said else []
    now_ms = _now(form, notices)
    clock = form.get("clock") or CLOCKS[0]
    if clock not in CLOCKS:
        known = ", ".join(CLOCKS)
        notices.append(f"“{clock[:24]}” is no clock; it is {CLOCKS[0]}. There are {known}.")
        clock = CLOCKS[0]
    seq = form.get("seq", "")
    number = int(seq) if seq.isascii() and seq.isdigit() and len(seq) < 16 else None
    lifo = form.get("lifo") in ("1", "on", "true")
    return Request(READINGS[name], step, now_ms, clock, clock, lifo, "", [], notices, number)


def _now(form: Mapping[str, str], notices: list[str]) -> int:
    """Read the pinned now: in ms, or in seconds; where these were not moved, as it was."""
    now_ms, was = NOW.default, _was_now_ms(form)
    if form.get("now_ms"):
        now_ms, said = NOW.read(form["now_ms"], False)
        notices += [said] if said else []
    elif was is not None and not _is_moved(form):
        now_ms = was
    elif form.get("seconds"):
        now_ms = _at_second(form["seconds"], notices)
    nudge = _NUDGES.get(form.get("nudge", ""))
    if nudge:
        now_ms = _at_second(str((now_ms - T0_MS) // 1000 + nudge), notices)
    return now_ms


def _was_now_ms(form: Mapping[str, str]) -> int | None:
    """Return the now of the page that a form belongs to, None where it tells none."""
    now_ms, said = NOW.read(form.get("was_now_ms"), False)
    return None if said else now_ms


def _is_moved(form: Mapping[str, str]) -> bool:
    """Tell whether the seconds are other ones than those of the page that the form belongs to."""
    was = _was_now_ms(form)
    if was is None:
        return False
    shown = str((was - T0_MS) // 1000)
    return (form.get("seconds") or shown) != shown or form.get("nudge") in _NUDGES


def _at_second(text: str, notices: list[str]) -> int:
    seconds, said = SECONDS.read(text, False)
    notices += [said] if said else []
    return T0_MS + seconds * 1000


def by_server(request: Request) -> bool:
    """Tell whether the server's own clock decides the score: schedule … in."""
    return request.wrote == "server" and request.reading.written_by_clock


def step_entry(request: Request) -> str:
    """Write a step so that replaying it does the same: with the clock, where it decides."""
    return f"step-{request.step}" + ("-server" if by_server(request) else "")


def entry_of(request: Request) -> str:
    """Write an action so that replaying it does the same: on its clock, and with its guess."""
    name = request.action
    action = request.reading.action(name)
    parts = [LOOK if name == "read" and request.reading.is_timed else name]
    if action and request.clock in action.clocks[1:]:
        parts.append(request.clock)
    elif action and action.clocks:
        parts.append(str(request.now_ms))
    elif action and action.lifo and request.lifo:
        parts.append("lifo")
    elif name == AT:
        parts.append(str(request.score))
    return "-".join([*parts, request.guess] if request.guess else parts)


def read_entry(request: Request, entry: str) -> tuple[Action | None, Case]:
    """Read an entry as the action that it names, and the case in which it was done."""
    name, rest, _ = _parts(entry)
    case = case_of(request)._replace(lifo=rest == "lifo")
    if name == AT:
        case = case._replace(score=int(rest))
    elif rest.isdigit():
        case = case._replace(now_ms=int(rest), server=False)
    elif rest:
        case = case._replace(server=rest == "server")
    return request.reading.action("read" if name == LOOK else name), case


def guess_of(entry: str) -> str:
    """Return the answer that was given before an entry's action, empty for none."""
    return _parts(entry)[2]


def _parts(entry: str) -> tuple[str, str, str]:
    """Take an entry apart: what was done, by which clock or with lifo, and what was said first."""
    shape = ENTRY.fullmatch(entry)
    name, rest, guess = shape.groups("") if shape else (entry, "", "")
    return name, rest, guess


def case_of(request: Request) -> Case:
    """Return the job among the others, by the clock that is asked for."""
    return CASE._replace(now_ms=request.now_ms, server=request.clock == "server")


def others_of(reading: Reading) -> dict[str, str]:
    """Return the actions that fill or drain another set than the reading's, with that set."""
    others = {one.name: one.fills or one.drains for one in reading.actions}
    return {name: keys for name, keys in others.items() if keys not in ("", reading.keys)}


def target_of(request: Request) -> str:
    """Return the other set that an action fills or drains, empty for none.

    What changes nothing shows the set that was shown, and only the lane knows which that is.
    """
    others = others_of(request.reading)
    if request.action in ("keep", LOOK):
        return next(iter(others.values()), "")
    return others.get(request.action, "")
