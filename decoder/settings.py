"""Settings: one frozen value read from DECODER_* variables, each with its default and meaning."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decoder.errors import SettingsError

PREFIX = "DECODER_"


def _setting(default: Any, says: str, at_least: int | None = None) -> Any:
    return field(default=default, metadata={"says": says, "at_least": at_least})


@dataclass(frozen=True)
class Settings:
    """What a running decoder may be told from outside. Field `x_y` is read from DECODER_X_Y."""

    valkey_url: str = _setting(
        "", "a server of your own: redis://, rediss:// or unix://; empty starts the embedded one"
    )
    valkey_timeout_ms: int = _setting(2000, "how long one answer of Valkey may take", 50)
    secret: str = _setting(
        "", "signs sandbox tokens; made by `decoder serve`, required with a server of your own"
    )
    content: str = _setting("", "a folder with dives of your own, served beside ours")
    public_url: str = _setting(
        "",
        "where the site is reached, such as https://decoder.example; empty: as each request says",
    )
    workers: int = _setting(2, "web processes", 1)
    sandbox_minutes: int = _setting(60, "a sandbox unused for this long is gone", 1)
    commands_per_minute: int = _setting(20_000, "commands one sandbox may run in a minute", 240)
    members_per_set: int = _setting(128, "members one set of a sandbox may hold", 20)
    keys_per_sandbox: int = _setting(200, "keys one sandbox may hold", 40)
    bytes_per_value: int = _setting(4096, "bytes one member, value or name may weigh", 64)
    sandboxes_per_minute: int = _setting(
        600, "sandboxes that one address may open in a minute; a class shares an address", 1
    )
    trusted_proxies: int = _setting(
        0, "proxies in front whose X-Forwarded-For, -Proto and -Host are believed", 0
    )
    request_seconds: int = _setting(10, "how long the body of a request may take", 1)
    token_hours: int = _setting(24, "a page open for longer gets a fresh sandbox", 1)
    memory_megabytes: int = _setting(256, "what the embedded server may hold", 16)
    https: bool = _setting(False, "the site is reached over HTTPS: adds HSTS")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read every DECODER_* variable; raises SettingsError for an unknown name or bad value."""
        fields = {f.name: f for f in dataclasses.fields(cls)}
        values: dict[str, Any] = {}
        for variable in sorted(environment):
            if not variable.startswith(PREFIX):
                continue
            name = variable.removeprefix(PREFIX).lower()
            if name not in fields:
                near = difflib.get_close_matches(name, fields, n=1)
                hint = f" Did you mean {PREFIX}{near[0].upper()}?" if near else ""
                raise SettingsError(f"{variable} is not a setting of ours.{hint}")
            values[name] = _read(variable, environment[variable], fields[name])
        return cls(**values)


def documented() -> list[tuple[str, str, str]]:
    """Return (variable, default, meaning) for every setting, as README lists them."""
    return [
        (PREFIX + f.name.upper(), str(f.default), str(f.metadata["says"]))
        for f in dataclasses.fields(Settings)
    ]


def _read(variable: str, text: str, setting: dataclasses.Field[Any]) -> Any:
    reader = _READERS[setting.type if isinstance(setting.type, str) else setting.type.__name__]
    try:
        value = reader(text)
    except ValueError:
        raise SettingsError(f"{variable}={text!r} cannot be read as {setting.type}.") from None
    least = setting.metadata["at_least"]
    if least is not None and value < least:
        raise SettingsError(f"{variable}={text} is too small; the least is {least}.", limit=least)
    return value


def _read_bool(text: str) -> bool:
    if text.lower() in {"1", "true", "yes", "on"}:
        return True
    if text.lower() in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError(text)


_READERS: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "bool": _read_bool}


def files(name: str) -> Path:
    """Return the folder `name` (templates, static, lua, content) of a checkout or a wheel."""
    packed = Path(__file__).parent / "_files" / name
    return packed if packed.is_dir() else Path(__file__).parent.parent / name
