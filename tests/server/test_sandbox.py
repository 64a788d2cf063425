"""What a sandbox is on the server: names, slot, expiry and encoding of its keys."""

from __future__ import annotations

from flask.testing import FlaskClient
from redis.crc import key_slot

from decoder.settings import Settings
from tests.support.figure import FIGURE, HTML, LADDER, STREAM, Visitor, key
from tests.support.valkey import Valkey

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"


def everything(client: FlaskClient) -> Visitor:
    """Do whatever a visitor can do."""
    client.get("/readyz")
    for path in ("/", FIGURE, DIVE):
        client.get(f"{path}?tier=3&arrival=33&then=serve,add")
    visitor = Visitor(client)
    visitor.move(2, 17)
    for action in ("serve", "add", "reset", "nonsense"):
        visitor.post(HTML, action=action, guess="{x}:y")
        visitor.post(STREAM, action=action, guess="{x}:y", tier=4, arrival=44)
    visitor.post(HTML, token="forged")
    visitor.post(HTML, page="{elsewhere}:key", tier="{elsewhere}:key")
    for _ in range(11):
        visitor.serve()
    visitor.add()
    visitor.move(5, 5)
    return visitor


def test_no_key_lies_outside_the_sandboxes_after_everything(
    client: FlaskClient, valkey: Valkey
) -> None:
    everything(client)
    names = valkey.admin.keys("*")
    assert len(names) > 10
    assert [name for name in names if not name.startswith("{sbx:")] == []


def test_every_key_expires_after_everything(client: FlaskClient, valkey: Valkey) -> None:
    everything(client)
    assert [name for name in valkey.admin.keys("*") if valkey.admin.pttl(name) < 0] == []


def test_the_keys_of_one_sandbox_share_one_cluster_slot(
    client: FlaskClient, valkey: Valkey
) -> None:
    visitor = everything(client)
    name = visitor.token.split(".")[0]
    keys = valkey.admin.keys(f"{{sbx:{name}}}:*")
    assert len(keys) >= 3
    assert len({key_slot(one.encode()) for one in keys}) == 1


def test_a_sandbox_lives_as_long_as_it_is_used(
    client: FlaskClient, valkey: Valkey, settings: Settings
) -> None:
    visitor = Visitor(client)
    visitor.move(2, 17)
    name = key(visitor.token, LADDER)
    valkey.admin.pexpire(name, 1000)
    body = visitor.move(3, 17)
    left_ms = valkey.admin.pttl(name)
    assert left_ms > settings.sandbox_minutes * 60_000
    assert abs(left_ms / 1000 - body["sandbox"]["expires_in_s"]) < 10


def test_the_set_is_kept_in_the_small_encoding_up_to_50_jobs(
    client: FlaskClient, valkey: Valkey
) -> None:
    visitor = Visitor(client)
    visitor.move(2, 17)
    for _ in range(40):
        visitor.add()
    name = key(visitor.token, LADDER)
    assert valkey.admin.zcard(name) == 50
    assert valkey.admin.object("ENCODING", name) == "listpack"


def test_logical_names_are_what_pages_show_and_sandbox_names_are_not(
    client: FlaskClient,
) -> None:
    visitor = everything(client)
    name = visitor.token.split(".")[0]
    for answer in (
        visitor.post(HTML, tier=3, arrival=3),
        visitor.post(STREAM, action="serve"),
    ):
        assert "emq:{orders}:prioritized" in answer.text
        assert f"{{sbx:{name}}}" not in answer.text
