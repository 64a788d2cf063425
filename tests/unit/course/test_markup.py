"""Markup: formulas, key names and commands set as such; what an author wrote stays a text."""

from __future__ import annotations

import contextlib
import html as html_text
import re
import time
from collections.abc import Callable

import lxml.html
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.course import markup
from decoder.errors import CourseFault
from decoder.transcripts import command
from tests.support.course import html


@pytest.mark.parametrize(
    ("word", "fact"),
    [("tier", "tier"), ("priority", "tier"), ("arrival", "arrival"), ("counter", "arrival"),
     ("time", "time"), ("due", "time"), ("ms", "time"), ("slot", "slot")],
)  # fmt: skip
def test_a_word_of_a_formula_takes_the_colour_of_its_fact(word: str, fact: str) -> None:
    shown = html(rf"$\text{{{word}}} \times 2^{{32}}$")
    assert f'<mtext class="fact-{fact}">{word}</mtext>' in shown


def test_a_formula_is_mathml_with_its_signs() -> None:
    shown = html(r"$\text{tier} \times 2^{32} + \text{arrival} \le 2^{53}$")
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML"' in shown
    assert "<mo>×</mo><msup><mn>2</mn><mrow><mn>32</mn></mrow></msup>" in shown
    assert "<mo>≤</mo>" in shown
    assert 'class="fact-' not in html(r"$\text{other}$")


def test_a_formula_may_stand_alone() -> None:
    assert '<div class="math block">' in html("$$\na < b\n$$")
    assert "<mo>&lt;</mo>" in html("$$\na < b\n$$")


def test_a_price_is_no_formula() -> None:
    assert "<math" not in html("It costs $5 and $6, or $ 7 $.")


@pytest.mark.parametrize(
    "latex",
    [r"\text{<img src=x onerror=alert(1)>}", r"\text{&lt;script&gt;}", "a < b > c", "a & b",
     r'\color{"><script>}{a}', r"\text{</math><script>}"],
)  # fmt: skip
def test_what_looks_like_html_in_a_formula_stays_text(latex: str) -> None:
    tree = lxml.html.fragment_fromstring(markup.formula_html(latex))
    assert {str(one.tag) for one in tree.iter()} <= {
        "math", "mrow", "mtext", "mo", "mi", "mn", "mstyle",
    }  # fmt: skip
    assert not [name for one in tree.iter() for name in one.attrib if name.startswith("on")]


@pytest.mark.parametrize(
    ("latex", "why"),
    [(r"\sqrt", "no available tokens"), ("x^", "missing super script or subscript"),
     (r"\foo{", "no available tokens"), (r"\left(", "no available tokens"),
     ("a_b_c", "double subscripts"), (r"\href{javascript:alert(1)}{x}", "may not set href"),
     (r"\style{color:red}{x}", "may not set style"), (r"\class{lede}{x}", "may not set class")],
)  # fmt: skip
def test_what_is_no_formula_is_a_fault_that_says_why(latex: str, why: str) -> None:
    with pytest.raises(CourseFault) as caught:
        markup.formula_html(latex)
    assert why in caught.value.sentence
    assert latex in caught.value.sentence


@given(latex=st.text(st.sampled_from(r"\{}[]^_&<>$ abc12") | st.characters(), max_size=30))
@example(latex="\x00")
@example(latex="\ud800")
def test_no_text_at_all_breaks_a_formula_otherwise_than_with_a_fault(latex: str) -> None:
    try:
        shown = markup.formula_html(latex)
    except CourseFault:
        return
    assert shown.startswith("<math ")


@pytest.mark.parametrize(
    "key", ["emq:{orders}:pending", ":delayed", "bull:orders:id", "{sbx:…}:composite:", "a:*",
            "emq:{orders}:job:<id>"],
)  # fmt: skip
def test_a_key_name_is_set_as_a_key(key: str) -> None:
    (code,) = lxml.html.fragment_fromstring(html(f"`{key}`")).iter("code")
    assert code.get("class") == "key"
    assert code.text_content() == key


@pytest.mark.parametrize(
    "typed", ["ZADD", "ZRANGE s 0 -1", "SCRIPT LOAD", "SET text 'a <b>'", "ZPOPMIN"]
)
def test_a_command_is_coloured_and_reads_as_it_was_written(typed: str) -> None:
    (code,) = lxml.html.fragment_fromstring(html(f"`{typed}`")).iter("code")
    assert code.get("class") == "command"
    assert code.text_content() == typed
    assert code.find("span") is not None


@pytest.mark.parametrize("text", ["x", "a<b", "KEYS[1]", "score", "2^53", "a/b:c d", "Z"])
def test_other_code_is_only_code(text: str) -> None:
    (code,) = lxml.html.fragment_fromstring(html(f"`{text}`")).iter("code")
    assert dict(code.attrib) == {}
    assert code.text_content() == text


def kinds(typed: str) -> dict[str, str]:
    """Return the class of each coloured word of a command."""
    tree = lxml.html.fragment_fromstring(f"<p>{markup.command_html(typed)}</p>")
    return {span.text_content(): span.get("class", "") for span in tree.iter("span")}


def test_the_parts_of_a_command_are_told_apart() -> None:
    found = kinds('ZADD emq:{orders}:pending NX 1780226978000 "task:abc 123" -inf')
    assert found["ZADD"] == "k"
    assert found["emq:{orders}:pending"] == "nv"
    assert found["NX"] == "kp"
    assert found["1780226978000"] == found["-inf"] == "m"
    assert found['"task:abc 123"'] == "s"
    called = kinds("valkey-cli --eval lua/packed/add_prioritized.lua emq:{orders}:pc , 2 x")
    assert called["lua/packed/add_prioritized.lua"] == "nf"
    assert called["emq:{orders}:pc"] == "nv"


@given(typed=st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=60))
@example(typed="")
@example(typed=" ZADD  s ")
@example(typed="ZADD <b> &amp; \"'")
def test_a_coloured_command_reads_as_it_was_typed(typed: str) -> None:
    text = re.sub("<[^>]*>", "", markup.command_html(typed))
    assert html_text.unescape(text) == html_text.unescape(html_text.escape(typed))


def test_a_fence_of_a_known_language_is_coloured_and_another_is_a_fault() -> None:
    assert '<span class="kd">local</span>' in html("```lua\nlocal x = 1\n```")
    assert '<span class="k">ZADD</span>' in html("```valkey-cli\nZADD s 1 m\n```")
    assert "<span" not in html("```\n<b>plain</b>\n```")
    assert "&lt;b&gt;" in html("```\n<b>plain</b>\n```")


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick=x>b</b>",
        "<!-- a comment -->",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](vbscript:x)",
        "[x](data:text/html,x)",
        "<javascript:alert(1)>",
        '[x](/a "onmouseover=alert(1)")',
        "`<script>`",
        "```text\n<script>\n```",
        "[x]: javascript:alert(1)\n\n[x]",
        "| a |\n|---|\n| <script> |\n",
    ],
)
def test_html_and_scripts_of_an_author_stay_text(markdown: str) -> None:
    tree = lxml.html.fragment_fromstring(html(markdown), create_parent="div")
    tags = {str(one.tag) for one in tree.iter()}
    assert not tags & {"script", "img", "b"}
    assert not [href for href in tree.xpath("//@href") if ":" in href]
    assert not [name for one in tree.iter() for name in one.attrib if name.startswith("on")]


# However an author writes, reading takes about as long as the text is.

LONG = 100_000
HOSTILE: dict[str, Callable[[int], str]] = {
    "one word": lambda n: "ZADD " + "a" * n,
    "braces": lambda n: "ZADD " + "{" * n,
    "colons": lambda n: "a" + ":" * n,
    "open quotes": lambda n: 'ZADD "' + '\\"' * (n // 2),
    "backslashes": lambda n: 'ZADD "' + "\\" * n,
    "quotes": lambda n: "ZADD " + '"' * n,
    "digits": lambda n: "ZADD " + "1" * n + "x",
    "capitals": lambda n: "A" * n + "!",
    "blanks": lambda n: "ZADD" + " " * n + "x",
    "dashes": lambda n: "ZADD a" + "-" * n,
}


PATIENCE_S = 5
"""A pattern that begins anew at each sign needs minutes for LONG; one that does not, no second."""


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_line_of_100_kb_is_read_at_once(kind: str) -> None:
    line = HOSTILE[kind](LONG)
    began = time.process_time()
    html(f"`{line}`\n\n### {line} {{#a\n")
    markup.command_html(line)
    with contextlib.suppress(ValueError):
        command.split(line)
    assert time.process_time() - began < PATIENCE_S
