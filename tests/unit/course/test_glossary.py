"""The glossary: one file of terms, and each term's first use found in a dive."""

from __future__ import annotations

from pathlib import Path

import pytest

from decoder.course import glossary, markup
from decoder.course.glossary import FirstUses
from decoder.errors import CourseFault
from decoder.settings import files
from tests.support.course import html, read

FILE = """- term: score
  says: A double.
- term: Member
  also: [members]
  says: |
    What a set holds.
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "glossary.yaml"
    path.write_text(text, "utf-8")
    return path


def test_terms_are_read_in_the_order_of_the_alphabet(tmp_path: Path) -> None:
    terms = glossary.load(written(tmp_path, FILE))
    assert list(terms) == ["Member", "score"]
    assert terms["Member"].also == ("members",)
    assert terms["Member"].says == "What a set holds."
    assert terms["Member"].anchor == "member"


def test_a_course_without_a_glossary_has_no_terms(tmp_path: Path) -> None:
    assert glossary.load(tmp_path / "none.yaml") == {}
    assert list(FirstUses({}).split("a score")) == [("a score", None)]


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("term: score", "write a list"),
        ("- score", "needs term and says"),
        ("- term: score", "needs term and says"),
        ("- {term: score, says: ''}", "needs term and says"),
        ("- {term: score, says: a}\n- {term: Score, says: b}", "“Score” is defined twice"),
        ("- {term: a, says: a}\n- {term: b, also: [A], says: b}", "“A” is defined twice"),
        ("- {term: score, also: scores, says: a}", "“score”: write also as a list"),
        ("- {term: score, also: [''], says: a}", "“score”: write also as a list"),
        ("- {term: a: b", "no YAML: the { that opens here is never closed"),
        ("- term: a\n  also: [b\n  says: c", r"no YAML: the \[ that opens here is never closed"),
        ("- {term: 2024-99-99, says: x}", "no YAML"),
    ],
)
def test_a_broken_glossary_is_refused_with_a_cure(tmp_path: Path, text: str, cure: str) -> None:
    with pytest.raises(CourseFault, match=cure):
        glossary.load(written(tmp_path, text))


LINK = '<a href="/glossary#{}" class="term">{}</a>'


def test_the_first_use_of_each_term_leads_to_the_glossary() -> None:
    shown = html("A sorted set keeps scores. Each sorted set and each score.\n\nScores again.")
    assert shown.count("/glossary#") == 2
    assert LINK.format("sorted-set", "sorted set") in shown
    assert LINK.format("score", "scores") in shown


def test_a_term_is_linked_once_over_all_blocks_of_a_dive() -> None:
    dive = read(
        "## One\n\nA lease.\n\n::: note N\nA lease and a score.\n:::\n\n## Two\n\nScore, lease."
    )
    whole = "".join([str(getattr(block, "html", "")) for block in dive.blocks])
    assert whole.count("/glossary#lease") == 1
    assert whole.count("/glossary#score") == 1


@pytest.mark.parametrize(
    "markdown",
    [
        "`score`",
        "[a score](/x)",
        "[a *score*](/x)",
        "### Score\n\nNo word.",
        "```text\nscore\n```",
        "    score",
        "![a score](x.png)",
        "$\\text{score}$",
        "a score-card, underscore, scored",
    ],
)
def test_code_links_headings_pictures_and_parts_of_words_are_left_alone(markdown: str) -> None:
    assert "/glossary" not in html(markdown)


def test_a_use_that_is_left_alone_is_no_first_use() -> None:
    assert LINK.format("score", "score") in html("### Score\n\n[score](/x) and `score`: a score.")


def test_code_that_is_a_command_of_the_glossary_is_a_use() -> None:
    terms = {"ZPOPMIN": glossary.Term("ZPOPMIN", (), "Takes."), "PC": glossary.Term("PC", (), "N.")}
    tokens = markup.parse("A `ZPOPMIN KEY`, `zpopmin`, [`ZPOPMIN`](/x), a `ZPOPMIN`, a `ZPOPMIN`.")
    markup.link_terms(tokens, FirstUses(terms))
    shown = markup.render(tokens)
    code = '<code class="command"><span class="k">ZPOPMIN</span>'
    assert shown.count("/glossary#") == 1
    assert f", a {LINK.format('zpopmin', code + '</code>')}, a {code}" in shown


def test_the_longest_form_wins() -> None:
    assert LINK.format("sorted-set", "sorted sets") in html("Two sorted sets.")


def test_a_term_inside_emphasis_or_a_table_is_found() -> None:
    assert LINK.format("score", "score") in html("A *score*.")
    assert LINK.format("lease", "lease") in html("| a |\n|---|\n| lease |\n")


def test_text_that_looks_like_a_pattern_is_only_a_text() -> None:
    odd = {"a.*b": glossary.Term("a.*b", ("(x", "[y]"), "Odd.")}
    pieces = list(FirstUses(odd).split("axxb a.*b [y]"))
    assert [(piece, term.name) for piece, term in pieces if term] == [("a.*b", "a.*b")]


def test_our_glossary_is_read() -> None:
    terms = glossary.load(files("content") / "glossary.yaml")
    assert all(term.anchor for term in terms.values())
