"""Every page as a reader without scripts gets it: headers, links, forms, and no cookie at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from decoder.app import create_app
from decoder.figures import FIGURES
from decoder.settings import Settings, files
from tests.conftest import SECRET
from tests.support.figure import FIGURE, HTML, JSON, MINE, RUNS, STREAM, Page, Visitor, ladder
from tests.support.ours import COURSE
from tests.support.valkey import Valkey

CHAPTER = "/redis-patterns/time-delay-priority"
DIVE = f"{CHAPTER}/score-as-meaning/packed"
PAGES = ["/", FIGURE, DIVE, CHAPTER]
WITH_FIGURE = ["/", FIGURE, DIVE]


def every_address(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield (method, address) of every route, its arguments filled in with what exists."""
    version = re.search(r"/static/(\w+)/", app.test_client().get("/").text)
    assert version
    dives = app.jinja_env.globals["course"].dives.values()  # type: ignore[attr-defined]
    told = [(one.path, shown.id) for one in dives for shown in one.transcripts]
    dive, transcript = (told or [(DIVE, "none")])[0]
    known = {
        "name": {
            "pages.figure": "composite",
            "pages.dive": DIVE.removeprefix("/redis-patterns/"),
            "pages.script": "add_prioritized",
            "picture.dive": DIVE.removeprefix("/"),
            "offline.dive": DIVE.removeprefix("/"),
            "runs.run": "composite",
            "runs.reloaded": "composite",
            "takeaway.commands": "composite",
            "embed.embedded": "composite",
            "sharing.share": "figures/composite",
            "assets.static_file": "site.css",
            "transcripts.run": dive.removeprefix("/"),
            "transcripts.reloaded": dive.removeprefix("/"),
        },
        "design": {"pages.script": "packed"},
        "kind": {"takeaway.commands": "py"},
        "transcript": {"transcripts.run": transcript, "transcripts.reloaded": transcript},
        "version": {"assets.static_file": version[1]},
    }
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        filled: dict[str, Any] = {}
        for argument in rule.arguments:
            assert rule.endpoint in known.get(argument, {}), (
                f"{rule}: tell this test what to put for <{argument}>"
            )
            filled[argument] = known[argument][rule.endpoint]
        for method in sorted(rule.methods or ()):
            yield method, adapter.build(rule.endpoint, filled, method=method)


def everything(app: Flask) -> Iterator[TestResponse]:
    """Yield the answer of every route, in each of the three kinds, and some failures."""
    client = app.test_client()
    for method, address in every_address(app):
        for headers in (HTML, JSON, STREAM):
            # Buffered, so that files are closed.
            yield client.open(address, method=method, headers=headers, buffered=True)
    for headers in (HTML, JSON, STREAM):
        yield client.get("/nothing", headers=headers)
        yield client.put(RUNS, headers=headers)
        yield client.post(RUNS, data={"tier": "9" * 70_000}, headers=headers)
        yield client.post(RUNS, data={"token": "forged"}, headers=headers, buffered=True)


def test_no_answer_sets_a_cookie(app: Flask) -> None:
    answers = list(everything(app))
    assert len(answers) > 30
    assert [a.request.path for a in answers if "Set-Cookie" in a.headers] == []


def test_no_answer_is_a_5xx(app: Flask) -> None:
    assert [a.request.path for a in everything(app) if a.status_code >= 500] == []


def test_every_answer_carries_the_security_headers(app: Flask) -> None:
    for answer in everything(app):
        where = f"{answer.request.method} {answer.request.path}"
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", where
        assert headers["Referrer-Policy"], where
        assert "camera=()" in headers["Permissions-Policy"], where
        if not answer.request.path.startswith("/embed/"):
            assert headers["X-Frame-Options"] in ("SAMEORIGIN", "DENY"), where
            assert headers["Cross-Origin-Opener-Policy"] == "same-origin", where
        assert headers["Cache-Control"], where


def policy(answer: TestResponse) -> dict[str, list[str]]:
    text = answer.headers["Content-Security-Policy"]
    parts = [part.split() for part in text.split(";")]
    return {name: values for name, *values in parts}


def test_every_answer_has_a_policy_that_allows_nothing_but_what_is_needed(app: Flask) -> None:
    for answer in everything(app):
        rules = policy(answer)
        assert rules["default-src"] == ["'none'"]
        assert rules["script-src"] == ["'self'"]
        assert rules["style-src"] == ["'self'"]
        assert rules["connect-src"] == ["'self'"]
        assert rules["form-action"] == ["'self'"]
        assert rules["base-uri"] == ["'none'"]
        # What is embedded says nothing of who may, and frames nobody else.
        ancestors = "frame-ancestors" in rules
        assert ancestors is not answer.request.path.startswith("/embed/")
        assert not ancestors or rules["frame-ancestors"] in (["'self'"], ["'none'"])
        assert rules["frame-src"] == ["'self'"]
        assert set(rules) <= {
            "default-src", "script-src", "style-src", "connect-src", "form-action", "base-uri",
            "frame-ancestors", "frame-src", "img-src", "font-src", "object-src",
        }  # fmt: skip
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert "*" not in answer.headers["Content-Security-Policy"]


def test_pages_are_private_and_asked_for_again(client: FlaskClient) -> None:
    for path in PAGES:
        assert client.get(path).headers["Cache-Control"] == "private, no-cache"


def test_static_files_are_kept_for_a_year_and_change_their_address(client: FlaskClient) -> None:
    page = client.get("/").text
    addresses = set(re.findall(r'"(/static/[^"]+)"', page))
    assert len(addresses) >= 4
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        answer.close()
    assert client.get("/static/000000000000/site.css").status_code == 404


@pytest.mark.parametrize("https", [True, False])
def test_only_a_site_on_https_asks_browsers_to_stay_there(valkey: Valkey, https: bool) -> None:
    app = create_app(Settings(valkey_url=valkey.url, secret=SECRET, https=https))
    assert ("Strict-Transport-Security" in app.test_client().get("/").headers) == https


def html_answers(client: FlaskClient) -> Iterator[tuple[str, str]]:
    for path in [
        *PAGES,
        "/nothing",
        f"{FIGURE}?then=serve,add&tier=9",
        f"{DIVE}?full=1&tier=2097152",
    ]:
        yield path, client.get(path).text
    visitor = Visitor(client)
    for fields in ({"tier": 3}, {"action": "serve", "guess": "<b>"}, {"token": "forged"}):
        yield str(fields), visitor.post(HTML, **fields).text


def test_no_page_holds_an_inline_script_or_style(client: FlaskClient) -> None:
    for where, html in html_answers(client):
        tree = lxml.html.document_fromstring(html)
        for script in tree.iter("script"):
            assert script.get("src"), where
            assert not (script.text or "").strip(), where
        assert list(tree.iter("style")) == [], where
        assert tree.xpath("//@style") == [], where
        assert [name for name in tree.xpath("//@*/..") if _handlers(name)] == [], where
        loaded = tree.xpath('//link[not(@rel="canonical" or @rel="alternate")]/@href | //@src')
        assert not [address for address in loaded if ":" in address], where
        links = tree.xpath("//a/@href")
        assert not [one for one in links if not one.startswith(("/", "#", "?", "https://"))], where


def _handlers(element: Any) -> list[str]:
    return [name for name in element.attrib if name.startswith(("on", "hx-on"))]


def test_every_page_is_a_complete_document(client: FlaskClient) -> None:
    for where, html in html_answers(client):
        assert html.startswith("<!doctype html>"), where
        tree = lxml.html.document_fromstring(html)
        assert tree.get("lang") == "en", where
        assert len(tree.xpath("//h1")) == 1, where
        assert tree.xpath("//title")[0].text_content().strip(), where
        assert tree.xpath('//meta[@name="viewport"]'), where
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids)), where


def test_every_field_has_a_label(client: FlaskClient) -> None:
    for path in WITH_FIGURE:
        tree = lxml.html.document_fromstring(client.get(path).text)
        for field in tree.xpath('//input[not(@type="hidden")]'):
            labelled = (
                field.get("aria-label")
                or tree.xpath("//label[@for=$id]", id=field.get("id", ""))
                or field.xpath("ancestor::label")
            )
            assert labelled, lxml.html.tostring(field)


def test_every_link_on_every_page_leads_somewhere(client: FlaskClient) -> None:
    """Walk the whole site from the home page, its fragments included.

    A state of a figure leads to further states, and so on without an end: those that a page without
    a state offers are asked for, and not what they offer in turn.
    """
    seen: dict[str, str] = {}
    waiting = ["/"]
    while waiting:
        address, fragment = urldefrag(waiting.pop())
        if address not in seen:
            answer = client.get(address)
            assert answer.status_code == 200, address
            seen[address] = answer.text if answer.mimetype == "text/html" else ""
            answer.close()
            if seen[address]:
                tree = lxml.html.document_fromstring(seen[address])
                links = tree.xpath("//@href | //@src")
                inside = [urljoin(address, link) for link in links if not urlsplit(link).scheme]
                waiting += [one for one in inside if not (urlsplit(address).query and "?" in one)]
        if fragment:
            ids = lxml.html.document_fromstring(seen[address]).xpath("//@id")
            assert fragment in ids, f"{address}#{fragment}"
    assert {"/", DIVE, CHAPTER} <= set(seen)


def test_the_home_page_is_the_figure_and_three_doors(client: FlaskClient) -> None:
    page = Page(client.get("/").text)
    assert page.score == "8589934609"
    doors = page.tree.xpath('//section[contains(@class, "doors")]//li')
    assert len(doors) == 3
    for door in doors:
        # A door that is not built yet is named, without a dead link.
        assert door.xpath(".//a") or "soon" in door.text_content()


def test_every_dive_shows_its_title_and_has_a_first_heading_of_its_own(
    client: FlaskClient,
) -> None:
    headings = [Page(client.get("/").text).tree.xpath("string(//h1)")]
    for path, dive in COURSE.dives.items():
        tree = Page(client.get(path).text).tree
        kicker = tree.xpath('string(//*[@class="kicker"])')
        assert dive.is_chapter or path == "/instructors" or dive.title in kicker
        headings.append(tree.xpath("string(//h1)"))
    assert len(set(headings)) == len(headings)


def test_the_dive_has_title_lede_sections_and_the_figure(client: FlaskClient) -> None:
    page = Page(client.get(DIVE).text)
    assert "order in the score" in page.tree.xpath("//title")[0].text_content()
    assert page.tree.xpath('//*[contains(@class, "lede")]')[0].text_content().strip()
    assert page.score == "8589934609"
    named = [a.text_content() for a in page.tree.xpath('//nav[contains(@class, "sections")]//a')]
    headings = [h.text_content() for h in page.tree.xpath("//article/section/h2")]
    assert named == headings
    assert len(named) >= 3


def test_the_chapter_leads_to_the_dive_and_the_dive_back(client: FlaskClient) -> None:
    assert DIVE in lxml.html.document_fromstring(client.get(CHAPTER).text).xpath("//@href")
    assert CHAPTER in lxml.html.document_fromstring(client.get(DIVE).text).xpath("//@href")


def test_the_lua_that_ran_is_on_the_page_as_it_stands_in_the_file(client: FlaskClient) -> None:
    source = (files("lua") / "packed" / "add_prioritized.lua").read_text()
    for path in WITH_FIGURE:
        tree = lxml.html.document_fromstring(client.get(path).text)
        shown = ["".join(pre.itertext()) for pre in tree.iter("pre")]
        assert source.strip() in [text.strip() for text in shown]


def test_the_lua_that_ran_leads_to_the_page_of_its_script(client: FlaskClient) -> None:
    for path in WITH_FIGURE:
        tree = lxml.html.document_fromstring(client.get(path).text)
        (link,) = tree.xpath('//*[@id="composite"]//p[@class="keys"]//a/@href')
        assert link == "/scripts/packed/add_prioritized"
        assert client.get(link).status_code == 200


# Without scripts: the same form, answered with the whole page.


def test_a_form_returns_the_whole_page_with_token_and_new_order(
    client: FlaskClient, valkey: Valkey
) -> None:
    first = Page(client.get(FIGURE).text)
    answer = client.post(
        RUNS,
        data={"token": first.token, "seq": first.field("seq"), "tier": 4, "arrival": 44},
        headers=HTML,
    )
    page = Page(answer.text)
    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html>")
    assert page.token.split(".")[0] == first.token.split(".")[0]
    assert page.members == [member for member, _ in ladder(valkey, page.token)]
    assert page.members != first.members
    assert page.field("tier") == "4"
    assert page.field("arrival") == "44"


def fields_of(page: Page) -> dict[str, list[str]]:
    """Return what a browser without scripts would send of the figure's form."""
    form: dict[str, list[str]] = {}
    own = '//form[@id="composite_form"]//input | //input[@form="composite_form"]'
    for field in page.tree.xpath(own):
        kind = field.get("type")
        if kind in ("checkbox", "radio") and field.get("checked") is None:
            continue
        form.setdefault(field.get("name"), []).append(field.get("value", ""))
    return form


def submit(client: FlaskClient, page: Page, **pressed: str) -> Page:
    """Submit the form of a page as it stands, with the button that was pressed."""
    form: dict[str, Any] = {**fields_of(page), **{name: [v] for name, v in pressed.items()}}
    answer = client.post(RUNS, data=form, headers=HTML)
    assert answer.status_code == 200
    return Page(answer.text)


def set_field(page: Page, name: str, kind: str, value: int) -> None:
    """Put a value into the slider (range) or into the number field of one input."""
    (field,) = page.tree.xpath(f'//input[@name="{name}"][@type="{kind}"]')
    field.set("value", str(value))


@pytest.mark.parametrize("kind", ["range", "number"])
def test_without_scripts_slider_and_number_field_both_move_the_job(
    client: FlaskClient, kind: str
) -> None:
    page = Page(client.get(FIGURE).text)
    set_field(page, "tier", kind, 4)
    page = submit(client, page, action="move")
    assert page.field("tier") == "4"
    set_field(page, "arrival", kind, 44)
    page = submit(client, page, action="move")
    assert (page.field("tier"), page.field("arrival")) == ("4", "44")
    assert page.score == str(4 * 2**32 + 44)


def test_without_scripts_a_value_can_be_set_back_to_what_it_was_before(
    client: FlaskClient,
) -> None:
    page = Page(client.get(FIGURE).text)
    for kind, tier in (("range", 4), ("number", 2), ("range", 4), ("range", 2)):
        set_field(page, "tier", kind, tier)
        page = submit(client, page, action="move")
        assert page.field("tier") == str(tier)


@pytest.mark.parametrize(
    ("nudge", "tier", "arrival"),
    [("tier:1", 3, 17), ("tier:-1", 1, 17), ("arrival:1", 2, 18), ("arrival:-1", 2, 16)],
)
def test_without_scripts_the_buttons_of_a_slider_move_it_by_one(
    client: FlaskClient, nudge: str, tier: int, arrival: int
) -> None:
    page = Page(client.get(FIGURE).text)
    assert page.tree.xpath("//button[@name='nudge']/@value").count(nudge) == 1
    page = submit(client, page, nudge=nudge)
    assert (page.field("tier"), page.field("arrival")) == (str(tier), str(arrival))


def test_without_scripts_every_action_works_in_a_row(client: FlaskClient, valkey: Valkey) -> None:
    page = Page(client.get(DIVE).text)
    before = page.members
    page = submit(client, page, action="serve", guess=before[0])
    assert page.members == before[1:]
    assert page.text("composite_sentence").startswith("You said")
    page = submit(client, page, action="add")
    assert len(page.members) == 10
    page = submit(client, page, action="reset")
    assert page.members == before
    assert page.field("page") == DIVE
    assert page.members == [member for member, _ in ladder(valkey, page.token)]


def test_without_scripts_the_full_range_is_a_checkbox(client: FlaskClient) -> None:
    page = Page(client.get(FIGURE).text)
    page = submit(client, page, full="1")
    (slider,) = page.tree.xpath('//input[@name="tier"][@type="range"]')
    assert slider.get("max") == "2097152"
    set_field(page, "tier", "number", 2097152)
    page = submit(client, page, action="move")
    assert page.score == "9007199254741009"
    (arrival,) = page.tree.xpath('//input[@name="arrival"][@type="range"]')
    assert (arrival.get("min"), arrival.get("max")) == ("0", "4294967296")


def test_every_job_can_be_picked_as_a_guess(client: FlaskClient) -> None:
    page = Page(client.get(FIGURE).text)
    assert len(page.members) == 10
    assert MINE in page.members
    forms = page.tree.xpath('//*[@id="composite_order"]//input[@name="guess"]/@form')
    assert set(forms) == {"composite_form"}


@pytest.mark.parametrize("path", WITH_FIGURE)
def test_an_answer_without_scripts_is_the_page_it_came_from(client: FlaskClient, path: str) -> None:
    before = Page(client.get(path).text)
    after = submit(client, before, nudge="tier:1")
    for page in (before, after):
        assert page.field("page") == path
    assert before.tree.xpath("//h1")[0].text_content() == after.tree.xpath("//h1")[0].text_content()


def test_the_ends_of_the_sliders_say_which_is_urgent(client: FlaskClient) -> None:
    page = Page(client.get(FIGURE).text)
    assert "1: served first" in page.text("composite_tier_ends")
    assert "5: served last" in page.text("composite_tier_ends")


def test_the_first_page_already_holds_an_executed_run(client: FlaskClient) -> None:
    for path in WITH_FIGURE:
        page = Page(client.get(path).text)
        assert "5th of 10" in page.text("composite_sentence")
        assert "5th of 10" in page.text("composite_status")
        assert "ZADD" in page.text("composite_steps")


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_every_figure_has_a_page_of_its_own(client: FlaskClient, name: str) -> None:
    assert client.get(f"/figures/{name}").status_code == 200


def test_every_template_compiles(app: Flask) -> None:
    names = app.jinja_env.list_templates()
    on_disk = {
        path.relative_to(files("templates")).as_posix()
        for path in Path(files("templates")).rglob("*")
        if path.is_file()
    }
    assert set(names) == on_disk
    for name in names:
        app.jinja_env.get_template(name)


def test_a_template_that_names_something_unknown_fails(app: Flask) -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        app.jinja_env.from_string("{{ nothing }}").render()
