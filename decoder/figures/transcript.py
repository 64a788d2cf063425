"""Transcript: a dive's transcript run in the visitor's sandbox, up to one of its commands."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from decoder.course.dive import Dive, Transcript
from decoder.readings.run import Allowance, Server
from decoder.sandbox.execution import Execution
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import GO_ON, Program
from decoder.sandbox.scripts import Composed
from decoder.transcripts import command as commands
from decoder.transcripts import reply as replies
from decoder.transcripts.block import Exchange
from decoder.transcripts.reply import Reply


@dataclass(frozen=True)
class Live:
    """One command as the visitor's sandbox answered it: its reply as valkey-cli prints it.

    `agrees` tells whether it is the recorded one, as far as the transcript declares it; `inside`
    are the commands that a script sent.
    """

    reply: str
    agrees: bool
    inside: list[tuple[str, str]]


@dataclass(frozen=True)
class Asked:
    """A transcript on its way: up to which command, in which lane, and the token to hand back.

    `notices` say what became of the token that came with it.
    """

    dive: Dive
    transcript: Transcript
    upto: int
    lane: Lane
    token: str
    opens_a_sandbox: bool
    notices: list[str]


@dataclass(frozen=True)
class Replay:
    """A transcript of a dive, run up to some of its commands, after `before` of earlier ones."""

    transcript: Transcript
    before: int
    live: list[Live]
    server: Server
    round_trip_us: int
    sandbox: Allowance
    notices: list[str]


def lane_name(dive: Dive) -> str:
    """Return the lane of a dive's transcripts: short, as every key of it carries it."""
    return "dive-" + hashlib.sha256(dive.path.encode()).hexdigest()[:8]


def told_before(dive: Dive, transcript: Transcript) -> list[Exchange]:
    """Return what has happened in the sandbox when a transcript begins, from the last fresh one."""
    before: list[Exchange] = []
    for one in dive.transcripts:
        if one.fresh:
            before = []
        if one is transcript:
            return before
        before = before + one.exchanges
    return before


def keys(dive: Dive) -> list[str]:
    """Return every key that the transcripts of a dive name: what its lane may hold.

    Of a key that ends in a colon a script makes others: one for each member, and a member is a word
    of a transcript.
    """
    named: dict[str, None] = {}
    rest: dict[str, None] = {}
    for one in (exchange for told in dive.transcripts for exchange in told.exchanges):
        places = range(one.keys) if one.script else commands.key_places(one.words)
        named |= dict.fromkeys(one.words[n] for n in places)
        said = one.words if one.script else one.words[1:]
        rest |= dict.fromkeys(word for word in said if word not in named)
    made = (key + word for key in named if key.endswith(":") for word in rest)
    return list(dict.fromkeys([*named, *made]))


def program(
    lane: Lane, composed: Composed, exchanges: Sequence[Exchange], keys: Sequence[str] = ()
) -> Program:
    """Write commands as a program: from an empty lane, and on when the server says no.

    It is the same replay each time, so it can be asked for twice and in any order. `keys` are those
    that other transcripts may have left in the lane.
    """
    written = Program(lane, composed)
    written.declare(*keys)
    written.restart()
    for exchange in exchanges:
        if not exchange.script:
            places = commands.key_places(exchange.words)
            written.command(exchange.words, places, when=GO_ON)
            continue
        script = composed.scripts[exchange.script]
        keys, arguments = exchange.words[: exchange.keys], exchange.words[exchange.keys :]
        named = dict(zip(script.arguments, arguments, strict=True))
        written.script(script.name, dict(zip(script.keys, keys, strict=True)), when=GO_ON, **named)
    return written


def live(exchanges: Sequence[Exchange], done: Execution) -> list[Live]:
    """Read what the sandbox answered to each command; one that did not run is left out."""
    found, at = [], 0
    server = f"{done.software.capitalize()} {done.version}"
    returned = iter(zip(done.returned, done.taken, strict=True))
    for exchange in exchanges:
        if exchange.script:
            ((_, reply), taken) = next(returned, (("", None), -1))
            if taken < 0:
                break
            inside = [(one.command, replies.write(one.reply)) for one in done.steps[at:taken]]
            at = taken
            found.append(_answered(exchange, reply, inside, server))
        elif at < len(done.steps):
            found.append(_answered(exchange, done.steps[at].reply, [], server))
            at += 1
    return found


def _answered(exchange: Exchange, reply: Reply, inside: list[tuple[str, str]], server: str) -> Live:
    printed = replies.write(reply)
    return Live(printed, exchange.agrees(printed, server), inside)
