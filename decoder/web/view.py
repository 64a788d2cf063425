"""View: what a figure's template shows: a run, or a failure with what still holds."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from decoder.course import markup
from decoder.encodings import packed
from decoder.errors import DecoderError, ProgramFailed, ServerUnreachable
from decoder.figures import FIGURES, template_of
from decoder.figures.desk import Visit
from decoder.readings.run import Run, Score, Step
from decoder.web.frame import Frame


class View(NamedTuple):
    """Everything that a figure's template may name."""

    name: str
    figure: Any
    visit: Visit
    score: Score
    run: Run | None
    failure: str
    steps: list[Step]
    page: str
    token: str
    keeps_the_last_run: bool = False
    fault: DecoderError | None = None
    base: str = ""
    """What stands before the query of a link: nothing on the page that `page` is, else `page`."""
    frame: Frame | None = None
    """How the page that embeds it wants it, None on a page of ours."""

    @property
    def template(self) -> str:
        """The name of the figure's template: its own, or the one that all labs share."""
        return template_of(self.name)

    @property
    def id(self) -> str:
        """What the ids of the figure's elements begin with."""
        return element_id(self.name)

    def lead(self, query: str) -> str:
        """Return where a link leads whose query this is, with what a frame carries on."""
        whole = "&".join(filter(None, (query, self.frame.kept if self.frame else "")))
        return f"{self.base}?{whole}" if whole or not self.base else self.base

    @property
    def told_page(self) -> str:
        """The page that a form tells: its answer is of this page, or shows it whole."""
        return self.frame.address if self.frame else self.page

    @property
    def is_locked(self) -> Callable[[str], bool]:
        """Tell whether an input stays as it is."""
        return (self.frame.lock if self.frame else ()).__contains__

    @property
    def query(self) -> str:
        """The query that replays what is shown, with its question mark; empty where nothing ran."""
        _, mark, query = self.run.address.partition("?") if self.run else ("", "", "")
        return mark + query

    @property
    def notices(self) -> list[str]:
        """What was moved, dropped or begun anew, in sentences."""
        told: list[str] = self.run.notices if self.run else self.visit.request.notices
        return told

    def told(self, again: str, anew: str) -> str:
        """Say what failed and what tries again: after a run that still stands, or where none was.

        Empty where nothing failed.
        """
        if not self.failure:
            return ""
        return f"{self.failure} {_last_run(again) if self.keeps_the_last_run else _no_run(anew)}"

    def offline(self, again: str) -> str:
        """Say, for a page that cannot ask, that an answer did not come."""
        return f"That did not get through to the server. {_last_run(again)}"

    @property
    def unreachable(self) -> bool:
        """Whether the server did not answer."""
        return isinstance(self.fault, ServerUnreachable)

    @property
    def without_sandbox(self) -> DecoderError | None:
        """Return why there is no sandbox to go on in: nobody answered, or none was opened."""
        return self.fault if self.unreachable or not self.token else None


def _last_run(again: str) -> str:
    return f"What you see is the last run; {again} tries again."


def _no_run(anew: str) -> str:
    return f"Nothing was run; {anew} tries again."


def element_id(name: str) -> str:
    """Write a figure's name as an element's id."""
    return name.replace("-", "_")


def viewed(visit: Visit, run: Run, *, stream: bool = False) -> View:
    """View a run that worked; the form of a page counts on from what the lane has seen."""
    figure = FIGURES[visit.figure]
    if not stream:
        seq = max(run.newest_seq, visit.request.seq or 0)
        visit = dataclasses.replace(visit, request=visit.request._replace(seq=seq))
    return View(visit.figure, figure, visit, run.score, run, "", run.steps, visit.path, visit.token)


def failed(visit: Visit, fault: DecoderError, *, stream: bool = False) -> View:
    """View a failure: its sentence, and the steps before it.

    A stream keeps the last run, where the page had one.
    """
    figure = FIGURES[visit.figure]
    score: Score = figure.standing(visit.request)
    steps = fault.steps if isinstance(fault, ProgramFailed) else []
    # A sandbox that was refused has no token yet: the next try is counted again.
    token = "" if visit.opens_a_sandbox else visit.token
    return View(
        visit.figure, figure, visit, score, None, fault.sentence, steps, visit.path,
        token, stream and not visit.opens_a_sandbox, fault,
    )  # fmt: skip


def grouped(number: int) -> str:
    """Write a number with thin groups of three digits, as 8 589 934 609."""
    return f"{number:,}".replace(",", "\u202f")


def digits(number: int) -> Markup:
    """Write a number whose groups of three are set apart, yet copied as one number."""
    return Markup("").join(
        Markup("<span>{}</span>").format(group) for group in f"{number:,}".split(",")
    )


def hex_halves(score: Score) -> tuple[str, str]:
    """Return the high and the low 32 bits in hexadecimal, four digits and four."""
    digits = (score.hex or "0x" + "0" * 16)[2:]
    return f"{digits[:4]} {digits[4:8]}", f"{digits[8:12]} {digits[12:]}"


def lost(score: Score) -> str:
    """Say what a double cannot keep of a computed score; meant for one that is not exact."""
    kept = int(score.computed or 0)
    rounded = int(float(kept))
    facts = zip(("tier", "arrival"), packed.decode(kept), packed.decode(rounded), strict=True)
    lost = [
        f"{name} {meant} is read back as {read}" for name, meant, read in facts if meant != read
    ]
    return (
        f"Past 2⁵³ a double holds only every second integer: {grouped(kept)} is stored as "
        f"{grouped(rounded)}, "
        f"so {' and '.join(lost)}."
    )


PREVIEW_MOST = 160
"""Characters of a description that search engines and link previews show whole."""


def preview(text: str) -> str:
    """Keep as many whole sentences as a preview shows; of a longer one, its first words."""
    kept = ""
    for sentence in re.split(r"(?<=[.?!]) +(?=[A-Z])", text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > PREVIEW_MOST:
            break
        kept = longer
    return kept or textwrap.shorten(text, PREVIEW_MOST, placeholder=" …")


def hcon(fields: dict[str, Any]) -> str:
    """Write fields as htmx's mini language reads them: step:2 reading:packed/priority."""
    return " ".join([f"{name}:{value}" for name, value in fields.items()])


def telling(headline: str, hue: str) -> Markup:
    """Write a headline whose *telling word* takes a fact's colour."""
    before, star, rest = headline.partition("*")
    word, _, after = rest.partition("*")
    if not star:
        return escape(headline)
    return Markup('{}<em class="fact-{}">{}</em>{}').format(before, hue, word, after)


def markdown(text: str) -> Markup:
    """Render a piece of Markdown that is ours, such as a definition."""
    return Markup(markup.rendered(text))
