"""Sequence numbers: an older request never undoes a newer one, and says so."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from decoder.figures import FIGURES
from tests.support.figure import (
    COUNTER,
    HTML,
    MINE,
    STREAM,
    Page,
    Visitor,
    commands,
    key,
    ladder,
    messages,
    said,
    shown,
)
from tests.support.valkey import Valkey

WRITES = ("ZADD", "INCR", "SET", "ZPOPMIN", "DEL")


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    one = Visitor(client)
    one.ask(seq=10, tier=3, arrival=33)
    return one


OLDER = [
    {"tier": 1, "arrival": 1},
    {"action": "serve"},
    {"action": "serve", "guess": MINE},
    {"action": "add"},
    {"action": "add", "tier": 1, "arrival": 1},
    {"action": "reset"},
]


@pytest.mark.parametrize("fields", OLDER)
@pytest.mark.parametrize("seq", [0, 1, 9])
def test_an_older_request_changes_nothing_and_says_so(
    visitor: Visitor, valkey: Valkey, fields: dict[str, str], seq: int
) -> None:
    before = ladder(valkey, visitor.token)
    counter = valkey.admin.get(key(visitor.token, COUNTER))
    body = visitor.ask(seq=seq, **fields)
    assert ladder(valkey, visitor.token) == before == shown(body)
    assert valkey.admin.get(key(visitor.token, COUNTER)) == counter
    assert not any(command.startswith(WRITES) for command in commands(body))
    assert any("newer" in notice for notice in body["notices"])
    assert body["seq"] == seq
    assert body["inputs"] == {"tier": 3, "arrival": 33}
    assert body["address"].endswith("?tier=3&arrival=33")
    assert "guess" not in body


def test_an_older_number_is_compared_as_a_number(visitor: Visitor) -> None:
    assert visitor.ask(seq=9, tier=1, arrival=1)["inputs"]["tier"] == 3
    assert visitor.ask(seq=100, tier=1, arrival=1)["inputs"]["tier"] == 1


def test_the_newest_number_stays_the_newest_after_an_older_request(visitor: Visitor) -> None:
    visitor.ask(seq=2, tier=1, arrival=1)
    assert visitor.ask(seq=9, tier=2, arrival=2)["inputs"] == {"tier": 3, "arrival": 33}


def test_without_a_number_a_move_counts_as_the_newest(visitor: Visitor) -> None:
    assert visitor.ask(seq=None, tier=1, arrival=1)["inputs"] == {"tier": 1, "arrival": 1}
    assert visitor.ask(seq=9, tier=4, arrival=4)["inputs"] == {"tier": 1, "arrival": 1}


def test_an_older_move_on_the_stream_ends_with_what_stands(visitor: Visitor) -> None:
    answers = messages(visitor.post(STREAM, seq=4, tier=1, arrival=1).text)
    assert said(answers) == ["4/score", "4/commands", "4/order"]
    assert "12884901921" in answers[1].parts["composite_score"].replace("</span><span>", "")
    assert "newer" in answers[2].parts["composite_notices"]


def test_an_older_move_as_a_form_returns_the_page_as_it_stands(visitor: Visitor) -> None:
    page = Page(visitor.post(HTML, seq=4, tier=1, arrival=1).text)
    assert page.score == "12884901921"
    assert any("newer" in notice for notice in page.notices)


@given(order=st.permutations(range(1, 7)))
@settings(max_examples=40)
def test_moves_that_arrive_in_any_order_end_where_the_newest_one_said(
    client: FlaskClient, valkey: Valkey, order: list[int]
) -> None:
    visitor = Visitor(client)
    for seq in order:
        visitor.ask(seq=seq, tier=seq % 5 + 1, arrival=seq * 100)
    assert dict(ladder(valkey, visitor.token))[MINE] == str(2 * 2**32 + 600)


def test_moves_that_arrive_at_once_end_where_the_newest_one_said(
    app: Flask, visitor: Visitor, valkey: Valkey
) -> None:
    def move(seq: int) -> int:
        mover = Visitor(app.test_client(), visitor.token)
        body = mover.ask(seq=seq, tier=seq % 5 + 1, arrival=seq)
        # An answer shows its own move or a newer one, never an older one.
        return int(body["inputs"]["arrival"])

    numbers = list(range(100, 160))
    with ThreadPoolExecutor(8) as pool:
        shown_arrivals = list(pool.map(move, numbers))
    assert all(arrival >= seq for seq, arrival in zip(numbers, shown_arrivals, strict=True))
    assert dict(ladder(valkey, visitor.token))[MINE] == str(5 * 2**32 + 159)


def test_each_pages_own_number_is_one_more_than_the_last(client: FlaskClient) -> None:
    first = Page(client.get("/figures/composite").text)
    assert int(first.field("seq")) >= 1
    visitor = Visitor(client, first.token)
    page = Page(visitor.post(HTML, seq=first.field("seq"), tier=3, arrival=5).text)
    assert int(page.field("seq")) > int(first.field("seq"))


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_after_going_back_the_next_press_works_without_scripts(
    client: FlaskClient, figure: str
) -> None:
    address = f"/figures/{figure}"
    prefix = f"{figure.replace('-', '_')}_"
    first = lxml.html.document_fromstring(client.get(address).text)

    def press(tree: lxml.html.HtmlElement) -> lxml.html.HtmlElement:
        form = f"{prefix}form"
        fields = {
            one.get("name"): one.get("value")
            for one in tree.xpath(f'//form[@id="{form}"]//input | //input[@form="{form}"]')
            if one.get("type") in ("hidden", "range")
        }
        answer = client.post(f"{address}/runs", data=fields, headers=HTML)
        assert answer.status_code == 200
        return lxml.html.document_fromstring(answer.text)

    def notices(tree: lxml.html.HtmlElement) -> str:
        (shown,) = tree.xpath(f'//*[@id="{prefix}notices"]')
        return str(shown.text_content())

    newest = first
    for _ in range(4):
        newest = press(newest)
        assert "newer" not in notices(newest)
    # Back at the first page, which counts from where it was.
    refused = press(first)
    assert "newer" in notices(refused)
    ahead = press(refused)
    assert "newer" not in notices(ahead)
    press(ahead)
    # And now the other page is the one that is behind.
    refused = press(newest)
    assert "newer" in notices(refused)
    assert "newer" not in notices(press(refused))


def test_an_answer_tells_the_newest_number_of_the_lane_to_scripts_too(visitor: Visitor) -> None:
    answers = messages(visitor.post(STREAM, seq=4, tier=1, arrival=1).text)
    assert 'data-newest="10"' in answers[2].parts["composite_state"]
    answers = messages(visitor.post(STREAM, seq=11, tier=1, arrival=1).text)
    assert 'data-newest="11"' in answers[2].parts["composite_state"]
