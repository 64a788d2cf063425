"""Loads how hypothesis runs here; closes the connections that a test's applications opened."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

import tests.support.fuzz  # noqa: F401
from decoder.app import create_app
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.support.valkey import Valkey

POOLS: weakref.WeakSet[redis.ConnectionPool] = weakref.WeakSet()


@pytest.fixture(scope="session", autouse=True)
def _remember_pools() -> Iterator[None]:
    begin: Any = redis.ConnectionPool.__init__

    def remember(self: redis.ConnectionPool, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        POOLS.add(self)

    redis.ConnectionPool.__init__ = remember  # type: ignore[method-assign]
    yield
    redis.ConnectionPool.__init__ = begin  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _close_connections(_remember_pools: None) -> Iterator[None]:
    """Close what this test opened: an application never does, and a lost socket is a warning."""
    before = set(POOLS)
    yield
    for pool in set(POOLS) - before:
        pool.disconnect()


@pytest.fixture(scope="session")
def shared_app(_remember_pools: None, shared_valkey: Valkey) -> Flask:
    """One application for all tests that only send it requests: making one takes a while."""
    return create_app(Settings(valkey_url=shared_valkey.url, secret=SECRET))


@pytest.fixture
def client(shared_app: Flask, valkey: Valkey) -> FlaskClient:
    """A client of the shared application, in front of an empty server."""
    assert valkey.admin.dbsize() == 0
    return shared_app.test_client()
