"""A run's score: computed, stored, compared."""

from __future__ import annotations

import pytest

from decoder.readings.run import Score


@pytest.mark.parametrize(
    ("computed", "stored", "agrees", "exact", "hexadecimal"),
    [
        (8589934609, "8589934609", True, True, "0x0000000200000011"),
        (8589934609, "8589934608", False, True, "0x0000000200000011"),
        (8589934609, None, None, True, "0x0000000200000011"),
        (9007199254741009, "9007199254741008", True, False, "0x0020000000000011"),
        (9007199254741009, "9007199254741012", False, False, "0x0020000000000011"),
        (None, "8589934609", None, None, None),
        (None, None, None, None, None),
        (2**53 - 1, "9007199254740991", True, True, "0x001FFFFFFFFFFFFF"),
    ],
)
def test_a_score_agrees_when_it_rounds_to_the_stored_double(
    computed: int | None,
    stored: str | None,
    agrees: bool | None,
    exact: bool | None,
    hexadecimal: str | None,
) -> None:
    score = Score(computed, stored, [])
    assert score.agrees is agrees
    assert score.exact is exact
    assert score.hex == hexadecimal
