"""Takeaway: commands to be sent again to a server of one's own, for valkey-cli and in Python."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from decoder.transcripts import command as commands

OURS, THEIRS = "emq:", "lesson"
"""What our keys begin with, and the first part of the reader's: a real queue may have ours."""
DEFAULT_URL = "redis://127.0.0.1:6379/0"


class Line(NamedTuple):
    """One command. Its reply is part of the order shown where it `tells`, an error where `refused`.

    A reply that tells is one of members and scores by turns.
    """

    words: Sequence[str]
    tells: bool = False
    refused: bool = False


class Taken(NamedTuple):
    """The commands of one state of a figure: its title, its address, and the server they ran on."""

    title: str
    address: str
    server: str
    file: str
    """The name of the file that is made, without its ending."""
    lines: Sequence[Line]

    @property
    def keys(self) -> list[str]:
        """Every key that the commands name, in order of appearance, as our pages show it."""
        named = (line.words[n] for line in self.lines for n in commands.key_places(line.words))
        return list(dict.fromkeys(named))

    @property
    def script(self) -> list[Line]:
        """The commands from a clean start on, so that running them twice is the same.

        One DEL for each hash tag: a cluster takes no more at once.
        """
        together = itertools.groupby(sorted(self.keys, key=_tag), key=_tag)
        return [*(Line(["DEL", *keys]) for _, keys in together), *self.lines]


def theirs(key: str) -> str:
    """Return the reader's name of one of our keys: emq:{orders}:pc is lesson:{orders}:pc."""
    return THEIRS + _rest(key)


def _rest(key: str) -> str:
    return ":" + key.removeprefix(OURS)


def _tag(key: str) -> str:
    return key.partition("{")[2].partition("}")[0] or key


def write_cli(taken: Taken) -> str:
    """Write the commands as a file for the standard input of valkey-cli.

    A line of it is a command and nothing else, for the prompt knows no comments: what is to be
    said, ECHO says.
    """
    says = [
        *_about(taken),
        f"Run it: valkey-cli < {taken.file}.txt",
        *_writes(taken),
    ]
    sent: list[list[str]] = [["ECHO", one] for one in says]
    for line in taken.script:
        places = commands.key_places(line.words)
        words = [theirs(word) if n in places else word for n, word in enumerate(line.words)]
        if line.tells or line.refused:
            what = "Refused" if line.refused else "Order"
            sent.append(["ECHO", f"{what}: {commands.write(words)}"])
        sent.append(words)
    return "".join([commands.write(words) + "\n" for words in sent])


def write_python(taken: Taken) -> str:
    """Write the commands as a program that needs Python and redis-py, of any version from 5 on."""
    says = [
        *_about(taken),
        "",
        f"Run it: pip install redis, then python {taken.file}.py {DEFAULT_URL}",
        *_writes(taken),
    ]
    comments = [f"# {one}".rstrip() for one in says]
    calls = [_call(line) for line in taken.script]
    return "\n".join([*comments, _FRAME, *calls]) + "\n"


def _about(taken: Taken) -> list[str]:
    said = (
        f"Score Decoder: {taken.title}",
        taken.address,
        f"The commands of this state, as {taken.server} got them, and the order that it gave.",
    )
    return [_one_line(one) for one in said]


def _writes(taken: Taken) -> list[str]:
    keys = [_one_line(f"  {theirs(key)}") for key in taken.keys]
    return ["It deletes these keys, then writes them, and touches no others:", *keys]


def _one_line(text: str) -> str:
    """Keep a text from ending the line in which it is said, and to what any terminal prints."""
    text = text.replace("’", "'")
    return "".join([one if one.isascii() and one.isprintable() else "?" for one in text])


def _call(line: Line) -> str:
    function = "refused" if line.refused else "tell" if line.tells else "run"
    places = commands.key_places(line.words)
    written = [
        f"key({_literal(_rest(word))})" if n in places else _literal(word)
        for n, word in enumerate(line.words)
    ]
    return f"{function}({', '.join(written)})"


def _literal(word: str) -> str:
    """Write a word as Python: a text, or bytes where it is none."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return repr(word.encode("utf-8", "surrogateescape"))
    return repr(word)


_FRAME = f'''
import sys

import redis

PREFIX = "{THEIRS}"  # what each key begins with

url = sys.argv[1] if len(sys.argv) > 1 else "{DEFAULT_URL}"
client = redis.Redis.from_url(url, protocol=2)
client.response_callbacks.clear()  # a score is the server's text, not a float of Python


def key(rest):
    return PREFIX + rest


def run(*words):
    return client.execute_command(*words)


def tell(*words):
    """Print a reply of members and scores, one member a line."""
    print("Order:", *words)
    reply = [one.decode("utf-8", "backslashreplace") for one in run(*words)]
    for member, score in zip(reply[::2], reply[1::2]):
        print(member, score, sep="\\t")


def refused(*words):
    """Print why the server refuses a command; that is the point of it."""
    print("Refused:", *words)
    try:
        run(*words)
    except redis.ResponseError as error:
        print(error)

'''
