"""Directives: what stands between colons, and a transcript's fence, each read into its block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

from markdown_it.token import Token

from decoder.course import markup
from decoder.course.dive import Block, Definition, Listing, Note, Placed, Transcript
from decoder.course.known import Known, exchange_fault, figure_faults, near
from decoder.errors import CourseFault, TranscriptFault
from decoder.transcripts import block as transcripts

_TRANSCRIPT_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
OPTIONS = ("fresh",)
LEVELS = 6
"""HTML has that many levels of headings."""


class Directive(NamedTuple):
    """One directive: its kind, what is given behind it, and what stands inside."""

    kind: str
    given: str
    line: int
    inside: Sequence[Token]
    text: str
    """The raw text of a transcript."""
    above: int
    """The level of the heading under which it stands."""

    @property
    def level(self) -> int:
        """The level of its own title: one below, as far as HTML has levels."""
        return min(self.above + 1, LEVELS)


Made = Iterator[Block | CourseFault]


def figure(asked: Directive, known: Known) -> Made:
    """Place a figure: its name, then the fields of its start state as name=value."""
    yield from _empty(asked)
    name, *pairs = asked.given.split() or [""]
    start = dict(parse_qsl("&".join(pairs), keep_blank_values=True))
    faults = list(figure_faults(name, start, known, asked.line))
    if asked.above + 2 > LEVELS:
        deep = f"a figure has headings of its own: put it below one of {LEVELS - 2} # at most."
        faults.append(CourseFault(deep, line=asked.line))
    yield from faults
    if not faults:
        yield Placed(name, start, asked.level)


def script(asked: Directive, known: Known) -> Made:
    """List the source of one of our scripts."""
    yield from _empty(asked)
    if asked.given in known.scripts:
        yield Listing(asked.given)
    else:
        missing = f"there is no lua/{asked.given}.lua{near(asked.given, known.scripts)}"
        yield CourseFault(missing, line=asked.line)


def term(asked: Directive, known: Known) -> Made:
    """Show what the glossary says of a term."""
    yield from _empty(asked)
    if asked.given in known.terms:
        yield Definition(asked.given)
    else:
        missing = f"the glossary does not define “{asked.given}”{near(asked.given, known.terms)}"
        yield CourseFault(missing, line=asked.line)


def note(asked: Directive, _known: Known) -> Made:
    """Set an aside."""
    yield Note(asked.given or "Note", markup.render(asked.inside), asked.level)


def transcript(asked: Directive, known: Known) -> Made:
    """Read a transcript: its id and options stand behind the fence."""
    name, *options = asked.given.split() or [""]
    if not _TRANSCRIPT_ID.fullmatch(name):
        yield CourseFault(
            "name the transcript behind its fence, in lower case and hyphens: "
            "```transcript due-read",
            line=asked.line,
        )
    for strange in [option for option in options if option not in OPTIONS]:
        wrong = f"“{strange}” is no option of a transcript; there is fresh."
        yield CourseFault(wrong, line=asked.line)
    try:
        exchanges = transcripts.read(asked.text, asked.line + 1)
    except TranscriptFault as fault:
        yield fault
        return
    if not exchanges:
        empty = "this transcript has no command: begin one with “> ”."
        yield TranscriptFault(empty, line=asked.line)
    yield from filter(None, [exchange_fault(one, known) for one in exchanges])
    yield Transcript(name, "fresh" in options, exchanges)


def _empty(asked: Directive) -> Made:
    if asked.inside:
        yield CourseFault(
            f"a {asked.kind} has nothing inside: close it on the next line with :::",
            line=asked.line,
        )


READERS = {
    "figure": figure,
    "script": script,
    "term": term,
    "note": note,
    "transcript": transcript,
}
"""How each kind is read; a pattern and its application, which are one block, are read in Body."""
