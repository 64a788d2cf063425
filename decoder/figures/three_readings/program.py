"""The program: what a request asks of Valkey, reading by reading and action by action."""

from __future__ import annotations

from decoder.encodings import delay
from decoder.figures.three_readings.request import (
    LOOK,
    SELECTED,
    Request,
    entry_of,
    step_entry,
    target_of,
)
from decoder.figures.three_readings.scene import (
    ACTIVE,
    ARRIVAL,
    CLOCKS,
    COUNTED,
    COUNTER,
    DELAY_MS,
    DELAYED,
    DUE_MS,
    EVERY_MS,
    JOB,
    LADDER,
    LADDER_JOBS,
    LEASE_MS,
    MINE,
    OTHERS,
    PAYLOAD,
    PENDING,
    REGISTRATION,
    REPEAT,
    SAME_MS_JOBS,
    SCHEDULE,
    T0_MS,
    TIER,
    WAIT,
    WINDOW,
    is_timed,
    keys_of,
    minted,
    next_after,
    set_key,
)
from decoder.readings.catalogue import Reading, of_design
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import ALWAYS, IF_FRESH, Program, ServerNow, at_time
from decoder.sandbox.scripts import Composed

SCRIPTS = (
    "stage/members", "stage/cast", "stage/set_counter", "stage/record", "stage/restore_counter",
    "packed/add_delayed", "packed/next_delayed", "packed/promote_delayed",
    "packed/add_prioritized", "packed/change_priority", "packed/upsert_repeat",
    "one-number/enqueue", "one-number/schedule", "one-number/promote", "one-number/claim",
    "one-number/register", "one-number/advance",
)  # fmt: skip


def program(request: Request, lane: Lane, composed: Composed) -> Program:
    """Write what is asked as one program: a step replays those before it from a clean lane."""
    asked = Program(lane, composed)
    # Whatever was done before, a restart has to find it.
    asked.declare(*keys_of(request.reading))
    if request.story:
        asked.restart()
        asked.note(request.story[0])
        _scene(asked, request, ALWAYS)
        if request.step != 1:
            _write(asked, request.reading, request.wrote, ALWAYS)
        if request.step == SELECTED and not is_timed(request.reading):
            # The read that serves, ZPOPMIN, is a step of its own.
            asked.plain("ZRANGE", set_key(request.reading), 0, 0, "WITHSCORES")
        elif request.step in (SELECTED, 3, 4):
            _do(asked, request, "read")
        for entry in request.story[1:]:
            asked.note(entry)
            _do(asked, request, entry)
    else:
        asked.note(step_entry(request._replace(step=2)), when=IF_FRESH)
        _scene(asked, request, IF_FRESH)
        _write(asked, request.reading, request.wrote, IF_FRESH)
        if request.action not in ("keep", LOOK):
            entry = entry_of(request)
            asked.note(entry)
            _do(asked, request, entry)
    asked.order(set_key(request.reading), MINE, WINDOW)
    target = target_of(request)
    if target:
        asked.order(target, MINE, WINDOW)
    if request.panel:
        _panel(asked, request.reading, lane)
    return asked


def _scene(asked: Program, request: Request, when: str) -> None:
    """Put the other members where the job will stand."""
    reading, others = request.reading, [(minted(s), T0_MS + due * 1000) for s, due in OTHERS]
    own = {"set": set_key(reading)}
    if reading.id == "packed/priority":
        keys = {"prioritized": LADDER, "counter": COUNTER}
        asked.script("stage/cast", keys, when=when, counted=COUNTED, jobs=LADDER_JOBS)
        asked.script("stage/set_counter", {"counter": COUNTER}, when=when, arrival=ARRIVAL)
    elif reading.id == "packed/fire-time":
        # The one that is due in the same millisecond comes after mine, to get the next slot.
        pairs = [(delay.encode(due, 0), member) for member, due in others if due != DUE_MS]
        asked.script("stage/members", own, when=when, members=_words(pairs))
    elif reading.kind == "next-run":
        pairs = [(T0_MS + 20_000, "cleanup"), (T0_MS + 600_000, "report")]
        asked.script("stage/members", own, when=when, members=_words(pairs))
    else:
        pairs = [(due if reading.kind == "fire-time" else 0, member) for member, due in others]
        asked.script("stage/members", own, when=when, members=_words(pairs))
    if reading.design == "packed" and reading.kind != "next-run":
        record = {"record": JOB + MINE}
        asked.script("stage/record", record, when=when, field="priority", value=TIER)


def _words(pairs: list[tuple[int, str]]) -> str:
    return " ".join(f"{score} {member}" for score, member in pairs)


def _write(asked: Program, reading: Reading, clock: str, when: str, *, alone: bool = False) -> None:
    """Write the job as the reading's own script does, and who is due in the same millisecond."""
    name, record = reading.script, {"record": JOB + MINE}
    if reading.id == "packed/fire-time":
        for member in (MINE,) if alone else (MINE, minted(1)):
            _park(asked, reading, member, when)
    elif reading.id == "packed/priority":
        keys = {"prioritized": LADDER, "counter": COUNTER}
        asked.script(name, keys, when=when, tier=TIER, member=MINE)
        asked.script("stage/restore_counter", {"counter": COUNTER}, when=when, arrival=ARRIVAL)
    elif reading.id == "packed/next-run":
        asked.script(name, {"repeat": REPEAT}, when=when, next_ms=DUE_MS, scheduler=MINE)
    elif reading.id == "one-number/fire-time":
        mode, ms = ("in", DELAY_MS) if clock == "server" else ("at", DUE_MS)
        _park(asked, reading, MINE, when, mode=mode, ms=ms)
    elif reading.id == "one-number/order":
        keys = {**record, "pending": PENDING}
        asked.script(name, keys, when=when, member=MINE, payload=PAYLOAD)
    else:
        _register(asked, DUE_MS, when)


def _park(
    asked: Program, reading: Reading, member: str, when: str, *, mode: str = "at", ms: int = DUE_MS
) -> None:
    """Store one job under its fire-time, 90 s after t0 unless it is said otherwise."""
    if reading.design == "packed":
        asked.script(
            reading.script, {"delayed": DELAYED}, when=when,
            timestamp_ms=T0_MS, delay_ms=DELAY_MS, member=member,
        )  # fmt: skip
    else:
        asked.script(
            reading.script, {"record": JOB + member, "schedule": SCHEDULE}, when=when,
            member=member, payload=PAYLOAD, mode=mode, ms=ms,
        )  # fmt: skip


def _register(asked: Program, first_ms: int, when: str) -> None:
    asked.script(
        "one-number/register", {"repeat": REPEAT, "record": REGISTRATION + MINE}, when=when,
        registration=MINE, every_ms=EVERY_MS, template=PAYLOAD, first_ms=first_ms,
    )  # fmt: skip


def _panel(asked: Program, reading: Reading, lane: Lane) -> None:
    """Store the job aside under each reading of the design, and read its scores for the cards."""
    for one in of_design(reading.design):
        with asked.aside(Lane(lane.sandbox_id, f"{lane.name}.{one.kind}")):
            if one.kind == "priority":
                asked.script("stage/set_counter", {"counter": COUNTER}, arrival=ARRIVAL)
            _write(asked, one, CLOCKS[0], ALWAYS, alone=True)
            asked.plain("ZSCORE", set_key(one), MINE)
            asked.drop(set_key(one), COUNTER, JOB + MINE, REGISTRATION + MINE)


def _do(asked: Program, request: Request, entry: str) -> None:
    """Do one action on what stands."""
    action, _, rest = entry.partition("-")
    reading = request.reading
    now_ms = int(rest) if rest.isdigit() else request.now_ms
    server = rest == "server" or (not rest and request.clock == "server")
    own, clock = set_key(reading), ServerNow("ms") if server else now_ms
    if action == "serve" or (action == "read" and reading.kind in ("priority", "order")):
        asked.order(own, MINE, WINDOW)
        asked.plain("ZPOPMIN", own)
    elif action in ("read", LOOK) and reading.encoding == "shifted-delay":
        bound = ServerNow("slots") if server else delay.due_bound(now_ms)
        asked.plain("ZRANGEBYSCORE", own, 0, bound, "LIMIT", 0, 10)
        asked.script("packed/next_delayed", {"delayed": DELAYED})
    elif action in ("read", LOOK):
        asked.plain("ZRANGEBYSCORE", own, "-inf", clock, "LIMIT", 0, 10)
    elif action == "promote" and reading.design == "packed":
        keys = {"delayed": DELAYED, "wait": WAIT, "prioritized": LADDER, "counter": COUNTER}
        asked.script("packed/promote_delayed", {**keys, "record_prefix": JOB}, now_ms=clock)
    elif action == "promote":
        keys = {"schedule": SCHEDULE, "pending": PENDING, "record_prefix": JOB}
        asked.script("one-number/promote", keys, limit=10, now_ms="" if server else now_ms)
    elif action == "claim":
        keys = {"pending": PENDING, "active": ACTIVE, "record_prefix": JOB}
        by = "" if server else now_ms
        asked.script("one-number/claim", keys, lease_ms=LEASE_MS, now_ms=by)
    elif action == "same_ms":
        for n, member in enumerate(SAME_MS_JOBS, 1):
            _park(asked, reading, member, at_time(n))
    elif action == "change_priority":
        keys = {"wait": WAIT, "prioritized": LADDER, "counter": COUNTER, "record": JOB + MINE}
        lifo = int(rest == "lifo")
        asked.script("packed/change_priority", keys, tier=TIER, member=MINE, lifo=lifo)
    elif action == "register_again" and reading.design == "packed":
        asked.script(
            "packed/upsert_repeat", {"repeat": REPEAT},
            next_ms=next_after(now_ms), scheduler=MINE,
        )  # fmt: skip
    elif action == "register_again":
        _register(asked, next_after(now_ms), ALWAYS)
    elif reading.design == "packed":
        keys = {"repeat": REPEAT}
        asked.script("packed/upsert_repeat", keys, next_ms=DUE_MS + EVERY_MS, scheduler=MINE)
    else:
        keys = {"repeat": REPEAT, "record": REGISTRATION + MINE}
        asked.script("one-number/advance", keys, registration=MINE, next_ms=DUE_MS + EVERY_MS)
