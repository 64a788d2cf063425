"""Copying: the HTML of a page without what works only on the site, for a file on a disk."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

from markupsafe import Markup, escape

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
DROPPED_TAGS = frozenset(("script", "template", "copy-button", "button"))
DROPPED_CLASSES = frozenset(
    # What is asked or pressed, what is left of a sandbox, and the way to this very copy.
    ("guess", "actions", "turn", "full", "unfold", "expiry", "commands", "left", "download")
)
DROPPED_PARTS = frozenset((("div", "tools"), ("details", "try")))
"""The buttons of a transcript, and the actions of a figure that are folded."""
RENAMED = {"form": "section", "label": "span", "select": "b", "button": "data"}
"""What a control becomes where its words stay: a bit is a button on the page, here it is data."""
LOST = frozenset(
    ("action", "method", "novalidate", "for", "form", "name", "target", "data-offline")
)  # fmt: skip
"""Attributes without a sense in a file; names are still those of a `meta`."""
OPENED = "outcome"
"""The class of a `details` that holds the commands."""

Attributes = dict[str, str | None]


class Copy(HTMLParser):
    """Writes a page anew, piece by piece: controls become what they say, links absolute.

    `root` is the address of the site, `live` that of the page; `labels` is what to write first
    inside the element of a figure, by its id; `pictures` the course's pictures by their path.
    """

    def __init__(
        self, root: str, live: str, labels: Mapping[str, Markup], pictures: Mapping[str, Path]
    ) -> None:
        super().__init__(convert_charrefs=False)
        self._root, self._live = root, live
        self._labels, self._pictures = labels, pictures
        self._parts: list[str] = []
        self._dropped = ""
        self._depth = 0
        self._in_cells = False

    @classmethod
    def of(
        cls, html: str, root: str, live: str, labels: Mapping[str, Markup],
        pictures: Mapping[str, Path],
    ) -> str:  # fmt: skip
        """Return the copy of a whole page."""
        copy = cls(root, live, labels, pictures)
        copy.feed(html)
        copy.close()
        return "".join(copy._parts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write a tag, or begin to leave out what it opens."""
        given = dict(attrs)
        if self._dropped:
            # Of what is left out only tags of its own name are counted: a list item has no end.
            self._depth += tag == self._dropped
        elif tag == "input":
            if given.get("type", "text") in ("text", "number"):
                self._parts.append(Markup("<b>{}</b>").format(given.get("value") or ""))
        elif tag == "img":
            self._picture(given)
        elif self._is_dropped(tag, given):
            self._dropped, self._depth = tag, 1
        else:
            self._write(tag, given)

    def handle_endtag(self, tag: str) -> None:
        """Write the end of a tag, or end what is left out."""
        if self._dropped:
            self._depth -= tag == self._dropped
            self._dropped = self._dropped if self._depth else ""
        elif tag not in ("option", "input"):
            # The group of cells is a div, and none stands in it.
            self._in_cells = self._in_cells and tag != "div"
            self._parts.append(f"</{RENAMED.get(tag, tag)}>")

    def _is_dropped(self, tag: str, given: Attributes) -> bool:
        if tag == "button" and self._in_cells:
            return False
        if tag == "option":
            return "selected" not in given
        classes = (given.get("class") or "").split()
        return (
            tag in DROPPED_TAGS
            # What scripts would show or fill.
            or "hidden" in given
            or given.get("role") == "status"
            or not DROPPED_CLASSES.isdisjoint(classes)
            or any((tag, one) in DROPPED_PARTS for one in classes)
            # To begin anew is for those who moved something.
            or "action:reset" in (given.get("hx-vals") or "")
            or given.get("id") == "bits_forms"
        )

    def _write(self, tag: str, given: Attributes) -> None:
        if tag == "option":
            return
        classes = (given.get("class") or "").split()
        kept = {
            name: value
            for name, value in given.items()
            if not name.startswith("hx-") and (name not in LOST or tag == "meta")
        }
        if kept.get("href"):
            kept["href"] = self._absolute(str(kept["href"]))
        if tag == "details" and OPENED in classes:
            kept["open"] = None
        if "cells" in classes:
            self._in_cells = True
            kept["aria-label"] = "The 64 bits"
        self._parts.append(f"<{RENAMED.get(tag, tag)}{_written(kept)}>")
        if tag == "live-figure":
            self._parts.append(self._labels.get(str(given.get("id")), Markup("")))

    def _absolute(self, href: str) -> str:
        if href.startswith("/"):
            return self._root + href
        return self._live + href if href.startswith("?") else href

    def _picture(self, given: Attributes) -> None:
        source = given.get("src") or ""
        if source in self._pictures:
            given["src"] = source = data_uri(self._pictures[source])
        if source.startswith("data:"):
            self._parts.append(f"<img{_written(given)}>")
        else:
            self._parts.append(escape(given.get("alt") or ""))

    def handle_data(self, data: str) -> None:
        """Write text as it stands."""
        if not self._dropped:
            self._parts.append(data)

    def handle_entityref(self, name: str) -> None:
        """Write a named character as it stands."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Write a numbered character as it stands."""
        self.handle_data(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Write the document's type."""
        self.handle_data(f"<!{decl}>")


def data_uri(file: Path) -> str:
    """Write a picture as an address that holds it."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"


def _written(attributes: Attributes) -> str:
    return "".join(
        [
            f" {name}" if value is None else f' {name}="{escape(value)}"'
            for name, value in attributes.items()
        ]
    )
