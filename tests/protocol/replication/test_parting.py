"""Two honest laptops whose confirmed histories part: neither waits without a word."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from protocol.errors import Diverged, Equivocation, Malformed
from protocol.journal.chain import Chain
from protocol.journal.evidence import prove_alone
from protocol.journal.genesis import NO_TERM
from protocol.journal.statements import Signed, entry_hash
from protocol.messages import (
    Elected,
    Entries,
    Follow,
    Heartbeat,
    History,
    RequestVote,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.ballot import Ballot
from protocol.replication.catching_up import OtherSources, answer
from protocol.replication.effects import Cut, Effect, Fail, Send, Suspect
from protocol.replication.follower import Follower
from protocol.replication.leader import Leader
from protocol.replication.parting import Partings
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts, Timers
from tests.protocol.journal.signing import (
    ANNA,
    FIRST,
    IDENTITIES,
    ack,
    elect,
    election,
    order,
    vote,
)
from tests.protocol.replication.forked import (
    COMMON,
    ONE,
    OTHER,
    Pair,
    Part,
    begun,
    certificate,
    elects,
    goes_on,
    machine,
    removes,
)
from tests.protocol.tabletop import TABLE


def undone() -> tuple[Part, Part]:
    """Anna acknowledged an entry of term 1, and voted for a journal that lacks it."""
    return goes_on(begun(ONE), b"here"), goes_on(elects(begun(OTHER), 3, 2), b"there")


def two_orders() -> tuple[Part, Part]:
    """Anna ordered two things in term 1; later terms hide it from who compares the newest."""
    one, other = goes_on(begun(ONE), b"here"), goes_on(begun(OTHER), b"there")
    return elects(one, 1, 2), elects(other, 3, 3)


def two_votes() -> tuple[Part, Part]:
    """Anna voted for Bert and for Dora in term 2."""
    one, other = elects(begun(ONE), 1, 2), elects(begun(OTHER), 3, 2)
    return goes_on(one, b"here"), elects(goes_on(other, b"there"), 4, 3)


def two_elections() -> tuple[Part, Part]:
    """Anna began term 2 in two places."""
    one, other = goes_on(begun(ONE), b"1", b"2", b"3"), begun(OTHER)
    return elects(one, 0, 2), elects(elects(other, 0, 2), 3, 3)


def far_apart() -> tuple[Part, Part]:
    one = goes_on(begun(ONE), *(b"here %d" % count for count in range(60)))
    other = goes_on(elects(begun(OTHER), 3, 2), *(b"there %d" % count for count in range(60)))
    return one, other


# What comes of it.


@pytest.mark.parametrize("fork", [two_orders, two_votes, two_elections])
def test_who_signed_for_both_is_exposed_to_both(fork: Callable[[], tuple[Part, Part]]) -> None:
    one, other = fork()
    pair = Pair(machine(1, one), machine(3, other))
    pair.meet()
    for me in (1, 3):
        (fail,) = pair.found(me, Fail)
        assert isinstance(fail, Fail)
        assert isinstance(fail.fault, Equivocation)
        assert fail.fault.culprit == ANNA.public
        proven = prove_alone(one[0].genesis, fail.fault.evidence)
        assert isinstance(proven, Equivocation)
        assert proven.culprit == ANNA.public


def test_where_nothing_exposes_it_the_earlier_stops_and_both_suspect_who_forgot() -> None:
    one, other = undone()
    pair = Pair(machine(1, one), machine(3, other))
    pair.meet()
    (stop,) = pair.found(1, Fail)
    assert isinstance(stop, Fail)
    assert isinstance(stop.fault, Diverged)
    assert (stop.fault.seq, stop.fault.culprit) == (COMMON + 1, None)
    assert pair.found(3, Fail) == []
    for me in (1, 3):
        assert pair.found(me, Suspect) == [Suspect(0, "forgets")]
        assert pair.found(me, Cut) == []


def test_who_is_suspected_has_acknowledged_what_it_voted_away() -> None:
    """Carla voted too, and had acknowledged nothing that was undone."""
    one, other = undone()
    chain, _ = one
    one = chain, (0, 1, 4)
    pair = Pair(machine(1, one), machine(3, other))
    pair.meet()
    assert pair.found(3, Suspect) == [Suspect(0, "forgets"), Suspect(4, "forgets")]


def test_an_old_certificate_of_ours_makes_nobody_suspect() -> None:
    """All acknowledged what is common. What came after it we know confirmed by others' word."""
    one, other = undone()
    earlier = machine(1, one)
    common = tuple(ack(one[0], me, COMMON) for me in (0, 3, 4))
    earlier.replica.confirm(COMMON + 1, common, COMMON)
    pair = Pair(earlier, machine(3, other))
    pair.meet()
    assert pair.found(1, Suspect) == []
    assert len(pair.found(1, Fail)) == 1


def test_far_back_takes_few_questions() -> None:
    one, other = far_apart()
    pair = Pair(machine(1, one), machine(3, other))
    pair.meet()
    asked = [said for me, said in pair.said if me == 1 and isinstance(said, Follow)]
    assert all(follow.term == NO_TERM for follow in asked)
    assert len(asked) <= 8
    assert pair.found(1, Suspect) == pair.found(3, Suspect) == [Suspect(0, "forgets")]


def test_who_knows_less_is_asked_too() -> None:
    """Dora's journal ends before Bert's, and only Bert can see it by her heartbeat."""
    one, other = undone()
    goes_on(one, b"1", b"2", b"3")
    pair = Pair(machine(1, one), machine(3, other))
    pair.meet()
    assert len(pair.found(1, Fail)) == 1
    assert pair.found(3, Suspect) == [Suspect(0, "forgets")]


def test_who_has_stopped_is_asked_when_its_complaint_shows_another_entry() -> None:
    one, other = undone()
    stopped, plays = machine(1, one), machine(3, other)
    pair = Pair(stopped, plays)
    pair.meet()
    (stop,) = pair.found(1, Fail)
    again = machine(4, other)
    assert isinstance(stop, Fail)
    assert isinstance(stop.fault, Diverged)
    effects = again.hear(0.0, 1, Witness(one[0].entries[stop.fault.seq].signed))
    (question,) = [effect.message for effect in effects if isinstance(effect, Send)]
    assert isinstance(question, Follow)
    for told in answer(stopped.replica, question):
        effects = again.hear(0.1, 1, told)
    assert effects == [Suspect(0, "forgets")]


# What a liar makes of it.


def asks(effects: list[Effect]) -> list[int]:
    """From which entries on somebody asks for another history."""
    return [
        effect.message.confirmed
        for effect in effects
        if isinstance(effect, Send) and isinstance(effect.message, Follow)
    ]


def beat(known: int, hashed: bytes = b"\1" * 32) -> Heartbeat:
    return Heartbeat(1, False, known, known, hashed)


def test_a_false_hash_costs_a_question_now_and_then() -> None:
    one, _ = undone()
    honest = machine(1, one)
    assert asks(honest.hear(0.0, 4, beat(4))) == [3]
    assert asks(honest.hear(0.5, 4, beat(4))) == []
    assert asks(honest.hear(0.5, 3, beat(4))) == [3]
    assert asks(honest.hear(1.5, 4, beat(4))) == [3]


def test_whoever_was_compared_is_asked_again_when_it_knows_something_else() -> None:
    one, other = undone()
    later = machine(3, other)
    Pair(machine(1, one), later).meet()
    assert asks(later.hear(9.0, 1, beat(4, one[0].hash_at(4)))) == []
    assert asks(later.hear(9.0, 1, beat(4))) == [3]


@pytest.mark.parametrize(
    "forge",
    [
        lambda part: certificate(part)[:2],
        lambda part: (ack(part[0], 0, 4, term=2),) * 3,
        lambda part: tuple(ack(part[0], me, 5) for me in OTHER),
    ],
    ids=["too few", "one thrice", "of another term"],
)
def test_a_false_answer_costs_its_teller_the_link(
    forge: Callable[[Part], tuple[Signed, ...]],
) -> None:
    one, other = undone()
    honest = machine(1, one)
    honest.hear(0.0, 4, beat(4))
    tail = tuple(entry.signed for entry in other[0].entries[4:])
    ((cut),) = honest.hear(0.1, 4, History(tail, forge(other)))
    assert isinstance(cut, Cut)
    assert cut.operator == 4


def test_a_majority_of_liars_that_elected_nobody_undoes_nothing() -> None:
    """Three of five may sign what they like: the votes that are lacking show that they lie."""
    one, _ = undone()
    chain, holders = begun(OTHER)
    too_few = election(3, [vote(chain, voter, 3) for voter in (3, 4)])
    entry = order(chain, too_few, term=2, signer=IDENTITIES[3])
    hashed = entry_hash(entry.content)
    acks = tuple(ack(chain, one, 4, term=2, hashed=hashed) for one in holders)
    honest = machine(1, one)
    honest.hear(0.0, 4, beat(4))
    ((cut),) = honest.hear(0.1, 4, History((entry,), acks))
    assert isinstance(cut, Cut)
    assert isinstance(cut.fault, Malformed)


@pytest.mark.parametrize("has_left", [False, True])
def test_a_history_that_takes_out_who_is_here_stops_nobody(has_left: bool) -> None:
    """A host has made itself a majority by it: what the fewer confirm is no later history. But
    where our own game says that it had left, it is.
    """
    ours = goes_on(elects(begun(ONE), 1, 2), b"here")
    theirs = goes_on(elects(removes(begun(OTHER), 2), 3, 3), b"there")
    honest = machine(1, ours)
    if has_left:
        honest.departed(frozenset({2}))
    honest.hear(0.0, 4, beat(4))
    tail = tuple(entry.signed for entry in theirs[0].entries[COMMON + 1 :])
    found = honest.hear(0.1, 4, History(tail, certificate(theirs)))
    assert {type(one) for one in found} == ({Suspect, Fail} if has_left else {Cut})


def test_what_nobody_asked_for_is_nothing() -> None:
    one, other = undone()
    honest = machine(1, one)
    answered = History(tuple(e.signed for e in other[0].entries[4:]), certificate(other))
    assert honest.hear(0.0, 4, answered) == []
    honest.hear(0.0, 4, beat(4))
    honest.unlinked(0.1, 4)
    assert honest.hear(0.2, 4, answered) == []


# A host and who would follow it.


def hosts(part: Part) -> tuple[Partings, Leader]:
    chain, _ = part
    replica = Replica(identity=IDENTITIES[3], me=3, chain=chain)
    replica.confirm(chain.head, certificate(part), chain.head)
    timing = Timeouts()
    timers = Timers(3, len(IDENTITIES), timing, Random(1), 0.0)
    sources = OtherSources(replica, timers, 0.0)
    return Partings(replica, sources, timing.show), Leader(replica, chain.term)


def follows(chain: Chain, term: int, place: int) -> Follow:
    return Follow(TABLE, term, place, chain.hash_at(place), 0)


def test_a_host_asks_who_follows_from_another_history_before_it_cuts_the_link() -> None:
    one, other = undone()
    partings, leader = hosts(other)
    question = follows(one[0], 2, 4)
    assert asks(partings.follow(0.0, 1, question, leader)) == [3]
    assert partings.follow(0.5, 1, question, leader) == []
    ((cut),) = partings.follow(1.5, 1, question, leader)
    assert isinstance(cut, Cut)
    assert isinstance(cut.fault, Malformed)


def test_a_host_lets_who_has_its_history_follow() -> None:
    _, other = undone()
    partings, leader = hosts(other)
    effects = partings.follow(0.0, 4, follows(other[0], 2, 3), leader)
    assert [type(one.message) for one in effects if isinstance(one, Send)][:1] == [Entries]


def test_a_host_answers_who_only_compares_as_everybody_does() -> None:
    one, _ = undone()
    chain, _ = one
    host = machine(0, one)
    assert host.is_host
    ((told),) = host.hear(0.0, 4, Follow(TABLE, NO_TERM, 3, chain.hash_at(3), 0))
    assert isinstance(told, Send)
    assert told.message == History((chain.entries[4].signed,), certificate(one))
    ((told),) = host.hear(0.0, 4, Follow(TABLE, NO_TERM, 3, bytes(32), 0))
    assert isinstance(told, Send)
    assert told.message == Witness(chain.entries[3].signed)


def test_who_acknowledges_its_own_history_is_not_cut_before_the_two_are_compared() -> None:
    """Its first burst does, and no link would last: row 6, by seed 527955."""
    one, other = undone()
    partings, leader = hosts(other)
    word = ack(one[0], 1, 4, term=2)
    assert asks(partings.follow(0.0, 1, follows(one[0], 2, 4), leader)) == [3]
    assert leader.acked(1, word) == []
    (cut,) = leader.acked(1, ack(one[0], 1, 4, term=2, signer=ANNA))
    assert isinstance(cut, Cut)
    leader.follow(4, follows(other[0], 2, 3))
    (cut,) = leader.acked(4, ack(one[0], 4, 4, term=2))  # it follows, and says another thing
    assert isinstance(cut, Cut)


def test_who_was_compared_may_still_compare_and_is_not_cut_for_it() -> None:
    one, other = undone()
    partings, leader = hosts(other)
    question = follows(one[0], 2, 4)
    partings.hear_of(0.0, 1, beat(4, one[0].hash_at(4)), hosting=True)
    answered = History((one[0].entries[4].signed,), certificate(one))
    assert partings.hear(1, answered, leader) == [Suspect(0, "forgets")]
    for now in (0.5, 3.0, 9.0):
        assert partings.follow(now, 1, question, leader) == []


def test_a_comparison_survives_the_link_that_it_began_on() -> None:
    """It goes on from where it was, however often links break, and so it ends."""
    one, other = far_apart()
    stays, meets = machine(3, other), machine(1, one)
    asked = [asks(stays.hear(0.0, 1, meets.heartbeat()))[0]]
    for link in range(1, 9):
        question = Follow(TABLE, NO_TERM, asked[-1], other[0].hash_at(asked[-1]), 0)
        told = answer(meets.replica, question)
        effects = [one for word in told for one in stays.hear(link, 1, word)]
        if isinstance(told[0], History):
            break
        asked += asks(effects)
        stays.unlinked(link + 0.1, 1)
        (again,) = asks(stays.hear(link + 0.2, 1, meets.heartbeat()))
        assert again == asked[-1]
    assert effects == [Suspect(0, "forgets")]
    assert asked == sorted(asked, reverse=True)


def leads(part: Part, me: int, voters: tuple[int, ...]) -> Raft:
    """An honest host of term 2, elected by these after Anna's term."""
    raft = machine(me, part)
    for voter in voters:
        raft.linked(0.0, voter)
    raft.unlinked(0.0, 0)
    raft.tick(9.0)
    for voter in voters:
        raft.hear(9.0, voter, TrialVote(2, True))
    raft.balloted(9.0, Ballot(2, me))
    for voter in voters:
        raft.hear(9.0, voter, Voted(vote(part[0], voter, me)))
    assert raft.is_host
    return raft


def test_who_forgot_is_suspected_by_the_host_that_it_elected() -> None:
    """A liar acknowledged an entry of term 1, and elected a host that lacks it. What that host
    has put in order since is confirmed nowhere.
    """
    one = goes_on(begun(ONE), b"here")
    host = leads(begun(OTHER), 3, (0, 4))
    chain = host.replica.chain
    assert (chain.head, chain.term) == (COMMON + 1, 2)
    assert asks(host.hear(9.1, 1, follows(one[0], 2, 4))) == [COMMON]
    effects = host.hear(9.2, 1, History((one[0].entries[4].signed,), certificate(one)))
    assert effects == [Suspect(0, "forgets")]
    election = Send(1, Elected(elect_again(chain)))
    for now in (9.5, 12.0, 20.0):  # and no link is cut for it
        assert host.hear(now, 1, follows(one[0], 2, 4)) == [election]


def test_who_forgot_is_suspected_by_a_host_that_nobody_else_follows() -> None:
    """Who refuses its election asks it for nothing: it asks who is ahead of it."""
    one = goes_on(begun(ONE), b"here")
    host = leads(begun(OTHER), 3, (0, 4))
    ahead = beat(4, one[0].hash_at(4))
    assert asks(host.hear(9.1, 1, ahead)) == [COMMON]
    effects = host.hear(9.2, 1, History((one[0].entries[4].signed,), certificate(one)))
    assert effects == [Suspect(0, "forgets")]
    assert asks(host.hear(9.5, 1, ahead)) == []
    held = host.replica.chain
    assert asks(host.hear(9.5, 2, beat(held.head, held.hash_at(held.head)))) == []


def test_who_forgot_is_suspected_by_who_has_voted_for_its_host_unawares() -> None:
    """A laptop that has begun anew knows nothing of the election that it had refused, and its
    vote makes the same host that of a later term. The host shows it by which election they
    part; it follows that host no more, nor votes for it.
    """
    one = goes_on(begun(ONE), b"here")
    host = leads(begun(OTHER), 3, (0, 4))
    host.hear(9.1, 1, follows(one[0], 2, 4))
    host.hear(9.2, 1, History((one[0].entries[4].signed,), certificate(one)))
    chain = host.replica.chain
    guest = machine(1, one)
    guest.linked(9.3, 3)
    guest.hear(9.4, 3, Elected(elect(chain, 3, 3, (1, 3, 4))))
    assert guest.host == 3
    (shown,) = host.hear(9.5, 1, follows(one[0], 2, 4))
    assert shown == Send(1, Elected(elect_again(chain)))
    effects = guest.hear(9.6, 3, shown.message)
    assert Suspect(0, "forgets") in effects
    assert guest.host is None
    asked = RequestVote(4, 3, 9, chain.hash_at(4), trial=True)
    (answered,) = (one for one in guest.hear(20.0, 3, asked) if isinstance(one, Send))
    assert answered.message == TrialVote(4, granted=False)


def elect_again(chain: Chain) -> Signed:
    """The election with which its newest term begins, as its host signed it."""
    entry = next(one for one in chain.entries if one.term == chain.term)
    return entry.inside


def test_who_forgot_is_suspected_by_who_follows_the_host_that_it_elected() -> None:
    """The host's entries are of a later term, and confirmed nowhere."""
    one = goes_on(begun(ONE), b"here")
    host = leads(begun(OTHER), 3, (0, 4))
    chain, behind = Chain(FIRST), host.replica.chain
    for entry in behind.entries[1:]:
        chain.append(entry)
    replica = Replica(identity=IDENTITIES[4], me=4, chain=chain)
    replica.confirmed = COMMON
    timers = Timers(4, len(IDENTITIES), Timeouts(), Random(1), 0.0)
    sources = OtherSources(replica, timers, 0.0)
    partings, guest = Partings(replica, sources, 1.5), Follower(replica, 2, 3)
    sources.hear_of(1, COMMON + 1)
    sources.ask(0.0, guest, (1,))
    assert [one.operator for one in sources.ask(2.0, guest, (1,)) if isinstance(one, Send)]
    shown = History((one[0].entries[4].signed,), certificate(one))
    assert partings.hear(1, shown, guest) == [Suspect(0, "forgets")]


def test_a_host_that_ordered_two_things_is_exposed_where_one_is_confirmed_nowhere() -> None:
    one = goes_on(begun(ONE), b"here")
    host = leads(goes_on(begun(OTHER), b"there"), 3, (0, 4))
    host.replica.confirmed = COMMON
    host.hear(9.1, 1, follows(one[0], 2, 4))
    (fail,) = host.hear(9.2, 1, History((one[0].entries[4].signed,), certificate(one)))
    assert isinstance(fail, Fail)
    assert isinstance(fail.fault, Equivocation)
    assert fail.fault.culprit == ANNA.public


def test_a_host_that_has_confirmed_nothing_yet_compares_as_everybody_does() -> None:
    one = goes_on(begun(ONE, 0), b"here")
    partings, leader = hosts(begun(OTHER, 0))
    partings._replica.confirmed = -1
    assert asks(partings.follow(0.0, 1, follows(one[0], 1, 1), leader)) == [0]
    answered = History((one[0].entries[1].signed,), certificate(one))
    assert partings.hear(1, answered, leader) == []
