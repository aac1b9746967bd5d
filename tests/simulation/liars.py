"""Operators that lie, each in one way: what they send is changed, and signed again by them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from protocol.application import Application
from protocol.codec import decode
from protocol.identity import Identity
from protocol.messages import Commit, Entries, Refused, Submit
from protocol.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    MAX_ORDERED,
    Authored,
    Ordered,
    Refusal,
    authored_hash,
    sign,
)
from tests.simulation.laptop import Laptop


class Liar:
    """Sits in a laptop and changes what leaves it; `lied` once it has."""

    def __init__(self, laptop: Laptop[Application], identity: Identity) -> None:
        self.laptop = laptop
        self.lied = False
        self._identity = identity
        self._others = [one.me for one in laptop.outside]
        laptop.tamper = self.tamper

    @property
    def _table(self) -> bytes:
        return self.laptop.machine.replica.chain.genesis.table

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        """What is sent instead."""
        raise NotImplementedError

    def _ordered(self, message: Entries) -> Ordered:
        return decode(message.entries[-1].content, Ordered, limit=MAX_ORDERED)

    def _instead(self, message: Entries, ordered: Ordered) -> Entries:
        """The last entry replaced by another order."""
        self.lied = True
        signed = sign(self._identity, DOMAIN_ORDERED, ordered)
        return Entries((*message.entries[:-1], signed))

    def _is_ours(self, ordered: Ordered) -> bool:
        """Whether it is a plain entry of a term in which we host."""
        machine = self.laptop.machine
        return machine.is_host and ordered.term == machine.term and len(ordered.authored) < 200


class TwoHistories(Liar):
    """Shows one guest other entries than the rest."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if receiver != self._others[-1] or not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or self.lied or ordered.seq < 5:
            return message
        replica = self.laptop.machine.replica
        statement = Authored(
            self._table,
            replica.me,
            replica.chain.last_counter(replica.me) + 1,
            replica.chain.hash_at(max(replica.confirmed, 0)),
            b"only for you",
        )
        said = sign(self._identity, DOMAIN_AUTHORED, statement)
        changed = msgspec.structs.replace(
            ordered, authored=said.content, signature=said.signature
        )
        return self._instead(message, changed)


class Forger(Liar):
    """Changes what somebody said."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or ordered.seq < 5:
            return message
        said = decode(ordered.authored, Authored, limit=MAX_ORDERED)
        if said.author == self.laptop.me:
            return message
        body = msgspec.msgpack.encode(msgspec.structs.replace(said, body=b"forged"))
        return self._instead(message, msgspec.structs.replace(ordered, authored=body))


class Censor(Liar):
    """Leaves out an entry, and numbers the rest as if there had been none."""

    _left_out: bytes | None = None

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if receiver != self._others[-1] or not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or ordered.seq < 6:
            return message
        if self._left_out is None:
            self._left_out, self.lied = ordered.previous, True
            return None
        changed = msgspec.structs.replace(ordered, seq=ordered.seq - 1, previous=self._left_out)
        return self._instead(message, changed)


class Confirmer(Liar):
    """Confirms by itself."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Commit) or message.seq < 4:
            return message
        self.lied = True
        return Commit(message.seq, message.acks[:1])


class Refuser(Liar):
    """Refuses what it has put in order."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or self.lied or ordered.seq < 5:
            return message
        said = decode(ordered.authored, Authored, limit=MAX_ORDERED)
        if said.author != receiver:
            return message
        self.lied = True
        hashed = authored_hash(ordered.authored)
        refusal = Refusal(self._table, ordered.term, said.author, said.counter, hashed, "no")
        link = self.laptop._speaking[receiver]
        link.send(self.laptop.me, Refused(sign(self._identity, DOMAIN_REFUSAL, refusal)))
        return message


class Twister(Liar):
    """A guest that says two things under one counter."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Submit):
            return message
        said = decode(message.authored.content, Authored, limit=MAX_ORDERED)
        if said.counter < 2:
            return message
        self.lied = True
        other = msgspec.structs.replace(said, body=b"something else")
        link = self.laptop._speaking[receiver]
        link.send(self.laptop.me, message)
        return Submit(sign(self._identity, DOMAIN_AUTHORED, other))


LIARS: dict[str, Callable[[Laptop[Application], Identity], Liar]] = {
    "two histories": TwoHistories,
    "forger": Forger,
    "censor": Censor,
    "confirmer": Confirmer,
    "refuser": Refuser,
    "twister": Twister,
}
