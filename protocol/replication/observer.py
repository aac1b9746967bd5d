"""A spectator's machine: a follower that says nothing and counts for nothing.

What it is shown it checks as every guest does: order, signatures, its own application's
verdict, the majority's acknowledgements, the digests in them. Who hosts is nothing to it but
where it asks.
"""

from __future__ import annotations

import math

import msgspec

from protocol.journal.genesis import HOST
from protocol.journal.statements import VERSION
from protocol.messages import Commit, Entries, Watch
from protocol.replication.effects import Effect, Send
from protocol.replication.follower import Follower
from protocol.replication.replica import Replica
from protocol.replication.roles import Role


class Observer(Follower):
    """Follows one table from outside, with the face of `Raft`."""

    role = Role.OBSERVER
    is_host = False
    is_settled = may_hasten = False  #: nothing is ever owed by who looks on
    due = math.inf  #: nothing happens here by itself

    def __init__(self, replica: Replica) -> None:
        super().__init__(replica, replica.chain.term, HOST)

    def _nothing(self, *_: object, **__: object) -> list[Effect]:
        """What others decide, say and acknowledge is nothing to who looks on."""
        return []

    start = tick = balloted = departed = unlinked = write = _acknowledge = _nothing

    def linked(self, now: float, operator: int) -> list[Effect]:
        """The host, whoever it is, can be reached: say what we know confirmed."""
        known = max(self.replica.confirmed, 0)
        table = self.chain.genesis.table
        watch = Watch(VERSION, table, known + 1, self.chain.hash_at(known))
        return [Send(operator, watch)]

    def hear(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        match message:
            case Entries(entries):
                return self._take(self._displacing, entries)  # of any term: we are in none
            case Commit(seq, acks):
                return self.commit(seq, acks)
        return []

    def stored(self, seq: int, entry_hash: bytes = b"") -> list[Effect]:
        self.replica.has_stored(seq, entry_hash)
        return []
