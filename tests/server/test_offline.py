"""An offline copy: a dive or a figure as one file that says what was run, and asks for nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.course import guide
from decoder.figures import FIGURES
from decoder.settings import Settings
from decoder.web.security import HEADERS
from tests.conftest import SECRET
from tests.server.test_hostile import HOSTILE
from tests.support.course import page, write
from tests.support.figure import HTML, JSON
from tests.support.ours import COURSE
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

SITE = "https://scores.test"
DIVES = [one.path for one in COURSE.dives.values() if not one.is_chapter and one.path != guide.PATH]
PAGES = [*DIVES, *(f"/figures/{name}" for name in FIGURES)]
HEADINGS = "//*[self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6]"
CONTROLS = ("script", "form", "input", "button", "select", "textarea", "iframe", "object", "label")
LOADING = "//@src | //@srcset | //link/@href | //@poster | //@background"
RECORDED = r"Recorded on Valkey (\S+), \d{4}-\d\d-\d\d \d\d:\d\d UTC"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
PNG = b"\x89PNG\r\n\x1a\n"

Tree = lxml.html.HtmlElement


@pytest.fixture
def client(valkey: Valkey) -> FlaskClient:
    """The site at an address of its own, where a test may open many sandboxes."""
    limits = {"commands_per_minute": 10**9, "sandboxes_per_minute": 10**6}
    settings = Settings(valkey_url=valkey.url, secret=SECRET, public_url=SITE, **limits)
    return create_app(settings).test_client()


def copy(client: FlaskClient, path: str, query: str = "") -> Tree:
    answer = client.get(f"{path}.html{query}")
    assert answer.status_code == 200, answer.text[:300]
    return lxml.html.document_fromstring(answer.text)


def words(tree: Tree, xpath: str) -> list[str]:
    """Return the words of each element, white space joined."""
    return [" ".join(one.text_content().split()) for one in tree.xpath(xpath)]


def test_every_copy_is_one_file_without_controls(client: FlaskClient) -> None:
    for path in PAGES:
        tree = copy(client, path)
        assert [one for one in CONTROLS if tree.xpath(f"//{one}")] == [], path
        links = tree.xpath("//link[@rel='canonical']/@href")
        assert links == [SITE + path]
        loaded = [one for one in tree.xpath(LOADING) if one not in links]
        assert loaded, path
        assert [one for one in loaded if not one.startswith("data:")] == [], path
        (style,) = tree.xpath("//style/text()")
        assert "url(" not in style
        assert "@import" not in style
        assert style.startswith("@layer reset, tokens, base, components, utilities;")
        attributes = {name for one in tree.iter(lxml.etree.Element) for name in one.attrib}
        assert [one for one in attributes if one.startswith(("hx-", "on"))] == [], path
        assert "style" not in attributes
        (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        assert policy == POLICY


def test_every_id_of_a_copy_stands_once_and_every_anchor_is_there(client: FlaskClient) -> None:
    for path in PAGES:
        tree = copy(client, path)
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids)), path
        named = " ".join(tree.xpath("//@aria-labelledby | //@aria-describedby"))
        assert set(named.split()) - set(ids) == set(), path
        hrefs = tree.xpath("//a/@href")
        assert {one[1:] for one in hrefs if one.startswith("#")} <= set(ids), path
        assert all(one.startswith(("#", "http://", "https://")) for one in hrefs), path
        assert tree.xpath("//a[not(@href)]") == [], path


def test_every_link_to_the_site_is_absolute_and_leads_to_a_page(client: FlaskClient) -> None:
    led: set[str] = set()
    for path in PAGES:
        led |= {one.partition("#")[0] for one in copy(client, path).xpath("//a/@href")}
    ours = sorted(one.removeprefix(SITE) or "/" for one in led if one.startswith(SITE))
    assert len(ours) > 100
    assert {one: client.get(one).status_code for one in ours} == dict.fromkeys(ours, 200)


def test_a_copy_is_well_formed_and_has_the_outline_of_its_page(client: FlaskClient) -> None:
    for path in PAGES:
        answer = client.get(f"{path}.html")
        parser = lxml.html.HTMLParser()
        tree = lxml.html.document_fromstring(answer.text, parser=parser)
        lost = [one for one in parser.error_log if "invalid" not in one.message]
        assert [str(one) for one in lost] == [], path
        live = lxml.html.document_fromstring(client.get(path).text)
        outline = [(one.tag, one.text_content()) for one in tree.xpath(HEADINGS)]
        assert outline == [(one.tag, one.text_content()) for one in live.xpath(HEADINGS)], path
        prose = "//article//*[contains(concat(' ', @class, ' '), ' prose ')]"
        assert words(tree, prose) == words(live, prose), path


def test_the_label_tells_the_server_its_version_and_time_on_top_and_in_each_figure(
    client: FlaskClient, valkey: Valkey
) -> None:
    version = valkey.admin.info("server")["valkey_version"]
    for path in PAGES:
        tree = copy(client, path)
        figures = tree.xpath("//live-figure")
        labels = tree.xpath("//*[contains(@class, 'recorded')]")
        assert len(labels) == len(figures) + 1, path
        for label in labels:
            said = re.search(RECORDED, label.text_content())
            assert said, path
            assert said[1] == version
            (link,) = label.xpath(".//a[text()='Run it live']/@href")
            assert link.startswith(SITE + "/")
        assert all("recorded" in (one[0].get("class") or "") for one in figures), path


def test_run_it_live_keeps_the_state(client: FlaskClient) -> None:
    query = "?tier=1&arrival=3&then=serve,add"
    for path in ("/figures/composite", DIVES[0]):
        links = copy(client, path, query).xpath("//a[text()='Run it live']/@href")
        name = COURSE.dives[path].figure if path in COURSE.dives else "composite"
        if name == "composite":
            assert links[:2] == [SITE + path + query] * 2
    (link, again) = copy(client, "/figures/bits", "?score=3").xpath(
        "//a[text()='Run it live']/@href"
    )
    assert link == again
    assert link.startswith(f"{SITE}/figures/bits?score=3")


def run(client: FlaskClient, name: str, **fields: Any) -> dict[str, Any]:
    body = client.post(f"/figures/{name}/runs", data=fields, headers=JSON).get_json()
    assert "error" not in body
    return dict(body)


@pytest.mark.parametrize("name", FIGURES)
def test_score_order_and_sentence_are_those_of_the_same_run_as_json(
    client: FlaskClient, name: str
) -> None:
    tree, body = copy(client, f"/figures/{name}"), run(client, name)
    at = f"//*[@id='{name.replace('-', '_')}']"
    assert words(tree, f"{at}//*[contains(@class, 'sentence')]") == [body["sentence"]]
    stored = (body.get("score") or {}).get("stored")
    if stored:
        assert stored in "".join(tree.xpath(at)[0].itertext()).replace("\u202f", "")
    sent = [step["command"] for step in body["steps"] if step["by"] != "aside"]
    shown = words(tree, f"{at}//*[contains(@id, '_steps')]/li[not(@class='others')]/kbd")
    assert shown == [" ".join(one.split()) for one in sent]


@pytest.mark.parametrize(("tier", "arrival"), [(2, 17), (1, 1), (5, 999), (3, 30)])
def test_the_queue_of_a_copy_is_that_of_the_server(
    client: FlaskClient, tier: int, arrival: int
) -> None:
    tree = copy(client, "/figures/composite", f"?tier={tier}&arrival={arrival}")
    body = run(client, "composite", tier=tier, arrival=arrival)
    rows = tree.xpath("//*[@id='composite_order']/li[contains(@class, 'job')]/@id")
    assert rows == [f"job_{placed['member']}" for placed in body["order"]]
    assert tree.xpath("//*[@id='composite_score']//data/@value") == [body["score"]["computed"]]
    values = words(tree, "//*[@id='composite_form']//score-slider//b")
    assert values == [str(tier), str(arrival)]


def test_a_bad_value_is_moved_and_told_as_on_the_page(client: FlaskClient) -> None:
    tree = copy(client, "/figures/composite", "?tier=99&arrival=17")
    assert words(tree, "//*[@id='composite_notices']/li")
    assert words(tree, "//*[@id='composite_form']//score-slider//b") == ["5", "17"]


def test_a_transcript_keeps_its_recorded_replies_and_has_nothing_to_run(
    client: FlaskClient,
) -> None:
    seen = 0
    for path in DIVES:
        tree, live = copy(client, path), lxml.html.document_fromstring(client.get(path).text)
        at = "//*[contains(@class, 'transcript')]"
        for part in ("ol", "header"):
            assert words(tree, f"{at}/{part}") == words(live, f"{at}/{part}"), path
        assert "Run these" not in tree.text_content()
        seen += len(tree.xpath(at))
    assert seen > 3


def test_nothing_of_the_sandbox_is_in_a_copy(client: FlaskClient) -> None:
    for path in PAGES:
        (body,) = copy(client, path).xpath("//body")
        text = lxml.html.tostring(body, encoding="unicode")
        for word in (
            '"token"',
            "hx-",
            "data-offline",
            "expires in",
            "commands left",
            "Keep it for",
            "Download this",
        ):
            assert word not in text, path


# Headers and failures


def test_the_file_has_the_headers_of_a_page_a_name_and_no_cookie(client: FlaskClient) -> None:
    for path in PAGES:
        answer = client.get(f"{path}.html")
        slug = path.rpartition("/")[2]
        told = answer.headers["Content-Disposition"]
        assert told.replace('"', "") == f"attachment; filename=score-decoder-{slug}.html"
        assert answer.mimetype == "text/html"
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Set-Cookie" not in answer.headers


def test_a_look_at_the_head_opens_no_sandbox(client: FlaskClient, valkey: Valkey) -> None:
    for path in PAGES:
        answer = client.head(f"{path}.html")
        assert answer.status_code == 200
        assert answer.data == b""
        assert answer.headers["Content-Disposition"].startswith("attachment")
    assert valkey.admin.dbsize() == 0


@pytest.mark.parametrize("headers", [HTML, JSON], ids=["html", "json"])
def test_without_valkey_there_is_a_sentence_and_no_file(
    own_valkey: Valkey, headers: dict[str, str]
) -> None:
    settings = Settings(valkey_url=own_valkey.url, secret=SECRET, valkey_timeout_ms=1000)
    client = create_app(settings).test_client()
    own_valkey.kill()
    for path in (DIVES[0], "/figures/race"):
        answer = client.get(f"{path}.html", headers=headers)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) >= 1
        assert "no copy to be had" in answer.text
        assert "Content-Disposition" not in answer.headers
        assert "Recorded on" not in answer.text


def test_who_may_open_no_more_sandboxes_is_told_so_and_gets_no_file(valkey: Valkey) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, sandboxes_per_minute=1)
    client = create_app(settings).test_client()
    answers = [client.get("/figures/race.html") for _ in range(4)]
    assert answers[-1].status_code == 429
    assert "Content-Disposition" not in answers[-1].headers


def test_a_page_that_is_no_dive_and_no_figure_has_no_copy(client: FlaskClient) -> None:
    chapters = [one.path for one in COURSE.dives.values() if one.is_chapter]
    for path in ("", "/", "/nothing", "/figures/nothing", "/figures/composite/runs", guide.PATH,
                 "/glossary", "/scripts/packed/add_prioritized", *chapters):  # fmt: skip
        answer = client.get(f"{path}.html")
        assert answer.status_code == 404, path
        assert "Content-Disposition" not in answer.headers


@pytest.fixture
def beside(valkey: Valkey, tmp_path: Path) -> FlaskClient:
    """The site with a dive beside ours that has a picture and no figure, and a broken one."""
    text = "## Part\n\n![A *picture*](p.png)\n\n[up](/mine/pictured#part)\n"
    write(tmp_path, "mine/pictured.md", page(text))
    write(tmp_path, "mine/broken.md", page("## Part\n\n::: nte\n:::\n"))
    (tmp_path / "mine" / "p.png").write_bytes(PNG)
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path))
    return create_app(settings).test_client()


def test_a_broken_page_has_no_copy(beside: FlaskClient) -> None:
    assert beside.get("/mine/broken").status_code == 503
    assert beside.get("/mine/broken.html").status_code == 404


def test_a_picture_is_in_the_file_and_a_dive_without_a_figure_tells_its_prover(
    beside: FlaskClient,
) -> None:
    tree = copy(beside, "/mine/pictured")
    (source,) = tree.xpath("//article//img/@src")
    assert source == "data:image/png;base64,iVBORw0KGgo="
    assert words(tree, "//*[contains(@class, 'recorded')]/b") == ["Recorded on Valkey 9.1.2"]
    assert tree.xpath("//article//p/a/@href") == ["http://localhost/mine/pictured#part"]


# What a page says of its copy


def test_every_dive_and_figure_leads_to_its_copy_in_the_state_of_its_address(
    client: FlaskClient,
) -> None:
    for path in PAGES:
        tree = lxml.html.document_fromstring(client.get(path).text)
        (link,) = tree.xpath("//*[@class='download']/a")
        assert urlsplit(link.get("href")).path == f"{path}.html"
        assert link.get("download") is not None
        assert tree.xpath("//live-figure//*[@class='download']") == []
    query = "?tier=1&arrival=3&then=serve"
    tree = lxml.html.document_fromstring(client.get(f"/figures/composite{query}").text)
    assert tree.xpath("//*[@class='download']/a/@href") == [f"/figures/composite.html{query}"]


@pytest.mark.sample
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_query_is_never_our_failure_and_never_markup(
    client: FlaskClient, kind: str
) -> None:
    text = HOSTILE[kind].encode("utf-8", "surrogateescape")
    for name, module in FIGURES.items():
        for field in {*module.FIELDS, "then", "full", "token", "frame", "page"}:
            answer = client.get(f"/figures/{name}.html", query_string={field: text})
            assert answer.status_code < 500, (name, field)
            if answer.status_code == 200:
                tree = lxml.html.document_fromstring(answer.text)
                assert [one for one in CONTROLS if tree.xpath(f"//{one}")] == [], (name, field)


def test_the_app_compiles_the_frame_at_its_start(app: Flask) -> None:
    assert "offline.html" in app.jinja_env.list_templates()
