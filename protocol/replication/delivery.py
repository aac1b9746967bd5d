"""What a host has sent to whom: entries in messages of a bounded size, as far as each window
goes, then what is confirmed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from protocol.journal.chain import Chain
from protocol.journal.statements import CHECKPOINT, Signed
from protocol.messages import MAX_BATCH, Acked, Commit, Entries
from protocol.replication.effects import Effect, Send
from protocol.replication.replica import Replica

WINDOW = CHECKPOINT
"""Batches on their way to one listener that it has not said it has.

So many hold a checkpoint, which is always acknowledged: a full window opens again.
"""

BATCH_ENTRIES = 240

MAX_WITNESSED = 5
"""At tables of so many operators the host's own word goes to everybody, with its entries.

With it and a guest's own a majority of two or three is complete; with one of another guest,
that of four or five. So nobody waits for the host's certificate. At larger tables it would
take two or three guests' words, and the square of the number in messages.
"""

COMPANY = 8
"""Entries that nobody waits for, until they are sent all the same."""


def tells_guests(operators: int) -> bool:
    """Whether a guest tells the other guests too what it has on its disk."""
    return 4 <= operators <= MAX_WITNESSED


@dataclass(slots=True)
class Listening:
    """How far somebody is who is sent a replica's entries, and then what is confirmed."""

    sent: int
    told: int = -1  #: the newest confirmation
    vouched: int = -1  #: the newest entry of which it has our own acknowledgement
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
        """The newest certificate, once it has all that this speaks of; taken as told.

        None where our word and its own are a majority: that it has.
        """
        if self.told >= replica.confirmed or not replica.certificate:
            return None
        if self.sent < replica.certified:
            return None
        self.told = replica.confirmed
        if self.vouched >= replica.confirmed and len(replica.certificate) <= 2:
            return None
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


class Delivery:
    """The listeners of one host, by roster index."""

    def __init__(self, replica: Replica) -> None:
        self.first = 0  #: the first entry of our term: what was confirmed before is not told
        self._replica = replica
        self._listeners: dict[int, Listening] = {}

    def __contains__(self, operator: int) -> bool:
        return operator in self._listeners

    def begin(self, operator: int, confirmed: int) -> None:
        """It listens from now on, and lacks whatever comes after this number."""
        self._listeners[operator] = Listening(sent=confirmed)

    def end(self, operator: int) -> None:
        self._listeners.pop(operator, None)

    def lacks(self, operator: int) -> bool:
        """Whether a listener has not acknowledged everything, or not heard of it."""
        listener = self._listeners.get(operator)
        return listener is not None and listener.lacks(self._replica.chain.head)

    def arrived(self, operator: int, seq: int) -> None:
        self._listeners[operator].arrived(seq)

    def pump(self, operator: int, *, everything: bool = False) -> list[Effect]:
        """Send what a listener lacks, then what is confirmed.

        A few entries that nobody waits for go with the next one that somebody does.
        """
        listener, replica = self._listeners[operator], self._replica
        effects: list[Effect] = []
        if listener.sent < replica.stored:
            last = replica.shown_to(operator, listener.sent)
            waited_for = listener.sent < replica.turned <= last
            if everything or waited_for or last - listener.sent >= COMPANY:
                batches = listener.batches(replica, last)
                effects += [Send(operator, batch) for batch in batches]
        return effects + self.tell(operator)

    def pump_all(self, *, everything: bool = False) -> list[Effect]:
        pumped = (self.pump(one, everything=everything) for one in self._listeners)
        return [effect for effects in pumped for effect in effects]

    def vouch(self, seq: int, signed: Signed) -> list[Effect]:
        """Our own acknowledgement, along with the entries that it speaks of."""
        if len(self._replica.chain.genesis.operators) > MAX_WITNESSED:
            return []
        for operator, listener in self._listeners.items():
            if {operator, self._replica.me} <= self._replica.chain.members:
                listener.vouched = seq  # with its own word it may have a majority's
        return [Send(operator, Acked(signed)) for operator in self._listeners]

    def tell(self, operator: int) -> list[Effect]:
        """The newest certificate, once this listener has everything that it speaks of."""
        replica = self._replica
        if replica.confirmed < self.first:
            return []  # what was confirmed before our term is shown by the first of it
        news = self._listeners[operator].news(replica)
        return [] if news is None else [Send(operator, news)]

    def tell_all(self) -> list[Effect]:
        return [effect for operator in self._listeners for effect in self.tell(operator)]
