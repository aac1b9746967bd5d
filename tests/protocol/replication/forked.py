"""Two confirmed histories of one table that part, as a liar in both majorities makes them.

Bert and Carla hold the one, Dora and Emil the other; Anna has acknowledged both. All that is
said is Carla's.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import msgspec

from protocol.journal.chain import Chain
from protocol.journal.membership import make_removal
from protocol.journal.statements import Removal, Signed
from protocol.replication.effects import Effect, Send
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts
from tests.protocol.journal.signing import FIRST, IDENTITIES, ack, elect, order, said

ONE, OTHER = (0, 1, 2), (0, 3, 4)
COMMON = 3
"""The newest entry of both."""

Part = tuple[Chain, tuple[int, ...]]


def begun(holders: tuple[int, ...], entries: int = COMMON) -> Part:
    """What all hold."""
    return goes_on((Chain(FIRST), holders), *(b"common" for _ in range(entries)))


def goes_on(part: Part, *words: bytes) -> Part:
    """The host of its newest term orders these."""
    chain = part[0]
    host = IDENTITIES[chain.host_index(chain.term)]
    for word in words:
        said_so = said(chain, 2, chain.last_counter(2) + 1, word)
        entry = chain.check(order(chain, said_so, signer=host))
        assert entry is not None
        chain.append(entry)
    return part


def elects(part: Part, candidate: int, term: int, voters: tuple[int, ...] = ()) -> Part:
    """Its holders elect another host."""
    chain, holders = part
    chain.begin_term(IDENTITIES[candidate], elect(chain, candidate, term, voters or holders))
    return part


def removes(part: Part, operator: int) -> Part:
    """The host of its newest term takes somebody out, whatever the game says of it."""
    chain = part[0]
    host, place = chain.host_index(chain.term), chain.head
    acks = certificate(part)
    removal = Removal(chain.genesis.digest, chain.term, host, operator, place, acks)
    chain.remove(IDENTITIES[host], make_removal(IDENTITIES[host], removal))
    return part


def certificate(part: Part) -> tuple[Signed, ...]:
    """All its holders acknowledge its newest entry."""
    chain, holders = part
    return tuple(ack(chain, one, chain.head, term=chain.term) for one in holders)


def machine(me: int, part: Part) -> Raft:
    """One who holds it and knows it confirmed, at time 0, under Anna's term 1."""
    chain, _ = part
    replica = Replica(identity=IDENTITIES[me], me=me, chain=chain)
    replica.confirm(chain.head, certificate(part), chain.head)
    return Raft(replica, now=0.0, timing=Timeouts(jitter=0.0), chance=Random(1))


class Pair:
    """Two machines and the link between them, which carries what both say until all is said."""

    def __init__(self, one: Raft, other: Raft) -> None:
        self.machines = {one.replica.me: one, other.replica.me: other}
        self.effects: dict[int, list[Effect]] = {me: [] for me in self.machines}
        self.said: list[tuple[int, msgspec.Struct]] = []

    def meet(self, now: float = 0.0) -> None:
        """Each tells the other where it is."""
        first, second = self.machines
        for me, other in ((first, second), (second, first)):
            self._perform(now, me, [Send(other, self.machines[me].heartbeat())])

    def _perform(self, now: float, me: int, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send) and effect.operator in self.machines:
                self.said.append((me, effect.message))
                other = self.machines[effect.operator]
                self._perform(now, effect.operator, other.hear(now, me, effect.message))
            else:
                self.effects[me].append(effect)

    def found(self, me: int, kind: type[Effect]) -> list[Effect]:
        """What of this kind this one wanted done, beside what it said."""
        return [one for one in self.effects[me] if isinstance(one, kind)]
