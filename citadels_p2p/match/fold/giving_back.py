"""A share key that its operator has lost on its disk: the others give it back from escrow.

Whoever pleads signs a fresh *lock*, a public key; each holder of its escrow seals its part to
that lock. So a plea can ask for nobody's key but its author's, and what is given back can be
read by nobody else. The values of no key are in the clear, and no card is opened.

The nonces of its commitments are in nobody's escrow. They are released: the sealed card alone
says what was picked, as for an operator that is gone.

Why so: docs/decisions, 20.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.refusal import STALE
from protocol.cards.escrow import Escrow, Seal, read_seal
from protocol.cards.group import Point
from protocol.errors import IllegalEntry

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match

MOST = 16
"""Pleas of one operator in a match: no disk is lost so often, and each is work for all."""


@dataclass(frozen=True, slots=True)
class Plea:
    """What an operator asks for: `number` counts its pleas, `held` is who holds its key."""

    number: int
    lock: Point
    held: Escrow
    given: dict[int, Seal] = field(default_factory=dict)


class GivingBack:
    """Who has lost its key, and what it was given back."""

    def __init__(self) -> None:
        self.pleas: dict[int, Plea] = {}  #: the newest of each operator
        self.heard: list[tuple[int, int]] = []  #: in which entry who said that it forgot
        self.count: Counter[int] = Counter()  #: pleas, and of nonces alone, by operator

    def owed_to(self, holder: int, left: tuple[int, ...]) -> list[int]:
        """Whose part of a key this holder has yet to give back; to none that has left."""
        return [
            one
            for one, plea in self.pleas.items()
            if holder in plea.held.seals and holder not in plea.given and one not in left
        ]

    def plead(self, match: Match, seq: int, author: int, lock: bytes) -> None:
        """Take a plea; a `RemoteError` where it may not stand."""
        keys = match.keys
        if match.stage not in ("play", "audit") or author in keys.given:
            raise IllegalEntry(STALE)
        if self.count[author] == MOST:
            raise IllegalEntry(STALE)
        if lock:
            held = keys.escrows.get(author)
            if held is None:
                raise IllegalEntry("asks for a key that nobody holds")
            point = match.group.decode_point(lock)
            self.pleas[author] = Plea(self.count[author] + 1, point, held)
        self.count[author] += 1
        self.heard.append((seq, author))
        for slot, seat in match.hidden_picks().items():
            if match.keepers[seat] == author:
                match.picks.release(slot)

    def give(self, match: Match, author: int, entry: bodies.GaveBack) -> None:
        """Take a part that is given back; a `RemoteError` where it may not stand."""
        plea = self.pleas.get(entry.operator)
        if plea is None:
            raise IllegalEntry("gives back what nobody asked for")
        if author not in plea.held.seals:
            raise IllegalEntry("gives back what it does not hold")
        if entry.plea != plea.number or author in plea.given:
            raise IllegalEntry(STALE)
        plea.given[author] = read_seal(
            match.group, match.keys.context(), entry.operator, author, entry.seal
        )
