"""Embed: any figure and any dive, framed in a page of somebody else."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from decoder.web import frame
from decoder.web.pages import Pages


def blueprint(pages: Pages) -> Blueprint:
    """Serve /embed/<figure> and /embed + a dive's path."""
    routes = Blueprint("embed", __name__)

    @routes.get("/embed/<path:name>")
    def embedded(name: str) -> Response:
        path = f"{frame.EMBED}/{name}"
        page = frame.page_of(path)
        if pages.embedded_at(page) != path:
            abort(404)
        asked = frame.read(
            path, frame.query_of(request.args), pages.inputs_of(*pages.figures_on(page))
        )
        return pages.render(page, framed=asked)

    return routes
