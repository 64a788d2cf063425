"""The copy button."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program


def test_the_commands_are_copied_one_a_line_as_they_can_be_typed(
    quiet: Page, site: Program
) -> None:
    quiet.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    figure.open_home(quiet, site)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.button(quiet, "Copy").click()
    expect(figure.button(quiet, "Copied")).to_be_visible()
    copied: str = quiet.evaluate("() => navigator.clipboard.readText()")
    assert copied.splitlines() == figure.commands(quiet)
    assert f"ZADD emq:{{orders}}:prioritized {3 * 2**32 + 17} JOB0Nb1VTbfnu4" in copied
    assert copied.isascii()
    quiet.context.clear_permissions()


def test_what_only_filled_the_other_cards_is_not_copied(quiet: Page, site: Program) -> None:
    quiet.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    quiet.goto(f"{site.address}/figures/three-readings?reading=one-number/order")
    figure.button(quiet, "Copy").click()
    expect(figure.button(quiet, "Copied")).to_be_visible()
    copied: str = quiet.evaluate("() => navigator.clipboard.readText()")
    assert "ZADD emq:{orders}:pending 0 JOB0Nb1VTbfnu4" in copied
    assert "emq:{orders}:schedule" not in copied
    expect(quiet.get_by_text("ZSCORE emq:{orders}:schedule")).to_be_hidden()
    quiet.context.clear_permissions()


CLOSED = """() => Object.defineProperty(
  navigator.clipboard, "writeText", { value: () => Promise.reject(new Error("closed")) })"""
ABSENT = """() => Object.defineProperty(navigator, "clipboard", { value: undefined })"""
"""As on a page that came over plain HTTP from another machine."""


@pytest.mark.parametrize("clipboard", [CLOSED, ABSENT], ids=["closed", "absent"])
def test_where_there_is_no_clipboard_the_commands_are_selected(
    quiet: Page, site: Program, clipboard: str
) -> None:
    figure.open_home(quiet, site)
    quiet.evaluate(clipboard)
    figure.button(quiet, "Copy").click()
    expect(quiet.get_by_role("button", name="Ctrl+C")).to_be_visible()
    selected: str = quiet.evaluate("() => String(getSelection())")
    assert all(command in selected for command in ("INCR emq:{orders}:pc", "ZRANK emq:{orders}"))
