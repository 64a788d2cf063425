"""Our course as it stands in content/: which pages there are, and which figures stand on them."""

from __future__ import annotations

from decoder.figures import syllabus
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
