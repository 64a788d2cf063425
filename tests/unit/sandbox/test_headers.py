"""Headers: what a script's own page shows of it: its parameters, its namesakes, its example."""

from __future__ import annotations

import pytest

from decoder.sandbox.scripts import Parameter, Script, load_scripts, read_script
from decoder.settings import files
from decoder.transcripts import block

SCRIPTS = load_scripts(files("lua"))
OF_A_DESIGN = [one for one in SCRIPTS.values() if not one.name.startswith("stage/")]

HEADED = """--[[
Do something.

KEYS[1] set           a set
KEYS[2] prefix
ARGV[1] score         a number, or two: 1 2

Returns: nothing.
Source:  Somebody (behaviour)
Stands for: addThing-2, getThing,
            Thing.keep/1

Example:
  # Before the call.
  $ valkey-cli --eval lua/x/y.lua a b , 1
  (nil)
]]
redis.call('ZADD', KEYS[1], ARGV[1], KEYS[2])
"""


def test_a_header_is_read_in_all_its_parts() -> None:
    script = read_script("x/y", HEADED)
    assert script.keys == ("set", "prefix")
    assert script.arguments == ("score",)
    assert script.parameters == [
        Parameter("KEYS[1]", "set", "a set"),
        Parameter("KEYS[2]", "prefix", ""),
        Parameter("ARGV[1]", "score", "a number, or two: 1 2"),
    ]
    assert script.returns == "nothing."
    assert script.leans_on == "Somebody (behaviour)"
    assert script.stands_for == ["addThing-2", "getThing", "Thing.keep/1"]
    text, line = script.example
    assert text.splitlines()[1] == "$ valkey-cli --eval lua/x/y.lua a b , 1"
    assert HEADED.splitlines()[line - 1] == "  # Before the call."


@pytest.mark.parametrize("script", OF_A_DESIGN, ids=lambda one: one.name)
def test_a_script_of_a_design_has_an_example_that_runs_it(script: Script) -> None:
    text, line = script.example
    exchanges = block.read(text, line)
    calls = [one for one in exchanges if one.script == script.name]
    assert calls
    for call in calls:
        assert call.keys == len(script.keys)
        assert len(call.words) - call.keys == len(script.arguments)


@pytest.mark.parametrize("script", OF_A_DESIGN, ids=lambda one: one.name)
def test_a_script_of_a_design_names_what_it_stands_for(script: Script) -> None:
    if script.name.startswith("labs/"):
        # A lab's script is ours alone.
        assert not script.stands_for
        return
    assert script.stands_for
    queue = "BullMQ" if script.name.startswith("packed/") else "EchoMQ"
    assert script.stands_for[0].startswith(queue)
    assert script.leans_on.startswith(queue)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=lambda one: one.name)
def test_every_parameter_is_explained_and_is_one_of_the_signature(script: Script) -> None:
    assert tuple(one.name for one in script.parameters) == script.keys + script.arguments
    assert all(one.says for one in script.parameters)


@pytest.mark.parametrize(
    ("name", "upstream"),
    [
        ("packed/add_prioritized", {"BullMQ addPrioritizedJob-9", "getPriorityScore"}),
        ("packed/add_delayed", {"BullMQ addDelayedJob-6", "getDelayedScore"}),
        ("packed/change_priority", {"BullMQ changePriority-7"}),
        ("packed/next_delayed", {"BullMQ getNextDelayedTimestamp"}),
        (
            "packed/upsert_repeat",
            {"BullMQ addRepeatableJob-2", "storeRepeatableJob", "addJobScheduler-11"},
        ),
        ("one-number/schedule", {"EchoMQ.Jobs.enqueue_at/6", "EchoMQ.Jobs.enqueue_in/6"}),
        ("one-number/promote", {"EchoMQ.Jobs.promote/3"}),
        ("one-number/register", {"EchoMQ.Repeat.register/6"}),
    ],
)
def test_the_names_that_the_course_uses_lead_to_their_scripts(
    name: str, upstream: set[str]
) -> None:
    assert upstream <= set(SCRIPTS[name].stands_for)
