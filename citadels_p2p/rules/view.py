"""What one seat may know: the only thing a client or a bot ever sees.

Every field but `you` is a function of the public state, and so the same for everybody at the
same `n`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules.board import needed, worth
from citadels_p2p.rules.hooks import Faces
from citadels_p2p.rules.scoring import lines
from citadels_p2p.rules.state import Place, State


@dataclass(frozen=True, slots=True)
class CityCard:
    """A district standing in a city. `cost` is what counts for price and points now."""

    card: str
    slot: int
    cost: int
    quarter: str


@dataclass(frozen=True, slots=True)
class HandCard:
    """A district card that the viewer alone may see. `cost` as printed; None: it cannot be
    built.
    """

    card: str
    slot: int
    cost: int | None
    quarter: str


@dataclass(frozen=True, slots=True)
class CharacterCard:
    """A character card that the viewer alone may see; `rank` as this box calls it."""

    card: str
    slot: int
    rank: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public side of a seat.

    `characters`: one id or None (still hidden) per character card held.
    """

    seat: int
    gold: int
    hand: int
    city: tuple[CityCard, ...]
    characters: tuple[str | None, ...]
    present: bool
    points_so_far: int


@dataclass(frozen=True, slots=True)
class You:
    """The private side.

    The viewer's hand, its characters by id, cards that it alone is let look at now, and where
    the true one of its markers lies (purpose, character).
    """

    seat: int
    hand: tuple[HandCard, ...]
    characters: tuple[str, ...]
    seen: tuple[HandCard | CharacterCard, ...] = ()
    signed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, for which rank, as which character."""

    seat: int
    rank: int
    character: str


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat (or, with `you` None, a spectator) may see it after event `n`.

    `phase` is "selection", "turns", "scoring" or "over"; `ends` is True once the last round is
    on. `roster`: the characters of the match in rank order; empty until lots have drawn them.
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
    roster: tuple[str, ...]
    seats: tuple[SeatView, ...]
    you: You | None


#: the phases as they are told, where they bear another name
TOLD_PHASES: Final = {"setup": "selection", "closing": "turns"}


def view(state: State, seat: int | None, faces: Faces) -> View:
    """The table as `seat` may see it, given the faces that it knows; None: a spectator.

    `faces` maps slots to cards for what the seat looked at; what everybody sees it need not
    hold.
    """
    turn = state.turn
    return View(
        n=state.n,
        round=state.round,
        phase=TOLD_PHASES.get(state.phase, state.phase),
        crown=state.crown,
        deck=len(state.deck),
        turn=Turn(turn.seat, turn.rank, turn.character) if turn is not None else None,
        faceup=tuple(state.faceup.values()),
        city_size=needed(state),
        ends=state.ends,
        roster=state.rules.characters if state.rules.drawn else (),
        seats=tuple(_seat(state, number, place) for number, place in enumerate(state.places)),
        you=_you(state, seat, faces) if seat is not None else None,
    )


def _seat(state: State, seat: int, place: Place) -> SeatView:
    return SeatView(
        seat=seat,
        gold=place.gold,
        hand=len(place.hand),
        city=tuple(
            CityCard(card.id, slot, worth(state, slot, card), QUARTERS[card.quarter])
            for slot, card in zip(place.city, place.districts, strict=True)
        ),
        characters=tuple(state.faces.get(slot) for slot in place.picks),
        present=place.present,
        points_so_far=sum(points for _, points in lines(state, seat)),
    )


def _you(state: State, seat: int, faces: Faces) -> You:
    place, frame = state.places[seat], state.stack[-1]
    looks = frame.slots if frame.need == "decide" and frame.seat == seat else ()
    return You(
        seat=seat,
        hand=tuple(_district(state, slot, faces[slot]) for slot in place.hand if slot in faces),
        characters=tuple(
            id for slot in place.picks if (id := state.faces.get(slot) or faces.get(slot))
        ),
        seen=tuple(
            CharacterCard(card, slot, rank)
            if (rank := state.tables.ranks.get(card))
            else _district(state, slot, card)
            for slot in looks
            if slot not in place.hand and slot not in state.faces and (card := faces.get(slot))
        ),
        signed=tuple(
            (purpose, bearer)
            for purpose, markers in sorted(state.hidden_markers.items())
            if markers.seat == seat and (bearer := faces.get(markers.slot))
        ),
    )


def _district(state: State, slot: int, card: str) -> HandCard:
    district = state.tables.districts[card]
    return HandCard(card, slot, district.cost or None, QUARTERS[district.quarter])
