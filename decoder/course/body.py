"""Body: the Markdown of one file into sections and blocks, from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from decoder.course import markup
from decoder.course.directives import READERS, Directive
from decoder.course.dive import Block, Pair, Prose, Section, Transcript
from decoder.course.glossary import FirstUses
from decoder.course.known import Known
from decoder.course.survey import TRANSCRIPT, Survey
from decoder.errors import CourseFault

TITLED = ("note", "pattern", "application")
"""The directives behind whose name stands a title."""


class Body:
    """Sections, links, words and faults of one file.

    `file` is its path below the content folder, `first_line` where its Markdown begins.
    """

    def __init__(self, markdown: str, known: Known, file: str, first_line: int) -> None:
        self._known = known
        self._first = first_line
        self._pattern: Directive | None = None
        self._level = 1
        self.sections: list[Section] = []
        self.lines: dict[str, int] = {}
        """The line at which each id of a heading or a transcript stood last."""
        tokens = markup.parse(markdown)
        survey = Survey(markdown, tokens, file, first_line)
        self.links, self.words, self.faults = survey.links, survey.words, survey.faults
        markup.link_terms(tokens, FirstUses(known.terms))
        self._read(tokens)
        self.faults.sort(key=lambda fault: fault.line)

    def _read(self, tokens: Sequence[Token]) -> None:
        prose: list[Token] = []
        at = 0
        while at < len(tokens):
            end = _end(tokens, at)
            part = tokens[at : end + 1]
            line = self._first + (part[0].map[0] if part[0].map else 0)
            if _interrupts(part[0]):
                prose = self._prose(prose)
            else:
                prose += part
            if part[0].type == "heading_open":
                self._heading(part, line)
            elif _interrupts(part[0]):
                self._directive(part, line)
            at = end + 1
        self._prose(prose)
        self._end_pattern()

    def _heading(self, part: Sequence[Token], line: int) -> None:
        opened = part[0]
        title, anchor = markup.heading(part[1])
        level, before = int(opened.tag[1]), self._level
        self._level = level
        if not anchor:
            self._fault(f"no anchor can be made of “{title}”: write “{title} {{#anchor}}”.", line)
        if level == 1:
            self._fault("the title is the page’s only first heading: write “## …”.", line)
        elif level > before + 1:
            self._fault(f"“{title}” skips a level: write “{'#' * (before + 1)} …”.", line)
        self.lines[anchor] = line
        if level == 2:
            self._end_pattern()
            self.sections.append(Section(anchor, title, [], []))
        elif self.sections:
            opened.attrSet("id", anchor)
            self.sections[-1].below.append((anchor, title))

    def _prose(self, tokens: list[Token]) -> list[Token]:
        """Add what has gathered as a block of prose; return the empty list that gathers next."""
        if tokens:
            self._end_pattern()
            line = self._first + (tokens[0].map[0] if tokens[0].map else 0)
            self._add(Prose(markup.render(tokens)), line)
        return []

    def _directive(self, part: Sequence[Token], line: int) -> None:
        opened = part[0]
        kind, _, given = opened.info.strip().partition(" ")
        asked = Directive(kind, given.strip(), line, part[1:-1], opened.content, self._level)
        if kind in TITLED and "](" in given:
            self._fault(f"the title of a {kind} is plain words: put the link into its text.", line)
        if kind == "application":
            self._application(asked)
            return
        self._end_pattern()
        if kind == "pattern":
            self._pattern = asked
            return
        for made in READERS[kind](asked, self._known):
            if isinstance(made, CourseFault):
                self.faults.append(made)
            else:
                self._add(made, line)
                if isinstance(made, Transcript):
                    self.lines[made.id] = line

    def _application(self, asked: Directive) -> None:
        above, self._pattern = self._pattern, None
        if above is None:
            self._fault("an application stands directly below its pattern.", asked.line)
            return
        pattern = above.given or "The pattern", markup.render(above.inside)
        application = asked.given or "Its application", markup.render(asked.inside)
        self._add(Pair(pattern, application, above.level), above.line)

    def _end_pattern(self) -> None:
        above, self._pattern = self._pattern, None
        if above is not None:
            self._fault("a pattern needs its application directly below it.", above.line)

    def _add(self, block: Block, line: int) -> None:
        if self.sections:
            self.sections[-1].blocks.append(block)
        else:
            self._fault("this stands above the first heading: begin with “## …”.", line)

    def _fault(self, sentence: str, line: int) -> None:
        self.faults.append(CourseFault(sentence, line=line))


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
