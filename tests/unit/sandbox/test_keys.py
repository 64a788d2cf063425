"""Keys: one place makes a physical name, and the same place takes it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.crc import key_slot

from decoder.sandbox import keys as names
from decoder.sandbox.keys import Lane, is_sandbox_id, new_sandbox_id

LOGICAL = st.text(max_size=40)


@given(logical=LOGICAL)
def test_a_physical_key_is_prefix_and_logical_key(logical: str) -> None:
    lane = Lane("a" * 22, "composite")
    assert lane.physical(logical) == "{sbx:" + "a" * 22 + "}:composite:" + logical
    assert names.strip(lane.physical("x") + " " + logical) == "x " + logical


@given(logical=LOGICAL, other=LOGICAL)
def test_all_keys_of_a_sandbox_share_a_slot(logical: str, other: str) -> None:
    one = Lane(new_sandbox_id(), "composite")
    two = Lane(one.sandbox_id, "three-readings:packed")
    keys = [one.physical(logical), two.physical(other)]
    assert len({key_slot(key.encode("utf-8", "surrogatepass")) for key in keys}) == 1


def test_new_names_are_random_and_recognised() -> None:
    names = {new_sandbox_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(is_sandbox_id(name) for name in names)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 21,
        "a" * 23,
        "a" * 21 + "}",
        "a" * 21 + ":",
        "a" * 21 + "\n",
        "é" * 22,
        "a" * 21 + " ",
    ],
)
def test_what_could_leave_the_braces_is_no_name(text: str) -> None:
    assert not is_sandbox_id(text)


def test_an_error_text_is_shown_without_the_prefix() -> None:
    lane = Lane("a" * 22, "composite")
    text = f"WRONGTYPE {lane.physical('emq:{q}:pc')} and {lane.physical('x')}"
    assert names.strip(text) == "WRONGTYPE emq:{q}:pc and x"
