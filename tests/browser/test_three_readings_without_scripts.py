"""The three readings with JavaScript off: links choose, step and act; the form moves the clock."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from decoder.readings.catalogue import READINGS
from tests.browser import figure
from tests.support.program import Program

pytestmark = pytest.mark.sample

WITHOUT_SCRIPTS = True

PATH = "/figures/three-readings"
DUE = 1780226978000


def link(page: Page, name: str) -> Locator:
    return page.locator("live-figure").get_by_role("link", name=name, exact=True)


def sentence(page: Page) -> Locator:
    return page.locator("#three_readings_sentence")


def now_of(page: Page) -> str:
    return page.locator("input[name=was_now_ms]").input_value()


@pytest.mark.parametrize("reading", ["packed/fire-time", "one-number/fire-time"])
def test_the_form_keeps_the_millisecond_of_a_moment_until_the_seconds_are_moved(
    quiet: Page, site: Program, reading: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading={reading}")
    link(quiet, "1 ms before due").click()
    expect(sentence(quiet)).to_contain_text("its score is 1 ms ahead of now")
    figure.button(quiet, "Set the clock").click()
    expect(sentence(quiet)).to_contain_text("its score is 1 ms ahead of now")
    assert now_of(quiet) == str(DUE - 1)
    figure.button(quiet, "Keep it for another hour").click()
    assert now_of(quiet) == str(DUE - 1)
    figure.button(quiet, "Now in seconds after the mint: one more").click()
    expect(sentence(quiet)).to_contain_text("this very millisecond")
    assert now_of(quiet) == str(DUE)
    quiet.get_by_label("Now in seconds after the mint, as a number").fill("100")
    figure.button(quiet, "Set the clock").click()
    expect(sentence(quiet)).to_contain_text("its time came 10 s ago")
    quiet.get_by_role("slider").press("Home")
    figure.button(quiet, "Set the clock").click()
    expect(sentence(quiet)).to_contain_text("No job is due at 11:28:08 UTC")


def test_actions_go_on_from_what_was_done_before(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=one-number/fire-time")
    link(quiet, "at due").click()
    for action, said in (
        ("by when they were due", "You said “by when they were due”; Valkey put them in the order"),
        ("Just claim it", "leased until"),
    ):
        quiet.locator("details.try summary").click()
        link(quiet, action).click()
        expect(sentence(quiet)).to_contain_text(said)
    expect(quiet).to_have_url(re.compile(f"now_ms={DUE}&then="))


@pytest.mark.parametrize("reading", READINGS)
def test_a_card_is_chosen_by_its_link_and_every_step_is_a_link(
    quiet: Page, site: Program, reading: str
) -> None:
    design, kind = reading.split("/")
    quiet.goto(f"{site.address}{PATH}?reading={design}/next-run&step=4")
    question = READINGS[reading].question
    link(quiet, question).click()
    card = quiet.locator(f".card[data-reading='{reading}']")
    expect(card.get_by_role("link")).to_have_attribute("aria-current", "true")
    expect(quiet.locator(".cards [aria-current]")).to_have_count(1)
    expect(card.locator(".since")).to_have_text("now in the set", use_inner_text=True)
    for step in ("1 what it means", "2 write", "3 read", "4 conclude"):
        link(quiet, step).click()
        expect(quiet.locator(".tools [aria-current]")).to_have_text(step)
    shown = link(quiet, "at due")
    expect(shown).to_have_count(0 if kind in ("priority", "order") else 1)


def test_the_other_design_is_a_link_that_keeps_question_and_clock(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/fire-time&now_ms={DUE}")
    link(quiet, "order in the member").click()
    expect(quiet).to_have_url(
        f"{site.address}{PATH}?reading=one-number/fire-time&now_ms={DUE}#three_readings"
    )
    expect(sentence(quiet)).to_contain_text("this very millisecond")


def test_the_two_designs_ask_first_and_their_links_answer(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}/figures/two-designs")
    link(quiet, "order in the score").click()
    expect(quiet.locator("#two_designs_sentence")).to_contain_text("You said “order in the score”")
    link(quiet, "Just serve them").click()
    expect(quiet.locator("#two_designs_sentence")).not_to_contain_text("You said")


def test_the_two_designs_are_served_again_by_the_form(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}/figures/two-designs")
    columns = quiet.locator("#two_designs_order .ladder")
    expect(columns).to_have_count(2)
    before = columns.all_inner_texts()
    quiet.get_by_label("as a number").first.fill("3")
    figure.button(quiet, "Serve them all").click()
    expect(quiet.locator("#two_designs_sentence")).not_to_be_empty()
    assert columns.all_inner_texts() != before
