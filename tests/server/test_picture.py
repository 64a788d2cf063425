"""The picture of a page: what it shows, that it fits, and that it is worth no more than a page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from urllib.parse import parse_qsl, quote

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from werkzeug.test import TestResponse

from decoder.app import create_app
from decoder.encodings import packed
from decoder.figures import FIGURES
from decoder.figures.labs import LABS
from decoder.readings.catalogue import READINGS
from decoder.readings.run import Run
from decoder.settings import Settings
from decoder.web import drawing, lettering
from decoder.web.picture import Shown, draw, png
from tests.conftest import SECRET
from tests.support.ours import COURSE
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

ROOT = Path(__file__).parents[2]
BYTES_MOST = 80_000
COMPOSITE = "/figures/composite.png"
DIVES = sorted(COURSE.dives)
PAGES = ["/", *(f"/figures/{name}" for name in FIGURES), *DIVES]
STATES = [
    *((name, "") for name in FIGURES),
    *(("composite", f"full=1&tier={t}&arrival={a}") for t in (1, 2097152) for a in (0, 4294967296)),
    ("composite", "then=serve,serve,serve,serve,serve-JOB0Nb1VTbfnu4"),
    ("composite", "then=" + ",".join(["serve"] * 12)),
    ("composite", "then=" + ",".join(["add"] * 40)),
    *(("three-readings", f"reading={one}") for one in READINGS),
    *(("three-readings", f"reading={one}&step=1") for one in READINGS),
    ("two-designs", "tier=3&delay=120&guess=score"),
    *(
        ("bits", f"score={score}&reading={one}")
        for score in ("8589934609", "1.7976931348623157e308", "5e-324", "-1", "inf")
        for one in READINGS
    ),
    ("bits", "score=" + "9" * 300),
    ("bits", "score=" + quote("中文 😀 <script> " * 9)),
    ("bits", "bits=7ff8000000000001"),
    *((name, f"answer={answer}") for name, lab in LABS.items() for answer in lab.answers),
]


def address_of(page: str) -> str:
    return "/index.png" if page == "/" else f"{page}.png"


def opened(answer: TestResponse) -> Image.Image:
    assert answer.status_code == 200, answer.text
    image = Image.open(io.BytesIO(answer.data))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return image


def run(app: Flask, name: str, query: str) -> Run:
    desk = app.extensions["desk"]
    done: Run = desk.run(desk.open(name, dict(parse_qsl(query)), f"/figures/{name}"))
    return done


def shown(app: Flask, name: str, query: str, *, title: str = "") -> Shown:
    done = run(app, name, query)
    return Shown(title or FIGURES[name].TITLE, "", done, f"example.org{done.address}" * 3)


def assert_fits(picture: Shown) -> list[str]:
    """Hold that no text leaves the margin or touches another; return the texts."""
    boxes = draw(picture).boxes
    most = drawing.WIDTH - drawing.MARGIN, drawing.HEIGHT - drawing.MARGIN // 3
    for box in boxes:
        assert box.left >= drawing.MARGIN - 1, box
        assert box.top >= drawing.MARGIN // 2, box
        assert box.right <= most[0] + 1, box
        assert box.bottom <= most[1], box
    for one, other in combinations(boxes, 2):
        apart = (
            one.right <= other.left + 1
            or other.right <= one.left + 1
            or one.bottom <= other.top
            or other.bottom <= one.top
        )
        assert apart, (one, other)
    return [box.text for box in boxes]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_a_picture_of_one_size_and_little_weight(
    client: FlaskClient, page: str
) -> None:
    answer = client.get(address_of(page))
    opened(answer)
    assert len(answer.data) < BYTES_MOST
    assert answer.mimetype == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("address", "query"),
    [
        (COMPOSITE, "tier=3"),
        (COMPOSITE, "then=serve"),
        ("/index.png", "tier=4&arrival=4"),
        ("/figures/three-readings.png", "reading=packed/priority"),
        ("/figures/two-designs.png", "tier=3"),
        ("/figures/bits.png", "score=17"),
        ("/figures/race.png", "answer=a"),
        (address_of("/redis-patterns/time-delay-priority/score-as-meaning/packed"), "tier=3"),
    ],
)
def test_the_state_changes_the_picture(client: FlaskClient, address: str, query: str) -> None:
    plain, other = client.get(address), client.get(f"{address}?{query}")
    assert opened(plain).tobytes() != opened(other).tobytes()


@pytest.mark.parametrize("page", PAGES)
def test_two_equal_runs_are_the_same_bytes(client: FlaskClient, page: str) -> None:
    first, second = (client.get(address_of(page)).data for _ in range(2))
    assert first == second


def test_what_differs_between_equal_runs_is_not_drawn(shared_app: Flask) -> None:
    one = shown(shared_app, "composite", "")
    assert one.run
    server = replace(one.run.server, time_ms=1)
    sandbox = replace(one.run.sandbox, token="another", expires_in_s=1, commands_left=1)
    later = replace(one.run, round_trip_us=10**9, server=server, sandbox=sandbox, newest_seq=99)
    assert png(one) == png(replace(one, run=later))


def test_the_picture_says_what_the_run_says(shared_app: Flask) -> None:
    picture = shown(shared_app, "composite", "tier=2&arrival=17")
    assert picture.run
    texts = assert_fits(picture)
    assert {"Score Decoder", "The composite decoder", "tier 2", "arrival 17"} <= set(texts)
    assert {"your job", "5th of 10", "real run on Valkey " + picture.run.server.version} <= set(
        texts
    )
    assert [text for text in texts if re.fullmatch(r"[0-9]{3}|8", text)][:4] == [
        "8", "589", "934", "609",
    ]  # fmt: skip
    assert picture.run.sentence in " ".join(texts)


def test_the_ladder_has_at_most_seven_rows_and_mine_is_one(shared_app: Flask) -> None:
    for tier in range(1, 6):
        texts = assert_fits(shown(shared_app, "composite", f"tier={tier}&arrival=999"))
        assert texts.count("your job") == 1
        assert 5 <= len([text for text in texts if text.startswith("JOB…")]) <= 6


def test_two_designs_are_two_orders_side_by_side(shared_app: Flask) -> None:
    boxes = draw(shown(shared_app, "two-designs", "")).boxes
    mine = [box for box in boxes if box.text == "your job"]
    assert len(mine) == 2
    assert abs(mine[0].left - mine[1].left) > drawing.WIDTH / 3


@pytest.mark.parametrize("name", LABS)
def test_a_lab_asks_and_keeps_its_outcome_until_it_was_answered(
    shared_app: Flask, name: str
) -> None:
    asked = shown(shared_app, name, "")
    assert asked.run
    lesson = asked.run.lesson
    assert lesson
    told = " ".join(assert_fits(asked))
    assert lesson.question in told
    assert lesson.notice in told
    assert asked.run.sentence not in told
    answered = " ".join(assert_fits(shown(shared_app, name, f"answer={lesson.answer}")))
    assert "You said" in answered
    assert lesson.outcome[0].title[:12] in answered


@pytest.mark.parametrize(("name", "query"), STATES)
def test_no_text_leaves_the_margin_or_touches_another(
    shared_app: Flask, name: str, query: str
) -> None:
    assert_fits(shown(shared_app, name, query))


@pytest.mark.parametrize("name", FIGURES)
def test_long_titles_and_sentences_are_cut_to_fit(shared_app: Flask, name: str) -> None:
    picture = shown(shared_app, name, "", title="A title with as many words as nobody writes " * 9)
    assert picture.run
    endless = "Donaudampfschifffahrtsgesellschaft" * 30
    for sentence in ("Nothing ends, it goes on and on, " * 40, endless, ""):
        assert_fits(replace(picture, run=replace(picture.run, sentence=sentence)))
        assert_fits(replace(picture, title=sentence, summary=sentence, run=None))


def test_a_tier_beyond_the_last_and_the_largest_arrival_fit(shared_app: Flask) -> None:
    texts = assert_fits(shown(shared_app, "composite", f"full=1&tier=2097152&arrival={2**32 - 1}"))
    assert "tier 2097152" in texts
    assert f"stored; a double rounds {packed.encode(2097152, 2**32 - 1, past_the_limit=True)}" in (
        texts
    )


def test_the_colours_are_those_of_the_pages_by_day() -> None:
    tokens = (ROOT / "static/css/tokens.css").read_text()
    raw = dict(re.findall(r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})", tokens))
    facts = {"tier": "rust", "arrival": "blue", "time": "teal", "slot": "violet"}
    assert {name: raw[hue] for name, hue in facts.items()} == drawing.HUES
    assert {name: raw[f"{hue}-tint"] for name, hue in facts.items()} == drawing.TINTS
    ours = (drawing.PAPER, drawing.CARD, drawing.INK, drawing.SOFT, drawing.LINE)
    assert ours == tuple(raw[name] for name in ("paper", "white", "ink-1", "ink-2", "line"))
    marks = (drawing.MINE, drawing.MINE_TINT, drawing.GOOD)
    assert marks == tuple(raw[name] for name in ("yellow", "yellow-tint", "green"))


def test_every_colour_arrives_as_it_was_meant(client: FlaskClient) -> None:
    counted = opened(client.get(COMPOSITE)).convert("RGB").getcolors(drawing.WIDTH)
    assert counted
    found = {"#{:02x}{:02x}{:02x}".format(*colour) for _, colour in counted}
    assert {
        drawing.PAPER, drawing.CARD, drawing.INK, drawing.SOFT, drawing.LINE, drawing.MINE,
        drawing.MINE_TINT, drawing.GOOD, drawing.HUES["tier"], drawing.HUES["arrival"],
    } <= found  # fmt: skip
    corner = opened(client.get(COMPOSITE)).convert("RGB").getpixel((0, 0))
    assert corner == (0xFB, 0xFA, 0xF6)


# What the font has.


def test_signs_that_the_font_lacks_are_written_in_those_it_has() -> None:
    written = lettering.pieces("tier × 2³² → “−1”…", 20)
    assert [piece.text for piece in written] == ["tier x 2", "32", " -> “-1”…"]
    assert written[1].size < 20
    assert written[1].rise > 0
    assert "".join(piece.text for piece in lettering.pieces("Zoë\u202f中\n\0", 20)) == "Zoe ?  "


@given(st.text(max_size=200), st.integers(10, 46), st.integers(100, 1072))
def test_lines_keep_every_letter_and_their_width(text: str, size: int, room: int) -> None:
    broken = lettering.lines(text, size, room)
    assert "".join("".join(broken).split()) == "".join(text.split())
    assert all(lettering.width(line, size) <= room for line in broken)
    assert lettering.width(lettering.fitted(text, size, room), size) <= room


# What it answers.


@pytest.mark.parametrize(
    "address",
    ["/.png", "/nothing.png", "/figures/nothing.png", "/figures/.png", "/index/x.png",
     "/scripts.png", "/glossary.png", "/figures/composite.png/", "/figures/composite/runs.png",
     "/redis-patterns.png", "/index.png.png"],
)  # fmt: skip
def test_what_is_no_page_has_no_picture(client: FlaskClient, valkey: Valkey, address: str) -> None:
    assert client.get(address).status_code == 404
    assert client.head(address).status_code == 404
    assert valkey.admin.dbsize() == 0


@pytest.mark.parametrize("page", PAGES)
def test_a_request_for_the_head_alone_opens_no_sandbox(
    client: FlaskClient, valkey: Valkey, page: str
) -> None:
    answer = client.head(address_of(page))
    assert answer.status_code == 200
    assert answer.mimetype == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert "Content-Length" not in answer.headers
    assert valkey.admin.dbsize() == 0


def hostile() -> Iterator[str]:
    for name, figure in FIGURES.items():
        for field in [*figure.FIELDS, "full", "then", "now_ms", "token", "action"]:
            for value in ("-1", "9" * 400, "nan\0", "𝟙" * 50, ",,,"):
                yield f"/figures/{name}.png?{field}={quote(value)}"


@pytest.mark.sample
@pytest.mark.parametrize("name", FIGURES)
def test_no_query_breaks_a_picture(valkey: Valkey, name: str) -> None:
    many = Settings(valkey_url=valkey.url, secret=SECRET, sandboxes_per_minute=10_000)
    client = create_app(many).test_client()
    asked = [one for one in hostile() if one.startswith(f"/figures/{name}.png")]
    assert len(asked) > 20
    assert [one for one in asked if client.get(one).status_code >= 500] == []


def test_too_many_pictures_are_refused_as_too_many_pages_are(valkey: Valkey) -> None:
    few = Settings(valkey_url=valkey.url, secret=SECRET, sandboxes_per_minute=1)
    client = create_app(few).test_client()
    assert client.get(COMPOSITE).status_code == 200
    refused = client.get(COMPOSITE)
    assert refused.status_code == 429
    assert refused.mimetype == "text/plain"
    assert int(refused.headers["Retry-After"]) >= 1
    assert refused.headers["Cache-Control"] == "private, no-cache"


def test_without_valkey_there_is_a_sentence_and_no_picture(own_valkey: Valkey) -> None:
    app = create_app(Settings(valkey_url=own_valkey.url, secret=SECRET, valkey_timeout_ms=300))
    own_valkey.kill()
    client = app.test_client()
    for address in ("/index.png", COMPOSITE, address_of(DIVES[-1])):
        answer = client.get(address)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) >= 1
        assert answer.mimetype == "text/plain"
        assert answer.text.strip().endswith(".")
        assert answer.headers["Cache-Control"] == "private, no-cache"
    # What shows no figure asks nobody.
    opened(client.get(address_of("/redis-patterns/time-delay-priority")))


def test_an_authors_own_file_of_that_name_is_served_as_it_is(
    valkey: Valkey, tmp_path: Path
) -> None:
    folder = tmp_path / "redis-patterns" / "mine"
    folder.mkdir(parents=True)
    Image.new("RGB", (3, 2)).save(folder / "drawn.png")
    app = create_app(Settings(valkey_url=valkey.url, secret=SECRET, content=str(tmp_path)))
    answer = app.test_client().get("/redis-patterns/mine/drawn.png", buffered=True)
    assert Image.open(io.BytesIO(answer.data)).size == (3, 2)


# What a page says of it.


def meta(html: str, name: str) -> list[str]:
    tree = lxml.html.document_fromstring(html)
    found: list[str] = tree.xpath("//meta[@property=$n or @name=$n]/@content", n=name)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_its_picture(client: FlaskClient, page: str) -> None:
    html = client.get(page).text
    (address,) = meta(html, "og:image")
    assert address == f"http://localhost{address_of(page)}"
    assert (meta(html, "og:image:width"), meta(html, "og:image:height")) == (["1200"], ["630"])
    player = "player" if meta(html, "twitter:player") else "summary_large_image"
    assert meta(html, "twitter:card") == [player]
    (said,) = meta(html, "og:image:alt")
    assert len(said) > 10
    opened(client.get(address))


def test_a_page_in_a_state_names_the_picture_of_that_state(client: FlaskClient) -> None:
    for page in ("/", "/figures/composite"):
        html = client.get(f"{page}?tier=3&arrival=40&then=serve,add").text
        (address,) = meta(html, "og:image")
        assert address.startswith(f"http://localhost{address_of(page)}?tier=3&arrival=40&then=")
        assert (
            client.get(address).data
            == client.get(f"{address_of(page)}?tier=3&arrival=40&then=serve,add").data
        )


@pytest.mark.parametrize(
    "page", ["/scripts", "/scripts/packed/add_prioritized", "/glossary", "/no"]
)
def test_a_page_without_a_picture_names_none(client: FlaskClient, page: str) -> None:
    html = client.get(page).text
    assert meta(html, "og:image") == meta(html, "twitter:card") == []
