"""Figures: the interactive parts of a dive, one module each, registered by name below."""

from __future__ import annotations

from types import ModuleType

from decoder.figures import composite, three_readings, two_designs

FIGURES: dict[str, ModuleType] = {
    module.NAME: module for module in (composite, three_readings, two_designs)
}
"""Every figure by its one name: in addresses, templates, scripts and tests."""
