"""Schedules: what can be done to a repeating job; the catalogue names these actions."""

from __future__ import annotations

from decoder.readings import questions, telling
from decoder.readings.reading import CLOCKS, Action, Call, Case, Job, Outcome, Reading, Script
from decoder.readings.run import Step

REBOOT_MS = 30_000
"""When the reboot is over that registers a schedule again, after the mint."""


def next_run(case: Case) -> int:
    """Return the next run that a register sets, made when a reboot is over, or later."""
    return max(case.now_ms, case.job.minted_ms + REBOOT_MS) + case.job.every_ms


def upsert(job: Job, next_ms: int) -> Script:
    """Set when a scheduler of the packed design runs next."""
    arguments: dict[str, object] = {"next_ms": next_ms, "scheduler": job.member}
    return Script("packed/upsert_repeat", {"repeat": "repeat"}, arguments)


def register(job: Job, first_ms: int) -> Script:
    """Register a repeating job of the one-number design, once."""
    keys = {"repeat": "repeat", "record": "repeat:" + job.member}
    return Script(
        "one-number/register",
        keys,
        {
            "registration": job.member,
            "every_ms": job.every_ms,
            "template": job.payload,
            "first_ms": first_ms,
        },
    )


def _upsert_again(case: Case) -> list[Call]:
    return [upsert(case.job, next_run(case))]


def _register_again(case: Case) -> list[Call]:
    return [register(case.job, next_run(case))]


def _upserted(reading: Reading, outcome: Outcome) -> str:
    prior = outcome.replied("ZSCORE", "packed/upsert_repeat")
    before = prior.reply if prior and isinstance(prior.reply, str) else None
    return telling.registered(reading, before, outcome.own.score, wrote=True)


def _registered(reading: Reading, outcome: Outcome) -> str:
    known = outcome.replied("EXISTS", "one-number/register")
    wrote = known is None or known.reply != 1
    return telling.registered(reading, None, outcome.own.score, wrote)


def _next_run_anew(_job: Job | None, case: Case, _steps: list[Step]) -> Job | None:
    return case.job._replace(due_ms=next_run(case))


def _next_run_once(job: Job | None, case: Case, _steps: list[Step]) -> Job | None:
    # What is registered is not registered again.
    return job or case.job._replace(due_ms=next_run(case))


_AGAIN = "Just register"
UPSERT_AGAIN = Action(
    "register_again", _upsert_again, _upserted, _AGAIN,
    question=questions.UPSERT_AGAIN, clocks=CLOCKS[:1], changes=_next_run_anew,
)  # fmt: skip
REGISTER_AGAIN = Action(
    "register_again", _register_again, _registered, _AGAIN,
    question=questions.REGISTER_AGAIN, clocks=CLOCKS[:1], changes=_next_run_once,
)  # fmt: skip


def _following(job: Job) -> int:
    return job.due_ms + job.every_ms


def _upsert_next(case: Case) -> list[Call]:
    return [upsert(case.job, _following(case.job))]


def _advance(case: Case) -> list[Call]:
    keys = {"repeat": "repeat", "record": "repeat:" + case.job.member}
    arguments = {"registration": case.job.member, "next_ms": _following(case.job)}
    return [Script("one-number/advance", keys, arguments)]


def _advanced(_reading: Reading, outcome: Outcome) -> str:
    return telling.advanced(outcome.own.score)


def _moved_on(_job: Job | None, case: Case, _steps: list[Step]) -> Job | None:
    return case.job._replace(due_ms=_following(case.job))


def _moved_on_if_registered(job: Job | None, case: Case, _steps: list[Step]) -> Job | None:
    return job and case.job._replace(due_ms=_following(case.job))


_FIRED = "It fired: advance"
UPSERT_NEXT = Action("advance", _upsert_next, _advanced, _FIRED, changes=_moved_on)
ADVANCE = Action("advance", _advance, _advanced, _FIRED, changes=_moved_on_if_registered)
