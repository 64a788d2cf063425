"""Pages: which address shows what, and the one function that renders any of them."""

from __future__ import annotations

import logging
from pathlib import Path

from flask import Blueprint, Response, abort, render_template, request, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from decoder.course import guide
from decoder.course.course import Course
from decoder.course.dive import Dive
from decoder.errors import CourseFault, DecoderError
from decoder.figures import FIGURES
from decoder.figures.desk import Desk, Visit
from decoder.figures.library import Library
from decoder.figures.transcript import Asked, Replay
from decoder.readings.run import Run
from decoder.web.admission import Admission
from decoder.web.view import View, failed, viewed

HOME_FIGURE = "composite"
RETRY_AFTER_S = 2
BROKEN = "Something broke on our side. It has been logged; your sandbox is as it was."
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")

_log = logging.getLogger("decoder")


class Pages:
    """Every page that can show a figure or run a transcript, by its address."""

    def __init__(self, desk: Desk, admission: Admission, course: Course, library: Library) -> None:
        self.desk = desk
        self.admission = admission
        self.course = course
        self.library = library

    def page_at(self, path: str) -> Dive | None:
        """Return the page of the course, or of a script, at an address."""
        entry = self.library.get(path)
        return entry.page if entry else self.course.dives.get(path)

    def figure_on(self, path: str) -> str:
        """Return the name of the figure that the page at `path` is about, empty for none."""
        if path == "/":
            return HOME_FIGURE
        if path.startswith("/figures/"):
            name = path.removeprefix("/figures/")
            return name if name in FIGURES else ""
        dive = self.page_at(path)
        return dive.figure if dive else ""

    def open(self, path: str) -> Response:
        """Answer a GET of a page: a fresh run of its figure, if it has one, and the page."""
        name = self.figure_on(path)
        view = None
        dive = self.page_at(path)
        if name:
            query = request.args.to_dict() or (dive.start if dive else {})
            view = self.run_or_failure(self.desk.open(name, query, path))
        return self.render(path, view)

    def run(self, visit: Visit) -> Run:
        """Run a visit, once its address may open a sandbox where it opens one."""
        if visit.opens_a_sandbox:
            self.admission.admit()
        return self.desk.run(visit)

    def replay(self, asked: Asked) -> Replay:
        """Run a transcript, once its address may open a sandbox where it opens one."""
        if asked.opens_a_sandbox:
            self.admission.admit()
        return self.desk.replay(asked)

    def shown_with(self, asked: Asked) -> Response:
        """Answer a page whose transcript was run, to a reader without scripts."""
        path, dive = asked.dive.path, asked.dive
        try:
            replayed = self.replay(asked)
        except DecoderError as fault:
            return self.render(path, None, failure=(asked.transcript.id, fault.sentence))
        view = None
        if dive.figure:
            visit = self.desk.open(dive.figure, dive.start, path, replayed.sandbox.token)
            view = self.run_or_failure(visit)
        return self.render(path, view, replayed)

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

    def render(
        self,
        path: str,
        view: View | None,
        replayed: Replay | None = None,
        failure: tuple[str, str] = ("", ""),
    ) -> Response:
        """Render the page at `path` around a figure that has run, and a transcript that has.

        `failure` is the transcript that could not be run, and why.
        """
        dive = self.page_at(path)
        views = {view.name: view} if view else {}
        if dive:
            views |= self._other_figures(dive, view)
        token = next((one.token for one in views.values() if one.token), "")
        template = f"pages/{self._template(path, dive)}.html"
        html = render_template(
            template, view=view, views=views, dive=dive, path=path, course=self.course,
            failure=failure, replayed=replayed,
            token=replayed.sandbox.token if replayed else token,
        )  # fmt: skip
        answer = Response(html, 503 if view and view.unreachable else 200)
        if view and view.unreachable:
            answer.headers["Retry-After"] = str(RETRY_AFTER_S)
        return answer

    def _template(self, path: str, dive: Dive | None) -> str:
        if dive is None:
            return "home" if path == "/" else "figure"
        if path == guide.PATH:
            return "instructors"
        if path in self.library:
            return "script"
        return "chapter" if dive.is_chapter else "dive"

    def _other_figures(self, dive: Dive, view: View | None) -> dict[str, View]:
        """Run the figures further down a page, each in a lane of the same sandbox."""
        token = view.token if view else ""
        others = {}
        for name, start in dive.figures.items():
            if view and name == view.name:
                continue
            visit = self.desk.open(name, start, f"/figures/{name}", token)
            others[name] = self.run_or_failure(visit)
            token = token or others[name].token
        return others


def blueprint(pages: Pages) -> Blueprint:
    """Serve home, chapters, dives with their pictures, figures, scripts and the glossary."""
    routes = Blueprint("pages", __name__)

    @routes.get("/")
    def home() -> Response:
        return pages.open("/")

    @routes.get("/figures/<name>")
    def figure(name: str) -> Response:
        if name not in FIGURES:
            abort(404)
        return pages.open(f"/figures/{name}")

    @routes.get("/scripts")
    def scripts() -> str:
        return render_template("pages/scripts.html", path="/scripts")

    @routes.get("/scripts/<path:name>")
    def script(name: str) -> Response:
        if f"/scripts/{name}" not in pages.library:
            abort(404)
        return pages.open(f"/scripts/{name}")

    @routes.get("/glossary")
    def glossary() -> str:
        return render_template("pages/glossary.html", path="/glossary")

    @routes.get("/<path:name>")
    def dive(name: str) -> AnyResponse:
        path = f"/{name}"
        if path in pages.course.dives:
            return pages.open(path)
        if Path(name).suffix in PICTURES:
            return _picture(pages.course, name)
        if path not in pages.course.broken:
            abort(404)
        raise CourseFault(f"This page cannot be shown: {pages.course.broken[path]}")

    return routes


def _picture(course: Course, name: str) -> AnyResponse:
    found = (folder for folder in course.folders if (folder / name).is_file())
    folder = next(found, course.folders[0])
    return send_from_directory(folder.resolve(), name)
