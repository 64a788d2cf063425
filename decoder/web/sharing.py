"""Sharing: oEmbed, /embed.js, and the page of everything one can paste elsewhere."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.etree import ElementTree

import segno
from flask import Blueprint, Response, abort, jsonify, render_template, request
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from decoder.course.known import EVERY_FIGURE_HAS
from decoder.figures import FIGURES
from decoder.web import frame, snippets
from decoder.web.pages import Pages
from decoder.web.site import Origin
from decoder.web.snippets import KINDS, Shared

DAY_S = 86_400


class Sharing:
    """What can be shared of the site: its pages that can be embedded, at absolute addresses."""

    def __init__(self, pages: Pages, origin: Origin) -> None:
        self.pages = pages
        self.origin = origin

    def shared(self, page: str, query: Mapping[str, str], width: int, height: int) -> Shared:
        """Put together what is shared of a page; `query` holds its state and the options."""
        path = self.pages.embedded_at(page)
        name = path.removeprefix(f"{frame.EMBED}/")
        figures = self.pages.figures_on(page)
        options = frame.read(path, query, self.pages.inputs_of(*figures))
        known = {field for one in figures for field in (*FIGURES[one].FIELDS, *EVERY_FIGURE_HAS)}
        state = {field: text for field, text in query.items() if field in known}
        dive = self.pages.page_at(page)
        title = options.title or (dive.title if dive else str(FIGURES[name].TITLE))
        framed = urlencode({**state, **options.fields}, safe=",/")
        return Shared(
            title,
            # The page ignores the options; who asks for its frame is given them.
            self._at(page, framed),
            self._at(path, framed),
            self.origin.absolute("/embed.js"),
            "dive" if dive else "figure",
            name,
            framed,
            width,
            height,
        )

    def _at(self, path: str, query: str) -> str:
        return self.origin.absolute(path) + (f"?{query}" if query else "")

    def page_at(self, url: str) -> tuple[str, dict[str, str]] | None:
        """Return the page that an absolute address of ours names, with its query; None for none."""
        try:
            parts, ours = urlsplit(url), urlsplit(self.origin.absolute("/"))
            port = parts.port
        except ValueError:
            return None
        if parts.scheme not in ("http", "https") or (parts.hostname, port) != (
            ours.hostname, ours.port,
        ):  # fmt: skip
            return None
        path = parts.path.rstrip("/") or "/"
        page = frame.page_of(path) if path.startswith(f"{frame.EMBED}/") else path
        if not self.pages.embedded_at(page):
            return None
        return page, frame.query_of(MultiDict(parse_qsl(parts.query, keep_blank_values=True)))

    @property
    def is_private(self) -> bool:
        """Whether the site is reached on loopback, where nobody else can see it."""
        host = urlsplit(self.origin.absolute("/")).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")


def _most(name: str, default: int) -> int:
    text = request.args.get(name, "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0
    return min(default, asked) if asked else default


def _oembed(one: Shared, origin: Origin) -> dict[str, str | int]:
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Score Decoder",
        "provider_url": origin.absolute("/"),
        "title": one.title,
        "html": snippets.iframe(one),
        "width": one.width,
        "height": one.height,
        "cache_age": DAY_S,
    }


def _qr(address: str) -> Markup:
    """Draw an address as a QR code; empty where it is longer than any can hold."""
    try:
        code = segno.make(address, micro=False)
    except segno.DataOverflowError:
        return Markup("")
    return Markup(code.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True))


def _xml(fields: Mapping[str, str | int]) -> bytes:
    root = ElementTree.Element("oembed")
    for name, value in fields.items():
        ElementTree.SubElement(root, name).text = str(value)
    declared: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return declared


def blueprint(sharing: Sharing, element: Path) -> Blueprint:
    """Serve /oembed, /embed.js and /share + a page's path; `element` is the file of /embed.js."""
    routes = Blueprint("sharing", __name__)
    source = element.read_bytes()

    @routes.get("/oembed")
    def oembed() -> Response:
        url = request.args.get("url", "")
        if not url:
            abort(400, "Say which page: /oembed?url=…")
        kind = request.args.get("format") or "json"
        if kind not in ("json", "xml"):
            abort(501, "There are format=json and format=xml.")
        found = sharing.page_at(url)
        if not found:
            abort(404, "That is no dive or figure of this site.")
        page, query = found
        size = _most("maxwidth", snippets.WIDTH), _most("maxheight", snippets.HEIGHT)
        answer = _oembed(sharing.shared(page, query, *size), sharing.origin)
        if kind == "xml":
            return Response(_xml(answer), mimetype="text/xml")
        return jsonify(answer)

    @routes.get("/embed.js")
    def embed_js() -> Response:
        answer = Response(source, mimetype="text/javascript")
        answer.headers["Cache-Control"] = "public, max-age=3600"
        return answer

    @routes.get("/share/")
    @routes.get("/share/<path:name>")
    def share(name: str = "") -> str:
        page = f"/{name}"
        if not sharing.pages.embedded_at(page):
            abort(404)
        query = frame.query_of(request.args)
        width, wide = snippets.size("width", query.get("width", ""), snippets.WIDTH)
        height, high = snippets.size("height", query.get("height", ""), snippets.HEIGHT)
        one = sharing.shared(page, query, width, height)
        figures = sharing.pages.figures_on(page)
        inputs = sharing.pages.inputs_of(*figures)
        options = frame.read(sharing.pages.embedded_at(page), query, inputs)
        options = options._replace(notices=(*options.notices, *filter(None, (wide, high))))
        return render_template(
            "pages/share.html", path=f"/share{page}", page=page, shared=one, options=options,
            inputs=inputs, parts=frame.PARTS, themes=frame.THEMES, private=sharing.is_private,
            state={n: v for n, v in query.items() if n in dict(parse_qsl(one.state))
                   and n not in frame.FIELDS},
            snippets={kind: (says, write(one)) for kind, (says, write) in KINDS.items()},
            qr=_qr(one.page), relative=urlsplit(one.frame)._replace(scheme="", netloc="").geturl(),
        )  # fmt: skip

    return routes
