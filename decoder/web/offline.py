"""Offline: a dive or a figure as one file, with recorded runs, that is read without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, render_template
from markupsafe import Markup

from decoder.course import guide
from decoder.encodings import instant
from decoder.errors import ServerUnreachable
from decoder.figures import FIGURES
from decoder.readings.run import Run
from decoder.web.assets import Assets
from decoder.web.copying import Copy, data_uri
from decoder.web.pages import RETRY_AFTER_S, Pages
from decoder.web.site import Origin
from decoder.web.view import View

FRAME = "offline.html"
"""The layout of a copy, in the place of layout.html."""
SHEET = "css/offline.css"
"""The style sheet that only a copy has, behind all others."""
NOTHING_TO_RECORD = (
    "There is no copy to be had just now: Valkey, which would run it, did not answer."
)


def blueprint(pages: Pages, static: Assets, origin: Origin) -> Blueprint:
    """Serve each dive and each figure at its address with .html behind it."""
    routes = Blueprint("offline", __name__)
    draw = _drawing(pages, static, origin)

    def saved(path: str) -> Response:
        answer = pages.render(path, draw=draw)
        name = f"score-decoder-{path.rpartition('/')[2]}.html"
        answer.headers.set("Content-Disposition", "attachment", filename=name)
        return answer

    for name in FIGURES:
        # An address each is looked up; a pattern would be tried at every move of a figure.
        path = f"/figures/{name}"
        routes.add_url_rule(f"{path}.html", name, partial(saved, path))

    @routes.get("/<path:name>.html")
    def dive(name: str) -> Response:
        page = pages.course.dives.get(f"/{name}")
        if page is None or page.is_chapter or page.path == guide.PATH:
            abort(404)
        return saved(page.path)

    return routes


def _drawing(pages: Pages, static: Assets, origin: Origin) -> Callable[..., str]:
    """Return what renders a page's template as a copy."""
    css = Markup(static.css + (static.folder / SHEET).read_text())
    icon = data_uri(static.folder / "mark.svg")

    def draw(template: str, *, path: str, views: dict[str, View], **context: Any) -> str:
        complete(views.values())
        ran = [view for view in views.values() if view.run]
        live = origin.absolute(path)
        here = live + (context["view"].query if context["view"] else "")
        labels = {one.id: _label(one, origin) for one in ran}
        html = render_template(
            template, path=path, views=views, frame=FRAME, css=css, icon=icon, live=here,
            told=recorded(ran[0].run) if ran and ran[0].run else "", **context,
        )  # fmt: skip
        return Copy.of(html, origin.absolute(""), live, labels, pages.course.pictures)

    return draw


def complete(views: Iterable[View]) -> None:
    """Raise what kept a figure from running: a copy holds every run of its page, or is none."""
    for view in views:
        if view.unreachable:
            raise ServerUnreachable(NOTHING_TO_RECORD, retry_after_s=RETRY_AFTER_S)
        if view.fault:
            raise view.fault


def recorded(run: Run) -> str:
    """Say which server took a run, and when by its own clock: on Valkey 9.1.2, 2026-12-01 …."""
    day, _, time = instant.iso(run.server.time_ms).partition("T")
    return f"on {run.server.software.capitalize()} {run.server.version}, {day} {time[:5]} UTC"


def _label(view: View, origin: Origin) -> Markup:
    """Write what stands first in a figure: that it is recorded, and where it is live."""
    said = recorded(view.run) if view.run else ""
    return Markup('<p class="recorded"><b>Recorded {}</b> <a href="{}">Run it live</a></p>').format(
        said, origin.absolute(view.page) + view.query
    )
