"""The two designs side by side in a browser: one workload, served both ways."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import watching
from tests.support.program import Program

PATH = "/figures/two-designs"


def served(page: Page) -> list[list[str]]:
    """Return who was served in each design, first to last."""
    columns = page.locator("#two_designs_order .ladder").all()
    return [column.locator("code").all_inner_texts() for column in columns]


def tier(page: Page) -> Locator:
    return page.get_by_role("slider").first


def test_the_same_jobs_are_served_in_both_designs_and_the_difference_is_said(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?tier=3&delay=0")
    by_score, by_member = served(quiet)
    assert sorted(by_score) == sorted(by_member)
    assert by_score != by_member
    expect(quiet.locator("#two_designs_sentence")).not_to_be_empty()


def test_a_slider_moved_by_keyboard_serves_them_again_and_the_address_shows_the_same(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?tier=1&delay=0")
    before = served(quiet)
    tier(quiet).press("End")
    expect(quiet).to_have_url(f"{site.address}{PATH}?tier=3&delay=0")
    after = served(quiet)
    assert after[0] != before[0], "the tier counts in the score"
    assert after[1] == before[1], "and not in the member"
    quiet.reload()
    assert served(quiet) == after


def test_moves_in_a_row_end_with_columns_that_belong_to_the_last(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?tier=1&delay=0")
    gate = watching.Gate(quiet)
    # Where the last move leads, no other one does: its address means that all are answered.
    for key in ("End", "Home", "ArrowRight"):
        tier(quiet).press(key)
    gate.open()
    expect(quiet).to_have_url(f"{site.address}{PATH}?tier=2&delay=0")
    shown = served(quiet)
    quiet.reload()
    assert served(quiet) == shown


@pytest.mark.parametrize("query", ["", "?tier=3&delay=120"])
def test_in_a_sandboxed_frame_both_orders_are_there(page: Page, site: Program, query: str) -> None:
    course = f"{site.address}/a-page-of-a-course"
    frame = f'<iframe sandbox="" width=1000 height=900 src="{PATH}{query}">'
    page.route(course, lambda route: route.fulfill(content_type="text/html", body=frame))
    page.goto(course)
    columns = page.frame_locator("iframe").locator("#two_designs_order .ladder")
    expect(columns).to_have_count(2)
    for column in columns.all():
        expect(column.locator(".member")).to_have_count(4)


def question(page: Page) -> Locator:
    """Return what is asked just now, with its links."""
    return page.locator("live-figure.pair").get_by_role("group", name="in which design is it")


def test_an_answer_serves_its_workload_tells_what_came_and_leads_to_the_next_question(
    quiet: Page, site: Program
) -> None:
    quiet.goto(site.address + PATH)
    sentence = quiet.locator("#two_designs_sentence")
    expect(question(quiet)).to_have_count(1)
    first = question(quiet).inner_text()
    question(quiet).get_by_role("link", name="order in the score").press("Enter")
    expect(sentence).to_contain_text("You said “order in the score”; Valkey served your job 2nd")
    expect(quiet).to_have_url(f"{site.address}{PATH}?tier=1&delay=120&guess=score")
    # The sliders show the workload that was asked about.
    expect(tier(quiet)).to_have_value("1")
    expect(quiet.get_by_role("slider").nth(1)).to_have_value("120")
    expect(question(quiet)).to_have_count(1)
    assert question(quiet).inner_text() != first
    said, asked = sentence.inner_text(), question(quiet).inner_text()
    quiet.reload()
    assert (sentence.inner_text(), question(quiet).inner_text()) == (said, asked)
    question(quiet).get_by_role("link", name="order in the member").click()
    expect(sentence).to_contain_text("You said “order in the member”, and Valkey served your job")
    tier(quiet).press("Home")
    expect(quiet).to_have_url(f"{site.address}{PATH}?tier=1&delay=0")
    expect(sentence).not_to_contain_text("You said")


@pytest.mark.parametrize("java_script", [True, False])
def test_reset_puts_the_workload_back_as_it_was_at_the_start(
    browser: Browser, site: Program, java_script: bool
) -> None:
    page = browser.new_page(java_script_enabled=java_script)
    page.goto(f"{site.address}{PATH}")
    start = served(page)
    page.goto(f"{site.address}{PATH}?tier=3&delay=90")
    page.get_by_role("link", name="Reset", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?tier=1&delay=0(#two_designs)?$"))
    assert served(page) == start
    expect(tier(page)).to_have_value("1")
    expect(page.get_by_role("slider").last).to_have_value("0")
    page.close()
