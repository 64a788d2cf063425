"""A reading is one entry and its script: a seventh, made here, runs everywhere by that alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from flask.testing import FlaskClient

import decoder.app
from decoder.encodings import instant
from decoder.errors import OutOfRange
from decoder.figures import three_readings
from decoder.figures.three_readings.program import scripts
from decoder.readings import actions
from decoder.readings.catalogue import READINGS, misread, of_design
from decoder.readings.reading import (
    Action,
    Call,
    Case,
    Computed,
    Conclusion,
    Job,
    Outcome,
    Reading,
    Script,
)
from decoder.readings.run import Fact, Step
from decoder.settings import Settings, files
from tests.support.figure import JSON, MINE, STREAM, Body, messages
from tests.support.valkey import Valkey

FIGURE = "/figures/three-readings"
ID = "one-number/expiry"
DUE_S = 1780226978
LUA = """--[[
Start a job that is given up at some second, unless it is held again.

KEYS[1] started       the started set, scored by the second at which each is given up
ARGV[1] member        the job's id
ARGV[2] until_s       that second

Returns: what ZADD answers.
Source:  RQ's StartedJobRegistry (behaviour)
]]
return redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
"""


# The entry, as it would stand in the catalogue.


def _second(job: Job) -> Computed:
    return Computed(job.due_ms // 1000, [Fact("until_s", job.due_ms // 1000, (52, 0))])


def _until(score: float) -> Conclusion:
    try:
        said = f"Given up at {instant.iso(instant.decode_s(score))}."
    except OutOfRange:
        said = "Never given up."
    return Conclusion({"until_s": int(score)}, said)


def _start(case: Case) -> list[Script]:
    return [_held(case.job, case.job.due_ms)]


def _hold(case: Case) -> list[Call]:
    return [_held(case.job, case.job.due_ms + case.job.every_ms)]


def _held(job: Job, until_ms: int) -> Script:
    arguments: dict[str, object] = {"member": job.member, "until_s": until_ms // 1000}
    return Script("one-number/start", {"started": "started"}, arguments)


def _said(_reading: Reading, outcome: Outcome) -> str:
    return f"Held once more, until {outcome.own.score}."


def _later(_job: Job | None, case: Case, _steps: list[Step]) -> Job | None:
    return case.job._replace(due_ms=case.job.due_ms + case.job.every_ms)


EXPIRY = Reading(
    id=ID,
    question="Until when?",
    keys="started",
    encoding="seconds",
    formula="given up at, in s",
    meaning="the second at which the job is given up",
    script="one-number/start",
    writes="ZADD",
    reads="ZRANGEBYSCORE −inf now",
    encode=_second,
    conclude=_until,
    write=_start,
    read=actions.due_in("started"),
    actions=(Action("hold", _hold, _said, "A heartbeat: until when now?", changes=_later),),
)


@pytest.fixture
def lua(tmp_path: Path) -> Path:
    """The scripts of the page, and the one of the new reading beside them."""
    folder = tmp_path / "lua"
    shutil.copytree(files("lua"), folder)
    (folder / "one-number" / "start.lua").write_text(LUA)
    return folder


@pytest.fixture
def visitor(valkey: Valkey, lua: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A client of an application whose catalogue has a seventh entry."""
    monkeypatch.setitem(READINGS, ID, EXPIRY)
    # What is worked out when the catalogue is first read.
    monkeypatch.setattr(three_readings, "SCRIPTS", scripts())
    monkeypatch.setattr(decoder.app, "files", lambda name: lua if name == "lua" else files(name))
    made = decoder.app.create_app(Settings(valkey_url=valkey.url, secret="a secret of the tests"))
    return made.test_client()


def ask(visitor: FlaskClient, **fields: Any) -> Body:
    answer = visitor.post(f"{FIGURE}/runs", data={"reading": ID, **fields}, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: Body = answer.get_json()
    assert body["notices"] == []
    return body


def page(visitor: FlaskClient, address: str) -> Any:
    answer = visitor.get(address)
    assert answer.status_code == 200
    return lxml.html.document_fromstring(answer.text)


def test_it_is_stored_by_its_script_and_read_back_by_its_entry(
    visitor: FlaskClient, valkey: Valkey
) -> None:
    body = ask(visitor)
    score = body["score"]
    assert (body["reading"], body["design"]) == (ID, "one-number")
    assert (score["computed"], score["stored"], score["agrees"]) == (str(DUE_S), str(DUE_S), True)
    assert score["facts"] == [{"name": "until_s", "value": DUE_S, "bits": [52, 0]}]
    assert body["read_back"]["facts"] == {"until_s": DUE_S}
    assert "2026-05-31T11:29:38.000Z" in body["read_back"]["says"]
    sent = [step["command"] for step in body["steps"] if step["script"] == "one-number/start"]
    assert sent == [f"ZADD emq:{{orders}}:started {DUE_S} {MINE}"]
    sandbox = body["sandbox"]["token"].split(".")[0]
    key = f"{{sbx:{sandbox}}}:one-number.expiry:emq:{{orders}}:started"
    assert valkey.admin.zscore(key, MINE) == float(DUE_S)
    assert len(body["order"]) == 5, "the others stand there by the same encoding"


def test_choosing_it_writes_reads_and_concludes_by_its_entry(visitor: FlaskClient) -> None:
    body = ask(visitor, action="select")
    assert body["address"] == f"{FIGURE}?reading={ID}"
    sent = [step["command"] for step in body["steps"]]
    wrote = sent.index(f"ZADD emq:{{orders}}:started {DUE_S} {MINE}")
    assert sent[wrote + 1].startswith("ZRANGEBYSCORE ")
    assert EXPIRY.formula in body["sentence"]
    assert "due at 11:28:08 UTC" in body["sentence"]
    assert body["set"] == "emq:{orders}:started"
    assert body["panel"][ID] == str(DUE_S)


def test_its_steps_are_told_from_its_entry(visitor: FlaskClient) -> None:
    meaning, write, read, conclude = (ask(visitor, step=step) for step in (1, 2, 3, 4))
    assert EXPIRY.meaning in meaning["sentence"]
    assert EXPIRY.formula in write["sentence"]
    assert "ZRANGEBYSCORE emq:{orders}:started -inf" in str(read["steps"])
    assert "Given up at" in conclude["sentence"]


def test_its_action_runs_is_told_is_reckoned_and_is_replayed(visitor: FlaskClient) -> None:
    body = ask(visitor, action="hold")
    held = str(DUE_S + 90)
    assert body["score"]["stored"] == body["score"]["computed"] == held
    assert body["sentence"] == f"Held once more, until {held}."
    assert body["address"].endswith("then=hold")
    again = page(visitor, body["address"])
    assert held in again.xpath('string(//*[@id="three_readings_order"])')


def test_the_page_shows_its_card_with_the_score_that_was_stored_beside_its_siblings(
    visitor: FlaskClient,
) -> None:
    tree = page(visitor, f"{FIGURE}?reading={ID}")
    cards = {
        card.get("data-reading"): card.xpath("string(data)")
        for card in tree.xpath('//li[@data-reading][contains(@class, "card")]')
    }
    assert cards == {
        "one-number/fire-time": "1780226978000",
        "one-number/order": "0",
        "one-number/next-run": "1780226978000",
        ID: str(DUE_S),
    }
    said = tree.xpath('string(//*[@id="three_readings"])')
    assert "A heartbeat: until when now?" in said
    assert "Start a job that is given up at some second" in said, "its script is shown"


def test_every_step_of_its_design_leads_through_it_and_each_of_its_links_works(
    visitor: FlaskClient,
) -> None:
    for name in [one.id for one in of_design("one-number")]:
        tree = page(visitor, f"{FIGURE}?reading={name}&step=4")
        for href in tree.xpath('//*[@id="three_readings"]//a/@href'):
            if str(href).startswith(("?", FIGURE)):
                assert visitor.get(FIGURE + str(href).removeprefix(FIGURE)).status_code == 200


def test_it_misreads_the_others_and_they_misread_it(visitor: FlaskClient) -> None:
    assert [one["reading"] for one in ask(visitor)["misread"]] == [*READINGS][:-1]
    wrong = {one.id: says for one, says in misread(8589934609.0, READINGS["packed/priority"])}
    assert "2242-03-16" in wrong[ID]


def test_its_action_belongs_to_no_other_reading(visitor: FlaskClient) -> None:
    fields = {"reading": "one-number/order", "action": "hold"}
    answer = visitor.post(f"{FIGURE}/runs", data=fields, headers=JSON)
    assert "belongs to another reading" in answer.get_json()["notices"][0]


def test_the_stream_of_a_design_with_four_readings_has_its_three_messages(
    visitor: FlaskClient,
) -> None:
    answer = visitor.post(f"{FIGURE}/runs", data={"reading": ID}, headers=STREAM)
    assert len(messages(answer.text)) == 3
