"""Admission: how many sandboxes one network address may open in a minute."""

from __future__ import annotations

import ipaddress
import logging
import re
import time

from flask import request
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from decoder.errors import Refused
from decoder.sandbox.server import patience, unreachable
from decoder.settings import Settings

_log = logging.getLogger("decoder")

KEY_PREFIX = "{sbx:limits}"


UNKNOWN = "unknown"
"""Whoever names no address, or one that cannot be read: all of them count as one."""

_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([\d.]+):\d+")


def network(address: str) -> str:
    """Return whom an address belongs to: itself, or the /64 of one of IPv6's many.

    Some proxies forward a port with it, and some an IPv4 address as one of IPv6.
    """
    found = _WITH_PORT.fullmatch(address.strip())
    try:
        read = ipaddress.ip_address((found[1] or found[2]) if found else address.strip())
    except ValueError:
        return UNKNOWN
    if isinstance(read, ipaddress.IPv6Address):
        mapped = read.ipv4_mapped
        return str(mapped or ipaddress.ip_network((int(read), 64), strict=False))
    return str(read)


class Admission:
    """Counts the sandboxes that each address opens, on the same Valkey.

    This is Flask-Limiter's engine without its hooks: they would add 245 calls to each request,
    and a move in a sandbox that is already open is never counted here.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.sandboxes_per_minute
        self._timeout_ms = settings.valkey_timeout_ms
        self._item = RateLimitItemPerMinute(self._most)
        storage = storage_from_string(
            # The library names its socket scheme otherwise.
            settings.valkey_url.replace("unix://", "redis+unix://", 1),
            wrap_exceptions=True,
            key_prefix=KEY_PREFIX,
            **patience(self._timeout_ms),
        )
        self._limiter = FixedWindowRateLimiter(storage)

    def admit(self) -> None:
        """Count one new sandbox; raises Refused, saying when, where there were too many.

        Raises ServerUnreachable where nobody answers: the run that follows would wait as long.
        """
        address = network(request.remote_addr or "")
        try:
            if self._limiter.hit(self._item, address):
                return
            resets = self._limiter.get_window_stats(self._item, address).reset_time
        except StorageError as fault:
            if silent := unreachable(fault.__cause__, self._timeout_ms):
                raise silent from None
            # The run that follows says in its own words that Valkey is full; what only the counter
            # may not do is found by /readyz, and said here.
            _log.warning("new sandboxes are not counted: %s", type(fault.__cause__).__name__)
            return
        seconds = max(1, round(resets - time.time()))
        raise Refused(
            f"{self._most} sandboxes were opened from your network in this minute, as many as one "
            f"address may; the next one can be opened in {seconds} s.",
            limit=self._most,
            retry_after_s=seconds,
        )
