"""The lines that `decoder acl` and the embedded server's configuration are made of."""

from __future__ import annotations

import pytest

from decoder.sandbox import acl
from decoder.transcripts import command


@pytest.mark.parametrize(
    "password", ["plain", "a b", 'quote"', "back\\slash", "é", "it's", "x>y*|~"]
)
def test_a_password_is_one_word_of_the_line_whatever_is_in_it(password: str) -> None:
    rules = acl.RULES.split()
    asked = command.split(acl.command(password))
    spelled = ">" + password.encode().decode("utf-8", "surrogateescape")
    assert [one.encode("utf-8", "surrogateescape").decode() for one in asked] == [
        "ACL", "SETUSER", acl.USER, "reset", "on", spelled, *rules,
    ]  # fmt: skip
    line = command.split(acl.configuration_line(password))
    assert len(line) == 4 + len(rules)
