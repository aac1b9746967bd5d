"""What the engine costs on this machine.

Whole random games, the open dealer's shuffles included. `python -m benchmarks.engine GAMES`
plays so many of them, for whoever counts.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import clock
from citadels_p2p import Game
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
    """Random play of the classic edition, by any rules, and by a program; about 8 s."""
    played = [random_games(seats, repeat) for seats in (2, 4, 7)]
    return [*played, any_games(repeat), library_games(repeat)]


def play_classic(games: int, seats: int = 4) -> None:
    """So many classic games with every seat played at random."""
    rules = Rules.make("classic", seats=seats)
    for game in range(games):
        play(new(rules), OpenDealer(Dice(game)), ("easy",) * seats)


def random_games(seats: int, repeat: int) -> Figure:
    """Classic games with every seat played at random."""

    def play_all() -> None:
        play_classic(GAMES, seats)

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


def library_games(repeat: int) -> Figure:
    """Classic games of four by a program's own loop over `Game`, with log and moves kept."""

    def play_all() -> None:
        for seed in range(GAMES):
            game, chance = Game("classic", seats=4, seed=seed), Dice(seed)
            while not game.over:
                options, bounds = game.options, game.bounds
                if bounds is None:
                    game.play(options[int(chance.random() * len(options))])
                else:
                    game.play(*chance.sample(options, bounds[0]))

    note = "classic, a loop over Game.options and Game.play"
    return _timed(play_all, repeat, "library games, 4 seats", note)


def instructions(few: int = 5, many: int = 25) -> float | None:
    """Millions of instructions for a classic game of four: what many take less what few do.

    Counted by valgrind, about a minute; None where there is none.
    """
    if shutil.which("valgrind") is None:
        return None
    return (_counted(many) - _counted(few)) / (many - few) / 1e6


def _counted(games: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={Path(folder) / 'out'}"]
        program = [sys.executable, "-m", __name__, str(games)]
        ran = subprocess.run([*tool, *program], capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    assert found is not None, ran.stderr
    return int(found[1])


def _timed(play_all: Callable[[], None], repeat: int, name: str, note: str) -> Figure:
    speeds = []
    for run in range(repeat + 1):
        began = clock()
        play_all()
        if run:  # the first run fills caches
            speeds.append(GAMES / (clock() - began))
    return Figure(
        name=name,
        median=statistics.median(speeds),
        low=min(speeds),
        high=max(speeds),
        note=note,
    )


if __name__ == "__main__":
    play_classic(int(sys.argv[1]))
