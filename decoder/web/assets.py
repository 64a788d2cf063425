"""Assets: static files under an address that changes with their content, so they never expire."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Blueprint, Response, abort, request, send_from_directory

IMMUTABLE = "public, max-age=31536000, immutable"
STYLE_SHEETS = (
    "reset", "tokens", "base", "layout", "slider", "score", "ladder", "strip", "figure", "readings",
    "transcript", "code", "course", "library", "lab", "bits", "framed", "share",
)  # fmt: skip
"""The CSS files in the order in which they are joined into one answer."""


class Assets:
    """The static folder, read once: its version and the one joined style sheet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        sheets = [(folder / "css" / f"{name}.css").read_text() for name in STYLE_SHEETS]
        self.css = "".join(sheets)
        digest = hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
        self.version = digest.hexdigest()[:12]

    def url(self, name: str) -> str:
        """Return the address of a file, good for a year."""
        return f"/static/{self.version}/{name}"


def blueprint(assets: Assets) -> Blueprint:
    """Serve the static folder below its version."""
    pages = Blueprint("assets", __name__)

    @pages.get("/static/<version>/<path:name>")
    def static_file(version: str, name: str) -> Response:
        if version != assets.version:
            abort(404)
        if name == "site.css":
            answer = Response(assets.css, mimetype="text/css")
            answer.add_etag()
            answer.make_conditional(request)
        else:
            answer = send_from_directory(assets.folder, name)
        answer.headers["Cache-Control"] = IMMUTABLE
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        answer.headers["Access-Control-Allow-Origin"] = "*"
        return answer

    @pages.get("/favicon.ico")
    def favicon() -> Response:
        return send_from_directory(assets.folder, "mark.svg", mimetype="image/svg+xml")

    return pages
