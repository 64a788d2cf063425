"""Every page is listed once, says what it is, and where it is; what is not there is told kindly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import lxml.etree
import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.errors import SettingsError
from decoder.figures import FIGURES
from decoder.settings import Settings
from decoder.web.errors import CURES, SENTENCES
from tests.conftest import SECRET
from tests.support.valkey import Valkey

CHAPTER = "/redis-patterns/time-delay-priority"
DIVE = f"{CHAPTER}/score-as-meaning/packed"
NAMESPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
LEAST, MOST = 50, 160
"""Characters of a description that a search engine shows whole."""


def addresses(client: FlaskClient) -> list[str]:
    """Return the absolute addresses of the site map."""
    answer = client.get("/sitemap.xml")
    assert answer.status_code == 200
    assert answer.mimetype == "application/xml"
    found: list[str] = lxml.etree.fromstring(answer.data).xpath(
        "//s:url/s:loc/text()", namespaces=NAMESPACE
    )
    return found


def tree(client: FlaskClient, path: str, status: int = 200) -> lxml.html.HtmlElement:
    answer = client.get(path)
    assert answer.status_code == status, path
    return lxml.html.document_fromstring(answer.text)


def meta(page: lxml.html.HtmlElement, name: str) -> str:
    (content,) = page.xpath(f'//meta[@name="{name}" or @property="{name}"]/@content')
    return str(content)


def test_the_site_map_lists_every_kind_of_page_once(client: FlaskClient) -> None:
    listed = addresses(client)
    assert len(listed) == len(set(listed))
    paths = {urlsplit(one).path for one in listed}
    assert {"/", CHAPTER, DIVE, "/scripts", "/glossary", "/instructors"} <= paths
    assert {f"/figures/{name}" for name in FIGURES} <= paths
    assert {"/scripts/packed/add_prioritized", "/scripts/one-number/schedule"} <= paths
    assert not [one for one in paths if "stage" in one]


def test_every_page_of_the_site_map_says_what_it_is_and_where(client: FlaskClient) -> None:
    titles, descriptions, wrong = [], [], []
    for address in addresses(client):
        page = tree(client, urlsplit(address).path)
        title, description = page.xpath("//title")[0].text_content(), meta(page, "description")
        titles.append(title)
        descriptions.append(description)
        if not LEAST <= len(description) <= MOST:
            wrong.append(f"{address}: {len(description)} characters: {description}")
        assert len(page.xpath("//h1")) == 1, address
        assert page.xpath('//link[@rel="canonical"]/@href') == [address]
        assert meta(page, "og:url") == address
        assert meta(page, "og:title") == title
        assert meta(page, "og:description") == description
    assert wrong == []
    assert [one for one in titles if titles.count(one) > 1] == []
    assert [one for one in descriptions if descriptions.count(one) > 1] == []


def test_a_state_of_a_figure_is_a_state_of_its_page(client: FlaskClient) -> None:
    page = tree(client, "/figures/composite?tier=3&then=serve")
    assert page.xpath('//link[@rel="canonical"]/@href') == ["http://localhost/figures/composite"]
    answer = client.post(
        "/figures/composite/runs", data={"tier": 3}, headers={"Accept": "text/html"}
    )
    page = lxml.html.document_fromstring(answer.text)
    assert page.xpath('//link[@rel="canonical"]/@href') == ["http://localhost/figures/composite"]


# DECODER_PUBLIC_URL


def site(valkey: Valkey, public_url: str) -> FlaskClient:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, public_url=public_url)
    return create_app(settings).test_client()


def test_without_the_setting_addresses_are_those_of_the_request(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Host": "decoder.example:8080"})
    assert 'rel="canonical" href="http://decoder.example:8080/"' in answer.text


@pytest.mark.parametrize("written", ["https://decoder.example", "https://decoder.example/"])
def test_the_setting_says_where_the_site_is(valkey: Valkey, written: str) -> None:
    client = site(valkey, written)
    assert set(addresses(client)) >= {"https://decoder.example/", "https://decoder.example/scripts"}
    assert 'rel="canonical" href="https://decoder.example/scripts"' in client.get("/scripts").text
    assert "Sitemap: https://decoder.example/sitemap.xml" in client.get("/robots.txt").text
    assert "https://decoder.example/figures/composite/runs" in client.get("/llms.txt").text


@pytest.mark.parametrize("wrong", ["decoder.example", "ftp://decoder.example", "//decoder.example"])
def test_what_is_no_address_of_a_site_is_refused(valkey: Valkey, wrong: str) -> None:
    with pytest.raises(SettingsError, match="DECODER_PUBLIC_URL"):
        site(valkey, wrong)


# llms.txt and robots.txt


def test_llms_txt_names_every_page_with_its_summary(client: FlaskClient) -> None:
    answer = client.get("/llms.txt")
    assert answer.mimetype == "text/plain"
    assert answer.text.startswith("# Score Decoder\n\n> ")
    lines = re.findall(r"^- \[(.+)\]\((\S+)\): (.+)$", answer.text, re.MULTILINE)
    assert [address for _, address, _ in lines] == addresses(client)
    assert all(len(summary) > 30 for _, _, summary in lines)
    assert "&#" not in answer.text


def test_llms_txt_tells_how_a_program_asks(client: FlaskClient) -> None:
    text = client.get("/llms.txt").text
    for name, figure in FIGURES.items():
        (line,) = [line for line in text.splitlines() if f"/figures/{name}/runs" in line]
        assert all(field in line for field in figure.FIELDS)
        path = urlsplit(line.split()[2]).path
        answer = client.post(path, headers={"Accept": "application/json"})
        assert answer.status_code == 200
        assert answer.get_json()["figure"] == name
    assert "/transcripts/<id>/runs" in text


def test_robots_stay_out_of_the_states_of_figures(client: FlaskClient) -> None:
    answer = client.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    assert "User-agent: *\nDisallow: /*?\n" in answer.text
    assert "Sitemap: http://localhost/sitemap.xml" in answer.text


# What is not there


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("/scripts/packed/add_prioritised", "/scripts/packed/add_prioritized"),
        ("/scripts/one-number/add_delayed", "/scripts/packed/add_delayed"),
        ("/scripts/stage/cast", "/scripts"),
        ("/script", "/scripts"),
        ("/figures/three-reading", "/figures/three-readings"),
        (f"{CHAPTER}/score-as-meaning/packt", DIVE),
        (f"{CHAPTER}/nothing/of/the/kind", CHAPTER),
        ("/glosary", "/glossary"),
        ("/redis-paterns/time-delay-priority", CHAPTER),
    ],
)
def test_a_page_that_is_not_there_suggests_the_nearest(
    client: FlaskClient, asked: str, meant: str
) -> None:
    page = tree(client, asked, 404)
    (link,) = page.xpath('//a[contains(@class, "meant")]/@href')
    assert link == meant


@pytest.mark.parametrize("asked", ["/zzzzzz", "/figures/zzzzzz", "/wp-login.php"])
def test_where_nothing_is_near_nothing_is_suggested(client: FlaskClient, asked: str) -> None:
    page = tree(client, asked, 404)
    assert page.xpath('//a[contains(@class, "meant")]') == []
    assert CURES[404] in page.text_content()


def failures(app: Flask) -> Iterator[tuple[int, str]]:
    """Yield the page of each failure that a visitor may meet."""
    client = app.test_client()
    html = {"Accept": "text/html"}
    yield 404, client.get("/nothing", headers=html).text
    yield 405, client.put("/figures/composite/runs", headers=html).text
    heavy = client.post("/figures/composite/runs", data={"tier": "9" * 70_000}, headers=html)
    yield 413, heavy.text
    yield 500, client.get("/breaks", headers=html).text
    yield 503, client.get("/course/broken", headers=html).text


@pytest.fixture
def breaking(valkey: Valkey, tmp_path: Path) -> Flask:
    """The application with a broken dive beside ours, and a view that fails."""
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "broken.md").write_text("no front matter")
    app = create_app(Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path)))

    def breaks() -> str:
        raise ZeroDivisionError

    app.add_url_rule("/breaks", "breaks", breaks)
    return app


def test_every_failure_says_what_happened_and_where_to_go(breaking: Flask) -> None:
    for status, html in failures(breaking):
        page = lxml.html.document_fromstring(html)
        (heading,) = page.xpath("//h1")
        assert heading.text_content().strip(), status
        if status in SENTENCES:
            assert heading.text_content() == SENTENCES[status]
        assert str(status) in page.xpath("//title")[0].text_content()
        lede = page.xpath('//*[contains(@class, "lede")]')[0].text_content()
        assert CURES[status] in lede, status
        links = page.xpath("//main//@href")
        assert {"/", CHAPTER, DIVE, *(f"/figures/{name}" for name in FIGURES)} <= set(links)
        # It has no address of its own.
        assert page.xpath('//link[@rel="canonical"]') == []


def test_a_broken_dive_says_which_file_and_takes_nothing_else_down(breaking: Flask) -> None:
    client = breaking.test_client()
    answer = client.get("/course/broken")
    assert answer.status_code == 503
    assert "course/broken.md" in answer.text
    assert "front matter" in answer.text
    assert client.get(DIVE).status_code == 200
    assert "/course/broken" not in client.get("/sitemap.xml").text


def test_a_failure_tells_nothing_of_the_inside(breaking: Flask) -> None:
    text = breaking.test_client().get("/breaks").text
    assert "ZeroDivisionError" not in text
    assert "Traceback" not in text
