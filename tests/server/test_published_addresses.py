"""Links last: every address that was ever published answers, and its state is read as it stands."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
import pytest
from flask.testing import FlaskClient

from decoder.figures import FIGURES
from tests.support.ours import COURSE

FILE = Path(__file__).parents[1] / "published-addresses.txt"
LINES = [line for line in FILE.read_text().splitlines() if line and not line.startswith("#")]
VERSIONS = [line for line in LINES if line.startswith("version ")]
ADDRESSES = [line for line in LINES if line.startswith("/")]


def test_the_list_has_versions_and_addresses_alone() -> None:
    assert VERSIONS == ["version 1"]
    assert len(VERSIONS) + len(ADDRESSES) == len(LINES)
    assert len(set(ADDRESSES)) == len(ADDRESSES)


def test_every_page_of_the_site_is_on_it() -> None:
    pages = {urlsplit(one).path for one in ADDRESSES}
    assert pages >= {*COURSE.dives, *(f"/figures/{name}" for name in FIGURES)}
    lessons = [one.path for one in COURSE.dives.values() if not one.is_chapter and one.figure]
    assert pages >= {f"/embed{path}" for path in lessons} | {f"/embed/{name}" for name in FIGURES}


@pytest.mark.parametrize("path", ["/", "/figures/bits", "/figures/three-readings", "/embed/race"])
def test_a_state_may_say_its_version_and_one_to_come_is_told(
    client: FlaskClient, path: str
) -> None:
    def notices(version: str) -> list[str]:
        tree = lxml.html.document_fromstring(client.get(f"{path}?v={version}").text)
        return [one.text for one in tree.xpath("//*[contains(@class, 'notices')]/li")]

    assert notices("1") == []
    (told,) = notices("2")
    assert "read as version 1" in told
    assert len(notices("x" * 900)[0]) < 150


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_answers_and_nothing_of_its_state_is_moved(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    if "text/html" not in answer.content_type or answer.headers.get("Content-Disposition"):
        return
    tree = lxml.html.document_fromstring(answer.text)
    told = tree.xpath("//*[contains(@class, 'notices')]/li | //*[@class='frame-notice']")
    moved = [one.text_content() for one in told if "only you can see" not in one.text_content()]
    assert moved == []


@pytest.mark.parametrize(
    "address", [one for one in ADDRESSES if "then=" in one and "/figures/t" in one]
)
def test_what_happened_is_part_of_the_page(client: FlaskClient, address: str) -> None:
    tree = lxml.html.document_fromstring(client.get(address).text)
    assert tree.xpath("string(//a[@class='state']/@href)") == address
