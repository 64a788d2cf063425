"""Who is served next, another job, reset: the buttons of the composite figure."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from decoder.encodings import branded
from tests.support.figure import (
    CAST,
    COUNTED,
    COUNTER,
    FIRST,
    HTML,
    LADDER,
    LAST_OF_1,
    MINE,
    Page,
    Visitor,
    commands,
    key,
    ladder,
    shown,
)
from tests.support.valkey import Valkey

T0 = 1780226888000


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    one = Visitor(client)
    one.move(2, 17)
    return one


def test_serving_removes_the_head_with_one_real_zpopmin(visitor: Visitor, valkey: Valkey) -> None:
    before = ladder(valkey, visitor.token)
    body = visitor.serve()
    pops = [step for step in body["steps"] if step["command"] == f"ZPOPMIN {LADDER}"]
    assert [step["reply"] for step in pops] == [f'1) "{before[0][0]}"\n2) "{before[0][1]}"']
    assert [(p["member"], p["score"]) for p in body["order_before"]] == before
    assert shown(body) == before[1:] == ladder(valkey, visitor.token)
    assert body["position"] == {"rank": 3, "of": 9}
    assert "guess" not in body
    assert before[0][0][-3:] in body["sentence"]


def test_without_a_guess_the_sentence_says_who_was_served_and_why(visitor: Visitor) -> None:
    body = visitor.serve()
    assert re.search(rf"Valkey served JOB….{{3}} \(tier 1, no\. {FIRST}\): \S", body["sentence"])
    assert "You said" not in body["sentence"]


def test_a_right_guess_is_said_to_be_right(visitor: Visitor) -> None:
    head = visitor.move(2, 17)["order"][0]["member"]
    body = visitor.serve(head)
    assert body["guess"] == {"said": head, "served": head, "right": True}
    assert body["sentence"].startswith("You said ")
    assert "because" not in body["sentence"].split(".")[0]


def test_a_wrong_guess_is_told_who_was_served_and_why(visitor: Visitor) -> None:
    order = visitor.move(2, 17)["order"]
    body = visitor.serve(MINE)
    assert body["guess"] == {"said": MINE, "served": order[0]["member"], "right": False}
    assert re.match(r"You said your job; Valkey served JOB….{3}, because tier 1", body["sentence"])


def test_a_guess_inside_one_tier_is_answered_with_the_arrivals(visitor: Visitor) -> None:
    order = visitor.move(2, 17)["order"]
    said = next(p for p in order if p["facts"] == {"tier": 1, "arrival": LAST_OF_1})
    assert re.search(
        rf"because within tier 1 no\. {FIRST} goes before no\. {LAST_OF_1}",
        visitor.serve(said["member"])["sentence"],
    )


def test_a_guess_of_equal_score_is_answered_with_the_bytes(visitor: Visitor) -> None:
    order = visitor.move(1, FIRST)["order"]
    assert order[0]["score"] == order[1]["score"] == str(2**32 + FIRST)
    assert order[1]["mine"]
    body = visitor.serve(MINE)
    assert body["guess"]["right"] is False
    assert "bytes" in body["sentence"]


@pytest.mark.parametrize("absent", ["JOB00000000000", "x", "0"])
def test_a_guess_of_someone_who_does_not_wait_is_answered(visitor: Visitor, absent: str) -> None:
    body = visitor.serve(absent)
    assert body["guess"]["said"] == absent
    assert body["guess"]["right"] is False
    assert "not waiting" in body["sentence"]


def test_who_was_served_before_does_not_wait_any_more(visitor: Visitor) -> None:
    head = visitor.move(2, 17)["order"][0]["member"]
    visitor.serve(head)
    body = visitor.serve(head)
    assert body["guess"]["right"] is False
    assert "not waiting" in body["sentence"]


def test_serving_the_visitors_own_job_is_said(visitor: Visitor, valkey: Valkey) -> None:
    visitor.move(1, 1)
    body = visitor.serve(MINE)
    assert body["guess"] == {"said": MINE, "served": MINE, "right": True}
    assert "your job" in body["sentence"]
    assert body["position"] is None
    assert body["score"]["stored"] is None
    assert body["score"]["agrees"] is None
    assert not any(placed["mine"] for placed in body["order"])
    assert MINE not in dict(ladder(valkey, visitor.token))


def test_after_the_visitors_job_was_served_a_move_puts_it_back(visitor: Visitor) -> None:
    visitor.move(1, 1)
    visitor.serve()
    body = visitor.move(2, 17)
    # The two of tier 1 and two of tier 2 are ahead as before, among nine others.
    assert body["position"] == {"rank": 4, "of": 10}
    assert body["score"]["stored"] == "8589934609"


def test_after_the_visitors_job_was_served_the_page_still_stands(visitor: Visitor) -> None:
    visitor.move(1, 1)
    visitor.serve()
    answer = visitor.post(HTML, action="serve")
    assert answer.status_code == 200
    assert MINE not in Page(answer.text).members


def test_serving_11_times_empties_the_queue_and_says_so(visitor: Visitor, valkey: Valkey) -> None:
    served = []
    for left in range(9, -1, -1):
        body = visitor.serve()
        served.append(body["order_before"][0]["member"])
        assert len(body["order"]) == left
    assert len(set(served)) == 10
    body = visitor.serve()
    assert (body["order"], body["order_before"], body["position"]) == ([], [], None)
    assert "empty" in body["sentence"]
    pops = [step for step in body["steps"] if step["command"].startswith("ZPOPMIN")]
    assert [step["reply"] for step in pops] == ["(empty array)"]
    assert not valkey.admin.exists(key(visitor.token, LADDER))


@pytest.mark.parametrize("guess", [MINE, "JOB00000000000"])
def test_a_guess_at_an_empty_queue_is_answered(visitor: Visitor, guess: str) -> None:
    for _ in range(10):
        visitor.serve()
    body = visitor.serve(guess)
    assert body["guess"] == {"said": guess, "served": None, "right": False}
    assert "empty" in body["sentence"]
    assert Page(visitor.post(HTML, action="serve", guess=guess).text).members == []


def test_an_emptied_queue_can_be_joined_again(visitor: Visitor) -> None:
    for _ in range(10):
        visitor.serve()
    added = visitor.add()
    assert len(added["order"]) == 1
    assert added["order"][0]["facts"] == {"tier": 2, "arrival": COUNTED + 1}
    assert visitor.move(1, 5)["position"] == {"rank": 0, "of": 2}


def test_an_emptied_queue_does_not_fill_up_by_itself(visitor: Visitor) -> None:
    for _ in range(10):
        visitor.serve()
    assert visitor.move(2, 17)["position"] == {"rank": 0, "of": 1}


@given(
    tier=st.integers(1, 5),
    arrival=st.integers(1, 999),
    served_before=st.integers(0, 9),
    pick=st.integers(0, 10),
)
@settings(max_examples=60)
def test_a_guess_is_right_exactly_when_it_named_the_head(
    client: FlaskClient, tier: int, arrival: int, served_before: int, pick: int
) -> None:
    visitor = Visitor(client)
    body = visitor.move(tier, arrival)
    for _ in range(served_before):
        body = visitor.serve()
    waiting = [placed["member"] for placed in body["order"]]
    guess = [*waiting, "JOBnobody"][pick % (len(waiting) + 1)]
    body = visitor.serve(guess)
    head = waiting[0]
    assert body["guess"] == {"said": guess, "served": head, "right": guess == head}
    assert body["sentence"].startswith("You said ")


def test_adding_runs_the_real_script_and_incr_alone_decides(visitor: Visitor) -> None:
    body = visitor.add()
    score = 2 * 2**32 + COUNTED + 1
    scripted = [step for step in body["steps"] if step["by"] == "script"]
    assert not any(step["by"] == "stage" for step in body["steps"])
    new = next(p for p in body["order"] if p["facts"]["arrival"] == COUNTED + 1)
    assert [(step["command"], step["reply"]) for step in scripted] == [
        (f"INCR {COUNTER}", f"(integer) {COUNTED + 1}"),
        (f"ZADD {LADDER} {score} {new['member']}", "(integer) 1"),
    ]
    assert new["score"] == str(score)


def test_a_job_is_added_at_the_visitors_tier(visitor: Visitor) -> None:
    visitor.move(4, 800)
    body = visitor.add()
    assert [p["facts"]["arrival"] for p in body["order"] if p["facts"]["tier"] == 4][-1] == 801
    assert "tier 4 as no. 801" in body["sentence"]


def test_the_sliders_sent_with_an_action_count_as_a_move_before_it(visitor: Visitor) -> None:
    body = visitor.ask(action="add", tier=3, arrival=5)
    assert body["inputs"] == {"tier": 3, "arrival": 5}
    tier_3 = [p for p in body["order"] if p["facts"]["tier"] == 3]
    assert [p["facts"]["arrival"] for p in tier_3] == [
        *sorted([*[a for t, a in CAST if t == 3], 5]),
        COUNTED + 1,
    ]
    assert [p["facts"]["arrival"] for p in tier_3 if p["mine"]] == [5]


def test_the_sliders_sent_unmoved_do_not_move_the_job_again(visitor: Visitor) -> None:
    body = visitor.ask(action="serve", tier=2, arrival=17)
    assert not any(c.startswith(("ZADD", "INCR", "SET")) for c in commands(body))


def test_a_served_job_does_not_come_back_with_unmoved_sliders(visitor: Visitor) -> None:
    visitor.move(1, 1)
    visitor.ask(action="serve", tier=1, arrival=1)
    body = visitor.ask(action="add", tier=1, arrival=1)
    assert MINE not in [p["member"] for p in body["order"]]


def test_40_added_jobs_have_40_ids_of_the_pinned_now_that_follow_the_visitors(
    visitor: Visitor,
) -> None:
    known = {p["member"] for p in visitor.move(2, 17)["order"]}
    new = []
    for n in range(40):
        body = visitor.add()
        (member,) = re.findall(rf"ZADD {re.escape(LADDER)} \d+ (\w+)", "\n".join(commands(body)))
        new.append(member)
        assert body["notices"] == [], n
    assert len(set(new) | known) == 50
    assert new == sorted(new, key=str.encode)
    assert min(new, key=str.encode).encode() > MINE.encode()
    assert {branded.parse(member).minted_ms for member in new} == {T0}


def test_the_41st_action_is_refused_in_words_and_does_nothing(
    visitor: Visitor, valkey: Valkey
) -> None:
    for _ in range(40):
        visitor.add()
    before = ladder(valkey, visitor.token)
    address = visitor.move(2, 17)["address"]
    body = visitor.add()
    assert any("40" in notice for notice in body["notices"])
    assert body["address"] == address
    assert not any(c.startswith(("ZADD", "INCR", "ZPOPMIN")) for c in commands(body))
    refused = visitor.serve()
    assert any("40" in notice for notice in refused["notices"])
    assert ladder(valkey, visitor.token) == before


def test_after_40_actions_the_sliders_still_move_and_reset_goes_on(visitor: Visitor) -> None:
    for _ in range(40):
        visitor.add()
    assert visitor.move(1, 1)["position"] == {"rank": 0, "of": 50}
    assert len(visitor.reset()["order"]) == 10
    assert visitor.add()["notices"] == []


def test_reset_restores_the_start_and_says_so(visitor: Visitor, valkey: Valkey) -> None:
    start = shown(visitor.move(2, 17))
    visitor.move(5, 999)
    visitor.add()
    visitor.serve()
    body = visitor.reset()
    assert shown(body) == start == ladder(valkey, visitor.token)
    assert body["inputs"] == {"tier": 2, "arrival": 17}
    assert body["address"].endswith("?tier=2&arrival=17")
    assert valkey.admin.get(key(visitor.token, COUNTER)) == str(COUNTED)
    assert re.search(r"\b(back|start|reset)", body["sentence"], re.I)
    assert body["notices"] == []


def test_reset_ignores_where_the_sliders_stood(visitor: Visitor) -> None:
    body = visitor.ask(action="reset", tier=5, arrival=999, full=1)
    assert body["inputs"] == {"tier": 2, "arrival": 17}
    assert body["position"] == {"rank": 4, "of": 10}
    assert body["notices"] == []


def test_an_action_without_a_token_sets_the_scene_first(client: FlaskClient) -> None:
    body = Visitor(client).serve()
    assert len(body["order_before"]) == 10
    assert len(body["order"]) == 9


def test_two_visitors_never_see_each_other(client: FlaskClient, valkey: Valkey) -> None:
    one, other = Visitor(client), Visitor(client)
    one.move(2, 17)
    other.move(2, 17)
    stands = ladder(valkey, other.token)
    one.serve()
    one.add()
    one.move(5, 5)
    assert one.token.split(".")[0] != other.token.split(".")[0]
    assert ladder(valkey, other.token) == stands


def counted(text: str) -> list[int]:
    """Return the numbers of a sentence, words below eleven too."""
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    found = re.findall(
        r"\b(?:\d+|" + "|".join(words[1:]) + r")\b(?= more urgent| of its own)", text
    )
    return [words.index(one) if one in words else int(one) for one in found]


def test_behind_many_the_sentence_counts_them_as_the_server_does(
    visitor: Visitor, valkey: Valkey
) -> None:
    visitor.move(1, 5)
    for _ in range(15):
        visitor.add()
    for act in (lambda: visitor.move(2, 900), lambda: visitor.add(), lambda: visitor.serve()):
        body = act()
        urgent = valkey.admin.zcount(key(visitor.token, LADDER), "-inf", f"({2 * 2**32}")
        same = body["position"]["rank"] - urgent
        assert urgent > 11
        assert counted(body["sentence"]) == [urgent, same], body["sentence"]
    # Where all that are ahead are shown, nothing is counted for it.
    last = visitor.reset()
    assert counted(last["sentence"]) == []


@pytest.mark.parametrize(
    ("tier", "arrival", "told"),
    [
        (2, 17, "joined tier 2 as no. 641, "),
        (5, 17, "joined tier 5 as no. 641, "),
        (2097152, 17, "joined tier 2097152 as no. 641, which its score reads back as no. 640, "),
        (3, 2**32, f"joined tier 3 as no. {2**32 + 1}, which its score reads back as no. 1, "),
        (
            2097152,
            2**32,
            f"joined tier 2097152 as no. {2**32 + 1}, which its score reads back as no. 0, ",
        ),
    ],
)
def test_a_job_joins_with_the_number_that_incr_gave_and_what_is_read_back_is_said(
    visitor: Visitor, tier: int, arrival: int, told: str
) -> None:
    visitor.move(tier, arrival, full=True)
    body = visitor.ask(action="add", full=1)
    incr = next(one for one in body["steps"] if one["command"].startswith("INCR"))
    assert f"as no. {incr['reply'].removeprefix('(integer) ')}" in body["sentence"]
    assert told in body["sentence"]


def test_an_emptied_queue_is_said_once_and_the_guess_with_it(visitor: Visitor) -> None:
    for _ in range(10):
        visitor.serve()
    assert visitor.serve()["sentence"].count("empty") == 1
    guessed = visitor.serve(MINE)["sentence"]
    assert guessed.startswith("You said ")
    assert guessed.count("empty") == 1
