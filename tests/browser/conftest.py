"""A browser in front of the program as a user starts it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.conftest import CHROMIUM
from tests.support.program import Program

# The suite itself sets no asyncio loop policy; Playwright's own loop outlives a test.


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    assert CHROMIUM, "Chromium is missing: apt-get install chromium"
    return {
        "executable_path": CHROMIUM,
        "args": ["--no-sandbox", "--disable-quic", "--disable-background-networking"],
        "headless": not os.environ.get("HEADED"),
    }


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """One program for all browser tests that leave it alive."""
    with Program(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """A page on which every console message and every script error fails the test."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: heard.append(str(error)))
    yield page
    assert heard == []
