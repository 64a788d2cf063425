"""RESP2 on the wire: commands written, replies read."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.transcripts import resp
from decoder.transcripts.reply import Failure, Reply, Status


def read(wire: bytes) -> Reply:
    return resp.read(io.BytesIO(wire))


@pytest.mark.parametrize(
    ("wire", "reply"),
    [
        (b"+OK\r\n", Status("OK")),
        (b"-ERR no\r\n", Failure("ERR no")),
        (b":-7\r\n", -7),
        (b"$-1\r\n", None),
        (b"*-1\r\n", None),
        (b"$0\r\n\r\n", ""),
        (b"$4\r\na\r\nb\r\n", "a\r\nb"),
        (b"$2\r\n\xff\xc3\r\n", "\udcff\udcc3"),
        ("$2\r\né\r\n".encode(), "é"),
        (b"*0\r\n", []),
        (b"*3\r\n$1\r\na\r\n:1\r\n*1\r\n$-1\r\n", ["a", 1, [None]]),
    ],
)
def test_each_kind_of_reply_is_read(wire: bytes, reply: Reply) -> None:
    assert read(wire) == reply


@pytest.mark.parametrize(
    "wire", [b"", b"+OK", b"$5\r\nab\r\n", b"$2\r\nab\r", b"*2\r\n:1\r\n", b"*1\r\n"]
)
def test_a_reply_that_breaks_off_is_an_end(wire: bytes) -> None:
    with pytest.raises(EOFError):
        read(wire)


@pytest.mark.parametrize("wire", [b"?\r\n", b"\r\n", b":x\r\n", b"$x\r\n", b"HTTP/1.1 400\r\n"])
def test_what_is_no_reply_is_refused(wire: bytes) -> None:
    with pytest.raises(ValueError, match="no reply begins with"):
        read(wire)


def test_a_command_is_an_array_of_bulk_strings() -> None:
    assert resp.write(["GET", "é"]) == b"*2\r\n$3\r\nGET\r\n$2\r\n\xc3\xa9\r\n"
    assert resp.write(["ECHO", "\udcff\r\n"]) == b"*2\r\n$4\r\nECHO\r\n$3\r\n\xff\r\n\r\n"


@given(
    words=st.lists(st.binary(max_size=20).map(lambda raw: raw.decode("utf-8", "surrogateescape")))
)
def test_what_is_written_is_read_as_the_same_words(words: list[str]) -> None:
    assert read(resp.write(words)) == words
