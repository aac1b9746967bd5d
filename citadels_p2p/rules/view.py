"""What one seat may know: the only thing a client or a bot ever sees.

Every field but `you` is a function of the public state, and so the same for everybody at the same `n`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CityCard:
    """A district standing in a city. `cost` is what counts for price and points now."""

    card: str
    slot: int
    cost: int
    quarter: str


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in the viewer's own hand."""

    card: str
    slot: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public side of a seat. `characters`: one id or None (still hidden) per character card held."""

    seat: int
    gold: int
    hand: int
    city: tuple[CityCard, ...]
    characters: tuple[str | None, ...]
    present: bool
    points_so_far: int


@dataclass(frozen=True, slots=True)
class You:
    """The private side: the viewer's hand, its characters by id, and cards it was shown (slot, id)."""

    seat: int
    hand: tuple[HandCard, ...]
    characters: tuple[str, ...]
    seen: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, for which rank, as which character."""

    seat: int
    rank: int
    character: str


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat (or, with `you` None, a spectator) may see it after event `n`.

    `phase` is "selection", "turns", "scoring" or "over"; `ends` is True once the last round is on.
    """

    n: int
    round: int
    phase: str
    crown: int | None
    deck: int
    turn: Turn | None
    faceup: tuple[str, ...]
    city_size: int
    ends: bool
    seats: tuple[SeatView, ...]
    you: You | None
