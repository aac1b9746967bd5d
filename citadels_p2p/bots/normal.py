"""The normal bot: plays at once what quick judgement holds to be best, with a little chance.

Nobody can quite count on it, and it thinks as little as the hard bot does of those that it
imagines. It remembers what it was shown.
"""

from __future__ import annotations

from random import Random

from citadels_p2p.bots import rollout_policy
from citadels_p2p.bots.memory import Memory
from citadels_p2p.bots.observation import Observation


class Normal:
    """Sensible and quick."""

    def __init__(self) -> None:
        self._memory = Memory()

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        self._memory.note(observation)
        state = observation.state
        move, _ = rollout_policy.choose(
            state, state.stack[-1], observation.faces, random, passed=self._memory.passed
        )
        return move.picks
