"""What a client of HTTP is told: kinds of answers, limits of a request, and what may be kept."""

from __future__ import annotations

import itertools
import re
import socket
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.web.errors import REQUEST_BYTES_MOST
from tests.server.test_pages import DIVE, every_address
from tests.support.figure import FIGURE, HTML, JSON, RUNS
from tests.support.program import Program
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

TRANSCRIPT = f"{DIVE}/transcripts/delayed-queue/runs"
STREAM, PAGE, DATA = "text/event-stream", "text/html", "application/json"


# Which answer


@pytest.mark.parametrize("address", [RUNS, TRANSCRIPT])
@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/html, text/event-stream", STREAM),
        ("text/event-stream", STREAM),
        ("Text/Event-Stream", STREAM),
        ("text/html, text/event-stream;q=0.5", PAGE),
        ("text/event-stream;q=0, text/html", PAGE),
        ("text/*", PAGE),
        ("*/*", PAGE),
        ("", PAGE),
        ("image/png", PAGE),
        ("application/json", DATA),
        ("Application/JSON", DATA),
        ("application/json, text/html", PAGE),
        ("application/json, text/html;q=0.9", DATA),
        ("application/json, */*;q=0.1", DATA),
        ("application/json;q=0.1, text/html", PAGE),
        ("application/json;q=0, */*", PAGE),
    ],
)
def test_the_answer_is_the_one_that_the_request_prefers(
    client: FlaskClient, address: str, accept: str, kind: str
) -> None:
    answer = client.post(address, headers={"Accept": accept}, buffered=True)
    assert answer.status_code == 200
    assert answer.mimetype == kind
    if kind != STREAM:
        assert client.get("/nothing", headers={"Accept": accept}).mimetype == kind


@pytest.mark.parametrize(
    ("method", "address", "status", "code"),
    [
        ("PUT", RUNS, 405, "method_not_allowed"),
        ("DELETE", "/", 405, "method_not_allowed"),
        ("GET", "/nothing", 404, "not_found"),
        ("POST", RUNS, 413, "too_large"),
    ],
)
def test_every_refusal_has_a_code_of_its_own(
    client: FlaskClient, method: str, address: str, status: int, code: str
) -> None:
    body = {"tier": "9" * 70_000} if method == "POST" else {}
    answer = client.open(address, method=method, data=body, headers=JSON)
    assert answer.status_code == status
    assert answer.get_json()["error"]["code"] == code


def test_a_request_that_cannot_be_read_has_a_code_too(app: Flask) -> None:
    @app.get("/unreadable")
    def unreadable() -> None:
        from werkzeug.exceptions import BadRequest

        raise BadRequest

    error = app.test_client().get("/unreadable", headers=JSON).get_json()["error"]
    assert error["code"] == "bad_request"


@pytest.mark.parametrize("headers", [HTML, JSON], ids=["html", "json"])
def test_a_page_of_an_error_says_when_to_come_back_as_json_does(
    app: Flask, headers: dict[str, str]
) -> None:
    from decoder.errors import ServerUnreachable

    @app.get("/gone")
    def gone() -> None:
        raise ServerUnreachable("Valkey is not there.", retry_after_s=7)

    answer = app.test_client().get("/gone", headers=headers)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "7"


# What may be kept


def test_every_static_file_is_not_sent_again_to_who_has_it(client: FlaskClient) -> None:
    html = client.get("/").text
    files = set(re.findall(r'"(/static/[^"]+)"', html))
    assert len(files) > 10
    for file in files:
        first = client.get(file, buffered=True)
        tag = first.headers["ETag"]
        again = client.get(file, headers={"If-None-Match": tag}, buffered=True)
        assert (again.status_code, again.data) == (304, b""), file
        assert "immutable" in again.headers["Cache-Control"]
        assert client.get(file, headers={"If-None-Match": '"x"'}, buffered=True).status_code == 200


def test_a_look_at_the_head_alone_stores_nothing(app: Flask, valkey: Valkey) -> None:
    client = app.test_client()
    addresses = {one for method, one in every_address(app) if method == "HEAD"} | {DIVE, FIGURE}
    valkey.admin.flushall()
    for address in sorted(addresses - {"/readyz"}):
        answer = client.head(address, buffered=True)
        assert answer.status_code in (200, 303, 400, 404), address
        assert answer.data == b""
        assert valkey.admin.dbsize() == 0, address
    assert client.head(DIVE).mimetype == PAGE
    assert client.head("/nothing").status_code == 404


# How much a request may carry


def spoken(program: Program, request: bytes, *, end: bool = False) -> bytes:
    """Send these bytes as they are; return what comes back before the connection rests or ends.

    With `end` nothing more will be sent, and the other side knows it.
    """
    at = urlsplit(program.address)
    with socket.create_connection((at.hostname, at.port), timeout=10) as wire:
        wire.sendall(request)
        if end:
            wire.shutdown(socket.SHUT_WR)
        heard = b""
        while b"\r\n\r\n" not in heard or not heard.rstrip().endswith((b"</html>", b"}")):
            part = wire.recv(65536)
            if not part:
                break
            heard += part
    return heard


def chunked(address: str, body: bytes, size: int, accept: str = DATA) -> bytes:
    """Write a form in chunks of this many bytes."""
    head = (
        f"POST {address} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\nConnection: close\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return head.encode() + chunks + b"0\r\n\r\n"


def form(weight: int) -> bytes:
    """Return a form of this many bytes that moves the job to tier 3."""
    body = b"tier=3&arrival=3&x="
    return body + b"y" * (weight - len(body))


@pytest.mark.parametrize("address", [RUNS, TRANSCRIPT])
def test_a_body_in_chunks_has_the_same_limit_as_one_with_a_length(
    program: Program, address: str
) -> None:
    for size in (100, 8192, 10**6):
        heard = spoken(program, chunked(address, form(REQUEST_BYTES_MOST), size))
        assert heard.startswith(b"HTTP/1.1 200 "), heard[:300]
        for weight in (REQUEST_BYTES_MOST + 1, 100_000):
            heard = spoken(program, chunked(address, form(weight), size))
            assert heard.startswith(b"HTTP/1.1 413 "), heard[:300]
            assert b"64 KiB" in heard
            assert b"commands_left" not in heard
    told = form(REQUEST_BYTES_MOST + 1)
    head = (
        f"POST {address} HTTP/1.1\r\nHost: x\r\nAccept: {DATA}\r\nConnection: close\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(told)}\r\n\r\n"
    )
    assert spoken(program, head.encode() + told).startswith(b"HTTP/1.1 413 ")


BROKEN = [
    b"GARBAGE\r\n",
    b"-5\r\ntier=3\r\n0\r\n\r\n",
    b"5\r\ntier=SECRET",
    b"5;\x00=SECRET\r\ntier=\r\n0\r\n\r\n",
    b"6\r\ntier=3\r\n0\r\nbad SECRET\r\n\r\n",
    b"6\r\ntier=3",
    b"",
]


def test_a_body_that_is_broken_is_a_bad_request_and_none_of_it_is_logged(program: Program) -> None:
    for address, body, accept in itertools.product((RUNS, TRANSCRIPT), BROKEN, (DATA, "text/html")):
        head = chunked(address, b"", 1, accept).removesuffix(b"0\r\n\r\n")
        heard = spoken(program, head + body, end=True)
        assert heard.startswith(b"HTTP/1.1 400 "), (address, body, heard[:300])
        assert b"could not be read" in heard
    log = program.log()
    assert "Traceback" not in log
    assert not any(word in log for word in ("GARBAGE", "SECRET", "InvalidChunk"))


def test_a_body_that_is_shorter_than_it_says_is_a_bad_request(program: Program) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=b"):
        head = (
            f"POST {RUNS} HTTP/1.1\r\nHost: x\r\nAccept: {DATA}\r\nConnection: close\r\n"
            f"Content-Type: {kind}\r\nContent-Length: 50\r\n\r\n"
        )
        heard = spoken(program, head.encode() + b"tier=", end=True)
        assert heard.startswith(b"HTTP/1.1 400 "), heard[:300]


@pytest.mark.parametrize("headers", [HTML, JSON], ids=["html", "json"])
def test_a_form_in_parts_has_that_limit_too(client: FlaskClient, headers: dict[str, str]) -> None:
    for weight, status in ((REQUEST_BYTES_MOST - 1000, 200), (REQUEST_BYTES_MOST, 413)):
        body = {"tier": "3", "arrival": "3", "x": "y" * weight}
        answer = client.post(
            RUNS, data=body, headers=headers, content_type="multipart/form-data", buffered=True
        )
        assert answer.status_code == status


def test_an_address_of_8_kb_is_answered_and_a_longer_one_is_refused(program: Program) -> None:
    def asked(length: int) -> bytes:
        line = f"GET {FIGURE}?then="
        line += "x" * (length - len(line) - len(" HTTP/1.1"))
        return spoken(program, f"{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())

    assert asked(8190).startswith(b"HTTP/1.1 200 ")
    for length in (8191, 20_000):
        refused = asked(length)
        assert refused.startswith(b"HTTP/1.1 414 ")
        # In the web server's own words: it never got as far as to us.
        assert b"Request Line is too large" in refused
        assert b"8190" in refused
