"""State is in the address: opening one replays moves and actions, the same for everyone."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.support.figure import (
    FIGURE,
    HTML,
    MINE,
    STREAM,
    Page,
    Visitor,
    ladder,
    messages,
    shown,
)
from tests.support.valkey import Valkey

DIVE = "/redis-patterns/time-delay-priority/score-as-meaning/packed"

Step = tuple[str, dict[str, Any]]

PLAIN_MOVE = st.builds(
    lambda tier, arrival: {"tier": tier, "arrival": arrival},
    st.integers(1, 5),
    st.integers(1, 999),
)
FULL_MOVE = st.builds(
    lambda tier, arrival: {"tier": tier, "arrival": arrival, "full": 1},
    st.integers(1, 2097152),
    st.integers(0, 2**32) | st.integers(0, 999),
)
SERVE = st.sampled_from([{"action": "serve"}, {"action": "serve", "guess": MINE}])
ADD = st.just({"action": "add"})
STORY = st.lists(PLAIN_MOVE | SERVE | ADD, max_size=12)
FULL_STORY = st.lists(
    PLAIN_MOVE | FULL_MOVE | SERVE | ADD | st.just({"action": "add", "full": 1}), max_size=12
)


def live(client: FlaskClient, story: list[dict[str, Any]]) -> tuple[Visitor, dict[str, Any]]:
    """Do a story request by request; return the visitor and the last run."""
    visitor = Visitor(client)
    body = visitor.move(2, 17)
    for fields in story:
        body = visitor.ask(**fields)
    return visitor, body


opened = Page.opened


@given(story=STORY)
@settings(max_examples=60)
@example(story=[{"action": "serve"}, {"action": "add"}])
@example(story=[{"tier": 1, "arrival": 900}, {"tier": 2, "arrival": 17}, {"action": "add"}])
@example(story=[{"tier": 1, "arrival": 1}, {"action": "serve"}, {"tier": 1, "arrival": 1}])
def test_opening_the_address_of_a_run_shows_the_same_queue(
    client: FlaskClient, valkey: Valkey, story: list[dict[str, Any]]
) -> None:
    visitor, body = live(client, story)
    page = opened(client, body["address"])
    assert ladder(valkey, page.token) == ladder(valkey, visitor.token)
    head = [body["head"]["member"]] if "head" in body else []
    assert page.members == head + [member for member, _ in shown(body)]
    assert page.notices == []


@given(story=FULL_STORY)
@settings(max_examples=60)
@example(story=[{"tier": 9, "arrival": 17, "full": 1}, {"action": "add"}])
@example(
    story=[{"tier": 9, "arrival": 17, "full": 1}, {"action": "serve"}, {"tier": 2, "arrival": 1}]
)
@example(
    story=[{"tier": 1, "arrival": 2**32, "full": 1}, {"tier": 2, "arrival": 17}, {"action": "add"}]
)
def test_the_full_range_is_replayed_too(
    client: FlaskClient, valkey: Valkey, story: list[dict[str, Any]]
) -> None:
    visitor, body = live(client, story)
    page = opened(client, body["address"])
    assert ladder(valkey, page.token) == ladder(valkey, visitor.token)
    assert page.notices == []


def test_a_late_arrival_that_was_left_again_counts_in_the_replay(
    client: FlaskClient, valkey: Valkey
) -> None:
    visitor, body = live(
        client, [{"tier": 2, "arrival": 900}, {"tier": 2, "arrival": 17}, {"action": "add"}]
    )
    page = opened(client, body["address"])
    assert ladder(valkey, page.token) == ladder(valkey, visitor.token)


def test_the_address_of_a_full_range_move_survives_an_action_that_does_not_repeat_it(
    client: FlaskClient, valkey: Valkey
) -> None:
    visitor, body = live(client, [{"tier": 2097152, "arrival": 17, "full": 1}, {"action": "add"}])
    page = opened(client, body["address"])
    assert ladder(valkey, page.token) == ladder(valkey, visitor.token)


@given(story=STORY)
@settings(max_examples=30)
def test_the_address_of_the_opened_page_is_the_address(
    client: FlaskClient, story: list[dict[str, Any]]
) -> None:
    _, body = live(client, story)
    assert opened(client, body["address"]).address == body["address"]


@given(story=STORY, more=PLAIN_MOVE | SERVE)
@settings(max_examples=30)
@example(
    story=[{"tier": 1, "arrival": 900}, {"tier": 2, "arrival": 17}, {"action": "add"}],
    more={"action": "serve"},
)
def test_an_opened_address_goes_on_as_the_first_queue_would(
    client: FlaskClient, story: list[dict[str, Any]], more: dict[str, Any]
) -> None:
    visitor, body = live(client, story)
    page = opened(client, body["address"])
    follower = Visitor(client, page.token)
    follower.seq = int(page.field("seq"))
    assert shown(follower.ask(**more)) == shown(visitor.ask(**more))


def test_an_address_is_the_same_for_everyone(client: FlaskClient, valkey: Valkey) -> None:
    address = f"{FIGURE}?tier=2&arrival=17&then=serve,add,serve,add"
    one, other = opened(client, address), opened(client, address)
    assert one.token.split(".")[0] != other.token.split(".")[0]
    assert ladder(valkey, one.token) == ladder(valkey, other.token)
    assert one.text("composite_sentence") == other.text("composite_sentence")


def test_then_is_the_same_as_pressing_the_buttons(client: FlaskClient, valkey: Valkey) -> None:
    visitor, body = live(client, [{"action": "serve"}, {"action": "add"}])
    assert body["address"] == f"{FIGURE}?tier=2&arrival=17&then=serve,add"
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then=serve,add")
    assert ladder(valkey, page.token) == ladder(valkey, visitor.token)
    assert page.text("composite_sentence") == " ".join(body["sentence"].split())


def test_a_guess_is_replayed_with_its_answer(client: FlaskClient) -> None:
    _, body = live(client, [{"action": "serve", "guess": MINE}])
    page = opened(client, body["address"])
    assert page.text("composite_sentence").startswith("You said your job; Valkey served")


def test_moves_replace_the_address_and_actions_lengthen_it(client: FlaskClient) -> None:
    visitor = Visitor(client)
    assert visitor.move(2, 17)["address"] == f"{FIGURE}?tier=2&arrival=17"
    assert visitor.move(3, 33)["address"] == f"{FIGURE}?tier=3&arrival=33"
    assert visitor.serve()["address"] == f"{FIGURE}?tier=3&arrival=33&then=serve"
    moved = visitor.move(4, 44)["address"]
    assert moved.startswith(f"{FIGURE}?tier=4&arrival=44&then=")
    assert "serve" in moved
    assert visitor.move(4, 45)["address"].count("at-") == moved.count("at-")


def test_a_move_between_two_actions_is_replayed_between_them(
    client: FlaskClient, valkey: Valkey
) -> None:
    story = [
        {"tier": 1, "arrival": 1},
        {"action": "serve"},
        {"tier": 4, "arrival": 40},
        {"action": "add"},
        {"tier": 5, "arrival": 50},
    ]
    visitor, body = live(client, story)
    page = opened(client, body["address"])
    assert ladder(valkey, page.token) == ladder(valkey, visitor.token)
    assert page.field("tier") == "5"
    assert page.field("arrival") == "50"


@pytest.mark.parametrize("path", ["/", DIVE, FIGURE])
def test_every_page_with_the_figure_replays_its_address(client: FlaskClient, path: str) -> None:
    page = opened(client, f"{path}?tier=3&arrival=33&then=serve")
    assert page.score == "12884901921"
    assert len(page.members) == 9
    assert page.address == f"{path}?tier=3&arrival=33&then=serve"
    assert page.field("page") == path


@pytest.mark.parametrize("path", ["/", DIVE, FIGURE])
def test_an_answer_on_a_page_carries_the_address_of_that_page(
    client: FlaskClient, path: str
) -> None:
    visitor = Visitor(client, opened(client, path).token)
    page = Page(visitor.post(HTML, page=path, tier=4, arrival=4, seq=9).text)
    assert page.address == f"{path}?tier=4&arrival=4"
    order = messages(visitor.post(STREAM, page=path, action="serve", seq=10).text)[-1]
    assert f'href="{path}?tier=4&amp;arrival=4&amp;then=serve"' in order.parts["composite_state"]


def test_an_address_carries_40_actions(client: FlaskClient, valkey: Valkey) -> None:
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then=" + ",".join(["add"] * 40))
    assert page.notices == []
    assert len(ladder(valkey, page.token)) == 50


@pytest.mark.parametrize("actions", [41, 60, 500])
def test_the_41st_action_of_an_address_is_refused_with_a_sentence(
    client: FlaskClient, valkey: Valkey, actions: int
) -> None:
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then=" + ",".join(["add"] * actions))
    assert any("40" in notice for notice in page.notices)
    assert len(ladder(valkey, page.token)) == 50


def test_moves_among_the_actions_do_not_count_as_actions(client: FlaskClient) -> None:
    then = ",".join(f"at-1-{n},serve" if n % 2 else f"at-1-{n},add" for n in range(1, 41))
    page = opened(client, f"{FIGURE}?tier=1&arrival=1&then={then}")
    assert page.notices == []
    assert page.address.count("serve") + page.address.count("add") == 40


@pytest.mark.parametrize(
    "then",
    [
        "steal",
        "serve,steal,add",
        "serve;add",
        "SERVE",
        "at-2",
        "at--1-5",
        "at-2-x",
        "serve-<b>",
        "\x00",
        "💣",
        "at-9999999999999999999999-1",
        "move-1",
        "add-1",
    ],
)
def test_what_an_address_cannot_mean_is_left_out_with_a_notice(
    client: FlaskClient, then: str
) -> None:
    answer = client.get(FIGURE, query_string={"tier": 2, "arrival": 17, "then": then})
    assert answer.status_code == 200
    page = Page(answer.text.replace("\x00", "?"))
    assert any("left out" in notice for notice in page.notices)
    assert page.score == "8589934609"


def test_what_is_left_out_leaves_the_rest(client: FlaskClient, valkey: Valkey) -> None:
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then=serve,steal,add")
    whole = opened(client, f"{FIGURE}?tier=2&arrival=17&then=serve,add")
    assert ladder(valkey, page.token) == ladder(valkey, whole.token)


@pytest.mark.parametrize("then", ["at-9-17,serve", "at-2-5000,serve", "at-0-17", "at-1-0"])
def test_a_place_out_of_range_in_an_address_moves_to_the_nearest_with_a_notice(
    client: FlaskClient, then: str
) -> None:
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then={then}")
    assert any("runs from" in notice for notice in page.notices)


@pytest.mark.parametrize("then", ["", ",", ",,,,", "%20", "move", "move,move"])
def test_an_empty_story_is_just_the_move(client: FlaskClient, then: str) -> None:
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then={then}")
    assert page.score == "8589934609"
    assert len(page.members) == 10


def test_garbage_by_the_thousand_leaves_a_page_of_normal_size(client: FlaskClient) -> None:
    normal = len(client.get(FIGURE).data)
    answer = client.get(FIGURE, query_string={"then": ",".join(f"x{n}" for n in range(10_000))})
    assert answer.status_code == 200
    assert len(answer.data) < normal + 2048


def test_moves_by_the_thousand_do_not_make_the_server_work_by_the_thousand(
    client: FlaskClient, valkey: Valkey
) -> None:
    # As many as fit a request line of 4 KiB; consecutive moves replace each other.
    before = int(valkey.admin.info("commandstats").get("cmdstat_zadd", {"calls": 0})["calls"])
    then = ",".join(["at-1-1", "at-2-2"] * 290)
    page = opened(client, f"{FIGURE}?tier=2&arrival=17&then={then}")
    after = int(valkey.admin.info("commandstats")["cmdstat_zadd"]["calls"])
    assert len(page.members) == 10
    assert after - before <= 82


def test_one_input_alone_leaves_the_other_at_its_default(client: FlaskClient) -> None:
    page = opened(client, f"{FIGURE}?tier=3")
    assert page.field("tier") == "3"
    assert page.field("arrival") == "17"


def test_a_bare_address_shows_the_default_without_a_notice(client: FlaskClient) -> None:
    for path in ("/", FIGURE, DIVE):
        page = opened(client, path)
        assert page.score == "8589934609"
        assert page.notices == []
        assert "5th of 10" in page.text("composite_sentence")


def test_the_form_of_an_answer_reloaded_as_a_page_leads_to_the_figure(client: FlaskClient) -> None:
    answer = client.get("/figures/composite/runs")
    assert answer.status_code == 303
    assert answer.headers["Location"] == FIGURE


def test_back_is_undo(client: FlaskClient) -> None:
    visitor = Visitor(client)
    before = visitor.move(3, 33)
    visitor.serve()
    page = opened(client, before["address"])
    assert page.members == [member for member, _ in shown(before)]


@given(story=STORY)
@settings(max_examples=30)
def test_a_token_is_never_in_an_address(client: FlaskClient, story: list[dict[str, Any]]) -> None:
    visitor, body = live(client, story)
    assume(visitor.token)
    assert visitor.token.split(".")[0] not in body["address"]
    assert "token" not in body["address"]
