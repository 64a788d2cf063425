"""Collation: the order in which a dictionary, or a list in a browser, shows texts. Not Valkey's."""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(r"\d+|\D")

Weight = tuple[int, int, str]
Key = tuple[list[Weight], list[str], list[bool]]


def dictionary_key(text: str) -> Key:
    """Return what a dictionary compares of a text, for `sorted`.

    Letters count without their accents and their case, a run of digits by its value, and signs come
    before digits, digits before letters. Only where all of that is equal an accent comes later than
    none, and then a capital later than a small letter. Two spellings of one character are equal.
    Source: a small part of the Unicode Collation Algorithm (UTS #10), as a browser has it in
    `Intl.Collator("en", {numeric: true})`; enough for the letters of Latin script.
    """
    spread = unicodedata.normalize("NFD", text)
    plain = "".join(one for one in spread if not unicodedata.combining(one))
    accents = re.findall(r"[^\u0300-\u036f]([\u0300-\u036f]*)", spread)
    return [_weight(run) for run in _RUN.findall(plain.casefold())], accents, [
        one.isupper() for one in plain
    ]  # fmt: skip


def _weight(run: str) -> Weight:
    if run.isdecimal():
        return 1, int(run), ""
    return (2 if run.isalpha() else 0), 0, run
