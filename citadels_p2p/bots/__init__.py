"""Players that are programs. A bot sees what its seat may see, and its legal choices."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from citadels_p2p.bots.easy import Easy
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.normal import Normal
from citadels_p2p.bots.sight import Sight


class Bot(Protocol):
    """Whoever can play one seat of one match.

    What it keeps between choices is a help, never a need: a match that is taken up again gives
    it a new bot.
    """

    def choose(self, sight: Sight, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen, by what the seat sees and by chance."""


_LEVELS: dict[str, Callable[[], Bot]] = {"easy": Easy, "normal": Normal, "hard": Hard}

#: the names of the levels, the weakest first
LEVELS = tuple(_LEVELS)


def make_bot(level: str, seconds: float | None = None) -> Bot:
    """A new bot of this level; ValueError("unknown_level") where there is none.

    `seconds`: how long one that thinks may think about a decision.
    """
    if level not in _LEVELS:
        raise ValueError("unknown_level")
    if level == "hard" and seconds is not None:
        return Hard(seconds)
    return _LEVELS[level]()


__all__ = ["LEVELS", "Bot", "Sight", "make_bot"]
