"""Tables: what a lab teaches and what lies inside a score, as rows, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One line of a table: a name, what the server has or answered for it, what that means."""

    name: str
    value: str
    note: str = ""
    mine: bool = False
    fact: str = ""
    """Which fact the value is, for its colour: tier, arrival, time, slot."""


class Table(NamedTuple):
    """Rows as the server returned them, and how many more there are that are not shown."""

    title: str
    rows: list[Row]
    more: int = 0


class Lesson(NamedTuple):
    """What a lab teaches: what to notice, a question with its answers, and what Valkey did.

    `setup` is what stood there before, `outcome` what came of it, and `answer` the answer that
    this gives.
    """

    notice: str
    question: str
    answers: Mapping[str, str]
    setup: list[Table]
    outcome: list[Table]
    answer: str


class Meaning(NamedTuple):
    """What a score means under one reading: its id, what people call it, a sentence."""

    reading: str
    named: str
    says: str


class Inside(NamedTuple):
    """The inside of a score: its 64 bits as one number, cut into fields, and what lies around it.

    `implied` is what the bit belongs to that a double implies above its fraction.
    """

    word: int | None
    fields: Sequence[Any]
    implied: str
    table: Table
    meanings: list[Meaning]


def lesson_json(lesson: Lesson) -> dict[str, Any]:
    """Write a lesson as part of a run's JSON; the field names are a contract."""
    return {
        **lesson._asdict(),
        "setup": [_table_json(one) for one in lesson.setup],
        "outcome": [_table_json(one) for one in lesson.outcome],
    }


def inside_json(inside: Inside) -> dict[str, Any]:
    """Write the inside of a score as part of a run's JSON; the field names are a contract."""
    return {
        "word": None if inside.word is None else f"0x{inside.word:016X}",
        "fields": [one._asdict() for one in inside.fields],
        "rows": [row._asdict() for row in inside.table.rows],
        "meanings": [one._asdict() for one in inside.meanings],
    }


def _table_json(table: Table) -> dict[str, Any]:
    return {**table._asdict(), "rows": [row._asdict() for row in table.rows]}
