"""The lab `lua-numbers`: one number on its way out of a script, and what arrives by each way."""

from __future__ import annotations

from collections.abc import Mapping

from decoder.encodings import double
from decoder.figures.labs.lab import Choice, Found, Lab, Request, pairs, replies
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program

SCRIPT, ARRIVED = "labs/lua_numbers", "arrived"
TIER = 2**32
"""One tier of the ladder, in scores."""

NUMBERS = {
    "7122403857137664": "a due time and its slot in one score: 2025-02-06 18:55:29.184 UTC, slot 0",
    "8589934609": "a priority and its arrival in one score: tier 2, arrival 17",
    "9007199254740993": "2⁵³ + 1, which no double holds",
    "3.99": "a number with a fraction",
    "2147483649": "2³¹ + 1, an arrival past the 31 bits of a signed number",
}
"""Each number in its digits, and what it is."""

WAYS = {
    "redis.call": "redis.call(…, n)",
    "%.17g": "string.format('%.17g', n)",
    "tostring": "tostring(n)",
    "..": "n .. ''",
    "cjson": "cjson.encode(n)",
    "bit.band": "bit.band(n, 0xffffffff)",
    "return": "return n",
}
"""Each way by the field in which the script keeps what arrived, as it is written in Lua."""

TEXTS = ("tostring", "..", "cjson")
WHY = {
    "bits": "The number is whole and has at most 14 digits, so every text holds it; but bit.band "
    "keeps 32 bits and takes the highest of them for a sign.",
    "return": "What a script returns as a number is cut to a whole one, and bit.band knows only "
    "whole numbers of 32 bits. Return a text instead, or the server’s own reply.",
    "text": "tostring, .. and cjson write 14 digits, and this number has more; bit.band keeps 32 "
    "bits. redis.call and '%.17g' write as many digits as a double needs, and what is returned "
    "as a whole number arrives whole.",
    "all": "A number in Lua is a double, and past 2⁵³ not every whole number is one: it was "
    "another number before anything was done with it. Keep such a number as the text it came in.",
}
NUMBER = Choice("number", "The number n", {one: one for one in NUMBERS}, next(iter(NUMBERS)))


def scene(asked: Program, request: Request) -> None:
    """Run the script with the number, and read what it kept."""
    asked.script(SCRIPT, {"arrived": ARRIVED}, number=request.chosen["number"])
    asked.plain("HGETALL", ARRIVED)


def find(request: Request, done: Execution) -> Found:
    """Compare what arrived by each way with the number."""
    number = request.chosen["number"]
    (kept,) = replies(done, "HGETALL")
    ((_, returned),) = done.returned
    arrived = {**dict(pairs(kept)), "return": str(returned)}
    answer = _answer(arrived, number)
    because = WHY[answer]
    if answer == "bits":
        because += _as_arrival(arrived["bit.band"], int(number))
    return Found(
        [Table("ARGV[1]", [Row("n", number, NUMBERS[number])])],
        [
            Table(
                "What arrived, by each way",
                [Row(written, arrived[way], _note(arrived[way], number))
                 for way, written in WAYS.items()],
            )
        ],
        answer,
        because,
    )  # fmt: skip


def lost(text: str, number: str) -> bool:
    """Tell whether a text that arrived is another number than the one that was asked for."""
    return double.exact_text(float(text)) != number


def _answer(arrived: Mapping[str, str], number: str) -> str:
    if lost(arrived["redis.call"], number):
        return "all"
    if any(lost(arrived[way], number) for way in TEXTS):
        return "text"
    return "return" if lost(arrived["return"], number) else "bits"


def _note(text: str, number: str) -> str:
    if not lost(text, number):
        return "the same number" if text == number else "the same double, in other digits"
    now = double.exact_text(float(text))
    if "." in number:
        return f"another number: {now}"
    apart = int(now) - int(number)
    return f"lost: {now} is {abs(apart)} too {'large' if apart > 0 else 'small'}"


def _as_arrival(text: str, number: int) -> str:
    """Say what becomes of the number as the arrival of tier 1, put together with bit.band."""
    score = TIER + int(text)
    tier, should = score // TIER, TIER + number % TIER
    if score == should:
        return f" Those 32 bits are {text}."
    return (
        f" As an arrival of tier 1 that makes the score {score}, which reads as tier {tier}; "
        f"n % 2³² makes {should}."
    )


LAB = Lab(
    NAME="lua-numbers",
    TITLE="A script’s numbers are doubles, and not every way out keeps them",
    INVITES="Choose a number, and see which ways out of a Lua script change it.",
    says="A script reads a number n from its argument with tonumber and passes it on in seven "
    "ways: to redis.call as it is, as a text made in four ways, through bit.band, and as what it "
    "returns.",
    notice="Watch which ways keep all of a double, which 14 digits, and which only 32 bits.",
    question="Which ways change this number?",
    answers={
        "bits": "only bit.band",
        "return": "bit.band and return",
        "text": "bit.band, tostring, .. and cjson",
        "all": "every way",
    },
    SCRIPTS=(SCRIPT,),
    scene=scene,
    find=find,
    CHOICES=(NUMBER,),
)
