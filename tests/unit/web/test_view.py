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
