"""Front matter: every field is checked, and a fault names its line and a cure."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.course import front
from decoder.course.dive import Related, Source
from decoder.errors import CourseFault

GOOD = {
    "title": "A title",
    "headline": "One *word*",
    "kicker": "Above",
    "summary": "In short.",
    "lede": "At the start.",
}


def text(**fields: str) -> str:
    lines = "".join([f"{name}: {value}\n" for name, value in {**GOOD, **fields}.items()])
    return f"---\n{lines}---\nThe body.\n"


def fault(given: str) -> CourseFault:
    try:
        (found,) = front.read(given).faults
    except CourseFault as raised:
        return raised
    return found


def test_the_required_fields_are_enough() -> None:
    fields, _, markdown, first_line = front.read(text())
    assert fields == GOOD
    assert markdown == "The body.\n"
    assert text().split("\n")[first_line - 1] == "The body."


@pytest.mark.parametrize(
    ("name", "written", "key", "value"),
    [
        ("hue", "slot", "hue", "slot"),
        ("order", "3", "order", 3),
        ("order", "-1", "order", -1),
        ("design", "one-number", "design", "one-number"),
        ("figure", "composite", "figure", "composite"),
        ("start", "tier=2&arrival=17", "start", {"tier": "2", "arrival": "17"}),
        ("start", "reading=packed/priority&then=", "start",
         {"reading": "packed/priority", "then": ""}),
        ("now", "1780226888000", "now_ms", 1780226888000),
        ("proved", "Valkey 9.1.2", "proved", "Valkey 9.1.2"),
        ("title", "'A: b'", "title", "A: b"),
        ("sources", "[{title: T, url: 'https://x.example', says: S}]", "sources",
         [Source("T", "https://x.example", "S")]),
        ("sources", "[]", "sources", []),
        ("related", "[{title: T, to: /a}, {title: U}]", "related",
         [Related("T", "/a", ""), Related("U", "", "")]),
    ],
)  # fmt: skip
def test_each_field_is_read(name: str, written: str, key: str, value: object) -> None:
    read = front.read(text(**{name: written}))
    assert read.faults == []
    assert read.fields[key] == value


@pytest.mark.parametrize(
    ("name", "written", "cure"),
    [
        ("title", "2024", "write text"),
        ("title", "2024-01-01", "write text"),
        ("title", "yes", "write text"),
        ("kicker", "[a]", "write text"),
        ("summary", "x" * 161, "may have 160"),
        ("hue", "red", "tier, arrival, time, slot"),
        ("hue", "[tier]", "tier, arrival, time, slot"),
        ("design", "epic", "packed, one-number"),
        ("order", "first", "whole number"),
        ("order", "1.5", "whole number"),
        ("order", "true", "whole number"),
        ("now", "'soon'", "whole number"),
        ("start", "tier", "bad query field"),
        ("start", "3", "write text"),
        ("sources", "https://x.example", "write a list"),
        ("sources", "[https://x.example]", "write a list"),
        ("sources", "[{title: T}]", "lacks its url"),
        ("sources", "[{url: 'https://x.example'}]", "lacks its title"),
        ("sources", "[{title: T, url: 'javascript:alert(1)'}]", "begin it with https://"),
        ("sources", "[{title: T, url: /a}]", "begin it with https://"),
        ("sources", "[{title: 1, url: 'https://x.example'}]", "write text"),
        ("related", "[{to: /a}]", "lacks its title"),
        ("related", "[{title: T, to: a}]", "begin it with /"),
        ("related", "[{title: T, to: 'https://x.example'}]", "begin it with /"),
        ("related", "[{title: T, link: /a}]", "“link”"),
        ("related", "[{title: T, 1: /a}]", "“1”"),
        ("colour", "red", "“colour” is no field; there are title, headline"),
    ],
)
def test_each_field_is_refused_with_its_line_and_a_cure(name: str, written: str, cure: str) -> None:
    given = text(**{name: written})
    found = fault(given)
    assert cure in found.sentence
    assert found.sentence.startswith((f"{name}: ", "“colour”"))
    assert given.split("\n")[found.line - 1].startswith(f"{name}:")


@pytest.mark.parametrize("name", front.REQUIRED)
@pytest.mark.parametrize("how", ["left out", "empty", "blank"])
def test_a_required_field_that_is_missing_is_named(name: str, how: str) -> None:
    left = {field: value for field, value in GOOD.items() if field != name}
    if how != "left out":
        left[name] = "" if how == "empty" else "'  '"
    given = "---\n" + "".join([f"{field}: {value}\n" for field, value in left.items()]) + "---\n"
    assert name in fault(given).sentence


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("", 1),
        ("## No front matter\n", 1),
        ("\n" + text(), 1),
        ("---\ntitle: A\n", 1),
        ("---\ntitle: A\nkicker: b: c\n---\n", 3),
        ("---\ntitle: A\nkicker: [\n---\n", 3),
        ("---\n\ttitle: A\n---\n", 2),
        ("---\ntitle: {{x}}: y\n---\n", 2),
        ("---\njust words\n---\n", 2),
        ("---\n- a\n- list\n---\n", 2),
        ("---\ntitle: 2024-99-99\n---\n", 1),
        ("---\ntitle: !!python/object/apply:os.system [ls]\n---\n", 2),
        ("---\n" + "[" * 3000 + "\n---\n", 1),
    ],
)
def test_front_matter_that_cannot_be_read_is_refused_with_its_line(given: str, line: int) -> None:
    found = fault(given)
    assert found.line == line
    assert found.sentence.endswith((".", ".)"))


@pytest.mark.parametrize(
    ("written", "cure"),
    [
        ("a: b", "text with a colon needs quotes"),
        ("[draft] A: b", "begin the entries of a list below each other"),
        ("[draft", "the [ that opens here is never closed: close it with ]"),
        ("[{title: T, to: /x}", "the [ that opens here is never closed: close it with ]"),
        ("[{title: T, to: /x]", "the { that opens here is never closed: close it with }"),
        ("[a link](/x) in it", "put text that holds one of : # [ ] { } & * ! in quotes"),
        ("[A,", "the [ that opens here is never closed: close it with ]"),
        ("'A", "the ' that opens here is never closed: close it with '"),
        ('"A', 'the " that opens here is never closed: close it with "'),
        ("@home", "text that begins with @ needs quotes"),
        ("`SET`", "text that begins with ` needs quotes"),
        ("*Stress*", "text that begins with * or & needs quotes"),
        ("& c", "text that begins with * or & needs quotes"),
        ("A\n\tkicker: b", "indent with blanks and not with tabs"),
        ("2024-99-99", "text that looks like a date or a number needs quotes"),
        ("\x00", "take it out"),
        ("[" * 3000, "nested too deep"),
    ],
)
def test_yaml_that_cannot_be_read_gets_the_cure_that_fits(written: str, cure: str) -> None:
    found = fault(text(title=written))
    assert found.sentence.startswith("the front matter is no YAML here: ")
    assert cure in found.sentence
    assert found.line in (1, 2, 3)
    assert "\n" not in found.sentence


def test_every_fault_of_the_fields_is_told_with_its_line() -> None:
    given = "---\ntitle: T\nsummary: S\nlede: L\nhue: red\ncolour: red\norder: x\n---\nThe body.\n"
    faults = front.read(given).faults
    told = [(one.line, one.sentence.partition(":")[0]) for one in faults[:3]]
    strange = f"“colour” is no field; there are {', '.join(front.FIELDS)}."
    assert told == [(5, "hue"), (6, strange), (7, "order")]
    assert [one.sentence for one in faults[3:]] == [
        "add “headline: …” to the front matter.", "add “kicker: …” to the front matter.",
    ]  # fmt: skip


def test_a_field_that_is_written_wrongly_is_not_told_as_missing_too() -> None:
    (found,) = front.read(text(title="[a]")).faults
    assert found.sentence.startswith("title: write text")


@given(written=st.text(st.sampled_from("[]{}'\"&*!%@`|>-?:,# \n\tab01\\\0"), max_size=30))
def test_no_text_at_all_breaks_front_matter_otherwise_than_with_a_fault(written: str) -> None:
    with contextlib.suppress(CourseFault):
        front.read(text(kicker=written))


def test_every_field_of_a_dive_is_checked_by_a_test() -> None:
    marks = [
        mark
        for one in (test_each_field_is_read, test_each_field_is_refused_with_its_line_and_a_cure)
        for mark in one.pytestmark  # type: ignore[attr-defined]
    ]
    tried = {case[0] for mark in marks for case in mark.args[1]}
    assert set(front.FIELDS) - tried == {"headline", "lede"}  # text, as title and kicker are
