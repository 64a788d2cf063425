"""A browser in front of the program as a user starts it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import watching
from tests.browser.hosting import HOST, SITE, Host, hosting
from tests.conftest import CHROMIUM
from tests.support.program import Program

# The suite itself sets no asyncio loop policy; Playwright's own loop outlives a test.


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    assert CHROMIUM, "Chromium is missing: apt-get install chromium"
    return {
        "executable_path": CHROMIUM,
        "args": [
            "--no-sandbox",
            "--disable-quic",
            "--disable-background-networking",
            "--disable-gpu",
            # Hundreds of pages of one site: they need not start a process each.
            "--process-per-site",
            # Two sites, one of which embeds the other, where cookies of others are blocked.
            f"--host-resolver-rules=MAP {HOST} 127.0.0.1, MAP {SITE} 127.0.0.1",
            "--test-third-party-cookie-phaseout",
        ],
        "headless": not os.environ.get("HEADED"),
    }


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """One program for all browser tests that leave it alive."""
    with Program(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Iterator[Host]:
    """A page of somebody else, on a host of its own, which frames pages of ours."""
    with hosting() as running:
        yield running


@pytest.fixture(scope="session")
def contexts(browser: Browser, site: Program) -> Iterator[dict[bool, BrowserContext]]:
    """Two visitors, one of them without scripts. The site leaves nothing in a browser: a test.

    Each keeps a page open: while one is, the next pages of the site start in the same process,
    which halves the time of the whole folder.
    """
    opened = {
        scripts: browser.new_context(java_script_enabled=scripts) for scripts in (True, False)
    }
    for context in opened.values():
        context.new_page().goto(site.address + "/healthz")
    yield opened
    for context in opened.values():
        context.close()


@pytest.fixture
def page(contexts: dict[bool, BrowserContext], request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of its own for each test; `WITHOUT_SCRIPTS = True` in a module turns scripts off."""
    scripts = not getattr(request.module, "WITHOUT_SCRIPTS", False)
    opened = contexts[scripts].new_page()
    yield opened
    opened.close()


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """A page on which every console message and every script error fails the test."""
    heard = watching.listen(page)
    yield page
    assert heard == []


@pytest.fixture
def failing(page: Page) -> Iterator[Page]:
    """A page whose requests are meant to fail: the browser's own lines about that pass."""
    heard = watching.listen(page)
    yield page
    assert [line for line in heard if not line.startswith(watching.FAILED_REQUEST)] == []
