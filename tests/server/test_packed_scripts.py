"""The scripts of lua/packed on a real Valkey, and the headers of all scripts against their bodies.

Right values are FACTS.md's (sections 1, 2, 3 and 5), or follow from the arithmetic written here.
Letters and numbers such as B08 name a public report in cases/public-reports.jsonl.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoder.errors import ProgramFailed
from decoder.sandbox.scripts import Script, read_script
from decoder.transcripts.reply import Reply
from tests.support.scripts import KEYS, SCRIPTS, Scripts, job, pairs
from tests.support.valkey import Valkey

T0 = 1780226888000
MINE = "JOB0Nb1VTbfnu4"
TIER = 2**32
SLOTS = 4096


@pytest.fixture
def queue(valkey: Valkey) -> Scripts:
    return Scripts(valkey)


def delay(queue: Scripts, due_ms: int, *members: str) -> None:
    program = queue.program()
    for member in members:
        queue.ask(program, "packed/add_delayed", timestamp_ms=due_ms, delay_ms=0, member=member)
    queue.execute(program)


def add(queue: Scripts, tier: int, *members: str) -> None:
    """Add jobs with a priority, their records as well, as a real queue would have them."""
    for member in members:
        queue.put(job(member), priority=tier)
    program = queue.program()
    for member in members:
        queue.ask(program, "packed/add_prioritized", tier=tier, member=member)
    queue.execute(program)


def change(queue: Scripts, member: str, tier: int, *, lifo: int = 0) -> Reply:
    ran = queue.run("packed/change_priority", of=member, tier=tier, member=member, lifo=lifo)
    return ran.value


def promote(queue: Scripts, now_ms: int) -> Reply:
    return queue.run("packed/promote_delayed", now_ms=now_ms).value


def count_to(queue: Scripts, counted: int) -> None:
    queue.plain("SET", "counter", counted)


# --- every header against its body ---

WITHOUT_KEY = {"TIME"}


def code(script: Script) -> str:
    """Return a body without its comments."""
    return re.sub(r"--[^\n]*", "", script.body)


def used(script: Script, table: str) -> set[int]:
    return {int(n) for n in re.findall(rf"\b{table}\[(\d+)\]", code(script))}


def first_words(script: Script) -> Iterator[tuple[str, str]]:
    """Yield the command of each call as it is written, and the expression of its key."""
    for call in re.finditer(r"redis\.p?call\s*\(", code(script)):
        depth, words, rest = 0, [""], code(script)[call.end() :]
        for letter in rest:
            if letter in "([{":
                depth += 1
            elif letter in ")]}":
                depth -= 1
            if depth < 0:
                break
            if letter == "," and depth == 0:
                words.append("")
            else:
                words[-1] += letter
        words = [word.strip() for word in words]
        yield words[0], words[1] if len(words) > 1 else ""


def is_key(script: Script, expression: str) -> bool:
    """Tell whether an expression is KEYS[n], begins with it, or is a local that was set so."""
    if re.match(r"KEYS\[\d+\]($|\s*\.\.)", expression):
        return True
    if not re.fullmatch(r"[a-z_]\w*", expression):
        return False
    values = re.findall(rf"\b{expression}\s*=(?!=)\s*(.*)", code(script))
    return bool(values) and all(re.match(r"KEYS\[\d+\]($|\s*\.\.)", value) for value in values)


def faults(script: Script) -> list[str]:
    """Say what is wrong between a script's header and its body; nothing for a good one."""
    said = []
    for table, names in (("KEYS", script.keys), ("ARGV", script.arguments)):
        if used(script, table) != set(range(1, len(names) + 1)):
            said.append(f"{table} {sorted(used(script, table))} but the header says {names}")
        if re.search(rf"\b{table}\b(?!\[\d)", code(script)):
            said.append(f"{table} is used whole")
    for command, key in first_words(script):
        if not re.fullmatch(r"'[A-Z]+'", command):
            said.append(f"{command} is no plain command")
        elif command.strip("'") not in WITHOUT_KEY and not is_key(script, key):
            said.append(f"{command} goes to {key}")
    return said


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_header_says_exactly_what_its_body_uses(name: str) -> None:
    assert faults(SCRIPTS[name]) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return redis.call('GET', KEYS[1])", "ARGV [] but"),
        ("return redis.call('GET', KEYS[1], ARGV[1], ARGV[2])", "ARGV [1, 2] but"),
        ("return redis.call('GET', ARGV[1], KEYS[1])", "'GET' goes to ARGV[1]"),
        ("redis.call('GET', 'k' .. KEYS[1] .. ARGV[1])", "'GET' goes to 'k'"),
        ("local k = ARGV[1]\nredis.call('GET', k, KEYS[1])", "'GET' goes to k"),
        ("local k = KEYS[1]\nk = ARGV[1]\nredis.call('GET', k)", "'GET' goes to k"),
        ("redis.call(ARGV[1], KEYS[1])", "ARGV[1] is no plain command"),
        ("redis.call('GET', KEYS[1], ARGV[1])\nreturn #KEYS", "KEYS is used whole"),
        ("-- ARGV[1]\nredis.call('GET', KEYS[1])", "ARGV [] but"),
    ],
)
def test_a_header_that_lies_would_be_seen(body: str, said: str) -> None:
    header = "--[[\nDo a thing.\n\nKEYS[1] one  a\nARGV[1] two  b\n\nReturns: it.\n]]\n"
    assert any(fault.startswith(said) for fault in faults(read_script("x/y", header + body)))


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_script_is_short_and_says_in_one_sentence_what_it_does(name: str) -> None:
    script = SCRIPTS[name]
    assert script.source.count("\n") <= 60
    assert script.says.endswith(".")
    assert script.source.endswith("\n")
    # A design's script stands for something that exists: its header says for what.
    assert name.startswith(("stage/", "labs/")) or "\nSource:  " in script.source


# The lab that shows just that is the one exception.
@pytest.mark.parametrize("name", sorted(set(SCRIPTS) - {"labs/lua_numbers"}))
def test_no_script_writes_a_number_by_hand(name: str) -> None:
    # 14 digits of 16 would survive, or 31 bits of 53 (FACTS.md, section 5).
    assert not re.search(r"\btostring\b|\bbit\.|\bcjson\b|%[dg]", code(SCRIPTS[name]))


# --- the example job ---


def test_the_example_job_is_stored_as_fire_time(queue: Scripts) -> None:
    queue.run("packed/add_delayed", timestamp_ms=T0, delay_ms=90_000, member=MINE)
    assert queue.stored("delayed") == [(MINE, "7291809701888000")]
    assert queue.run("packed/next_delayed").value == 1780226978000


def test_the_example_job_is_stored_as_priority(queue: Scripts) -> None:
    count_to(queue, 16)
    add(queue, 2, MINE)
    assert queue.stored("prioritized") == [(MINE, "8589934609")]
    assert int("8589934609") == 0x2_00000011


def test_the_example_job_comes_from_the_delayed_set_to_the_same_priority(queue: Scripts) -> None:
    queue.put(job(MINE), priority=2)
    queue.run("packed/add_delayed", timestamp_ms=T0, delay_ms=90_000, member=MINE)
    count_to(queue, 16)
    assert promote(queue, T0 + 90_000) == 1
    assert queue.stored("prioritized") == [(MINE, "8589934609")]


def test_the_example_job_is_stored_as_next_run(queue: Scripts) -> None:
    queue.run("packed/upsert_repeat", next_ms=1780226978000, scheduler=MINE)
    assert queue.stored("repeat") == [(MINE, "1780226978000")]


# --- add_delayed: the slots of one millisecond ---


@pytest.mark.parametrize(
    ("timestamp_ms", "delay_ms", "score"),
    [
        # B15: what another language has to compute.
        (1600000000000, 5000, 1600000005000 * SLOTS),
        # B09: 30 days do not fit the 31 bits of a timer; the score does not mind.
        (1456000000000, 2_592_000_000, 1458592000000 * SLOTS),
        # B01: nothing to wait for is not an error.
        (1739000000123, 0, 1739000000123 * SLOTS),
        (1739000000123, -60_000, 1739000000123 * SLOTS),
        (0, 0, 0),
        (0, 1, SLOTS),
    ],
)
def test_the_due_time_is_the_timestamp_and_the_delay_if_there_is_one(
    queue: Scripts, timestamp_ms: int, delay_ms: int, score: int
) -> None:
    queue.run("packed/add_delayed", timestamp_ms=timestamp_ms, delay_ms=delay_ms, member="only")
    assert queue.stored("delayed") == [("only", str(score))]


def test_the_highest_slot_of_the_millisecond_is_looked_for_and_nothing_else(
    queue: Scripts,
) -> None:
    # B01: the same two commands that a MONITOR of a real queue shows.
    ran = queue.run("packed/add_delayed", timestamp_ms=1739000000123, delay_ms=0, member="81")
    assert ran.commands == [
        "ZREVRANGEBYSCORE emq:{q}:delayed 7122944000507903 7122944000503808 WITHSCORES LIMIT 0 1",
        "ZADD emq:{q}:delayed 7122944000503808 81",
    ]
    assert ran.value == 1


def test_jobs_of_one_millisecond_come_back_in_the_order_they_came(queue: Scripts) -> None:
    members = ["z", "a", "m", "0", "9", "10"]
    delay(queue, T0, *members)
    assert queue.stored("delayed") == [
        (member, str(T0 * SLOTS + slot)) for slot, member in enumerate(members)
    ]


def test_a_millisecond_has_slots_of_its_own(queue: Scripts) -> None:
    delay(queue, T0, "a", "b")
    delay(queue, T0 + 1, "c")
    delay(queue, T0 - 1, "d", "e")
    delay(queue, T0, "f")
    assert queue.stored("delayed") == [
        ("d", str((T0 - 1) * SLOTS)),
        ("e", str((T0 - 1) * SLOTS + 1)),
        ("a", str(T0 * SLOTS)),
        ("b", str(T0 * SLOTS + 1)),
        ("f", str(T0 * SLOTS + 2)),
        ("c", str((T0 + 1) * SLOTS)),
    ]


def test_the_slot_is_the_highest_and_one_so_a_gap_below_stays(queue: Scripts) -> None:
    delay(queue, T0, "a", "b", "c")
    queue.plain("ZREM", "delayed", "b")
    delay(queue, T0, "d")
    assert queue.score("delayed", "d") == str(T0 * SLOTS + 3)
    queue.plain("ZREM", "delayed", "d")
    delay(queue, T0, "e")
    assert queue.score("delayed", "e") == str(T0 * SLOTS + 3)


def test_a_job_delayed_again_to_the_same_millisecond_goes_behind_itself(queue: Scripts) -> None:
    delay(queue, T0, "a", "b")
    again = queue.run("packed/add_delayed", timestamp_ms=T0, delay_ms=0, member="a")
    assert again.value == 0
    assert queue.stored("delayed") == [("b", str(T0 * SLOTS + 1)), ("a", str(T0 * SLOTS + 2))]


def test_the_4096th_job_of_a_millisecond_takes_the_last_slot(queue: Scripts) -> None:
    members = [f"j{n:04}" for n in range(9999, 9999 - 4096, -1)]
    delay(queue, T0, *members)
    assert queue.members("delayed") == members
    assert queue.score("delayed", members[-1]) == str(T0 * SLOTS + 4095)


def test_the_4097th_job_of_a_millisecond_is_ordered_by_its_bytes(queue: Scripts) -> None:
    # B07. Named so that a later job has smaller bytes.
    members = [f"j{n:04}" for n in range(9999, 9999 - 4098, -1)]
    delay(queue, T0, *members)
    last = str(T0 * SLOTS + 4095)
    *others, a, b, c = queue.stored("delayed")
    assert [member for member, _ in others] == members[:4095]
    assert [a, b, c] == [(members[4097], last), (members[4096], last), (members[4095], last)]


def test_the_last_slot_of_one_millisecond_never_reaches_the_next(queue: Scripts) -> None:
    delay(queue, T0 + 1, "next")
    queue.plain("ZADD", "delayed", T0 * SLOTS + 4095, "last")
    delay(queue, T0, "z", "y")
    assert queue.members("delayed") == ["last", "y", "z", "next"]


def test_a_set_written_with_low_bits_of_the_id_goes_on_with_slots(queue: Scripts) -> None:
    # B05: older queues stored id & 0xfff there, so id 8191 sits in the last slot already.
    for member, low in (("8190", 4094), ("8192", 0), ("a-uuid", 0)):
        queue.plain("ZADD", "delayed", T0 * SLOTS + low, member)
    delay(queue, T0, "new")
    assert queue.members("delayed") == ["8192", "a-uuid", "8190", "new"]
    delay(queue, T0, "later")
    assert queue.members("delayed")[-2:] == ["later", "new"]


LAST_EXACT = 2199023255551


def test_the_last_millisecond_with_4096_exact_slots_is_in_september_2039(queue: Scripts) -> None:
    # B08.
    delay(queue, LAST_EXACT, "c", "b", "a")
    assert queue.stored("delayed") == [
        ("c", "9007199254736896"),
        ("b", "9007199254736897"),
        ("a", "9007199254736898"),
    ]
    queue.plain("ZADD", "delayed", LAST_EXACT * SLOTS + 4094, "d")
    delay(queue, LAST_EXACT, "e")
    assert queue.score("delayed", "e") == "9007199254740991"


def test_a_millisecond_later_adding_1_changes_nothing_and_bytes_decide(queue: Scripts) -> None:
    # B08. Slots 0, 1 and 2 written by hand are …992, …992 and …994 (FACTS.md, section 3); the
    # script adds 1 to what it reads, which is …992 each time.
    delay(queue, LAST_EXACT + 1, "c", "b", "a")
    assert queue.stored("delayed") == [
        ("a", "9007199254740992"),
        ("b", "9007199254740992"),
        ("c", "9007199254740992"),
    ]


def test_past_2039_a_slot_written_by_hand_is_rounded_to_an_even_one(queue: Scripts) -> None:
    for slot, member in enumerate("cba"):
        queue.plain("ZADD", "delayed", (LAST_EXACT + 1) * SLOTS + slot, member)
    assert queue.stored("delayed") == [
        ("b", "9007199254740992"),
        ("c", "9007199254740992"),
        ("a", "9007199254740994"),
    ]


def test_past_2039_the_millisecond_itself_is_read_back_all_the_same(queue: Scripts) -> None:
    delay(queue, LAST_EXACT + 1, "c", "b", "a")
    delay(queue, LAST_EXACT + 2, "y")
    assert queue.score("delayed", "y") == "9007199254745088"
    assert queue.run("packed/next_delayed").value == LAST_EXACT + 1
    assert promote(queue, LAST_EXACT) == 0
    # The bound, …095 + 992, is odd and rounds up to the next millisecond's first slot: y is taken
    # a millisecond early.
    assert promote(queue, LAST_EXACT + 1) == 4


# --- next_delayed ---


def test_nothing_delayed_is_nil(queue: Scripts) -> None:
    assert queue.run("packed/next_delayed").value is None


def test_the_next_due_time_has_the_slot_divided_out(queue: Scripts) -> None:
    delay(queue, T0 + 1, "late")
    delay(queue, T0, "a", "b", "c")
    queue.plain("ZREM", "delayed", "a")
    queue.plain("ZREM", "delayed", "b")
    assert queue.stored("delayed")[0] == ("c", str(T0 * SLOTS + 2))
    assert queue.run("packed/next_delayed").value == T0


def test_reading_the_next_due_time_writes_nothing(queue: Scripts) -> None:
    delay(queue, T0, "a", "b")
    before = queue.stored("delayed")
    assert queue.run("packed/next_delayed").commands == ["ZRANGE emq:{q}:delayed 0 0 WITHSCORES"]
    assert queue.stored("delayed") == before


def test_only_the_score_knows_when_a_job_is_due(queue: Scripts) -> None:
    # B12: the record's timestamp and delay are those of its making, or of its last change.
    queue.put(job("a"), timestamp=T0, delay=60_000)
    queue.run("packed/add_delayed", timestamp_ms=T0, delay_ms=60_000, member="a")
    queue.put(job("a"), delay=45_000)
    queue.run("packed/add_delayed", timestamp_ms=T0 + 30_000, delay_ms=45_000, member="a")
    assert queue.hash(job("a")) == {"timestamp": str(T0), "delay": "45000"}
    assert queue.run("packed/next_delayed").value == T0 + 75_000


# --- promote_delayed ---


def test_a_job_is_promoted_in_its_own_millisecond_and_not_one_earlier(queue: Scripts) -> None:
    # B03: an inclusive bound of (now + 1) * 4096 also took the next millisecond's first job.
    delay(queue, T0, "this")
    delay(queue, T0 + 1, "next")
    assert promote(queue, T0 - 1) == 0
    assert queue.members("delayed") == ["this", "next"]
    ran = queue.run("packed/promote_delayed", now_ms=T0)
    assert ran.value == 1
    assert ran.commands[0] == f"ZRANGEBYSCORE emq:{{q}}:delayed 0 {T0 * SLOTS + 4095} LIMIT 0 1000"
    assert queue.members("delayed") == ["next"]


def test_every_slot_of_the_millisecond_is_due(queue: Scripts) -> None:
    queue.plain("ZADD", "delayed", T0 * SLOTS + 4095, "last slot")
    assert promote(queue, T0) == 1


def test_the_due_read_is_empty_before_and_full_at_and_after_the_due_time(queue: Scripts) -> None:
    for now, moved in ((T0 + 89_999, 0), (T0 + 90_000, 1), (T0 + 90_001, 1)):
        queue.fresh().run("packed/add_delayed", timestamp_ms=T0, delay_ms=90_000, member=MINE)
        assert promote(queue, now) == moved


def test_nothing_due_is_one_read_and_no_write(queue: Scripts) -> None:
    delay(queue, T0, "a")
    assert len(queue.run("packed/promote_delayed", now_ms=T0 - 1).steps) == 1
    assert queue.plain("EXISTS", "counter") == 0


def test_promoted_jobs_arrive_now_behind_those_that_are_there(queue: Scripts) -> None:
    for member, tier in (("d1", 2), ("d2", 1), ("d3", 2)):
        queue.put(job(member), priority=tier)
    delay(queue, T0 + 5, "d1")
    delay(queue, T0, "d2", "d3")
    add(queue, 2, "there")
    assert promote(queue, T0 + 10) == 3
    assert queue.stored("prioritized") == [
        ("d2", str(TIER + 2)),
        ("there", str(2 * TIER + 1)),
        ("d3", str(2 * TIER + 3)),
        ("d1", str(2 * TIER + 4)),
    ]
    assert queue.members("delayed") == []


@pytest.mark.parametrize("priority", [None, "0", "", "soon"])
def test_without_a_priority_a_job_goes_to_the_wait_list(
    queue: Scripts, priority: str | None
) -> None:
    # A06: priority 0 is no score 0, it is in no sorted set at all.
    if priority is not None:
        queue.put(job("none"), priority=priority)
    queue.put(job("one"), priority=1)
    delay(queue, T0, "none", "one")
    assert promote(queue, T0) == 2
    assert queue.listed("wait") == ["none"]
    assert queue.members("prioritized") == ["one"]
    assert queue.score("prioritized", "none") is None
    # It did not count as an arrival either.
    assert queue.plain("GET", "counter") == "1"


def test_the_wait_list_is_served_from_its_right_end_in_the_order_of_the_due_times(
    queue: Scripts,
) -> None:
    delay(queue, T0 + 1, "second")
    delay(queue, T0, "first")
    promote(queue, T0 + 1)
    assert queue.listed("wait") == ["second", "first"]


def test_a_promoted_jobs_record_says_that_it_waits_no_more(queue: Scripts) -> None:
    queue.put(job("a"), priority=3, delay=90_000)
    delay(queue, T0, "a")
    promote(queue, T0)
    assert queue.hash(job("a")) == {"priority": "3", "delay": "0"}


def test_one_promotion_moves_1000_jobs_at_most(queue: Scripts) -> None:
    delay(queue, T0, *[f"j{n:04}" for n in range(1001)])
    assert promote(queue, T0) == 1000
    assert queue.members("delayed") == ["j1000"]
    assert promote(queue, T0) == 1
    assert len(queue.listed("wait")) == 1001


def test_when_the_counter_wraps_during_a_promotion_the_later_go_first(queue: Scripts) -> None:
    # A04.
    for member in ("first", "second", "third"):
        queue.put(job(member), priority=7)
    delay(queue, T0, "first", "second", "third")
    count_to(queue, 4294967294)
    promote(queue, T0)
    assert queue.stored("prioritized") == [
        ("second", "30064771072"),
        ("third", "30064771073"),
        ("first", "34359738367"),
    ]


# --- change_priority and push_back ---


def test_a_changed_job_gets_a_new_arrival_and_goes_behind_its_tier(queue: Scripts) -> None:
    # A10.
    add(queue, 4, "p", "q", "r")
    assert change(queue, "p", 2) == 0
    assert queue.stored("prioritized") == [
        ("p", str(2 * TIER + 4)),
        ("q", str(4 * TIER + 2)),
        ("r", str(4 * TIER + 3)),
    ]
    assert change(queue, "p", 4) == 0
    assert queue.pop("prioritized", 3) == ["q", "r", "p"]


def test_a_change_to_the_tier_that_it_has_sends_a_job_behind_all_the_same(queue: Scripts) -> None:
    add(queue, 4, "p", "q")
    change(queue, "p", 4)
    assert queue.stored("prioritized") == [("q", str(4 * TIER + 2)), ("p", str(4 * TIER + 3))]


def test_with_lifo_a_changed_job_has_the_counter_0_and_is_in_front(queue: Scripts) -> None:
    # A10.
    add(queue, 4, "p", "q", "r")
    assert change(queue, "r", 4, lifo=1) == 0
    assert queue.stored("prioritized")[0] == ("r", str(4 * TIER))
    # No arrival was counted for it.
    assert queue.plain("GET", "counter") == "3"


def test_two_jobs_changed_with_lifo_are_ordered_by_their_bytes(queue: Scripts) -> None:
    # H01: neither by insertion nor by number.
    add(queue, 4, "9", "10", "2", "100")
    for member in ("9", "10", "2", "100"):
        change(queue, member, 4, lifo=1)
    assert queue.pop("prioritized", 4) == ["10", "100", "2", "9"]


def test_a_change_is_a_removal_and_a_new_place_never_an_increment(queue: Scripts) -> None:
    add(queue, 4, "p")
    ran = queue.run("packed/change_priority", of="p", tier=2, member="p", lifo=0)
    assert ran.commands == [
        "EXISTS emq:{q}:job:p",
        "ZREM emq:{q}:prioritized p",
        "INCR emq:{q}:pc",
        f"ZADD emq:{{q}}:prioritized {2 * TIER + 2} p",
        "HSET emq:{q}:job:p priority 2",
    ]


def test_a_job_whose_priority_is_taken_away_goes_to_the_wait_list_and_back(
    queue: Scripts,
) -> None:
    # A06.
    add(queue, 4, "p", "q", "r")
    change(queue, "p", 0)
    change(queue, "q", 0)
    assert queue.listed("wait") == ["q", "p"]
    change(queue, "r", 0, lifo=1)
    # With lifo it is at the end that is served.
    assert queue.listed("wait") == ["q", "p", "r"]
    assert queue.members("prioritized") == []
    change(queue, "p", 3)
    assert queue.listed("wait") == ["q", "r"]
    assert queue.stored("prioritized") == [("p", str(3 * TIER + 4))]
    assert queue.hash(job("p"))["priority"] == "3"


def test_the_new_tier_of_a_delayed_job_counts_once_it_is_promoted(queue: Scripts) -> None:
    queue.put(job("d"), priority=4)
    delay(queue, T0, "d")
    assert change(queue, "d", 2) == 0
    assert queue.members("prioritized") == []
    assert queue.plain("EXISTS", "counter") == 0
    promote(queue, T0)
    assert queue.stored("prioritized") == [("d", str(2 * TIER + 1))]


def test_a_job_without_a_record_is_minus_1_and_nothing_is_written(queue: Scripts) -> None:
    add(queue, 4, "p")
    queue.valkey.admin.delete(queue.physical(job("p")))
    ran = queue.run("packed/change_priority", of="p", tier=1, member="p", lifo=0)
    assert (ran.value, len(ran.steps)) == (-1, 1)
    assert queue.stored("prioritized") == [("p", str(4 * TIER + 1))]


def test_a_smaller_number_is_more_urgent(queue: Scripts) -> None:
    # A06.
    for tier, member in ((20, "twenty"), (3, "three"), (1, "one")):
        add(queue, 30, member)
        change(queue, member, tier)
    assert queue.pop("prioritized", 3) == ["one", "three", "twenty"]


def test_a_tier_is_one_range_of_scores(queue: Scripts) -> None:
    # A07.
    add(queue, 1, "a", "b")
    add(queue, 2, "c")
    add(queue, 2097151, "y", "z")
    change(queue, "y", 2097151, lifo=1)
    for tier, held in ((0, 0), (1, 2), (2, 1), (3, 0), (2097151, 2)):
        bounds = (tier * TIER, tier * TIER + TIER - 1)
        assert queue.plain("ZCOUNT", "prioritized", *bounds) == held


def test_past_the_largest_priority_arrivals_share_scores(queue: Scripts) -> None:
    # A01: 2097152 is one too many.
    members = ["k1", "k2", "z_third", "y_fourth", "x_fifth"]
    add(queue, 1, *members)
    count_to(queue, 0)
    for member in members:
        change(queue, member, 2097152)
    assert queue.stored("prioritized") == [
        ("k1", "9007199254740992"),
        ("k2", "9007199254740994"),
        ("x_fifth", "9007199254740996"),
        ("y_fourth", "9007199254740996"),
        ("z_third", "9007199254740996"),
    ]


def test_at_the_largest_priority_every_arrival_is_a_score_of_its_own(queue: Scripts) -> None:
    # A02.
    members = ["k1", "k2", "z_third", "y_fourth", "x_fifth"]
    add(queue, 1, *members)
    count_to(queue, TIER - 6)
    for member in members:
        change(queue, member, 2097151)
    assert queue.stored("prioritized") == [
        (member, str(2**53 - 5 + n)) for n, member in enumerate(members)
    ]


@pytest.mark.parametrize("counted", [2**31 - 2, 2**31 - 1, 2**31, 2**31 + 1, TIER - 3])
def test_a_counter_past_2_to_the_31_leaves_the_tier_alone(queue: Scripts, counted: int) -> None:
    # A03: a signed 32-bit mask gave tier 0 here.
    queue.put(job("d"), priority=1)
    delay(queue, T0, "d")
    add(queue, 9, "c")
    count_to(queue, counted)
    change(queue, "c", 1)
    promote(queue, T0)
    assert queue.stored("prioritized") == [
        ("c", str(TIER + counted + 1)),
        ("d", str(TIER + counted + 2)),
    ]


def test_when_the_counter_wraps_a_changed_job_goes_before_all_others(queue: Scripts) -> None:
    # A04.
    add(queue, 7, "a", "b", "c")
    count_to(queue, 4294967294)
    for member in ("a", "b", "c"):
        change(queue, member, 7)
    assert queue.stored("prioritized") == [
        ("b", "30064771072"),
        ("c", "30064771073"),
        ("a", "34359738367"),
    ]


def test_a_counter_past_2_to_the_53_counts_in_the_server_and_stands_still_in_lua(
    queue: Scripts,
) -> None:
    # F03: the server's counter is a 64-bit integer, what Lua gets of it is a double.
    add(queue, 4, "a", "b", "c")
    count_to(queue, 2**53)
    for member in ("a", "b", "c"):
        change(queue, member, 4)
    assert queue.plain("GET", "counter") == str(2**53 + 3)
    assert queue.stored("prioritized") == [
        ("a", str(4 * TIER)),
        ("b", str(4 * TIER + 2)),
        ("c", str(4 * TIER + 4)),
    ]


def test_a_job_that_is_pushed_back_is_the_next_of_its_tier(queue: Scripts) -> None:
    add(queue, 4, "p", "q", "r")
    assert queue.pop("prioritized") == ["p"]
    ran = queue.run("packed/push_back", of="p", member="p")
    assert ran.value == 0
    assert ran.commands == [
        "EXISTS emq:{q}:job:p",
        "HGET emq:{q}:job:p priority",
        f"ZADD emq:{{q}}:prioritized {4 * TIER} p",
    ]
    assert queue.pop("prioritized", 3) == ["p", "q", "r"]


def test_a_job_that_is_pushed_back_stays_behind_the_tiers_above(queue: Scripts) -> None:
    add(queue, 4, "p", "q")
    add(queue, 3, "u")
    queue.run("packed/push_back", of="q", member="q")
    assert queue.pop("prioritized", 3) == ["u", "q", "p"]


def test_a_job_whose_tier_changed_while_it_was_taken_is_pushed_back_to_the_new_one(
    queue: Scripts,
) -> None:
    add(queue, 4, "p", "q")
    queue.pop("prioritized")
    change(queue, "p", 6)
    queue.run("packed/push_back", of="p", member="p")
    assert queue.stored("prioritized") == [("q", str(4 * TIER + 2)), ("p", str(6 * TIER))]


def test_jobs_that_are_pushed_back_together_are_ordered_by_their_bytes(queue: Scripts) -> None:
    # H01.
    members = ["9", "10", "2", "100"]
    add(queue, 4, *members)
    assert queue.pop("prioritized", 4) == members
    for member in members:
        queue.run("packed/push_back", of=member, member=member)
    assert queue.stored("prioritized") == [
        (member, str(4 * TIER)) for member in ("10", "100", "2", "9")
    ]


def test_a_job_without_a_priority_is_pushed_back_to_where_the_wait_list_is_served(
    queue: Scripts,
) -> None:
    delay(queue, T0, "a", "b")
    promote(queue, T0)
    queue.put(job("c"), priority=0)
    assert queue.run("packed/push_back", of="c", member="c").value == 0
    assert queue.listed("wait") == ["b", "a", "c"]


def test_a_job_without_a_record_is_not_pushed_back(queue: Scripts) -> None:
    ran = queue.run("packed/push_back", of="gone", member="gone")
    assert (ran.value, ran.commands) == (-1, ["EXISTS emq:{q}:job:gone"])


# --- upsert_repeat ---


def test_an_upsert_answers_the_next_run_that_it_replaces(queue: Scripts) -> None:
    # C05: however often, one scheduler is one member.
    runs = [1740000000000, 1740000060000, 1740000120000]
    asked = [
        queue.run("packed/upsert_repeat", next_ms=next_ms, scheduler="hourly") for next_ms in runs
    ]
    assert [ran.value for ran in asked] == [None, "1740000000000", "1740000060000"]
    assert [ran.steps[1].reply for ran in asked] == [1, 0, 0]
    assert queue.stored("repeat") == [("hourly", "1740000120000")]


def test_the_jobs_of_a_scheduler_are_members_of_their_own(queue: Scripts) -> None:
    # C05: whoever upserts has to remove the job of the run that was replaced.
    for next_ms in (1740000000000, 1740000060000):
        queue.run("packed/upsert_repeat", next_ms=next_ms, scheduler="hourly")
        delay(queue, next_ms, f"repeat:hourly:{next_ms}")
    assert len(queue.members("repeat")) == 1
    assert len(queue.members("delayed")) == 2


def test_an_upsert_looks_first_and_then_writes(queue: Scripts) -> None:
    ran = queue.run("packed/upsert_repeat", next_ms=1780226978000, scheduler="s")
    assert ran.commands == ["ZSCORE emq:{q}:repeat s", "ZADD emq:{q}:repeat 1780226978000 s"]


def test_a_next_run_is_the_plain_millisecond_of_its_slot_and_offset(queue: Scripts) -> None:
    # C01, C03: every 15 minutes, added 7 min 1.007 s into a slot.
    every, offset = 900_000, 421_007
    first = 1762000200000 - 1762000200000 % every + offset
    for n in range(4):
        queue.run("packed/upsert_repeat", next_ms=first + n * every, scheduler="report")
        score = queue.score("repeat", "report")
        assert score is not None
        assert divmod(int(score), every) == (first // every + n, offset)


def test_a_prior_run_with_a_fraction_comes_back_with_it(queue: Scripts) -> None:
    # F05: as a Lua number it would be cut to an integer.
    queue.plain("ZADD", "repeat", "1740000000.871255", "other")
    ran = queue.run("packed/upsert_repeat", next_ms="1740000001.25", scheduler="other")
    assert ran.value == "1740000000.871255"
    assert queue.stored("repeat") == [("other", "1740000001.25")]


# --- members, faults, and workloads against a model ---

LOOKING_LIKE_NUMBERS = ["300000000", "3e+8", "100000000", "1e+8", "0x10", "007", "7", "inf", "nan"]


def test_members_that_look_like_numbers_stay_what_they_are(queue: Scripts) -> None:
    # F01: 3e+8 and 300000000 are one number and two members.
    members = LOOKING_LIKE_NUMBERS
    for member in members:
        queue.put(job(member), priority=5)
    delay(queue, T0, *members)
    assert queue.members("delayed") == members
    promote(queue, T0)
    assert queue.members("prioritized") == members
    for member in members:
        change(queue, member, 6)
    assert queue.members("prioritized") == members
    for member in members:
        change(queue, member, 0)
    assert queue.listed("wait") == members[::-1]
    for member in members:
        queue.put(job(member), priority=6)
        queue.run("packed/push_back", of=member, member=member)
        queue.run("packed/upsert_repeat", next_ms=T0, scheduler=member)
    assert queue.members("prioritized") == queue.members("repeat") == sorted(members)


WRONG: list[tuple[str, dict[str, Any], str, int]] = [
    ("packed/add_delayed", {"timestamp_ms": T0, "delay_ms": 0, "member": "m"}, "delayed", 1),
    ("packed/next_delayed", {}, "delayed", 1),
    ("packed/promote_delayed", {"now_ms": T0}, "delayed", 1),
    ("packed/change_priority", {"of": "m", "tier": 1, "member": "m", "lifo": 0}, "prioritized", 2),
    ("packed/push_back", {"of": "m", "member": "m"}, "prioritized", 3),
    ("packed/upsert_repeat", {"next_ms": T0, "scheduler": "m"}, "repeat", 1),
]


@pytest.mark.parametrize(("script", "arguments", "key", "sent"), WRONG)
def test_a_key_of_another_kind_stops_a_script_and_brings_its_steps(
    queue: Scripts, script: str, arguments: dict[str, Any], key: str, sent: int
) -> None:
    queue.put(job("m"), priority=1)
    queue.valkey.admin.set(queue.physical(key), "no set")
    with pytest.raises(ProgramFailed) as caught:
        queue.run(script, **arguments)
    assert len(caught.value.steps) == sent
    assert "WRONGTYPE Operation against a key holding the wrong" in caught.value.sentence
    assert queue.lane.prefix not in caught.value.sentence


@given(
    dues=st.lists(
        st.tuples(st.integers(0, 3), st.text(alphabet="abAB019", min_size=1, max_size=3)),
        max_size=40,
    )
)
@settings(max_examples=40)
def test_delayed_jobs_are_due_in_the_order_of_due_time_and_arrival(
    valkey: Valkey, dues: list[tuple[int, str]]
) -> None:
    queue = Scripts(valkey, "packed/add_delayed", "packed/next_delayed")
    program = queue.program()
    slots: dict[str, tuple[int, int]] = {}
    for apart, member in dues:
        queue.ask(program, "packed/add_delayed", timestamp_ms=T0, delay_ms=apart, member=member)
        taken = [slot for ms, slot in slots.values() if ms == apart]
        slots[member] = (apart, max(taken) + 1 if taken else 0)
    queue.ask(program, "packed/next_delayed")
    done = queue.execute(program)
    assert queue.stored("delayed") == [
        (member, str((T0 + ms) * SLOTS + slot))
        for member, (ms, slot) in sorted(slots.items(), key=lambda one: one[1])
    ]
    first = min((ms for ms, _ in slots.values()), default=None)
    assert done.returned[-1][1] == (None if first is None else T0 + first)


class Model:
    """What the packed design promises, with whole numbers and plain lists."""

    def __init__(self) -> None:
        self.counter = 0
        self.records: dict[str, int] = {}
        self.delayed: dict[str, tuple[int, int]] = {}
        self.ladder: dict[str, tuple[int, int]] = {}
        self.wait: list[str] = []

    def arrive(self, member: str, tier: int) -> None:
        self.counter += 1
        self.ladder[member] = (tier, self.counter)

    def add(self, member: str, tier: int) -> None:
        self.records[member] = tier
        self.arrive(member, tier)

    def delay(self, member: str, ms: int, tier: int) -> None:
        self.records[member] = tier
        taken = [slot for due, slot in self.delayed.values() if due == ms]
        self.delayed[member] = (ms, max(taken) + 1 if taken else 0)

    def promote(self, ms: int) -> None:
        due = sorted((place, member) for member, place in self.delayed.items() if place[0] <= ms)
        for _, member in due:
            del self.delayed[member]
            if self.records[member]:
                self.arrive(member, self.records[member])
            else:
                self.wait.append(member)

    def change(self, member: str, tier: int, lifo: bool) -> None:
        if member not in self.records:
            return
        self.records[member] = tier
        if member in self.ladder:
            del self.ladder[member]
        elif member in self.wait:
            self.wait.remove(member)
        else:
            return
        if tier == 0:
            self.wait.insert(0 if lifo else len(self.wait), member)
        elif lifo:
            self.ladder[member] = (tier, 0)
        else:
            self.arrive(member, tier)

    def push_back(self, member: str) -> None:
        tier = self.records.get(member)
        if tier:
            self.ladder[member] = (tier, 0)
        elif tier == 0:
            self.wait.insert(0, member)

    def serve(self) -> str | None:
        first = min(self.order(), default=None)
        if first is None:
            return None
        del self.ladder[first[2].decode()]
        return first[2].decode()

    def order(self) -> list[tuple[int, int, bytes]]:
        return sorted((*place, member.encode()) for member, place in self.ladder.items())


MEMBERS = st.sampled_from(["a", "B", "b", "9", "10", "JOB1", "JOBa"])
TIERS = st.integers(0, 3)
WORKLOADS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), MEMBERS, st.integers(1, 3)),
        st.tuples(st.just("delay"), MEMBERS, st.integers(0, 2), TIERS),
        st.tuples(st.just("promote"), st.integers(0, 2)),
        st.tuples(st.just("change"), MEMBERS, TIERS, st.booleans()),
        st.tuples(st.just("push_back"), MEMBERS),
        st.tuples(st.just("serve")),
    ),
    min_size=1,
    max_size=25,
)
Workload = list[tuple[Any, ...]]


def play(queue: Scripts, workload: Workload) -> list[str | None]:
    """Run a workload as one program and return whom it served, to the end."""
    program = queue.program()
    for action, *facts in workload:
        if action in ("add", "delay"):
            program.plain("HSET", job(facts[0]), "priority", facts[-1])
        if action == "add":
            queue.ask(program, "packed/add_prioritized", tier=facts[1], member=facts[0])
        elif action == "delay":
            at = {"timestamp_ms": T0, "delay_ms": facts[1]}
            queue.ask(program, "packed/add_delayed", **at, member=facts[0])
        elif action == "promote":
            queue.ask(program, "packed/promote_delayed", now_ms=T0 + facts[0])
        elif action == "change":
            what = {"tier": facts[1], "member": facts[0], "lifo": int(facts[2])}
            queue.ask(program, "packed/change_priority", of=facts[0], **what)
        elif action == "push_back":
            queue.ask(program, "packed/push_back", of=facts[0], member=facts[0])
        else:
            program.plain("ZPOPMIN", KEYS["prioritized"])
    program.plain("ZPOPMIN", KEYS["prioritized"], 100)
    replies = [
        pairs(step.reply) for step in queue.execute(program).steps if step.words[0] == "ZPOPMIN"
    ]
    one_by_one = [popped[0][0] if popped else None for popped in replies[:-1]]
    return one_by_one + [member for member, _ in replies[-1]]


def modelled(model: Model, workload: Workload) -> list[str | None]:
    served = []
    for action, *facts in workload:
        answer = getattr(model, action)(*facts)
        if action == "serve":
            served.append(answer)
    return served + [member.decode() for *_, member in model.order()]


@given(workload=WORKLOADS)
@settings(max_examples=150)
def test_any_workload_is_served_as_a_model_of_whole_numbers_says(
    valkey: Valkey, workload: Workload
) -> None:
    queue, model = Scripts(valkey), Model()
    assert play(queue, workload) == modelled(model, workload)
    assert queue.listed("wait") == model.wait[::-1]
    delayed = sorted((*place, member) for member, place in model.delayed.items())
    assert queue.stored("delayed") == [
        (member, str((T0 + ms) * SLOTS + slot)) for ms, slot, member in delayed
    ]


@pytest.mark.long
@given(workload=WORKLOADS)
@settings(max_examples=10_000)
def test_10_000_workloads_are_served_as_the_model_says(queue: Scripts, workload: Workload) -> None:
    assert play(queue.fresh(), workload) == modelled(Model(), workload)
