"""Requests on the wire: moves coalesce, actions are never lost, late answers are dropped."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser import figure, watching
from tests.support.program import Program


def test_a_burst_of_moves_keeps_one_request_in_flight_and_the_last_move_wins(
    quiet: Page, site: Program
) -> None:
    watching.count_flights(quiet)
    figure.open_home(quiet, site)
    figure.arrival(quiet).focus()
    for _ in range(40):
        quiet.keyboard.press("ArrowRight")
    figure.expect_place(quiet, 2, 57, 6, 10)
    figure.expect_controls(quiet, 2, 57)
    figure.expect_address(quiet, site, "?tier=2&arrival=57")
    quiet.wait_for_function("() => window.flights.open === 0")
    flights = quiet.evaluate("() => window.flights")
    assert 1 < flights["made"] < 40
    assert flights["most"] == 1


def test_moves_made_while_one_is_out_coalesce_and_the_last_value_is_sent(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    asked = watching.record_runs(quiet)
    gate = watching.Gate(quiet)
    slider = figure.arrival(quiet)
    slider.press("ArrowRight")
    held = gate.next()
    for _ in range(8):
        slider.press("ArrowRight")
    expect(slider).to_have_value("26")
    held.continue_()
    gate.open()
    figure.expect_place(quiet, 2, 26, 5, 10)
    expect(quiet.get_by_role("status")).to_contain_text("Your job is 5th of 10")
    # The first, what had piled up when it was answered, and at most the very last key.
    assert len(asked) <= 3
    assert asked[-1]["arrival"] == "26"


def test_an_action_pressed_while_a_move_is_out_is_not_lost(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    gate = watching.Gate(quiet)
    figure.tier(quiet).press("ArrowRight")
    held = gate.next()
    figure.button(quiet, "Serve next").click()
    held.continue_()
    gate.open()
    figure.expect_place(quiet, 3, 17, 6, 9)
    figure.expect_address(quiet, site, "?tier=3&arrival=17&then=serve")


def test_moves_and_actions_that_wait_in_line_all_happen_in_their_order(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    asked = watching.record_runs(quiet)
    gate = watching.Gate(quiet)
    figure.button(quiet, "Add another job").click()
    gate.wait()
    figure.tier(quiet).press("ArrowRight")
    figure.button(quiet, "Serve next").click()
    figure.tier(quiet).press("ArrowRight")
    figure.button(quiet, "Add another job").click()
    gate.open()
    figure.expect_place(quiet, 4, 17, 9, 11)
    figure.expect_controls(quiet, 4, 17)
    actions = [fields["action"] for fields in asked if fields.get("action", "move") != "move"]
    assert actions == ["add", "serve", "add"]
    assert {(row.tier, row.arrival) for row in figure.rows(quiet)} >= {(2, 641), (4, 642)}


def test_two_actions_pressed_while_one_is_out_both_happen(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    gate = watching.Gate(quiet)
    figure.button(quiet, "Add another job").click()
    gate.wait()
    figure.button(quiet, "Serve next").click()
    figure.button(quiet, "Add another job").click()
    gate.open()
    figure.expect_address(quiet, site, "?tier=2&arrival=17&then=add,serve,add")
    expect(figure.job_rows(quiet)).to_have_count(11)
    assert [row.arrival for row in figure.rows(quiet) if row.arrival > 640] == [641, 642]


def test_each_request_carries_a_higher_number_than_the_one_before(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    asked = watching.record_runs(quiet)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.button(quiet, "Add another job").click()
    figure.expect_place(quiet, 3, 17, 7, 11)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 4, 17, 10, 11)
    numbers = [int(fields["seq"]) for fields in asked]
    assert numbers == sorted(set(numbers))


def test_an_older_answer_that_comes_late_is_dropped(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    answers: list[str] = []

    def answer_then_repeat_the_oldest(route: Route) -> None:
        real = route.fetch()
        answers.append(real.text())
        route.fulfill(response=real, body="".join([answers[-1], *answers[:-1][:1]]))

    quiet.route(watching.RUNS, answer_then_repeat_the_oldest)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.tier(quiet).press("ArrowRight")
    expect(quiet.get_by_role("status")).to_contain_text("Your job is 9th of 10")
    assert len(answers) == 2
    figure.expect_place(quiet, 4, 17, 9, 10)
    figure.expect_controls(quiet, 4, 17)
    figure.expect_address(quiet, site, "?tier=4&arrival=17")


def test_an_answer_that_is_late_for_back_does_not_undo_it(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    figure.expect_place(quiet, 2, 17, 4, 9)
    gate = watching.Gate(quiet)
    figure.button(quiet, "Add another job").click()
    held = gate.next()
    quiet.go_back()
    figure.expect_place(quiet, 2, 17, 5, 10)
    held.fulfill(response=held.fetch())
    gate.open()
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.expect_address(quiet, site, "?tier=3&arrival=17")


def test_while_a_request_is_out_the_page_shows_it(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    looks = """el => ["opacity", "borderStyle", "color", "backgroundColor", "animationName"]
      .map((property) => getComputedStyle(el)[property])"""
    before = figure.badge(quiet).locator("span").evaluate(looks)
    gate = watching.Gate(quiet)
    figure.tier(quiet).press("ArrowRight")
    held = gate.next()
    figure_box = quiet.locator("live-figure")
    expect(figure_box).to_have_class("figure htmx-request")
    assert figure.badge(quiet).locator("span").evaluate(looks) != before
    held.continue_()
    figure.expect_place(quiet, 3, 17, 7, 10)
    expect(figure_box).to_have_class("figure")


def test_score_commands_and_order_arrive_one_after_the_other(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    quiet.evaluate(
        """() => {
          window.changed = [];
          for (const id of ["composite_order", "composite_steps", "composite_score"]) {
            new MutationObserver(() => window.changed.includes(id) || window.changed.push(id))
              .observe(document.getElementById(id),
                { childList: true, characterData: true, attributes: true, subtree: true });
          }
        }"""
    )
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    changed = quiet.evaluate("() => window.changed")
    assert changed == ["composite_score", "composite_steps", "composite_order"]
