"""Sharing: oEmbed, the element's script, and the page of all that can be pasted elsewhere."""

from __future__ import annotations

import gzip
import html
from pathlib import Path
from urllib.parse import quote, urlsplit

import lxml.etree
import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.figures import FIGURES
from decoder.web.snippets import KINDS
from tests.support.ours import COURSE

ORIGIN = "http://localhost"
DIVES = [one.path for one in COURSE.dives.values() if not one.is_chapter and one.figure]
PAGES = ["/", *(f"/figures/{name}" for name in FIGURES), *DIVES]
ELEMENT = Path(__file__).parents[2] / "static" / "embed.js"


def asked(client: FlaskClient, url: str, **more: object) -> dict[str, object]:
    answer = client.get("/oembed", query_string={"url": url, **more})
    assert answer.status_code == 200
    return dict(answer.get_json())


def frame_in(code: str) -> lxml.html.HtmlElement:
    """Return the one element that a snippet is."""
    (frame,) = lxml.html.fragments_fromstring(code)
    assert frame.tag == "iframe"
    assert set(frame.keys()) == {"src", "width", "height", "title"}
    return frame


@pytest.mark.parametrize("page", PAGES)
def test_each_page_with_a_figure_is_discovered_with_its_state(
    client: FlaskClient, page: str
) -> None:
    address = page + "?full=1"
    tree = lxml.html.document_fromstring(client.get(address).text)
    links = {
        one.get("type"): one.get("href") for one in tree.xpath("//link[@rel='alternate'][@type]")
    }
    assert set(links) == {"application/json+oembed", "text/xml+oembed"}
    for kind, href in links.items():
        there = urlsplit(href)
        answer = client.get(f"{there.path}?{there.query}")
        assert answer.status_code == 200
        assert answer.mimetype == {"application/json+oembed": "application/json",
                                   "text/xml+oembed": "text/xml"}[kind]  # fmt: skip
    player = tree.xpath("string(//meta[@name='twitter:player']/@content)")
    assert client.get(player.removeprefix(ORIGIN)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_oembed_is_one_frame_that_shows_the_page(client: FlaskClient, page: str) -> None:
    body = asked(client, ORIGIN + page)
    assert body["version"] == "1.0"
    assert body["type"] == "rich"
    frame = frame_in(str(body["html"]))
    assert frame.get("title") == body["title"]
    assert (frame.get("width"), frame.get("height")) == (str(body["width"]), str(body["height"]))
    assert client.get(frame.get("src").removeprefix(ORIGIN)).status_code == 200


def test_the_state_and_the_frames_options_are_carried_on(client: FlaskClient) -> None:
    url = f"{ORIGIN}/figures/composite?tier=3&arrival=17&then=serve&theme=dark&utm_source=x#a"
    frame = frame_in(str(asked(client, url)["html"]))
    query = "tier=3&arrival=17&then=serve&theme=dark"
    assert frame.get("src") == f"{ORIGIN}/embed/composite?{query}"


def test_an_address_of_a_frame_is_ours_too(client: FlaskClient) -> None:
    frame = frame_in(str(asked(client, f"{ORIGIN}/embed/bits?score=inf")["html"]))
    assert frame.get("src") == f"{ORIGIN}/embed/bits?score=inf"


def test_xml_says_the_same_as_json(client: FlaskClient) -> None:
    url = f"{ORIGIN}/figures/composite?tier=3&arrival=17"
    answer = client.get("/oembed", query_string={"url": url, "format": "xml"})
    root = lxml.etree.fromstring(answer.data)
    assert root.tag == "oembed"
    said = {one.tag: one.text for one in root}
    assert said == {name: str(value) for name, value in asked(client, url).items()}


@pytest.mark.parametrize(
    ("most", "size"),
    [
        ({}, (900, 640)), ({"maxwidth": "400"}, (400, 640)), ({"maxheight": "250"}, (900, 250)),
        ({"maxwidth": "5000", "maxheight": "5000"}, (900, 640)), ({"maxwidth": "x"}, (900, 640)),
        ({"maxwidth": "-5"}, (900, 640)), ({"maxwidth": "9" * 99}, (900, 640)),
        ({"maxwidth": "90"}, (90, 640)),
    ],
)  # fmt: skip
def test_width_and_height_stay_within_the_maxima(
    client: FlaskClient, most: dict[str, str], size: tuple[int, int]
) -> None:
    body = asked(client, f"{ORIGIN}/", **most)
    assert (body["width"], body["height"]) == size


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400), ("url=", 400), ("url=https://elsewhere.example/", 404), ("url=x", 404),
        ("url=http://localhost/no/such", 404), ("url=http://localhost/glossary", 404),
        ("url=http://localhost:99/", 404), ("url=http://[/", 404), ("url=http://localhost:x/", 404),
        ("url=javascript:alert(1)", 404), ("url=http://localhost/&format=yaml", 501),
        ("url=http://localhost/&callback=x&colour=red", 200),
    ],
)  # fmt: skip
def test_what_can_not_be_answered_is_told(client: FlaskClient, query: str, status: int) -> None:
    answer = client.get(f"/oembed?{query}")
    assert answer.status_code == status
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_the_elements_script_weighs_less_than_3_kb(client: FlaskClient) -> None:
    answer = client.get("/embed.js")
    assert answer.data == ELEMENT.read_bytes()
    assert answer.mimetype == "text/javascript"
    assert len(gzip.compress(answer.data)) < 3 * 1024
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def shown(client: FlaskClient, address: str) -> dict[str, str]:
    """Return the snippets of a page of sharing."""
    answer = client.get(address)
    assert answer.status_code == 200
    tree = lxml.html.document_fromstring(answer.text)
    return {one.get("id").removeprefix("share_"): one.text for one in tree.xpath("//textarea")}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_can_be_shared_in_each_form(client: FlaskClient, page: str) -> None:
    found = shown(client, f"/share{page}?width=500&height=300")
    assert list(found) == list(KINDS)
    frame = frame_in(found["iframe"])
    assert (frame.get("width"), frame.get("height")) == ("500", "300")
    assert client.get(found["link"].removeprefix(ORIGIN)).status_code == 200
    assert f"]({'<' + found['link'] + '>'})" in found["markdown"]
    assert frame.get("src") in found["myst"]
    assert html.escape(found["link"]) in found["element"]


def test_what_is_shared_is_what_was_chosen(client: FlaskClient) -> None:
    chosen = (
        "tier=3&arrival=17&then=serve&parts=score&parts=order&lock=tier&theme=dark&ask=1"
        "&title=Mine+%26+yours&note=%3Ci%3E"
    )
    found = shown(client, f"/share/figures/composite?{chosen}")
    frame = frame_in(found["iframe"])
    assert frame.get("title") == "Mine & yours"
    src = frame.get("src").removeprefix(ORIGIN)
    tree = lxml.html.document_fromstring(client.get(src).text)
    assert tree.xpath("string(//h1)") == "Mine & yours"
    assert tree.xpath("string(//*[@class='frame-note'])") == "<i>"
    # Whoever asks for the frame of the link, as WordPress does, gets what was chosen.
    assert frame_in(str(asked(client, found["link"])["html"])).get("src") == frame.get("src")
    page = lxml.html.document_fromstring(client.get(found["link"].removeprefix(ORIGIN)).text)
    (there,) = page.xpath("//link[@type='application/json+oembed']/@href")
    answer = client.get(there.removeprefix(ORIGIN)).get_json()
    assert frame_in(answer["html"]).get("src") == frame.get("src")


def test_a_title_that_xml_can_not_tell_is_well_formed_all_the_same(client: FlaskClient) -> None:
    url = f"{ORIGIN}/figures/composite?title=a\x01b\ufffe\x00"
    answer = client.get("/oembed", query_string={"url": url, "format": "xml"})
    assert lxml.etree.fromstring(answer.data).findtext("title") == "ab"


def test_what_is_offered_on_loopback_is_there(client: FlaskClient) -> None:
    for page in ("/", "/figures/bits", DIVES[0]):
        tree = lxml.html.document_fromstring(client.get(f"/share{page}").text)
        (there,) = tree.xpath("//a[text()='Download it']/@href")
        assert client.get(there).headers["Content-Disposition"].startswith("attachment")


def test_a_size_out_of_range_is_moved_with_a_notice(client: FlaskClient) -> None:
    said = client.get("/share/?width=5000&height=-3").text
    assert "The width runs from 200 to 1200; “5000” became 1200." in said
    assert "The height runs from 200 to 1200; “-3” became 640." in said


def test_on_loopback_it_is_said_that_nobody_else_sees_it(client: FlaskClient) -> None:
    assert "only you can see these addresses" in client.get("/share/").text
    away = client.get("/share/", base_url="https://decoder.example").text
    assert "only you can see" not in away
    assert "https://decoder.example/embed/composite" in away


@pytest.mark.parametrize(
    "path", ["/share/glossary", "/share/x", "/share/scripts", "/share/embed/bits"]
)
def test_what_is_no_figure_and_no_dive_can_not_be_shared(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("text", ["\x00", "<script>", "é" * 900, "%ff", '"', "9" * 900, "[]()"])
def test_hostile_text_stays_text(client: FlaskClient, text: str) -> None:
    for name in ("title", "note", "width", "theme", "parts", "tier", "then"):
        answer = client.get(f"/share/figures/composite?{name}={quote(text)}")
        assert answer.status_code == 200
        assert "<script>" not in answer.text.replace("<script ", "")
        url = f"{ORIGIN}/figures/composite?{name}={quote(text)}"
        assert client.get("/oembed", query_string={"url": url}).status_code == 200
