"""What a person has settled: flags over environment over `settings.toml` over defaults.

One table of settings feeds the loader, the template of the file (`cli.settings.file`),
`citadels settings`, the screen's settings and the manual. The file lies in the folder that also
keeps identity and matches.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from cli.i18n import LANGUAGES, _

FILE = "settings.toml"
UIS = ("full", "plain", "json")
THEMES = ("dark", "light", "high-contrast", "monochrome")
PACES = ("none", "fast", "normal", "slow")
#: stands in the home folder once a person has had the hints for beginners
TOUR = "tour-taken"

Value: TypeAlias = str | bool | None

_SWITCH = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be settled: a text, one of some words, or yes or no.

    `example` stands in the template of the file where there is no default to show.
    """

    key: str
    title: str
    about: str
    choices: tuple[str, ...] = ()
    example: str = ""

    @property
    def default(self) -> Value:
        """As `Settings` has it. None: decided when the program starts, or nothing."""
        return _DEFAULTS[self.key]

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def variable(self) -> str:
        return f"CITADELS_{self.key.upper()}"


TABLE: tuple[Setting, ...] = (
    Setting("name", "Name", "Your name at the table.", example="Anna"),
    Setting(
        "ui",
        "Way of playing",
        "How you play: the full screen, plain sentences, or JSON for programs.",
        UIS,
        "full",
    ),
    Setting("lang", "Language", "The language; otherwise the system's.", LANGUAGES, "en"),
    Setting("theme", "Theme", "The colours of the full screen.", THEMES),
    Setting("color", "Colours", "Whether there are colours at all."),
    Setting("ascii", "ASCII only", "Only ASCII letters and signs."),
    Setting("mouse", "Mouse", "Whether the full screen listens to the mouse."),
    Setting(
        "pace",
        "Pace",
        "How fast bots act on the full screen, so that one can follow them.",
        PACES,
    ),
    Setting("bell", "Bell", "Whether the terminal rings when you must decide."),
    Setting(
        "notify",
        "Notification",
        "Whether the terminal notifies you, where it can, when you look elsewhere.",
    ),
    Setting("hide", "Hide my hand", "Whether your hand is hidden until you show it."),
    Setting("hints", "First hints", "Short hints about the keys in your first match."),
    Setting("warnings", "Warnings", "A word of warning before something is thrown away."),
    Setting(
        "interface", "Network", "Use only this network interface or address.", example="eth0"
    ),
)

BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in TABLE}


class SettingsError(Exception):
    """A setting cannot be used: `place` is a file, with its line if known, or a variable."""

    def __init__(self, place: str, detail: str) -> None:
        super().__init__(detail)
        self.place = place
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Settings:
    """The settled values; None where nobody has said anything.

    `origins`: key → "flag", "file", "default" or the name of a variable.
    """

    home: Path
    name: str | None = None
    ui: str | None = None
    lang: str | None = None
    theme: str = "dark"
    color: bool = True
    ascii: bool = False
    mouse: bool = True
    pace: str = "normal"
    bell: bool = True
    notify: bool = True
    hide: bool = False
    hints: bool = True
    warnings: bool = True
    interface: str | None = None
    origins: Mapping[str, str] = field(default_factory=dict)


_DEFAULTS: Mapping[str, Value] = asdict(Settings(Path()))

#: the settings of a screen that was given none: no hints, no waiting, no files
UNSETTLED = Settings(Path(), hints=False, pace="none")


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where identity, settings and matches are: `CITADELS_HOME`, else the system's place.

    Raises `SettingsError` where the system knows no home of this user.
    """
    chosen = environment.get("CITADELS_HOME")
    try:
        if chosen:
            return Path(chosen).expanduser()
        from platformdirs import user_data_path

        return user_data_path("citadels-p2p", appauthor=False).expanduser()
    except RuntimeError as error:
        raise SettingsError("CITADELS_HOME" if chosen else "HOME", str(error)) from None


def load(
    flags: argparse.Namespace | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """Flags over environment over file over defaults. Raises `SettingsError`."""
    home = home_folder(environment)
    written = read(home / FILE)
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    for setting in TABLE:
        key = setting.key
        values[key], origins[key] = setting.default, "default"
        if key in written:
            values[key], origins[key] = written[key], "file"
        if key == "color" and environment.get("NO_COLOR"):
            values[key], origins[key] = False, "NO_COLOR"
        if environment.get(setting.variable):
            wish = environment[setting.variable]
            values[key], origins[key] = parse(setting, wish, setting.variable), setting.variable
        if getattr(flags, key, None) is not None:
            values[key], origins[key] = getattr(flags, key), "flag"
    return Settings(home, origins=origins, **values)  # type: ignore[arg-type]  # by `_checked`


def parse(setting: Setting, text: str, place: str) -> Value:
    """What `text` means as this setting's value. Raises `SettingsError` naming `place`."""
    if setting.is_switch:
        switch = _SWITCH.get(text.strip().casefold())
        return _checked(setting, text if switch is None else switch, place)
    return _checked(setting, text, place)


def read(path: Path) -> dict[str, Value]:
    """The keys and values of a settings file; empty where there is none.

    Raises `SettingsError`.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin with a mark
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SettingsError(str(path), why) from None
    return read_text(text, path)


def read_text(text: str, path: Path) -> dict[str, Value]:
    """The keys and values of a settings file's text. Raises `SettingsError`."""
    import tomllib

    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not its own error alone: a number of thousands of digits, and brackets without end.
        at = re.search(r"line (\d+)", str(error))
        line = at[1] if at else len(text.splitlines())
        raise SettingsError(f"{path}:{line}", str(error)) from None
    values: dict[str, Value] = {}
    for key, value in table.items():
        place = f"{path}:{_line_of(key, text)}"
        values[key] = _checked(setting_of(key, place), value, place)
    return values


def setting_of(key: str, place: str) -> Setting:
    """The setting of this key. Raises `SettingsError` naming `place`."""
    if key not in BY_KEY:
        unknown = _("there is no setting {key}; known are {keys}")
        raise SettingsError(place, unknown.format(key=key, keys=", ".join(BY_KEY)))
    return BY_KEY[key]


def _checked(setting: Setting, value: object, place: str) -> Value:
    """The value, if it is one that the setting may have."""
    if setting.is_switch:
        if isinstance(value, bool):
            return value
        wrong = _("{key} must be true or false")
    elif setting.choices:
        if isinstance(value, str) and value in setting.choices:
            return value
        wrong = _("{key} must be one of: {choices}")
    elif isinstance(value, str):
        from cli.text.scene import unfit

        if setting.key == "name" and value and (why := unfit(value)):
            raise SettingsError(place, why)
        return value
    else:
        wrong = _("{key} must be a text in quotes")
    choices = ", ".join(setting.choices)
    raise SettingsError(place, wrong.format(key=setting.key, choices=choices))


def _line_of(key: str, text: str) -> int:
    """The line on which a key is set, from 1."""
    begins = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}\b")
    lines = text.splitlines()
    return next((n for n, line in enumerate(lines, 1) if begins.match(line)), 1)


# What the terminal can show of it


def ui_of(settled: Settings) -> str:
    """The way of playing that is wished for; the full screen only where it can be shown."""
    wished = settled.ui or "full"
    return "plain" if wished == "full" and not can_be_full() else wished


def can_be_full() -> bool:
    """Whether a person sits at a terminal that can move its cursor."""
    moves = os.environ.get("TERM", "") not in ("dumb", "unknown")
    return moves and sys.stdin.isatty() and sys.stdout.isatty()


def for_terminal(settled: Settings) -> Settings:
    """The settings as far as this terminal can follow them: its letters, its background.

    The hints for beginners are settled off once they have been taken.
    """
    encoding = (sys.stdout.encoding or "ascii").lower()
    return replace(
        settled,
        theme=_theme(settled),
        ascii=settled.ascii or not encoding.startswith("utf"),
        hints=settled.hints and not (settled.home / TOUR).exists(),
    )


def _theme(settled: Settings) -> str:
    """The chosen theme; where none was chosen, the one that suits the terminal's background."""
    if not settled.color:
        return "monochrome"
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    if settled.origins.get("theme", "default") == "default" and background in ("7", "15"):
        return "light"
    return settled.theme


def remember_tour(home: Path) -> None:
    """Note that the hints were taken; where the note cannot be written, they come again."""
    with contextlib.suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        (home / TOUR).touch()
