"""Known: what a dive may name, and what to say of a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from decoder.course.glossary import Term
from decoder.errors import CourseFault, TranscriptFault
from decoder.transcripts.block import Exchange

EVERY_FIGURE_HAS = ("full", "then", "now_ms", "v")


@dataclass(frozen=True)
class Known:
    """What a dive may name.

    Figures come with the fields of their start states, scripts with the number of their keys and of
    their arguments; commands are those that a sandbox runs, in lower case.
    """

    figures: Mapping[str, Collection[str]]
    scripts: Mapping[str, tuple[int, int]]
    commands: Collection[str]
    terms: Mapping[str, Term]
    notices: Callable[[str, Mapping[str, str]], Sequence[str]] = lambda _name, _start: ()
    """What a figure itself says of a start state, such as a number that it moved into range."""


def near(name: str, known: Collection[str]) -> str:
    """Return “; did you mean …?” for the nearest known name, else a full stop."""
    found = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {found[0]}?" if found else "."


def exchange_fault(exchange: Exchange, known: Known) -> CourseFault | None:
    """Return why a visitor's sandbox could not run a command, None when it can."""
    if not exchange.script:
        name = exchange.words[0]
        if name.lower() in known.commands:
            return None
        listed = ", ".join(sorted(one.upper() for one in known.commands))
        return TranscriptFault(
            f"a sandbox does not run {name}; it runs {listed}.", line=exchange.line
        )
    if exchange.script not in known.scripts:
        missing = f"there is no lua/{exchange.script}.lua{near(exchange.script, known.scripts)}"
        return TranscriptFault(missing, line=exchange.line)
    keys, arguments = known.scripts[exchange.script]
    given = exchange.keys, len(exchange.words) - exchange.keys
    if given == (keys, arguments):
        return None
    return TranscriptFault(
        f"{exchange.script} takes {keys} keys, a comma and {arguments} arguments; "
        f"here are {given[0]} and {given[1]}.",
        line=exchange.line,
    )


def figure_faults(
    name: str, start: Mapping[str, str], known: Known, line: int
) -> Iterator[CourseFault]:
    """Yield what is wrong with a figure and the fields of its start state."""
    if name not in known.figures:
        yield CourseFault(f"there is no figure “{name}”{near(name, known.figures)}", line=line)
        return
    fields = [*known.figures[name], *EVERY_FIGURE_HAS]
    strange = [field for field in start if field not in fields]
    for field in strange:
        yield CourseFault(f"the figure {name} has no “{field}”{near(field, fields)}", line=line)
    for notice in () if strange or not start else known.notices(name, start):
        yield CourseFault(f"the figure {name} says: {notice}", line=line)
