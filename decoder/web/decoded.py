"""Decoded: a transcript as it is shown: my job marked, times coloured, scores told by their facts.

A millisecond of the day of the dive is a time; a long number that a remark marks has its fact in
all commands of the dive; an argument of a script has the fact that its header names; a score of a
set that the catalogue knows is read back as that set's reading reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from decoder.course import markup
from decoder.course.dive import Dive, Transcript
from decoder.encodings import instant
from decoder.figures import composite
from decoder.readings.catalogue import READINGS
from decoder.readings.reading import Conclusion
from decoder.sandbox.scripts import Script
from decoder.transcripts.block import Exchange
from decoder.web.hues import hued

DAY_MS = 86_400_000
_COMPOSED = ("packed-priority", "shifted-delay")
"""Encodings that put two facts into one score."""

_SETS: dict[str, Callable[[float], Conclusion]] = {
    one.keys: one.conclude for one in READINGS.values() if one.encoding in _COMPOSED
}
_KEY = re.compile(r"emq:\{\w+\}:(\w+)")
_NUMBER = re.compile(r"[0-9]{10,17}")
_IN_A_REPLY = re.compile(r'(?<=")[0-9]{10,17}(?=")|(?<=\(integer\) )[0-9]{13}')
_TYPED_NUMBER = re.compile(r'<span class="m">([^<]*)</span>')
_WORDS = re.compile(r'"(?:\\.|[^"\\])*+"?|\S+')
_MARKED = re.compile(r"\[([0-9]{5,})\]\{(" + "|".join(markup.MARKS) + r")\}")
_ARGUMENT = re.compile(r"[+-]?(?:\d[\d.e+-]*|inf)")
_FACTS_OF_ARGUMENTS = {"tier": "tier", "arrival": "arrival", "counted": "arrival"}
_FACTS_BEHIND = {"priority": "tier", "pc": "arrival"}
"""What a number is that follows a field of a record, or the key of the counter."""
_SETS_OF_TIMES = {one.keys for one in READINGS.values() if one.encoding == "milliseconds"}


class Shown(NamedTuple):
    """One command as it is shown: typed, its recorded reply, and what the numbers in them mean."""

    typed: Markup
    reply: Markup
    means: list[tuple[str, Markup]]


class _Told(NamedTuple):
    """What is known of numbers: the day of the dive, those that its remarks mark, the headers."""

    now_ms: int
    marked: Mapping[str, str]
    scripts: Mapping[str, Script]

    def fact(self, number: str) -> str:
        """Return the fact of a number by itself, empty for none."""
        near = len(number) == 13 and number.isdigit() and abs(int(number) - self.now_ms) <= DAY_MS
        return self.marked.get(number) or ("time" if near else "")


def once(scripts: Mapping[str, Script]) -> Callable[[Transcript, Dive], list[Shown]]:
    """Return `decoded` for pages that stay as they were read: each transcript is shown once."""
    known: dict[tuple[str, str], list[Shown]] = {}

    def shown(transcript: Transcript, dive: Dive) -> list[Shown]:
        at = (dive.path, transcript.id)
        if at not in known:
            known[at] = decoded(transcript, dive, scripts)
        return known[at]

    return shown


def decoded(transcript: Transcript, dive: Dive, scripts: Mapping[str, Script]) -> list[Shown]:
    """Show each command of a transcript; a number is told once, where it first stands."""
    remarks = " ".join([one.remark for shown in dive.transcripts for one in shown.exchanges])
    told = _Told(dive.now_ms or composite.PINNED_NOW_MS, dict(_MARKED.findall(remarks)), scripts)
    said: set[str] = set()
    shown = []
    for one in transcript.exchanges:
        reply = one.expected(dive.proved)
        means = [pair for pair in _means(one, reply, told.now_ms) if pair[0] not in said]
        said.update(number for number, _ in means)
        shown.append(Shown(_typed(one, told), _replied(one, reply, told), means))
    return shown


def _typed(one: Exchange, told: _Told) -> Markup:
    facts = iter(_facts_of_numbers(one, told))

    def colour(number: re.Match[str]) -> str:
        fact = next(facts, "")
        return hued(number[1], fact) if fact else number[0]

    return _mine(_TYPED_NUMBER.sub(colour, markup.command_html(one.typed)))


def _facts_of_numbers(one: Exchange, told: _Told) -> Iterator[str]:
    """Yield the fact of each number that is typed, in their order; empty for none."""
    names: Sequence[str] = ()
    words = _WORDS.findall(one.typed)
    if one.script:
        names = told.scripts[one.script].arguments
        words = words[len(words) - len(names) :]
    for n, word in enumerate(words):
        # What stands in quotes is a text.
        if not _ARGUMENT.fullmatch(word):
            continue
        name = names[n] if n < len(names) else ""
        named = "time" if name.endswith("ms") else _FACTS_OF_ARGUMENTS.get(name, "")
        behind = "" if names else _FACTS_BEHIND.get(words[n - 1].rpartition(":")[2], "")
        yield named or behind or told.fact(word)


def _replied(one: Exchange, reply: str, told: _Told) -> Markup:
    times = one.words[:1] == ["TIME"] or _set_of(one) in _SETS_OF_TIMES

    def colour(number: re.Match[str]) -> str:
        fact = "time" if times else told.fact(number[0])
        return hued(number[0], fact) if fact else number[0]

    # An escaped quote would part a number from its own.
    text = str(escape(reply)).replace("&#34;", '"')
    return _mine(_IN_A_REPLY.sub(colour, text))


def _set_of(one: Exchange) -> str:
    """Return what a plain command's key is called within its queue, empty for none."""
    key = _KEY.fullmatch(one.words[1]) if len(one.words) > 1 and not one.script else None
    return key[1] if key else ""


def _mine(html: str) -> Markup:
    return Markup(html.replace(composite.MINE, hued(composite.MINE, "mine")))


def _means(one: Exchange, reply: str, now_ms: int) -> Iterator[tuple[str, Markup]]:
    """Yield each number of a command and its reply that means something, with what it means."""
    numbers = [word for word in one.words if _NUMBER.fullmatch(word)]
    conclude = _SETS.get(_set_of(one))
    for number in dict.fromkeys([*numbers, *_IN_A_REPLY.findall(reply)]):
        if conclude:
            facts = conclude(float(number)).facts
            yield number, Markup(", ").join([_fact(*fact, now_ms) for fact in facts.items()])
        elif _Told(now_ms, {}, {}).fact(number):
            yield number, _fact("due_ms", int(number), now_ms)


def _fact(name: str, value: int, now_ms: int) -> Markup:
    if name != "due_ms":
        return Markup(hued(f"{name} {value}", name))
    day = "" if instant.iso(value)[:10] == instant.iso(now_ms)[:10] else instant.iso(value)[:10]
    return Markup(hued(f"{day} {instant.clock(value)} UTC".strip(), "time"))
