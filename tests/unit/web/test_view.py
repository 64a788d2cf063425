"""How numbers and headlines are written for people."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.web import view


@given(number=st.integers(0, 2**60))
def test_digits_are_set_apart_yet_copied_as_one_number(number: int) -> None:
    html = str(view.digits(number))
    assert re.sub(r"</?span>", "", html) == str(number)
    groups = re.findall(r"<span>(\d+)</span>", html)
    assert [len(group) for group in groups[1:]] == [3] * (len(groups) - 1)
    assert 1 <= len(groups[0]) <= 3


@given(number=st.integers(0, 2**60))
def test_a_grouped_number_has_narrow_spaces_only(number: int) -> None:
    assert view.grouped(number).replace("\u202f", "") == str(number)
    assert "," not in view.grouped(number)


@pytest.mark.parametrize(
    ("headline", "html"),
    [
        ("One *word* of it", 'One <em class="fact-tier">word</em> of it'),
        ("No star", "No star"),
        ("<b> *x*", '&lt;b&gt; <em class="fact-tier">x</em>'),
        ("*<i>*", '<em class="fact-tier">&lt;i&gt;</em>'),
    ],
)
def test_the_telling_word_of_a_headline_takes_the_colour(headline: str, html: str) -> None:
    assert str(view.telling(headline, "tier")) == html


def test_a_preview_keeps_whole_sentences() -> None:
    assert view.preview("One. Two.") == "One. Two."
    first, second = "A" + "b" * 98 + ".", "C" + "d" * 98 + "."
    assert view.preview(f"{first} {second}") == first
    # 11:28:07 UTC and 2.5 end no sentence.
    assert view.preview("At 11:28:07 UTC. the 2.5 th") == "At 11:28:07 UTC. the 2.5 th"


def test_a_preview_of_one_long_sentence_breaks_between_words() -> None:
    short = view.preview("word " * 60)
    assert len(short) <= view.PREVIEW_MOST
    assert short.endswith("word …")
