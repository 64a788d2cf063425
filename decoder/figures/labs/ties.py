"""The lab `ties`: equal scores, so the bytes of the members are the whole order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from decoder.encodings import branded, instant
from decoder.figures.labs.lab import (
    PINNED_NOW_MS,
    Choice,
    Found,
    Lab,
    Request,
    pairs,
    replies,
    rows,
)
from decoder.readings.collation import dictionary_key
from decoder.readings.tables import Row, Table
from decoder.sandbox.execution import Execution
from decoder.sandbox.program import Program

SET = "emq:{orders}:pending"


class Case(NamedTuple):
    """Members in the order in which they are added, and why their bytes sort as they do.

    `notes` says of each what it is; `meant` is the order that its writer had in mind, in words and
    member by member.
    """

    label: str
    members: list[str]
    notes: Mapping[str, str]
    why: str
    meant: tuple[str, list[str]] | None = None


def which(served: list[str], added: list[str]) -> str:
    """Tell which of the answers an order of equal scores is, by comparing it with the others."""
    by_bytes = sorted(added, key=str.encode)
    by_dictionary = sorted(added, key=dictionary_key)
    if served == by_bytes:
        return "same" if by_bytes == by_dictionary else "bytes"
    return "dictionary" if served == by_dictionary else "added"


def _words(label: str, members: list[str], why: str, meant: tuple[str, list[str]] | None = None,
           ) -> Case:  # fmt: skip
    notes = {one: one.encode().hex(" ") for one in members}
    return Case(label, members, notes, why, meant)


def _minted(label: str, ids: Mapping[str, int], why: str) -> Case:
    notes = {one: f"minted {instant.clock(PINNED_NOW_MS + s * 1000)} UTC" for one, s in ids.items()}
    meant = sorted(ids, key=ids.__getitem__)
    return Case(label, list(ids), notes, why, ("the order in which they were minted", meant))


def _mint(seconds: int, namespace: str = "JOB") -> str:
    return branded.mint(PINNED_NOW_MS + seconds * 1000, namespace=namespace)


def _small_first(text: str) -> str:
    """Write an id in the digits 0-9 a-z A-Z, which are worth what 0-9 A-Z a-z are."""
    return text[:3] + text[3:].swapcase()


_SECONDS = (2, 6, -2, 4, 0)
_NUMBERS = "the order of the numbers"
CASES = {
    "numbers": _words(
        "Numbers", ["9", "10", "2", "100"],
        "“1” is byte 31, “2” is 32 and “9” is 39, in hexadecimal: whatever begins with “1” is "
        "first, and 10 comes before 100 because it ends where the other goes on.",
        (_NUMBERS, ["2", "9", "10", "100"]),
    ),
    "padded": _words(
        "Numbers with zeros in front", ["100", "002", "010", "009"],
        "With as many digits in each, the first byte that differs is the first digit that differs.",
        (_NUMBERS, ["002", "009", "010", "100"]),
    ),
    "case": _words(
        "Capitals and small letters", ["beta", "Alpha", "alpha", "Beta"],
        "“A” to “Z” are the bytes 41 to 5a, “a” to “z” are 61 to 7a: every capital comes before "
        "every small letter.",
    ),
    "base62": _minted(
        "Ids in base62, 0-9 A-Z a-z", {_mint(s): s for s in _SECONDS},
        "The digits 0-9 A-Z a-z stand in the order of their bytes, so a later id has the larger "
        "bytes.",
    ),
    "small-first": _minted(
        "Ids in base62, 0-9 a-z A-Z", {_small_first(_mint(s)): s for s in _SECONDS},
        "Here “a” to “z” are the digits 10 to 35 and “A” to “Z” 36 to 61, but the bytes of “A” to "
        "“Z” are the smaller ones.",
    ),
    "prefix": _minted(
        "Ids of two kinds, JOB and USR",
        {_mint(-2): -2, _mint(-1, "USR"): -1, _mint(0): 0, _mint(1, "USR"): 1},
        "The three letters in front are compared first, so every JOB comes before every USR, "
        "whenever it was minted.",
    ),
    "utf8": _words(
        "Letters outside ASCII", ["Zo\u00eb", "\u00c9mile", "Zoe", "Zoe\u0308", "Eva"],
        "In UTF-8 every letter outside ASCII begins with a byte from c2 on, after “z”. “Zoë” is "
        "there twice: ë is one character or an e with a mark, and other bytes are another member.",
    ),
}  # fmt: skip
KIND = Choice("members", "Members", {name: one.label for name, one in CASES.items()}, "numbers")


def scene(asked: Program, request: Request) -> None:
    """Add all members with score 0, and read them."""
    added = CASES[request.chosen["members"]].members
    asked.plain("ZADD", SET, *[word for member in added for word in (0, member)])
    asked.plain("ZRANGE", SET, 0, -1, "WITHSCORES")


def find(request: Request, done: Execution) -> Found:
    """Compare the order of ZRANGE with the bytes, the dictionary and the order of adding."""
    case = CASES[request.chosen["members"]]
    (reply,) = replies(done, "ZRANGE")
    served = [member for member, _ in pairs(reply)]
    shown = sorted(case.members, key=dictionary_key)
    said = [f"The scores are equal, so Valkey compares the members byte by byte. {case.why}"]
    if case.meant:
        name, order = case.meant
        said.append(f"That is {'' if served == order else 'not '}{name}.")
    if served == shown:
        said.append("A dictionary gives the same order here.")
    else:
        apart = next(n for n, pair in enumerate(zip(served, shown, strict=True), 1)
                     if pair[0] != pair[1])  # fmt: skip
        said.append(
            f"A dictionary would differ from place {apart} on: {shown[apart - 1]}, where Valkey "
            f"has {served[apart - 1]}."
        )
    return Found(
        [Table("Added in this order, each with score 0",
               [Row(member, "0", case.notes[member]) for member in case.members])],
        [
            Table("Valkey’s order, from ZRANGE", rows(reply, case.notes)),
            Table("A dictionary’s order: worked out by this page, not from Valkey",
                  [Row(member, "", case.notes[member]) for member in shown]),
        ],
        which(served, case.members),
        " ".join(said),
    )  # fmt: skip


LAB = Lab(
    NAME="ties",
    TITLE="Equal scores are sorted by the bytes of the members",
    INVITES="Choose members that share one score, and say in which order Valkey gives them.",
    says="Each member below is added with the score 0, one after the other, so the scores say "
    "nothing about the order. A list in a page is often sorted as a dictionary is: without accents "
    "and capitals, numbers by their value.",
    notice="Watch the first byte in which two members differ; where there is none, the "
    "shorter is first.",
    question="Which order does Valkey give?",
    answers={
        "bytes": "by bytes, unlike a dictionary",
        "dictionary": "as a dictionary would, unlike the bytes",
        "same": "by bytes or as a dictionary: both are the same here",
        "added": "as they were added",
    },
    SCRIPTS=(),
    scene=scene,
    find=find,
    CHOICES=(KIND,),
)
