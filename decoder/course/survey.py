"""Survey: what stands in a file's Markdown before it is cut into blocks: words, links, faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urljoin, urlsplit

from markdown_it.token import Token

from decoder.course import markup
from decoder.course.known import near
from decoder.errors import CourseFault

TRANSCRIPT = "transcript"


class Survey:
    """Words, links and faults of one file. `file` is its path below the content folder.

    `first_line` is the line of the file at which `markdown` begins.
    """

    def __init__(self, markdown: str, tokens: Sequence[Token], file: str, first_line: int) -> None:
        self._lines = markdown.split("\n")
        self._file = file
        self._first = first_line
        self.faults: list[CourseFault] = []
        self.links: list[tuple[int, str]] = []
        self.words = 0
        closed = True
        for token in tokens:
            if token.type == "inline":
                self._inline(token)
            elif token.type == "fence" and not markup.is_language(language := _first(token.info)):
                self._fence(token, language)
            elif token.type == "math_block":
                self._formula(token.content, self._line(token))
            if closed and token.level and _stands_alone(token):
                what = f"a {_first(token.info)}" if token.info else "a heading"
                self._fault(f"{what} stands by itself, not inside another block.", token)
            if token.type.startswith("container_") and token.nesting > 0:
                for below, sentence in _marked_as_nothing(token.info):
                    self._fault(sentence, token, below)
                closed = closed and self._is_closed(token)

    def _line(self, token: Token) -> int:
        return self._first + (token.map[0] if token.map else 0)

    def _fault(self, sentence: str, token: Token, below: int = 0) -> None:
        self.faults.append(CourseFault(sentence, line=self._line(token) + below))

    def _is_closed(self, token: Token) -> bool:
        """Whether a line of colons ends a directive; without one it takes the rest of the page."""
        end = token.map[1] if token.map else 0
        closed = end < len(self._lines) and self._lines[end].strip().startswith(":::")
        if not closed:
            self._fault(f"close this {_first(token.info)} with a line of :::", token)
        return closed

    def _fence(self, token: Token, language: str) -> None:
        if language != TRANSCRIPT:
            known = (TRANSCRIPT, "lua", "text", "sh", "python", *markup.PROMPTS)
            self._fault(f"“{language}” is no language to colour{near(language, known)}", token)

    def _inline(self, token: Token) -> None:
        for below, line in enumerate(token.content.split("\n")):
            if line.startswith(":::"):
                name = _first(line.strip(":"))
                wrong = f"“:::{' ' * bool(name)}{name}” is no directive"
                self._fault(wrong + near(name, markup.DIRECTIVES), token, below)
        shown = _text_of(token)
        for below, sentence in (*_never_closed(token, shown), *_marked_as_nothing(shown)):
            self._fault(sentence, token, below)
        self.words += len(token.content.split())
        line_of_child = self._line(token)
        for child in token.children or []:
            self._child(child, line_of_child)
            line_of_child += child.type in ("softbreak", "hardbreak")

    def _child(self, child: Token, line: int) -> None:
        if child.type.startswith("math_"):
            self._formula(child.content, line)
        if child.type == "link_open":
            self.links.append((line, str(child.attrs["href"])))
        if child.type == "image":
            self.faults += [CourseFault(wrong, line=line) for wrong in self._image(child, line)]

    def _formula(self, latex: str, line: int) -> None:
        try:
            markup.formula_html(latex)
        except CourseFault as fault:
            self.faults.append(CourseFault(fault.sentence, line=line))

    def _image(self, image: Token, line: int) -> Iterator[str]:
        """Give a picture its whole address, for a chapter's is not that of its folder."""
        source = str(image.attrs["src"])
        if not image.content.strip():
            yield f"say what the picture {source} shows: ![its text]({source})."
        if urlsplit(source).scheme or source.startswith("//"):
            yield f"the picture {source[:60]} is elsewhere: put it beside the dive."
            return
        source = urljoin(f"/{self._file}", source)
        image.attrs["src"] = source
        self.links.append((line, source))


def _marked_as_nothing(shown: str) -> Iterator[tuple[int, str]]:
    """Yield what is marked as no fact, or not to its end, with its line: it would stay as typed."""
    for mark in _MARK.finditer(shown):
        words, name, closed = mark.groups()
        if closed and name in markup.MARKS:
            continue
        cure = f"write [{words[:40]}]{{{markup.MARKS[0]}}}; there are {', '.join(markup.MARKS)}."
        said = f"“{name[:40]}” is no fact" if closed else f"“]{{{name[:40]}” is never closed"
        yield shown.count("\n", 0, mark.start()), f"{said}: {cure}"


def _never_closed(token: Token, shown: str) -> Iterator[tuple[int, str]]:
    """Yield what begins as a link and does not end as one, with the line below the token's first.

    CommonMark shows that as it was typed. A bracket that is no link, such as that of [0, 1), is
    left alone, and so is one behind a backslash.
    """
    typed = _ESCAPED.sub("", token.content)
    for begins, sign, cure in (
        (_without_round, "](", "close it with a round bracket: [words](/address)."),
        (_without_square, "[", "write [words](/address), or \\[ for the sign itself."),
    ):
        at = begins(shown)
        if at >= 0 and sign in typed:
            begun = shown[at : at + 40].partition("\n")[0].partition("\0")[0].rstrip()
            yield shown.count("\n", 0, at), f"“{begun}” is never closed: {cure}"


def _text_of(token: Token) -> str:
    """Return what a piece of Markdown shows as plain text."""
    return "".join([_as_shown(child) for child in token.children or []])


def _as_shown(child: Token) -> str:
    """Return the text of a piece; code, formulas and links that are whole are one sign each."""
    if child.type == "text":
        return child.content
    return "\n" if child.type in ("softbreak", "hardbreak") else "\0"


_MARK = re.compile(r"\[([^\[\]\n]+)\]\{([^{}\n]*)(\}?)")
_ESCAPED = re.compile(r"\\.")
_TO_A_PAGE = re.compile(r"\[[^()\[\]]*\((?:/|#|https?:|mailto:)")


def _without_round(text: str) -> int:
    """Return where [words](/address begins that no round bracket closes, -1 for nowhere."""
    at = text.find("](", text.rfind(")") + 1)
    return text.rfind("[", 0, at) if at >= 0 else -1


def _without_square(text: str) -> int:
    """Return where [words(/address) begins, ![words or ][words, which no square bracket closes."""
    last = text.rfind("]")
    at = text.find("[", last + 1)
    if at < 0 or (at > 0 and text[at - 1] in "]!"):
        return at
    found = _TO_A_PAGE.search(text, at)
    return found.start() if found else -1


def _first(words: str) -> str:
    return words.strip().partition(" ")[0]


def _stands_alone(token: Token) -> bool:
    """Whether it is a directive, a heading or a transcript, which no other block may hold."""
    if token.type == "fence":
        return _first(token.info) == TRANSCRIPT
    return token.nesting > 0 and token.type.startswith(("container_", "heading_"))
