"""Reading: one file into its page, with every fault that stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from decoder.course import front
from decoder.course.body import Body
from decoder.course.dive import Dive, Placed
from decoder.course.known import Known, figure_faults
from decoder.errors import CourseFault


def read(file: str, text: str, known: Known) -> tuple[Dive | None, list[CourseFault]]:
    """Read one file; return its page, None where the front matter is broken, and its faults.

    `file` is its path below the content folder, which is its address but for the ending.
    """
    try:
        fields, faults, markdown, first_line = front.read(text)
    except CourseFault as fault:
        return None, [fault]
    body = Body(markdown, known, file, first_line)
    if faults:
        return None, faults + body.faults
    dive = Dive(
        path=address(file), file=file, sections=body.sections, words=body.words,
        links=body.links, **fields,
    )  # fmt: skip
    body.faults += _whole(dive, known, body.lines)
    return dive, body.faults


_PART = "[A-Za-z0-9][A-Za-z0-9._-]*"
_NAME = re.compile(rf"{_PART}(?:/{_PART})*")
NAME_CURE = "its name is its address: use letters, digits, hyphens and underscores."


def is_name(file: str) -> bool:
    """Tell whether a file's path can be an address as it is."""
    return _NAME.fullmatch(file) is not None


def address(file: str) -> str:
    """Return a page's address: its file's path without the ending; a chapter is an index.md."""
    return "/" + file.removesuffix(".md").removesuffix("/index")


def _whole(dive: Dive, known: Known, lines: Mapping[str, int]) -> Iterator[CourseFault]:
    """Yield what only the page as a whole can get wrong."""
    if dive.figure:
        yield from figure_faults(dive.figure, dive.start, known, 1)
    elif dive.start:
        yield CourseFault("start: belongs to a figure: add “figure: …”.", line=1)
    names = [dive.figure, *(one.name for one in dive.blocks if isinstance(one, Placed))]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield CourseFault(f"the figure {name} stands on this page twice: keep one.", line=1)
    if dive.transcripts and not dive.proved:
        yield CourseFault(
            "add “proved: Valkey <version>”, the server on which `decoder check` proves the "
            "transcripts.",
            line=1,
        )
    twice = {one for one in dive.ids if dive.ids.count(one) > 1}
    for one in sorted(twice | dive.titles.intersection(dive.ids)):
        yield CourseFault(
            f"two parts of this page are called {one}: rename a transcript, or end a heading with "
            "{#another}.",
            line=lines.get(one) or lines.get(one.removesuffix("-title"), 1),
        )
    if not dive.sections:
        yield CourseFault("add a section: a line “## Its heading” and some text.", line=1)
