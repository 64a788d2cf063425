"""The scripts as they run on a real Valkey: every figure of FACTS.md about priority."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoder.errors import DecoderError, ProgramFailed, Refused
from decoder.sandbox.execution import Execution, Executor
from decoder.sandbox.keys import Lane, new_sandbox_id
from decoder.sandbox.program import Program
from decoder.sandbox.scripts import Composed, compose, load_scripts
from decoder.sandbox.server import Server
from decoder.settings import Settings, files
from tests.support.valkey import Valkey

LUA = files("lua")
ADD = "packed/add_prioritized"
LADDER, COUNTER = "emq:{q}:prioritized", "emq:{q}:pc"
KEYS = {"prioritized": LADDER, "counter": COUNTER}


class Bench:
    """One lane in which programs of the real script are run."""

    def __init__(self, valkey: Valkey, names: tuple[str, ...] = (ADD,), **limits: int) -> None:
        self.valkey = valkey
        options: dict[str, Any] = dict(limits)
        settings = Settings(valkey_url=valkey.url, commands_per_minute=10**6, **options)
        self.composed: Composed = compose(LUA, load_scripts(LUA), names)
        self.executor = Executor(Server(valkey.url, 5000), settings)
        self.lane = Lane(new_sandbox_id(), "bench")

    def program(self) -> Program:
        return Program(self.lane, self.composed)

    def run(self, program: Program, seq: int | None = None) -> Execution:
        return self.executor.execute(self.lane, self.composed, program, seq)

    def add(self, tier: int, *members: str) -> Execution:
        program = self.program()
        for member in members:
            program.script(ADD, KEYS, tier=tier, member=member)
        return self.run(program)

    def set_counter(self, value: int) -> None:
        program = self.program()
        program.plain("SET", COUNTER, value)
        self.run(program)

    def stored(self) -> list[tuple[str, str]]:
        """Members and the server's own score texts, in the server's order."""
        program = self.program()
        program.plain("ZRANGE", LADDER, 0, -1, "WITHSCORES")
        (step,) = self.run(program).steps
        return _pairs(step.reply)

    def pop(self, count: int) -> list[str]:
        program = self.program()
        program.plain("ZPOPMIN", LADDER, count)
        (step,) = self.run(program).steps
        return [member for member, _ in _pairs(step.reply)]


def _pairs(reply: Any) -> list[tuple[str, str]]:
    assert isinstance(reply, list)
    return list(zip(reply[::2], reply[1::2], strict=True))


@pytest.fixture
def bench(valkey: Valkey) -> Bench:
    return Bench(valkey)


def test_tier_2_with_the_counter_at_16_stores_8589934609(bench: Bench) -> None:
    bench.set_counter(16)
    bench.add(2, "JOB0Nb1VTbfnu4")
    assert bench.stored() == [("JOB0Nb1VTbfnu4", "8589934609")]


def test_the_largest_priority_score_is_2_to_the_53_minus_1(bench: Bench) -> None:
    bench.set_counter(2**32 - 2)
    bench.add(2097151, "last")
    assert bench.stored() == [("last", "9007199254740991")]


def test_at_priority_2097151_counters_1_to_5_are_five_scores(bench: Bench) -> None:
    bench.add(2097151, "p1", "p2", "c_third", "b_fourth", "a_fifth")
    assert bench.stored() == [
        ("p1", "9007194959773697"),
        ("p2", "9007194959773698"),
        ("c_third", "9007194959773699"),
        ("b_fourth", "9007194959773700"),
        ("a_fifth", "9007194959773701"),
    ]


def test_at_priority_2097152_three_of_five_share_a_score(bench: Bench) -> None:
    bench.add(2097152, "p1", "p2", "c_third", "b_fourth", "a_fifth")
    stored = dict(bench.stored())
    assert [stored[name] for name in ("p1", "p2", "c_third", "b_fourth", "a_fifth")] == [
        "9007199254740992",
        "9007199254740994",
        "9007199254740996",
        "9007199254740996",
        "9007199254740996",
    ]


def test_at_priority_2097152_the_last_three_come_out_by_their_bytes(bench: Bench) -> None:
    bench.add(2097152, "p1", "p2", "c_third", "b_fourth", "a_fifth")
    assert bench.pop(5) == ["p1", "p2", "a_fifth", "b_fourth", "c_third"]


def test_when_the_counter_wraps_the_second_and_third_go_before_the_first(bench: Bench) -> None:
    bench.set_counter(4294967294)
    bench.add(7, "first", "second", "third")
    stored = dict(bench.stored())
    assert [stored[name] for name in ("first", "second", "third")] == [
        "34359738367",
        "30064771072",
        "30064771073",
    ]
    assert bench.pop(3) == ["second", "third", "first"]


@pytest.mark.parametrize("counted", [2147483646, 2147483647, 2147483648, 4294967293])
def test_past_2_to_the_31_the_tier_stays(bench: Bench, counted: int) -> None:
    # bit.band would be signed 32-bit here and lose it (FACTS.md, section 5).
    bench.set_counter(counted)
    bench.add(1, "job")
    assert bench.stored() == [("job", str(2**32 + counted + 1))]


def test_zadd_answers_how_many_were_added_not_how_many_changed(bench: Bench) -> None:
    bench.set_counter(16)
    assert bench.add(2, "job").returned == [(ADD, 1)]
    assert bench.add(3, "job").returned == [(ADD, 0)]
    assert bench.stored() == [("job", str(3 * 2**32 + 18))]


def test_zpopmin_removes_what_it_answers(bench: Bench) -> None:
    bench.add(1, "a", "b")
    assert bench.pop(1) == ["a"]
    assert bench.stored() == [("b", str(2**32 + 2))]
    assert bench.pop(5) == ["b"]
    assert bench.pop(5) == []


def test_equal_scores_stand_in_the_order_of_their_bytes(bench: Bench) -> None:
    for member in ("9", "2", "100", "10"):
        bench.set_counter(16)
        bench.add(2, member)
    assert [member for member, _ in bench.stored()] == ["10", "100", "2", "9"]


@given(
    pairs=st.lists(
        st.tuples(st.integers(1, 2097151), st.integers(0, 2**32 - 1)), min_size=1, max_size=100
    )
)
@settings(max_examples=15)
def test_the_real_script_stores_exactly_tier_times_2_to_the_32_plus_arrival(
    valkey: Valkey, pairs: list[tuple[int, int]]
) -> None:
    bench = Bench(valkey, (ADD, "stage/set_counter"), members_per_set=1000)
    program = bench.program()
    for n, (tier, arrival) in enumerate(pairs):
        program.script("stage/set_counter", {"counter": COUNTER}, arrival=arrival)
        program.script(ADD, KEYS, tier=tier, member=f"m{n}")
    bench.run(program)
    stored = dict(bench.stored())
    assert stored == {
        f"m{n}": str(tier * 2**32 + arrival) for n, (tier, arrival) in enumerate(pairs)
    }


def test_what_is_traced_is_what_was_sent_with_17_digits(bench: Bench) -> None:
    bench.set_counter(2**32 - 2)
    steps = bench.add(2097151, "last").steps
    assert [step.command for step in steps] == [
        f"INCR {COUNTER}",
        f"ZADD {LADDER} 9007199254740991 last",
    ]
    assert [step.reply for step in steps] == [4294967295, 1]
    assert {(step.by, step.script) for step in steps} == {("script", ADD)}


def test_a_script_that_fails_brings_the_steps_before_it(bench: Bench) -> None:
    bench.set_counter(0)
    bench.valkey.admin.set(bench.lane.physical(LADDER), "no set")
    with pytest.raises(ProgramFailed) as caught:
        bench.add(2, "job", "other")
    commands = [step.command for step in caught.value.steps]
    assert commands == [f"INCR {COUNTER}", f"ZADD {LADDER} 8589934593 job"]
    assert "WRONGTYPE" in caught.value.sentence
    assert bench.lane.prefix not in caught.value.sentence
    assert "WRONGTYPE" in str(caught.value.steps[-1].reply)


def test_a_member_too_many_is_refused_and_a_known_one_is_scored(valkey: Valkey) -> None:
    bench = Bench(valkey, members_per_set=20)
    bench.add(1, *[f"m{n:02}" for n in range(20)])
    with pytest.raises(ProgramFailed) as caught:
        bench.add(1, "one more")
    assert caught.value.limit == 20
    assert len(bench.stored()) == 20
    assert bench.add(2, "m00").returned == [(ADD, 0)]
    assert bench.stored()[-1][0] == "m00"


def test_members_added_by_many_pairs_are_refused_as_well(valkey: Valkey) -> None:
    bench = Bench(valkey, members_per_set=20)
    bench.add(1, *[f"m{n:02}" for n in range(19)])
    program = bench.program()
    program.plain("ZADD", LADDER, 1, "a", 2, "b", 3, "c")
    with pytest.raises(DecoderError):
        bench.run(program)
    assert len(bench.stored()) <= 20


def test_a_refused_sandbox_is_told_its_limit_and_when_it_goes_on(valkey: Valkey) -> None:
    bench = Bench(valkey)
    bench.executor = Executor(
        Server(valkey.url, 5000), Settings(valkey_url=valkey.url, commands_per_minute=10)
    )
    bench.add(1, *"abcde")
    with pytest.raises(Refused) as caught:
        bench.add(1, "f")
    assert caught.value.limit == 10
    assert caught.value.retry_after_s
    assert 1 <= caught.value.retry_after_s <= 60


def test_a_name_that_a_script_does_not_have_is_a_type_error(bench: Bench) -> None:
    for keys, arguments in (
        (KEYS, {"tier": 1}),
        (KEYS, {"tier": 1, "member": "m", "more": 1}),
        (KEYS, {"tier": 1, "membr": "m"}),
        ({"prioritized": LADDER}, {"tier": 1, "member": "m"}),
        ({**KEYS, "more": "x"}, {"tier": 1, "member": "m"}),
    ):
        with pytest.raises(TypeError):
            bench.program().script(ADD, keys, **arguments)


MEMBERS = st.text(min_size=1, max_size=30)


@given(members=st.lists(MEMBERS, min_size=1, max_size=8, unique=True))
@settings(max_examples=60)
def test_any_text_as_a_member_goes_through_the_script_unchanged(
    valkey: Valkey, members: list[str]
) -> None:
    sent = [member.encode("utf-8", "ignore").decode() or "x" for member in members]
    bench = Bench(valkey)
    bench.add(1, *sent)
    # In the order of arrival: a member sent twice stands where it came last.
    last = {member: n for n, member in enumerate(sent)}
    assert [member for member, _ in bench.stored()] == sorted(last, key=last.__getitem__)


@pytest.mark.parametrize("script", sorted(load_scripts(LUA)))
def test_every_script_loads_on_the_server(valkey: Valkey, script: str) -> None:
    composed = compose(LUA, load_scripts(LUA), [script])
    assert valkey.admin.script_load(composed.text) == composed.sha


def test_the_sequence_number_survives_any_program(bench: Bench) -> None:
    program = bench.program()
    program.script(ADD, KEYS, tier=1, member="a")
    assert bench.run(program, seq=5).refused == ""
    assert bench.run(program, seq=4).refused == "stale"
    assert bench.run(program, seq=5).refused == ""
    assert bench.run(program, seq=None).refused == ""


@settings(max_examples=200, deadline=None)
@given(number=st.floats(allow_nan=False) | st.integers(-(2**63), 2**63))
@example(number=3.99)
@example(number=-0.0)
@example(number=2.0**53)
@example(number=1e17)
@example(number=1700000000.1234567)
def test_a_number_is_recorded_as_the_server_receives_it(
    shared_valkey: Valkey, number: float
) -> None:
    """Not as Lua writes it: Valkey 9 spells a fraction with as few digits as it can."""
    spelled = (LUA / "trace.lua").read_text().partition("local function as_sent")
    frame = "local real = redis\nlocal EXACT_MOST = 2 ^ 53\nlocal function as_sent"
    body = spelled[2].partition("\nend\n")[0]
    asked = f"{frame}{body}\nend\nreturn as_sent(tonumber(ARGV[1]))"
    text = format(float(number), ".17g")
    received = shared_valkey.admin.eval("return redis.call('ECHO', tonumber(ARGV[1]))", 0, text)
    assert shared_valkey.admin.eval(asked, 0, text) == received
