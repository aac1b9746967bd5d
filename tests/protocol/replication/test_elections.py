"""Elections: who may order in a term, proven by votes, and what becomes of who cheats at it.

Machines without network, disk or clock: each test plays the links, the disks and the time.
"""

from __future__ import annotations

from collections import deque
from random import Random

import msgspec
import pytest

from protocol.application import Contribution
from protocol.errors import BadSignature, Equivocation, Malformed, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Entry
from protocol.journal.election import check_majority, make_election, open_election
from protocol.journal.evidence import exhibit, prove_alone
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_VOTE,
    MAX_STATEMENT,
    Ack,
    Authored,
    Ordered,
    Signed,
    Vote,
    sign,
)
from protocol.messages import (
    Acked,
    Commit,
    Elected,
    Entries,
    Follow,
    Heartbeat,
    History,
    Remember,
    RequestVote,
    Submit,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.ballot import FAR, MAX_AHEAD, STEP, Ballot
from protocol.replication.effects import (
    Cut,
    Effect,
    Fail,
    Hosting,
    Send,
    StoreBallot,
    StoreEntry,
    StoreSubmissions,
    Suspect,
    Truncate,
)
from protocol.replication.host_watch import GRACE
from protocol.replication.leader import Leader
from protocol.replication.raft import MANY_TRIALS, Raft
from protocol.replication.replica import Replica
from protocol.replication.restart import LONGEST_WAIT
from protocol.replication.timers import Timeouts
from protocol.wire.codec import decode
from tests.protocol.tabletop import TABLE, genesis, match_of, operators

TIMING = Timeouts(jitter=0.0)
IDENTITIES = operators(5)
FIRST = genesis(IDENTITIES)
MATCH = match_of(FIRST)


def sent(effects: list[Effect], kind: type[msgspec.Struct]) -> list[tuple[int, msgspec.Struct]]:
    """To whom what of this kind was sent."""
    return [
        (effect.operator, effect.message)
        for effect in effects
        if isinstance(effect, Send) and isinstance(effect.message, kind)
    ]


def chain_of(length: int, term: int = 1) -> Chain:
    """A journal of so many entries of the first host's."""
    chain = Chain(FIRST)
    for counter in range(1, length + 1):
        chain.extend(IDENTITIES[0], said(0, counter, chain.hash_at(0)))
    assert chain.term == term
    return chain


def said(author: int, counter: int, ancestor: bytes, body: bytes = b"word") -> Signed:
    statement = Authored(MATCH, author, counter, ancestor, body)
    return sign(IDENTITIES[author], DOMAIN_AUTHORED, statement)


def votes(
    term: int, candidate: int, chain: Chain, voters: tuple[int, ...] = (1, 2, 3)
) -> list[Signed]:
    """Votes for a candidate with this journal."""
    return [
        sign(
            IDENTITIES[voter],
            DOMAIN_VOTE,
            Vote(MATCH, term, voter, candidate, chain.head, chain.hash_at(chain.head)),
        )
        for voter in voters
    ]


def election(
    term: int, candidate: int, chain: Chain, voters: tuple[int, ...] = (1, 2, 3)
) -> Signed:
    given = votes(term, candidate, chain, voters)
    return make_election(IDENTITIES[candidate], MATCH, term, candidate, given)


def operator(
    me: int,
    chain: Chain | None = None,
    *,
    ballot: Ballot | None = None,
    confirmed: int = 0,
) -> Raft:
    """One operator's machine, linked with everybody, at time 0."""
    chain = chain or Chain(FIRST)
    replica = Replica(identity=IDENTITIES[me], me=me, chain=chain)
    replica.confirmed = confirmed
    machine = Raft(replica, now=0.0, timing=TIMING, chance=Random(1), ballot=ballot)
    machine.start(0.0)
    for other in range(len(IDENTITIES)):
        if other != me:
            machine.linked(0.0, other)
    return machine


def request(
    chain: Chain, term: int, *, trial: bool = False, seq: int | None = None
) -> RequestVote:
    head = chain.head if seq is None else seq
    return RequestVote(term, chain.entries[head].term, head, chain.hash_at(head), trial)


def elect(machine: Raft, now: float) -> list[Effect]:
    """Its host is gone and everybody votes for it; what it does as host."""
    machine.unlinked(now, machine.host or 0)
    effects = machine.tick(now + 5)
    assert sent(effects, RequestVote)
    term = machine.term + 1
    for other in (2, 3):
        effects = machine.hear(now + 5, other, TrialVote(term, True))
    (stored,) = [effect for effect in effects if isinstance(effect, StoreBallot)]
    assert not sent(effects, RequestVote)  # not before its own vote is on its disk
    effects = machine.balloted(now + 5, stored.ballot)
    assert sent(effects, RequestVote)
    for other in (2, 3):
        (vote,) = votes(term, 1, machine.replica.chain, (other,))
        effects = machine.hear(now + 5, other, Voted(vote))
    return effects


# How it goes.


def test_a_host_that_is_heard_is_not_asked_about() -> None:
    guest = operator(1)
    now = 0.0
    for _beat in range(20):
        now += 0.5
        guest.hear(now, 0, Heartbeat(1, True, 0, 0, guest.replica.chain.hash_at(0)))
        assert not sent(guest.tick(now), RequestVote)


def test_silence_or_a_broken_link_make_an_operator_ask() -> None:
    guest = operator(1)
    assert not sent(guest.tick(1.4), RequestVote)
    assert sent(guest.tick(1.6), RequestVote)
    guest = operator(1)
    guest.unlinked(0.2, 0)
    assert not sent(guest.tick(0.3), RequestVote)
    effects = guest.tick(0.4)
    assert [to for to, _ in sent(effects, RequestVote)] == [2, 3, 4]


def test_a_host_that_breaks_the_link_again_and_again_is_suspected() -> None:
    """It is never linked when the clock beats, and owes an answer all the same."""
    guest = operator(1, chain_of(1))
    suspected: list[float] = []
    for beat in range(60):
        now = beat * 0.25
        guest.unlinked(now, 0)
        guest.tick(now)
        effects = guest.linked(now + 0.01, 0)
        suspected += [now for one in effects if isinstance(one, Suspect)]
    assert suspected
    assert suspected[0] <= GRACE


def test_an_entry_that_another_was_shown_is_taken_as_the_hosts() -> None:
    chain = chain_of(0)
    guest = operator(1, chain)
    entry = chain_of(1).entries[1]
    effects = guest.hear(0.1, 3, Witness(entry.signed))
    assert [one.entry for one in effects if isinstance(one, StoreEntry)] == [entry]


def test_the_seat_after_the_host_asks_first() -> None:
    guests = [operator(me) for me in range(1, 5)]
    for guest in guests:
        guest.unlinked(0.0, 0)
    assert [guest.due for guest in guests] == pytest.approx([0.15, 0.35, 0.5, 0.5])


def test_a_new_host_orders_its_election_first_and_confirms_nothing_before_it() -> None:
    """An older term's entry on a majority's disks is not confirmed by that alone."""
    chain = chain_of(3)
    machine = operator(1, chain)
    effects = elect(machine, 1.0)
    (hosting,) = [effect for effect in effects if isinstance(effect, Hosting)]
    assert hosting.operator == 1
    (entry,) = [effect.entry for effect in effects if isinstance(effect, StoreEntry)]
    assert entry.election is not None
    assert (entry.term, entry.seq, entry.author) == (2, 4, 1)
    for other in (2, 3, 4):
        follow = Follow(TABLE, 2, 0, chain.hash_at(0), 0)
        machine.hear(6.0, other, follow)
        ack = Ack(MATCH, 2, other, 3, chain.hash_at(3), b"")
        machine.hear(6.0, other, _acked(other, ack))
    assert machine.replica.confirmed == 0
    machine.stored(4, entry.hash)
    for other in (2, 3):
        ack = Ack(MATCH, 2, other, 4, entry.hash, b"")
        effects = machine.hear(6.0, other, _acked(other, ack))
    assert machine.replica.confirmed == 4
    assert sent(effects, Commit)


def _acked(other: int, ack: Ack) -> msgspec.Struct:
    return Acked(sign(IDENTITIES[other], DOMAIN_ACK, ack))


def test_a_vote_leaves_only_after_it_is_on_the_disk() -> None:
    guest = operator(2)
    guest.unlinked(0.0, 0)
    effects = guest.hear(0.1, 1, request(guest.replica.chain, 2))
    (stored,) = [effect for effect in effects if isinstance(effect, StoreBallot)][-1:]
    assert stored.ballot == Ballot(2, 1)
    assert not sent(effects, Voted)
    assert [to for to, _ in sent(guest.balloted(0.1, stored.ballot), Voted)] == [1]


def test_one_vote_a_term_restart_or_not() -> None:
    guest = operator(2)
    guest.unlinked(0.0, 0)
    chain = guest.replica.chain
    guest.hear(0.1, 1, request(chain, 2))
    assert not [e for e in guest.hear(0.1, 3, request(chain, 2)) if isinstance(e, StoreBallot)]
    again = operator(2, ballot=Ballot(2, 1))
    for other in (0, 1):
        again.linked(0.05, other)
        again.hear(0.05, other, Remember(None, None, 1, 0))
    assert not [e for e in again.hear(0.1, 3, request(chain, 2)) if isinstance(e, StoreBallot)]
    effects = again.hear(0.1, 3, request(chain, 3))
    assert [e.ballot for e in effects if isinstance(e, StoreBallot)][-1] == Ballot(3, 3)


def test_an_older_journal_gets_no_vote() -> None:
    """Neither a shorter one of the same term, nor a longer one of an earlier."""
    guest = operator(2, chain_of(3))
    guest.unlinked(0.0, 0)
    chain = guest.replica.chain
    for trial in (True, False):
        effects = guest.hear(0.1, 1, request(chain, 2 if trial else 3, trial=trial, seq=2))
        assert [granted for _, granted in sent(effects, TrialVote) if granted.granted] == []  # type: ignore[attr-defined]
        assert all(e.ballot.candidate is None for e in effects if isinstance(e, StoreBallot))
    newer = chain_of(2)
    newer.begin_term(IDENTITIES[1], election(2, 1, newer))
    voter = operator(2, newer, ballot=Ballot(2, 1))
    long = chain_of(9)
    effects = voter.hear(0.1, 3, request(long, 4))
    assert all(e.ballot.candidate is None for e in effects if isinstance(e, StoreBallot))


def test_whoever_hears_the_host_grants_nothing() -> None:
    guest = operator(2)
    effects = guest.hear(0.5, 1, request(guest.replica.chain, 2, trial=True))
    assert sent(effects, TrialVote) == [(1, TrialVote(2, False))]
    assert guest.hear(0.5, 1, request(guest.replica.chain, 2)) == []
    assert guest.term == 1


def test_a_host_without_a_majority_steps_down() -> None:
    host = operator(0)
    assert isinstance(host.part, Leader)
    for at in range(1, 7):
        beat = Heartbeat(1, False, 0, 0, host.replica.chain.hash_at(0))
        host.hear(at / 2, 1, beat)
        host.hear(at / 2, 2, beat)
        host.tick(at / 2)
    assert host.is_host
    effects = host.tick(6.1)
    assert not host.is_host
    assert Hosting(None) in effects


def test_who_hosts_no_more_does_not_follow_itself() -> None:
    """Others may not know yet that it stepped down, and tell it who hosts in this term."""
    machine = operator(1, chain_of(3))
    (told, *_) = [message for _, message in sent(elect(machine, 1.0), Elected)]
    assert Hosting(None) in machine.tick(20.0)
    assert machine.hear(20.0, 2, told) == []
    assert (machine.host, machine.term) == (None, 2)


def test_who_has_forgotten_that_it_hosted_takes_up_the_term_alone() -> None:
    """After a restart from an older copy of its disk: its term is spent."""
    chain = chain_of(3)
    machine = operator(1, chain)
    effects = machine.hear(1.0, 2, Elected(election(4, 1, chain)))
    assert [effect.ballot.term for effect in effects if isinstance(effect, StoreBallot)] == [4]
    assert (machine.host, machine.term) == (None, 4)


@pytest.mark.parametrize("is_linked", [False, True])
def test_who_starts_again_and_does_not_hear_the_first_host_speaks_by_others(
    is_linked: bool,
) -> None:
    """The first term has no election that those who follow its host could show."""
    chain, late = chain_of(3), LONGEST_WAIT + 0.1
    machine = operator(1, chain, ballot=Ballot(1), confirmed=3)
    if not is_linked:
        machine.unlinked(0.0, 0)
    for other in (2, 3, 4):
        machine.hear(0.1, other, Remember(None, None, 1, 3))
    asked = [message for _, message in sent(machine.tick(late), RequestVote)]
    assert asked
    assert machine.host is None
    machine.hear(late + 0.1, 2, TrialVote(2, granted=False))
    assert (machine.host, machine.term) == (0, 1)
    (stored,) = machine.write((Contribution(key=b"k", body=b"mine"),))
    assert isinstance(stored, StoreSubmissions)
    machine.kept([one.counter for one in stored.submissions])
    told = [*machine.tick(late + 1.0), *machine.tick(late + 3.0)]
    assert {one for one, _ in sent(told, Submit)} == {2, 3, 4}


def test_who_starts_again_does_not_believe_the_first_host_for_ever_that_it_is_none() -> None:
    """It hosts, and says so to all others."""
    chain = chain_of(3)
    machine = operator(1, chain, ballot=Ballot(1), confirmed=3)
    for other in (2, 3, 4):
        machine.hear(0.1, other, Remember(None, None, 1, 3))
    trials, now = 0, 0.1
    while machine.host is None:
        now += 0.5
        assert trials <= 2 * MANY_TRIALS
        machine.hear(now, 0, Heartbeat(1, False, 3, 3, chain.hash_at(3)))
        if sent(machine.tick(now), RequestVote):
            trials += 1
            machine.hear(now + 0.1, 2, TrialVote(2, granted=False))
            assert (machine.host is None) == (trials < MANY_TRIALS)
    machine.hear(now + 0.5, 0, Heartbeat(1, False, 3, 3, chain.hash_at(3)))
    assert machine.host == 0  # and what it says goes by those who follow it


def test_a_deposed_host_gives_way_and_says_its_own_again() -> None:
    """What it had ordered and nobody confirmed is pending again, under the same signature."""
    host = operator(0)
    effects = host.write((Contribution(key=b"k", body=b"mine"),))
    (submission,) = effects[0].submissions  # type: ignore[union-attr]
    host.kept([submission.counter])
    host.folded(1, None, None)
    chain = host.replica.chain
    assert chain.head == 1
    other = Chain(FIRST)
    signed = election(2, 1, other)
    host.hear(1.0, 1, Elected(signed))
    assert host.host == 1
    entry = other.begin_term(IDENTITIES[1], signed)
    effects = host.hear(1.0, 1, Entries((entry.signed,)))
    assert [e.seq for e in effects if isinstance(e, Truncate)] == [0]
    assert sent(effects, Submit) == [(1, Submit(submission.authored))]
    assert chain.term == 2


# How it goes wrong.


@pytest.mark.parametrize(
    "forge",
    [
        lambda chain: votes(2, 1, chain, (1, 2)),
        lambda chain: votes(2, 1, chain, (1, 2, 2)),
        lambda chain: [*votes(2, 1, chain, (1, 2)), *votes(3, 1, chain, (3,))],
        lambda chain: [*votes(2, 1, chain, (1, 2)), *votes(2, 3, chain, (3,))],
        lambda chain: [*votes(2, 1, chain, (1, 2)), *votes(2, 1, chain_of(1), (3,))],
        lambda chain: [Signed(v.content, bytes(64)) for v in votes(2, 1, chain)],
    ],
    ids=["too few", "one twice", "another term", "another candidate", "journal", "forged"],
)
def test_votes_that_do_not_count_elect_nobody(forge: object) -> None:
    chain = Chain(FIRST)
    signed = make_election(IDENTITIES[1], MATCH, 2, 1, forge(chain))  # type: ignore[operator]
    with pytest.raises((Malformed, BadSignature)):
        check_majority(chain.genesis, open_election(chain.genesis, signed), chain.members)
    guest = operator(2)
    guest.hear(0.1, 1, Elected(signed))
    assert (guest.term, guest.host) == (1, 0)


def test_an_election_for_another_journal_is_no_entry() -> None:
    chain, other = chain_of(2), chain_of(3)
    signed = election(2, 1, other)
    entry = chain.begin_term(IDENTITIES[1], signed)
    with pytest.raises(Malformed) as caught:
        chain_of(2).check(entry.signed)
    assert caught.value.culprit == IDENTITIES[1].public


def test_nobody_else_orders_in_an_elected_term() -> None:
    chain = Chain(FIRST)
    chain.begin_term(IDENTITIES[1], election(2, 1, chain))
    forged = Chain(FIRST)
    forged.begin_term(IDENTITIES[1], election(2, 1, Chain(FIRST)))
    entry = forged.extend(IDENTITIES[2], said(2, 1, forged.hash_at(0)))
    with pytest.raises(BadSignature):
        chain.check(entry.signed)


def test_a_host_of_the_past_orders_no_more() -> None:
    chain, old = Chain(FIRST), Chain(FIRST)
    chain.begin_term(IDENTITIES[1], election(2, 1, chain))
    old.extend(IDENTITIES[0], said(0, 1, old.hash_at(0)))
    late = old.extend(IDENTITIES[0], said(0, 2, old.hash_at(0)))
    with pytest.raises(RemoteError):
        chain.check(late.signed)


def test_two_votes_in_one_term_name_the_voter() -> None:
    """Two hosts of one term share somebody who voted for both, and signed it."""
    chain = Chain(FIRST)
    guest = operator(4)
    guest.unlinked(0.0, 0)
    guest.hear(0.1, 1, Elected(election(2, 1, chain, (0, 1, 2))))
    effects = guest.hear(0.1, 3, Elected(election(2, 3, chain, (2, 3, 4))))
    (fail,) = [effect for effect in effects if isinstance(effect, Fail)]
    assert isinstance(fail.fault, Equivocation)
    assert fail.fault.culprit == IDENTITIES[2].public
    proven = prove_alone(chain.genesis, fail.fault.evidence)
    assert isinstance(proven, Equivocation)
    assert proven.culprit == IDENTITIES[2].public


def test_who_hosts_no_more_knows_who_voted_for_it() -> None:
    """It has stepped down, and is told of another host in its own term: it follows nobody."""
    chain = chain_of(3)
    machine = operator(1, chain)
    elect(machine, 1.0)
    assert Hosting(None) in machine.tick(20.0)
    effects = machine.hear(20.0, 3, Elected(election(2, 3, chain, (0, 2, 3, 4))))
    (fail,) = [effect for effect in effects if isinstance(effect, Fail)]
    assert isinstance(fail.fault, Equivocation)
    assert prove_alone(chain.genesis, fail.fault.evidence) is not None
    assert fail.fault.culprit != IDENTITIES[1].public


def test_a_history_that_undoes_what_was_confirmed_is_not_taken() -> None:
    """Who elected it is not known to us; who shows it loses its link, and nobody is named."""
    chain = chain_of(3)
    guest = operator(4, chain, confirmed=3)
    guest.unlinked(0.0, 0)
    other = chain_of(1)
    signed = election(2, 1, other)
    guest.hear(0.1, 1, Elected(signed))
    entry = other.begin_term(IDENTITIES[1], signed)
    effects = guest.hear(0.2, 1, Entries((entry.signed,)))
    assert not [e for e in effects if isinstance(e, Fail)]
    assert [e.operator for e in effects if isinstance(e, Cut)] == [1]
    assert chain.head == 3


def test_a_host_that_orders_a_statement_in_its_elections_place_is_named() -> None:
    """As a censor did in simulation, who numbered the rest as if there were no election."""
    chain = chain_of(2)
    chain.begin_term(IDENTITIES[1], election(2, 1, chain))
    statement = said(1, 1, chain.hash_at(0))
    ordered = Ordered(2, 3, chain.hash_at(2), statement.content, statement.signature)
    with pytest.raises(Equivocation) as caught:
        chain.check(sign(IDENTITIES[1], DOMAIN_ORDERED, ordered))
    assert caught.value.culprit == IDENTITIES[1].public
    assert isinstance(prove_alone(chain.genesis, caught.value.evidence), Equivocation)


def test_a_claimed_term_costs_an_election_at_most() -> None:
    """A host hears that somebody is ahead, or has been led there; so far nobody is."""
    hashed = operator(0).replica.chain.hash_at(0)
    for told, entered in ((7, 7), (9 * MAX_AHEAD, 9 * MAX_AHEAD), (2**40, 1 + FAR)):
        host = operator(0)
        for now in (0.1, 1.1):
            host.hear(now, 3, Heartbeat(told, False, 0, 0, hashed))
        assert (host.is_host, host.term) == (False, entered)
    assert sent(host.tick(1.2), RequestVote)
    guest = operator(1)
    guest.hear(0.1, 3, Heartbeat(7, False, 0, 0, hashed))
    assert (guest.term, guest.host) == (1, 0)


@pytest.mark.parametrize("ahead", [STEP, MAX_AHEAD - 1, MAX_AHEAD, 9 * MAX_AHEAD])
def test_a_term_that_some_have_heard_of_leads_nobody_out_of_the_others_reach(
    ahead: int,
) -> None:
    """One heartbeat to one of them: those who have not heard it still vote for it."""
    misled, other = operator(1), operator(2)
    hashed = misled.replica.chain.hash_at(0)
    misled.hear(0.1, 3, Heartbeat(1 + ahead, False, 0, 0, hashed))
    for one in (misled, other):
        one.unlinked(0.2, 0)
    asked = dict(sent(misled.tick(1.0), RequestVote))
    (answer,) = sent(other.hear(1.0, 1, asked[2]), TrialVote)
    assert answer == (1, TrialVote(2 + STEP, True))


@pytest.mark.parametrize("asks", [1, 7, 2000])
def test_who_was_led_out_of_the_others_reach_is_met_there(asks: int) -> None:
    """A host asks one guest alone for votes in ever later terms, and is heard no more: the
    three honest ones of five need each other.
    """
    honest = {one: operator(one) for one in (1, 2, 3)}
    misled, now = honest[1], 0.1
    for _ in range(asks):
        now += 4.1 if asks < 10 else 0.0005
        asked = request(misled.replica.chain, misled.term + MAX_AHEAD)
        for effect in misled.hear(now, 0, asked):
            if isinstance(effect, StoreBallot):
                misled.balloted(now, effect.ballot)
    assert misled.term > MAX_AHEAD
    for machine in honest.values():
        for liar in (0, 4):
            machine.unlinked(now, liar)
    said: deque[tuple[int, int, msgspec.Struct]] = deque()

    def do(me: int, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                said.append((me, effect.operator, effect.message))
            elif isinstance(effect, StoreBallot):
                do(me, honest[me].balloted(now, effect.ballot))

    end = now + 10.0
    while not any(one.is_host for one in honest.values()):
        now += 0.05
        assert now < end, [one.term for one in honest.values()]
        for me, machine in honest.items():
            do(me, machine.tick(now))
        while said:
            teller, hearer, message = said.popleft()
            if hearer in honest:
                do(hearer, honest[hearer].hear(now, teller, message))


def test_who_asks_faster_than_a_candidate_does_is_not_heard() -> None:
    """Else one liar could end every candidacy of others, as long as it likes."""
    guest = operator(2, chain_of(3))
    guest.unlinked(0.0, 0)
    led = []
    for count in range(1000):
        before = guest.term
        guest.hear(0.01 * count, 3, request(guest.replica.chain, before + 1))
        led += [0.01 * count] if guest.term > before else []
    assert led == pytest.approx([0.0, 0.5, 1.5, 3.5, 7.5])


def test_who_asks_again_and_again_keeps_nobody_from_asking() -> None:
    guest = operator(2, chain_of(3))
    guest.unlinked(0.0, 0)
    for count in range(1, 4):
        asks = RequestVote(1 + count, 1, 0, bytes(32), False)  # nothing that it could have
        guest.hear(0.1 * count, 3, asks)
    assert sent(guest.tick(0.5), RequestVote)


def test_two_guests_who_were_shown_different_entries_find_out_without_the_host() -> None:
    """The host confirmed one history with Bert and another with Carla."""
    one, two = Chain(FIRST), Chain(FIRST)
    entry = one.extend(IDENTITIES[0], said(0, 1, one.hash_at(0), b"one"))
    other = two.extend(IDENTITIES[0], said(0, 1, two.hash_at(0), b"two"))
    bert, carla = operator(1, one, confirmed=1), operator(2, two, confirmed=1)
    (told,) = sent(bert.hear(0.5, 2, carla.heartbeat()), Witness)
    assert told == (2, Witness(entry.signed))
    (fail,) = [e for e in carla.hear(0.5, 1, told[1]) if isinstance(e, Fail)]
    assert isinstance(fail.fault, Equivocation)
    assert fail.fault.culprit == IDENTITIES[0].public
    assert isinstance(prove_alone(two.genesis, fail.fault.evidence), Equivocation)
    assert other.hash != entry.hash


def test_honest_votes_elections_and_terms_prove_nothing() -> None:
    chain = Chain(FIRST)
    signed = election(2, 1, chain)
    begun: Entry = chain.begin_term(IDENTITIES[1], signed)
    assert prove_alone(chain.genesis, (begun.exhibit(),)) is None
    one, two = votes(2, 1, chain, (2,))[0], votes(3, 3, chain, (2,))[0]
    assert prove_alone(chain.genesis, (exhibit("vote", one), exhibit("vote", two))) is None
    stranger = Identity.fresh()
    forged = sign(stranger, DOMAIN_VOTE, Vote(MATCH, 2, 2, 3, 0, chain.hash_at(0)))
    assert prove_alone(chain.genesis, (exhibit("vote", one), exhibit("vote", forged))) is None


def test_who_hears_history_while_it_is_voted_for_stands_anew_with_all_that_it_has() -> None:
    """Liars confirm an entry with one of two halves, and show it to a candidate of the other
    right before their vote: its election would stand after another entry than its votes name.
    """
    longer = chain_of(3)
    bert = operator(1, chain_of(2), confirmed=2)
    told = Heartbeat(1, False, 3, 3, longer.hash_at(3))
    bert.hear(0.1, 0, told)
    bert.unlinked(0.2, 0)
    bert.linked(0.2, 0)
    asked: list[tuple[int, msgspec.Struct]] = []
    now, role = 0.2, ""
    while role != "candidate" or not asked:
        now += 0.25
        assert now < 30
        effects = bert.tick(now)
        if (trial := sent(effects, RequestVote)) and role != "candidate":
            term = trial[0][1].term  # type: ignore[attr-defined]
            for other in (2, 4):
                effects += bert.hear(now, other, TrialVote(term, True))
            (stored,) = [one for one in effects if isinstance(one, StoreBallot)]
            effects += bert.balloted(now, stored.ballot)
            role = "candidate"
        bert.hear(now, 0, told)
        asked += [one for one in sent(effects, Follow) if one[0] == 0]
    shown = votes(bert.term, 1, bert.replica.chain, (2, 4))
    acks = tuple(
        _acked(other, Ack(MATCH, 1, other, 3, longer.hash_at(3), b"")).ack
        for other in (0, 3, 4)
    )
    bert.hear(now, 0, History((longer.entries[3].signed,), acks))
    assert bert.replica.chain.head == 3
    effects = [one for vote in shown for one in bert.hear(now, voter_of(vote), Voted(vote))]
    assert not bert.is_host
    assert not [one for one in effects if isinstance(one, StoreEntry)]


def voter_of(vote: Signed) -> int:
    return decode(vote.content, Vote, limit=MAX_STATEMENT).voter


def test_no_journal_that_we_hold_is_newer_than_it_is() -> None:
    """A host asks us to vote for what is long past, under a term that it invents: our vote
    would stand for ever as that of somebody who forgets what it had acknowledged.
    """
    chain = chain_of(3)
    guest = operator(1, chain_of(3), confirmed=3)
    for trial in (True, False):
        asked = RequestVote(2, 99, 1, chain.hash_at(1), trial)
        effects = guest.hear(0.2, 0, asked)
        assert not [
            one for one in effects if isinstance(one, StoreBallot) and one.ballot.candidate
        ]
        assert not [one for _, one in sent(effects, TrialVote) if one.granted]  # type: ignore[attr-defined]
    wrong_place = RequestVote(3, 99, 9, chain.hash_at(3), False)
    effects = guest.hear(0.3, 0, wrong_place)
    assert not [one for one in effects if isinstance(one, StoreBallot) and one.ballot.candidate]
