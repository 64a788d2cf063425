"""What the program writes to its log: nothing by which a visitor could be told."""

from __future__ import annotations

import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tests.support.program import Program

pytestmark = pytest.mark.sample

AGENT = "a-browser-of-its-own/7"


def ask(program: Program, path: str, fields: dict[str, str] | None = None) -> str:
    body = urllib.parse.urlencode(fields).encode() if fields is not None else None
    headers = {"User-Agent": AGENT, "Accept": "text/html", "X-Forwarded-For": "203.0.113.9"}
    request = urllib.request.Request(program.address + path, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as refused:
        return str(refused.read().decode())


def everything_printed(program: Program) -> str:
    assert program.process
    program.end()
    assert program.process.stdout
    return program.process.stdout.read()


def test_no_token_address_agent_or_input_is_ever_logged(program: Program) -> None:
    page = ask(program, "/")
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    token = found[1]
    guess = "JOBguessedbyme"
    for fields in (
        {"token": token, "tier": "3", "arrival": "444"},
        {"token": token, "action": "serve", "guess": guess},
        {"token": token + "x"},
        {"token": token, "guess": "x" * 70_000},
        {"token": token, "tier": "\x00\udcff".encode("utf-8", "surrogateescape").decode("latin-1")},
    ):
        ask(program, "/figures/composite/runs", fields)
    ask(program, f"/nothing-here?{token}")
    ask(program, "/?tier=3&arrival=444&then=serve-" + guess)
    broken = socket.create_connection(("localhost", int(program.address.rsplit(":", 1)[1])))
    broken.sendall(f"GET /{token} HTTP/9.9\r\n\r\n".encode())
    broken.recv(1000)
    broken.close()
    printed = everything_printed(program)
    for secret in (token, token.split(".")[0], AGENT, "203.0.113.9", guess, "444"):
        assert secret not in printed
    assert not re.search(r"\b127\.0\.0\.1\b", printed)


def test_a_body_that_does_not_arrive_is_given_up_in_time(tmp_path: Path) -> None:
    program = Program(tmp_path, DECODER_REQUEST_SECONDS="1")
    with program:
        port = int(program.address.rsplit(":", 1)[1])
        slow = socket.create_connection(("localhost", port), timeout=8)
        slow.sendall(
            b"POST /figures/composite/runs HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\ntier=3&"
        )
        # While one body is awaited, others are served.
        assert program.status("/") == 200
        answer = b""
        while b"sentence" not in answer and (part := slow.recv(4096)):
            answer += part
        slow.close()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"longer than 1 s to arrive" in answer
    assert b'"limit":1' in answer.replace(b" ", b"")


@pytest.mark.parametrize("path", ["/", "/readyz"])
def test_the_program_answers_after_hostile_bytes(program: Program, path: str) -> None:
    port = int(program.address.rsplit(":", 1)[1])
    for bytes_sent in (b"\x00\xff\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\r\nX:" + b"y" * 9000):
        with socket.create_connection(("localhost", port), timeout=5) as hostile:
            hostile.sendall(bytes_sent)
    assert program.status(path) == 200
