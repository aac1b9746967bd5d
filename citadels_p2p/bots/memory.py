"""What a seat was shown and may not look at any more: characters, and cards in other hands.

A bot keeps one for a match. It holds on to hands and not to places in them: the owner of a hand
may lay its cards in another order at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from citadels_p2p.bots.observation import Observation


@dataclass(frozen=True, slots=True)
class Passed:
    """What a seat remembers of a round's choice of characters.

    It chose among `offered`; whoever had chosen before, and what lay face down, had `before`.
    """

    round: int
    offered: frozenset[str]
    before: frozenset[int]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """These cards lie on these slots of another hand, in whatever order."""

    slots: frozenset[int]
    cards: tuple[str, ...]


class Memory:
    """What is remembered of the round's characters, and of the hands of others.

    It is one seat's in one match; at another seat, or in an earlier state, it begins anew.
    """

    def __init__(self) -> None:
        self._seat, self._n = -1, 0
        self._forget()

    def __reduce__(self) -> tuple[object, ...]:
        passed = self.passed
        left = None if passed is None else (passed.round, passed.offered, passed.before)
        glimpses = [(glimpse.slots, glimpse.cards) for glimpse in self.glimpses]
        return _remembered, (self._seat, self._n, left, glimpses, self._own)

    def _forget(self) -> None:
        self.passed: Passed | None = None
        self.glimpses: list[Glimpse] = []
        self._own: dict[int, str] = {}

    def note(self, observation: Observation) -> None:
        """Look at the table; to be done whenever the seat is asked for a choice."""
        if observation.seat != self._seat or observation.state.n < self._n:
            self._forget()
        self._seat, self._n = observation.seat, observation.state.n
        self.passed = _passed(observation) or self.passed
        state, faces = observation.state, observation.faces
        holders = {
            slot: seat
            for seat, place in enumerate(state.places)
            if seat != observation.seat
            for slot in place.hand
        }
        known = {**state.faces, **faces}
        seen = [_followed(glimpse, holders, known) for glimpse in self.glimpses]
        after = {slot for glimpse in seen for slot in glimpse.slots}
        fresh: dict[int, list[int]] = {}
        shown = {**self._own, **faces}
        for slot in shown:
            if slot in holders and slot not in after:
                fresh.setdefault(holders[slot], []).append(slot)
        seen += [
            Glimpse(frozenset(slots), tuple(sorted(shown[slot] for slot in slots)))
            for slots in fresh.values()
        ]
        self.glimpses = [glimpse for glimpse in seen if glimpse.slots]
        hand = state.places[observation.seat].hand
        self._own = {slot: faces[slot] for slot in hand if slot in faces}


def _remembered(
    seat: int,
    n: int,
    passed: tuple[int, frozenset[str], frozenset[int]] | None,
    glimpses: list[tuple[frozenset[int], tuple[str, ...]]],
    own: dict[int, str],
) -> Memory:
    """A memory as it was: copied, or out of a pickle."""
    memory = Memory()
    memory._seat, memory._n, memory._own = seat, n, own
    memory.passed = None if passed is None else Passed(*passed)
    memory.glimpses = [Glimpse(slots, cards) for slots, cards in glimpses]
    return memory


def offered(observation: Observation) -> frozenset[str] | None:
    """The characters among which the seat chooses; None while it chooses none."""
    state, faces, frame = observation.state, observation.faces, observation.state.stack[-1]
    if state.phase != "selection" or frame.need != "decide" or not state.pile:
        return None
    if any(slot not in faces for slot in state.pile):
        return None
    return frozenset(faces[slot] for slot in state.pile)


def _passed(observation: Observation) -> Passed | None:
    """What is worth remembering while characters are before the seat; else None."""
    offer, state = offered(observation), observation.state
    if offer is None:
        return None
    others = [slot for place in state.places for slot in place.picks]
    before = frozenset(
        slot for slot in (*others, *state.aside) if slot not in observation.faces
    )
    return Passed(state.round, offer, before)


def _followed(
    glimpse: Glimpse, holders: Mapping[int, int], known: Mapping[int, str]
) -> Glimpse:
    """What is left of a glimpse now. Of a card gone face down nobody knows which it was."""
    cards = list(glimpse.cards)
    for slot in glimpse.slots:
        if slot in known and known[slot] in cards:
            cards.remove(known[slot])
    hidden = [slot for slot in glimpse.slots if slot in holders and slot not in known]
    hands = Counter(holders[slot] for slot in hidden)
    most = max(hands, key=lambda seat: (hands[seat], -seat), default=-1)
    slots = [slot for slot in hidden if holders[slot] == most]
    return Glimpse(frozenset(slots), tuple(cards[: len(slots)]))
