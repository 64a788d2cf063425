"""Front matter: the lines of YAML on top of a dive, each field checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import yaml

from decoder.course import yaml_cure
from decoder.course.dive import Related, Source
from decoder.course.markup import MARKS
from decoder.errors import CourseFault
from decoder.readings.catalogue import DESIGNS

_PARTS = re.compile(r"\A---\n(.*?\n)---\n(.*)\Z", re.DOTALL)
REQUIRED = ("title", "headline", "kicker", "summary", "lede")
HUES = MARKS[:-1]
SUMMARY_MOST = 160
"""Search engines and link previews cut what is longer."""


class Front(NamedTuple):
    """A file taken apart: its fields, their faults, the Markdown and the line where that begins."""

    fields: dict[str, Any]
    faults: list[CourseFault]
    markdown: str
    first_line: int


def read(text: str) -> Front:
    """Split a file into checked fields and Markdown, with every fault of a field.

    Raises CourseFault where there are no fields to be read, with the line and the cure.
    """
    parts = _PARTS.match(text)
    if parts is None:
        raise CourseFault("begin with front matter between two lines of ---.", line=1)
    given = _mapping(parts[1])
    lines = _lines(parts[1])
    fields: dict[str, Any] = {}
    faults: list[CourseFault] = []
    wrong: set[str] = set()
    for name, value in given.items():
        if name not in FIELDS:
            known = ", ".join(FIELDS)
            said = f"“{name}” is no field; there are {known}."
            faults.append(CourseFault(said, line=lines.get(name, 1)))
            continue
        key, checked, _ = FIELDS[name]
        try:
            fields[key] = checked(value)
        except (ValueError, TypeError) as fault:
            faults.append(CourseFault(f"{name}: {fault}.", line=lines.get(name, 1)))
            wrong.add(name)
    missing = [name for name in REQUIRED if name not in wrong and not fields.get(name)]
    faults += [CourseFault(f"add “{name}: …” to the front matter.", line=1) for name in missing]
    return Front(fields, faults, parts[2], parts[1].count("\n") + 3)


def _mapping(text: str) -> dict[str, Any]:
    try:
        given = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        line, cure = yaml_cure.of(fault)
        # The block begins on the file's second line.
        raise CourseFault(f"the front matter is no YAML here: {cure}", line=line + 2) from None
    if not isinstance(given, dict):
        raise CourseFault("the front matter must be lines of “name: value”.", line=2)
    return given


def _lines(text: str) -> dict[str, int]:
    named = re.compile(r"^(\w+):")
    found = [(named.match(line), n) for n, line in enumerate(text.splitlines(), 2)]
    return {match[1]: n for match, n in found if match}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"write text; {value!r} is {type(value).__name__}")
    return value.strip()


def _summary(value: Any) -> str:
    text = _text(value)
    if len(text) > SUMMARY_MOST:
        raise ValueError(f"it has {len(text)} characters and may have {SUMMARY_MOST}")
    return text


def _one_of(*allowed: str) -> Callable[[Any], str]:
    def checked(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"“{value}” is none of {', '.join(allowed)}")
        return str(value)

    return checked


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"write a whole number; {value!r} is none")
    return value


def _query(value: Any) -> dict[str, str]:
    return dict(parse_qsl(_text(value), keep_blank_values=True, strict_parsing=True))


def _sources(value: Any) -> list[Source]:
    entries = [Source(one["title"], one["url"], one.get("says", "")) for one in _list(value, "url")]
    for one in entries:
        if not one.url.startswith(("https://", "http://")):
            raise ValueError(f"{one.url} is no address: begin it with https://")
    return entries


def _related(value: Any) -> list[Related]:
    entries = [
        Related(one["title"], one.get("to", ""), one.get("says", ""))
        for one in _list(value, "title")
    ]
    for one in entries:
        if one.to and not one.to.startswith("/"):
            raise ValueError(f"{one.to} is no page of ours: begin it with /")
    return entries


_OF_ENTRIES = {"title", "url", "to", "says"}


def _list(value: Any, needed: str) -> list[dict[str, str]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValueError(f"write a list, each entry with title and {needed}")
    for one in value:
        if strange := set(one) - _OF_ENTRIES:
            raise ValueError(f"an entry has “{min(map(str, strange))}”, which is no field of it")
        for name in ("title", needed):
            if not one.get(name):
                raise ValueError(f"an entry lacks its {name}")
    return [{name: _text(said) for name, said in one.items()} for one in value]


class Field(NamedTuple):
    """A field of the front matter: its name in Dive, what checks it, and what a teacher reads."""

    key: str
    checked: Callable[[Any], Any]
    says: str


FIELDS: dict[str, Field] = {
    "title": Field("title", _text, "the name of the page: in lists, in the window, in links"),
    "headline": Field(
        "headline", _text, "the sentence on top, with its telling word between two stars: *first*"
    ),
    "kicker": Field("kicker", _text, "the small line above it, such as the course’s name"),
    "summary": Field(
        "summary", _summary,
        f"one sentence for lists, search engines and previews, {SUMMARY_MOST} characters at most",
    ),
    "lede": Field("lede", _text, "one or two sentences below the headline"),
    "hue": Field(
        "hue", _one_of(*HUES), f"which fact colours the telling word: {', '.join(HUES)}"
    ),
    "order": Field("order", _number, "the place in its chapter, a number: the smallest is first"),
    "design": Field(
        "design", _one_of(*DESIGNS),
        f"the design it tells of: {', '.join(f'{one} ({says})' for one, says in DESIGNS.items())}",
    ),
    "figure": Field("figure", _text, "the figure at the top of the page, alive when it opens"),
    "start": Field("start", _query, "how that figure begins, such as tier=2&arrival=17"),
    "now": Field("now_ms", _number, "the instant at which the page’s story is told, in ms"),
    "proved": Field(
        "proved", _text, "the server that proved the transcripts; a page that has some needs it"
    ),
    "sources": Field("sources", _sources, "a list of works to read: title, url, says"),
    "related": Field(
        "related", _related,
        "a list of pages beside this one: title, to, says; without “to” it is named and not linked",
    ),
}  # fmt: skip
"""Every field of the front matter, in the order in which /instructors explains them."""
