"""Quick judgement: how the normal bot plays, and all whom the hard bot imagines.

Thousands of imagined decisions fit into one real one, so nothing here builds a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from random import Random
from typing import Final

from citadels_p2p.bots.judgement import Sight
from citadels_p2p.bots.memory import Memory, Passed
from citadels_p2p.bots.observation import Observation
from citadels_p2p.bots.weights import PARTS, WEIGHTS, unknown
from citadels_p2p.rules.asks import ASKS, compose
from citadels_p2p.rules.hooks import Ask, Faces
from citadels_p2p.rules.moves import Move, option_of
from citadels_p2p.rules.state import Frame, State

#: how much a choice may stray from the best by chance, in gold
STRAY: Final = 0.5

#: so many sets are weighed where several options are chosen at once
SETS: Final = 8

#: how evenly markers are spread over those who may bear one; how rarely they lie on others
EVEN: Final = 2.0
TINY: Final = 1e-9


class Normal:
    """Plays at once what quick judgement holds to be best, with a little chance.

    Nobody can quite count on it, and it thinks as little as the hard bot does of those that it
    imagines. It remembers what it was shown.
    """

    def __init__(self) -> None:
        self._memory = Memory()

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        self._memory.note(observation)
        state = observation.state
        move, _ = choose(
            state, state.stack[-1], observation.faces, random, passed=self._memory.passed
        )
        return move.picks


def choose(
    state: State,
    frame: Frame,
    faces: Faces,
    random: Random,
    passed: Passed | None = None,
) -> tuple[Move, list[tuple[float, Move]]]:
    """A move for the seat that is asked, and every option with its weight.

    Where there is but one, nothing is weighed. Of sets some likely ones are options.
    """
    ask = ASKS[frame.then]
    moves = ask.options(state, frame, faces)
    if ask.several:
        weighed = _sets(ask, frame, moves, Sight(state, frame.seat, faces, passed), random)
        if len(weighed) == 1:
            return weighed[0][1], []
    elif len(moves) == 1:
        return moves[0], []
    else:
        if ask.returns:  # else a bot might go to and fro for ever
            moves = [move for move in moves if move.verb != "decline"]
        sight = Sight(state, frame.seat, faces, passed)
        weighed = [(WEIGHTS.get(move.verb, unknown)(sight, move), move) for move in moves]
    chance = random.random
    best = max(weighed, key=lambda pair: pair[0] + STRAY * chance())
    return best[1], weighed


def _sets(
    ask: Ask, frame: Frame, moves: Sequence[Move], sight: Sight, random: Random
) -> list[tuple[float, Move]]:
    """Sets of options that may be chosen, each with its weight."""
    low, high = ask.bounds(sight.state, frame)
    if option_of(ask.several) == "role":
        return _spread(ask, moves, low, sight, random)
    low = max(low, min(1, high))  # for nothing at all one would not ask
    weight = PARTS.get(ask.several, unknown)
    parts = sorted(((weight(sight, move), move) for move in moves), key=lambda pair: -pair[0])
    most = min(high, low + SETS - 1)
    total = sum(part for part, _ in parts[:low])
    sets = []
    for count in range(low, most + 1):
        sets.append((total, compose(ask, [move for _, move in parts[:count]])))
        if count < most:
            total += parts[count][0]
    return sets


def _spread(
    ask: Ask, moves: Sequence[Move], count: int, sight: Sight, random: Random
) -> list[tuple[float, Move]]:
    """Some of the ways to lay markers, by worth and by chance; all of them are as good.

    Drawn without putting back, each character as likely as its weight is great (Efraimidis and
    Spirakis 2006).
    """
    weight, chance = PARTS.get(ask.several, unknown), random.random
    parts = [(max(EVEN + weight(sight, move), TINY), move) for move in moves]
    sets = []
    for _ in range(SETS):
        drawn = sorted(parts, key=lambda pair: log(1.0 - chance()) / pair[0])
        sets.append(compose(ask, [move for _, move in drawn[-count:]]))
    return [(0.0, move) for move in dict.fromkeys(sets)]
