"""Inputs: whatever text comes, a whole number of the range comes out, and a notice if need be."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.figures import FIGURES
from decoder.figures.inputs import Input, Range, read_inputs
from decoder.figures.three_readings import SECONDS

ONE = Input("tier", "Priority tier", Range(1, 5), Range(1, 2097152), 2)
NUMBERS = st.integers() | st.decimals(allow_nan=False) | st.floats(allow_nan=False)


@given(text=st.text(), full=st.booleans())
@example(text="1e999999999999999999999", full=False)
@example(text="1e-999999999999999999999", full=False)
@example(text="sNaN", full=True)
@example(text="9" * 5000, full=True)
def test_any_text_becomes_a_number_of_the_range(text: str, full: bool) -> None:
    value, notice = ONE.read(text, full)
    allowed = ONE.allowed(full)
    assert isinstance(value, int)
    assert allowed.least <= value <= allowed.most
    assert len(notice) < 200


@given(value=st.integers(1, 5))
def test_a_valid_number_comes_without_a_notice(value: int) -> None:
    assert ONE.read(str(value), full=False) == (value, "")


@given(value=st.integers(1, 2097152))
def test_a_number_of_the_full_range_is_valid_there(value: int) -> None:
    assert ONE.read(str(value), full=True) == (value, "")


@given(number=NUMBERS)
@example(number=Decimal("1e400"))
@example(number=float("inf"))
def test_no_other_number_of_the_range_is_nearer(number: int | Decimal | float) -> None:
    text = str(number)
    value, notice = ONE.read(text, full=False)
    exact = Decimal(text)
    if exact.is_finite():
        distances = [abs(exact - other) for other in range(1, 6)]
        # Decimal subtraction rounds far away, so compare where it does not.
        if abs(exact) < 10**9:
            assert abs(exact - value) == min(distances)
    assert value == (1 if exact < 1 else 5 if exact > 5 else value)
    assert (notice == "") == (exact == value)


@given(text=st.text(min_size=1).filter(lambda text: text.strip()))
def test_a_notice_names_range_and_result(text: str) -> None:
    value, notice = ONE.read(text, full=False)
    if notice:
        assert "Priority tier" in notice
        assert "1 to 5" in notice
        assert str(value) in notice


@pytest.mark.parametrize("text", [None, "", "  "])
def test_a_missing_value_is_the_default_and_said(text: str | None) -> None:
    value, notice = ONE.read(text, full=False)
    assert value == 2
    assert "missing" in notice


def test_all_inputs_are_read_and_each_notice_kept() -> None:
    other = Input("arrival", "Arrival number", Range(1, 999), Range(0, 2**32), 17)
    values, notices = read_inputs([ONE, other], {"tier": "9", "arrival": "x"}, full=False)
    assert values == {"tier": 5, "arrival": 17}
    assert len(notices) == 2


@pytest.mark.parametrize("figure", FIGURES)
def test_every_label_is_the_subject_of_its_notices(figure: str) -> None:
    inputs = [*FIGURES[figure].INPUTS, *([SECONDS] if figure == "three-readings" else [])]
    for one in inputs:
        _, said = one.read(str(one.range.most + 1), False)
        assert said.startswith(f"{one.label} runs from {one.range.least} to ")
        assert "," not in one.label
        assert one.label[0].isupper()


@pytest.mark.parametrize("figure", FIGURES)
def test_what_a_figure_cannot_do_is_said_of_that_figure(figure: str) -> None:
    (notice,) = [
        one for one in FIGURES[figure].read_action({"action": "fly"}).notices if "“fly”" in one
    ]
    assert "nothing this figure does" in notice
    # Only one of them has a job that moves.
    assert "moved" not in notice
