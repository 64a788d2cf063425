"""The lab `cliff-wrap`: the arrival counter leaves its 32 bits, and the first come last."""

from __future__ import annotations

from decoder.encodings import packed
from decoder.figures.inputs import Input, Range
from decoder.figures.labs.lab import Found, Lab, Request, pairs, replies, rows
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program

TIER = 7
LADDER, COUNTER = "emq:{orders}:prioritized", "emq:{orders}:pc"
JOBS = ("first", "second", "third")
LAST = 2**32
BEFORE = Input("before", "Arrivals left before 2³²", Range(0, 5), Range(0, 5), 1)


def scene(asked: Program, request: Request) -> None:
    """Set the counter, add three jobs of one tier, and serve them all."""
    asked.script("stage/set_counter", {"counter": COUNTER}, arrival=LAST - request.inputs["before"])
    for job in JOBS:
        asked.script(
            "packed/add_prioritized", {"prioritized": LADDER, "counter": COUNTER},
            tier=TIER, member=job,
        )  # fmt: skip
    asked.plain("ZRANGE", LADDER, 0, -1, "WITHSCORES")
    asked.plain("ZPOPMIN", LADDER, len(JOBS))


def find(_request: Request, done: Execution) -> Found:
    """Read the order of service off ZPOPMIN."""
    counters = [str(reply) for reply in replies(done, "INCR")]
    notes = {job: f"INCR gave {n}" for job, n in zip(JOBS, counters, strict=True)}
    (popped,) = replies(done, "ZPOPMIN")
    served = [member for member, _ in pairs(popped)]
    wrapped = [job for job, n in zip(JOBS, counters, strict=True) if int(n) >= LAST]
    kept = {m: packed.decode(int(score))[1] for m, score in pairs(popped)}
    setup = Table(
        "Added to tier 7, in this order",
        [Row(job, notes[job], fact="arrival") for job in JOBS],
    )
    told = {job: f"{notes[job]}, kept as {kept[job]}" for job in JOBS}
    answer = served[0]
    if not wrapped:
        because = "The counter has not reached 2³² yet, so arrival is the order."
    elif len(wrapped) == len(JOBS):
        because = "All three came after the wrap, so among themselves they keep their order."
    else:
        because = (
            f"The score keeps the counter’s low 32 bits. From 2³² on they begin at 0 again, so "
            f"{' and '.join(wrapped)} overtook whoever came before. BullMQ’s counter is deleted "
            f"whenever the ladder is empty, so only a queue that never drains gets here."
        )
    return Found([setup], [Table("Served by ZPOPMIN", rows(popped, told))], answer, because)


LAB = Lab(
    NAME="cliff-wrap",
    TITLE="The counter wraps: who came first is served last",
    INVITES="Set how close the counter is to 2³², and see who is served first.",
    says="A ladder keeps 32 bits for the arrival number. Its counter stands just below 2³², and "
    "three jobs of tier 7 are added, one after the other.",
    notice="Watch the arrival that is kept: it is the counter modulo 2³².",
    question="Three jobs of one tier, added first, second, third. Who is served first?",
    answers={"first": "the first", "second": "the second", "third": "the third"},
    SCRIPTS=("stage/set_counter", "packed/add_prioritized"),
    scene=scene,
    find=find,
    INPUTS=(BEFORE,),
    ends={"before": ("0: the first is 2³²", "5")},
)
