"""Two peers that play the same actions: the real BullMQ, and the scripts of lua/packed.

An action is {"do": …, …} as driver.mjs reads it. After a workload both peers tell what they
answered, what is stored, and which commands their scripts sent.
"""

from __future__ import annotations

import json
import re
import select
import subprocess
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from decoder.readings.run import Step
from decoder.sandbox import embedded
from tests.support.scripts import BASE, Scripts
from tests.support.scripts import job as record
from tests.support.valkey import ADMINISTRATOR, Valkey

Action = dict[str, Any]
ANSWER_WITHIN_S = 60

SETS = ("delayed", "prioritized", "repeat")
READ_SET = "return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')"

# What both peers send for the score's sake. Left out: what serves (the test's own reader does that
# beside our scripts), guards the record, or wakes and informs workers.
COMPARED = re.compile(
    r"(ZREVRANGEBYSCORE|ZRANGEBYSCORE|ZRANGE|ZADD|ZREM) delayed "
    r"|(ZADD|ZREM) prioritized |INCR pc$|(LPUSH|RPUSH|LREM) wait "
    r"|(ZSCORE|ZADD) repeat |HGET \S+ priority$|HSET \S+ (priority|delay) "
)


@dataclass
class Played:
    """What one peer did with a workload."""

    answers: list[Any]
    stored: dict[str, Any]
    commands: list[str] = field(repr=False)


def stored(valkey: Valkey, prefix: str) -> dict[str, Any]:
    """Read what a queue holds, scores as the server's own text."""
    held: dict[str, Any] = {name: valkey.admin.eval(READ_SET, 1, prefix + name) for name in SETS}
    held["wait"] = valkey.admin.lrange(f"{prefix}wait", 0, -1)
    held["pc"] = valkey.admin.get(f"{prefix}pc")
    return held


class BullMQ:
    """A process of driver.mjs; what its scripts send is read with MONITOR."""

    def __init__(self, driver: Path, valkey: Valkey) -> None:
        self.valkey = valkey
        where = {
            "path": str(valkey.folder / embedded.SOCKET),
            "username": ADMINISTRATOR,
            "password": "admin",
        }
        self._command = ["node", str(driver), json.dumps(where)]
        self._names = (f"q{n}" for n in count())

    def play(self, actions: list[Action]) -> Played:
        name = next(self._names)
        prefix = f"bull:{name}:"
        with self.valkey.admin.monitor() as monitor:
            answers = self._ask({"queue": name, "actions": actions})
            self.valkey.admin.echo(name)
            sent = []
            while (one := monitor.next_command())["command"] != f"ECHO {name}":
                if one["client_type"] == "lua":
                    sent.append(one["command"].replace(prefix, ""))
        return Played(answers, stored(self.valkey, prefix), [s for s in sent if COMPARED.match(s)])

    def _ask(self, workload: dict[str, Any]) -> list[Any]:
        process = self._process
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(workload) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], ANSWER_WITHIN_S)
        assert ready, "BullMQ did not answer in time"
        line = process.stdout.readline()
        assert line, "BullMQ's process ended; what it said is above"
        answers: list[Any] = json.loads(line)
        return answers

    def __enter__(self) -> BullMQ:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.communicate(timeout=ANSWER_WITHIN_S)


class Ours:
    """The scripts of lua/packed in a lane, and beside them what a queue does around them."""

    def __init__(self, valkey: Valkey) -> None:
        self.queue = Scripts(valkey)
        # A lane begins empty, so it has to begin before.
        self.queue.plain("EXISTS", "counter")
        self.admin = valkey.admin
        self.now = 0
        self.taken: list[str] = []
        self.steps: list[Step] = []

    def play(self, actions: list[Action]) -> Played:
        answers = []
        for action in actions:
            facts = {name: value for name, value in action.items() if name != "do"}
            answers.append(getattr(self, action["do"])(**facts))
        held = stored(self.queue.valkey, self.queue.physical(BASE))
        sent = [" ".join(map(_short, step.words)) for step in self.steps]
        return Played(answers, held, [s for s in sent if COMPARED.match(s)])

    def _run(self, script: str, **named: Any) -> Any:
        ran = self.queue.run(f"packed/{script}", **named)
        self.steps += ran.steps
        return ran.value

    def clock(self, ms: int) -> None:
        self.now = ms

    def count(self, value: int) -> str:
        self.admin.set(self.queue.physical("counter"), value)
        return "OK"

    def forget(self, id: str) -> int:  # noqa: A002 the driver's word
        return int(self.admin.delete(self.queue.physical(record(id))))

    def add(self, job: Action) -> str:
        member, tier, wait_ms = job["id"], job.get("priority", 0), job.get("delay", 0)
        self.queue.put(record(member), priority=tier, delay=wait_ms)
        if wait_ms:
            at = {"timestamp_ms": job["timestamp"], "delay_ms": wait_ms}
            self._run("add_delayed", **at, member=member)
            self._run("next_delayed")
        elif tier:
            self._run("add_prioritized", tier=tier, member=member)
        else:
            self._to_wait(member)
        return str(member)

    def _to_wait(self, member: str) -> None:
        # BullMQ addStandardJob-9, which has no score.
        key = self.queue.physical("wait")
        self.admin.lpush(key, member)
        self.steps.append(Step(0, "client", "", "", ["LPUSH", "wait", member], 1))

    def add_many(self, jobs: list[Action]) -> int:
        """Delay many jobs without a priority, in one round trip."""
        program = self.queue.program()
        for one in jobs:
            at = {"timestamp_ms": one["timestamp"], "delay_ms": one["delay"]}
            self.queue.ask(program, "packed/add_delayed", **at, member=one["id"])
            self.queue.ask(program, "packed/next_delayed")
        self.steps += self.queue.execute(program).steps
        return len(jobs)

    def change(self, id: str, priority: int, lifo: bool) -> Any:  # noqa: A002
        what = {"tier": priority, "member": id, "lifo": int(lifo)}
        if self._run("change_priority", of=id, **what) == -1:
            return {"error": f"Missing key for job {id}. changePriority"}
        return None

    def take(self) -> str | None:
        self._run("promote_delayed", now_ms=self.now)
        member = self.admin.rpop(self.queue.physical("wait"))
        if member is None:
            member = next(iter(self.queue.pop("prioritized")), None)
        if member is None:
            # Whoever finds the ladder empty lets the arrivals begin anew.
            self.admin.delete(self.queue.physical("counter"))
            self._run("next_delayed")
            return None
        self.taken.append(member)
        return str(member)

    def push_back(self) -> str | None:
        if not self.taken:
            return None
        member = self.taken.pop()
        self._run("push_back", of=member, member=member)
        return member

    def upsert(self, scheduler: str, repeat: Action, next_ms: int) -> int:  # noqa: ARG002
        self._run("upsert_repeat", next_ms=next_ms, scheduler=scheduler)
        score = self.queue.score("repeat", scheduler)
        assert score is not None
        return int(score)


def _short(word: str) -> str:
    # BullMQ's records have no job: in their names.
    return word.removeprefix(BASE).removeprefix("job:")
