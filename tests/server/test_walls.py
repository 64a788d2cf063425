"""The wall around the rest of the server: what the page's user may do, tried on a real one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import redis
from flask import Flask

from decoder.app import create_app
from decoder.sandbox import acl, probe
from decoder.settings import Settings, files
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

# Any user may ask who it is, and end or begin its own session.
ANY_USER = {"auth", "hello", "quit", "reset"}

# By the user's rules, or, as DEBUG and MODULE are, by the server for everybody.
REFUSED = re.compile("no permissions to run|command not allowed. If the")


TOO_MUCH = (
    "flushall", "flushdb", "shutdown", "module", "fcall", "function", "replicaof", "select",
    "swapdb", "move", "rename", "publish", "bgsave", "slowlog", "subscribe", "client", "acl",
)  # fmt: skip


@pytest.fixture
def user(valkey: Valkey) -> Any:
    return redis.Redis.from_url(valkey.url, protocol=2, driver_info=None)


def commands_of(valkey: Valkey) -> dict[str, int]:
    """Return every command the server knows, sub-commands as in script|load, with its arity."""
    answer = redis.Redis(
        unix_socket_path=str(valkey.folder / "valkey.sock"),
        username="admin",
        password="admin",
        protocol=2,
    )
    answer.response_callbacks.clear()
    known: dict[str, int] = {}
    for command in answer.execute_command("COMMAND"):
        known[command[0].decode()] = abs(command[1])
        for child in command[9] if len(command) > 9 else []:
            known[child[0].decode()] = abs(child[1])
    return known


def refused(user: Any, name: str, arity: int, key: str) -> str:
    """Try a command with as many words as it needs, all of them `key`; return the refusal."""
    words = name.split("|")
    words += [key] * (arity - len(words))
    try:
        user.execute_command(*words)
    except redis.exceptions.NoPermissionError as fault:
        return str(fault)
    except redis.exceptions.RedisError as fault:
        return f"not refused but: {fault}"
    return "not refused"


def test_every_command_outside_the_list_is_refused_on_a_foreign_key(
    valkey: Valkey, user: Any
) -> None:
    valkey.admin.set("foreign", "untouched")
    known = commands_of(valkey)
    assert len(known) > 300
    allowed = set(acl.COMMANDS) | ANY_USER
    through = {
        name: answer
        for name, arity in known.items()
        if name not in allowed
        and not REFUSED.search(answer := refused(user, name, arity, "foreign"))
        # A container such as CONFIG takes no key: its sub-commands are walked one by one.
        and not any(other.startswith(f"{name}|") for other in known)
    }
    assert through == {}
    assert valkey.admin.get("foreign") == "untouched"


def test_every_command_of_the_list_is_refused_on_a_foreign_key(valkey: Valkey, user: Any) -> None:
    valkey.admin.set("foreign", "untouched")
    known = commands_of(valkey)
    keyless = {"echo", "time", "script|load", "evalsha"}
    assert set(acl.COMMANDS) <= set(known)
    for name in sorted(set(acl.COMMANDS) - keyless):
        answer = refused(user, name, known[name], "foreign")
        assert "No permissions to access a key" in answer, f"{name}: {answer}"
    assert valkey.admin.get("foreign") == "untouched"


def test_a_script_may_not_name_a_foreign_key_either(valkey: Valkey, user: Any) -> None:
    valkey.admin.set("foreign", "untouched")
    sha = user.script_load("return redis.call('GET', KEYS[1] or 'foreign')")
    for keys in ([], ["foreign"]):
        with pytest.raises(redis.exceptions.RedisError, match=r"(?i)permission|acl"):
            user.evalsha(sha, len(keys), *keys)


def test_the_default_user_is_off(valkey: Valkey) -> None:
    nobody: Any = redis.Redis(unix_socket_path=str(valkey.folder / "valkey.sock"))
    with pytest.raises(redis.exceptions.AuthenticationError):
        nobody.ping()


def ready(app: Flask) -> tuple[int, str]:
    answer = app.test_client().get("/readyz")
    return answer.status_code, answer.text


def as_user(valkey: Valkey, rules: str) -> Flask:
    valkey.admin.execute_command("ACL", "SETUSER", "other", "reset", "on", ">pw", *rules.split())
    url = valkey.url.replace("decoder:page", "other:pw")
    return create_app(Settings(valkey_url=url, secret="x"))


def test_readyz_is_200_with_the_rules_that_decoder_acl_prints(valkey: Valkey) -> None:
    rules = acl.command("pw").split(">pw ")[1]
    status, _ = ready(as_user(valkey, rules))
    assert status == 200


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        (acl.RULES.replace("~{sbx:*", "~*"), "read keys outside {sbx:*"),
        (acl.RULES.replace("~{sbx:*", "~{sbx:* %W~*"), "write keys outside {sbx:*"),
        (acl.RULES + " +keys", "KEYS"),
        (acl.RULES + " +scan", "SCAN"),
        (acl.RULES + " +eval", "EVAL"),
        (acl.RULES + " +config", "CONFIG"),
        ("resetkeys ~{sbx:* +@all", "KEYS"),
        *((f"{acl.RULES} &* +{name}", name.upper()) for name in TOO_MUCH),
    ],
)
def test_readyz_refuses_a_user_that_may_do_more(valkey: Valkey, rules: str, named: str) -> None:
    status, text = ready(as_user(valkey, rules))
    assert status == 503
    assert named in text
    assert "decoder acl" in text


def test_what_readyz_tries_harms_no_server_whose_user_may_do_it(valkey: Valkey) -> None:
    valkey.admin.set("foreign", "untouched")
    app = as_user(valkey, "~* &* +@all")
    assert [ready(app)[0] for _ in range(2)] == [503, 503]
    client = redis.Redis.from_url(valkey.url.replace("decoder:page", "other:pw"), protocol=2)
    with client.pipeline(transaction=False) as pipeline:
        for call in probe.FORBIDDEN.values():
            pipeline.execute_command(*call)
        pipeline.execute(raise_on_error=False)
    assert valkey.process
    assert valkey.process.poll() is None
    assert valkey.admin.get("foreign") == "untouched"
    assert valkey.admin.info("replication")["role"] == "master"
    # The page goes on, on connections that listen to nothing.
    assert app.test_client().get("/figures/composite").status_code == 200
    assert "Valkey" in app.test_client().get("/figures/composite").text
    assert valkey.admin.execute_command("PUBSUB", "NUMSUB", "outside-every-sandbox")[1] <= 1


def test_readme_names_every_command_that_readyz_tries_in_vain() -> None:
    said = (Path(__file__).parents[2] / "README.md").read_text()
    tried = {call[0] for call in probe.FORBIDDEN.values()} - {"GET", "DEL", "KEYS", "SCAN"}
    functions = {"FCALL", "FUNCTION"}
    assert [one for one in sorted(tried - functions) if one not in said] == []


@pytest.mark.parametrize("missing", acl.COMMANDS)
def test_readyz_names_the_command_that_the_user_lacks(valkey: Valkey, missing: str) -> None:
    rules = " ".join(rule for rule in acl.RULES.split() if rule != f"+{missing}")
    status, text = ready(as_user(valkey, rules))
    assert status == 503
    assert missing in text


def test_every_command_of_the_list_is_probed() -> None:
    assert set(probe.NEEDED) == set(acl.COMMANDS)


def test_the_quota_looks_at_every_command_of_the_list_that_can_make_something_grow(
    valkey: Valkey,
) -> None:
    flags: dict[str, set[str]] = {}
    for name in acl.COMMANDS:
        if "|" not in name:
            (about,) = valkey.admin.execute_command("COMMAND INFO", name)
            flags[name] = set(about[2])
    grows = {name.upper() for name, known in flags.items() if "denyoom" in known}
    assert {name.upper() for name in flags if "write" in flags[name]} > grows
    looked_at = re.search(
        r"WRITES = \{(.*?)\}", (files("lua") / "quota.lua").read_text(), re.DOTALL
    )
    assert looked_at
    assert set(re.findall(r"(\w+) = true", looked_at[1])) == grows
