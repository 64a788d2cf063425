"""The run: what the server did, read into a score, an order, a sentence and an address."""

from __future__ import annotations

from urllib.parse import urlencode

from decoder.figures.request import kept, refusals
from decoder.figures.three_readings.reckoning import reckoned
from decoder.figures.three_readings.request import (
    LOOK,
    NOW,
    Request,
    by_server,
    filling,
    target_of,
)
from decoder.figures.three_readings.scene import CASE, JOB, MINE, NAME, score_of, score_under
from decoder.readings import telling
from decoder.readings.catalogue import misread, of_design
from decoder.readings.reading import CLOCKS, Outcome, Reading
from decoder.readings.run import Allowance, Order, Placed, Run, Score, Server
from decoder.sandbox.execution import Execution, OrderRead


def computed(request: Request) -> Score:
    """Compute the score that is about to be stored; unknown where nothing is, or TIME decides."""
    if not request.story:
        return Score(None, None, [])
    return score_under(request.reading, None, None if by_server(request) else JOB)


def standing(request: Request) -> Score:
    """Compute the score that stands while no run could be made."""
    return score_under(request.reading, None)


def run_of(request: Request, done: Execution, allowance: Allowance, path: str) -> Run:
    """Read what the server did into a run: score, order, what the reader concludes."""
    reading = request.reading
    own, after = _orders(request, done)
    action = reading.action(request.action)
    before = None
    if action and action.takes and not done.refused:
        before = _order(done, done.orders[-2], reading)
    stored = own.score
    concluded = reading.conclude(float(stored)) if stored is not None else None
    return Run(
        figure=NAME,
        reading=reading.id,
        design=reading.design,
        seq=request.seq or 0,
        inputs={
            "reading": reading.id, "step": request.step, "now_ms": request.now_ms,
            "clock": request.clock, "lifo": request.lifo,
        },
        notices=[*request.notices, *refusals(done)],
        address=_address(path, request, done.entries),
        score=reckoned(request, done, stored),
        steps=done.steps,
        order=after,
        order_before=before,
        sentence=_sentence(request, done, own, after),
        round_trip_us=done.round_trip_us,
        now_ms=done.time_ms if request.clock == "server" else request.now_ms,
        clock=request.clock,
        server=Server(done.software, done.version, done.time_ms),
        sandbox=allowance,
        action=LOOK if done.refused else request.action,
        read_back=concluded and {"reading": reading.id, **concluded._asdict()},
        misread=[
            (one.id, says) for one, says in misread(float(stored or score_of(reading)), reading)
        ],
        panel=_stored_in_panel(done, reading, stored) if request.panel else {},
    )  # fmt: skip


def _stored_in_panel(
    done: Execution, reading: Reading, stored: str | None
) -> dict[str, str | None]:
    """Return what the panel's own ZSCOREs answered: neither a script's, nor those of an order."""
    orders = {read.step for read in done.orders}
    asked = [
        step
        for n, step in enumerate(done.steps)
        if step.by == "client" and step.words[0] == "ZSCORE" and n not in orders
    ]
    replies = [step.reply if isinstance(step.reply, str) else None for step in asked]
    design = of_design(reading.design)
    if len(replies) == len(design) - 1:
        replies.insert(design.index(reading), stored)
    if len(replies) != len(design):
        return {}
    return {one.id: reply for one, reply in zip(design, replies, strict=True)}


def _address(path: str, request: Request, entries: list[str]) -> str:
    """Write what the lane remembers; a look at the written job is the step that reads it."""
    _, step, wrote = (f"{entries[0]}--" if entries else "-2-").split("-")[:3]
    story = entries[1:]
    if step != "1" and len(story) == 1 and story[0].startswith(LOOK):
        step, story = "3", []
    query = {"reading": request.reading.id, "step": step}
    if request.now_ms != NOW.default:
        query["now_ms"] = str(request.now_ms)
    if request.clock != CLOCKS[0]:
        query["clock"] = request.clock
    if request.reading.written_by_clock and (wrote or CLOCKS[0]) != request.clock:
        query["wrote"] = wrote or CLOCKS[0]
    if story:
        query["then"] = ",".join(story)
    return f"{path}?{urlencode(query, safe=',/')}"


def _orders(request: Request, done: Execution) -> tuple[Order, Order]:
    """Return the order of the reading's own set, and of the one that the last entry filled."""
    reading = request.reading
    target = target_of(request)
    if not target:
        own = _order(done, done.orders[-1], reading)
        return own, own
    own = _order(done, done.orders[-2], reading)
    last = done.entries[-1].partition("-")[0] if done.entries else ""
    if last not in filling(reading):
        return own, own
    filled = next(one for one in of_design(reading.design) if one.keys == target)
    return own, _order(done, done.orders[-1], filled)


def _order(done: Execution, read: OrderRead, reading: Reading) -> Order:
    pairs = enumerate(read.pairs(done.steps), read.first)
    placed = [_placed(rank, member, score, reading) for rank, (member, score) in pairs]
    steps = done.steps
    return Order(placed, read.rank(steps), read.of(steps), read.score(steps))


def _placed(rank: int, member: str, score: str, reading: Reading) -> Placed:
    facts = {**reading.conclude(float(score)).facts, **reading.of_member(member)}
    return Placed(rank, member, score, facts, member == MINE)


def _sentence(request: Request, done: Execution, own: Order, shown: Order) -> str:
    reading, action = request.reading, request.action
    if done.refused or (action == LOOK and own.score is None):
        return telling.stands(reading, own)
    if action == "keep":
        return kept(done) or telling.stands(reading, own)
    if action == "step" and request.step == 1:
        return telling.meaning(reading)
    if action == "step" and request.step == 4 and own.score is not None:
        says = reading.conclude(float(own.score)).says
        return f"What the reader concludes from {own.score}: {says}"
    reads = action == "step" and request.step == 3
    what = reading.action("read" if reads else action)
    if what:
        now_ms = done.time_ms if request.clock == "server" else request.now_ms
        times = done.entries.count(action)
        outcome = Outcome(CASE, done.steps, own, shown, now_ms, request.lifo, times)
        return what.says(reading, outcome)
    said = telling.written(reading, own.score or "nothing", own)
    return f"Everything is back as it was at the start. {said}" if action == "reset" else said
