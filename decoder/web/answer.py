"""Answer: which kind of answer a request prefers, and how the messages of a stream are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flask import Response, request, stream_with_context
from markupsafe import Markup, escape

HTML, JSON, EVENT_STREAM = "text/html", "application/json", "text/event-stream"


def preferred() -> str:
    """Return which of the three answers the request asks for: HTML where it does not say.

    A stream is for those who name it: htmx does, beside the page that it would take as well.
    """
    accepted = request.accept_mimetypes
    named = any(kind.lower() == EVENT_STREAM for kind in accepted.values())
    return accepted.best_match([EVENT_STREAM, HTML, JSON] if named else [HTML, JSON], HTML)


def stream(messages: Iterator[str]) -> Response:
    """Answer messages one by one, as they come; nothing between here and the page holds them."""
    answer = Response(stream_with_context(messages), mimetype=EVENT_STREAM)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def message(name: str, parts: Mapping[str, str]) -> str:
    """Write one message: its name is its id, each part the HTML that fills an element's inside.

    A part is one line here, for in a stream the end of a line ends what it says.
    """
    lines = [f"id: {name}"]
    for target, html in parts.items():
        one_line = " ".join([line for line in map(str.strip, html.splitlines()) if line])
        lines.append(
            f'data: <hx-partial hx-target="#{target}" hx-swap="innerMorph">{one_line}</hx-partial>'
        )
    return "\n".join(lines) + "\n\n"


def keeping_lines(text: str) -> Markup:
    """Escape a text so that its lines outlive a message, in which white space is joined."""
    return escape(text).replace("\n", Markup("&#10;"))
