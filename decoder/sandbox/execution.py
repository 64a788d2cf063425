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


class Answer(NamedTuple):
    """What lua/run.lua returns, in its order."""

    steps: list[Any]
    orders: list[Any]
    returned: list[Any]
    entries: str
    refused: str
    failure: str
    fresh: int
    spent: int
    seconds: str
    microseconds: str
    software: str
    version: str
    began: int
    left_s: int
    """Seconds that are left where nothing could be renewed, else -1."""
    keys: int
    expired: int
    newest_seq: str


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

    def urgent(self, steps: list[Step]) -> int | None:
        """How many members are more urgent than my tier, where that was counted."""
        if not self.first or self.score(steps) is None or len(steps) <= self.step + 5:
            return None
        counted = steps[self.step + 5]
        of_order = counted.words[0] == "ZCOUNT" and not counted.script
        return counted.reply if of_order and isinstance(counted.reply, int) else None


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
        ttl_ms = self.ttl_ms(lane.sandbox_id)
        named = [lane.record, *program.keys]
        words = [
            lane.name,
            ttl_ms,
            COMMANDS_EXEMPT if exempt else settings.commands_per_minute,
            max(settings.members_per_set, program.members_most),
            settings.keys_per_sandbox,
            settings.bytes_per_value,
            ACTIONS_MOST,
            "" if seq is None else seq,
            *program.words,
        ]
        answer, microseconds = self._server.evaluate(composed, named, words)
        done = self._read(Answer._make(answer), program, microseconds, ttl_ms // 1000)
        if done.refused == "commands":
            raise Refused(
                _used_up(done, settings),
                limit=settings.commands_per_minute,
                retry_after_s=done.quota_resets_s,
            )
        if done.failure:
            raise _failed(done, settings)
        return done

    def ttl_ms(self, sandbox_id: str) -> int:
        """Return how long a sandbox lives unused: 10 to 20 percent longer than the setting says.

        A class that opened the page together shall not expire together. One sandbox has one such
        time, so its record, which each of its lanes renews, outlives them all.
        """
        jitter = random.Random(sandbox_id).uniform(1.1, 1.2)
        return round(self._settings.sandbox_minutes * 60_000 * jitter)

    def _read(self, answer: Answer, program: Program, microseconds: int, expires: int) -> Execution:
        logical, prefix = program.keys, program.prefix
        read_steps = []
        for n, (by, script, sent, tagged) in enumerate(answer.steps, 1):
            # A script may put a key together that the program does not name.
            words = [
                logical.get(word) or (keys.strip(word) if word.startswith(prefix) else word)
                for word in sent
            ]
            if not program.keys_aside.isdisjoint(sent):
                by, script = "aside", ""
            reply = _reply(tagged)
            read_steps.append(Step(n, by, script, commands.write(words), words, reply))
        settings = self._settings
        reads = [OrderRead(step - 1, first) for step, first in answer.orders]
        members = max((read.of(read_steps) for read in reads), default=0)
        return Execution(
            read_steps,
            reads,
            [(name, _reply(tagged)) for name, tagged, _ in answer.returned],
            [taken for _, _, taken in answer.returned],
            answer.entries.split(",") if answer.entries else [],
            answer.refused,
            keys.strip(answer.failure),
            answer.fresh == 1,
            max(0, settings.commands_per_minute - answer.spent),
            max(0, settings.keys_per_sandbox - answer.keys),
            max(0, settings.members_per_set - members),
            60 - int(answer.seconds) % 60,
            int(answer.seconds) * 1000 + int(answer.microseconds) // 1000,
            answer.software,
            answer.version,
            microseconds,
            expires if answer.left_s < 0 else answer.left_s,
            answer.began == 1,
            answer.left_s < 0,
            answer.expired == 1,
            int(answer.newest_seq or 0),
        )


def _used_up(done: Execution, settings: Settings) -> str:
    return (
        f"This sandbox may send {settings.commands_per_minute} commands a minute and none "
        f"is left; it goes on in {done.quota_resets_s} s."
    )


def _failed(done: Execution, settings: Settings) -> ProgramFailed:
    if done.failure == "QUOTA commands":
        return ProgramFailed(
            _used_up(done, settings),
            done.steps,
            limit=settings.commands_per_minute,
            retry_after_s=done.quota_resets_s,
        )
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


def _reply(tagged: list[Any]) -> Reply:
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
        return [_reply(item) for item in tagged[1:]]
    return None
