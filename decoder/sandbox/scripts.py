"""Scripts: the Lua files, their headers read as signatures, and the one text that is registered.

A file in lua/<design>/ is what it would be in a real queue. The text that the server runs is

    trace.lua · quota.lua · each script of the figure as a function · read_order.lua · run.lua

so that one EVALSHA runs a whole interaction and brings back every command it sent.
"""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from decoder.errors import ScriptFault

_HEADER = re.compile(r"\A--\[\[\n(.*?)\n\]\]\n", re.DOTALL)
_NAMED = re.compile(r"^(KEYS|ARGV)\[(\d+)\] (\w+)(?: +(.*))?$", re.MULTILINE)
_STANDS_FOR = re.compile(r"^Stands for: (.*(?:\n {2,}.*)*)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^Example:\n((?:.*\n)*?)\]\]$", re.MULTILINE)
_RETURNS = re.compile(r"^Returns: +(.*)$", re.MULTILINE)
_LEANS_ON = re.compile(r"^Source: +(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Parameter:
    """One of a script's KEYS or ARGV, such as KEYS[1]: its place, its name and what it is."""

    place: str
    name: str
    says: str


@dataclass(frozen=True)
class Script:
    """One Lua file: its name, what it does, and the names of its KEYS and ARGV in order."""

    name: str
    says: str
    keys: tuple[str, ...]
    arguments: tuple[str, ...]
    returns: str
    source: str

    @cached_property
    def example(self) -> tuple[str, int]:
        """The transcript in the header, empty for none, and the line of the file it begins on."""
        found = _EXAMPLE.search(self.source)
        if found is None:
            return "", 0
        return textwrap.dedent(found[1]), self.source.count("\n", 0, found.start(1)) + 1

    @cached_property
    def listing(self) -> str:
        """The file without the example of its header, which a page runs beside it."""
        return _EXAMPLE.sub("]]", self.source).replace("\n\n]]", "\n]]")

    @cached_property
    def stands_for(self) -> list[str]:
        """The upstream scripts and functions whose work this one does, by their own names."""
        found = _STANDS_FOR.search(self.source)
        return " ".join(found[1].split()).split(", ") if found else []

    @cached_property
    def parameters(self) -> list[Parameter]:
        """KEYS, then ARGV, as the header explains them."""
        header = _HEADER.match(self.source)
        named = _NAMED.findall(header[1]) if header else []
        return [Parameter(f"{kind}[{n}]", name, says) for kind, n, name, says in named]

    @cached_property
    def leans_on(self) -> str:
        """Whose behaviour it has, as the header says; empty where it is our own."""
        found = _LEANS_ON.search(self.source)
        return found[1] if found else ""

    @cached_property
    def body(self) -> str:
        """The Lua below the header."""
        return _HEADER.sub("", self.source)


def read_script(name: str, source: str) -> Script:
    """Read a Lua file's header; raises ScriptFault when it has none or counts wrongly."""
    header = _HEADER.match(source)
    if header is None:
        raise ScriptFault(f"lua/{name}.lua must open with a --[[ header ]] block.")
    names: dict[str, list[str]] = {"KEYS": [], "ARGV": []}
    for kind, number, word, _ in _NAMED.findall(header[1]):
        if int(number) != len(names[kind]) + 1:
            raise ScriptFault(f"lua/{name}.lua: {kind}[{number}] is out of order.")
        names[kind].append(word)
    returns = _RETURNS.search(header[1])
    if returns is None:
        raise ScriptFault(f"lua/{name}.lua does not say what it returns.")
    says = header[1].split("\n", 1)[0].strip()
    return Script(name, says, tuple(names["KEYS"]), tuple(names["ARGV"]), returns[1], source)


def load_scripts(folder: Path) -> dict[str, Script]:
    """Read every script in a sub-folder of `folder`, by its name such as packed/add_delayed."""
    paths = sorted(folder.glob("*/*.lua"))
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in paths]
    return {
        name: read_script(name, path.read_text()) for name, path in zip(names, paths, strict=True)
    }


@dataclass(frozen=True)
class Composed:
    """The text that is registered for a figure, and the name the server gives it."""

    text: str
    sha: str
    scripts: Mapping[str, Script]


def compose(folder: Path, scripts: Mapping[str, Script], names: Sequence[str]) -> Composed:
    """Compose the frame and the named scripts into one text; raises ScriptFault for a stranger."""
    unknown = [name for name in names if name not in scripts]
    if unknown:
        raise ScriptFault(f"lua/{unknown[0]}.lua does not exist.")
    order = read_script("read_order", (folder / "read_order.lua").read_text())
    parts = [(folder / name).read_text() for name in ("trace.lua", "quota.lua")]
    parts += [
        f"bodies['{script.name}'] = function(KEYS, ARGV)\n{script.body}end\n"
        for script in [*(scripts[name] for name in names), order]
    ]
    parts.append((folder / "run.lua").read_text())
    text = "".join(parts)
    sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
    return Composed(text, sha, {name: scripts[name] for name in names})
