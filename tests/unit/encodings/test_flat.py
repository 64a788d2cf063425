"""Flat: one score for every member, and the order of their bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.encodings import branded, flat

FIRST_MS = 1704067200000
INSTANTS = st.integers(FIRST_MS, FIRST_MS + 2**41 - 1)
# Members as they come from a server: any bytes, those that are no UTF-8 kept as surrogates.
MEMBERS = st.binary(max_size=20)


def text(member: bytes) -> str:
    return member.decode("utf-8", "surrogateescape")


def test_every_score_is_0() -> None:
    assert flat.encode() == flat.SCORE == 0


@pytest.mark.parametrize("score", [0.0, -0.0])
def test_0_says_nothing(score: float) -> None:
    assert flat.decode(score)


@pytest.mark.parametrize("score", [1.0, -1.0, 5e-324, 1780226978000.0, float("inf")])
def test_any_other_score_is_not_flat(score: float) -> None:
    assert not flat.decode(score)


@given(one=MEMBERS, other=MEMBERS)
def test_members_stand_in_the_order_of_their_bytes(one: bytes, other: bytes) -> None:
    assert flat.before(text(one), text(other)) == (one < other)


def test_10_stands_before_2_and_capitals_before_small_letters() -> None:
    members = ["9", "a", "2", "Z", "10", "100", "é"]
    ordered = ["10", "100", "2", "9", "Z", "a", "é"]
    assert sorted(members, key=str.encode) == ordered
    assert all(flat.before(one, other) for one, other in pairwise(ordered))


def test_a_byte_that_is_no_utf_8_stands_where_the_server_puts_it() -> None:
    # As Python's own text the surrogate would come before U+FFFD.
    assert flat.before("\ufffd", text(b"\xff"))


@given(one=INSTANTS, other=INSTANTS)
def test_ids_stand_in_the_order_in_which_they_were_minted(one: int, other: int) -> None:
    assert flat.before(branded.mint(one), branded.mint(other)) == (one < other)


def test_no_member_stands_before_itself() -> None:
    assert not flat.before("JOB0Nb1VTbfnu4", "JOB0Nb1VTbfnu4")
