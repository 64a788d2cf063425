"""Figures: the interactive parts of a dive, one module each, registered by name below."""

from __future__ import annotations

from typing import Any

from decoder.figures import bits, composite, three_readings, two_designs
from decoder.figures.labs import LABS

FIGURES: dict[str, Any] = {
    **{module.NAME: module for module in (composite, three_readings, two_designs, bits)},
    **LABS,
}
"""Every figure by its one name: in addresses, templates, scripts and tests."""


def template_of(name: str) -> str:
    """Return the name of a figure's template: its own, or the one that all labs share."""
    return str(getattr(FIGURES[name], "TEMPLATE", name))
