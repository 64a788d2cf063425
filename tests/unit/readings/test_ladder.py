"""The one plain sentence: where a job stands, who was served, and why."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decoder.readings import ladder
from decoder.readings.run import Guess, Order, Placed

MINE = "JOB0Nb1VTbfnu4"


def placed(rank: int, member: str, tier: int, arrival: int) -> Placed:
    score = str(tier * 2**32 + arrival)
    return Placed(rank, member, score, {"tier": tier, "arrival": arrival}, member == MINE)


def order(*jobs: tuple[str, int, int]) -> Order:
    members = [placed(rank, *job) for rank, job in enumerate(jobs)]
    mine = next((one for one in members if one.mine), None)
    return Order(members, mine and mine.rank, len(members), mine and mine.score)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"),
        (13, "13th"), (21, "21st"), (22, "22nd"), (23, "23rd"), (101, "101st"), (111, "111th"),
        (112, "112th"), (1011, "1011th"), (10_000, "10000th"),
    ],
)  # fmt: skip
def test_ordinals_are_written_as_people_write_them(number: int, text: str) -> None:
    assert ladder.ordinal(number) == text


def test_the_sentence_of_the_default_names_both_groups_ahead() -> None:
    said = ladder.stand(
        order(
            ("a", 1, 9),
            ("b", 1, 640),
            ("c", 2, 4),
            ("d", 2, 15),
            (MINE, 2, 17),
            ("e", 2, 30),
        )
    )
    assert "5th of 6" in said
    assert "both tier-1 jobs" in said
    assert "623 arrivals later" in said
    assert "the two that reached tier 2 before it" in said
    assert said.endswith(".")


def past_the_limit(arrival: int) -> Order:
    """Return an order in which my job's score is a double past 2**53, which rounds its arrival."""
    stored = int(float(2097152 * 2**32 + arrival))
    return order(("a", 1, 9), ("b", 1, 640), (MINE, 2097152, stored % 2**32))


@given(arrival=st.integers(1, 639))
@example(arrival=5)
@example(arrival=4)
def test_past_the_limit_nobody_is_said_to_have_come_so_many_arrivals_later(arrival: int) -> None:
    said = ladder.stand(past_the_limit(arrival))
    assert said == "Your job is 3rd of 3: behind both tier-1 jobs."


def test_at_the_last_exact_tier_how_many_came_between_is_still_told() -> None:
    said = ladder.stand(order(("a", 1, 640), (MINE, 2097151, 5)))
    assert "though it came 635 arrivals later" in said


def test_the_first_is_served_next() -> None:
    said = ladder.stand(order((MINE, 1, 1), ("a", 1, 9)))
    assert "1st of 2" in said
    assert "served next" in said


def test_a_served_job_and_an_empty_queue_are_said() -> None:
    assert "empty" in ladder.stand(Order([], None, 0, None))
    assert "served" in ladder.stand(order(("a", 1, 9)))


def test_a_tie_is_told_by_the_bytes() -> None:
    said = ladder.stand(order(("JOB0Nb1UsyqpJw", 1, 9), (MINE, 1, 9)))
    assert "equal" in said
    assert "bytes" in said
    assert "pJw" in said


@given(
    jobs=st.lists(
        st.tuples(st.integers(1, 5), st.integers(1, 99)), min_size=0, max_size=12, unique=True
    ),
    mine=st.tuples(st.integers(1, 5), st.integers(1, 99)),
)
def test_the_sentence_says_the_rank_and_counts_everyone_ahead(
    jobs: list[tuple[int, int]], mine: tuple[int, int]
) -> None:
    others = [(f"JOB{n:011}", *job) for n, job in enumerate(jobs) if job != mine]
    whole = sorted([*others, (MINE, *mine)], key=lambda job: job[1:])
    stands = order(*whole)
    said = ladder.stand(stands)
    assert stands.rank is not None
    assert f"{ladder.ordinal(stands.rank + 1)} of {len(whole)}" in said
    urgent = sum(job[1] < mine[0] for job in others)
    before = sum(job[1] == mine[0] and job[2] < mine[1] for job in others)
    assert ("more urgent" in said or "tier-" in said) == (urgent > 0)
    assert (f"that reached tier {mine[0]} before it" in said) == (before > 0)
    assert said.endswith(".")
    assert not re.search(r"  |,\.|\{|\}|None", said)


HEAD, LATER = placed(0, "JOB0Nb1UsyqpJw", 1, 9), placed(1, "JOB0Nb2FTrx9Hc", 1, 640)
OWN = placed(2, MINE, 2, 17)


@pytest.mark.parametrize(
    ("said", "guess", "words"),
    [
        (None, None, ["Valkey served JOB…pJw", "tier 1", "no. 9"]),
        (HEAD, Guess(HEAD.member, HEAD.member, True), ["You said JOB…pJw", "Valkey served it"]),
        (
            OWN,
            Guess(MINE, HEAD.member, False),
            ["You said your job", "Valkey served JOB…pJw, because", "tier 1", "tier 2"],
        ),
        (
            LATER,
            Guess(LATER.member, HEAD.member, False),
            ["You said JOB…9Hc", "because", "no. 9", "no. 640"],
        ),
        (None, Guess("nobody", HEAD.member, False), ["You said nobody", "not waiting"]),
    ],
)
def test_who_was_served_is_said_with_and_without_a_guess(
    said: Placed | None, guess: Guess | None, words: list[str]
) -> None:
    sentence = ladder.served(HEAD, said, guess)
    assert all(word in sentence for word in words), sentence


@pytest.mark.parametrize("guess", [None, Guess("JOB0Nb1VTbfnv1", None, False)])
def test_serving_no_one_is_said_once_and_a_guess_as_well(guess: Guess | None) -> None:
    said = ladder.served(None, None, guess)
    assert said.count("empty") == 1
    assert "no one" in said
    assert ("You said JOB…nv1" in said) == (guess is not None)


def test_a_job_alone_in_its_tier_stands_behind_nobody() -> None:
    alone = order(("JOB0Nb1VTbfnv1", 5, 641))
    said = ladder.joined(alone.members[0], 5, 641, alone)
    assert "behind" not in said
    assert "the only one of its tier: 1st of 1" in said
    last = order(("a", 2, 4), ("JOB0Nb1VTbfnv1", 5, 641))
    assert "the only one of its tier: 2nd of 2" in ladder.joined(last.members[1], 5, 641, last)


@pytest.mark.parametrize(
    ("urgent", "rank", "words"),
    [
        (12, 39, "behind 12 more urgent jobs and 27 of its own tier; "),
        (1, 39, "behind one more urgent job and 38 of its own tier; "),
        (39, 39, "behind 39 more urgent jobs; "),
        (0, 39, "behind 39 of its own tier; "),
        (None, 39, ""),
    ],
)
def test_a_crowd_ahead_is_counted_by_why_it_is_ahead(
    urgent: int | None, rank: int, words: str
) -> None:
    window = [placed(rank - 1, "a", 3, 4), placed(rank, MINE, 3, 17)]
    said = ladder.stand(Order(window, rank, 50, window[1].score, None, urgent))
    assert f"40th of 50: {words}the one just before it is a (tier 3, no. 4)." in said


def test_a_long_id_is_shortened_to_where_its_siblings_differ() -> None:
    assert ladder.short("JOB0Nb1VTbfnu4") == "JOB…nu4"
    assert ladder.short("nobody") == "nobody"


def test_a_job_that_joins_is_said_to_stand_behind_its_tier() -> None:
    stands = order(("a", 2, 4), (MINE, 2, 17), ("JOB0Nb1VTbfnv1", 2, 641))
    said = ladder.joined(stands.members[2], 2, 641, stands)
    assert "no. 641" in said
    assert "behind everyone in its tier" in said
    assert "3rd of 3" in said


def test_a_job_that_joins_after_the_wrap_is_said_to_stand_in_front() -> None:
    stands = order(("JOB0Nb1VTbfnv1", 2, 1), ("a", 2, 4), (MINE, 2, 17))
    assert "wrapped" in ladder.joined(stands.members[0], 2, 2**32 + 1, stands)
