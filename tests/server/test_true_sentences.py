"""A sentence says what the server did in this very run, and nothing that its replies deny."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from decoder.figures import FIGURES
from decoder.readings.ladder import short
from tests.support.figure import JSON, Page
from tests.support.ours import COURSE

DUE = 1780226978000
MINE = "JOB0Nb1VTbfnu4"
READINGS = "/figures/three-readings"


def asked(client: FlaskClient, path: str = READINGS, **fields: object) -> dict[str, Any]:
    answer = client.post(f"{path}/runs", data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def again(client: FlaskClient, before: dict[str, Any], **fields: object) -> dict[str, Any]:
    return asked(client, token=before["sandbox"]["token"], **fields)


@pytest.mark.parametrize("now_ms", [DUE - 60_000, DUE, DUE + 60_000])
def test_of_a_promotion_each_job_is_told_to_be_where_the_server_put_it(
    client: FlaskClient, now_ms: int
) -> None:
    body = asked(client, reading="packed/fire-time", action="promote", now_ms=now_ms)
    commands = [step["command"].split() for step in body["steps"]]
    to_list = [c[2] for c in commands if c[0] == "LPUSH"]
    to_ladder = [c[3] for c in commands if c[0] == "ZADD" and c[1].endswith(":prioritized")]
    said = body["sentence"]
    waits = " ".join([one for one in said.split(". ") if "wait list" in one])
    ladder = " ".join([one for one in said.split(". ") if "to the ladder" in one])
    for member in to_list:
        assert short(member) in waits
    for member in to_ladder:
        assert "Your job" in ladder if member == MINE else short(member) in ladder
        assert short(member) not in waits
    assert ("ladder, as no." in said) is (MINE in to_ladder)


def test_a_priority_that_is_changed_twice_keeps_its_place_the_second_time(
    client: FlaskClient,
) -> None:
    first = asked(client, reading="packed/priority", action="change_priority")
    assert "It lost its place" in first["sentence"]
    for guess in ("", "back", "stays"):
        second = again(
            client, first, reading="packed/priority", action="change_priority", guess=guess
        )
        assert second["position"] == first["position"]
        assert "lost its place" not in second["sentence"]
        assert "where it stood already" in second["sentence"]


@pytest.mark.parametrize("action", ["promote", "claim", "advance", "register_again"])
def test_what_belongs_to_another_reading_is_said_to_be_left_undone(
    client: FlaskClient, action: str
) -> None:
    body = asked(client, reading="packed/priority", action=action)
    (notice,) = body["notices"]
    assert "belongs to another reading" in notice
    assert "was only read" not in notice


@pytest.mark.parametrize("reading", ["packed/next-run", "one-number/next-run"])
def test_what_goes_by_the_pinned_clock_is_labelled_with_it(
    client: FlaskClient, reading: str
) -> None:
    body = asked(client, reading=reading, action="register_again", clock="server")
    assert body["clock"] == "pinned"
    assert body["now_ms"] == body["inputs"]["now_ms"]
    assert any("goes by the pinned clock" in notice for notice in body["notices"])


@pytest.mark.parametrize(("tier", "delay"), [(2, 60), (1, 0), (2, 0), (3, 120)])
def test_who_is_only_just_ahead_is_not_said_to_be_the_first(
    client: FlaskClient, tier: int, delay: int
) -> None:
    path = "/figures/two-designs"
    body = asked(client, path, tier=tier, delay=delay, guess="score")
    assert "it arrived first" not in body["sentence"]
    assert "ladder first" not in body["sentence"]


# Words that people see.


def test_nobody_is_told_the_names_that_only_code_has_for_the_designs(client: FlaskClient) -> None:
    pages = ["/llms.txt", f"{READINGS}?reading=bogus", "/figures/lua-numbers", *COURSE.dives]
    for path in pages:
        page = Page(client.get(path).text) if path != "/llms.txt" else None
        if page is not None:
            # What is in code, or an address, is a name and no word.
            for code in page.tree.xpath("//pre | //code | //kbd | //samp | //option | //script"):
                code.text = ""
                for child in list(code):
                    code.remove(child)
        text = page.tree.text_content() if page is not None else client.get(path).text
        for word in ("packed design", "are packed", "one-number/", "packed/"):
            seen = [line for line in text.splitlines() if word in line and "](http" not in line]
            assert not seen, (path, seen[:2])


def test_the_guide_names_every_figure(client: FlaskClient) -> None:
    guide = " ".join(Page(client.get("/instructors").text).tree.text_content().split())
    assert [name for name in FIGURES if name not in guide] == []
