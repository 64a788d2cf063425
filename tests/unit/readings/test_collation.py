"""Collation: what a dictionary would show, beside the order of bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.readings.collation import dictionary_key


@pytest.mark.parametrize(
    "ordered",
    [
        ["2", "9", "10", "100"],
        ["file 2", "file 9", "file 10"],
        ["alpha", "Alpha", "beta", "Beta"],
        ["cote", "coté", "côte", "côté"],
        ["Emil", "Émile", "Eva"],
        ["a", "A", "á", "Á", "b"],
        ["-", "1", "a"],
        ["v2a", "v2b", "v10"],
        ["", "a", "aa"],
        # An accent decides before case does.
        ["Cote", "coté"],
    ],
)
def test_letters_come_without_accent_and_case_and_digits_by_value(ordered: list[str]) -> None:
    for mixed in (ordered[::-1], sorted(ordered), ordered[1:] + ordered[:1]):
        assert sorted(mixed, key=dictionary_key) == ordered


def test_two_spellings_of_one_character_are_equal_and_only_their_bytes_differ() -> None:
    assert dictionary_key("Zo\u00eb") == dictionary_key("Zoe\u0308")
    assert "Zo\u00eb".encode() != "Zoe\u0308".encode()


def test_leading_zeros_weigh_nothing() -> None:
    assert dictionary_key("007") < dictionary_key("8")


@given(one=st.text(), other=st.text())
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert isinstance(dictionary_key(one) < dictionary_key(other), bool)


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz")))
def test_for_small_letters_alone_it_is_the_order_of_bytes(texts: list[str]) -> None:
    assert sorted(texts, key=dictionary_key) == sorted(texts)
