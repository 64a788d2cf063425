"""Markup: Markdown as dives write it, rendered: key names, commands, formulas, coloured code."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

from latex2mathml.converter import Converter
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import escape
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer, bygroups
from pygments.lexers import get_lexer_by_name
from pygments.token import Keyword, Name, Number, String, Text
from pygments.util import ClassNotFound

from decoder.course.glossary import FirstUses, Term, slug
from decoder.errors import CourseFault

MARKS = ("tier", "arrival", "time", "slot", "mine")
"""What [words]{fact} can be marked as. Each has a colour of its own; mine is underlined."""

DIRECTIVES = ("figure", "script", "pattern", "application", "note", "term")
FACTS = {"tier": "tier", "priority": "tier", "arrival": "arrival", "counter": "arrival",
         "time": "time", "due": "time", "ms": "time", "slot": "slot"}  # fmt: skip
"""The words of a formula that name a fact take its colour."""

_KEY = re.compile(r"(?=.*:)[a-z{}<>*:][A-Za-z0-9_{}<>*…:-]+")
_COMMAND = re.compile(r"[A-Z]{2,}(?: [A-Z]+)?(?: .*)?", re.DOTALL)


_CALL = bygroups(Keyword, Text, Name.Function)  # type: ignore[no-untyped-call]


class CommandLexer(RegexLexer):
    """Colours a command of valkey-cli, with or without its prompt."""

    name = "valkey-cli"
    tokens = {  # noqa: RUF012  Pygments reads it as it is
        "root": [
            (r"(valkey-cli)( --eval )(\S+)", _CALL, "words"),
            (r"[A-Za-z]+", Keyword, "words"),
            (r"\s+", Text),
            (r".", Text),
        ],
        "words": [
            (r"\n", Text, "#pop"),
            # One that never closes is a string too; else each of its quotes would be tried anew.
            (r'"(?:\\.|[^"\\])*+"?', String),
            (r"[a-z_{}][\w{}-]*:[\w{}:-]*", Name.Variable),
            (r"(?<!\S)[+-]?(?:\d[\d.e+-]*|inf)(?!\S)", Number),
            (r"(?<!\S)[A-Z]{2,}(?!\S)", Keyword.Pseudo),
            (r'[^\s"]+', Text),
            (r"[^\S\n]+", Text),
        ],
    }


_FORMATTER = HtmlFormatter(nowrap=True)


def command_html(typed: str) -> str:
    """Colour one command."""
    coloured = highlight(typed, CommandLexer(stripnl=False, ensurenl=False), _FORMATTER)
    # The formatter ends every line; what is copied from the page is the command alone.
    return coloured.removesuffix("\n")


def formula_html(latex: str) -> str:
    """Write LaTeX as MathML; words that name a fact take its colour.

    Raises CourseFault for what is no LaTeX, and for what would style or link the page.
    """
    try:
        tree = Converter().convert_to_element(latex)
    except Exception as fault:  # noqa: BLE001  the library has a dozen kinds, and none in common
        raise CourseFault(f"the formula {latex[:40]} cannot be read ({_kind(fault)}).") from None
    for element in tree.iter():
        if strange := _FORBIDDEN.intersection(element.attrib):
            raise CourseFault(f"the formula {latex[:40]} may not set {min(strange)}.")
        # The library writes its signs as entities, and trusts the text: it would let tags through.
        element.text = html.unescape(element.text or "")
        if element.tag == "mtext" and element.text in FACTS:
            element.set("class", f"fact-{FACTS[element.text]}")
    return ElementTree.tostring(tree, encoding="unicode")


_FORBIDDEN = {"href", "style", "class", "id"}


def _kind(fault: Exception) -> str:
    """Tell a fault in words: NoAvailableTokensError is “no available tokens”."""
    name = type(fault).__name__.removesuffix("Error")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def _formula(latex: str, _options: Any) -> str:
    try:
        return formula_html(latex)
    except CourseFault:
        # Whoever reads the file has told the fault.
        return f"<code>{escape(latex)}</code>"


PROMPTS = ("valkey-cli", "redis-cli")


def is_language(name: str) -> bool:
    """Tell whether a fence of this language is coloured, or plain text."""
    try:
        return name in PROMPTS or bool(get_lexer_by_name(name or "text"))
    except ClassNotFound:
        return False


def _code(text: str, language: str, _attributes: str) -> str:
    if language in PROMPTS:
        return highlight(text, CommandLexer(), _FORMATTER)
    try:
        return highlight(text, get_lexer_by_name(language or "text"), _FORMATTER)
    except ClassNotFound:
        return ""


def _inline_code(
    _renderer: RendererHTML, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: EnvType
) -> str:
    text = tokens[at].content
    if _KEY.fullmatch(text):
        return f'<code class="key">{escape(text)}</code>'
    if _COMMAND.fullmatch(text):
        return f'<code class="command">{command_html(text)}</code>'
    return f"<code>{escape(text)}</code>"


def parser() -> MarkdownIt:
    """Return the parser of dives: CommonMark without HTML, tables, formulas and our directives."""
    options = {"html": False, "typographer": True, "highlight": _code}
    md = MarkdownIt("commonmark", options).enable(["table", "smartquotes"])
    dollarmath_plugin(md, allow_space=False, allow_digits=False, renderer=_formula)
    for name in DIRECTIVES:
        container_plugin(md, name)
    md.add_render_rule("code_inline", _inline_code)
    # A table of many columns scrolls by itself on a phone, by keyboard as well.
    md.add_render_rule("table_open", lambda *_: '<div class="scrolls" tabindex="0"><table>')
    md.add_render_rule("table_close", lambda *_: "</table></div>")
    return md


MD = parser()


def parse(text: str) -> list[Token]:
    """Parse Markdown into a flat list of tokens, each with its lines."""
    return MD.parse(text)


def render(tokens: Sequence[Token]) -> str:
    """Render some of the tokens."""
    return str(MD.renderer.render(list(tokens), MD.options, {}))


def rendered(text: str) -> str:
    """Render a piece of Markdown, such as a definition."""
    return str(MD.render(text))


def link_terms(tokens: Sequence[Token], uses: FirstUses) -> None:
    """Let the first use of each term lead to the glossary; links and headings stay as they are.

    A command is written as code, so code that is nothing but a command of the glossary is a use.
    """
    for token, before in zip(tokens, [None, *tokens], strict=False):
        heading = before is not None and before.type == "heading_open"
        if token.type == "inline" and not heading:
            token.children = list(_linked(token.children or [], uses))


def _linked(children: Sequence[Token], uses: FirstUses) -> Sequence[Token]:
    out: list[Token] = []
    depth = 0
    for child in children:
        depth += (child.type == "link_open") - (child.type == "link_close")
        pieces: Iterable[tuple[str, Term | None]] = [(child.content, None)]
        if child.type == "text" and not depth:
            pieces = uses.split(child.content)
        elif child.type == "code_inline" and child.content.isupper() and not depth:
            pieces = uses.whole(child.content)
        for piece, term in pieces:
            shown = child.copy(content=piece)
            if term is None:
                out.append(shown)
            else:
                attributes: dict[str, Any] = {"href": f"/glossary#{term.anchor}", "class": "term"}
                opened = Token("link_open", "a", 1, attrs=attributes)
                out += [opened, shown, Token("link_close", "a", -1)]
    return out


def heading(inline: Token) -> tuple[str, str]:
    """Return the words of a heading and its anchor; a {#anchor} is taken off its text."""
    children = inline.children or []
    anchor = ""
    if children and children[-1].type == "text":
        before, mark, rest = children[-1].content.rpartition("{#")
        if mark and _ANCHOR.fullmatch(rest):
            children[-1].content, anchor = before.rstrip(), rest[:-1]
    title = "".join([child.content or " " * (child.type == "softbreak") for child in children])
    return title.strip(), anchor or slug(title)


_ANCHOR = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\}")
