"""The full range: where a double runs out of whole numbers, and where the counter wraps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program

LIMIT = 2097152


def test_the_switch_opens_and_closes_both_sliders(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.full_range(quiet).check()
    figure.expect_address(quiet, site, "?tier=2&arrival=17&full=1")
    for control, most in ((figure.tier, str(LIMIT)), (figure.tier_field, str(LIMIT))):
        expect(control(quiet)).to_have_attribute("max", most)
    for control in (figure.arrival, figure.arrival_field):
        expect(control(quiet)).to_have_attribute("min", "0")
        expect(control(quiet)).to_have_attribute("max", str(2**32))
    figure.full_range(quiet).uncheck()
    figure.expect_address(quiet, site, "?tier=2&arrival=17")
    expect(figure.tier(quiet)).to_have_attribute("max", "5")
    expect(figure.arrival(quiet)).to_have_attribute("min", "1")
    figure.expect_place(quiet, 2, 17, 5, 10)


def test_space_turns_the_switch(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.full_range(quiet).focus()
    quiet.keyboard.press("Space")
    expect(figure.full_range(quiet)).to_be_checked()
    figure.expect_address(quiet, site, "?tier=2&arrival=17&full=1")
    expect(figure.full_range(quiet)).to_be_focused()


def test_one_tier_past_the_limit_shows_what_was_lost(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?full=1")
    figure.tier(quiet).focus()
    quiet.keyboard.press("End")
    stored, computed = LIMIT * 2**32 + 16, LIMIT * 2**32 + 17
    lost = quiet.locator("#composite_score .lost")
    expect(lost).to_be_visible()
    expect(lost).to_contain_text("2⁵³")
    expect(figure.badge(quiet)).to_have_text(f"stored {stored}")
    expect(figure.number(quiet).locator("data")).to_have_attribute("value", str(computed))
    expect(figure.my_row(quiet).locator(".fact-arrival")).to_have_text("no. 16")
    assert f"ZADD emq:{{orders}}:prioritized {stored} JOB0Nb1VTbfnu4" in figure.commands(quiet)


def test_at_the_last_exact_tier_nothing_is_lost(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, f"?tier={LIMIT}&arrival=17&full=1")
    figure.button(quiet, "Priority tier: one less").click()
    figure.expect_place(quiet, LIMIT - 1, 17, 10, 10)
    expect(quiet.locator("#composite_score .lost")).to_have_count(0)


def test_past_the_limit_every_second_arrival_is_still_exact(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, f"?tier={LIMIT}&arrival=17&full=1")
    figure.button(quiet, "Arrival number: one more").click()
    figure.expect_place(quiet, LIMIT, 18, 10, 10)
    expect(quiet.locator("#composite_score .lost")).to_have_count(0)


def test_arrival_0_is_pushed_to_the_front_of_its_tier(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?full=1")
    figure.arrival(quiet).focus()
    quiet.keyboard.press("Home")
    figure.expect_place(quiet, 2, 0, 3, 10)


def test_the_counter_wraps_to_arrival_0(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?full=1")
    figure.arrival(quiet).focus()
    quiet.keyboard.press("End")
    figure.expect_place(quiet, 2, 0, 3, 10)
    expect(figure.arrival(quiet)).to_have_value(str(2**32))
    figure.expect_address(quiet, site, f"?tier=2&arrival={2**32}&full=1")


def test_turning_the_full_range_off_brings_the_job_back_into_the_short_one(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site, f"?tier={LIMIT}&arrival=4294967295&full=1")
    figure.full_range(quiet).uncheck()
    figure.expect_place(quiet, 5, 999, 10, 10)
    figure.expect_controls(quiet, 5, 999)
    figure.expect_address(quiet, site, "?tier=5&arrival=999")
    expect(quiet.locator("#composite_score .lost")).to_have_count(0)


@pytest.mark.parametrize("by_address", [True, False])
def test_the_ends_of_the_sliders_say_the_range_in_force(
    quiet: Page, site: Program, by_address: bool
) -> None:
    figure.open_home(quiet, site, "?full=1" if by_address else "")
    if not by_address:
        figure.full_range(quiet).check()
    spaces = re.compile(r"\s")
    ends = quiet.locator("#composite_tier_ends, #composite_arrival_ends")
    expect(ends.first).not_to_contain_text("5: served last")
    shown = [spaces.sub("", text) for text in ends.all_text_contents()]
    assert str(LIMIT) in shown[0]
    assert str(2**32) in shown[1]
    figure.full_range(quiet).uncheck()
    expect(ends.first).to_contain_text("5: served last")
    expect(ends.last).to_contain_text("999")
