"""Loads how hypothesis runs here."""

from __future__ import annotations

import tests.support.fuzz  # noqa: F401
