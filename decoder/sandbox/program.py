"""Program: what one interaction asks of the frame, operation by operation (see lua/run.lua)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from decoder.readings.reading import ServerNow
from decoder.sandbox.keys import Lane
from decoder.sandbox.scripts import Composed

ALWAYS, IF_FRESH, IF_MOVED, GO_ON = "", "?", "~", "!"
_ASIDE = "+"


def at_time(n: int) -> str:
    """Mean only when what was noted last is noted for the n-th time (1..9) in its lane."""
    return str(n)


class Numbered(str):
    """A text that the frame completes with one digit, a new one for each action of the lane."""


class OfPlace(str):
    """The n-th number of the place where the visitor's job was last put."""


class Program:
    """Collects operations for one lane. Every key is named here, so the server is told them all."""

    def __init__(self, lane: Lane, composed: Composed) -> None:
        self._lane = lane
        self.prefix = lane.prefix
        self._composed = composed
        self.keys: dict[str, str] = {}
        """Each physical key with its logical one, in the order in which operations number them."""
        self.keys_aside: set[str] = set()
        self._places: dict[str, int] = {}
        self._mark = ""
        self.members_most = 0
        """How many members one set may hold for this program, where that is more than the quota."""
        self.words: list[str | int] = []

    @contextmanager
    def aside(self, lane: Lane) -> Iterator[None]:
        """Mean the keys of another lane of the sandbox for a while; their steps are told apart.

        Also a lane that is only kept is shown with them, while its minute has commands left.
        """
        before, self._lane, self._mark = self._lane, lane, _ASIDE
        first = len(self.keys)
        yield
        self.keys_aside.update(list(self.keys)[first:])
        self._lane, self._mark = before, ""

    def script(
        self, name: str, keys: Mapping[str, str], *, when: str = ALWAYS, **arguments: object
    ) -> None:
        """Run a script, its keys and arguments given by the names in its header.

        Raises TypeError for a name that the header does not have, or one that is missing.
        """
        script = self._composed.scripts[name]
        if set(keys) != set(script.keys) or set(arguments) != set(script.arguments):
            wanted = ", ".join(script.keys + script.arguments)
            raise TypeError(f"{name} takes {wanted}; got {', '.join([*keys, *arguments])}")
        words = ["=" + name, *(self._key(keys[key]) for key in script.keys)]
        words += [_word(arguments[name]) for name in script.arguments]
        self._add(when + "script", words)

    def plain(self, command: str, key: str, *arguments: object) -> None:
        """Send one plain command on one key."""
        self._add("plain", ["=" + command, self._key(key), *map(_word, arguments)])

    def command(self, words: Sequence[str], places: Collection[int], *, when: str = ALWAYS) -> None:
        """Send one plain command whose words at `places` are keys."""
        at = enumerate(words)
        self._add(when + "plain", [self._key(one) if n in places else "=" + one for n, one in at])

    def order(self, key: str, member: str, window: int, tier: int = 0) -> None:
        """Read where `member` stands in `key`, and at most `window` members around it.

        Where these do not begin with the first and a `tier` takes so many scores, also how many
        members are more urgent.
        """
        self._add("order", [self._key(key), "=" + member, f"={window}", f"={tier}"])

    def count(self, key: str, low: str, high: str) -> None:
        """Count the members of `key` between two scores, as ZCOUNT takes them."""
        self._add("count", [self._key(key), "=" + low, "=" + high])

    def keep(self) -> None:
        """Only renew and read a lane that is there, also when the minute's commands are used up.

        Asked for first; in a fresh lane it means nothing.
        """
        self._add("keep", [])

    def whole(self) -> None:
        """Record commands of many words in full: for whoever sends them again."""
        self.words = ["whole", 0, *self.words]

    def note(self, entry: str, *, when: str = ALWAYS) -> None:
        """Remember an action, a move written at-…, or a look-…, as part of the lane's address."""
        self._add(when + "note", ["=" + entry])

    def declare(self, *keys: str) -> None:
        """Name keys that scripts derive from a prefix, so that they are shown, counted and kept."""
        for logical in keys:
            self._key(logical)

    def drop(self, *keys: str) -> None:
        """Remove keys that were written only to be shown: housekeeping, no step."""
        self._add("drop", [self._key(logical) for logical in keys])

    def restart(self) -> None:
        """Forget the lane: its keys and what it remembered."""
        self._add("restart", [])

    def _key(self, logical: str) -> str:
        physical = self._lane.physical(logical)
        self.keys[physical] = logical
        # KEYS[1] is the sandbox's record.
        return f"k{self._places.setdefault(physical, len(self._places) + 2)}"

    def _add(self, kind: str, words: list[str]) -> None:
        self.words += [self._mark + kind, len(words), *words]


def _word(value: object) -> str:
    return _MARKS.get(type(value), "=") + str(value)


_MARKS: dict[type, str] = {Numbered: "#", OfPlace: "@", ServerNow: "!"}
