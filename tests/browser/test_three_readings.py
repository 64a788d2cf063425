"""The three readings in a browser: choosing, stepping, and choices made before an answer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import watching
from tests.support.program import Program

pytestmark = pytest.mark.sample

PATH = "/figures/three-readings"
DUE = 1780226978000

# Where each link that can be seen leads, by what it says.
LEADS = """() => Object.fromEntries(
  Array.from(document.querySelectorAll(".three a.ask"))
    .filter((one) => one.href && !one.closest("[hidden]"))
    .map((one) => [one.textContent.trim(), one.search + one.hash]))"""

# What tells that something is chosen.
CHOSEN = """() => Array.from(
  document.querySelectorAll(".three [aria-current]"), (one) => one.textContent.trim())"""


def link(page: Page, name: str) -> Locator:
    return page.locator("live-figure").get_by_role("link", name=name, exact=True)


def card(page: Page, reading: str) -> Locator:
    return page.locator(f".card[data-reading='{reading}']")


def sentence(page: Page) -> Locator:
    return page.locator("#three_readings_sentence")


def members(page: Page) -> list[str]:
    return page.locator("#three_readings_order .member").all_inner_texts()


def expect_address(page: Page, site: Program, query: str) -> None:
    expect(page).to_have_url(f"{site.address}{PATH}?{query}")


def try_it(page: Page, name: str) -> None:
    """Press one of the actions of the set that is chosen."""
    group = page.locator("details.try")
    if group.get_attribute("open") is None:
        group.locator("summary").click()
    link(page, name).click()


# Stepping.


def test_arrow_keys_walk_through_the_steps_from_anywhere_on_the_page(
    quiet: Page, site: Program
) -> None:
    quiet.goto(site.address + PATH + "?step=2")
    expect(sentence(quiet)).to_contain_text("Stored 0")
    quiet.keyboard.press("ArrowRight")
    expect(sentence(quiet)).to_contain_text("Valkey served")
    quiet.keyboard.press("ArrowLeft")
    expect(sentence(quiet)).to_contain_text("Stored 0")


@pytest.mark.parametrize(
    ("begins", "presses", "ends"),
    [
        ("reading=packed/fire-time&step=1", 2, "reading=packed/fire-time&step=3"),
        ("reading=packed/fire-time&step=3", 3, "reading=packed/priority&step=2"),
        ("reading=one-number/order&step=4", 1, "reading=one-number/next-run&step=1"),
        ("reading=one-number/order", 2, "reading=one-number/order&step=2"),
    ],
)
def test_next_pressed_again_before_the_answer_goes_on_to_the_step_after(
    quiet: Page, site: Program, begins: str, presses: int, ends: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?{begins}")
    gate = watching.Gate(quiet)
    for _ in range(presses):
        link(quiet, "Next").click()
    gate.open()
    expect_address(quiet, site, ends)
    expect(link(quiet, "Next")).to_have_attribute("href", re.compile(r"^\?reading="))
    shown, said = members(quiet), sentence(quiet).inner_text()
    quiet.reload()
    assert (members(quiet), sentence(quiet).inner_text()) == (shown, said)


def test_back_pressed_twice_goes_two_steps_back_and_further_arrows_are_counted_too(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority&step=1")
    gate = watching.Gate(quiet)
    link(quiet, "Back").dblclick()
    for key in ("ArrowLeft", "ArrowRight", "ArrowLeft"):
        quiet.keyboard.press(key)
    gate.open()
    expect_address(quiet, site, "reading=packed/fire-time&step=2")


def test_next_stops_at_the_last_step_however_often_it_is_pressed(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/next-run&step=3")
    asked = watching.record_runs(quiet)
    gate = watching.Gate(quiet)
    for _ in range(3):
        link(quiet, "Next").click()
    gate.open()
    expect_address(quiet, site, "reading=packed/next-run&step=4")
    expect(quiet.locator(".tools .next")).to_be_hidden()
    quiet.keyboard.press("ArrowRight")
    link(quiet, "Back").click()
    expect_address(quiet, site, "reading=packed/next-run&step=3")
    assert [fields["step"] for fields in asked] == ["4", "3"]


def test_a_step_that_did_not_get_through_is_asked_again_by_the_next_press(
    failing: Page, site: Program
) -> None:
    failing.goto(f"{site.address}{PATH}?reading=one-number/fire-time&step=1")
    gate = watching.Gate(failing)
    link(failing, "Next").click()
    link(failing, "Next").click()
    gate.next().abort()
    gate.open()
    expect_address(failing, site, "reading=one-number/fire-time&step=2")


def test_on_the_servers_clock_the_steps_go_on_as_on_the_other(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=one-number/fire-time&step=1&clock=server")
    for step in (2, 3, 4):
        link(quiet, "Next").click()
        expect_address(quiet, site, f"reading=one-number/fire-time&step={step}&clock=server")
        chosen = quiet.locator(".tools [aria-current]")
        expect(chosen).to_have_count(1)
        expect(chosen).to_contain_text(str(step))


def test_an_action_and_a_step_pressed_together_are_done_in_that_order(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority&step=4")
    gate = watching.Gate(quiet)
    link(quiet, "Next").click()
    try_it(quiet, "Just serve it")
    gate.open()
    # Served is who was next in the set to which the button belongs.
    expect_address(quiet, site, "reading=packed/priority&step=4&then=serve")
    expect(card(quiet, "packed/priority")).to_have_class(re.compile("chosen"))
    shown = members(quiet)
    quiet.reload()
    assert members(quiet) == shown


@pytest.mark.parametrize(
    ("reading", "action"),
    [
        ("packed/priority", "Just serve it"),
        ("one-number/order", "Just claim it"),
        ("packed/fire-time", "Just add it"),
    ],
)
def test_two_clicks_on_an_action_do_it_twice_and_page_and_sandbox_agree(
    quiet: Page, site: Program, browser: Browser, reading: str, action: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading={reading}&step=2")
    before = len(members(quiet))
    gate = watching.Gate(quiet)
    try_it(quiet, action)
    link(quiet, action).click()
    gate.open()
    name = {"Just serve it": "serve", "Just claim it": "claim", "Just add it": "same_ms"}[action]
    expect(quiet).to_have_url(re.compile(rf"then={name}(-\d+)?,{name}(-\d+)?$"))
    shown = members(quiet)
    assert abs(len(shown) - before) == 2
    other = browser.new_page()
    other.goto(quiet.url)
    assert members(other) == shown
    other.close()


# The clock.


def test_a_clock_that_is_moved_before_the_answer_keeps_the_reading_just_chosen(
    quiet: Page, site: Program
) -> None:
    quiet.goto(site.address + PATH)
    gate = watching.Gate(quiet)
    link(quiet, "When?").click()
    gate.wait()
    quiet.locator("#three_readings_seconds").press("End")
    gate.open()
    expect(sentence(quiet)).to_contain_text("due at 11:30:38 UTC")
    expect(quiet.locator(".card.chosen")).to_contain_text("When?")
    expect_address(quiet, site, "reading=one-number/fire-time&step=3&now_ms=1780227038000")


def test_a_clock_that_is_moved_while_a_choice_fails_moves_for_the_reading_on_screen(
    failing: Page, site: Program
) -> None:
    failing.goto(f"{site.address}{PATH}?reading=one-number/fire-time")
    gate = watching.Gate(failing)
    link(failing, "In what order?").click()
    gate.wait()
    failing.locator("#three_readings_seconds").press("End")
    gate.next().abort()
    gate.open()
    expect(sentence(failing)).to_contain_text("due at 11:30:38 UTC")
    expect(failing.locator(".card.chosen")).to_contain_text("When?")


@pytest.mark.parametrize("reading", ["packed/fire-time", "one-number/fire-time"])
def test_the_millisecond_before_the_due_time_is_kept_by_what_is_pressed_next(
    quiet: Page, site: Program, reading: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading={reading}")
    link(quiet, "1 ms before due").click()
    expect(sentence(quiet)).to_contain_text("Yours is not: its score is 1 ms ahead of now")
    expect(quiet.locator("#three_readings_seconds")).to_have_value("89")
    try_it(quiet, "Just promote")
    expect(quiet).to_have_url(re.compile(rf"now_ms={DUE - 1}&then=promote-{DUE - 1}$"))
    link(quiet, "Next").click()
    link(quiet, "2 write").click()
    expect_address(quiet, site, f"reading={reading}&step=2&now_ms={DUE - 1}")
    # The slider counts again once it is moved.
    quiet.locator("#three_readings_seconds").press("ArrowRight")
    expect_address(quiet, site, f"reading={reading}&step=3&now_ms={DUE}")
    expect(sentence(quiet)).to_contain_text("its time came this very millisecond")


def test_a_moment_and_a_step_pressed_together_keep_the_millisecond(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/fire-time&step=1")
    gate = watching.Gate(quiet)
    link(quiet, "1 ms before due").click()
    link(quiet, "Next").click()
    gate.open()
    expect_address(quiet, site, f"reading=packed/fire-time&step=2&now_ms={DUE - 1}")


def test_the_slider_replaces_the_address_and_a_moment_can_be_gone_back_on(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/fire-time")
    entries = quiet.evaluate("history.length")
    for second in (1, 2, 3):
        quiet.locator("#three_readings_seconds").press("ArrowRight")
        expect(quiet).to_have_url(re.compile(f"now_ms={DUE - 90_000 + second * 1000}$"))
    assert quiet.evaluate("history.length") == entries
    link(quiet, "at due").click()
    expect(quiet).to_have_url(re.compile(f"now_ms={DUE}$"))
    assert quiet.evaluate("history.length") == entries + 1
    quiet.go_back()
    expect(sentence(quiet)).to_contain_text("at 11:28:11 UTC")
    expect(quiet.locator("#three_readings_seconds")).to_have_value("3")


def test_a_moment_means_the_pinned_clock(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/fire-time&clock=server")
    link(quiet, "at due").click()
    expect(sentence(quiet)).to_contain_text("this very millisecond")
    expect_address(quiet, site, f"reading=packed/fire-time&step=3&now_ms={DUE}")
    assert "pinned clock" in quiet.evaluate(CHOSEN)


@pytest.mark.parametrize("reading", ["packed/priority", "one-number/order"])
def test_where_nothing_is_timed_no_moment_is_offered_and_the_slider_serves_nobody(
    quiet: Page, site: Program, reading: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading={reading}&step=3")
    standing = members(quiet)
    expect(link(quiet, "at due")).to_have_count(0)
    quiet.locator("#three_readings_seconds").press("End")
    expect(quiet).to_have_url(re.compile("now_ms=1780227038000"))
    assert members(quiet) == standing
    link(quiet, "When?").click()
    expect(link(quiet, "at due")).to_be_visible()


# Where links lead.

ACTS = {
    "packed/fire-time": [
        "at due", "onto the ladder, as the last to arrive", "1 ms before due", "the server’s TIME",
        "Just add it", "Next", "2 write",
    ],
    "packed/priority": [
        "3 read", "Just serve it", "Just change it", "Just change it, with lifo", "Reset", "Back",
        "How often?", "When?",
    ],
    "one-number/fire-time": [
        "the server’s TIME", "at due", "pinned clock", "10 s after",
        "by when they were minted", "Just claim it", "In what order?", "Next",
    ],
    "one-number/next-run": [
        "the next run moves", "Just register", "at due", "It fired: advance",
        "4 conclude",
    ],
}  # fmt: skip


@pytest.mark.parametrize("reading", ACTS)
def test_every_link_leads_from_the_state_on_screen_as_a_fresh_page_of_it_does(
    quiet: Page, site: Program, browser: Browser, reading: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading={reading}")
    quiet.locator("details.try summary").click()
    fresh = browser.new_page(java_script_enabled=False)
    address = quiet.url
    for act in ACTS[reading]:
        link(quiet, act).click()
        expect(quiet).not_to_have_url(address)
        address = quiet.url
        fresh.goto(address)
        assert quiet.evaluate(LEADS) == fresh.evaluate(LEADS), f"after {act}"
        assert quiet.evaluate(CHOSEN) == fresh.evaluate(CHOSEN), f"after {act}"
        for one in (card(quiet, name) for name in ("packed/priority", "one-number/order")):
            if one.count():
                same = card(fresh, str(one.get_attribute("data-reading")))
                assert one.inner_text() == same.inner_text(), f"after {act}"
    fresh.close()


def test_a_link_opened_beside_shows_what_a_press_shows(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=one-number/fire-time")
    link(quiet, "at due").click()
    try_it(quiet, "Just promote")
    expect(quiet).to_have_url(re.compile("promote"))
    beside = quiet.context.new_page()
    beside.goto(link(quiet, "Just claim it").evaluate("el => el.href"))
    link(quiet, "Just claim it").click()
    expect(sentence(quiet)).to_contain_text("leased until")
    expect(sentence(beside)).to_have_text(sentence(quiet).inner_text())
    assert members(beside) == members(quiet)
    beside.close()


# The cards.


def test_the_chosen_card_follows_what_the_server_has_and_the_others_keep_what_came_first(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority")
    order, when = card(quiet, "packed/priority"), card(quiet, "packed/fire-time")
    expect(order.locator("data")).to_have_text("8589934609")
    expect(order.locator(".since")).to_have_text("now in the set", use_inner_text=True)
    expect(when.locator(".since")).to_have_text("as first stored", use_inner_text=True)
    try_it(quiet, "Just change it")
    expect(order.locator("data")).to_have_text("8589934623")
    expect(order.locator(".told")).to_have_text("read back: Tier 2, arrival number 31.")
    link(quiet, "When?").click()
    expect(when.locator(".since")).to_have_text("now in the set", use_inner_text=True)
    expect(order.locator("data")).to_have_text("8589934609")
    expect(order.locator(".since")).to_have_text("as first stored", use_inner_text=True)
    link(quiet, "at due").click()
    link(quiet, "Just promote").click()
    expect(when.locator("data")).to_have_text("no longer in this set")
    expect(when.locator(".told")).to_have_text("")
    link(quiet, "1 what it means").click()
    expect(when.locator("data")).to_have_text("not stored yet")


def test_choosing_a_card_writes_reads_and_concludes(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/next-run")
    steps = quiet.locator("#three_readings_steps")
    link(quiet, "In what order?").click()
    expect(steps).to_contain_text("ZRANGE emq:{orders}:prioritized 0 0 WITHSCORES")
    expect(steps).to_contain_text("INCR emq:{orders}:pc")
    expect(steps).not_to_contain_text("ZPOPMIN")
    expect(sentence(quiet)).to_contain_text("ZPOPMIN is what serves")
    expect(card(quiet, "packed/priority").locator(".told")).to_contain_text("Tier 2, arrival")
    expect_address(quiet, site, "reading=packed/priority")
    link(quiet, "When?").click()
    expect(steps).to_contain_text("ZRANGEBYSCORE emq:{orders}:delayed 0 ")
    expect(sentence(quiet)).to_contain_text("Yours is not")
    expect_address(quiet, site, "reading=packed/fire-time")


def look(one: Locator) -> list[str]:
    """Return how a card is drawn: its border, its shadow, and the ring before its question."""
    return one.evaluate(
        """el => [getComputedStyle(el).borderTopColor, getComputedStyle(el).boxShadow,
                  getComputedStyle(el.querySelector(".question"), "::before").borderTopWidth]"""
    )


def test_hover_and_focus_light_a_card_and_choosing_keeps_it_lit(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority")
    when = card(quiet, "packed/fire-time")
    plain = look(when)
    when.hover()
    hovered = look(when)
    assert hovered[:2] != plain[:2]
    quiet.mouse.move(1, 1)
    assert look(when) == plain
    when.get_by_role("link").focus()
    assert look(when)[:2] == hovered[:2]
    quiet.keyboard.press("Enter")
    expect(when.get_by_role("link")).to_have_attribute("aria-current", "true")
    when.get_by_role("link").evaluate("el => el.blur()")
    chosen = look(when)
    assert chosen[0] == hovered[0]
    assert chosen[1] not in (plain[1], "none")
    # Not by colour alone: the ring is filled.
    assert float(chosen[2].removesuffix("px")) >= 3 * float(plain[2].removesuffix("px"))
    assert look(card(quiet, "packed/priority"))[2] == plain[2]


def test_a_chosen_card_is_told_apart_where_colours_are_forced(quiet: Page, site: Program) -> None:
    quiet.emulate_media(forced_colors="active")
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority")
    assert look(card(quiet, "packed/priority"))[2] != look(card(quiet, "packed/fire-time"))[2]
    for group in (".designs", ".clock .moments:not([hidden]):has(.by)"):
        drawn = quiet.locator(f"{group} a").evaluate_all(
            "all => all.map(el => getComputedStyle(el).textDecorationLine)"
        )
        assert len(set(drawn)) == 2, f"{group}: {drawn}"
    quiet.emulate_media(forced_colors="none")


# By keyboard alone, in both designs.


def reach(page: Page, name: str) -> None:
    """Press Tab until a link of the figure has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"Tab never reached {name}")


@pytest.mark.parametrize(
    ("design", "other", "served"),
    [
        ("packed", "order in the member", "Valkey served"),
        ("one-number", "order in the score", "Valkey served"),
    ],
)
def test_everything_is_done_by_keyboard_alone(
    quiet: Page, site: Program, design: str, other: str, served: str
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading={design}/fire-time")
    reach(quiet, "In what order?")
    quiet.keyboard.press("Enter")
    expect(sentence(quiet)).to_contain_text("ZPOPMIN is what serves")
    assert quiet.evaluate("document.activeElement.textContent.trim()") == "In what order?"
    for said in ("the score is", "Stored", served, "concludes"):
        quiet.keyboard.press("ArrowRight")
        expect(sentence(quiet)).to_contain_text(said)
    reach(quiet, "Try it")
    quiet.keyboard.press("Enter")
    reach(quiet, "Just serve it")
    quiet.keyboard.press("Enter")
    expect(quiet).to_have_url(re.compile("then=serve$"))
    assert quiet.evaluate("document.activeElement.textContent.trim()") == "Just serve it"
    quiet.keyboard.press("Shift+Tab")
    quiet.goto(f"{site.address}{PATH}?reading={design}/fire-time")
    reach(quiet, other)
    quiet.keyboard.press("Enter")
    expect(quiet).to_have_url(re.compile(r"\?reading=(?!" + design + ")"))
    expect(quiet.locator(".designs [aria-current]")).to_have_text(other)


# Where no script and no form may run.


@pytest.mark.parametrize("design", ["packed", "one-number"])
def test_in_a_sandboxed_frame_without_any_permission_links_choose_step_and_act(
    page: Page, site: Program, design: str
) -> None:
    heard = watching.listen(page)
    course = f"{site.address}/a-page-of-a-course"
    frame = f'<iframe sandbox="" width=1000 height=900 src="{PATH}?reading={design}/fire-time">'
    page.route(course, lambda route: route.fulfill(content_type="text/html", body=frame))
    page.goto(course)
    inside = page.frame_locator("iframe")
    said = inside.locator("#three_readings_sentence")
    expect(said).to_contain_text("Yours is not")
    inside.get_by_role("link", name="at due", exact=True).click()
    expect(said).to_contain_text("this very millisecond")
    inside.get_by_role("link", name="In what order?", exact=True).click()
    expect(said).to_contain_text("ZPOPMIN is what serves")
    for text in ("the score is", "Stored", "Valkey served", "concludes"):
        inside.get_by_role("link", name="Next", exact=True).click()
        expect(said).to_contain_text(text)
    inside.get_by_text("Try it", exact=True).click()
    inside.get_by_role("link", name="Just serve it", exact=True).click()
    expect(said).to_contain_text("Valkey served")
    expect(inside.locator("#three_readings_order .member")).to_have_count(3)
    expect(inside.locator(".tools .next")).to_be_visible()
    # Chromium says of each script that it blocked it.
    assert [line for line in heard if "Blocked script execution" not in line] == []


# What is asked before an action that surprises.


def answers_to(page: Page, question: str) -> Locator:
    return page.get_by_role("group", name=question).get_by_role("link")


def test_an_answer_is_picked_by_keyboard_told_and_kept_in_the_address(
    quiet: Page, site: Program
) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority")
    quiet.locator("details.try summary").press("Enter")
    asked = answers_to(quiet, "Change its priority, to the tier that it has: where does it go?")
    expect(asked).to_have_count(4)
    asked.first.press("Enter")
    expect(sentence(quiet)).to_contain_text(
        "You said “nowhere: it keeps its place”; Valkey put it behind its tier, because"
    )
    expect_address(quiet, site, "reading=packed/priority&then=change_priority-stays")
    said = sentence(quiet).inner_text()
    expect(quiet.locator("#three_readings_status")).to_have_text(said)
    quiet.reload()
    expect(sentence(quiet)).to_have_text(said)


def test_the_same_answer_with_lifo_is_another_one(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=packed/priority")
    quiet.locator("details.try summary").click()
    asked = answers_to(quiet, "Change it with lifo, to the tier that it has: where does it go?")
    asked.filter(has_text="in front of its tier").click()
    expect(sentence(quiet)).to_contain_text("in front of its tier”, and Valkey put it in front")
    expect_address(quiet, site, "reading=packed/priority&then=change_priority-lifo-front")


def test_going_back_after_an_answer_shows_what_stood_before(quiet: Page, site: Program) -> None:
    quiet.goto(f"{site.address}{PATH}?reading=one-number/next-run")
    before = sentence(quiet).inner_text()
    try_it(quiet, "the next run moves")
    expect(sentence(quiet)).to_contain_text("You said “the next run moves”; Valkey changed nothing")
    quiet.go_back()
    expect(sentence(quiet)).to_have_text(before)
