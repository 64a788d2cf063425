"""Decoded: the numbers of a transcript are told by their facts, each once, and truly."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.course.dive import Dive, Section, Transcript
from decoder.encodings import delay, packed
from decoder.sandbox.scripts import load_scripts
from decoder.transcripts import block
from decoder.web.decoded import Shown, decoded, once
from tests.support.ours import COURSE

SCRIPTS = load_scripts(Path(__file__).parents[3] / "lua")
NOW = 1780226888000
DIVE = Dive("/a", "a.md", "", "", "", "", "", now_ms=NOW, proved="Valkey 9.1.2")


def shown(text: str) -> list[Shown]:
    return decoded(Transcript("one", True, block.read(text)), DIVE, SCRIPTS)


def means(text: str) -> list[tuple[str, str]]:
    """Return what every number of a transcript is said to mean, in plain words."""
    return [(number, facts.striptags()) for one in shown(text) for number, facts in one.means]


def test_a_score_of_the_ladder_is_told_by_tier_and_arrival() -> None:
    (one,) = shown('> ZPOPMIN emq:{orders}:prioritized\n1) "JOB0Nb1VTbfnu4"\n2) "8589934609"\n')
    ((number, facts),) = one.means
    assert number == "8589934609"
    assert facts == (
        '<span class="fact-tier">tier 2</span>, <span class="fact-arrival">arrival 17</span>'
    )


def test_a_score_of_the_delayed_set_is_told_by_time_and_slot() -> None:
    text = '> ZSCORE emq:{orders}:delayed JOB0Nb1VTbfnu4\n"7291809701888001"\n'
    assert means(text) == [("7291809701888001", "11:29:38 UTC, slot 1")]


def test_another_day_is_told_with_its_date() -> None:
    text = '> ZSCORE emq:{orders}:delayed late\n"9007199254740992"\n'
    assert means(text) == [("9007199254740992", "2039-09-07 15:47:35.552 UTC, slot 0")]


@given(tier=st.integers(1, 2097151), arrival=st.integers(0, 2**32 - 1))
def test_any_score_of_the_ladder_is_told_by_the_facts_it_was_made_of(
    tier: int, arrival: int
) -> None:
    score = packed.encode(tier, arrival)
    text = f"> ZADD emq:{{orders}}:prioritized {score} a\n(integer) 1\n"
    assert means(text) == [(str(score), f"tier {tier}, arrival {arrival}")]


@given(late=st.integers(-80_000_000, 80_000_000), slot=st.integers(0, 4095))
def test_any_score_of_the_delayed_set_is_told_by_its_slot(late: int, slot: int) -> None:
    score = delay.encode(NOW + late, slot)
    ((number, said),) = means(f"> ZADD emq:{{q}}:delayed {score} a\n(integer) 1\n")
    assert number == str(score)
    assert said.endswith(f" UTC, slot {slot}")


def test_a_millisecond_of_the_day_of_the_dive_is_a_time() -> None:
    text = (
        "> ZADD schedule 1780226978000 JOB0Nb1VTbfnu4\n(integer) 1\n"
        "> ZRANGEBYSCORE schedule -inf 1780226888000\n(empty array)\n"
    )
    assert means(text) == [("1780226978000", "11:29:38 UTC"), ("1780226888000", "11:28:08 UTC")]
    first, second = shown(text)
    assert '<span class="fact-time">1780226978000</span>' in first.typed
    assert '<span class="fact-time">1780226888000</span>' in second.typed


def test_a_number_is_told_once_in_a_transcript() -> None:
    text = (
        "> ZADD emq:{q}:prioritized 8589934609 a\n(integer) 1\n"
        '> ZSCORE emq:{q}:prioritized a\n"8589934609"\n'
    )
    assert len(means(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "> ZADD delayed_queue 1706649000 task\n(integer) 1\n",
        "> ZADD delayed 7291809701888000 a\n(integer) 1\n",
        "> ZADD bull:q:prioritized 8589934609 a\n(integer) 1\n",
        "> ZADD ids 319545566822428714 a\n(integer) 1\n",
        '> ZSCORE marks instant\n"1.7000000001234567e+9"\n',
        "> ZADD emq:{q}:pending 0 a\n(integer) 1\n",
        "> ZADD line 1796073949441 a\n(integer) 1\n",
    ],
)
def test_what_nobody_said_the_meaning_of_is_not_told(text: str) -> None:
    assert means(text) == []


def test_a_number_that_a_remark_marks_has_its_colour_in_commands_and_replies() -> None:
    text = "# At [1706649000]{time}.\n> ZADD q 1706649000 a\n(integer) 1\n> ZSCORE q a\n"
    transcript = Transcript("one", True, block.read(text + '"1706649000"\n'))
    dive = dataclasses.replace(DIVE, sections=[Section("a", "A", [transcript], [])])
    first, second = decoded(transcript, dive, SCRIPTS)
    assert '<span class="fact-time">1706649000</span>' in first.typed
    assert second.reply == '"<span class="fact-time">1706649000</span>"'
    assert first.means == second.means == [], "what it means is said in the remark"


def test_a_short_number_that_a_remark_marks_is_no_name_of_it_elsewhere() -> None:
    text = "# Tier [3]{tier}.\n> ZADD q 3 a\n(integer) 1\n"
    transcript = Transcript("one", True, block.read(text))
    dive = dataclasses.replace(DIVE, sections=[Section("a", "A", [transcript], [])])
    (one,) = decoded(transcript, dive, SCRIPTS)
    assert "fact-" not in one.typed


def test_an_argument_of_a_script_has_the_fact_that_its_header_names() -> None:
    text = (
        "$ valkey-cli --eval lua/packed/add_prioritized.lua "
        "emq:{q}:prioritized emq:{q}:pc , 2 JOB0Nb1VTbfnu4\n(integer) 1\n"
    )
    (one,) = shown(text)
    assert '<span class="fact-tier">2</span>' in one.typed
    assert '<span class="fact-mine">JOB0Nb1VTbfnu4</span>' in one.typed


def test_the_times_that_a_script_takes_are_times_whatever_their_size() -> None:
    text = (
        "$ valkey-cli --eval lua/packed/add_delayed.lua emq:{q}:delayed , "
        "1780226888000 90000 JOB0Nb1VP1ovpY\n(integer) 1\n"
    )
    (one,) = shown(text)
    assert '<span class="fact-time">90000</span>' in one.typed
    assert one.means == [("1780226888000", '<span class="fact-time">11:28:08 UTC</span>')]


def test_a_number_in_quotes_does_not_shift_the_colours_of_those_behind_it() -> None:
    (one,) = shown('> ZADD schedule 1 "1780226888001" 1780226978000 "2" 5 x\n(integer) 3\n')
    assert '<span class="m">1</span>' in one.typed
    assert '<span class="fact-time">1780226978000</span>' in one.typed
    assert '<span class="m">5</span>' in one.typed


def test_a_command_and_its_reply_read_as_they_were_recorded() -> None:
    reply = '1) "JOB0Nb1VTbfnu4"\n2) "1780226978000"\n3) "<&>"'
    (one,) = shown(f"> ZRANGE schedule 0 -1\n{reply}\n")
    assert one.reply.striptags().split() == reply.replace("\n", " ").split()
    (one,) = shown('> SET key "a <b> & c"\nOK\n')
    assert "<b>" not in one.typed


def test_a_transcript_of_a_page_is_worked_out_once() -> None:
    (dive,) = [one for one in COURSE.dives.values() if one.path.endswith("/packed")]
    remembered = once(SCRIPTS)
    first, second = (remembered(dive.transcripts[0], dive) for _ in range(2))
    assert first is second
    assert first == decoded(dive.transcripts[0], dive, SCRIPTS)
    assert remembered(dive.transcripts[1], dive) != first


def test_what_a_field_or_a_key_names_has_the_colour_of_its_fact() -> None:
    priority, counter, other = shown(
        "> HSET emq:{orders}:job:JOB0Nb1VTbfnu4 priority 2\n(integer) 1\n"
        "> SET emq:{orders}:pc 18\nOK\n"
        "> HSET emq:{orders}:job:JOB0Nb1VTbfnu4 attempts 2\n(integer) 1\n"
    )
    assert 'priority <span class="fact-tier">2</span>' in priority.typed
    assert '<span class="fact-arrival">18</span>' in counter.typed
    assert "fact-tier" not in other.typed
    assert "fact-arrival" not in other.typed


def test_the_servers_clock_and_what_it_stored_are_times_on_any_day() -> None:
    clock, stored, elsewhere = shown(
        '> TIME\n1) "1796073859"\n2) "436460"\n'
        '> ZSCORE emq:{orders}:schedule a\n"1796073949441"\n'
        '> ZSCORE numbers a\n"1796073949441"\n'
    )
    assert '"<span class="fact-time">1796073859</span>"' in clock.reply
    assert '"<span class="fact-time">1796073949441</span>"' in stored.reply
    assert "fact-time" not in elsewhere.reply
