"""The data connection's user: our keys and the commands we send, nothing else on the server."""

from __future__ import annotations

from decoder.transcripts import command as commands

USER = "decoder"

COMMANDS = (
    "del", "echo", "evalsha", "exists", "expire", "get", "hget", "hgetall", "hincrby", "hset",
    "incr", "incrby", "lpush", "lrange", "lrem", "pexpire", "rpush", "script|load", "set", "time",
    "ttl", "zadd", "zcard", "zcount", "zincrby", "zpopmax", "zpopmin", "zrange", "zrangebyscore",
    "zrank", "zrem", "zrevrange", "zrevrangebyscore", "zscore",
)  # fmt: skip
"""Every command that a script, the frame or the connection sends."""

INTERNAL = ("echo", "evalsha", "script|load", "pexpire")
"""What only the frame and the connection send."""

SHOWN = tuple(name for name in COMMANDS if name not in INTERNAL)
"""What a transcript of a dive may send."""

RULES = "resetkeys ~{sbx:* resetchannels -@all " + " ".join(f"+{name}" for name in COMMANDS)


def configuration_line(password: str) -> str:
    """Return the line for a server's configuration or ACL file."""
    return f"user {USER} on {_secret(password)} {RULES}"


def command(password: str) -> str:
    """Return the command that makes this user on a server of one's own, for its administrator."""
    return f"ACL SETUSER {USER} reset on {_secret(password)} {RULES}"


def _secret(password: str) -> str:
    """Write a password as one word, as valkey-cli and a configuration file read it."""
    plain = password.isascii() and password.isprintable() and not set(password) & set(" \"'\\")
    return f">{password}" if plain else commands.quote(f">{password}")
