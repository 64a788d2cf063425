"""What people type as a score, turned into what a server takes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.readings import typed


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("17", "17"),
        ("-1.5e3", "-1.5e3"),
        (".5", ".5"),
        ("inf", "inf"),
        ("8,589,934,609", "8589934609"),
        ("8\u202f589\u202f934\u202f609", "8589934609"),
        ("0xFF", "255"),
        ("-0xff", "-255"),
        ("2^53", "9007199254740992"),
        ("2**53 - 1", "9007199254740991"),
        ("-2^10", "-1024"),
        ("1970-01-01", "0"),
        ("1970-01-01T00:00:01.5Z", "1500"),
        ("1969-12-31T23:59:59Z", "-1000"),
        ("USR0KHTOWnGLuC", "274557032793636864"),
    ],
)
def test_every_form_becomes_a_decimal_number(text: str, sent: str) -> None:
    read = typed.read(text)
    assert read.sent == sent
    assert (read.says == "") == (text == sent)


@pytest.mark.parametrize(
    "text",
    ["", "nan", "abc", "1_0", "12,34", "0x", "2^", "2^^3", "2^2000", "9999999^9", "2026-02-30"],
)
def test_what_has_none_of_the_forms_is_sent_as_it_is(text: str) -> None:
    assert typed.read(text) == typed.Typed(text, None)


@given(st.text(max_size=60))
def test_nothing_that_is_typed_breaks_it(text: str) -> None:
    read = typed.read(text)
    assert read.exact is None or read.exact == Fraction(read.sent)
    assert typed.why_refused(read)


def test_what_is_longer_than_400_characters_is_cut() -> None:
    assert typed.read("9" * 1000).sent == "9" * 400
