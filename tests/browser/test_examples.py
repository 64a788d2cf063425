"""The example of a script: run beside the recorded replies, by mouse, by keyboard, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_fits import TOO_WIDE
from tests.support.program import Program

SCRIPT = "/scripts/packed/change_priority"
EXCHANGES = 7


def test_what_was_run_stands_beside_what_was_recorded(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + SCRIPT)
    live = quiet.locator(".transcript .live")
    expect(live).to_have_count(EXCHANGES)
    expect(live.first).to_be_empty()
    quiet.get_by_role("button", name="Run these").click()
    expect(live.locator(".same")).to_have_count(EXCHANGES)
    recorded = quiet.locator(".transcript > ol > li > samp").all_text_contents()
    assert live.locator("> samp").all_text_contents() == recorded
    # The commands that the script itself sent unfold.
    quiet.get_by_text("the script sent 5 commands").click()
    expect(live.nth(3).get_by_text("EXISTS emq:{q}:job:41")).to_be_visible()


def test_an_example_is_run_one_by_one_by_keyboard(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + SCRIPT)
    quiet.get_by_role("button", name="Only the first").focus()
    quiet.keyboard.press("Enter")
    expect(quiet.locator(".transcript .same")).to_have_count(1)
    quiet.get_by_role("button", name=f"Next: 2 of {EXCHANGES}").press("Enter")
    expect(quiet.locator(".transcript .same")).to_have_count(2)


@pytest.mark.parametrize("width", [320, 390, 768])
def test_an_example_that_was_run_does_not_scroll_sideways(
    quiet: Page, site: Program, width: int
) -> None:
    quiet.set_viewport_size({"width": width, "height": 700})
    quiet.goto(site.address + SCRIPT)
    quiet.get_by_role("button", name="Run these").click()
    expect(quiet.locator(".transcript .same")).to_have_count(EXCHANGES)
    quiet.get_by_text("The whole file").click()
    assert quiet.evaluate(TOO_WIDE) == [0, []]


def test_a_figure_in_a_dive_looks_as_on_its_own_page(quiet: Page, site: Program) -> None:
    """What styles the prose around a figure leaves the figure alone."""
    quiet.set_viewport_size({"width": 1280, "height": 900})
    sizes = []
    for path in ("/instructors", "/figures/composite?tier=3&arrival=120"):
        quiet.goto(site.address + path)
        headings = ":is(h3, h4):not(.hidden)"
        parts = quiet.locator("live-figure").first.locator(
            f"{headings}, p, li, label, code, section"
        )
        sizes.append(
            parts.evaluate_all(
                """all => all.map((one) => {
                  const { fontFamily, fontSize, marginTop, listStyleType } = getComputedStyle(one);
                  // Its headings are one level deeper in a dive, and look the same.
                  const tag = one.tagName.replace(/^H\\d$/, "H");
                  return [tag, fontFamily, fontSize, marginTop, listStyleType].join(" ");
                })"""
            )
        )
    assert sizes[0] == sizes[1]
