"""Commands: what is written can be typed at the prompt and means the same words."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.transcripts import command

ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b"}
HEX = "0123456789abcdefABCDEF"


def split(line: str) -> list[bytes]:
    """Split a written line as valkey-cli does (the rules of sdssplitargs, written anew)."""
    words, at = [], 0
    while at < len(line):
        if line[at].isspace():
            at += 1
            continue
        word = bytearray()
        if line[at] == '"':
            at += 1
            while line[at] != '"':
                if line[at : at + 2] == "\\x" and line[at + 2] in HEX and line[at + 3] in HEX:
                    word.append(int(line[at + 2 : at + 4], 16))
                    at += 4
                elif line[at] == "\\":
                    word += ESCAPED.get(line[at + 1], line[at + 1]).encode()
                    at += 2
                else:
                    word += line[at].encode()
                    at += 1
            at += 1
            assert at == len(line) or line[at].isspace(), "a closing quote ends a word"
        else:
            while at < len(line) and not line[at].isspace():
                assert line[at] not in "\"'", "a quote inside a bare word opens a string"
                word += line[at].encode()
                at += 1
        words.append(bytes(word))
    return words


TEXTS = st.text(max_size=30) | st.binary(max_size=30).map(
    lambda raw: raw.decode("utf-8", "surrogateescape")
)


def sendable(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


@given(words=st.lists(TEXTS.filter(sendable), min_size=1, max_size=6))
@example(words=["", " ", '"', "'", "\\", "\\n", "\n"])
@example(words=["a b", 'a"b', "a'b", "a\\b", "\x00", "\x7f", "é", "\udcff"])
def test_a_line_split_again_gives_the_words(words: list[str]) -> None:
    line = command.write(words)
    assert split(line) == [word.encode("utf-8", "surrogateescape") for word in words]


@given(words=st.lists(TEXTS.filter(sendable), min_size=1, max_size=6))
def test_a_line_is_one_line_of_printable_ascii(words: list[str]) -> None:
    line = command.write(words)
    assert line.isascii()
    assert line.isprintable()


@pytest.mark.parametrize(
    "line",
    [
        "INCR emq:{orders}:pc",
        "ZADD emq:{orders}:prioritized 8589934609 JOB0Nb1VTbfnu4",
        "ZCOUNT emq:{orders}:prioritized -inf (4294967313",
        "ZRANGE emq:{orders}:prioritized 0 16 WITHSCORES",
        "SET emq:{orders}:pc 16 GET",
        "ZRANGEBYSCORE delayed_queue -inf 1706648500 LIMIT 0 10",
        "ZADD s 1.7000000001234567e+9 m",
    ],
)
def test_the_commands_of_the_course_need_no_quotes(line: str) -> None:
    assert command.write(line.split(" ")) == line


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("", '""'),
        (" ", '" "'),
        ('say "hi"', '"say \\"hi\\""'),
        ("a\\b", '"a\\\\b"'),
        ("a\nb", '"a\\nb"'),
        ("\x00", '"\\x00"'),
        ("é", '"\\xc3\\xa9"'),
        ("\udcff", '"\\xff"'),
        ("it's", '"it\'s"'),
        ("#", '"#"'),
    ],
)
def test_what_the_prompt_would_split_or_unescape_is_quoted(word: str, written: str) -> None:
    assert command.write([word]) == written


@given(words=st.lists(TEXTS.filter(sendable), max_size=6))
@example(words=["", " ", '"', "'", "\\", "\\n", "\n", "\x00", "\xa0", "\u2028", "a\x1cb"])
def test_what_was_written_is_split_into_the_same_words(words: list[str]) -> None:
    assert command.split(command.write(words)) == words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        ("  GET \t k  ", ["GET", "k"]),
        ("SET k 'it\\'s'", ["SET", "k", "it's"]),
        ("SET k 'a\\nb'", ["SET", "k", "a\\nb"]),
        ('SET k "a\\x41\\x4g\\q"', ["SET", "k", "aAx4gq"]),
        ('SET k a"b c"', ["SET", "k", "ab c"]),
        ("SET k a\\b", ["SET", "k", "a\\b"]),
        ("GET a\u00a0b", ["GET", "a\u00a0b"]),
    ],
)
def test_a_line_is_split_as_the_prompt_does(line: str, words: list[str]) -> None:
    assert command.split(line) == words


@pytest.mark.parametrize(
    "line",
    ['GET "k', "GET 'k", 'GET "k\\"', "GET 'a\\' b", 'GET "a"b', "GET 'a'b", 'GET a"b"c', '"'],
)
def test_a_quote_that_does_not_close_where_its_word_ends_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="does not close"):
        command.split(line)


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("ZADD s 1 m", [1]),
        ("zadd s 1 m", [1]),
        ("DEL a b c", [1, 2, 3]),
        ("exists a b", [1, 2]),
        ("TIME", []),
        ("time", []),
        ("GET", []),
        ("SET k k", [1]),
    ],
)
def test_which_words_are_keys_is_known(line: str, places: list[int]) -> None:
    assert command.key_places(command.split(line)) == places
