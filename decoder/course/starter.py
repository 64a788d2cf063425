"""Starter: the file with which a dive of your own begins; it passes `decoder check` as it is."""

from __future__ import annotations

import os
from pathlib import Path

from decoder.course.course import TAKEN
from decoder.course.reading import NAME_CURE, address, is_name
from decoder.errors import CourseFault

_STARTER = """---
title: "{title}"
headline: A score is *a number*.
hue: time
kicker: A dive of your own
summary: What one set shows when its score is taken for an instant.
lede: One set, two jobs, and the question which of them comes first.
figure: composite
start: tier=2&arrival=17
order: 1
proved: {server}
sources:
  - title: Sorted sets
    url: https://valkey.io/topics/sorted-sets/
    says: the type that every reading shares
---

## What the set does

Say first what your readers see above, then why. One idea to a paragraph.

```transcript which-comes-first fresh
> ZADD {{course}}:jobs 1780226978000 job:b
(integer) 1
> ZADD {{course}}:jobs 1780226888000 job:a
(integer) 1
# Whoever has the smaller score comes first.
> ZRANGE {{course}}:jobs 0 -1
1) "job:a"
2) "job:b"
```

::: note What to notice
The set was never told that its scores are instants.
:::
"""


def folder_of(path: Path, content: str) -> Path:
    """Return the content folder in which a dive at `path` has an address.

    That is `content`, the folder that is served already, where the dive lies in it; else the first
    of the folders that were typed, or the file's own where that one gives no address.
    """
    served, whole = Path(content).resolve(), path.resolve()
    inside = bool(content) and whole.is_relative_to(served)
    if inside and _has_an_address(whole.relative_to(served)):
        return Path(content)
    typed = [one for one in reversed(path.parents) if one.name]
    if not path.is_absolute() and ".." not in path.parts:
        for folder in typed:
            if _has_an_address(path.relative_to(folder)):
                return folder
    return path.parent


def address_in(folder: Path, path: Path) -> str:
    """Return the address of a dive in a content folder."""
    return address(Path(os.path.relpath(path, folder)).as_posix())


def _has_an_address(file: Path) -> bool:
    return is_name(file.as_posix()) and file.with_suffix("").parts[0] not in TAKEN


def write(path: Path, server: str, content: str = "") -> None:
    """Write a new dive, proven on `server`; raises CourseFault where the file cannot be new.

    `content` is the folder that is served already, if there is one.
    """
    if path.suffix != ".md":
        raise CourseFault(f"{path}: a dive is a file that ends in .md.")
    if not is_name(path.name):
        raise CourseFault(f"{path}: {NAME_CURE}")
    own = address_in(folder_of(path, content), path)
    if own.split("/")[1] in TAKEN:
        raise CourseFault(f"{path}: {own} is an address of the site: choose another name.")
    title = path.stem.replace("-", " ").capitalize()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(_STARTER.format(title=title, server=server))
    except OSError as fault:
        if os.path.lexists(path):
            raise CourseFault(f"{path} is there already: it was left as it is.") from None
        raise CourseFault(f"{path} cannot be written: {fault.strerror}.") from None
