"""Typed: what someone typed as a score, in the words that a server takes.

A server knows decimals, exponents and inf. People also type hexadecimal, powers, dates and ids;
those are turned into a decimal here, and it is said so. Anything else is sent as it is: the server
answers with its own refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction

from decoder.encodings import branded, instant
from decoder.errors import NotAnId

TEXT_MOST = 400
"""The longest double, 2**1023·(2 − 2**−52), has 309 digits; nobody types more by hand."""
EXPONENT_MOST = 1100
BASE_MOST = 10**6

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?", re.IGNORECASE | re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[ _,\u00a0\u2009\u202f]\d{3})+")
_HEXADECIMAL = re.compile(r"([+-]?)0x([0-9a-f](?:_?[0-9a-f])*)", re.IGNORECASE)
_POWER = re.compile(r"([+-]?)(\d{1,7}) ?(?:\^|\*\*) ?(\d{1,4})(?: ?([+-]) ?(\d{1,20}))?", re.ASCII)


@dataclass(frozen=True)
class Typed:
    """What was typed: `sent` goes to the server, `says` tells how it came about, if it changed.

    `exact` is the number that was meant, before a double rounds it; None for what is infinite or
    no number.
    """

    sent: str
    exact: Fraction | None
    says: str = ""


def read(text: str) -> Typed:
    """Read what someone typed; what is in no form that we know is sent as it is, cut to 400."""
    whole_text, text = text[:TEXT_MOST], text.strip()[:TEXT_MOST]
    if text and text != whole_text:
        inner = read(text)
        return replace(inner, says=f"Blanks around it were left out. {inner.says}".rstrip())
    if _INFINITE.fullmatch(text):
        return Typed(text, None)
    if _NUMBER.fullmatch(text):
        return Typed(text, Fraction(text))
    for form in FORMS:
        whole, says = form(text)
        if says:
            return Typed(str(whole), Fraction(whole), says)
    return Typed(text, None)


def _grouped(text: str) -> tuple[int, str]:
    if not _GROUPED.fullmatch(text):
        return 0, ""
    whole = int(re.sub(r"[^\d+-]", "", text))
    return whole, f"The server takes no separators, so {whole} was sent."


def _hexadecimal(text: str) -> tuple[int, str]:
    match = _HEXADECIMAL.fullmatch(text)
    if match is None:
        return 0, ""
    whole = int(match[1] + match[2].replace("_", ""), 16)
    return whole, f"Valkey 9 refuses hexadecimal, so {whole} was sent."


def _power(text: str) -> tuple[int, str]:
    match = _POWER.fullmatch(text)
    if match is None or int(match[3]) > EXPONENT_MOST or int(match[2]) > BASE_MOST:
        return 0, ""
    sign, base, exponent, plus, more = match.groups()
    whole = int(base) ** int(exponent) * (-1 if sign == "-" else 1)
    if more:
        whole += int(plus + more)
    return (whole, f"{text} is {whole}.") if len(str(whole)) <= TEXT_MOST else (0, "")


def _date(text: str) -> tuple[int, str]:
    if len(text) < len("2026-05-31") or not text[:4].isdigit():
        return 0, ""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return 0, ""
    assumed = " (no zone was given, so UTC)" if at.tzinfo is None else ""
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    since = at - datetime(1970, 1, 1, tzinfo=UTC)
    whole = (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    return whole, f"As milliseconds since 1970{assumed}: {whole}, {instant.iso(whole)}."


def _branded(text: str) -> tuple[int, str]:
    try:
        one = branded.parse(text)
    except NotAnId:
        return 0, ""
    minted = instant.iso(one.minted_ms)
    return one.snowflake, f"The id was minted at {minted}; its number is {one.snowflake}."


FORMS: tuple[Callable[[str], tuple[int, str]], ...] = (
    _grouped, _hexadecimal, _power, _date, _branded,
)  # fmt: skip
"""The other forms that people type: each gives a whole number and what to say, or an empty text."""


def why_refused(one: Typed) -> str:
    """Say why a server takes no such score; meant for what it refused."""
    text = one.sent.strip()
    if not text:
        return "Nothing was typed."
    if text.lower().strip("+-").startswith("nan"):
        return "NaN is no number: it is neither more nor less than anything, so it has no place."
    if one.exact is None:
        return (
            "A score is a decimal number, with an exponent if you like, or inf. Here hexadecimal, "
            "powers such as 2^53-1, dates and branded ids are turned into one."
        )
    if abs(one.exact) > 1:
        return "It is past the largest double, 1.7976931348623157e+308."
    return "It is nearer to 0 than the smallest double, 4.9406564584124654e-324."
