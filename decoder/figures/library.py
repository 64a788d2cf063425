"""Library: the scripts' own pages: where each is used, and its example as a transcript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decoder.course.course import Course
from decoder.course.dive import Dive, Listing, Section, Transcript
from decoder.errors import ScriptFault, TranscriptFault
from decoder.figures import FIGURES
from decoder.figures.desk import STAGE
from decoder.readings.catalogue import DESIGNS
from decoder.sandbox import embedded
from decoder.sandbox.scripts import Script
from decoder.transcripts import block

SHELVES = {**DESIGNS, "labs": "at the edges of a score"}
"""What people call that which the scripts of a folder are for: a design, or the labs."""

EXAMPLE = "example"


@dataclass(frozen=True)
class Use:
    """A page that runs or shows a script: its title, its address, and where on it.

    `places` are pairs of what the page does with the script and the anchor at which it does.
    """

    title: str
    path: str
    places: list[tuple[str, str]]


@dataclass(frozen=True)
class Entry:
    """One script with its page, which carries its example as the only transcript."""

    script: Script
    page: Dive
    uses: list[Use]

    @property
    def file(self) -> str:
        """The name of its file, without the folder."""
        return self.script.name.partition("/")[2] + ".lua"

    @property
    def folder(self) -> str:
        """The folder of its file, which is the design it belongs to."""
        return self.script.name.partition("/")[0]

    @property
    def design(self) -> str:
        """What people call its design."""
        return SHELVES.get(self.folder, self.folder)


class Library(dict[str, Entry]):
    """Every script that has a page, by its address, in the order of the shelves."""

    @property
    def shelves(self) -> dict[str, list[Entry]]:
        """The entries by their design, as people call it."""
        shelves: dict[str, list[Entry]] = {}
        for entry in self.values():
            shelves.setdefault(entry.design, []).append(entry)
        return shelves

    def neighbours(self, entry: Entry) -> tuple[Entry | None, Entry | None]:
        """Return the entries before and after one."""
        row: list[Entry | None] = [None, *self.values(), None]
        at = row.index(entry)
        return row[at - 1], row[at + 1]


def collect(scripts: Mapping[str, Script], course: Course) -> Library:
    """Collect the scripts that have a page: all but those that set scenes.

    Raises ScriptFault for a header whose example cannot be read.
    """
    order = list(SHELVES)
    shown = [one for one in scripts.values() if not one.name.startswith(STAGE)]

    def shelf(script: Script) -> tuple[int, str]:
        folder = script.name.partition("/")[0]
        return (order.index(folder) if folder in order else len(order), script.name)

    library = Library()
    for script in sorted(shown, key=shelf):
        page = _page(script)
        library[page.path] = Entry(script, page, list(_uses(script.name, course)))
    return library


def _page(script: Script) -> Dive:
    text, line = script.example
    try:
        exchanges = block.read(text, line)
    except TranscriptFault as fault:
        raise ScriptFault(f"lua/{script.name}.lua:{fault.line}: {fault.sentence}") from None
    example = Section(EXAMPLE, "An example", [Transcript(EXAMPLE, True, exchanges)], [])
    name = script.name.partition("/")[2]
    return Dive(
        path=f"/scripts/{script.name}", file=f"lua/{script.name}.lua", title=f"{name}.lua",
        headline=f"{name}.lua", kicker="A script", summary=script.says, lede=script.says,
        proved=embedded.software(), sections=[example] if exchanges else [],
    )  # fmt: skip


def _uses(name: str, course: Course) -> Iterator[Use]:
    """Yield the figures that run a script, then the dives that show or call it, each page once."""
    for figure in FIGURES.values():
        if name in figure.SCRIPTS:
            yield Use(figure.TITLE, f"/figures/{figure.NAME}", [])
    for dive in course.dives.values():
        if places := [place for section in dive.sections for place in _places(name, section)]:
            yield Use(dive.title, dive.path, places)


def _places(name: str, section: Section) -> Iterator[tuple[str, str]]:
    for part in section.blocks:
        if isinstance(part, Listing) and part.script == name:
            yield f"shown in “{section.title}”", section.anchor
        if isinstance(part, Transcript) and _calls(part, name):
            yield f"called in “{part.id.replace('-', ' ')}”", part.id


def _calls(transcript: Transcript, name: str) -> bool:
    return any(one.script == name for one in transcript.exchanges)
