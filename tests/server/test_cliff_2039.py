"""The lab `cliff-2039`, read from the server: FACTS.md, section 3; reports B08 and D01."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.figure import JSON, Page

FIRST_BAD_MS = 2199023255552
EVERY_STATE = pytest.mark.parametrize(
    ("offset", "way"), [(n, way) for n in range(-3, 4) for way in ("number", "script")]
)


def run(client: FlaskClient, **fields: object) -> dict[str, Any]:
    answer = client.post("/figures/cliff-2039/runs", data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def held(table: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["name"], row["value"]) for row in table["rows"]]


def back(body: dict[str, Any]) -> list[tuple[str, str]]:
    return held(body["lesson"]["outcome"][-1])


def test_slots_written_by_number_run_into_one_another(client: FlaskClient) -> None:
    body = run(client)
    assert held(body["lesson"]["setup"][0]) == [
        ("c", "9007199254740992"),
        ("b", "9007199254740993"),
        ("a", "9007199254740994"),
    ]
    assert back(body) == [
        ("b", "9007199254740992"),
        ("c", "9007199254740992"),
        ("a", "9007199254740994"),
    ]
    assert body["lesson"]["answer"] == "b"
    assert "they come back as b, c, a" in body["sentence"]


def test_the_script_of_a_real_queue_finds_the_same_slot_three_times(client: FlaskClient) -> None:
    body = run(client, way="script")
    assert back(body) == [(job, "9007199254740992") for job in ("a", "b", "c")]
    wrote = body["lesson"]["outcome"][0]
    assert held(wrote) == [(job, "9007199254740992") for job in ("c", "b", "a")]
    assert [row["note"] for row in wrote["rows"]] == [
        "the first",
        "after 9007199254740992",
        "after 9007199254740992",
    ]
    scripts = {step["script"] for step in body["steps"] if step["by"] == "script"}
    assert scripts == {"packed/add_delayed"}
    assert body["lesson"]["answer"] == "a"


@pytest.mark.parametrize("way", ["number", "script"])
def test_the_last_exact_millisecond_keeps_its_slots(client: FlaskClient, way: str) -> None:
    body = run(client, offset=-1, way=way)
    assert back(body) == [
        ("c", "9007199254736896"),
        ("b", "9007199254736897"),
        ("a", "9007199254736898"),
    ]
    assert body["lesson"]["answer"] == "c"


@EVERY_STATE
def test_the_millisecond_is_exact_on_both_sides_and_the_order_on_one(
    client: FlaskClient, offset: int, way: str
) -> None:
    body = run(client, offset=offset, way=way)
    due_ms, exact = FIRST_BAD_MS + offset, offset < 0
    for _, score in back(body):
        assert int(score) // 4096 == due_ms
    date = f"2039-09-07T15:47:35.{552 + offset}Z"
    said = f", 15:47:35.{552 + offset} UTC"
    assert all(row["note"].endswith(said) for row in body["lesson"]["outcome"][-1]["rows"])
    assert f"{due_ms} ms = {date}" in body["lesson"]["setup"][0]["title"]
    order = "cba" if exact else {"number": "bca", "script": "abc"}[way]
    assert [job for job, _ in back(body)] == list(order)
    assert f"{', '.join(order)}." in body["sentence"]
    assert ("The millisecond is exact all the same" in body["sentence"]) is not exact
    answers = [run(client, offset=offset, way=way, answer=job) for job in "cba"]
    assert [one["guess"]["said"] for one in answers if one["guess"]["right"]] == [order[0]]


def test_the_page_says_the_date_in_words(client: FlaskClient) -> None:
    page = Page(client.get("/figures/cliff-2039").text)
    assert "2039-09-07T15:47:35.552Z" in page.tree.xpath("//live-figure/header")[0].text_content()
