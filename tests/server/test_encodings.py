"""Encodings against what a real Valkey stores, prints and computes, for thousands of pairs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import redis
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoder.encodings import branded, delay, double, flat, instant, packed
from decoder.errors import OutOfRange
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


def stored(valkey: Valkey, values: list[int] | list[float]) -> list[str]:
    """Store scores as members m0, m1, …, and return the server's own text of each."""
    valkey.admin.delete(SET)
    pipeline = valkey.admin.pipeline(transaction=False)
    for n, value in enumerate(values):
        pipeline.execute_command("ZADD", SET, repr(value), f"m{n}")
    pipeline.execute()
    return scores(valkey, [f"m{n}" for n in range(len(values))])


# Shifted delay.

DUES = st.integers(0, delay.LAST_EXACT_DUE_MS) | st.sampled_from(
    [0, 1, 1780226978000, delay.LAST_EXACT_DUE_MS - 1, delay.LAST_EXACT_DUE_MS]
)
SLOTS = st.integers(0, 4095) | st.sampled_from([0, 1, 4094, 4095])


@given(pairs=st.lists(st.tuples(DUES, SLOTS), min_size=2, max_size=100, unique=True))
@settings(max_examples=25)
def test_a_shifted_delay_is_what_valkey_stores_prints_orders_and_gives_back(
    valkey: Valkey, pairs: list[tuple[int, int]]
) -> None:
    shifted = [delay.encode(due_ms, slot) for due_ms, slot in pairs]
    printed = stored(valkey, shifted)
    assert printed == [str(score) for score in shifted]
    assert [delay.decode(int(text)) for text in printed] == pairs
    order = [pairs[int(member[1:])] for member in valkey.admin.zrange(SET, 0, -1)]
    assert order == sorted(pairs)


@given(now_ms=DUES, pairs=st.lists(st.tuples(DUES, SLOTS), min_size=1, max_size=40, unique=True))
@settings(max_examples=25)
def test_the_due_bound_lets_valkey_return_every_slot_of_now_and_none_later(
    valkey: Valkey, now_ms: int, pairs: list[tuple[int, int]]
) -> None:
    pairs = [*pairs, (now_ms, 4095)]
    stored(valkey, [delay.encode(due_ms, slot) for due_ms, slot in pairs])
    found = valkey.admin.execute_command("ZRANGEBYSCORE", SET, 0, delay.due_bound(now_ms))
    assert {int(m[1:]) for m in found} == {n for n, (due, _) in enumerate(pairs) if due <= now_ms}


@given(due_ms=st.integers(2**41, 2**60), slot=SLOTS)
@example(due_ms=2**41, slot=1)
def test_past_2039_valkey_rounds_a_shifted_delay_as_is_exact_says(
    valkey: Valkey, due_ms: int, slot: int
) -> None:
    with pytest.raises(OutOfRange):
        delay.encode(due_ms, slot)
    score = delay.encode(due_ms, slot, past_the_limit=True)
    (text,) = stored(valkey, [score])
    assert (int(float(text)) == score) == double.is_exact(score)


# Milliseconds and seconds.


@given(values=st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=100))
@settings(max_examples=25)
@example(values=[2**53, 2**53 - 1, -(2**53), 0, 1780226978000])
def test_a_millisecond_is_what_valkey_stores_prints_and_gives_back(
    valkey: Valkey, values: list[int]
) -> None:
    printed = stored(valkey, [instant.encode_ms(value) for value in values])
    assert printed == [str(value) for value in values]
    assert [instant.decode_ms(float(text)) for text in printed] == values


@given(at_ms=st.integers(2**53 + 1, 2**62))
@example(at_ms=2**53 + 1)
@example(at_ms=2**53 + 2)
def test_past_2_to_the_53_valkey_rounds_a_millisecond_as_is_exact_says(
    valkey: Valkey, at_ms: int
) -> None:
    with pytest.raises(OutOfRange):
        instant.encode_ms(at_ms)
    (text,) = stored(valkey, [instant.encode_ms(at_ms, past_the_limit=True)])
    assert (instant.decode_ms(float(text)) == at_ms) == double.is_exact(at_ms)


LAST_S_MS = instant.LAST_EXACT_S_MS
SECONDS_MS = st.integers(-LAST_S_MS, LAST_S_MS) | st.integers(0, 4_000_000_000_000)


@given(values=st.lists(SECONDS_MS, min_size=2, max_size=100, unique=True))
@settings(max_examples=25)
@example(values=[LAST_S_MS, LAST_S_MS - 1, 1780226978000, 1780226978001])
def test_seconds_in_valkey_still_name_and_order_every_millisecond(
    valkey: Valkey, values: list[int]
) -> None:
    printed = stored(valkey, [instant.encode_s(value) for value in values])
    assert [instant.decode_s(float(text)) for text in printed] == values
    order = [values[int(member[1:])] for member in valkey.admin.zrange(SET, 0, -1)]
    assert order == sorted(values)


@given(seconds=st.integers(2**43, 2**50))
@example(seconds=2**43)
def test_past_2_to_the_43_seconds_valkey_gives_two_milliseconds_one_score(
    valkey: Valkey, seconds: int
) -> None:
    inside = [seconds * 1000 + ms for ms in range(1, 999)]
    kept = [instant.encode_s(at_ms, past_the_limit=True) for at_ms in inside]
    printed = stored(valkey, kept)
    assert [float(text) for text in printed] == kept
    assert len(set(printed)) < len(inside)
    for at_ms in inside[:3]:
        with pytest.raises(OutOfRange):
            instant.encode_s(at_ms)


# Flat.


@given(
    members=st.lists(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=12),
        min_size=2, max_size=30, unique=True,
    )
)  # fmt: skip
@settings(max_examples=60)
@example(members=["9", "2", "100", "10"])
@example(members=["Y", "c", "é", "\U0001f512", "\uffff"])
def test_flat_members_stand_in_valkey_as_before_says(valkey: Valkey, members: list[str]) -> None:
    valkey.admin.delete(SET)
    valkey.admin.zadd(SET, dict.fromkeys(members, flat.encode()))
    order = valkey.admin.zrange(SET, 0, -1)
    assert sorted(order) == sorted(members)
    assert all(flat.before(one, other) for one, other in itertools.pairwise(order))
    assert set(scores(valkey, members)) == {"0"}


# Doubles.


@given(value=st.floats(1e-300, 1e300) | st.integers(1, 2**62).map(float))
@example(value=2.0**53)
@example(value=1e18)
@settings(max_examples=200)
def test_valkey_steps_from_one_double_to_the_next_by_the_spacing(
    valkey: Valkey, value: float
) -> None:
    stored(valkey, [value])
    valkey.admin.execute_command("ZINCRBY", SET, repr(double.spacing(value)), "m0")
    (after,) = scores(valkey, ["m0"])
    assert float(after) == double.neighbours(value)[1]


# Branded ids.


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
