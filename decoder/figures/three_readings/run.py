"""The run: what the server did, read into a score, an order, a sentence and an address."""

from __future__ import annotations

from urllib.parse import urlencode

from decoder.figures.request import kept, refusals
from decoder.figures.three_readings.reckoning import reckoned
from decoder.figures.three_readings.request import (
    LOOK,
    NOW,
    SELECTED,
    STEPS,
    Request,
    by_server,
    guess_of,
    target_of,
)
from decoder.figures.three_readings.scene import (
    CASE,
    JOB,
    MINE,
    NAME,
    score_of,
    score_under,
    set_key,
)
from decoder.readings import questions, telling
from decoder.readings.catalogue import misread, of_design
from decoder.readings.reading import CLOCKS, Outcome, Reading
from decoder.readings.run import (
    Allowance,
    Guess,
    Misreading,
    Order,
    Placed,
    Run,
    Score,
    Server,
    Step,
)
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
    own, (shown_key, after) = _orders(request, done)
    action = reading.action(request.action)
    before = None
    if action and action.shows_before and not done.refused:
        before = _order(done, done.orders[-2], reading)
    stored = own.score
    concluded = reading.conclude(float(stored)) if stored is not None else None
    guess, said = _told(request, done, own, after, before)
    return Run(
        figure=NAME,
        reading=reading.id,
        design=reading.design,
        seq=request.seq or 0,
        inputs={
            "reading": reading.id, "step": _stand(done.entries)[0], "now_ms": request.now_ms,
            "clock": request.clock, "lifo": request.lifo,
        },
        notices=[*request.notices, *refusals(done)],
        address=_address(path, request, done.entries),
        score=reckoned(request, done, stored),
        steps=done.steps,
        order=after,
        order_before=before,
        guess=guess,
        sentence=said,
        round_trip_us=done.round_trip_us,
        now_ms=done.time_ms if request.clock == "server" else request.now_ms,
        clock=request.clock,
        server=Server(done.software, done.version, done.time_ms),
        sandbox=allowance,
        action=LOOK if done.refused else "move" if request.moves else request.action,
        read_back=concluded and {"reading": reading.id, **concluded._asdict()},
        misread=[
            Misreading(one.id, says, one.encoding == reading.encoding)
            for one, says in misread(float(stored or score_of(reading)), reading)
        ],
        panel=_first_stored(done, reading) if request.panel else {},
        set_key=shown_key,
    )  # fmt: skip


def _first_stored(done: Execution, reading: Reading) -> dict[str, str | None]:
    """Return what the ZSCOREs of the cards answered, of each reading of the design."""
    asked = [s for s in done.steps if s.by == "aside" and s.words[0] == "ZSCORE"]
    answered = {s.words[1]: s.reply if isinstance(s.reply, str) else None for s in asked}
    return {one.id: answered.get(set_key(one)) for one in of_design(reading.design)}


def of_other_cards(reading: Reading, steps: list[Step]) -> list[Step]:
    """Return the steps that filled the cards of the design's other readings."""
    aside = [step for step in steps if step.by == "aside"]
    kept: list[Step] = []
    for one in of_design(reading.design):
        # The last that is done for a card is to ask for its score.
        asks = ["ZSCORE", set_key(one), MINE]
        end = max((n for n, step in enumerate(aside, 1) if step.words == asks), default=0)
        kept += aside[:end] if one.id != reading.id else []
        aside = aside[end:]
    return kept


def _stand(entries: list[str]) -> tuple[int, str, list[str]]:
    """Read what the lane remembers: the step, the clock that wrote the job, and what came then.

    A look at the written job is the step that reads it.
    """
    begin, *story = entries or ["step-2"]
    _, step, wrote = f"{begin}-".split("-")[:3]
    if step != "1" and len(story) == 1 and story[0].startswith(LOOK):
        step, story = "3", []
    return int(step), wrote or CLOCKS[0], story


def _address(path: str, request: Request, entries: list[str]) -> str:
    """Write the address that replays what the lane remembers."""
    step, wrote, story = _stand(entries)
    query = {"reading": request.reading.id}
    if step != SELECTED:
        query["step"] = str(step)
    if request.now_ms != NOW.default:
        query["now_ms"] = str(request.now_ms)
    if request.clock != CLOCKS[0]:
        query["clock"] = request.clock
    if request.reading.written_by_clock and wrote != request.clock:
        query["wrote"] = wrote
    if story:
        query["then"] = ",".join(story)
    return f"{path}?{urlencode(query, safe=',/')}"


def _orders(request: Request, done: Execution) -> tuple[Order, tuple[str, Order]]:
    """Return the order of the reading's own set, and the set that is shown with its order.

    Shown is the other set that the last entry filled or drained; not where nothing came into it.
    """
    reading, target = request.reading, target_of(request)
    if not target:
        own = _order(done, done.orders[-1], reading)
        return own, (set_key(reading), own)
    own = _order(done, done.orders[-2], reading)
    last = reading.action(done.entries[-1].partition("-")[0]) if done.entries else None
    of_target = next(one for one in of_design(reading.design) if one.keys == target)
    other = _order(done, done.orders[-1], of_target)
    if last and (last.drains == target or (last.fills == target and other.of)):
        return own, (set_key(of_target), other)
    return own, (set_key(reading), own)


def _order(done: Execution, read: OrderRead, reading: Reading) -> Order:
    pairs = enumerate(read.pairs(done.steps), read.first)
    placed = [_placed(rank, member, score, reading) for rank, (member, score) in pairs]
    steps = done.steps
    return Order(placed, read.rank(steps), read.of(steps), read.score(steps))


def _placed(rank: int, member: str, score: str, reading: Reading) -> Placed:
    facts = {**reading.conclude(float(score)).facts, **reading.of_member(member)}
    return Placed(rank, member, score, facts, member == MINE)


def _said_as(request: Request, done: Execution, own: Order) -> tuple[str, int]:
    """Return the action and the step that a run is told as.

    Where nothing is timed, a look is told as the step at which the lane stands: time changed
    nothing. After an action, or a read that served somebody, it is told as what was chosen.
    """
    if request.action != LOOK or request.reading.is_timed:
        return request.action, request.step
    step, _, story = _stand(done.entries)
    step = SELECTED if story or step == STEPS.index("read") + 1 else step
    return ("step", step) if step == 1 or own.score is not None else (LOOK, step)


def _told(
    request: Request, done: Execution, own: Order, shown: Order, before: Order | None
) -> tuple[Guess | None, str]:
    """Say what was done, and first how it compares with what the visitor said would happen."""
    outcome = _outcome(request, done, own, shown, before)
    said = _sentence(request, done, own, outcome)
    what = request.reading.action(request.action)
    answer = guess_of(done.entries[-1]) if what and done.entries and not done.refused else ""
    if not what or not what.question or answer not in what.question.answers:
        return None, said
    guess, told = questions.judged(what.question, answer, request.reading, outcome)
    return guess, f"{told} {said}"


def _outcome(
    request: Request, done: Execution, own: Order, shown: Order, before: Order | None
) -> Outcome:
    now_ms = done.time_ms if request.clock == "server" else request.now_ms
    steps = [one for one in done.steps if one.by != "aside"]
    times = [entry.partition("-")[0] for entry in done.entries].count(request.action)
    return Outcome(CASE, steps, own, shown, now_ms, request.lifo, times, before)


def _sentence(request: Request, done: Execution, own: Order, outcome: Outcome) -> str:
    reading, (action, step) = request.reading, _said_as(request, done, own)
    if done.refused or (action == LOOK and own.score is None):
        return telling.stands(reading, own)
    if action == "keep":
        return kept(done) or telling.stands(reading, own)
    if action == "step" and step == 1:
        return telling.meaning(reading)
    if action == "step" and step == 4 and own.score is not None:
        says = reading.conclude(float(own.score)).says
        return f"What the reader concludes from {own.score}: {says}"
    reads = action == "step" and step == 3
    what = reading.action("read" if reads else action)
    if what:
        return what.says(reading, outcome)
    said = telling.written(reading, own.score or "nothing", own)
    if action == "step" and step == SELECTED:
        return f"{said} {reading.looking.says(reading, outcome)}"
    return f"Everything is back as it was at the start. {said}" if action == "reset" else said
