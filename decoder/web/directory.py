"""Directory: every page that exists, by its kind, and the one nearest to an address that isn't."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from typing import NamedTuple

from decoder.course import guide
from decoder.course.course import Course
from decoder.course.dive import Dive
from decoder.figures import FIGURES
from decoder.figures.library import Library


class Listed(NamedTuple):
    """A page in a list: its address, its title, and one sentence about it."""

    path: str
    title: str
    summary: str


HOME = Listed(
    "/", "Score Decoder: one number decides who is served first",
    "Move two sliders: a real Valkey stores the number and the queue rearranges. "
    "What one sorted-set score can mean.",
)  # fmt: skip
SCRIPTS = Listed(
    "/scripts", "The scripts",
    "Every Lua script that the figures and dives run, by design, each with its source and a "
    "proven example.",
)  # fmt: skip
BESIDE = "Beside our course"
"""What stands in a folder beside ours is listed under this heading, on the home page and here."""
GLOSSARY = Listed(
    "/glossary", "Glossary",
    "The words of the course, each in the one sense in which its pages use it, with the dives that "
    "do.",
)  # fmt: skip


def groups(course: Course, library: Library) -> dict[str, list[Listed]]:
    """Return every page by its kind, in the order in which one would read them."""
    theirs = course.beside
    ours = [path for path in course.dives if path not in theirs]
    scripts = [
        Listed(path, f"{one.file} ({one.design})", one.script.says) for path, one in library.items()
    ]
    figures = [Listed(f"/figures/{n}", one.TITLE, one.INVITES) for n, one in FIGURES.items()]
    around = [_listed(course.dives[guide.PATH])] if guide.PATH in course.dives else []
    beside = {BESIDE: _shelved(course, theirs)} if theirs else {}
    return {
        "The course": [HOME, *_shelved(course, ours)],
        **beside,
        "The figures": figures,
        "The scripts": [SCRIPTS, *scripts],
        "Around the course": [GLOSSARY, *around],
    }


def _shelved(course: Course, paths: Collection[str]) -> list[Listed]:
    """List the course's pages at some addresses, each chapter before its dives."""
    pages = [page for chapter, dives in course.shelves(paths) for page in (chapter, *dives) if page]
    return [_listed(page) for page in pages if page.path in paths]


def _listed(dive: Dive) -> Listed:
    return Listed(dive.path, dive.title, dive.summary)


def nearest(path: str, pages: Iterable[Listed]) -> Listed | None:
    """Return the page that someone who asked for `path` may have meant.

    First one whose last part is like the asked one, in the same folder or in any; then one whose
    whole address is; then the nearest page above.
    """
    by_path = {page.path: page for page in pages}
    above, _, last = path.rstrip("/").rpartition("/")
    beside = {_last(one): one for one in by_path if one.rpartition("/")[0] == above}
    everywhere = {_last(one): one for one in by_path}
    for among, likeness in ((beside, 0.6), (everywhere, 0.75)):
        if found := difflib.get_close_matches(last, among, n=1, cutoff=likeness):
            return by_path[among[found[0]]]
    if found := difflib.get_close_matches(path, by_path, n=1, cutoff=0.85):
        return by_path[found[0]]
    while above:
        if above in by_path:
            return by_path[above]
        above = above.rpartition("/")[0]
    return None


def _last(path: str) -> str:
    return path.rpartition("/")[2]
