"""Every deliberate exception, each with the sentence a visitor may see.

Errors carry the number, the limit and the cure; `web/errors.py` is the only place that
turns them into an HTTP status.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class DecoderError(Exception):
    """Something went wrong in a way we can say in one sentence.

    `code` names the kind for programs, `sentence` is for people, `limit` is the number that was
    reached (or None) and `retry_after_s` says when trying again makes sense (or None).
    """

    code = "error"

    def __init__(
        self, sentence: str, *, limit: int | None = None, retry_after_s: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.limit = limit
        self.retry_after_s = retry_after_s


class OutOfRange(DecoderError):
    """A fact that its encoding has no bits for, or that a double would round."""

    code = "out_of_range"


class NotAnId(DecoderError):
    """A text that is not a branded id."""

    code = "not_an_id"


class SettingsError(DecoderError):
    """A DECODER_* variable that is unknown or has no usable value."""

    code = "settings"


class CannotStart(DecoderError):
    """A server of ours gave up as it was started; its own words stand above ours."""

    code = "cannot_start"


class ScriptFault(DecoderError):
    """A Lua file whose header or body breaks our rules: our mistake, found at start-up."""

    code = "script"


class ServerUnreachable(DecoderError):
    """Valkey did not answer: our failure, never the visitor's."""

    code = "server_unreachable"


class Refused(DecoderError):
    """A limit around the sandbox said no."""

    code = "refused"


class CourseFault(DecoderError):
    """What is wrong in a file of the course, and its cure.

    `line` counts from 1, which is also where a fault of the whole file is told.
    """

    code = "course"

    def __init__(self, sentence: str, *, line: int = 1) -> None:
        super().__init__(sentence)
        self.line = line


class TranscriptFault(CourseFault):
    """A transcript that cannot be read, or whose replies are not those of the server."""

    code = "transcript"


class UnreadableFile(CourseFault):
    """A file of the course that cannot be opened, or whose bytes are no text."""

    code = "unreadable"


class BrokenPage(CourseFault):
    """A page of the course that is not shown, with every fault that was found in its file.

    `file` is the file's path below the content folder, and says nothing of where that folder is.
    """

    def __init__(self, file: str, faults: Sequence[CourseFault]) -> None:
        count = "a fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__(f"This page cannot be shown: its file has {count}.")
        self.file = file
        self.faults = faults


class ProgramFailed(Refused):
    """A program stopped half-way; `steps` are those that were really executed before."""

    def __init__(
        self,
        sentence: str,
        steps: list[Any],
        *,
        limit: int | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(sentence, limit=limit, retry_after_s=retry_after_s)
        self.steps = steps


class ServerError(ProgramFailed):
    """Valkey answered one of our own commands with an error: our failure, in its words."""

    code = "server_error"
