"""A button that is pressed right after a move is the last word."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program


def test_a_reset_pressed_within_the_throttle_of_a_move_stays_a_reset(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    # Both at once: the second move still waits in the throttle when the button is pressed.
    quiet.evaluate(
        """() => {
            const tier = document.querySelector("#composite_tier");
            for (const value of ["3", "4"]) {
                tier.value = value;
                tier.dispatchEvent(new Event("input", { bubbles: true }));
            }
            document.querySelector("button[value=reset]").click();
        }"""
    )
    expect(quiet.locator("#composite_sentence")).to_contain_text("Everything is back")
    figure.expect_controls(quiet, 2, 17)
    # Whatever was still to come has come once another move is answered.
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.expect_address(quiet, site, "?tier=3&arrival=17")
