"""Hues: what an author marks in a dive takes the colour of its fact, and nothing else does."""

from __future__ import annotations

import lxml.html
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.course import markup
from decoder.course.markup import MARKS
from decoder.readings.catalogue import READINGS
from decoder.web.hues import hues, hues_of_formula, hues_of_text


def shown(text: str) -> str:
    """Render Markdown as a dive's prose is rendered."""
    return str(hues(markup.rendered(text))).strip()


@pytest.mark.parametrize("fact", MARKS)
def test_words_in_brackets_take_the_colour_of_the_fact_behind_them(fact: str) -> None:
    assert shown(f"For [tier 2]{{{fact}}} only") == (
        f'<p>For <span class="fact-{fact}">tier 2</span> only</p>'
    )


def test_code_inside_the_brackets_is_still_code() -> None:
    said = shown("`0x`[`00000002`]{tier}[`00000011`]{arrival}")
    assert said == (
        '<p><code>0x</code><span class="fact-tier"><code>00000002</code></span>'
        '<span class="fact-arrival"><code>00000011</code></span></p>'
    )


@pytest.mark.parametrize(
    "text",
    [
        "`[2]{tier}`",
        "    [2]{tier}",
        "```text\n[2]{tier}\n```",
        "[2]{tiers}",
        "[2] {tier}",
        "{tier}",
    ],
)
def test_what_is_code_or_no_mark_stays_as_it_is(text: str) -> None:
    assert "fact-" not in shown(text)
    assert "{tier" in shown(text)


def test_a_link_before_a_brace_is_still_a_link() -> None:
    assert shown("[there](/glossary){tier}") == '<p><a href="/glossary">there</a>{tier}</p>'


TABLE = """
| member | [minted at]{time} | said [2]{tier} |
|---|---|---|
| a | 11:28:08 | x |
| b | 11:28:09 | [3]{tier} |
"""


def test_a_heading_that_is_marked_as_a_whole_gives_its_colour_to_the_column() -> None:
    tree = lxml.html.fragment_fromstring(shown(TABLE))
    assert tree.xpath('//td[@class="fact-time"]/text()') == ["11:28:08", "11:28:09"]
    assert len(tree.xpath("//td")) == 6
    assert tree.xpath("//td[span]/span/text()") == ["3"]
    assert not tree.xpath('//td[@class="fact-tier"]')


def test_a_table_without_a_marked_heading_is_left_alone() -> None:
    tree = lxml.html.fragment_fromstring(shown("| a | b |\n|---|---|\n| 1 | 2 |"))
    assert not tree.xpath("//table//*[@class]")


def test_a_plain_text_is_escaped_before_it_is_coloured() -> None:
    assert str(hues_of_text("<b> & [2]{tier}")) == (
        '&lt;b&gt; &amp; <span class="fact-tier">2</span>'
    )


@example(text="\0" + "0" + "\0")
@given(text=st.text(alphabet="[]{}<>&tier \"'`\0|0123", max_size=40))
def test_no_text_brings_anything_but_a_span_of_a_fact(text: str) -> None:
    tree = lxml.html.fragment_fromstring(f"<div>{hues_of_text(text)}</div>")
    assert {one.tag for one in tree.iter()} <= {"div", "span"}
    assert all(one.get("class", "").startswith("fact-") for one in tree.iter("span"))


def test_the_words_of_a_formula_that_name_a_fact_take_its_colour() -> None:
    found = {
        name: [(one.text, one.get("class")) for one in tree.iter("span")]
        for name, reading in READINGS.items()
        for tree in [lxml.html.fragment_fromstring(f"<p>{hues_of_formula(reading.formula)}</p>")]
    }
    assert found["packed/priority"] == [("tier", "fact-tier"), ("arrival", "fact-arrival")]
    assert found["packed/fire-time"] == [
        ("timestamp + delay", "fact-time"), ("slot", "fact-slot"),
    ]  # fmt: skip
    assert found["one-number/order"] == []
    for name in ("packed/next-run", "one-number/fire-time", "one-number/next-run"):
        assert [hue for _, hue in found[name]] == ["fact-time"]
