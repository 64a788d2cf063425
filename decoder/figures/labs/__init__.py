"""Labs: small figures, each for one cliff of a score: a set-up, a question, and what Valkey did."""

from __future__ import annotations

from decoder.figures.labs import (
    bounds,
    cliff_2039,
    cliff_priority,
    cliff_wrap,
    lua_numbers,
    race,
    slots,
    ties,
)
from decoder.figures.labs.lab import Lab

LABS: dict[str, Lab] = {
    module.LAB.NAME: module.LAB
    for module in (cliff_priority, cliff_wrap, cliff_2039, slots, ties, lua_numbers, bounds, race)
}
"""Every lab by its name: one module each."""
