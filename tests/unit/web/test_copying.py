"""A page's HTML as a copy: what stays, what becomes text, what is left out."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from decoder.web.copying import Copy

ROOT, LIVE = "https://site.test", "https://site.test/figures/bits"


def copy(html: str, pictures: dict[str, Path] | None = None) -> str:
    labels = {"bits": Markup("<p>Recorded</p>")}
    return Copy.of(html, ROOT, LIVE, labels, pictures or {})


def test_text_and_characters_stay_as_they_stand() -> None:
    html = (
        '<!doctype html><p title="a &amp; &#34;b&#34;">1 &lt; 2&#10;&amp;amp; “é”<br>&#x2603;</p>'
    )
    assert copy(html) == html


def test_a_style_sheet_stays_as_it_stands() -> None:
    html = '<style>a > b::before { content: "<i>&amp;"; }</style>'
    assert copy(html) == html


def test_a_slider_and_its_number_become_the_number() -> None:
    html = (
        '<form action="/x" method="post"><label for="n">Tier</label><button name="nudge">−'
        '</button><input type="number" value="2"><input type="range" value="2">'
        '<input type="hidden" value="2">'
        "</form>"
    )
    assert copy(html) == "<section><span>Tier</span><b>2</b></section>"


def test_what_was_typed_is_text_and_of_a_choice_only_what_was_chosen_stays() -> None:
    html = (
        '<input name="score" value="&lt;b&gt;"><select name="reading"><option value="a">A</option>'
        '<option value="b" selected>B</option><option>C</option></select>'
    )
    assert copy(html) == "<b>&lt;b&gt;</b><b>B</b>"


def test_what_is_left_out_ends_where_it_ends_though_a_list_item_in_it_never_does() -> None:
    html = '<ul><li>a<div class="guess"><div><ul><li>x<li>y</ul></div><p>z</p></div><li>b</ul>'
    assert copy(html) == "<ul><li>a<li>b</ul>"


def test_what_a_script_would_show_is_left_out() -> None:
    html = '<p hidden>a</p><p role="status">b</p><p class="hidden">c</p><script>d</script>'
    assert copy(html) == '<p class="hidden">c</p>'


def test_a_bit_becomes_data_while_any_other_button_goes() -> None:
    html = (
        '<div class="cells" aria-label="press"><span>'
        "<button name=toggle value=3 data-n=1>1</button></span></div><button>Store it</button>"
    )
    bit = '<span><data value="3" data-n="1">1</data></span>'
    assert copy(html) == f'<div class="cells" aria-label="The 64 bits">{bit}</div>'


def test_links_are_absolute_and_anchors_stay() -> None:
    html = (
        '<a href="/glossary#a">a</a><a href="?score=1&amp;x=2" hx-post="/r" hx-vals="score:1">b</a>'
        '<a href="#c">c</a><a href="https://else.test/">d</a><a href="mailto:e@f">e</a>'
    )
    assert copy(html) == (
        f'<a href="{ROOT}/glossary#a">a</a><a href="{LIVE}?score=1&amp;x=2">b</a>'
        '<a href="#c">c</a><a href="https://else.test/">d</a><a href="mailto:e@f">e</a>'
    )


def test_a_figure_says_first_that_it_is_recorded() -> None:
    html = (
        '<live-figure id="bits" hx-sync="x">b</live-figure><live-figure id="other">o</live-figure>'
    )
    assert copy(html) == (
        '<live-figure id="bits"><p>Recorded</p>b</live-figure>'
        '<live-figure id="other">o</live-figure>'
    )


def test_the_commands_of_a_lab_are_unfolded() -> None:
    assert (
        copy('<details class="outcome">a</details>') == '<details class="outcome" open>a</details>'
    )


def test_a_picture_is_in_the_file_and_one_that_is_not_there_is_its_words(tmp_path: Path) -> None:
    picture = tmp_path / "p.svg"
    picture.write_text("<svg/>")
    html = '<img src="/a/p.svg" alt="A"><img src="/a/q.svg" alt="B &lt;">'
    assert copy(html, {"/a/p.svg": picture}) == (
        '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="A">B &lt;'
    )
