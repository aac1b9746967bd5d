"""What characters and cards are worth to a seat, in gold, by what it may know."""

from __future__ import annotations

from math import exp
from typing import Final

from citadels_p2p.bots.memory import Passed
from citadels_p2p.rules import building
from citadels_p2p.rules.board import needed, size
from citadels_p2p.rules.hooks import District, Faces
from citadels_p2p.rules.scoring import lines
from citadels_p2p.rules.state import State

#: what being a character brings, beside the income of its quarter
LURE: Final[dict[str, float]] = {
    "assassin": 1.0,
    "witch": 1.2,
    "magistrate": 1.4,
    "thief": 1.6,
    "spy": 1.4,
    "blackmailer": 1.4,
    "magician": 1.4,
    "wizard": 1.8,
    "seer": 1.8,
    "king": 1.3,
    "emperor": 1.5,
    "patrician": 1.3,
    "bishop": 0.9,
    "abbot": 1.5,
    "cardinal": 1.5,
    "merchant": 1.8,
    "alchemist": 2.0,
    "trader": 1.6,
    "architect": 3.0,
    "navigator": 2.8,
    "scholar": 2.2,
    "warlord": 1.1,
    "diplomat": 1.2,
    "marshal": 1.5,
    "queen": 1.4,
    "artist": 1.0,
    "tax_collector": 1.4,
}

#: what a unique district is worth beside its cost
SPECIAL: Final[dict[str, float]] = {
    "haunted_quarter": 1.5,
    "dragon_gate": 2.0,
    "university": 2.0,
    "imperial_treasury": 1.5,
    "map_room": 1.5,
    "library": 1.5,
    "school_of_magic": 1.5,
    "wishing_well": 1.5,
    "capitol": 1.5,
    "basilica": 1.5,
    "gold_mine": 1.5,
    "park": 1.0,
    "factory": 1.0,
    "museum": 1.5,
    "statue": 1.0,
    "ivory_tower": 1.0,
    "poor_house": 0.5,
    "monument": 3.0,
    "quarry": 0.5,
    "theater": 0.5,
    "throne_room": 0.5,
    "great_wall": 0.5,
    "laboratory": 0.5,
    "smithy": 0.5,
    "observatory": 0.5,
}


def worth_being(state: State, seat: int, character: str) -> float:
    """How good a character is for a seat, by what everybody sees."""
    place = state.places[seat]
    worth = LURE.get(character, 1.0)
    quarter = state.tables.roles[character].income
    if quarter >= 0:
        worth += 0.9 * place.quarters[quarter]
    if character == "architect" and place.gold < 4:
        worth -= 1.0
    elif character == "magician" and len(place.hand) < 2:
        worth += 1.5
    return worth


def standing(state: State, seat: int) -> float:
    """What a seat has at the end of a round, in points: its score, and what else promises more.

    Every district counts beside its points, for it brings the match's end nearer; gold that one
    turn does not spend promises little. The weights are those by which a softmax over the seats
    best foretold, round by round, who won 1,200 matches between hard bots, of the classic game
    and of random characters.
    """
    place = state.places[seat]
    gold, hand = place.gold, len(place.hand)
    promised = 0.2 * gold + 1.2 * min(gold, 4) + 0.6 * min(hand, 8)
    crown = 0.8 if state.crown == seat else 0.0
    return points(state, seat) + 3.5 * size(state, seat) + promised + crown


def chances(state: State) -> list[float]:
    """How likely each seat is to win from here, as parts of one: a softmax of `standing`, the
    more even, the further away the end is.
    """
    seats = range(state.rules.seats)
    left = needed(state) - max([size(state, seat) for seat in seats])
    return softmax([standing(state, seat) for seat in seats], 2.0 + 1.8 * max(left, 0))


def softmax(values: list[float], spread: float) -> list[float]:
    """Parts of one, the larger for the larger values; the wider the spread, the more even."""
    top = max(values)
    weights = [exp((value - top) / spread) for value in values]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def points(state: State, seat: int) -> int:
    """A seat's score as if the match ended now."""
    return sum(some for _, some in lines(state, seat))


def characters_of(state: State) -> list[int]:
    """Every slot where a character of this round lies."""
    picks = [slot for place in state.places for slot in place.picks]
    return [*picks, *state.pile, *state.aside, *state.faceup]


def suspects(
    state: State, known: Faces, passed: Passed | None
) -> list[tuple[int, int, list[tuple[str, float]]]]:
    """Each hidden character that a seat has taken: seat, slot, and what it may be.

    Each of these with a weight: how well it suits the seat. None of them contradicts what was
    called, shown or passed on.
    """
    shown = {known[slot] for slot in characters_of(state) if slot in known}
    left = [id for id in state.tables.roster if id not in shown]
    if state.phase == "turns":
        late = {id for id, _ in state.tables.calls[state.called :]}
        left = [id for id in left if id in late or id == state.silenced]
    fits = passed if passed is not None and passed.round == state.round else None
    found = []
    for seat, place in enumerate(state.places):
        for slot in place.picks:
            if slot in known:
                continue
            may = left
            if fits is not None:
                before = slot in fits.before
                may = [id for id in left if before != (id in fits.offered)]
            found.append((seat, slot, [(id, exp(worth_being(state, seat, id))) for id in may]))
    return found


class Sight:
    """What a seat weighs its options by: it looks at no card that the seat may not know.

    `faces` may hold more, where a whole world is imagined.
    """

    __slots__ = ("_held", "_useful", "faces", "passed", "place", "seat", "state")

    def __init__(self, state: State, seat: int, faces: Faces, passed: Passed | None) -> None:
        self.state = state
        self.seat = seat
        self.faces = faces
        self.passed = passed
        self.place = state.places[seat]
        self._useful: set[District] | None = None
        self._held: list[tuple[int, str, float]] | None = None

    @property
    def useful(self) -> set[District]:
        """The hand without what stands already and what nobody can build."""
        if self._useful is None:
            faces, districts = self.faces, self.state.tables.districts
            held = {districts[faces[slot]] for slot in self.place.hand if slot in faces}
            held.difference_update(self.place.districts)
            self._useful = {card for card in held if not card.effect.unveiled}
        return self._useful

    def payable(self, gold: int) -> int:
        """How many of the useful cards so much gold pays."""
        state, seat = self.state, self.seat
        return sum(
            1
            for card in self.useful
            if card.cost <= gold or building.price(state, seat, card) <= gold
        )

    def card(self, slot: int) -> str:
        """The card on a slot that this seat may know, or nothing."""
        return self.faces.get(slot) or self.state.faces.get(slot, "")

    def gain(self, card: str) -> float:
        """How good it is to have this district standing."""
        district = self.state.tables.districts[card]
        fresh = 0.0 if self.place.quarters[district.quarter] else 0.8
        return district.cost + fresh + SPECIAL.get(card, 0.0)

    def keeping(self, slot: int) -> float:
        """How good it is to hold a card: soon to be built, not standing, not held twice."""
        card, place = self.card(slot), self.place
        district = self.state.tables.districts[card]
        if district.effect.unveiled:
            return 3.0
        if district in place.districts:
            return 0.0
        if any(self.faces.get(other) == card for other in place.hand if other != slot):
            return 0.0
        missing = building.price(self.state, self.seat, district) - place.gold - 2
        return 1.0 + self.gain(card) - 1.5 * max(0, missing)

    def bearers(self, stakes: list[float]) -> dict[str, float]:
        """What a blow at each character is worth: the stake of each seat times its chance."""
        if self._held is None:
            own = self.place.picks
            known = {**self.state.faces}
            known.update((slot, self.faces[slot]) for slot in own if slot in self.faces)
            self._held = []
            for seat, _, may in suspects(self.state, known, self.passed):
                total = sum(weight for _, weight in may) or 1.0
                self._held += [(seat, id, weight / total) for id, weight in may]
        worth: dict[str, float] = {}
        for seat, id, chance in self._held:
            worth[id] = worth.get(id, 0.0) + chance * stakes[seat]
        return worth

    def lead(self, seat: int) -> float:
        """How much a seat is to be feared, in gold."""
        state = self.state
        short = needed(state) - size(state, seat)
        near = 3.0 if short <= 1 else 1.5 if short == 2 else 0.0
        return 1.0 + near + 0.5 * size(state, seat) + 0.2 * state.places[seat].gold
