"""What becomes of a number inside a script: the reasons for how the scripts are written."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
import redis

from decoder.encodings import packed
from tests.support.scripts import Scripts
from tests.support.valkey import Valkey

SET = "numbers"
BIG = 7122403857137664


def lua(valkey: Valkey, script: str, *arguments: Any) -> Any:
    """Run a text of Lua as an administrator, with SET as its key."""
    return valkey.admin.eval(script, 1, SET, *arguments)


# 17 digits arrive, 14 are written.


@pytest.mark.parametrize("score", [BIG, 7291809701888000, 2**53 - 1, 8589934609])
def test_a_number_that_is_given_to_a_command_arrives_exactly(valkey: Valkey, score: int) -> None:
    lua(valkey, "return redis.call('ZADD', KEYS[1], tonumber(ARGV[1]), 'm')", score)
    assert lua(valkey, "return redis.call('ZSCORE', KEYS[1], 'm')") == str(score)


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("return tostring(tonumber(ARGV[1]))", "7.1224038571377e+15"),
        ("return '' .. tonumber(ARGV[1])", "7.1224038571377e+15"),
        ("return cjson.encode(tonumber(ARGV[1]))", "7.1224038571377e+15"),
        ("return cjson.encode(cjson.decode(ARGV[1]))", "7.1224038571377e+15"),
        ("return string.format('%.17g', tonumber(ARGV[1]))", "7122403857137664"),
    ],
)
def test_a_number_that_is_made_text_in_lua_keeps_14_digits_unless_17_are_asked_for(
    valkey: Valkey, script: str, text: str
) -> None:
    assert lua(valkey, script, BIG) == text


def test_a_score_that_went_through_text_is_another_score(valkey: Valkey) -> None:
    lua(valkey, "redis.call('ZADD', KEYS[1], tostring(tonumber(ARGV[1])), 'm')", BIG)
    assert valkey.admin.zscore(SET, "m") == 7122403857137700.0 != BIG


# F01


@pytest.mark.parametrize("number", [300000000, 10**14 - 1])
def test_a_whole_number_of_up_to_14_digits_is_written_without_an_exponent(
    valkey: Valkey, number: int
) -> None:
    assert lua(valkey, "return tostring(tonumber(ARGV[1]))", number) == str(number)
    stored = "redis.call('SET', KEYS[1], tonumber(ARGV[1])) return redis.call('GET', KEYS[1])"
    assert lua(valkey, stored, number) == str(number)


# What a script returns: F05.


@pytest.mark.parametrize(
    ("returned", "reply"),
    [
        ("3.99", 3),
        ("-3.99", -3),
        ("{7.5, -7.5, 0.25, -0.25}", [7, -7, 0, 0]),
        ("2^63", -(2**63)),
        ("{1, 2, nil, 4}", [1, 2]),
        ("{1, false, 3}", [1, None, 3]),
        ("string.format('%.17g', 3.99)", "3.9900000000000002"),
    ],
)
def test_a_returned_number_is_cut_to_an_integer_and_nil_ends_an_array(
    valkey: Valkey, returned: str, reply: Any
) -> None:
    assert lua(valkey, f"return {returned}") == reply


def test_a_score_survives_as_the_servers_own_reply_and_not_as_a_number(valkey: Valkey) -> None:
    valkey.admin.execute_command("ZADD", SET, "1740000000.871255", "m")
    asked = "redis.call('ZSCORE', KEYS[1], 'm')"
    assert lua(valkey, f"return {asked}") == "1740000000.871255"
    assert lua(valkey, f"return tonumber({asked})") == 1740000000


def test_what_zscore_and_hget_give_to_lua_is_a_string(valkey: Valkey) -> None:
    valkey.admin.zadd(SET, {"m": 17})
    assert lua(valkey, "return type(redis.call('ZSCORE', KEYS[1], 'm'))") == "string"
    assert lua(valkey, "return redis.call('ZSCORE', KEYS[1], 'm') == 17") is None
    assert lua(valkey, "return tonumber(redis.call('ZSCORE', KEYS[1], 'm')) == 17 and 1") == 1
    valkey.admin.delete(SET)
    valkey.admin.hset(SET, "priority", 17)
    assert lua(valkey, "return type(redis.call('HGET', KEYS[1], 'priority'))") == "string"


# A03: bits are signed and 32.


@pytest.mark.parametrize(
    ("arrival", "masked", "modulo"),
    [
        (2**31 - 1, 2**32 + 2**31 - 1, 6442450943),
        (2**31, 2**31, 6442450944),
        (2147483649, 2147483649, 6442450945),
        (2**32 - 1, 2**32 - 1, 8589934591),
        (2**32, 2**32, 2**32),
    ],
)
def test_a_mask_of_bits_loses_the_tier_past_2_to_the_31_and_a_remainder_does_not(
    valkey: Valkey, arrival: int, masked: int, modulo: int
) -> None:
    script = """
    local tier, arrival = 1, tonumber(ARGV[1])
    return {string.format('%.17g', tier * 2^32 + bit.band(arrival, 0xffffffffffff)),
            string.format('%.17g', tier * 2^32 + arrival % 2^32)}"""
    assert lua(valkey, script, arrival) == [str(masked), str(modulo)]


def test_at_2147483649_the_masked_score_is_of_tier_0_and_ours_of_tier_1(valkey: Valkey) -> None:
    queue = Scripts(valkey, "packed/add_prioritized")
    queue.plain("SET", "counter", 2147483648)
    queue.run("packed/add_prioritized", tier=1, member="job")
    assert queue.stored("prioritized") == [("job", "6442450945")]
    assert packed.decode(6442450945) == (1, 2147483649)
    assert packed.decode(2147483649) == (0, 2147483649)


# F03: a counter past 2^53.


def test_incr_answers_more_digits_to_a_client_than_to_lua(valkey: Valkey) -> None:
    valkey.admin.set(SET, 301605131024011014)
    assert valkey.admin.incr(SET) == 301605131024011015
    assert lua(valkey, "return redis.call('INCR', KEYS[1])") == 301605131024011008
    assert valkey.admin.get(SET) == "301605131024011016"


# Why no visitor's Lua is run.


def _busy(server: Valkey, body: str) -> threading.Thread:
    """Start a script that never ends, and wait until the server is busy with it."""
    server.admin.config_set("busy-reply-threshold", 1)
    asking = redis.Redis(
        unix_socket_path=server.admin.connection_pool.connection_kwargs["path"],
        username="admin", password="admin", protocol=2,
    )  # fmt: skip

    def run() -> None:
        with pytest.raises(redis.exceptions.RedisError):
            asking.eval(f"{body} while true do end", 1, SET)
        asking.close()

    thread = threading.Thread(target=run)
    thread.start()
    by = time.monotonic() + 10
    while not _is_busy(server):
        assert time.monotonic() < by
    return thread


def _is_busy(server: Valkey) -> bool:
    try:
        return not server.admin.ping()
    except redis.exceptions.ResponseError as said:
        return "BUSY" in str(said)


def test_a_script_that_only_read_can_be_killed(own_valkey: Valkey) -> None:
    thread = _busy(own_valkey, "redis.call('GET', KEYS[1])")
    own_valkey.admin.script_kill()
    thread.join(10)
    assert not thread.is_alive()
    assert own_valkey.admin.ping()


def test_a_script_that_has_written_cannot_be_killed_only_the_server_shut_down(
    own_valkey: Valkey,
) -> None:
    thread = _busy(own_valkey, "redis.call('SET', KEYS[1], 1)")
    with pytest.raises(redis.exceptions.ResponseError, match="UNKILLABLE"):
        own_valkey.admin.script_kill()
    own_valkey.admin.shutdown(nosave=True)
    thread.join(10)
    assert not thread.is_alive()
    assert own_valkey.process is not None
    own_valkey.process.wait(10)
