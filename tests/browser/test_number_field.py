"""Typing into a number field."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure, watching
from tests.support.program import Program


def test_a_typed_tier_moves_the_job_without_leaving_the_field(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier_field(quiet).fill("4")
    figure.expect_place(quiet, 4, 17, 9, 10)
    figure.expect_controls(quiet, 4, 17)
    figure.expect_address(quiet, site, "?tier=4&arrival=17")
    expect(figure.tier_field(quiet)).to_be_focused()


def test_an_arrival_typed_digit_by_digit_arrives_whole(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.arrival_field(quiet).select_text()
    quiet.keyboard.type("642")
    figure.expect_place(quiet, 2, 642, 6, 10)
    figure.expect_controls(quiet, 2, 642)
    expect(figure.arrival_field(quiet)).to_be_focused()


def test_enter_moves_the_job_and_does_not_press_a_button(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    asked = watching.record_runs(quiet)
    figure.tier_field(quiet).fill("3")
    quiet.keyboard.press("Enter")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.expect_controls(quiet, 3, 17)
    figure.expect_address(quiet, site, "?tier=3&arrival=17")
    assert {fields.get("action", "move") for fields in asked} == {"move"}
    assert all("nudge" not in fields for fields in asked)


def test_a_tier_out_of_range_becomes_the_nearest_and_the_page_says_so(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    for typed, nearest, rank in (("9", 5, 9), ("0", 1, 2), ("-3", 1, 2)):
        figure.tier_field(quiet).fill(typed)
        expect(figure.notices(quiet)).to_contain_text(f"“{typed}” became {nearest}")
        figure.expect_place(quiet, nearest, 17, rank, 10)
        figure.tier_field(quiet).blur()
        figure.expect_controls(quiet, nearest, 17)


def test_the_notice_comes_too_when_the_field_is_left_before_the_answer(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    gate = watching.Gate(quiet)
    figure.tier_field(quiet).fill("1")
    gate.wait()
    figure.tier_field(quiet).fill("99")
    figure.tier_field(quiet).blur()
    gate.open()
    figure.expect_place(quiet, 5, 17, 9, 10)
    figure.expect_controls(quiet, 5, 17)
    expect(figure.notices(quiet)).to_contain_text("“99” became 5")


def test_a_number_between_two_whole_ones_leaves_field_slider_and_score_in_agreement(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    figure.tier_field(quiet).fill("2.5")
    figure.tier_field(quiet).blur()
    expect(figure.notices(quiet)).to_contain_text("2.5")
    stored_tier = figure.my_row(quiet).locator(".fact-tier")
    expect(stored_tier).to_have_text(f"tier {figure.tier(quiet).input_value()}")
    expect(figure.tier_field(quiet)).to_have_value(figure.tier(quiet).input_value())


def test_a_field_that_is_left_just_as_the_answer_comes_shows_what_the_server_took(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    leave = "() => document.activeElement.blur()"
    quiet.evaluate(f"() => document.addEventListener('figure:answered', {leave}, {{ once: true }})")
    figure.tier_field(quiet).fill("99")
    expect(figure.notices(quiet)).to_contain_text("“99” became 5")
    figure.expect_controls(quiet, 5, 17)


def test_a_number_out_of_range_stays_readable_while_it_is_typed(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier_field(quiet).fill("9")
    figure.expect_place(quiet, 5, 17, 9, 10)
    expect(figure.tier_field(quiet)).to_have_value("9")
    expect(figure.tier_field(quiet)).to_be_focused()


def test_an_empty_field_sends_nothing_and_gets_its_number_back(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=4&arrival=17")
    asked = watching.record_runs(quiet)
    figure.tier_field(quiet).fill("")
    figure.tier_field(quiet).blur()
    figure.expect_controls(quiet, 4, 17)
    figure.arrival_field(quiet).fill("18")
    figure.expect_place(quiet, 4, 18, 9, 10)
    figure.expect_controls(quiet, 4, 18)
    assert len(asked) == 1


def test_enter_in_an_empty_field_leaves_the_job_where_it_was(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=4&arrival=17")
    figure.tier_field(quiet).fill("")
    quiet.keyboard.press("Enter")
    figure.expect_controls(quiet, 4, 17)
    figure.expect_place(quiet, 4, 17, 9, 10)


def test_serving_with_an_emptied_field_does_not_move_the_job(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=4&arrival=17")
    figure.tier_field(quiet).fill("")
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 4, 17, 8, 9)
    figure.expect_controls(quiet, 4, 17)


def test_the_full_range_can_be_typed(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?full=1")
    figure.arrival_field(quiet).fill("4294967295")
    figure.expect_place(quiet, 2, 4294967295, 6, 10)
    figure.expect_controls(quiet, 2, 4294967295)
