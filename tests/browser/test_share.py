"""Share / embed: a dialog with what is on the screen, and a page where no script runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import figure
from tests.support.program import Program

pytestmark = pytest.mark.sample

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"


def test_the_dialog_has_what_is_on_the_screen_and_copies_it(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + "/")
    quiet.get_by_role("slider").first.press("End")
    expect(quiet.locator("#composite .state")).to_have_attribute("href", "/?tier=5&arrival=17")
    figure.button(quiet, "Serve next").click()
    expect(quiet.locator("#composite .state")).to_have_attribute(
        "href", "/?tier=5&arrival=17&then=serve"
    )
    quiet.locator("#composite a.share").press("Enter")
    dialog = quiet.get_by_role("dialog")
    expect(dialog).to_be_visible()
    code = dialog.get_by_role("textbox").first
    there = "/embed/composite?tier=5&amp;arrival=17&amp;then=serve"
    expect(code).to_have_value(
        f'<iframe src="{site.address}{there}" width="900" height="640" '
        'title="The composite decoder"></iframe>'
    )
    first = dialog.get_by_role("button").first
    expect(first).to_have_text("Copy embed code")
    first.click()
    # Where there is no clipboard, the text is selected instead.
    expect(first).to_have_text("Copied")
    quiet.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(quiet.locator("#composite a.share")).to_be_focused()


def test_without_a_clipboard_the_code_is_selected(quiet: Page, site: Program) -> None:
    quiet.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    quiet.goto(f"{site.address}/share/figures/bits?score=inf")
    quiet.get_by_role("button", name="Copy embed code").click()
    expect(quiet.get_by_role("button", name="Selected: press Ctrl+C")).to_be_visible()
    chosen = quiet.evaluate("getSelection().toString()")
    assert chosen.startswith("<iframe src=")
    assert "/embed/bits?score=inf" in chosen


def test_what_is_chosen_is_shown_in_the_preview(quiet: Page, site: Program) -> None:
    quiet.goto(site.address + DIVE)
    quiet.get_by_role("slider").first.press("End")
    expect(quiet).to_have_url(f"{site.address}{DIVE}?tier=5&arrival=17")
    quiet.locator(".dive-tools a.share").click()
    dialog = quiet.get_by_role("dialog")
    dialog.locator(".more > summary").click()
    dialog.get_by_label("Priority tier").check()
    expect(dialog.locator("[name=lock]").first).to_be_focused()
    dialog.get_by_label("Theme").select_option("dark")
    dialog.get_by_label("A sentence of yours").fill("First & <second>")
    dialog.get_by_label("A sentence of yours").press("Tab")
    inside = dialog.frame_locator("iframe")
    expect(inside.locator(".frame-note")).to_have_text("First & <second>")
    expect(inside.locator("html")).to_have_attribute("data-theme", "dark")
    expect(inside.locator(".locked").first).to_contain_text("Priority tier")
    expect(dialog.get_by_role("textbox").first).to_have_value(
        f'<iframe src="{site.address}/embed{DIVE}?tier=5&amp;arrival=17&amp;lock=tier'
        '&amp;theme=dark&amp;note=First+%26+%3Csecond%3E" width="900" height="640" '
        'title="Score as meaning: order in the score"></iframe>'
    )


@pytest.mark.parametrize("path", ["/", DIVE, "/figures/race"])
def test_without_scripts_it_is_a_page(browser: Browser, site: Program, path: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(site.address + path)
    page.locator("a.share").first.click()
    expect(page.locator("textarea").first).to_contain_text("<iframe src=")
    page.locator(".more > summary").click()
    page.get_by_label("Width").fill("555")
    page.get_by_role("button", name="Show it so").click()
    expect(page.locator("textarea").first).to_contain_text('width="555"')
    page.close()
