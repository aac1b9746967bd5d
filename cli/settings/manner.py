"""What the full screen may do with the terminal: settings, and what the terminal can."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cli.settings import Settings

#: stands in the home folder once a person has had the hints for beginners
TOUR = "tour-taken"


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """How the full screen looks and behaves; `settings.toml` has a sentence about each."""

    theme: str = "dark"
    color: bool = True
    ascii: bool = False
    mouse: bool = True
    bell: bool = True
    hide: bool = False
    tour: bool = False
    hints: bool = True


def can_be_full(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a person sits at a terminal that can move its cursor."""
    if environment.get("TERM", "") in ("dumb", "unknown"):
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


def ui_of(settled: Settings) -> str:
    """The way of playing that is wished for; the full screen only where it can be shown."""
    wished = settled.ui or "full"
    return "plain" if wished == "full" and not can_be_full() else wished


def manner_of(settled: Settings, environment: Mapping[str, str] = os.environ) -> ScreenSettings:
    """What is settled, as far as the terminal can do it."""
    encoding = (sys.stdout.encoding or "ascii").lower()
    return ScreenSettings(
        theme=_theme(settled, environment),
        color=settled.color,
        ascii=settled.ascii or not encoding.startswith("utf"),
        mouse=settled.mouse,
        bell=settled.bell,
        hide=settled.hide,
        tour=settled.tour and not (settled.home / TOUR).exists(),
        hints=settled.hints,
    )


def _theme(settled: Settings, environment: Mapping[str, str]) -> str:
    """The theme wished for; without a wish the one that goes with the terminal's ground."""
    if not settled.color:
        return "monochrome"
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    if settled.origins.get("theme", "default") == "default" and ground in ("7", "15"):
        return "light"
    return settled.theme


def remember_tour(home: Path) -> None:
    """The hints for beginners are over; a home that cannot be written hears them again."""
    with contextlib.suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        (home / TOUR).touch()
