"""Address: what happened in a figure, written so that opening it replays the same thing.

    ?tier=3&arrival=17&then=at-2-17,serve,add,move

`tier` and `arrival` are where the visitor's job was put last. `then` lists what happened, in
order: `serve`, `serve-<guess>`, `add`, `at-<tier>-<arrival>` for an earlier place of the job,
`move` for the place that `tier` and `arrival` name. Without a place in front, that one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

_GUESS = re.compile(r"[A-Za-z0-9]{1,20}")
_ENTRY = re.compile(r"add|serve(-[A-Za-z0-9]{1,20})?|at-\d{1,12}-\d{1,12}|move")


def place(inputs: Mapping[str, int]) -> str:
    """Write the entry that puts the visitor's job at these inputs."""
    return f"at-{inputs['tier']}-{inputs['arrival']}"


def is_place(entry: str) -> bool:
    """Tell whether an entry puts the visitor's job somewhere."""
    return entry.startswith("at-")


def is_guess(text: str) -> bool:
    """Tell whether a text can be the name of a job that someone guessed."""
    return _GUESS.fullmatch(text) is not None


def action(entry: str) -> str:
    """Return which action an entry stands for: move, serve or add."""
    return "move" if is_place(entry) else entry.partition("-")[0]


def read_place(entry: str) -> dict[str, int]:
    """Return the inputs of a place."""
    _, tier, arrival = entry.split("-")
    return {"tier": int(tier), "arrival": int(arrival)}


def last_place(entries: list[str]) -> dict[str, int] | None:
    """Return where the job was put last, None when it never was."""
    places = [entry for entry in entries if is_place(entry)]
    return read_place(places[-1]) if places else None


def write(path: str, entries: list[str], *, full: bool, default: Mapping[str, int]) -> str:
    """Write the address of `path` that replays these entries."""
    inputs = last_place(entries) or dict(default)
    here = place(inputs)
    then = ["move" if entry == here else entry for entry in entries]
    if then[:1] == ["move"]:
        then = then[1:]
    query: dict[str, str] = {name: str(value) for name, value in inputs.items()}
    if full:
        query["full"] = "1"
    if then:
        query["then"] = ",".join(then)
    return f"{path}?{urlencode(query, safe=',')}"


def read(then: str, inputs: Mapping[str, int], most: int) -> tuple[list[str], list[str]]:
    """Return the entries that an address asks to replay, and notices for what was dropped."""
    here = place(inputs)
    entries: list[str] = []
    notices: list[str] = []
    actions = 0
    for part in then.split(","):
        if not part:
            continue
        if not _ENTRY.fullmatch(part):
            notices.append(f"“{part[:24]}” in the address is nothing this figure does; left out.")
            continue
        actions += part != "move" and not is_place(part)
        if actions > most:
            notices.append(f"An address carries {most} actions; the rest were left out.")
            break
        entry = here if part == "move" else part
        # Of moves in a row only the last counts, here as in the lane's own record.
        if entries and is_place(entry) and is_place(entries[-1]):
            entries.pop()
        entries.append(entry)
    if not entries or not is_place(entries[0]):
        entries.insert(0, here)
    return entries, notices[:5]
