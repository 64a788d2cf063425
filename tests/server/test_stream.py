"""The event stream: three messages in order, the first before the server is asked."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.settings import Settings
from tests.support.figure import (
    FIGURE,
    MINE,
    RUNS,
    STREAM,
    Page,
    Visitor,
    messages,
    said,
)
from tests.support.valkey import Valkey

SECRET = "a secret of the stream"


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    one = Visitor(client)
    one.move(2, 17)
    return one


def test_a_move_is_answered_by_score_commands_and_order(visitor: Visitor) -> None:
    answer = visitor.post(STREAM, tier=3, arrival=33)
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    score, commands, order = messages(answer.text)
    assert said([score, commands, order]) == ["2/score", "2/commands", "2/order"]
    assert 'value="12884901921"' in score.parts["composite_score"]
    assert "asking Valkey" in score.data
    assert "ZADD" in commands.parts["composite_steps"]
    assert MINE in order.parts["composite_order"]
    assert "of 10" in order.parts["composite_sentence"]


@pytest.mark.parametrize("action", ["serve", "add", "reset", "move"])
def test_every_action_is_answered_by_the_same_three(visitor: Visitor, action: str) -> None:
    answers = messages(visitor.post(STREAM, action=action, tier=2, arrival=17, seq=40).text)
    assert said(answers) == ["40/score", "40/commands", "40/order"]


def test_where_the_server_decides_the_first_message_knows_no_score(visitor: Visitor) -> None:
    first = messages(visitor.post(STREAM, action="add").text)[0]
    assert not re.search(r"\d{9}", first.data)
    assert "asking Valkey" in first.data


def test_a_message_fills_only_places_that_the_page_has(visitor: Visitor) -> None:
    page = Page(visitor.client.get(FIGURE).text)
    places = set(page.tree.xpath("//*/@id"))
    for fields in ({"tier": 3, "arrival": 3}, {"action": "serve"}, {"tier": 9}):
        for message in messages(visitor.post(STREAM, **fields).text):
            assert message.parts
            assert set(message.parts) <= places


def test_no_message_ever_fills_the_sliders(visitor: Visitor) -> None:
    for fields in ({"tier": 3, "arrival": 3}, {"action": "reset"}, {"tier": 9, "arrival": "x"}):
        text = visitor.post(STREAM, **fields).text
        assert 'type="range"' not in text
        assert 'type="number"' not in text


def test_past_the_limit_the_second_message_brings_what_was_stored(visitor: Visitor) -> None:
    _, commands, _ = messages(visitor.post(STREAM, tier=2097152, arrival=17, full=1).text)
    assert "9007199254741008" in re.sub(r"</?span>|\u202f", "", commands.data)


def test_notices_come_with_the_last_message(visitor: Visitor) -> None:
    order = messages(visitor.post(STREAM, tier=9, arrival=17).text)[-1]
    assert "1 to 5" in order.parts["composite_notices"]


@pytest.mark.parametrize("fields", [{"tier": 3, "arrival": 3}, {"action": "serve"}])
def test_the_stream_shows_what_the_page_shows(client: FlaskClient, fields: dict[str, str]) -> None:
    one, other = Visitor(client), Visitor(client)
    parts: dict[str, str] = {}
    for message in messages(one.post(STREAM, **fields).text):
        parts |= message.parts
    page = Page(other.post({"Accept": "text/html"}, **fields).text)
    ladder = Page(f'<ol id="composite_order">{parts["composite_order"]}</ol>')
    assert ladder.members == page.members
    assert " ".join(parts["composite_sentence"].split()) == page.text("composite_sentence")


@pytest.fixture
def alone(own_valkey: Valkey) -> Visitor:
    """A visitor whose server the test may stop; it has moved once, so all is warm."""
    settings = Settings(valkey_url=own_valkey.url, secret=SECRET, valkey_timeout_ms=20_000)
    visitor = Visitor(create_app(settings).test_client())
    visitor.move(2, 17)
    return visitor


def begin(visitor: Visitor, **fields: object) -> Iterator[bytes]:
    """Send an interaction; return its answer's parts as they come."""
    visitor.seq += 1
    form = {"token": visitor.token, "seq": visitor.seq, **fields}
    answer = visitor.client.post(RUNS, data=form, headers=STREAM, buffered=False)
    return iter(answer.response)  # type: ignore[arg-type]


def test_the_score_is_sent_while_the_server_stands_still(
    alone: Visitor, own_valkey: Valkey
) -> None:
    assert own_valkey.process
    own_valkey.process.send_signal(signal.SIGSTOP)
    try:
        answer = begin(alone, tier=3, arrival=33)
        first = next(answer).decode()
    finally:
        own_valkey.process.send_signal(signal.SIGCONT)
    assert said(messages(first)) == ["2/score"]
    assert "12884901921" in first.replace("</span><span>", "")
    rest = b"".join(answer).decode()
    assert said(messages(rest)) == ["2/commands", "2/order"]


def test_the_server_is_asked_after_the_score_was_sent(alone: Visitor, own_valkey: Valkey) -> None:
    calls = _evalshas(own_valkey)
    answer = begin(alone, tier=3, arrival=33)
    assert b"/score" in next(answer)
    assert _evalshas(own_valkey) == calls
    assert b"/commands" in next(answer)
    assert _evalshas(own_valkey) == calls + 1
    assert b"/order" in next(answer)
    assert list(answer) == []
    assert _evalshas(own_valkey) == calls + 1


def _evalshas(valkey: Valkey) -> int:
    return int(valkey.admin.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])


def test_a_server_that_died_after_the_score_is_told_in_a_message(
    alone: Visitor, own_valkey: Valkey
) -> None:
    answer = begin(alone, tier=3, arrival=33)
    first = next(answer)
    own_valkey.kill()
    rest = messages(b"".join(answer).decode())
    assert b"12884901921" in first
    assert said(rest) == ["2/failure"]
    assert "cannot be reached" in rest[0].parts["composite_failure"]
    assert "last run" in rest[0].parts["composite_failure"]
    assert "not stored" in rest[0].data


def test_a_failure_touches_nothing_that_still_holds(alone: Visitor, own_valkey: Valkey) -> None:
    own_valkey.kill()
    *_, failure = messages(alone.post(STREAM, action="serve").text)
    assert "composite_order" not in failure.parts
    assert "composite_sentence" not in failure.parts
    assert "composite_state" not in failure.parts


def test_a_success_after_a_failure_clears_it(alone: Visitor, own_valkey: Valkey) -> None:
    own_valkey.kill()
    alone.post(STREAM, tier=3, arrival=3)
    own_valkey.start()
    answers = messages(alone.post(STREAM, tier=3, arrival=3).text)
    assert answers[1].parts["composite_failure"].strip() == ""


def test_a_refusal_brings_the_steps_that_were_executed_before_it(valkey: Valkey) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, members_per_set=20)
    visitor = Visitor(create_app(settings).test_client())
    visitor.move(2, 17)
    for _ in range(10):
        visitor.add()
    *_, failure = messages(visitor.post(STREAM, action="add").text)
    assert failure.ids[0].endswith("/failure")
    assert "20 members" in failure.parts["composite_failure"]
    assert "INCR" in failure.parts["composite_steps"]
    # What was refused was never sent.
    assert "QUOTA" not in failure.parts["composite_steps"]


def test_the_stream_holds_no_script_and_no_style(visitor: Visitor) -> None:
    for fields in ({"tier": 3, "arrival": 3}, {"action": "serve", "guess": "x"}):
        text = visitor.post(STREAM, **fields).text
        assert not re.search(r"<script|<style|\sstyle=|\son\w+=|javascript:", text)


def test_two_streams_at_once_do_not_mix(visitor: Visitor) -> None:
    other = Visitor(visitor.client)
    one, two = begin(visitor, tier=3, arrival=3), begin(other, tier=4, arrival=4)
    firsts = next(one) + next(two)
    assert b"12884901891" in firsts.replace(b"</span><span>", b"")
    assert b"17179869188" in firsts.replace(b"</span><span>", b"")
    assert b'data-arrival="4"' in b"".join(two)
    assert b'data-arrival="3"' in b"".join(one)
