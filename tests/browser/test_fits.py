"""What fits where: phones, no sideways scrolling, targets that a finger hits."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from decoder.figures import FIGURES
from decoder.readings.catalogue import READINGS
from tests.browser import figure
from tests.support.program import Program

pytestmark = pytest.mark.sample

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"
CHAPTER = "/redis-patterns/time-delay-priority"
AROUND = ("/scripts", "/scripts/packed/change_priority", "/glossary", "/instructors")
PHONE: ViewportSize = {"width": 390, "height": 664}
LEAST_TARGET = 24
"""CSS pixels, WCAG 2.2 target size (minimum)."""

# Each control with the box that a finger may hit: its own, and that of a label around it.
# Links inside a sentence are left out, as WCAG 2.5.8 does.
TARGETS = """() => Array.from(
  document.querySelectorAll("a[href], button, input:not([type=hidden]), summary")
).filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".skip")
  && !(one.tagName === "A" && one.closest(".prose p, .lede, .prose li"))
).map((one) => {
  const boxes = [one, one.closest("label")].filter(Boolean).map((el) => el.getBoundingClientRect());
  return [
    one.outerHTML.slice(0, 90),
    Math.max(...boxes.map((box) => box.width)),
    Math.max(...boxes.map((box) => box.height)),
  ];
})"""

# How much wider than the window the page is, and the first elements that stick out. Code and tables
# scroll by themselves.
TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth;
  const over = Array.from(document.querySelectorAll("body *")).filter((one) =>
    one.getBoundingClientRect().right > room + 1 && !one.closest(".hidden, pre, .scrolls > *"));
  return [
    document.documentElement.scrollWidth - room,
    over.slice(0, 3).map((one) => one.outerHTML.slice(0, 90)),
  ];
}"""


def scroll_to_the_figure(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.locator("live-figure").evaluate("el => el.scrollIntoView({ block: 'start' })")


def cut_off(page: Page, parts: list[Locator]) -> list[str]:
    """Return those parts that are not wholly inside the viewport, with where they are."""
    width, height = page.evaluate("[document.documentElement.clientWidth, innerHeight]")
    outside = []
    for part in parts:
        box = part.bounding_box()
        assert box, f"{part} is not shown"
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        if box["x"] < 0 or box["y"] < 0 or right > width + 0.5 or bottom > height + 0.5:
            outside.append(f"{part}: {box}")
    return outside


def test_sliders_number_and_my_row_with_its_neighbours_fit_one_phone_screen(
    quiet: Page, site: Program
) -> None:
    quiet.set_viewport_size(PHONE)
    cut = {}
    for query, rank, of in (
        ("", 5, 10),
        ("?tier=1&arrival=1", 1, 10),
        ("?tier=1&arrival=999", 3, 10),
        ("?tier=2&arrival=1", 3, 10),
        ("?tier=3&arrival=999", 8, 10),
        ("?tier=5&arrival=17", 9, 10),
        ("?tier=5&arrival=999", 10, 10),
        ("?tier=3&arrival=17&then=serve", 6, 9),
        ("?tier=2&arrival=17&then=" + ",".join(["add"] * 12), 5, 22),
        ("?tier=2097151&arrival=4294967295&full=1", 10, 10),
        ("?tier=2097152&arrival=17&full=1", 10, 10),
        ("?tier=2097152&arrival=4294967295&full=1", 10, 10),
    ):
        figure.open_home(quiet, site, query)
        scroll_to_the_figure(quiet)
        expect(figure.my_row(quiet).locator("b")).to_have_text(str(rank))
        shown = [row.rank for row in figure.rows(quiet)]
        near = [rank + way for way in (-1, 0, 1) if 1 <= rank + way <= of]
        parts = [figure.tier(quiet), figure.arrival(quiet), figure.number(quiet)]
        parts += [figure.job_rows(quiet).nth(shown.index(place)) for place in near]
        if outside := cut_off(quiet, parts):
            cut[query] = outside
    assert cut == {}


STORED = {
    "packed": ["7291809701888000", "8589934609", "1780226978000"],
    "one-number": ["1780226978000", "0", "1780226978000"],
}


@pytest.mark.parametrize("height", [664, 844])
@pytest.mark.parametrize(
    "query",
    [
        "",
        *(f"?reading={one.id}" for one in READINGS.values()),
        "?reading=packed/fire-time&step=1",
        "?reading=one-number/fire-time&then=promote&now_ms=1780226978000",
    ],
)
def test_all_three_stored_scores_are_on_the_first_screen_of_a_phone(
    quiet: Page, site: Program, query: str, height: int
) -> None:
    quiet.set_viewport_size({"width": 390, "height": height})
    quiet.goto(f"{site.address}/figures/three-readings{query}")
    scores = quiet.locator(".card data")
    expect(scores).to_have_count(3)
    assert cut_off(quiet, scores.all()) == []
    if "step" not in query and "then" not in query:
        design = "packed" if "packed" in query else "one-number"
        assert scores.all_inner_texts() == STORED[design]


OVERLAPS = """() => Array.from(document.querySelectorAll(".card")).filter((card) => {
  const text = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect();
  };
  const [question, score] = [".question", "data"].map((part) => text(card.querySelector(part)));
  const beside = question.right <= score.left, below = question.bottom <= score.top + 1;
  return !(beside || below) || score.right > card.getBoundingClientRect().right - 8;
}).map((card) => card.innerText)"""


@pytest.mark.parametrize("width", [320, 390, 700, 850, 1280])
def test_no_score_lies_over_its_question_or_leaves_its_card(
    quiet: Page, site: Program, width: int
) -> None:
    quiet.set_viewport_size({"width": width, "height": 700})
    for query in ("reading=packed/fire-time", "reading=one-number/fire-time&then=promote,claim"):
        quiet.goto(f"{site.address}/figures/three-readings?now_ms=1780226978000&{query}")
        assert quiet.evaluate(OVERLAPS) == []


# The boxes of all names on the line of time that lie over one another.
CROWDED = """() => {
  const boxes = Array.from(document.querySelectorAll(".axis text:not(.now)"), (one) =>
    [one.textContent, one.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], n) => boxes.slice(n + 1).filter(([, b]) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${name} and ${other}`));
}"""


@pytest.mark.parametrize("width", [320, 390, 900, 1280])
@pytest.mark.parametrize(
    "query",
    [
        "reading=packed/fire-time&then=same_ms,same_ms",
        "reading=packed/fire-time&clock=server",
        "reading=one-number/fire-time&clock=server",
        "reading=one-number/next-run&then=advance",
    ],
)
def test_names_on_the_line_of_time_can_be_read(
    quiet: Page, site: Program, query: str, width: int
) -> None:
    quiet.set_viewport_size({"width": width, "height": 700})
    quiet.goto(f"{site.address}/figures/three-readings?{query}")
    expect(quiet.locator(".axis text.mine")).to_be_visible()
    assert quiet.evaluate(CROWDED) == []


def test_on_a_phone_each_card_is_chosen_in_turn_and_no_score_leaves_the_screen(
    quiet: Page, site: Program
) -> None:
    quiet.set_viewport_size(PHONE)
    quiet.goto(f"{site.address}/figures/three-readings?reading=packed/priority")
    for question in ("When?", "How often?", "In what order?"):
        quiet.get_by_role("link", name=question, exact=True).click()
        chosen = quiet.locator(".card.chosen")
        expect(chosen).to_contain_text(question)
        quiet.evaluate("scrollTo(0, 0)")
        assert cut_off(quiet, quiet.locator(".card data").all()) == []
        expect(quiet.locator("#three_readings_read_back")).to_be_visible()


def test_on_a_phone_the_rest_of_the_queue_unfolds(quiet: Page, site: Program) -> None:
    quiet.set_viewport_size(PHONE)
    figure.open_home(quiet, site)
    everyone = quiet.get_by_role("checkbox", name="all jobs")
    everyone.check()
    for row in figure.job_rows(quiet).all():
        expect(row).to_be_visible()
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(everyone).to_be_checked()
    for row in figure.job_rows(quiet).all():
        expect(row).to_be_visible()


def test_on_a_phone_the_one_who_is_next_can_be_guessed_without_unfolding(
    quiet: Page, site: Program
) -> None:
    quiet.set_viewport_size(PHONE)
    figure.open_home(quiet, site)
    first = figure.rows(quiet)[0]
    figure.job_rows(quiet).first.click()
    figure.button(quiet, "Serve next").click()
    expect(figure.sentence(quiet)).to_contain_text(f"You said {first.name}, and Valkey served it")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?tier=2097152&arrival=4294967295&full=1",
        "/?tier=99&arrival=17&then=dance,serve,add",
        CHAPTER,
        DIVE,
        *AROUND,
        *(f"/figures/{name}" for name in FIGURES),
        *(f"/figures/three-readings?reading={one.id}" for one in READINGS.values()),
        "/figures/three-readings?reading=packed/fire-time&then=same_ms,same_ms,same_ms,same_ms",
        "/figures/three-readings?reading=packed/fire-time&clock=server&step=1",
        "/figures/two-designs?tier=3&delay=120",
        "/no/such/page",
    ],
)
def test_nothing_scrolls_sideways(failing: Page, site: Program, path: str) -> None:
    failing.goto(site.address + path)
    for summary in failing.locator(
        ":is(.outcome, .source, .try, .misread):not([hidden]) > summary, .others summary"
    ).all():
        summary.click()
    for width in (320, 390, 768, 1280):
        failing.set_viewport_size({"width": width, "height": 700})
        assert failing.evaluate(TOO_WIDE) == [0, []], f"at {width} px"


def test_nothing_scrolls_sideways_with_letters_twice_as_big(quiet: Page, site: Program) -> None:
    quiet.set_viewport_size({"width": 640, "height": 700})
    figure.open_home(quiet, site)
    quiet.evaluate("document.documentElement.style.fontSize = '200%'")
    room, needed = quiet.evaluate(
        "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
    )
    assert needed <= room


@pytest.mark.parametrize(
    "path",
    [
        "/?full=1",
        CHAPTER,
        DIVE,
        DIVE.removesuffix("/packed"),
        *AROUND,
        *(f"/figures/{name}" for name in FIGURES),
    ],
)
def test_every_target_is_at_least_24_pixels_high_and_wide(
    quiet: Page, site: Program, path: str
) -> None:
    quiet.goto(site.address + path)
    small = set()
    for width in (320, 1280):
        quiet.set_viewport_size({"width": width, "height": 700})
        for html, across, high in quiet.evaluate(TARGETS):
            if across < LEAST_TARGET or high < LEAST_TARGET:
                small.add(f"{across:.0f} × {high:.0f} at {width} px: {html}")
    assert small == set()


def test_the_number_is_copied_as_one_number(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    copied = figure.number(quiet).evaluate(
        "el => { getSelection().selectAllChildren(el); return String(getSelection()); }"
    )
    assert copied.strip() == figure.START


# The blocks of code whose lines are longer than they are wide.
CUT_OFF = """() => Array.from(document.querySelectorAll(".listing pre, .source pre"))
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.slice(0, 60))"""

# The pieces of code in a table that are broken over two lines.
BROKEN = """() => Array.from(document.querySelectorAll(".prose table code"))
  .filter((one) => one.getClientRects().length > 1 || one.offsetHeight > 30)
  .map((one) => one.textContent)"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    "path",
    [
        "/scripts/packed/add_delayed",
        "/scripts/packed/change_priority",
        DIVE,
        f"{CHAPTER}/score-as-meaning",
    ],
)
def test_no_line_of_a_script_is_cut_off(quiet: Page, site: Program, path: str, width: int) -> None:
    quiet.set_viewport_size({"width": width, "height": 800})
    quiet.goto(site.address + path)
    for summary in quiet.locator(":is(.source, .script) summary").all():
        summary.click()
    assert quiet.locator(".listing pre").count() > 0
    assert quiet.evaluate(CUT_OFF) == []
    assert quiet.evaluate(TOO_WIDE) == [0, []]


@pytest.mark.parametrize("path", [DIVE, f"{CHAPTER}/score-as-meaning"])
def test_a_table_on_a_phone_breaks_no_key_and_no_command(
    quiet: Page, site: Program, path: str
) -> None:
    quiet.set_viewport_size(PHONE)
    quiet.goto(site.address + path)
    assert quiet.locator(".prose table code").count() > 5
    assert quiet.evaluate(BROKEN) == []
    assert quiet.evaluate(TOO_WIDE) == [0, []]
