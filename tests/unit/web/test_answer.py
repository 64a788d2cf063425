"""The messages of a stream: what a part says is one line on the wire, and all of its text."""

from __future__ import annotations

from collections.abc import Callable

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from decoder.readings.run import Step
from decoder.transcripts.reply import Status
from decoder.web import answer
from decoder.web.rows import steps_html
from tests.support.figure import messages

LINES = '1) "a"\n2) "<b>&\'"\n\n   3) "last"'
ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What one program or another takes for the end of a line."""


def test_a_message_is_its_name_and_a_line_for_each_part() -> None:
    assert answer.message("7/order", {"a": "<p>one</p>", "b": "  two\n\n  three\n"}) == (
        "id: 7/order\n"
        'data: <hx-partial hx-target="#a" hx-swap="innerMorph"><p>one</p></hx-partial>\n'
        'data: <hx-partial hx-target="#b" hx-swap="innerMorph">two three</hx-partial>\n\n'
    )


@given(st.text(alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from(ENDS))))
def test_no_text_can_end_its_line_or_begin_another_message(text: str) -> None:
    written = answer.message("1", {"a": str(escape(text))})
    (one,) = messages(written)
    assert one.ids == ["1"]
    assert list(one.parts) == ["a"]
    assert written.count("\n") == 3
    assert "\r" not in written


def from_transcript(reply: str) -> str:
    return str(Markup("<samp>{}</samp>").format(answer.keeping_lines(reply)))


def from_figure(reply: str) -> str:
    # A status is written as it is.
    return str(steps_html([Step(1, "client", "", "GET k", ["GET", "k"], Status(reply))]))


@pytest.mark.parametrize("written_by", [from_transcript, from_figure])
@pytest.mark.parametrize("reply", [LINES, "one", "a\nb", "  spaced\n  out"])
def test_a_reply_of_many_lines_keeps_every_one_of_them(
    written_by: Callable[[str], str], reply: str
) -> None:
    (one,) = messages(answer.message("1", {"a": written_by(reply)}))
    shown = lxml.html.fragment_fromstring(one.parts["a"], create_parent="div").find(".//samp")
    assert shown.text_content() == reply
