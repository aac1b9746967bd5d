"""Whatever of other matches is said to a laptop, on whatever message: nothing comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from random import Random

import msgspec
import pytest

from protocol.journal.chain import Chain
from protocol.journal.statements import Signed
from protocol.messages import (
    Acked,
    Commit,
    Elected,
    Entries,
    History,
    Refused,
    Remember,
    Submit,
    Voted,
    Witness,
)
from protocol.replication.ballot import Ballot
from protocol.replication.effects import Cut, Send, Suspect
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts
from tests.protocol.journal.evenings import Evening, Evenings
from tests.protocol.journal.signing import IDENTITIES


def words(other: Evening, chance: Random) -> Iterator[msgspec.Struct]:
    """All that was signed there, in each message that carries such a thing, and in others."""
    said = other.said
    anything = [one for some in said.values() for one in some]
    acks = tuple(said["ack"][:3])
    for kind, make in (
        ("authored", Submit),
        ("refusal", Refused),
        ("ack", Acked),
        ("vote", Voted),
        ("election", Elected),
        ("ordered", Witness),
    ):
        yield from (make(one) for one in (*said[kind], *chance.choices(anything, k=4)))
    orders: list[Signed] = said["ordered"]
    for first in range(len(orders)):
        yield Entries(tuple(orders[first : first + 3]))
        yield History(tuple(orders[first : first + 3]), acks)
        yield Commit(first, acks)
    for statement, vote in zip(said["authored"], said["vote"], strict=False):
        yield Remember(statement, vote, 1, 1)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_exposed_or_suspected_for_it(seed: int, restarted: bool) -> None:
    evenings = Evenings(seed, IDENTITIES)
    ours, chance = evenings.ours, evenings.chance
    me = next(at for at, one in enumerate(ours.people) if one != evenings.liar)
    chain = Chain(ours.chain.entries[0].signed)
    for entry in takewhile(lambda one: one.author != me, ours.chain.entries[1:]):
        chain.append(entry)  # our disk has no words of our own
    replica = Replica(identity=ours.people[me], me=me, chain=chain)
    replica.confirmed = chance.randint(0, chain.head)
    ballot = Ballot(chain.term) if restarted else None
    raft = Raft(replica, now=0.0, timing=Timeouts(), chance=chance, ballot=ballot)
    raft.start(0.0)
    liar = ours.people.index(evenings.liar)
    raft.linked(0.0, liar)
    head = chain.head
    for other in evenings.others:
        for word in words(other, chance):
            for effect in raft.hear(0.1, liar, word):
                assert isinstance(effect, Cut | Send | Suspect)  # whoever shows it
                assert effect.operator == liar
    assert (chain.head, replica.confirmed <= head) == (head, True)
