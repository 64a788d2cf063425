"""The keyboard alone: everything is reached in order, seen while it has focus, and pressed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from decoder.figures import FIGURES
from tests.browser import figure, watching
from tests.support.program import Program

pytestmark = pytest.mark.sample

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"

# What can take the focus, in document order; a group of radio buttons is one stop.
STOPS = """() => {
  const able = "a[href], button, input:not([type=hidden]), select, summary, [tabindex='0']";
  const groups = new Set();
  return Array.from(document.querySelectorAll(able)).filter((one) => {
    // Of the cells of one widget, the arrow keys reach the others.
    if (one.tabIndex < 0 || one.disabled) return false;
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.type !== "radio") return true;
    const first = !groups.has(one.name);
    groups.add(one.name);
    return first;
  }).map((one, n) => {
    const name = one.type === "radio" ? one.name : one.id || one.textContent.trim() || one.name;
    return (one.dataset.stop = `${n}: ${one.tagName} ${name}`);
  });
}"""

ALIVE = """['live-figure', 'copy-button', 'score-bits'].every((name) => customElements.get(name))"""

FOCUS = """() => {
  const one = document.activeElement;
  const drawn = [undefined, "::before", "::after"].map((part) => getComputedStyle(one, part));
  const box = one.getBoundingClientRect();
  return {
    stop: one === document.body ? null : one.dataset.stop ?? one.outerHTML.slice(0, 80),
    visible: one.matches(":focus-visible") && drawn.some((style) =>
      style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2),
    inside: box.bottom > 0 && box.top < innerHeight && box.width > 0,
  };
}"""


@pytest.mark.parametrize("path", ["/", DIVE, *(f"/figures/{name}" for name in FIGURES)])
def test_tab_reaches_everything_in_reading_order_and_the_focus_is_seen(
    quiet: Page, site: Program, path: str
) -> None:
    # The page scrolls to the focus smoothly, unless it is asked not to.
    quiet.emulate_media(reduced_motion="reduce")
    quiet.goto(site.address + path)
    quiet.wait_for_function(ALIVE)
    stops = quiet.evaluate(STOPS)
    walked = []
    for _ in stops:
        quiet.keyboard.press("Tab")
        focus = quiet.evaluate(FOCUS)
        walked.append(focus["stop"])
        assert focus["visible"], f"the focus cannot be seen on {focus['stop']}"
        assert focus["inside"], f"the focus is out of sight on {focus['stop']}"
    assert walked == stops


def test_shift_tab_goes_the_same_way_back(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier_field(quiet).focus()
    quiet.keyboard.press("Tab")
    quiet.keyboard.press("Tab")
    expect(figure.tier(quiet)).to_be_focused()
    quiet.keyboard.press("Shift+Tab")
    quiet.keyboard.press("Shift+Tab")
    expect(figure.tier_field(quiet)).to_be_focused()


def test_the_first_stop_skips_to_the_text(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    quiet.keyboard.press("Tab")
    skip = quiet.get_by_role("link", name="Skip to the text")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    quiet.keyboard.press("Enter")
    expect(quiet.get_by_role("main")).to_be_focused()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_enter_and_space_press_a_step_button(quiet: Page, site: Program, key: str) -> None:
    figure.open_home(quiet, site)
    more = figure.button(quiet, "Priority tier: one more")
    more.focus()
    quiet.keyboard.press(key)
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(more).to_be_focused()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_enter_and_space_press_an_action_once(quiet: Page, site: Program, key: str) -> None:
    figure.open_home(quiet, site)
    asked = watching.record_runs(quiet)
    figure.button(quiet, "Add another job").focus()
    quiet.keyboard.press(key)
    figure.expect_place(quiet, 2, 17, 5, 11)
    expect(figure.button(quiet, "Add another job")).to_be_focused()
    assert len(asked) == 1


def test_enter_in_a_number_field_moves_stays_on_the_page_and_keeps_the_focus(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    pages: list[str] = []
    quiet.on("load", lambda page: pages.append(page.url))
    figure.tier_field(quiet).focus()
    quiet.keyboard.press("Control+a")
    quiet.keyboard.type("4")
    quiet.keyboard.press("Enter")
    figure.expect_place(quiet, 4, 17, 9, 10)
    figure.expect_controls(quiet, 4, 17)
    expect(figure.tier_field(quiet)).to_be_focused()
    assert pages == []


def test_a_job_is_guessed_and_served_with_keys(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    first, second = figure.rows(quiet)[:2]
    figure.full_range(quiet).focus()
    quiet.keyboard.press("Tab")
    quiet.keyboard.press("Space")
    expect(figure.guess(quiet, first.member)).to_be_checked()
    quiet.keyboard.press("ArrowDown")
    expect(figure.guess(quiet, second.member)).to_be_checked()
    quiet.keyboard.press("Tab")
    expect(figure.button(quiet, "Serve next")).to_be_focused()
    quiet.keyboard.press("Enter")
    expect(figure.sentence(quiet)).to_contain_text(f"You said {second.name}; Valkey served ")


def test_the_source_opens_with_a_key_and_its_text_can_be_scrolled_to(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    summary = quiet.locator(".source summary")
    summary.focus()
    quiet.keyboard.press("Enter")
    source = quiet.locator(".source pre")
    expect(source).to_contain_text("redis.call('INCR', KEYS[2])")
    quiet.keyboard.press("Tab")
    expect(source).to_be_focused()


def test_a_disclosure_that_was_opened_stays_open_over_a_move(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    quiet.locator(".source summary").click()
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(quiet.locator(".source pre")).to_be_visible()


def test_every_control_has_a_name(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    for role in ("button", "link", "slider", "spinbutton", "checkbox", "radio"):
        for control in quiet.get_by_role(role).all():
            expect(control).to_have_accessible_name(re.compile(r"\S"))
