"""The lab `bounds`: what each read brings, read from the server, and sent once more beside it."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from flask.testing import FlaskClient

from decoder.figures.labs.bounds import READS, SET
from decoder.sandbox import acl
from decoder.transcripts import command as commands
from tests.server.test_labs import ask
from tests.support.scripts import Scripts, pairs
from tests.support.valkey import Valkey

LATE, NOW, NEXT, LATER = "a-minute-ago", "due-now", "next-ms", "in-90-s"
NEGATIVE = "below-zero"
ALL = [NEGATIVE, LATE, NOW, NEXT, LATER]
SCORES = ["-1", "7291809087488000", "7291809333248007", "7291809333252096", "7291809701888000"]

READ = {
    "exact": ([NEGATIVE, LATE, NOW], "yes"),
    "one-more": ([NEGATIVE, LATE, NOW, NEXT], "early"),
    "exclusive": ([NEGATIVE, LATE, NOW], "yes"),
    "first-slot": ([NEGATIVE, LATE], "no"),
    "zero": ([LATE, NOW], "yes"),
    "limit": ([NEGATIVE, LATE], "no"),
    "reversed": ([], "no"),
    "from-above": ([NOW, LATE], "yes"),
    "bracket": (["refused"], "refused"),
    "ranks": (ALL, "early"),
}
"""What each read brings, and the answer that this gives."""

EVERY_READ = pytest.mark.parametrize("read", READS)


def rows(table: dict[str, Any]) -> dict[str, str]:
    return {row["name"]: row["value"] for row in table["rows"]}


@EVERY_READ
def test_each_read_brings_what_the_server_answers_to_it(
    client: FlaskClient, valkey: Valkey, read: str
) -> None:
    body = ask(client, "bounds", read=read)
    (outcome,) = body["lesson"]["outcome"]
    assert (list(rows(outcome)), body["lesson"]["answer"]) == READ[read]
    assert rows(body["lesson"]["setup"][0]) == dict(zip(ALL, SCORES, strict=True))
    added, _, asked = body["steps"]
    valkey.admin.execute_command(*commands.split(added["command"]))
    words = commands.split(asked["command"])
    assert words[0].lower() in acl.SHOWN
    if read == "bracket":
        with pytest.raises(redis.ResponseError, match="min or max is not a float"):
            valkey.admin.execute_command(*words)
        assert rows(outcome) == {"refused": "ERR min or max is not a float"}
        assert asked["reply"] == "(error) ERR min or max is not a float"
        return
    assert pairs(valkey.admin.execute_command(*words)) == [*rows(outcome).items()]


@EVERY_READ
def test_the_sentence_counts_who_is_missed_and_who_is_early(client: FlaskClient, read: str) -> None:
    said = ask(client, "bounds", read=read)["sentence"]
    found, answer = READ[read]
    missed = [one for one in (NEGATIVE, LATE, NOW) if one not in found]
    early = [one for one in (NEXT, LATER) if one in found]
    if answer == "refused":
        assert said.endswith("Nothing was read.")
        return
    told = [
        sentence.split(": ")[1].replace(" and ", ", ").split(", ")
        for sentence in said.rstrip(".").split(". ")
        if sentence.startswith(("Due and not read: ", "Not due yet and read all the same: "))
    ]
    assert told == [names for names in (early, missed) if names]
    assert ("All that is due was read, and nothing else." in said) == (told == [])


def test_one_and_only_one_slot_apart_the_bound_takes_the_next_millisecond(
    client: FlaskClient,
) -> None:
    bounds = {}
    for read in ("exact", "one-more", "exclusive"):
        words = commands.split(ask(client, "bounds", read=read)["steps"][-1]["command"])
        bounds[read] = words[3]
    assert bounds == {
        "exact": "7291809333252095",
        "one-more": "7291809333252096",
        "exclusive": "(7291809333252096",
    }


def test_a_promotion_never_sees_a_negative_score(valkey: Valkey, client: FlaskClient) -> None:
    """The lower bound of the packed design is 0 (BullMQ promoteDelayedJobs)."""
    added = commands.split(ask(client, "bounds")["steps"][0]["command"])
    scripts = Scripts(valkey, "packed/promote_delayed")
    scripts.plain("ZADD", "delayed", *added[2:])
    for now_ms in (1780226888000, 1780226978000, 2**41):
        scripts.run("packed/promote_delayed", now_ms=now_ms)
        assert scripts.members("delayed")[0] == NEGATIVE
    assert scripts.members("delayed") == [NEGATIVE]


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        (["ZRANGEBYSCORE", "(1", "(2"], []),
        (["ZRANGEBYSCORE", "(1", "3"], ["two", "three"]),
        (["ZRANGEBYSCORE", "1", "(3"], ["one", "two"]),
        (["ZRANGEBYSCORE", "(-inf", "(+inf"], ["one", "two", "three"]),
        (["ZRANGEBYSCORE", "-inf", "+inf", "LIMIT", "-1", "5"], []),
        (["ZRANGEBYSCORE", "-inf", "+inf", "LIMIT", "0", "-1"], ["one", "two", "three"]),
        (["ZRANGE", "(1", "+inf", "BYSCORE", "LIMIT", "1", "1"], ["three"]),
    ],
)
def test_bounds_and_limits_are_those_of_the_public_reports(
    valkey: Valkey, words: list[str], reply: list[str]
) -> None:
    valkey.admin.execute_command("ZADD", SET, 1, "one", 2, "two", 3, "three")
    assert valkey.admin.execute_command(words[0], SET, *words[1:]) == reply
