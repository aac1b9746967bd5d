"""Parses the arguments of the command line: from a text to its value, or why it is refused."""

from __future__ import annotations

import argparse
import contextlib
import time

from cli.i18n import _

#: what a house box adds to
EDITIONS: tuple[str, ...] = ("classic", "original", "dark-city", "2016")
LEVELS = ("easy", "normal", "hard")
USUAL_LEVEL = "normal"
#: where rules are drawn at random, each time anew
ANY = "any"
#: seconds in a day
DAY = 86400


def ids(text: str) -> tuple[str, ...]:
    """Ids between commas. Whether they name anything, the rules decide."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def name(text: str) -> str:
    """A name as it will be shown."""
    from cli.text.scene import clean, unfit

    if why := unfit(text):
        raise argparse.ArgumentTypeError(why)
    return clean(text)


def people(text: str) -> tuple[str, ...]:
    """Names of several persons, between commas."""
    from protocol.identity.names import alike

    names = tuple(name(word) for word in text.split(","))
    if len(names) < 2 or len({alike(one) for one in names}) < len(names):
        raise argparse.ArgumentTypeError(_("two or more different names are needed: ANN,BEN"))
    return names


def port(text: str) -> int:
    """A port; 0 means any."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(_("a port is a number up to 65535"))
    return int(text)


def count(text: str, least: int = 1) -> int:
    """How many, at least one."""
    if not text.isdecimal() or int(text) < least:
        message = _("a number from {least} on is needed").format(least=least)
        raise argparse.ArgumentTypeError(message)
    return int(text)


def whole(text: str, otherwise: str = "") -> int:
    """A whole number; `otherwise`: what is said of anything else."""
    try:
        return int(text)
    except ValueError:
        said = otherwise or _("a whole number is needed")
        raise argparse.ArgumentTypeError(said) from None


def none_or_more(text: str) -> int:
    """How many, or none; or a place counted from 0."""
    return count(text, 0)


def day(text: str) -> int:
    """When a year, a month or a day begins here, in seconds since 1970."""
    for form in ("%Y-%m-%d", "%Y-%m", "%Y"):
        with contextlib.suppress(ValueError, OverflowError):
            return int(time.mktime(time.strptime(text, form)))
    raise argparse.ArgumentTypeError(
        _("a year, a month or a day is needed: 2026, 2026-11 or 2026-11-21")
    )


def number_or_any(text: str) -> int | str:
    """A number, or the word for any."""
    wanted = _("a number is needed, or {word}").format(word=ANY)
    return text if text == ANY else whole(text, wanted)


def seconds(text: str) -> float:
    """A span of time, a day at most."""
    try:
        span = float(text)
    except ValueError:
        span = -1.0
    if not 0 <= span <= DAY:
        raise argparse.ArgumentTypeError(_no_span())
    return span


def _no_span() -> str:
    return _("a number of seconds is needed, {most} at most").format(most=DAY)


def whole_seconds(text: str) -> int:
    """A span of time in whole seconds, a day at most."""
    if not text.isdecimal() or int(text) > DAY:
        raise argparse.ArgumentTypeError(_no_span())
    return int(text)


def levels(text: str) -> tuple[str, ...]:
    """Levels of bots between commas."""
    wished = tuple(part.strip() for part in text.split(","))
    if not all(level in LEVELS for level in wished):
        known = ", ".join(LEVELS)
        raise argparse.ArgumentTypeError(_("known levels: {levels}").format(levels=known))
    return wished
