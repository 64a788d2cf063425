"""Guide: the sample on /instructors, a page like a dive, with the Markdown of each section."""

from __future__ import annotations

import itertools
from pathlib import Path

from decoder.course import front, markup
from decoder.settings import files

FILE = "instructors.md"
PATH = "/instructors"


def file() -> Path:
    """Return the file of the sample, which only our own course holds."""
    return files("content") / FILE


def sources(text: str) -> dict[str, str]:
    """Return what stands below each heading of a file, by the heading's anchor."""
    markdown = front.read(text).markdown
    tokens = markup.parse(markdown)
    lines = markdown.splitlines()
    headings = [
        (token.map[0], markup.heading(inline)[1])
        for token, inline in itertools.pairwise(tokens)
        if (token.type, token.tag) == ("heading_open", "h2") and token.map and not token.level
    ]
    ends = [line for line, _ in headings[1:]] + [len(lines)]
    return {
        anchor: "\n".join(lines[begin + 1 : end]).strip()
        for (begin, anchor), end in zip(headings, ends, strict=True)
    }
