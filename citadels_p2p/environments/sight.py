"""What a seat sees, as a list of whole numbers that is always as long.

It is made of the seat's view and of what lies on characters for everybody to see, so it holds
no more than the seat may know. Seats come in the order to the left, the seat itself first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.environments.speech import SEATS, WORDS
from citadels_p2p.game import Game
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.board import needed
from citadels_p2p.rules.view import TOLD_PHASES

#: no number of a sight is greater
GREATEST = 999

_PHASES = ("selection", "turns", "scoring", "over")
_ROLES = {id: place for place, id in enumerate(sorted(CHARACTERS))}
_CARDS = {id: place for place, id in enumerate(sorted(DISTRICTS))}
_ASKS = {word: place for place, word in enumerate(sorted(ASKS))}


#: where each part begins; every seat's part is as long
_SEAT = 3 + len(_CARDS) + len(_ROLES) + 3
_PARTS = {
    "phase": len(_PHASES),
    "roster": len(_ROLES),
    "faceup": len(_ROLES),
    "turn": len(_ROLES),
    "named": len(_ROLES),
    "silenced": len(_ROLES),
    "marked": len(_ROLES),
    "hand": len(_CARDS),
    "characters": len(_ROLES),
    "looked": len(_CARDS),
    "looked_roles": len(_ROLES),
    "ask": len(_ASKS),
    "said": len(WORDS),
    "seats": SEATS * _SEAT,
}
_AT: dict[str, int] = {}
_LENGTH = 5
for _name, _size in _PARTS.items():
    _AT[_name] = _LENGTH
    _LENGTH += _size
_BLANK = array("h", bytes(2 * _LENGTH))
_ROSTERS: dict[tuple[str, ...], array[int]] = {}


def sight(game: Game, seat: int, said: Sequence[int] = ()) -> array[int]:
    """The numbers for this seat; `said`: what it has said of its decision so far."""
    state, knows = game.state, game.dealer.knowledge(game.state, seat)
    places, faces, frame, turn = state.places, state.faces, game.frame, state.turn
    home, seats, at = places[seat], len(places), _AT
    asked = game.seat
    roster = state.rules.characters if state.rules.drawn else ()
    blank = _ROSTERS.get(roster)
    if blank is None:
        blank = _ROSTERS[roster] = _BLANK[:]
        _count(blank, at["roster"], roster, _ROLES)
    numbers = blank[:]
    numbers[0] = min(state.round, GREATEST)
    numbers[1] = len(state.deck)
    numbers[2] = needed(state)
    numbers[3] = state.ends
    numbers[4] = seats
    phase = TOLD_PHASES.get(state.phase, state.phase)
    numbers[at["phase"] + _PHASES.index(phase)] = 1
    _count(numbers, at["faceup"], state.faceup.values(), _ROLES)
    if turn is not None:
        numbers[at["turn"] + _ROLES[turn.character]] = 1
    for who, _ in state.named.values():
        numbers[at["named"] + _ROLES[who]] += 1
    if state.silenced:
        numbers[at["silenced"] + _ROLES[state.silenced]] = 1
    for laid in state.hidden_markers.values():
        _count(numbers, at["marked"], laid.characters, _ROLES)
    hand = home.hand
    _count(numbers, at["hand"], [knows[slot] for slot in hand if slot in knows], _CARDS)
    own = [id for slot in home.picks if (id := faces.get(slot) or knows.get(slot))]
    _count(numbers, at["characters"], own, _ROLES)
    if asked == seat:
        for slot in frame.slots:
            if slot not in hand and slot not in faces and (card := knows.get(slot)):
                if card in _CARDS:
                    numbers[at["looked"] + _CARDS[card]] += 1
                else:
                    numbers[at["looked_roles"] + _ROLES[card]] += 1
        numbers[at["ask"] + _ASKS[frame.then]] = 1
    words = at["said"]
    for word in said:
        numbers[words + word] += 1
    to = at["seats"]
    taker = -1 if turn is None else turn.seat
    for step in range(seats):
        other = (seat + step) % seats
        place = places[other]
        numbers[to] = min(place.gold, GREATEST)
        numbers[to + 1] = len(place.hand)
        numbers[to + 2] = place.present
        to += 3
        for district in place.districts:
            numbers[to + _CARDS[district.id]] += 1
        to += len(_CARDS)
        for slot in place.picks:
            if slot in faces:
                numbers[to + _ROLES[faces[slot]]] += 1
        to += len(_ROLES)
        numbers[to] = state.crown == other
        numbers[to + 1] = asked == other
        numbers[to + 2] = taker == other
        to += 3
    return numbers


def _count(numbers: array[int], at: int, ids: Iterable[str], places: dict[str, int]) -> None:
    for id in ids:
        numbers[at + places[id]] += 1


def names() -> tuple[str, ...]:
    """What each number says, in words; seats are counted to the left."""
    ids = {"phase": _PHASES, "ask": sorted(ASKS), "said": WORDS}
    named = ["round", "deck", "city size", "last round", "seats"]
    for part, size in _PARTS.items():
        if part != "seats":
            words = ids.get(part, sorted(CHARACTERS) if size == len(_ROLES) else sorted(_CARDS))
            named += [f"{part} {word}" for word in words]
    place = (
        "gold",
        "hand",
        "present",
        *sorted(_CARDS),
        *sorted(_ROLES),
        "crown",
        "asked",
        "turn",
    )
    named += [f"seat {seat} {word}" for seat in range(SEATS) for word in place]
    return tuple(named)


def length() -> int:
    """How many numbers a sight has, whatever is played."""
    return _LENGTH
