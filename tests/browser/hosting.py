"""Hosting: a page of somebody else, served on a name of its own, which frames pages of ours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from tests.support.program import Program

HOST, SITE = "course.test", "decoder.test"
"""Both are mapped to loopback: to the browser they are two sites."""


class Host(ThreadingHTTPServer):
    """A site of one page, whose HTML a test sets."""

    body = ""

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    server: Host

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.body.encode() if self.path == "/" else b"")

    def log_message(self, *_said: object) -> None:
        """Say nothing in the tests' output."""


@contextmanager
def hosting() -> Iterator[Host]:
    """Serve the page for as long as the block runs."""
    with Host(("127.0.0.1", 0), _Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def address(site: Program, path: str) -> str:
    """Return an address of ours by the site's other name."""
    return f"http://{SITE}:{urlsplit(site.address).port}{path}"


def page(body: str) -> str:
    """Write a page of a course around some HTML."""
    icon = '<link rel="icon" href="data:,">'
    return f"<!doctype html><html lang=en><title>Course</title>{icon}<h1>Course</h1>{body}"
