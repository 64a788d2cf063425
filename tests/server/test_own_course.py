"""An instructor's folder beside our course: served, told when broken, and harmless to ours."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.errors import SettingsError
from decoder.settings import Settings
from decoder.web.errors import FAULTS_MOST
from tests.conftest import SECRET
from tests.support.course import FRONT, page, write
from tests.support.figure import HTML, JSON
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

CHAPTER = "/redis-patterns/time-delay-priority"
OURS = f"{CHAPTER}/score-as-meaning/packed"
MINE = page("## Part\n\nText.\n\n```transcript one\n> INCR n\n(integer) 1\n```\n")
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "mine"
    made.mkdir()
    return made


@pytest.fixture
def opened(folder: Path, valkey: Valkey) -> Callable[[], FlaskClient]:
    """Start the application with what the folder holds by now."""

    def start() -> FlaskClient:
        settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(folder))
        return create_app(settings).test_client()

    return start


def ours_stand(client: FlaskClient) -> bool:
    pages = [client.get(path) for path in ("/", CHAPTER, OURS, "/figures/composite")]
    return all(one.status_code == 200 for one in pages) and "order in the score" in pages[2].text


def test_a_dive_is_served_beside_ours_without_touching_code(
    folder: Path, opened: Callable[[], FlaskClient]
) -> None:
    write(folder, "mine/index.md", page("## About\n\nWords.\n"))
    write(folder, "mine/page.md", MINE.replace("title: A title", "title: All mine"))
    client = opened()
    answer = client.get("/mine/page")
    assert answer.status_code == 200
    assert "All mine" in answer.text
    assert "/mine/page" in lxml.html.document_fromstring(client.get("/mine").text).xpath("//@href")
    run = client.post("/mine/page/transcripts/one/runs", headers=JSON).get_json()
    assert [step["agrees"] for step in run["steps"]] == [True]
    assert ours_stand(client)


def test_a_dive_may_join_a_chapter_of_ours(folder: Path, opened: Callable[[], FlaskClient]) -> None:
    write(folder, f"{CHAPTER}/mine.md".removeprefix("/"), MINE)
    client = opened()
    listed = lxml.html.document_fromstring(client.get(CHAPTER).text).xpath("//@href")
    assert {f"{CHAPTER}/mine", OURS} <= set(listed)
    assert client.get(f"{CHAPTER}/mine").status_code == 200


def hrefs(client: FlaskClient, path: str, within: str = "//main") -> list[str]:
    tree = lxml.html.document_fromstring(client.get(path).text)
    return list(tree.xpath(f"{within}//@href"))


CRUMBS = '//nav[@aria-label="You are here"]'


def test_dives_of_a_folder_are_reached_from_home_with_and_without_a_chapter(
    folder: Path, opened: Callable[[], FlaskClient]
) -> None:
    write(folder, "mine/index.md", page("## About\n\nWords.\n"))
    write(folder, "mine/first.md", MINE)
    write(folder, "mine/deep/index.md", page("## About\n\nWords.\n"))
    write(folder, "mine/deep/second.md", MINE)
    write(folder, "loose/third.md", MINE)
    write(folder, f"{CHAPTER}/fourth.md".removeprefix("/"), MINE)
    client = opened()
    mine = {"/mine", "/mine/first", "/mine/deep", "/mine/deep/second", "/loose/third"}
    listed = hrefs(client, "/", '//section[@id="beside"]')
    assert set(listed) == mine | {CHAPTER, f"{CHAPTER}/fourth"}
    assert {"/mine/first", "/mine/deep"} <= set(hrefs(client, "/mine"))
    assert "/mine/deep/second" in hrefs(client, "/mine/deep")
    # From each a way back: over its chapters, or to the list on the home page.
    for path, back in {
        "/mine": ["/#beside"],
        "/mine/first": ["/#beside", "/mine"],
        "/mine/deep": ["/#beside", "/mine"],
        "/mine/deep/second": ["/#beside", "/mine", "/mine/deep"],
        "/loose/third": ["/#beside"],
        f"{CHAPTER}/fourth": [CHAPTER],
        OURS: [CHAPTER],
        CHAPTER: [],
    }.items():
        assert hrefs(client, path, CRUMBS) == back, path
        # No landmark is empty.
        assert not lxml.html.document_fromstring(client.get(path).text).xpath("//nav[not(.//a)]")
    assert {"/mine", "/loose/third"} <= set(hrefs(client, "/nothing/of/the/kind"))


def test_dives_of_a_folder_join_the_site_map_and_llms_txt(
    folder: Path, opened: Callable[[], FlaskClient]
) -> None:
    write(folder, "mine/index.md", page("## About\n\nWords.\n"))
    write(folder, "mine/first.md", MINE)
    write(folder, "loose/third.md", MINE)
    client = opened()
    llms = client.get("/llms.txt").text
    beside = llms.partition("## Beside our course\n")[2].partition("\n## ")[0]
    for path in ("/mine", "/mine/first", "/loose/third"):
        assert f"http://localhost{path}<" in client.get("/sitemap.xml").text
        assert f"(http://localhost{path}): In short." in beside
    assert OURS not in beside


def test_a_broken_chapter_hides_no_dive_below_it(
    folder: Path, opened: Callable[[], FlaskClient]
) -> None:
    write(folder, "mine/index.md", "no front matter")
    write(folder, "mine/first.md", MINE)
    client = opened()
    assert hrefs(client, "/", '//section[@id="beside"]') == ["/mine/first"]


def test_without_a_folder_the_home_page_lists_nothing_beside_ours(client: FlaskClient) -> None:
    assert 'id="beside"' not in client.get("/").text
    assert "Beside our course" not in client.get("/llms.txt").text


BROKEN: dict[str, bytes] = {
    "no front matter": b"Just text.",
    "broken YAML": b"---\ntitle: a: b\n---\n",
    "a date that is none": MINE.replace("A title", "2024-99-99").encode(),
    "a formula": page("## Part\n\n$\\sqrt$\n").encode(),
    "a directive": page("## Part\n\n::: nte\n:::\n").encode(),
    "a command": page("## P\n\n```transcript a\n> EVAL x 0\nOK\n```\n").encode(),
    "no UTF-8": b"\xff\xfe\x00",
    "empty": b"",
    "deep": b"---\n" + b"[" * 10_000 + b"\n---\n",
    "nested": page("## Part\n\n" + "> " * 5000 + "x\n").encode() + b"\n::: x",
    "huge": page("x" * 2_000_000).encode(),
    "several": page("## Part\n\n::: nte <b>\n:::\n\n#### Deep\n\n[]: x\n$\\sqrt$\n").encode(),
    "many": page("## Part\n\n" + "::: nte\n\n" * 5000).encode(),
}


def wrong_with(file: Path, logged: str) -> tuple[str, str]:
    """Return line and sentence of what the log says of a file; "0" and nothing for another."""
    line, _, sentence = logged.removeprefix(f"{file}:").partition(": ")
    return (line, sentence) if logged.startswith(f"{file}:") else ("0", "")


def words(element: lxml.html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_page_is_told_and_takes_nothing_else_down(
    folder: Path, opened: Callable[[], FlaskClient], caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    write(folder, "mine/good.md", MINE)
    bad = folder / "mine" / "bad.md"
    bad.write_bytes(BROKEN[kind])
    with caplog.at_level(logging.WARNING):
        client = opened()
    told = [record.getMessage() for record in caplog.records]
    assert [one for one in told if one.startswith(f"{bad}:")]
    assert client.get("/mine/good").status_code == 200
    assert ours_stand(client)
    faults = [(int(one), said) for one, said in (wrong_with(bad, line) for line in told) if said]
    answer = client.get("/mine/bad", headers=HTML)
    assert answer.status_code == 503
    assert "<h1>This page cannot be shown: its file has " in answer.text
    tree = lxml.html.document_fromstring(answer.text)
    shown = [words(one) for one in tree.xpath('//section[@class="broken"]//li')]
    most = faults[:FAULTS_MOST]
    assert shown == [
        " ".join(f"mine/bad.md{f':{line}' if line else ''}: {said}".split()) for line, said in most
    ]
    for text in (answer.text, client.get("/mine/bad", headers=JSON).text):
        assert str(folder) not in text
    error = client.get("/mine/bad", headers=JSON).get_json()["error"]
    assert "cannot be shown: " in error["sentence"]
    assert [(one["line"], one["sentence"]) for one in error["faults"]] == most
    assert {one["file"] for one in error["faults"]} == {"mine/bad.md"}


def test_a_broken_page_is_not_listed_and_cannot_be_run(
    folder: Path, opened: Callable[[], FlaskClient]
) -> None:
    write(folder, f"{CHAPTER}/bad.md".removeprefix("/"), MINE + "\n::: nte\n:::\n")
    client = opened()
    assert f"{CHAPTER}/bad" not in client.get(CHAPTER).text
    assert client.post(f"{CHAPTER}/bad/transcripts/one/runs").status_code == 404


def test_ours_is_never_replaced(folder: Path, opened: Callable[[], FlaskClient]) -> None:
    before = opened().get(OURS).text
    title = lxml.html.document_fromstring(before).findtext(".//title")
    for file in (f"{OURS}.md", f"{CHAPTER}/index.md", "figures/composite.md", "static/x.md"):
        write(folder, file.removeprefix("/"), MINE.replace("A title", "Stolen"))
    write(folder, "static/x.png", "")
    client = opened()
    assert lxml.html.document_fromstring(client.get(OURS).text).findtext(".//title") == title
    for path in (OURS, CHAPTER, "/figures/composite", "/"):
        assert "Stolen" not in client.get(path).text
    assert client.get("/static/x.png").status_code == 404
    assert client.get("/static/x").status_code in (404, 503)
    assert ours_stand(client)


@pytest.mark.parametrize(
    ("name", "kind", "content"),
    [
        ("a.png", "image/png", PNG),
        ("b.JPG", "image/jpeg", b"\xff\xd8"),
        ("c.webp", "image/webp", b"RIFF"),
        ("d.gif", "image/gif", b"GIF89a"),
        ("e.svg", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ],
)
def test_a_picture_beside_a_dive_is_served_as_what_it_is(
    folder: Path, opened: Callable[[], FlaskClient], name: str, kind: str, content: bytes
) -> None:
    write(folder, "mine/page.md", page(f"## Part\n\n![A picture]({name})\n"))
    (folder / "mine" / name).write_bytes(content)
    client = opened()
    tree = lxml.html.document_fromstring(client.get("/mine/page").text)
    (source,) = tree.xpath("//article//img/@src")
    answer = client.get(source, buffered=True)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, kind, content)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/mine/../../secret.png",
        "/../secret.png",
        "/mine/%2e%2e/%2e%2e/secret.png",
        "/mine/..%2f..%2fsecret.png",
        "/mine//secret.png",
        "/mine/out.png",
        "/mine/up/secret.png",
        "/mine/page.md",
        "/mine/notes.txt",
        "/glossary.yaml",
        "/mine/a.png/",
        "/mine/a.png%00.md",
        "/" + "a" * 300 + ".png",
        "/" + "a/" * 2000 + ".png",
        "/mine",
    ],
)
def test_nothing_but_pages_and_pictures_of_the_folder_is_served(
    folder: Path, opened: Callable[[], FlaskClient], path: str
) -> None:
    write(folder, "mine/page.md", MINE)
    write(folder, "mine/notes.txt", "private")
    (folder / "mine" / "a.png").write_bytes(PNG)
    write(folder.parent, "secret.png", "secret")
    (folder / "mine" / "out.png").symlink_to(folder.parent / "secret.png")
    (folder / "mine" / "up").symlink_to(folder.parent)
    client = opened()
    answer = client.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text.replace("secret.png", "")
    assert "private" not in answer.text


def test_a_page_that_leads_out_of_the_folder_is_not_shown(
    folder: Path, opened: Callable[[], FlaskClient]
) -> None:
    outside = write(folder.parent, "outside.md", MINE.replace("A title", "Outside"))
    (folder / "page.md").symlink_to(outside)
    answer = opened().get("/page")
    assert answer.status_code == 503
    assert "Outside" not in answer.text
    assert "put a copy there" in answer.text


def test_an_empty_folder_leaves_ours_as_they_are(opened: Callable[[], FlaskClient]) -> None:
    assert ours_stand(opened())


def test_a_folder_that_is_not_there_is_refused_at_the_start(valkey: Valkey, folder: Path) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, content=str(folder / "none"))
    with pytest.raises(SettingsError, match="is no folder"):
        create_app(settings)


def dives(app: Flask) -> Any:
    return app.jinja_env.globals["course"].dives  # type: ignore[attr-defined]


def test_every_id_of_every_dive_of_ours_stands_on_its_page_once(client: FlaskClient) -> None:
    seen = 0
    for path, dive in dives(client.application).items():
        tree = lxml.html.document_fromstring(client.get(path).text)
        ids = tree.xpath("//@id")
        assert [one for one in ids if ids.count(one) > 1] == [], path
        # A chapter may show its figure another way; what a link can lead to must be there.
        assert dive.anchors - set(ids) == set(), path
        seen += 1
    assert seen >= 2


@pytest.mark.parametrize("field", ["title", "kicker", "summary", "lede", "headline"])
def test_what_an_instructor_writes_in_the_front_matter_is_text(
    folder: Path, opened: Callable[[], FlaskClient], field: str
) -> None:
    evil = '<script>alert(1)</script>\\" onload=x'
    front = "".join(
        [
            f'{field}: "{evil}"\n' if line.startswith(f"{field}:") else f"{line}\n"
            for line in FRONT.strip("\n").split("\n")
        ]
    )
    write(folder, "mine/index.md", page("## Part\n\nText.\n", front))
    write(folder, "mine/page.md", page("## Part\n\nText.\n", front))
    client = opened()
    for path in ("/mine", "/mine/page"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        tree = lxml.html.document_fromstring(answer.text)
        assert not tree.xpath("//@onload")
