"""Check: what `decoder check` finds: faults of the files, dead links, replies that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qsl

from decoder.course import markup
from decoder.course.course import Course
from decoder.course.dive import Dive
from decoder.course.known import Known, exchange_fault
from decoder.errors import CourseFault, TranscriptFault
from decoder.transcripts import block
from decoder.transcripts.block import Exchange

GLOSSARY = "/glossary"
EXTERNAL = ("http://", "https://", "mailto:")


class Proving(Protocol):
    """A server that transcripts are proven on."""

    name: str
    """Software and version, such as "Valkey 9.1.2"."""

    def begin(self) -> None:
        """Empty it."""

    def reply(self, exchange: Exchange) -> str:
        """Run one command; return the reply as valkey-cli prints it."""


@dataclass(frozen=True)
class Proof:
    """Some transcripts that stand in one file: `fresh` and its exchanges, one after the other."""

    file: str
    proved: str
    transcripts: list[tuple[bool, list[Exchange]]]


def of_text(
    file: str, text: str, known: Known, first_line: int = 1
) -> tuple[list[Proof], list[CourseFault]]:
    """Return what a text outside the course claims, such as the example of a script's header."""
    try:
        exchanges = block.read(text, first_line)
    except TranscriptFault as fault:
        return [], [fault]
    faults = [wrong for one in exchanges if (wrong := exchange_fault(one, known))]
    proofs = [Proof(file, "", [(True, exchanges)])] if exchanges and not faults else []
    return proofs, faults


def of_readme(file: str, text: str, known: Known) -> tuple[list[Proof], list[CourseFault]]:
    """Return what the transcripts of a Markdown file claim; its other blocks are not run."""
    proofs: list[Proof] = []
    faults: list[CourseFault] = []
    for token in markup.parse(text):
        if token.type == "fence" and token.info.startswith("transcript") and token.map:
            found, wrong = of_text(file, token.content, known, token.map[0] + 2)
            proofs += found
            faults += wrong
    return proofs, faults


def of_dives(course: Course) -> Iterator[Proof]:
    """Yield what each dive's transcripts claim."""
    for dive in course.dives.values():
        blocks = [(one.fresh, one.exchanges) for one in dive.transcripts]
        if blocks:
            yield Proof(_file(course, dive), dive.proved, blocks)


def _file(course: Course, dive: Dive) -> str:
    found = [folder / dive.file for folder in course.folders if (folder / dive.file).exists()]
    return str(found[0]) if found else dive.file


def prove(proof: Proof, server: Proving, *, is_the_prover: bool) -> Iterator[TranscriptFault]:
    """Run the transcripts of one file on an empty server; yield where a reply is another.

    The prover's version must be the one that the file names; another server must only agree.
    """
    if is_the_prover and proof.proved and proof.proved != server.name:
        yield TranscriptFault(
            f"proved: says {proof.proved} and this is {server.name}: see that the replies still "
            "hold, then write the new version.",
            line=1,
        )
    server.begin()
    for fresh, exchanges in proof.transcripts:
        if fresh:
            server.begin()
        for exchange in exchanges:
            reply = server.reply(exchange)
            if not exchange.agrees(reply, server.name):
                yield TranscriptFault(_difference(exchange, reply, server.name), line=exchange.line)


def _difference(exchange: Exchange, reply: str, server: str) -> str:
    def indented(text: str) -> str:
        return "".join(f"\n        {line}" for line in text.split("\n"))

    return (
        f"{server} answers otherwise to\n      {exchange.prompt}{exchange.typed}"
        f"\n      recorded:{indented(exchange.expected(server))}"
        f"\n      answered:{indented(reply)}"
    )


Says = Callable[[str, dict[str, str], int], Iterable[CourseFault]]
"""What the figure of a page, at some address, finds wrong in the query of a link to it."""


def link_faults(
    course: Course, exists: Callable[[str], bool], says: Says = lambda _path, _query, _line: ()
) -> Iterator[tuple[str, CourseFault]]:
    """Yield internal links that lead nowhere, or to a state that a figure would correct.

    Each comes with its file; `exists` knows the other pages.
    """
    for dive in course.dives.values():
        file = _file(course, dive)
        related = [(1, one.to) for one in dive.related if one.to]
        for line, link in [*dive.links, *related]:
            if link.startswith(EXTERNAL):
                continue
            if why := _dead(course, dive, link, exists):
                yield file, CourseFault(why, line=line)
                continue
            path, _, query = link.partition("#")[0].partition("?")
            for wrong in says(path or dive.path, dict(parse_qsl(query)), line) if query else ():
                yield file, CourseFault(f"{link}: {wrong.sentence}", line=line)


def _dead(course: Course, dive: Dive, link: str, exists: Callable[[str], bool]) -> str:
    address, _, anchor = link.partition("#")
    path = address.partition("?")[0]
    if path and not path.startswith("/"):
        return f"{link} leads nowhere: begin links to pages with “/”."
    if path in course.broken:
        # What is wrong with that page is told where it stands; the link is right.
        return ""
    page = course.dives.get(path) if path else dive
    if path and page is None and path not in course.pictures and not exists(path):
        return f"{link} leads nowhere: there is no such page."
    anchors = page.anchors if page else {term.anchor for term in course.terms.values()}
    if anchor and anchor not in anchors and (page or path == GLOSSARY):
        return f"{link} leads nowhere: {path or dive.path} has {', '.join(sorted(anchors))}."
    return ""


def external_links(course: Course) -> Iterable[str]:
    """Return every address of others that the course names; they are listed, not fetched."""
    found = {
        link
        for dive in course.dives.values()
        for link in [*(one for _, one in dive.links), *(one.url for one in dive.sources)]
        if link.startswith(EXTERNAL)
    }
    return sorted(found)
