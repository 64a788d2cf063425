"""Every page of ours: its links lead somewhere, anchors too, and each id stands on it once."""

from __future__ import annotations

import itertools
from pathlib import Path
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.course.known import EVERY_FIGURE_HAS
from decoder.figures import FIGURES, syllabus
from decoder.readings.catalogue import READINGS
from decoder.sandbox.scripts import load_scripts
from decoder.settings import Settings, files
from decoder.web import directory
from tests.conftest import SECRET
from tests.support.course import page, write
from tests.support.valkey import Valkey

HOST = "http://localhost"


def every_page(client: FlaskClient) -> list[str]:
    """Return the address of every page that the site lists."""
    known = client.application.jinja_env.globals
    groups = directory.groups(known["course"], known["library"])  # type: ignore[arg-type]
    return [page.path for group in groups.values() for page in group]


DIVE = page(
    "## Part\n\nA *score* of a sorted set, and [a dive](/mine/second#below).\n\n"
    "::: figure three-readings reading=packed/priority step=2\n:::\n\n"
    "::: script packed/add_prioritized\n:::\n\n## Next\n\n### Below\n\n[home](/?tier=3&arrival=5)\n"
)


@pytest.fixture
def client(valkey: Valkey, tmp_path: Path) -> FlaskClient:
    """The site with dives beside ours, in a chapter and on their own."""
    for file in ("mine/index.md", "mine/first.md", "mine/second.md", "loose/third.md"):
        write(tmp_path, file, DIVE)
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path))
    return create_app(settings).test_client()


@pytest.fixture
def trees(client: FlaskClient) -> dict[str, lxml.html.HtmlElement]:
    """Every page as it is answered."""
    found = {}
    for path in every_page(client):
        answer = client.get(path)
        assert answer.status_code == 200, path
        found[path] = lxml.html.document_fromstring(answer.text)
    found["/no/such/page"] = lxml.html.document_fromstring(client.get("/no/such/page").text)
    return found


def test_every_address_that_a_dive_may_link_to_is_a_page(client: FlaskClient) -> None:
    offered = syllabus.addresses(load_scripts(files("lua")))
    assert {one: client.get(one).status_code for one in offered} == dict.fromkeys(offered, 200)
    assert offered <= set(every_page(client))


def test_no_link_of_any_page_is_dead_nor_is_its_anchor(
    client: FlaskClient, trees: dict[str, lxml.html.HtmlElement]
) -> None:
    dead, led = [], 0
    ids = {path: set(tree.xpath("//@id")) for path, tree in trees.items()}
    for path, tree in trees.items():
        for href in tree.xpath("//a/@href"):
            link = urljoin(HOST + path, href)
            if not link.startswith(HOST + "/"):
                continue
            led += 1
            address, anchor = urldefrag(link.removeprefix(HOST))
            if address not in ids:
                answer = client.get(address)
                alive = answer.status_code == 200 and answer.mimetype == "text/html"
                # A file that is made to be kept has no ids; it is there, and that is all.
                kept = answer.status_code == 200 and "Content-Disposition" in answer.headers
                ids[address] = (
                    set(lxml.html.document_fromstring(answer.text).xpath("//@id"))
                    if alive
                    else {""}
                    if kept
                    else set()
                )
            if not ids[address] or (anchor and anchor not in ids[address]):
                dead.append(f"{path} leads to {href}")
    assert dead == []
    assert led > 500


def figure_at(client: FlaskClient, path: str) -> str:
    """Return the name of the figure that reads the query of a page's address, empty for none."""
    # An offline copy reads the same query.
    path = path.removesuffix(".html")
    if path.startswith("/figures/"):
        return path.removeprefix("/figures/").partition("/")[0]
    course = client.application.jinja_env.globals["course"]  # type: ignore[attr-defined]
    return "composite" if path == "/" else course.dives[path].figure


def test_every_query_of_a_link_is_one_that_its_figure_reads_as_it_stands(
    client: FlaskClient, trees: dict[str, lxml.html.HtmlElement]
) -> None:
    """A field that the figure does not know, or a value that it moves into range, is a fault."""
    wrong, read = [], 0
    for reading, step in itertools.product(READINGS, ("", "&step=1", "&step=4")):
        path = f"/figures/three-readings?reading={reading}{step}"
        trees[path] = lxml.html.document_fromstring(client.get(path).text)
    for path, tree in trees.items():
        for href in tree.xpath("//a/@href"):
            link = urlsplit(urljoin(HOST + path, href))
            if f"{link.scheme}://{link.netloc}" != HOST or not link.query:
                continue
            # What is shared of a page is told with the state of that page.
            link = link._replace(path=link.path.removeprefix("/share"))
            name = figure_at(client, link.path)
            assert name, f"{path} leads to {href}, where no figure reads it"
            pairs = parse_qsl(link.query, keep_blank_values=True, strict_parsing=True)
            query = dict(pairs)
            strange = set(query) - {*FIGURES[name].FIELDS, *EVERY_FIGURE_HAS}
            notices = FIGURES[name].read_story(query).notices
            if strange or notices or len(query) < len(pairs):
                wrong.append(f"{path} leads to {href}: {strange or notices}")
            read += 1
    assert wrong == []
    assert read > 100


def test_every_id_stands_on_its_page_once(trees: dict[str, lxml.html.HtmlElement]) -> None:
    for path, tree in trees.items():
        ids = tree.xpath("//@id")
        assert sorted({one for one in ids if ids.count(one) > 1}) == [], path
        # What a label or a title is made of is there.
        named = " ".join(tree.xpath("//@aria-labelledby | //@aria-describedby | //@for"))
        assert set(named.split()) - set(ids) == set(), path


def test_every_form_names_a_page_that_answers_it(
    client: FlaskClient, trees: dict[str, lxml.html.HtmlElement]
) -> None:
    for tree in trees.values():
        for action in tree.xpath("//form/@action"):
            answer = client.get(urldefrag(action)[0])
            # Reloading the answer to a form leads back to its page.
            assert answer.status_code == 303, action
            assert client.get(answer.location).status_code == 200
