"""High card: everybody puts a card face down, all are turned, the highest takes the round.

A whole game over the table's contract in some forty lines, with cards hidden by commitments. It
knows nothing of any other game, and the table knows nothing of it.
"""

from __future__ import annotations

import hashlib

from protocol import chance
from protocol.application import Contribution, Genesis
from protocol.errors import Malformed

ROUNDS = 3


class HighCard:
    """One operator's copy.

    A body is a letter, the round, and a hash or what it is the hash of.
    """

    def __init__(self, genesis: Genesis, me: int, rounds: int = ROUNDS) -> None:
        self.me, self.rounds, self.players = me, rounds, len(genesis.operators)
        self.round = 0
        self.hidden: dict[int, bytes] = {}
        self.shown: dict[int, int] = {}
        self.wins = [0] * self.players
        self.confirmed = -1
        self.secrets: dict[int, bytes] = {}
        self.said: set[bytes] = set()
        self.has_turned = True

    @property
    def is_over(self) -> bool:
        return self.round == self.rounds

    def rewind(self) -> None:
        self.round, self.hidden, self.shown = 0, {}, {}
        self.wins = [0] * self.players
        self.said = set()

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        for said in kept:
            self.said.add(said.key)
            if said.keep:
                self.secrets[said.body[1]] = said.keep

    def can_mend(self) -> bool:
        return False

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        kind, number, value = body[:1], body[1:2], body[2:]
        before = self.round, self._all_hidden
        if kind == b"!":
            raise Malformed("a letter that no program says")
        if self.is_over or number != bytes([self.round]):
            return "round"
        if kind == b"H" and author not in self.hidden and len(value) == 32:
            self.hidden[author] = value
        elif kind == b"S" and self._all_hidden and author not in self.shown:
            if hashlib.sha256(value).digest() != self.hidden[author]:
                return "not_that_card"
            self.shown[author] = value[-1]
        else:
            return "not_now"
        if len(self.shown) == self.players:
            self._count()
        self.has_turned = before != (self.round, self._all_hidden)
        return None

    def _count(self) -> None:
        for player, card in self.shown.items():
            self.wins[player] += card == max(self.shown.values())
        self.round, self.hidden, self.shown = self.round + 1, {}, {}

    @property
    def _all_hidden(self) -> bool:
        return len(self.hidden) == self.players

    def turned(self) -> bool:
        return self.has_turned

    def confirm(self, seq: int) -> None:
        self.confirmed = seq

    def departed(self) -> frozenset[int]:
        return frozenset()

    def tick(self, now: float, silences: tuple[float, ...], withheld: object = ()) -> bool:
        return False

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        if self.is_over or (early and self.me in self.hidden):
            return ()
        number = bytes([self.round])
        if self.me not in self.hidden:
            keep = chance.source.randbytes(32)
            said = Contribution(
                key=b"H" + number, body=b"H" + number + hashlib.sha256(keep).digest(), keep=keep
            )
        elif self._all_hidden and self.me not in self.shown and self.round in self.secrets:
            said = Contribution(
                key=b"S" + number, body=b"S" + number + self.secrets[self.round]
            )
        else:
            return ()
        if said.key in self.said:
            return ()
        self.restore((said,))
        return (said,)

    def refused(self, key: bytes, code: str) -> None:
        self.said.discard(key)

    def digest(self) -> bytes:
        state = (self.round, sorted(self.hidden.items()), sorted(self.shown.items()), self.wins)
        return hashlib.sha256(repr(state).encode()).digest()
