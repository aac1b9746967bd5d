"""Bots of several levels against each other, fairly: every deal is played from every seat."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from citadels_p2p import arena
from citadels_p2p.bots import make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import new
from citadels_p2p.rules.digest import digest
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import score

#: the normal distribution's quantile for 95 %
_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Bout:
    """One match: who sat where, and what it came to.

    `digest` is the last state's; `seconds` is how long it took.
    """

    game: int
    levels: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    digest: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class Standing:
    """What one level came to.

    `won`: the share of matches won by a seat of that level, a tie counting in parts; `low` and
    `high`: its 95 % interval (Wilson 1927); `fair`: the level's share of the seats; `points`:
    the mean of its seats' totals.
    """

    level: str
    won: float
    low: float
    high: float
    fair: float
    points: float


def contest(
    rules: Rules, games: int, seed: int, levels: Sequence[str], think: float | None = None
) -> Iterator[Bout]:
    """Play so many matches, giving each.

    `levels` are dealt to the seats, repeated as far as they go; each deal is played once for
    each seat, everybody moving on by one. `think`: seconds for a decision of one that thinks.
    An unknown level is a ValueError.
    """
    for level in levels:
        make_bot(level)
    seats = rules.seats
    people = tuple(levels[seat % len(levels)] for seat in range(seats))
    for game in range(games):
        deal, turn = divmod(game, seats)
        seated = people[turn:] + people[:turn]
        began = time.perf_counter()
        dealer = OpenDealer(Random(f"{seed}/{deal}"))
        state = arena.play(new(rules), dealer, seated, think=think)
        seconds = time.perf_counter() - began
        scores = score(state)
        totals = tuple(row.total for row in scores.seats)
        yield Bout(game, seated, totals, scores.winners, state.round, digest(state), seconds)


def standings(bouts: Iterable[Bout]) -> tuple[Standing, ...]:
    """Every level's standing, the one that won most first."""
    played = tuple(bouts)
    levels = sorted({level for bout in played for level in bout.levels})
    rows = [_standing(level, played) for level in levels]
    return tuple(sorted(rows, key=lambda row: -row.won))


def _standing(level: str, played: Sequence[Bout]) -> Standing:
    won, seats, points, places = 0.0, 0, 0, 0
    for bout in played:
        places += len(bout.levels)
        for seat, name in enumerate(bout.levels):
            if name == level:
                seats += 1
                points += bout.totals[seat]
                won += (seat in bout.winners) / len(bout.winners)
    share = won / len(played)
    return Standing(level, share, *interval(share, len(played)), seats / places, points / seats)


def interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % score interval of a share that was seen in so many games."""
    weight = _Z * _Z / games
    middle = (share + weight / 2) / (1 + weight)
    reach = _Z * sqrt(share * (1 - share) / games + weight / (4 * games)) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)
