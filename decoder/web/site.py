"""Site: what machines read about it: llms.txt, the site map, robots.txt; absolute addresses."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from flask import Blueprint, Response, render_template, request

from decoder.errors import SettingsError
from decoder.figures import FIGURES
from decoder.web.directory import Listed


class Origin:
    """Where the site is reached: what the settings say, else what the request does."""

    def __init__(self, public_url: str) -> None:
        """Raise SettingsError for what is no address of a site."""
        self._public = public_url.rstrip("/")
        if self._public and not self._public.startswith(("http://", "https://")):
            raise SettingsError(
                f"DECODER_PUBLIC_URL={public_url} begins with neither http:// nor https://."
            )
        if urlsplit(self._public).path:
            raise SettingsError(
                f"DECODER_PUBLIC_URL={public_url} has a path: the site stands at the top of a host."
            )

    def absolute(self, path: str) -> str:
        """Return the absolute address of a page."""
        return (self._public or request.url_root.rstrip("/")) + quote(path)

    def absolute_state(self, address: str) -> str:
        """Return the absolute address of a page's state, whose query is written already."""
        path, mark, query = address.partition("?")
        return self.absolute(path) + mark + query


def blueprint(groups: dict[str, list[Listed]], origin: Origin) -> Blueprint:
    """Serve /llms.txt, /sitemap.xml and /robots.txt."""
    routes = Blueprint("site", __name__)
    pages = [page for group in groups.values() for page in group]

    @routes.get("/llms.txt")
    def llms() -> Response:
        text = render_template("site/llms.txt", groups=groups, figures=FIGURES)
        return Response(text, mimetype="text/plain")

    @routes.get("/sitemap.xml")
    def sitemap() -> Response:
        text = render_template("site/sitemap.xml", pages=pages)
        return Response(text, mimetype="application/xml")

    @routes.get("/robots.txt")
    def robots() -> Response:
        # What has a query is one of countless states of a figure.
        lines = (
            "User-agent: *",
            "Disallow: /*?",
            "",
            f"Sitemap: {origin.absolute('/sitemap.xml')}",
        )
        return Response("\n".join(lines) + "\n", mimetype="text/plain")

    return routes
