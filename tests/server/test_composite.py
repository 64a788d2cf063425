"""The composite figure against a real Valkey, through the JSON of a run."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

JSON = {"Accept": "application/json"}


def post(client: FlaskClient, **fields: Any) -> dict[str, Any]:
    answer = client.post("/figures/composite/runs", data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def test_tier_2_arrival_17_is_stored_as_8589934609(client: FlaskClient) -> None:
    score = post(client, tier=2, arrival=17)["score"]
    assert (score["computed"], score["stored"]) == ("8589934609", "8589934609")
    assert score["hex"] == "0x0000000200000011"
    assert score["agrees"]
    assert score["exact"]


def test_the_default_is_5th_of_10(client: FlaskClient) -> None:
    assert post(client, tier=2, arrival=17)["position"] == {"rank": 4, "of": 10}
