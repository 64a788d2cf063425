"""Dive: one page of the course as the templates see it: front matter, sections, blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from decoder.transcripts.block import Exchange


@dataclass(frozen=True)
class Prose:
    """Markdown, rendered."""

    kind: ClassVar[str] = "prose"
    html: str


@dataclass(frozen=True)
class Placed:
    """A figure in its place, with the fields of its start state.

    `level` is that of its title, one below the heading under which it stands.
    """

    kind: ClassVar[str] = "figure"
    name: str
    start: dict[str, str]
    level: int = 3


@dataclass(frozen=True)
class Transcript:
    """Commands and the replies they get. A fresh one begins with an empty sandbox."""

    kind: ClassVar[str] = "transcript"
    id: str
    fresh: bool
    exchanges: list[Exchange]


@dataclass(frozen=True)
class Listing:
    """The source of one of our scripts, by its name."""

    kind: ClassVar[str] = "listing"
    script: str


@dataclass(frozen=True)
class Pair:
    """A pattern and its application, side by side: titles, of one level, and rendered Markdown."""

    kind: ClassVar[str] = "pair"
    pattern: tuple[str, str]
    application: tuple[str, str]
    level: int = 3


@dataclass(frozen=True)
class Note:
    """An aside. `level` is that of its title."""

    kind: ClassVar[str] = "note"
    title: str
    html: str
    level: int = 3


@dataclass(frozen=True)
class Definition:
    """A term of the glossary, defined in its place."""

    kind: ClassVar[str] = "definition"
    term: str


Block = Prose | Placed | Transcript | Listing | Pair | Note | Definition


@dataclass(frozen=True)
class Section:
    """A part of a dive under one heading, with the anchor that links to it.

    `below` are the (anchor, title) of its sub-headings.
    """

    anchor: str
    title: str
    blocks: list[Block]
    below: list[tuple[str, str]]


@dataclass(frozen=True)
class Source:
    """A work of others that a dive leans on."""

    title: str
    url: str
    says: str


@dataclass(frozen=True)
class Related:
    """A page beside this one; without an address where it is not written yet."""

    title: str
    to: str
    says: str


@dataclass(frozen=True)
class Dive:
    """One course page. `path` is its address; `headline` marks its telling word with *…*."""

    path: str
    file: str
    title: str
    headline: str
    kicker: str
    summary: str
    lede: str
    hue: str = "tier"
    order: int = 0
    design: str = ""
    figure: str = ""
    start: dict[str, str] = field(default_factory=dict)
    now_ms: int = 0
    proved: str = ""
    sources: list[Source] = field(default_factory=list)
    related: list[Related] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    words: int = 0
    links: list[tuple[int, str]] = field(default_factory=list)

    @property
    def is_chapter(self) -> bool:
        """Whether it is the page above some dives."""
        return self.file.rpartition("/")[2] == "index.md"

    @property
    def minutes(self) -> int:
        """How long it takes to read, at 200 words a minute."""
        return max(1, round(self.words / 200))

    @property
    def blocks(self) -> list[Block]:
        """All blocks of all sections, in the order of the page."""
        return [block for section in self.sections for block in section.blocks]

    @property
    def transcripts(self) -> list[Transcript]:
        """Its transcripts in the order of the page, which is the order in which they are proven."""
        return [block for block in self.blocks if isinstance(block, Transcript)]

    @property
    def figures(self) -> dict[str, dict[str, str]]:
        """Every figure on the page with its start state, the hero first."""
        hero = {self.figure: self.start} if self.figure else {}
        placed = [block for block in self.blocks if isinstance(block, Placed)]
        return hero | {block.name: block.start for block in placed}

    @property
    def ids(self) -> list[str]:
        """The ids that stand on its page, those of the page itself among them."""
        own = [anchor for part in self.sections for anchor in (part.anchor, *dict(part.below))]
        figures = [name.replace("-", "_") for name in self.figures]
        return [*own, *(one.id for one in self.transcripts), *figures, "main", "sources", "related"]

    @property
    def titles(self) -> set[str]:
        """The ids of the headings of its sections, which nobody links to."""
        return {f"{part.anchor}-title" for part in self.sections}

    @property
    def anchors(self) -> set[str]:
        """Everything on the page that a link can lead to."""
        left_out = {"sources" if not self.sources else "", "related" if not self.related else ""}
        return set(self.ids) - left_out
