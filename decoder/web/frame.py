"""Frame: how an embedded page is to look: what it shows, what is fixed, what is said above it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from werkzeug.datastructures import MultiDict

from decoder.figures import FIGURES

EMBED = "/embed"
PARTS = {
    "controls": "sliders, cards and fields",
    "score": "the score and its formula",
    "order": "the order, as Valkey has it",
    "actions": "what can be done",
    "bits": "the bits of the score",
    "commands": "what the server did",
    "text": "the text of a dive",
}
"""The parts of a page that can be left out, by their names in an address."""

THEMES = ("auto", "light", "dark")
TITLE_MOST, NOTE_MOST, SHOWN_MOST = 80, 280, 24
FIELDS = ("parts", "lock", "ask", "theme", "title", "note")


class Frame(NamedTuple):
    """What an embedding page asks for, each value valid; `notices` say what was moved.

    `path` is the address in the frame. Without `parts` all of them are shown; `lock` names inputs
    that stay as they are.
    """

    path: str
    parts: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    ask: bool = False
    theme: str = "auto"
    title: str = ""
    note: str = ""
    notices: tuple[str, ...] = ()

    @property
    def fields(self) -> dict[str, str]:
        """The fields of its address that are not as they are anyway."""
        fields = {
            "parts": ",".join(self.parts), "lock": ",".join(self.lock),
            "ask": "1" if self.ask else "", "theme": "" if self.theme == "auto" else self.theme,
            "title": self.title, "note": self.note,
        }  # fmt: skip
        return {name: value for name, value in fields.items() if value}

    @property
    def kept(self) -> str:
        """What each link of the page carries on, behind the state of the figure.

        Whoever follows one has answered the question, so that it is asked no more.
        """
        return urlencode({n: v for n, v in self.fields.items() if n != "ask"}, safe=",")

    @property
    def address(self) -> str:
        """The address that a request from the page tells, so that its answer carries this on."""
        whole = urlencode(self.fields, safe=",")
        return self.path + (f"?{whole}" if whole else "")

    @property
    def hidden(self) -> list[str]:
        """The parts that are left out."""
        return [name for name in PARTS if self.parts and name not in self.parts]


def page_of(path: str) -> str:
    """Return the address of the page that an embedded one is of."""
    inner = path.removeprefix(EMBED)
    return f"/figures{inner}" if inner.removeprefix("/") in FIGURES else inner


def framed(page: str) -> str:
    """Return the address at which a page is embedded."""
    return EMBED + page.removeprefix("/figures")


def without_forms(html: str) -> str:
    """Turn submit buttons of our templates into ones that a script presses.

    In a sandboxed frame no form is submitted; static/js/framed.js sends what they would.
    """
    return _UNTYPED.sub('<button type="button"', html.replace('type="submit"', 'type="button"'))


_UNTYPED = re.compile(r"<button(?![^>]*[\s]type=)")
_UNTOLD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ELSEWHERE = re.compile(r'<a (?=[^>]*href="(?:/(?!embed/)|https?:))(?![^>]*target=)')


def in_a_frame(html: str) -> str:
    """Make HTML of ours fit for a frame: no forms, and what leads out of it opens beside it."""
    return _ELSEWHERE.sub('<a target="_blank" rel="noopener" ', without_forms(html))


def query_of(given: MultiDict[str, str]) -> dict[str, str]:
    """Return a query with one value a name; what a form chose several of stands in one list."""
    lists = {"parts", "lock"}
    return {
        name: ",".join(given.getlist(name)) if name in lists else value
        for name, value in given.to_dict().items()
    }


def read(path: str, query: Mapping[str, str], inputs: Mapping[str, str]) -> Frame:
    """Read the options of an address; what is not valid becomes a notice.

    `inputs` are those of the page's figures that can be fixed, with their labels.
    """
    notices: list[str] = []
    theme = query.get("theme") or "auto"
    if theme not in THEMES:
        notices.append(f"“{theme[:SHOWN_MOST]}” is no theme; there are {', '.join(THEMES)}.")
        theme = "auto"
    return Frame(
        path,
        _names(query.get("parts", ""), PARTS, "part of this page", notices),
        _names(query.get("lock", ""), inputs, "input of this page", notices),
        _asks(query.get("ask", ""), notices),
        theme,
        _text("title", query.get("title", ""), TITLE_MOST, notices),
        _text("note", query.get("note", ""), NOTE_MOST, notices),
        tuple(notices),
    )


def told(address: str, inputs: Mapping[str, str]) -> Frame:
    """Read the frame that a request from an embedded page tells."""
    path, _, query = address.partition("?")
    return read(path, query_of(MultiDict(parse_qsl(query))), inputs)


def _asks(text: str, notices: list[str]) -> bool:
    if text not in ("", "0", "1", "on", "true"):
        notices.append(f"ask is 1 or it is left out; “{text[:SHOWN_MOST]}” became 0.")
    return text in ("1", "on", "true")


def _names(text: str, known: Mapping[str, str], what: str, notices: list[str]) -> tuple[str, ...]:
    asked = [name for name in dict.fromkeys(text.split(",")) if name]
    there = f"there are {', '.join(known)}" if known else "there is none"
    strange = [name[:SHOWN_MOST] for name in asked if name not in known][:3]
    notices.extend(f"“{name}” is no {what}; {there}." for name in strange)
    return tuple(name for name in asked if name in known)


def _text(name: str, text: str, most: int, notices: list[str]) -> str:
    # XML, in which oEmbed tells a title, knows no control characters and no half of a pair.
    text = " ".join(_UNTOLD.sub("", text).split())
    if len(text) > most:
        notices.append(f"The {name} has {len(text)} characters; the first {most} are shown.")
    return text[:most]
