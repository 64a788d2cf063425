"""Addresses: what is written is read again as the same story."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.figures import address

DEFAULT = {"tier": 2, "arrival": 17}
PLACES = st.builds(
    lambda tier, arrival: f"at-{tier}-{arrival}", st.integers(1, 2097152), st.integers(0, 2**32)
)
ACTIONS = st.sampled_from(["add", "serve"]) | st.from_regex(r"\Aserve-[A-Za-z0-9]{1,20}\Z")


def remembered(first: str, rest: list[str]) -> list[str]:
    """Remember a story as the frame does: it begins with a place, and places replace each other."""
    story = [first]
    for entry in rest:
        if address.is_place(entry) and address.is_place(story[-1]):
            story.pop()
        story.append(entry)
    return story


def stories() -> st.SearchStrategy[list[str]]:
    return st.builds(remembered, PLACES, st.lists(PLACES | ACTIONS, max_size=20))


def query_of(written: str) -> dict[str, str]:
    assert written.count("?") == 1
    query = parse_qs(urlsplit(written).query, strict_parsing=True)
    return {name: value for name, (value,) in query.items()}


@given(entries=stories())
def test_a_story_written_and_read_is_the_same_story(entries: list[str]) -> None:
    query = query_of(address.write("/x", entries, full=True, default=DEFAULT))
    inputs = {"tier": int(query["tier"]), "arrival": int(query["arrival"])}
    read, notices = address.read(query.get("then", ""), inputs, 40)
    assert read == entries
    assert notices == []


@given(entries=stories(), full=st.booleans())
def test_an_address_says_where_the_job_stands(entries: list[str], full: bool) -> None:
    query = query_of(address.write("/x", entries, full=full, default=DEFAULT))
    places = [entry for entry in entries if entry.startswith("at-")]
    assert f"at-{query['tier']}-{query['arrival']}" == places[-1]
    assert ("full" in query) == full


@given(entries=stories())
def test_an_address_needs_no_escapes(entries: list[str]) -> None:
    written = address.write("/figures/composite", entries, full=True, default=DEFAULT)
    assert "%" not in written
    assert " " not in written


@given(then=st.text(max_size=200), most=st.integers(0, 40))
def test_any_text_is_read_as_a_story_that_begins_with_a_place(then: str, most: int) -> None:
    entries, notices = address.read(then, DEFAULT, most)
    assert address.is_place(entries[0])
    actions = [entry for entry in entries if not address.is_place(entry)]
    assert len(actions) <= most
    assert {address.action(entry) for entry in entries} <= {"move", "serve", "add"}
    assert len(notices) <= 6
    assert all(len(notice) < 200 for notice in notices)


@pytest.mark.parametrize("count", [40, 41, 100])
def test_one_action_more_than_allowed_is_left_out_and_said(count: int) -> None:
    entries, notices = address.read(",".join(["add"] * count), DEFAULT, 40)
    assert entries == ["at-2-17", *["add"] * 40]
    assert [notice for notice in notices if "40" in notice] == notices
    assert len(notices) == (1 if count > 40 else 0)


def test_the_address_of_the_start_is_short() -> None:
    written = address.write("/", ["at-2-17"], full=False, default=DEFAULT)
    assert written == "/?tier=2&arrival=17"


def test_serve_and_add_after_one_move_are_written_as_in_the_design() -> None:
    written = address.write("/", ["at-2-17", "serve", "add"], full=False, default=DEFAULT)
    assert written == "/?tier=2&arrival=17&then=serve,add"


@given(text=st.text(max_size=40))
def test_a_guess_is_some_letters_and_digits(text: str) -> None:
    plain = text.isascii() and text.isalnum() and 1 <= len(text) <= 20
    assert address.is_guess(text) == plain
