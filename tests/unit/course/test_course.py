"""A course: files of some folders into pages at their addresses; a broken one harms no other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from decoder.course import check, course, reading, starter
from decoder.course.course import Course
from decoder.errors import CourseFault
from decoder.figures import FIGURES, syllabus
from decoder.sandbox.scripts import load_scripts
from decoder.settings import Settings, files
from tests.support.course import FRONT, KNOWN, page, write

NOBODY = 65534
PAGE = page("## Part\n\nText.\n")


def loaded(*folders: Path) -> Course:
    return course.load(folders, KNOWN)


def told(found: Course) -> list[tuple[str, str]]:
    """Return the name of each file that has a fault, and the fault."""
    return [(Path(file).name, fault.sentence) for file, fault in found.faults]


def ordered(order: int, title: str) -> str:
    return PAGE.replace("title: A title", f"title: {title}\norder: {order}")


def test_a_page_is_at_the_address_of_its_file_and_a_chapter_at_its_folders(tmp_path: Path) -> None:
    for file in ("a/index.md", "a/b/index.md", "a/b/dive.md", "a/b/reindex.md", "top.md"):
        write(tmp_path, file, PAGE)
    found = loaded(tmp_path)
    assert set(found.dives) == {"/a", "/a/b", "/a/b/dive", "/a/b/reindex", "/top"}
    assert {one.path for one in found.dives.values() if one.is_chapter} == {"/a", "/a/b"}
    assert found.faults == []


def test_dives_have_their_order_chapter_crumbs_and_neighbours(tmp_path: Path) -> None:
    for file, text in {
        "c/index.md": ordered(0, "C"),
        "c/d/index.md": ordered(0, "D"),
        "c/d/z.md": ordered(1, "Z"),
        "c/d/deep/y.md": ordered(2, "Y"),
        "c/d/x.md": ordered(3, "X"),
        "alone.md": ordered(0, "Alone"),
    }.items():
        write(tmp_path, file, text)
    found = loaded(tmp_path)
    chapter = found.dives["/c/d"]
    assert [one.title for one in found.dives_of(chapter)] == ["Z", "Y", "X"]
    assert found.dives_of(found.dives["/c"]) == []
    middle = found.dives["/c/d/deep/y"]
    assert [one.title for one in found.crumbs(middle)] == ["C", "D"]
    assert found.neighbours(middle) == (found.dives["/c/d/z"], found.dives["/c/d/x"])
    assert found.neighbours(found.dives["/c/d/x"]) == (middle, None)
    assert found.neighbours(found.dives["/alone"]) == (None, None)


def test_a_broken_page_is_told_with_every_fault_and_the_others_stand(tmp_path: Path) -> None:
    write(tmp_path, "good.md", PAGE)
    path = write(tmp_path, "bad.md", "no front matter")
    write(tmp_path, "worse.md", page("## Part\n\n::: nte\n:::\n\n#### Deep\n"))
    found = loaded(tmp_path)
    assert set(found.dives) == {"/good"}
    assert set(found.broken) == {"/bad", "/worse"}
    assert found.broken["/bad"].file == "bad.md"
    (one,) = found.broken["/bad"].faults
    assert one.sentence == "begin with front matter between two lines of ---."
    assert [one.line - FRONT.count("\n") for one in found.broken["/worse"].faults] == [3, 4, 6]
    assert (str(path), 1) in [(file, fault.line) for file, fault in found.faults]
    assert len(found.faults) >= 3


def unreadable(folder: Path, kind: str) -> None:
    """Make a page that no reader can read."""
    bad = folder / "bad.md"
    if kind == "bytes":
        bad.write_bytes(PAGE.encode() + b"\xff\xfe")
    if kind == "huge":
        bad.write_text(PAGE + "x" * course.FILE_BYTES_MOST)
    if kind == "folder":
        bad.mkdir()
    if kind == "dangling":
        bad.symlink_to(folder / "nowhere.md")
    if kind == "loop":
        bad.symlink_to(bad)
    if kind == "outside":
        secret = write(folder.parent / "outside", "secret.md", PAGE)
        bad.symlink_to(secret)
    if kind == "formula":
        bad.write_text(page("## Part\n\n$\\sqrt$\n"))
    if kind == "date":
        bad.write_text(PAGE.replace("A title", "2024-99-99"))
    if kind == "empty":
        bad.write_text("")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("bytes", "save it as UTF-8"),
        ("huge", "may have 1048576"),
        ("folder", "cannot be read: Is a directory"),
        ("dangling", "cannot be read: No such file"),
        ("loop", "cannot be read: "),
        ("outside", "leads out of the course’s folder"),
        ("formula", "the formula \\sqrt cannot be read"),
        ("date", "no YAML"),
        ("empty", "begin with front matter"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_fault_and_no_end(
    tmp_path: Path, kind: str, says: str
) -> None:
    folder = tmp_path / "course"
    write(folder, "good.md", PAGE)
    unreadable(folder, kind)
    found = loaded(folder)
    assert set(found.dives) == {"/good"}
    assert set(found.broken) == {"/bad"}
    assert any(says in sentence for name, sentence in told(found) if name == "bad.md")


@contextmanager
def as_nobody() -> Iterator[Path]:
    """Be a user who may not read everything, as root may; yield a folder of that user."""
    with tempfile.TemporaryDirectory() as name:
        root = os.geteuid() == 0
        if root:
            os.chown(name, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            if root:
                os.seteuid(0)


def test_a_file_or_folder_without_permission_is_a_fault_and_no_end() -> None:
    with as_nobody() as folder:
        write(folder, "good.md", PAGE)
        write(folder, "bad.md", PAGE).chmod(0)
        write(folder, "closed/page.md", PAGE).parent.chmod(0)
        found = loaded(folder)
        (folder / "closed").chmod(0o700)
    assert set(found.dives) == {"/good"}
    assert set(found.broken) == {"/bad"}
    assert told(found) == [
        ("bad.md", "it cannot be read: Permission denied."),
        ("closed", "it cannot be opened: Permission denied."),
    ]


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_bytes(b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode())
    assert told(loaded(tmp_path)) == []


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    # As Kubernetes mounts a ConfigMap.
    real = write(tmp_path, "..data/page.md", PAGE)
    (tmp_path / "page.md").symlink_to(real)
    assert set(loaded(tmp_path).dives) == {"/page"}


@pytest.mark.parametrize("name", course.TAKEN)
def test_an_address_of_the_site_itself_is_no_dives(tmp_path: Path, name: str) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    ours.mkdir()
    write(theirs, f"{name}.md", PAGE)
    write(theirs, f"{name}/page.md", PAGE)
    write(theirs, f"{name}/picture.png", "")
    found = loaded(ours, theirs)
    assert found.dives == {}
    assert found.pictures == {}
    assert len(found.faults) == 3
    assert all(f"below /{name} are not the course’s" in sentence for _, sentence in told(found))


@pytest.mark.parametrize("name", ["a b", "é", "a?b", "a#b", "a%2f", "a;b", '"', "<b>"])
def test_a_name_that_is_no_address_is_a_fault_and_no_starter(tmp_path: Path, name: str) -> None:
    write(tmp_path, f"{name}.md", PAGE)
    found = loaded(tmp_path)
    assert found.dives == {}
    assert told(found) == [(f"{name}.md", reading.NAME_CURE)]
    with pytest.raises(CourseFault, match="its name is its address"):
        starter.write(tmp_path / "new" / f"{name}.md", "Valkey 9.1.2")


def test_two_files_at_one_address_are_a_fault_of_the_second(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    write(ours, "c/page.md", ordered(0, "Ours"))
    write(theirs, "c/page.md", ordered(0, "Theirs"))
    write(theirs, "c/other.md", ordered(0, "Other"))
    found = loaded(ours, theirs)
    assert {one.title for one in found.dives.values()} == {"Ours", "Other"}
    assert told(found) == [("page.md", "/c/page is there already: name this file otherwise.")]
    assert found.faults[0][0].startswith(str(theirs))
    assert found.broken == {}


def test_a_file_and_the_index_of_its_folder_are_at_one_address(tmp_path: Path) -> None:
    write(tmp_path, "c/page.md", PAGE)
    write(tmp_path, "c/page/index.md", PAGE)
    assert len(loaded(tmp_path).dives) == 1
    assert "/c/page is there already" in told(loaded(tmp_path))[0][1]


def test_hidden_folders_are_not_of_the_course(tmp_path: Path) -> None:
    write(tmp_path, ".git/notes.md", "nothing")
    write(tmp_path, ".venv/lib/README.md", "nothing")
    write(tmp_path, "c/.draft.md", "nothing")
    assert loaded(tmp_path).faults == []


def test_an_empty_folder_is_a_course_without_pages(tmp_path: Path) -> None:
    found = loaded(tmp_path)
    assert (found.dives, found.broken, found.faults) == ({}, {}, [])


def test_pictures_stand_at_their_own_addresses_and_none_outside(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    write(folder, "c/a.png", "")
    write(folder, "c/B.JPG", "")
    write(folder, "c/notes.txt", "")
    write(tmp_path, "secret.png", "")
    (folder / "c" / "out.png").symlink_to(tmp_path / "secret.png")
    (folder / "up").symlink_to(tmp_path)
    found = loaded(folder)
    assert set(found.pictures) == {"/c/a.png", "/c/B.JPG"}
    assert ("out.png", "it leads out of the course’s folder: put a copy there.") in told(found)


# Links


def dead(folder: Path, link: str) -> list[tuple[int, str]]:
    """Return what is said of a link in a page that has a section, a figure and a picture."""
    front = FRONT.replace("---\n", "---\nsources: [{title: T, url: 'https://x.example'}]\n", 1)
    body = f"## Part\n\n### Below\n\n[x]({link})\n\n```transcript run\n> GET k\n(nil)\n```\n"
    body += "\n::: figure composite\n:::\n"
    write(folder, "c/page.md", page(body, front))
    write(folder, "c/index.md", PAGE)
    write(folder, "c/a.png", "")
    found = loaded(folder)
    assert told(found) == []
    line = front.count("\n") + 5
    return [(fault.line - line, fault.sentence) for _, fault in check.link_faults(
        found, {"/", "/glossary", "/figures/composite"}.__contains__)]  # fmt: skip


@pytest.mark.parametrize(
    "link",
    ["/", "/c", "/c#part", "/c/page", "/c/page#below", "#part", "#below", "#run", "#sources",
     "#composite", "#main", "/glossary", "/glossary#score", "/glossary#sorted-set", "/c/a.png",
     "/figures/composite?tier=2", "/c/page?tier=2#part", "https://x.example/#y",
     "mailto:a@x.example"],
)  # fmt: skip
def test_a_link_that_leads_somewhere_is_no_fault(tmp_path: Path, link: str) -> None:
    assert dead(tmp_path, link) == []


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("/nowhere", "there is no such page"),
        ("/c/", "there is no such page"),
        ("/c/page.md", "there is no such page"),
        ("/c/b.png", "there is no such page"),
        ("//x.example/", "there is no such page"),
        ("page", "begin links to pages with “/”"),
        ("page.md", "begin links to pages with “/”"),
        ("a.png", "begin links to pages with “/”"),
        ("#parts", "/c/page has below, composite, main, part, run, sources"),
        ("#related", "/c/page has"),
        ("/c#below", "/c has main, part"),
        ("/glossary#leese", "/glossary has lease, score, sorted-set"),
    ],
)
def test_a_dead_link_is_told_on_its_line(tmp_path: Path, link: str, says: str) -> None:
    ((line, sentence),) = dead(tmp_path, link)
    assert line == 0
    assert sentence.startswith(f"{link} leads nowhere: ")
    assert says in sentence


def test_a_link_to_a_broken_page_is_told_there_and_not_here(tmp_path: Path) -> None:
    write(tmp_path, "good.md", page("## Part\n\n[x](/bad#part)\n"))
    write(tmp_path, "bad.md", page("## Part\n\n::: nte\n:::\n"))
    assert list(check.link_faults(loaded(tmp_path), {"/"}.__contains__)) == []


def test_a_dead_relation_is_told_and_others_addresses_are_listed(tmp_path: Path) -> None:
    related = "related: [{title: T, to: /nowhere}, {title: U, to: /c}, {title: V}]"
    sources = "sources: [{title: T, url: 'https://a.example'}]"
    front = FRONT.replace("---\n", f"---\n{related}\n{sources}\n", 1)
    write(tmp_path, "c.md", page("## Part\n\n<https://b.example> [c](/c)\n", front))
    found = loaded(tmp_path)
    ((file, fault),) = check.link_faults(found, {"/"}.__contains__)
    assert file == str(tmp_path / "c.md")
    assert "/nowhere leads nowhere" in fault.sentence
    assert check.external_links(found) == ["https://a.example", "https://b.example"]


# Ours


def test_all_of_our_pages_are_read_without_a_fault() -> None:
    scripts = load_scripts(files("lua"))
    ours = syllabus.read(scripts, Settings())
    assert [(file, one.line, one.sentence) for file, one in ours.faults] == []
    assert list(ours.dives) == [
        one.path for one in sorted(ours.dives.values(), key=lambda one: (one.order, one.path))
    ]
    assert "/redis-patterns/time-delay-priority/score-as-meaning/packed" in ours.dives
    assert list(check.link_faults(ours, syllabus.addresses(scripts).__contains__)) == []


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        ("composite tier=2 arrival=17 then=serve,add", ""),
        ("composite tier=2 arrival=17 then=sreve", "“sreve” in the address is nothing"),
        ("composite tier=99 arrival=17", "“99” became 5"),
        ("three-readings reading=one-number/order step=2", ""),
        ("three-readings reading=packed/nope", "“packed/nope” is no reading"),
        ("three-readings step=9", "“9” became 4"),
        ("two-designs", ""),
    ],
)
def test_a_start_that_its_figure_would_correct_is_a_fault(
    tmp_path: Path, figure: str, says: str
) -> None:
    write(tmp_path, "page.md", page(f"## Part\n\n::: figure {figure}\n:::\n"))
    known = syllabus.known(load_scripts(files("lua")), files("content"))
    found = [fault.sentence for _, fault in course.load([tmp_path], known).faults]
    assert bool(found) == bool(says)
    assert says in "".join(found)


def test_what_a_dive_may_name_is_what_there_is() -> None:
    scripts = load_scripts(files("lua"))
    known = syllabus.known(scripts, files("content"))
    assert set(known.figures) == set(FIGURES)
    assert set(known.scripts) == set(scripts)
    assert not {"evalsha", "script|load", "pexpire"} & set(known.commands)
