"""The address: it replays what happened, Back undoes and Forward does it again."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser import figure, watching
from tests.support.program import Program

STORY = "?tier=3&arrival=17&then=at-2-17,serve,add,move"


def test_an_address_with_actions_replays_them(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, STORY)
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.expect_controls(quiet, 3, 17)
    rows = figure.rows(quiet)
    assert 9 not in [row.arrival for row in rows if row.tier == 1]
    assert (2, 641) in [(row.tier, row.arrival) for row in rows]


def test_an_older_place_of_the_job_in_the_address_is_where_it_then_stands(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site, "?tier=3&arrival=17&then=at-2-17,serve,add")
    figure.expect_place(quiet, 2, 17, 4, 10)
    figure.expect_controls(quiet, 2, 17)
    link = quiet.get_by_role("link", name="Link to exactly this")
    expect(link).to_have_attribute("href", "/?tier=2&arrival=17&then=serve,add")


def test_the_address_after_moves_and_actions_shows_another_visitor_the_same(
    quiet: Page, site: Program, browser: Browser
) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    expect(figure.job_rows(quiet)).to_have_count(9)
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 6, 9)
    figure.button(quiet, "Add another job").click()
    expect(figure.job_rows(quiet)).to_have_count(10)
    figure.button(quiet, "Arrival number: one more").click()
    figure.expect_place(quiet, 3, 18, 6, 10)
    figure.expect_address(quiet, site, "?tier=3&arrival=18&then=at-2-17,serve,at-3-17,add,move")
    other = browser.new_page()
    heard = watching.listen(other)
    other.goto(quiet.url)
    assert figure.rows(other) == figure.rows(quiet)
    figure.expect_controls(other, 3, 18)
    other.close()
    assert heard == []


def test_the_link_to_exactly_this_is_the_address(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Add another job").click()
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=add")
    link = quiet.get_by_role("link", name="Link to exactly this")
    expect(link).to_have_attribute("href", "/?tier=2&arrival=17&then=add")
    link.click()
    expect(figure.job_rows(quiet)).to_have_count(11)
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=add")


def test_moves_replace_the_address_so_that_back_leaves_the_page(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + "/redis-patterns/time-delay-priority")
    figure.open_home(quiet, site)
    entries = quiet.evaluate("history.length")
    for at_tier, rank in ((3, 7), (4, 9), (5, 9)):
        figure.button(quiet, "Priority tier: one more").click()
        figure.expect_place(quiet, at_tier, 17, rank, 10)
    assert quiet.evaluate("history.length") == entries
    quiet.go_back()
    expect(quiet).to_have_url(site.address + "/redis-patterns/time-delay-priority")


def test_back_undoes_an_action_and_forward_does_it_again(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 2, 17, 4, 9)
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 2, 17, 4, 10)
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 4, 9)
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=serve")
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 5, 10)
    quiet.go_forward()
    figure.expect_place(quiet, 2, 17, 4, 9)
    quiet.go_forward()
    figure.expect_place(quiet, 2, 17, 4, 10)
    assert max(row.arrival for row in figure.rows(quiet) if row.tier == 2) == 641


def test_back_takes_the_sliders_along(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 2, 17, 5, 11)
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 8, 11)
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 3, 17, 7, 10)
    quiet.go_back()
    figure.expect_place(quiet, 3, 17, 8, 11)
    figure.expect_controls(quiet, 3, 17)
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 5, 10)
    figure.expect_controls(quiet, 2, 17)


def test_after_back_the_figure_is_alive_and_goes_on_from_there(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 2, 17, 4, 9)
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 5, 10)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.expect_controls(quiet, 3, 17)
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 3, 17, 7, 11)
    figure.expect_address(quiet, site, "?tier=3&arrival=17&then=add")


def test_back_gives_the_focus_back_to_the_control_that_had_it(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 2, 17, 4, 9)
    figure.tier(quiet).focus()
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 5, 10)
    expect(figure.tier(quiet)).to_be_focused()


def test_reset_can_be_undone_with_back(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site, "?tier=4&arrival=17&then=serve")
    figure.button(quiet, "Reset").click()
    figure.expect_place(quiet, 2, 17, 5, 10)
    quiet.go_back()
    figure.expect_place(quiet, 4, 17, 8, 9)
    figure.expect_controls(quiet, 4, 17)


def test_a_reload_shows_the_same(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=serve")
    figure.button(quiet, "Priority tier: one more").click()
    figure.expect_place(quiet, 3, 17, 6, 9)
    before = figure.rows(quiet)
    quiet.reload()
    figure.expect_place(quiet, 3, 17, 6, 9)
    figure.expect_controls(quiet, 3, 17)
    assert figure.rows(quiet) == before


def test_the_dive_keeps_its_own_path_in_the_address(quiet: Page, site: Program) -> None:
    dive = site.address + "/redis-patterns/time-delay-priority/score-as-meaning/packed"
    quiet.goto(dive)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(quiet).to_have_url(dive + "?tier=3&arrival=17")


def test_a_bad_address_becomes_the_nearest_good_one_and_says_so(quiet: Page, site: Program) -> None:
    for query, notice in (
        ("?tier=99&arrival=17", "“99” became 5"),
        ("?tier=soon&arrival=17", "“soon” is no number"),
        ("?tier=2&arrival=17&then=dance", "“dance”"),
        ("?tier=2&arrival=17&then=" + ",".join(["add"] * 41), "40 actions"),
    ):
        figure.open_home(quiet, site, query)
        expect(figure.notices(quiet)).to_contain_text(notice)
        expect(figure.badge(quiet)).to_have_text("stored = computed")
        figure.tier(quiet).press("Home")
        expect(figure.my_row(quiet)).to_contain_text("tier 1")


def test_the_address_never_carries_the_token(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    token = quiet.locator("input[name=token]").input_value()
    addresses: list[str] = []
    quiet.on("request", lambda request: addresses.append(request.url))
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 2, 17, 5, 11)
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 5, 10)
    assert all(token not in address for address in [*addresses, quiet.url])


def test_a_figure_that_left_the_page_no_longer_listens_for_back(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    devtools = quiet.context.new_cdp_session(quiet)

    def listening() -> int:
        page = devtools.send("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
        found = devtools.send("DOMDebugger.getEventListeners", {"objectId": page})["listeners"]
        return [one["type"] for one in found].count("htmx:before:history:restore")

    before = listening()
    away = "() => { window.away = document.querySelector('live-figure'); window.away.remove(); }"
    for _ in range(3):
        quiet.evaluate(away)
        assert listening() == before - 1
        quiet.evaluate("() => document.querySelector('.hero').after(window.away)")
        assert listening() == before
    devtools.detach()
