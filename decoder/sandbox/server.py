"""Server: the connection to a Valkey, embedded or your own, and its failures in plain words."""

from __future__ import annotations

import time
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from decoder.errors import Refused, ServerUnreachable, SettingsError
from decoder.sandbox import keys, probe
from decoder.sandbox.scripts import Composed

RETRY_AFTER_S = 2
FULL_RETRY_S = 60


def full(megabytes: int | None) -> str:
    """Say that the server is full; how much it may hold is known of one that we started."""
    most = f": it holds {megabytes} MB, and nothing is left" if megabytes else ""
    return (
        f"The Valkey behind this page is full just now{most}. It stores nothing new; what your "
        "sandbox holds stays readable. Sandboxes expire by themselves: try again in a minute."
    )


def check_url(url: str) -> None:
    """Raise SettingsError for an address that no client can use."""
    try:
        redis.Redis.from_url(url)
    except ValueError:
        # The address is not repeated: it may hold a password.
        raise SettingsError(
            "DECODER_VALKEY_URL is no address of a server. It looks like "
            "redis://user:password@host:6379, rediss://… or unix://user:password@/path."
        ) from None


def patience(timeout_ms: int) -> dict[str, Any]:
    """Return the options of a client that waits this long, once, and never sends a thing twice."""
    return {
        "socket_timeout": timeout_ms / 1000,
        "socket_connect_timeout": timeout_ms / 1000,
        # A script that served a job must not be sent twice: a failure is shown instead.
        "retry": Retry(NoBackoff(), 0),
        "driver_info": None,
    }


def unreachable(fault: BaseException | None, timeout_ms: int) -> ServerUnreachable | None:
    """Return a client's fault as ours where the server did not answer, None where it did."""
    if isinstance(fault, redis.exceptions.TimeoutError):
        sentence = f"Valkey did not answer within {timeout_ms / 1000:g} seconds."
        return ServerUnreachable(sentence, retry_after_s=RETRY_AFTER_S)
    if isinstance(fault, redis.exceptions.ConnectionError | OSError):
        return ServerUnreachable(_in_words(fault), retry_after_s=RETRY_AFTER_S)
    return None


class Server:
    """One Valkey, reached through a pool of connections that is safe to share."""

    def __init__(self, url: str, timeout_ms: int, megabytes: int | None = None) -> None:
        self.timeout_ms = timeout_ms
        self._megabytes = megabytes
        self._client: Any = redis.Redis.from_url(
            url,
            # RESP2 keeps scores as the server's own text; RESP3 would make Python floats of them.
            protocol=2,
            decode_responses=True,
            encoding_errors="surrogateescape",
            **patience(timeout_ms),
        )

    def evaluate(self, composed: Composed, keys: list[str], words: list[Any]) -> tuple[Any, int]:
        """Run a composed script; return its answer and the round trip in microseconds.

        Raises ServerUnreachable when there is no answer in time, Refused when the server has no
        room or no permission for us. A script that the server forgot is loaded again.
        """
        call = ("EVALSHA", composed.sha, len(keys), *keys, *words)
        try:
            try:
                started = time.perf_counter_ns()
                answer = self._client.execute_command(*call)
            except redis.exceptions.NoScriptError:
                self._client.execute_command("SCRIPT LOAD", composed.text)
                started = time.perf_counter_ns()
                answer = self._client.execute_command(*call)
        except redis.exceptions.OutOfMemoryError:
            raise Refused(
                full(self._megabytes), limit=self._megabytes, retry_after_s=FULL_RETRY_S
            ) from None
        except (redis.exceptions.RedisError, OSError) as fault:
            raise self._silence(fault) from None
        return answer, (time.perf_counter_ns() - started) // 1000

    def _silence(self, fault: Exception) -> ServerUnreachable:
        silent = unreachable(fault, self.timeout_ms)
        return silent or ServerUnreachable(_in_words(fault), retry_after_s=RETRY_AFTER_S)

    def prove_the_wall(self) -> None:
        """Try what the page's user needs and what it must not have, in one round trip.

        Raises Refused naming the first that is missing or too much, and ServerUnreachable.
        """
        calls = [*probe.NEEDED.values(), *probe.FORBIDDEN.values()]
        pipeline = self._client.pipeline(transaction=False)
        for call in calls:
            pipeline.execute_command(*call)
        try:
            answers = pipeline.execute(raise_on_error=False)
        except (redis.exceptions.RedisError, OSError) as fault:
            raise self._silence(fault) from None
        denied = [_denies(answer) for answer in answers]
        for name, no in zip(probe.NEEDED, denied, strict=False):
            if no:
                raise Refused(f"Valkey's user lacks {name}: `decoder acl` prints what it needs.")
        for what, no in zip(probe.FORBIDDEN, denied[len(probe.NEEDED) :], strict=True):
            if not no:
                # The connection may listen to a channel by now.
                self._client.connection_pool.disconnect(inuse_connections=False)
                raise Refused(f"Valkey's user may {what}: use the user that `decoder acl` prints.")


def _denies(answer: object) -> bool:
    """Tell whether a command was refused: to this user or, as DEBUG and MODULE are, to all."""
    if isinstance(answer, redis.exceptions.NoPermissionError):
        return True
    return isinstance(answer, redis.exceptions.ResponseError) and "not allowed. If" in str(answer)


def _in_words(fault: Exception) -> str:
    said = keys.strip(str(fault))
    if isinstance(fault, redis.exceptions.BusyLoadingError):
        return "Valkey is still loading its data."
    if isinstance(fault, redis.exceptions.ReadOnlyError):
        return "The Valkey behind this page is a replica just now and takes no writes."
    if isinstance(fault, redis.exceptions.AuthenticationError | redis.exceptions.NoPermissionError):
        return f"Valkey refused this page's user ({said}); `decoder acl` prints what it needs."
    if isinstance(fault, redis.exceptions.ConnectionError | OSError):
        return "Valkey cannot be reached at the moment."
    return f"Valkey answered with an error that this page does not expect: {said}"
