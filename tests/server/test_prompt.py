"""What the figure shows as typed, typed at a real prompt: the same words, the same replies."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decoder.sandbox import proving
from decoder.sandbox.proving import ProvingServer
from decoder.transcripts import command as commands
from decoder.transcripts import reply as replies
from decoder.transcripts import resp
from decoder.transcripts.reply import Failure, Reply, Status
from tests.support.figure import MINE, Visitor
from tests.support.prompt import Prompt, printed
from tests.support.valkey import Valkey

NO_REDIS = "no redis-server here: apt-get install redis-server"


@pytest.fixture
def prompt(valkey: Valkey) -> Iterator[Prompt]:
    with Prompt(valkey.folder) as typing:
        yield typing


# Any bytes, as decoder/sandbox reads them: what is no UTF-8 becomes surrogate escapes.
BYTES = st.binary(max_size=60).map(lambda raw: raw.decode("utf-8", "surrogateescape"))
WORDS = st.text(max_size=40).filter(lambda text: text.isprintable()) | BYTES


@given(word=WORDS)
@settings(max_examples=400)
@example(word="")
@example(word=" ")
@example(word='"')
@example(word="'")
@example(word="\\")
@example(word="\\x41")
@example(word="\x00")
@example(word="a'b")
@example(word="#")
@example(word="task:abc123")
@example(word="emq:{orders}:pc")
@example(word="(8589934609")
@example(word="\udcff")
@example(word="\u2028")
@example(word="💣")
def test_a_word_that_is_written_is_read_by_the_server_as_that_word(
    prompt: Prompt, word: str
) -> None:
    raw = word.encode("utf-8", "surrogateescape")
    assert prompt.ask(commands.write(["ECHO", word])) == raw


@given(word=WORDS)
@settings(max_examples=200)
def test_a_bulk_reply_is_written_as_a_terminal_shows_it(prompt: Prompt, word: str) -> None:
    answer = prompt.ask(commands.write(["ECHO", word]))
    assert replies.write(word) == printed(answer)
    # And what is written can be typed again.
    assert prompt.ask(f"ECHO {replies.write(word)}") == answer


@given(words=st.lists(WORDS, min_size=1, max_size=8))
@settings(max_examples=100)
def test_many_words_stay_as_many(prompt: Prompt, words: list[str]) -> None:
    prompt.ask("DEL words")
    assert prompt.ask(commands.write(["RPUSH", "words", *words])) == len(words)
    answer = prompt.ask("LRANGE words 0 -1")
    assert answer == [word.encode("utf-8", "surrogateescape") for word in words]
    assert replies.write(list(words)) == printed(answer)


LINES = st.text(st.sampled_from("ab \t\"'\\\\nx41,é") | st.characters(codec="utf-8"), max_size=24)


@given(line=LINES)
@settings(max_examples=1500)
@example(line="'a\\' b")
@example(line="'a\\\\' b'")
@example(line='a"b c"')
@example(line="'a'b")
@example(line='"\\x4"')
@example(line='"\\x4g" "\\X41"')
@example(line="a\xa0b\x85c\u2028d\x1ce")
@example(line="a\x0bb \x0c c")
@example(line='\\"')
def test_a_line_that_is_split_is_split_as_the_server_splits_it(prompt: Prompt, line: str) -> None:
    # What ends a line for the server cannot be typed into one.
    line = re.sub("[\r\n\0]", "", line)
    try:
        words = commands.split(line)
    except ValueError:
        return
    answer = prompt.ask(f"COMMAND GETKEYS MGET {line}")
    sent = [word.encode("utf-8", "surrogateescape") for word in words]
    assert answer == sent or (not sent and "Invalid number" in str(answer))


@pytest.mark.skipif(not proving.installed() and not os.environ.get("CI"), reason=NO_REDIS)
def test_a_line_is_refused_where_redis_refuses_it() -> None:
    (binary,) = proving.installed()
    with ProvingServer(binary, {}) as redis7:
        path = redis7.path

        @given(line=LINES)
        @settings(max_examples=500)
        @example(line="'a'b")
        @example(line="a'b'c")
        @example(line="'a\\' b")
        def refused_alike(line: str) -> None:
            line = re.sub("[\r\n\0\v\f]", "", line)
            try:
                words = commands.split(line)
            except ValueError:
                words = ["refused"]
            with socket.socket(socket.AF_UNIX) as typing, typing.makefile("rb") as replies:
                typing.connect(str(path))
                typing.sendall(f"COMMAND GETKEYS MGET {line}\r\n".encode())
                answer = resp.read(replies)
            if isinstance(answer, Failure) and "unbalanced quotes" in answer.text:
                answer = ["refused"]
            assert answer == words or not words

        refused_alike()


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("PING", Status("PONG")),
        ("EXISTS nothing", 0),
        ("GET nothing", None),
        ("ZRANGE nothing 0 -1", []),
        ("ZPOPMIN nothing", []),
        ("SET text x", Status("OK")),
        ("ZADD text 1 m", None),
        ("ZADD s 8589934609 JOB0Nb1VTbfnu4", 0),
        ("ZRANGE s 0 -1 WITHSCORES", ["JOB0Nb1VTbfnu4", "8589934609"]),
        ("ZADD s NX GT 1 m", None),
        ("ZRANGEBYSCORE s x y", None),
        ("ZADD s nan m", None),
    ],
)
def test_each_kind_of_reply_is_written_as_a_terminal_shows_it(
    prompt: Prompt, line: str, reply: Reply
) -> None:
    prompt.ask("SET text x")
    prompt.ask("ZADD s 8589934609 JOB0Nb1VTbfnu4")
    shown = prompt.type(line)
    if shown.startswith("(error)"):
        reply = Failure(shown.removeprefix("(error) "))
    assert replies.write(reply) == shown


STORY = st.lists(
    st.one_of(
        st.builds(
            lambda tier, arrival: {"tier": tier, "arrival": arrival},
            st.integers(1, 5),
            st.integers(1, 999),
        ),
        st.builds(
            lambda tier, arrival: {"tier": tier, "arrival": arrival, "full": 1},
            st.integers(1, 2097152),
            st.integers(0, 2**32),
        ),
        st.sampled_from(
            [
                {"action": "serve"},
                {"action": "serve", "guess": MINE},
                {"action": "add"},
                {"action": "add", "full": 1},
            ]
        ),
    ),
    max_size=10,
)


@given(story=STORY)
@settings(max_examples=50)
@example(story=[{"action": "serve"}] * 11)
def test_every_step_shown_can_be_typed_and_answers_the_same(
    client: FlaskClient, valkey: Valkey, prompt: Prompt, story: list[dict[str, Any]]
) -> None:
    valkey.admin.flushall()
    visitor = Visitor(client)
    steps = visitor.move(2, 17)["steps"]
    for fields in story:
        steps += visitor.ask(**fields)["steps"]
    for step in steps:
        assert prompt.type(step["command"]) == step["reply"], step["command"]


def test_the_steps_on_the_page_are_those_of_the_run(client: FlaskClient) -> None:
    page = client.post(
        "/figures/composite/runs", data={"tier": 3, "arrival": 33}, headers={"Accept": "text/html"}
    )
    body = Visitor(client).move(3, 33)
    for step in body["steps"]:
        assert step["command"].replace(" 12884901921 ", " <mark>12884901921</mark> ") in page.text
