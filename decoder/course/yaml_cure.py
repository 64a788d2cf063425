"""YAML's cure: where YAML stops being readable, and what to write instead."""

from __future__ import annotations

import yaml

_CLOSED_BY = {"[": "]", "{": "}", "'": "'", '"': '"'}
_WITHIN = {
    "while parsing a flow sequence": "[",
    "while parsing a flow mapping": "{",
    "while parsing a flow node": "[{",
    "while scanning a quoted scalar": "'\"",
}
"""What PyYAML was reading when a closing sign did not come, and what may have opened it."""


def of(fault: Exception) -> tuple[int, str]:
    """Return the line, counted from 0, of what `yaml.safe_load` raised, and the cure.

    A line of -1 says that it is not known.
    """
    if isinstance(fault, RecursionError):
        return -1, "it is nested too deep: a list of entries is enough."
    if isinstance(fault, yaml.reader.ReaderError):
        return -1, "it holds a sign that no text has, such as a NUL: take it out."
    if not isinstance(fault, yaml.MarkedYAMLError):
        # A date that does not exist is a ValueError to it.
        return -1, f"{fault}: text that looks like a date or a number needs quotes around it."
    mark, context = fault.problem_mark, fault.context_mark
    if mark is None or mark.buffer is None:
        return -1, _cure("", "")
    if context is not None and fault.context in _WITHIN:
        return _never_closed(mark.buffer[: context.pointer + 1], _WITHIN[fault.context])
    return mark.line, _cure(fault.problem or "", mark.buffer[mark.pointer])


def _never_closed(before: str, signs: str) -> tuple[int, str]:
    """Return the line on which the last of some signs opens, and that it must be closed.

    The cure is there, and not where the text ends: that is often a field further down.
    """
    at = max(before.rfind(sign) for sign in signs)
    sign = before[at]
    return before.count("\n", 0, at), (
        f"the {sign} that opens here is never closed: close it with {_CLOSED_BY[sign]}, "
        "or put the whole text in quotes."
    )


def _cure(problem: str, sign: str) -> str:
    if problem.startswith("mapping values are not allowed"):
        return "text with a colon needs quotes around it."
    if sign == "\t":
        return "indent with blanks and not with tabs."
    if problem.startswith("found character"):
        return f"text that begins with {sign} needs quotes around it."
    if problem.startswith("found undefined alias") or "alphabetic or numeric" in problem:
        return "text that begins with * or & needs quotes around it."
    return (
        "begin the entries of a list below each other, and put text that holds one of "
        ": # [ ] { } & * ! in quotes."
    )
