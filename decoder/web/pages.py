"""Pages: which address shows what, and the one function that renders any of them."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, abort, render_template, request

from decoder.course.dive import Dive
from decoder.figures import FIGURES
from decoder.figures.desk import Desk
from decoder.web.view import View, run_or_failure

HOME_FIGURE = "composite"


class Pages:
    """Every page that can show a figure, by its address."""

    def __init__(self, desk: Desk, dives: Mapping[str, Dive]) -> None:
        self.desk = desk
        self.dives = dives

    def figure_on(self, path: str) -> str:
        """Return the name of the figure that the page at `path` shows, empty for none."""
        if path == "/":
            return HOME_FIGURE
        if path.startswith("/figures/"):
            name = path.removeprefix("/figures/")
            return name if name in FIGURES else ""
        dive = self.dives.get(path)
        return dive.figure if dive else ""

    def open(self, path: str) -> Response:
        """Answer a GET of a page: a fresh run of its figure, if it has one, and the page."""
        name = self.figure_on(path)
        view = None
        if name:
            query = request.args.to_dict()
            view = run_or_failure(self.desk, self.desk.open(name, query, path))
        return self.render(path, view)

    def render(self, path: str, view: View | None) -> Response:
        """Render the page at `path` around a figure that has run."""
        dive = self.dives.get(path)
        if dive is None:
            page = "home" if path == "/" else "figure"
        else:
            page = "chapter" if dive.is_chapter else "dive"
        html = render_template(f"pages/{page}.html", view=view, dive=dive, path=path)
        answer = Response(html, 503 if view and view.failure else 200)
        if view and view.failure:
            answer.headers["Retry-After"] = "2"
        return answer


def blueprint(pages: Pages) -> Blueprint:
    """Serve home, chapters, dives and figures."""
    routes = Blueprint("pages", __name__)

    @routes.get("/")
    def home() -> Response:
        return pages.open("/")

    @routes.get("/figures/<name>")
    def figure(name: str) -> Response:
        if name not in FIGURES:
            abort(404)
        return pages.open(f"/figures/{name}")

    @routes.get("/redis-patterns/<path:name>")
    def dive(name: str) -> Response:
        path = f"/redis-patterns/{name}"
        if path not in pages.dives:
            abort(404)
        return pages.open(path)

    return routes
