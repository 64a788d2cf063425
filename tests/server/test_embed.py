"""Embedded pages: what a frame may ask for, what their answers carry, and where links lead."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import lxml.html
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decoder.figures import FIGURES
from decoder.web import frame
from tests.support.figure import STREAM, messages
from tests.support.ours import COURSE

DIVES = [one.path for one in COURSE.dives.values() if not one.is_chapter and one.figure]
PAGES = [*(f"/embed/{name}" for name in FIGURES), *(f"/embed{path}" for path in DIVES)]
NOISE = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def opened(client: FlaskClient, address: str) -> lxml.html.HtmlElement:
    answer = client.get(address)
    assert answer.status_code == 200
    return lxml.html.document_fromstring(answer.text)


@pytest.mark.parametrize("path", PAGES)
def test_an_embedded_page_may_stand_in_any_frame_and_no_other_page_may(
    client: FlaskClient, path: str
) -> None:
    headers = client.get(path).headers
    assert "X-Frame-Options" not in headers
    assert "frame-ancestors" not in headers["Content-Security-Policy"]
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in headers
    assert "Set-Cookie" not in headers
    whole = client.get(frame.page_of(path)).headers
    assert whole["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in whole["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/glossary", "/scripts", "/instructors", "/share/", "/x"])
def test_the_rest_of_the_site_can_not_be_framed(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    "path",
    ["/embed/composite", "/figures/composite/runs", "/oembed", "/embed.js", "/embed/no-such"],
)
def test_what_a_frame_fetches_may_be_fetched_from_anywhere(client: FlaskClient, path: str) -> None:
    answer = client.options(path)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert client.get(path).headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["/embed/nothing", "/embed/", "/embed/glossary", "/embed/figures/bits"]
)
def test_what_is_no_figure_and_no_dive_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", PAGES)
def test_the_first_answer_is_whole_and_asks_for_no_form(client: FlaskClient, path: str) -> None:
    tree = opened(client, f"{path}?theme=dark&note=Hello")
    assert tree.xpath("string(//live-figure//*[contains(@class, 'sentence')])").strip()
    assert tree.xpath("//live-figure//*[contains(@class, 'strip')]//li")
    assert {one.get("type") for one in tree.xpath("//button")} == {"button"}
    assert not tree.xpath("//input[@type='submit'] | //*[@autofocus] | //script[not(@src)]")
    assert '"mode":"cors"' in tree.xpath("string(//meta[@name='htmx-config']/@content)")
    assert tree.get("lang") == "en"
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", PAGES)
def test_links_stay_in_the_frame_with_its_options_or_open_beside_it(
    client: FlaskClient, path: str
) -> None:
    options = "theme=dark&note=Do+this&lock=tier"
    tree = opened(client, f"{path}?{options}")
    for link in tree.xpath("//a[@href]"):
        address = urlsplit(link.get("href"))
        if link.get("target") == "_blank" or not (address.path or address.query):
            continue
        assert address.path.startswith("/embed/"), link.get("href")
        kept = dict(parse_qsl(address.query))
        assert kept["theme"] == "dark"
        assert kept["note"] == "Do this"
        assert client.get(link.get("href")).status_code == 200
    steps = tree.xpath("//noscript//a/@href | //a[contains(@class, 'ask')]/@href")
    assert steps, "without scripts one goes on by links"


@pytest.mark.parametrize("name", FIGURES)
def test_an_answer_to_a_frame_leads_back_into_it(client: FlaskClient, name: str) -> None:
    address = f"/embed/{name}?theme=light&note=A"
    tree = opened(client, address)
    field = tree.xpath("string(//input[@name='page']/@value)")
    assert field == address
    answer = client.post(f"/figures/{name}/runs", data={"page": field}, headers=STREAM)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    parts = {key: html for one in messages(answer.text) for key, html in one.parts.items()}
    html = "".join(parts.values())
    assert 'type="submit"' not in html
    assert "<button name" not in html
    for href in re.findall(r'class="ask[^>]*href="([^"]+)"', html):
        assert href.startswith(f"/embed/{name}?")
        assert "theme=light" in href


def test_locked_inputs_are_told_and_sent_as_they_are(client: FlaskClient) -> None:
    tree = opened(client, "/embed/composite?tier=4&lock=tier")
    assert tree.xpath("string(//*[contains(@class, 'locked')]/output)") == "4"
    assert tree.xpath("//input[@name='tier']/@type") == ["hidden"]
    assert tree.xpath("//input[@name='arrival']/@type") == ["number", "range"]
    steps = tree.xpath("//noscript//a/text()")
    assert not [one for one in steps if "tier" in one]


def test_parts_title_note_and_theme_are_as_they_were_asked_for(client: FlaskClient) -> None:
    note = "<b>First</b> move & see"
    tree = opened(
        client,
        f"/embed/bits?parts=score,order&title=Bits&theme=light&note={note.replace('&', '%26')}",
    )
    assert tree.get("data-theme") == "light"
    assert tree.xpath("string(//h1)") == "Bits"
    assert tree.xpath("string(//*[@class='frame-note'])") == note
    classes = tree.xpath("string(//body/@class)").split()
    assert set(classes) == {
        "framed", "without-controls", "without-actions", "without-bits", "without-commands",
        "without-text",
    }  # fmt: skip


def test_a_question_comes_first_until_it_is_answered(client: FlaskClient) -> None:
    def asks(query: str) -> bool:
        tree = opened(client, f"/embed/composite?ask=1&{query}")
        return "asks" in tree.xpath("string(//body/@class)").split()

    assert asks("tier=3&arrival=17")
    assert not asks("tier=3&arrival=17&then=serve")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("theme=blue", "“blue” is no theme; there are auto, light, dark."),
        ("parts=score,moon", "“moon” is no part of this page"),
        ("lock=moon", "“moon” is no input of this page; there are tier, arrival."),
        ("title=" + "x" * 90, "The title has 90 characters; the first 80 are shown."),
        ("note=" + "x" * 300, "The note has 300 characters; the first 280 are shown."),
        ("parts=sun,moon", "“moon” is no part of this page"),
        ("ask=7", "ask is 1 or it is left out"),
        ("tier=99", "Priority tier runs from 1 to 5"),
    ],
)
def test_a_bad_value_is_moved_with_a_notice(client: FlaskClient, query: str, told: str) -> None:
    assert told in opened(client, f"/embed/composite?{query}").text_content()


def test_whoever_goes_on_is_asked_no_more(client: FlaskClient) -> None:
    for name in FIGURES:
        tree = opened(client, f"/embed/{name}?ask=1&theme=dark")
        assert "asks" in tree.xpath("string(//body/@class)").split()
        for href in tree.xpath("//noscript//a/@href | //a[contains(@class, 'ask')]/@href"):
            assert "ask=1" not in href
            assert "theme=dark" in href
            there = opened(client, href)
            assert "asks" not in there.xpath("string(//body/@class)").split()


def test_in_an_answer_too_what_leads_out_opens_beside_the_frame(client: FlaskClient) -> None:
    for name in FIGURES:
        data = {"page": f"/embed/{name}?theme=light"}
        answer = client.post(f"/figures/{name}/runs", data=data, headers=STREAM)
        html = "".join(part for one in messages(answer.text) for part in one.parts.values())
        for link in lxml.html.fragment_fromstring(html, create_parent="div").xpath("//a[@href]"):
            inside = link.get("href").startswith(("/embed/", "#", "?"))
            assert inside or link.get("target") == "_blank", link.get("href")


def test_a_reset_leaves_alone_what_is_fixed(client: FlaskClient) -> None:
    data = {"page": "/embed/composite?lock=tier", "action": "reset", "tier": "4", "arrival": "9"}
    answer = client.post("/figures/composite/runs", data=data, headers=STREAM)
    state = messages(answer.text)[-1].parts["composite_state"]
    assert 'data-tier="4"' in state
    assert 'data-arrival="17"' in state
    assert not opened(client, "/embed/composite?lock=tier").xpath("//*[@class='turn']")


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_resets_in_a_frame_that_fixes_all_it_can(
    client: FlaskClient, name: str
) -> None:
    fixed = "tier,arrival,delay,seconds,jobs,offset,counter"
    for lock in (fixed, *fixed.split(",")):
        tree = opened(client, f"/embed/{name}?lock={lock}")
        told = {one.get("name"): one.get("value") or "" for one in tree.xpath("//input[@name]")}
        data = {**told, "action": "reset"}
        answer = client.post(f"/figures/{name}/runs", data=data, headers=STREAM)
        assert answer.status_code == 200
        assert messages(answer.text)[-1].parts


def test_what_is_fixed_past_the_plain_range_stays_there(client: FlaskClient) -> None:
    data = {"page": "/embed/composite?lock=tier", "action": "reset", "tier": "2097152"}
    answer = client.post("/figures/composite/runs", data=data, headers=STREAM)
    assert 'data-tier="2097152"' in messages(answer.text)[-1].parts["composite_state"]


def test_a_failure_in_a_frame_brings_no_site_into_it(client: FlaskClient) -> None:
    answer = client.get("/embed/nothing")
    assert answer.status_code == 404
    tree = lxml.html.document_fromstring(answer.text)
    assert not tree.xpath("//nav | //script")
    assert {one.get("target") for one in tree.xpath("//a")} == {"_blank"}


def test_the_guide_is_no_lesson(client: FlaskClient) -> None:
    assert client.get("/embed/instructors").status_code == 404
    assert "oembed" not in client.get("/instructors").text.partition("</head>")[0]


def test_an_unknown_parameter_is_ignored(client: FlaskClient) -> None:
    tree = opened(client, "/embed/composite?colour=red&utm_source=x")
    assert not tree.xpath("//*[@class='frame-notice']")
    assert "colour" not in tree.xpath("string(//body/@data-kept)")


@NOISE
@given(
    query=st.dictionaries(
        st.sampled_from([*frame.FIELDS, "tier", "then", "page"]), st.text(max_size=400)
    ),
    path=st.sampled_from(PAGES),
)
def test_no_query_breaks_an_embedded_page(
    client: FlaskClient, query: dict[str, str], path: str
) -> None:
    answer = client.get(path, query_string=query)
    assert answer.status_code == 200
    again = frame.read(path, query, {"tier": "Tier"})
    assert frame.told(again.address, {"tier": "Tier"})._replace(notices=()) == again._replace(
        notices=()
    )


@NOISE
@given(page=st.text(max_size=300))
def test_no_page_that_a_form_tells_breaks_its_answer(client: FlaskClient, page: str) -> None:
    for told in (page, f"/embed/{page}", f"/embed/composite?{page}"):
        answer = client.post("/figures/composite/runs", data={"page": told}, headers=STREAM)
        assert answer.status_code == 200
        assert "id: 0/" in answer.text
