"""Replies as valkey-cli prints them on a terminal."""

from __future__ import annotations

import pytest

from decoder.transcripts import reply
from decoder.transcripts.reply import Failure, Reply, Status


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Status("OK"), "OK"),
        (1, "(integer) 1"),
        (-1, "(integer) -1"),
        (0, "(integer) 0"),
        (None, "(nil)"),
        ("8589934609", '"8589934609"'),
        ("", '""'),
        ('say "hi"\n', '"say \\"hi\\"\\n"'),
        ([], "(empty array)"),
        (Failure("ERR value is not a valid float"), "(error) ERR value is not a valid float"),
        (["a", "1"], '1) "a"\n2) "1"'),
        ([1, None, "x"], '1) (integer) 1\n2) (nil)\n3) "x"'),
        ([["a", "b"], "c"], '1) 1) "a"\n   2) "b"\n2) "c"'),
        ([[]], "1) (empty array)"),
        ([[[1]]], "1) 1) 1) (integer) 1"),
        ([Status("OK"), Failure("ERR x")], "1) OK\n2) (error) ERR x"),
    ],
)
def test_a_reply_is_written_as_a_terminal_shows_it(value: Reply, written: str) -> None:
    assert reply.write(value) == written


def test_numbers_of_a_long_array_are_aligned() -> None:
    lines = reply.write([str(n) for n in range(12)]).split("\n")
    assert lines[0] == ' 1) "0"'
    assert lines[11] == '12) "11"'
    assert reply.write([[1, 2], *range(10)]).split("\n")[:2] == [
        " 1) 1) (integer) 1",
        "    2) (integer) 2",
    ]


def test_what_the_facts_say_the_first_block_answers() -> None:
    assert [reply.write(one) for one in (1, [], 1)] == [
        "(integer) 1",
        "(empty array)",
        "(integer) 1",
    ]
