"""The real BullMQ, installed once a session from the npm registry, on the suite's own Valkey."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.support.fuzz  # noqa: F401
from tests.interop.peers import BullMQ
from tests.support.valkey import Valkey

HERE = Path(__file__).parent
FILES = ("package.json", "package-lock.json", ".npmrc", "driver.mjs")
INSTALL = ["npm", "ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver in a folder where its imports are found; the working copy stays as it is."""
    assert shutil.which("npm"), "Node.js and npm are needed here. Debian: apt-get install npm"
    folder = tmp_path_factory.mktemp("bullmq")
    for name in FILES:
        shutil.copy(HERE / name, folder)
    done = subprocess.run(INSTALL, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"npm ci: {done.stderr}"
    return folder / "driver.mjs"


@pytest.fixture(scope="session")
def shared_bullmq(driver: Path, shared_valkey: Valkey) -> Iterator[BullMQ]:
    with BullMQ(driver, shared_valkey) as peer:
        yield peer


@pytest.fixture
def bullmq(valkey: Valkey, shared_bullmq: BullMQ) -> BullMQ:
    """BullMQ on an empty server."""
    assert valkey is shared_bullmq.valkey
    return shared_bullmq
