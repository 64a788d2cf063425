"""Block: a transcript as a dive writes it: commands, the replies they should get, remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from decoder.errors import TranscriptFault
from decoder.transcripts import command

PROMPT, SHELL, REMARK, DECLARES = "> ", "$ ", "# ", "#:"
SCRIPT_CALL = re.compile(r"valkey-cli --eval lua/([a-z-]+/[a-z0-9_]+)\.lua(?=\s|$)(.*)")
SERVER = re.compile(r"(?:Valkey|Redis)(?: \d+(?:\.\d+)*)?")


@dataclass(frozen=True)
class Exchange:
    """One command, and what the server should answer.

    `script` names the script of a `valkey-cli --eval` line; then `words` are its keys, of which
    there are `keys`, and its arguments. `others` are the replies of servers that answer otherwise.
    """

    line: int
    typed: str
    words: list[str]
    script: str = ""
    keys: int = 0
    remark: str = ""
    varies: bool = False
    unordered: bool = False
    reply: str = ""
    others: list[tuple[str, str]] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        """The sign in front of what was typed: of valkey-cli, or of a shell."""
        return SHELL if self.script else PROMPT

    def expected(self, server: str) -> str:
        """Return the reply that a server such as "Redis 7.0.15" should give."""
        # "Redis 7" is 7.0.15 and not 70.
        found = (reply for name, reply in self.others if re.match(rf"{re.escape(name)}\b", server))
        return next(found, self.reply)

    def agrees(self, reply: str, server: str) -> bool:
        """Whether a reply is the expected one, as far as the block declares it."""
        expected = self.expected(server)
        if self.varies:
            return _shape(reply) == _shape(expected)
        if self.unordered:
            return sorted(_items(reply)) == sorted(_items(expected))
        return reply == expected


def read(text: str, first_line: int = 1) -> list[Exchange]:
    """Read the text between the fences of a transcript.

    `first_line` is the line of the file at which the text begins. Raises TranscriptFault, with
    the line, for what is neither a command nor its reply.
    """
    exchanges = []
    for line, typed, remark, below in _parts(text, first_line):
        words, script, keys = _words(typed, line)
        exchanges.append(_exchange(line, typed[2:], words, script, keys, remark, below))
    return exchanges


Lines = list[tuple[int, str]]
"""Lines with their numbers."""


def _parts(text: str, first_line: int) -> Iterator[tuple[int, str, str, Lines]]:
    """Part the lines at the prompts: line number, the typed line, the remark above, lines below."""
    at, typed, remark, next_remark = 0, "", "", ""
    below: Lines = []
    for number, line in enumerate(text.split("\n"), first_line):
        if line.startswith((PROMPT, SHELL)):
            if typed:
                yield at, typed, remark, below
            at, typed, remark, next_remark, below = number, line, next_remark, "", []
        elif line.startswith(REMARK):
            next_remark = f"{next_remark} {line[2:].strip()}".strip()
        elif line.strip():
            if not typed:
                raise TranscriptFault(
                    f"“{line.strip()[:40]}” is no command: begin it with “> ”.", line=number
                )
            below.append((number, line.rstrip()))
    if typed:
        yield at, typed, remark, below
    if next_remark:
        raise TranscriptFault("a remark stands above the command that it is about.", line=number)


def _words(typed: str, line: int) -> tuple[list[str], str, int]:
    shell = typed.startswith(SHELL)
    called = SCRIPT_CALL.match(typed[2:])
    if shell and not called:
        raise TranscriptFault(
            "after “$ ” only this can be run: valkey-cli --eval lua/<folder>/<name>.lua key … , "
            "argument …",
            line=line,
        )
    try:
        words = command.split(called[2] if called else typed[2:])
    except ValueError as fault:
        raise TranscriptFault(f"{fault}.", line=line) from None
    if not called:
        if not words:
            raise TranscriptFault("there is no command behind the prompt.", line=line)
        return words, "", 0
    keys = words.index(",") if "," in words else len(words)
    return words[:keys] + words[keys + 1 :], called[1], keys


def _exchange(
    line: int, typed: str, words: list[str], script: str, keys: int, remark: str, below: Lines
) -> Exchange:
    declared: set[str] = set()
    reply: list[str] = []
    others: list[tuple[int, str, list[str]]] = []
    for number, text in below:
        if not text.startswith(DECLARES):
            (others[-1][2] if others else reply).append(text)
            continue
        says = text.removeprefix(DECLARES).strip()
        server = says.removeprefix("on ").strip()
        if says in ("varies", "unordered"):
            declared.add(says)
        elif server != says and SERVER.fullmatch(server):
            others.append((number, server, []))
        else:
            raise TranscriptFault(
                f"“{says}” cannot be declared: write varies, unordered, or on Redis 7 (or Valkey, "
                "or another version).",
                line=number,
            )
    for number, lines in [(line, reply), *((number, lines) for number, _, lines in others)]:
        if not lines:
            raise TranscriptFault("there is no reply below this line.", line=number)
    return Exchange(
        line, typed, words, script, keys, remark, "varies" in declared, "unordered" in declared,
        "\n".join(reply), [(server, "\n".join(lines)) for _, server, lines in others],
    )  # fmt: skip


def _shape(reply: str) -> str:
    return re.sub(r"\d+", "0", re.sub(r'"(?:\\.|[^"\\])*"', '""', reply))


def _items(reply: str) -> list[str]:
    return [re.sub(r"^ *\d+\) ", "", line) for line in reply.splitlines()]
