"""Security headers: what every answer carries."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)

FRAMED_POLICY = CONTENT_SECURITY_POLICY.rpartition(";")[0]
"""Of pages that may stand in a frame anywhere: even `frame-ancestors *` would keep some out."""

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}

NOT_FRAMED = ("X-Frame-Options", "Cross-Origin-Opener-Policy")

TWO_YEARS = "max-age=63072000; includeSubDomains"


FETCHED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "HX-Redirect, Retry-After",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""What anyone may fetch: an embedded page has no origin, so to it all is another one's."""


ALLOWED = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": "*",
}


def is_framed(path: str) -> bool:
    """Tell whether an address may stand in a frame anywhere."""
    return path.startswith("/embed/")


def is_fetched(path: str) -> bool:
    """Tell whether an address is what embedded pages, or those that embed them, fetch."""
    return is_framed(path) or path.endswith("/runs") or path in ("/oembed", "/embed.js")


def preflight() -> Response | None:
    """Answer, before anything else, what a browser asks before it fetches from elsewhere."""
    if request.method == "OPTIONS" and is_fetched(request.path):
        return Response(status=204, headers=ALLOWED)
    return None


def headers(https: bool) -> Callable[[Response], Response]:
    """Return the hook that adds the headers; pages are never stored by shared caches."""

    def add(answer: Response) -> Response:
        framed = is_framed(request.path)
        if framed:
            answer.headers.setdefault("Content-Security-Policy", FRAMED_POLICY)
        for name, value in HEADERS.items():
            if framed and name in NOT_FRAMED:
                continue
            answer.headers.setdefault(name, value)
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        if https:
            answer.headers["Strict-Transport-Security"] = TWO_YEARS
        if is_fetched(request.path):
            # Nothing else sets these, so none of them is looked for first.
            answer.headers.extend(FETCHED)
        return answer

    return add
