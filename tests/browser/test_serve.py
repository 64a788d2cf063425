"""Who is served next? Guessing, serving, adding, resetting."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program

pytestmark = pytest.mark.sample

MINE = "JOB0Nb1VTbfnu4"
BUTTON_HIGH = 40


def serve(page: Page, left: int) -> None:
    figure.button(page, "Serve next").click()
    expect(figure.job_rows(page)).to_have_count(left)


def test_a_wrong_guess_is_told_with_the_reason(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    first = figure.rows(quiet)[0]
    figure.guess(quiet, MINE).check()
    serve(quiet, 9)
    expect(figure.sentence(quiet)).to_contain_text(
        f"You said your job; Valkey served {first.name}, because tier 1 goes before tier 2"
    )
    figure.expect_place(quiet, 2, 17, 4, 9)


def test_a_right_guess_is_told(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    first = figure.rows(quiet)[0]
    figure.guess(quiet, first.member).check()
    serve(quiet, 9)
    expect(figure.sentence(quiet)).to_contain_text(f"You said {first.name}, and Valkey served it")


def test_without_a_guess_the_page_still_says_who_was_served(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    first = figure.rows(quiet)[0]
    serve(quiet, 9)
    expect(figure.sentence(quiet)).to_contain_text(f"Valkey served {first.name} (tier 1, no. 9)")
    assert "You said" not in figure.sentence(quiet).inner_text()
    assert "ZPOPMIN emq:{orders}:prioritized" in figure.commands(quiet)


def test_a_tap_anywhere_on_a_row_picks_that_job(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    second = figure.rows(quiet)[1]
    figure.job_rows(quiet).nth(1).locator("code").click()
    expect(figure.guess(quiet, second.member)).to_be_checked()
    serve(quiet, 9)
    expect(figure.sentence(quiet)).to_contain_text(f"You said {second.name}; Valkey served ")


def test_a_guess_counts_once(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.guess(quiet, MINE).check()
    serve(quiet, 9)
    expect(quiet.locator("[name=guess]:checked")).to_have_count(0)
    serve(quiet, 8)
    expect(figure.sentence(quiet)).not_to_contain_text("You said")


def test_a_guess_outlives_a_move(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.guess(quiet, MINE).check()
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(figure.guess(quiet, MINE)).to_be_checked()
    serve(quiet, 9)
    expect(figure.sentence(quiet)).to_contain_text("You said your job;")


def test_a_guess_outlives_a_visit_to_a_number_field(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    serve(quiet, 9)
    figure.guess(quiet, MINE).check()
    figure.tier_field(quiet).focus()
    figure.tier_field(quiet).blur()
    figure.arrival(quiet).focus()
    expect(figure.guess(quiet, MINE)).to_be_checked()


def test_picking_a_job_asks_the_server_for_nothing(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    asked: list[str] = []
    quiet.on("request", lambda request: asked.append(request.url))
    figure.guess(quiet, MINE).check()
    figure.button(quiet, "Serve next").hover()
    expect(figure.guess(quiet, MINE)).to_be_checked()
    assert asked == []


def test_the_jobs_are_served_in_the_order_shown_until_none_is_left(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    names = [row.name for row in figure.rows(quiet)]
    for served, name in enumerate(names, 1):
        serve(quiet, len(names) - served)
        expect(figure.sentence(quiet)).to_contain_text(f"Valkey served {name}")
    expect(figure.sentence(quiet)).to_contain_text("The queue is empty")
    serve(quiet, 0)
    expect(figure.sentence(quiet)).to_contain_text("Valkey served no one: the queue was empty.")


def test_an_empty_queue_takes_the_job_back_with_the_next_move(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?then=" + ",".join(["serve"] * 10))
    expect(figure.job_rows(quiet)).to_have_count(0)
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 1, 1)
    expect(figure.sentence(quiet)).to_have_text("Your job is 1st of 1: it is served next.")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_buttons_stay_under_the_finger_while_the_queue_is_emptied(
    quiet: Page, site: Program, width: int
) -> None:
    quiet.set_viewport_size({"width": width, "height": 720})
    figure.open_home(quiet, site)
    button = figure.button(quiet, "Serve next")
    button.hover()
    places = [button.bounding_box()]
    for left in range(9, -1, -1):
        serve(quiet, left)
        places.append(button.bounding_box())
    tops = [round(place["y"]) for place in places if place]
    # A second press at the same spot must meet the same button.
    assert max(tops) - min(tops) < BUTTON_HIGH / 2, tops


def test_serving_ones_own_job_is_said_and_a_move_puts_it_back(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=1&arrival=1")
    figure.guess(quiet, MINE).check()
    serve(quiet, 9)
    expect(figure.sentence(quiet)).to_contain_text("You said your job, and Valkey served it")
    expect(figure.my_row(quiet)).to_have_count(0)
    expect(figure.badge(quiet)).to_have_text("served, not stored")
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 2, 1, 3, 10)


def test_another_job_joins_the_back_of_the_tier(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    before = {row.member for row in figure.rows(quiet)}
    figure.button(quiet, "Add another job").click()
    expect(figure.job_rows(quiet)).to_have_count(11)
    rows = figure.rows(quiet)
    (added,) = [row for row in rows if row.member not in before]
    assert (added.rank, added.tier, added.arrival) == (7, 2, 641)
    expect(figure.sentence(quiet)).to_contain_text(f"{added.name} joined tier 2 as no. 641")
    figure.expect_place(quiet, 2, 17, 5, 11)


def test_a_double_click_on_add_makes_two_jobs(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Add another job").dblclick()
    figure.expect_place(quiet, 2, 17, 5, 12)
    assert [row.arrival for row in figure.rows(quiet) if row.arrival > 640] == [641, 642]
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=add,add")


def test_a_double_click_on_serve_serves_two_jobs(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").dblclick()
    expect(figure.job_rows(quiet)).to_have_count(8)


@pytest.mark.parametrize("query", ["?tier=4&arrival=250", "?tier=2097152&arrival=17&full=1"])
def test_reset_brings_queue_and_controls_back_to_the_start(
    quiet: Page, site: Program, query: str
) -> None:
    figure.open_home(quiet, site, query)
    figure.button(quiet, "Add another job").click()
    expect(figure.job_rows(quiet)).to_have_count(11)
    figure.button(quiet, "Reset").click()
    figure.expect_place(quiet, 2, 17, 5, 10)
    figure.expect_controls(quiet, 2, 17)
    expect(figure.full_range(quiet)).not_to_be_checked()
    expect(figure.tier(quiet)).to_have_attribute("max", "5")
    expect(figure.sentence(quiet)).to_contain_text("Everything is back as it was at the start.")
    figure.expect_address(quiet, site, "?tier=2&arrival=17")


def test_a_reset_starts_the_arrivals_afresh(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?then=add,add,add")
    figure.button(quiet, "Reset").click()
    figure.expect_place(quiet, 2, 17, 5, 10)
    figure.button(quiet, "Add another job").click()
    expect(figure.sentence(quiet)).to_contain_text("joined tier 2 as no. 641")


def test_an_action_keeps_the_focus_on_its_button(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    serve(quiet, 9)
    expect(figure.button(quiet, "Serve next")).to_be_focused()
