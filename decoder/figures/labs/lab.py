"""Lab: what all labs share, from the request to the run; a lab itself is a scene and a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from decoder.figures import request as requests
from decoder.figures.inputs import Input, read_inputs
from decoder.readings.run import Allowance, Guess, Order, Run, Score, Server
from decoder.readings.tables import Lesson, Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import Program
from decoder.sandbox.scripts import Composed
from decoder.transcripts.reply import Reply

PINNED_NOW_MS = 1780226888000
TEXT_MOST = 24
NONE_TAKEN = "-"
NOTHING = Score(None, None, [])


class Choice(NamedTuple):
    """One of some values by name, each with its label; `default` is where it starts."""

    name: str
    label: str
    values: Mapping[str, str]
    default: str


class Turns(NamedTuple):
    """A row of turns that a visitor takes one by one: one letter each, at most `most` of them.

    `default` are those that are taken at the start. An address says NONE_TAKEN for none.
    """

    name: str
    label: str
    values: Mapping[str, str]
    most: int
    default: str = ""


class Request(NamedTuple):
    """What is asked of a lab: numbers, choices and turns by name, and the answer, if any."""

    inputs: dict[str, int]
    chosen: dict[str, str]
    guess: str
    action: str
    notices: list[str]
    seq: int | None


class Found(NamedTuple):
    """What the server's replies show.

    `setup` is what stands there before, `outcome` what the server made of it; `answer` is the one
    of the lab's answers that this gives, and `because` the sentence that explains it.
    """

    setup: list[Table]
    outcome: list[Table]
    answer: str
    because: str
    order: Order = Order([], None, 0, None)


@dataclass(frozen=True)
class Lab:
    """A figure of its own kind: `scene` writes its program, `find` reads what came back.

    `says` tells of the set-up, `notice` what to look for. All of it is done anew at each request
    and its keys are dropped in the end, so a lab that is asked twice answers the same.
    """

    NAME: str
    TITLE: str
    INVITES: str
    says: str
    notice: str
    question: str
    answers: Mapping[str, str]
    SCRIPTS: tuple[str, ...]
    scene: Callable[[Program, Request], None]
    find: Callable[[Request, Execution], Found]
    INPUTS: tuple[Input, ...] = ()
    CHOICES: tuple[Choice, ...] = ()
    TURNS: tuple[Turns, ...] = ()
    ends: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What stands at the two ends of a slider, by the input's name."""
    ACTIONS: tuple[str, ...] = ("move", "answer", "reset")
    TEMPLATE: str = "lab"
    NOW: str = "“Now” is pinned at 2026-05-31 11:28:08 UTC."

    @property
    def FIELDS(self) -> tuple[str, ...]:  # noqa: N802  a figure's name for it
        """The fields of its address."""
        numbers = [one.name for one in self.INPUTS]
        return (*numbers, *(one.name for one in self.CHOICES), *(one.name for one in self.TURNS),
                "answer")  # fmt: skip

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
        given = {} if action == "reset" else form
        texts = {one.name: given.get(one.name) or str(one.default) for one in self.INPUTS}
        inputs, moved = read_inputs(self.INPUTS, texts, full=False)
        notices += moved + requests.nudge(self.INPUTS, inputs, form.get("nudge", ""), full=False)
        chosen, refused = self._choices(given)
        guess = given.get("answer", "")
        if guess and guess not in self.answers:
            refused.append(_none_of("the answers", guess, self.answers))
            guess = ""
        action = "answer" if guess and action == "move" else action
        return Request(
            inputs, chosen, guess, action, notices + refused, requests.sequence(form.get("seq"))
        )

    def read_story(self, query: Mapping[str, str]) -> Request:
        """Read an address: the same fields."""
        fields = {name: query[name] for name in self.FIELDS if name in query}
        return self.read_action(fields)._replace(seq=None)

    def _choices(self, given: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
        chosen, notices = {}, []
        for one in self.CHOICES:
            value = given.get(one.name) or one.default
            if value not in one.values:
                notices.append(_none_of(one.label, value, one.values))
                value = one.default
            chosen[one.name] = value
        for row in self.TURNS:
            asked = given.get(row.name) or row.default
            asked = "" if asked == NONE_TAKEN else asked
            taken = re.sub(f"[^{''.join(row.values)}]", "", asked)[: row.most]
            if taken != asked:
                letters = ", ".join(row.values)
                notices.append(
                    f"{row.label} takes at most {row.most} of {letters}; "
                    f"“{asked[:TEXT_MOST]}” became “{taken}”."
                )
            chosen[row.name] = taken
        return chosen, notices

    def computed(self, _request: Request) -> Score:
        """Return no score: a lab is about what the server makes of some."""
        return NOTHING

    def standing(self, _request: Request) -> Score:
        """Return no score, for the same reason."""
        return NOTHING

    def query(self, request: Request, fields: Mapping[str, str]) -> str:
        """Write the address of this lab's state with some fields changed; no answer but theirs."""
        start = {one.name: str(one.default) for one in self.INPUTS}
        start |= {one.name: one.default for one in self.CHOICES}
        start |= {one.name: one.default or NONE_TAKEN for one in self.TURNS}
        state = {name: str(value) for name, value in request.inputs.items()} | request.chosen
        state |= fields
        state |= {one.name: state[one.name] or NONE_TAKEN for one in self.TURNS}
        return urlencode({n: v for n, v in state.items() if n in self.FIELDS and v != start.get(n)})

    def program(self, request: Request, lane: Lane, composed: Composed) -> Program:
        """Write the whole lab from a clean lane; what it wrote is dropped when it has been read."""
        asked = Program(lane, composed)
        asked.restart()
        self.scene(asked, request)
        asked.drop(*asked.keys.values())
        return asked

    def run_of(self, request: Request, done: Execution, allowance: Allowance, path: str) -> Run:
        """Read what the server did into a run."""
        refused = done.refused != ""
        found = Found([], [], "", "") if refused else self.find(request, done)
        answer = {"answer": request.guess} if request.guess else {}
        query = self.query(request, answer)
        guess = None
        if request.guess and not refused:
            guess = Guess(request.guess, found.answer, request.guess == found.answer)
        return Run(
            figure=self.NAME,
            reading="",
            design="",
            seq=request.seq or 0,
            inputs={**request.inputs, **request.chosen, **answer},
            notices=[*request.notices, *requests.refusals(done)],
            address=f"{path}?{query}" if query else path,
            score=NOTHING,
            steps=done.steps,
            order=found.order,
            lesson=Lesson(self.notice, self.question, self.answers, found.setup, found.outcome,
                          found.answer),
            guess=guess,
            sentence=self._sentence(request, found, refused=refused),
            round_trip_us=done.round_trip_us,
            now_ms=PINNED_NOW_MS,
            clock="pinned",
            server=Server(done.software, done.version, done.time_ms),
            sandbox=allowance,
            action="move" if refused else request.action,
        )  # fmt: skip

    def _sentence(self, request: Request, found: Found, *, refused: bool) -> str:
        if refused:
            return "Nothing was run for this request: the newer one has its own outcome."
        if not request.guess:
            return found.because
        said, was = self.answers[request.guess], self.answers[found.answer]
        verdict = "and so it is" if request.guess == found.answer else f"Valkey’s answer: {was}"
        return f"You said: {said} – {verdict}. {found.because}"


def _none_of(what: str, text: str, offered: Iterable[str]) -> str:
    return f"“{text[:TEXT_MOST]}” is none of {what}: {', '.join(offered)}."


def replies(done: Execution, command: str) -> list[Reply]:
    """Return what every execution of a command answered, in the order in which they were sent."""
    return [step.reply for step in done.steps if step.words[0] == command]


def pairs(reply: Reply) -> list[tuple[str, str]]:
    """Return member and score text by turns, as WITHSCORES answers them."""
    texts = [str(one) for one in reply] if isinstance(reply, list) else []
    return list(zip(texts[::2], texts[1::2], strict=True))


def rows(reply: Reply, notes: Mapping[str, str] | None = None, mine: str = "") -> list[Row]:
    """Write a reply WITHSCORES as rows in the server's order, each with the note of its member."""
    notes = notes or {}
    return [
        Row(member, score, notes.get(member, ""), member == mine) for member, score in pairs(reply)
    ]
