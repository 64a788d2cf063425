"""Our course as it stands in content/: which pages there are, and which figures stand on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from decoder.figures import syllabus
from decoder.figures.labs import LABS
from decoder.sandbox.scripts import load_scripts
from decoder.settings import Settings, files

COURSE = syllabus.read(load_scripts(files("lua")), Settings())
DIVES = [dive.path for dive in COURSE.dives.values()]
"""The address of every page of the course: dives, chapters, the guide."""
SECOND_FIGURES = [
    (dive.path, name)
    for dive in COURSE.dives.values()
    for name in dive.figures
    if name != dive.figure
]
"""Each figure that stands further down a page, with the page's address."""

QUICK_LABS = ("cliff-wrap", "race")
"""Labs are alike: `make test` looks at one with a slider and one with turns, `test-all` at each."""


def sparing(*cases: Any, named: Callable[[Any], str] = str) -> list[Any]:
    """Mark the cases of all other labs as long; `named` tells the name in a case."""
    return [
        pytest.param(*one if isinstance(one, tuple) else (one,), marks=pytest.mark.long)
        if named(one).rpartition("/")[2] in LABS and named(one).rpartition("/")[2] not in QUICK_LABS
        else one
        for one in cases
    ]
