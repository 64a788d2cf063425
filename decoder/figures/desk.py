"""Desk: where a figure's request meets its sandbox: one token read, one program run, one Run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decoder.errors import ProgramFailed
from decoder.figures import FIGURES
from decoder.readings.run import Allowance, Run, Score
from decoder.sandbox import embedded
from decoder.sandbox.execution import Execution, Executor
from decoder.sandbox.keys import Lane
from decoder.sandbox.scripts import Composed, compose, load_scripts
from decoder.sandbox.server import Server
from decoder.sandbox.tokens import Tokens
from decoder.settings import Settings

REHEARSED, REHEARSAL = "composite", "rehearsal"
NOT_RENEWED = "The server is full just now, so your sandbox’s expiry was not renewed."
GONE = "Your queue was no longer on the server, so it starts afresh."
EXPIRED = "Your queue here had expired, as it was not used for long, so it starts afresh."


@dataclass(frozen=True)
class Visit:
    """One request on its way: the lane it belongs to and the token to hand back."""

    figure: str
    request: Any
    lane: Lane
    token: str
    path: str
    expects_a_lane: bool
    opens_a_sandbox: bool

    @property
    def computed(self) -> Score:
        """The score as the encoding computes it, before the server is asked."""
        score: Score = FIGURES[self.figure].computed(self.request)
        return score


class Desk:
    """Everything that running a figure needs; made once, shared by all requests."""

    def __init__(self, settings: Settings, lua: Path) -> None:
        self.settings = settings
        self.scripts = load_scripts(lua)
        self._server = Server(
            settings.valkey_url, settings.valkey_timeout_ms, embedded.megabytes(settings)
        )
        self.executor = Executor(self._server, settings)
        self._tokens = Tokens(settings.secret, settings.token_hours)
        self._composed = {
            name: compose(lua, self.scripts, figure.SCRIPTS) for name, figure in FIGURES.items()
        }

    def composed(self, figure: str) -> Composed:
        """Return the text that a figure's interactions run."""
        return self._composed[figure]

    def open(self, figure: str, query: dict[str, str], path: str) -> Visit:
        """Begin a visit from an address: a fresh sandbox in which the story is replayed."""
        request = FIGURES[figure].read_story(query)
        return self._visit(figure, request, "", path)

    def act(self, figure: str, form: dict[str, str], path: str) -> Visit:
        """Begin a visit from form fields: a move or a button in the sandbox of the token."""
        request = FIGURES[figure].read_action(form)
        return self._visit(figure, request, form.get("token", ""), path)

    def _visit(self, figure: str, request: Any, token: str, path: str) -> Visit:
        sandbox_id, notice = self._tokens.read(token)
        if notice:
            request.notices.append(notice)
        lane = Lane(sandbox_id, FIGURES[figure].lane_name(request))
        known = bool(token) and not notice
        expects = known and request.action != "reset"
        return Visit(figure, request, lane, self._tokens.sign(sandbox_id), path, expects, not known)

    def run(self, visit: Visit) -> Run:
        """Run a visit's program in one round trip; raises as Executor.execute does."""
        # To keep a sandbox is not to use it up.
        return self._run(visit, exempt=visit.request.action == "keep")

    def _run(self, visit: Visit, *, exempt: bool) -> Run:
        figure, composed = FIGURES[visit.figure], self._composed[visit.figure]
        program = figure.program(visit.request, visit.lane, composed)
        done = self.executor.execute(
            visit.lane, composed, program, visit.request.seq, exempt=exempt
        )
        if done.began and visit.expects_a_lane:
            visit.request.notices.append(GONE)
        if done.expired and visit.expects_a_lane:
            visit.request.notices.append(EXPIRED)
        if not done.renewed:
            visit.request.notices.append(NOT_RENEWED)
        run: Run = figure.run_of(visit.request, done, _allowance(visit, done), visit.path)
        return run

    def rehearse(self) -> Run:
        """Make the default move in a sandbox kept for it, to prove that real runs work.

        Raises Refused when the server's user could reach beyond the sandboxes, and ProgramFailed
        when the score read back is not the one that was computed.
        """
        self._server.prove_the_wall()
        request = FIGURES[REHEARSED].read_story({})
        lane = Lane(REHEARSAL, REHEARSED)
        # A probe that asks often is no visitor who does.
        run = self._run(Visit(REHEARSED, request, lane, "", "", False, False), exempt=True)
        if not run.score.agrees:
            raise ProgramFailed("The stored score is not the computed one.", run.steps)
        return run


def _allowance(visit: Visit, done: Execution) -> Allowance:
    return Allowance(
        visit.token, done.expires_in_s, done.commands_left, done.keys_left, done.members_left
    )
