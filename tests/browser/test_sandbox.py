"""The sandbox of the page: when it expires is said, and it can be kept."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import figure, watching
from tests.support.program import Program

SOON = re.compile(r"\bsoon\b")


def test_the_page_says_when_the_sandbox_expires_and_what_is_left_of_the_minute(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    expect(quiet.locator(".expiry")).to_contain_text(re.compile(r"expires in\s+\d+ min"))
    expect(quiet.locator("#composite_state")).to_contain_text("commands left this minute")


def test_the_minutes_count_down_and_are_marked_before_the_end(quiet: Page, site: Program) -> None:
    quiet.clock.install()
    figure.open_home(quiet, site)
    expiry = quiet.locator(".expiry")
    minutes = int(re.findall(r"\d+", expiry.inner_text())[0])
    quiet.clock.fast_forward((minutes - 30) * 60_000)
    expect(expiry).to_contain_text(re.compile(r"\b(29|30|31) min"))
    expect(expiry).not_to_have_class(SOON)
    quiet.clock.fast_forward(22 * 60_000)
    expect(expiry).to_have_class(SOON)
    figure.button(quiet, "Keep it for another hour").click()
    expect(expiry).not_to_have_class(SOON)


def test_keeping_the_sandbox_changes_neither_the_queue_nor_the_address(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site, "?tier=3&arrival=17&then=serve")
    rows, entries = figure.rows(quiet), quiet.evaluate("history.length")
    with quiet.expect_response(watching.RUNS):
        figure.button(quiet, "Keep it for another hour").click()
    expect(quiet.locator("live-figure.htmx-request")).to_have_count(0)
    assert figure.rows(quiet) == rows
    figure.expect_address(quiet, site, "?tier=3&arrival=17&then=serve")
    assert quiet.evaluate("history.length") == entries


def test_two_pages_have_sandboxes_of_their_own(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    other = quiet.context.new_page()
    figure.open_home(other, site)
    figure.button(other, "Serve next").click()
    expect(figure.job_rows(other)).to_have_count(9)
    other.close()
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
