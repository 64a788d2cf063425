"""Pages: which address shows what, and the one function that renders any of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, render_template, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from decoder.course import guide
from decoder.course.course import Course
from decoder.course.dive import Dive
from decoder.course.known import EVERY_FIGURE_HAS
from decoder.errors import BrokenPage, DecoderError, ServerUnreachable
from decoder.figures import FIGURES
from decoder.figures.desk import Desk, Visit
from decoder.figures.library import Library
from decoder.figures.transcript import Asked, Replay
from decoder.readings.run import Run
from decoder.web import frame
from decoder.web.admission import Admission
from decoder.web.frame import Frame, in_a_frame
from decoder.web.view import View, failed, viewed

HOME_FIGURE = "composite"
RETRY_AFTER_S = 2
BROKEN = "Something broke on our side. It has been logged; your sandbox is as it was."

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

    def figures_on(self, path: str) -> list[str]:
        """Return the names of all figures of the page at `path`."""
        hero, dive = self.figure_on(path), self.page_at(path)
        return [*dive.figures] if dive else [hero] if hero else []

    def embedded_at(self, path: str) -> str:
        """Return where a figure, a dive or the figure of home is embedded; empty for all else."""
        if path == "/":
            return frame.framed(f"/figures/{HOME_FIGURE}")
        dive = self.course.dives.get(path)
        is_figure = path.startswith("/figures/") and self.figure_on(path) != ""
        is_dive = dive and not dive.is_chapter and path != guide.PATH
        return frame.framed(path) if is_figure or is_dive else ""

    def inputs_of(self, *names: str) -> dict[str, str]:
        """Return the inputs of figures that an embedding page can fix, with their labels."""
        # Steps and the pinned now of a reading are told by links; its slider alone can be fixed.
        sliders = [getattr(FIGURES[name], "SECONDS", None) for name in names]
        inputs = [
            one
            for name, slider in zip(names, sliders, strict=True)
            for one in ([slider] if slider else FIGURES[name].INPUTS)
        ]
        return {one.name: one.label for one in inputs}

    def picture_of(self, path: str) -> str:
        """Return the address of the picture of a page, empty where it has none."""
        if path == "/":
            return "/index.png"
        return f"{path}.png" if self.figure_on(path) or path in self.course.dives else ""

    def visit(self, path: str) -> Visit | None:
        """Begin the visit of the figure that a page is about, in the state of the address."""
        name, dive = self.figure_on(path), self.page_at(path)
        if not name:
            return None
        return self.desk.open(name, state_of(name) or (dive.figures[name] if dive else {}), path)

    def run(self, visit: Visit, *, whole: bool = False) -> Run:
        """Run a visit, once its address may open a sandbox where it opens one.

        A `whole` run has every command in full.
        """
        if visit.opens_a_sandbox:
            self.admission.admit()
        return self.desk.run(visit, whole=whole)

    def replay(self, asked: Asked) -> Replay:
        """Run a transcript, once its address may open a sandbox where it opens one."""
        if asked.opens_a_sandbox:
            self.admission.admit()
        return self.desk.replay(asked)

    def shown_with(self, asked: Asked) -> Response:
        """Answer a page whose transcript was run, to a reader without scripts."""
        path, name = asked.dive.path, asked.transcript.id
        try:
            replayed = self.replay(asked)
        except DecoderError as fault:
            token = "" if asked.opens_a_sandbox else asked.token
            return self.render(path, token=token, failed_in=name, fault=fault)
        return self.render(path, token=replayed.sandbox.token, replayed=replayed)

    def run_or_failure(self, visit: Visit, *, stream: bool = False) -> View:
        """Run a visit and view it; a failure is viewed too, with the computed score standing."""
        try:
            return viewed(visit, self.run(visit), stream=stream)
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
        view: View | None = None,
        *,
        token: str = "",
        replayed: Replay | None = None,
        failed_in: str = "",
        fault: DecoderError | None = None,
        framed: Frame | None = None,
        draw: Callable[..., str] = render_template,
    ) -> Response:
        """Render the page at `path`, every figure of it run, in the sandbox of the token.

        `view` is the one that has run already, `replayed` a transcript that has; `failed_in` is the
        transcript that could not be run, `fault` why; `draw` turns a template's name and context
        into HTML.
        """
        if request.method == "HEAD":
            # Nobody reads what a figure would say, so it opens no sandbox.
            return Response(iter(()))
        dive = self.page_at(path)
        views = self._views(path, view, token, fault)
        if framed:
            views = {name: _framed(one, framed) for name, one in views.items()}
        template = f"pages/{'embed' if framed else self._template(path, dive)}.html"
        hero = views.get(self.figure_on(path))
        moved = view is not None or (hero is not None and bool(state_of(hero.name)))
        html = draw(
            template, view=hero, views=views, dive=dive,
            path=path, course=self.course, replayed=replayed, framed=framed,
            picture=self.picture_of(path),
            # Without scripts a run of a transcript brings the page anew: with its figure as it was.
            state=hero.query if hero and moved else "", embedded=self.embedded_at(path),
            options=self._options(path),
            failure=(failed_in, fault.sentence if fault else ""),
            token=token or next((one.token for one in views.values() if one.token), ""),
        )  # fmt: skip
        html = in_a_frame(html) if framed else html
        unreachable = isinstance(fault, ServerUnreachable)
        if not unreachable and not any(one.unreachable for one in views.values()):
            return Response(html)
        return Response(html, 503, {"Retry-After": str(RETRY_AFTER_S)})

    def _options(self, path: str) -> str:
        """Return what the address asks of a frame of this page, as the end of a query."""
        if not any(name in request.args for name in frame.FIELDS):
            return ""
        inputs = self.inputs_of(*self.figures_on(path))
        return urlencode(frame.read(path, frame.query_of(request.args), inputs).fields, safe=",")

    def _template(self, path: str, dive: Dive | None) -> str:
        if dive is None:
            return "home" if path == "/" else "figure"
        if path == guide.PATH:
            return "instructors"
        if path in self.library:
            return "script"
        return "chapter" if dive.is_chapter else "dive"

    def _views(
        self, path: str, view: View | None, token: str, fault: DecoderError | None
    ) -> dict[str, View]:
        """View each figure of a page: the first at its address, the others in lanes beside it.

        Where there is no sandbox to go on in, nothing more is asked: each would wait as long.
        """
        hero, dive = self.figure_on(path), self.page_at(path)
        placed = dive.figures if dive else {hero: {}} if hero else {}
        views = {view.name: view} if view else {}
        gone = fault if isinstance(fault, ServerUnreachable) or not token else None
        for name, start in placed.items():
            for one in views.values():
                token, gone = token or one.token, gone or one.without_sandbox
            if name in views:
                continue
            query = state_of(name) if name == hero else {}
            at = path if name == hero else f"/figures/{name}"
            visit = self.desk.open(name, query or start, at, token)
            seen = failed(visit, gone) if gone else self.run_or_failure(visit)
            views[name] = seen._replace(base="" if at == path else at)
        return views


def _framed(view: View, framed: Frame) -> View:
    """View a figure as the page that embeds it wants it; its links lead to embedded pages."""
    return view._replace(base=frame.framed(view.page), frame=framed)


def state_of(figure: str) -> dict[str, str]:
    """Return the state of a figure that the address names; what others add to it is none."""
    asked = request.args.to_dict()
    fields = {*FIGURES[figure].FIELDS, *EVERY_FIGURE_HAS}
    return asked if fields.intersection(asked) else {}


def blueprint(pages: Pages) -> Blueprint:
    """Serve home, chapters, dives with their pictures, figures, scripts and the glossary."""
    routes = Blueprint("pages", __name__)

    @routes.get("/")
    def home() -> Response:
        return pages.render("/")

    @routes.get("/figures/<name>")
    def figure(name: str) -> Response:
        if name not in FIGURES:
            abort(404)
        return pages.render(f"/figures/{name}")

    @routes.get("/scripts")
    def scripts() -> str:
        return render_template("pages/scripts.html", path="/scripts")

    @routes.get("/scripts/<design>/<name>")
    def script(design: str, name: str) -> Response:
        if f"/scripts/{design}/{name}" not in pages.library:
            abort(404)
        return pages.render(f"/scripts/{design}/{name}")

    @routes.get("/glossary")
    def glossary() -> str:
        return render_template("pages/glossary.html", path="/glossary")

    @routes.get("/<path:name>")
    def dive(name: str) -> AnyResponse:
        path = f"/{name}"
        if path in pages.course.dives:
            return pages.render(path)
        if path in pages.course.pictures:
            return send_file(pages.course.pictures[path].resolve())
        if path not in pages.course.broken:
            abort(404)
        broken = pages.course.broken[path]
        raise BrokenPage(broken.file, broken.faults)

    return routes
