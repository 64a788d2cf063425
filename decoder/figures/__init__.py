"""Figures: the interactive parts of a dive, one module each, registered by name below."""

from __future__ import annotations

from types import ModuleType

from decoder.figures import composite

FIGURES: dict[str, ModuleType] = {module.NAME: module for module in (composite,)}
"""Every figure by its one name: in addresses, templates, scripts and tests."""
