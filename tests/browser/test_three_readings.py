"""The three readings in a browser: choosing, stepping, and choices made before an answer."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import watching
from tests.support.program import Program

PATH = "/figures/three-readings"


def test_arrow_keys_walk_through_the_steps_from_anywhere_on_the_page(
    quiet: Page, site: Program
) -> None:
    quiet.goto(site.address + PATH)
    sentence = quiet.locator("#three_readings_sentence")
    expect(sentence).to_contain_text("Stored 0")
    quiet.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text("Valkey served")
    quiet.keyboard.press("ArrowLeft")
    expect(sentence).to_contain_text("Stored 0")


def test_a_clock_that_is_moved_before_the_answer_keeps_the_reading_just_chosen(
    quiet: Page, site: Program
) -> None:
    quiet.goto(site.address + PATH)
    gate = watching.Gate(quiet)
    quiet.get_by_role("link", name="When?").click()
    gate.wait()
    quiet.locator("#three_readings_seconds").press("End")
    gate.open()
    expect(quiet.locator("#three_readings_sentence")).to_contain_text("due at 11:30:38 UTC")
    expect(quiet.locator(".card.chosen")).to_contain_text("When?")
    expect(quiet).to_have_url(
        site.address + PATH + "?reading=one-number/fire-time&step=3&now_ms=1780227038000"
    )
