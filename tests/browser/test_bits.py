"""The 64 cells: one widget for the keyboard, each cell a button, one fact lit everywhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from decoder.encodings.double import word
from tests.support.program import Program

pytestmark = pytest.mark.sample

PATH = "/figures/bits"


def opened(page: Page, site: Program, query: str = "") -> None:
    page.goto(site.address + PATH + query)
    page.wait_for_function(
        "['live-figure', 'score-bits'].every((name) => customElements.get(name))"
    )


def cell(page: Page, bit: int) -> Locator:
    return page.locator(f".cells button[value='{bit}']")


def said(page: Page) -> Locator:
    return page.get_by_label("A score", exact=True)


def sentence(page: Page) -> Locator:
    return page.locator("#bits_sentence")


def test_a_cell_that_is_pressed_stores_another_score(quiet: Page, site: Program) -> None:
    opened(quiet, site)
    cell(quiet, 63).click()
    expect(said(quiet)).to_have_value("-8589934609")
    expect(sentence(quiet)).to_contain_text("Stored as -8589934609.")
    expect(cell(quiet, 63)).to_have_text("1")
    expect(quiet.locator("#bits_steps")).to_contain_text("-8589934609")
    assert quiet.url.endswith("?score=-8589934609")


def test_the_64_cells_are_one_stop_of_the_tab_key_and_the_arrows_walk_in_them(
    quiet: Page, site: Program
) -> None:
    opened(quiet, site)
    assert quiet.locator(".cells button[tabindex='0']").count() == 1
    quiet.get_by_label("Coloured as").focus()
    quiet.keyboard.press("Tab")
    focused = quiet.locator(".cells button:focus")
    expect(focused).to_have_count(1)
    at = int(focused.get_attribute("value") or "")
    quiet.keyboard.press("ArrowRight")
    expect(cell(quiet, at - 1)).to_be_focused()
    expect(cell(quiet, at - 1)).to_have_attribute("aria-label", f"bit {at - 1}, arrival: 0")
    quiet.keyboard.press("Home")
    expect(cell(quiet, 63)).to_be_focused()
    quiet.keyboard.press("End")
    expect(cell(quiet, 0)).to_be_focused()
    quiet.keyboard.press("Space")
    expect(cell(quiet, 0)).to_have_text("1")
    expect(cell(quiet, 0)).to_be_focused()
    expect(sentence(quiet)).to_contain_text("Stored as 8589934609.000002")
    quiet.keyboard.press("Tab")
    assert quiet.locator(".cells button:focus").count() == 0


def test_the_cells_are_summed_up_in_words(quiet: Page, site: Program) -> None:
    opened(quiet, site)
    group = quiet.get_by_role("group", name="The 64 bits; press one to turn it over")
    expect(group).to_have_accessible_description(
        "64 bits: plus, exponent 1056 − 1023 = 33, then tier 1 bits, arrival 32 bits, "
        "behind the point 19 bits."
    )
    expect(quiet.get_by_role("group", name="exponent, bits 62 to 52: 1056")).to_be_visible()


def test_a_pattern_that_is_no_number_is_refused_and_can_be_turned_back(
    quiet: Page, site: Program
) -> None:
    opened(quiet, site, "?score=inf")
    cell(quiet, 3).click()
    expect(sentence(quiet)).to_contain_text("ERR value is not a valid float")
    expect(quiet.locator("#bits_badge")).to_have_text("not stored")
    assert quiet.url.endswith("bits=7ff0000000000008")
    quiet.reload()
    expect(cell(quiet, 3)).to_have_text("1")
    cell(quiet, 3).click()
    expect(sentence(quiet)).to_contain_text("Stored as inf.")


def test_what_is_typed_stays_as_it_was_typed(quiet: Page, site: Program) -> None:
    opened(quiet, site)
    said(quiet).fill("2^53")
    said(quiet).press("Enter")
    expect(sentence(quiet)).to_contain_text("2^53 is 9007199254740992.")
    expect(said(quiet)).to_have_value("2^53")


def test_another_reading_colours_the_same_bits(quiet: Page, site: Program) -> None:
    opened(quiet, site, "?score=7291809701888000")
    expect(quiet.locator(".cells .fact-tier button").first).to_be_visible()
    quiet.get_by_label("Coloured as").select_option("packed/fire-time")
    expect(quiet.locator(".cells .fact-slot.field button")).to_have_count(12)
    expect(quiet.locator("#bits_score")).to_contain_text("time 1780226978000")
    expect(quiet.locator(".meanings .chosen")).to_contain_text("slot 0 of that millisecond")
    assert "reading=packed" in quiet.url


@pytest.mark.parametrize("fact", ["tier", "arrival"])
def test_a_fact_that_is_pointed_at_lights_wherever_it_stands(
    quiet: Page, site: Program, fact: str
) -> None:
    opened(quiet, site, "?score=30064771089")
    root = quiet.locator("html")
    field = quiet.locator(f".cells .fact-{fact}.field button").first
    shadow = "(cell) => getComputedStyle(cell).boxShadow"
    assert field.evaluate(shadow) == "none"
    quiet.locator(f"#bits_score .fact-{fact}").hover()
    expect(root).to_have_attribute("data-lit", fact)
    assert field.evaluate(shadow) != "none"
    quiet.locator("h1").hover()
    assert root.get_attribute("data-lit") is None
    field.focus()
    expect(root).to_have_attribute("data-lit", fact)
    line = "(one) => getComputedStyle(one).textDecorationLine"
    assert quiet.locator(f"#bits_score .fact-{fact}").evaluate(line) == "underline"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_a_bit_and_what_stands_above_it_stay_together_at_any_width(
    quiet: Page, site: Program, width: int
) -> None:
    quiet.set_viewport_size({"width": width, "height": 800})
    opened(quiet, site)
    assert quiet.evaluate("document.documentElement.scrollWidth") <= width
    boxes = [one.bounding_box() for one in quiet.locator(".cells button").all()]
    assert len({round(box["y"]) for box in boxes if box}) in (3, 6)
    assert {round(box["width"]) for box in boxes if box} <= set(range(8, 60))
    assert min(box["width"] for box in boxes if box) >= 24


@pytest.mark.parametrize("path", ["/", "/figures/three-readings?reading=packed/fire-time"])
def test_other_figures_show_the_bits_of_their_score_and_lead_to_the_cells(
    quiet: Page, site: Program, path: str
) -> None:
    quiet.goto(site.address + path)
    digits = quiet.locator(".inside code").last
    stored = "8589934609" if path == "/" else "7291809701888000"
    expect(digits).to_have_text(f"{word(float(stored)):064b}")
    above, below = (one.bounding_box() for one in quiet.locator(".inside code").all())
    assert above
    assert below
    assert above["x"] == below["x"]
    quiet.get_by_role("link", name="Look inside").click()
    expect(said(quiet)).to_have_value(stored)


def test_the_bits_follow_the_slider(quiet: Page, site: Program) -> None:
    quiet.goto(site.address)
    quiet.get_by_role("slider", name="Priority tier").press("ArrowRight")
    expect(quiet.locator(".inside code").last).to_have_text(f"{word(3 * 2**32 + 17.0):064b}")
    expect(quiet.locator(".inside .fact-arrival").last).to_have_text(f"{17:032b}")


def test_what_holds_a_fact_lights_with_it(quiet: Page, site: Program) -> None:
    quiet.goto(site.address)
    line = "(one) => getComputedStyle(one).textDecorationLine"
    parts = (
        "#composite_score .number",
        "#composite_steps mark",
        "#composite_score .hex .fact-tier",
    )
    parts += ("#composite_inside .fact-tier", "#composite_order .mine .fact-tier")
    for part in parts:
        assert quiet.locator(part).first.evaluate(line) == "none", part
    quiet.get_by_role("slider", name="Priority tier").focus()
    expect(quiet.locator("html")).to_have_attribute("data-lit", "tier")
    for part in parts:
        assert quiet.locator(part).first.evaluate(line) == "underline", part
