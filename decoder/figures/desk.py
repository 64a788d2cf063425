"""Desk: where a figure's request meets its sandbox: one token read, one program run, one Run."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decoder.course.dive import Dive, Transcript
from decoder.errors import ProgramFailed
from decoder.figures import FIGURES, transcript
from decoder.figures.transcript import Asked, Replay
from decoder.readings.run import Allowance, Run, Score
from decoder.readings.run import Server as ServerOfRun
from decoder.sandbox import embedded
from decoder.sandbox.execution import Execution, Executor
from decoder.sandbox.keys import Lane
from decoder.sandbox.scripts import Composed, compose, load_scripts
from decoder.sandbox.server import Server
from decoder.sandbox.tokens import Tokens
from decoder.settings import Settings

REHEARSED, REHEARSAL = "composite", "rehearsal"
NOT_RENEWED = "The server is full just now, so your sandbox’s expiry was not renewed."
STATE_VERSION = "1"
"""How states are written in addresses; one that says no `v` has this version."""

STAGE = "stage/"
GONE = "Your queue was no longer on the server, so it starts afresh."
EXPIRED = "Your queue here had expired, as it was not used for long, so it starts afresh."
LOST = "Your sandbox was no longer on the server, so it starts afresh."
LAPSED = "What you ran here before had expired, as it was not used for long, and was run again."


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
    token_age_s: int = 0
    """How long ago the page got the token that it sent: when this figure was last used."""

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

        ours = [name for name in self.scripts if not name.startswith(STAGE)]
        self._of_transcripts = compose(lua, self.scripts, ours)

    def composed(self, figure: str) -> Composed:
        """Return the text that a figure's interactions run."""
        return self._composed[figure]

    def open(self, figure: str, query: dict[str, str], path: str, token: str = "") -> Visit:
        """Begin a visit from an address: the story is replayed in a fresh sandbox.

        With the token of the page's first figure, it is replayed in a lane of that one's sandbox.
        """
        request = FIGURES[figure].read_story(query)
        version = query.get("v") or STATE_VERSION
        if version != STATE_VERSION:
            request.notices.append(
                f"This address says version “{version[:24]}” of a state; it was read as version "
                f"{STATE_VERSION}, the only one there is."
            )
        visit = self._visit(figure, request, token, path)
        return dataclasses.replace(visit, expects_a_lane=False)

    def act(self, figure: str, form: dict[str, str], path: str) -> Visit:
        """Begin a visit from form fields: a move or a button in the sandbox of the token."""
        request = FIGURES[figure].read_action(form)
        return self._visit(figure, request, form.get("token", ""), path)

    def _visit(self, figure: str, request: Any, token: str, path: str) -> Visit:
        sandbox_id, notice, age_s = self._tokens.read(token)
        if notice:
            request.notices.append(notice)
        lane = Lane(sandbox_id, FIGURES[figure].lane_name(request))
        known = bool(token) and not notice
        expects = known and request.action != "reset"
        token = self._tokens.sign(sandbox_id)
        return Visit(figure, request, lane, token, path, expects, not known, age_s)

    def run(self, visit: Visit, *, exempt: bool = False, whole: bool = False) -> Run:
        """Run a visit's program in one round trip; raises as Executor.execute does.

        A `whole` run has every command in full, however many words it has.
        """
        figure, composed = FIGURES[visit.figure], self._composed[visit.figure]
        program = figure.program(visit.request, visit.lane, composed)
        if whole:
            program.whole()
        done = self.executor.execute(
            visit.lane, composed, program, visit.request.seq, exempt=exempt
        )
        if visit.expects_a_lane and (done.began or done.expired):
            lived_s = self.executor.ttl_ms(visit.lane.sandbox_id) // 1000
            unused = done.expired or visit.token_age_s >= lived_s
            visit.request.notices.append(EXPIRED if unused else GONE)
        if not done.renewed:
            visit.request.notices.append(NOT_RENEWED)
        run: Run = figure.run_of(visit.request, done, _allowance(visit.token, done), visit.path)
        return dataclasses.replace(run, newest_seq=done.newest_seq)

    def transcript(self, dive: Dive, shown: Transcript, upto: int, token: str) -> Asked:
        """Begin to run a dive's transcript up to one of its commands, counted from 1."""
        sandbox_id, notice, _ = self._tokens.read(token)
        lane = Lane(sandbox_id, transcript.lane_name(dive))
        known = bool(token) and not notice
        upto = min(max(1, upto), len(shown.exchanges))
        notices = [notice] if notice else []
        return Asked(dive, shown, upto, lane, self._tokens.sign(sandbox_id), not known, notices)

    def replay(self, asked: Asked) -> Replay:
        """Run a transcript in one round trip; raises as Executor.execute does."""
        before = transcript.told_before(asked.dive, asked.transcript)
        exchanges = [*before, *asked.transcript.exchanges[: asked.upto]]
        keys = transcript.keys(asked.dive)
        program = transcript.program(asked.lane, self._of_transcripts, exchanges, keys)
        done = self.executor.execute(asked.lane, self._of_transcripts, program, None)
        live = transcript.live(exchanges, done)[len(before) :]
        server = ServerOfRun(done.software, done.version, done.time_ms)
        left = _allowance(asked.token, done)
        notices = list(asked.notices)
        if done.began and not asked.opens_a_sandbox:
            notices.append(LOST)
        if done.expired and not asked.opens_a_sandbox:
            notices.append(LAPSED)
        if not done.renewed:
            notices.append(NOT_RENEWED)
        return Replay(
            asked.transcript, len(before), live, server, done.round_trip_us, left, notices
        )

    def rehearse(self) -> Run:
        """Make the default move in a sandbox kept for it, to prove that real runs work.

        Raises Refused when the server's user could reach beyond the sandboxes, and ProgramFailed
        when the score read back is not the one that was computed.
        """
        self._server.prove_the_wall()
        request = FIGURES[REHEARSED].read_story({})
        lane = Lane(REHEARSAL, REHEARSED)
        # A probe that asks often is no visitor who does.
        run = self.run(Visit(REHEARSED, request, lane, "", "", False, False), exempt=True)
        if not run.score.agrees:
            raise ProgramFailed("The stored score is not the computed one.", run.steps)
        return run


def _allowance(token: str, done: Execution) -> Allowance:
    return Allowance(
        token, done.expires_in_s, done.commands_left, done.keys_left, done.members_left
    )
