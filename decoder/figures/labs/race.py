"""The lab `race`: two workers poll one due job; the visitor says whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from decoder.encodings import instant
from decoder.figures.labs.lab import (
    PINNED_NOW_MS,
    Choice,
    Found,
    Lab,
    Request,
    Turns,
    pairs,
    rows,
)
from decoder.readings.run import Step
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program

SCHEDULE, JOB = "emq:{orders}:schedule", "JOB0Nb1VTbfnu4"
AGAIN = "r"
WORKERS = {"a": "A", "b": "B"}
LATER_MS = 60_000
BY_SCORE = "labs/remove_if_score"
HOW = Choice(
    "how",
    "A worker takes the job with",
    {"zrem": "ZREM", "compare": "a script that compares"},
    "zrem",
)
TURNS = Turns(
    "turns", "Next", {"a": "A goes on", "b": "B goes on", AGAIN: "The job is scheduled again"},
    6, "abab",
)  # fmt: skip
WAITS, LOST = "waits", "lost"


@dataclass
class Workers:
    """What each worker holds in mind: the score with which it read the job, if it did.

    A worker that read nothing reads again. `score` is where the job stands, None for nowhere.
    """

    score: int | None = PINNED_NOW_MS
    read: dict[str, int] = field(default_factory=dict)
    times: int = 0

    def turn(self, letter: str, *, compares: bool) -> tuple[str, int]:
        """Take one turn: what is sent, read, remove or again, and the score that goes with it."""
        if letter == AGAIN:
            self.times += 1
            self.score = PINNED_NOW_MS + self.times * LATER_MS
            return "again", self.score
        if letter not in self.read:
            if self.score == PINNED_NOW_MS:
                self.read[letter] = self.score
            return "read", 0
        score = self.read.pop(letter)
        if self.score == score or not compares:
            self.score = None
        return "remove", score


def scene(asked: Program, request: Request) -> None:
    """Put the job there, due now, and let the workers take their turns."""
    asked.script("stage/members", {"set": SCHEDULE}, members=f"{PINNED_NOW_MS} {JOB}")
    compares, workers = request.chosen["how"] == "compare", Workers()
    for letter in request.chosen["turns"]:
        does, score = workers.turn(letter, compares=compares)
        if does == "again":
            asked.plain("ZADD", SCHEDULE, score, JOB)
        elif does == "read":
            asked.plain(
                "ZRANGEBYSCORE", SCHEDULE, "-inf", PINNED_NOW_MS, "WITHSCORES", "LIMIT", 0, 1
            )
        elif compares:
            asked.script(BY_SCORE, {"set": SCHEDULE}, member=JOB, score=score)
        else:
            asked.plain("ZREM", SCHEDULE, JOB)
    asked.plain("ZRANGE", SCHEDULE, 0, -1, "WITHSCORES")


def find(request: Request, done: Execution) -> Found:
    """Read turn by turn what each worker was told, and what is left."""
    *steps, last = [step for step in done.steps if step.by != "stage"]
    told, became = [], WAITS
    stands: str | None = str(PINNED_NOW_MS)
    plan: list[Row] = []
    read: dict[str, str] = {}
    for letter, mine in zip(request.chosen["turns"], _by_turn(steps), strict=True):
        step = mine[-1]
        plan.append(_planned(letter, mine[0]))
        if letter == AGAIN:
            stands = step.words[2]
            told.append(Row("the job", "scheduled again", f"for {_at(step.words[2])}"))
            continue
        who = f"worker {WORKERS[letter]}"
        if step.words[0] == "ZRANGEBYSCORE":
            found = pairs(step.reply)
            read[letter] = found[0][1] if found else ""
            if not found:
                del read[letter]
            told.append(Row(who, "reads the job" if found else "reads nothing", _why(found)))
            continue
        had = read.pop(letter)
        took = step.words[0] == "ZREM" and step.reply == 1
        told.append(Row(who, f"is told {1 if took else 0}", _taken(took, had, stands)))
        if took:
            became, stands = letter if had == stands else LOST, None
    left = pairs(last.reply)
    answer = WAITS if left else became
    setup = Table("Due now", [Row(JOB, str(PINNED_NOW_MS), _at(str(PINNED_NOW_MS)), fact="time")])
    after = Table("The set, in the end", rows(last.reply, {m: _at(score) for m, score in left}))
    return Found(
        [setup, Table("The turns, in this order", plan)],
        [Table("Turn by turn", told), after],
        answer,
        BECAUSE[answer],
    )


def _planned(letter: str, step: Step) -> Row:
    if letter == AGAIN:
        return Row("the job", "is scheduled again", step.words[0])
    does = "reads what is due" if step.words[0] == "ZRANGEBYSCORE" else "takes the job it read"
    return Row(f"worker {WORKERS[letter]}", does, "by the script" if step.script else step.words[0])


def _by_turn(steps: list[Step]) -> list[list[Step]]:
    """Group the steps by turn: the script of one turn may send two commands."""
    turns: list[list[Step]] = []
    for step in steps:
        goes_on = step.script == BY_SCORE and step.words[0] == "ZREM"
        if goes_on:
            turns[-1].append(step)
        else:
            turns.append([step])
    return turns


def _at(score: str) -> str:
    return f"{instant.clock(int(score))} UTC"


def _why(found: list[tuple[str, str]]) -> str:
    return f"due at {_at(found[0][1])}" if found else "nothing is due"


def _taken(took: bool, had: str, stands: str | None) -> str:
    """Say what a reply means to a worker who read the job at `had`; it stood at `stands`."""
    if took and had == stands:
        return "the job is this worker’s alone"
    if took:
        return "it removed a job that had been scheduled again"
    return "somebody else removed it" if stands is None else "it was scheduled again, so it stays"


BECAUSE = {
    "a": "ZREM answered 1 to worker A alone: who is told 1 has the job, who is told 0 has not.",
    "b": "ZREM answered 1 to worker B alone: who is told 1 has the job, who is told 0 has not.",
    WAITS: "The job still stands in the set: nobody was told 1 for it, or it was scheduled again "
    "after that.",
    LOST: "ZREM knows only the name. The worker read the job, it was scheduled again, and the late "
    "ZREM removed the new schedule: nobody will ever run it. The script that compares the score "
    "first leaves it there.",
}

LAB = Lab(
    NAME="race",
    TITLE="Two workers, one due job: who is told 1",
    INVITES="Decide whose turn it is, command by command: a real Valkey says who gets the job.",
    says="A job is due. Two workers poll: each reads what is due, then takes it off the set. "
    "Between the two commands the other one may come.",
    notice="Watch the replies to ZREM: of all who read the job, one is told 1.",
    question="What becomes of the job?",
    answers={
        "a": "worker A has it",
        "b": "worker B has it",
        WAITS: "it waits in the set",
        LOST: "it is lost: scheduled again, then removed",
    },
    SCRIPTS=("stage/members", BY_SCORE),
    scene=scene,
    find=find,
    CHOICES=(HOW,),
    TURNS=(TURNS,),
)
