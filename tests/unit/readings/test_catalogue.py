"""The catalogue: six readings, what each concludes, and the absurdity of the wrong ones."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.encodings import delay, packed
from decoder.readings.actions import AT
from decoder.readings.catalogue import READINGS, misread, of_design
from decoder.readings.reading import Case, Job, Script
from decoder.sandbox.scripts import load_scripts

LUA = Path(__file__).parents[3] / "lua"
DUE = 1780226978000
JOB = Job("JOB0Nb1VTbfnu4", DUE - 90_000, DUE, 2, 17, 90_000, "a payload")
OTHER = Job("JOB0Nb1VYBWfya", DUE - 89_000, DUE, 2, 30, 90_000, "another")
OTHERS = (OTHER, OTHER._replace(member="JOB0Nb1VclNY36", due_ms=DUE + 1))
CASE = Case(JOB, OTHERS, (OTHER,), DUE)
SCORES = st.floats(min_value=0, allow_infinity=False) | st.integers(0, 2**62).map(float)

# FACTS.md, sections 1 and 2.
TABLE: list[tuple[str, str, str, float, dict[str, int]]] = [
    (
        "packed/fire-time", "delayed", "shifted-delay", 7291809701888000.0,
        {"due_ms": DUE, "slot": 0},
    ),
    (
        "packed/priority", "prioritized", "packed-priority", 8589934609.0,
        {"tier": 2, "arrival": 17},
    ),
    ("packed/next-run", "repeat", "milliseconds", 1780226978000.0, {"due_ms": DUE}),
    ("one-number/fire-time", "schedule", "milliseconds", 1780226978000.0, {"due_ms": DUE}),
    ("one-number/order", "pending", "flat", 0.0, {}),
    ("one-number/next-run", "repeat", "milliseconds", 1780226978000.0, {"due_ms": DUE}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "keys", "encoding", "score", "facts"), TABLE)
def test_each_row_of_the_facts_is_a_reading_that_concludes_them(
    name: str, keys: str, encoding: str, score: float, facts: dict[str, int]
) -> None:
    reading = READINGS[name]
    assert (reading.keys, reading.encoding) == (keys, encoding)
    assert f"{reading.design}/{reading.kind}" == name
    assert reading.conclude(score).facts == facts


def test_there_are_six_readings_three_a_design_in_the_order_of_their_questions() -> None:
    assert list(READINGS) == [name for name, *_ in TABLE]
    for design in ("packed", "one-number"):
        assert [one.question for one in of_design(design)] == [
            "When?",
            "In what order?",
            "How often?",
        ]
    assert of_design("nothing") == []


@pytest.mark.parametrize("name", list(READINGS))
def test_the_script_of_a_reading_exists_in_the_folder_of_its_design(name: str) -> None:
    reading = READINGS[name]
    assert reading.script.startswith(reading.design + "/")
    assert (LUA / f"{reading.script}.lua").is_file()


@pytest.mark.parametrize("name", list(READINGS))
def test_a_reading_is_written_by_its_script_and_every_script_it_names_takes_what_it_gives(
    name: str,
) -> None:
    reading, known = READINGS[name], load_scripts(LUA)
    assert reading.script in [call.name for call in reading.write(CASE)]
    called = [call for call in reading.calls(CASE) if isinstance(call, Script)]
    for call in called:
        assert set(call.keys) == set(known[call.name].keys)
        assert set(call.arguments) == set(known[call.name].arguments)


@pytest.mark.parametrize("name", list(READINGS))
def test_the_score_of_a_reading_is_made_of_its_facts_and_concluded_as_them(name: str) -> None:
    reading = READINGS[name]
    score, facts = reading.encode(JOB)
    assert sum(fact.value << fact.bits[1] for fact in facts) == score
    assert reading.conclude(float(score)).facts == {fact.name: fact.value for fact in facts}


@pytest.mark.parametrize("name", list(READINGS))
def test_every_action_of_a_reading_has_a_name_a_label_and_commands(name: str) -> None:
    reading = READINGS[name]
    names = [one.name for one in reading.actions]
    assert len(set(names)) == len(names) > 0
    assert "read" not in names
    for one in reading.actions:
        assert one.label or one.name == AT
        assert one.calls(CASE)
        assert reading.action(one.name) is one
    assert reading.action("nothing") is None


@pytest.mark.parametrize("name", list(READINGS))
def test_a_reading_says_how_it_is_written_read_and_meant(name: str) -> None:
    reading = READINGS[name]
    assert all((reading.formula, reading.meaning, reading.writes, reading.reads))


@pytest.mark.parametrize("name", list(READINGS))
@given(score=SCORES)
@example(score=0.0)
@example(score=5e-324)
@example(score=0.5)
@example(score=1.7976931348623157e308)
@example(score=253402300800000.0)
def test_any_finite_score_is_concluded_in_a_sentence(name: str, score: float) -> None:
    concluded = READINGS[name].conclude(score)
    assert concluded.says.endswith(".")
    assert len(concluded.says) < 800


@given(due_ms=st.integers(0, 2**41 - 1), slot=st.integers(0, 4095))
def test_the_packed_fire_time_is_concluded_as_it_was_encoded(due_ms: int, slot: int) -> None:
    score = float(delay.encode(due_ms, slot))
    concluded = READINGS["packed/fire-time"].conclude(score)
    assert concluded.facts == {"due_ms": due_ms, "slot": slot}


@given(tier=st.integers(1, 2097151), arrival=st.integers(0, 2**32 - 1))
def test_the_priority_is_concluded_as_it_was_encoded(tier: int, arrival: int) -> None:
    concluded = READINGS["packed/priority"].conclude(float(packed.encode(tier, arrival)))
    assert concluded.facts == {"tier": tier, "arrival": arrival}
    assert concluded.says == f"Tier {tier}, arrival number {arrival}."


def test_tier_0_is_never_in_such_a_set_and_it_is_said() -> None:
    assert "Tier 0 is never" in READINGS["packed/priority"].conclude(17.0).says


@pytest.mark.parametrize("name", list(READINGS))
def test_a_reading_is_looked_at_without_serving_anyone(name: str) -> None:
    reading = READINGS[name]
    assert reading.looking.calls(CASE)
    assert not reading.looking.takes
    assert (reading.looking == reading.read) is reading.is_timed


def test_a_score_in_a_flat_set_that_is_not_0_has_no_business_there() -> None:
    assert "no business" in READINGS["one-number/order"].conclude(1.0).says
    assert READINGS["one-number/order"].conclude(0.0).says.startswith("Every score here is 0")


def test_8589934609_read_as_milliseconds_is_the_10th_of_april_1970() -> None:
    wrong = misread(8589934609.0, READINGS["packed/priority"])
    says = {reading.id: said for reading, said in wrong}
    assert list(says) == [name for name in READINGS if name != "packed/priority"]
    for name in ("packed/next-run", "one-number/fire-time", "one-number/next-run"):
        assert "1970-04-10" in says[name]


def test_a_millisecond_read_as_tier_and_arrival_is_a_tier_that_nobody_gave() -> None:
    tier, arrival = divmod(DUE, 2**32)
    says = {one.encoding: said for one, said in misread(float(DUE), READINGS["packed/next-run"])}
    assert says["packed-priority"] == f"Tier {tier}, arrival number {arrival}."


def test_a_shifted_delay_read_as_milliseconds_is_long_after_the_year_9999() -> None:
    wrong = misread(7291809701888000.0, READINGS["packed/fire-time"])
    says = {one.encoding: said for one, said in wrong}
    assert "9999" in says["milliseconds"]


@pytest.mark.parametrize("name", list(READINGS))
@given(score=SCORES)
def test_a_misreading_is_one_for_each_other_reading_and_never_the_right_one(
    name: str, score: float
) -> None:
    wrong = misread(score, READINGS[name])
    assert [one.id for one, _ in wrong] == [other for other in READINGS if other != name]
    assert [said for _, said in wrong] == [one.conclude(score).says for one, _ in wrong]


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, -1.0, -5e-324])
def test_what_is_no_finite_number_of_at_least_0_is_not_misread(score: float) -> None:
    for reading in READINGS.values():
        assert misread(score, reading) == []
