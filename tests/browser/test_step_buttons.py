"""The − and + buttons beside a slider."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program


def test_plus_and_minus_move_by_one(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.button(quiet, "Arrival number: one less").click()
    figure.expect_place(quiet, 3, 16, 7, 10)
    figure.expect_controls(quiet, 3, 16)
    figure.expect_address(quiet, site, "?tier=3&arrival=16")


def test_a_step_button_keeps_the_focus(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(figure.button(quiet, "Priority tier: one more")).to_be_focused()


def test_fast_clicks_on_plus_all_count(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    for _ in range(13):
        figure.button(quiet, "Arrival number: one more").click()
    figure.expect_controls(quiet, 2, 30)
    expect(figure.my_row(quiet).locator(".fact-arrival")).to_have_text("no. 30")


def test_plus_at_the_end_of_the_range_stays_there(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=5&arrival=999")
    figure.button(quiet, "Priority tier: one more").click()
    figure.button(quiet, "Arrival number: one more").click()
    figure.expect_place(quiet, 5, 999, 10, 10)
    figure.expect_controls(quiet, 5, 999)
    figure.expect_address(quiet, site, "?tier=5&arrival=999")


def test_equal_scores_stand_in_the_order_of_their_bytes(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=2&arrival=29")
    figure.button(quiet, "Arrival number: one more").click()
    figure.expect_place(quiet, 2, 30, 5, 10)
    tied = [row.member for row in figure.rows(quiet) if (row.tier, row.arrival) == (2, 30)]
    assert tied == sorted(tied, key=str.encode)
