"""The figure `two-designs`: one workload written both ways and served to the end, side by side.

The same four jobs, with the same mint times, tiers and delays, go through the packed design and
through the one-number design; the two orders in which they are served are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from decoder.encodings import branded
from decoder.figures import request as requests
from decoder.figures.inputs import Input, Range
from decoder.figures.request import Request
from decoder.readings import comparing, records
from decoder.readings.comparing import Work
from decoder.readings.run import Allowance, Order, Placed, Run, Score, Server
from decoder.sandbox.execution import Execution
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import Program
from decoder.sandbox.scripts import Composed

NAME = "two-designs"
TITLE = "One workload, two designs"
INVITES = "Change the workload: a real Valkey serves it both ways."
"""What a page that begins with this figure asks for."""
T0_MS = 1780226888000
MINE = "JOB0Nb1VTbfnu4"
PAYLOAD = "x"
LIMIT = 9
INPUTS = (
    Input("tier", "Your job’s tier", Range(1, 3), Range(1, 3), 1),
    Input("delay", "Your job’s wait in seconds", Range(0, 120), Range(0, 120), 0),
)
FIELDS = ("tier", "delay", "guess")
CHALLENGES = {
    "patient": {"tier": 1, "delay": 120},
    "modest": {"tier": 3, "delay": 0},
    "urgent": {"tier": 1, "delay": 0},
}
"""Workloads that are asked about before they are served, one after the other."""
DEFAULT = {one.name: one.default for one in INPUTS}
ACTIONS = ("move", "reset")
"""Nothing is left to be kept: each request serves the whole workload anew."""
AFRESH: Mapping[str, object] = {**DEFAULT, "action": "reset"}
"""The fields that put the workload back as it was at the start."""
SCRIPTS = (
    "packed/add_prioritized", "packed/add_delayed", "packed/promote_delayed", "stage/record",
    "one-number/enqueue", "one-number/schedule", "one-number/promote",
)  # fmt: skip

# The others: minted so many seconds from t0, their tier, and the seconds they wait.
OTHERS = ((-1, 2, 60), (1, 2, 0), (2, 1, 0))

_Q = "emq:{orders}:"
_PACKED = {"delayed": _Q + "delayed", "wait": _Q + "wait", "prioritized": _Q + "prioritized"}
_COUNTER, _RECORD = _Q + "pc", _Q + "job:"
_SCHEDULE, _PENDING = _Q + "schedule", _Q + "pending"


def workload(inputs: Mapping[str, int]) -> list[Work]:
    """Return the four jobs in the order in which they were minted."""
    jobs = [(0, inputs["tier"], inputs["delay"]), *OTHERS]
    return [
        Work(branded.mint(T0_MS + s * 1000), T0_MS + s * 1000, tier, delay * 1000)
        for s, tier, delay in sorted(jobs)
    ]


def lane_name(_request: Request) -> str:
    """Return the lane of every interaction: this figure has one."""
    return NAME


def read_action(form: Mapping[str, str]) -> Request:
    """Read form fields: your job's tier, how long it waits, and what is said to come of it."""
    request = requests.read_action(INPUTS, ACTIONS, form)
    return _guessed(request, form.get("guess", ""))


def _guessed(request: Request, guess: str) -> Request:
    if request.action == "reset" or guess in ("", *comparing.ANSWERS):
        return request._replace(guess="" if request.action == "reset" else guess)
    known = ", ".join(comparing.ANSWERS)
    request.notices.append(
        f"“{guess[: requests.TEXT_MOST]}” is no answer to this, so nothing was guessed. "
        f"There are {known}."
    )
    return request


def read_story(query: Mapping[str, str]) -> Request:
    """Read an address: the same two numbers, and the same answer."""
    asked = {name: query[name] for name in FIELDS if name in query}
    request = read_action({**DEFAULT_TEXTS, **asked})
    return request._replace(seq=None)


DEFAULT_TEXTS = {name: str(value) for name, value in DEFAULT.items()}


def challenge(inputs: Mapping[str, int]) -> str:
    """Name the workload that is asked about next: never the one on screen."""
    names = list(CHALLENGES)
    for name, following in zip(names, [*names[1:], names[0]], strict=True):
        if CHALLENGES[name] == inputs:
            return following
    return "modest" if inputs["tier"] == 1 else "patient"


def asks(name: str) -> str:
    """Ask what will come of a workload."""
    tier, delay_s = CHALLENGES[name].values()
    wait = f"a wait of {delay_s} s" if delay_s else "no wait"
    return f"Give your job tier {tier} and {wait}: in which design is it served earlier?"


def answers(name: str) -> list[tuple[dict[str, object], str]]:
    """Return the links to a workload: the fields of each answer with its words, and of none."""
    said: list[tuple[dict[str, object], str]] = [
        ({**CHALLENGES[name], "guess": answer}, words)
        for answer, words in comparing.ANSWERS.items()
    ]
    return [*said, ({**CHALLENGES[name]}, "Just serve them")]


def query(_here: object, fields: Mapping[str, object]) -> str:
    """Write the query of the address that a link leads to: these two numbers, and the answer."""
    return urlencode({name: fields[name] for name in FIELDS if name in fields})


def computed(_request: Request) -> Score:
    """Return no score: this figure is about orders."""
    return Score(None, None, [])


standing = computed


def program(request: Request, lane: Lane, composed: Composed) -> Program:
    """Write the workload both ways from a clean lane, wait until all is due, and serve it all."""
    asked = Program(lane, composed)
    work = workload(request.inputs)
    asked.declare(_RECORD, *(_RECORD + one.member for one in work))
    asked.restart()
    now_ms = max(one.due_ms for one in work)
    ladder = {"prioritized": _PACKED["prioritized"], "counter": _COUNTER}
    for one in work:
        if one.delay_ms:
            record = {"record": _RECORD + one.member}
            fields = records.written({"priority": one.tier, "delay": one.delay_ms})
            asked.script("stage/record", record, fields=fields)
            asked.script(
                "packed/add_delayed", {"delayed": _PACKED["delayed"]},
                timestamp_ms=one.minted_ms, delay_ms=one.delay_ms, member=one.member,
            )  # fmt: skip
        else:
            asked.script("packed/add_prioritized", ladder, tier=one.tier, member=one.member)
    keys = {**_PACKED, "counter": _COUNTER, "record_prefix": _RECORD}
    asked.script("packed/promote_delayed", keys, now_ms=now_ms)
    asked.plain("ZPOPMIN", _PACKED["prioritized"], LIMIT)
    asked.drop(*(_RECORD + one.member for one in work))
    for one in work:
        _write_by_member(asked, one)
    keys = {"schedule": _SCHEDULE, "pending": _PENDING, "record_prefix": _RECORD}
    asked.script("one-number/promote", keys, limit=LIMIT, now_ms=now_ms)
    asked.plain("ZPOPMIN", _PENDING, LIMIT)
    asked.drop(_COUNTER, *(_RECORD + one.member for one in work))
    return asked


def _write_by_member(asked: Program, one: Work) -> None:
    record = {"record": _RECORD + one.member}
    if one.delay_ms:
        keys = {**record, "schedule": _SCHEDULE}
        asked.script(
            "one-number/schedule", keys, member=one.member, payload=PAYLOAD, mode="at",
            ms=one.due_ms,
        )  # fmt: skip
    else:
        keys = {**record, "pending": _PENDING}
        asked.script("one-number/enqueue", keys, member=one.member, payload=PAYLOAD)


def run_of(request: Request, done: Execution, allowance: Allowance, path: str) -> Run:
    """Read the two orders of service, and the sentence of why they differ."""
    work = workload(request.inputs)
    pops = [step.reply for step in done.steps if step.words[0] == "ZPOPMIN"]
    served = [[str(word) for word in reply] for reply in pops if isinstance(reply, list)]
    orders = [_order(words, work) for words in served] or [Order([], None, 0, None)] * 2
    by_score, by_member = ([placed.member for placed in order.members] for order in orders)
    query = {name: str(value) for name, value in request.inputs.items()}
    guess, said = None, comparing.compared(by_score, by_member, work, MINE)
    if done.refused:
        said = "Nothing was served for this request: the newer one has its own two orders."
    elif request.guess:
        query["guess"] = request.guess
        guess, said = comparing.judged(request.guess, by_score, by_member, work, MINE)
    return Run(
        figure=NAME,
        reading="one-number/order",
        design="one-number",
        seq=request.seq or 0,
        inputs=request.inputs,
        notices=[*request.notices, *requests.refusals(done)],
        address=f"{path}?{urlencode(query)}",
        score=Score(None, None, []),
        steps=done.steps,
        order=orders[1],
        order_before=orders[0],
        orders=dict(zip(("packed", "one-number"), orders, strict=True)),
        guess=guess,
        sentence=said,
        round_trip_us=done.round_trip_us,
        now_ms=max(one.due_ms for one in work),
        clock="pinned",
        server=Server(done.software, done.version, done.time_ms),
        sandbox=allowance,
        action="move" if done.refused else request.action,
    )


def _order(words: list[str], work: list[Work]) -> Order:
    jobs = {one.member: one for one in work}
    pairs = list(zip(words[::2], words[1::2], strict=True))
    placed = [
        Placed(rank, member, score, _facts(jobs[member]), member == MINE)
        for rank, (member, score) in enumerate(pairs)
    ]
    rank = next((one.rank for one in placed if one.mine), None)
    return Order(placed, rank, len(placed), next((p.score for p in placed if p.mine), None))


def _facts(one: Work) -> dict[str, int]:
    facts = {"tier": one.tier, "minted_ms": one.minted_ms}
    return {**facts, "due_ms": one.due_ms} if one.delay_ms else facts
