"""A figure further down a page: it lives beside the hero, which alone has the address bar."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from decoder.figures.labs import LABS
from tests.browser import watching
from tests.support.ours import COURSE, SECOND_FIGURES
from tests.support.program import Program

pytestmark = pytest.mark.sample

OWN = pytest.mark.parametrize(("path", "name"), SECOND_FIGURES)
BESIDE_A_HERO = pytest.mark.parametrize(
    ("path", "name"),
    [one for one in SECOND_FIGURES if COURSE.dives[one[0]].figure],
)
ALIVE = "['live-figure', 'copy-button'].every((name) => customElements.get(name))"
STATE = "() => [location.href, history.length]"


def element(page: Page, name: str) -> Locator:
    return page.locator(f"#{name.replace('-', '_')}")


def opened(page: Page, site: Program, path: str) -> None:
    page.goto(site.address + path)
    page.wait_for_function(ALIVE)


def link(figure: Locator) -> str:
    """Return the link to what a figure shows."""
    return figure.locator(".state").get_attribute("href") or ""


def act(figure: Locator) -> None:
    """Do everything that a figure can be asked for once: move each slider, follow some links."""
    page = figure.page
    for slider in figure.get_by_role("slider").all():
        with page.expect_response(watching.RUNS):
            slider.press("ArrowRight")
        expect(page.locator("live-figure.htmx-request")).to_have_count(0)
    for step in (".tools .next", ".tools .previous"):
        if figure.locator(step).count():
            with page.expect_response(watching.RUNS):
                figure.locator(step).click()
            expect(page.locator("live-figure.htmx-request")).to_have_count(0)
    if figure.locator(".answers").count():
        with page.expect_response(watching.RUNS):
            figure.locator(".answers a").first.click()
        expect(page.locator("live-figure.htmx-request")).to_have_count(0)


def test_there_are_figures_further_down() -> None:
    """Of both designs, or the tests below would say nothing."""
    assert len({path for path, _ in SECOND_FIGURES}) >= 2
    assert {name for _, name in SECOND_FIGURES} >= {"two-designs", "three-readings"}


@OWN
def test_acting_in_it_leaves_address_history_and_reload_as_they_are(
    quiet: Page, site: Program, path: str, name: str
) -> None:
    others = [one for one in COURSE.dives[path].figures if one != name]
    opened(quiet, site, path)
    before, own = quiet.evaluate(STATE), link(element(quiet, name))
    at_first = [link(element(quiet, one)) for one in others]
    act(element(quiet, name))
    assert quiet.evaluate(STATE) == before
    assert [link(element(quiet, one)) for one in others] == at_first
    assert link(element(quiet, name)).startswith(f"/figures/{name}?")
    quiet.reload()
    quiet.wait_for_function(ALIVE)
    assert quiet.evaluate(STATE) == before
    assert [link(element(quiet, one)) for one in others] == at_first
    assert link(element(quiet, name)) == own


@BESIDE_A_HERO
def test_back_undoes_what_the_hero_did_and_all_go_on_in_one_sandbox(
    quiet: Page, site: Program, path: str, name: str
) -> None:
    hero, below = element(quiet, COURSE.dives[path].figure), element(quiet, name)
    opened(quiet, site, path)
    first = link(hero)
    if hero.get_by_role("button", name="Serve next").count():
        hero.get_by_role("button", name="Serve next").click()
    elif COURSE.dives[path].figure == "bits":
        hero.locator(".cells button").last.click()
    else:
        hero.locator(".tools .next").click()
    expect(hero.locator(".state")).not_to_have_attribute("href", first)
    quiet.wait_for_function("first => location.pathname + location.search !== first", arg=first)
    act(below)
    shown = link(below)
    quiet.go_back()
    expect(hero.locator(".state")).to_have_attribute("href", first)
    assert link(below) == shown
    held = quiet.locator("input[name=token]")
    expect(held.first).to_have_attribute("value", re.compile("."))
    tokens: list[str] = held.evaluate_all("all => all.map((one) => one.value.split('.')[0])")
    assert len(tokens) > 2
    assert len(set(tokens)) == 1
    act(below)
    assert link(below).startswith(f"/figures/{name}?")
    expect(below.locator(".failure")).to_be_empty()


@BESIDE_A_HERO
def test_what_is_left_is_told_the_same_everywhere(
    quiet: Page, site: Program, path: str, name: str
) -> None:
    opened(quiet, site, path)
    told = quiet.locator(".commands")

    def left() -> set[str]:
        texts = told.all_text_contents()
        assert len(texts) >= 2
        return {" ".join(text.split()) for text in texts}

    act(element(quiet, name))
    after_figure = left()
    assert len(after_figure) == 1
    transcript = quiet.locator("form.transcript").first
    transcript.get_by_role("button", name="Run these").click()
    expect(transcript.locator(".told")).to_contain_text("In your sandbox, on")
    expect(transcript.locator(".commands")).to_be_visible()
    assert len(left()) == 1
    assert left() != after_figure


@pytest.fixture
def plain(contexts: dict[bool, BrowserContext]) -> Iterator[Page]:
    opened = contexts[False].new_page()
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("path", "name"),
    [one for one in SECOND_FIGURES if one[1] not in LABS or LABS[one[1]].INPUTS],
)
def test_without_scripts_a_nudge_is_answered_by_its_own_page_in_the_same_sandbox(
    plain: Page, site: Program, path: str, name: str
) -> None:
    plain.goto(site.address + path)
    token = plain.locator("input[name=token]").first.get_attribute("value") or ""
    below = element(plain, name)
    nudge = below.get_by_role("button", name="one more").first
    field = below.get_by_role("spinbutton").first
    before = int(field.input_value())
    nudge.click()
    expect(plain.locator("live-figure")).to_have_count(1)
    expect(element(plain, name).locator(".sentence")).not_to_be_empty()
    expect(element(plain, name).get_by_role("spinbutton").first).to_have_value(str(before + 1))
    after = plain.locator("input[name=token]").first.get_attribute("value") or ""
    assert after.split(".")[0] == token.split(".")[0]
    # The address of that answer can be loaded again, and leads to the figure.
    plain.goto(plain.url)
    assert plain.url.startswith(f"{site.address}/figures/{name}")
