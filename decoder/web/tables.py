"""Tables: what the server holds or answered, row by row, joined from texts escaped once."""

from __future__ import annotations

from html import escape

from markupsafe import Markup

from decoder.readings.tables import Meaning, Row, Table

WHOLE_MOST = 30
"""Letters of name and value together that a phone has room for, so neither is broken there."""


def table_html(table: Table) -> Markup:
    """Write a table: name, value, and what that means; and how many rows are not shown."""
    rows = [_row(row) for row in table.rows] or ["<tr><td colspan=3>nothing</td></tr>"]
    if table.more:
        more = f"{table.more:,}".replace(",", "\u202f")
        rows.append(f"<tr class=more><td colspan=3>{more} more</td></tr>")
    return Markup(
        f"<table class=found><caption>{escape(table.title, quote=False)}</caption>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


_ROW_CLASS = {
    (False, False): "", (False, True): " class=whole",
    (True, False): " class=mine", (True, True): ' class="mine whole"',
}  # fmt: skip


def _row(row: Row) -> str:
    name, value, note, mine, fact = row
    whole = len(name) + len(value) <= WHOLE_MOST
    return (
        f"<tr{_ROW_CLASS[mine, whole]}><th scope=row>{escape(name, quote=False)}</th>"
        f"<td{f' class=fact-{fact}' if fact else ''}>{escape(value, quote=False)}</td>"
        f"<td>{escape(note, quote=False)}</td></tr>"
    )


def meanings_html(meanings: list[Meaning], chosen: str) -> Markup:
    """Write what a score means under each reading, as list items."""
    return Markup(
        "".join(
            [
                f"<li{' class=chosen' if one.reading == chosen else ''}><b>{one.named}</b> "
                f"{one.says}</li>"
                for one in meanings
            ]
        )
    )
