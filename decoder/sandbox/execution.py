"""Execution: send a program to a lane, and read the frame's answer into steps and orders."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from decoder.errors import ProgramFailed, Refused, ServerError
from decoder.readings.run import Step
from decoder.sandbox import embedded, keys
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import Program
from decoder.sandbox.scripts import Composed
from decoder.sandbox.server import FULL_RETRY_S, RETRY_AFTER_S, Server, full
from decoder.settings import Settings
from decoder.transcripts import command as commands
from decoder.transcripts.reply import Failure, Reply, Status

ACTIONS_MOST = 40
"""How many actions one address can carry."""
COMMANDS_EXEMPT = 10**9
"""What nobody sends in a minute."""


class OrderRead(NamedTuple):
    """Which steps read an order: the index of its ZSCORE, and the rank of its first member."""

    step: int
    first: int

    def score(self, steps: list[Step]) -> str | None:
        """The server's text of my member's score, None when it is not in the set."""
        reply = steps[self.step].reply
        return reply if isinstance(reply, str) else None

    def rank(self, steps: list[Step]) -> int | None:
        """My member's rank from 0, None when it is not in the set."""
        reply = steps[self.step + 1].reply
        return reply if isinstance(reply, int) else None

    def of(self, steps: list[Step]) -> int:
        """How many members the whole set has."""
        reply = steps[self.step + 2].reply
        return reply if isinstance(reply, int) else 0

    def pairs(self, steps: list[Step]) -> list[tuple[str, str]]:
        """Members and score texts of the window, in the server's order."""
        reply = steps[self.step + 3].reply
        texts = [str(text) for text in reply] if isinstance(reply, list) else []
        return list(zip(texts[::2], texts[1::2], strict=True))

    def head(self, steps: list[Step]) -> tuple[str, str] | None:
        """The member and the score of rank 0, where the window does not begin with it."""
        reply = steps[self.step + 4].reply if self.first else None
        return (str(reply[0]), str(reply[1])) if isinstance(reply, list) and reply else None


class Execution(NamedTuple):
    """What the frame brought back for one program."""

    steps: list[Step]
    orders: list[OrderRead]
    returned: list[tuple[str, Reply]]
    taken: list[int]
    """How many steps had been taken when each of these scripts returned."""
    entries: list[str]
    refused: str
    failure: str
    fresh: bool
    commands_left: int
    keys_left: int
    members_left: int
    """Of the fullest set whose order was read; all of them where none was."""
    quota_resets_s: int
    time_ms: int
    software: str
    version: str
    round_trip_us: int
    expires_in_s: int
    began: bool
    """Whether the server knew nothing of the sandbox before: it is new, or all of it was lost."""
    renewed: bool
    """Whether the expiry begins anew; a full server cannot write that down."""
    expired: bool
    """Whether this lane was there before and is gone, while its sandbox lives."""
    newest_seq: int
    """The newest sequence number that the lane took; 0 where it took none."""


class Executor:
    """Runs programs on a server under the settings' limits."""

    def __init__(self, server: Server, settings: Settings) -> None:
        self._server = server
        self._settings = settings

    def execute(
        self,
        lane: Lane,
        composed: Composed,
        program: Program,
        seq: int | None,
        *,
        exempt: bool = False,
    ) -> Execution:
        """Run a program in a lane, in one round trip.

        An exempt program runs also when the minute's commands are used up.

        Raises ServerUnreachable or Refused as Server.evaluate does, Refused when the minute's
        commands are used up, and ProgramFailed, with the steps so far, when the program stopped.
        An older sequence number, or one action too many, is told in `refused`.
        """
        settings = self._settings
        # A class that opened the page together shall not expire together.
        ttl_ms = round(settings.sandbox_minutes * 60_000 * random.uniform(1.1, 1.2))
        named = [lane.record, *program.keys]
        words = [
            lane.name,
            ttl_ms,
            COMMANDS_EXEMPT if exempt else settings.commands_per_minute,
            settings.members_per_set,
            settings.keys_per_sandbox,
            settings.bytes_per_value,
            ACTIONS_MOST,
            "" if seq is None else seq,
            *program.words,
        ]
        answer, microseconds = self._server.evaluate(composed, named, words)
        done = self._read(answer, lane, program, microseconds, ttl_ms // 1000)
        if done.refused == "commands":
            raise Refused(
                f"This sandbox may send {settings.commands_per_minute} commands a minute and none "
                f"is left; it goes on in {done.quota_resets_s} s.",
                limit=settings.commands_per_minute,
                retry_after_s=done.quota_resets_s,
            )
        if done.failure:
            raise _failed(done, settings)
        return done

    def _read(
        self, answer: list[Any], lane: Lane, program: Program, microseconds: int, expires: int
    ) -> Execution:
        steps, orders, returned, entries, refused, failure, fresh, spent = answer[:8]
        seconds, micros, software, version, began, left_s, keys_there, expired = answer[8:16]
        logical = program.keys
        read_steps = []
        for n, (by, script, sent, tagged) in enumerate(steps, 1):
            words = [logical.get(word, word) for word in sent]
            if not program.keys_aside.isdisjoint(sent):
                by, script = "aside", ""
            reply = _reply(tagged, lane)
            read_steps.append(Step(n, by, script, commands.write(words), words, reply))
        settings = self._settings
        reads = [OrderRead(step - 1, first) for step, first in orders]
        members = max((read.of(read_steps) for read in reads), default=0)
        return Execution(
            read_steps,
            reads,
            [(name, _reply(tagged, lane)) for name, tagged, _ in returned],
            [taken for _, _, taken in returned],
            entries.split(",") if entries else [],
            refused,
            keys.strip(failure),
            fresh == 1,
            max(0, settings.commands_per_minute - spent),
            max(0, settings.keys_per_sandbox - keys_there),
            max(0, settings.members_per_set - members),
            60 - int(seconds) % 60,
            int(seconds) * 1000 + int(micros) // 1000,
            software,
            version,
            microseconds,
            expires if left_s < 0 else left_s,
            began == 1,
            left_s < 0,
            expired == 1,
            int(answer[16] or 0),
        )


def _failed(done: Execution, settings: Settings) -> ProgramFailed:
    reached, _, weight = done.failure.partition("=")
    minutes = f"it expires {done.expires_in_s // 60} min after your last move"
    limits = {
        "QUOTA members": (
            settings.members_per_set,
            f"This set holds {{}} members, the most a sandbox keeps in one: reset; {minutes}.",
        ),
        "QUOTA keys": (
            settings.keys_per_sandbox,
            f"Your sandbox holds {{}} keys, the most it may: reset a figure; {minutes}.",
        ),
        "QUOTA bytes": (
            settings.bytes_per_value,
            f"One value may weigh {{}} bytes and this one weighs {weight}: make it shorter.",
        ),
    }
    if reached in limits:
        limit, sentence = limits[reached]
        # Waiting makes a value no lighter; the other two end with the sandbox at the latest.
        when = None if weight else done.expires_in_s
        return ProgramFailed(sentence.format(limit), done.steps, limit=limit, retry_after_s=when)
    if done.failure.startswith("OOM"):
        megabytes = embedded.megabytes(settings)
        return ProgramFailed(
            full(megabytes), done.steps, limit=megabytes, retry_after_s=FULL_RETRY_S
        )
    return ServerError(f"Valkey answered: {done.failure}", done.steps, retry_after_s=RETRY_AFTER_S)


def _reply(tagged: list[Any], lane: Lane) -> Reply:
    kind = tagged[0]
    if kind == "S":
        return tagged[1:]
    if kind in "$i":
        reply: Reply = tagged[1]
        return reply
    if kind == "+":
        return Status(tagged[1])
    if kind == "-":
        return Failure(keys.strip(tagged[1]))
    if kind == "*":
        return [_reply(item, lane) for item in tagged[1:]]
    return None
