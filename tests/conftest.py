"""What tests share: a real Valkey, an application on it, and the program as one runs it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import tests.support.fuzz  # noqa: F401  before any test takes its settings
from decoder.app import create_app
from decoder.settings import Settings
from tests.support.program import Program
from tests.support.valkey import Valkey

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
BROWSER = Path(__file__).parent / "browser"
SECRET = "a secret of the tests"
NO_BROWSER = (
    "tests/browser was left out: no Chromium here. "
    "Debian: apt-get install chromium   macOS: brew install --cask chromium"
)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    # In CI a missing browser fails instead.
    if collection_path == BROWSER and not CHROMIUM and not os.environ.get("CI"):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen = set()
    for item in items:
        function = item.nodeid.partition("[")[0]
        if function in seen and item.get_closest_marker("sample"):
            item.add_marker(pytest.mark.long)
        seen.add(function)


def pytest_unconfigure() -> None:
    if not CHROMIUM and not os.environ.get("CI"):
        print(NO_BROWSER)  # noqa: T201


TEST_S = 8
"""No test that spends a minute's commands takes longer."""


@pytest.fixture(scope="session")
def shared_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def valkey(shared_valkey: Valkey) -> Valkey:
    """A real server, empty, that a test must leave running."""
    shared_valkey.admin.flushall()
    return shared_valkey


@pytest.fixture
def in_one_minute(valkey: Valkey) -> None:
    """Begin where the server's minute does not turn soon: what was spent counts until it does."""
    while int(valkey.admin.time()[0]) % 60 > 60 - TEST_S:
        pass


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[Valkey]:
    """A server of the test's own, which it may stop, pause, fill or kill."""
    with Valkey(tmp_path) as server:
        yield server


@pytest.fixture
def settings(valkey: Valkey) -> Settings:
    return Settings(valkey_url=valkey.url, secret=SECRET)


@pytest.fixture
def app(settings: Settings) -> Flask:
    return create_app(settings)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def program() -> Iterator[Program]:
    """`decoder serve` in a process of its own, on a free port; ended after the test.

    The path of its folder is short, so that a socket fits into it and what is left is seen there.
    """
    with (
        tempfile.TemporaryDirectory(prefix="program-", dir="/tmp") as folder,
        Program(Path(folder)) as running,
    ):
        yield running
