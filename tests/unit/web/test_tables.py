"""Tables: short names and scores stay whole on a phone, long ones may break."""

from __future__ import annotations

import pytest

from decoder.readings.tables import Row, Table
from decoder.web.tables import WHOLE_MOST, table_html


@pytest.mark.parametrize(
    ("row", "classes"),
    [
        (Row("JOB0Nb1VTbfnu4", "7291809701892095", "a note"), " class=whole"),
        (Row("JOB0Nb1VTbfnu4", "7291809701892095", "a note", mine=True), ' class="mine whole"'),
        (Row("name", "9" * WHOLE_MOST), ""),
        (Row("name", "9" * WHOLE_MOST, mine=True), " class=mine"),
    ],
)
def test_what_fits_a_phone_is_not_broken(row: Row, classes: str) -> None:
    assert f"<tr{classes}><th scope=row>{row.name}</th>" in table_html(Table("Some", [row]))


def test_all_text_of_a_table_is_escaped() -> None:
    html = table_html(Table("<a>", [Row("<b>", "<c>", "<d>")], more=1234))
    assert not [tag for tag in ("<a>", "<b>", "<c>", "<d>") if tag in html]
    assert "1\u202f234 more" in html
