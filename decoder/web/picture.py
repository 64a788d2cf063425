"""Picture: the state of a page's figure as a PNG, for newsletters, slides and link previews.

The address of a picture is that of its page with `.png`, and with the same query. It shows a real
run, as the page does, and nothing that differs between two equal ones, such as how long they took.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flask import Blueprint, Response, abort, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from decoder.errors import DecoderError
from decoder.figures import FIGURES
from decoder.readings.run import Run
from decoder.web import lab_panels, lettering, panels
from decoder.web.directory import HOME, Listed
from decoder.web.drawing import HEIGHT, HUES, LINE, MARGIN, MINE, SOFT, WIDTH, Area, Canvas
from decoder.web.errors import status_of
from decoder.web.pages import RETRY_AFTER_S, Pages
from decoder.web.site import Origin

KEPT_S = 300
NAME = "Score Decoder"
_LEFT, _RIGHT, _GAP = MARGIN, WIDTH - MARGIN, 48
_RULE = HEIGHT - 70


@dataclass(frozen=True)
class Shown:
    """What a picture shows: a page's title and summary, its run if it has a figure, its address.

    The address is what the picture says of where it comes from, without https://.
    """

    title: str
    summary: str
    run: Run | None
    address: str


def png(shown: Shown) -> bytes:
    """Draw a picture and return it as a PNG of 1200 × 630 pixels; equal ones are equal bytes."""
    return draw(shown).png()


def draw(shown: Shown) -> Canvas:
    """Draw a picture: the title above, the run or the summary, and where it comes from below."""
    canvas = Canvas()
    top = _head(canvas, shown.title)
    _foot(canvas, shown)
    if shown.run is None:
        _paragraph(canvas, top, shown.summary)
    else:
        area = Area(_LEFT, top, _RIGHT, _said(canvas, shown.run) - 22)
        _figure(canvas, area, shown.run)
    return canvas


def _head(canvas: Canvas, title: str) -> int:
    """Draw the name of the site and the title; return where the rest begins."""
    for n, colour in enumerate((HUES["tier"], HUES["arrival"], HUES["time"], MINE)):
        left, top = _LEFT + n % 2 * 12, 44 + n // 2 * 12
        canvas.fill(Area(left, top, left + 10, top + 10), colour, radius=2)
    canvas.write(_LEFT + 36, 63, NAME, 22, SOFT)
    size, broken = lettering.told(title, (46, 42), _RIGHT - _LEFT, 1)
    if len(lettering.lines(title, size, _RIGHT - _LEFT)) > 1:
        size, broken = lettering.told(title, (38, 32, 28), _RIGHT - _LEFT, 2)
        broken = lettering.even(" ".join(broken), size, _RIGHT - _LEFT)
    line = 76
    for text in broken:
        line += round(size * 1.1)
        canvas.write(_LEFT, line, text, size, bold=True)
    return line + 32


def _foot(canvas: Canvas, shown: Shown) -> None:
    canvas.fill(Area(_LEFT, _RULE, _RIGHT, _RULE + 1), LINE)
    x: float = _LEFT
    if shown.run:
        server = shown.run.server
        words = f"real run on {server.software.capitalize()} {server.version}"
        x = canvas.write(x, _RULE + 36, words, 22) + _GAP
    address = lettering.fitted(shown.address, 22, _RIGHT - x)
    canvas.write_left_of(_RIGHT, _RULE + 36, address, 22, SOFT)


def _paragraph(canvas: Canvas, top: int, text: str) -> None:
    size, broken = lettering.told(text, (36, 32, 28), _RIGHT - _LEFT, 7)
    for n, line in enumerate(broken):
        canvas.write(_LEFT, top + round(size * (1 + 1.4 * n)), line, size)


def _said(canvas: Canvas, run: Run) -> int:
    """Draw the sentence of a run, in at most three lines; return where it begins.

    A lab that was not answered yet says what to watch for, and keeps the outcome to itself.
    """
    asks = run.lesson is not None and run.guess is None
    words = run.lesson.notice if run.lesson and asks else run.sentence
    size, broken = lettering.told(words, (26, 23, 21), _RIGHT - _LEFT, 3)
    pitch = round(size * 1.35)
    top = _RULE - 18 - pitch * len(broken)
    for n, line in enumerate(broken):
        canvas.write(_LEFT, top + pitch * n + size, line, size)
    return top


def _figure(canvas: Canvas, area: Area, run: Run) -> None:
    """Draw what the figure is about: two orders, a lab's tables, or a number and its set."""
    if run.lesson:
        left, right = _split(area, 0.4)
        lab_panels.question(canvas, left, run.lesson, run.guess.said if run.guess else "")
        lab_panels.tables(canvas, right, run.lesson.outcome if run.guess else run.lesson.setup)
        return
    if run.orders:
        panels.orders(canvas, area, run)
        return
    left, right = _split(area, 0.53)
    panels.score(canvas, left, run)
    if run.order.of or not run.inside:
        panels.queue(canvas, right, run.order, run.set_key or "the queue, as Valkey orders it")
    else:
        panels.cells(canvas, right, run.inside)


def _split(area: Area, share: float) -> tuple[Area, Area]:
    middle = area.left + round(area.width * share)
    return area._replace(right=middle - _GAP // 2), area._replace(left=middle + _GAP // 2)


def blueprint(pages: Pages, origin: Origin) -> Blueprint:
    """Serve the picture of home, of every figure, and of every page of the course."""
    routes = Blueprint("picture", __name__)

    @routes.get("/index.png")
    def home() -> Response:
        return _answer(pages, origin, HOME._replace(title=FIGURES[pages.figure_on("/")].TITLE))

    for name, one in FIGURES.items():
        # An address each is looked up; a pattern would be tried at every move of a figure.
        path = f"/figures/{name}"
        listed = Listed(path, one.TITLE, one.INVITES)
        routes.add_url_rule(f"{path}.png", name, partial(_answer, pages, origin, listed))

    @routes.get("/<path:name>.png")
    def dive(name: str) -> AnyResponse:
        path = f"/{name}"
        # What an author put there under this name is meant first.
        if file := pages.course.pictures.get(f"{path}.png"):
            return send_file(file.resolve())
        if path not in pages.course.dives:
            abort(404)
        one = pages.course.dives[path]
        return _answer(pages, origin, Listed(path, one.title, one.summary))

    return routes


def _answer(pages: Pages, origin: Origin, page: Listed) -> Response:
    """Answer the picture of a page; a request that only asks for its head opens no sandbox."""
    kept = {"Cache-Control": f"public, max-age={KEPT_S}"}
    if request.method == "HEAD":
        return Response(iter(()), 200, kept, mimetype="image/png")
    try:
        visit = pages.visit(page.path)
        run = pages.run(visit) if visit else None
    except DecoderError as fault:
        return _refusal(fault)
    state = run.address.partition("?")[2] if run and request.query_string else ""
    state = state.replace("%2F", "/")  # which may stand in a query as it is
    address = origin.absolute(page.path) + (f"?{state}" if state else "")
    shown = Shown(page.title, page.summary, run, address.partition("://")[2])
    return Response(png(shown), 200, kept, mimetype="image/png")


def _refusal(fault: DecoderError) -> Response:
    """Say in one plain sentence why there is no picture, and when to ask again."""
    after = {"Retry-After": str(fault.retry_after_s or RETRY_AFTER_S)}
    return Response(f"{fault.sentence}\n", status_of(fault), after, mimetype="text/plain")
