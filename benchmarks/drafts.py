"""Fit the model of drafts: `python -m benchmarks.drafts > citadels_p2p/bots/draft_weights.py`.

Hard bots play one another, half of the matches with the classic box and half with whatever
`rosters.draw_rules` draws; each choice of a character is an observation. A linear softmax over
`drafters.situation` is fitted to them by gradient descent, with a ridge (a conditional logit,
McFadden 1974). A tenth of the matches is kept out: what the model foretells of them is said on
standard error. Needs numpy, and the better part of an hour where the engine is compiled.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np

from citadels_p2p.bots import Observation
from citadels_p2p.bots.drafters import situation
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.memory import offered
from citadels_p2p.cards import CHARACTERS
from citadels_p2p.contest import contest
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules.ruleset import Rules

IDS = tuple(CHARACTERS)
RIDGE = 2e-3
STEPS, RATE = 1_500, 0.3

HEAD = '''"""What one who thinks likes of each character: weights in hundredths.

The first is by the number of districts in the city that would pay the character; the others are
in the order of `drafters.situation`. Made by `python -m benchmarks.drafts`, not by hand.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
'''

TAIL = '''"""

WEIGHTS: Final = {
    id: [int(one) / 100 for one in weights]
    for id, *weights in (row.split() for row in _ROWS.strip().splitlines())
}
'''


class Choice(NamedTuple):
    """One seat's choice of a character: the match, what it saw, what would pay it by character,
    what it was offered, what it took."""

    match: int
    seen: list[float]
    paying: list[float]
    offer: list[bool]
    taken: int


class Watched:
    """A hard bot whose choices of characters are written down."""

    def __init__(self, iterations: int, match: int, choices: list[Choice]) -> None:
        self._bot = Hard(iterations=iterations)  # a compiled class has no heirs
        self._match, self._choices = match, choices

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        picks = self._bot.choose(observation, random)
        offer, state, seat = offered(observation), observation.state, observation.seat
        if offer is None or state.stack[-1].then != "character" or len(offer) < 2:
            return picks
        [move] = [move for move in observation.choice.moves if move.id == picks[0]]
        roles, quarters = state.tables.roles, state.places[seat].quarters
        incomes = [roles[id].income if id in roles else -1 for id in IDS]
        self._choices.append(
            Choice(
                self._match,
                situation(state, seat),
                [quarters[income] if income >= 0 else 0.0 for income in incomes],
                [id in offer for id in IDS],
                IDS.index(observation.faces[move.slot]),
            )
        )
        return picks


def play(matches: int, iterations: int, seed: int) -> Iterator[Choice]:
    """All choices of so many matches."""
    for match in range(matches):
        random = Random(f"drafts {seed} {match}")
        choices: list[Choice] = []
        seats = random.randint(3, 7)
        rules = Rules.make("classic", seats) if match % 2 else draw_rules(random)
        bots = {"watched": lambda: Watched(iterations, match, choices)}  # noqa: B023
        for _ in contest(rules, 1, seed=match, levels=("watched",), bots=bots):
            pass
        yield from choices


Table: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"


def fit(choices: list[Choice]) -> Table:
    """Weights by character."""
    kept_out = np.array([choice.match % 10 == 0 for choice in choices])
    paying = np.array([choice.paying for choice in choices])
    seen = np.array([choice.seen for choice in choices])
    offer = np.array([choice.offer for choice in choices])
    taken = np.array([choice.taken for choice in choices])
    numbers = np.concatenate(
        [paying[:, :, None], np.repeat(seen[:, None, :], len(IDS), axis=1)], axis=2
    )
    scale = numbers.reshape(-1, numbers.shape[2]).std(axis=0)
    scale[scale == 0] = 1.0
    numbers = numbers / scale
    weights: Table = np.zeros((len(IDS), numbers.shape[2]))

    def shares(rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Table:
        worth = np.einsum("ncd,cd->nc", numbers[rows], weights)
        worth = np.where(offer[rows], worth, -np.inf)
        likely: Table = np.exp(worth - worth.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        return likely

    momentum = np.zeros_like(weights)
    known = ~kept_out
    for _ in range(STEPS):
        wrong = shares(known)
        wrong[np.arange(known.sum()), taken[known]] -= 1.0
        slope = np.einsum("nc,ncd->cd", wrong, numbers[known]) / known.sum() + RIDGE * weights
        momentum = 0.9 * momentum + slope
        weights -= RATE * 0.1 * momentum
    told = -np.log(shares(kept_out)[np.arange(kept_out.sum()), taken[kept_out]]).mean()
    even = np.log(offer[kept_out].sum(axis=1)).mean()
    print(f"{len(choices)} choices; nats {told:.3f}, evenly {even:.3f}", file=sys.stderr)
    weights /= scale
    return weights


def main() -> None:
    """Play, fit, and print the module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drafts", description=__doc__)
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--iterations", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    weights = fit(list(play(asked.matches, asked.iterations, asked.seed)))
    print(HEAD, end="")
    for id, row in zip(IDS, weights, strict=True):
        print(id, *(round(100 * weight) for weight in row))
    print(TAIL, end="")


if __name__ == "__main__":
    main()
