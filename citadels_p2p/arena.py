"""Whole matches between bots with the open dealer, as fast as the engine goes or checked at every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from citadels_p2p.bots import LEVELS, easy
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.digest import digest
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.view import view


@dataclass(frozen=True, slots=True)
class Result:
    """One match: `totals` by seat, seats that won, rounds played, and the last public state's digest."""

    game: int
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    digest: bytes


def simulate(
    rules: Rules,
    games: int,
    seed: int = 0,
    levels: Sequence[str] = ("easy",),
    *,
    check: bool = False,
) -> Iterator[Result]:
    """Play `games` matches and give each result; the same seed gives the same results.

    `levels` names the bots by seat, repeated as far as the seats go; an unknown one is a
    ValueError("unknown_level"). With `check` every step is examined, and a fault is an AssertionError.
    """
    if not levels or any(level not in LEVELS for level in levels):
        raise ValueError("unknown_level")
    seats = [levels[seat % len(levels)] for seat in range(rules.seats)]
    for game in range(games):
        dealer = OpenDealer(rules, Random(f"{seed}/{game}"))
        state = play(dealer, seats)
        scores = score(state)
        totals = tuple(row.total for row in scores.seats)
        yield Result(game, totals, scores.winners, state.round, digest(state))


def play(dealer: OpenDealer, levels: Sequence[str]) -> State:
    """One match to its end."""
    state, faces = dealer.state, dealer.faces
    while True:
        frame = dealer.advance()
        if frame.need == "over":
            return state
        if levels[frame.seat] == "easy":
            move = _any_move(dealer, frame)
        else:
            move = _bot_move(dealer, frame, levels[frame.seat])
        flow.decided(state, move, faces)


def _any_move(dealer: OpenDealer, frame: Frame) -> Move:
    """What the easy bot does, without a view and a choice it would not look at."""
    moves = asks.options(dealer.state, dealer.faces)
    limits = asks.bounds(dealer.state)
    if limits is None:
        return easy.pick(moves, dealer.random)
    return asks.compose(dealer.state, easy.pick_several(moves, *limits, dealer.random))


def _bot_move(dealer: OpenDealer, frame: Frame, level: str) -> Move:
    state, faces = dealer.state, dealer.knowledge(frame.seat)
    picks = LEVELS[level](
        view(state, frame.seat, faces), asks.choice(state, faces), dealer.random
    )
    move = asks.decision(state, picks)
    assert not isinstance(move, Reason)
    return move
