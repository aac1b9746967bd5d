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
from protocol.messages import Entries, Follow, Heartbeat, History, Witness
from protocol.replication.catching_up import OtherSources, answer
from protocol.replication.effects import Cut, Effect, Fail, Send, Suspect
from protocol.replication.leader import Leader
from protocol.replication.parting import Partings
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts, Timers
from tests.protocol.journal.signing import ANNA, IDENTITIES, ack, election, order, vote
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
    one = goes_on(begun(ONE), *(b"here %d" % count for count in range(60)))
    other = goes_on(elects(begun(OTHER), 3, 2), *(b"there %d" % count for count in range(60)))
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
