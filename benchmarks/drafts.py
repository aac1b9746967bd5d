"""Fit the model of drafts: `python -m benchmarks.drafts > citadels_p2p/bots/draft_weights.py`.

Hard bots play one another: a third of the matches with the classic box, a third with that of
2016, and a third with any, by what `rosters.draw_rules` draws; most at tables of four. Each
choice of a character is an observation. A linear softmax over `drafters.situation` is fitted
to them, with a ridge (a conditional logit, McFadden 1974). A fifth of the matches is kept out:
what the model foretells of them is said on standard error. Needs numpy and scipy, and half an
hour where the engine is compiled.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import minimize

from citadels_p2p.bots import Observation
from citadels_p2p.bots.drafters import situation
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.memory import offered
from citadels_p2p.cards import CHARACTERS
from citadels_p2p.contest import contest
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules.ruleset import Rules

IDS = tuple(CHARACTERS)
RIDGE = 3e-4
KEPT_OUT = 5

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


def draw(number: int, random: Random) -> Rules:
    """By what a match is played: the classic box, that of 2016 or any, in turns."""
    seats = 4 if random.random() < 0.6 else random.randint(2, 7)
    match number % 3:
        case 0:
            return Rules.make("classic", seats)
        case 1:
            return draw_rules(random, ("2016",), seats)
        case _:
            return draw_rules(random, seats=seats)


def play(matches: int, iterations: int, seed: int) -> Iterator[Choice]:
    """All choices of so many matches."""
    for number in range(matches):
        rules = draw(number, Random(f"drafts {seed} {number}"))
        choices: list[Choice] = []
        bots = {"watched": lambda: Watched(iterations, number, choices)}  # noqa: B023
        for _ in contest(rules, 1, seed=number, levels=("watched",), bots=bots):
            pass
        yield from choices


Row: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float64]]"
Rows: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.bool_]]"
Places: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.bool_]]"
Table: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"


def soft(worth: Table, allowed: Places) -> Table:
    """Rows of parts of one, by what each is worth; nothing for what is not allowed."""
    worth = np.where(allowed, worth, -np.inf)
    likely: Table = np.exp(worth - worth.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def fit(choices: list[Choice]) -> Table:
    """Weights by character."""
    kept_out = np.array([choice.match % KEPT_OUT == 0 for choice in choices])
    paying = np.array([choice.paying for choice in choices], float)
    seen = np.array([choice.seen for choice in choices])
    offer = np.array([choice.offer for choice in choices])
    taken = np.array([choice.taken for choice in choices])
    numbers = np.concatenate(
        [paying[:, :, None], np.repeat(seen[:, None, :], len(IDS), axis=1)], axis=2
    )
    scale = numbers.reshape(-1, numbers.shape[2]).std(axis=0)
    scale[scale == 0] = 1.0
    numbers /= scale

    def shares(weights: Table, rows: Rows) -> Table:
        return soft(np.einsum("ncd,cd->nc", numbers[rows], weights), offer[rows])

    def nats(weights: Table, rows: Rows) -> float:
        told = shares(weights, rows)[np.arange(rows.sum()), taken[rows]]
        return float(-np.log(told.clip(min=1e-12)).mean())

    def loss(flat: Row) -> tuple[float, Row]:
        weights, known = flat.reshape(len(IDS), -1), ~kept_out
        wrong = shares(weights, known)
        wrong[np.arange(known.sum()), taken[known]] -= 1.0
        slope = np.einsum("nc,ncd->cd", wrong, numbers[known]) / known.sum()
        whole = nats(weights, known) + RIDGE * float((flat**2).sum())
        return whole, slope.ravel() + 2 * RIDGE * flat

    start = np.zeros(len(IDS) * numbers.shape[2])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    weights: Table = found.x.reshape(len(IDS), -1)
    even = np.log(offer[kept_out].sum(axis=1)).mean()
    told = f"nats {nats(weights, kept_out):.3f}, evenly {even:.3f}"
    print(f"{len(choices)} choices; {told}", file=sys.stderr)
    weights /= scale
    return weights


def asked(program: str, about: str | None) -> tuple[int, int, int]:
    """What whoever fits something has asked for: matches, iterations, and the seed."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=about)
    parser.add_argument("--matches", type=int, default=8_000)
    parser.add_argument("--iterations", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    found = parser.parse_args()
    return found.matches, found.iterations, found.seed


def main() -> None:
    """Play, fit, and print the module."""
    weights = fit(list(play(*asked("benchmarks.drafts", __doc__))))
    print(HEAD, end="")
    for id, row in zip(IDS, weights, strict=True):
        print(id, *(round(100 * weight) for weight in row))
    print(TAIL, end="")


if __name__ == "__main__":
    main()
