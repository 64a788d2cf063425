"""What a screen reader hears: values in words, and one whole sentence after the moves rest."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program

LISTEN = """() => {
  window.said = [];
  const region = document.querySelector("[role=status]");
  new MutationObserver(() => window.said.push(region.textContent))
    .observe(region, { childList: true, characterData: true, subtree: true });
}"""


def test_the_status_is_filled_once_with_the_whole_sentence_after_the_moves_rest(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site)
    quiet.evaluate(LISTEN)
    slider = figure.tier(quiet)
    for at_tier, rank in ((3, 7), (4, 9), (5, 9)):
        slider.press("ArrowRight")
        figure.expect_place(quiet, at_tier, 17, rank, 10)
    assert quiet.evaluate("window.said") == []
    quiet.wait_for_function("() => window.said.length > 0")
    sentence = figure.sentence(quiet).inner_text().strip()
    assert quiet.evaluate("window.said") == [sentence]
    assert sentence.startswith("Your job is 9th of 10")
    assert sentence.endswith(".")


def test_the_status_waits_about_a_second(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    quiet.evaluate(
        """() => {
          window.times = {};
          document.addEventListener("input", () => { window.times.moved = performance.now(); });
          new MutationObserver(() => { window.times.said = performance.now(); })
            .observe(document.querySelector("[role=status]"), { childList: true, subtree: true });
        }"""
    )
    figure.tier(quiet).press("ArrowRight")
    quiet.wait_for_function("() => window.times.said")
    assert quiet.evaluate("window.times.said - window.times.moved") > 700


def test_the_first_html_has_the_one_status_region_and_no_other_live_region(
    quiet: Page, site: Program
) -> None:
    answer = quiet.goto(site.address + "/")
    assert answer
    html = answer.text()
    assert html.count('role="status"') == 1
    live = quiet.locator("[aria-live], [role=alert], [role=log], output")
    expect(live).to_have_count(0)
    expect(quiet.get_by_role("status")).to_have_text(figure.sentence(quiet).inner_text().strip())


def test_a_notice_is_said_before_the_sentence(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier_field(quiet).fill("9")
    status = quiet.get_by_role("status")
    expect(status).to_contain_text("“9” became 5")
    expect(status).to_contain_text("Your job is 9th of 10")


def test_an_action_is_said_too(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.button(quiet, "Serve next").click()
    expect(quiet.get_by_role("status")).to_contain_text("Valkey served JOB…pJw")


def test_the_tier_is_told_in_words(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    slider = figure.tier(quiet)
    expect(slider).to_have_attribute("aria-valuetext", "tier 2, more urgent than 3")
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "tier 3, more urgent than 4")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "tier 5, served last")


def test_the_words_follow_the_number_field_and_the_buttons(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier_field(quiet).fill("4")
    expect(figure.tier(quiet)).to_have_attribute("aria-valuetext", "tier 4, more urgent than 5")
    figure.button(quiet, "Arrival number: one more").click()
    expect(figure.arrival(quiet)).to_have_attribute("aria-valuetext", "arrival number 18")
    figure.button(quiet, "Reset").click()
    expect(figure.tier(quiet)).to_have_attribute("aria-valuetext", "tier 2, more urgent than 3")
    expect(figure.arrival(quiet)).to_have_attribute("aria-valuetext", "arrival number 17")


def test_in_the_full_range_the_words_hold_no_exponent_and_know_their_end(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site, "?full=1")
    figure.tier(quiet).press("End")
    expect(figure.tier(quiet)).to_have_attribute("aria-valuetext", "tier 2097152, served last")
    figure.arrival(quiet).press("End")
    expect(figure.arrival(quiet)).to_have_attribute("aria-valuetext", "arrival number 4294967296")


def test_the_words_of_tier_5_say_what_the_range_in_force_makes_of_it(
    quiet: Page, site: Program
) -> None:
    figure.open_home(quiet, site, "?tier=5&arrival=17")
    expect(figure.tier(quiet)).to_have_attribute("aria-valuetext", "tier 5, served last")
    figure.full_range(quiet).check()
    expect(figure.tier(quiet)).to_have_attribute("aria-valuetext", "tier 5, more urgent than 6")
