"""Snippets: what one pastes into a page of one's own, in the words of each kind of page."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import escape

LEAST, MOST = 200, 1200
"""Pixels: no frame is narrower or lower than the first, none wider or higher than the second."""

WIDTH, HEIGHT = 900, 640


class Shared(NamedTuple):
    """What is shared: its title, absolute addresses of the page, the frame and /embed.js, a size.

    `what` is dive or figure, `name` its address within the site, `state` the query of the frame.
    """

    title: str
    page: str
    frame: str
    script: str
    what: str
    name: str
    state: str
    width: int = WIDTH
    height: int = HEIGHT


def iframe(one: Shared) -> str:
    """Write the frame with four attributes: what sanitisers strip, it does not need."""
    return (
        f'<iframe src="{escape(one.frame)}" width="{one.width}" height="{one.height}" '
        f'title="{escape(one.title)}"></iframe>'
    )


def element(one: Shared) -> str:
    """Write the element of /embed.js, which fits its height; the link is what stands without it."""
    state = f' state="{escape(one.state)}"' if one.state else ""
    link = f'<a href="{escape(one.page)}">{escape(one.title)}</a>'
    return (
        f'<script type="module" src="{escape(one.script)}"></script>\n'
        f'<score-decoder {one.what}="{escape(one.name)}"{state} lang="en">{link}</score-decoder>'
    )


def markdown(one: Shared) -> str:
    """Write a link for where Markdown allows no HTML."""
    title = one.title.replace("[", "\\[").replace("]", "\\]")
    return f"[{title}](<{one.page}>)"


def myst(one: Shared) -> str:
    """Write the directive of MyST and Jupyter Book."""
    return f":::{{iframe}} {one.frame}\n:width: 100%\n{one.title}\n:::"


def jsx(one: Shared) -> str:
    """Write the frame as MDX has it, for Docusaurus."""
    return iframe(one).replace("></iframe>", " />")


KINDS = {
    "iframe": ("Embed code: any page that takes HTML, Moodle, Canvas, Brightspace, Quarto, mdBook",
               iframe),
    "link": ("A link: WordPress, Ghost, Notion, Discourse make a frame or a card of it",
             lambda one: one.page),
    "element": ("An element that fits its height and tells the page what is done in it", element),
    "markdown": ("Markdown: a link", markdown),
    "myst": ("MyST, Jupyter Book", myst),
    "jsx": ("Docusaurus (MDX)", jsx),
}  # fmt: skip
"""Each kind by its name: what it is called on the page, and how it is written."""


def size(name: str, text: str, default: int) -> tuple[int, str]:
    """Read a width or height in pixels: the nearest there is, and the notice that says so."""
    if not text:
        return default, ""
    known = text.isascii() and text.isdigit() and len(text) <= 9
    nearest = min(max(int(text), LEAST), MOST) if known else default
    moved = f"The {name} runs from {LEAST} to {MOST}; “{text[:24]}” became {nearest}."
    return nearest, "" if text == str(nearest) else moved
