"""An offline copy, opened from a disk: complete, readable, still, and without a single request."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from decoder.course import guide
from decoder.figures import FIGURES
from tests.browser import figure, watching
from tests.browser.test_colours import THEMES, too_faint
from tests.browser.test_fits import TOO_WIDE
from tests.browser.test_print import PAPER
from tests.support.ours import COURSE
from tests.support.program import Program

pytestmark = pytest.mark.sample

CHAPTER = "/redis-patterns/time-delay-priority"
DIVE = CHAPTER + "/score-as-meaning/packed"
DIVES = [one.path for one in COURSE.dives.values() if not one.is_chapter and one.path != guide.PATH]
OWN_PAGES = [f"/figures/{name}" for name in FIGURES]
STATES = [
    "/figures/composite?tier=2097152&arrival=4294967295&full=1",
    "/figures/composite?tier=99&arrival=17&then=add,serve",
    "/figures/three-readings?reading=packed/fire-time&step=3",
    "/figures/bits?score=-0",
]


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A page of a browser without a network, on which every console message fails the test."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    heard = watching.listen(page)
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route(lambda url: not url.startswith(("file:", "data:")), refuse)
    files: list[str] = []
    page.on("request", lambda one: files.append(one.url) if one.url.startswith("file:") else None)
    yield page
    assert heard == []
    assert asked == []
    # The file itself, each time that it was opened, and nothing beside it.
    assert {url.partition("#")[0].rpartition("/")[2] for url in files} <= {"copy.html"}
    context.close()


def saved(site: Program, path: str, folder: Path) -> str:
    """Save the copy of a page as a reader would; return the file's address."""
    address, mark, query = path.partition("?")
    with urllib.request.urlopen(f"{site.address}{address}.html{mark}{query}", timeout=10) as answer:
        (folder / "copy.html").write_bytes(answer.read())
    return (folder / "copy.html").as_uri()


@pytest.mark.parametrize("path", [*DIVES, *OWN_PAGES, *STATES])
def test_a_saved_file_asks_for_nothing_and_is_readable_at_every_width(
    alone: Page, site: Program, path: str, tmp_path: Path
) -> None:
    alone.goto(saved(site, path, tmp_path))
    expect(alone.locator(".recorded").first).to_contain_text("Recorded on Valkey ")
    for summary in alone.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    for theme in THEMES:
        alone.emulate_media(color_scheme=theme)
        for width in (390, 1280):
            alone.set_viewport_size({"width": width, "height": 800})
            assert alone.evaluate(TOO_WIDE) == [0, []], f"{theme}, {width} px"
            assert too_faint(alone) == set(), f"{theme}, {width} px"


def test_a_saved_dive_shows_its_run_its_commands_and_its_transcripts(
    alone: Page, site: Program, tmp_path: Path
) -> None:
    alone.goto(saved(site, f"{DIVE}?tier=1&arrival=700", tmp_path))
    for width in (390, 1280):
        alone.set_viewport_size({"width": width, "height": 800})
        for row in alone.locator("#composite_order > .job").all():
            expect(row).to_be_visible()
        expect(alone.locator("#composite_form score-slider").first).to_be_visible()
        assert alone.locator("#composite_form b").all_inner_texts() == ["1", "700"]
        expect(alone.locator("#composite_steps kbd").first).to_be_visible()
        expect(alone.locator(".transcript samp").first).to_be_visible()
    for role in ("button", "slider", "spinbutton", "checkbox", "radio", "textbox", "combobox"):
        expect(alone.get_by_role(role)).to_have_count(0)


def test_a_link_to_a_section_goes_there_within_the_file(
    alone: Page, site: Program, tmp_path: Path
) -> None:
    address = saved(site, DIVE, tmp_path)
    alone.emulate_media(reduced_motion="reduce")
    alone.goto(address)
    link = alone.locator(".sections a").last
    anchor = link.get_attribute("href") or ""
    link.click()
    assert alone.url == address + anchor
    expect(alone.locator(anchor)).to_be_in_viewport()


def test_what_a_lab_found_is_unfolded(alone: Page, site: Program, tmp_path: Path) -> None:
    for name in ("race", "ties"):
        alone.goto(saved(site, f"/figures/{name}", tmp_path))
        expect(alone.locator(f"#{name}_steps kbd").first).to_be_visible()


@pytest.mark.parametrize("path", [DIVE, "/figures/three-readings", "/figures/bits"])
def test_a_saved_file_is_printed_whole(
    alone: Page, site: Program, path: str, tmp_path: Path
) -> None:
    alone.set_viewport_size(PAPER)
    alone.goto(saved(site, path, tmp_path))
    alone.emulate_media(media="print")
    expect(alone.locator(".recorded").first).to_be_visible()
    assert alone.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    assert too_faint(alone) == set()
    if path == DIVE:
        expect(alone.locator("#composite_form")).to_be_visible()
        expect(alone.locator("#composite_order > .job").last).to_be_visible()


def test_the_link_to_the_copy_follows_the_moves_and_what_it_gives_has_a_name(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}/figures/composite")
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    with quiet.expect_download() as waiting:
        quiet.get_by_role("link", name="Download this figure").click()
    assert waiting.value.suggested_filename == "score-decoder-composite.html"
    text = Path(waiting.value.path()).read_text("utf-8")
    assert f"{site.address}/figures/composite?tier=3&amp;arrival=17" in text
