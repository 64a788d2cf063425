"""On paper: the whole content, readable, without the controls."""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import figure
from tests.browser.test_colours import too_faint
from tests.support.program import Program

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"
FONT_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
# A4 with margins of 1 cm, in CSS pixels.
PAPER: ViewportSize = {"width": 718, "height": 1047}


def open_on_paper(page: Page, site: Program) -> None:
    page.set_viewport_size(PAPER)
    page.goto(site.address + DIVE)
    page.emulate_media(media="print")


def test_paper_shows_number_queue_sentence_commands_and_prose(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    for part in (
        figure.number(quiet),
        quiet.locator("#composite_score .hex"),
        figure.badge(quiet),
        figure.sentence(quiet),
        quiet.locator("h1"),
        quiet.locator(".lede"),
    ):
        expect(part).to_be_visible()
    for row in figure.job_rows(quiet).all():
        expect(row).to_be_visible()
    for step in quiet.locator("#composite_steps > li:not(.by)").all():
        expect(step).to_be_visible()
    for section in quiet.locator(".dive > section").all():
        expect(section).to_be_visible()


def test_the_columns_of_the_queue_stand_on_paper_as_on_a_screen(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    rows = figure.job_rows(quiet)
    ends = set()
    for row in rows.all():
        name, tier, arrival = (
            row.locator(part).bounding_box() for part in ("code", ".fact-tier", ".fact-arrival")
        )
        assert name
        assert tier
        assert arrival
        # One line each, and as wide as what stands there needs.
        assert {round(box["height"]) for box in (name, tier, arrival)} == {round(name["height"])}
        assert name["height"] < 1.8 * float(quiet.evaluate(FONT_SIZE))
        ends.add(round(arrival["x"] + arrival["width"]))
    assert len(ends) == 1


def test_what_is_not_printed_leaves_no_dot_or_line_behind(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    assert "·" not in quiet.locator("#composite .where").inner_text()
    for row in quiet.locator("#composite_order > li").all():
        style = row.evaluate("(row) => getComputedStyle(row).borderTopStyle")
        assert style in ("none", "dashed") or "ghost" in (row.get_attribute("class") or "")


def test_paper_shows_no_controls(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    for role in ("button", "slider", "spinbutton", "checkbox", "radio"):
        expect(quiet.get_by_role(role)).to_have_count(0)


def test_paper_shows_no_navigation(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    expect(quiet.get_by_role("navigation")).to_have_count(0)
    expect(quiet.get_by_role("link", name="Skip to the text")).to_have_count(0)


def test_nothing_is_cut_off_at_the_edge_of_the_paper(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    assert quiet.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]


def test_ink_on_paper_is_readable(quiet: Page, site: Program) -> None:
    open_on_paper(quiet, site)
    assert too_faint(quiet) == set()
