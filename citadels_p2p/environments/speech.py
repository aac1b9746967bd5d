"""Decisions as words of one small vocabulary, said one after the other.

An option such as `destroy:2:41` is said as *destroy*, *the second to the left*, *temple*: slots
change from game to game, words do not. Whoever chooses several cards says them one by one, and
then *done*. What is said so far and may be said next is all that an action mask needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from citadels_p2p.cards import CHARACTERS, DISTRICTS, QUARTERS
from citadels_p2p.game import Game
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.moves import Move

SEATS = 8
#: the greatest number that can be said; greater ones are said so, too
MOST = 40
#: what ends a choice of several, and what stands for a card that the seat may not see
DONE, HIDDEN = "done", "hidden"

#: every word there is; an action is a place in this list
WORDS: tuple[str, ...] = (
    DONE,
    HIDDEN,
    *(f"to {verb}" for verb in VERBS),
    *sorted(CHARACTERS),
    *sorted(DISTRICTS),
    *(f"seat {seat}" for seat in range(SEATS)),
    *(f"quarter {quarter}" for quarter in QUARTERS),
    *(f"number {number}" for number in range(MOST + 1)),
)
_PLACES = {word: place for place, word in enumerate(WORDS)}


class Speech:
    """What the asked seat of a game has said of its decision, and may say next.

    Words that could stand for several options stand for the first: equal cards are as good as
    one another.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._chosen: list[Move] = []
        self._begin()

    def __deepcopy__(self, memo: dict[int, object]) -> Speech:
        """The same words over a copy of the game; its options are the very same moves."""
        other = Speech.__new__(Speech)
        other.game = self.game.copy()
        other.said, other._chosen, other._options = self.said, self._chosen[:], self._options
        other._next = self._next
        return other

    def _begin(self) -> None:
        """From the first word: of the decision, or of one more of several."""
        self.said: tuple[int, ...] = ()
        self._next: list[int] | None = None
        self._options: list[tuple[Move, tuple[int, ...]]] = []
        if self.game.seat is None:
            return
        knows = self._knows()
        for move in self.game.options:
            if move not in self._chosen:
                self._options.append((move, _words(self.game, move, knows)))

    def _knows(self) -> dict[int, str]:
        return self.game.dealer.knowledge(self.game.state, self.game.frame.seat)

    def chosen(self) -> tuple[int, ...]:
        """All that was said since the question was asked, as actions."""
        if not self._chosen:
            return self.said
        knows = self._knows()
        before = [word for move in self._chosen for word in _words(self.game, move, knows)]
        return (*before, *self.said)

    def actions(self) -> list[int]:
        """What may be said next, ascending; nothing when the match is over."""
        if self._next is None:
            self._next = self._may_be_said()
        return self._next

    def _may_be_said(self) -> list[int]:
        if self.game.seat is None:
            return []
        said, at = self.said, len(self.said)
        words = {words[at] for _, words in self._options if words[:at] == said}
        bounds = self.game.bounds
        if bounds is not None and not at:
            if len(self._chosen) >= bounds[1]:
                words = set()
            if len(self._chosen) >= bounds[0]:
                words.add(_PLACES[DONE])
        return sorted(words)

    def words(self, options: Sequence[str]) -> list[int]:
        """The actions that say this decision, given by the ids of the options chosen."""
        knows = self._knows()
        said = [
            _words(self.game, move, knows) for move in self.game.options if move.id in options
        ]
        done = () if self.game.bounds is None else (_PLACES[DONE],)
        return [*(word for words in said for word in words), *done]

    def say(self, action: int) -> bool:
        """Say this word; does it end the decision? ValueError for what may not be said."""
        if action not in self.actions():
            raise ValueError(f"cannot be said now: {action}")
        if WORDS[action] == DONE:
            self._play(*self._chosen)
            return True
        self.said = (*self.said, action)
        self._next = None
        meant = [pair for pair in self._options if pair[1][: len(self.said)] == self.said]
        move, words = meant[0]
        if len(words) > len(self.said):
            return False
        if self.game.bounds is None:
            self._play(move)
            return True
        self._chosen.append(move)
        self._begin()
        return False

    def _play(self, *moves: Move) -> None:
        self.game.play(*moves)
        self.begin()

    def begin(self) -> None:
        """Whoever is asked now has said nothing."""
        self._chosen = []
        self._begin()


def _words(game: Game, move: Move, knows: dict[int, str]) -> tuple[int, ...]:
    """A move of the asked seat in words."""
    state = game.state
    words = [f"to {move.verb}"]
    for name in VERBS[move.verb]:
        value = getattr(move, name)
        match name:
            case "seat":
                words.append(f"seat {(value - game.frame.seat) % state.rules.seats}")
            case "slot" | "give":
                words.append(state.faces.get(value) or knows.get(value) or HIDDEN)
            case "quarter":
                words.append(f"quarter {value}")
            case "number":
                words.append(f"number {min(value, MOST)}")
            case _:
                words.append(value)
    return tuple([_PLACES[word] for word in words])
