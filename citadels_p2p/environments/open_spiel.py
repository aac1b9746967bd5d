"""Citadels for OpenSpiel: `pyspiel.load_game("python_citadels", {"players": 4})`.

Importing this module registers the game. Chance moves once, at the beginning: it chooses one of
`DEALS` seeds, which deals everything that comes; so a history is that seed and what was said.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from citadels_p2p.environments.sight import length, sight
from citadels_p2p.environments.speech import SEATS, WORDS, Speech
from citadels_p2p.game import Game

#: how many deals there are
DEALS = 1024
#: words in a match; the longest ones at random have some thousands
LONGEST = 100_000

_TYPE = pyspiel.GameType(
    short_name="python_citadels",
    long_name="Python Citadels",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 4, "edition": "classic", "draw": False},
)


class CitadelsGame(pyspiel.Game):
    """The game by its parameters; `draw`: characters and unique districts by lots."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        said: dict[str, Any] = {"players": 4, "edition": "classic", "draw": False}
        said |= params or {}
        self.seats, self.edition = int(said["players"]), str(said["edition"])
        self.draw = bool(said["draw"])
        about = pyspiel.GameInfo(
            num_distinct_actions=len(WORDS),
            max_chance_outcomes=DEALS,
            num_players=self.seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPE, about, params or {})

    def new_initial_state(self) -> CitadelsState:
        return CitadelsState(self)

    def make_py_observer(
        self, iig_obs_type: object = None, params: dict[str, Any] | None = None
    ) -> CitadelsObserver:
        return CitadelsObserver()


class CitadelsState(pyspiel.State):
    """A match under way; `speech` is None until chance has chosen the deal.

    The library copies attributes one by one, so what they share would fall apart.
    """

    def __init__(self, game: CitadelsGame) -> None:
        super().__init__(game)
        self._edition, self._seats, self._draw = game.edition, game.seats, game.draw
        self.speech: Speech | None = None

    @property
    def match(self) -> Game | None:
        """The game, once it is dealt."""
        return None if self.speech is None else self.speech.game

    def current_player(self) -> int:
        """Who says a word next."""
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.match.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.match.frame.seat

    def _legal_actions(self, player: int) -> list[int]:
        assert self.speech is not None
        return self.speech.actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal, each as likely as the others."""
        return [(deal, 1.0 / DEALS) for deal in range(DEALS)]

    def _apply_action(self, action: int) -> None:
        if self.speech is not None:
            self.speech.say(action)
            return
        lots = ["random"] if self._draw else None
        match = Game(self._edition, self._seats, seed=action, characters=lots, uniques=lots)
        self.speech = Speech(match)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else WORDS[action]

    def is_terminal(self) -> bool:
        return self.match is not None and self.match.over

    def returns(self) -> list[float]:
        """The winner's 1, or its parts."""
        ended = self.match is not None and self.match.over
        winners = self.match.scores.winners if self.match is not None and ended else ()
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(self._seats)]

    def __str__(self) -> str:
        return "before the deal" if self.match is None else self.match.position(open=True)


class CitadelsObserver:
    """What a seat sees: numbers as `sight` has them, or its position as text."""

    def __init__(self) -> None:
        self.tensor: Any = np.zeros(length(), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CitadelsState, player: int) -> None:
        """Write what the seat sees into the tensor."""
        self.tensor[:] = 0.0
        if state.match is not None and state.speech is not None:
            said = state.speech.chosen() if state.match.seat == player else ()
            self.tensor[:] = sight(state.match, player, said)

    def string_from(self, state: CitadelsState, player: int) -> str:
        """The position as the seat knows it, and what it has said of its decision."""
        if state.match is None or state.speech is None:
            return "before the deal"
        said = state.speech.chosen() if state.match.seat == player else ()
        return " ".join((state.match.position(player), *(WORDS[word] for word in said)))


pyspiel.register_game(_TYPE, CitadelsGame)
