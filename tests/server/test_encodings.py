"""Encodings against what a real Valkey stores, prints and computes, for thousands of pairs."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoder.encodings import branded, double, packed
from tests.support.valkey import Valkey

SET = "encodings"
TIERS = st.integers(1, packed.LAST_EXACT_TIER)
ARRIVALS = st.integers(0, 2**32 - 1)
# Mostly anywhere, often at an edge of the two fields.
EDGES = st.tuples(
    st.sampled_from([1, 2, 5, 2**10, 2**20, 2**21 - 2, 2**21 - 1]),
    st.sampled_from([0, 1, 17, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 2, 2**32 - 1]),
)
PAIRS = st.lists(st.tuples(TIERS, ARRIVALS) | EDGES, min_size=150, max_size=250)


def scores(valkey: Valkey, members: list[str]) -> list[str]:
    """Read scores back as the server's own text (redis-py would make floats of them)."""
    pipeline = valkey.raw.pipeline(transaction=False)
    for member in members:
        # As a script's reply the text stays text.
        pipeline.eval("return redis.call('ZSCORE', KEYS[1], ARGV[1])", 1, SET, member)
    return [text.decode() for text in pipeline.execute()]


@given(pairs=PAIRS)
@settings(max_examples=25)
def test_what_is_packed_is_what_valkey_stores_prints_and_gives_back(
    valkey: Valkey, pairs: list[tuple[int, int]]
) -> None:
    valkey.admin.delete(SET)
    packs = [packed.encode(tier, arrival) for tier, arrival in pairs]
    pipeline = valkey.admin.pipeline(transaction=False)
    for n, score in enumerate(packs):
        pipeline.execute_command("ZADD", SET, score, f"m{n}")
    pipeline.execute()
    printed = scores(valkey, [f"m{n}" for n in range(len(packs))])
    assert printed == [str(score) for score in packs]
    assert [packed.decode(int(text)) for text in printed] == pairs
    assert all(double.is_exact(score) for score in packs)


@given(pairs=PAIRS)
@settings(max_examples=15)
def test_what_is_packed_is_what_luas_own_arithmetic_gives(
    valkey: Valkey, pairs: list[tuple[int, int]]
) -> None:
    script = """
    local out = {}
    for n = 1, #ARGV, 2 do
      local score = tonumber(ARGV[n]) * 0x100000000 + tonumber(ARGV[n + 1]) % 0x100000000
      out[#out + 1] = string.format('%.17g', score)
    end
    return out"""
    words = [number for pair in pairs for number in pair]
    assert valkey.admin.eval(script, 0, *words) == [
        str(packed.encode(tier, arrival)) for tier, arrival in pairs
    ]


@given(pairs=st.lists(st.tuples(TIERS, ARRIVALS), min_size=2, max_size=100, unique=True))
@settings(max_examples=25)
def test_valkey_orders_by_tier_and_then_by_arrival(
    valkey: Valkey, pairs: list[tuple[int, int]]
) -> None:
    valkey.admin.delete(SET)
    members = {f"{n:x}": pair for n, pair in enumerate(pairs)}
    valkey.admin.zadd(SET, {name: packed.encode(*pair) for name, pair in members.items()})
    assert [members[name] for name in valkey.admin.zrange(SET, 0, -1)] == sorted(pairs)


@given(tier=st.integers(2**21, 2**30), arrival=ARRIVALS)
@example(tier=2097152, arrival=17)
def test_past_the_limit_valkey_rounds_as_is_exact_says(
    valkey: Valkey, tier: int, arrival: int
) -> None:
    score = packed.encode(tier, arrival, past_the_limit=True)
    valkey.admin.execute_command("ZADD", SET, score, "m")
    (text,) = scores(valkey, ["m"])
    assert float(text) == float(score)
    assert (int(float(text)) == score) == double.is_exact(score)


@given(whole=st.integers(-(2**62), 2**62) | st.integers(2**53 - 9, 2**53 + 9))
@settings(max_examples=300)
def test_an_integer_survives_in_a_score_exactly_when_is_exact_says(
    valkey: Valkey, whole: int
) -> None:
    valkey.admin.execute_command("ZADD", SET, whole, "m")
    (text,) = scores(valkey, ["m"])
    assert (int(text) == whole) == double.is_exact(whole)


@given(value=st.floats(allow_nan=False))
@example(value=1700000000.1234567)
@example(value=1e17)
@example(value=5e18)
@example(value=1.1)
@example(value=float("inf"))
@settings(max_examples=300)
def test_the_servers_text_read_as_a_double_has_the_bits_that_were_stored(
    valkey: Valkey, value: float
) -> None:
    valkey.admin.execute_command("ZADD", SET, repr(value), "m")
    (text,) = scores(valkey, ["m"])
    assert double.bits(float(text)) == double.bits(value) or value == 0 == float(text)


@pytest.mark.parametrize(
    ("score", "printed"),
    [
        ("8589934609", "8589934609"),
        ("9007199254740991", "9007199254740991"),
        ("9007199254741009", "9007199254741008"),
        ("9223372036854775808", "9223372036854776000"),
        ("5e18", "5e+18"),
        ("1700000000.1234567", "1.7000000001234567e+9"),
        ("1009651914519660511", "1009651914519660544"),
        ("1009651914519660512", "1009651914519660544"),
        ("319545566822428714", "319545566822428736"),
        ("0", "0"),
    ],
)
def test_the_server_prints_a_score_as_the_facts_say(
    valkey: Valkey, score: str, printed: str
) -> None:
    valkey.admin.execute_command("ZADD", SET, score, "m")
    assert scores(valkey, ["m"]) == [printed]


@pytest.mark.parametrize("text", ["nan", "", " ", "1_000", "0x10", "1e400", "1e-400"])
def test_the_server_refuses_what_the_facts_say_is_no_score(valkey: Valkey, text: str) -> None:
    with pytest.raises(redis.exceptions.ResponseError, match="not a valid float"):
        valkey.admin.execute_command("ZADD", SET, text, "m")


def test_zadd_answers_how_many_members_were_added(valkey: Valkey) -> None:
    def zadd(*words: Any) -> Any:
        return valkey.admin.execute_command("ZADD", SET, *words)

    assert zadd(1, "m") == 1
    assert zadd(2, "m") == 0
    assert zadd("CH", 3, "m") == 1
    assert valkey.admin.zrem(SET, "m") == 1
    assert valkey.admin.zrem(SET, "m") == 0


INSTANTS = st.integers(branded.EPOCH_MS, branded.EPOCH_MS + 2**41 - 1)


@given(
    ids=st.lists(
        st.tuples(INSTANTS, st.integers(0, 1023), st.integers(0, 4095)),
        min_size=2,
        max_size=50,
        unique=True,
    )
)
@settings(max_examples=60)
def test_valkey_orders_branded_ids_of_equal_score_by_the_instant_of_their_mint(
    valkey: Valkey, ids: list[tuple[int, int, int]]
) -> None:
    valkey.admin.delete(SET)
    members = {branded.mint(ms, node=node, sequence=n): (ms, node, n) for ms, node, n in ids}
    assert len(members) == len(ids)
    valkey.admin.zadd(SET, dict.fromkeys(members, 0))
    assert [members[member] for member in valkey.admin.zrange(SET, 0, -1)] == sorted(ids)


def test_the_neighbours_of_the_example_job_stand_as_the_facts_say(valkey: Valkey) -> None:
    neighbours = [
        "JOB0Nb1VKRy3l2",
        "JOB0Nb1VP1ovpY",
        "JOB0Nb1VTbfnu4",
        "JOB0Nb1VYBWfya",
        "JOB0Nb1VclNY36",
    ]
    valkey.admin.zadd(SET, dict.fromkeys(reversed(neighbours), 0))
    assert valkey.admin.zrange(SET, 0, -1) == neighbours
