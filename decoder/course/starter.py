"""Starter: the file with which a dive of your own begins; it passes `decoder check` as it is."""

from __future__ import annotations

import os
from pathlib import Path

from decoder.course.reading import NAME_CURE, is_name
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


def write(path: Path, server: str) -> None:
    """Write a new dive, proven on `server`; raises CourseFault where the file cannot be new."""
    if path.suffix != ".md":
        raise CourseFault(f"{path}: a dive is a file that ends in .md.")
    if not is_name(path.name):
        raise CourseFault(f"{path}: {NAME_CURE}")
    title = path.stem.replace("-", " ").capitalize()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(_STARTER.format(title=title, server=server))
    except OSError as fault:
        if os.path.lexists(path):
            raise CourseFault(f"{path} is there already: it was left as it is.") from None
        raise CourseFault(f"{path} cannot be written: {fault.strerror}.") from None
