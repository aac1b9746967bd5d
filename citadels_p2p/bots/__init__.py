"""Players that are programs. A bot sees what its seat may see, and its legal choices."""

from __future__ import annotations

from random import Random
from typing import Protocol

from citadels_p2p.bots.easy import Easy
from citadels_p2p.bots.normal import Normal
from citadels_p2p.rules.asks import Choice
from citadels_p2p.rules.view import View


class Bot(Protocol):
    """Whoever can play a seat. It keeps nothing between choices."""

    def choose(self, view: View, choice: Choice, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen, by what the seat sees and by chance."""


_LEVELS: dict[str, Bot] = {"easy": Easy(), "normal": Normal()}

#: the names of the levels, the weakest first
LEVELS = tuple(_LEVELS)


def make_bot(level: str) -> Bot:
    """The bot of this level; ValueError("unknown_level") where there is none."""
    if level not in _LEVELS:
        raise ValueError("unknown_level")
    return _LEVELS[level]


__all__ = ["LEVELS", "Bot", "make_bot"]
