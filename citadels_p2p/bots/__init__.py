"""Players that are programs. A bot sees what its seat may see, and its legal choices."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from citadels_p2p.bots.easy import Easy
from citadels_p2p.bots.hard import SECONDS, Hard
from citadels_p2p.bots.observation import Observation
from citadels_p2p.bots.rollout_policy import Normal


class Bot(Protocol):
    """Whoever can play one seat of one match.

    What it keeps between choices is a help, never a need: a match that is taken up again gives
    it a new bot.
    """

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen, by what the seat sees and by chance."""


#: the names of the levels, the weakest first
LEVELS: Final = ("easy", "normal", "hard")
#: those whose bots take the time that they are given
THINKERS: Final = frozenset({"hard"})


def make_bot(
    level: str, seconds: float | None = None, clock: Callable[[], float] = time.perf_counter
) -> Bot:
    """A new bot of this level; ValueError("unknown_level") where there is none.

    `seconds`: how long one that thinks may think about a decision, by this `clock`.
    """
    match level:
        case "easy":
            return Easy()
        case "normal":
            return Normal()
        case "hard":
            return Hard(SECONDS if seconds is None else seconds, clock=clock)
        case _:
            raise ValueError("unknown_level")


__all__ = ["LEVELS", "THINKERS", "Bot", "Observation", "make_bot"]
