"""Several histories of one match, and what some of its operators learn of all of them together.

The adversary's programs are the honest ones: what it does is to play on from a copy of the
folder, with others each time. A ledger of names says what that is worth. The mask of a
ciphertext is its name; a share takes a layer off it, and only its maker can say how a shuffle
went. So the toy group serves, in which every equation holds or fails as in the real one, and
the logarithms that nobody could take are not taken here either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from random import Random

import pytest

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from protocol.cards.escrow import Escrow
from protocol.cards.group import Point
from protocol.cards.holder import CardHolder
from tests.match.vacant_chairs import VacantChairs
from tests.protocol.tiny_group import TinyGroup

Orders = dict[bytes, tuple[int, tuple[int, ...]]]
"""Who made a shuffle, and its order, by the step."""


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> Orders:
    """How every shuffle went that is made in this test."""
    made: Orders = {}
    make = CardHolder.make_shuffle

    def noted(
        self: CardHolder, slots: Sequence[int], *given: object, **named: object
    ) -> object:
        step, order = make(self, slots, *given, **named)  # type: ignore[arg-type]
        made[step] = (self._operator, order)
        return step, order

    monkeypatch.setattr(CardHolder, "make_shuffle", noted)
    return made


def branch(chairs: VacantChairs, here: Iterable[int], seed: int = 0) -> VacantChairs:
    """Another history, from here on: only these are there, each with its own disk."""
    other = copy(chairs)
    other.journal = list(chairs.journal)
    other.kept = [list(kept) for kept in chairs.kept]
    other.random = Random(f"{seed}/{len(chairs.journal)}")
    other.dealers, other.here, other._left_at = list(chairs.dealers), set(), {}
    for operator in range(len(chairs.dealers)):
        other._left_at[operator] = other.now
        other.come_back(operator, restarted=True)
    other.here = set(here)
    return other


@dataclass
class Seen:
    """What one history shows to everybody, by the names of its cards."""

    layers: dict[Point, frozenset[int]] = field(default_factory=dict)
    shares: dict[Point, set[int]] = field(default_factory=lambda: defaultdict(set))
    parts: dict[tuple[Point, bytes], set[int]] = field(default_factory=lambda: defaultdict(set))
    laid: set[Point] = field(default_factory=set)
    links: set[tuple[int, Point, Point]] = field(default_factory=set)  # who knows them, or -1
    escrows: dict[bytes, Escrow] = field(default_factory=dict)
    keys: set[int] = field(default_factory=set)
    shown: set[Point] = field(default_factory=set)  # to all, by who could read it itself

    def __or__(self, other: Seen) -> Seen:
        both = Seen()
        for one in (self, other):
            both.layers |= one.layers
            both.laid |= one.laid
            both.links |= one.links
            both.escrows |= one.escrows
            both.keys |= one.keys
            both.shown |= one.shown
            for mask, operators in one.shares.items():
                both.shares[mask] |= operators
            for part, operators in one.parts.items():
                both.parts[part] |= operators
        return both


def look(chairs: VacantChairs, orders: Orders) -> tuple[Seen, Match]:
    """Fold a history once more, and note what everybody sees of it."""
    seen, match = Seen(), Match(chairs.genesis, TinyGroup())
    opened = set[Point]()
    for seq, (author, raw) in enumerate(chairs.journal, 1):
        entry = bodies.read(raw)
        touched = tuple(getattr(entry, "slots", ()))
        cards = match._cards
        before = cards.ciphertexts(touched) if cards and isinstance(entry, _MOVING) else ()
        zones = dict(match.zones) if cards else {}
        match.fold(seq, author, raw)
        assert match.cheat is None
        for held in match.keys.escrows.values():
            seen.escrows[_name(held)] = held
        seen.keys |= match.keys.given
        if match._cards is None:
            continue
        cards = match.cards
        if isinstance(entry, _MOVING):
            after = cards.ciphertexts(touched)
            step = entry.proof if isinstance(entry, bodies.Shuffled) else b""
            who, order = orders.get(step, (author, range(len(touched))))
            knows = -1 if len(touched) == 1 or isinstance(entry, bodies.Passed) else who
            for place, source in enumerate(order):
                seen.links.add((knows, after[place].mask, before[source].mask))
        if isinstance(entry, bodies.Recovered):
            name = _name(match.keys.escrows[entry.absent])
            for one in cards.ciphertexts(touched):
                seen.parts[one.mask, name].add(author)
        for slot, lying in cards._slots.items():
            mask = lying.sealed.mask
            seat = zones[slot].seat if slot in zones else None
            made = isinstance(entry, bodies.Recovered) and slot in touched
            if lying.face is not None and mask not in opened:
                opened.add(mask)
                if seat is not None and not made:
                    seen.shown.add(mask)
            if mask not in seen.layers:
                seen.layers[mask] = frozenset(range(match.operators)) - lying.without
                if lying.version == 1:
                    seen.laid.add(mask)
            seen.shares[mask] |= lying.shares.keys()
    return seen, match


_MOVING = bodies.Shuffled | bodies.Passed


def _name(held: Escrow) -> bytes:
    return bytes([held.dealer]) + b"".join(held.points)


def readable(seen: Seen, members: frozenset[int]) -> set[Point]:
    """The names of all cards that these operators can read together."""
    keys = set(members | seen.keys)
    while True:  # a key that is known opens what was sealed to it
        opened = {
            held.dealer
            for held in seen.escrows.values()
            if len(keys & held.seals.keys()) >= held.threshold
        }
        if opened <= keys:
            break
        keys |= opened
    by_dealer: dict[int, list[tuple[bytes, Escrow]]] = defaultdict(list)
    for name, held in seen.escrows.items():
        by_dealer[held.dealer].append((name, held))

    def is_off(mask: Point, operator: int) -> bool:
        return (
            operator in keys
            or operator in seen.shares.get(mask, ())
            or any(
                len(seen.parts.get((mask, name), set()) | (keys & held.seals.keys()))
                >= held.threshold
                for name, held in by_dealer[operator]
            )
        )

    known = seen.laid | {
        mask for mask, layers in seen.layers.items() if all(is_off(mask, one) for one in layers)
    }
    return spread(known, seen, keys)


def spread(known: Iterable[Point], seen: Seen, keys: Iterable[int]) -> set[Point]:
    """These names, and all that those who have the keys know to be the same cards."""
    knowing, found = {-1, *keys}, set(known)
    near: dict[Point, list[Point]] = defaultdict(list)
    for who, one, other in seen.links:
        if who in knowing:
            near[one].append(other)
            near[other].append(one)
    todo = list(found)
    while todo:
        for other in near[todo.pop()]:
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def leaks(
    histories: Sequence[VacantChairs], orders: Orders, members: Iterable[int]
) -> Iterator[tuple[int, int, str]]:
    """Closed cards that the members read by all histories together, and not by that one alone.

    But for what somebody has itself shown to all in its own history: so much a second evening
    with the same cards would tell, and no protocol keeps it back.
    """
    adversary = frozenset(members)
    looks = [look(one, orders) for one in histories]
    everything = Seen()
    for seen, _ in looks:
        everything |= seen
    together = readable(everything, adversary)
    shown = spread(everything.shown, everything, adversary)
    for number, (seen, match) in enumerate(looks):
        own = readable(seen, adversary)
        for slot, zone in match.zones.items():
            if not match.is_card(slot) or match.face(slot) is not None:
                continue
            mask = match.cards.state(slot).value.mask
            if mask in together - own - shown:
                yield number, slot, zone.kind
