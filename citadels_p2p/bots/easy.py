"""The easy bot: any legal option, each as likely as the others.

Ending the turn is one of them. So its turns often end before anything is built, and four of it
play the classic box in about 14 rounds, where players that end no turn with something left to
do need about 11 (measured in `tests/rules/test_random_results.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from citadels_p2p.bots.observation import Observation
from citadels_p2p.rules.moves import Move


class Easy:
    """Plays at random."""

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen; looks at nothing but the choice."""
        choice = observation.choice
        if choice.low is None or choice.high is None:
            return (pick(choice.moves, random).id,)
        several = pick_several(choice.moves, choice.low, choice.high, random)
        return tuple(move.id for move in several)


def pick(moves: Sequence[Move], random: Random) -> Move:
    return moves[int(random.random() * len(moves))]


def pick_several(moves: Sequence[Move], low: int, high: int, random: Random) -> list[Move]:
    """Some number of the moves within the bounds, then that many of them."""
    return random.sample(moves, random.randint(low, high))
