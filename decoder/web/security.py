"""Security headers: what every answer carries."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}

TWO_YEARS = "max-age=63072000; includeSubDomains"


def headers(https: bool) -> Callable[[Response], Response]:
    """Return the hook that adds the headers; pages are never stored by shared caches."""

    def add(answer: Response) -> Response:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        if https:
            answer.headers["Strict-Transport-Security"] = TWO_YEARS
        return answer

    return add
