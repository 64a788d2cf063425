"""Every figure and dive in a frame of another site: with scripts, with few rights, with none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page, expect

from decoder.figures import FIGURES
from decoder.figures.labs import LABS
from tests.browser import hosting, watching
from tests.browser.hosting import Host
from tests.support.ours import COURSE
from tests.support.program import Program

pytestmark = pytest.mark.sample

DIVES = [path.removeprefix("/") for path, dive in COURSE.dives.items() if not dive.is_chapter]
SHOWN = [*FIGURES, *(path for path in DIVES if path != "instructors")]
SANDBOXES = [
    None, "allow-scripts", "allow-scripts allow-forms", "allow-scripts allow-same-origin", "",
]  # fmt: skip
# Whatever is stored in a browser is reached through one of these.
STORAGE = """
  const touched = (name) => { console.error(`touched ${name}`); throw new Error(name); };
  for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"]) {
    Object.defineProperty(window, name, { get: () => touched(name) });
  }
  Object.defineProperty(Document.prototype, "cookie", {
    get: () => touched("cookie"), set: () => touched("cookie") });
"""
BLOCKED = "Blocked script execution"


@pytest.fixture(scope="module")
def course(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.add_init_script(STORAGE)
    yield context
    context.close()


@pytest.fixture
def host(course: BrowserContext) -> Iterator[Page]:
    """A page of a course, on a host of its own; the console and cookies stay empty."""
    page = course.new_page()
    heard = watching.listen(page)
    yield page
    page.close()
    assert [line for line in heard if BLOCKED not in line] == []
    assert course.cookies() == []


def embed(page: Page, server: Host, frame: str) -> FrameLocator:
    """Open a page of the course that has one frame."""
    server.body = hosting.page(frame)
    page.goto(server.address)
    return page.frame_locator("iframe")


def framed(site: Program, path: str, sandbox: str | None = None, more: str = "") -> str:
    """Write a frame with some rights."""
    rights = "" if sandbox is None else f'sandbox="{sandbox}"'
    src = hosting.address(site, path)
    return f'<iframe title="F" {rights} {more} width=900 height=700 src="{src}"></iframe>'


def state(frame: FrameLocator) -> str:
    return str(frame.locator(".state").first.get_attribute("href"))


def moved(frame: FrameLocator, before: str) -> str:
    """Expect the state to be another one by now, all of it, and return it."""
    expect(frame.locator(".state").first).not_to_have_attribute("href", before)
    expect(frame.locator("live-figure").first).not_to_have_class("stale")
    return state(frame)


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("name", SHOWN)
def test_the_first_answer_is_whole_and_one_can_go_on(
    host: Page, server: Host, site: Program, name: str, sandbox: str | None
) -> None:
    frame = embed(host, server, framed(site, f"/embed/{name}", sandbox))
    figure = frame.locator("live-figure").first
    expect(figure.locator(".state")).to_have_count(1)
    assert figure.locator(".sentence").first.text_content()
    assert figure.locator(".strip li").count() > 0
    expect(figure.locator(".failure")).to_be_empty()
    if sandbox == "":
        steps = frame.locator(".frame-steps a, .tools .next, a.ask:not(.chosen)").locator(
            "visible=true"
        )
        before = state(frame)
        steps.first.click()
        after = moved(frame, before)
        assert figure.locator(".sentence").first.text_content()
        steps.last.click()
        moved(frame, after)
        return
    host.frames[-1].wait_for_function("document.querySelector('live-figure').form !== undefined")
    before = state(frame)
    slider = figure.get_by_role("slider")
    if slider.count():
        at_the_end = slider.first.input_value() == slider.first.get_attribute("max")
        slider.first.press("ArrowLeft" if at_the_end else "ArrowRight")
        before = moved(frame, before)
    act(figure)
    after = moved(frame, before)
    # What was streamed is the order that a fresh page of the same state has.
    fresh = host.context.new_page()
    fresh.goto(hosting.address(site, "/embed" + after.removeprefix("/figures").replace("/?", "?")))
    shown = order_in(figure)
    assert shown
    assert order_in(fresh.locator("live-figure").first) == shown
    fresh.close()
    assert figure.locator(".strip li").count() > 0
    assert host.evaluate("history.length") == 2


def order_in(figure: Locator) -> str:
    """Return the order that a figure shows; of a single score, the bits that Valkey has of it."""
    kind = figure.get_attribute("id")
    part = "cells" if kind == "bits" else "order"
    return " ".join(str(figure.locator(f"#{kind}_{part}").text_content()).split())


def act(figure: Locator) -> None:
    """Do what the figure is about, as a visitor would."""
    kind = str(figure.get_attribute("id")).replace("_", "-")
    if kind == "composite":
        figure.get_by_role("button", name="Serve next").click()
    elif kind == "bits":
        figure.locator(".cells button[value='0']").click()
    elif kind == "three-readings":
        figure.get_by_role("link", name="Next", exact=True).click()
    elif kind == "two-designs":
        figure.locator(".guess:not([hidden]) a").first.click()
    else:
        assert kind in LABS, kind
        figure.locator(".answers a").first.click()


@pytest.mark.parametrize("name", FIGURES)
def test_where_no_script_runs_an_answer_is_shown_once_one_goes_on(
    host: Page, server: Host, site: Program, name: str
) -> None:
    frame = embed(host, server, framed(site, f"/embed/{name}?ask=1", ""))
    expect(frame.locator(".frame-ask")).to_be_visible()
    expect(frame.locator(".sentence").first).to_be_hidden()
    steps = frame.locator(".frame-steps a, .tools .next, .answers a, .guess a")
    steps.locator("visible=true").first.click()
    expect(frame.locator(".frame-ask")).to_have_count(0)
    expect(frame.locator(".strip, .outcome").first).to_be_visible()


def test_where_no_script_runs_the_64_bits_and_all_jobs_are_seen(
    host: Page, server: Host, site: Program
) -> None:
    frame = embed(host, server, framed(site, "/embed/bits", ""))
    expect(frame.locator(".cells button").locator("visible=true")).to_have_count(64)
    expect(frame.locator("#bits_said")).to_be_hidden()
    frame = embed(host, server, framed(site, "/embed/composite", "", "width=500"))
    jobs = frame.locator("#composite_order input[type=radio]").locator("visible=true")
    few = jobs.count()
    frame.get_by_text("all jobs").click()
    expect(jobs).to_have_count(10)
    assert few < 10


@pytest.mark.parametrize("sandbox", [None, "allow-scripts"])
def test_a_transcript_is_run_twice_in_a_frame_with_one_request_each(
    host: Page, server: Host, site: Program, sandbox: str | None
) -> None:
    path = "/embed/redis-patterns/time-delay-priority/score-as-meaning/packed"
    frame = embed(host, server, framed(site, path, sandbox))
    shown = frame.locator("form.transcript").first
    sent: list[str] = []
    host.on("request", lambda one: sent.append(one.url) if "/transcripts/" in one.url else None)
    for n in (1, 2):
        shown.locator(".tools button[name=upto]").first.click()
        expect(shown.locator(".told")).to_contain_text("In your sandbox")
        watching.until(host, lambda n=n: len(sent) == n, "one request was made")
        expect(shown.locator(".tools button[name=upto]").first).to_have_text("Run these again")
    assert len(sent) == 2


def test_a_figure_further_down_leaves_the_frames_address_alone(
    host: Page, server: Host, site: Program
) -> None:
    path = "/embed/redis-patterns/time-delay-priority/score-as-meaning"
    frame = embed(host, server, framed(site, path))
    below = frame.locator("#two_designs")
    before = str(below.locator(".state").get_attribute("href"))
    below.locator(".guess:not([hidden]) a").first.click()
    expect(below.locator(".state")).not_to_have_attribute("href", before)
    assert host.frames[-1].evaluate("location.search") == ""


@pytest.mark.parametrize("sandbox", [None, "allow-scripts"])
def test_a_number_that_is_typed_is_stored_by_enter(
    host: Page, server: Host, site: Program, sandbox: str | None
) -> None:
    frame = embed(host, server, framed(site, "/embed/bits", sandbox))
    frame.locator("#bits_said").fill("2^53-1")
    frame.locator("#bits_said").press("Enter")
    expect(frame.locator("#bits_sentence")).to_contain_text("9007199254740991")
