"""The figure two-designs against a real Valkey: one workload both ways, and why they part."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from decoder.encodings import branded
from decoder.figures.two_designs import OTHERS
from tests.server.test_cost import ANSWER_BYTES_MOST, sent
from tests.support.figure import JSON, MINE, STREAM, Body, Visitor, ladder, messages
from tests.support.figure import Page as FigurePage
from tests.support.valkey import Valkey

FIGURE = "/figures/two-designs"
RUNS = f"{FIGURE}/runs"
T0 = 1780226888000
QUEUE = "emq:{orders}:"
RANGE = list(product(range(1, 4), range(121)))
INPUTS = st.tuples(st.integers(1, 3), st.integers(0, 120))
EDGES = [(tier, delay) for tier in (1, 2, 3) for delay in (0, 1, 2, 58, 59, 60, 61, 120)]


class Job(NamedTuple):
    """One job of the workload as the model sees it; times in seconds from t0."""

    member: str
    minted: int
    tier: int
    delay: int

    @property
    def due(self) -> int:
        return self.minted + self.delay


def workload(tier: int, delay: int) -> list[Job]:
    """Return the four jobs in the order of their mint; the others are ours to choose."""
    jobs = [(0, tier, delay), *OTHERS]
    return [Job(branded.mint(T0 + s * 1000), s, t, d) for s, t, d in sorted(jobs)]


def by_score(jobs: list[Job]) -> list[str]:
    """Model the ladder: tier, then arrival; who waits arrives after all, in the order of dues.

    Two that are due in one millisecond have slots in the order in which they were added.
    """
    at_once = [job for job in jobs if not job.delay]
    waiting = sorted((job for job in jobs if job.delay), key=lambda job: (job.due, job.minted))
    arrived = {job.member: n for n, job in enumerate([*at_once, *waiting])}
    ordered = sorted(jobs, key=lambda job: (job.tier, arrived[job.member]))
    return [job.member for job in ordered]


def by_member(jobs: list[Job]) -> list[str]:
    """Model the pending set: whoever was minted first."""
    return [job.member for job in sorted(jobs, key=lambda job: job.minted)]


class Reader(Visitor):
    """Someone at this figure, in one sandbox."""

    runs = RUNS

    def serve_all(self, tier: int, delay: int) -> Body:
        return self.ask(tier=tier, delay=delay)


class Page(FigurePage):
    """A page of this figure as a reader without scripts gets it."""

    figure = "two_designs"

    @property
    def orders(self) -> list[list[str]]:
        """The members of the two columns, from first served to last."""
        columns = self.tree.xpath('//*[@id="two_designs_order"]//ol')
        names = [column.xpath("li/code/text()") for column in columns]
        return [[MINE if name == "your job" else str(name) for name in column] for column in names]


@pytest.fixture
def reader(client: FlaskClient) -> Reader:
    return Reader(client)


opened = Page.opened


def served(order: list[dict[str, Any]]) -> list[str]:
    return [placed["member"] for placed in order]


def ordinal(place: int) -> str:
    return ["1st", "2nd", "3rd", "4th"][place]


def keys(valkey: Valkey, token: str) -> list[str]:
    """Return what this figure's lane holds."""
    lane = "{sbx:" + token.split(".")[0] + "}:two-designs:"
    return [name for name in valkey.admin.scan_iter() if name.startswith(lane)]


def test_both_orders_are_those_of_an_independent_model_for_every_tier_and_delay(
    reader: Reader,
) -> None:
    for tier, delay in RANGE:
        body, jobs = reader.serve_all(tier, delay), workload(tier, delay)
        assert served(body["order_before"]) == by_score(jobs), (tier, delay)
        assert served(body["order"]) == by_member(jobs), (tier, delay)
        assert body["inputs"] == {"tier": tier, "delay": delay}


def test_the_sentence_names_the_first_place_where_the_orders_part(reader: Reader) -> None:
    for tier, delay in RANGE:
        sentence, jobs = reader.serve_all(tier, delay)["sentence"], workload(tier, delay)
        pairs = list(zip(by_score(jobs), by_member(jobs), strict=True))
        parting = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
        if parting is None:
            assert sentence.startswith("Both designs serve these jobs in the same order")
            continue
        assert sentence.startswith(f"They part at the {ordinal(parting)} place.")
        first, second = pairs[parting]
        names = ["your job" if one == MINE else one[-3:] for one in (first, second)]
        score, member = sentence.split("Order in the member")
        assert names[0] in score
        assert names[1] in member


def test_the_reason_that_is_given_for_the_order_in_the_score_is_true(reader: Reader) -> None:
    untrue = []
    for tier, delay in RANGE:
        sentence, work = reader.serve_all(tier, delay)["sentence"], workload(tier, delay)
        sentence = sentence.partition(" Within tier")[0]
        jobs = {job.member: job for job in work}
        pairs = zip(by_score(work), by_member(work), strict=True)
        first, second = next((pair for pair in pairs if pair[0] != pair[1]), (MINE, MINE))
        one, other = jobs[first], jobs[second]
        tiers = re.search(r"tier (\d) goes before tier (\d)", sentence)
        if tiers:
            assert [int(n) for n in tiers.groups()] == [one.tier, other.tier]
            assert one.tier < other.tier
        if "due earlier" in sentence and not one.due < other.due:
            untrue.append((tier, delay))
    assert untrue == []


def test_the_reason_that_is_given_for_the_order_in_the_member_is_true(reader: Reader) -> None:
    for tier, delay in RANGE:
        sentence, work = reader.serve_all(tier, delay)["sentence"], workload(tier, delay)
        jobs = {job.member: job for job in work}
        pairs = zip(by_score(work), by_member(work), strict=True)
        parted = next((pair for pair in pairs if pair[0] != pair[1]), None)
        if parted is not None:
            first, second = (jobs[member] for member in parted)
            assert "because its id was minted first" in sentence
            assert second.minted < first.minted
            assert ("it knows no tier" in sentence) == (first.tier != second.tier)


def test_a_wait_is_told_exactly_where_it_changed_the_order_within_a_tier(reader: Reader) -> None:
    for tier, delay in RANGE:
        sentence, work = reader.serve_all(tier, delay)["sentence"], workload(tier, delay)
        jobs, minted = {job.member: job for job in work}, by_member(work)
        turned = [
            (one, other)
            for one, other in combinations(by_score(work), 2)
            if jobs[one].tier == jobs[other].tier and minted.index(one) > minted.index(other)
        ]
        assert ("Within tier" in sentence) == bool(turned), (tier, delay)
        if turned:
            told = sentence.partition(" Within tier ")[2]
            names = ["your job" if name == MINE else f"JOB…{name[-3:]}" for name in turned[0]]
            begins = (
                f"{jobs[turned[0][0]].tier} the score puts {names[0]} before {names[1]}, because"
            )
            assert told.startswith(begins)
            assert all(jobs[other].delay for _, other in turned), "only a wait turns them"


def test_the_json_names_each_order_by_its_design(reader: Reader) -> None:
    for tier, delay in EDGES:
        body, jobs = reader.serve_all(tier, delay), workload(tier, delay)
        assert {name: served(order) for name, order in body["orders"].items()} == {
            "packed": by_score(jobs),
            "one-number": by_member(jobs),
        }
        assert body["orders"]["one-number"] == body["order"]


@given(inputs=INPUTS)
@settings(max_examples=40)
def test_what_is_due_earlier_on_the_ladder_is_served_earlier_in_its_tier(
    client: FlaskClient, inputs: tuple[int, int]
) -> None:
    order = Reader(client).serve_all(*inputs)["order_before"]
    waited = [p for p in order if "due_ms" in p["facts"]]
    tiers = [p["facts"]["tier"] for p in order]
    assert tiers == sorted(tiers)
    for tier in {p["facts"]["tier"] for p in waited}:
        dues = [p["facts"]["due_ms"] for p in waited if p["facts"]["tier"] == tier]
        assert dues == sorted(dues)


@pytest.mark.parametrize(("tier", "delay"), EDGES)
def test_the_scores_are_those_that_the_two_designs_store(
    reader: Reader, tier: int, delay: int
) -> None:
    body, jobs = reader.serve_all(tier, delay), {job.member: job for job in workload(tier, delay)}
    assert {placed["score"] for placed in body["order"]} == {"0"}
    for placed in body["order_before"]:
        assert int(placed["score"]) >> 32 == jobs[placed["member"]].tier
    arrivals = sorted(int(placed["score"]) & 0xFFFFFFFF for placed in body["order_before"])
    assert arrivals == [1, 2, 3, 4]
    assert [p["mine"] for p in body["order"]].count(True) == 1
    assert body["position"] == {"rank": by_member(list(jobs.values())).index(MINE), "of": 4}


@pytest.mark.parametrize(("tier", "delay"), EDGES)
def test_what_waits_is_scored_by_its_due_time_in_either_design(
    reader: Reader, tier: int, delay: int
) -> None:
    sent_commands = [step["command"] for step in reader.serve_all(tier, delay)["steps"]]
    taken: dict[int, int] = {}
    for job in workload(tier, delay):
        if not job.delay:
            continue
        due_ms = T0 + job.due * 1000
        slot = taken.get(due_ms, 0)
        taken[due_ms] = slot + 1
        assert f"ZADD {QUEUE}delayed {due_ms * 4096 + slot} {job.member}" in sent_commands
        assert f"ZADD {QUEUE}schedule {due_ms} {job.member}" in sent_commands


def test_nothing_is_left_on_the_server_once_all_is_served(reader: Reader, valkey: Valkey) -> None:
    for tier, delay in EDGES:
        body = reader.serve_all(tier, delay)
        assert keys(valkey, reader.token) == []
        assert len(body["order"]) == len(body["order_before"]) == 4


def test_the_names_are_those_of_the_contract(reader: Reader) -> None:
    body = reader.serve_all(2, 90)
    assert body["figure"] == "two-designs"
    assert body["clock"] == "pinned"
    assert body["now_ms"] == T0 + 90_000
    assert body["score"]["computed"] is None
    assert body["score"]["agrees"] is None


@pytest.mark.parametrize(("tier", "delay"), EDGES)
def test_the_address_shows_the_same_two_orders_to_everyone(
    client: FlaskClient, tier: int, delay: int
) -> None:
    body = Reader(client).serve_all(tier, delay)
    page = opened(client, body["address"])
    assert body["address"] == f"{FIGURE}?tier={tier}&delay={delay}"
    assert page.orders == [served(body["order_before"]), served(body["order"])]
    assert page.sentence == body["sentence"]
    assert page.notices == []


def test_the_bare_page_shows_two_orders_that_part_from_an_executed_run(
    client: FlaskClient,
) -> None:
    page = opened(client, FIGURE)
    jobs = workload(1, 0)
    assert page.orders == [by_score(jobs), by_member(jobs)]
    assert page.orders[0] != page.orders[1]
    assert "They part at" in page.sentence
    steps = page.tree.xpath('//*[@id="two_designs_steps"]//kbd/text()')
    assert f"ZPOPMIN {QUEUE}prioritized 9" in steps
    assert f"ZPOPMIN {QUEUE}pending 9" in steps


def test_no_answer_of_the_stream_is_longer_than_8_kib_over_the_whole_range(
    reader: Reader,
) -> None:
    reader.serve_all(1, 0)
    sizes = {}
    for tier, delay in RANGE:
        answer = reader.post(STREAM, tier=tier, delay=delay)
        assert len(messages(answer.text)) == 3
        sizes[tier, delay] = len(answer.data)
    assert max(sizes.values()) <= ANSWER_BYTES_MOST


@pytest.mark.parametrize("fields", [{"tier": 2, "delay": 59}, {"action": "reset"}, {"tier": "x"}])
@pytest.mark.parametrize("headers", [JSON, STREAM], ids=["json", "stream"])
def test_every_interaction_is_one_evalsha_and_nothing_else(
    reader: Reader, valkey: Valkey, headers: dict[str, str], fields: dict[str, Any]
) -> None:
    reader.serve_all(1, 0)
    assert sent(valkey, lambda: reader.post(headers, **fields).data) == ["EVALSHA"]


def test_an_answer_in_a_sandbox_that_stands_says_nothing_of_a_lost_queue(reader: Reader) -> None:
    reader.serve_all(1, 0)
    assert reader.serve_all(2, 30)["notices"] == []
    assert reader.ask(action="reset")["notices"] == []


def test_a_double_click_answers_the_same_twice(shared_app: Flask, valkey: Valkey) -> None:
    first = Reader(shared_app.test_client()).serve_all(1, 0)
    token = first["sandbox"]["token"]

    def click(seq: int) -> Body:
        return Reader(shared_app.test_client(), token, seq).serve_all(2, 30)

    with ThreadPoolExecutor(2) as pool:
        bodies = list(pool.map(click, (5, 5)))
    jobs = workload(2, 30)
    for body in bodies:
        assert served(body["order_before"]) == by_score(jobs)
        assert served(body["order"]) == by_member(jobs)
    assert keys(valkey, token) == []


def test_an_older_request_says_so_and_claims_nothing_of_orders_that_it_did_not_see(
    reader: Reader,
) -> None:
    reader.ask(seq=9, tier=1, delay=0)
    body = reader.ask(seq=3, tier=2, delay=30)
    assert any("newer" in notice for notice in body["notices"])
    assert "Both designs" not in body["sentence"]


def test_other_figures_in_the_sandbox_stay_as_they_were(
    client: FlaskClient, valkey: Valkey
) -> None:
    slider = Visitor(client)
    slider.move(3, 33)
    before = ladder(valkey, slider.token)
    Reader(client, slider.token).serve_all(1, 60)
    assert ladder(valkey, slider.token) == before
    assert slider.ask(action="keep")["address"].endswith("?tier=3&arrival=33")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"tier": "0", "delay": "0"}, ["1 to 3", "became 1"]),
        ({"tier": "9", "delay": "0"}, ["1 to 3", "became 3"]),
        ({"tier": "x", "delay": "0"}, ["1 to 3", "x", "it is 1"]),
        ({"tier": "1", "delay": "-1"}, ["0 to 120", "became 0"]),
        ({"tier": "1", "delay": "121"}, ["0 to 120", "became 120"]),
        ({"tier": "1", "delay": "nan"}, ["0 to 120", "it is 0"]),
        ({"tier": "1", "delay": "1e999999999"}, ["0 to 120", "became 120"]),
    ],
)
def test_a_bad_value_is_moved_to_the_nearest_valid_one_and_the_limit_is_told(
    client: FlaskClient, fields: dict[str, str], told: list[str]
) -> None:
    body = Reader(client).ask(**fields)
    page = opened(client, f"{FIGURE}?tier={fields['tier']}&delay={fields['delay']}")
    for notices in (body["notices"], page.notices):
        (notice,) = notices
        assert [part for part in told if part not in notice] == []
    assert len(body["order"]) == 4


def test_an_unknown_action_is_told_and_the_workload_served(reader: Reader) -> None:
    body = reader.ask(action="promote", tier=1, delay=0)
    assert "promote" in body["notices"][0]
    assert len(body["order"]) == 4


def test_unknown_fields_of_an_address_change_nothing(client: FlaskClient) -> None:
    page = opened(client, f"{FIGURE}?then=nonsense&reading=x&step=9")
    assert page.orders == opened(client, FIGURE).orders


@given(
    fields=st.dictionaries(
        st.sampled_from(["tier", "delay", "action", "seq", "token", "full", "nudge", "then"]),
        st.text(max_size=10) | st.sampled_from(["1", "move", "reset", "inf", "tier:1", "delay:-1"]),
        max_size=5,
    )
)
@settings(max_examples=60)
def test_no_text_in_any_field_is_answered_with_a_fault(
    client: FlaskClient, fields: dict[str, str]
) -> None:
    for headers in (JSON, STREAM, {"Accept": "text/html"}):
        assert client.post(RUNS, data=fields, headers=headers).status_code == 200
    assert client.get(FIGURE, query_string=fields).status_code == 200


@pytest.mark.parametrize(
    ("nudge", "inputs"),
    [
        ("tier:1", {"tier": 2, "delay": 30}),
        ("delay:1", {"tier": 1, "delay": 31}),
        ("delay:-1", {"tier": 1, "delay": 29}),
    ],
)
def test_the_buttons_beside_a_slider_move_it_by_one_without_scripts(
    reader: Reader, nudge: str, inputs: dict[str, int]
) -> None:
    assert reader.ask(tier=1, delay=30, nudge=nudge)["inputs"] == inputs


# What is asked before a workload is served.


def came(jobs: list[Job]) -> str:
    at, by_mint = by_score(jobs).index(MINE), by_member(jobs).index(MINE)
    return "same" if at == by_mint else "score" if at < by_mint else "member"


@pytest.mark.parametrize("guess", ["score", "member", "same"])
def test_an_answer_is_judged_by_where_each_design_served_the_job(
    reader: Reader, guess: str
) -> None:
    for tier, delay in RANGE[::3]:
        jobs = workload(tier, delay)
        body = reader.ask(tier=tier, delay=delay, guess=guess)
        true = came(jobs)
        assert body["guess"] == {"said": guess, "served": true, "right": guess == true}
        at, by_mint = by_score(jobs).index(MINE), by_member(jobs).index(MINE)
        joined = ", and" if guess == true else ";"
        where = f"{ordinal(at)} by the score and {ordinal(by_mint)} by the member"
        where = f"{ordinal(at)} in both designs" if at == by_mint else where
        said, _, because = body["sentence"].partition(f"”{joined} Valkey served your job {where}, ")
        assert said.startswith("You said “"), (tier, delay)
        assert because.startswith("because by the score ")
        assert because.endswith(f", and its id was minted {ordinal(by_mint)}.")


def test_the_reason_that_is_given_for_the_place_of_the_job_is_true(reader: Reader) -> None:
    for tier, delay in RANGE[::3]:
        jobs = {job.member: job for job in workload(tier, delay)}
        order = by_score([*jobs.values()])
        at = order.index(MINE)
        first, second = (jobs[one] for one in (order[:2] if at == 0 else order[at - 1 : at + 1]))
        told = reader.ask(tier=tier, delay=delay, guess="same")["sentence"].partition(", and its")[
            0
        ]
        tiers = re.search(r"tier (\d) goes before tier (\d)", told)
        assert bool(tiers) is (first.tier != second.tier)
        if tiers:
            assert [int(n) for n in tiers.groups()] == [first.tier, second.tier]
        if "due earlier" in told:
            assert first.due < second.due
        assert ("is just ahead" in told) is (at > 0)


def test_an_answer_changes_nothing_of_what_is_served(reader: Reader) -> None:
    silent, said = reader.serve_all(3, 0), reader.ask(tier=3, delay=0, guess="same")
    assert "guess" not in silent
    assert said["orders"] == silent["orders"]
    assert [one["command"] for one in said["steps"]] == [one["command"] for one in silent["steps"]]


def test_an_answer_is_part_of_the_address_until_something_else_is_served(
    client: FlaskClient,
) -> None:
    reader = Reader(client)
    body = reader.ask(tier=1, delay=120, guess="score")
    assert body["address"] == f"{FIGURE}?tier=1&delay=120&guess=score"
    page = opened(client, body["address"])
    assert (page.sentence, page.notices) == (body["sentence"], [])
    assert page.address == body["address"]
    assert reader.serve_all(1, 119)["address"] == f"{FIGURE}?tier=1&delay=119"
    assert "guess" not in reader.ask(action="reset", guess="score")


@pytest.mark.parametrize("guess", ["nonsense", "SAME", "x" * 900])
def test_what_is_no_answer_is_told_and_the_workload_served(reader: Reader, guess: str) -> None:
    body = reader.ask(tier=1, delay=0, guess=guess)
    (notice,) = body["notices"]
    assert guess[:24] in notice
    assert "score, member, same" in notice
    assert "guess" not in body
    assert len(body["order"]) == 4


def test_each_question_is_of_a_workload_that_is_not_on_screen_and_leads_on_to_the_next(
    client: FlaskClient,
) -> None:
    true, address = [], f"{FIGURE}"
    for _ in range(4):
        page = opened(client, address)
        (group,) = page.tree.xpath('//*[@role="group"][@data-for][not(@hidden)]')
        *answers, silent = group.xpath("a")
        (tier, delay), *_ = re.findall(r"tier=(\d)&delay=(\d+)$", silent.get("href"))
        assert f"tier={tier}&delay={delay}" not in page.address
        assert group.findtext("p") == group.get("aria-label")
        assert f"Give your job tier {tier} and " in group.findtext("p")
        assert not opened(client, FIGURE + silent.get("href")).sentence.startswith("You said")
        for link in answers:
            assert opened(client, FIGURE + link.get("href")).sentence.startswith("You said “")
        true.append(came(workload(int(tier), int(delay))))
        address = FIGURE + answers[0].get("href")
    assert set(true) == {"score", "member", "same"}, "no answer is always the right one"


@pytest.mark.parametrize(("tier", "delay"), EDGES)
def test_a_question_never_asks_what_is_on_screen(
    client: FlaskClient, tier: int, delay: int
) -> None:
    page = opened(client, f"{FIGURE}?tier={tier}&delay={delay}")
    links = page.tree.xpath('//*[@role="group"][@data-for][not(@hidden)]//a/@href')
    assert len(links) == 4
    asked = {str(link).removeprefix("?").partition("&guess")[0] for link in links}
    assert len(asked) == 1
    assert asked != {f"tier={tier}&delay={delay}"}


@pytest.mark.parametrize("guess", ["score", "member", "same"])
def test_no_stream_with_an_answer_is_longer_than_8_kib(reader: Reader, guess: str) -> None:
    reader.serve_all(1, 0)
    for tier, delay in RANGE[::3]:
        stream = reader.post(STREAM, tier=tier, delay=delay, guess=guess)
        assert len(stream.data) <= ANSWER_BYTES_MOST, (tier, delay)
    assert messages(stream.text)[-1].parts["two_designs_sentence"].startswith("You said “")


def test_an_older_request_judges_no_answer(reader: Reader) -> None:
    reader.ask(seq=9, tier=1, delay=0)
    body = reader.ask(seq=3, tier=1, delay=120, guess="same")
    assert "guess" not in body
