"""The lab `ties`: the order of equal scores, read from the server, beside a dictionary's."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from decoder.encodings import branded
from decoder.figures.labs.ties import CASES, which
from tests.server.test_labs import ask
from tests.support.valkey import Valkey

MINTED = ["JOB0Nb1VKRy3l2", "JOB0Nb1VTbfnu4", "JOB0Nb1VclNY36", "JOB0Nb1Vlv5IC8", "JOB0Nb1Vv4n2LA"]
K, T, C, L, V = MINTED
SWAPPED = [one[:3] + one[3:].swapcase() for one in MINTED]
k, t, c, l, v = SWAPPED  # noqa: E741
ZOE, ZOE_MARKED = "Zo\u00eb", "Zoe\u0308"

ORDERS = {
    "numbers": (["10", "100", "2", "9"], ["2", "9", "10", "100"], "bytes"),
    "padded": (["002", "009", "010", "100"], ["002", "009", "010", "100"], "same"),
    "case": (["Alpha", "Beta", "alpha", "beta"], ["alpha", "Alpha", "beta", "Beta"], "bytes"),
    "base62": ([K, T, C, L, V], [C, K, L, T, V], "bytes"),
    "small-first": ([c, l, v, k, t], [c, k, l, t, v], "bytes"),
    "prefix": (
        [K, T, "USR0Nb1VP1ovpY", "USR0Nb1VYBWfya"],
        [K, T, "USR0Nb1VP1ovpY", "USR0Nb1VYBWfya"],
        "same",
    ),
    "utf8": (
        ["Eva", "Zoe", ZOE_MARKED, ZOE, "\u00c9mile"],
        ["\u00c9mile", "Eva", "Zoe", ZOE, ZOE_MARKED],
        "bytes",
    ),
}
"""Of each case: Valkey's order, a dictionary's, the answer."""

EVERY_CASE = pytest.mark.parametrize("case", CASES)


def names(table: dict[str, list[dict[str, str]]]) -> list[str]:
    return [row["name"] for row in table["rows"]]


@EVERY_CASE
def test_the_order_is_that_of_the_server_and_a_dictionarys_stands_beside_it(
    client: FlaskClient, valkey: Valkey, case: str
) -> None:
    body = ask(client, "ties", members=case)
    server, dictionary = body["lesson"]["outcome"]
    assert (names(server), names(dictionary), body["lesson"]["answer"]) == ORDERS[case]
    assert "not from Valkey" in dictionary["title"]
    added = names(body["lesson"]["setup"][0])
    for member in added:
        valkey.admin.zadd("direct", {member: 0})
    assert valkey.admin.zrange("direct", 0, -1) == names(server)
    popped = valkey.admin.zpopmin("direct", len(added))
    assert [member for member, _ in popped] == names(server)


@EVERY_CASE
def test_no_two_answers_are_right(case: str) -> None:
    added = CASES[case].members
    server, dictionary, answer = ORDERS[case]
    assert added not in (server, dictionary)
    assert which(server, added) == answer
    assert which(added, added) == "added"
    assert which(dictionary, added) == ("dictionary" if answer == "bytes" else "same")


def test_base62_in_ascii_order_is_the_order_of_minting_and_in_the_other_it_is_not(
    client: FlaskClient,
) -> None:
    said = {case: ask(client, "ties", members=case)["sentence"] for case in CASES}
    minted = "the order in which they were minted."
    assert [branded.parse(one).minted_ms for one in MINTED] == [
        1780226888000 + s * 1000 for s in (-2, 0, 2, 4, 6)
    ]
    assert f"That is {minted}" in said["base62"]
    for case in ("small-first", "prefix"):
        assert f"That is not {minted}" in said[case]
    assert "That is not the order of the numbers." in said["numbers"]
    assert "That is the order of the numbers." in said["padded"]


@EVERY_CASE
def test_the_sentence_says_where_a_dictionary_differs(client: FlaskClient, case: str) -> None:
    server, dictionary, answer = ORDERS[case]
    said = ask(client, "ties", members=case)["sentence"]
    if answer == "same":
        assert said.endswith("A dictionary gives the same order here.")
        return
    place = next(n for n in range(len(server)) if server[n] != dictionary[n])
    assert server[:place] == dictionary[:place]
    assert (
        f"from place {place + 1} on: {dictionary[place]}, where Valkey has {server[place]}." in said
    )


def test_a_look_alike_is_another_member(client: FlaskClient) -> None:
    body = ask(client, "ties", members="utf8")
    bytes_of = {row["name"]: row["note"] for row in body["lesson"]["outcome"][0]["rows"]}
    assert bytes_of[ZOE] == "5a 6f c3 ab"
    assert bytes_of[ZOE_MARKED] == "5a 6f 65 cc 88"
    assert body["steps"][0]["reply"] == "(integer) 5"
