"""Several histories of one match, and what some of its operators learn of all of them together.

The adversary's programs are the honest ones: what it does is to play on from a copy of the
folder, with others each time. A ledger of names says what that is worth. The mask of a
ciphertext is its name; a share takes a layer off it, and only its maker can say how a shuffle
went. So the toy group serves, in which every equation holds or fails as in the real one, and
the logarithms that nobody could take are not taken here either.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple
from unittest import mock

import pytest

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from protocol.application import Genesis
from protocol.cards.escrow import Escrow
from protocol.cards.group import Group, Point
from protocol.cards.holder import CardHolder
from tests.match.vacant_chairs import VacantChairs
from tests.protocol.tiny_group import TinyGroup

Orders = dict[bytes, tuple[int, tuple[int, ...]]]
"""Who made a shuffle, and its order, by the step."""


@contextlib.contextmanager
def noted_orders() -> Iterator[Orders]:
    """How every shuffle went that is made while this lasts."""
    made: Orders = {}
    make = CardHolder.make_shuffle

    def noted(
        self: CardHolder, slots: Sequence[int], *given: object, **named: object
    ) -> object:
        step, order = make(self, slots, *given, **named)  # type: ignore[arg-type]
        made[step] = (self._operator, order)
        return step, order

    with mock.patch.object(CardHolder, "make_shuffle", noted):
        yield made


@pytest.fixture
def orders() -> Iterator[Orders]:
    """How every shuffle went that is made in this test."""
    with noted_orders() as made:
        yield made


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
    open: set[Point] = field(default_factory=set)
    lay: dict[int, set[Point]] = field(default_factory=lambda: defaultdict(set))
    """Where an operator's seats may look, by the rules."""
    gave: dict[int, set[Point]] = field(default_factory=lambda: defaultdict(set))
    """What an operator has published its share of, or passed on, by its own word."""

    def __or__(self, other: Seen) -> Seen:
        both = Seen()
        for one in (self, other):
            both.layers |= one.layers
            both.laid |= one.laid
            both.links |= one.links
            both.escrows |= one.escrows
            both.keys |= one.keys
            both.shown |= one.shown
            both.open |= one.open
            for operator, masks in one.lay.items():
                both.lay[operator] |= masks
            for operator, masks in one.gave.items():
                both.gave[operator] |= masks
            for mask, operators in one.shares.items():
                both.shares[mask] |= operators
            for part, operators in one.parts.items():
                both.parts[part] |= operators
        return both


def look(chairs: VacantChairs, orders: Orders) -> tuple[Seen, Match]:
    """Fold a history once more, and note what everybody sees of it."""
    said = (Said(seq, *one) for seq, one in enumerate(chairs.journal, 1))
    return look_at(chairs.genesis, said, orders)


class Said(NamedTuple):
    """A word of a journal, and what else was said right after it, which stands nowhere."""

    seq: int
    author: int
    body: bytes
    aside: Sequence[tuple[int, bytes]] = ()


def look_at(
    genesis: Genesis, words: Iterable[Said], orders: Orders, group: Group | None = None
) -> tuple[Seen, Match]:
    """The same of any journal of this match; `group`: its own, where it is not the toy one."""
    seen, match = Seen(), Match(genesis, group or TinyGroup())
    opened = set[Point]()
    for seq, author, raw, aside in words:
        entry = bodies.read(raw)
        touched = tuple(getattr(entry, "slots", ()))
        cards = match._cards
        before = cards.ciphertexts(touched) if cards and isinstance(entry, _MOVING) else ()
        zones = dict(match.zones) if cards else {}
        match.fold(seq, author, raw)
        assert match.cheat is None
        for held in match.keys.escrows.values():
            seen.escrows[_name(held)] = held
        seen.keys.update(match.keys.given)
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
            _hear_part(seen, match, author, entry)
        if isinstance(entry, bodies.Shared | bodies.Recovered):
            _give(seen, match, entry)
        if isinstance(entry, bodies.Passed):
            seen.gave[author] |= {one.mask for one in before}
        if isinstance(entry, bodies.Shared):
            seen.gave[author] |= {one.mask for one in cards.ciphertexts(entry.slots)}
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
        for slot, zone in match.zones.items():
            if zone.seat is not None and match.is_card(slot):
                lies = cards.state(slot).value.mask
                seen.lay[match.keepers[zone.seat]].add(lies)
        for speaker, word in aside:
            _hear_aside(seen, match, speaker, word)
    seen.open |= opened
    return seen, match


def _hear_part(seen: Seen, match: Match, author: int, entry: bodies.Recovered) -> None:
    held = match.keys.escrows.get(entry.absent)
    if held is not None:
        for one in match.cards.ciphertexts(entry.slots):
            seen.parts[one.mask, _name(held)].add(author)


def _give(seen: Seen, match: Match, entry: bodies.Shared | bodies.Recovered) -> None:
    """Who is dealt a card may look at it as soon as all others' shares are there."""
    if entry.seat >= 0:
        for one in match.cards.ciphertexts(entry.slots):
            seen.lay[match.keepers[entry.seat]].add(one.mask)


def _hear_aside(seen: Seen, match: Match, author: int, raw: bytes) -> None:
    """A share is seen by whoever was sent it, also where no host has ordered it."""
    entry = bodies.read(raw)
    if isinstance(entry, bodies.Shared | bodies.Recovered):
        _give(seen, match, entry)
    match entry:
        case bodies.Recovered():
            _hear_part(seen, match, author, entry)
        case bodies.Shared() | bodies.Opened():
            for one in match.cards.ciphertexts(entry.slots):
                seen.shares[one.mask].add(author)
                (seen.shown if isinstance(entry, bodies.Opened) else seen.gave[author]).add(
                    one.mask
                )
        case bodies.Answered() if entry.seat >= 0:
            mask = match.cards.state(entry.slot).value.mask
            seen.shares[mask].add(author)
            seen.shown.add(mask)


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

    But for what somebody has itself shown to all in its own history, or has given to a member
    there by the rules (a Magician's exchange); and for what all others have so given, though
    each in its own history (a draw that was under way, and is drawn anew). So much a second
    evening with the same cards would tell, and no protocol keeps it back. But for what lies
    before a member there too, and only waits to be passed on to it. And but for a play that all
    others have ended: their keys may follow.
    """
    yield from leaks_of([look(one, orders) for one in histories], members)


def leaks_of(
    looks: Sequence[tuple[Seen, Match]], members: Iterable[int]
) -> Iterator[tuple[int, int, str]]:
    """The same where all has been looked at."""
    adversary = frozenset(members)
    everything = Seen()
    for seen, _ in looks:
        everything |= seen
    together = readable(everything, adversary)
    shown = spread(everything.shown, everything, adversary)
    dealt = set[Point]().union(*(everything.lay[one] for one in adversary))
    given = {
        one: spread(masks & dealt, everything, adversary)
        for one, masks in everything.gave.items()
    }
    for number, (seen, match) in enumerate(looks):
        if _have_ended(match, (one for _, one in looks), adversary):
            continue
        own = readable(seen, adversary) | by_the_rules(seen, adversary)
        others = set(range(match.operators)) - adversary
        for slot, kind, mask in closed(match):
            seat = match.seat_of(slot)
            givers = {match.keepers[seat]} if seat >= 0 else others
            is_given = all(mask in given.get(one, ()) for one in givers)
            if mask in together - own - shown and not is_given:
                yield number, slot, kind


def _have_ended(match: Match, histories: Iterable[Match], members: frozenset[int]) -> bool:
    """Whether everybody but the members has ended this very play, in whichever history."""
    ended = set(members)
    for one in histories:
        if one.is_over and match.is_over and one.state == match.state:
            ended |= one.ended
    return ended >= set(range(match.operators))


def closed(match: Match) -> Iterator[tuple[int, str, Point]]:
    """The sealed cards of the table that nobody has shown: slot, kind of zone, and name."""
    for slot, zone in match.zones.items() if match._cards is not None else ():
        if match.is_card(slot) and match.face(slot) is None:
            yield slot, zone.kind, match.cards.state(slot).value.mask


def by_the_rules(seen: Seen, members: Iterable[int]) -> set[Point]:
    """The names of all cards that the rules have let these operators look at."""
    keys = frozenset(members)
    known = seen.open | seen.shown | seen.laid
    for one in keys:
        known |= seen.lay[one]
    return spread(known, seen, keys)
