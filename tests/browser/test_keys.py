"""Moving a slider with the keys."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program


def test_arrows_home_and_end_move_the_tier(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier(quiet).focus()
    for key, at_tier, rank in (
        ("ArrowRight", 3, 7),
        ("ArrowUp", 4, 9),
        ("ArrowLeft", 3, 7),
        ("ArrowDown", 2, 5),
        ("End", 5, 9),
        ("Home", 1, 2),
    ):
        quiet.keyboard.press(key)
        figure.expect_place(quiet, at_tier, 17, rank, 10)
        figure.expect_controls(quiet, at_tier, 17)
        figure.expect_address(quiet, site, f"?tier={at_tier}&arrival=17")
        expect(figure.tier(quiet)).to_be_focused()


def test_an_arrow_moves_the_arrival_by_one(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.arrival(quiet).focus()
    quiet.keyboard.press("ArrowRight")
    figure.expect_place(quiet, 2, 18, 5, 10)


def test_the_page_keys_move_the_arrival_by_a_tenth(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.arrival(quiet).focus()
    quiet.keyboard.press("PageUp")
    expect(figure.my_row(quiet).locator("b")).to_have_text("6")
    moved = int(figure.arrival(quiet).input_value()) - 17
    assert 90 <= moved <= 110
    quiet.keyboard.press("PageDown")
    figure.expect_place(quiet, 2, 17, 5, 10)


def test_home_and_end_reach_both_ends_of_the_arrival(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.arrival(quiet).focus()
    quiet.keyboard.press("End")
    figure.expect_place(quiet, 2, 999, 6, 10)
    quiet.keyboard.press("Home")
    figure.expect_place(quiet, 2, 1, 3, 10)


def test_shift_and_an_arrow_go_a_hundredth_of_the_full_range(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=2&arrival=17&full=1")
    figure.tier(quiet).focus()
    step = 20972
    for key, at_tier in (
        ("ArrowRight", 2 + step),
        ("ArrowUp", 2 + 2 * step),
        ("ArrowLeft", 2 + step),
        ("ArrowDown", 2),
        ("ArrowDown", 1),
    ):
        quiet.keyboard.press(f"Shift+{key}")
        expect(figure.tier(quiet)).to_have_value(str(at_tier))
        expect(figure.my_row(quiet).locator(".fact-tier")).to_have_text(f"tier {at_tier}")
        figure.expect_address(quiet, site, f"?tier={at_tier}&arrival=17&full=1")


def test_shift_and_an_arrow_take_at_least_one_step_of_a_short_range(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    figure.tier(quiet).focus()
    quiet.keyboard.press("Shift+ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)


def test_a_key_at_the_end_of_the_range_changes_nothing(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=5&arrival=17")
    figure.tier(quiet).focus()
    quiet.keyboard.press("ArrowRight")
    quiet.keyboard.press("Shift+ArrowRight")
    figure.expect_place(quiet, 5, 17, 9, 10)
    figure.expect_controls(quiet, 5, 17)
    expect(figure.notices(quiet)).to_be_empty()
