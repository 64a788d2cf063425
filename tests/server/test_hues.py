"""One fact, one colour, also in the tables and transcripts of the dives, and never colour alone."""

from __future__ import annotations

import re

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.course.markup import MARKS

CHAPTER = "/redis-patterns/time-delay-priority"
BY_MEMBER = f"{CHAPTER}/score-as-meaning"
BY_SCORE = f"{BY_MEMBER}/packed"
DIVES = [BY_SCORE, BY_MEMBER]
HUED = " or ".join(f'contains(concat(" ", @class, " "), " fact-{fact} ")' for fact in MARKS)


def tree(client: FlaskClient, path: str) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(client.get(path).text)


def facts_in(page: lxml.html.HtmlElement, where: str) -> set[str]:
    """Return the facts whose colour stands somewhere below the elements of a path."""
    classes = page.xpath(f"{where}//*[{HUED}]/@class | {where}[{HUED}]/@class")
    return {str(one).removeprefix("fact-") for one in classes}


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        (BY_SCORE, {"tier", "arrival", "time", "slot"}),
        (BY_MEMBER, {"tier", "arrival", "time", "mine"}),
    ],
)
def test_the_tables_of_a_dive_have_the_colours_of_the_facts_in_them(
    client: FlaskClient, path: str, facts: set[str]
) -> None:
    assert facts_in(tree(client, path), "//article//table") == facts


@pytest.mark.parametrize(
    ("path", "facts"), [(BY_SCORE, set(MARKS)), (BY_MEMBER, set(MARKS) - {"slot"})]
)
def test_the_transcripts_of_a_dive_have_the_colours_of_the_facts_in_them(
    client: FlaskClient, path: str, facts: set[str]
) -> None:
    page = tree(client, path)
    assert facts_in(page, '//form[contains(@class, "transcript")]//ol') == facts
    told = page.xpath('//*[@class="means"]/li')
    assert len(told) > 5
    for one in told:
        number = one.findtext("data")
        item = one.getparent().getparent()
        recorded = item.xpath("string(kbd)") + item.xpath("string(samp)")
        assert number in recorded


def test_a_score_is_split_into_its_parts_in_the_colours_of_its_facts(client: FlaskClient) -> None:
    page = tree(client, BY_SCORE)
    split = [
        (para.xpath("string()"), [span.get("class") for span in para.xpath("span[code]")])
        for para in page.xpath("//article//p[code]")
    ]
    assert ["fact-tier", "fact-arrival"] in [
        hues for text, hues in split if "0x0000000200000011" in text
    ]
    assert ["fact-time", "fact-slot"] in [
        hues for text, hues in split if "0x0019E7DCBF0D0001" in text
    ]
    assert 0x0019E7DCBF0D0001 == 7291809701888001
    assert 0x0000000200000011 == 8589934609


def test_the_moment_a_job_was_minted_is_a_column_of_the_colour_of_time(
    client: FlaskClient,
) -> None:
    page = tree(client, BY_MEMBER)
    (row,) = page.xpath('//table//tr[td[1][contains(., "JOB0Nb1VTbfnu4")]]')
    assert [cell.get("class") for cell in row.xpath("td")] == [None, "fact-time", "fact-time"]


@pytest.mark.parametrize("path", [*DIVES, CHAPTER, "/instructors"])
def test_no_mark_is_left_on_a_page(client: FlaskClient, path: str) -> None:
    page = tree(client, path)
    for code in page.xpath("//pre | //code"):
        code.drop_tree()
    assert "]{" not in page.text_content()


@pytest.mark.parametrize("path", DIVES)
@pytest.mark.parametrize("fact", ["tier", "arrival", "slot"])
def test_what_has_a_colour_is_called_by_its_name_as_well(
    client: FlaskClient, path: str, fact: str
) -> None:
    page = tree(client, path)
    for span in page.xpath(f'//article//*[@class="fact-{fact}"][not(ancestor::live-figure)]'):
        (*_, around) = span.xpath("ancestor::*[self::p or self::table or self::li or self::math]")
        if span.xpath("ancestor::kbd"):
            # What a script takes is said in the remark above it, or in what its numbers mean.
            around = span.xpath("ancestor::form")[0]
        said = around.text_content().lower()
        assert re.search(rf"{fact}|high 32|counter", said), lxml.html.tostring(around)[:300]


def test_the_formulas_of_the_three_readings_have_the_colours_of_their_facts(
    client: FlaskClient,
) -> None:
    page = tree(client, "/figures/three-readings?reading=packed/fire-time")
    assert facts_in(page, '//*[@id="three_readings_score"]') == {"time", "slot"}
    assert facts_in(page, '//*[@class="formula-of"]') == {"time", "slot", "tier", "arrival"}
