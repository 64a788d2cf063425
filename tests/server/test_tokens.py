"""Tokens: the signed name of a sandbox; whatever is not ours opens a fresh one and says so."""

from __future__ import annotations

import re
import time

import pytest
from flask.testing import FlaskClient
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from itsdangerous import TimestampSigner

from decoder.app import create_app
from decoder.settings import Settings
from tests.conftest import SECRET
from tests.support.figure import FIGURE, HTML, MINE, STREAM, Page, Visitor, ladder, messages, shown
from tests.support.valkey import Valkey

HOUR_S = 3600


class OldSigner(TimestampSigner):
    """Signs as if it were `age_s` seconds earlier."""

    age_s = 0

    def get_timestamp(self) -> int:
        return int(time.time()) - self.age_s


def signed(text: str, *, age_s: int = 0, secret: str = SECRET, salt: str = "sandbox") -> str:
    signer = OldSigner(secret, salt=salt)
    signer.age_s = age_s
    return signer.sign(text).decode()


@pytest.fixture
def visitor(client: FlaskClient) -> Visitor:
    """Someone whose job stands at tier 5 and who has served one."""
    one = Visitor(client)
    one.move(5, 500)
    one.serve()
    return one


def assert_fresh(visitor: Visitor, token: str) -> None:
    """Move with a token; it must open a sandbox of its own, with a notice."""
    other = Visitor(visitor.client, token)
    body = other.move(2, 17)
    assert other.token.split(".")[0] != visitor.token.split(".")[0]
    assert other.token != token
    assert body["position"] == {"rank": 4, "of": 10}
    assert any("fresh" in notice for notice in body["notices"])


def test_a_token_of_ours_leads_to_the_same_sandbox(visitor: Visitor) -> None:
    body = Visitor(visitor.client, visitor.token, seq=9).move(5, 501)
    assert body["position"]["of"] == 9
    assert body["notices"] == []


def test_a_token_signed_by_the_tests_is_one_of_ours(visitor: Visitor) -> None:
    # Or the forgeries below would prove nothing.
    sandbox_id = visitor.token.split(".")[0]
    body = Visitor(visitor.client, signed(sandbox_id), seq=9).move(5, 501)
    assert body["position"]["of"] == 9
    assert body["notices"] == []


@given(at=st.integers(0, 70), by=st.characters(codec="ascii"))
@settings(max_examples=80)
def test_a_token_with_one_letter_changed_opens_a_fresh_sandbox(
    client: FlaskClient, valkey: Valkey, at: int, by: str
) -> None:
    visitor = Visitor(client)
    visitor.move(2, 17)
    token = visitor.token
    # The last letter of base64 has bits to spare.
    assume(at < len(token) - 1)
    changed = token[:at] + by + token[at + 1 :]
    assume(changed.split(".")[0] != token.split(".")[0] or changed != token)
    before = ladder(valkey, token)
    body = Visitor(client, changed).serve()
    assert ladder(valkey, token) == before
    assert any("fresh" in notice for notice in body["notices"])


def test_a_token_from_another_secret_opens_a_fresh_sandbox(visitor: Visitor) -> None:
    assert_fresh(visitor, signed(visitor.token.split(".")[0], secret="another secret"))


def test_a_token_signed_for_something_else_opens_a_fresh_sandbox(visitor: Visitor) -> None:
    assert_fresh(visitor, signed(visitor.token.split(".")[0], salt="something else"))


def test_a_name_without_a_signature_opens_a_fresh_sandbox(visitor: Visitor) -> None:
    assert_fresh(visitor, visitor.token.split(".")[0])


def test_a_token_cut_short_opens_a_fresh_sandbox(visitor: Visitor) -> None:
    assert_fresh(visitor, visitor.token[:-5])


@pytest.mark.parametrize(
    "name",
    ["rehearsal", "", "x}:y{", "a" * 21, "a" * 23, "../" + "a" * 19, "é" * 22, "a b" * 7 + "c"],
)
def test_a_signed_name_that_is_none_of_a_sandbox_opens_a_fresh_one(
    visitor: Visitor, valkey: Valkey, name: str
) -> None:
    assert_fresh(visitor, signed(name))
    assert not any(f"{{sbx:{name}}}:" in one for one in valkey.admin.keys("*"))


def test_an_expired_token_opens_a_fresh_sandbox_and_says_why(visitor: Visitor) -> None:
    old = signed(visitor.token.split(".")[0], age_s=25 * HOUR_S)
    assert_fresh(visitor, old)
    body = Visitor(visitor.client, old).move(2, 17)
    assert any("long" in notice for notice in body["notices"])


def test_a_token_lasts_as_long_as_the_setting_says(valkey: Valkey) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, token_hours=2)
    client = create_app(settings).test_client()
    visitor = Visitor(client)
    visitor.move(5, 500)
    name = visitor.token.split(".")[0]
    young = Visitor(client, signed(name, age_s=2 * HOUR_S - 60), seq=9).move(5, 500)
    assert young["notices"] == []
    assert_fresh(visitor, signed(name, age_s=2 * HOUR_S + 60))


def test_each_answer_renews_the_token(visitor: Visitor) -> None:
    name = visitor.token.split(".")[0]
    old = Visitor(visitor.client, signed(name, age_s=23 * HOUR_S), seq=9)
    old.move(5, 500)
    assert old.token.split(".")[0] == name
    signer = TimestampSigner(SECRET, salt="sandbox")
    signer.unsign(old.token, max_age=60)


def test_a_token_from_the_future_opens_a_fresh_sandbox(visitor: Visitor) -> None:
    assert_fresh(visitor, signed(visitor.token.split(".")[0], age_s=-HOUR_S))


def test_a_page_with_a_forged_token_shows_the_notice_and_a_token_that_works(
    visitor: Visitor,
) -> None:
    page = Page(visitor.post(HTML, token=visitor.token[:-3] + "xxx", tier=2, arrival=17).text)
    assert any("fresh" in notice for notice in page.notices)
    assert Visitor(visitor.client, page.token, seq=9).move(2, 17)["notices"] == []


def test_a_stream_with_a_forged_token_shows_the_notice(visitor: Visitor) -> None:
    answers = messages(visitor.post(STREAM, token="forged", tier=2, arrival=17).text)
    assert "fresh" in answers[-1].parts["composite_notices"]


def test_a_stream_hands_out_the_token_of_the_fresh_sandbox(
    visitor: Visitor, valkey: Valkey
) -> None:
    # Or the next move would carry the forged one again, and open yet another sandbox.
    text = visitor.post(STREAM, token="forged", tier=4, arrival=44).text
    (token,) = re.findall(r'name="token" value="([^"]+)"', text)
    assert dict(ladder(valkey, token))[MINE] == str(4 * 2**32 + 44)
    assert Visitor(visitor.client, token, seq=99).serve()["notices"] == []


def test_no_token_is_no_fault(client: FlaskClient) -> None:
    body = Visitor(client).move(2, 17)
    assert body["notices"] == []


def test_a_sandbox_is_named_by_128_random_bits(client: FlaskClient) -> None:
    names = set()
    for _ in range(20):
        visitor = Visitor(client)
        visitor.move(2, 17)
        names.add(visitor.token.split(".")[0])
    assert len(names) == 20
    # 22 characters of URL-safe base64 carry 132 bits.
    assert all(len(name) == 22 for name in names)


def test_the_tokens_of_one_secret_work_on_every_worker(
    visitor: Visitor, settings: Settings
) -> None:
    worker = create_app(settings).test_client()
    body = Visitor(worker, visitor.token, seq=9).move(5, 500)
    assert body["position"]["of"] == 9
    assert shown(body) == shown(Visitor(visitor.client, visitor.token, seq=10).move(5, 500))


def test_opening_a_page_makes_a_sandbox_of_its_own_each_time(client: FlaskClient) -> None:
    first, second = Page(client.get(FIGURE).text).token, Page(client.get(FIGURE).text).token
    assert first.split(".")[0] != second.split(".")[0]


def test_a_token_in_an_address_is_not_read(visitor: Visitor, valkey: Valkey) -> None:
    before = ladder(valkey, visitor.token)
    page = Page(
        visitor.client.get(FIGURE, query_string={"token": visitor.token, "then": "serve"}).text
    )
    assert page.token.split(".")[0] != visitor.token.split(".")[0]
    assert ladder(valkey, visitor.token) == before
