"""A visitor of the composite figure: moves, actions, and the three answers read back."""

from __future__ import annotations

import re
from typing import Any, Self

import lxml.html
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from decoder.figures.composite import CAST
from tests.support.valkey import Valkey

FIGURE = "/figures/composite"
RUNS = f"{FIGURE}/runs"
JSON = {"Accept": "application/json"}
HTML = {"Accept": "text/html"}
# What htmx 4 sends (FACTS.md, section 6).
STREAM = {"Accept": "text/html, text/event-stream"}
MINE = "JOB0Nb1VTbfnu4"
LADDER = "emq:{orders}:prioritized"
COUNTER = "emq:{orders}:pc"

# The cast is ours to choose; what follows from it is worked out here, not by the code under test.
FIRST, LAST_OF_1 = sorted(arrival for tier, arrival in CAST if tier == 1)
"""Arrivals of the two jobs of tier 1: the head of the queue, and the one that came long after."""
COUNTED = max(arrival for _, arrival in CAST)
"""Where the counter stands before anyone has moved."""

Body = dict[str, Any]


class Visitor:
    """Someone in one sandbox: remembers the token and counts the requests, as the page does.

    At the figure composite, unless a figure of its own says where its `runs` are asked for.
    """

    runs = RUNS

    def __init__(self, client: FlaskClient, token: str = "", seq: int = 0) -> None:
        self.client = client
        self.token = token
        self.seq = seq

    def post(self, headers: dict[str, str], **fields: Any) -> TestResponse:
        """Send one interaction; a field that is None is left out."""
        self.seq += 1
        form = {"token": self.token, "seq": self.seq, **fields}
        form = {name: value for name, value in form.items() if value is not None}
        return self.client.post(self.runs, data=form, headers=headers)

    def ask(self, **fields: Any) -> Body:
        """Send one interaction and return the JSON of its run."""
        answer = self.post(JSON, **fields)
        assert answer.status_code == 200, answer.text
        body: Body = answer.get_json()
        self.token = body["sandbox"]["token"]
        return body

    def move(self, tier: int, arrival: int, *, full: bool = False) -> Body:
        return self.ask(tier=tier, arrival=arrival, full="1" if full else None)

    def serve(self, guess: str | None = None) -> Body:
        return self.ask(action="serve", guess=guess)

    def add(self) -> Body:
        return self.ask(action="add")

    def reset(self) -> Body:
        return self.ask(action="reset")


def key(token: str, logical: str) -> str:
    """Return the key on the server that a page with this token shows as `logical`."""
    return f"{{sbx:{token.split('.')[0]}}}:composite:{logical}"


def ladder(valkey: Valkey, token: str) -> list[tuple[str, str]]:
    """Return members and score texts of a sandbox, as the server itself orders them."""
    texts = valkey.admin.execute_command("ZRANGE", key(token, LADDER), 0, -1, "WITHSCORES")
    return [(str(member), whole(score)) for member, score in _pairs(texts)]


def _pairs(texts: list[Any]) -> list[tuple[Any, Any]]:
    # redis-py may have paired them already.
    if texts and isinstance(texts[0], list | tuple):
        return [(pair[0], pair[1]) for pair in texts]
    return list(zip(texts[::2], texts[1::2], strict=True))


def whole(score: Any) -> str:
    """Write a whole score as the server prints it up to 2**62."""
    return str(int(float(score)))


def shown(body: Body) -> list[tuple[str, str]]:
    """Return members and score texts of a run's order."""
    return [(placed["member"], placed["score"]) for placed in body["order"]]


def commands(body: Body) -> list[str]:
    """Return the command texts of a run."""
    return [step["command"] for step in body["steps"]]


class Page:
    """A page of a figure, by the id of its element, as a reader without scripts gets it."""

    figure = "composite"

    def __init__(self, html: str) -> None:
        self.html = html
        self.tree = lxml.html.document_fromstring(html)

    @classmethod
    def opened(cls, client: FlaskClient, address: str) -> Self:
        """Open an address, which must work."""
        answer = client.get(address)
        assert answer.status_code == 200
        return cls(answer.text)

    def field(self, name: str) -> str:
        """Return the value of the first field of the figure's form with this name."""
        own = f'//form[@id="{self.figure}_form"]//input'
        linked = f'//input[@form="{self.figure}_form"]'
        (value, *_) = self.tree.xpath(
            f'{own}[@name="{name}"]/@value | {linked}[@name="{name}"]/@value'
        )
        return str(value)

    def text(self, element_id: str) -> str:
        """Return the words inside one element, white space joined."""
        (element,) = self.tree.xpath(f'//*[@id="{element_id}"]')
        return " ".join(element.text_content().split())

    @property
    def token(self) -> str:
        return self.field("token")

    @property
    def sentence(self) -> str:
        return self.text(f"{self.figure}_sentence")

    @property
    def notices(self) -> list[str]:
        items = self.tree.xpath(f'//*[@id="{self.figure}_notices"]/li')
        return [" ".join(item.text_content().split()) for item in items]

    @property
    def address(self) -> str:
        """The link to exactly this state."""
        (href,) = self.tree.xpath(f'//*[@id="{self.figure}_state"]//a/@href')
        return str(href)

    @property
    def members(self) -> list[str]:
        """The members of the ladder, from top to bottom."""
        return self.tree.xpath('//*[@id="composite_order"]//input[@name="guess"]/@value')

    @property
    def score(self) -> str:
        (value,) = self.tree.xpath('//*[@id="composite_score"]//data/@value')
        return str(value)

    @property
    def ghost(self) -> int | None:
        """How many jobs stand above the ghost row, None without one."""
        ghosts = self.tree.xpath(
            '//*[@id="composite_order"]/li[contains(concat(" ", @class, " "), " ghost ")]'
        )
        if not ghosts:
            return None
        (ghost,) = ghosts
        return len(ghost.xpath('preceding-sibling::li//input[@name="guess"]'))


class Message:
    """One message of an event stream: its id, and the parts of the page that it fills."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        self.ids = [line.removeprefix("id: ") for line in lines if line.startswith("id: ")]
        data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        assert len(self.ids) + len(data) == len(lines), "a line that is neither id nor data"
        self.data = "\n".join(data)
        self.parts = dict(
            re.findall(r'<hx-partial hx-target="#(\w+)"[^>]*>(.*?)</hx-partial>', self.data, re.S)
        )


def messages(text: str) -> list[Message]:
    """Read an event stream, which ends with a blank line."""
    assert text.endswith("\n\n")
    return [Message(part) for part in text.removesuffix("\n\n").split("\n\n")]


def said(messages: list[Message]) -> list[str]:
    """Return the ids of messages."""
    return [one for message in messages for one in message.ids]
