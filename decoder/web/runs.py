"""Runs: one interaction, answered as an event stream, as JSON or as the whole page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, jsonify, redirect, request
from jinja2 import Environment, Template
from werkzeug.wrappers import Response as AnyResponse

from decoder.errors import DecoderError
from decoder.figures import FIGURES, template_of
from decoder.figures.desk import Visit
from decoder.readings.run import as_json
from decoder.web import answer, frame
from decoder.web.errors import error_json
from decoder.web.frame import Frame
from decoder.web.pages import Pages
from decoder.web.view import View, element_id


def blueprint(pages: Pages, environment: Environment) -> Blueprint:
    """Serve POST /figures/<figure>/runs."""
    routes = Blueprint("runs", __name__)
    desk = pages.desk
    templates = {
        name: environment.get_template(f"figures/{template_of(name)}.html") for name in FIGURES
    }

    @routes.post("/figures/<name>/runs")
    def run(name: str) -> AnyResponse:
        if name not in FIGURES:
            abort(404)
        kind = answer.preferred()
        form = _last_moved(request.form.to_dict(flat=False))
        page, framed = form.get("page", ""), None
        if page.startswith(f"{frame.EMBED}/"):
            framed = frame.told(page, pages.inputs_of(name))
            page = frame.page_of(framed.path)
        page = page if pages.figure_on(page) == name else f"/figures/{name}"
        if kind == answer.EVENT_STREAM:
            # What stays where it is, such as cards, is left out of what only fills the rest.
            visit = _locked(desk.act(name, {**form, "brief": "1"}, page), form, framed)
            return answer.stream(_messages(pages, visit, templates[name], framed))
        if kind == answer.JSON:
            return _json_answer(pages, desk.act(name, form, f"/figures/{name}"))
        return pages.render(page, pages.run_or_failure(desk.act(name, form, page)))

    @routes.get("/figures/<name>/runs")
    def reloaded(name: str) -> AnyResponse:
        # A reader without scripts who reloads, or shares, the answer to a form.
        if name not in FIGURES:
            abort(404)
        query = request.query_string.decode("latin-1")
        return redirect(f"/figures/{name}" + (f"?{query}" if query else ""), 303)

    return routes


def _locked(visit: Visit, form: Mapping[str, str], framed: Frame | None) -> Visit:
    """Let a reset leave the inputs alone that the embedding page has fixed."""
    if not framed or not framed.lock or visit.request.action != "reset":
        return visit
    fixed = [one for one in FIGURES[visit.figure].INPUTS if one.name in framed.lock]
    if not fixed:
        return visit
    kept = {one.name: one.read(form.get(one.name), True)[0] for one in fixed}
    inputs = {**visit.request.inputs, **kept}
    return dataclasses.replace(visit, request=visit.request._replace(inputs=inputs))


def _last_moved(fields: dict[str, list[str]]) -> dict[str, str]:
    """Choose between a slider and its number field where no script keeps them equal.

    Both are sent under one name; `was_<name>` tells what they showed: the one that differs moved.
    """
    form = {name: values[0] for name, values in fields.items()}
    for name, values in fields.items():
        was = form.get(f"was_{name}")
        form[name] = next((value for value in values if value != was), values[0])
    return form


def _json_answer(pages: Pages, visit: Visit) -> Response:
    """Run a visit and answer the JSON of a run, or of an error."""
    try:
        return jsonify(as_json(pages.run(visit)))
    except DecoderError as fault:
        return error_json(fault)


# What each message of the stream fills, in the order of the interaction.
BEFORE = ("score",)
BEFORE_ACTION = ("badge",)
COMMANDS = ("failure", "steps")
ORDER = (
    "order", "by_score", "by_member", "cells", "setup", "asks", "sentence", "read_back", "misread",
    "same", "inside", "state", "notices",
)  # fmt: skip
FAILURE = ("badge", "failure", "steps")


def _messages(
    pages: Pages, visit: Visit, template: Template, framed: Frame | None
) -> Iterator[str]:
    """Yield score, commands and order; the server is asked after the first is on its way."""
    figure = FIGURES[visit.figure]
    pending = View(
        visit.figure,
        figure,
        visit,
        visit.computed,
        None,
        "",
        [],
        visit.path,
        visit.token,
        frame=framed,
    )
    known = pending.score.computed is not None
    yield _message("score", pending, template, BEFORE if known else BEFORE_ACTION)
    view = pages.run_or_failure(visit, stream=True)
    base = frame.framed(visit.path) if framed else _base(visit.path)
    view = view._replace(base=base, frame=framed)
    if view.failure:
        yield _message("failure", view, template, FAILURE if view.steps else FAILURE[:2])
        return
    # The number already stands there, and what a double loses of it, unless it was changed.
    same = view.score.computed == pending.score.computed
    score = "badge" if same or not known else "score"
    yield _message("commands", view, template, (score, *COMMANDS))
    yield _message("order", view, template, ORDER)


def _base(page: str) -> str:
    """Return what stands before the links of a figure that is shown elsewhere than on `page`."""
    try:
        shown_on = urlsplit(request.headers.get("HX-Current-URL", page)).path
    except ValueError:
        return ""
    return "" if shown_on == page else page


def _message(kind: str, view: View, template: Template, blocks: tuple[str, ...]) -> str:
    """Write one message: its id says which move it answers, its parts fill the named blocks."""
    context = template.new_context({"view": view})
    shared = element_id(view.template)
    parts = {
        f"{view.id}_{block}": "".join(template.blocks[f"{shared}_{block}"](context))
        for block in blocks
        if f"{shared}_{block}" in template.blocks
    }
    if view.frame:
        parts = {target: frame.in_a_frame(html) for target, html in parts.items()}
    return answer.message(f"{view.visit.request.seq or 0}/{kind}", parts)
