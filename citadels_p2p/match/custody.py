"""Who must do what to the sealed cards next, so that nobody learns more than at a wooden table.

A reading of where every slot is (the engine's zones) and who may read what lies there: its
*reader*, the seat whose operator alone has kept its share back. In this order:

1. A card that returns to the deck, or lies with another seat than the one that can read it, is
   re-masked by the operator who can: a ciphertext has one owner for life.
2. A card in a seat's hands that nobody can read yet is dealt to it by everybody else.
3. A hand whose cards came at different moments is re-masked as a whole by its owner, then dealt
   again: a card played can not be traced to the turn it was drawn in.

Only when nothing is left to do here is the engine's own need served. Every operator computes
the same duties from the same journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citadels_p2p.rules import Zone
from citadels_p2p.rules.needs import Deal, Need, Shuffle
from protocol.sealed import SealedCards

#: Zones whose cards their seat may look at.
HELD = frozenset({"hand", "drawn", "picking", "pick"})


@dataclass(frozen=True, slots=True)
class Duty:
    """One contribution that `operator` owes.

    `kind`: commit, key, shuffle, remask, deal, pledge, open, answer, act or audit; `seat` is
    the one dealt to, re-masking or deciding, -1 where none is meant.
    """

    kind: str
    operator: int
    slots: tuple[int, ...] = ()
    seat: int = -1


class Custody:
    """The readers of all sealed slots. `keepers[seat]` is the operator that plays the seat."""

    def __init__(self, cards: SealedCards, keepers: Sequence[int], operators: int) -> None:
        self.cards = cards
        self.keepers = tuple(keepers)
        self.operators = operators
        self._reader: dict[int, int] = {}
        self._since: dict[int, int] = {}
        self._moment = 0
        self._laid: set[int] = set()

    def laid(self, slots: Sequence[int]) -> None:
        """Cards lie in these slots for the first time, or anew."""
        self._laid.update(slots)
        self.masked(slots)

    def holds(self, slot: int) -> bool:
        """Whether a card was ever laid into this slot."""
        return slot in self._laid

    def masked(self, slots: Sequence[int]) -> None:
        """These slots hold new ciphertexts, which nobody can read."""
        for slot in slots:
            self._reader.pop(slot, None)
            self._since.pop(slot, None)

    def reader(self, slot: int) -> int | None:
        """The seat that can read this slot although it is not open."""
        return self._reader.get(slot)

    def duties(self, need: Need, zones: Mapping[int, Zone]) -> tuple[Duty, ...]:
        """What must be done before `need` may be served; empty when the cards are at rest."""
        moving: dict[tuple[int, Zone], list[int]] = {}
        unread: dict[int, list[int]] = {}
        hands: dict[int, list[int]] = {}
        to_look = dict.fromkeys(need.slots, need.seat) if isinstance(need, Deal) else {}
        mixing = frozenset(need.slots) if isinstance(need, Shuffle) else frozenset()
        self._moment += 1
        for slot in sorted(zones):
            if slot in mixing or slot not in self._laid:
                continue
            zone = zones[slot]
            if zone.kind == "hand" and zone.seat is not None:
                hands.setdefault(zone.seat, []).append(slot)
            owner = to_look.get(slot, zone.seat if zone.kind in HELD else None)
            reader = self._reader.get(slot)
            if owner == reader or (owner is None and zone.kind != "deck"):
                continue  # where it should be, or nobody's to look at: most cards, most times
            if self.cards.state(slot).is_open:
                continue
            if reader is None and owner is not None and not self._missing(slot, owner):
                reader = self._reader[slot] = owner
                self._since[slot] = self._moment
            if reader is None:
                if owner is not None:
                    unread.setdefault(owner, []).append(slot)
            elif owner != reader and (owner is not None or zone.kind == "deck"):
                moving.setdefault((reader, zone), []).append(slot)
        if moving:
            # Cards for different places are never mixed: a re-mask permutes what it is given.
            return tuple(self._remask(seat, slots) for (seat, _), slots in moving.items())
        if unread:
            return tuple(self._deals(unread))
        if isinstance(need, Deal):
            return ()
        return tuple(
            self._remask(seat, slots)
            for seat, slots in sorted(hands.items())
            if len({self._since.get(slot, -1) for slot in slots}) > 1
        )

    def _missing(self, slot: int, seat: int) -> list[int]:
        """Operators whose share is still missing before `seat` can read the slot."""
        shared = self.cards.state(slot).sharers
        keeper = self.keepers[seat]
        return [o for o in range(self.operators) if o != keeper and o not in shared]

    def _remask(self, seat: int, slots: Sequence[int]) -> Duty:
        return Duty("remask", self.keepers[seat], tuple(slots), seat)

    def _deals(self, by_seat: Mapping[int, Sequence[int]]) -> list[Duty]:
        owed: dict[tuple[int, int], list[int]] = {}
        for seat, slots in sorted(by_seat.items()):
            for slot in slots:
                for operator in self._missing(slot, seat):
                    owed.setdefault((seat, operator), []).append(slot)
        return [Duty("deal", op, tuple(slots), seat) for (seat, op), slots in owed.items()]
