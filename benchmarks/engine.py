"""What the engine costs on this machine.

Whole random games, the open dealer's shuffles included.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from citadels_p2p.arena import play, simulate_any
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.rules import Rules, new

GAMES = 200
"""Games in one run: about a quarter of a second, long enough that the clock does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Games a second on one core, over the repetitions of one run.

    `note` says what is played.
    """

    name: str
    median: float
    low: float
    high: float
    note: str


def measure(repeat: int = 7) -> list[Figure]:
    """Random play of the classic edition, and by any rules; about 5 s."""
    return [*(random_games(seats, repeat) for seats in (2, 4, 7)), any_games(repeat)]


def random_games(seats: int, repeat: int) -> Figure:
    """Classic games with every seat played at random."""
    rules = Rules.make("classic", seats=seats)

    def play_all() -> None:
        for game in range(GAMES):
            play(new(rules), OpenDealer(Dice(game)), ("easy",) * seats)

    note = "classic, games a second of processor time, from the first shuffle to the score"
    return _timed(play_all, repeat, f"random games, {seats} seats", note)


def any_games(repeat: int) -> Figure:
    """Games by rules that are drawn at random, each by its own."""

    def play_all() -> None:
        for _ in simulate_any(GAMES):
            pass

    note = (
        "any edition, seats, cards and readings; the drawing of rules and the digest included"
    )
    return _timed(play_all, repeat, "random games, any rules", note)


def _timed(play_all: Callable[[], None], repeat: int, name: str, note: str) -> Figure:
    speeds = []
    for run in range(repeat + 1):
        began = time.process_time()
        play_all()
        if run:  # the first run fills caches
            speeds.append(GAMES / (time.process_time() - began))
    return Figure(
        name=name,
        median=statistics.median(speeds),
        low=min(speeds),
        high=max(speeds),
        note=note,
    )
