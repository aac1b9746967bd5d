"""A host's debts to one operator, and when it is suspected for them. Seconds are the test's."""

from __future__ import annotations

from random import Random

import pytest

from protocol.application import Contribution
from protocol.errors import BadSignature
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.statements import NO_ANCESTOR, Ordered, Signed, entry_hash
from protocol.messages import Follow, Refused, Submit, Witness
from protocol.replication.effects import (
    Clear,
    Cut,
    Effect,
    Fail,
    Reject,
    Send,
    StoreEntry,
    Suspect,
)
from protocol.replication.follower import Follower
from protocol.replication.host_watch import GRACE, HostWatch
from protocol.replication.intake import Intake
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts, Timers
from protocol.wire.codec import encode
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    DORA,
    EMIL,
    ack,
    chain_of,
    elect,
    order,
    refuse,
    said,
)

ME, HOST = 4, 0
ALL = (0, 1, 2, 3)


class Guest:
    """Operator 4 under host 0, which it hears all the time."""

    def __init__(self, entries: int = 0, confirmed: int = 0) -> None:
        chain = chain_of(entries)
        self.replica = Replica(identity=EMIL, me=ME, chain=chain)
        self.replica.confirmed = confirmed
        self.timers = Timers(ME, 5, Timeouts(jitter=0.0), Random(1), 0.0)
        self.timers.follow(0.0, HOST, linked=True)
        self.watch = HostWatch(self.replica, self.timers, 0.0)
        self.watch.begin(0.0, HOST)
        self.part = Follower(self.replica, 1, HOST)
        self.part.connected()

    @property
    def chain(self) -> Chain:
        return self.replica.chain

    def hold(self, seq: int) -> None:
        """Our disk and our game have everything up to here."""
        self.replica.stored = self.replica.folded = seq

    def tend(self, now: float, linked: tuple[int, ...] = ALL) -> list[Effect]:
        self.timers.hear_host(now)
        return self.watch.tend(now, self.part, linked)

    def suspects(self, now: float, linked: tuple[int, ...] = ALL) -> list[Effect]:
        """What of it is about suspicion."""
        return [one for one in self.tend(now, linked) if isinstance(one, Suspect | Clear)]

    def say(self, now: float) -> Signed:
        (submission,) = self.replica.outbox.write(
            (Contribution(key=b"%f" % now, body=b"b"),), self.chain.hash_at(0)
        )
        self.replica.outbox.kept((submission.counter,))
        return submission.authored

    def hear_word(self, now: float, operator: int, signed: Signed) -> list[Effect]:
        return self.watch.hear_word(now, operator, signed, self.part)


SUSPECTED = Suspect(HOST, "withholds", ME)


def to(effects: list[Effect], kind: type[object]) -> list[int]:
    return [e.operator for e in effects if isinstance(e, Send) and isinstance(e.message, kind)]


def test_a_host_that_does_its_duty_is_not_suspected() -> None:
    guest = Guest(entries=3, confirmed=3)
    guest.watch.hear(3, 3)
    assert not any(guest.tend(now / 2) for now in range(100))


def test_our_own_word_is_shown_to_all_and_the_host_suspected() -> None:
    guest = Guest()
    assert guest.tend(1.4) == []
    word = guest.say(1.5)
    assert guest.tend(1.5) == []
    assert guest.tend(2.9) == []
    shown = guest.tend(3.0)
    assert shown == [Send(one, Submit(word)) for one in (1, 2, 3)]
    assert guest.tend(4.4) == []
    assert to(guest.tend(4.5), Submit) == [1, 2, 3]
    assert guest.suspects(6.4) == []
    assert guest.suspects(6.5) == [SUSPECTED]
    assert guest.timers.is_distrusted
    assert guest.suspects(7.0) == []  # said once
    entry = guest.chain.check(order(guest.chain, word))
    assert entry is not None
    guest.replica.take(entry)
    guest.replica.note_ours(entry)
    guest.replica.confirmed = 1
    assert guest.suspects(7.5) == [Clear(HOST)]
    assert not guest.timers.is_distrusted


def test_while_the_host_is_out_of_reach_our_own_word_is_shown_at_once() -> None:
    """It goes to others, and to the host by way of them; again after a while, as always."""
    guest = Guest()
    guest.timers.host_is_gone(0.0)
    word = guest.say(0.5)
    assert guest.tend(0.5, ()) == []  # nobody hears it
    assert guest.tend(0.6, (1, 2)) == [Send(one, Submit(word)) for one in (1, 2)]
    assert guest.tend(1.5, (1, 2)) == []
    later = guest.say(1.6)
    assert guest.tend(1.6, (1, 2)) == [Send(one, Submit(later)) for one in (1, 2)]
    shown = guest.tend(3.2, (1, 2))
    assert shown == [Send(one, Submit(each)) for each in (word, later) for one in (1, 2)]
    guest.timers.is_host_gone = False
    guest.say(3.3)
    assert guest.tend(3.3) == []  # the host hears it from us


def test_a_host_that_is_not_heard_or_not_linked_is_not_suspected() -> None:
    """It is looked for another one anyway."""
    guest = Guest()
    guest.say(0.0)
    guest.tend(0.0)
    guest.watch.tend(60.0, guest.part, ALL)
    assert guest.watch.distrust.suspected is None
    assert guest.suspects(61.0, (1, 2, 3)) == []
    assert guest.suspects(62.0) == [SUSPECTED]


def test_anothers_word_is_held_brought_and_missed() -> None:
    guest = Guest()
    word = said(guest.chain, 3, 1)
    assert guest.hear_word(1.0, 3, word) == []
    assert guest.tend(1.0) == [Send(HOST, Submit(word))]
    assert guest.tend(2.4) == []
    assert guest.tend(2.5) == [Send(HOST, Submit(word))]
    assert guest.suspects(5.9) == []
    assert guest.suspects(6.0) == [Suspect(HOST, "withholds", 3)]


def test_a_false_word_costs_its_teller_the_link() -> None:
    guest = Guest()
    (cut,) = guest.hear_word(0.0, 2, said(guest.chain, 3, 1, signer=BERT))
    assert isinstance(cut, Cut)
    assert cut.operator == 2
    assert isinstance(cut.fault, BadSignature)


def test_own_words_the_hosts_and_accusations_are_not_held() -> None:
    guest = Guest()
    accusation = make_accusation(said(guest.chain, 2, 1))
    for signed in (
        said(guest.chain, ME, 9),
        said(guest.chain, HOST, 1),
        said(guest.chain, 3, 1, accusation),
    ):
        guest.hear_word(0.0, 3, signed)
    assert guest.tend(1.0) == []


def test_words_are_brought_once_we_have_an_entry_of_the_hosts_term() -> None:
    guest = Guest()
    guest.hear_word(0.0, 3, said(guest.chain, 3, 1))
    guest.part = Follower(guest.replica, 2, HOST)
    assert to(guest.tend(1.0), Submit) == []


def test_a_refusal_of_anothers_word_is_passed_on_to_its_author() -> None:
    guest = Guest(entries=2)
    word = said(guest.chain, 3, 1)
    guest.hear_word(0.0, 3, word)
    refusal = refuse(guest.chain, word, author=3)
    for wrong in (
        refuse(guest.chain, word, author=3, signer=DORA),
        refuse(guest.chain, said(guest.chain, 3, 2), author=3),
    ):
        assert guest.watch.hear_refusal(wrong, guest.part) == []
    assert guest.watch.hear_refusal(refusal, Follower(guest.replica, 1, None)) == []
    assert guest.watch.hear_refusal(refusal, guest.part) == [Send(3, Refused(refusal))]
    assert guest.watch.hear_refusal(refusal, guest.part) == []
    assert guest.tend(1.0) == []


def test_a_refusal_of_our_own_reaches_the_game() -> None:
    guest = Guest(entries=2)
    word = guest.say(0.0)
    refusal = refuse(guest.chain, word, author=ME, counter=1)
    effects = guest.watch.hear_refusal(refusal, guest.part)
    assert [one.code for one in effects if isinstance(one, Reject)] == ["no"]


def test_a_refusal_in_anothers_term_says_nothing_of_that_one() -> None:
    """Anna ordered it in term 1. Bert, who hosts in term 2, signs that term 1 refused it."""
    guest = Guest(entries=2)
    word = guest.say(0.0)
    entry = guest.chain.check(order(guest.chain, word))
    assert entry is not None
    guest.replica.take(entry)
    guest.replica.note_ours(entry)
    refusal = refuse(guest.chain, word, author=ME, counter=1, signer=BERT)
    assert guest.watch.hear_refusal(refusal, Follower(guest.replica, 2, 1)) == []


@pytest.mark.parametrize(("head", "confirmed"), [(3, 2), (4, 3)])
def test_a_host_that_keeps_entries_or_confirmations_back_is_asked_and_suspected(
    head: int, confirmed: int
) -> None:
    guest = Guest(entries=3, confirmed=3 if head == 4 else 1)
    guest.tend(0.0)
    guest.watch.hear(head, confirmed)
    assert guest.tend(1.0) == []
    assert to(guest.tend(1.5), Follow) == [HOST]
    assert to(guest.tend(2.9), Follow) == []
    assert to(guest.tend(3.0), Follow) == [HOST]
    assert guest.suspects(4.9) == []
    assert guest.suspects(5.0) == [SUSPECTED]


def test_what_comes_bit_by_bit_is_no_debt() -> None:
    guest = Guest(entries=1, confirmed=1)
    guest.watch.hear(90, 1)
    for step in range(1, 20):
        now = step * 1.4
        entry = guest.chain.check(order(guest.chain, said(guest.chain, 1, step + 1)))
        assert entry is not None
        guest.replica.take(entry)
        guest.replica.confirmed = step  # all but the newest
        assert guest.tend(now) == [], now


def test_entries_that_nobody_confirms_are_a_debt() -> None:
    guest = Guest(entries=3, confirmed=2)
    guest.watch.hear(3, 2)
    guest.tend(0.0)
    assert guest.suspects(4.9) == []
    assert guest.suspects(5.0) == [SUSPECTED]
    guest.replica.confirmed = 3
    assert guest.suspects(5.5) == [Clear(HOST)]


def test_an_entry_that_is_not_confirmed_is_shown_to_all() -> None:
    """Perhaps the host has shown it to us alone: then nobody else knows what it owes."""
    guest = Guest(entries=4, confirmed=2)
    shown = Witness(guest.chain.entries[3].signed)
    assert guest.tend(1.4) == []
    assert guest.tend(1.5) == [Send(one, shown) for one in (1, 2, 3)]
    assert guest.tend(2.9) == []
    assert to(guest.tend(3.0), Witness) == [1, 2, 3]
    guest.replica.confirmed = 4
    assert guest.tend(4.5) == []


def test_before_anything_is_confirmed_there_may_be_nothing_to_show() -> None:
    guest = Guest(confirmed=-1)
    assert to(guest.tend(2.0), Witness) == []


def test_an_entry_of_the_host_counts_whoever_shows_it() -> None:
    guest = Guest(entries=1, confirmed=1)
    chain = guest.chain
    first = order(chain, said(chain, 1, 2))
    later = order(chain, said(chain, 1, 2), seq=3, previous=chain.hash_at(1))
    false = order(chain, said(chain, 1, 2), signer=DORA)
    elected = order(chain, elect(chain, 2), term=2, signer=CARLA)  # not our host's
    for other in (chain.entries[1].signed, later, false, elected):
        assert guest.watch.hear_entry(other, guest.part) == []
    unhosted = Follower(guest.replica, 1, None)
    assert guest.watch.hear_entry(first, unhosted) == []
    assert guest.watch.hear_entry(first, Leader(guest.replica, 1)) == []
    assert chain.head == 1
    stored, *_ = guest.watch.hear_entry(first, guest.part)
    assert isinstance(stored, StoreEntry)
    assert chain.head == 2


def test_a_host_owes_its_election() -> None:
    """Until it has come we can say nothing; and others may be shown it."""
    guest = Guest(entries=1, confirmed=1)
    guest.watch.begin(1.0, HOST)
    guest.part = Follower(guest.replica, 2, HOST)
    guest.tend(1.0)
    assert to(guest.tend(2.5), Follow) == [HOST]
    assert guest.suspects(5.9) == []
    assert guest.suspects(6.0) == [SUSPECTED]


def test_what_was_confirmed_long_ago_starts_no_debt_of_its_own() -> None:
    """The time runs from when the newest entry came, not from when we last were behind."""
    guest = Guest(entries=1, confirmed=1)
    assert guest.tend(30.0) == []
    entry = guest.chain.check(order(guest.chain, said(guest.chain, 1, 2)))
    assert entry is not None
    guest.replica.take(entry)
    guest.hold(2)
    assert guest.suspects(30.5) == []
    assert guest.suspects(34.9) == []
    assert guest.suspects(35.0) == [SUSPECTED]


@pytest.mark.parametrize("slow", ["disk", "game"])
def test_what_waits_for_our_own_laptop_is_no_debt_of_the_hosts(slow: str) -> None:
    """We have not acknowledged it, and perhaps nobody else is there to confirm it."""
    guest = Guest(entries=1, confirmed=1)
    entry = guest.chain.check(order(guest.chain, said(guest.chain, 1, 2)))
    assert entry is not None
    guest.replica.take(entry)
    guest.watch.hear(2, 1)
    guest.hold(2)
    setattr(guest.replica, "stored" if slow == "disk" else "folded", 1)
    for moment in range(30):
        assert guest.suspects(float(moment)) == []
    guest.hold(2)
    assert guest.suspects(30.0) == []
    assert guest.suspects(33.9) == []
    assert guest.suspects(34.0) == [SUSPECTED]  # since we last knew it to be ours


def test_what_is_shown_confirmed_and_waits_for_our_game_is_no_debt_either() -> None:
    guest = Guest(entries=3, confirmed=1)
    guest.replica.folded = 2
    guest.watch.hear(3, 3)
    guest.part.commit(3, tuple(ack(guest.chain, one, 3) for one in (0, 1, 2)))
    for moment in range(30):
        assert guest.suspects(float(moment)) == []


def test_a_refusal_that_was_signed_for_another_match_is_none() -> None:
    """Everybody else would find that it proves nothing, and go on with the liar."""
    guest = Guest()
    word = guest.say(0.0)
    entry = guest.chain.check(order(guest.chain, word))
    assert entry is not None
    guest.replica.take(entry)
    guest.replica.note_ours(entry)
    elsewhere = refuse(guest.chain, word, author=ME, match=bytes(32))
    assert guest.watch.hear_refusal(elsewhere, guest.part) == []
    here = refuse(guest.chain, word, author=ME)
    (fail,) = guest.watch.hear_refusal(here, guest.part)
    assert isinstance(fail, Fail)


def test_who_misleads_is_suspected_until_it_confirms_something() -> None:
    guest = Guest(entries=3, confirmed=3)
    guest.watch.mislead()
    assert guest.watch.is_misled
    assert guest.suspects(0.1, (1, 2)) == [SUSPECTED]  # its link was cut
    assert guest.suspects(9.0) == []
    entry = guest.chain.check(order(guest.chain, said(guest.chain, 1, 4)))
    assert entry is not None
    guest.replica.take(entry)
    guest.replica.confirmed = 4
    assert guest.suspects(9.5) == [Clear(HOST)]
    assert not guest.watch.is_misled


def test_who_hosts_no_more_owes_nothing() -> None:
    guest = Guest(entries=3, confirmed=3)
    assert guest.watch.excuse(0.2) == []
    guest.watch.mislead()
    guest.suspects(0.1)
    assert guest.watch.excuse(0.2) == [Clear(HOST)]
    assert not guest.watch.is_misled
    assert guest.watch.excuse(0.2) == []


def test_a_link_that_is_there_again_gives_time_but_not_again_and_again() -> None:
    guest = Guest()
    guest.say(0.0)
    guest.tend(0.0)
    guest.watch.come_back(4.0)  # too soon after it began
    assert guest.suspects(5.0) == [SUSPECTED]
    other = Guest()
    other.tend(18.0)
    other.say(18.0)
    other.tend(18.0)
    other.watch.come_back(GRACE)
    assert other.suspects(GRACE + 4.9) == []
    assert other.suspects(GRACE + 5.0) == [SUSPECTED]


def test_another_host_is_given_its_time_and_forgiven_what_the_last_one_did() -> None:
    guest = Guest()
    guest.say(0.0)
    guest.hear_word(0.0, 3, said(guest.chain, 3, 1))
    guest.hear_word(0.0, 2, said(guest.chain, 2, 1))
    guest.tend(0.0)
    guest.watch.mislead()
    guest.watch.begin(4.0, 3)
    assert not guest.watch.is_misled
    assert guest.replica.unanswered.take() == (said(guest.chain, 2, 1),)
    assert guest.suspects(8.9) == []
    assert guest.suspects(9.0) == [SUSPECTED]


def test_nobody_is_suspected_where_nobody_hosts() -> None:
    guest = Guest()
    word = guest.say(0.0)
    guest.part = Follower(guest.replica, 1, None)
    guest.watch.tend(0.0, guest.part, ALL)
    effects = guest.watch.tend(9.0, guest.part, ALL)
    assert effects == [Send(one, Submit(word)) for one in ALL]  # perhaps they follow somebody


def test_refusals_of_what_we_never_said_are_not_kept() -> None:
    """A host could sign any number of them, for places that never come."""
    guest = Guest(entries=2)
    chain, ours = guest.chain, guest.say(0.0)
    held = guest.part._answers._early
    for number in range(20):
        false = refuse(
            chain, ours, author=ME, place=9, hashed=bytes(32), refused=bytes([number]) * 32
        )
        assert guest.watch.hear_refusal(false, guest.part) == []
    assert not held
    early = refuse(chain, ours, author=ME, place=9, hashed=bytes(32))
    assert guest.watch.hear_refusal(early, guest.part) == []
    assert len(held) == 1


def test_who_foretells_an_ancestor_makes_no_host_suspected() -> None:
    """Who says the next statement can compute the hash of its entry. The host lacks that
    ancestor, and says so; once the entry stands, it answers anew.
    """
    chain = chain_of(2)
    host = Intake(Replica(identity=ANNA, me=HOST, chain=chain), 1)
    word = said(chain, 3, 1)
    coming = Ordered(1, chain.head + 1, chain.hash_at(chain.head), word.content, word.signature)
    early = said(chain, 3, 2, ancestor=entry_hash(encode(coming)))
    statement = chain.check_authored(early)
    assert host.misplaced(statement) == NO_ANCESTOR
    host.refused.refuse(statement, early, NO_ANCESTOR)
    entry = chain.extend(ANNA, word)
    assert entry.hash == statement.ancestor
    assert host.take(statement, early, 4) is None  # its turn comes
    placed = chain.extend(ANNA, early)

    guest = Guest(entries=2, confirmed=2)
    guest.replica.take(guest.chain.check(entry.signed) or entry)
    guest.hold(3)
    guest.watch.hear(3, 3)
    assert guest.hear_word(0.0, 3, early) == []
    guest.replica.take(guest.chain.check(placed.signed) or placed)
    guest.replica.confirmed = 4
    guest.hold(4)
    guest.watch.hear(4, 4)
    told = [effect for beat in range(40) for effect in guest.tend(beat / 2)]
    assert not [effect for effect in told if isinstance(effect, Suspect | Fail)]
