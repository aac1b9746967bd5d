"""Citadels for PettingZoo: agents take turns (AEC), and masks say what they may do."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from citadels_p2p.environments.sight import GREATEST, length, sight
from citadels_p2p.environments.speech import WORDS, Speech
from citadels_p2p.game import Game


class CitadelsEnv(AECEnv):
    """A match as an environment; its arguments are those of `Game`.

    An action is a word (`speech.WORDS`): a decision takes some of them, and the same agent says
    them all. An observation is what `sight` tells the seat, and the mask of what may be said.
    Who wins gets 1 at the end, or its part of it.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "citadels_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str = "classic",
        seats: int = 4,
        *,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._made = lambda seed: Game(edition, seats, seed=seed, **options)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.action_spaces = {agent: Discrete(len(WORDS)) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, GREATEST, (length(),), np.int16),
                    "action_mask": Box(0, 1, (len(WORDS),), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Dict:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The same for every agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Another match; the same seed deals the same. `options` are not looked at."""
        self.game = self._made(seed)
        self.speech = Speech(self.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._asked()

    def _asked(self) -> str:
        return self.possible_agents[self.game.frame.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent may know, and the mask; nothing may be said out of turn."""
        seat = self.possible_agents.index(agent)
        mask: Any = np.zeros(len(WORDS), np.int8)
        said: tuple[int, ...] = ()
        if seat == self.game.seat:
            mask[self.speech.actions()] = 1
            said = self.speech.chosen()
        numbers: Any = np.frombuffer(sight(self.game, seat, said), np.int16)
        return {"observation": numbers, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The selected agent says a word; ValueError for one that its mask excludes."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("a word is needed")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.speech.say(int(action))
        if self.game.over:
            winners = self.game.scores.winners
            for seat in winners:
                self.rewards[self.possible_agents[seat]] = 1.0 / len(winners)
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._asked()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The game in a line, where `render_mode` is "ansi"."""
        return repr(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open; who renders must be able to close, as the library's tests say."""
