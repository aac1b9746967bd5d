"""Citadels for OpenSpiel: `pyspiel.load_game("python_citadels", {"players": 4})`.

Importing this module registers the game. Chance is the game's own: a pile is shuffled card by
card, and an outcome is one of its different cards, in the order of the alphabet. An information
state is all that a seat has heard, seen and said since the beginning, and what it sees now; it
names no slot of a hidden card, since cards have no backs by which they could be told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

import numpy as np
import pyspiel

from citadels_p2p.bots.memory import Memory
from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.environments.sight import length, names, sight
from citadels_p2p.environments.speech import SEATS, WORDS, Speech
from citadels_p2p.game import Game, resume
from citadels_p2p.rules import Rules, new

#: words in a match; the longest ones at random have some thousands
LONGEST = 100_000
NAMES = names()
#: before an edition whose name the library would read as a number, in a game's own text
BOX = "box-"

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
    provides_information_state_string=True,
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
        lots = ["random"] if said["draw"] else None
        seats, edition = int(said["players"]), str(said["edition"]).removeprefix(BOX)
        if edition.isdecimal():
            params = {**said, "edition": BOX + edition}
        self.played = Rules.make(edition, seats, characters=lots, uniques=lots)
        about = pyspiel.GameInfo(
            num_distinct_actions=len(WORDS),
            max_chance_outcomes=len(CHARACTERS) + len(DISTRICTS),
            num_players=seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPE, about, params or {})

    def new_initial_state(self) -> CitadelsState:
        return CitadelsState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> CitadelsObserver:
        return CitadelsObserver(iig_obs_type is not None and iig_obs_type.perfect_recall)


class Recall:
    """What each seat has heard, seen and said; nothing here changes in place but its lists."""

    def __init__(self, seats: int) -> None:
        self.told = [""] * seats
        self.seen = [""] * seats
        self.memories = [Memory() for _ in range(seats)]
        self.heard = 0

    def __deepcopy__(self, memo: dict[int, object]) -> Recall:
        other = Recall(0)
        other.told, other.seen, other.heard = self.told[:], self.seen[:], self.heard
        other.memories = self.memories[:]
        return other

    def note(self, match: Game) -> None:
        """Everybody hears what has happened, and looks at its own cards."""
        happened = "".join(f" {event.kind}{event.values}" for event in match.log[self.heard :])
        self.heard = len(match.log)
        for seat in range(len(self.told)):
            self.told[seat] += happened
            seen = _own(match, seat)
            if seen != self.seen[seat]:
                self.seen[seat] = seen
                self.told[seat] += f" [{seen}]"
        if match.seat is not None:
            memory = self.memories[match.seat] = copy(self.memories[match.seat])
            memory.note(match.observation)


def _own(match: Game, seat: int) -> str:
    """The cards that a seat alone may look at, by where they lie and by name."""
    knows, place = match.dealer.knowledge(match.state, seat), match.state.places[seat]
    parts = {"hand": place.hand, "characters": place.picks}
    told = [slot for slots in parts.values() for slot in slots]
    parts["others"] = [slot for slot in knows if slot not in told]
    return "; ".join(
        f"{name} {' '.join(sorted(knows[slot] for slot in slots if slot in knows))}"
        for name, slots in parts.items()
    )


class CitadelsState(pyspiel.State):
    """A match under way.

    The library copies attributes one by one, so what they share would fall apart.
    """

    def __init__(self, game: CitadelsGame) -> None:
        super().__init__(game)
        self.speech = Speech(resume(new(game.played), OpenDealer(Random(0), by_hand=True)))
        self._recall = Recall(game.played.seats)
        self._laid: tuple[str, ...] = ()  #: of the pile that is being shuffled

    @property
    def match(self) -> Game:
        return self.speech.game

    def current_player(self) -> int:
        """Who says a word next."""
        if self.match.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.match.seat is None else self.match.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.speech.actions()

    def _left(self) -> dict[str, int]:
        """The cards of the pile that lie nowhere yet, and how many of each, by the alphabet."""
        return dict(sorted((Counter(self.match.pile()) - Counter(self._laid)).items()))

    def _outcomes(self) -> list[str]:
        return sorted({*self.match.pile()})

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The different cards that may lie next, each as likely as it is frequent."""
        left, outcomes = self._left(), self._outcomes()
        total = sum(left.values())
        return [(outcomes.index(card), count / total) for card, count in left.items()]

    def _apply_action(self, action: int) -> None:
        if self.match.seat is None:
            self._lay(self._outcomes()[action])
        else:
            seat = self.match.seat
            self._recall.told[seat] += f" <{WORDS[action]}>"
            if self.speech.say(action):
                self._recall.note(self.match)

    def _lay(self, card: str) -> None:
        """One more card; where those that are left are all alike, they lie as well."""
        self._laid = (*self._laid, card)
        left = self._left()
        if len(left) < 2:
            self.match.lay([*self._laid, *(card for card in left for _ in range(left[card]))])
            self._laid = ()
            self.speech.begin()
            self._recall.note(self.match)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"card {self._outcomes()[action]}" if player < 0 else WORDS[action]

    def is_terminal(self) -> bool:
        return self.match.over

    def returns(self) -> list[float]:
        """The winner's 1, or its parts."""
        winners = self.match.scores.winners if self.match.over else ()
        seats = self.match.rules.seats
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(seats)]

    def information_state(self, player: int) -> str:
        """All that the seat has heard, seen and said, and what it sees now."""
        return f"{self._recall.told[player].strip()} | {self.observation(player)}"

    def observation(self, player: int) -> str:
        """What the seat sees now: the numbers of its sight that are not 0, by name."""
        numbers = sight(self.match, player, self._said(player))
        return ", ".join(
            f"{name} {one}" for name, one in zip(NAMES, numbers, strict=True) if one
        )

    def _said(self, player: int) -> tuple[int, ...]:
        return self.speech.chosen() if self.match.seat == player else ()

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float]
    ) -> CitadelsState:
        """Another state with this information state: what is hidden from the seat is imagined.

        Cards lie so that nothing contradicts what was called and shown, and what the seat
        passed on. Its history is the true state's, chance and all: do not show it to a player.
        """
        world: CitadelsState = self.clone()
        if self.match.seat is None:
            return world  # what the next card is, chance will say there as well
        memory, random = world._recall.memories[player], Random(sampler())
        world.speech.game = self.match.determinized(player, random, memory)
        if self.match.seat != player:
            world.speech.begin()  # who was about to say something else has said nothing yet
        return world

    def __str__(self) -> str:
        laid = f" laid {' '.join(self._laid)}" if self._laid else ""
        said = " ".join(WORDS[word] for word in self.speech.chosen())
        return f"{self.match.position(open=True)}{laid} {said}".rstrip()


class CitadelsObserver:
    """What a seat sees: numbers as `sight` has them, and words; all it has seen, in words."""

    def __init__(self, recalls: bool = False) -> None:
        self._recalls = recalls
        self.tensor: Any = np.zeros(length(), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CitadelsState, player: int) -> None:
        """Write what the seat sees into the tensor."""
        self.tensor[:] = sight(state.match, player, state._said(player))

    def string_from(self, state: CitadelsState, player: int) -> str:
        """What the seat sees, in words, and, where it recalls, all it has seen before."""
        return state.information_state(player) if self._recalls else state.observation(player)


pyspiel.register_game(_TYPE, CitadelsGame)
