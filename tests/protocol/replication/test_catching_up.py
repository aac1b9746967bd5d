"""History from anybody: what is asked, what is answered, and what is believed of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from protocol.errors import BadSignature, Malformed, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.genesis import NO_TERM
from protocol.journal.statements import MAX_BODY, MAX_ENTRIES, Ordered, Signed
from protocol.messages import MAX_BATCH, Follow, History, Witness
from protocol.replication.catching_up import MAX_BATCHES, CatchingUp, OtherSources, answer
from protocol.replication.delivery import BATCH_ENTRIES
from protocol.replication.displacement import MAX_HELD, MAX_HELD_BYTES
from protocol.replication.effects import Confirm, Cut, Effect, Send, StoreEntry
from protocol.replication.follower import Follower
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts, Timers
from protocol.wire.codec import encode
from tests.protocol.journal.signing import (
    ANNA,
    CARLA,
    ELSEWHERE,
    FIRST,
    IDENTITIES,
    ack,
    chain_of,
    elect,
    order,
    remove,
    said,
    succeeded,
)
from tests.protocol.tabletop import TABLE

CHAIN = chain_of(6)
TAIL = tuple(entry.signed for entry in CHAIN.entries[1:])
ACKS = tuple(ack(CHAIN, operator, 5) for operator in (0, 1, 2))


def replica(chain: Chain, me: int = 4, confirmed: int = 0) -> Replica:
    made = Replica(identity=IDENTITIES[me], me=me, chain=chain)
    made.confirmed = confirmed
    return made


# Who answers.


def asked(confirmed: int = 0, hashed: bytes | None = None, table: bytes = TABLE) -> Follow:
    return Follow(table, 1, confirmed, hashed or CHAIN.hash_at(confirmed), 0)


def knowing(confirmed: int, highest: int, entries: int = 6) -> Replica:
    made = replica(chain_of(entries) if entries != 6 else CHAIN)
    made.confirm(confirmed, ACKS, highest)
    return made


def test_all_that_the_certificate_speaks_of_is_answered_and_the_certificate_last() -> None:
    (message,) = answer(knowing(5, 6), asked(2))
    assert message == History(TAIL[2:6], ACKS)
    (message,) = answer(knowing(5, 5), asked(4))
    assert message == History(TAIL[4:5], ACKS)


@pytest.mark.parametrize(
    "question",
    [asked(5), asked(6), asked(0, None, bytes(16))],
    ids=["it knows as much", "it knows more", "at another table"],
)
def test_there_is_nothing_to_answer(question: Follow) -> None:
    assert answer(knowing(5, 5), question) == []


def test_who_has_another_history_is_shown_our_entry() -> None:
    assert answer(knowing(5, 5), asked(2, b"\1" * 32)) == [Witness(CHAIN.entries[2].signed)]


def test_a_long_history_is_sent_in_messages_and_certified_by_the_last() -> None:
    chain = Chain(FIRST)
    for counter in range(1, 5):
        chain.extend(ANNA, said(chain, 1, counter, bytes(40_000)))
    made = replica(chain)
    made.confirm(4, ACKS, 4)
    messages = answer(made, Follow(TABLE, 1, 0, chain.hash_at(0), 0))
    assert [len(one.entries) for one in messages] == [1, 1, 1, 1]
    assert [one.acks for one in messages] == [(), (), (), ACKS]


# What is believed.


def close(
    entries: tuple[Signed, ...] = TAIL,
    acks: tuple[Signed, ...] = ACKS,
    chain: Chain | None = None,
    known: int = 0,
) -> tuple[int, tuple[Signed, ...]]:
    answered = CatchingUp(chain or chain_of(), known)
    assert answered.hear(entries)
    return answered.close(acks)


def test_a_majority_confirms_what_all_of_it_holds() -> None:
    assert close() == (5, TAIL[:5])
    mixed = (ack(CHAIN, 0, 6), ack(CHAIN, 1, 3), ack(CHAIN, 2, 5))
    assert close(acks=mixed) == (3, TAIL[:3])
    assert close(TAIL[3:], chain=CHAIN, known=3) == (5, TAIL[3:5])
    assert close((), tuple(ack(CHAIN, one, 3) for one in (0, 1, 2)), CHAIN, 3) == (3, ())


def test_a_later_terms_certificate_covers_an_entry_of_that_term() -> None:
    chain = chain_of(2)
    chain.begin_term(CARLA, elect(chain, 2))
    tail = tuple(entry.signed for entry in chain.entries[1:])
    held = tuple(ack(chain, one, 3, term=2) for one in (0, 1, 2))
    assert close(tail, held) == (3, tail)
    late = (*held[:2], ack(chain, 2, 2, term=2))
    with pytest.raises(Malformed, match="something else"):
        close(tail, late)


STRAY = order(CHAIN, said(CHAIN, 2, 1), previous=b"\1" * 32)
FALSE: dict[str, Callable[[], object]] = {
    "a gap": lambda: close((TAIL[0], *TAIL[2:])),
    "another history": lambda: close(
        (*TAIL[:5], order(CHAIN, said(CHAIN, 2, 1), seq=6, previous=b"\1" * 32))
    ),
    "no certificate": lambda: close(acks=ACKS[:2]),
    "one twice": lambda: close(acks=(*ACKS[:2], ACKS[1])),
    "one twice, among enough": lambda: close(acks=(*ACKS, ACKS[1])),
    "of what was not shown": lambda: close(TAIL[:4]),
    "another term": lambda: close(acks=(*ACKS[:2], ack(CHAIN, 2, 5, term=2))),
    "another hash": lambda: close(acks=(*ACKS[:2], ack(CHAIN, 2, 5, hashed=b"\1" * 32))),
    "another table": lambda: close(acks=(*ACKS[:2], ack(CHAIN, 2, 5, match=ELSEWHERE))),
    "nobody": lambda: close(acks=(*ACKS[:2], ack(CHAIN, 5, 5, signer=ANNA))),
    "not signed": lambda: close(acks=(*ACKS[:2], ack(CHAIN, 2, 5, signer=ANNA))),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_no_majority_has_signed_is_not_believed(name: str) -> None:
    with pytest.raises((Malformed, BadSignature)):
        FALSE[name]()


def test_an_answer_is_heard_from_where_it_was_asked() -> None:
    answered = CatchingUp(chain_of(), 0)
    assert not answered.hear(TAIL[1:])  # of an earlier question
    assert answered.hear(TAIL[:2])
    assert not answered.hear(TAIL[:2])
    assert answered.hear(())
    assert answered.hear(TAIL[2:])
    assert answered.close(ACKS) == (5, TAIL[:5])


def test_an_answer_has_an_end() -> None:
    answered = CatchingUp(chain_of(), 0)
    assert answered.hear(TAIL[:1] * MAX_HELD)
    with pytest.raises(Malformed, match="more entries"):
        answered.hear((order(CHAIN, said(CHAIN, 2, 1), seq=MAX_HELD + 1, previous=bytes(32)),))
    with pytest.raises(RemoteError):
        CatchingUp(chain_of(), 0).hear((Signed(b"noise", bytes(64)),))


def test_an_answer_holds_as_much_as_a_match_may_have() -> None:
    """Else the honest teller of a long match would lose its link, and nobody could tell it."""
    assert MAX_HELD == MAX_ENTRIES
    answered = CatchingUp(chain_of(), 0)
    for first in range(1, MAX_ENTRIES, BATCH_ENTRIES):
        fresh = Signed(encode(Ordered(1, first, bytes(32), b"", bytes(64))), bytes(64))
        last = min(first + BATCH_ENTRIES, MAX_ENTRIES)
        assert answered.hear((fresh,) * (last - first))
    assert MAX_ENTRIES // BATCH_ENTRIES + 2 * MAX_HELD_BYTES // MAX_BATCH <= MAX_BATCHES


def test_an_answer_is_held_within_bounds() -> None:
    """Nothing of it is checked before its certificate comes: the largest entries, thousands of
    them, would fill our memory.
    """
    answered = CatchingUp(chain_of(), 0)
    fit = MAX_HELD_BYTES // MAX_BODY
    large = [
        Signed(encode(Ordered(1, seq, bytes(32), bytes(MAX_BODY), bytes(64))), bytes(64))
        for seq in range(1, fit + 1)
    ]
    for one in large[:-1]:
        assert answered.hear((one,))
    with pytest.raises(Malformed, match="more bytes"):
        answered.hear((large[-1],))


# Who is asked.


def thinned(*, removed_by: tuple[int, ...] = (0, 1, 2)) -> tuple[Chain, Chain]:
    """Three entries; then 4 and 3 are removed, each with a certificate of these: the chain, and
    what an operator that stood at entry 1 knows of it.
    """
    chain = chain_of(3)
    for operator in (4, 3):
        acks = [ack(chain, one, chain.head) for one in removed_by]
        chain.remove(ANNA, remove(chain, operator, acks))
    chain.extend(ANNA, said(chain, 1, 4))
    return chain, chain_of(1)


def shown(chain: Chain, known: int = 0) -> CatchingUp:
    made = CatchingUp(chain_of(), known)
    made.hear(tuple(entry.signed for entry in chain.entries[known + 1 :]))
    return made


def test_fewer_are_a_majority_once_others_are_removed() -> None:
    chain, _ = thinned()
    sure, lacking = shown(chain).close((ack(chain, 0, 6), ack(chain, 2, 6)))
    assert (sure, len(lacking)) == (6, 6)
    for voters in ((0, 4), (0,), (3, 4), (0, 1, 3)):
        with pytest.raises(Malformed):
            shown(chain).close(tuple(ack(chain, one, 6) for one in voters))


def test_an_entry_before_the_removals_needs_the_majority_of_before() -> None:
    chain, _ = thinned()
    sure, _ = shown(chain).close(tuple(ack(chain, one, 3) for one in (0, 1, 4)))
    assert sure == 3
    with pytest.raises(Malformed):
        shown(chain).close((ack(chain, 0, 3), ack(chain, 2, 6)))


def test_no_minority_makes_itself_a_majority_by_removals_of_its_own() -> None:
    """Two liars of five remove everybody else, and confirm what they like."""
    chain, _ = thinned(removed_by=(0, 1))
    with pytest.raises(Malformed):
        shown(chain).close((ack(chain, 0, 6), ack(chain, 1, 6)))


def test_an_old_certificate_is_that_of_who_counted_then() -> None:
    """The end of an answer to an earlier question, with one who has left for good since."""
    chain, _ = thinned()
    answered = CatchingUp(chain, 6)
    assert answered.close(tuple(ack(chain, one, 3) for one in (0, 1, 4))) == (3, ())
    for voters in ((0, 1), (0, 4)):
        with pytest.raises(Malformed):
            answered.close(tuple(ack(chain, one, 3) for one in voters))
    with pytest.raises(Malformed):
        answered.close(tuple(ack(chain, one, 6) for one in (0, 1, 4)))


class Lagging:
    """Operator 4 under host 0, which shows it nothing more; 1, 2 and 3 may know more."""

    def __init__(self, known: int = 0, *, hears_host: bool = True) -> None:
        self.hears_host = hears_host
        self.replica = replica(chain_of(known), confirmed=known)
        self.timers = Timers(4, 5, Timeouts(jitter=0.0), Random(1), 0.0)
        self.timers.follow(0.0, 0, linked=True)
        self.part = Follower(self.replica, 1, 0)
        self.sources = OtherSources(self.replica, self.timers, 0.0)

    def ask(self, now: float, linked: tuple[int, ...] = (0, 1, 2, 3)) -> list[int]:
        if self.hears_host:
            self.timers.hear_host(now)
        effects = self.sources.ask(now, self.part, linked)
        for effect in effects:
            assert isinstance(effect, Send)
            assert effect.message == msgspec.structs.replace(self.part.follows, term=NO_TERM)
        return [effect.operator for effect in effects if isinstance(effect, Send)]

    def hear(
        self, operator: int, entries: tuple[Signed, ...], acks: tuple[Signed, ...]
    ) -> list[Effect]:
        return self.sources.hear(operator, History(entries, acks), self.part, lambda *_: [])


def test_who_knows_more_is_asked_after_a_while_one_after_the_other() -> None:
    guest = Lagging()
    assert guest.ask(0.0) == []
    for operator, confirmed in ((1, 0), (2, 3), (3, 5)):
        guest.sources.hear_of(operator, confirmed)
    assert guest.ask(1.4) == []
    assert guest.ask(1.5) == [2]
    assert guest.ask(2.9) == []
    assert guest.ask(3.0) == [3]
    assert guest.ask(4.5) == [2]
    assert guest.ask(6.0, (0, 1, 3)) == [3]
    assert guest.ask(9.0, (0, 1)) == []
    assert guest.ask(9.0) == []  # a while from now
    assert guest.ask(10.5) == [2]


@pytest.mark.parametrize("is_silent", [False, True])
def test_while_the_host_is_out_of_reach_others_are_asked_at_once(*, is_silent: bool) -> None:
    guest = Lagging(hears_host=False)
    if not is_silent:
        guest.timers.host_is_gone(0.0)
    now = 1.5 if is_silent else 0.5
    guest.sources.hear_of(2, 3)
    assert guest.ask(now) == [2]
    assert guest.ask(now + 1.4) == []  # it has not answered yet
    assert guest.ask(now + 1.5) == [2]


def test_the_host_is_asked_as_a_guest_once_it_is_not_heard() -> None:
    guest = Lagging(hears_host=False)
    guest.sources.hear_of(0, 5)
    guest.timers.hear_host(1.0)
    assert guest.ask(2.0) == []
    guest.ask(2.4)
    assert guest.ask(4.0) == [0]


def test_what_comes_with_a_majority_is_taken() -> None:
    guest = Lagging()
    assert guest.hear(2, TAIL, ACKS) == []  # nobody has asked
    guest.sources.hear_of(2, 5)
    assert guest.ask(1.5) == [2]
    assert guest.hear(3, TAIL, ACKS) == []  # it was not this one
    assert guest.hear(2, TAIL[:3], ()) == []
    effects = guest.hear(2, TAIL[3:5], ACKS)
    taken = [one.entry.seq for one in effects if isinstance(one, StoreEntry)]
    assert taken == [1, 2, 3, 4, 5]
    assert guest.hear(2, TAIL, ACKS) == []  # it has answered
    for seq in taken:
        guest.part.folded(seq, None, None)
    assert answer(guest.replica, asked(2)) == [History(TAIL[2:5], ACKS)]  # it can pass it on


def test_a_false_answer_costs_the_link() -> None:
    guest = Lagging()
    guest.sources.hear_of(2, 5)
    guest.ask(1.5)
    ((cut),) = guest.hear(2, TAIL, ACKS[:2])
    assert isinstance(cut, Cut)
    assert cut.operator == 2
    assert guest.replica.chain.head == 0


def test_a_certificate_of_less_than_we_know_is_no_lie_and_no_news() -> None:
    """The end of an answer to an earlier question looks like one to this question."""
    guest = Lagging(3)
    guest.sources.hear_of(2, 5)
    assert guest.ask(1.5) == [2]
    late = tuple(ack(CHAIN, one, seq) for one, seq in ((0, 4), (1, 2), (2, 4)))
    assert close(TAIL[3:4], late, CHAIN, 3) == (2, ())
    assert guest.hear(2, TAIL[3:4], late) == []
    assert guest.replica.confirmed == 3
    assert guest.ask(3.0) == [2]


@pytest.mark.parametrize("place", [2, 3])
def test_whoever_answers_with_what_we_know_is_not_asked_before_the_others(place: int) -> None:
    """Else a liar, whose old certificate holds, keeps us from all who would show us more."""
    guest = Lagging(3)
    for operator in (1, 2, 3):
        guest.sources.hear_of(operator, 5)
    old = tuple(ack(CHAIN, one, place) for one in (0, 1, 2))
    asked = []
    for beat in range(6):
        asked += guest.ask(1.5 + 1.5 * beat)
        assert not any(isinstance(one, Cut) for one in guest.hear(asked[-1], (), old))
    assert asked == [1, 2, 3, 1, 2, 3]


# What is confirmed is what we hold.


def following(chain: Chain, confirmed: int) -> Follower:
    made = replica(chain, confirmed=confirmed)
    return Follower(made, chain.term, 2)


def test_a_history_that_is_not_taken_confirms_nothing_of_ours() -> None:
    """Somebody has forgotten what it had acknowledged, and a later term hosts: its entries are
    confirmed by nobody, and not by the certificate of what it undoes.
    """
    guest, theirs = following(succeeded(), 2), chain_of(4)
    effects = guest.caught_up(3, 4, [entry.signed for entry in theirs.entries[3:]], ())
    assert not any(isinstance(one, Confirm) for one in effects)
    assert (guest.replica.confirmed, guest.chain.term) == (2, 2)


def test_who_had_the_entries_already_keeps_the_certificate_and_can_show_it() -> None:
    """Else it knows confirmed what it can prove to nobody who holds another history."""
    guest = following(chain_of(4), 2)
    acks = tuple(ack(guest.chain, one, 4) for one in (0, 1, 2))
    guest.caught_up(3, 4, TAIL[2:4], acks)
    assert (guest.replica.confirmed, guest.replica.certified) == (4, 4)
    (message,) = answer(guest.replica, asked(2))
    assert message == History(TAIL[2:4], acks)


def test_what_a_majority_holds_gives_way_to_nothing_though_it_is_not_folded_yet() -> None:
    """A host of a later term shows other entries while we still fold what is confirmed."""
    guest, theirs = following(chain_of(2), 2), chain_of(4)
    guest.caught_up(3, 4, [entry.signed for entry in theirs.entries[3:]], ())
    assert (guest.chain.head, guest.replica.confirmed) == (4, 2)  # nothing of it is folded
    effects = guest.entries([entry.signed for entry in succeeded().entries[3:]])
    assert [one.operator for one in effects if isinstance(one, Cut)] == [2]
    confirmed = [*guest.folded(3, None, None), *guest.folded(4, None, None)]
    assert [one.seq for one in confirmed if isinstance(one, Confirm)] == [4]
    assert guest.chain.hash_at(4) == theirs.hash_at(4)


def test_of_two_majorities_histories_the_second_is_not_taken_and_stops_nobody() -> None:
    """A liar was in both. They are compared once the first one is folded, and confirmed."""
    guest, theirs, later = following(chain_of(2), 2), chain_of(4), succeeded()
    guest.caught_up(3, 4, [entry.signed for entry in theirs.entries[3:]], ())
    head = later.head
    acks = tuple(ack(later, one, head, term=2) for one in (0, 1, 2))
    entries = [entry.signed for entry in later.entries[3:]]
    assert guest.caught_up(1, head, entries, acks) == []
    assert guest.chain.hash_at(4) == theirs.hash_at(4)


def test_what_does_not_hold_costs_who_has_brought_it_its_link_and_not_the_host() -> None:
    guest, theirs = following(chain_of(2), 2), chain_of(2)
    false = order(theirs, said(theirs, 1, 3), signer=CARLA)
    (cut,) = guest.caught_up(3, 3, [false], ())
    assert isinstance(cut, Cut)
    assert cut.operator == 3


def test_a_history_that_is_not_taken_waits_for_nothing_that_our_host_shows() -> None:
    """The majority's entries are of an earlier term than ours, so nothing of them is taken. The
    next entry of our host, of a later term and further on, is no end of that history.
    """
    guest, theirs = following(succeeded(), 2), chain_of(4)
    ours = [entry.hash for entry in guest.chain.entries]
    guest.caught_up(3, 4, [entry.signed for entry in theirs.entries[3:]], ())
    longer = succeeded()
    next_one = longer.extend(CARLA, said(longer, 1, 5))
    guest.entries([next_one.signed])
    assert [entry.hash for entry in guest.chain.entries] == [*ours, next_one.hash]
