"""Lab: what all labs share, from the request to the run; a lab itself is a scene and a finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from decoder.figures import request as requests
from decoder.figures.inputs import Input, read_inputs
from decoder.readings.run import Allowance, Column, Guess, Order, Run, Score, Server
from decoder.sandbox.execution import Execution
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import Program
from decoder.sandbox.scripts import Composed

PINNED_NOW_MS = 1780226888000
TEXT_MOST = 24


class Request(NamedTuple):
    """What is asked of a lab: its numbers, and the answer that the visitor gives, if any."""

    inputs: dict[str, int]
    guess: str
    action: str
    notices: list[str]
    seq: int | None


class Found(NamedTuple):
    """What the server's replies show.

    `before` and `after` are sets as the server returned them; `answer` is which of the lab's
    answers they give, `because` the sentence that explains it.
    """

    before: list[Column]
    after: list[Column]
    answer: str
    because: str
    score: Score = Score(None, None, [])


@dataclass(frozen=True)
class Lab:
    """A figure of its own kind: `scene` writes its program, `find` reads what came back."""

    NAME: str
    TITLE: str
    INVITES: str
    NOTICE: str
    QUESTION: str
    ANSWERS: Mapping[str, str]
    SCRIPTS: tuple[str, ...]
    scene: Callable[[Program, Mapping[str, int]], None]
    find: Callable[[Mapping[str, int], Execution], Found]
    INPUTS: tuple[Input, ...] = ()
    ACTIONS: tuple[str, ...] = ("move", "keep", "reset")

    @property
    def FIELDS(self) -> tuple[str, ...]:  # noqa: N802  one name for modules and labs
        """The fields of its address."""
        return (*(one.name for one in self.INPUTS), "answer")

    def lane_name(self, _request: Request) -> str:
        """Return the lane of every interaction: a lab has one."""
        return self.NAME

    def read_action(self, form: Mapping[str, str]) -> Request:
        """Read form fields; whatever is wrong becomes a notice."""
        notices: list[str] = []
        action = form.get("action") or "move"
        if action not in self.ACTIONS:
            notices.append(f"“{action[:TEXT_MOST]}” is nothing this figure does; it was run again.")
            action = "move"
        given = {name: form[name] for name in self._names if form.get(name)}
        if action == "reset":
            given = {}
        defaults = {one.name: str(one.default) for one in self.INPUTS}
        values, moved = read_inputs(self.INPUTS, {**defaults, **given}, full=False)
        notices += moved
        notices += requests.nudged(self.INPUTS, values, form.get("nudge", ""), full=False)
        guess = "" if action == "reset" else form.get("answer", "")
        if guess and guess not in self.ANSWERS:
            offered = ", ".join(self.ANSWERS)
            notices.append(f"“{guess[:TEXT_MOST]}” is none of the answers: {offered}.")
            guess = ""
        return Request(values, guess, action, notices, requests.sequence(form.get("seq")))

    @property
    def _names(self) -> list[str]:
        return [one.name for one in self.INPUTS]

    def read_story(self, query: Mapping[str, str]) -> Request:
        """Read an address: the same fields."""
        return self.read_action({**query, "action": "move"})._replace(seq=None)

    def computed(self, _request: Request) -> Score:
        """Return no score: a lab is about what the server makes of some."""
        return Score(None, None, [])

    def standing(self, request: Request) -> Score:
        """The same."""
        return self.computed(request)

    def query(self, request: Request, fields: Mapping[str, Any]) -> str:
        """Write the address of this lab's state with some fields changed."""
        given = {one.name: request.inputs[one.name] for one in self.INPUTS}
        given = {one.name: given[one.name] for one in self.INPUTS if given[one.name] != one.default}
        answer = {"answer": request.guess} if request.guess else {}
        return urlencode({**given, **answer, **fields})

    def program(self, request: Request, lane: Lane, composed: Composed) -> Program:
        """Write the whole lab from a clean lane: asked twice, it does the same."""
        asked = Program(lane, composed)
        asked.restart()
        self.scene(asked, request.inputs)
        return asked

    def run_of(
        self, request: Request, done: Execution, allowance: Allowance, path: str
    ) -> Run:
        """Read what the server did into a run."""
        found = self.find(request.inputs, done)
        guess = None
        said = found.because
        if request.guess:
            guess = Guess(request.guess, found.answer, request.guess == found.answer)
            right = "Valkey says so too" if guess.right else f"Valkey: {self.ANSWERS[found.answer]}"
            said = f"You said: {self.ANSWERS[request.guess]}. {right}. {found.because}"
        kept = "Your sandbox is kept for another hour. " if request.action == "keep" else ""
        query = self.query(request, {})
        return Run(
            figure=self.NAME,
            reading="",
            design="",
            seq=request.seq or 0,
            inputs={**request.inputs, "answer": request.guess},
            notices=[*request.notices, *requests.refusals(done)],
            address=f"{path}?{query}" if query else path,
            score=found.score,
            steps=done.steps,
            order=Order([], None, 0, None),
            before=found.before,
            after=found.after,
            guess=guess,
            sentence=kept + said,
            round_trip_us=done.round_trip_us,
            now_ms=PINNED_NOW_MS,
            clock="pinned",
            server=Server(done.software, done.version, done.time_ms),
            sandbox=allowance,
            action="move" if done.refused else request.action,
        )
