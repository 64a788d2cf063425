"""Health: alive when the process answers, ready when a real run works."""

from __future__ import annotations

from flask import Blueprint, Response

from decoder.errors import DecoderError
from decoder.figures.desk import Desk


def blueprint(desk: Desk) -> Blueprint:
    """Serve /healthz and /readyz."""
    pages = Blueprint("health", __name__)

    @pages.get("/healthz")
    def alive() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @pages.get("/readyz")
    def ready() -> Response:
        try:
            run = desk.rehearse()
        except DecoderError as fault:
            after = {"Retry-After": str(fault.retry_after_s)} if fault.retry_after_s else {}
            return Response(fault.sentence + "\n", 503, after, mimetype="text/plain")
        server = f"{run.server.software} {run.server.version}"
        return Response(f"ready: a real run works on {server}\n", mimetype="text/plain")

    return pages
