"""Requests: fields of a form, or an address, read into what is asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.figures.composite import ACTIONS, INPUTS
from decoder.figures.request import Request, read_action, read_story

FIELDS = ["tier", "arrival", "action", "guess", "nudge", "seq", "full", "then"]
FORMS = st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=40), max_size=8)


def acted(**fields: str) -> Request:
    return read_action(INPUTS, ACTIONS, fields)


@given(form=FORMS)
def test_any_form_is_read(form: dict[str, str]) -> None:
    request = read_action(INPUTS, ACTIONS, form)
    assert request.action in ACTIONS
    assert set(request.inputs) == {"tier", "arrival"}
    assert request.entries == []


@given(form=FORMS)
def test_any_address_is_read(form: dict[str, str]) -> None:
    request = read_story(INPUTS, form)
    assert request.entries
    assert request.action in ("move", "serve", "add")


def test_a_move_is_given_and_carries_its_inputs() -> None:
    request = acted(tier="3", arrival="33")
    assert request.given
    assert request.action == "move"
    assert request.inputs == {"tier": 3, "arrival": 33}


def test_an_action_without_inputs_moves_nothing() -> None:
    request = acted(action="serve")
    assert not request.given
    assert request.notices == []


def test_a_guess_belongs_to_serving() -> None:
    assert acted(action="serve", guess="JOBx").guess == "JOBx"
    assert acted(action="add", guess="JOBx").guess == ""
    assert acted(tier="2", arrival="17", guess="JOBx").guess == ""


@pytest.mark.parametrize(
    ("nudge", "expected"),
    [
        ("tier:1", {"tier": 3, "arrival": 17}),
        ("tier:-1", {"tier": 1, "arrival": 17}),
        ("arrival:1", {"tier": 2, "arrival": 18}),
        ("arrival:-1", {"tier": 2, "arrival": 16}),
        ("tier:2", {"tier": 2, "arrival": 17}),
        ("", {"tier": 2, "arrival": 17}),
    ],
)
def test_a_button_of_a_slider_moves_it_by_one(nudge: str, expected: dict[str, int]) -> None:
    assert acted(tier="2", arrival="17", nudge=nudge).inputs == expected


@pytest.mark.parametrize(
    ("text", "seq"),
    [
        ("0", 0),
        ("7", 7),
        ("999999999999999", 999999999999999),
        ("9999999999999999", None),
        ("-1", None),
        ("1.0", None),
        ("", None),
        ("१", None),
        ("²", None),
    ],
)
def test_a_sequence_number_is_some_digits_or_none(text: str, seq: int | None) -> None:
    assert acted(tier="2", arrival="17", seq=text).seq == seq


@pytest.mark.parametrize(("text", "full"), [("1", True), ("on", True), ("0", False), ("", False)])
def test_the_full_range_is_a_switch(text: str, full: bool) -> None:
    assert acted(tier="9", arrival="17", full=text).full is full


def test_reset_needs_nothing_and_says_nothing_of_what_came_with_it() -> None:
    fields: dict[str, Any] = {"action": "reset", "tier": "x", "guess": "<b>"}
    request = acted(**fields)
    assert request.inputs == {"tier": 2, "arrival": 17}
    assert request.notices == []
