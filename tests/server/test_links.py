"""Every page of ours: its links lead somewhere, anchors too, and each id stands on it once."""

from __future__ import annotations

from urllib.parse import urldefrag, urljoin

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.figures import syllabus
from decoder.sandbox.scripts import load_scripts
from decoder.settings import files
from decoder.web import directory

HOST = "http://localhost"


def every_page(client: FlaskClient) -> list[str]:
    """Return the address of every page that the site lists."""
    known = client.application.jinja_env.globals
    groups = directory.groups(known["course"], known["library"])  # type: ignore[arg-type]
    return [page.path for group in groups.values() for page in group]


@pytest.fixture
def trees(client: FlaskClient) -> dict[str, lxml.html.HtmlElement]:
    """Every page as it is answered."""
    found = {}
    for path in every_page(client):
        answer = client.get(path)
        assert answer.status_code == 200, path
        found[path] = lxml.html.document_fromstring(answer.text)
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
                ids[address] = (
                    set(lxml.html.document_fromstring(answer.text).xpath("//@id"))
                    if alive
                    else set()
                )
            if not ids[address] or (anchor and anchor not in ids[address]):
                dead.append(f"{path} leads to {href}")
    assert dead == []
    assert led > 500


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
