"""A dive's transcripts run in the visitor's sandbox: as JSON, as a stream, without scripts."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape
from werkzeug.test import TestResponse

from decoder.app import create_app
from decoder.figures.desk import LAPSED, LOST
from decoder.sandbox import tokens
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.server.test_cost import ran
from tests.server.test_directory import addresses
from tests.server.test_faults import paused
from tests.server.test_tokens import HOUR_S, signed
from tests.support.course import FRONT, page, write
from tests.support.figure import HTML, JSON, STREAM, Message, messages
from tests.support.valkey import Valkey

DIVE = "/course/dive"
FIRST = """> ZADD s 2 b 1 a
(integer) 2
> ZRANGE s 0 -1 WITHSCORES
1) "a"
2) "1"
3) "b"
4) "2"
> ZADD s x c
(error) ERR value is not a valid float
# Nothing was added.
> ZCARD s
(integer) 2
> SET <b>key</b> "<i>'&"
OK
"""
SCRIPT = """$ valkey-cli --eval lua/packed/add_prioritized.lua emq:{orders}:prioritized emq:{orders}:pc , 2 JOB0
(integer) 1
> GET emq:{orders}:pc
"1"
$ valkey-cli --eval lua/packed/add_prioritized.lua emq:{orders}:prioritized emq:{orders}:pc , 2 JOB1
(integer) 1
"""  # noqa: E501
BODY = f"""## Part

```transcript first fresh
{FIRST}```

```transcript second
> zcard s
(integer) 2
> DEL s
(integer) 1
> ZCARD s
(integer) 0
```

```transcript third
> EXISTS s
(integer) 0
> GET <b>key</b>
"<i>'&"
```

::: figure three-readings reading=one-number/order step=2
:::

```transcript script fresh
{SCRIPT}```

```transcript alone fresh
> ZCARD s
(integer) 0
```

```transcript clock fresh
> TIME
#: varies
1) "1780226888"
2) "123456"
> GET absent
"never so"
```

::: figure two-designs
:::
"""
START = FRONT.replace("---\n", "---\nfigure: composite\nstart: tier=4&arrival=44\n", 1)
FIGURELESS = "/course/plain"


def written(folder: Path) -> Path:
    write(folder, "course/dive.md", page(BODY, START))
    write(folder, "course/plain.md", page(f"## Part\n\n```transcript first\n{FIRST}```\n"))
    return folder


@pytest.fixture(scope="module")
def dives_app(
    _remember_pools: None, tmp_path_factory: pytest.TempPathFactory, shared_valkey: Valkey
) -> Flask:
    """These dives beside ours, for all tests that only send requests."""
    content = str(written(tmp_path_factory.mktemp("course")))
    return create_app(Settings(valkey_url=shared_valkey.url, secret=SECRET, content=content))


@pytest.fixture
def client(dives_app: Flask, valkey: Valkey) -> FlaskClient:
    assert valkey.admin.dbsize() == 0
    return dives_app.test_client()


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return written(tmp_path / "course")


@pytest.fixture
def make(content: Path, valkey: Valkey) -> Callable[..., Flask]:
    """Make an application of the test's own, under limits, with dives that it may change."""

    def made(url: str = valkey.url, **limits: Any) -> Flask:
        return create_app(Settings(valkey_url=url, secret=SECRET, content=str(content), **limits))

    return made


def run(
    client: FlaskClient, name: str, headers: dict[str, str] = JSON, dive: str = DIVE, **form: Any
) -> TestResponse:
    address = f"{dive}/transcripts/{name}/runs"
    return client.post(address, data=form, headers=headers, buffered=True)


def asked(client: FlaskClient, name: str, **form: Any) -> dict[str, Any]:
    answer = run(client, name, **form)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def replies(body: dict[str, Any]) -> list[str]:
    return [step["reply"] for step in body["steps"]]


def keys_of(valkey: Valkey, token: str) -> set[str]:
    """Return the keys of the sandbox of a token, without its record."""
    prefix = f"{{sbx:{token.split('.')[0]}}}:"
    found = valkey.admin.scan_iter(f"{{sbx:{token.split('.')[0]}}}*", count=1000)
    return {key.removeprefix(prefix) for key in found} - {".sandbox"}


def live(html: str, name: str) -> list[str]:
    """Return what the page shows as the live reply of each command, "" where there is none."""
    tree = lxml.html.document_fromstring(html)
    shown = tree.xpath('//ol[@id=$id]/li/div[@class="live"]', id=f"t_{name}")
    return [(one.find("samp").text_content() if len(one) else "") for one in shown]


# What is run


def test_a_transcript_is_run_and_each_reply_stands_beside_the_recorded_one(
    client: FlaskClient,
) -> None:
    body = asked(client, "first")
    assert (body["dive"], body["transcript"]) == (DIVE, "first")
    assert [step["command"] for step in body["steps"]] == [
        line.removeprefix("> ") for line in FIRST.splitlines() if line.startswith("> ")
    ]
    assert replies(body) == [step["recorded"] for step in body["steps"]]
    assert all(step["agrees"] for step in body["steps"])
    assert body["server"]["software"] == "valkey"
    assert body["sandbox"]["token"]
    assert body["round_trip_us"] > 0


def test_an_error_is_a_reply_and_the_next_command_is_run(client: FlaskClient) -> None:
    body = asked(client, "first")
    assert replies(body)[2:4] == ["(error) ERR value is not a valid float", "(integer) 2"]


def test_a_script_shows_what_it_sent(client: FlaskClient) -> None:
    first, between, second = asked(client, "script")["steps"]
    assert first["inside"] == [
        {"command": "INCR emq:{orders}:pc", "reply": "(integer) 1"},
        {
            "command": f"ZADD emq:{{orders}}:prioritized {2 * 2**32 + 1} JOB0",
            "reply": "(integer) 1",
        },
    ]
    assert between["inside"] == []
    assert [one["command"].split()[0] for one in second["inside"]] == ["INCR", "ZADD"]
    assert first["agrees"]
    assert second["agrees"]


def test_what_differs_is_told_and_what_may_vary_does_not_differ(client: FlaskClient) -> None:
    clock, absent = asked(client, "clock")["steps"]
    assert clock["agrees"]
    assert clock["reply"] != clock["recorded"]
    assert not absent["agrees"]
    assert (absent["recorded"], absent["reply"]) == ('"never so"', "(nil)")


def test_running_it_twice_gives_the_same(client: FlaskClient) -> None:
    first = asked(client, "first")
    token = first["sandbox"]["token"]
    for name in ("first", "script", "second", "first"):
        body = asked(client, name, token=token)
        token = body["sandbox"]["token"]
        assert all(step["agrees"] for step in body["steps"]), name
    assert body["steps"] == first["steps"]


def test_a_transcript_goes_on_where_the_one_before_ends_however_far_that_was_run(
    client: FlaskClient,
) -> None:
    token = asked(client, "first", upto=1)["sandbox"]["token"]
    assert replies(asked(client, "second", token=token)) == ["(integer) 2", "(integer) 1",
                                                             "(integer) 0"]  # fmt: skip
    assert replies(asked(client, "third", token=token)) == ["(integer) 0", '"<i>\'&"']
    # Also where nothing was run before it.
    assert replies(asked(client, "third")) == ["(integer) 0", '"<i>\'&"']


def test_a_fresh_one_begins_with_an_empty_sandbox(client: FlaskClient) -> None:
    token = asked(client, "first")["sandbox"]["token"]
    assert replies(asked(client, "alone", token=token)) == ["(integer) 0"]


@pytest.mark.parametrize("upto", [1, 2, 4])
def test_it_is_run_up_to_the_command_that_was_asked_for(client: FlaskClient, upto: int) -> None:
    assert len(asked(client, "first", upto=upto)["steps"]) == upto


@pytest.mark.parametrize(
    "upto",
    ["", "0", "-1", "5", "999", "00000", "abc", "1.5", "1e9", " 2", "2 ", "²", "٣", "0x2", "2\n",
     "9" * 5000, "1\x00", "\udcff", "true"],
)  # fmt: skip
@pytest.mark.parametrize("headers", [JSON, STREAM, HTML], ids=["json", "stream", "html"])
def test_a_number_that_is_none_runs_all_of_it(
    client: FlaskClient, upto: str, headers: dict[str, str]
) -> None:
    given = upto.encode("utf-8", "surrogateescape")
    answer = run(client, "first", headers, upto=given)
    assert answer.status_code == 200
    if headers is JSON:
        assert len(answer.get_json()["steps"]) == 5


def test_leading_noughts_are_no_other_number(client: FlaskClient) -> None:
    assert len(asked(client, "first", upto="00002")["steps"]) == 2


@pytest.mark.parametrize(
    "address",
    [
        f"{DIVE}/transcripts/nothing/runs",
        f"{DIVE}/transcripts/FIRST/runs",
        "/nowhere/transcripts/first/runs",
        "/figures/composite/transcripts/first/runs",
        "/redis-patterns/time-delay-priority/transcripts/first/runs",
    ],
)
@pytest.mark.parametrize("headers", [JSON, STREAM, HTML], ids=["json", "stream", "html"])
def test_a_transcript_that_is_not_there_is_404(
    client: FlaskClient, address: str, headers: dict[str, str]
) -> None:
    assert client.post(address, headers=headers).status_code == 404
    assert client.get(address, headers=headers).status_code == 404


# The stream


def part(message: Message) -> tuple[str, str]:
    ((target, html),) = message.parts.items()
    return target, html


def test_the_stream_is_one_message_for_each_command_then_the_tools(client: FlaskClient) -> None:
    answer = run(client, "first", STREAM)
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    sent = messages(answer.text)
    assert [one.ids for one in sent] == [[n] for n in ("1", "2", "3", "4", "5", "failure", "tools")]
    assert [part(one)[0] for one in sent] == [
        *(f"t_first_{n}" for n in range(1, 6)), "t_first_failure", "t_first_tools",
    ]  # fmt: skip
    assert part(sent[5])[1] == ""
    assert "as recorded" in part(sent[0])[1]
    assert "5 of 5 run from an empty one" in part(sent[6])[1]


def test_a_reply_of_many_lines_keeps_them(client: FlaskClient) -> None:
    second = messages(run(client, "first", STREAM).text)[1]
    samp = lxml.html.fragment_fromstring(part(second)[1], create_parent="div").find(".//samp")
    assert samp.text_content() == '1) "a"\n2) "1"\n3) "b"\n4) "2"'


def test_what_was_not_run_is_emptied(client: FlaskClient) -> None:
    sent = messages(run(client, "first", STREAM, upto=2).text)
    assert [bool(part(one)[1]) for one in sent[:5]] == [True, True, False, False, False]
    assert "Next: 3 of 5" in part(sent[6])[1]


def test_what_an_author_wrote_is_text_in_every_answer(client: FlaskClient) -> None:
    for headers in (STREAM, HTML):
        text = run(client, "third", headers).text
        assert "<b>key" not in text
        assert "<i>'" not in text
        assert "&lt;i&gt;" in text


def test_the_tools_say_from_where_it_was_run(client: FlaskClient) -> None:
    assert "from where the transcript before ends" in run(client, "second", STREAM).text
    assert "from an empty one" in run(client, "first", STREAM, dive=FIGURELESS).text


# The page, without scripts


def test_without_scripts_the_whole_page_comes_back_with_the_replies(client: FlaskClient) -> None:
    answer = run(client, "first", HTML, upto=2)
    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html>")
    assert live(answer.text, "first") == ["(integer) 2", '1) "a"\n2) "1"\n3) "b"\n4) "2"', "", "",
                                          ""]  # fmt: skip
    assert live(answer.text, "second") == [""] * 3
    tree = lxml.html.document_fromstring(answer.text)
    assert tree.xpath('//*[@id="composite_score"]//data/@value') == [str(4 * 2**32 + 44)]
    assert tree.xpath("//live-figure/@id") == ["composite", "three_readings", "two_designs"]


def test_reloading_the_answer_leads_back_to_the_transcript_with_the_hero_as_it_begins(
    client: FlaskClient,
) -> None:
    answer = client.get(f"{DIVE}/transcripts/first/runs")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{DIVE}#first"


def hero(html: str) -> tuple[str, list[str], str]:
    """Return what the composite figure of a page shows: its sentence, its order, its address."""
    tree = lxml.html.document_fromstring(html)
    (said,), (address,) = (
        tree.xpath(f'//*[@id="composite_{part}"]') for part in ("sentence", "state")
    )
    jobs = tree.xpath('//*[@id="composite_order"]//input[@name="guess"]/@value')
    return said.text_content(), jobs, address.xpath("string(a/@href)")


@pytest.mark.parametrize("then", ["", "serve", "serve,add,at-1-5,serve", "add,add"])
def test_without_scripts_a_run_leaves_the_figure_above_as_it_was(
    client: FlaskClient, then: str
) -> None:
    before = client.get(f"{DIVE}?tier=3&arrival=33&then={then}").text
    for _ in range(2):
        tree = lxml.html.document_fromstring(before)
        (action,) = tree.xpath('//form[@id="first"]/@action')
        token = tree.xpath('//form[@id="first"]//input[@name="token"]/@value')[0]
        assert "token" not in action
        after = client.post(action, data={"token": token, "upto": 2}, headers=HTML).text
        assert live(after, "first")[0] == "(integer) 2"
        assert hero(after) == hero(before)
        before = after


def test_without_scripts_a_run_keeps_what_the_form_of_the_figure_did(client: FlaskClient) -> None:
    tree = lxml.html.document_fromstring(client.get(DIVE).text)
    form = {
        one.get("name"): one.get("value")
        for one in tree.xpath('//form[@id="composite_form"]//input[@type="hidden"]')
        + tree.xpath('//input[@form="composite_form"][@name="token"]')
    }
    moved = {**form, "tier": "1", "arrival": "7"}
    page = client.post("/figures/composite/runs", data=moved, headers=HTML).text
    (action,) = lxml.html.document_fromstring(page).xpath('//form[@id="first"]/@action')
    after = client.post(action, data={"token": form["token"]}, headers=HTML).text
    assert hero(after)[0] == hero(page)[0]
    assert hero(after)[2] == f"{DIVE}?tier=1&arrival=7"


@pytest.mark.parametrize(
    "query", ["reading=one-number/order&then=claim,claim", "reading=packed/priority&step=3"]
)
def test_without_scripts_a_run_leaves_three_readings_as_they_were(
    client: FlaskClient, query: str
) -> None:
    dive = "/redis-patterns/time-delay-priority/score-as-meaning"
    before = lxml.html.document_fromstring(client.get(f"{dive}?{query}").text)
    (action,) = before.xpath('//form[@id="claim"]/@action')
    token = before.xpath('//form[@id="claim"]//input[@name="token"]/@value')[0]
    after = lxml.html.document_fromstring(
        client.post(action, data={"token": token}, headers=HTML).text
    )
    for part in ("sentence", "order"):
        told = [one.xpath(f'string(//*[@id="three_readings_{part}"])') for one in (before, after)]
        assert told[0] == told[1] != ""
    assert "as recorded" in after.xpath('string(//form[@id="claim"])')


def test_a_page_at_its_start_carries_no_state_in_the_forms_of_its_transcripts(
    client: FlaskClient,
) -> None:
    actions = lxml.html.document_fromstring(client.get(DIVE).text).xpath("//form/@action")
    assert not [one for one in actions if "?" in one]


def test_reloading_such_an_answer_keeps_the_state_of_the_figure(client: FlaskClient) -> None:
    answer = client.get(f"{DIVE}/transcripts/first/runs?tier=3&arrival=33")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{DIVE}?tier=3&arrival=33#first"


@pytest.mark.parametrize("query", ["", "?utm_source=mail", "?run=first"])
def test_what_others_add_to_an_address_leaves_the_start_of_the_dive(
    client: FlaskClient, query: str
) -> None:
    tree = lxml.html.document_fromstring(client.get(DIVE + query).text)
    assert tree.xpath('//*[@id="composite_score"]//data/@value') == [str(4 * 2**32 + 44)]
    asked_for = lxml.html.document_fromstring(client.get(DIVE + "?tier=3&arrival=33").text)
    assert asked_for.xpath('//*[@id="composite_score"]//data/@value') == [str(3 * 2**32 + 33)]


@pytest.mark.parametrize("how", ["get", "post", "figure"])
def test_a_page_with_three_figures_and_many_transcripts_has_each_id_once(
    client: FlaskClient, how: str
) -> None:
    if how == "get":
        html = client.get(DIVE).text
    elif how == "post":
        html = run(client, "script", HTML).text
    else:
        form = {"page": DIVE, "tier": 3}
        html = client.post("/figures/composite/runs", data=form, headers=HTML).text
    ids = lxml.html.document_fromstring(html).xpath("//@id")
    assert [one for one in ids if ids.count(one) > 1] == []
    assert len(ids) > 100


def test_only_the_first_figure_follows_the_address_and_links_lead_to_each_figures_own_page(
    client: FlaskClient,
) -> None:
    tree = lxml.html.document_fromstring(client.get(DIVE).text)
    assert tree.xpath("//*[@hx-history-elt]/@id") == ["composite"]
    states = tree.xpath('//a[@class="state"]/@href')
    assert [re.sub(r"\?.*", "", one) for one in states] == [
        DIVE, "/figures/three-readings", "/figures/two-designs",
    ]  # fmt: skip
    links = tree.xpath('//*[@id="three_readings"]//a[contains(@class, "ask")]/@href')
    assert len(links) > 5
    assert all(one.startswith("/figures/three-readings?") for one in links)


def test_without_scripts_a_figure_further_down_is_answered_on_its_own_page(
    client: FlaskClient,
) -> None:
    tree = lxml.html.document_fromstring(client.get(DIVE).text)
    fields = {
        one.get("name"): one.get("value")
        for one in tree.xpath('//form[@id="two_designs_form"]//input')
    }
    assert fields["page"] == "/figures/two-designs"
    answer = client.post("/figures/two-designs/runs", data=fields, headers=HTML)
    assert answer.status_code == 200
    assert lxml.html.document_fromstring(answer.text).xpath("//live-figure/@id") == ["two_designs"]


# One sandbox for a page


def test_figures_and_transcripts_of_a_page_have_one_token(
    client: FlaskClient, valkey: Valkey
) -> None:
    tree = lxml.html.document_fromstring(client.get(DIVE).text)
    held = tree.xpath('//input[@name="token"]/@value')
    assert len(held) == 3 + 6
    assert len({token.split(".")[0] for token in held}) == 1
    before = keys_of(valkey, held[0])
    assert before
    body = asked(client, "first", token=held[0])
    assert body["sandbox"]["token"].split(".")[0] == held[0].split(".")[0]
    added = keys_of(valkey, held[0]) - before
    assert {key.partition(":")[2] for key in added} == {"s", "<b>key</b>"}
    assert len({key.partition(":")[0] for key in added}) == 1
    assert all(key.startswith("dive-") for key in added)


def test_a_page_without_a_figure_opens_a_sandbox_with_its_first_run(
    client: FlaskClient, valkey: Valkey
) -> None:
    tree = lxml.html.document_fromstring(client.get(FIGURELESS).text)
    assert tree.xpath('//input[@name="token"]/@value') == [""]
    assert valkey.admin.dbsize() == 0
    page_after = run(client, "first", HTML, dive=FIGURELESS).text
    (token,) = lxml.html.document_fromstring(page_after).xpath('//input[@name="token"]/@value')
    assert len(keys_of(valkey, token)) == 2


def test_a_strange_token_opens_a_fresh_sandbox(client: FlaskClient, valkey: Valkey) -> None:
    own = asked(client, "first")["sandbox"]["token"]
    before = keys_of(valkey, own)
    for token in (own[:-2] + "xx", "x", own.split(".")[0], "{sbx:*}", own + "\n", "é" * 9):
        other = asked(client, "alone", token=token)["sandbox"]["token"]
        assert other.split(".")[0] != own.split(".")[0]
    assert keys_of(valkey, own) == before


def test_two_dives_do_not_disturb_each_other(client: FlaskClient) -> None:
    token = asked(client, "first")["sandbox"]["token"]
    other = run(client, "first", dive=FIGURELESS, token=token, upto=1).get_json()
    assert other["sandbox"]["token"].split(".")[0] == token.split(".")[0]
    assert replies(asked(client, "second", token=token))[0] == "(integer) 2"


# What it costs


@pytest.mark.parametrize("headers", [JSON, STREAM], ids=["json", "stream"])
@pytest.mark.parametrize("name", ["first", "third", "script"])
def test_a_run_is_one_evalsha(
    client: FlaskClient, valkey: Valkey, name: str, headers: dict[str, str]
) -> None:
    token = asked(client, name)["sandbox"]["token"]
    counted = ran(valkey, lambda: run(client, name, headers, token=token))
    assert counted["evalsha"] == 1
    assert not {"eval", "script|load", "multi", "keys", "scan"} & set(counted)


def test_an_answer_weighs_at_most_8_kib(client: FlaskClient) -> None:
    """Of these transcripts, and of every one of ours."""
    course = client.application.jinja_env.globals["course"]
    weights = {}
    for dive in course.dives.values():  # type: ignore[attr-defined]
        for one in dive.transcripts:
            answer = run(client, one.id, STREAM, dive=dive.path)
            weights[f"{dive.path}#{one.id}"] = len(answer.data)
    assert len(weights) >= 7
    assert {name: weight for name, weight in weights.items() if weight > 8 * 1024} == {}


# What is told of the sandbox


def told(client: FlaskClient, name: str, **form: Any) -> list[str]:
    """Return what all three answers say of the sandbox, which must be the same."""
    notices: list[str] = asked(client, name, **form)["notices"]
    for headers in (STREAM, HTML):
        text = " ".join(run(client, name, headers, **form).text.split())
        assert all(str(escape(notice)) in text for notice in notices)
    return notices


def test_a_token_that_is_none_of_ours_or_too_old_is_told(make: Callable[..., Flask]) -> None:
    client = make().test_client()
    good = asked(client, "first")["sandbox"]["token"]
    assert told(client, "first", token=good) == told(client, "first", token="") == []
    assert told(client, "first", token=good[:-2] + "xx") == [tokens.STRANGE]
    old = signed(good.split(".")[0], age_s=25 * HOUR_S)
    assert told(client, "first", token=old) == [tokens.TOO_OLD]


def test_a_sandbox_that_is_gone_from_the_server_is_told(
    client: FlaskClient, valkey: Valkey
) -> None:
    for headers, says in ((JSON, LOST), (STREAM, LOST), (HTML, LOST)):
        token = asked(client, "first")["sandbox"]["token"]
        valkey.admin.flushall()
        assert says in run(client, "second", headers, token=token).text
        assert says not in run(client, "second", headers, token=token).text


def test_what_had_expired_in_a_sandbox_that_lives_is_told(
    client: FlaskClient, valkey: Valkey
) -> None:
    token = asked(client, "first")["sandbox"]["token"]
    (record,) = valkey.admin.scan_iter("*.sandbox", count=1000)
    told_there = valkey.admin.get(record)
    valkey.admin.set(record, re.sub(r"(\|dive-\w+;)\d+", r"\g<1>1", told_there))
    assert asked(client, "first", token=token)["notices"] == [LAPSED]
    assert asked(client, "first", token=token)["notices"] == []


# What can fail


def failed_in_words(client: FlaskClient, name: str, says: str, status: int, **form: Any) -> None:
    """Check that all three answers say why nothing was run, and that the page is whole."""
    answer = run(client, name, JSON, **form)
    assert answer.status_code == status, answer.text
    assert says in answer.get_json()["error"]["sentence"]
    assert int(answer.headers["Retry-After"]) > 0
    (message,) = messages(run(client, name, STREAM, **form).text)
    assert message.ids == ["failure"]
    assert says in part(message)[1]
    assert "The recorded replies stand" in part(message)[1]
    html = run(client, name, HTML, **form)
    assert html.status_code == (503 if status == 503 else 200)
    tree = lxml.html.document_fromstring(html.text)
    (shown,) = tree.xpath("//p[@id=$id]", id=f"t_{name}_failure")
    assert says in shown.text_content()
    assert tree.xpath("//live-figure/@id") == ["composite", "three_readings", "two_designs"]
    assert len(tree.xpath("//ol[@id=$id]/li/samp", id=f"t_{name}")) > 0
    # Each figure is there, with a run or with the same sentence, and can be used again.
    for figure in ("composite", "three_readings", "two_designs"):
        (failure,) = tree.xpath("//*[@id=$id]", id=f"{figure}_failure")
        (sentence,) = tree.xpath("//*[@id=$id]", id=f"{figure}_sentence")
        assert sentence.text_content().strip() or says in failure.text_content()
        assert tree.xpath("//form[@id=$id]", id=f"{figure}_form")


@pytest.mark.usefixtures("in_one_minute")
def test_used_up_commands_are_told(make: Callable[..., Flask]) -> None:
    client = make(commands_per_minute=10).test_client()
    token = asked(client, "script")["sandbox"]["token"]
    for _ in range(3):
        run(client, "script", token=token)
    failed_in_words(client, "script", "may send 10 commands a minute", 429, token=token)


def test_too_many_keys_are_told_and_are_no_reply(make: Callable[..., Flask], content: Path) -> None:
    many = "".join([f"> SET k{n} x\nOK\n" for n in range(5)])
    text = page(f"## Part\n\n```transcript first\n{many}```\n")
    write(content, "course/plain.md", text)
    client = make(keys_per_sandbox=4).test_client()
    answer = run(client, "first", dive=FIGURELESS)
    assert answer.status_code == 429
    assert "holds 4 keys" in answer.get_json()["error"]["sentence"]
    assert run(client, "first", dive=FIGURELESS, upto=4).status_code == 200


@pytest.mark.parametrize("command", ["ZADD", "zadd", "Zadd"])
def test_no_spelling_of_a_command_passes_a_quota(
    make: Callable[..., Flask], content: Path, valkey: Valkey, command: str
) -> None:
    many = "".join([f"> {command} s {n} m{n}\n(integer) 1\n" for n in range(25)])
    write(content, "course/plain.md", page(f"## Part\n\n```transcript first\n{many}```\n"))
    client = make(members_per_set=20).test_client()
    answer = run(client, "first", dive=FIGURELESS)
    assert answer.status_code == 429
    assert "holds 20 members" in answer.get_json()["error"]["sentence"]
    (key,) = valkey.admin.scan_iter("*:s", count=1000)
    assert valkey.admin.zcard(key) == 20


def test_a_value_that_is_too_heavy_is_told(make: Callable[..., Flask], content: Path) -> None:
    text = page(f"## Part\n\n```transcript first\n> SET k {'x' * 65}\nOK\n```\n")
    write(content, "course/plain.md", text)
    answer = run(make(bytes_per_value=64).test_client(), "first", dive=FIGURELESS)
    assert answer.status_code == 429
    assert "may weigh 64 bytes and this one weighs 65" in answer.get_json()["error"]["sentence"]


def test_too_many_sandboxes_of_one_network_are_told(make: Callable[..., Flask]) -> None:
    client = make(sandboxes_per_minute=1).test_client()
    token = asked(client, "first")["sandbox"]["token"]
    failed_in_words(client, "first", "sandboxes were opened from your network", 429)
    # Whoever has one goes on.
    assert run(client, "first", token=token).status_code == 200


def test_a_dead_server_is_told_and_the_page_stands(
    make: Callable[..., Flask], own_valkey: Valkey
) -> None:
    client = make(own_valkey.url).test_client()
    token = asked(client, "first")["sandbox"]["token"]
    own_valkey.kill()
    failed_in_words(client, "first", "Valkey cannot be reached", 503, token=token)
    failed_in_words(client, "first", "Valkey cannot be reached", 503)
    own_valkey.start()
    assert all(step["agrees"] for step in asked(client, "first", token=token)["steps"])


def test_a_full_server_is_told_and_is_no_reply(
    make: Callable[..., Flask], own_valkey: Valkey
) -> None:
    client = make(own_valkey.url).test_client()
    asked(client, "first")
    own_valkey.admin.config_set("maxmemory", "1")
    answer = run(client, "first")
    assert answer.status_code == 429
    assert "full just now" in answer.get_json()["error"]["sentence"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_server_that_is_silent_is_asked_once_for_a_page_of_three_figures(
    make: Callable[..., Flask], own_valkey: Valkey, method: str
) -> None:
    client = make(own_valkey.url, valkey_timeout_ms=1000).test_client()
    token = asked(client, "first")["sandbox"]["token"]
    with paused(own_valkey):
        began = time.monotonic()
        answer = client.get(DIVE) if method == "get" else run(client, "first", HTML, token=token)
        waited = time.monotonic() - began
    assert answer.status_code == 503
    assert answer.text.count("did not answer within 1 seconds") >= 3
    assert waited < 1.9
    assert answer.headers["Retry-After"]


# The lane of a dive's transcripts, and the sandbox's limits


def test_what_one_transcript_left_the_next_one_removes_and_counts(
    client: FlaskClient, valkey: Valkey
) -> None:
    token = asked(client, "script")["sandbox"]["token"]
    left = asked(client, "first", token=token)
    assert {key.partition(":")[2] for key in keys_of(valkey, token)} == {"s", "<b>key</b>"}
    held = Settings().keys_per_sandbox - left["sandbox"]["keys_left"]
    assert held == len(keys_of(valkey, token))


def paths(client: FlaskClient) -> list[str]:
    """Return where each transcript of every page is asked for."""
    found = (lxml.html.document_fromstring(client.get(one).text) for one in addresses(client))
    forms = [one for page in found for one in page.xpath("//form/@action")]
    return [re.sub(r"#.*", "", one) for one in forms if "/transcripts/" in one]


def test_no_transcript_of_ours_shows_a_sandboxs_name_or_leaves_a_key_for_ever(
    client: FlaskClient, valkey: Valkey
) -> None:
    for path in paths(client):
        answer = client.post(path, headers=JSON)
        assert answer.status_code == 200, path
        assert "{sbx:" not in answer.text, path
        token = answer.get_json()["sandbox"]["token"]
        held = keys_of(valkey, token)
        left = Settings().keys_per_sandbox - answer.get_json()["sandbox"]["keys_left"]
        assert left == len(held), path
    assert [key for key in valkey.admin.scan_iter("*") if valkey.admin.ttl(key) < 0] == []


@pytest.mark.parametrize(
    ("limits", "limit", "said"),
    [
        ({"keys_per_sandbox": 1}, 1, "Your sandbox holds 1 keys, the most it may"),
        ({"members_per_set": 1}, 1, "This set holds 1 members"),
        ({"bytes_per_value": 8}, 8, "One value may weigh 8 bytes and this one weighs 12:"),
    ],
)
@pytest.mark.parametrize("name", ["first", "script"])
def test_that_nothing_more_fits_is_our_sentence_and_no_reply(
    make: Callable[..., Flask], name: str, limits: dict[str, int], limit: int, said: str
) -> None:
    client = make(**limits).test_client()
    answer = run(client, name)
    assert answer.status_code == 429
    error = answer.get_json()["error"]
    assert error["limit"] == limit
    assert error["sentence"].startswith(said.split(" weighs")[0])
    for headers in (STREAM, HTML):
        text = run(client, name, headers).text
        assert said.split(" weighs")[0] in text
        assert "QUOTA" not in text


FULL = """> ZADD s 1 a 2 b
(integer) 2
> ZADD s 3 a
(integer) 0
> ZADD s CH 4 a 5 b
(integer) 2
> zadd s xx gt ch 6 a
(integer) 1
> ZADD s INCR 1 b
"6"
> ZADD s GT 9 a 9 b
(integer) 0
> ZINCRBY s 1 a
"10"
"""


@pytest.mark.parametrize(
    "new", ["ZADD s 1 c", "ZADD s NX 1 c", "ZADD s CH 1 a 1 c", "ZINCRBY s 1 c"]
)
def test_a_full_set_takes_new_scores_with_every_option_and_no_new_member(
    valkey: Valkey, tmp_path: Path, new: str
) -> None:
    told = f"```transcript full\n{FULL}```\n\n```transcript more\n> {new}\n(integer) 0\n```\n"
    write(tmp_path, "plain.md", page(f"## Part\n\n{told}"))
    settings = Settings(valkey.url, secret=SECRET, content=str(tmp_path), members_per_set=2)
    client = create_app(settings).test_client()
    body = run(client, "full", dive="/plain")
    assert body.status_code == 200, body.text
    assert all(step["agrees"] for step in body.get_json()["steps"]), body.text
    answer = run(client, "more", dive="/plain")
    assert answer.status_code == 429
    assert answer.get_json()["error"]["limit"] == 2
