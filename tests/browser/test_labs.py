"""A lab: answer its question by a link, and what Valkey did unfolds."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from decoder.figures.labs import LABS
from tests.support.program import Program

pytestmark = pytest.mark.sample

EVERY_LAB = pytest.mark.parametrize("name", LABS)


def opened(page: Page, site: Program, name: str) -> None:
    page.goto(f"{site.address}/figures/{name}")
    page.wait_for_function("customElements.get('live-figure') !== undefined")


@EVERY_LAB
def test_an_answer_unfolds_what_valkey_did_and_back_takes_it_back(
    quiet: Page, site: Program, name: str
) -> None:
    opened(quiet, site, name)
    outcome = quiet.locator("details.outcome")
    status = quiet.locator("live-figure > [role=status]")
    expect(outcome).not_to_have_attribute("open", "")
    for label in LABS[name].answers.values():
        quiet.locator(".answers").get_by_role("link", name=label, exact=True).click()
        expect(quiet.locator(".sentence")).to_contain_text(f"You said: {label}")
        expect(outcome).to_have_attribute("open", "")
        expect(quiet.locator(".answers [aria-current]")).to_have_text(label)
    expect(status).to_contain_text("You said:", timeout=5000)
    assert "answer=" in quiet.url
    again = quiet.url
    quiet.goto(again)
    expect(quiet.locator("details.outcome")).to_have_attribute("open", "")
    assert quiet.evaluate("document.documentElement.scrollWidth <= innerWidth")


@EVERY_LAB
def test_a_choice_or_a_slider_asks_anew(quiet: Page, site: Program, name: str) -> None:
    opened(quiet, site, name)
    quiet.locator(".answers a").first.click()
    expect(quiet.locator(".answers [aria-current]")).to_have_count(1)
    if LABS[name].INPUTS:
        quiet.get_by_role("slider").first.press("End")
    else:
        quiet.locator(".choices a:not([aria-current])").last.click()
    expect(quiet.locator(".answers [aria-current]")).to_have_count(0)
    assert "answer=" not in quiet.url
