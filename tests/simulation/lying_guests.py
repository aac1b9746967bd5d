"""Guests that lie in what every guest says: statements and acknowledgements."""

from __future__ import annotations

import msgspec

from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    MAX_ORDERED,
    MAX_STATEMENT,
    Ack,
    Authored,
    Signed,
    sign,
)
from protocol.messages import Acked, Commit, Heartbeat, Submit
from protocol.replication.ballot import MAX_AHEAD
from protocol.wire.codec import decode
from tests.simulation.liar import Liar


class Twister(Liar):
    """A guest that says two things under one counter."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Submit):
            return message
        said = decode(message.authored.content, Authored, limit=MAX_ORDERED)
        if said.counter < 2 or self.laptop.machine.replica.chain.head < self.since:
            return message
        self.lied = True
        other = msgspec.structs.replace(said, body=b"something else")
        link = self.laptop._speaking[receiver]
        link.send(self.laptop.me, message)
        return Submit(sign(self._identity, DOMAIN_AUTHORED, other))


class FalseWitness(Liar):
    """Acknowledges entries that nobody has shown it."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Acked):
            return message
        ack = decode(message.ack.content, Ack, limit=MAX_STATEMENT)
        if ack.seq < self.since or self.lied:
            return message
        self.lied = True
        return Acked(
            sign(self._identity, DOMAIN_ACK, msgspec.structs.replace(ack, hash=bytes(32)))
        )


class Misjudge(Liar):
    """Signs another public state than everybody comes to; as a host, in its certificates."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        match message:
            case Acked(ack):
                return Acked(self._misjudged(ack))
            case Commit(seq, acks):
                return Commit(seq, tuple(map(self._misjudged, acks)))
        return message

    def _misjudged(self, signed: Signed) -> Signed:
        ack = decode(signed.content, Ack, limit=MAX_STATEMENT)
        if not ack.digest or ack.operator != self.laptop.me:
            return signed
        self.lied = True
        other = bytes([ack.digest[0] ^ 1]) + ack.digest[1:]
        return sign(self._identity, DOMAIN_ACK, msgspec.structs.replace(ack, digest=other))


class Leaper(Liar):
    """Names the latest term that anybody votes in: who takes it up is ahead of the others."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        machine = self.laptop.machine
        if not isinstance(message, Heartbeat) or machine.replica.chain.head < self.since:
            return message
        self.lied = True
        return msgspec.structs.replace(
            message, term=machine.term + MAX_AHEAD, hosting=False, confirmed=0, hash=bytes(32)
        )
