"""The lab `cliff-priority`: a tier past the limit, and arrivals that become one score."""

from __future__ import annotations

from decoder.encodings import packed
from decoder.figures.inputs import Input, Range
from decoder.figures.labs.lab import Found, Lab, Request, pairs, replies, rows
from decoder.readings.tables import Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program

LIMIT = packed.LAST_EXACT_TIER
JOBS = ("p1", "p2", "c_third", "b_fourth", "a_fifth")
EXACT, ASKED = "emq:{exact}:", "emq:{orders}:"
TIERS = Range(LIMIT - 3, LIMIT + 5)
TIER = Input("tier", "Tier", TIERS, TIERS, LIMIT + 1)
THIRD = 2


def scene(asked: Program, request: Request) -> None:
    """Add the five to two ladders, at the last exact tier and at the slider's; serve the second."""
    for queue, tier in ((EXACT, LIMIT), (ASKED, request.inputs["tier"])):
        keys = {"prioritized": f"{queue}prioritized", "counter": f"{queue}pc"}
        for job in JOBS:
            asked.script("packed/add_prioritized", keys, tier=tier, member=job)
    asked.plain("ZRANGE", f"{EXACT}prioritized", 0, -1, "WITHSCORES")
    asked.plain("ZPOPMIN", f"{ASKED}prioritized", len(JOBS))


def find(request: Request, done: Execution) -> Found:
    """Read the order of service off ZPOPMIN, and who shares a score."""
    tier = request.inputs["tier"]
    counters = [str(reply) for reply in replies(done, "INCR")]
    came = dict(zip(JOBS, counters[-len(JOBS) :], strict=True))
    (exact,), (popped,) = replies(done, "ZRANGE"), replies(done, "ZPOPMIN")
    served = pairs(popped)
    kept = {job: int(score) - tier * packed.ARRIVALS for job, score in served}
    notes = {job: f"arrival {n}" for job, n in came.items()}
    told = {job: f"arrival {n}, kept as {kept[job]}" for job, n in came.items()}
    shared = [job for job, score in served if [one for _, one in served].count(score) > 1]
    if shared:
        lost = _listed(sorted(came[job] for job in shared))
        because = (
            f"From tier {LIMIT + 1} on a score is at least 2⁵³, where a double holds every second "
            f"whole number only. Arrivals {lost} have become one score and can no longer be told "
            f"apart, so their bytes decide: {_listed(shared)}."
        )
    else:
        because = (
            f"Up to tier {LIMIT} every score stays below 2⁵³, where a double holds each whole "
            f"number: each arrival has a score of its own, so arrival is the order."
        )
    return Found(
        [Table(f"The ladder at tier {LIMIT}, the last exact one", rows(exact, notes))],
        [Table(f"Served by ZPOPMIN at tier {tier}", rows(popped, told))],
        served[THIRD][0],
        because,
    )


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


LAB = Lab(
    NAME="cliff-priority",
    TITLE="One tier too far: arrivals that can no longer be told apart",
    INVITES="Move the tier across 2097151, and see who is served third.",
    says="A score holds the tier in 21 bits and the arrival number in 32. Five jobs arrive as "
    "numbers 1 to 5 at tier 2097151, which is the largest that 21 bits hold; then the same five "
    "arrive at the tier that you choose.",
    notice="Watch the arrival that is kept: past tier 2097151 only every second number exists.",
    question="The same five at your tier, added p1, p2, c_third, b_fourth, a_fifth. Who is served "
    "third?",
    answers={"c_third": "c_third", "b_fourth": "b_fourth", "a_fifth": "a_fifth"},
    SCRIPTS=("packed/add_prioritized",),
    scene=scene,
    find=find,
    INPUTS=(TIER,),
)
