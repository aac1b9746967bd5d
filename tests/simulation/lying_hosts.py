"""Hosts that lie: what they order, refuse or confirm is not what they should."""

from __future__ import annotations

import msgspec

from protocol.application import Application
from protocol.identity.keys import Identity
from protocol.journal.accusation import make_accusation
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_REFUSAL,
    MAX_ORDERED,
    Authored,
    Refusal,
    Signed,
    authored_hash,
    sign,
)
from protocol.messages import Commit, Entries, Heartbeat, Refused, Submit
from protocol.wire.codec import decode
from tests.simulation.laptop import Laptop
from tests.simulation.liar import Liar
from tests.simulation.world import Link


class TwoHistories(Liar):
    """Shows one guest other entries than the rest."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if receiver != self._others[-1] or not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or self.lied or ordered.seq < self.since:
            return message
        replica = self.laptop.machine.replica
        statement = Authored(
            self._match,
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
        found = self._guests_word(message)
        if found is None or not isinstance(message, Entries):
            return message
        ordered, said = found
        body = msgspec.msgpack.encode(msgspec.structs.replace(said, body=b"forged"))
        return self._instead(message, msgspec.structs.replace(ordered, authored=body))


class Censor(Liar):
    """Leaves out an entry, and numbers the rest as if there had been none."""

    _left_out: bytes | None = None

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if receiver != self._others[-1] or not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or ordered.seq < self.since:
            return message
        if self._left_out is None:
            self._left_out, self.lied = ordered.previous, True
            return None
        changed = msgspec.structs.replace(ordered, seq=ordered.seq - 1, previous=self._left_out)
        return self._instead(message, changed)


class Confirmer(Liar):
    """Confirms by itself."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Commit) or message.seq < self.since:
            return message
        self.lied = True
        return Commit(message.seq, message.acks[:1])


class Refuser(Liar):
    """Refuses what it has put in order."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or self.lied or ordered.seq < self.since:
            return message
        said = decode(ordered.authored, Authored, limit=MAX_ORDERED)
        if said.author != receiver:
            return message
        self.lied = True
        hashed = authored_hash(ordered.authored)
        refusal = Refusal(
            self._match,
            ordered.term,
            said.author,
            said.counter,
            hashed,
            ordered.seq - 1,
            ordered.previous,
            "no",
        )
        link = self.laptop._speaking[receiver]
        link.send(self.laptop.me, Refused(sign(self._identity, DOMAIN_REFUSAL, refusal)))
        return message


class Lawbreaker(Liar):
    """Orders of its own what the rules refuse."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Entries):
            return message
        for count in range(1, len(message.entries) + 1):
            batch = Entries(message.entries[:count])
            ordered = self._ordered(batch)
            if not self._is_ours(ordered) or ordered.seq < self.since:
                continue
            said = decode(ordered.authored, Authored, limit=MAX_ORDERED)
            if said.author == self.laptop.me:
                false = msgspec.structs.replace(said, body=b"a card from up my sleeve")
                signed = sign(self._identity, DOMAIN_AUTHORED, false)
                changed = msgspec.structs.replace(
                    ordered, authored=signed.content, signature=signed.signature
                )
                return self._instead(batch, changed)
        return message


class Accuser(Liar):
    """Condemns a guest for what was right."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        found = self._guests_word(message)
        if found is None or not isinstance(message, Entries):
            return message
        ordered, said = found
        me, chain = self.laptop.me, self.laptop.machine.replica.chain
        statement = Authored(
            self._match,
            me,
            chain.last_counter(me) + 1,
            said.ancestor,
            make_accusation(Signed(ordered.authored, ordered.signature)),
        )
        signed = sign(self._identity, DOMAIN_AUTHORED, statement)
        changed = msgspec.structs.replace(
            ordered, authored=signed.content, signature=signed.signature
        )
        return self._instead(message, changed)


class OldAccuser(Liar):
    """Condemns a guest for what it said long ago, and what has its place."""

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        if not isinstance(message, Entries):
            return message
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or ordered.seq < self.since:
            return message
        me, chain = self.laptop.me, self.laptop.machine.replica.chain
        old = next(
            (e for e in chain.entries[1 : ordered.seq] if e.author != me and not e.election),
            None,
        )
        if old is None:
            return message
        statement = Authored(
            self._match,
            me,
            chain.last_counter(me) + 1,
            chain.hash_at(0),
            make_accusation(old.inside),
        )
        signed = sign(self._identity, DOMAIN_AUTHORED, statement)
        changed = msgspec.structs.replace(
            ordered, authored=signed.content, signature=signed.signature
        )
        return self._instead(message, changed)


class Vetoer(Liar):
    """Refuses, signed, all that one guest says, and orders everything else."""

    def __init__(self, laptop: Laptop[Application], identity: Identity, since: int) -> None:
        super().__init__(laptop, identity, since)
        self._hear = laptop._hear
        laptop._hear = self._veto  # type: ignore[method-assign]

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        return message

    def _veto(self, link: Link, other: int, message: msgspec.Struct) -> None:
        machine = self.laptop.machine
        chain = machine.replica.chain
        if not isinstance(message, Submit) or not machine.is_host or chain.head < self.since:
            self._hear(link, other, message)
            return
        said = decode(message.authored.content, Authored, limit=MAX_ORDERED)
        if said.author != self._others[-1]:
            self._hear(link, other, message)
            return
        self.lied = True
        hashed = authored_hash(message.authored.content)
        place = chain.hash_at(chain.head)
        refusal = Refusal(
            self._match,
            machine.term,
            said.author,
            said.counter,
            hashed,
            chain.head,
            place,
            "no",
        )
        link.send(self.laptop.me, Refused(sign(self._identity, DOMAIN_REFUSAL, refusal)))


class Withholder(Liar):
    """Leaves lying what one guest says, whoever brings it."""

    def __init__(self, laptop: Laptop[Application], identity: Identity, since: int) -> None:
        super().__init__(laptop, identity, since)
        self._hear = laptop._hear
        laptop._hear = self._withhold  # type: ignore[method-assign]

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        return message

    def _withhold(self, link: Link, other: int, message: msgspec.Struct) -> None:
        machine = self.laptop.machine
        if isinstance(message, Submit) and machine.is_host:
            said = decode(message.authored.content, Authored, limit=MAX_ORDERED)
            if machine.replica.chain.head >= self.since and said.author == self._others[-1]:
                self.lied = True
                return
        self._hear(link, other, message)


class Favourer(Liar):
    """Shows one guest alone the entry after which others have something to say.

    Nobody misses anything: all that the others have said has its place, and of the rest the
    host is silent.
    """

    _kept: int | None = None  # the first entry that only one is shown

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        machine, friend = self.laptop.machine, self._others[-1]
        if not machine.is_host or machine.term > 1:
            return message
        replica = machine.replica
        turned = replica.chain.entries[replica.turned]
        is_time = replica.turned >= self.since and turned.author in (replica.me, friend)
        if self._kept is None and is_time and isinstance(message, Entries):
            self._kept = turned.seq
        if self._kept is None:
            return message
        last = self._kept - 1
        match message:
            case Entries() if receiver != friend and self._ordered(message).seq > last:
                self.lied = True
                shown = last - self._ordered(message).seq
                return Entries(message.entries[:shown]) if message.entries[:shown] else None
            case Commit() if message.seq > last:
                return None
            case Heartbeat() if message.head > last:
                known = min(message.confirmed, last)
                return Heartbeat(message.term, True, last, known, replica.chain.hash_at(known))
        return message
