"""What a person has settled: flags over environment over `settings.toml` over defaults.

The file is read, never written. It lies in the folder that also keeps identity and matches.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = "settings.toml"
UIS = ("full", "plain", "json")

#: key → what it may be (empty: any text)
KEYS: dict[str, tuple[str, ...]] = {"name": (), "ui": UIS, "lang": ()}


class SettingsError(Exception):
    """The settings file cannot be used: `path`, and the `detail` of what is wrong in it."""

    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(detail)
        self.path = path
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Settings:
    """The settled values; None where nobody has said anything."""

    home: Path
    name: str | None = None
    ui: str | None = None
    lang: str | None = None


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where identity, settings and matches are: `CITADELS_HOME`, else the system's place."""
    chosen = environment.get("CITADELS_HOME")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("citadels-p2p", appauthor=False)


def load(environment: Mapping[str, str] = os.environ) -> Settings:
    """Environment over file. Raises `SettingsError`."""
    home = home_folder(environment)
    written = _read(home / FILE)
    found: dict[str, str | None] = {}
    for key in KEYS:
        found[key] = environment.get(f"CITADELS_{key.upper()}") or written.get(key)
    return Settings(home, found["name"], found["ui"], found["lang"])


def _read(path: Path) -> dict[str, str]:
    import tomllib

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(path, error.strerror or str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(path, str(error)) from None
    for key, value in table.items():
        if key not in KEYS:
            raise SettingsError(path, f"unknown key {key!r}; known: {', '.join(KEYS)}")
        if not isinstance(value, str):
            raise SettingsError(path, f"{key} must be a text in quotes")
        if KEYS[key] and value not in KEYS[key]:
            raise SettingsError(path, f"{key} must be one of: {', '.join(KEYS[key])}")
    return table
