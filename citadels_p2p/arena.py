"""Whole matches between bots with the open dealer: as fast as the engine goes, or inspected."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Final, NamedTuple

from citadels_p2p.bots import Bot, make_bot
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.game import OpenMatch
from citadels_p2p.inspection import InspectedMatch, Inspector
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.setup import new
from citadels_p2p.rules.state import State, digest
from citadels_p2p.workers import Workers, spread

#: decisions from one deeper look of the inspector, and from one whole menu, to the next; prime,
#: so that they fall everywhere
DEEPER: Final = 499
MENUS: Final = 5


class Result(NamedTuple):
    """One match.

    `totals` by seat, the seats that won, rounds played, events, last state's digest.
    """

    game: int
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    events: int
    digest: bytes


def simulate(
    rules: Rules,
    games: int,
    seed: int = 0,
    levels: Sequence[str] = ("easy",),
    *,
    first: int = 0,
    check: bool = False,
    think: float | None = None,
    jobs: Workers = 1,
) -> Iterator[Result]:
    """Play matches number `first` and on, giving each result; the same seed gives the same.

    `levels` names the bots by seat, repeated as far as the seats go; an unknown one is a
    ValueError. With `check` every step is inspected: a fault is an AssertionError. `think`:
    processor seconds for a decision of one that thinks, which is never quite the same twice.
    `jobs`: how many processes play, or an executor that lets them be played.
    """
    for level in levels:
        make_bot(level)
    play = partial(_seeded, rules, seed, levels, think, check)
    yield from spread(play, range(first, first + games), jobs)


def simulate_any(
    games: int,
    seed: int = 0,
    levels: Sequence[str] = ("easy",),
    *,
    editions: Sequence[str] = tuple(EDITIONS),
    seats: int | None = None,
    first: int = 0,
    check: bool = False,
    think: float | None = None,
    jobs: Workers = 1,
) -> Iterator[tuple[Rules, Result]]:
    """As `simulate`, each match with rules of its own, drawn at random; gives them too."""
    for level in levels:
        make_bot(level)
    play = partial(_drawn, editions, seats, seed, levels, think, check)
    yield from spread(play, range(first, first + games), jobs)


def _seeded(
    rules: Rules,
    seed: int,
    levels: Sequence[str],
    think: float | None,
    check: bool,
    game: int,
) -> Result:
    return _one(rules, game, Dice(f"{seed}/{game}"), levels, think, check)


def _drawn(
    editions: Sequence[str],
    seats: int | None,
    seed: int,
    levels: Sequence[str],
    think: float | None,
    check: bool,
    game: int,
) -> tuple[Rules, Result]:
    random = Dice(f"any/{seed}/{game}")
    rules = draw_rules(random, editions, seats)
    return rules, _one(rules, game, random, levels, think, check)


def _one(
    rules: Rules,
    game: int,
    random: Random,
    levels: Sequence[str],
    think: float | None,
    check: bool,
) -> Result:
    dealer = OpenDealer(random)
    people = [levels[seat % len(levels)] for seat in range(rules.seats)]
    inspector = Inspector(dealer, DEEPER, MENUS) if check else None
    make = partial(make_bot, seconds=think, clock=time.thread_time)
    try:
        state = play(new(rules), dealer, people, inspector, make)
    except Exception as fault:
        if isinstance(fault, AssertionError) and not fault.args:
            fault.args = (traceback.extract_tb(fault.__traceback__)[-1].line,)
        fault.add_note(f"in game {game} with {rules.to_options()}")
        raise
    scores = score(state)
    totals = tuple(row.total for row in scores.seats)
    return Result(game, totals, scores.winners, state.round, state.n, digest(state))


def play(
    state: State,
    dealer: OpenDealer,
    levels: Sequence[str],
    inspector: Inspector | None = None,
    make: Callable[[str], Bot] = make_bot,
) -> State:
    """One match to its end, in place; `make` gives the bot of a level, one for each seat."""
    game = OpenMatch(state, dealer) if inspector is None else InspectedMatch(state, inspector)
    if inspector is None and {*levels} == {"easy"}:
        game.play_out(dealer.random)
    brains = [make(level) for level in levels]
    while not game.over:
        game.choose(brains[game.frame.seat].choose(game.observation, dealer.random))
    return state
