"""A dive as an instructor writes it: a file in a folder, and what such a file may name."""

from __future__ import annotations

from pathlib import Path

from decoder.course import reading
from decoder.course.dive import Block, Dive
from decoder.course.glossary import Term
from decoder.course.known import Known
from decoder.errors import CourseFault

FRONT = """---
title: A title
headline: One *word* of it
kicker: Above
summary: In short.
lede: At the start.
proved: Valkey 9.1.2
---
"""
FRONT_LINES = FRONT.count("\n")

KNOWN = Known(
    figures={"composite": ("tier", "arrival", "action"), "three-readings": ("reading", "step")},
    scripts={"packed/add_prioritized": (2, 2), "one-number/enqueue": (2, 3)},
    commands=("zadd", "zrange", "zcard", "get", "set", "time", "del", "incr"),
    terms={
        "sorted set": Term("sorted set", ("sorted sets", "zset"), "Members by *score*."),
        "score": Term("score", ("scores",), "A double."),
        "lease": Term("lease", (), "A promise."),
    },
)


def page(markdown: str, front: str = FRONT) -> str:
    """Return the text of a file around this Markdown, which begins on the line after `front`."""
    return front + markdown


def read(markdown: str, front: str = FRONT, file: str = "course/page.md") -> Dive:
    """Read a page that has no fault."""
    dive, faults = reading.read(file, page(markdown, front), KNOWN)
    assert [(one.line, one.sentence) for one in faults] == []
    assert dive
    return dive


def blocks(markdown: str) -> list[Block]:
    """Return the blocks of a page whose only section this Markdown is."""
    return read(f"## Part\n\n{markdown}").blocks


def html(markdown: str) -> str:
    """Return the rendered prose of a page whose only section this Markdown is."""
    return "".join([block.html for block in blocks(markdown) if block.kind == "prose"])


def faults(markdown: str, front: str = FRONT, file: str = "course/page.md") -> list[CourseFault]:
    """Return what is wrong with a page, its lines counted from the Markdown's own first."""
    _, found = reading.read(file, page(markdown, front), KNOWN)
    below = front.count("\n")
    return [CourseFault(one.sentence, line=one.line - below) for one in found]


def write(folder: Path, file: str, text: str) -> Path:
    """Write a file of a course."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
