"""What the tests watch from outside: the console, the traffic, and the program's processes."""

from __future__ import annotations

import email.parser
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl

from playwright.sync_api import ConsoleMessage, Page, Request, Route

from tests.support.program import Program

FAILED_REQUEST = ("error: Failed to load resource:", "error: htmx: htmx:error: Failed to fetch")
"""How Chromium and htmx themselves report a request that did not get through."""
RUNS = "**/figures/*/runs"
WAIT_S = 10.0


def listen(page: Page) -> list[str]:
    """Return a list that fills with every console message and script error of a page."""
    heard: list[str] = []

    def console(message: ConsoleMessage) -> None:
        heard.append(f"{message.type}: {message.text}")

    page.on("console", console)
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    return heard


def until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Let the browser's events through until `condition` holds; `what` is said when it never does.

    Each evaluation is a round trip to the browser, during which its events arrive here.
    """
    by = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < by, f"it never happened: {what}"
        page.evaluate("() => new Promise(requestAnimationFrame)")


FLIGHTS = r"""
  const flights = window.flights = { made: 0, open: 0, most: 0 };
  const ask = window.fetch, read = ReadableStreamDefaultReader.prototype.read;
  const reader = ReadableStream.prototype.getReader;
  const answers = new WeakSet(), readers = new WeakSet();
  window.fetch = async (...asked) => {
    if (!/\/runs$/.test(asked[0])) return ask(...asked);
    flights.made += 1;
    flights.most = Math.max(flights.most, ++flights.open);
    const answer = await ask(...asked);
    answers.add(answer.body);
    return answer;
  };
  ReadableStream.prototype.getReader = function (...mode) {
    const made = reader.apply(this, mode);
    if (answers.has(this)) readers.add(made);
    return made;
  };
  ReadableStreamDefaultReader.prototype.read = async function () {
    const part = await read.call(this);
    if (part.done && readers.delete(this)) flights.open -= 1;
    return part;
  };
"""
"""A run is in flight from the page's own fetch until the page has read the answer's end.

The browser's resource timing would tell the same, but it now and then has no entry of a stream.
"""


def count_flights(page: Page) -> None:
    """Count in `window.flights` the runs that the next pages ask for, and how many at once."""
    page.add_init_script(FLIGHTS)


class Gate:
    """Holds back every run that a page asks for, until it is let go or the gate is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.is_open = False
        page.route(RUNS, self._arrive)

    def _arrive(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.waiting.append(route)

    def next(self) -> Route:
        """Wait until a run is held back; take it out, to be let go or ended."""
        until(self.page, lambda: bool(self.waiting), "a run is asked for")
        return self.waiting.pop(0)

    def wait(self) -> None:
        """Wait until a run is held back."""
        until(self.page, lambda: bool(self.waiting), "a run is asked for")

    def open(self) -> None:
        """Let go what waits and hold nothing back any more."""
        self.is_open = True
        while self.waiting:
            self.waiting.pop(0).continue_()


def record_runs(page: Page) -> list[dict[str, str]]:
    """Return a list that fills with the form fields of every run the page asks for."""
    asked: list[dict[str, str]] = []
    page.on("request", lambda request: asked.append(fields(request)) if is_run(request) else None)
    return asked


def is_run(request: Request) -> bool:
    """Tell whether a request asks for a run."""
    return request.method == "POST" and request.url.endswith("/runs")


def fields(request: Request) -> dict[str, str]:
    """Return the form fields of a run; of two fields with one name the last."""
    body = request.post_data or ""
    kind = request.headers.get("content-type", "")
    if not kind.startswith("multipart"):
        return dict(parse_qsl(body, keep_blank_values=True))
    parts = email.parser.Parser().parsestr(f"Content-Type: {kind}\n\n{body}")
    return {
        str(part.get_param("name", header="content-disposition")): str(part.get_payload())
        for part in parts.walk()
        if not part.is_multipart()
    }


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes below one, as Linux lists them."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return
    for child in map(int, children):
        yield child
        yield from descendants(child)


def valkey_of(program: Program) -> int:
    """Return the process id of the Valkey that a program started."""
    assert program.process
    found = [
        pid
        for pid in descendants(program.process.pid)
        if b"valkey-server" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    assert len(found) == 1, f"one valkey-server was expected below the launcher, not {found}"
    return found[0]


@contextmanager
def paused(pid: int) -> Iterator[None]:
    """Stop a process that a test has found below its own program, and let it go on afterwards."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def valkey_killed(program: Program) -> Iterator[None]:
    """Kill a program's Valkey; it comes back when the block ends.

    The launcher is paused meanwhile, or the outage would be over before a test could look.
    """
    assert program.process
    killed = valkey_of(program)
    with paused(program.process.pid):
        os.kill(killed, signal.SIGKILL)
        yield
    program.wait_until_ready()
    assert valkey_of(program) != killed
