"""The links: where each card, step and action of the figure leads, and what it is called.

A link is known by the fields that it sends; its address is that of the state on screen with these
fields worked in. static/js/leads.js keeps the addresses so while answers come in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from decoder.figures.three_readings.request import SELECT, SELECTED, Request
from decoder.figures.three_readings.scene import DUE_MS, T0_MS
from decoder.readings.catalogue import READINGS, named, of_design
from decoder.readings.reading import Question, Reading
from decoder.readings.run import Run

Fields = dict[str, object]

PARTS = ("reading", "step", "now_ms", "clock", "wrote", "then")
"""What an address is made of, in this order."""

ANEW = ("", SELECT, "write", "reset")
"""Actions that begin a reading afresh, as a step does; the others go on from what stands."""


def readings_beside(reading: Reading) -> list[Reading]:
    """Return the readings of this one's design."""
    return of_design(reading.design)


def in_design(reading: Reading, design: str) -> Reading:
    """Return the reading that answers the same question in another design, else its first."""
    beside = of_design(design)
    return next((one for one in beside if one.question == reading.question), beside[0])


def read_back(reading: Reading, score: str | None) -> str:
    """Say what a stored score is read back as, nothing of none."""
    return "" if score is None else "read back: " + reading.conclude(float(score)).says


def now_stored(run: Run) -> str:
    """Return the score that the job has now in the set that was chosen, or say that it has none."""
    if run.score.stored is not None:
        return run.score.stored
    return "not stored yet" if run.inputs["step"] == 1 else "no longer in this set"


def misreadings(run: Run | None, same: bool) -> dict[str, list[str]]:
    """Return each sentence about a number read another way, with what its readings are called.

    With `same` they are the readings of the same encoding, else those that make nonsense of it.
    """
    says: dict[str, list[str]] = {}
    for one in run.misread if run else ():
        if one.same_encoding == same:
            says.setdefault(one.says, []).append(named(READINGS[one.reading]))
    return says


def same_beside(reading: Reading) -> str:
    """Return the ids of this design's readings whose encoding another reading has too."""
    encodings = [one.encoding for one in READINGS.values()]
    beside = of_design(reading.design)
    return " ".join(one.id for one in beside if encodings.count(one.encoding) > 1)


def select(reading: Reading) -> Fields:
    """Return the fields that choose a reading."""
    return {"action": SELECT, "reading": reading.id}


class Offer(NamedTuple):
    """An action: what is asked before it, and its links, each the fields that it sends and a label.

    One of a question sends an answer; the last sends none.
    """

    asks: str
    links: list[tuple[Fields, str]]


def offers(reading: Reading) -> list[Offer]:
    """Return the actions of a reading, those that surprise with what is asked before them."""
    offered: list[Offer] = []
    for one in (action for action in reading.actions if action.label):
        fields: Fields = {"action": one.name, "reading": reading.id}
        asked = one.question
        offered.append(_offer(fields, one.label, asked, asked.asks if asked else ""))
        if one.lifo:
            with_lifo: Fields = {**fields, "lifo": 1}
            offered.append(_offer(with_lifo, one.lifo, asked, asked.lifo if asked else ""))
    return offered


def _offer(fields: Fields, label: str, question: Question | None, asks: str) -> Offer:
    answers = question.answers.items() if question else ()
    links: list[tuple[Fields, str]] = [({**fields, "guess": name}, says) for name, says in answers]
    return Offer(asks, [*links, (fields, label)])


def moments() -> list[tuple[Fields, str]]:
    """Return three positions of the pinned clock that matter: before, at and after the due time."""
    at = [(DUE_MS - 1, "1 ms before due"), (DUE_MS, "at due"), (DUE_MS + 10_000, "10 s after")]
    return [({"action": "look", "now_ms": ms, "clock": "pinned"}, label) for ms, label in at]


def timed_beside(reading: Reading) -> str:
    """Return the ids of this design's readings for which the moments of the clock matter."""
    return " ".join(one.id for one in of_design(reading.design) if one.is_timed)


def untimed_beside(reading: Reading) -> str:
    """Return the ids of this design's readings for which time does not matter."""
    return " ".join(one.id for one in of_design(reading.design) if not one.is_timed)


def clocks(request: Request) -> list[tuple[Fields, str, bool]]:
    """Return the two clocks: the fields that choose each, its name, whether it is chosen."""
    names = {"pinned": "pinned clock", "server": "the server’s TIME"}
    return [
        ({"action": SELECT, "clock": clock}, name, request.clock == clock)
        for clock, name in names.items()
    ]


def step_of(request: Request, run: Run | None) -> int:
    """Return the step at which the page stands, 0 where a reading was chosen as a whole."""
    step: int = run.inputs["step"] if run else request.step
    return step


def steps_around(reading: Reading, step: int) -> tuple[Fields | None, Fields | None]:
    """Return the fields of the step before and of the one after, over all readings of a design."""
    design = [one.id for one in of_design(reading.design)]
    first = design.index(reading.id) * 4
    before, after = first + step - 2, first + step
    if step == SELECTED:
        before = first - 1

    def fields(at: int) -> Fields | None:
        if not 0 <= at < 4 * len(design):
            return None
        return {"step": at % 4 + 1, "reading": design[at // 4]}

    return fields(before), fields(after)


def here(request: Request, run: Run | None) -> dict[str, str]:
    """Return the parts of the address of the state on screen."""
    if run:
        return dict(parse_qsl(urlsplit(run.address).query))
    parts = {"reading": request.reading.id, "step": str(request.step or ""), "clock": request.clock}
    if request.now_ms != T0_MS:
        parts["now_ms"] = str(request.now_ms)
    return parts


def query(here: Mapping[str, str], fields: Fields) -> str:
    """Write the query of the address that a link leads to from the state on screen."""
    action, asked = str(fields.get("action", "")), dict(here)
    anew = action in ANEW or fields.get("reading", here["reading"]) != here["reading"]
    wrote = asked.pop("wrote", asked.get("clock", "pinned"))
    then = asked.pop("then", "")
    if anew:
        asked.pop("step", None)
    asked |= {name: str(value) for name, value in fields.items() if name in PARTS}
    if asked.get("clock") == "pinned":
        del asked["clock"]
    if not anew and wrote != asked.get("clock", "pinned"):
        asked["wrote"] = wrote
    if action not in ANEW:
        parts = [action, "lifo" if fields.get("lifo") else "", str(fields.get("guess", ""))]
        entry = "-".join(filter(None, parts))
        asked["then"] = f"{then},{entry}" if then and not anew else entry
    return urlencode({name: asked[name] for name in PARTS if asked.get(name)}, safe=",/")
