"""Probes: commands that show whether the page's user has what it needs, and nothing beyond.

They are harmless on any server: those that must be allowed work on a key of a sandbox of their own,
those that must be refused name a key that nobody uses or none at all.
"""

from __future__ import annotations

_KEY, _HASH, _LIST, _SET = (
    f"{{sbx:probe}}:probe:{kind}" for kind in ("text", "hash", "list", "set")
)
_OUTSIDE = "outside-every-sandbox"

NEEDED: dict[str, tuple[str, ...]] = {
    "echo": ("ECHO", "1"),
    "set": ("SET", _KEY, "1", "PX", "1000"),
    "get": ("GET", _KEY),
    "incr": ("INCR", _KEY),
    "incrby": ("INCRBY", _KEY, "1"),
    "exists": ("EXISTS", _KEY),
    "expire": ("EXPIRE", _KEY, "1"),
    "pexpire": ("PEXPIRE", _KEY, "1000"),
    "ttl": ("TTL", _KEY),
    "hset": ("HSET", _HASH, "n", "1"),
    "hget": ("HGET", _HASH, "n"),
    "hgetall": ("HGETALL", _HASH),
    "hincrby": ("HINCRBY", _HASH, "n", "1"),
    "lpush": ("LPUSH", _LIST, "x"),
    "rpush": ("RPUSH", _LIST, "x"),
    "lrange": ("LRANGE", _LIST, "0", "0"),
    "lrem": ("LREM", _LIST, "0", "x"),
    "zadd": ("ZADD", _SET, "1", "x"),
    "zincrby": ("ZINCRBY", _SET, "1", "x"),
    "zcard": ("ZCARD", _SET),
    "zcount": ("ZCOUNT", _SET, "-inf", "+inf"),
    "zrange": ("ZRANGE", _SET, "0", "0"),
    "zrangebyscore": ("ZRANGEBYSCORE", _SET, "-inf", "+inf"),
    "zrank": ("ZRANK", _SET, "x"),
    "zrevrange": ("ZREVRANGE", _SET, "0", "0"),
    "zrevrangebyscore": ("ZREVRANGEBYSCORE", _SET, "+inf", "-inf"),
    "zscore": ("ZSCORE", _SET, "x"),
    "zpopmax": ("ZPOPMAX", _SET),
    "zpopmin": ("ZPOPMIN", _SET),
    "zrem": ("ZREM", _SET, "x"),
    "del": ("DEL", _KEY, _HASH, _LIST, _SET),
    "time": ("TIME",),
    "script|load": ("SCRIPT", "LOAD", "return 1"),
    # The SHA1 of the script above.
    "evalsha": ("EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"),
}
"""A call of every command of the list, by its name there."""

FORBIDDEN: dict[str, tuple[str, ...]] = {
    "read keys outside {sbx:*": ("GET", _OUTSIDE),
    "write keys outside {sbx:*": ("DEL", _OUTSIDE),
    "list keys (KEYS)": ("KEYS", _OUTSIDE),
    "list keys (SCAN)": ("SCAN", "0", "COUNT", "1"),
    "run scripts of its own (EVAL)": ("EVAL", "return 1", "0"),
    "read the configuration (CONFIG)": ("CONFIG", "GET", "maxmemory"),
    "ask for its permissions (ACL)": ("ACL", "WHOAMI"),
    "list connections (CLIENT)": ("CLIENT", "LIST", "ID", "0"),
    "empty the server (FLUSHALL)": ("FLUSHALL", "neither-sync-nor-async"),
    "empty a database (FLUSHDB)": ("FLUSHDB", "neither-sync-nor-async"),
    "stop the server (SHUTDOWN)": ("SHUTDOWN", "neither-save-nor-nosave"),
    "look into the server (DEBUG)": ("DEBUG", "HELP"),
    "load modules (MODULE)": ("MODULE", "LIST"),
    "call functions (FCALL)": ("FCALL", _OUTSIDE, "0"),
    "store functions (FUNCTION)": ("FUNCTION", "LIST"),
    "make it a replica (REPLICAOF)": ("REPLICAOF", _OUTSIDE, "no-port"),
    "use other databases (SELECT)": ("SELECT", "no-number"),
    "swap databases (SWAPDB)": ("SWAPDB", "no-number", "no-number"),
    "move keys away (MOVE)": ("MOVE", f"{_KEY}:absent", "no-number"),
    "rename keys (RENAME)": ("RENAME", f"{_KEY}:absent", f"{_KEY}:absent"),
    "publish to channels (PUBLISH)": ("PUBLISH", _OUTSIDE, ""),
    "save to the disk (BGSAVE)": ("BGSAVE", "no-such-word"),
    "read the slow log (SLOWLOG)": ("SLOWLOG", "LEN"),
    # The last: a connection that listens takes nothing else.
    "listen to channels (SUBSCRIBE)": ("SUBSCRIBE", _OUTSIDE),
}
"""What must be refused, each with a call that tries it; one that is allowed does no harm.

The dangerous ones get words that they do not know: who may not send a command is told so before
its words are read. What takes no words at all, such as MONITOR and SAVE, cannot be tried so.
"""
