"""Request: what a visitor asks of a figure, read from a form or from an address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from decoder.figures import address
from decoder.figures.inputs import Input, read_inputs
from decoder.sandbox.execution import ACTIONS_MOST, Execution

TEXT_MOST = 24
"""How much of a bad text a notice repeats."""


class Request(NamedTuple):
    """What is asked. `entries` is a whole story to replay, empty for one action on what stands.

    `given` tells whether the visitor said where the job is to stand, at least in part.
    """

    inputs: dict[str, int]
    given: bool
    full: bool
    action: str
    guess: str
    entries: list[str]
    notices: list[str]
    seq: int | None


def read_action(
    inputs: Sequence[Input], actions: Sequence[str], form: Mapping[str, str]
) -> Request:
    """Read the fields of one move or button; whatever is wrong becomes a notice."""
    full = _is_on(form.get("full"))
    notices: list[str] = []
    action = form.get("action") or "move"
    if action not in actions:
        notices.append(
            f"“{action[:TEXT_MOST]}” is nothing this figure does, so only its numbers count."
        )
        action = "move"
    seq = sequence(form.get("seq"))
    if action == "reset":
        return Request({i.name: i.default for i in inputs}, True, False, action, "", [], [], seq)
    given = action == "move" or any(form.get(one.name) for one in inputs)
    values = {one.name: one.default for one in inputs}
    if given:
        values, moved = read_inputs(inputs, form, full)
        notices += moved
    notices += nudge(inputs, values, form.get("nudge", ""), full)
    guess = form.get("guess", "") if action == "serve" else ""
    if guess and not address.is_guess(guess):
        notices.append(f"“{guess[:TEXT_MOST]}” is not the name of a job, so nothing was guessed.")
        guess = ""
    return Request(values, given, full, action, guess, [], notices, seq)


def read_story(inputs: Sequence[Input], query: Mapping[str, str]) -> Request:
    """Read an address: where the job stands, and what is to be replayed in a fresh sandbox."""
    full = _is_on(query.get("full"))
    values = {one.name: one.default for one in inputs}
    notices: list[str] = []
    if any(one.name in query for one in inputs):
        values, notices = read_inputs(inputs, query, full)
    asked, dropped = address.read(query.get("then", ""), values, ACTIONS_MOST)
    notices += dropped
    entries = []
    for entry in asked:
        if address.is_place(entry):
            texts = {name: str(value) for name, value in address.read_place(entry).items()}
            place, moved = read_inputs(inputs, texts, full)
            notices += [notice for notice in moved if notice not in notices]
            entry = address.place(place)
        entries.append(entry)
    return Request(values, True, full, address.action(entries[-1]), "", entries, notices, None)


def nudge(inputs: Sequence[Input], values: dict[str, int], asked_for: str, full: bool) -> list[str]:
    """Apply a − or + button, which posts nudge=<input>:-1 where no script moves the slider."""
    for one in inputs:
        for step in (-1, 1):
            if asked_for == f"{one.name}:{step}":
                asked = {one.name: str(values[one.name] + step)}
                moved, notices = read_inputs([one], asked, full)
                values.update(moved)
                return notices
    return []


def _is_on(text: str | None) -> bool:
    return text in ("1", "on", "true")


def sequence(text: str | None) -> int | None:
    """Read a sequence number; None for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None


def kept(done: Execution) -> str:
    """Say for how long a lane is kept; nothing where it was not there or could not be renewed."""
    if done.refused or done.fresh or not done.renewed:
        return ""
    return f"This queue is kept for another {done.expires_in_s // 60} min."


def refusals(done: Execution) -> list[str]:
    """Say why the frame refused a request: it was overtaken, or one action too many."""
    if done.refused == "stale":
        return ["A newer request of yours had already arrived, so this older one changed nothing."]
    if done.refused == "actions":
        return [f"An address carries {ACTIONS_MOST} actions and this one does: reset to go on."]
    return []
