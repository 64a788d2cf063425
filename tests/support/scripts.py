"""Scripts of lua/ in a lane of a sandbox: run them one by one, as the page's own user."""

from __future__ import annotations

from typing import Any, NamedTuple

from decoder.readings.run import Step
from decoder.sandbox.execution import Execution, Executor
from decoder.sandbox.keys import Lane, new_sandbox_id
from decoder.sandbox.program import Program
from decoder.sandbox.scripts import Composed, Script, compose, load_scripts
from decoder.sandbox.server import Server
from decoder.settings import Settings, files
from decoder.transcripts.reply import Reply
from tests.support.valkey import Valkey

LUA = files("lua")
SCRIPTS: dict[str, Script] = load_scripts(LUA)

BASE = "emq:{q}:"
KEYS = {
    "counter": f"{BASE}pc",
    "record_prefix": f"{BASE}job:",
    **{
        name: BASE + name
        for name in (
            "active", "delayed", "pending", "prioritized", "repeat", "schedule", "wait",
        )
    },
}  # fmt: skip
"""The logical key of each name that a header gives to a key; `record` is of one job."""

WIDE: dict[str, Any] = {
    "commands_per_minute": 10**7,
    "members_per_set": 10**5,
    "keys_per_sandbox": 10**5,
}


class Ran(NamedTuple):
    """What one script returned, and every command it sent."""

    value: Reply
    steps: list[Step]

    @property
    def commands(self) -> list[str]:
        return [step.command for step in self.steps]


class Scripts:
    """One lane, and the composed text of the scripts asked for (without names: of all)."""

    def __init__(self, valkey: Valkey, *names: str) -> None:
        self.valkey = valkey
        self.composed: Composed = compose(LUA, SCRIPTS, names or tuple(SCRIPTS))
        self._executor = Executor(
            Server(valkey.url, 20_000), Settings(valkey_url=valkey.url, **WIDE)
        )
        self.fresh()

    def fresh(self) -> Scripts:
        """Go on in a sandbox that nobody has used, on the same connection."""
        self.lane = Lane(new_sandbox_id(), "scripts")
        self._records: dict[str, None] = {}
        return self

    def program(self) -> Program:
        """Begin a program that names every record so far, as a figure does for its cast."""
        program = Program(self.lane, self.composed)
        program.declare(*self._records)
        return program

    def execute(self, program: Program) -> Execution:
        return self._executor.execute(self.lane, self.composed, program, None)

    def ask(self, program: Program, script: str, *, of: str = "", **arguments: Any) -> None:
        """Add a script to a program; `of` is the job or registration whose record it touches."""
        keys = {name: KEYS.get(name) or record(script, of) for name in SCRIPTS[script].keys}
        if "record" in keys:
            self._records[keys["record"]] = None
        program.script(script, keys, **arguments)

    def run(self, script: str, *, of: str = "", **arguments: Any) -> Ran:
        """Run one script alone."""
        program = self.program()
        self.ask(program, script, of=of, **arguments)
        done = self.execute(program)
        ((_, value),) = done.returned
        return Ran(value, done.steps)

    def plain(self, command: str, key: str, *arguments: object) -> Reply:
        """Send one plain command on the key of that name, or on the logical key itself."""
        program = self.program()
        program.plain(command, KEYS.get(key, key), *arguments)
        (step,) = self.execute(program).steps
        return step.reply

    def stored(self, key: str) -> list[tuple[str, str]]:
        """Members and the server's own score texts of a set, in the server's order."""
        return pairs(self.plain("ZRANGE", key, 0, -1, "WITHSCORES"))

    def members(self, key: str) -> list[str]:
        return [member for member, _ in self.stored(key)]

    def score(self, key: str, member: str) -> str | None:
        text = self.plain("ZSCORE", key, member)
        assert text is None or isinstance(text, str)
        return text

    def pop(self, key: str, count: int = 1) -> list[str]:
        """Serve the next members, as a reader does."""
        return [member for member, _ in pairs(self.plain("ZPOPMIN", key, count))]

    def physical(self, key: str) -> str:
        return self.lane.physical(KEYS.get(key, key))

    def hash(self, key: str) -> dict[str, str]:
        """Read a record as an administrator does."""
        fields: dict[str, str] = self.valkey.admin.hgetall(self.physical(key))
        return fields

    def put(self, key: str, **fields: object) -> None:
        """Write a record as an administrator does."""
        self._records[key] = None
        # A lane begins empty, so it has to begin before.
        self.plain("EXISTS", key)
        self.valkey.admin.hset(self.physical(key), mapping=fields)

    def listed(self, key: str) -> list[str]:
        """Read a list from its left end; BullMQ serves from the right."""
        members: list[str] = self.valkey.admin.lrange(self.physical(key), 0, -1)
        return members


def record(script: str, of: str) -> str:
    """Name the record of one job, or of one registration for the scripts about those."""
    return f"{KEYS['repeat']}:{of}" if "repeat" in SCRIPTS[script].keys else job(of)


def job(member: str) -> str:
    """Name the record of one job."""
    return KEYS["record_prefix"] + member


def pairs(reply: Reply) -> list[tuple[str, str]]:
    """Pair a flat reply of members and scores."""
    assert isinstance(reply, list)
    texts = [str(text) for text in reply]
    return list(zip(texts[::2], texts[1::2], strict=True))
