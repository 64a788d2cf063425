"""The checklist of the course: every statement stands where facts_of_the_dives.yaml says.

It is read from the pages as they are rendered: an anchor is the id of an element of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lxml.html
import pytest
import yaml
from flask.testing import FlaskClient

CHAPTER = "/redis-patterns/time-delay-priority"
BY_MEMBER = f"{CHAPTER}/score-as-meaning"
BY_SCORE = f"{BY_MEMBER}/packed"
PAGES = [CHAPTER, BY_SCORE, BY_MEMBER]
FACTS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("facts_of_the_dives.yaml").read_text()
)
HEADINGS = ("h2", "h3", "h4")
CODE = ("code", "kbd", "pre", "samp")


class Rendered:
    """The words of a page's main part in their order, and where each element with an id stands.

    A figure is a part of its own: what it says is not what the section around it says.
    """

    def __init__(self, html: str) -> None:
        self.tree = lxml.html.document_fromstring(html)
        self.words = ""
        self.places: dict[str, tuple[int, int]] = {}
        self.parts: dict[str, str] = {}
        self.headings: list[tuple[int, str]] = []
        self.links: list[tuple[int, str]] = []
        for out in self.tree.xpath("//*[@hidden]"):
            out.drop_tree()
        (main,) = self.tree.xpath("//main")
        self._walk(main)

    def _walk(self, one: lxml.html.HtmlElement) -> None:
        start = len(self.words)
        if one.tag == "live-figure":
            for inside in one.xpath("descendant-or-self::*[@id]"):
                self.parts[inside.get("id")] = inside.text_content()
            return
        if one.tag in HEADINGS:
            self.headings.append((start, one.tag))
        self.words += one.text or ""
        for child in one:
            if isinstance(child.tag, str):
                self._walk(child)
            self.words += child.tail or ""
        href = str(one.get("href", ""))
        if href.startswith("http"):
            self.links.append((start, href))
        name = one.get("id") or ("" if "hero" in one.get("class", "").split() else None)
        if name is not None:
            self.places[name] = (start, len(self.words))
            if one.tag in HEADINGS:
                self.places[name] = (start, -1)

    @property
    def anchors(self) -> set[str]:
        return {*self.places, *self.parts}

    def part(self, anchor: str) -> str:
        """Return the words of an element, then where its links lead to on other sites.

        Of a heading they are those up to the next of its rank.

        Without an anchor those of the page's head.
        """
        if anchor in self.parts:
            return _plain(self.parts[anchor])
        start, end = self.places[anchor]
        if end < 0:
            rank = next(tag for at, tag in self.headings if at == start)
            after = (at for at, tag in self.headings if at > start and tag <= rank)
            end = next(after, len(self.words))
        leads = [href for at, href in self.links if start <= at < end]
        return _plain(" ".join([self.words[start:end], *leads]))

    @property
    def prose(self) -> str:
        """What a reader sees that is no command, no reply and no code."""
        outside = " and ".join(f"not(ancestor::{tag})" for tag in (*CODE, "live-figure"))
        texts = self.tree.xpath(f"//main//text()[{outside}]")
        return " ".join(" ".join(map(str, texts)).split())


def _plain(text: str) -> str:
    """Write quotes as one types them, and white space once."""
    return " ".join(text.translate(str.maketrans("’‘“”", "''\"\"")).split())


Open = Callable[[str], Rendered]
OPENED: dict[str, Rendered] = {}


@pytest.fixture
def page_at(client: FlaskClient) -> Open:
    """Open a page, once for all tests of this file."""

    def opened(address: str) -> Rendered:
        if address not in OPENED:
            answer = client.get(address)
            assert answer.status_code == 200, address
            OPENED[address] = Rendered(answer.text)
        return OPENED[address]

    return opened


@pytest.mark.parametrize("fact", FACTS, ids=[one["fact"] for one in FACTS])
def test_the_fact_stands_where_a_reader_is_led_to(page_at: Open, fact: dict[str, Any]) -> None:
    address, _, anchor = fact["at"].partition("#")
    page = page_at(address)
    assert anchor in page.anchors, f"{address} has no {anchor}"
    text = page.part(anchor).casefold()
    missing = [words for words in fact["says"] if " ".join(words.split()).casefold() not in text]
    assert not missing, text


@pytest.mark.parametrize("address", [BY_SCORE, BY_MEMBER])
def test_every_section_and_every_heading_of_a_dive_has_facts(page_at: Open, address: str) -> None:
    have = {at[2] for at in (one["at"].partition("#") for one in FACTS) if at[0] == address}
    tree = page_at(address).tree
    anchors = tree.xpath("//article/section/@id | //article//h3[not(ancestor::live-figure)]/@id")
    assert len(anchors) > 10
    assert {"", *map(str, anchors)} <= have


def test_facts_are_looked_up_on_every_kind_of_page() -> None:
    kinds = {re.split("[/#?]", one["at"])[1] for one in FACTS}
    assert kinds == {"redis-patterns", "figures", "scripts", "glossary"}


def test_a_figure_in_a_section_does_not_speak_for_it(page_at: Open) -> None:
    page = page_at(BY_SCORE)
    assert "What the server did" not in page.part("three-sets-one-mechanism")
    assert "What the server did" in page.part("three_readings")


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_design_by_its_id(page_at: Open, page: str) -> None:
    prose = page_at(page).prose
    assert len(prose) > 1000
    assert not re.findall(r"\beditions?\b|\bpacked\b|one-number", prose, re.IGNORECASE)


def test_the_first_dive_says_which_echomq_it_means(page_at: Open) -> None:
    text = page_at(BY_SCORE).prose
    allowed = r"first EchoMQ|EchoMQ today|EchoMQ\.Keys|EchoMQ course|EchoMQ[’']s scheduler"
    assert text.count("EchoMQ") == len(re.findall(allowed, text)) > 5


@pytest.mark.parametrize(("page", "other"), [(BY_SCORE, BY_MEMBER), (BY_MEMBER, BY_SCORE)])
def test_each_dive_leads_to_the_other(page_at: Open, page: str, other: str) -> None:
    shown = page_at(page)
    assert shown.tree.xpath("//article//a/@href").count(other) >= 1
    assert "One queue, two designs: what changed and why" in shown.part("references")


@pytest.mark.parametrize("page", [BY_SCORE, BY_MEMBER])
def test_a_summary_is_short_enough_for_a_search_result(page_at: Open, page: str) -> None:
    (summary,) = page_at(page).tree.xpath('//meta[@name="description"]/@content')
    assert 50 <= len(summary) <= 160
