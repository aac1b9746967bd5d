"""Entries that do something to the sealed cards: what is owed, proven, applied, and told on."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.refusal import STALE
from protocol.errors import IllegalEntry

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match


def label_of(pile: str, card: str) -> bytes:
    """The sealed-cards label of a card: copies share one."""
    return f"{pile}/{card}".encode()


def face_of(label: bytes) -> str:
    return label.decode().partition("/")[2]


SHUFFLE = b"shuffle"
"""The purpose of every shuffle: somebody's coming or going may turn a link into a re-mask."""


def shuffle(match: Match, author: int, entry: bodies.Shuffled) -> None:
    """One link of a joint shuffle, a re-mask, or a seat's own mix of what came to it."""
    known = chain(match.duties, match.owed_once)  # where it comes late, it was owed once
    mixings = (duty.kind for duty in known if duty.mixes(author, entry.slots))
    duty = match.owed(next(mixings, "shuffle"), author, entry.slots)
    alone = duty.kind == "mix"
    if (entry.age, entry.lacking) != made_for(match, duty):
        raise IllegalEntry(STALE)  # others have shuffled, veiled or left since it was made
    match.cards.apply_shuffle(author, duty.slots, SHUFFLE, entry.proof, alone=alone)
    if duty.kind == "shuffle":
        match.shuffled.add(author)
    match.custody.mixed(author, duty, match.zones)


def made_for(match: Match, duty: Duty) -> tuple[int, tuple[int, ...]]:
    """What a shuffle that fulfils this duty takes in: see `bodies.Shuffled`."""
    return sum(map(match.cards.version, duty.slots)), lacking(match, duty)


def lacking(match: Match, duty: Duty) -> tuple[int, ...]:
    """The operators whose key such a shuffle leaves out; a mix all but its maker's."""
    if duty.kind == "mix":
        return tuple(one for one in range(match.operators) if one != duty.operator)
    return tuple(sorted(match.cards.lacks(duty.slots[0])))


def deal(match: Match, author: int, entry: bodies.Shared) -> None:
    """Shares of cards dealt to a seat, by another operator; or of all, by one that leaves."""
    duty = match.owed("deal", author, entry.slots, entry.seat)
    match.cards.apply_shares(author, duty.slots, duty.purpose, entry.shares)
    if duty.seat >= 0:
        match.custody.shared(duty.seat, duty.slots)


def hand_on(match: Match, author: int, entry: bodies.Passed) -> None:
    """Cards that the author alone can read go under the key of the seat that they come to."""
    duty = match.owed("pass", author, entry.slots, entry.seat)
    receiver = match.keepers[duty.seat]
    match.cards.apply_transfer(author, receiver, duty.slots, b"pass", entry.transfer)
    match.custody.passed(duty.seat, duty.slots)


def veil(match: Match, author: int, entry: bodies.Veiled) -> None:
    """The author's layer over cards that lack it, before anybody mixes them."""
    duty = match.owed("veil", author, entry.slots)
    match.cards.apply_veils(author, duty.slots, entry.veils)


def recover(match: Match, author: int, entry: bodies.Recovered) -> None:
    """Parts of the shares of an operator that is gone."""
    duty = match.owed("recover", author, entry.slots, entry.seat, entry.absent)
    concerned = (author, *(match.keepers[one] for one in (duty.seat,) if one >= 0))
    for slot in duty.slots:
        if match.custody.unmasked(slot, duty.absent, concerned):
            raise IllegalEntry("a part of what its holder or reader has not masked since")
    recovery = match.absence.recovery
    recovery.apply(author, duty.absent, duty.slots, duty.purpose, entry.parts)
    if duty.seat >= 0:
        match.custody.shared(duty.seat, duty.slots)


def open_to_all(match: Match, author: int, entry: bodies.Opened) -> None:
    """Shares of cards that everybody is to see, with the nonces of characters among them."""
    duty = match.owed("open", author, entry.slots)
    committed = tuple(
        slot
        for slot in duty.slots
        if slot in match.picks.committed and match.keepers[match.seat_of(slot)] == author
    )
    if tuple(opening.slot for opening in entry.openings) != committed:
        raise IllegalEntry("opens other commitments than it should")
    with match.cards.trial():
        match.cards.apply_shares(author, duty.slots, b"open", entry.shares)
        for opening in entry.openings:
            match.check_pick(opening.slot, opening.nonce)
    for slot, seat in match.hidden_picks().items():
        if slot in duty.slots:
            match.custody.shared(seat, (slot,))
