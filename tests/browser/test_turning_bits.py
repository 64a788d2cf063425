"""A bit inside the figures is turned over by mouse, by keyboard, and where no script runs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.program import Program

pytestmark = pytest.mark.sample

FIGURES = {
    "composite": "/?tier=2&arrival=17",
    "three_readings": "/figures/three-readings?reading=packed/fire-time",
}
CELLS = """(id) => [...document.querySelectorAll(`#${id} .cells .field`)].map(
  (field) => [field.className.replace('field fact-', ''), field.textContent])"""
STRIP = """(id) => [...document.querySelectorAll(`#${id}_inside code:last-of-type span`)].map(
  (part) => [part.className.replace('fact-', ''), part.textContent])"""
FOCUSED = "document.activeElement.value + ' ' + document.activeElement.getAttribute('aria-label')"


def bit(page: Page, name: str, number: int) -> Locator:
    return page.locator(f"#{name} .turn button[value='{number}']")


def settled(page: Page, name: str) -> None:
    """Expect the cells to be those of the strip, which Valkey's answer filled."""
    page.wait_for_function(
        f"JSON.stringify(({CELLS})('{name}')) === JSON.stringify(({STRIP})('{name}'))"
    )
    assert sum(len(digits) for _, digits in page.evaluate(CELLS, name)) == 64


@pytest.mark.parametrize("name", FIGURES)
def test_a_bit_is_turned_over_by_keyboard_and_keeps_the_focus(
    quiet: Page, site: Program, name: str
) -> None:
    quiet.goto(site.address + FIGURES[name])
    settled(quiet, name)
    address, fields = quiet.url, quiet.evaluate(CELLS, name)
    quiet.locator(f"#{name} .turn summary").press("Enter")
    bit(quiet, name, 33).focus()
    quiet.keyboard.press("Enter")
    expect(quiet).not_to_have_url(address)
    settled(quiet, name)
    assert quiet.evaluate(CELLS, name) != fields
    turned = bit(quiet, name, 33).inner_text()
    assert re.fullmatch(rf"33 bit 33, \w+: {turned}", quiet.evaluate(FOCUSED))
    once = quiet.url
    quiet.keyboard.press("Space")
    expect(quiet).not_to_have_url(once)
    settled(quiet, name)
    assert quiet.evaluate(CELLS, name) == fields
    quiet.keyboard.press("ArrowRight")
    assert quiet.evaluate(FOCUSED).startswith("32 bit 32")
    assert quiet.locator(f"#{name} .notices").inner_text() == ""


@pytest.mark.parametrize("name", FIGURES)
def test_what_a_cell_is_part_of_lights_everywhere(quiet: Page, site: Program, name: str) -> None:
    quiet.goto(site.address + FIGURES[name])
    quiet.locator(f"#{name} .turn summary").click()
    bit(quiet, name, 30).focus()
    field = quiet.evaluate(
        "document.activeElement.closest('.field').className.replace('field fact-', '')"
    )
    assert quiet.evaluate("document.documentElement.dataset.lit") == field


@pytest.mark.parametrize("name", FIGURES)
def test_without_scripts_a_bit_is_turned_over_as_well(
    browser: Browser, site: Program, name: str
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(site.address + FIGURES[name])
    before = page.locator(f"#{name}_inside").inner_text()
    page.locator(f"#{name} .turn summary").click()
    bit(page, name, 33).click()
    expect(page.locator(f"#{name}_inside")).not_to_have_text(before)
    expect(page.locator(f"#{name}_failure")).to_be_empty()
    assert page.locator(f"#{name} .notices li").count() == 0
    page.close()


def test_cells_come_back_with_the_score(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}/figures/three-readings?reading=packed/priority&step=1")
    assert quiet.evaluate(CELLS, "three_readings") == []
    quiet.get_by_role("link", name="2 write", exact=True).click()
    quiet.wait_for_function(f"({CELLS})('three_readings').length > 0")
    settled(quiet, "three_readings")
    quiet.locator("#three_readings .turn summary").click()
    bit(quiet, "three_readings", 51).click()
    expect(quiet).to_have_url(re.compile("then=at-"))
    settled(quiet, "three_readings")
