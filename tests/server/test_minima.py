"""The smallest settings that are allowed: every page of ours works under all of them at once."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.figures import FIGURES
from decoder.readings.catalogue import READINGS
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.server.test_directory import addresses
from tests.support.figure import JSON
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

QUOTAS = ("commands_per_minute", "members_per_set", "keys_per_sandbox", "bytes_per_value")
LEAST = {
    one.name: one.metadata["at_least"] for one in dataclasses.fields(Settings) if one.name in QUOTAS
}


@pytest.fixture
def least(valkey: Valkey) -> FlaskClient:
    assert set(LEAST) == set(QUOTAS)
    return create_app(Settings(valkey_url=valkey.url, secret=SECRET, **LEAST)).test_client()


class Sandbox:
    """The sandbox that a page was opened in, where all that it offers is tried."""

    def __init__(self, client: FlaskClient, path: str) -> None:
        self.client = client
        page = client.get(path)
        assert page.status_code == 200, path
        self.tree = lxml.html.document_fromstring(page.text)
        self.token = next(iter(self.tree.xpath('//input[@name="token"]/@value')), "")

    def post(self, address: str, **form: Any) -> None:
        answer = self.client.post(address, data={"token": self.token, **form}, headers=JSON)
        assert answer.status_code == 200, (address, form, answer.text)
        self.token = answer.json["sandbox"]["token"]

    def failures(self) -> list[str]:
        shown = self.tree.xpath('//*[contains(concat(" ", @class, " "), " failure ")]')
        return [text for one in shown if (text := one.text_content().strip())]


def offered(figure: str) -> list[dict[str, str]]:
    """Return the fields of everything that can be asked of a figure, each where it belongs."""
    module = FIGURES[figure]
    if "reading" not in module.FIELDS:
        return [{"action": name} for name in module.ACTIONS]
    asked: list[dict[str, str]] = []
    for one in READINGS.values():
        own = [act.name for act in one.actions]
        asked += [{"reading": one.id, "step": str(n)} for n in range(1, 5)]
        asked += [{"reading": one.id, "action": act} for act in ("write", "read", *own, "keep")]
    return asked


def test_every_page_is_whole_and_its_transcripts_run_under_the_smallest_settings(
    least: FlaskClient,
) -> None:
    ran = 0
    for path in addresses(least):
        sandbox = Sandbox(least, path)
        assert sandbox.failures() == [], path
        for address in sandbox.tree.xpath('//form[contains(@action, "/transcripts/")]/@action'):
            sandbox.post(re.sub(r"#.*", "", address))
            ran += 1
    assert ran > 10


@pytest.mark.parametrize("figure", FIGURES)
def test_everything_that_a_figure_offers_works_under_the_smallest_settings(
    least: FlaskClient, figure: str
) -> None:
    sandbox, reading = Sandbox(least, f"/figures/{figure}"), ""
    for asked in offered(figure):
        if asked.get("reading", "") != reading:
            # Another sandbox has another minute; the keys of them all are counted below.
            reading = asked["reading"]
            sandbox = Sandbox(least, f"/figures/{figure}?reading={reading}")
        sandbox.post(f"/figures/{figure}/runs", **asked)


@pytest.mark.long
def test_one_sandbox_holds_the_keys_of_all_figures_and_of_any_page(valkey: Valkey) -> None:
    limits = {**LEAST, "commands_per_minute": 10**6}
    client = create_app(Settings(valkey_url=valkey.url, secret=SECRET, **limits)).test_client()
    for path in addresses(client):
        sandbox = Sandbox(client, path)
        for figure in FIGURES:
            for asked in offered(figure):
                sandbox.post(f"/figures/{figure}/runs", **asked)
        for address in sandbox.tree.xpath('//form[contains(@action, "/transcripts/")]/@action'):
            sandbox.post(re.sub(r"#.*", "", address))
