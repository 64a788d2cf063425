"""Whom a network address counts as, when sandboxes are opened."""

from __future__ import annotations

import pytest

from decoder.web.admission import UNKNOWN, network


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        (" 192.0.2.7 ", "192.0.2.7"),
        ("192.0.2.7:51234", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("[::ffff:192.0.2.7]:443", "192.0.2.7"),
        ("::FFFF:c000:207", "192.0.2.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_an_address_counts_as_itself_or_as_its_network(address: str, counts_as: str) -> None:
    assert network(address) == counts_as


@pytest.mark.parametrize(
    "garbage",
    ["", "unknown", "_hidden", "192.0.2", "192.0.2.7.8:1", "192.0.2.7:", "1:2", "a" * 5000, "\x00",
     "192.0.2.7, 192.0.2.8", "{sbx:limits}", "٢.2.2.2", "999.1.1.1:80", "[192.0.2.7", "[::1"],
)  # fmt: skip
def test_all_that_is_no_address_counts_as_one(garbage: str) -> None:
    assert network(garbage) == UNKNOWN
