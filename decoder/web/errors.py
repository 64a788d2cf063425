"""Errors: the only map from an exception to an HTTP status and a page or a JSON body."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from decoder.errors import (
    BrokenPage,
    CourseFault,
    DecoderError,
    OutOfRange,
    Refused,
    ServerError,
    ServerUnreachable,
)
from decoder.web import answer as answers
from decoder.web.directory import Listed, nearest
from decoder.web.security import is_framed

STATUS = {ServerUnreachable: 503, CourseFault: 503, ServerError: 503, Refused: 429, OutOfRange: 422}

REQUEST_BYTES_MOST = 64 * 1024

SENTENCES = {
    400: "That request could not be read.",
    404: "There is no page at this address.",
    408: "The request took longer than {limit} s to arrive; nothing was changed. Send it again.",
    405: "This address answers another kind of request.",
    413: "That is more than one request may carry: the limit is 64 KiB.",
    500: "Something broke on our side. It has been logged; your sandbox is as it was.",
}

CURES = {
    400: "Go back, load the page again, and send it once more.",
    404: "Perhaps it was moved, or a letter of its address is missing.",
    405: "It is where a form sends to. Open its page and press the button there.",
    408: "A slow connection is enough for that.",
    413: "A figure’s form weighs less than 1 KiB: go back and shorten what you typed.",
    429: "It is a limit for everyone, and it passes.",
    500: "The address of a figure still says what you did: load it again, and it is replayed.",
    503: "The other pages are as they were.",
}
"""What one can do about it, below the sentence that says what happened."""

CODES = {
    400: "bad_request", 404: "not_found", 405: "method_not_allowed", 408: "too_slow",
    413: "too_large", 500: "server_error",
}  # fmt: skip

FAULTS_MOST = 100
"""How many faults of one file a page names: a file of a million colons has as many."""

_log = logging.getLogger("decoder")


def status_of(fault: DecoderError) -> int:
    """Return the HTTP status of one of our exceptions."""
    return next((code for kind, code in STATUS.items() if isinstance(fault, kind)), 500)


def error_json(fault: DecoderError) -> Response:
    """Answer an exception as the JSON of an error; the field names are a contract."""
    body: dict[str, Any] = {
        "code": fault.code,
        "sentence": fault.sentence,
        "limit": fault.limit,
        "retry_after_s": fault.retry_after_s,
    }
    if isinstance(fault, BrokenPage):
        body["faults"] = [
            {"file": fault.file, "line": one.line, "sentence": one.sentence}
            for one in fault.faults[:FAULTS_MOST]
        ]
    answer = jsonify({"error": body})
    answer.status_code = status_of(fault)
    if fault.retry_after_s:
        answer.headers["Retry-After"] = str(fault.retry_after_s)
    return answer


def register(app: Flask, request_seconds: int, groups: dict[str, list[Listed]]) -> None:
    """Answer every failure in the page's voice, as HTML or JSON.

    `request_seconds` is how long the body of a request may take to arrive; `groups` are the pages
    that one may have meant.
    """
    limits = {408: request_seconds, 413: REQUEST_BYTES_MOST}
    pages = [page for group in groups.values() for page in group]

    @app.errorhandler(DecoderError)
    def ours(fault: DecoderError) -> Response:
        return _answer(fault, status_of(fault), None)

    @app.errorhandler(HTTPException)
    def http(fault: HTTPException) -> Response:
        code = fault.code or 500
        sentence = SENTENCES.get(code) or fault.description or SENTENCES[500]
        limit = limits.get(code)
        ours = DecoderError(sentence.replace("{limit}", str(limit)), limit=limit)
        ours.code = CODES.get(code, ours.code)
        meant = nearest(request.path, pages) if code == 404 else None
        answer = _answer(ours, code, meant)
        if code == 405 and (allowed := dict(fault.get_headers()).get("Allow")):
            answer.headers["Allow"] = allowed
        return answer

    @app.errorhandler(Exception)
    def unexpected(_fault: Exception) -> Response:
        _log.exception("unexpected failure in %s %s", request.method, request.path)
        return _answer(DecoderError(SENTENCES[500]), 500, None)


def _answer(fault: DecoderError, status: int, meant: Listed | None) -> Response:
    if answers.preferred() == answers.JSON:
        answer = error_json(fault)
        answer.status_code = status
        return answer
    page = "embed_error" if is_framed(request.path) else "error"
    html = render_template(
        f"pages/{page}.html", status=status, sentence=fault.sentence,
        cure=CURES.get(status, ""), meant=meant,
        broken=fault if isinstance(fault, BrokenPage) else None, faults_most=FAULTS_MOST,
    )  # fmt: skip
    when = {"Retry-After": str(fault.retry_after_s)} if fault.retry_after_s else {}
    return Response(html, status, when)
