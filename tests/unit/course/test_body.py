"""Body: sections, directives and transcripts in their order, and every fault with line and cure."""

from __future__ import annotations

import time

import lxml.html
import pytest
from markdown_it.token import Token

from decoder.course import survey
from decoder.course.dive import Definition, Listing, Note, Pair, Placed, Prose, Transcript
from tests.support.course import FRONT, blocks, faults, html, read

RUN = "```transcript {}\n> ZADD s 1 m\n(integer) 1\n```\n"
GOOD = "## Part\n\nText.\n\n"


def kinds(markdown: str) -> list[str]:
    return [block.kind for block in read(markdown).blocks]


def only_fault(markdown: str) -> tuple[int, str]:
    """Return line and sentence of the one fault that there is."""
    (found,) = faults(markdown)
    return found.line, found.sentence


# Sections


def test_sections_have_their_own_blocks_in_their_order() -> None:
    dive = read(
        "## One\n\nA.\n\n::: note N\nB.\n:::\n\nC.\n\n" + RUN.format("first") + "\n## Two\n\nD.\n"
    )
    one, two = dive.sections
    assert [block.kind for block in one.blocks] == ["prose", "note", "prose", "transcript"]
    assert [block.kind for block in two.blocks] == ["prose"]
    assert [getattr(block, "html", "") for block in two.blocks] == ["<p>D.</p>\n"]


def test_a_section_has_an_anchor_made_of_its_heading_or_written_there() -> None:
    dive = read("## Two meanings, one 2³² double!\n\nA.\n\n## Other {#by-hand}\n\nB.\n")
    assert [(one.anchor, one.title) for one in dive.sections] == [
        ("two-meanings-one-2-double", "Two meanings, one 2³² double!"),
        ("by-hand", "Other"),
    ]


def test_a_heading_below_keeps_its_markup_and_gets_its_anchor() -> None:
    dive = read("## One\n\n### The `keys.ex` *remark* {#remark}\n\nA.\n\n#### Below\n\nB.\n")
    (one,) = dive.sections
    assert one.below == [("remark", "The keys.ex remark"), ("below", "Below")]
    (prose,) = one.blocks
    assert isinstance(prose, Prose)
    assert '<h3 id="remark">The <code>keys.ex</code> <em>remark</em></h3>' in prose.html
    assert {"one", "remark", "below"} <= dive.anchors


def test_a_title_is_its_words_without_the_markup() -> None:
    (one,) = read("## The `keys.ex` *remark*, [linked](/x)\n\nA.\n").sections
    assert one.title == "The keys.ex remark, linked"
    assert one.anchor == "the-keys-ex-remark-linked"


def test_words_are_counted_for_the_time_to_read() -> None:
    dive = read("## One two\n\n" + "word " * 598 + "\n")
    assert dive.words == 600
    assert dive.minutes == 3


@pytest.mark.parametrize(
    ("markdown", "line", "says"),
    [
        ("Text.\n\n## Part\n\nA.\n", 1, "above the first heading"),
        ("::: note N\nA.\n:::\n\n## Part\n\nB.\n", 1, "above the first heading"),
        ("# Title\n\n## Part\n\nA.\n", 1, "only first heading"),
        ("## Part\n\nA.\n\n#### Deep\n\nB.\n", 5, "“Deep” skips a level: write “### …”"),
        ("### Deep\n\nB.\n\n## Part\n\nA.\n", 1, "“Deep” skips a level: write “## …”"),
        ("## 标题\n\nA.\n", 1, "no anchor can be made of “标题”: write “标题 {#anchor}”"),
        ("## Part\n\n> ### Inside\n", 3, "a heading stands by itself"),
        ("## Part\n\n- a\n\n  ### Inside\n", 5, "a heading stands by itself"),
        ("## Part\n\n::: note N\n### Inside\n:::\n", 4, "a heading stands by itself"),
    ],
)
def test_headings_out_of_order_are_faults(markdown: str, line: int, says: str) -> None:
    found = faults(markdown)
    assert (found[0].line, says in found[0].sentence) == (line, True), found[0].sentence


@pytest.mark.parametrize(
    "markdown",
    [
        "## Part\n\nA.\n\n## Part\n\nB.\n",
        "## Part\n\nA.\n\n### Part\n\nB.\n",
        GOOD + RUN.format("part"),
        GOOD + RUN.format("same") + "\n" + RUN.format("same"),
        "## Sources\n\nA.\n",
        "## Related\n\nA.\n",
        "## Main\n\nA.\n",
        "## Composite\n\nA.\n\n::: figure composite\n:::\n",
        "## Part\n\nA.\n\n## Part title\n\nB.\n",
        "## Part\n\nA.\n\n### Part title\n\nB.\n",
        GOOD + RUN.format("part-title"),
    ],
)
def test_two_parts_of_one_name_are_a_fault(markdown: str) -> None:
    _, sentence = only_fault(markdown)
    assert "two parts of this page are called" in sentence


def test_a_page_without_a_section_is_a_fault() -> None:
    assert "add a section" in only_fault("")[1]


# Directives


def test_every_directive_becomes_its_block() -> None:
    found = blocks(
        "::: figure three-readings reading=one-number/order step=2\n:::\n\n"
        "::: script packed/add_prioritized\n:::\n\n"
        "::: term sorted set\n:::\n\n"
        "::: note On Valkey\nA *note*.\n:::\n\n"
        "::: note\nB.\n:::\n\n"
        "::: pattern One\nA.\n:::\n\n::: application Other\nB.\n:::\n"
    )
    assert found == [
        Placed("three-readings", {"reading": "one-number/order", "step": "2"}),
        Listing("packed/add_prioritized"),
        Definition("sorted set"),
        Note("On Valkey", "<p>A <em>note</em>.</p>\n"),
        Note("Note", "<p>B.</p>\n"),
        Pair(("One", "<p>A.</p>\n"), ("Other", "<p>B.</p>\n")),
    ]


def test_what_has_headings_of_its_own_knows_the_level_of_its_place() -> None:
    pair = "::: pattern\nA.\n:::\n::: application\nB.\n:::\n\n"
    note = "::: note\nA.\n:::\n\n"
    figure = "::: figure {}\n:::\n\n"
    found = blocks(
        figure.format("composite") + note + "### A\n\n#### B\n\n" + note + pair
        + figure.format("three-readings") + "##### C\n\n###### D\n\n" + note
    )  # fmt: skip
    levels = [one.level for one in found if isinstance(one, Placed | Note | Pair)]
    assert levels == [3, 3, 5, 5, 5, 6]


def test_a_figure_needs_room_for_its_headings() -> None:
    deep = "### A\n\n#### B\n\n##### C\n\n::: figure composite\n:::\n"
    assert only_fault(GOOD + deep) == (
        11, "a figure has headings of its own: put it below one of 4 # at most.",
    )  # fmt: skip


def test_a_pair_has_titles_of_its_own() -> None:
    (pair,) = blocks("::: pattern\nA.\n:::\n::: application\nB.\n:::\n")
    assert isinstance(pair, Pair)
    assert (pair.pattern[0], pair.application[0]) == ("The pattern", "Its application")


def test_longer_fences_and_blanks_are_as_good() -> None:
    assert blocks("::::  note  Of colons \nA.\n:::::  \n") == [Note("Of colons", "<p>A.</p>\n")]


@pytest.mark.parametrize(
    ("directive", "says"),
    [
        ("::: figure\n:::", "there is no figure “”"),
        ("::: figure compsite\n:::", "no figure “compsite”; did you mean composite?"),
        ("::: figure composite teir=2\n:::", "has no “teir”; did you mean tier?"),
        ("::: figure composite\nInside.\n:::", "a figure has nothing inside"),
        ("::: script\n:::", "there is no lua/.lua"),
        ("::: script packed/add_priority\n:::", "did you mean packed/add_prioritized?"),
        ("::: script packed/add_prioritized\nInside.\n:::", "a script has nothing inside"),
        ("::: term sorted sat\n:::", "“sorted sat”; did you mean sorted set?"),
        ("::: term lease\nInside.\n:::", "a term has nothing inside"),
        ("::: note [x](/y)\nA.\n:::", "the title of a note is plain words"),
        ("::: note [x](/y\nA.\n:::", "the title of a note is plain words"),
        ("::: application A\nB.\n:::", "directly below its pattern"),
        ("::: pattern A\nB.\n:::", "a pattern needs its application"),
        ("::: pattern A\nB.\n:::\n\nBetween.\n", "a pattern needs its application"),
        ("::: pattern A\nB.\n:::\n\n## Next\n", "a pattern needs its application"),
        ("::: nte On Valkey\nA.\n:::", "“::: nte” is no directive; did you mean note?"),
        (":::figur composite\n:::", "“::: figur” is no directive; did you mean figure?"),
        ("::: xyzzy\n:::", "“::: xyzzy” is no directive."),
        (":::", "“:::” is no directive."),
        ("```transcrpt a\n> GET k\n(nil)\n```", "no language to colour; did you mean transcript?"),
        ("```brainfog\nx\n```", "“brainfog” is no language to colour."),
        ("::: note N\nA.\n", "close this note with a line of :::"),
        ("::: note N\n\n## Next\n\nB.\n", "close this note with a line of :::"),
        ("> ::: note N\n> A.\n> :::", "a note stands by itself"),
        ("- ::: script packed/add_prioritized\n  :::", "a script stands by itself"),
        (":::: note N\n::: term lease\n:::\n::::", "a term stands by itself"),
        (":::: note N\n" + RUN.format("a") + "::::", "a transcript stands by itself"),
    ],
)  # fmt: skip
def test_each_wrong_directive_is_told_where_it_begins(directive: str, says: str) -> None:
    found = faults(GOOD + directive)
    told = [(one.line, one.sentence) for one in found]
    assert says in told[0][1]
    assert told[0][0] in (5, 6)
    # A directive in another block is told where it stands itself.
    assert told[0][0] == 5 or directive.startswith("::::")


def test_a_wrong_directive_within_a_paragraph_is_found_on_its_line() -> None:
    assert only_fault(GOOD + "Some words\nand more\n::: nte N\n") == (
        7,
        "“::: nte” is no directive; did you mean note?",
    )


def test_all_faults_are_told_in_the_order_of_their_lines() -> None:
    found = faults(
        "## Part\n\n::: term leese\n:::\n\n[x](/y) ![](z.png)\n\n$\\sqrt$\n\n#### Deep\n"
        "\n```transcript A\n> FLUSHALL\nOK\n```\n"
    )
    assert [one.line for one in found] == [3, 6, 8, 10, 12, 13]


# Pictures, links, formulas


@pytest.mark.parametrize(
    ("file", "address"),
    [("course/page.md", "/course/a.png"), ("course/index.md", "/course/a.png"), ("p.md", "/a.png")],
)
def test_a_picture_stands_beside_its_file_also_on_a_chapter(file: str, address: str) -> None:
    dive = read("## Part\n\n![A set](a.png)\n", file=file)
    (prose,) = dive.blocks
    assert isinstance(prose, Prose)
    (image,) = lxml.html.fragment_fromstring(prose.html).iter("img")
    assert (image.get("src"), image.get("alt")) == (address, "A set")
    assert dive.links == [(FRONT.count("\n") + 3, address)]


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        ("![](a.png)", "say what the picture a.png shows"),
        ("![ ](a.png)", "say what the picture a.png shows"),
        ("![A](https://x.example/a.png)", "is elsewhere: put it beside the dive"),
        ("![A](//x.example/a.png)", "is elsewhere: put it beside the dive"),
        ("![A](data:image/png;base64,AAAA)", "is elsewhere: put it beside the dive"),
    ],
)
def test_a_picture_that_cannot_be_shown_to_all_is_a_fault(picture: str, says: str) -> None:
    line, sentence = only_fault(GOOD + f"Words\nand {picture}\n")
    assert (line, says in sentence) == (6, True), sentence


@pytest.mark.parametrize(
    ("text", "begun", "cure"),
    [
        ("[x](/nowhere", "[x](/nowhere", "close it with a round bracket: [words](/address)"),
        ("a [f(x)](/y and more", "[f(x)](/y and more", "close it with a round bracket"),
        ("![x](a.png", "[x](a.png", "close it with a round bracket"),
        ("| [x](/y | b |\n|---|---|", "[x](/y", "close it with a round bracket"),
        ("[x](/y and [z](/z).", "[x](/y and", "close it with a round bracket"),
        ("[x(/nowhere)", "[x(/nowhere)", "write [words](/address), or \\[ for the sign itself"),
        ("[x (https://x.example)", "[x (https://x.example)", "or \\[ for the sign"),
        ("![x(a.png)", "[x(a.png)", "or \\[ for the sign"),
        ("[x][y", "[y", "or \\[ for the sign"),
    ],
)
def test_a_link_that_is_never_closed_is_a_fault_with_its_cure(
    text: str, begun: str, cure: str
) -> None:
    for above, line in (("", 5), ("Words\nand more\n", 7)):
        if not (above and text.startswith("|")):
            at, sentence = only_fault(GOOD + above + text + "\n")
            assert (at, sentence.startswith(f"“{begun}” is never closed: ")) == (line, True)
            assert cure in sentence


def test_a_heading_holds_no_link_that_is_never_closed() -> None:
    assert "“[x](/y” is never closed" in faults("## Part [x](/y\n\nA.\n")[0].sentence


@pytest.mark.parametrize(
    "text",
    [
        "[0, 1) is half open (/x)",
        "[see below",
        "\\[x\\](/y",
        "\\[x(/y)",
        "`[x](/y`",
        "`[x(/y)` and [x](/y)",
        "$a[0$ and [x](/y)",
        "[x](/y\n'and a title')",
        "[x]\n\n[x]: /y",
        "a[0] (/x)",
    ],
)
def test_brackets_that_are_no_link_are_left_alone(text: str) -> None:
    assert faults(GOOD + text + "\n") == []


@pytest.mark.parametrize("piece", ["[", "[](", "[x](/y ", "![", "](", "[x(/y ", "\\["])
@pytest.mark.parametrize("end", ["", ")", "]"])
def test_many_brackets_take_no_longer_than_their_text(piece: str, end: str) -> None:
    token = Token("inline", "", 0, content=piece * 30_000 + end)
    token.children = [Token("text", "", 0, content=token.content)]
    began = time.monotonic()
    shown = survey._text_of(token)
    list(survey._never_closed(token, shown))
    list(survey._marked_as_nothing(shown))
    assert time.monotonic() - began < 2


def test_links_are_collected_with_their_lines() -> None:
    dive = read(
        "## Part\n\n[a](/a)\nand [b][b]\n\n::: note N\n<https://x.example>\n:::\n\n[b]: /b#c\n"
    )
    at = FRONT.count("\n")
    assert dive.links == [(at + 3, "/a"), (at + 4, "/b#c"), (at + 7, "https://x.example")]


def test_a_formula_that_cannot_be_read_is_a_fault_on_its_line() -> None:
    line, sentence = only_fault(GOOD + "Words\nand $\\sqrt$\n")
    assert (line, "the formula \\sqrt cannot be read" in sentence) == (6, True)
    assert only_fault(GOOD + "$$\nx^\n$$\n")[0] == 5


# Transcripts


def test_a_transcript_has_its_id_its_options_and_its_exchanges() -> None:
    (shown,) = blocks(RUN.format("due-read fresh"))
    assert isinstance(shown, Transcript)
    assert (shown.id, shown.fresh) == ("due-read", True)
    assert [(one.typed, one.reply) for one in shown.exchanges] == [("ZADD s 1 m", "(integer) 1")]
    assert shown.exchanges[0].line == FRONT.count("\n") + 4


@pytest.mark.parametrize(
    ("fence", "line", "says"),
    [
        ("```transcript\n> GET k\n(nil)\n```", 5, "name the transcript"),
        ("```transcript Due_Read\n> GET k\n(nil)\n```", 5, "name the transcript"),
        ("```transcript a-\n> GET k\n(nil)\n```", 5, "name the transcript"),
        ("```transcript a frsh\n> GET k\n(nil)\n```", 5, "“frsh” is no option"),
        ("```transcript a\n```", 5, "this transcript has no command"),
        ("```transcript a\n> FLUSHALL\nOK\n```", 6, "does not run FLUSHALL; it runs DEL, GET"),
        ("```transcript a\n> evalsha 0 0\nOK\n```", 6, "does not run evalsha"),
        ("```transcript a\n> GET k\n(nil)\n> GET k\n```", 8, "no reply below this line"),
        ("```transcript a\n$ ls\nx\n```", 6, "only this can be run"),
        ("```transcript a\n$ valkey-cli --eval lua/packed/nope.lua k , a\nx\n```", 6,
         "there is no lua/packed/nope.lua"),
        ("```transcript a\n$ valkey-cli --eval lua/packed/add_prioritized.lua k , 2 x\nx\n```", 6,
         "takes 2 keys, a comma and 2 arguments; here are 1 and 2"),
    ],
)  # fmt: skip
def test_each_wrong_transcript_is_told_on_its_line(fence: str, line: int, says: str) -> None:
    found = faults(GOOD + fence)
    assert (found[0].line, says in found[0].sentence) == (line, True), found[0].sentence


def test_a_command_may_be_typed_in_lower_case() -> None:
    assert faults(GOOD + "```transcript a\n> zadd s 1 m\n(integer) 1\n```\n") == []


def test_transcripts_need_the_server_that_proved_them() -> None:
    front = FRONT.replace("proved: Valkey 9.1.2\n", "")
    (found,) = faults(GOOD + RUN.format("a"), front)
    assert "add “proved: Valkey <version>”" in found.sentence


def test_a_figure_stands_on_a_page_once_and_start_needs_a_figure() -> None:
    twice = GOOD + "::: figure composite\n:::\n"
    (found,) = faults(twice, FRONT.replace("---\n", "---\nfigure: composite\n", 1))
    assert "the figure composite stands on this page twice" in found.sentence
    (found,) = faults(GOOD, FRONT.replace("---\n", "---\nstart: tier=2\n", 1))
    assert "start: belongs to a figure" in found.sentence
    (found,) = faults(GOOD, FRONT.replace("---\n", "---\nfigure: composite\nstart: reading=x\n", 1))
    assert "the figure composite has no “reading”" in found.sentence


def test_every_directive_is_known_to_the_parser_and_to_its_reader() -> None:
    from decoder.course.directives import READERS
    from decoder.course.markup import DIRECTIVES

    assert set(DIRECTIVES) == set(READERS) - {"transcript"} | {"pattern", "application"}


def test_prose_is_rendered_as_it_was_written() -> None:
    assert html("| a |\n|---|\n| b |\n").startswith('<div class="scrolls" tabindex="0"><table>')
    assert html("*a* **b** `c`") == "<p><em>a</em> <strong>b</strong> <code>c</code></p>\n"
    assert kinds("## A\n\nB.\n\n```text\nC\n```\n\n- D\n") == ["prose"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A [tier 2]{teir} here.", "“teir” is no fact"),
        ("A [word]{colour} here.", "“colour” is no fact"),
        ("A [word]{Tier} here.", "“Tier” is no fact"),
        ("A [word]{} here.", "“” is no fact"),
        ("It is [open]{tier and goes on.", "is never closed"),
        ("| [a]{tire} | b |\n|---|---|\n| 1 | 2 |", "“tire” is no fact"),
    ],
)
def test_a_mark_that_is_no_fact_is_told_where_it_stands(text: str, said: str) -> None:
    found = faults(f"{GOOD}\nFirst a line.\n\n{text}\n")
    assert len(found) == 1
    assert said in found[0].sentence
    assert "tier, arrival, time, slot, mine" in found[0].sentence
    assert found[0].line == GOOD.count("\n") + 4


def test_a_mark_in_a_title_of_a_note_is_told_too_and_code_is_left_alone() -> None:
    (found,) = faults(f"{GOOD}\n::: note Two [a]{{tier\nText.\n:::\n")
    assert "is never closed" in found.sentence
    assert faults(f"{GOOD}\nWrite `[a]{{teir}}` so, and [a]{{tier}} and [1, 2) and {{q}}.\n") == []


def test_two_headings_of_one_name_are_told_at_the_second() -> None:
    (found,) = faults("## A\n\nText.\n\n## A\n\nMore.\n")
    assert "two parts of this page are called a" in found.sentence
    assert "{#another}" in found.sentence
    assert found.line == 5
