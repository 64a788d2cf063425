"""Every page: loads quietly, says what it is, and links to nothing that is not there."""

from __future__ import annotations

import itertools
from urllib.parse import urldefrag, urlsplit

import pytest
from playwright.sync_api import APIResponse, Page, expect

from decoder.figures import FIGURES
from tests.browser import figure
from tests.support.ours import DIVES
from tests.support.program import Program

pytestmark = pytest.mark.sample

CHAPTER = "/redis-patterns/time-delay-priority"
DIVE = CHAPTER + "/score-as-meaning/packed"
AROUND = ["/scripts", "/scripts/packed/change_priority", "/glossary", "/instructors"]
PAGES = list(dict.fromkeys(["/", *DIVES, *AROUND, *(f"/figures/{name}" for name in FIGURES)]))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_quietly_and_is_whole(quiet: Page, site: Program, path: str) -> None:
    refused: list[str] = []
    quiet.on(
        "response",
        lambda answer: refused.append(answer.url) if answer.status >= 400 else None,
    )
    answer = quiet.goto(site.address + path, wait_until="networkidle")
    assert answer
    assert answer.status == 200
    assert refused == []
    expect(quiet.get_by_role("heading", level=1)).to_have_count(1)
    for landmark in ("banner", "main", "contentinfo"):
        expect(quiet.get_by_role(landmark)).to_have_count(1)
    assert quiet.title().endswith("Score Decoder") or quiet.title().startswith("Score Decoder")
    assert quiet.locator("meta[name=description]").get_attribute("content")
    assert quiet.locator("html").get_attribute("lang") == "en"
    headings = quiet.locator("h1, h2, h3, h4, h5, h6")
    levels = headings.evaluate_all("all => all.map((one) => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels)), levels
    ids = quiet.locator("[id]").evaluate_all("all => all.map((one) => one.id)")
    assert sorted(ids) == sorted(set(ids))


def is_html(answer: APIResponse) -> bool:
    return "html" in answer.headers["content-type"]


@pytest.mark.long
def test_no_link_is_dead(quiet: Page, site: Program) -> None:
    host = urlsplit(site.address).netloc
    to_visit, visited, asked = [site.address + path for path in PAGES], set(), set()
    dead: list[str] = []
    while to_visit:
        address = to_visit.pop()
        visited.add(address)
        quiet.goto(address)
        for link in quiet.locator("a[href]").evaluate_all("all => all.map((one) => one.href)"):
            target, anchor = urldefrag(link)
            if urlsplit(link).netloc != host:
                continue
            if anchor and target == address:
                if not quiet.evaluate("id => !!document.getElementById(id)", anchor):
                    dead.append(link)
            elif target not in asked:
                asked.add(target)
                answer = quiet.request.get(target)
                if answer.status != 200:
                    dead.append(target)
                # A file is no page to go on from.
                elif answer.headers.get("content-disposition") or not is_html(answer):
                    continue
                # A link with a query is a step of a figure: it leads on for ever.
                elif target not in visited and "?" not in target:
                    to_visit.append(target)
    assert dead == []
    assert site.address + DIVE in visited


def test_the_doors_that_are_not_built_yet_are_named_without_a_link(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    doors = quiet.locator(".doors li")
    expect(doors).to_have_count(3)
    for door in doors.filter(has_text="soon").all():
        expect(door.get_by_role("link")).to_have_count(0)


def test_the_head_leads_to_the_course_and_around_it_from_every_page(
    quiet: Page, site: Program
) -> None:
    quiet.goto(site.address + DIVE)
    names = {"The course": CHAPTER, "Scripts": "/scripts", "Glossary": "/glossary",
             "For instructors": "/instructors"}  # fmt: skip
    head = quiet.get_by_role("navigation", name="Site")
    for name, path in names.items():
        head.get_by_role("link", name=name).click()
        expect(quiet).to_have_url(site.address + path)
        expect(head.locator("[aria-current=page]")).to_have_text(name)
    expect(head.get_by_text("Decode a score")).to_be_visible()
    expect(head.get_by_role("link", name="Decode a score")).to_have_count(0)


def test_the_chapter_is_numbered_cards_that_open_anywhere(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + CHAPTER)
    cards = quiet.locator(".dives > li")
    for number, card in enumerate(cards.all(), 1):
        expect(card.locator(".number")).to_have_text(str(number))
        expect(card).to_contain_text("min to read")
    card = cards.filter(has_text="order in the score")
    # Below its words: the whole card is the link.
    box = card.bounding_box()
    assert box
    quiet.mouse.click(box["x"] + 12, box["y"] + box["height"] - 12)
    expect(quiet).to_have_url(site.address + DIVE)


def test_a_page_that_is_not_there_suggests_the_one_that_was_meant(
    failing: Page, site: Program
) -> None:
    failing.goto(site.address + "/scripts/packed/add_prioritised")
    failing.get_by_role("link", name="add_prioritized.lua").click()
    expect(failing).to_have_url(site.address + "/scripts/packed/add_prioritized")


def test_home_leads_to_the_chapter_and_the_dive_and_back(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    quiet.get_by_role("link", name="Move it").click()
    expect(quiet).to_have_url(site.address + DIVE)
    quiet.get_by_role("navigation", name="You are here").get_by_role("link").first.click()
    expect(quiet).to_have_url(site.address + CHAPTER)
    quiet.get_by_role("link", name="Score Decoder").first.click()
    expect(quiet).to_have_url(site.address + "/")


def test_a_section_link_leads_to_its_section(quiet: Page, site: Program) -> None:
    quiet.emulate_media(reduced_motion="reduce")
    quiet.goto(site.address + DIVE)
    sections = quiet.get_by_role("navigation", name="Sections of this dive")
    sections.get_by_role("link", name="Two meanings, one double").click()
    expect(quiet.get_by_role("heading", name="Two meanings, one double")).to_be_in_viewport()


def test_a_page_that_is_not_there_says_so_and_leads_on(failing: Page, site: Program) -> None:
    answer = failing.goto(site.address + "/no/such/page")
    assert answer
    assert answer.status == 404
    expect(failing.get_by_role("heading", level=1)).to_have_text(
        "There is no page at this address."
    )
    failing.get_by_role("link", name="figure on the home page").click()
    expect(figure.my_row(failing)).to_be_visible()
