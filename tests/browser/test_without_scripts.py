"""The page with JavaScript off: whole from the first HTML, and every control works."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure, watching
from tests.support.program import Program

WITHOUT_SCRIPTS = True

MOVE = "Move my job"


def open_plain(page: Page, site: Program, query: str = "") -> None:
    answer = page.goto(f"{site.address}/{query}")
    assert answer
    assert answer.status == 200


def test_the_first_html_is_the_whole_page(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.expect_place(quiet, 2, 17, 5, 10)
    figure.expect_controls(quiet, 2, 17)
    expect(figure.number(quiet)).to_be_visible()
    expect(figure.sentence(quiet)).to_contain_text("Your job is 5th of 10: behind both tier-1 jobs")
    expect(quiet.locator("#composite_score .hex")).to_contain_text("0000 0002")
    expect(quiet.locator("#composite_score .hex")).to_contain_text("0000 0011")
    assert "INCR emq:{orders}:pc" in figure.commands(quiet)
    expect(quiet.locator("#composite_steps .by")).to_contain_text("Valkey")
    expect(quiet.locator(".ghost")).to_be_visible()
    for name in ("Serve next", "Add another job", "Reset", MOVE):
        expect(figure.button(quiet, name)).to_be_visible()
    # A button that could do nothing is not there.
    expect(figure.button(quiet, "Copy")).to_have_count(0)


def test_the_slider_and_a_button_move_the_job(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.tier(quiet).press("ArrowRight")
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.expect_controls(quiet, 3, 17)


def test_the_number_field_and_a_button_move_the_job(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.arrival_field(quiet).fill("3")
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 2, 3, 3, 10)
    figure.expect_controls(quiet, 2, 3)


def test_enter_in_a_number_field_moves_the_job_by_what_was_typed(
    quiet: Page, site: Program
) -> None:
    open_plain(quiet, site)
    figure.tier_field(quiet).fill("4")
    figure.tier_field(quiet).press("Enter")
    figure.expect_place(quiet, 4, 17, 9, 10)
    figure.expect_controls(quiet, 4, 17)


def test_slider_and_field_take_turns(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.tier(quiet).press("End")
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 5, 17, 9, 10)
    figure.tier_field(quiet).fill("1")
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 1, 17, 2, 10)
    figure.tier(quiet).press("ArrowRight")
    figure.arrival_field(quiet).fill("31")
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 2, 31, 6, 10)
    figure.expect_controls(quiet, 2, 31)


def test_plus_and_minus_move_the_job(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.button(quiet, "Arrival number: one less").click()
    figure.expect_place(quiet, 3, 16, 7, 10)


def test_a_guess_is_answered(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.guess(quiet, "JOB0Nb1VTbfnu4").check()
    figure.button(quiet, "Serve next").click()
    expect(figure.sentence(quiet)).to_contain_text("You said your job; Valkey served JOB…pJw")
    figure.expect_place(quiet, 2, 17, 4, 9)


def test_add_and_reset_work_in_the_same_sandbox(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 2, 17, 5, 11)
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 2, 17, 5, 12)
    figure.button(quiet, "Reset").click()
    figure.expect_place(quiet, 2, 17, 5, 10)


def test_the_full_range_can_be_switched_on_and_used(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.full_range(quiet).check()
    figure.tier_field(quiet).fill("2097152")
    figure.button(quiet, MOVE).click()
    expect(quiet.locator("#composite_score .lost")).to_be_visible()
    expect(figure.tier(quiet)).to_have_attribute("max", "2097152")
    figure.full_range(quiet).uncheck()
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 5, 17, 9, 10)


def test_a_number_out_of_range_is_moved_with_a_notice(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.tier_field(quiet).fill("77")
    figure.button(quiet, MOVE).click()
    figure.expect_place(quiet, 5, 17, 9, 10)
    expect(figure.notices(quiet)).to_contain_text("“77” became 5")


def test_the_answer_has_a_link_that_shows_the_same(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 2, 17, 4, 9)
    before = figure.rows(quiet)
    quiet.get_by_role("link", name="Link to exactly this").click()
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=serve")
    assert figure.rows(quiet) == before


def test_a_dive_answers_with_the_dive_again(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + "/redis-patterns/time-delay-priority/score-as-meaning/packed")
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(quiet.get_by_role("heading", name="Two meanings, one double")).to_be_visible()


def test_the_token_is_never_in_an_address(quiet: Page, site: Program) -> None:
    open_plain(quiet, site)
    token = quiet.locator("input[name=token]").get_attribute("value") or ""
    assert token
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 2, 17, 5, 11)
    assert token not in quiet.url


def test_valkey_down_is_said_and_the_same_page_goes_on_once_it_is_back(
    program: Program, failing: Page
) -> None:
    open_plain(failing, program)
    with watching.valkey_killed(program):
        figure.button(failing, "Priority tier: one more").click()
        expect(figure.failure(failing)).to_contain_text("Valkey")
        expect(failing.locator("body")).not_to_contain_text("Traceback")
    figure.button(failing, MOVE).click()
    figure.expect_place(failing, 3, 17, 7, 10)
