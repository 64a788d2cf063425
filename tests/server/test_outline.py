"""The outline of every page: no level is skipped, and what stands in a section nests below it."""

from __future__ import annotations

import itertools
from pathlib import Path
from urllib.parse import urlsplit

import lxml.etree
import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.figures import FIGURES
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.support.course import page, write
from tests.support.figure import HTML, STREAM
from tests.support.valkey import Valkey

HEADINGS = "self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6"
WITHIN = ("live-figure", "aside", "div[contains(@class, 'patterns')]")
"""What brings headings of its own into a section."""

DEEP = page(
    "## Part\n\nText.\n\n### Below\n\n::: note N\nA.\n:::\n\n#### Deep\n\n"
    "::: figure three-readings\n:::\n\n::: pattern\nA.\n:::\n::: application\nB.\n:::\n\n"
    "#### Deep too\n\n::: figure two-designs\n:::\n\n##### Deepest\n\n::: note M\nA.\n:::\n\n"
    "## Next\n\n::: figure composite\n:::\n"
)


@pytest.fixture
def beside(valkey: Valkey, tmp_path: Path) -> FlaskClient:
    """The site with dives beside ours in which figures stand at every level."""
    write(tmp_path, "mine/index.md", page("## Part\n\nText.\n\n::: figure composite\n:::\n"))
    write(tmp_path, "mine/deep.md", DEEP)
    write(tmp_path, "mine/chapter/index.md", page("## Part\n\nText.\n"))
    write(tmp_path, "mine/bad.md", page("## Part\n\n::: nte\n:::\n"))
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path))
    return create_app(settings).test_client()


def pages(client: FlaskClient) -> dict[str, lxml.html.HtmlElement]:
    """Every page of the site map, those that tell a failure, and a figure moved without scripts."""
    listed = lxml.etree.fromstring(client.get("/sitemap.xml").data).xpath("//*[local-name()='loc']")
    paths = [urlsplit(one.text).path for one in listed]
    texts = {path: client.get(path).text for path in (*paths, "/nothing", "/mine/bad")}
    for name in FIGURES:
        data = {"page": "/mine/deep", "tier": "2"}
        texts[f"{name} moved"] = client.post(f"/figures/{name}/runs", data=data, headers=HTML).text
    return {path: lxml.html.document_fromstring(text) for path, text in texts.items()}


def level(heading: lxml.html.HtmlElement) -> int:
    return int(heading.tag[1])


def test_no_page_skips_a_level(beside: FlaskClient) -> None:
    seen = 0
    for path, tree in pages(beside).items():
        levels = [level(one) for one in tree.xpath(f"//*[{HEADINGS}]")]
        assert (levels[0], levels.count(1)) == (1, 1), path
        assert all(below - above <= 1 for above, below in itertools.pairwise(levels)), path
        seen += 1
    assert seen > 30


@pytest.mark.parametrize("kind", WITHIN)
def test_what_brings_headings_nests_below_the_section_in_which_it_stands(
    beside: FlaskClient, kind: str
) -> None:
    inside = " or ".join(f"ancestor::{one}" for one in WITHIN)
    seen = 0
    for path, tree in pages(beside).items():
        for part in tree.xpath(f"//main//{kind}"):
            above = part.xpath(f"preceding::*[{HEADINGS}][not({inside})]")[-1]
            first, *others = [level(one) for one in part.xpath(f".//*[{HEADINGS}]")]
            assert first == level(above) + 1, f"{path}: {kind} below “{above.text_content()}”"
            deeper = first + (kind == "live-figure")
            assert set(others) <= {deeper}, path
            assert bool(others) == (kind != "aside"), path
            seen += 1
    assert seen >= 4


def test_a_move_sends_no_heading_so_that_none_changes_its_level(client: FlaskClient) -> None:
    for name in FIGURES:
        answer = client.post(f"/figures/{name}/runs", headers=STREAM)
        tree = lxml.html.fragment_fromstring(answer.text, create_parent="div")
        assert tree.xpath("//*[@hx-target]"), name
        assert tree.xpath(f"//*[{HEADINGS}]") == [], name
