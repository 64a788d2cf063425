"""Labs: small figures, each for one cliff of a score: a set-up, a question, and what Valkey did."""

from __future__ import annotations

from decoder.figures.labs import cliff_2039, cliff_priority, cliff_wrap, slots
from decoder.figures.labs.lab import Lab

LABS: dict[str, Lab] = {
    module.LAB.NAME: module.LAB for module in (cliff_priority, cliff_wrap, cliff_2039, slots)
}
"""Every lab by its name: one module each."""
