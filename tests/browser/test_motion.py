"""Rows travel to their new rank, unless the visitor asked for no motion; the marks are the same."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser import figure
from tests.support.program import Program

# Notes each animation that a script starts: on which row, and whether the browser runs it.
RECORD = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const motion = animate.apply(this, how);
    const running = this.getAnimations().includes(motion);
    const frames = JSON.stringify(motion.effect.getKeyframes().map((frame) => frame.transform));
    window.moved.push([this.id, running && frames.includes("translate")]);
    return motion;
  };
}"""

MARKS = """() => Array.from(
  document.querySelectorAll("#composite_order li, #composite_steps mark"),
  (one) => [one.className, one.textContent],
)"""


def move(page: Page) -> dict[str, bool]:
    """Move the job from 5th to 7th and return which rows were animated, and how."""
    page.evaluate(RECORD)
    figure.tier(page).press("ArrowRight")
    figure.expect_place(page, 3, 17, 7, 10)
    moved: dict[str, bool] = page.evaluate("() => Object.fromEntries(window.moved)")
    return moved


def test_the_rows_that_changed_place_travel_and_no_others(quiet: Page, site: Program) -> None:
    quiet.emulate_media(reduced_motion="no-preference")
    figure.open_home(quiet, site)
    first = figure.rows(quiet)[0]
    moved = move(quiet)
    assert moved["job_JOB0Nb1VTbfnu4"] is True
    assert f"job_{first.member}" not in moved


def test_the_rows_come_to_rest_where_they_belong(quiet: Page, site: Program) -> None:
    quiet.emulate_media(reduced_motion="no-preference")
    figure.open_home(quiet, site)
    move(quiet)
    quiet.wait_for_function("() => document.getAnimations().length === 0")
    tops = figure.job_rows(quiet).evaluate_all(
        "rows => rows.map((row) => row.getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)


def test_with_reduced_motion_nothing_travels_and_the_marks_are_the_same(
    quiet: Page, site: Program
) -> None:
    quiet.emulate_media(reduced_motion="no-preference")
    figure.open_home(quiet, site)
    move(quiet)
    marks = quiet.evaluate(MARKS)
    quiet.emulate_media(reduced_motion="reduce")
    figure.open_home(quiet, site)
    assert move(quiet) == {}
    assert quiet.evaluate("() => document.getAnimations().length") == 0
    assert quiet.evaluate(MARKS) == marks
    assert any("mine" in kind for kind, _ in marks)
