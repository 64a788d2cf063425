"""The lab `slots`: many jobs due in one millisecond, which has 4096 slots and no more."""

from __future__ import annotations

from decoder.encodings import branded, delay, instant
from decoder.figures.inputs import Input, Range
from decoder.figures.labs.lab import PINNED_NOW_MS, Found, Lab, Request, pairs, replies, rows
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program
from decoder.transcripts.reply import Reply

DELAYED = "emq:{orders}:delayed"
DUE_MS = PINNED_NOW_MS + 90_000
LAST_SCORE = delay.encode(DUE_MS, delay.SLOTS - 1)
JOBS_MOST = 5000
COUNTS = Range(1, JOBS_MOST)
JOBS = Input("jobs", "Jobs", COUNTS, COUNTS, 4098)
DIGITS = 3
STEM = branded.mint(PINNED_NOW_MS)[:-DIGITS]
"""What the ids of all these jobs begin with: they are minted in one millisecond too."""
HEAD, WINDOW = 3, 6
BEFORE_THE_LAST_SLOT = 2


def _value(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 62 + branded.ALPHABET.index(digit)
    return value


FIRST = _value(branded.mint(PINNED_NOW_MS)[-DIGITS:]) + JOBS_MOST - 1
"""The last digits of the first id, as a number. They count down, against the order of arrival."""


def job(number: int) -> str:
    """Return the id of the job that is added as `number`, from 1 on."""
    value = FIRST + 1 - number
    digits = (branded.ALPHABET[value // 62**place % 62] for place in (2, 1, 0))
    return STEM + "".join(digits)


def scene(asked: Program, request: Request) -> None:
    """Add them all in one script; read the two ends, and what is around the last slot."""
    jobs = request.inputs["jobs"]
    asked.members_most = JOBS_MOST
    asked.script(
        "labs/add_many", {"delayed": DELAYED}, due_ms=DUE_MS, jobs=jobs, stem=STEM, first=FIRST
    )
    edge = _edge(jobs)
    asked.plain("ZRANGE", DELAYED, 0, HEAD - 1, "WITHSCORES")
    asked.plain("ZRANGE", DELAYED, edge, edge + WINDOW - 1, "WITHSCORES")
    asked.plain("ZRANGE", DELAYED, -1, -1, "WITHSCORES")
    asked.plain("ZCOUNT", DELAYED, LAST_SCORE, LAST_SCORE)
    asked.plain("ZRANK", DELAYED, job(jobs))


def find(request: Request, done: Execution) -> Found:
    """Read where the job that was added last stands, and how many share the last slot."""
    jobs = request.inputs["jobs"]
    head, edge, end = replies(done, "ZRANGE")
    (shared,), (rank,) = replies(done, "ZCOUNT"), replies(done, "ZRANK")
    last = job(jobs)
    outcome = [Table("The first to come back", rows(head, _notes(head), last))]
    after = max(_edge(jobs) - HEAD, 0)
    if pairs(edge):
        outcome[0] = outcome[0]._replace(more=after)
        beyond = max(jobs - _edge(jobs) - WINDOW, 0)
        title = "Around the last slot, 4095" if shared else "The last to come back"
        outcome.append(Table(title, rows(edge, _notes(edge), last), max(beyond - 1, 0)))
        if beyond:
            outcome.append(Table("Last of all", rows(end, _notes(end), last)))
    answer = "refused" if rank is None else "last" if rank == jobs - 1 else "sooner"
    numbers = [n for n in (1, 2, 3, delay.SLOTS) if n < jobs] + [jobs]
    setup = Table(
        f"Due {instant.iso(DUE_MS)}, added in this order",
        [Row(f"job {n}", job(n), "added last" if n == jobs > 1 else "") for n in numbers],
    )
    ((final, _),) = pairs(end)
    return Found([setup], outcome, answer, _because(jobs, shared, rank, _number(final)))


def _edge(jobs: int) -> int:
    """Return the rank at which the second window begins: the last ranks, or the last slot's."""
    return max(HEAD, min(jobs - WINDOW, delay.SLOTS - 1 - BEFORE_THE_LAST_SLOT))


def _number(member: str) -> int:
    return FIRST + 1 - _value(member[-DIGITS:])


def _notes(reply: Reply) -> dict[str, str]:
    return {member: f"slot {delay.decode(int(score))[1]}" for member, score in pairs(reply)}


def _because(jobs: int, shared: Reply, rank: Reply, final: int) -> str:
    if jobs == 1:
        return "The only job has slot 0, so it is the first and the last."
    if not isinstance(shared, int) or not isinstance(rank, int) or shared <= 1:
        full = " Now all of them are taken." if shared else ""
        return (
            f"A millisecond has 4096 slots, so each of the {jobs} jobs has one of its own, 0 to "
            f"{jobs - 1}, and they come back as they were added.{full}"
        )
    return (
        f"A millisecond has 4096 slots, and whoever comes later gets the last one too: {shared} "
        f"jobs share slot 4095 and come back by their bytes. Here ids count down, so job {jobs}, "
        f"added last, is number {rank + 1} to come back, and job {final} is the last of all."
    )


LAB = Lab(
    NAME="slots",
    TITLE="A millisecond has 4096 slots; whoever comes later shares the last",
    INVITES="Set how many jobs are due in one millisecond, and see where the last comes back.",
    says="All these jobs are due at 2026-05-31 11:29:38.000 UTC, and the low 12 bits of a score "
    "are a slot that keeps their order. Their ids count down, so by bytes the last would be "
    "the first.",
    notice="Watch the slots: they count up to 4095 and stay there.",
    question="Where does the job that was added last come back?",
    answers={
        "last": "last of all",
        "sooner": "ahead of a job that was added before it",
        "refused": "nowhere: it was refused",
    },
    SCRIPTS=("labs/add_many",),
    scene=scene,
    find=find,
    INPUTS=(JOBS,),
)
