"""The links: where each card, step and action of the figure leads, and what it is called."""

from __future__ import annotations

from urllib.parse import urlencode

from decoder.figures.three_readings.request import STEP, Request, entry_of
from decoder.figures.three_readings.scene import DUE_MS, T0_MS, score_of
from decoder.readings.catalogue import of_design
from decoder.readings.reading import Reading
from decoder.readings.run import Run


def readings_beside(reading: Reading) -> list[Reading]:
    """Return the readings of this one's design."""
    return of_design(reading.design)


def in_design(reading: Reading, design: str) -> Reading:
    """Return the reading that answers the same question in another design, else its first."""
    beside = of_design(design)
    return next((one for one in beside if one.question == reading.question), beside[0])


def in_words(reading: Reading) -> str:
    """Say what the job's score is read back as."""
    return "read back: " + reading.conclude(float(score_of(reading))).says


def misreadings(run: Run) -> dict[str, list[str]]:
    """Return each sentence about a number read the wrong way, with the readings that say it."""
    says: dict[str, list[str]] = {}
    for name, said in run.misread:
        says.setdefault(said, []).append(name)
    return says


def offers(reading: Reading) -> list[tuple[dict[str, object], str]]:
    """Return the actions of a reading: the fields that ask for each, and its label."""
    offered: list[tuple[dict[str, object], str]] = []
    for one in reading.actions:
        offered.append(({"action": one.name}, one.label))
        if one.lifo:
            offered.append(({"action": one.name, "lifo": 1}, one.lifo))
    return offered


def moments() -> list[tuple[dict[str, object], str]]:
    """Return three positions of the clock that matter: before, at and after the due time."""
    return [
        ({"step": 3, "now_ms": DUE_MS - 1}, "1 ms before due"),
        ({"step": 3, "now_ms": DUE_MS}, "at due"),
        ({"step": 3, "now_ms": DUE_MS + 10_000}, "10 s after"),
    ]


def clocks(request: Request) -> list[tuple[dict[str, object], str, bool]]:
    """Return the two clocks: the fields that choose each, its name, whether it is chosen."""
    names = {"pinned": "pinned clock", "server": "the server’s TIME"}
    return [
        ({"step": 2, "clock": clock}, name, request.clock == clock) for clock, name in names.items()
    ]


def steps_around(request: Request) -> tuple[dict[str, object] | None, dict[str, object] | None]:
    """Return the fields of the step before and of the one after, over all readings of a design."""
    own, design = request.reading.id, [one.id for one in of_design(request.reading.design)]
    place = design.index(own) * 4 + request.step - 1

    def fields(at: int) -> dict[str, object] | None:
        if not 0 <= at < 4 * len(design):
            return None
        step: dict[str, object] = {"step": at % 4 + 1}
        return step if design[at // 4] == own else {**step, "reading": design[at // 4]}

    return fields(place - 1), fields(place + 1)


def query(request: Request, fields: dict[str, object]) -> str:
    """Write the query of the address that a link leads to, from the fields that it asks for."""
    asked: dict[str, object] = {"reading": fields.get("reading", request.reading.id)}
    step, now_ms = fields.get("step", 2), fields.get("now_ms", request.now_ms)
    if step != STEP.default:
        asked["step"] = step
    if fields.get("clock", request.clock) == "server":
        asked["clock"] = "server"
    elif now_ms != T0_MS:
        asked["now_ms"] = now_ms
    action = fields.get("action")
    if action and action != "reset":
        does = request._replace(action=str(action), lifo=bool(fields.get("lifo")))
        asked["then"] = entry_of(does)
    return urlencode(asked, safe=",/")
