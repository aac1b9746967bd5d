"""Where every card lies.

The public map that the sealed and the open dealer keep their cards by.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from citadels_p2p.rules.state import State

KINDS: Final = (
    "deck",
    "hand",
    "drawn",
    "city",
    "tucked",
    "picking",
    "pick",
    "aside",
    "open",
    "lots",
    "secret",
)


class Zone(NamedTuple):
    """A kind of place, and whose it is.

    `drawn`: looked at by the seat, or on its way to its hand. `tucked`: face down under a
    district of the seat's city, for nobody to look at. `picking`: characters going
    round, at the seat whose choice it is. `pick`: a seat's chosen character, hidden. `aside`:
    characters face down. `secret`: no card at all, but a face that the seat has invented and
    bound itself to, or is about to. `open`: characters everybody sees (with the seat that holds
    it), and a district whose fate is being decided (with the seat that decides).
    """

    kind: str
    seat: int | None = None


def zones(state: State) -> dict[int, Zone]:
    """Every slot in use and its zone; characters and lots that are done with are in none."""
    where = dict.fromkeys(state.deck, Zone("deck"))
    where.update(dict.fromkeys(state.lots, Zone("lots")))
    for seat, place in enumerate(state.places):
        for kind, cards in (("hand", place.hand), ("drawn", place.drawn), ("city", place.city)):
            if cards:
                where.update(dict.fromkeys(cards, Zone(kind, seat)))
        for slot in place.picks:
            where[slot] = Zone("open" if slot in state.faces else "pick", seat)
    where.update(dict.fromkeys(state.pile, Zone("picking", chooser(state))))
    where.update(dict.fromkeys(state.aside, Zone("aside")))
    where.update(dict.fromkeys(state.faceup, Zone("open")))
    for district, slots in state.tucked.items():
        city = where.get(district)
        where.update(dict.fromkeys(slots, Zone("tucked", city.seat if city else None)))
    for markers in state.hidden_markers.values():
        where[markers.slot] = Zone("secret", markers.seat)
    for frame in state.stack:
        for slot in frame.slots:
            if frame.need != "decide":
                continue
            if slot not in where:
                where[slot] = Zone("open", frame.seat)
            elif where[slot].kind == "hand" and where[slot].seat != frame.seat:
                where[slot] = Zone("drawn", frame.seat)
    return where


def hidden_picks(state: State) -> dict[int, int]:
    """Character cards chosen and not yet shown, by slot: the zone `pick`, and its seats."""
    return {
        slot: seat
        for seat, place in enumerate(state.places)
        for slot in place.picks
        if slot not in state.faces
    }


def chooser(state: State) -> int | None:
    """The seat before which the characters' pile lies now, if it lies before one."""
    frame = state.stack[-1]
    return frame.seat if state.phase == "selection" and frame.seat >= 0 else None
