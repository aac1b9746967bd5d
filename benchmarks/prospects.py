"""Fit who is likely to win: `python -m benchmarks.prospects`, into `bots/prospect_weights.py`.

Hard bots play one another, by rules as for `benchmarks.drafts`. Wherever a round has ended, the
numbers of all seats and who won are an observation. A softmax over the seats is fitted to them
(a conditional logit, McFadden 1974) with weights for each distance from the end, which a ridge
holds near those of all distances. A fifth of the matches is kept out: what the model foretells
of them, and what `judgement.chances` does, is said on standard error. Needs numpy and scipy,
and half an hour where the engine is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from benchmarks.drafts import KEPT_OUT, Row, Rows, Table, asked, draw, soft
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.judgement import chances
from citadels_p2p.bots.prospects import STAGES, numbers, stage
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.game import OpenMatch
from citadels_p2p.rules import new
from citadels_p2p.rules.scoring import score

APART, RIDGE = 1e-3, 3e-4
"""How hard the weights of one stage are held to those of all, and those to zero."""

HEAD = '''"""What tells who wins: weights in thousandths.

Each row is of one distance from the end, by the districts that the largest city lacks, from one
on; in the order of `prospects.numbers`. Made by `python -m benchmarks.prospects`, not by hand.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
'''

TAIL = '''"""

WEIGHTS: Final = [
    [int(one) / 1000 for one in row.split()] for row in _ROWS.strip().splitlines()
]
'''


class End(NamedTuple):
    """The end of a round: of which match, at which stage; by seat the numbers, and what part of
    the win was its in the end, as it came and as `chances` foretold it.
    """

    match: int
    stage: int
    seats: list[list[float]]
    won: list[float]
    foretold: list[float]


def play(matches: int, iterations: int, seed: int) -> Iterator[End]:
    """All ends of rounds of so many matches."""
    for number in range(matches):
        rules = draw(number, Random(f"prospects {seed} {number}"))
        game = OpenMatch(new(rules), OpenDealer(Dice(f"prospects {seed} {number}")))
        bots = [Hard(iterations=iterations) for _ in range(rules.seats)]
        chance, state = Random(f"bots {seed} {number}"), game.state
        seen: list[End] = []
        while not game.over:
            if state.round > len(seen) + 1:
                faces = game.dealer.faces
                shown = [numbers(state, seat, faces) for seat in range(rules.seats)]
                seen.append(End(number, stage(state), shown, [], chances(state)))
            game.choose(bots[game.frame.seat].choose(game.observation, chance))
        winners = score(state).winners
        won = [(seat in winners) / len(winners) for seat in range(rules.seats)]
        yield from (end._replace(won=won) for end in seen)


def fit(ends: list[End]) -> Table:
    """Weights by stage."""
    count, seats = len(ends[0].seats[0]), max(len(end.won) for end in ends)
    kept_out = np.array([end.match % KEPT_OUT == 0 for end in ends])
    stages = np.array([end.stage for end in ends])
    shown = np.zeros((len(ends), seats, count))
    won, foretold = np.zeros((2, len(ends), seats))
    for at, end in enumerate(ends):
        sat = len(end.won)
        shown[at, :sat], won[at, :sat], foretold[at, :sat] = end.seats, end.won, end.foretold
    there = foretold > 0
    scale = shown[there].std(axis=0)
    scale[scale == 0] = 1.0
    shown /= scale

    def shares(weights: Table, rows: Rows) -> Table:
        worth = np.einsum("nsk,nk->ns", shown[rows], weights[stages[rows]])
        return soft(worth, there[rows])

    def nats(likely: Table, rows: Rows) -> float:
        return float(-(won[rows] * np.log(likely.clip(min=1e-12))).sum(axis=1).mean())

    def loss(flat: Row) -> tuple[float, Row]:
        whole, known = flat.reshape(STAGES + 1, count), ~kept_out
        apart, common = whole[:-1], whole[-1]
        likely = shares(apart + common, known)
        each = np.einsum("ns,nsk->nk", likely - won[known], shown[known]) / known.sum()
        slope = np.zeros((STAGES, count))
        np.add.at(slope, stages[known], each)
        held = APART * float((apart**2).sum()) + RIDGE * float((common**2).sum())
        slopes = [slope + 2 * APART * apart, [slope.sum(axis=0) + 2 * RIDGE * common]]
        return nats(likely, known) + held, np.concatenate(slopes).ravel()

    start = np.zeros((STAGES + 1) * count)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    whole = found.x.reshape(STAGES + 1, count)
    weights: Table = whole[:-1] + whole[-1]
    told = nats(shares(weights, kept_out), kept_out), nats(foretold[kept_out], kept_out)
    print(
        f"{len(ends)} ends of rounds; nats {told[0]:.3f}, seen {told[1]:.3f}", file=sys.stderr
    )
    weights /= scale
    return weights


def main() -> None:
    """Play, fit, and print the module."""
    weights = fit(list(play(*asked("benchmarks.prospects", __doc__))))
    print(HEAD, end="")
    for row in weights:
        print(*(round(1000 * weight) for weight in row))
    print(TAIL, end="")


if __name__ == "__main__":
    main()
