"""The figure `composite`: two sliders, one score, and the queue as Valkey orders it.

Packed design, priority reading. The visitor's job is JOB0Nb1VTbfnu4, among a cast of nine.
"""

from __future__ import annotations

from collections.abc import Mapping

from decoder.encodings import branded, packed
from decoder.figures import address
from decoder.figures import request as requests
from decoder.figures.inputs import Input, Range
from decoder.figures.request import Request
from decoder.readings import bits, ladder
from decoder.readings.run import Allowance, Fact, Guess, Order, Placed, Run, Score, Server
from decoder.sandbox.execution import Execution, OrderRead
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import ALWAYS, IF_FRESH, IF_MOVED, Numbered, OfPlace, Program
from decoder.sandbox.scripts import Composed

NAME = "composite"
TITLE = "The composite decoder"
INVITES = "Move the sliders: a real Valkey stores the number, and the queue rearranges."
"""What a page that begins with this figure asks for."""
SCRIPTS = ("stage/cast", "stage/set_counter", "packed/add_prioritized", "stage/restore_counter")
SHOWN_SCRIPT = "packed/add_prioritized"
ACTIONS = ("move", "serve", "add", "keep", "reset")
INPUTS = (
    Input("tier", "Priority tier", Range(1, 5), Range(1, packed.LAST_EXACT_TIER + 1), 2),
    Input("arrival", "Arrival number", Range(1, 999), Range(0, packed.ARRIVALS), 17),
)
FIELDS = ("tier", "arrival")
DEFAULT = {one.name: one.default for one in INPUTS}

PINNED_NOW_MS = 1780226888000
MINE = "JOB0Nb1VTbfnu4"
WINDOW = 11
_LADDER, _COUNTER = "emq:{orders}:prioritized", "emq:{orders}:pc"
_KEYS = {"prioritized": _LADDER, "counter": _COUNTER}

# Tier and arrival of the others: two of tier 1, one of which came long after arrival 17; two of
# tier 2 that came before it and one that came after; four behind.
CAST = ((1, 9), (1, 640), (2, 4), (2, 15), (2, 30), (3, 2), (3, 28), (4, 11), (5, 21))


def cast_member(arrival: int) -> str:
    """Mint the id of a job of the cast: one came a second, so arrival 17 would be at t0."""
    return branded.mint(PINNED_NOW_MS + (arrival - DEFAULT["arrival"]) * 1000)


_JOBS = " ".join(f"{packed.encode(tier, arrival)} {cast_member(arrival)}" for tier, arrival in CAST)
_COUNTED = max(arrival for _, arrival in CAST)
_NEW_MEMBER = Numbered(branded.mint_stem(PINNED_NOW_MS))


def lane_name(_request: Request) -> str:
    """Return the lane of every interaction: this figure has one."""
    return NAME


def read_action(form: Mapping[str, str]) -> Request:
    """Read form fields: a move, a bit that is turned over, or a button."""
    request = requests.read_action(INPUTS, ACTIONS, form)
    bit = form.get("toggle")
    return _turned(request, bit) if bit and not form.get("action") else request


def _turned(request: Request, bit: str) -> Request:
    """Turn a bit over of the score of the inputs: another tier or arrival, and a full range."""
    tier, arrival = INPUTS
    least = packed.encode(tier.full_range.least, arrival.full_range.least)
    most = packed.encode(packed.LAST_EXACT_TIER, packed.ARRIVALS - 1)
    stands = packed.encode(*request.inputs.values(), past_the_limit=True)
    score, said = bits.turned(stands, bit, least, most)
    inputs = dict(zip(DEFAULT, packed.decode(score), strict=True))
    request.notices.extend([said] if said else [])
    return request._replace(inputs=inputs, full=request.full or _is_wide(address.place(inputs)))


def read_story(query: Mapping[str, str]) -> Request:
    """Read an address: where the job stands, and what is to be replayed."""
    return requests.read_story(INPUTS, query)


def computed(request: Request) -> Score:
    """Compute the score that a move stores, before the server is asked.

    For an action nothing is known before: INCR decides the arrival of a job that is added.
    """
    if request.action in ("move", "reset"):
        return _score(request.inputs, None)
    return Score(None, None, [])


def standing(request: Request) -> Score:
    """Compute the score that stands while no run could be made: of the inputs asked for."""
    return _score(request.inputs, None)


def _score(inputs: dict[str, int], stored: str | None) -> Score:
    tier, arrival = inputs["tier"], inputs["arrival"]
    facts = [Fact("tier", tier, (52, 32)), Fact("arrival", arrival % packed.ARRIVALS, (31, 0))]
    return Score(packed.encode(tier, arrival, past_the_limit=True), stored, facts)


def program(request: Request, lane: Lane, composed: Composed) -> Program:
    """Write what is asked as one program for the frame: one round trip, whatever it is."""
    asked = Program(lane, composed)
    if request.action == "keep":
        asked.keep()
    # A story is told from its beginning, also in a sandbox that stands.
    if request.action == "reset" or request.entries:
        asked.restart()
    asked.script("stage/cast", _KEYS, when=IF_FRESH, counted=_COUNTED, jobs=_JOBS)
    if request.entries:
        for entry in request.entries:
            _do(asked, entry)
    elif request.action in ("move", "reset"):
        _move(asked, request.inputs, ALWAYS)
    else:
        given = request.given and request.action != "keep"
        _move(asked, request.inputs, IF_MOVED if given else IF_FRESH)
        if request.action != "keep":
            _do(asked, f"serve-{request.guess}" if request.guess else request.action)
    asked.order(_LADDER, MINE, WINDOW, packed.ARRIVALS)
    if request.given and request.inputs["tier"] > 1:
        asked.count(_LADDER, "-inf", f"({_in_tier_1(request.inputs)}")
    return asked


def _in_tier_1(inputs: dict[str, int]) -> int:
    return packed.encode(1, inputs["arrival"])


def _do(asked: Program, entry: str) -> None:
    if address.is_place(entry):
        _move(asked, address.read_place(entry), ALWAYS)
        return
    action, _, guess = entry.partition("-")
    if action == "serve":
        asked.order(_LADDER, MINE, WINDOW)
    asked.note(entry)
    if action == "add":
        asked.script("packed/add_prioritized", _KEYS, tier=OfPlace(1), member=_NEW_MEMBER)
        asked.plain("ZRANK", _LADDER, _NEW_MEMBER)
    else:
        if guess:
            asked.plain("ZSCORE", _LADDER, guess)
        asked.plain("ZPOPMIN", _LADDER)


def _move(asked: Program, inputs: dict[str, int], when: str) -> None:
    counter = {"counter": _COUNTER}
    asked.note(address.place(inputs), when=when)
    asked.script("stage/set_counter", counter, when=when, arrival=inputs["arrival"])
    asked.script("packed/add_prioritized", _KEYS, when=when, tier=inputs["tier"], member=MINE)
    asked.script("stage/restore_counter", counter, when=when, arrival=inputs["arrival"])


def run_of(request: Request, done: Execution, allowance: Allowance, path: str) -> Run:
    """Read what the server did into a run: score, order, sentence, address."""
    inputs = address.last_place(done.entries) or request.inputs
    full = request.full or any(_is_wide(entry) for entry in done.entries)
    after = _order(done, done.orders[-1])
    action = "move" if done.refused else request.action
    before = _order(done, done.orders[-2]) if action == "serve" else None
    guess, said = None, ladder.stand(after)
    if before:
        guess, said = _served(done, after)
    elif action == "add":
        said = f"{_joined(done, after)} {said}"
    elif action == "keep":
        said = f"{requests.kept(done)} {said}".strip()
    elif action == "reset":
        said = f"Everything is back as it was at the start. {said}"
    return Run(
        figure=NAME,
        reading="packed/priority",
        design="packed",
        seq=request.seq or 0,
        inputs=inputs,
        notices=[*request.notices, *requests.refusals(done)],
        address=address.write(path, done.entries, full=full, default=DEFAULT),
        score=_score(inputs, after.score),
        steps=done.steps,
        order=after,
        order_before=before,
        guess=guess,
        sentence=said,
        # What was counted is what was asked for.
        ghost=_ghost(done, after, inputs) if inputs == request.inputs else None,
        action=action,
        full=full,
        round_trip_us=done.round_trip_us,
        now_ms=PINNED_NOW_MS,
        clock="pinned",
        server=Server(done.software, done.version, done.time_ms),
        sandbox=allowance,
    )


def _is_wide(entry: str) -> bool:
    """Tell whether a place lies outside the plain ranges, so that its address needs full=1."""
    if not address.is_place(entry):
        return False
    place = address.read_place(entry)
    return any(not i.range.least <= place[i.name] <= i.range.most for i in INPUTS)


def _order(done: Execution, read: OrderRead) -> Order:
    placed = [
        _placed(rank, member, score)
        for rank, (member, score) in enumerate(read.pairs(done.steps), read.first)
    ]
    steps = done.steps
    first = read.head(steps)
    head = _placed(0, *first) if first else None
    rank, of, urgent = read.rank(steps), read.of(steps), read.urgent(steps)
    return Order(placed, rank, of, read.score(steps), head, urgent)


def _placed(rank: int, member: str, score: str) -> Placed:
    tier, arrival = packed.decode(int(float(score)))
    return Placed(rank, member, score, {"tier": tier, "arrival": arrival}, member == MINE)


def _served(done: Execution, after: Order) -> tuple[Guess | None, str]:
    popped = next(step.reply for step in reversed(done.steps) if step.words[0] == "ZPOPMIN")
    first = (
        _placed(0, str(popped[0]), str(popped[1])) if isinstance(popped, list) and popped else None
    )
    name = done.entries[-1].partition("-")[2]
    said = _said(done, name) if name else None
    served = first.member if first else None
    guess = Guess(name, served, name == served) if name else None
    if first is None:
        return guess, ladder.served(first, said, guess)
    stand = ladder.stand(after)
    if first.mine and after.of:
        stand = stand.replace("Your job has been served and", "It", 1)
    return guess, f"{ladder.served(first, said, guess)} {stand}"


def _said(done: Execution, name: str) -> Placed | None:
    """Return the job that was guessed, as the server knew it before it served; None: not there."""
    at = max(n for n, step in enumerate(done.steps) if step.words[0] == "ZPOPMIN")
    reply = done.steps[at - 1].reply
    return _placed(-1, name, reply) if isinstance(reply, str) else None


def _joined(done: Execution, after: Order) -> str:
    """Say where the job stands that was added last: INCR's number, and the server's score and rank.

    After its ZADD comes the ZRANK, and before it the INCR.
    """
    at = max(n for n, step in enumerate(done.steps) if step.script == "packed/add_prioritized")
    words, rank, given = (done.steps[at].words, *(done.steps[at + n].reply for n in (1, -1)))
    place = address.last_place(done.entries) or DEFAULT
    added = _placed(rank if isinstance(rank, int) else 0, words[3], words[2])
    came = given if isinstance(given, int) else added.facts["arrival"]
    return ladder.joined(added, place["tier"], came, after)


def _ghost(done: Execution, after: Order, inputs: dict[str, int]) -> int | None:
    last = done.steps[-1]
    if last.words[0] != "ZCOUNT" or after.rank is None or not isinstance(last.reply, int):
        return None
    rank, score = last.reply, float(_in_tier_1(inputs))
    tied = [placed for placed in after.members if float(placed.score) == score]
    # Members of equal score stand in byte order; ours would stand among them.
    rank += sum(placed.member.encode() < MINE.encode() for placed in tied)
    return None if rank == after.rank else rank
