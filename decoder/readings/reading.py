"""Reading: what one declares, and the job, the case and the commands that it declares it with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from decoder.encodings import delay
from decoder.encodings.double import LAST_EXACT_INTEGER
from decoder.readings.run import Fact, Order, Step

CLOCKS = ("pinned", "server")


class ServerNow(str):
    """The server's clock: `ms`, or `slots` for the largest shifted score that is due at it."""


class Script(NamedTuple):
    """A script to run, its keys and arguments by the names in its header.

    A key is what follows the queue's name, such as `delayed`; one that ends in a colon is what
    the names of all records begin with. With `nth` (1..9) it runs only when its action is done
    for the nth time.
    """

    name: str
    keys: dict[str, str]
    arguments: dict[str, object]
    nth: int = 0


class Plain(NamedTuple):
    """One plain command on one key, as a client sends it."""

    command: str
    key: str
    arguments: tuple[object, ...]


Call = Script | Plain


class Job(NamedTuple):
    """The facts that a job has under any reading; times and periods in milliseconds."""

    member: str
    minted_ms: int
    due_ms: int
    tier: int
    arrival: int
    every_ms: int
    payload: str
    slot: int = 0

    @property
    def delay_ms(self) -> int:
        """How long it waits after its mint."""
        return self.due_ms - self.minted_ms


class Case(NamedTuple):
    """What commands are written from: the job, the jobs around it, and the clock to go by.

    `extra` are jobs that can be added, one a time.
    """

    job: Job
    others: tuple[Job, ...] = ()
    extra: tuple[Job, ...] = ()
    now_ms: int = 0
    server: bool = False
    lifo: bool = False
    score: int = 0
    """What a move to a score stores; 0 for all else."""

    @property
    def clock(self) -> object:
        """Now in milliseconds."""
        return ServerNow("ms") if self.server else self.now_ms

    @property
    def slots(self) -> object:
        """The largest shifted score that is due now."""
        return ServerNow("slots") if self.server else delay.due_bound(self.now_ms)

    @property
    def told(self) -> object:
        """Now for a script that asks TIME itself when it is told nothing."""
        return "" if self.server else self.now_ms


class Computed(NamedTuple):
    """The score that an encoding makes of a job, and the facts inside it."""

    score: int
    facts: list[Fact]


class Conclusion(NamedTuple):
    """What a reader concludes from a score: the facts, and one sentence."""

    facts: dict[str, int]
    says: str


class Outcome(NamedTuple):
    """What an action brought: the steps, the reading's own order, and the one that is shown.

    `times` says how often the lane remembers the action by now, `before` is the order before it
    where that was read.
    """

    case: Case
    steps: list[Step]
    own: Order
    shown: Order
    now_ms: int
    lifo: bool
    times: int
    before: Order | None = None

    @property
    def mine(self) -> str:
        """The member that is the visitor's job."""
        return self.case.job.member

    def replied(self, command: str, script: str = "") -> Step | None:
        """Return the last step of a command, of one script if it is named."""
        return next(
            (
                step
                for step in reversed(self.steps)
                if step.words[0] == command and script in ("", step.script)
            ),
            None,
        )

    def texts(self, command: str) -> list[str]:
        """Return the items of the array that a command was answered last."""
        step = self.replied(command)
        return [str(item) for item in step.reply] if step and isinstance(step.reply, list) else []


class Came(NamedTuple):
    """What came of an action: the answers that it made true, what Valkey did, and why."""

    answers: tuple[str, ...]
    did: str
    because: str


class Question(NamedTuple):
    """What is asked before an action that surprises: its answers by their names, as one reads them.

    `lifo` asks it of the same action with lifo. `came` reads from the run which answers are true;
    none where what the answers are about did not happen.
    """

    asks: str
    answers: Mapping[str, str]
    came: Callable[[Reading, Outcome], Came]
    lifo: str = ""


def _unchanged(job: Job | None, _case: Case, _steps: list[Step]) -> Job | None:
    return job


@dataclass(frozen=True)
class Action:
    """What can be done to what stands: its commands, and how it is said.

    `label` asks for it, `lifo` for the same in front of its tier. `clocks` are those that it may
    go by; one that goes by none is the same at any time. One that `takes` serves the next member,
    so the order before is shown as well; `peek` is then the same read that leaves it there.
    One that has a `question` is asked for with an answer or, by its label, without one; where it
    `compares`, the order before tells what came of it, so that is read as well.
    `fills` is another set that it fills, `drains` another one that it takes from.
    `changes` says which facts the job has afterwards; None for a job that is not in the set, or
    whose facts the server alone knows.
    """

    name: str
    calls: Callable[[Case], list[Call]]
    says: Callable[[Reading, Outcome], str]
    label: str = ""
    lifo: str = ""
    clocks: tuple[str, ...] = ()
    takes: bool = False
    peek: Action | None = None
    question: Question | None = None
    compares: bool = False
    fills: str = ""
    drains: str = ""
    changes: Callable[[Job | None, Case, list[Step]], Job | None] = _unchanged

    @property
    def shows_before(self) -> bool:
        """Whether the order before it is read as well."""
        return self.takes or self.compares


def _others(reading: Reading, case: Case) -> list[Script]:
    pairs = [(reading.encode(one).score, one.member) for one in case.others]
    return [members(reading.keys, pairs)]


def members(keys: str, pairs: list[tuple[int, str]]) -> Script:
    """Put members into a set with their scores, to set the scene."""
    words = " ".join(f"{score} {member}" for score, member in pairs)
    return Script("stage/members", {"set": keys}, {"members": words})


def _no_facts(_member: str) -> dict[str, int]:
    return {}


@dataclass(frozen=True)
class Reading:
    """One way to store and read a job.

    `keys` names the set. `encode` makes a job's score by the encoding; `conclude` takes a finite
    score of at least 0 back to its facts, and `of_member` the facts that the member itself tells.
    `writes` and `reads` are the commands in outline, `write` and `read` in full; `script` is the
    Lua file that writes. `scene` puts the others where the job will stand. With
    `written_by_clock` the server's TIME decides the score of what is written by its clock.
    """

    id: str
    question: str
    keys: str
    encoding: str
    formula: str
    meaning: str
    script: str
    writes: str
    reads: str
    encode: Callable[[Job], Computed]
    conclude: Callable[[float], Conclusion]
    write: Callable[[Case], list[Script]]
    read: Action
    actions: tuple[Action, ...] = ()
    scene: Callable[[Reading, Case], list[Script]] = _others
    of_member: Callable[[str], dict[str, int]] = _no_facts
    written_by_clock: bool = False
    least: int = 0
    most: int = LAST_EXACT_INTEGER - 1
    """The scores that its set can hold, of which each is exact in a double."""

    @property
    def design(self) -> str:
        """The family of readings that this one belongs to: packed or one-number."""
        return self.id.partition("/")[0]

    @property
    def kind(self) -> str:
        """What it is within its design: fire-time, priority, order or next-run."""
        return self.id.partition("/")[2]

    @property
    def is_timed(self) -> bool:
        """Whether its read asks what is due, which changes nothing, or takes the next."""
        return not self.read.takes

    @property
    def looking(self) -> Action:
        """The read that serves nobody: what it reads by, or a peek at who is next."""
        return self.read.peek or self.read

    def action(self, name: str) -> Action | None:
        """Return what can be done under this reading by its name, None for anything else."""
        return next((one for one in (self.read, *self.actions) if one.name == name), None)

    def calls(self, case: Case) -> list[Call]:
        """Return every command of everything that can be done under this reading."""
        calls: list[Call] = [*self.scene(self, case), *self.write(case)]
        for action in (self.read, self.looking, *self.actions):
            calls += action.calls(case)
        return calls
