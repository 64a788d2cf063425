"""Dives: a Markdown file is read into a page, or refused with file and cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from decoder.course import dive
from decoder.errors import CourseFault
from decoder.figures import FIGURES
from decoder.settings import files

GOOD = """---
title: A title
headline: One *word* of it
kicker: Above
summary: In short.
lede: At the start.
figure: composite
---

## First part

Some *text*.

## Second, part!

More.
"""


def written(folder: Path, text: str, name: str = "course/page.md") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_good_page_is_read_with_its_sections(tmp_path: Path) -> None:
    one = dive.read(written(tmp_path, GOOD), tmp_path, FIGURES)
    assert one.path == "/course/page"
    assert one.figure == "composite"
    assert [(part.anchor, part.title) for part in one.sections] == [
        ("first-part", "First part"),
        ("second-part", "Second, part!"),
    ]
    assert "<em>text</em>" in one.sections[0].html
    assert not one.is_chapter


def test_an_index_is_a_chapter_at_the_address_of_its_folder(tmp_path: Path) -> None:
    one = dive.read(written(tmp_path, GOOD, "course/index.md"), tmp_path, FIGURES)
    assert one.path == "/course"
    assert one.is_chapter


def test_the_parents_of_a_dive_are_the_addresses_above_it(tmp_path: Path) -> None:
    one = dive.read(written(tmp_path, GOOD, "a/b/c.md"), tmp_path, FIGURES)
    assert one.parents == ["/a", "/a/b"]


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("## No front matter\n", "front matter"),
        ("", "front matter"),
        (GOOD.replace("title: A title\n", ""), "title"),
        (GOOD.replace("lede: At the start.\n", "lede:\n"), "lede"),
        (GOOD.replace("figure: composite", "figure: compsite"), "compsite"),
    ],
)
def test_a_bad_page_is_refused_with_its_file_and_a_cure(
    tmp_path: Path, text: str, cure: str
) -> None:
    with pytest.raises(CourseFault) as caught:
        dive.read(written(tmp_path, text), tmp_path, FIGURES)
    assert "course/page.md" in caught.value.sentence
    assert cure in caught.value.sentence


@pytest.mark.parametrize(
    "front", ["title: [", "just words", "- a\n- list", "title: {{x}}: y", "\ttitle: x"]
)
def test_front_matter_that_cannot_be_read_is_refused_with_its_file(
    tmp_path: Path, front: str
) -> None:
    with pytest.raises(CourseFault) as caught:
        dive.read(written(tmp_path, f"---\n{front}\n---\n\ntext\n"), tmp_path, FIGURES)
    assert "course/page.md" in caught.value.sentence


def test_all_of_our_pages_are_read() -> None:
    dives = dive.load(files("content"), FIGURES)
    assert "/redis-patterns/time-delay-priority" in dives
    assert "/redis-patterns/time-delay-priority/score-as-meaning/packed" in dives
    assert list(dives.values()) == sorted(dives.values(), key=lambda one: one.order)
    for path, one in dives.items():
        anchors = [part.anchor for part in one.sections]
        assert all(anchors), path
        assert len(anchors) == len(set(anchors)), path
