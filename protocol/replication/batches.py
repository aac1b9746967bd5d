"""Entries on their way to somebody who lacks them, in messages of a bounded size."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from protocol.journal.chain import Chain
from protocol.journal.statements import CHECKPOINT, Signed
from protocol.messages import MAX_BATCH, Commit, Entries
from protocol.replication.replica import Replica

WINDOW = CHECKPOINT
"""Batches on their way to one listener that it has not said it has.

So many hold a checkpoint, which is always acknowledged: a full window opens again.
"""

BATCH_ENTRIES = 256


@dataclass(slots=True)
class Listening:
    """How far somebody is who is sent a replica's entries, and then what is confirmed."""

    sent: int
    told: int = -1  #: the newest confirmation
    flying: deque[int] = field(default_factory=deque)  #: last number of each batch under way

    def arrived(self, seq: int) -> None:
        """It has everything up to this number."""
        while self.flying and self.flying[0] <= seq:
            self.flying.popleft()

    def lacks(self, head: int) -> bool:
        """Whether it has not acknowledged everything, or not heard of it."""
        return bool(self.flying) or self.sent < head or self.told < head

    def batches(self, replica: Replica, last: int) -> Iterator[Entries]:
        """What it lacks up to number `last`, as far as the window goes; taken as sent."""
        while self.sent < last and len(self.flying) < WINDOW:
            batch = next_batch(replica.chain, self.sent, last)
            self.sent += len(batch)
            self.flying.append(self.sent)
            yield Entries(batch)

    def news(self, replica: Replica) -> Commit | None:
        """The newest certificate, once it has all that this speaks of; taken as told."""
        if self.told >= replica.confirmed or self.sent < replica.certified:
            return None
        self.told = replica.confirmed
        return Commit(replica.confirmed, replica.certificate)


def next_batch(chain: Chain, sent: int, last: int) -> tuple[Signed, ...]:
    """The entries after number `sent`, up to `last`, that fit one message; at least one."""
    batch: list[Signed] = []
    size = 0
    for entry in chain.entries[sent + 1 : min(last, sent + BATCH_ENTRIES) + 1]:
        size += len(entry.signed.content) + 80
        if batch and size > MAX_BATCH:
            break
        batch.append(entry.signed)
    return tuple(batch)
