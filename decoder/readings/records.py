"""Records: the hash that a queue keeps of each job, as far as a script of it reads one.

To keep an idle sandbox small, the jobs around mine get theirs when an action first looks for them:
from then on a script finds what their admission would have written.
"""

from __future__ import annotations

from collections.abc import Mapping

from decoder.readings.reading import Case, Job, Script

PREFIX = "job:"


def admitted(case: Case, keys: str, state: str) -> Script:
    """Give a record to those in a set that have none: of a job admitted by its member."""
    fields = {"state": state, "attempts": 0}
    return _of_others(keys, {one: {**fields, "payload": one.payload} for one in case.others})


def delayed(case: Case, keys: str) -> Script:
    """Give a record to those in a set that have none: of a delayed job without a priority."""
    jobs = (*case.others, *case.extra)
    return _of_others(keys, {one: {"priority": 0, "delay": one.delay_ms} for one in jobs})


def mine(job: Job, **fields: object) -> Script:
    """Give my job a record with these fields."""
    record = {"record": PREFIX + job.member}
    return Script("stage/record", record, {"fields": written(fields)})


def written(fields: Mapping[str, object]) -> str:
    """Write fields and values by turns, with tabs between."""
    return "\t".join([f"{name}\t{value}" for name, value in fields.items()])


def _of_others(keys: str, fields: Mapping[Job, Mapping[str, object]]) -> Script:
    lines = [f"{job.member}\t{written(of_job)}" for job, of_job in fields.items()]
    return Script(
        "stage/records",
        {"set": keys, "record_prefix": PREFIX},
        {"records": "\n".join(lines)},
    )
