"""A run: the steps really executed in one interaction, the score, the resulting order.

`as_json` writes the contract that other people's programs rely on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from decoder.encodings import double
from decoder.readings import tables
from decoder.readings.tables import Inside, Lesson
from decoder.transcripts import reply as replies
from decoder.transcripts.reply import Reply


class Step(NamedTuple):
    """One command really executed: its words, the reply, who sent it.

    That is `stage`, `script`, `client`, or `aside` for what only fills the cards.
    """

    n: int
    by: str
    script: str
    command: str
    words: list[str]
    reply: Reply


class Fact(NamedTuple):
    """One meaning inside a score: its name, its value, and the bits it takes (high, low)."""

    name: str
    value: int
    bits: tuple[int, int]


class Placed(NamedTuple):
    """One member where the server put it. `score` is the server's own text."""

    rank: int
    member: str
    score: str
    facts: dict[str, int]
    mine: bool


class Order(NamedTuple):
    """A window of a set as the server returned it. `rank` is mine, None when I am not in it.

    `head` is the first of all where the window does not begin with it, and `urgent` how many
    members are more urgent than my tier.
    """

    members: list[Placed]
    rank: int | None
    of: int
    score: str | None
    head: Placed | None = None
    urgent: int | None = None

    @property
    def shown(self) -> list[Placed]:
        """The members that are known, in the server's order; after the head there may be a gap."""
        return [self.head, *self.members] if self.head else self.members


class Guess(NamedTuple):
    """Who the visitor said would be served, who was, and whether that is the same."""

    said: str
    served: str | None
    right: bool


class Misreading(NamedTuple):
    """What a score would mean under another reading: its id, a sentence.

    With the same encoding the sentence is true; only the set's name tells the two apart.
    """

    reading: str
    says: str
    same_encoding: bool


@dataclass(frozen=True)
class Score:
    """The number: computed exactly, stored by the server (its text), and compared.

    What is no whole number is computed as the double that is nearest to it.
    """

    computed: int | float | None
    stored: str | None
    facts: list[Fact]

    @property
    def agrees(self) -> bool | None:
        """Whether the computed number rounds to the stored double; None while either is missing."""
        if self.computed is None or self.stored is None:
            return None
        return float(self.computed) == float(self.stored)

    @property
    def exact(self) -> bool | None:
        """False when a double has to round the computed number."""
        if isinstance(self.computed, float):
            return True
        return None if self.computed is None else double.is_exact(self.computed)

    @property
    def hex(self) -> str | None:
        """The bits of the number (not of the double in memory), 16 hexadecimal digits."""
        whole = isinstance(self.computed, int) and self.computed >= 0
        return f"0x{self.computed:016X}" if whole else None


@dataclass(frozen=True)
class Server:
    """Which server answered, and its clock in milliseconds."""

    software: str
    version: str
    time_ms: int


@dataclass(frozen=True)
class Allowance:
    """What is left of a sandbox: its token, seconds to expiry, commands in this minute, keys.

    Members are those that the set whose order was read can still take.
    """

    token: str
    expires_in_s: int
    commands_left: int
    keys_left: int
    members_left: int


@dataclass(frozen=True)
class Run:
    """Everything one interaction brought back. `address` replays it."""

    figure: str
    reading: str
    design: str
    seq: int
    inputs: dict[str, Any]
    notices: list[str]
    address: str
    score: Score
    steps: list[Step]
    order: Order
    sentence: str
    round_trip_us: int
    now_ms: int
    clock: str
    server: Server
    sandbox: Allowance
    order_before: Order | None = None
    guess: Guess | None = None
    ghost: int | None = None
    action: str = "move"
    full: bool = False
    read_back: Mapping[str, Any] | None = None
    misread: Sequence[Misreading] = ()
    """What the score would mean under every other reading."""
    panel: Mapping[str, str | None] = field(default_factory=dict)
    """The score that the job first got under each reading of the design, by reading id."""
    set_key: str = ""
    """The set whose order is shown, where a figure has several."""
    orders: Mapping[str, Order] = field(default_factory=dict)
    """The order in which each design served the same jobs, by the design's name."""
    lesson: Lesson | None = None
    inside: Inside | None = None
    newest_seq: int = 0
    """The newest sequence number that the lane took: a page that goes on counts from here."""


def as_json(run: Run) -> dict[str, Any]:
    """Write a run as the JSON of a run; the field names are a contract."""
    position = None if run.order.rank is None else {"rank": run.order.rank, "of": run.order.of}
    body: dict[str, Any] = {
        "figure": run.figure,
        "reading": run.reading,
        "design": run.design,
        "seq": run.seq,
        "inputs": run.inputs,
        "notices": run.notices,
        "address": run.address,
        "score": _score_json(run.score),
        "steps": [_step_json(step) for step in run.steps if step.by != "aside"],
        "order": _order_json(run.order),
        "position": position,
        "sentence": run.sentence,
        "round_trip_us": run.round_trip_us,
        "now_ms": run.now_ms,
        "clock": run.clock,
        "server": vars(run.server),
        "sandbox": vars(run.sandbox),
    }
    if run.order_before is not None:
        body["order_before"] = _order_json(run.order_before)
    if run.order.head is not None:
        body["head"] = run.order.head._asdict()
    if run.guess is not None:
        body["guess"] = run.guess._asdict()
    if run.set_key:
        body["set"] = run.set_key
        body["read_back"] = run.read_back
    if run.panel:
        # Of the reading that was asked for, the score that the server has now.
        body["steps_aside"] = [_step_json(step) for step in run.steps if step.by == "aside"]
        body["panel"] = {**run.panel, run.reading: run.score.stored}
    if run.orders:
        body["orders"] = {design: _order_json(order) for design, order in run.orders.items()}
    if run.misread:
        body["misread"] = [one._asdict() for one in run.misread]
    if run.inside is not None:
        body["bits"] = tables.inside_json(run.inside)
    if run.lesson is not None:
        body["lesson"] = tables.lesson_json(run.lesson)
    return body


def _score_json(score: Score) -> dict[str, Any]:
    stored = None if score.stored is None else double.bits(float(score.stored))
    return {
        "computed": None if score.computed is None else str(score.computed),
        "stored": score.stored,
        "agrees": score.agrees,
        "exact": score.exact,
        "hex": score.hex,
        "facts": [
            {"name": fact.name, "value": fact.value, "bits": list(fact.bits)}
            for fact in score.facts
        ],
        "double": None if stored is None else vars(stored),
    }


def _step_json(step: Step) -> dict[str, Any]:
    return {
        "n": step.n,
        "by": step.by,
        "script": step.script or None,
        "command": step.command,
        "reply": replies.write(step.reply),
    }


def _order_json(order: Order) -> list[dict[str, Any]]:
    return [placed._asdict() for placed in order.members]
