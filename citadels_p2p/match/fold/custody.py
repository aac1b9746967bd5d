"""Who must do what to the sealed cards next, so that nobody learns more than at a wooden table.

A reading of where every slot is (the engine's zones) and who may read what lies there: its
*reader*, the seat whose operator alone has kept its share back. In this order:

1. A card that returns to the deck is re-masked by the operator who can read it: a ciphertext
   has one owner for life. One that has come to another seat's hand is re-masked by that seat's
   operator, unseen: whoever gives cards away must not know which lies where.
2. A character that has come to another seat is *passed*: its reader puts it under the key of
   that seat's operator alone. Characters never return to a pile with others, so they need no
   other layer, and nobody else has to help.
3. A card in a seat's hands that nobody can read yet is dealt to it by everybody else. Where its
   operator's own layer is lacking, since it was away, that is laid on first: the others' shares
   would else show the card to all.
4. Characters that came from another seat are *mixed* by the new one, under its own key, with
   all that lie before it: whoever passed them on would else know which of them is taken.
5. A hand whose cards came at different moments is re-masked as a whole by its owner, then dealt
   again: a card played cannot be traced to the turn it was drawn in.

Only when nothing is left to do here is the engine's own need served. Every operator computes
the same duties from the same journal.

Where an operator is gone, nothing is dealt or passed to its seats, and its hands are left as
they are. The others make its shares from escrow, and *who is here has masked since*: none is
made but of a card that everybody here has masked since that operator went, or that a seat of
somebody who is here has read, and masked last. What lacks that is first masked, with its whole
pile, by those who have not, one after the other. Otherwise whoever plays two histories of one
match, with others in each, would be given the shares of one card for two readers. Before such a
pass, as before any shuffle by several, everybody whose layer the cards lack lays it on, a
*veil*. Where who is gone is back before all have mixed its characters, it reads them alone no
more and passes nothing: the seat that they came to mixes them.

Why so: docs/decisions, 26 and 27.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from citadels_p2p.match.fold.absence import Absence
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.rules import Zone
from citadels_p2p.rules.needs import Deal, Need, Shuffle
from protocol.cards.deck import SealedCards

#: Zones whose cards their seat may look at.
HELD = frozenset({"hand", "drawn", "picking", "pick"})

#: Those whose cards never meet the cards of another pile again: they may lack layers.
PASSED_ON = frozenset({"picking", "pick"})


STOCK = Zone("deck")
PLACES = frozenset({"deck", "hand", "drawn"})
"""Where the closed districts lie that no seat has read yet: the stock is shuffled as one."""


class Masks:
    """Who has masked the card in each slot since each operator went.

    A card may be any of those that it was shuffled with: so only who has masked all of them has
    masked it.
    """

    def __init__(self, operators: int) -> None:
        self._now = 0
        self._went = [0] * operators
        self._newest: dict[int, tuple[int, ...]] = {}  # when each operator masked it last

    def leave(self, operator: int) -> None:
        """An operator goes: whatever was masked before does not count for its shares."""
        self._now += 1
        self._went[operator] = self._now

    def forget(self, slots: Iterable[int]) -> None:
        """These slots hold cards that nobody's mask hides, or one alone has handed on."""
        for slot in slots:
            self._newest.pop(slot, None)

    def add(self, operator: int, slots: Sequence[int]) -> None:
        """An operator has masked these cards and permuted them."""
        self._now += 1
        never = (0,) * len(self._went)
        oldest = [
            *map(min, zip(*(self._newest.get(slot, never) for slot in slots), strict=True))
        ]
        oldest[operator] = self._now
        self._newest.update(dict.fromkeys(slots, tuple(oldest)))

    def lacking(self, slot: int, absent: int, operators: Iterable[int]) -> list[int]:
        """Those of the operators that have not masked this card since `absent` went."""
        masked, went = self._newest.get(slot), self._went[absent]
        return [one for one in operators if masked is None or masked[one] <= went]


class Custody:
    """The readers of all sealed slots. `keepers[seat]` is the operator that plays the seat."""

    def __init__(self, cards: SealedCards, keepers: Sequence[int], absence: Absence) -> None:
        self.cards = cards
        self.keepers = tuple(keepers)
        self.absence = absence
        self._reader: dict[int, int] = {}
        self._meant: dict[int, int] = {}  # the seat that shares of a slot were published for
        self._kept: dict[int, int] = {}  # who masked last what a seat had read
        self.masks = Masks(absence.operators)
        self._came: set[int] = set()  # from another seat, and not mixed since
        self._since: dict[int, int] = {}
        self._moment = 0
        self.holds: set[int] = set()  #: the slots that a card was ever laid into

    def laid(self, slots: Sequence[int]) -> None:
        """Cards lie in these slots for the first time, or anew."""
        self.holds.update(slots)
        self.masks.forget(slots)
        self.masked(slots)

    def masked(self, slots: Sequence[int]) -> None:
        """These slots hold new ciphertexts, which nobody can read."""
        for slot in slots:
            self._reader.pop(slot, None)
            self._since.pop(slot, None)
            self._meant.pop(slot, None)
            self._kept.pop(slot, None)

    def passed(self, seat: int, slots: Sequence[int]) -> None:
        """These slots lie under the key of this seat's operator alone."""
        self.masks.forget(slots)
        self.masked(slots)
        self._meant.update(dict.fromkeys(slots, seat))

    def mixed(self, operator: int, duty: Duty, zones: Mapping[int, Zone]) -> None:
        """An operator has fulfilled this duty by a shuffle of its slots."""
        kept = [
            slot
            for slot in duty.slots
            if duty.kind == "remask"
            and (zones[slot].seat == duty.seat or zones[slot].kind == "drawn")
            and (slot in self._reader or slot in self._kept)
        ]
        if duty.kind != "remask":
            self._came.difference_update(duty.slots)
        self.masks.add(operator, duty.slots)
        self.masked(duty.slots)
        self._kept.update(dict.fromkeys(kept, duty.seat))

    def shared(self, seat: int, slots: Sequence[int]) -> None:
        """Shares for a seat are out: until they are re-masked, these cards are for it alone."""
        self._meant.update(dict.fromkeys(slots, seat))

    # C901: one branch for each kind of work a need asks for, in the order it is owed
    def duties(self, need: Need, zones: Mapping[int, Zone]) -> tuple[Duty, ...]:  # noqa: C901
        """What must be done before `need` may be served; empty when the cards are at rest."""
        moving: dict[tuple[int, Zone, int], list[int]] = {}
        passing: dict[tuple[int, int], list[int]] = {}
        unread: dict[int, list[int]] = {}
        strange: set[Zone] = set()
        hands: dict[int, list[int]] = {}
        to_look = dict.fromkeys(need.slots, need.seat) if isinstance(need, Deal) else {}
        mixing = frozenset(need.slots) if isinstance(need, Shuffle) else frozenset()
        self._moment += 1
        for slot in [one for one in self._kept if zones.get(one) == STOCK]:
            del self._kept[slot]  # nobody's any more
        gone = self.absence.gone
        vacant = {seat for seat, keeper in enumerate(self.keepers) if keeper in gone}
        readers, meant = self._reader, self._meant
        for slot, zone in sorted(zones.items()):
            kind, seat = zone
            reader = readers[slot] if slot in readers else meant.get(slot)
            owner = to_look.get(slot, seat) if kind in HELD else to_look.get(slot)
            if owner is None and (reader is None or kind != "deck"):
                continue  # nobody's to look at: most cards, most times
            if slot in mixing or slot not in self.holds:
                continue
            if kind == "hand" and seat is not None and seat not in vacant:
                hands.setdefault(seat, []).append(slot)
            if owner is not None and owner == readers.get(slot):
                continue  # where it should be
            if self.cards.face(slot) is not None:
                continue
            if owner is not None and self._reads_already(reader, owner, zone):
                if self._missing(slot, owner):
                    if owner in vacant:
                        continue
                    if self.keepers[owner] in self.cards.layers(slot):
                        unread.setdefault(owner, []).append(slot)
                    else:
                        moving.setdefault((owner, zone, owner), []).append(slot)
                elif slot in self._came:
                    if owner not in vacant:
                        strange.add(zone)
                else:
                    readers[slot] = owner
                    self._since[slot] = self._moment
            elif reader is not None:
                if owner is not None and kind in PASSED_ON:
                    self._came.add(slot)
                    if not {reader, owner} & vacant and not self._missing(slot, reader):
                        passing.setdefault((reader, owner), []).append(slot)
                        continue
                if reader in vacant:  # nobody is here who could mask or pass it
                    if owner is None or owner in vacant:
                        continue  # as it lies, until somebody is to look at it
                    if self._kept.get(slot) == owner:
                        moving.setdefault((owner, zone, owner), []).append(slot)
                    else:
                        unread.setdefault(owner, []).append(slot)
                    continue
                taker = self._taker(reader, owner, zone)
                moving.setdefault((reader, zone, taker), []).append(slot)
        veils = self._veils(mixing)
        if passing or moving or veils:
            # Cards for different places are never mixed: a re-mask permutes what it is given.
            passes = (
                Duty("pass", self.keepers[reader], tuple(slots), owner)
                for (reader, owner), slots in passing.items()
            )
            remasks = (
                duty
                for (*_, taker), slots in moving.items()
                for duty in self._remask(taker, slots)
            )
            return (*passes, *remasks, *veils)
        if unread:
            return self._deals(unread, zones)
        if strange:
            return tuple(self._mix(zone, zones) for zone in sorted(strange))
        if isinstance(need, Deal):
            return ()
        return tuple(
            duty
            for seat, slots in sorted(hands.items())
            if len({self._since.get(slot, -1) for slot in slots}) > 1
            for duty in self._remask(seat, slots)
        )

    def _reads_already(self, reader: int | None, owner: int, zone: Zone) -> bool:
        """Whether a card needs no other reader: it has none yet, or its operator's is meant."""
        if reader is None or reader == owner:
            return True
        return zone.kind in PASSED_ON and self.keepers[reader] == self.keepers[owner]

    def _mix(self, zone: Zone, zones: Mapping[int, Zone]) -> Duty:
        """The seat's own mix of what came to it: of a whole pile, or of one exchanged card."""
        assert zone.seat is not None
        slots = tuple(
            slot
            for slot, where in sorted(zones.items())
            if where == zone and (zone.kind == "picking" or slot in self._came)
        )
        return Duty("mix", self.keepers[zone.seat], slots, zone.seat)

    def _veils(self, slots: Iterable[int]) -> tuple[Duty, ...]:
        """Whose layer these cards lack, of those who are here."""
        lacking = self.cards.unveiled(slots, self.absence.present)
        return tuple(Duty("veil", operator, places) for operator, places in lacking.items())

    def _taker(self, reader: int, owner: int | None, zone: Zone) -> int:
        """The seat for which cards are re-masked: the one that they have come to.

        The reader's own where they go to the deck, where another seat only looks at them (it
        must go on seeing its own hand), and where the operator of either is gone.
        """
        if owner is None or zone.kind == "drawn" or zone.seat == reader:
            return reader
        gone = self.absence.gone
        return reader if {self.keepers[reader], self.keepers[owner]} & gone else owner

    def _missing(self, slot: int, seat: int) -> list[int]:
        """Operators whose share is still missing before `seat` can read the slot."""
        shared, keeper = self.cards.sharers(slot), self.keepers[seat]
        everybody = range(self.absence.operators)
        return [o for o in everybody if o != keeper and o not in shared]

    def _groups(self, slots: Sequence[int]) -> list[list[int]]:
        """Those under the same keys, which can be mixed."""
        groups: dict[frozenset[int], list[int]] = {}
        for slot in slots:
            groups.setdefault(self.cards.lacks(slot), []).append(slot)
        return list(groups.values())

    def _remask(self, seat: int, slots: Sequence[int]) -> tuple[Duty, ...]:
        """What is owed before a seat's operator has re-masked these, and that itself."""
        return self._veils(slots) or tuple(
            Duty("remask", self.keepers[seat], tuple(group), seat)
            for group in self._groups(slots)
        )

    def _deals(
        self, by_seat: Mapping[int, Sequence[int]], zones: Mapping[int, Zone]
    ) -> tuple[Duty, ...]:
        lacking: dict[int, dict[int, list[int]]] = {seat: {} for seat in sorted(by_seat)}
        asked: dict[int, list[int]] = {}
        for seat, of_seat in lacking.items():
            for slot in by_seat[seat]:
                for operator in self._missing(slot, seat):
                    of_seat.setdefault(operator, []).append(slot)
                    asked.setdefault(operator, []).append(slot)
        return self.passes(asked, zones) or tuple(
            duty
            for seat, of_seat in lacking.items()
            for duty in self.absence.share_duties("deal", of_seat, seat)
        )

    def share_duties(
        self,
        kind: str,
        lacking: Mapping[int, Sequence[int]],
        zones: Mapping[int, Zone],
        seat: int = -1,
    ) -> tuple[Duty, ...]:
        """Who must publish the shares that are `lacking`, by operator; what is owed first."""
        return self.passes(lacking, zones) or tuple(
            self.absence.share_duties(kind, lacking, seat)
        )

    # Who is here has masked since.

    def passes(
        self, asked: Mapping[int, Iterable[int]], zones: Mapping[int, Zone]
    ) -> tuple[Duty, ...]:
        """The masks that are owed before others make the shares of who is gone, by operator.

        Slots stay where they are, what lies in them is permuted. So what somebody who is gone
        could read, and the rules give to others, is exchanged for cards that nobody has seen.
        """
        gone, wanted = self.absence.gone, dict[int, set[int]]()
        for absent, slots in asked.items():
            for slot in slots if absent in gone else ():
                for operator in self.unmasked(slot, absent, self.absence.present):
                    wanted.setdefault(slot, set()).add(operator)
        duties: dict[Duty, None] = {}
        for pile in self._piles(wanted, zones):
            veils = self._veils(pile)
            duties.update(dict.fromkeys(veils))
            for group in () if veils else self._groups(pile):
                lacking = set[int]().union(*(wanted.get(slot, ()) for slot in group))
                if lacking:
                    duties[Duty("remask", min(lacking), tuple(group))] = None
        return tuple(duties)

    def unmasked(self, slot: int, absent: int, operators: Iterable[int]) -> list[int]:
        """Those of the operators whose mask must come before a part of an absent one's share.

        None for what is no card of ours, and for what somebody who is here has kept to itself:
        in no other history of this match is that very ciphertext dealt to anybody else.
        """
        keeper = self._kept.get(slot)
        is_here = keeper is not None and self.keepers[keeper] not in self.absence.gone
        if (is_here and slot not in self._reader) or slot not in self.holds:
            return []
        return self.masks.lacking(slot, absent, operators)

    def _piles(
        self, wanted: Collection[int], zones: Mapping[int, Zone]
    ) -> Iterable[Sequence[int]]:
        """What is masked together with these: the whole stock, or a pile; or each by itself."""
        piles: dict[object, list[int]] = {}
        for slot in wanted:
            kind = zones[slot].kind
            single = kind in ("aside", "pick", "open")
            place: object = slot if single else kind if kind in ("lots", "picking") else "stock"
            piles.setdefault(place, []).append(slot)
        for place, slots in piles.items():
            if place == "stock":
                whole = {slot for slot, zone in zones.items() if self._is_stock(slot, zone)}
            else:
                whole = {slot for slot, zone in zones.items() if zone.kind == place}
            closed = (one for one in whole.union(slots) if self.cards.face(one) is None)
            yield sorted(closed)

    def _is_stock(self, slot: int, zone: Zone) -> bool:
        """Whether a closed district lies here that no seat has read."""
        if zone.kind not in PLACES or slot not in self.holds:
            return False
        return zone == STOCK or not (slot in self._reader or slot in self._kept)
