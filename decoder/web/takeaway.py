"""Takeaway: the commands of a figure's state as a file, to be run on a server of one's own."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from decoder.figures import FIGURES
from decoder.figures.takeaway import taken
from decoder.transcripts.takeaway import write_cli, write_python
from decoder.web.pages import Pages, state_of
from decoder.web.site import Origin

WRITERS = {"txt": (write_cli, "text/plain"), "py": (write_python, "text/x-python")}
"""How each kind of file is written, and what it is told to be."""


def blueprint(pages: Pages, origin: Origin) -> Blueprint:
    """Serve /figures/<figure>/commands.txt and commands.py, with the query of a state."""
    routes = Blueprint("takeaway", __name__)

    @routes.get("/figures/<name>/commands.<any(txt, py):kind>")
    def commands(name: str, kind: str) -> Response:
        if name not in FIGURES:
            abort(404)
        write, mimetype = WRITERS[kind]
        answer = Response(content_type=f"{mimetype}; charset=utf-8")
        answer.headers["Content-Disposition"] = (
            f'attachment; filename="score-decoder-{name}.{kind}"'
        )
        # Nobody reads what is asked for its headers only, so it opens no sandbox.
        if request.method != "HEAD":
            visit = pages.desk.open(name, state_of(name), f"/figures/{name}")
            run = pages.run(visit, whole=True)
            answer.set_data(write(taken(run, origin.absolute_state(run.address))))
        return answer

    return routes
