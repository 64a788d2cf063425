"""Moving the sliders in a real browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.support.program import Program


def test_an_arrow_key_moves_the_job_and_the_address(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + "/")
    quiet.locator("#composite_tier").focus()
    quiet.keyboard.press("ArrowRight")
    expect(quiet.locator("#composite_sentence")).to_contain_text("7th of 10")
    assert quiet.url.endswith("/?tier=3&arrival=17")
    expect(quiet.locator("#composite_tier")).to_be_focused()
