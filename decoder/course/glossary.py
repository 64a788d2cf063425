"""Glossary: the terms of one data file, and the links that lead to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from decoder.course import yaml_cure
from decoder.errors import CourseFault


@dataclass(frozen=True)
class Term:
    """A word in its one sense. `also` are its other forms; `says` is Markdown."""

    name: str
    also: tuple[str, ...]
    says: str

    @property
    def anchor(self) -> str:
        """Where /glossary defines it."""
        return slug(self.name)


def slug(title: str) -> str:
    """Make an anchor of a title: lower case, everything but letters and digits to a hyphen."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def load(path: Path) -> dict[str, Term]:
    """Read the glossary by the terms' names; raises CourseFault for an entry that is incomplete."""
    try:
        entries = yaml.safe_load(path.read_text("utf-8")) if path.exists() else []
    except (yaml.YAMLError, ValueError) as fault:
        line, cure = yaml_cure.of(fault)
        raise CourseFault(f"this is no YAML: {cure}", line=line + 1) from None
    if not isinstance(entries, list):
        raise CourseFault("write a list of entries with term, also and says.", line=1)
    terms: dict[str, Term] = {}
    taken: set[str] = set()
    for entry in entries:
        term = _term(entry)
        for form in (term.name, *term.also):
            if form.lower() in taken:
                raise CourseFault(f"“{form}” is defined twice.")
            taken.add(form.lower())
        terms[term.name] = term
    return dict(sorted(terms.items(), key=lambda item: item[0].lower()))


def _term(entry: Any) -> Term:
    if not isinstance(entry, dict) or not entry.get("term") or not entry.get("says"):
        raise CourseFault(f"an entry needs term and says: {str(entry)[:60]}")
    also = entry.get("also", [])
    if not isinstance(also, list) or not all(also):
        raise CourseFault(f"“{entry['term']}”: write also as a list, [one, another].")
    return Term(str(entry["term"]), tuple(map(str, also)), str(entry["says"]).strip())


class FirstUses:
    """Finds the first use of each term in a dive, over many pieces of its text."""

    def __init__(self, terms: Mapping[str, Term]) -> None:
        self._terms = {
            form.lower(): term for term in terms.values() for form in (term.name, *term.also)
        }
        forms = sorted(self._terms, key=len, reverse=True)
        self._pattern = re.compile(
            rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE
        )
        self._used: set[str] = set()

    def split(self, text: str) -> Iterator[tuple[str, Term | None]]:
        """Split a text into pieces; those that are a first use come with their term."""
        at = 0
        for match in self._pattern.finditer(text) if self._terms else ():
            term = self._terms[match[0].lower()]
            if term.name in self._used:
                continue
            self._used.add(term.name)
            yield text[at : match.start()], None
            yield match[0], term
            at = match.end()
        yield text[at:], None

    def whole(self, text: str) -> list[tuple[str, Term | None]]:
        """Return a text that stays in one piece, with its term where all of it is a first use."""
        pieces = [one for one in self.split(text) if one[0]] if text.lower() in self._terms else []
        return pieces or [(text, None)]
