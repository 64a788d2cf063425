"""The figure `bits`: one score as a double, its 64 bits to be turned over, stored each time."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple
from urllib.parse import urlencode

from decoder.encodings import double
from decoder.figures import request as requests
from decoder.figures.three_readings.scene import JOB
from decoder.readings import bits, inside, typed
from decoder.readings.catalogue import READINGS, named
from decoder.readings.reading import Reading
from decoder.readings.run import Allowance, Fact, Order, Run, Score, Server
from decoder.sandbox.execution import Execution
from decoder.sandbox.keys import Lane
from decoder.sandbox.program import GO_ON, Program
from decoder.sandbox.scripts import Composed
from decoder.transcripts.reply import Failure

NAME = "bits"
TITLE = "Inside the number: the 64 bits of a score"
INVITES = "Turn a bit over, or type a score: a real Valkey stores it and says what it holds."
"""What a page that begins with this figure asks for."""
says = (
    "A score is a double: a sign, an exponent and a fraction in 64 bits. Type any score or turn "
    "its bits over, and see what a real Valkey stores."
)
PINNED_NOW_MS = 1780226888000
INPUTS = ()
FIELDS = ("score", "reading", "bits")
ACTIONS = ("move", "toggle", "reset")
SCRIPTS = ("labs/look_inside",)
SHOWN_SCRIPT = "labs/look_inside"
KEY = "emq:{orders}:scores"
SCORE, PLUS_ONE, BELOW, ABOVE = "score", "plus-one", "below", "above"
DEFAULT, DEFAULT_READING = "8589934609", "packed/priority"
TEXT_MOST = 24
_WORD = re.compile(r"[0-9a-fA-F]{16}")


class Request(NamedTuple):
    """What is asked: a score as it was typed, or 64 bits; and under which reading it is coloured.

    `word` are the 64 bits as one number, None where the text is no number that a double can hold.
    """

    said: str
    typed: typed.Typed
    word: int | None
    reading: Reading
    action: str
    notices: list[str]
    seq: int | None
    by_bits: bool = False


def lane_name(_request: Request) -> str:
    """Return the lane of every interaction: this figure has one."""
    return NAME


def read_action(form: Mapping[str, str]) -> Request:
    """Read form fields; what is no score goes to the server all the same, for its own refusal."""
    notices: list[str] = []
    action = form.get("action") or ("toggle" if form.get("toggle") else "move")
    if action not in ACTIONS:
        notices.append(f"“{action[:TEXT_MOST]}” is nothing this figure does; the score was stored.")
        action = "move"
    form = {} if action == "reset" else form
    name = form.get("reading") or DEFAULT_READING
    if name not in READINGS:
        default = named(READINGS[DEFAULT_READING])
        notices.append(f"“{name[:TEXT_MOST]}” is no reading, so it is {default}.")
        name = DEFAULT_READING
    asked = _of_text(form.get("score", DEFAULT), READINGS[name], notices)
    if form.get("bits"):
        asked = _of_bits(form["bits"], asked)
    if form.get("toggle"):
        asked = _toggled(form["toggle"], form.get("word", ""), asked)
    return asked._replace(action=action, seq=requests.sequence(form.get("seq")))


def read_story(query: Mapping[str, str]) -> Request:
    """Read an address: the same fields."""
    fields = {name: query[name] for name in FIELDS if name in query}
    return read_action(fields)._replace(seq=None)


def _of_text(said: str, reading: Reading, notices: list[str]) -> Request:
    read = typed.read(said)
    if len(said) > typed.TEXT_MOST:
        notices.append(f"A score has at most {typed.TEXT_MOST} characters here; the rest was cut.")
    return Request(said[: typed.TEXT_MOST], read, _word_of(read), reading, "move", notices, None)


def _word_of(read: typed.Typed) -> int | None:
    """Return the 64 bits of what was typed, by Python's own parser: the server has its own."""
    try:
        value = float(read.sent)
    except (ValueError, OverflowError):
        return None
    overflows = math.isinf(value) and read.exact is not None
    return None if overflows or math.isnan(value) else double.word(value)


def _of_word(word: int, asked: Request) -> Request:
    value = double.from_word(word)
    text = bits.text(value)
    exact = Fraction(value) if math.isfinite(value) else None
    return asked._replace(
        said=text, typed=typed.Typed(text, exact), word=word, by_bits=math.isnan(value)
    )


def _of_bits(text: str, asked: Request) -> Request:
    if _WORD.fullmatch(text):
        return _of_word(int(text, 16), asked)
    asked.notices.append(
        f"“{text[:TEXT_MOST]}” is not 64 bits in 16 hexadecimal digits, so the score counts."
    )
    return asked


def _toggled(text: str, word: str, asked: Request) -> Request:
    bit = bits.read_bit(text)
    if bit is None:
        asked.notices.append(bits.no_bit(text))
        return asked
    shown = int(word, 16) if _WORD.fullmatch(word) else asked.word
    if shown is None:
        asked.notices.append("There is no score whose bits could be turned over.")
        return asked
    return _of_word(bits.toggled(shown, bit), asked)


def computed(request: Request) -> Score:
    """Compute the score that is about to be stored, exactly as it was meant."""
    exact = request.typed.exact
    if request.word is None or request.by_bits:
        return Score(None, None, [])
    value = double.from_word(request.word)
    negative_zero = value == 0 and math.copysign(1, value) < 0
    whole = exact is not None and exact.denominator == 1 and not negative_zero
    return Score(int(exact) if whole and exact is not None else value, None, facts_of(request))


standing = computed


def facts_of(request: Request) -> list[Fact]:
    """Return the facts of the score under the chosen reading; none where it has no meaning."""
    value = None if request.word is None else double.from_word(request.word)
    if value is None or not math.isfinite(value) or value < 0:
        return []
    facts = request.reading.conclude(value).facts
    places = {fact.name: fact.bits for fact in request.reading.encode(JOB).facts}
    return [Fact(name, number, places[name]) for name, number in facts.items() if name in places]


def query(request: Request, fields: Mapping[str, str]) -> str:
    """Write the address of this score with some fields changed."""
    state = {"reading": request.reading.id}
    if request.by_bits and request.word is not None:
        state["bits"] = f"{request.word:016x}"
    else:
        state["score"] = request.said
    state |= fields
    start = {"score": DEFAULT, "reading": DEFAULT_READING}
    return urlencode({name: v for name, v in state.items() if v != start.get(name)})


def program(request: Request, lane: Lane, composed: Composed) -> Program:
    """Store the score beside its neighbours and one to which 1 is added, and read them back."""
    asked = Program(lane, composed)
    asked.restart()
    below, above = "", ""
    if request.word is not None and not request.by_bits:
        value = double.from_word(request.word)
        below, above = (bits.text(one) for one in double.neighbours(value))
    asked.script(
        SHOWN_SCRIPT, {"set": KEY}, score=request.typed.sent, below=below, above=above, when=GO_ON
    )
    asked.plain("ZRANGE", KEY, 0, -1, "WITHSCORES")
    asked.drop(KEY)
    return asked


def run_of(request: Request, done: Execution, allowance: Allowance, path: str) -> Run:
    """Read what the server stored into bits, neighbours, a sentence and an address."""
    adds = [step.reply for step in done.steps if step.words[0] == "ZADD"]
    refusal = adds[0].text if adds and isinstance(adds[0], Failure) else ""
    stored = next((s.reply for s in done.steps if s.words[0] == "ZSCORE"), None)
    text = stored if isinstance(stored, str) else None
    plus = next((str(s.reply) for s in done.steps if s.words[0] == "ZINCRBY"), None)
    facts = facts_of(request)
    score = computed(request)
    word = double.word(float(text)) if text is not None else request.word
    asked = query(request, {})
    return Run(
        figure=NAME,
        reading=request.reading.id,
        design=request.reading.design,
        seq=request.seq or 0,
        inputs={"score": request.said, "reading": request.reading.id},
        notices=[*request.notices, *requests.refusals(done)],
        address=f"{path}?{asked}" if asked else path,
        score=Score(score.computed, text, facts),
        steps=done.steps,
        order=Order([], None, 0, None),
        inside=inside.inside(word, facts, text, plus),
        sentence=_sentence(request, text, plus, refusal, stale=done.refused != ""),
        round_trip_us=done.round_trip_us,
        now_ms=PINNED_NOW_MS,
        clock="pinned",
        server=Server(done.software, done.version, done.time_ms),
        sandbox=allowance,
        action="move" if done.refused else request.action,
    )  # fmt: skip


def _sentence(
    request: Request, text: str | None, plus: str | None, refusal: str, *, stale: bool
) -> str:
    if stale:
        return "Nothing was stored for this request: the newer one has its own score."
    how = f"{request.typed.says} " if request.typed.says else ""
    if text is None:
        return f"{how}Valkey refused it: {refusal}. {typed.why_refused(request.typed)}"
    return how + inside.told(request.typed.exact, request.word, text, plus)
