"""What the lab `ties` calls a dictionary's order is what a browser's own locale sort shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from decoder.figures.labs.ties import CASES
from decoder.readings.collation import dictionary_key
from tests.support.program import Program

SORT = "texts => texts.sort(new Intl.Collator('en', {numeric: true}).compare)"
OTHERS = ["cote coté Cote côte côté", "v10 v2 V2 v02b", "-1 1 a A 10 b2 B1"]
ASKED = [case.members for case in CASES.values()] + [texts.split() for texts in OTHERS]


@pytest.mark.parametrize("texts", ASKED, ids=lambda one: one[0])
def test_a_browser_sorts_as_the_page_says(quiet: Page, site: Program, texts: list[str]) -> None:
    quiet.goto(f"{site.address}/healthz")
    assert quiet.evaluate(SORT, texts) == sorted(texts, key=dictionary_key)
