"""Body: the Markdown of one file into sections and blocks, from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import parse_qsl

from markdown_it.token import Token

from decoder.course import markup
from decoder.course.dive import (
    Block,
    Definition,
    Listing,
    Note,
    Pair,
    Placed,
    Prose,
    Section,
    Transcript,
)
from decoder.course.glossary import FirstUses
from decoder.course.known import Known, exchange_fault, figure_faults, near
from decoder.errors import CourseFault, TranscriptFault
from decoder.transcripts import block as transcripts

TRANSCRIPT = "transcript"
_TRANSCRIPT_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

Made = Iterable[Block]


class Body:
    """Sections, links, words and faults of one file; `first_line` is where its Markdown begins."""

    def __init__(self, known: Known, first_line: int) -> None:
        self._known = known
        self._first = first_line
        self._uses = FirstUses(known.terms)
        self._pattern: tuple[Token, str, str] | None = None
        self._level = 1
        self.faults: list[CourseFault] = []
        self.sections: list[Section] = []
        self.links: list[tuple[int, str]] = []
        self.words = 0
        self._directives: dict[str, Callable[[Token, str, Sequence[Token]], Made]] = {
            "figure": self._figure,
            "script": self._script,
            "term": self._term,
            "note": self._note,
            "pattern": self._keep_pattern,
            "application": self._application,
        }

    def read(self, markdown: str) -> None:
        """Read the whole Markdown."""
        tokens = markup.parse(markdown)
        for token in tokens:
            if token.type == "inline":
                self._inline(token)
        markup.link_terms(tokens, self._uses)
        prose: list[Token] = []
        at = 0
        while at < len(tokens):
            end = _end(tokens, at)
            part = tokens[at : end + 1]
            if part[0].type == "heading_open":
                self._heading(part)
            if not _interrupts(part[0]):
                prose += part
            else:
                prose = self._prose(prose)
                for block in self._directive(part):
                    self._add(block, part[0])
            at = end + 1
        self._prose(prose)
        self._end_pattern()

    def _prose(self, tokens: list[Token]) -> list[Token]:
        """Add what has gathered as a block of prose; return the empty list that gathers next."""
        if tokens:
            self._end_pattern()
            self._add(Prose(markup.render(tokens)), tokens[0])
        return []

    def _add(self, block: Block, token: Token) -> None:
        if self.sections:
            self.sections[-1].blocks.append(block)
        else:
            self._fault("text stands above the first heading: begin with “## …”.", token)

    def _fault(self, sentence: str, token: Token) -> None:
        self.faults.append(CourseFault(sentence, line=self._line(token)))

    def _line(self, token: Token) -> int:
        return self._first + (token.map[0] if token.map else 0)

    def _inline(self, token: Token) -> None:
        """Collect words and links; find strange directives and pictures without a text."""
        if token.content.startswith(":::"):
            name = token.content[3:].strip().partition(" ")[0]
            self._fault(f"“:::{name}” is no directive{near(name, markup.DIRECTIVES)}", token)
        self.words += len(token.content.split())
        for child in token.children or []:
            if child.type == "link_open":
                self.links.append((self._line(token), str(child.attrs["href"])))
            if child.type == "image":
                self._image(child, token)

    def _image(self, image: Token, token: Token) -> None:
        source = str(image.attrs["src"])
        if not image.content.strip():
            self._fault(f"say what the picture {source} shows: ![its text]({source}).", token)
        self.links.append((self._line(token), source))

    def _heading(self, part: Sequence[Token]) -> None:
        opened, inline = part[0], part[1]
        title, anchor = markup.anchor(inline.content)
        level, before = int(opened.tag[1]), self._level
        self._level = level
        if level == 1:
            self._fault("the title is the page’s only first heading: write “## …”.", opened)
        elif level > before + 1:
            self._fault(f"“{title}” skips a level: write “{'#' * (before + 1)} …”.", opened)
        if level > 2:
            opened.attrSet("id", anchor)
            if inline.children:
                inline.children[-1].content = markup.anchor(inline.children[-1].content)[0]
            if self.sections:
                self.sections[-1].below.append((anchor, title))

    def _directive(self, part: Sequence[Token]) -> Made:
        opened = part[0]
        if opened.type == "heading_open":
            title, anchor = markup.anchor(part[1].content)
            self._end_pattern()
            self.sections.append(Section(anchor, title, [], []))
            return []
        kind, _, given = opened.info.strip().partition(" ")
        if kind != "application":
            self._end_pattern()
        if opened.type == "fence":
            return self._transcript(opened, given.split())
        inside = part[1:-1]
        if kind in ("figure", "script", "term") and inside:
            self._fault(f"a {kind} has nothing inside: close it on the next line with :::", opened)
        return self._directives[kind](opened, given.strip(), inside)

    def _figure(self, opened: Token, given: str, _inside: Sequence[Token]) -> Made:
        name, *pairs = given.split() or [""]
        start = dict(parse_qsl("&".join(pairs), keep_blank_values=True))
        faults = list(figure_faults(name, start, self._known, self._line(opened)))
        self.faults += faults
        return [] if faults else [Placed(name, start)]

    def _script(self, opened: Token, given: str, _inside: Sequence[Token]) -> Made:
        if given in self._known.scripts:
            return [Listing(given)]
        self._fault(f"there is no lua/{given}.lua{near(given, self._known.scripts)}", opened)
        return []

    def _term(self, opened: Token, given: str, _inside: Sequence[Token]) -> Made:
        if given in self._known.terms:
            return [Definition(given)]
        missing = f"the glossary does not define “{given}”{near(given, self._known.terms)}"
        self._fault(missing, opened)
        return []

    def _note(self, _opened: Token, given: str, inside: Sequence[Token]) -> Made:
        return [Note(given or "Note", markup.render(inside))]

    def _keep_pattern(self, opened: Token, given: str, inside: Sequence[Token]) -> Made:
        self._pattern = (opened, given or "The pattern", markup.render(inside))
        return []

    def _application(self, opened: Token, given: str, inside: Sequence[Token]) -> Made:
        if self._pattern is None:
            self._fault("an application stands directly below its pattern; there is none.", opened)
            return []
        _, title, html = self._pattern
        self._pattern = None
        return [Pair((title, html), (given or "Its application", markup.render(inside)))]

    def _end_pattern(self) -> None:
        if self._pattern is not None:
            self._fault("a pattern needs its application directly below it.", self._pattern[0])
            self._pattern = None

    def _transcript(self, opened: Token, given: list[str]) -> Made:
        name, *options = given or [""]
        if not _TRANSCRIPT_ID.fullmatch(name):
            self._fault(
                "name the transcript behind its fence, in lower case and hyphens: "
                "```transcript due-read",
                opened,
            )
        for strange in [option for option in options if option != "fresh"]:
            self._fault(f"“{strange}” is no option of a transcript; there is fresh.", opened)
        try:
            exchanges = transcripts.read(opened.content, self._line(opened) + 1)
        except TranscriptFault as fault:
            self.faults.append(fault)
            return []
        self.faults += filter(None, [exchange_fault(one, self._known) for one in exchanges])
        return [Transcript(name, "fresh" in options, exchanges)]


def _interrupts(token: Token) -> bool:
    """Whether a block of its own begins here: a section, a directive, a transcript."""
    if token.type == "fence":
        return token.info.strip().partition(" ")[0] == TRANSCRIPT
    return token.type.startswith("container_") or (token.type, token.tag) == ("heading_open", "h2")


def _end(tokens: Sequence[Token], at: int) -> int:
    """Return where the block that opens at `at` closes; a block of one token is its own end."""
    depth = int(tokens[at].nesting)
    end = at
    while depth > 0:
        end += 1
        depth += tokens[end].nesting
    return end
