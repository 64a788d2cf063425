"""Hues: words of a dive in the colour of their fact, as an author marks them: [tier 2]{tier}.

A column whose heading is marked as a whole has the colour in all its rows. Colour only adds to
what the words say. It reads what Markdown made of a dive, where such brackets are plain text.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from markupsafe import Markup, escape

from decoder.course.markup import MARKS

_MARKED = re.compile(r"\[([^\[\]]+)\]\{(" + "|".join(MARKS) + r")\}")
_IN_A_FORMULA = {
    "tier": "tier", "arrival": "arrival", "slot": "slot",
    "timestamp + delay": "time", "run at": "time", "next run": "time",
}  # fmt: skip
_CODE = re.compile(r"<(pre|code)\b.*?</\1>", re.DOTALL)
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_HEADING = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_WHOLE = re.compile(r'<span class="(fact-\w+)">[^<]*</span>')
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)


def hued(text: str, fact: str) -> str:
    """Write HTML in the colour of a fact."""
    return f'<span class="fact-{fact}">{text}</span>'


@lru_cache(maxsize=1024)
def hues(html: str) -> Markup:
    """Give what is marked in rendered Markdown its colour; code keeps its brackets."""
    codes: list[str] = []

    def aside(code: re.Match[str]) -> str:
        codes.append(code[0])
        return f"\0{len(codes) - 1}\0"

    # No page has a NUL: it stands for a piece of code meanwhile.
    html = _CODE.sub(aside, html.replace("\0", ""))
    html = _MARKED.sub(lambda found: hued(found[1], found[2]), html)
    html = _TABLE.sub(lambda found: _columns(found[0]), html)
    return Markup(re.sub("\0(\\d+)\0", lambda found: codes[int(found[1])], html))


def hues_of_text(text: str) -> Markup:
    """Give what is marked in a plain text its colour."""
    return hues(str(escape(text)))


@lru_cache
def hues_of_formula(formula: str) -> Markup:
    """Give the words of a reading's formula that name a fact its colour."""
    words = "|".join(map(re.escape, _IN_A_FORMULA))
    text = str(escape(formula))
    return Markup(re.sub(words, lambda found: hued(found[0], _IN_A_FORMULA[found[0]]), text))


def _columns(table: str) -> str:
    found = [_WHOLE.fullmatch(heading.strip()) for heading in _HEADING.findall(table)]
    hue = [f' class="{one[1]}"' if one else "" for one in found]
    if not any(hue):
        return table

    def row(cells: re.Match[str]) -> str:
        at = itertools.count()
        return re.sub("<td", lambda _: f"<td{hue[next(at)]}", cells[0])

    return _ROW.sub(row, table)
