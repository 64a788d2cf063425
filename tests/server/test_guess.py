"""A guess belongs to serving alone."""

from __future__ import annotations

from flask.testing import FlaskClient

JSON = {"Accept": "application/json"}
RUNS = "/figures/composite/runs"


def test_a_picked_job_stays_in_the_queue_when_another_is_added(client: FlaskClient) -> None:
    first = client.post(RUNS, data={"tier": 2, "arrival": 17}, headers=JSON).json
    form = {"action": "add", "guess": "JOB0Nb1UsyqpJw", "token": first["sandbox"]["token"]}
    added = client.post(RUNS, data=form, headers=JSON).json
    assert added["position"]["of"] == 11
    assert [step["command"] for step in added["steps"] if "ZPOPMIN" in step["command"]] == []
