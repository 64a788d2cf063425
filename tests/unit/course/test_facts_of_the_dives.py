"""The checklist of the course: every statement stands where facts_of_the_dives.yaml says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from decoder.settings import files

CHAPTER = "/redis-patterns/time-delay-priority"
BY_MEMBER = f"{CHAPTER}/score-as-meaning"
BY_SCORE = f"{BY_MEMBER}/packed"
PAGES = [CHAPTER, BY_SCORE, BY_MEMBER]
FACTS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("facts_of_the_dives.yaml").read_text()
)


@cache
def parts(address: str) -> dict[str, str]:
    """Read a page into its sections by anchor; "" is its head, the sources are in references."""
    path = files("content") / address.strip("/")
    path = path / "index.md" if path.joinpath("index.md").exists() else path.with_suffix(".md")
    _, front, body = path.read_text().split("---\n", 2)
    head, *lists = re.split(r"^(?=sources:)", front, flags=re.MULTILINE)
    sections = {"": head}
    for section in re.split(r"^## ", body, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0]
        sections[re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")] = section
    if lists:
        sections["references"] += lists[0]
    return {anchor: plain(text) for anchor, text in sections.items()}


def plain(text: str) -> str:
    """Leave out what marks a text up: links, stars, the backticks that are not in a table."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    lines = [line if line.startswith("|") else line.replace("`", "") for line in text.split("\n")]
    return " ".join("\n".join(lines).replace("*", "").split())


def seen(address: str) -> str:
    """Return what a reader sees of a page's prose: no commands, directives, addresses, settings."""
    path = files("content") / address.strip("/")
    path = path / "index.md" if path.joinpath("index.md").exists() else path.with_suffix(".md")
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(::: (figure|script)|design:|start:|    (to|url):).*$", "", text, flags=re.M)
    return re.sub(r"\]\([^)]*\)", "]", text)


@pytest.mark.parametrize("fact", FACTS, ids=[one["fact"] for one in FACTS])
def test_the_fact_stands_in_its_section(fact: dict[str, Any]) -> None:
    address, _, anchor = fact["at"].partition("#")
    sections = parts(address)
    assert anchor in sections, f"{address} has no section {anchor}: {sorted(sections)}"
    text = sections[anchor].casefold()
    missing = [words for words in fact["says"] if " ".join(words.split()).casefold() not in text]
    assert not missing


def test_every_section_of_a_dive_has_facts() -> None:
    have = {(*one["at"].partition("#")[::2],) for one in FACTS}
    for address in (BY_SCORE, BY_MEMBER):
        assert {(address, anchor) for anchor in parts(address)} <= have


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_design_by_its_id(page: str) -> None:
    assert not re.findall(r"\beditions?\b|\bpacked\b|one-number", seen(page), re.IGNORECASE)


def test_the_first_dive_says_which_echomq_it_means() -> None:
    text = plain(seen(BY_SCORE))
    allowed = r"first EchoMQ|EchoMQ today|EchoMQ\.Keys|EchoMQ course|EchoMQ's scheduler"
    assert text.count("EchoMQ") == len(re.findall(allowed, text))


@pytest.mark.parametrize(("page", "other"), [(BY_SCORE, BY_MEMBER), (BY_MEMBER, BY_SCORE)])
def test_each_dive_leads_to_the_other(page: str, other: str) -> None:
    text = files("content").joinpath(page.strip("/") + ".md").read_text()
    assert f"]({other})" in text
    assert "One queue, two designs: what changed and why" in text


@pytest.mark.parametrize("page", [BY_SCORE, BY_MEMBER])
def test_a_summary_is_short_enough_for_a_search_result(page: str) -> None:
    path = files("content").joinpath(page.strip("/") + ".md")
    front = yaml.safe_load(path.read_text().split("---\n", 2)[1])
    assert len(front["summary"]) <= 160
