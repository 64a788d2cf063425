"""The five fact colours and all other text: readable in both themes, told apart by every eye."""

from __future__ import annotations

import itertools
import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from decoder.figures import FIGURES
from tests.browser import colours, figure, watching
from tests.support.program import Program

pytestmark = pytest.mark.sample

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
CHAPTER = "/redis-patterns/time-delay-priority"
DIVE = CHAPTER + "/score-as-meaning/packed"
FACTS = ("tier", "arrival", "time", "slot")

TOLD_APART = 10.0
"""CIEDE2000. About 1 is the least that a trained eye sees side by side; up to 10 two colours are
told apart only at a close look; here they stand apart, in small letters."""

TEXT = 4.5
LARGE_TEXT = 3.0

# Every piece of visible text with its colour, what is painted behind it, and how large it is.
# A canvas reads any notation of a colour; opacity counts as thinner ink.
PIECES = """() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3]));
  const behind = (one) => {
    const layers = [];
    for (let el = one; el; el = el.parentElement) {
      layers.push(rgba(getComputedStyle(el).backgroundColor));
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || one.closest(".hidden, .skip, script")) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(one), size = parseFloat(style.fontSize);
    const ground = behind(one);
    const ink = rgba(style.color);
    for (let el = one; el; el = el.parentElement) ink[3] *= getComputedStyle(el).opacity;
    const hex = (rgb) => "#" + rgb.map((n) => Math.round(n).toString(16).padStart(2, "0")).join("");
    found.push([
      walker.currentNode.data.trim().slice(0, 40), hex(over(ink, ground)), hex(ground),
      size >= 24 || (size >= 18.66 && style.fontWeight >= 700),
    ]);
  }
  for (const field of document.querySelectorAll("input[type=number]")) {
    const style = getComputedStyle(field);
    const hex = (rgb) => "#" + rgb.slice(0, 3).map((n) => n.toString(16).padStart(2, "0")).join("");
    found.push([field.id, hex(rgba(style.color)), hex(behind(field).map(Math.round)), false]);
  }
  return found;
}"""


def too_faint(page: Page) -> set[str]:
    """Return every visible text whose contrast is below WCAG AA, with its colours."""
    faint = set()
    for text, ink, ground, large in page.evaluate(PIECES):
        ratio = colours.contrast(colours.linear(ink), colours.linear(ground))
        if ratio < (LARGE_TEXT if large else TEXT):
            faint.add(f"“{text}” is {ink} on {ground}: {ratio:.2f}")
    return faint


# A token names two colours; what is painted is the one of the theme in force.
RESOLVED = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const parts = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3);
  probe.remove();
  return "#" + parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("");
}"""


def token(page: Page, name: str) -> str:
    """Return the value of a colour token in the theme in force."""
    value: str = page.evaluate(RESOLVED, name)
    assert re.fullmatch("#[0-9a-f]{6}", value), f"{name} is {value}"
    return value


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?tier=2097152&arrival=17&full=1&then=serve",
        "/?tier=99&arrival=17&then=add",
        DIVE,
        DIVE.removesuffix("/packed"),
        CHAPTER,
        "/scripts",
        "/scripts/packed/add_prioritized",
        "/glossary",
        "/instructors",
        *(f"/figures/{name}" for name in FIGURES),
    ],
)
def test_all_text_is_readable_in_both_themes(quiet: Page, site: Program, path: str) -> None:
    quiet.goto(site.address + path)
    for summary in quiet.locator(":is(.outcome > summary, .source summary, .script summary)").all():
        summary.click()
    for theme in THEMES:
        quiet.emulate_media(color_scheme=theme)
        assert too_faint(quiet) == set(), theme


@pytest.mark.parametrize("theme", THEMES)
def test_the_last_run_stays_readable_while_a_failure_is_shown(
    failing: Page, site: Program, theme: Theme
) -> None:
    failing.emulate_media(color_scheme=theme, reduced_motion="reduce")
    figure.open_home(failing, site)
    failing.route(watching.RUNS, lambda route: route.abort())
    figure.tier(failing).press("ArrowRight")
    expect(figure.failure(failing)).to_be_visible()
    expect(failing.locator("live-figure.htmx-request")).to_have_count(0)
    assert too_faint(failing) == set()


@pytest.mark.parametrize("theme", THEMES)
def test_each_fact_is_readable_on_paper_on_a_card_on_its_tint_and_on_my_job(
    quiet: Page, site: Program, theme: Theme
) -> None:
    quiet.emulate_media(color_scheme=theme)
    quiet.goto(site.address + CHAPTER)
    faint = set()
    for fact in FACTS:
        ink = token(quiet, f"--fact-{fact}")
        for name in ("--surface", "--card", f"--fact-{fact}-tint", "--mine-tint"):
            ground = token(quiet, name)
            ratio = colours.contrast(colours.linear(ink), colours.linear(ground))
            if ratio < TEXT:
                faint.add(f"{fact} {ink} on {name} {ground}: {ratio:.2f}")
    assert faint == set()


@pytest.mark.parametrize("theme", THEMES)
def test_the_five_fact_colours_are_told_apart_by_every_eye(
    quiet: Page, site: Program, theme: Theme
) -> None:
    quiet.emulate_media(color_scheme=theme)
    quiet.goto(site.address + CHAPTER)
    shown = {fact: token(quiet, f"--fact-{fact}") for fact in FACTS}
    shown["mine"] = token(quiet, "--mine")
    alike = set()
    for sight, matrix in colours.SIGHT.items():
        labs = {
            fact: colours.lab(colours.seen(colours.linear(text), matrix))
            for fact, text in shown.items()
        }
        for one, other in itertools.combinations(labs, 2):
            apart = colours.distance(labs[one], labs[other])
            if apart < TOLD_APART:
                alike.add(f"{sight}: {one} {shown[one]}, {other} {shown[other]}: {apart:.1f}")
    assert alike == set()


def test_the_distance_of_two_colours_is_what_its_authors_published() -> None:
    # Sharma, Wu and Dalal 2005, table 1, pairs 1, 7 and 17.
    for one, other, published in (
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ):
        assert colours.distance(one, other) == pytest.approx(published, abs=1e-4)


def test_no_fact_is_told_by_colour_alone(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    for row in figure.job_rows(quiet).all():
        expect(row.locator(".fact-tier")).to_contain_text("tier")
        expect(row.locator(".fact-arrival")).to_contain_text("no.")
    expect(figure.my_row(quiet)).to_contain_text("your job")
    expect(quiet.locator("#composite_score .hex")).to_contain_text("tier, bits 32 and up")
    expect(quiet.locator("#composite_score .hex")).to_contain_text("arrival, the low 32 bits")


@pytest.mark.parametrize("theme", THEMES)
def test_my_job_in_a_dive_is_underlined_in_its_own_colour(
    quiet: Page, site: Program, theme: Theme
) -> None:
    quiet.emulate_media(color_scheme=theme)
    quiet.goto(site.address + DIVE)
    for where in (".prose .fact-mine", ".transcript .fact-mine"):
        line, colour = (
            quiet.locator(where).first.evaluate(f"el => getComputedStyle(el).textDecoration{part}")
            for part in ("Line", "Color")
        )
        assert (line, colour) == ("underline", "rgb(247, 201, 72)")


def test_forced_colours_keep_my_row_marked_and_the_sliders_usable(
    quiet: Page, site: Program
) -> None:
    quiet.emulate_media(forced_colors="active")
    figure.open_home(quiet, site)
    outline = figure.my_row(quiet).evaluate("el => getComputedStyle(el).outlineStyle")
    assert outline == "solid"
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
