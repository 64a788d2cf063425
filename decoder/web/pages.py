"""Pages: which address shows what, and the one function that renders any of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from flask import Blueprint, Response, abort, render_template, request

from decoder.course.dive import Dive
from decoder.errors import DecoderError
from decoder.figures import FIGURES
from decoder.figures.desk import Desk, Visit
from decoder.readings.run import Run
from decoder.web.admission import Admission
from decoder.web.view import View, failed, viewed

HOME_FIGURE = "composite"
RETRY_AFTER_S = 2
BROKEN = "Something broke on our side. It has been logged; your sandbox is as it was."

_log = logging.getLogger("decoder")


class Pages:
    """Every page that can show a figure, by its address."""

    def __init__(self, desk: Desk, admission: Admission, dives: Mapping[str, Dive]) -> None:
        self.desk = desk
        self.admission = admission
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
            view = self.run_or_failure(self.desk.open(name, query, path))
        return self.render(path, view)

    def run(self, visit: Visit) -> Run:
        """Run a visit, once its address may open a sandbox where it opens one."""
        if visit.opens_a_sandbox:
            self.admission.admit()
        return self.desk.run(visit)

    def run_or_failure(self, visit: Visit, *, stream: bool = False) -> View:
        """Run a visit and view it; a failure is viewed too, with the computed score standing."""
        try:
            return viewed(visit, self.run(visit))
        except DecoderError as fault:
            return failed(visit, fault, stream=stream)
        except Exception:
            if not stream:
                raise
            # The answer has begun: an error page can no longer be sent.
            _log.exception("unexpected failure in a stream of %s", visit.figure)
            return failed(visit, DecoderError(BROKEN), stream=True)

    def render(self, path: str, view: View | None) -> Response:
        """Render the page at `path` around a figure that has run."""
        dive = self.dives.get(path)
        if dive is None:
            page = "home" if path == "/" else "figure"
        else:
            page = "chapter" if dive.is_chapter else "dive"
        html = render_template(f"pages/{page}.html", view=view, dive=dive, path=path)
        answer = Response(html, 503 if view and view.unreachable else 200)
        if view and view.unreachable:
            answer.headers["Retry-After"] = str(RETRY_AFTER_S)
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
