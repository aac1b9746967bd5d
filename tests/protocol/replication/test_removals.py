"""How a host takes out who has left for good, and what everybody else makes of it."""

from __future__ import annotations

from random import Random

import pytest

from protocol.errors import LocalError
from protocol.journal.chain import Chain
from protocol.journal.statements import Ack, Signed
from protocol.messages import (
    Acked,
    Elected,
    Entries,
    Follow,
    Heartbeat,
    Remember,
    RequestVote,
    TrialVote,
    Voted,
)
from protocol.replication.ballot import Ballot
from protocol.replication.effects import (
    Confirm,
    Effect,
    Fold,
    Hosting,
    Rewind,
    StoreBallot,
    StoreEntry,
    Suspect,
    Truncate,
)
from protocol.replication.leader import Leader, Remover
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.tally import Tally, certificate_of
from protocol.wire.codec import decode
from tests.protocol.journal.signing import (
    ANNA,
    IDENTITIES,
    ack,
    chain_of,
    remove,
    vote,
)
from tests.protocol.journal.signing import elect as election_of
from tests.protocol.replication.test_elections import TIMING, sent
from tests.protocol.replication.test_host_watch import SUSPECTED, Guest

NEAR = (0, 1, 2)


def machine(me: int, chain: Chain, confirmed: int = 0) -> Raft:
    """One operator's machine in term 1, linked with everybody."""
    replica = Replica(identity=IDENTITIES[me], me=me, chain=chain)
    replica.confirmed = confirmed
    made = Raft(replica, now=0.0, timing=TIMING, chance=Random(1))
    made.start(0.0)
    for other in range(5):
        if other != me:
            made.linked(0.0, other)
    return made


def acked(host: Raft, seq: int, *others: int, term: int = 1) -> list[Effect]:
    effects: list[Effect] = []
    for one in others:
        effects += host.hear(0.1, one, Acked(ack(host.replica.chain, one, seq, term=term)))
    return effects


def hosting(entries: int = 3) -> Raft:
    """Anna hosts, and everything that she has ordered is confirmed."""
    host = machine(0, chain_of(entries))
    chain = host.replica.chain
    for other in (1, 2, 3, 4):
        host.hear(0.1, other, Follow(chain.genesis.table, 1, 0, chain.hash_at(0), 0))
    assert isinstance(host.part, Leader)
    host.part.flush()
    assert [e.seq for e in acked(host, entries, 1, 2) if isinstance(e, Confirm)] == [entries]
    return host


def folds(effects: list[Effect]) -> list[int]:
    return [effect.seq for effect in effects if isinstance(effect, Fold)]


def placed(host: Raft, seq: int) -> None:
    """Our game has folded it, and it is on our disk."""
    (entry,) = [e.entry for e in host.folded(seq, None, None) if isinstance(e, StoreEntry)]
    assert entry.removal is not None
    host.stored(seq, entry.hash)


def test_nothing_is_owed_while_a_removal_has_no_place() -> None:
    """Our game has perhaps folded it already: what it owes then would be signed over an entry
    before it, and be forbidden there, should another host order it in the removal's absence.
    """
    host = hosting()
    assert host.is_settled
    assert host.may_hasten
    assert folds(host.departed(frozenset((3,)))) == [4]
    assert not host.is_settled
    assert not host.may_hasten
    placed(host, 4)
    acked(host, 4, 1, 2)
    assert host.is_settled


def test_one_at_a_time_each_once_the_one_before_is_confirmed() -> None:
    host = hosting()
    assert folds(host.departed(frozenset((3, 4)))) == [4]
    assert folds(host.departed(frozenset((3, 4)))) == []
    placed(host, 4)
    assert host.replica.chain.members == {0, 1, 2, 4}
    assert folds(host.departed(frozenset((3, 4)))) == []
    assert not any(
        isinstance(e, Confirm) for e in acked(host, 4, 3)
    )  # who is out counts no more
    assert not any(isinstance(e, Confirm) for e in acked(host, 4, 1))
    assert any(isinstance(e, Confirm) for e in acked(host, 4, 2))
    assert folds(host.departed(frozenset((3, 4)))) == [5]
    placed(host, 5)
    assert host.replica.chain.members == {0, 1, 2}
    assert any(isinstance(e, Confirm) for e in acked(host, 5, 1))


def test_of_two_one_is_taken_out_and_the_last_one_stays() -> None:
    chain = chain_of(1)
    for gone in (4, 3, 2):
        held = [ack(chain, one, chain.head) for one in sorted(chain.members)]
        chain.remove(ANNA, remove(chain, gone, held))
    acks = tuple(ack(chain, one, chain.head) for one in (0, 1))
    replica = Replica(identity=ANNA, me=0, chain=chain, certificate=acks)
    replica.confirmed = chain.head
    replica.departed = frozenset((1, 2, 3, 4))
    remover = Remover(replica, 1)
    due = remover.begin(0)
    assert due is not None
    assert due.seq == chain.head + 1
    assert remover.folded(None).removal is not None
    assert chain.members == {0}
    replica.confirmed, replica.departed = chain.head, frozenset(range(5))
    assert remover.begin(0) is None


def test_what_is_folded_and_has_no_place_is_taken_back_by_who_hosts_no_more() -> None:
    """Our game has perhaps folded the removal, and another host orders something else there."""
    busy, idle = hosting(), hosting()
    assert folds(busy.departed(frozenset((3,)))) == [4]
    (rewind,) = [effect for effect in busy.tick(9.0) if isinstance(effect, Rewind)]
    assert rewind.seq == 3
    assert not any(isinstance(effect, Rewind) for effect in idle.tick(9.0))


def test_a_game_that_takes_it_back_is_broken() -> None:
    host = hosting()
    host.departed(frozenset((4,)))
    with pytest.raises(LocalError):
        host.folded(4, "not_gone", None)


def test_a_new_host_removes_nobody_before_it_has_confirmed_an_entry_of_its_own() -> None:
    """Else two hosts, each with a change that nobody knows, make two majorities that share
    nobody (the bug of the dissertation that its author mended in 2015).
    """
    chain = chain_of(3)
    host = machine(2, chain, confirmed=3)
    host.departed(frozenset((4,)))
    host.unlinked(0.0, 0)
    host.tick(5.0)
    for other in (1, 3):
        host.hear(5.0, other, TrialVote(2, True))
    effects = host.balloted(5.0, host._ballots.ballot)
    assert sent(effects, RequestVote)
    shown = Chain(chain.entries[0].signed)
    for entry in chain.entries[1:]:
        shown.append(entry)
    for other in (1, 3):
        host.hear(5.0, other, Voted(vote(shown, other, 2)))
    assert host.is_host
    assert folds(host.departed(frozenset((4,)))) == []
    head = host.replica.chain.head
    host.stored(head, host.replica.chain.hash_at(head))
    for other in (1, 3):
        follow = Follow(chain.genesis.table, 2, 3, chain.hash_at(3), 0)
        host.hear(5.1, other, follow)
    assert any(isinstance(e, Confirm) for e in acked(host, head, 1, 3, term=2))
    assert folds(host.departed(frozenset((4,)))) == [head + 1]


def test_who_is_taken_out_is_shown_that_once_it_is_confirmed() -> None:
    """Until then somebody else may need its vote, and it gives it."""
    host = hosting()
    host.departed(frozenset((4,)))
    (entry,) = [e.entry for e in host.folded(4, None, None) if isinstance(e, StoreEntry)]
    shown = sent(host.stored(4, entry.hash), Entries)
    assert sorted(one for one, _ in shown) == [1, 2, 3]
    acked(host, 4, 1, 2)
    assert isinstance(host.part, Leader)
    assert [one for one, _ in sent(host.part.flush(), Entries)] == [4]


def test_a_host_that_has_left_takes_itself_out_and_hosts_no_more() -> None:
    host = hosting()
    assert folds(host.departed(frozenset((0,)))) == [4]
    placed(host, 4)
    assert host.is_host
    acked(host, 4, 1, 2)
    assert not host.replica.is_out  # of four that count now, two
    acked(host, 4, 3)
    assert host.replica.is_out
    left = host.tick(0.6)
    assert Hosting(None) in left
    assert not any(isinstance(e, Truncate) for e in left)
    assert not host.is_host
    assert not sent(host.tick(20.0), RequestVote)  # nor does it want to again


def leaving() -> Raft:
    """Anna hosts, has left, and has ordered her own removal, which nobody has seen."""
    host = hosting()
    host.departed(frozenset((0,)))
    placed(host, 4)
    return host


def counts_again(host: Raft, effects: list[Effect], now: float) -> None:
    """The removal is gone; she has a vote for who lacks it, and wants to host herself."""
    assert [e.seq for e in effects if isinstance(e, Truncate)] == [3]
    chain = host.replica.chain
    assert 0 in chain.members
    assert host.replica.confirmed == 3
    request = RequestVote(2, 1, 3, chain.hash_at(3), True)
    ((_, answer),) = sent(host.hear(now, 1, request), TrialVote)
    assert isinstance(answer, TrialVote)
    assert answer.granted
    assert len(sent(host.tick(now + 9.0), RequestVote)) == 4


def test_who_loses_its_office_before_its_own_removal_is_confirmed_counts_again() -> None:
    """Of two, nobody could host any more: one lacks a majority, the other may not stand."""
    host = leaving()
    lost = host.tick(9.0)
    assert Hosting(None) in lost
    counts_again(host, lost, 9.0)


def test_who_starts_again_before_its_own_removal_is_confirmed_counts_again() -> None:
    before = leaving().replica
    replica = Replica(identity=ANNA, me=0, chain=before.chain, certificate=before.certificate)
    again = Raft(replica, now=0.0, timing=TIMING, chance=Random(1), ballot=Ballot(1))
    started = again.start(0.0)
    for other in (1, 2, 3, 4):
        again.linked(0.0, other)
        again.hear(0.0, other, Remember(None, None, 1, 0))
    counts_again(again, started, 0.0)


def test_who_takes_itself_out_acknowledges_nothing_from_there_on() -> None:
    """Else it would seem to forget what it held, once that has given way."""
    host = hosting()
    host.departed(frozenset((0,)))
    (entry,) = [e.entry for e in host.folded(4, None, None) if isinstance(e, StoreEntry)]
    assert isinstance(host.part, Leader)
    assert not sent([*host.stored(4, entry.hash), *host.part.flush()], Acked)


def test_who_counts_no_more_gets_no_vote_and_gives_none() -> None:
    chain = chain_of(2)
    acks = [ack(chain, one, 2) for one in NEAR]
    chain.remove(ANNA, remove(chain, 4, acks))
    for me, candidate, granted in ((2, 1, True), (2, 4, False), (4, 1, False)):
        one = machine(me, chain, confirmed=3)
        one.unlinked(0.0, 0)
        request = RequestVote(2, 1, 3, chain.hash_at(3), True)
        ((_, answer),) = sent(one.hear(9.0, candidate, request), TrialVote)
        assert isinstance(answer, TrialVote)
        assert answer.granted is granted, (me, candidate)


def test_an_election_by_fewer_is_believed_by_who_has_the_removals() -> None:
    """And by nobody else: it has the history first."""
    chain = chain_of(2)
    for operator in (4, 3):
        acks = [ack(chain, one, chain.head) for one in NEAR]
        chain.remove(ANNA, remove(chain, operator, acks))
    signed = election_of(chain, 1, voters=(1, 2))
    knows, lacks = machine(2, chain, confirmed=4), machine(2, chain_of(1))
    knows.hear(0.2, 1, Elected(signed))
    lacks.hear(0.2, 1, Elected(signed))
    assert (knows.host, lacks.host) == (1, 0)
    lacks.hear(0.3, 1, Heartbeat(2, True, 4, 4, chain.hash_at(4)))
    lacks.tick(2.0)
    (asked, *_) = sent(lacks.tick(4.0), Follow)
    assert asked[0] == 1
    assert isinstance(asked[1], Follow)
    assert asked[1].term == 0


@pytest.mark.parametrize(
    ("departed", "host"), [((4,), 0), ((3, 4), 1), ((2, 3), 0)], ids=["nobody", "one", "two"]
)
def test_an_election_without_one_who_has_left_is_believed_before_the_removal_is_seen(
    departed: tuple[int, ...], host: int
) -> None:
    """Its host may know of a removal that nobody has confirmed: half of a table had it, and
    waited for ever for the other half.
    """
    chain = chain_of(2)
    chain.remove(ANNA, remove(chain, 4, [ack(chain, one, chain.head) for one in NEAR]))
    lacks = machine(2, chain_of(0))
    for entry in chain.entries[1:]:
        lacks.replica.chain.append(entry)
    lacks.replica.confirmed = chain.head
    lacks.replica.departed = frozenset(departed)
    chain.remove(ANNA, remove(chain, 3, [ack(chain, one, chain.head) for one in NEAR]))
    lacks.hear(0.2, 1, Elected(election_of(chain, 1, voters=(1, 2))))
    assert lacks.host == host


def test_a_host_that_goes_on_counting_who_has_left_is_suspected() -> None:
    guest = Guest()
    guest.replica.departed = frozenset((3,))
    guest.suspects(0.0)
    assert guest.suspects(4.9) == []
    assert guest.suspects(5.1) == [SUSPECTED]
    chain = guest.chain
    chain.remove(ANNA, remove(chain, 3, [ack(chain, one, 0) for one in NEAR]))
    guest.replica.confirmed = 1
    (cleared,) = guest.suspects(5.5)
    assert not isinstance(cleared, Suspect)


# What acknowledgements confirm.


def tally(chain: Chain, **acks: int) -> Tally:
    made = Tally()
    for name, seq in acks.items():
        signed = ack(chain, int(name[1:]), seq)
        made.take(decode(signed.content, Ack, limit=1024), signed)
    return made


def thinned() -> Chain:
    """Three entries, the removal of 4, one more."""
    chain = chain_of(3)
    chain.remove(ANNA, remove(chain, 4, [ack(chain, one, 3) for one in NEAR]))
    return chain


@pytest.mark.parametrize(
    ("acks", "reach"),
    [
        ({"o0": 4, "o1": 4, "o2": 4}, 4),
        ({"o0": 4, "o1": 4, "o4": 4}, None),
        ({"o0": 4, "o1": 3, "o4": 3}, 3),
        ({"o0": 4, "o1": 3, "o2": 2}, 2),
        ({"o0": 4, "o1": 4, "o2": 3, "o4": 3}, 3),
        ({"o0": 4, "o1": 4}, None),
        ({"o0": 1, "o1": 1, "o2": 1}, None),  # known already
    ],
)
def test_each_entry_has_the_majority_that_counts_there(
    acks: dict[str, int], reach: int | None
) -> None:
    chain = thinned()
    found = certificate_of(chain, tally(chain, **acks).newest(1), 1)
    if found is None:
        assert reach is None
        return
    held, certificate = zip(*found, strict=True)
    assert held[-1].seq == reach
    assert chain.check_quorum_certificate(held[-1].seq, certificate) == held


def test_a_late_word_takes_nothing_back() -> None:
    chain = chain_of(3)
    made = tally(chain, o0=3, o1=3, o2=3)
    old: Signed = ack(chain, 2, 1)
    made.take(decode(old.content, Ack, limit=1024), old)
    found = certificate_of(chain, made.newest(0), 0)
    assert found is not None
    assert found[-1][0].seq == 3


def ballots(effects: list[Effect]) -> list[Ballot]:
    return [effect.ballot for effect in effects if isinstance(effect, StoreBallot)]


def alone() -> Raft:
    """Anna, who is the last one left, starts again with her disk."""
    chain = chain_of(2)
    for gone in (4, 3, 2, 1):
        held = [ack(chain, one, chain.head) for one in sorted(chain.members)]
        chain.remove(ANNA, remove(chain, gone, held))
    replica = Replica(identity=ANNA, me=0, chain=chain)
    restarted = Raft(replica, now=0.0, timing=TIMING, chance=Random(1), ballot=Ballot(1))
    assert not ballots(restarted.start(0.0))
    return restarted


def test_who_is_left_alone_hosts_again_in_a_term_that_an_older_disk_has_not_used() -> None:
    """It may have hosted in the next one already, and orders something else in it now."""
    restarted = alone()
    assert not ballots(restarted.tick(TIMING.lease - 0.1))
    (stored,) = ballots(restarted.tick(TIMING.lease + 1.0))
    assert stored.term > 1000
    assert stored.candidate == 0
    effects = restarted.balloted(4.5, stored)
    assert Hosting(0) in effects
    assert restarted.is_host


def test_who_is_left_alone_takes_first_what_those_know_who_have_left() -> None:
    """Its disk was put back, and they have finished the match."""
    restarted = alone()
    restarted.linked(0.1, 3)
    assert not ballots(restarted.tick(5.0))  # nothing was heard of it yet
    head = restarted.replica.chain.head
    restarted.replica.confirmed = head - 1
    restarted.hear(5.1, 3, Remember(None, None, 1, head))
    assert not ballots(restarted.tick(6.0))
    restarted.replica.confirmed = head
    assert ballots(restarted.tick(7.0))
