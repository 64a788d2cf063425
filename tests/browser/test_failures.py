"""What a visitor sees when something between the page and Valkey breaks, and how it heals."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import figure, watching
from tests.support.program import Program

LAST_RUN = re.compile("last run")


def expect_last_run_kept(page: Page, rows: list[figure.Row]) -> None:
    """Wait for a sentence that says what failed, and check that the last run stands, labelled."""
    expect(figure.failure(page)).to_be_visible()
    expect(figure.failure(page)).to_contain_text(LAST_RUN)
    assert figure.rows(page) == rows
    expect(page.locator("live-figure")).to_have_class(re.compile(r"\bstale\b"))


def expect_healed(page: Page) -> None:
    """Wait until nothing is left of a failure."""
    expect(figure.failure(page)).to_be_empty()
    expect(page.locator("live-figure")).not_to_have_class(re.compile(r"\bstale\b"))


def test_a_request_that_fails_says_so_keeps_the_last_run_and_the_next_move_heals(
    failing: Page, site: Program
) -> None:
    figure.open_home(failing, site)
    rows = figure.rows(failing)
    failing.route(watching.RUNS, lambda route: route.abort(), times=1)
    figure.tier(failing).press("ArrowRight")
    expect_last_run_kept(failing, rows)
    expect(figure.tier(failing)).to_have_value("3")
    figure.tier(failing).press("ArrowRight")
    figure.expect_place(failing, 4, 17, 9, 10)
    expect_healed(failing)


def test_an_action_that_fails_says_so_and_can_be_pressed_again(
    failing: Page, site: Program
) -> None:
    figure.open_home(failing, site, "?tier=3&arrival=17")
    for action, said in (
        ("Serve next", "Valkey served"),
        ("Add another job", "joined tier 3"),
        ("Reset", "back as it was"),
    ):
        rows = figure.rows(failing)
        failing.route(watching.RUNS, lambda route: route.abort(), times=1)
        figure.button(failing, action).click()
        expect_last_run_kept(failing, rows)
        figure.button(failing, action).click()
        expect_healed(failing)
        expect(figure.sentence(failing)).to_contain_text(said)


def test_an_error_status_is_said(failing: Page, site: Program) -> None:
    figure.open_home(failing, site)
    rows = figure.rows(failing)
    statuses = [429, 503, 500]
    failing.route(watching.RUNS, lambda route: route.fulfill(status=statuses.pop()), times=3)
    for at_tier, left in ((3, 2), (5, 1), (1, 0)):
        with failing.expect_response(watching.RUNS):
            figure.tier_field(failing).fill(str(at_tier))
        assert len(statuses) == left
        expect_last_run_kept(failing, rows)
    figure.tier_field(failing).fill("4")
    figure.expect_place(failing, 4, 17, 9, 10)
    expect_healed(failing)


def test_an_answer_that_breaks_off_after_its_first_message_is_said(
    failing: Page, site: Program
) -> None:
    figure.open_home(failing, site)
    rows = figure.rows(failing)

    def break_off(route: Route) -> None:
        real = route.fetch()
        route.fulfill(response=real, body=real.text().partition("\n\n")[0] + "\n\n")

    failing.route(watching.RUNS, break_off, times=1)
    figure.tier(failing).press("ArrowRight")
    expect_last_run_kept(failing, rows)
    expect(figure.badge(failing)).not_to_contain_text("asking")


def test_after_a_failed_move_the_number_is_not_called_stored(failing: Page, site: Program) -> None:
    figure.open_home(failing, site)
    failing.route(watching.RUNS, lambda route: route.abort(), times=1)
    figure.tier(failing).press("ArrowRight")
    expect(figure.failure(failing)).to_contain_text(LAST_RUN)
    shown = figure.number(failing).locator("data").get_attribute("value")
    claims = figure.badge(failing).inner_text()
    assert (shown, claims) in [
        (figure.START, "stored = computed"),
        (str(3 * 2**32 + 17), "not stored"),
    ]


def test_a_failure_is_told_to_a_screen_reader(failing: Page, site: Program) -> None:
    figure.open_home(failing, site)
    failing.route(watching.RUNS, lambda route: route.abort(), times=1)
    figure.tier(failing).press("ArrowRight")
    expect(figure.failure(failing)).to_contain_text(LAST_RUN)
    expect(failing.get_by_role("status")).to_contain_text(LAST_RUN)


def test_a_move_made_while_one_is_failing_is_sent_after_it(failing: Page, site: Program) -> None:
    figure.open_home(failing, site)
    gate = watching.Gate(failing)
    figure.tier(failing).press("ArrowRight")
    first = gate.next()
    figure.tier(failing).press("ArrowRight")
    first.abort()
    gate.open()
    figure.expect_place(failing, 4, 17, 9, 10)
    expect_healed(failing)


def test_valkey_killed_is_said_and_heals_without_a_reload(program: Program, failing: Page) -> None:
    figure.open_home(failing, program)
    rows = figure.rows(failing)
    with watching.valkey_killed(program):
        figure.tier(failing).press("ArrowRight")
        expect(figure.failure(failing)).to_contain_text("Valkey")
        expect_last_run_kept(failing, rows)
        expect(figure.badge(failing)).to_have_text("not stored")
        expect(failing.locator("body")).not_to_contain_text("Traceback")
    figure.tier(failing).press("ArrowRight")
    figure.expect_place(failing, 4, 17, 9, 10)
    expect_healed(failing)
    # What was in the old server's memory is gone, and the page says so.
    expect(figure.notices(failing)).to_contain_text("afresh")


@pytest.mark.long
def test_a_page_opened_while_valkey_is_down_says_so_and_comes_alive_with_a_move(
    program: Program, failing: Page
) -> None:
    with watching.valkey_killed(program):
        answer = failing.goto(program.address + "/")
        assert answer
        assert answer.status == 503
        expect(figure.failure(failing)).to_contain_text("Valkey")
        expect(figure.number(failing).locator("data")).to_have_attribute("value", figure.START)
        expect(figure.badge(failing)).to_have_text("not stored")
        expect(failing.locator("body")).not_to_contain_text("Traceback")
    figure.tier(failing).press("ArrowRight")
    figure.expect_place(failing, 3, 17, 7, 10)
    expect_healed(failing)


@pytest.mark.long
def test_a_valkey_that_hangs_is_said_within_seconds(program: Program, failing: Page) -> None:
    figure.open_home(failing, program)
    rows = figure.rows(failing)
    with watching.paused(watching.valkey_of(program)):
        figure.tier(failing).press("ArrowRight")
        expect(figure.failure(failing)).to_contain_text("did not answer within")
        expect_last_run_kept(failing, rows)
    figure.tier(failing).press("ArrowRight")
    figure.expect_place(failing, 4, 17, 9, 10)
    expect_healed(failing)


@pytest.mark.long
def test_the_program_ended_is_said_and_heals_when_it_is_started_again(
    program: Program, failing: Page
) -> None:
    assert program.process
    assert program.process.stdout
    figure.open_home(failing, program)
    rows = figure.rows(failing)
    program.end()
    program.process.stdout.close()
    figure.tier(failing).press("ArrowRight")
    expect_last_run_kept(failing, rows)
    program.start("--port", str(urlsplit(program.address).port))
    figure.tier(failing).press("ArrowRight")
    figure.expect_place(failing, 4, 17, 9, 10)
    expect_healed(failing)
