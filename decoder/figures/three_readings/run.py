"""The run: what the server did, read into a score, an order, a sentence and an address."""

from __future__ import annotations

from urllib.parse import urlencode

from decoder.encodings import branded, instant
from decoder.figures.three_readings.reckoning import reckoned
from decoder.figures.three_readings.request import LOOK, NOW, SELECTED, Request, by_server
from decoder.figures.three_readings.scene import (
    ACTIVE,
    CLOCKS,
    DUE_MS,
    LADDER,
    MINE,
    NAME,
    PENDING,
    SAME_MS_JOBS,
    is_timed,
    score_of,
    score_under,
    set_key,
)
from decoder.readings import telling
from decoder.readings.catalogue import READINGS, Reading, misread, of_design
from decoder.readings.run import Allowance, Order, Placed, Run, Score, Server
from decoder.sandbox.execution import ACTIONS_MOST, Execution, OrderRead
from decoder.transcripts.reply import Reply


def computed(request: Request) -> Score:
    """Compute the score that is about to be stored; unknown where nothing is, or TIME decides."""
    if not request.story:
        return Score(None, None, [])
    return score_under(request.reading, None, None if by_server(request) else DUE_MS)


def standing(request: Request) -> Score:
    """Compute the score that stands while no run could be made."""
    return score_under(request.reading, None, DUE_MS)


def run_of(request: Request, done: Execution, allowance: Allowance, path: str) -> Run:
    """Read what the server did into a run: score, order, what the reader concludes."""
    reading = request.reading
    own, (shown_key, after) = _orders(request, done)
    popped = request.action in ("serve", "read") and reading.kind in ("priority", "order")
    before = None
    if popped and not done.refused and len(done.orders) > 1:
        before = _order(done, done.orders[-2], reading)
    stored = own.score
    concluded = reading.conclude(float(stored)) if stored is not None else None
    return Run(
        figure=NAME,
        reading=reading.id,
        design=reading.design,
        seq=request.seq or 0,
        inputs={
            "reading": reading.id, "step": _stand(done.entries)[0], "now_ms": request.now_ms,
            "clock": request.clock, "lifo": request.lifo,
        },
        notices=[*request.notices, *_refusals(done)],
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
        action=LOOK if done.refused else "move" if request.moves else request.action,
        read_back=concluded and {"reading": reading.id, **concluded._asdict()},
        misread=[
            (one.id, says) for one, says in misread(float(stored or score_of(reading)), reading)
        ],
        panel=_first_stored(done, reading) if request.panel else {},
        set_key=shown_key,
    )  # fmt: skip


def _first_stored(done: Execution, reading: Reading) -> dict[str, str | None]:
    """Return what the ZSCOREs of the cards answered, of each reading of the design."""
    asked = [s for s in done.steps if s.by == "aside" and s.words[0] == "ZSCORE"]
    answered = {s.words[1]: s.reply if isinstance(s.reply, str) else None for s in asked}
    return {one.id: answered.get(set_key(one)) for one in of_design(reading.design)}


def _refusals(done: Execution) -> list[str]:
    if done.refused == "stale":
        return ["A newer request of yours had already arrived, so this older one changed nothing."]
    if done.refused == "actions":
        return [f"An address carries {ACTIONS_MOST} actions and this one does: reset to go on."]
    return []


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
    if request.reading.id == "one-number/fire-time" and wrote != request.clock:
        query["wrote"] = wrote
    if story:
        query["then"] = ",".join(story)
    return f"{path}?{urlencode(query, safe=',/')}"


def _reading_of(key: str) -> Reading:
    return next(one for one in READINGS.values() if set_key(one) == key)


def _orders(request: Request, done: Execution) -> tuple[Order, tuple[str, Order]]:
    """Return the order of the reading's own set, and the set that is shown with its order.

    Shown is the set that the last entry filled or took from; not where nothing was promoted.
    """
    reading, last = request.reading, (done.entries or [""])[-1].partition("-")[0]
    if reading.kind != "fire-time" or len(done.orders) == 1:
        own = _order(done, done.orders[-1], reading)
        return own, (set_key(reading), own)
    own = _order(done, done.orders[-2], reading)
    target = LADDER if reading.design == "packed" else PENDING
    filled = _order(done, done.orders[-1], _reading_of(target))
    if last == "claim" or (last == "promote" and filled.of):
        return own, (target, filled)
    return own, (set_key(reading), own)


def _order(done: Execution, read: OrderRead, reading: Reading) -> Order:
    pairs = enumerate(read.pairs(done.steps), read.first)
    placed = [_placed(rank, member, score, reading) for rank, (member, score) in pairs]
    steps = done.steps
    return Order(placed, read.rank(steps), read.of(steps), read.score(steps))


def _placed(rank: int, member: str, score: str, reading: Reading) -> Placed:
    facts = reading.conclude(float(score)).facts
    if reading.encoding == "flat":
        facts = {"minted_ms": branded.parse(member).minted_ms}
    return Placed(rank, member, score, facts, member == MINE)


def _sentence(request: Request, done: Execution, own: Order, after: Order) -> str:
    reading, action = request.reading, request.action
    now_ms = done.time_ms if request.clock == "server" else request.now_ms
    if done.refused or (action == LOOK and own.score is None):
        return telling.stands(reading, own)
    if action == "keep" and done.renewed:
        return "Your sandbox is kept for another hour."
    if action == "step" and request.step == 1:
        return telling.meaning(reading)
    if action == "step" and request.step == 4 and own.score is not None:
        says = reading.conclude(float(own.score)).says
        return f"What the reader concludes from {own.score}: {says}"
    taking = action == "serve" or (
        reading.kind in ("priority", "order") and (action == "read" or request.step == 3)
    )
    if taking and action in ("serve", "read", "step"):
        return telling.taken(_popped(done, reading), reading.encoding == "flat")
    if action == "read" or (action == "step" and request.step == 3):
        return _due(done, own, reading, now_ms)
    if action == "step" and request.step == SELECTED:
        said = telling.written(reading, own.score or "nothing", own)
        read = _due(done, own, reading, now_ms) if is_timed(reading) else telling.next_up(own)
        return f"{said} {read}"
    if action == "promote":
        moved = _replies(done, "ZRANGEBYSCORE")
        ladder = "the ladder" if MINE in moved else "wait"
        return telling.promoted(moved, ladder if reading.design == "packed" else "pending", after)
    if action == "claim":
        return telling.taken(_popped(done, _reading_of(PENDING)), True) + _leased(done)
    if action == "same_ms":
        return _same_ms(done, own)
    if action in ("register_again", "advance"):
        return _registered(request, done, own)
    if action == "change_priority":
        return telling.changed(after, request.lifo)
    said = telling.written(reading, own.score or "nothing", own)
    return f"Everything is back as it was at the start. {said}" if action == "reset" else said


def _due(done: Execution, own: Order, reading: Reading, now_ms: int) -> str:
    mine = own.score and reading.conclude(float(own.score)).facts.get("due_ms")
    found = _replies(done, "ZRANGEBYSCORE")
    return telling.due(found, MINE, mine if isinstance(mine, int) else None, now_ms)


def _replies(done: Execution, command: str) -> list[str]:
    reply = next((s.reply for s in reversed(done.steps) if s.words[0] == command), None)
    return [str(item) for item in reply] if isinstance(reply, list) else []


def _popped(done: Execution, reading: Reading) -> Placed | None:
    popped = _replies(done, "ZPOPMIN")
    return _placed(0, popped[0], popped[1], reading) if popped else None


def _leased(done: Execution) -> str:
    lease = next((s for s in reversed(done.steps) if s.words[:2] == ["ZADD", ACTIVE]), None)
    attempt = next((s for s in reversed(done.steps) if s.words[0] == "HINCRBY"), None)
    if lease is None or attempt is None:
        return ""
    until = instant.clock(int(float(lease.words[2])))
    return f" It is attempt {attempt.reply}, leased until {until} UTC."


def _same_ms(done: Execution, own: Order) -> str:
    added = done.entries.count("same_ms")
    if added > len(SAME_MS_JOBS):
        return telling.no_more(len(SAME_MS_JOBS))
    placed = {one.member: one for one in own.members}
    return telling.same_ms(placed[SAME_MS_JOBS[added - 1]], placed.get(MINE), own.of)


def _registered(request: Request, done: Execution, own: Order) -> str:
    if request.action == "advance":
        return telling.advanced(own.score)
    prior = _replied(done, "packed/upsert_repeat", "ZSCORE")
    wrote = _replied(done, "one-number/register", "EXISTS") != 1
    before = prior if isinstance(prior, str) else None
    return telling.registered(request.reading, before, own.score, wrote)


def _replied(done: Execution, script: str, command: str) -> Reply:
    """Return what the last such command of a script was answered."""
    replies = [s.reply for s in done.steps if s.script == script and s.words[0] == command]
    return replies[-1] if replies else None
