"""Course: the pages of some content folders, their order, and their faults."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from decoder.course import guide, reading
from decoder.course.dive import Block, Definition, Dive, Note, Pair, Prose, Section
from decoder.course.glossary import Term
from decoder.course.known import Known
from decoder.errors import CourseFault, UnreadableFile

TAKEN = (
    "components", "decode", "embed", "figures", "glossary", "healthz", "instructors", "llms.txt",
    "metrics", "oembed", "readyz", "robots.txt", "scripts", "sitemap.xml", "static",
)  # fmt: skip
"""First parts of addresses that are not the course's."""

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")

FILE_BYTES_MOST = 1024 * 1024
"""What a page may weigh, ten times the longest of ours: it is read before anything is served."""


@dataclass(frozen=True)
class Broken:
    """A page that cannot be shown: the path of its file below the content folder, and why."""

    file: str
    faults: list[CourseFault]


@dataclass
class Course:
    """Every page by its address, in the order of the course; broken ones apart, with why."""

    dives: dict[str, Dive] = field(default_factory=dict)
    broken: dict[str, Broken] = field(default_factory=dict)
    faults: list[tuple[str, CourseFault]] = field(default_factory=list)
    terms: dict[str, Term] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    beside: set[str] = field(default_factory=set)
    """The addresses of pages that stand in a folder beside ours."""
    pictures: dict[str, Path] = field(default_factory=dict)

    def chapter_of(self, dive: Dive) -> Dive | None:
        """Return the chapter that a dive belongs to: the nearest above it."""
        above = dive.path.rpartition("/")[0]
        while above:
            found = self.dives.get(above)
            if found and found.is_chapter:
                return found
            above = above.rpartition("/")[0]
        return None

    def dives_of(self, chapter: Dive) -> list[Dive]:
        """Return the dives of a chapter in their order."""
        return [
            one
            for one in self.dives.values()
            if not one.is_chapter and self.chapter_of(one) is chapter
        ]

    def below(self, chapter: Dive) -> list[Dive]:
        """Return what stands directly below a chapter in its order: dives, and further chapters."""
        return [one for one in self.dives.values() if self.chapter_of(one) is chapter]

    def neighbours(self, dive: Dive) -> tuple[Dive | None, Dive | None]:
        """Return the dives before and after this one in its chapter."""
        chapter = self.chapter_of(dive)
        row: list[Dive | None] = [None, *(self.dives_of(chapter) if chapter else []), None]
        if dive not in row:
            return None, None
        at = row.index(dive)
        return row[at - 1], row[at + 1]

    def shelves(self, shown: Collection[str]) -> list[tuple[Dive | None, list[Dive]]]:
        """Return the pages at some addresses: chapters with their dives, then dives without one.

        A chapter that is not among them stands above its dives all the same.
        """
        shelves: dict[str, list[Dive]] = {}
        for page in self.dives.values():
            if page.path in shown and page.path != guide.PATH:
                chapter = page if page.is_chapter else self.chapter_of(page)
                shelf = shelves.setdefault(chapter.path if chapter else "", [])
                shelf += [] if page.is_chapter else [page]
        order = sorted(shelves, key=lambda path: not path)
        return [(self.dives.get(path), shelves[path]) for path in order]

    def hangs_beside(self, dive: Dive) -> bool:
        """Tell whether no chapter of ours leads to a page, only the list on the home page."""
        top = next(iter(self.crumbs(dive)), dive)
        return top.path in self.beside

    def uses_of(self, term: Term) -> list[tuple[Dive, Section]]:
        """Return the dives that lead to a term's definition, each with the section that does."""
        found = []
        for dive in self.dives.values():
            sections = [one for one in dive.sections if any(_uses(b, term) for b in one.blocks)]
            if sections and dive.path != guide.PATH:
                found.append((dive, sections[0]))
        return found

    def crumbs(self, dive: Dive) -> list[Dive]:
        """Return the chapters above a page, from the top."""
        crumbs: list[Dive] = []
        chapter = self.chapter_of(dive)
        while chapter:
            crumbs.insert(0, chapter)
            chapter = self.chapter_of(chapter)
        return crumbs


def load(folders: Sequence[Path], known: Known) -> Course:
    """Read every page of the folders, ours first. A broken page never takes another one down."""
    course = Course(terms=dict(known.terms), folders=list(folders))
    pages: dict[str, Dive] = {}
    closed: list[OSError] = []
    for folder in folders:
        for path in _files(folder, closed):
            file, ours = path.relative_to(folder).as_posix(), folder == folders[0]
            if path.suffix.lower() in PICTURES:
                faults = list(_misplaced(path, folder, ours=ours))
                if not faults:
                    course.pictures.setdefault(f"/{file}", path)
            else:
                faults = _load_page(path, folder, known, course, pages, ours=ours)
            course.faults += [(str(path), fault) for fault in faults]
    course.faults += [
        (str(one.filename), UnreadableFile(f"it cannot be opened: {one.strerror}."))
        for one in closed
    ]
    for page in sorted(pages.values(), key=lambda one: (one.order, one.path)):
        course.dives[page.path] = page
    return course


def _uses(block: Block, term: Term) -> bool:
    link = f'href="/glossary#{term.anchor}"'
    if isinstance(block, Pair):
        return link in block.pattern[1] + block.application[1]
    if isinstance(block, Definition):
        return block.term == term.name
    return isinstance(block, Prose | Note) and link in block.html


def _files(folder: Path, closed: list[OSError]) -> list[Path]:
    """Return pages and pictures; what begins with a dot, such as .git, is not the course's.

    Folders that cannot be opened are added to `closed`.
    """
    found: list[Path] = []
    for where, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        shown = [name for name in (*folders, *files) if not name.startswith(".")]
        found += [Path(where, name) for name in shown]
    return sorted(path for path in found if path.suffix.lower() in (".md", *PICTURES))


def _load_page(
    path: Path, folder: Path, known: Known, course: Course, pages: dict[str, Dive], *, ours: bool
) -> list[CourseFault]:
    file = path.relative_to(folder).as_posix()
    address = reading.address(file)
    dive, faults = None, list(_misplaced(path, folder, ours=ours))
    if not faults and (address in pages or address in course.broken):
        return [CourseFault(f"{address} is there already: name this file otherwise.")]
    if not faults:
        dive, faults = _read(path, file, known)
    if faults:
        course.broken[address] = Broken(file, faults)
    elif dive:
        pages[address] = dive
        course.beside |= set() if ours else {address}
    return faults


def _misplaced(path: Path, folder: Path, *, ours: bool) -> Iterator[CourseFault]:
    """Yield why a file cannot have an address of the course."""
    file = path.relative_to(folder).as_posix()
    first = file.partition("/")[0].removesuffix(".md")
    if first in TAKEN and not (ours and file == guide.FILE):
        yield CourseFault(f"addresses below /{first} are not the course’s: move the file.")
    if not reading.is_name(file):
        yield CourseFault(reading.NAME_CURE)
    try:
        # Path.resolve raises something else for a loop of links.
        inside = Path(os.path.realpath(path, strict=True)).is_relative_to(folder.resolve())
    except OSError as fault:
        yield UnreadableFile(f"it cannot be read: {fault.strerror}.")
        return
    if not inside:
        yield CourseFault("it leads out of the course’s folder: put a copy there.")


def _read(path: Path, file: str, known: Known) -> tuple[Dive | None, list[CourseFault]]:
    try:
        size = path.stat().st_size
        if size > FILE_BYTES_MOST:
            return None, [
                CourseFault(f"it has {size} bytes and may have {FILE_BYTES_MOST}: part it in two.")
            ]
        # Some editors put a mark before the first character.
        return reading.read(file, path.read_text("utf-8-sig"), known)
    except UnicodeDecodeError:
        return None, [UnreadableFile("the file is no UTF-8: save it as UTF-8.")]
    except OSError as fault:
        return None, [UnreadableFile(f"it cannot be read: {fault.strerror}.")]
