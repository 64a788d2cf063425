"""Stepping: links that lead on from a state, for where no script runs and no form is sent.

Cards, steps and answers are links in any case; here is what else only sliders and buttons do.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from decoder.encodings import double
from decoder.readings import bits
from decoder.readings.run import Run

Step = tuple[str, str]
"""What a link is called, and the query that it leads to."""


def links(figure: Any, run: Run, locked: tuple[str, ...] = ()) -> list[Step]:
    """Return one step down and one up of each input, and the actions that are no links yet."""
    here = dict(parse_qsl(urlsplit(run.address).query))
    found: list[Step] = []
    if figure.NAME == "bits" and run.score.stored is not None:
        return _neighbours(here, float(run.score.stored))
    if figure.NAME == "three-readings":
        return []
    for one in figure.INPUTS:
        allowed = one.allowed(run.full)
        value = run.inputs[one.name]
        for step, way in ((-1, "one less"), (1, "one more")):
            if one.name not in locked and allowed.least <= value + step <= allowed.most:
                fields = {key: text for key, text in here.items() if key not in ("then", "guess")}
                fields[one.name] = str(value + step)
                found.append((f"{one.label}: {way}", urlencode(fields)))
    if figure.NAME == "composite":
        for action, label in (("serve", "Serve next"), ("add", "Add another job")):
            then = ",".join(filter(None, (here.get("then"), action)))
            found.append((label, urlencode({**here, "then": then}, safe=",")))
    return found


def _neighbours(here: dict[str, str], score: float) -> list[Step]:
    below, above = double.neighbours(score)
    kept = {name: text for name, text in here.items() if name == "reading"}
    return [
        (label, urlencode({"score": bits.text(value), **kept}))
        for label, value in (("The double below", below), ("The double above", above))
    ]
