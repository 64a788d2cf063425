"""The links to the commands of the state on screen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program


def test_the_links_follow_the_state(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    for name, kind in (("valkey-cli", "txt"), ("Python", "py")):
        link = quiet.locator("#composite .take").get_by_role("link", name=name)
        address = f"/figures/composite/commands.{kind}?tier=3&arrival=17"
        expect(link).to_have_attribute("href", re.compile(re.escape(address) + "$"))
    with quiet.expect_download() as download:
        quiet.locator("#composite .take").get_by_role("link", name="valkey-cli").click()
    assert download.value.suggested_filename == "score-decoder-composite.txt"
    assert f"lesson:{{orders}}:prioritized {3 * 2**32 + 17}" in download.value.path().read_text()
