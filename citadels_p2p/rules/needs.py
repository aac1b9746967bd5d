"""What the engine needs next, and the facts that answer it. Plain values, no behaviour.

A *slot* is a place for one card. Which card lies there is known to nobody (a shuffled pile), to
one seat (a hand) or to all (a city). Shuffling permutes the cards among the slots of a pile;
the slots themselves only move between zones (deck, hand, city …) by the rules.

A seat may also have to *invent* a face: which of the markers it laid on characters is the true
one. No card lies there; a fresh slot stands for it (zone `secret`). The option chosen carries
the face (`secret` gives it, with the public move that takes the option's place in the fact);
the seat keeps the face, binds itself to it (`commits` of the public move names the slot), and
may open the binding later with a move whose `reveals` names that slot: then the fact shows the
face, and everybody checks it against the binding.

Characters may come to a seat without its choosing: dealt, or exchanged. They are `pick`s like
the others, and the seat must bind itself to them as soon as it has looked at them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from citadels_p2p.rules.moves import Move


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Put `slots` in an order that nobody knows.

    `fresh` names the cards that are laid into the slots beforehand, in public order (the whole
    deck at the start, each round's characters, a pile of lots); empty: shuffle what lies there
    already.
    """

    pile: str
    slots: tuple[int, ...]
    fresh: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """`seat`, and nobody else, may now look at these cards."""

    slots: tuple[int, ...]
    seat: int


@dataclass(frozen=True, slots=True)
class Open:
    """Everybody may now see these cards."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """Whoever holds a living, unrevealed character of this rank says so.

    Everybody else says 'not I'.
    """

    rank: int


@dataclass(frozen=True, slots=True)
class Decide:
    """`seat` chooses.

    `kind` is one word for what is asked (`character`, `gather`, `act`, …).
    """

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class Over:
    """The match has ended."""


Need: TypeAlias = Shuffle | Deal | Open | Call | Decide | Over


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The pile that was asked for is in an order that nobody knows."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The seat has seen the cards."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The faces of the slots asked for, in the same order, as card ids.

    Empty where a card stays closed: a hand or a character of a seat whose program is gone.
    """

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Called:
    """Who answered the call.

    Seat, the slot of the character card and its id; or nobody (all None).
    """

    seat: int | None = None
    slot: int | None = None
    character: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """The seat's choice, and the faces `(slot, card id)` of the cards that the choice shows to
    all.
    """

    seat: int
    move: Move
    shown: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The seat did not decide in time: the documented default is taken."""

    seat: int


@dataclass(frozen=True, slots=True)
class Away:
    """The seat's program is gone."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """The seat's program has returned."""

    seat: int


Fact: TypeAlias = Shuffled | Dealt | Opened | Called | Decided | TimedOut | Away | Back
