"""Dive: one Markdown file with front matter, read into a title, a hero figure and sections."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt

from decoder.errors import CourseFault

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
_REQUIRED = ("title", "headline", "kicker", "summary", "lede")


@dataclass(frozen=True)
class Section:
    """A part of a dive under one heading, with the anchor that links to it."""

    anchor: str
    title: str
    html: str


@dataclass(frozen=True)
class Dive:
    """One course page. `path` is its address; `headline` marks its telling word with *…*."""

    path: str
    title: str
    headline: str
    hue: str
    kicker: str
    summary: str
    lede: str
    figure: str
    order: int
    sections: list[Section]
    is_chapter: bool

    @property
    def parents(self) -> list[str]:
        """The addresses above this one that may be chapters, from the top."""
        parts = self.path.strip("/").split("/")
        return ["/" + "/".join(parts[:n]) for n in range(1, len(parts))]


def load(folder: Path, figures: Collection[str]) -> dict[str, Dive]:
    """Read every page under `folder` by its address; raises CourseFault naming file and cure."""
    dives = [read(path, folder, figures) for path in sorted(folder.rglob("*.md"))]
    return {dive.path: dive for dive in sorted(dives, key=lambda dive: dive.order)}


def read(path: Path, folder: Path, figures: Collection[str]) -> Dive:
    """Read one file; its address is its path without .md, and a chapter is an index.md."""
    name = path.relative_to(folder).as_posix()
    parts = _FRONT_MATTER.match(path.read_text())
    if parts is None:
        raise CourseFault(f"content/{name}: begin with front matter between two lines of ---.")
    front = _front_matter(name, parts[1])
    missing = [key for key in _REQUIRED if not front.get(key)]
    if missing:
        raise CourseFault(f"content/{name}: add “{missing[0]}: …” to the front matter.")
    figure = front.get("figure", "")
    if figure and figure not in figures:
        raise CourseFault(f"content/{name}: there is no figure “{figure}”.")
    address = "/" + name.removesuffix(".md").removesuffix("/index")
    return Dive(
        address,
        front["title"],
        front["headline"],
        front.get("hue", "tier"),
        front["kicker"],
        front["summary"],
        front["lede"],
        figure,
        int(front.get("order", 0)),
        _sections(parts[2]),
        path.name == "index.md",
    )


def _front_matter(name: str, text: str) -> dict[str, Any]:
    try:
        front = yaml.safe_load(text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        # The block begins on the file's second line.
        line = f", line {mark.line + 2}" if mark else ""
        raise CourseFault(f"content/{name}{line}: the front matter is no YAML.") from None
    if not isinstance(front, dict):
        raise CourseFault(f"content/{name}: the front matter must be lines of “name: value”.")
    return front


def _sections(markdown: str) -> list[Section]:
    sections = []
    for part in re.split(r"^## ", markdown, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        anchor = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        sections.append(Section(anchor, title.strip(), MarkdownIt("commonmark").render(body)))
    return sections
