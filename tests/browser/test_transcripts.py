"""Transcripts of a dive as a reader runs them, on a page with three figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser import figure, watching
from tests.server.test_transcripts import DIVE, FIRST, written
from tests.support.program import Program

pytestmark = pytest.mark.sample

TRANSCRIPT_RUNS = "**/transcripts/*/runs"
PAIRS = '1) "a"\n2) "1"\n3) "b"\n4) "2"'
HEIGHT = "el => el.getBoundingClientRect().height"
ALIVE = "['live-figure', 'copy-button'].every((name) => customElements.get(name))"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A program that serves a dive of the tests' own beside ours."""
    content = written(tmp_path_factory.mktemp("content"))
    with Program(
        tmp_path_factory.mktemp("course"), DECODER_CONTENT=str(content), DECODER_WORKERS="1"
    ) as running:
        yield running


def opened(page: Page, course: Program, query: str = "") -> Page:
    answer = page.goto(course.address + DIVE + query)
    assert answer
    assert answer.status == 200
    page.wait_for_function(ALIVE)
    return page


def transcript(page: Page, name: str) -> Locator:
    return page.locator(f"form#{name}")


def press(page: Page, name: str, label: str) -> None:
    transcript(page, name).get_by_role("button", name=label, exact=True).click()


def live(page: Page, name: str) -> Locator:
    """Return the live replies that are shown."""
    return transcript(page, name).locator(".live > samp")


def recorded(page: Page, name: str) -> Locator:
    return transcript(page, name).locator("ol > li > samp")


@pytest.mark.long
def test_all_of_it_is_run_beside_the_recorded_replies(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    expect(live(quiet, "first")).to_have_count(0)
    before = recorded(quiet, "first").all_text_contents()
    press(quiet, "first", "Run these")
    expect(live(quiet, "first")).to_have_count(5)
    assert live(quiet, "first").all_text_contents() == before
    assert recorded(quiet, "first").all_text_contents() == before
    assert before[1] == PAIRS
    expect(transcript(quiet, "first").locator(".same")).to_have_count(5)
    status = transcript(quiet, "first").get_by_role("status")
    expect(status).to_contain_text("5 of 5 run from an empty one")
    expect(transcript(quiet, "first").get_by_role("button", name="Run these again")).to_be_visible()
    # What another transcript shows is its own.
    expect(live(quiet, "second")).to_have_count(0)


def test_a_reply_of_many_lines_is_shown_in_as_many(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    press(quiet, "first", "Run these")
    reply = live(quiet, "first").nth(1)
    expect(reply).to_be_visible()
    one, many = live(quiet, "first").nth(0), recorded(quiet, "first").nth(1)
    heights = [shown.evaluate(HEIGHT) for shown in (reply, many, one)]
    assert heights[0] > 2.5 * heights[2]
    assert heights[1] > 2.5 * heights[2]


def test_it_is_stepped_through_command_by_command(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    press(quiet, "first", "Only the first")
    expect(live(quiet, "first")).to_have_count(1)
    for n in (2, 3, 4, 5):
        press(quiet, "first", f"Next: {n} of 5")
        expect(live(quiet, "first")).to_have_count(n)
    press(quiet, "first", "Only the first")
    expect(live(quiet, "first")).to_have_count(1)


def test_what_differs_and_what_a_script_sent_is_shown(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    press(quiet, "clock", "Run these")
    expect(transcript(quiet, "clock").locator(".live")).to_contain_text(
        ["as recorded", "not as recorded"]
    )
    press(quiet, "script", "Run these")
    inside = transcript(quiet, "script").locator("details").first
    inside.locator("summary").click()
    expect(inside.locator("kbd")).to_have_text(
        ["INCR emq:{orders}:pc", f"ZADD emq:{{orders}}:prioritized {2 * 2**32 + 1} JOB0"]
    )


@pytest.mark.parametrize("ran", [False, True])
def test_the_commands_are_copied_as_they_can_be_typed_also_after_a_run(
    quiet: Page, course: Program, ran: bool
) -> None:
    quiet.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=course.address)
    opened(quiet, course)
    if ran:
        press(quiet, "script", "Run these")
        expect(live(quiet, "script")).to_have_count(3)
    press(quiet, "script", "Copy")
    expect(transcript(quiet, "script").get_by_role("button", name="Copied")).to_be_visible()
    copied: str = quiet.evaluate("() => navigator.clipboard.readText()")
    call = "valkey-cli --eval lua/packed/add_prioritized.lua emq:{orders}:prioritized "
    assert copied.splitlines() == [
        f"{call}emq:{{orders}}:pc , 2 JOB0",
        "GET emq:{orders}:pc",
        f"{call}emq:{{orders}}:pc , 2 JOB1",
    ]
    quiet.context.clear_permissions()


def test_the_keyboard_alone_runs_it_and_keeps_its_place(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    transcript(quiet, "first").get_by_role("button", name="Copy").focus()
    quiet.keyboard.press("Tab")
    expect(transcript(quiet, "first").get_by_role("button", name="Run these")).to_be_focused()
    quiet.keyboard.press("Tab")
    for n in (1, 2, 3):
        quiet.keyboard.press("Enter")
        expect(live(quiet, "first")).to_have_count(n)
        expect(transcript(quiet, "first").locator("button[name=upto]").nth(1)).to_be_focused()
    quiet.keyboard.press("Shift+Tab")
    quiet.keyboard.press("Space")
    expect(live(quiet, "first")).to_have_count(5)


def test_the_figures_and_the_address_stay_as_they_are_while_it_runs(
    quiet: Page, course: Program
) -> None:
    opened(quiet, course)
    score = figure.number(quiet).text_content()
    press(quiet, "first", "Run these")
    expect(live(quiet, "first")).to_have_count(5)
    assert quiet.url == course.address + DIVE
    assert figure.number(quiet).text_content() == score


# When something breaks


def test_a_request_that_fails_says_so_and_the_next_one_heals(
    failing: Page, course: Program
) -> None:
    opened(failing, course)
    failing.route(TRANSCRIPT_RUNS, lambda route: route.abort(), times=1)
    press(failing, "first", "Run these")
    failure = transcript(failing, "first").locator(".failure")
    expect(failure).to_contain_text("did not get through to the server")
    expect(recorded(failing, "first")).to_have_count(5)
    press(failing, "first", "Run these")
    expect(live(failing, "first")).to_have_count(5)
    expect(failure).to_be_empty()


@pytest.mark.parametrize("status", [404, 429, 500, 503])
def test_an_error_status_is_said(failing: Page, course: Program, status: int) -> None:
    opened(failing, course)
    failing.route(TRANSCRIPT_RUNS, lambda route: route.fulfill(status=status), times=1)
    press(failing, "second", "Run these")
    expect(transcript(failing, "second").locator(".failure")).to_contain_text("did not get through")
    expect(transcript(failing, "first").locator(".failure")).to_be_empty()
    press(failing, "second", "Run these")
    expect(transcript(failing, "second").locator(".failure")).to_be_empty()


@pytest.mark.long
def test_a_dead_valkey_is_told_and_the_next_run_heals(
    failing: Page, tmp_path: Path, course: Program
) -> None:
    assert course.address
    content = written(tmp_path / "content")
    (tmp_path / "own").mkdir()
    with Program(tmp_path / "own", DECODER_CONTENT=str(content), DECODER_WORKERS="1") as own:
        opened(failing, own)
        press(failing, "first", "Only the first")
        expect(live(failing, "first")).to_have_count(1)
        failure = transcript(failing, "first").locator(".failure")
        with watching.valkey_killed(own):
            press(failing, "first", "Next: 2 of 5")
            expect(failure).to_contain_text("Valkey cannot be reached")
            expect(failure).to_contain_text("The recorded replies stand")
            expect(live(failing, "first")).to_have_count(1)
        press(failing, "first", "Next: 2 of 5")
        expect(live(failing, "first")).to_have_count(2)
        expect(failure).to_be_empty()


def test_an_answer_that_breaks_off_is_said_and_what_came_stays(
    failing: Page, course: Program
) -> None:
    opened(failing, course)

    def break_off(route: Route) -> None:
        answer = route.fetch()
        whole = answer.text().split("\n\n")
        route.fulfill(response=answer, body="\n\n".join(whole[:2]) + "\n\n")

    failing.route(TRANSCRIPT_RUNS, break_off, times=1)
    press(failing, "first", "Run these")
    failure = transcript(failing, "first").locator(".failure")
    expect(failure).to_contain_text("did not get through to the server")
    expect(live(failing, "first")).to_have_count(2)
    press(failing, "first", "Run these")
    expect(live(failing, "first")).to_have_count(5)
    expect(failure).to_be_empty()


def test_each_run_is_told_once_in_the_one_status_of_its_transcript(
    failing: Page, course: Program
) -> None:
    opened(failing, course)
    status = transcript(failing, "first").get_by_role("status")
    expect(status).to_have_count(1)
    expect(status).to_be_empty()
    status.evaluate(
        """status => {
          window.told = [];
          new MutationObserver(() => window.told.push(status.textContent))
            .observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )
    press(failing, "first", "Run these")
    expect(status).to_contain_text("5 of 5 run from an empty one")
    failing.route(TRANSCRIPT_RUNS, lambda route: route.abort(), times=1)
    press(failing, "first", "Run these again")
    expect(status).to_contain_text("did not get through")
    press(failing, "first", "Only the first")
    expect(status).to_contain_text("1 of 5 run")
    told: list[str] = failing.evaluate("window.told")
    assert len(told) == 3, told


def test_a_run_that_a_newer_one_replaced_is_no_failure(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    held: list[Route] = []
    quiet.route(TRANSCRIPT_RUNS, lambda route: held.append(route), times=1)
    press(quiet, "first", "Run these")
    watching.until(quiet, lambda: bool(held), "a transcript is run")
    press(quiet, "first", "Only the first")
    expect(live(quiet, "first")).to_have_count(1)
    expect(transcript(quiet, "first").locator(".failure")).to_be_empty()
    expect(transcript(quiet, "first").get_by_role("status")).to_contain_text("1 of 5 run")


# Without scripts


@pytest.fixture
def plain(contexts: dict[bool, BrowserContext]) -> Iterator[Page]:
    opened = contexts[False].new_page()
    yield opened
    opened.close()


def test_without_scripts_the_page_comes_back_at_the_transcript(
    plain: Page, course: Program
) -> None:
    plain.goto(course.address + DIVE)
    expect(recorded(plain, "first")).to_have_count(5)
    press(plain, "first", "Only the first")
    expect(live(plain, "first")).to_have_count(1)
    assert plain.url == f"{course.address}{DIVE}/transcripts/first/runs#first"
    press(plain, "first", "Next: 2 of 5")
    expect(live(plain, "first")).to_have_text(["(integer) 2", re.compile('1\\) "a"')])
    press(plain, "second", "Run these")
    expect(live(plain, "second")).to_have_text(["(integer) 2", "(integer) 1", "(integer) 0"])
    expect(live(plain, "first")).to_have_count(0)
    expect(plain.locator("live-figure")).to_have_count(3)
    # A button that could do nothing is not there.
    expect(figure.button(plain, "Copy")).to_have_count(0)
    plain.goto(plain.url.partition("#")[0])
    assert plain.url == f"{course.address}{DIVE}#second"


def test_in_a_frame_that_may_do_nothing_it_is_read(page: Page, course: Program) -> None:
    frame = f'<iframe sandbox="" src="{DIVE}" width="900" height="900"></iframe>'
    page.route("**/frame", lambda route: route.fulfill(body=frame, content_type="text/html"))
    page.goto(course.address + "/frame")
    inside = page.frame_locator("iframe")
    shown = inside.locator("form#first ol > li")
    expect(shown.locator("> kbd").first).to_have_text(FIRST.split("\n")[0].removeprefix("> "))
    expect(shown.locator("> samp").nth(1)).to_have_text(PAIRS)
    expect(inside.locator("#composite_sentence")).to_contain_text("Your job")


# Three figures on one page


def test_the_address_follows_the_first_figure_alone(quiet: Page, course: Program) -> None:
    opened(quiet, course)
    below = quiet.locator("#three_readings")
    below.get_by_role("link", name="Next", exact=True).click()
    expect(below.locator(".tools .step.chosen")).to_contain_text("3")
    quiet.locator("#two_designs").get_by_role("slider").first.press("ArrowRight")
    expect(quiet.locator("#two_designs .state")).to_have_attribute(
        "href", re.compile("^/figures/two-designs[?]")
    )
    assert quiet.url == course.address + DIVE
    figure.tier(quiet).first.press("ArrowLeft")
    expect(quiet).to_have_url(f"{course.address}{DIVE}?tier=3&arrival=44")


def test_back_restores_the_first_figure_and_leaves_the_others(quiet: Page, course: Program) -> None:
    opened(quiet, course, "?tier=2&arrival=17")
    press(quiet, "first", "Run these")
    expect(live(quiet, "first")).to_have_count(5)
    below = quiet.locator("#three_readings")
    below.get_by_role("link", name="Next", exact=True).click()
    expect(below.locator(".tools .step.chosen")).to_contain_text("3")
    quiet.locator("#composite").get_by_role("button", name="Serve next").click()
    expect(quiet).to_have_url(re.compile("then=serve$"))
    quiet.go_back()
    expect(quiet).to_have_url(re.compile("arrival=17$"))
    expect(quiet.locator("#composite_sentence")).to_contain_text("5th of 10")
    expect(quiet.locator("live-figure")).to_have_count(3)
    expect(below.locator(".tools .step.chosen")).to_contain_text("3")
    expect(live(quiet, "first")).to_have_count(5)
    ids: list[str] = quiet.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert [one for one in ids if ids.count(one) > 1] == []
    # All of them go on.
    below.get_by_role("link", name="Next", exact=True).click()
    expect(below.locator(".tools .step.chosen")).to_contain_text("4")
    figure.arrival(quiet).press("ArrowRight")
    expect(quiet).to_have_url(f"{course.address}{DIVE}?tier=2&arrival=18")


def test_arrow_keys_step_only_the_figure_that_has_the_focus_or_is_in_sight(
    quiet: Page, course: Program
) -> None:
    opened(quiet, course)
    asked = watching.record_runs(quiet)
    below = quiet.locator("#three_readings")
    quiet.evaluate("scrollTo(0, 0)")
    quiet.keyboard.press("ArrowRight")
    # A round trip later nothing was asked: the stepper is far below.
    quiet.evaluate("() => new Promise(requestAnimationFrame)")
    assert asked == []
    below.locator(".tools").scroll_into_view_if_needed()
    quiet.keyboard.press("ArrowRight")
    expect(below.locator(".tools .step.chosen")).to_contain_text("3")
    quiet.evaluate("scrollTo(0, 0)")
    below.locator(".tools .step.chosen").focus()
    quiet.keyboard.press("ArrowLeft")
    expect(below.locator(".tools .step.chosen")).to_contain_text("2")
    assert len(asked) == 2
