"""The lab `cliff-priority`, read from the server: FACTS.md, section 3; reports A01 and A02."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.figure import JSON

LAST_EXACT = 2097151
ARRIVED = ["p1", "p2", "c_third", "b_fourth", "a_fifth"]
REVERSED = ["p1", "p2", "a_fifth", "b_fourth", "c_third"]


def run(client: FlaskClient, **fields: object) -> dict[str, Any]:
    answer = client.post("/figures/cliff-priority/runs", data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def held(table: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["name"], row["value"]) for row in table["rows"]]


def test_one_tier_past_the_limit_three_arrivals_are_one_score(client: FlaskClient) -> None:
    body = run(client)
    (served,) = body["lesson"]["outcome"]
    ends = ("992", "994", "996", "996", "996")
    assert held(served) == [
        (job, f"9007199254740{end}") for job, end in zip(REVERSED, ends, strict=True)
    ]
    assert [row["note"] for row in served["rows"]] == [
        "arrival 1, kept as 0",
        "arrival 2, kept as 2",
        "arrival 5, kept as 4",
        "arrival 4, kept as 4",
        "arrival 3, kept as 4",
    ]
    assert "Arrivals 3, 4 and 5 have become one score" in body["sentence"]
    assert "a_fifth, b_fourth and c_third" in body["sentence"]


@pytest.mark.parametrize("tier", range(2097148, 2097157))
def test_at_the_last_exact_tier_arrival_is_the_order_wherever_the_slider_is(
    client: FlaskClient, tier: int
) -> None:
    (ladder,) = run(client, tier=tier)["lesson"]["setup"]
    assert held(ladder) == [
        (job, str(9007194959773696 + arrival)) for arrival, job in enumerate(ARRIVED, 1)
    ]


@pytest.mark.parametrize("tier", range(2097148, 2097157))
def test_who_is_third_changes_at_the_limit_and_nowhere_else(client: FlaskClient, tier: int) -> None:
    body = run(client, tier=tier)
    exact = tier <= LAST_EXACT
    (served,) = body["lesson"]["outcome"]
    assert [name for name, _ in held(served)] == (ARRIVED if exact else REVERSED)
    # What was sent is exact, what came back is the double nearest to it, computed here as such.
    exactly = {job: tier * 2**32 + arrival for arrival, job in enumerate(ARRIVED, 1)}
    assert dict(held(served)) == {job: f"{float(n):.0f}" for job, n in exactly.items()}
    assert body["lesson"]["answer"] == ("c_third" if exact else "a_fifth")
    assert ("arrival is the order" in body["sentence"]) is exact
    assert ("no longer be told apart" in body["sentence"]) is not exact
    right = [
        run(client, tier=tier, answer=one)["guess"]["right"] for one in body["lesson"]["answers"]
    ]
    assert sum(right) == 1


def test_both_ladders_are_filled_by_the_script_of_a_real_queue(client: FlaskClient) -> None:
    steps = run(client)["steps"]
    assert [step["script"] for step in steps[:-2]] == ["packed/add_prioritized"] * 20
    assert [step["command"].split()[0] for step in steps[-2:]] == ["ZRANGE", "ZPOPMIN"]
