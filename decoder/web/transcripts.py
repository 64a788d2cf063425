"""Transcripts: a dive's commands run in the visitor's sandbox, beside the recorded replies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, abort, jsonify, redirect, request
from jinja2 import Environment
from werkzeug.wrappers import Response as AnyResponse

from decoder.course.dive import Dive, Transcript
from decoder.errors import DecoderError
from decoder.figures.transcript import Asked, Replay
from decoder.web import answer, frame
from decoder.web.answer import message
from decoder.web.errors import error_json
from decoder.web.pages import Pages


def blueprint(pages: Pages, environment: Environment) -> Blueprint:
    """Serve POST <dive>/transcripts/<id>/runs."""
    routes = Blueprint("transcripts", __name__)
    macros = environment.get_template("macros/transcript.html").module

    @routes.post("/<path:name>/transcripts/<transcript>/runs")
    def run(name: str, transcript: str) -> AnyResponse:
        dive, shown = _found(pages, f"/{name}", transcript)
        token, upto = request.form.get("token", ""), _upto(request.form.get("upto", ""), shown)
        asked = pages.desk.transcript(dive, shown, upto, token)
        kind = answer.preferred()
        if kind == answer.EVENT_STREAM:
            told = request.form.get("page", "").startswith(f"{frame.EMBED}/")
            return answer.stream(_messages(pages, asked, macros, framed=told))
        if kind == answer.JSON:
            try:
                return jsonify(as_json(dive, pages.replay(asked)))
            except DecoderError as fault:
                return error_json(fault)
        return pages.shown_with(asked)

    @routes.get("/<path:name>/transcripts/<transcript>/runs")
    def reloaded(name: str, transcript: str) -> AnyResponse:
        # A reader without scripts who reloads, or shares, the answer to a form.
        dive, shown = _found(pages, f"/{name}", transcript)
        query = request.query_string.decode("latin-1")
        return redirect(f"{dive.path}{'?' * bool(query)}{query}#{shown.id}", 303)

    return routes


def _found(pages: Pages, path: str, name: str) -> tuple[Dive, Transcript]:
    dive = pages.page_at(path)
    found = next((one for one in dive.transcripts if one.id == name), None) if dive else None
    if dive is None or found is None:
        abort(404)
    return dive, found


def _upto(text: str, shown: Transcript) -> int:
    """Read up to which command; all of them where the text is no number in range."""
    last = len(shown.exchanges)
    # No transcript is that long; Python refuses to read a number of thousands of digits.
    return min(int(text), last) if re.fullmatch(r"0*[1-9][0-9]{0,3}", text) else last


def as_json(dive: Dive, replayed: Replay) -> dict[str, Any]:
    """Write a transcript that was run as JSON."""
    shown = zip(replayed.transcript.exchanges, replayed.live, strict=False)
    return {
        "dive": dive.path,
        "transcript": replayed.transcript.id,
        "steps": [
            {
                "command": one.typed, "recorded": one.expected(dive.proved), "reply": live.reply,
                "agrees": live.agrees,
                "inside": [{"command": sent, "reply": got} for sent, got in live.inside],
            }
            for one, live in shown
        ],
        "notices": replayed.notices,
        "round_trip_us": replayed.round_trip_us,
        "server": vars(replayed.server),
        "sandbox": vars(replayed.sandbox),
    }  # fmt: skip


def _messages(pages: Pages, asked: Asked, macros: Any, *, framed: bool) -> Iterator[str]:
    """Yield one message for each command's reply, then what can be run next; or the failure."""
    name = f"t_{asked.transcript.id}"
    try:
        replayed = pages.replay(asked)
    except DecoderError as fault:
        yield message("failure", {f"{name}_failure": macros.failed(fault.sentence)})
        return
    for n, exchange in enumerate(asked.transcript.exchanges):
        live = replayed.live[n] if n < len(replayed.live) else None
        yield message(str(n + 1), {f"{name}_{n + 1}": macros.live(exchange, live)})
    yield message("failure", {f"{name}_failure": ""})
    tools = macros.tools(asked.transcript, replayed, "")
    yield message("tools", {f"{name}_tools": frame.in_a_frame(tools) if framed else tools})
