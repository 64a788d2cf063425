"""Registering: what a second registration changes."""

from __future__ import annotations

from decoder.readings.reading import Came, Outcome, Question, Reading

_FOUND_THE_SAME = "the run that it wrote was the one that stood there"


def _upserted(_reading: Reading, outcome: Outcome) -> Came:
    prior = outcome.replied("ZSCORE", "packed/upsert_repeat")
    before = prior.reply if prior else None
    if not isinstance(before, str):
        return Came((), "registered it", "it was not there before")
    if float(before) == float(outcome.own.score or before):
        return Came(("nothing",), "changed nothing", _FOUND_THE_SAME)
    return Came(("moves",), "moved the next run", "this script replaces the score that it finds")


def _registered(_reading: Reading, outcome: Outcome) -> Came:
    known = outcome.replied("EXISTS", "one-number/register")
    if known and known.reply == 1:
        return Came(("nothing",), "changed nothing", "this script asks for the record first")
    return Came((), "registered it", "there was no record of it")


_REGISTER = "Register again, as a reboot would: what changes?"
_CHANGES = {
    "nothing": "nothing",
    "moves": "the next run moves",
    "twice": "it is there twice",
}
UPSERT_AGAIN = Question(_REGISTER, _CHANGES, _upserted)
REGISTER_AGAIN = Question(_REGISTER, _CHANGES, _registered)
