"""What every liar on the wire has: its laptop, whose messages it changes and signs again."""

from __future__ import annotations

import msgspec

from protocol.application import Application
from protocol.identity.keys import Identity
from protocol.journal.statements import DOMAIN_ORDERED, MAX_ORDERED, Authored, Ordered, sign
from protocol.messages import Entries
from protocol.wire.codec import decode
from tests.simulation.laptop import Laptop


class Liar:
    """Sits in a laptop and changes what leaves it; `lied` once it has.

    It is honest up to the entry of number `since`.
    """

    def __init__(self, laptop: Laptop[Application], identity: Identity, since: int) -> None:
        self.laptop = laptop
        self.lied = False
        self.since = since
        self._identity = identity
        self._others = [one.me for one in laptop.outside]
        laptop.tamper = self.tamper

    @property
    def _match(self) -> bytes:
        return self.laptop.machine.replica.chain.genesis.digest

    def tamper(self, receiver: int, message: msgspec.Struct) -> msgspec.Struct | None:
        """What is sent instead."""
        raise NotImplementedError

    def _ordered(self, message: Entries) -> Ordered:
        return decode(message.entries[-1].content, Ordered, limit=MAX_ORDERED)

    def _guests_word(self, message: msgspec.Struct) -> tuple[Ordered, Authored] | None:
        """The last entry of a message, if a guest has said it and it is time to lie."""
        if not isinstance(message, Entries):
            return None
        ordered = self._ordered(message)
        if not self._is_ours(ordered) or ordered.seq < self.since:
            return None
        said = decode(ordered.authored, Authored, limit=MAX_ORDERED)
        return None if said.author == self.laptop.me else (ordered, said)

    def _instead(self, message: Entries, ordered: Ordered) -> Entries:
        """The last entry replaced by another order."""
        self.lied = True
        signed = sign(self._identity, DOMAIN_ORDERED, ordered)
        return Entries((*message.entries[:-1], signed))

    def _is_ours(self, ordered: Ordered) -> bool:
        """Whether it is a plain entry of a term in which we host."""
        machine = self.laptop.machine
        return machine.is_host and ordered.term == machine.term and len(ordered.authored) < 200
