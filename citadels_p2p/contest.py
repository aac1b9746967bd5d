"""Bots of several levels against each other, fairly: every deal is played from every seat.

Bots think by the processor's clock, so that a busy machine does not make them weaker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random

from citadels_p2p import arena
from citadels_p2p.bots import LEVELS, Bot, Observation, make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.rules import new
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.state import State, digest
from citadels_p2p.workers import Workers, spread

#: who sits where a program of somebody's own plays
PROGRAM = "program"

#: the normal distribution's quantile for 95 %
_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Bout:
    """One match: who sat where, and what it came to.

    `digest` is the last state's; `seconds` is how long it took, and `slowest`, by seat, how
    long the longest decision did, by the processor's clock (0: an easy bot's are not timed,
    nor are a program's). `failure`: why the program was given up, which cannot win then.
    """

    game: int
    levels: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    digest: bytes
    seconds: float
    slowest: tuple[float, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What one level came to.

    `won`: the share of matches won by a seat of that level, a tie counting in parts; `low` and
    `high`: its 95 % interval (Wilson 1927); `fair`: the level's share of the seats; `points`:
    the mean of its seats' totals; `slowest`: the longest decision, in
    processor seconds.
    """

    level: str
    won: float
    low: float
    high: float
    fair: float
    points: float
    slowest: float


class Timed:
    """A bot with a stopwatch beside it."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.slowest = 0.0  #: seconds

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        began = time.thread_time()
        picks = self._bot.choose(observation, random)
        self.slowest = max(self.slowest, time.thread_time() - began)
        return picks


class IllegalAnswer(ValueError):
    """A bot of somebody's own chose what it may not."""


class Guest(Timed):
    """A bot of somebody's own: the state it sees is a copy, and what it chooses is checked."""

    def __init__(self, level: str, bot: Bot) -> None:
        super().__init__(bot)
        self._level = level

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        seat, choice = observation.seat, observation.choice
        picks = super().choose(observation.copy(), random)
        options = [move.id for move in choice.moves]
        low, high = (1, 1) if choice.low is None else (choice.low, choice.high or 0)
        legal = {*picks} <= {*options} and len({*picks}) == len(picks)
        if not legal or not low <= len(picks) <= high:
            count = low if low == high else f"{low} to {high}"
            told = f"{self._level} at seat {seat} chose {picks!r}, and may choose {count} of"
            raise IllegalAnswer(f"{told}: {', '.join(options)}")
        return picks


def contest(
    rules: Rules,
    games: int,
    seed: int,
    levels: Sequence[str],
    think: float | None = None,
    jobs: Workers = 1,
    first: int = 0,
    bots: Mapping[str, Callable[[], Bot]] | None = None,
) -> Iterator[Bout]:
    """Play so many matches, in so many processes or by an executor, giving each.

    `levels` are dealt to the seats, repeated as far as they go; each deal is played once for
    each seat, everybody moving on by one. `think`: processor seconds for a decision of one that
    thinks. `first`: the number of the first match. `bots`: levels of your own, each with what
    makes a new bot for a seat; where others play, they must be able to import it.
    An unknown level is a ValueError, and what a bot of yours may not choose `IllegalAnswer`.

    >>> from citadels_p2p.bots import Bot
    >>> class First:
    ...     def choose(self, observation, random):
    ...         choice = observation.choice
    ...         return tuple(move.id for move in choice.moves[: choice.low or 1])
    >>> rules, levels = Rules.make("classic", seats=2), ("first", "normal")
    >>> played = contest(rules, 4, seed=1, levels=levels, bots={"first": First})
    >>> [row.level for row in standings(played)]
    ['normal', 'first']
    """
    own = dict(bots or {})
    if taken := {*LEVELS} & {*own}:
        raise ValueError(f"a level of that name is there already: {taken.pop()}")
    for level in levels:
        if level not in own:
            make_bot(level)
    people = tuple(levels[seat % len(levels)] for seat in range(rules.seats))
    play = partial(_bout, rules, people, seed, think, own)
    yield from spread(play, range(first, first + games), jobs)


def dealt(
    rules: Rules, people: tuple[str, ...], seed: int, game: int
) -> tuple[tuple[str, ...], Dice]:
    """Who sits where in this match, and its chance."""
    deal, turn = divmod(game, rules.seats)
    return people[turn:] + people[:turn], Dice(f"{seed}/{deal}")


def _bout(
    rules: Rules,
    people: tuple[str, ...],
    seed: int,
    think: float | None,
    own: Mapping[str, Callable[[], Bot]],
    game: int,
) -> Bout:
    seated, random = dealt(rules, people, seed, game)
    bots: list[Timed] = []

    def make(level: str) -> Bot:
        if level in own:
            bots.append(Guest(level, own[level]()))
        else:
            bots.append(Timed(make_bot(level, think, time.thread_time)))
        return bots[-1]

    began = time.perf_counter()
    state = arena.play(new(rules), OpenDealer(random), seated, make=make)
    seconds = time.perf_counter() - began
    return result_of(game, seated, state, seconds, [bot.slowest for bot in bots])


def result_of(
    game: int,
    seated: tuple[str, ...],
    state: State,
    seconds: float,
    slowest: Sequence[float],
    failure: str = "",
) -> Bout:
    """What a match has come to; a program that failed has no points, and the others win."""
    rows = score(state).seats
    lost = {seat for seat, level in enumerate(seated) if failure and level == PROGRAM}
    best = min(row.rank for row in rows if row.seat not in lost)
    return Bout(
        game,
        seated,
        tuple(0 if row.seat in lost else row.total for row in rows),
        tuple(row.seat for row in rows if row.rank == best and row.seat not in lost),
        state.round,
        digest(state),
        seconds,
        tuple(slowest),
        failure,
    )


def standings(bouts: Iterable[Bout]) -> tuple[Standing, ...]:
    """Every level's standing, the one that won most first."""
    played = tuple(bouts)
    levels = sorted({level for bout in played for level in bout.levels})
    rows = [_standing(level, played) for level in levels]
    return tuple(sorted(rows, key=lambda row: -row.won))


def _standing(level: str, played: Sequence[Bout]) -> Standing:
    won, seats, points, places, slowest = 0.0, 0, 0, 0, 0.0
    for bout in played:
        places += len(bout.levels)
        for seat, name in enumerate(bout.levels):
            if name == level:
                seats += 1
                points += bout.totals[seat]
                won += (seat in bout.winners) / len(bout.winners)
                slowest = max(slowest, bout.slowest[seat])
    share = won / len(played)
    low, high = interval(share, len(played))
    return Standing(level, share, low, high, seats / places, points / seats, slowest)


def interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % score interval of a share that was seen in so many games."""
    weight = _Z * _Z / games
    middle = (share + weight / 2) / (1 + weight)
    reach = _Z * sqrt(share * (1 - share) / games + weight / (4 * games)) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)
