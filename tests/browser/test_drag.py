"""Dragging a slider with the mouse."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure, watching
from tests.support.program import Program


def test_dragging_the_tier_moves_the_job_and_the_address(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.take_hold(quiet, figure.tier(quiet))
    figure.drag_to(quiet, figure.tier(quiet), 4)
    quiet.mouse.up()
    figure.expect_place(quiet, 4, 17, 9, 10)
    figure.expect_controls(quiet, 4, 17)
    figure.expect_address(quiet, site, "?tier=4&arrival=17")


def test_the_queue_follows_while_the_mouse_is_still_down(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.take_hold(quiet, figure.tier(quiet))
    for at_tier, rank in ((5, 9), (1, 2), (3, 7)):
        figure.drag_to(quiet, figure.tier(quiet), at_tier)
        figure.expect_place(quiet, at_tier, 17, rank, 10)
    quiet.mouse.up()
    figure.expect_address(quiet, site, "?tier=3&arrival=17")


def test_dragging_the_arrival_changes_the_order_inside_the_tier(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.take_hold(quiet, figure.arrival(quiet))
    figure.drag_to(quiet, figure.arrival(quiet), 500)
    quiet.mouse.up()
    expect(figure.my_row(quiet).locator("b")).to_have_text("6")
    value = int(figure.arrival(quiet).input_value())
    assert 480 < value < 520
    figure.expect_place(quiet, 2, value, 6, 10)


def test_a_slider_keeps_focus_and_is_never_replaced_by_an_answer(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    slider = figure.tier(quiet)
    figure.watch_slider(slider)
    figure.take_hold(quiet, slider)
    figure.drag_to(quiet, slider, 5)
    figure.expect_place(quiet, 5, 17, 9, 10)
    figure.drag_to(quiet, slider, 3)
    quiet.mouse.up()
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(slider).to_be_focused()
    figure.expect_undisturbed(quiet)


def test_an_answer_that_comes_while_the_slider_moves_on_leaves_the_slider_alone(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    slider = figure.tier(quiet)
    figure.watch_slider(slider)
    gate = watching.Gate(quiet)
    figure.take_hold(quiet, slider)
    figure.drag_to(quiet, slider, 3)
    first = gate.next()
    figure.drag_to(quiet, slider, 5)
    first.continue_()
    gate.wait()
    expect(slider).to_have_value("5")
    gate.open()
    figure.expect_place(quiet, 5, 17, 9, 10)
    quiet.mouse.up()
    figure.expect_controls(quiet, 5, 17)
    figure.expect_undisturbed(quiet)


def test_a_click_on_the_track_moves_there(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    quiet.mouse.click(*figure.spot(figure.tier(quiet), 1))
    figure.expect_place(quiet, 1, 17, 2, 10)
    figure.expect_address(quiet, site, "?tier=1&arrival=17")


def test_the_changed_argument_of_the_command_is_marked(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier(quiet).press("ArrowLeft")
    expect(quiet.locator("#composite_steps mark")).to_have_text(str(2**32 + 17))
    assert f"ZADD emq:{{orders}}:prioritized {2**32 + 17} JOB0Nb1VTbfnu4" in figure.commands(quiet)
