"""What every lab keeps to: a set-up, one question, an answer that the server gave, an address."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from decoder.figures.labs import LABS
from tests.support.figure import HTML, JSON, STREAM, Page

EVERY_LAB = pytest.mark.parametrize("name", LABS)


def ask(client: FlaskClient, name: str, **fields: object) -> dict[str, object]:
    answer = client.post(f"/figures/{name}/runs", data=fields, headers=JSON)
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.get_json()
    return body


@EVERY_LAB
def test_a_lab_shows_its_set_up_and_its_question_and_folds_what_valkey_did(
    client: FlaskClient, name: str
) -> None:
    page = Page(client.get(f"/figures/{name}").text)
    lab = LABS[name]
    (outcome,) = page.tree.xpath('//details[@class="outcome"]')
    assert outcome.get("open") is None
    shown = " ".join(page.tree.xpath("//live-figure")[0].text_content().split())
    assert lab.notice in shown
    assert lab.question in shown
    assert page.tree.xpath('//div[@class="setup"]//tr')
    labels = [a.text for a in page.tree.xpath('//p[@class="answers"]/a')]
    assert labels == list(lab.answers.values())


@EVERY_LAB
def test_each_answer_is_a_link_that_opens_what_valkey_did_and_says_who_is_right(
    client: FlaskClient, name: str
) -> None:
    page = Page(client.get(f"/figures/{name}").text)
    links = [a.get("href") for a in page.tree.xpath('//p[@class="answers"]/a')]
    right = []
    for link, (answer, label) in zip(links, LABS[name].answers.items(), strict=True):
        body = ask(client, name, answer=answer)
        assert body["guess"]["said"] == answer
        assert f"You said: {label}" in body["sentence"]
        right.append(body["guess"]["right"])
        opened = Page(client.get(f"/figures/{name}{link}").text)
        (outcome,) = opened.tree.xpath('//details[@class="outcome"]')
        assert outcome.get("open") is not None
        assert f"You said: {label}" in outcome.text_content()
        assert opened.tree.xpath('//p[@class="answers"]/a[@aria-current]/text()') == [label]
    assert sum(right) == 1


@EVERY_LAB
def test_a_lab_that_is_asked_twice_answers_the_same_and_leaves_nothing(
    client: FlaskClient, name: str
) -> None:
    first = ask(client, name)
    second = ask(client, name, token=first["sandbox"]["token"])
    for field in ("sentence", "lesson", "steps", "address"):
        assert first[field] == second[field]
    assert second["sandbox"]["keys_left"] == first["sandbox"]["keys_left"]


@EVERY_LAB
def test_what_a_lab_cannot_do_is_said_and_moved_to_what_it_can(
    client: FlaskClient, name: str
) -> None:
    lab = LABS[name]
    wrong = dict.fromkeys(lab.FIELDS, "9" * 30 + "?")
    body = ask(client, name, **wrong, action="nonsense")
    assert len(body["notices"]) >= len(lab.FIELDS)
    for one in lab.INPUTS:
        assert one.range.least <= body["inputs"][one.name] <= one.range.most


@EVERY_LAB
def test_every_choice_and_both_ends_of_every_slider_run(client: FlaskClient, name: str) -> None:
    lab = LABS[name]
    asked = [{one.name: value} for one in lab.CHOICES for value in one.values]
    asked += [{one.name: n} for one in lab.INPUTS for n in (one.range.least, one.range.most)]
    asked += [{one.name: letter * one.most} for one in lab.TURNS for letter in one.values]
    for fields in asked:
        body = ask(client, name, **fields)
        assert body["notices"] == []
        assert body["lesson"]["answer"] in lab.answers
        assert body["lesson"]["outcome"]
        again = Page(client.get(body["address"]).text)
        assert body["sentence"] in again.tree.xpath("//live-figure")[0].text_content()
        for headers in (STREAM, HTML):
            weight = len(client.post(f"/figures/{name}/runs", data=fields, headers=headers).data)
            assert headers is HTML or weight <= 8192
