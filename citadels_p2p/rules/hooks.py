"""What a card may do beyond its row: the fixed list of places where effects plug in.

An effect fills the fields it needs and leaves the rest; the core asks the fields and names no
card. What a player *does* is an `Act`; a choice in the middle of something is an `Ask`; what
follows a deal, an opening or a shuffle is a `Step`. Acts, asks and steps keep nothing: all
memory is in the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from citadels_p2p.rules.events import Value
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

#: slot → card, for what the deciding seat knows
Faces: TypeAlias = Mapping[int, str]

#: what a sentence is told, by name
About: TypeAlias = tuple[tuple[str, Value], ...]

#: what follows a frame; the last argument is what was opened
Step: TypeAlias = Callable[[State, Frame, tuple[str, ...]], None]


class Act:
    """Something a seat may do in its turn.

    `once` is the power it spends, at most once a turn.
    """

    verb: str
    once: str

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        """Add every legal move of this act."""
        raise NotImplementedError

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        """Why not, from public facts.

        That the power is the seat's and unspent is checked before.
        """
        raise NotImplementedError

    def do(self, state: State, seat: int, move: Move) -> None:
        """Carry it out; unchecked."""
        raise NotImplementedError

    def about(self, state: State, seat: int, move: Move) -> About:
        """What a sentence about the move needs beside its arguments and the card's id."""
        return ()


class Ask:
    """A choice that interrupts. `kind` is the word for what is asked.

    Without a word in `several` exactly one of the options is chosen; with it, `bounds` says how
    many, and one move with that verb answers for all.
    """

    kind: str
    several: str = ""
    stays: bool = False

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        """Every legal move, or the cards to choose from."""
        raise NotImplementedError

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        """The fewest and the most to be chosen."""
        return 1, 1

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        """Why not, from public facts and what the move shows."""
        raise NotImplementedError

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        """Carry it out; unchecked. The frame has left the stack, unless `stays`."""
        raise NotImplementedError

    def default(self, state: State, frame: Frame) -> Move:
        """What is taken for a seat that does not answer; needs no hidden knowledge."""
        raise NotImplementedError

    def reveals(self, move: Move) -> tuple[int, ...]:
        """The slots whose faces the seat must show to all with this move."""
        return ()

    def commits(self, move: Move) -> int | None:
        """The slot to whose hidden face the seat binds itself with this move."""
        return None

    def about(self, state: State, frame: Frame, move: Move) -> About:
        """What a sentence about the move needs beside its arguments and the card's id."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterEffect:
    """What a character does.

    `limit`: districts it may build in its turn. `crown_bound`: may not lie face up, its holder
    is heir to the crown. `on_turn(state, seat)`: its turn begins. `on_reveal(state, seat,
    character)`: anybody's character answers its call. `on_exposed(state, seat)`: shown only at
    the round's end, because it was silenced.
    """

    acts: tuple[Act, ...] = ()
    limit: int = 1
    crown_bound: bool = False
    on_turn: Callable[[State, int], None] | None = None
    on_reveal: Callable[[State, int, str], None] | None = None
    on_exposed: Callable[[State, int], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DistrictEffect:
    """What a unique district does while it stands in a city.

    `acts`: in its owner's turn. `draws`: more cards when gathering. `keeps_all`: of the cards
    gathered. `any_income`: counts as the quarter its owner collects for. `any_quarter`: counts
    at the end as one quarter of the owner's choice. `untouchable`: no power of the last
    coloured rank touches it. `surcharge`: gold added to the price of every other district of
    its city. `points(state, seat)`: at the end, beside its cost. `on_destroyed(state, seat,
    slot, by)`: a district of any city was destroyed by `by`; True takes charge of the card.
    """

    acts: tuple[Act, ...] = ()
    draws: int = 0
    keeps_all: bool = False
    any_income: bool = False
    any_quarter: bool = False
    untouchable: bool = False
    surcharge: int = 0
    points: Callable[[State, int], int] | None = None
    on_destroyed: Callable[[State, int, int, int], bool] | None = None
