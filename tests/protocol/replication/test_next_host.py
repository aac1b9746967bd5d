"""What one host has done is judged though another one hosts by then: nothing that waits for its
judgement goes with a term."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.statements import Authored, Signed
from protocol.messages import (
    Commit,
    Elected,
    Entries,
    Follow,
    Heartbeat,
    History,
    Refused,
    RequestVote,
    Submit,
    Witness,
)
from protocol.replication.effects import Effect, Send
from tests.protocol.journal.signing import FIRST, IDENTITIES, ack, elect, order, refuse, said
from tests.protocol.replication.test_one_honest import BAD, Honest, Liars

LIAR, ME, BERT, CARLA, OTHER = range(5)
"""The first and the last of them lie; Bert and Carla are honest."""


class Guest(Honest):
    """It keeps what it sends."""

    def __init__(self) -> None:
        self.sent: list[Send] = []
        others = LIAR, BERT, CARLA, OTHER
        liars = Liars(Random(1), FIRST, others, careful=True, accuse=True)
        super().__init__(ME, Random(1), liars)

    def do(self, effects: Iterable[Effect]) -> None:
        effects = [*effects]
        self.sent += [one for one in effects if isinstance(one, Send)]
        super().do(effects)

    def sees(self, host: int, chain: Chain, first: int = 1) -> None:
        """This host has it, and was elected if it is not the first."""
        won = [entry.inside for entry in chain.entries[first:] if entry.election is not None]
        for one in won:
            self.hear(host, Elected(one))
        self.hear(host, Entries(tuple(entry.signed for entry in chain.entries[first:])))

    def confirmed_by(self, host: int, chain: Chain, voters: Iterable[int]) -> None:
        acks = tuple(ack(chain, one, chain.head, term=chain.term) for one in voters)
        self.hear(host, Commit(chain.head, acks))

    def spoken(self) -> list[Signed]:
        return [one.message.authored for one in self.sent if isinstance(one.message, Submit)]

    def asked_for_a_vote(self, chain: Chain) -> None:
        """The host wants to be elected anew, in the midst of its term."""
        head = chain.head
        asks = RequestVote(self.machine.term + 1, chain.term, head, chain.hash_at(head), False)
        self.hear(LIAR, asks)

    @property
    def culprit(self) -> int | None:
        """Who is exposed."""
        problem = None if self.ended is None else self.ended.fault
        keys = [one.public for one in IDENTITIES]
        return None if problem is None else keys.index(getattr(problem, "culprit", b""))


def words(count: int) -> Chain:
    """The first host's, who says something itself."""
    chain = Chain(FIRST)
    for number in range(1, count + 1):
        chain.extend(IDENTITIES[LIAR], said(chain, LIAR, number))
    return chain


def upto(chain: Chain, seq: int) -> Chain:
    other = Chain(FIRST)
    for entry in chain.entries[1 : seq + 1]:
        other.append(entry)
    return other


def hosted(chain: Chain, host: int, term: int, voters: tuple[int, ...]) -> Chain:
    """This one is elected where the chain ends."""
    chain.begin_term(IDENTITIES[host], elect(chain, host, term, voters))
    return chain


@pytest.mark.parametrize("asks", [False, True])
def test_a_false_accusation_exposes_whoever_hosts_when_its_examination_ends(asks: bool) -> None:
    guest, chain = Guest(), words(1)
    guest.sees(LIAR, chain)
    guest.work(99)
    innocent = make_accusation(said(chain, CARLA, 1, b"honest"))
    chain.extend(IDENTITIES[LIAR], said(chain, LIAR, 2, innocent))
    guest.sees(LIAR, chain, 2)
    if asks:
        guest.asked_for_a_vote(chain)
        guest.sees(LIAR, hosted(chain, LIAR, 2, (LIAR, ME, OTHER)), 3)
    guest.work(99)
    assert guest.culprit == LIAR


def test_the_verdict_on_one_accusation_is_none_on_another() -> None:
    """Two liars host one after the other. The first rightly accuses the second, and the second
    an honest one, while the first statement is examined.
    """
    guest, chain = Guest(), words(1)
    guest.sees(LIAR, chain)
    guest.work(99)
    other = hosted(upto(chain, 1), OTHER, 2, (LIAR, OTHER, CARLA))
    accused = make_accusation(said(chain, OTHER, 1, BAD))
    chain.extend(IDENTITIES[LIAR], said(chain, LIAR, 2, accused))
    guest.sees(LIAR, chain, 2)
    innocent = make_accusation(said(other, CARLA, 1, b"honest"))
    other.extend(IDENTITIES[OTHER], said(other, OTHER, 2, innocent))
    guest.sees(OTHER, other, 2)
    guest.work(99)
    assert guest.culprit == OTHER


def test_a_next_host_may_confirm_what_is_not_taken_while_an_accusation_is_examined() -> None:
    """Bert was elected by those who have not seen it."""
    guest, chain = Guest(), words(0)
    innocent = make_accusation(said(chain, CARLA, 1, b"honest"))
    chain.extend(IDENTITIES[LIAR], said(chain, LIAR, 1, innocent))
    guest.sees(LIAR, chain)
    theirs = hosted(words(0), BERT, 2, (BERT, CARLA, OTHER))
    theirs.extend(IDENTITIES[BERT], said(theirs, BERT, 1))
    guest.others = {BERT: Honest(BERT, Random(2), guest.liars)}  # whom it must not cut
    guest.sees(BERT, theirs)
    guest.confirmed_by(BERT, theirs, (BERT, CARLA, OTHER))
    guest.work(99)
    assert guest.culprit == LIAR


def test_an_accusation_that_gave_way_is_examined_for_nobody() -> None:
    """What comes before it is illegal, so that it has no place any more; the match goes on."""
    guest, chain = Guest(), words(1)
    chain.extend(IDENTITIES[LIAR], said(chain, LIAR, 2, BAD))
    accused = make_accusation(said(chain, OTHER, 1, BAD))
    chain.extend(IDENTITIES[LIAR], said(chain, LIAR, 3, accused))
    guest.sees(LIAR, chain)
    guest.work(99)
    assert guest.machine.replica.accusation is None
    next_one = hosted(upto(chain, 1), BERT, 2, (BERT, CARLA, OTHER))
    guest.sees(BERT, next_one, 2)
    guest.work(99)
    assert (guest.ended, guest.machine.replica.chain.age) == (None, (2, 2))


@pytest.mark.parametrize("when", ["", "heard", "examined"])
def test_an_unjust_refusal_exposes_who_hosts_no_more(when: str) -> None:
    """`when` it loses its office: heard where nobody can judge yet, or while it is examined."""
    guest, chain = Guest(), words(2)
    guest.sees(LIAR, chain)
    guest.work(99)
    if when == "examined":
        guest.confirmed_by(LIAR, chain, (LIAR, ME, BERT))
        guest.work(99)
    guest.say(7)
    guest.work(99)
    guest.hear(LIAR, Refused(refuse(chain, guest.spoken()[-1])))
    if when == "heard":
        guest.work(99)
        guest.sees(BERT, hosted(chain, BERT, 2, (LIAR, BERT, CARLA)), 3)
        guest.confirmed_by(BERT, chain, (ME, BERT, CARLA))
    elif when == "examined":
        guest.asked_for_a_vote(chain)
    else:
        guest.confirmed_by(LIAR, chain, (LIAR, ME, BERT))
    guest.work(99)
    assert guest.culprit == LIAR


@pytest.mark.parametrize("asks", [False, True])
def test_a_certificate_that_waits_for_our_folds_reaches_the_disk(asks: bool) -> None:
    """Before what we say of the entry: else we say what we cannot know after a restart."""
    guest, chain = Guest(), words(2)
    guest.sees(LIAR, chain)
    guest.confirmed_by(LIAR, chain, (LIAR, BERT, CARLA))
    if asks:
        guest.asked_for_a_vote(chain)
    guest.work(99)
    guest.sees(BERT, hosted(chain, BERT, 3, (BERT, CARLA, OTHER)), 3)
    guest.work(99)
    guest.say(7)
    guest.work(99)
    (word,) = {one.content for one in guest.spoken()}
    assert Signed(word, b"").read(Authored).ancestor == chain.hash_at(2)
    assert guest.certificate


@pytest.mark.parametrize("hides", [False, True])
def test_one_illegal_order_hides_no_other(hides: bool) -> None:
    """Of two terms. The first can be judged once the entry before it is confirmed."""
    guest, chain = Guest(), words(2)
    guest.sees(LIAR, chain)
    guest.hear(LIAR, Entries((order(chain, said(chain, LIAR, 3, BAD)),)))
    guest.work(99)
    if hides:
        other = hosted(upto(chain, 2), OTHER, 2, (LIAR, OTHER, CARLA))
        other.extend(IDENTITIES[OTHER], said(other, OTHER, 1, BAD))
        guest.sees(OTHER, other, 3)
        guest.work(99)
    guest.sees(BERT, hosted(chain, BERT, 3, (ME, BERT, CARLA)), 3)
    guest.work(99)
    guest.confirmed_by(BERT, chain, (ME, BERT, CARLA))
    assert guest.culprit == LIAR


@pytest.mark.parametrize("second", [b"legal", BAD + b" too"])
def test_who_orders_another_entry_in_the_place_of_a_refused_one_is_exposed(
    second: bytes,
) -> None:
    """The refused one is in our journal no more, and its host's signature is."""
    guest, chain = Guest(), words(2)
    first = order(chain, said(chain, LIAR, 3, BAD))
    guest.sees(LIAR, chain)
    guest.hear(LIAR, Entries((first,)))
    guest.work(99)
    assert guest.ended is None
    guest.sees(LIAR, chain)
    guest.hear(LIAR, Entries((first,)))  # the same once more is no second one
    guest.work(99)
    assert guest.ended is None
    guest.hear(LIAR, Entries((order(chain, said(chain, OTHER, 1, second)),)))
    assert guest.culprit == LIAR


def test_of_a_body_that_was_judged_only_the_verdict_is_kept() -> None:
    """Whoever hosts could fill a laptop's memory with illegal orders, a link for each."""
    replica = Guest().machine.replica
    replica.note_verdict(1, LIAR, bytes(250_000), "illegal")
    assert [len(body) for _, _, body in replica._verdicts] == [32]


@pytest.mark.parametrize("named", [3, 1])
def test_what_a_majority_has_signed_stays_whatever_number_the_host_names(named: int) -> None:
    """Else two liars could elect another host with an honest one who was never shown it."""
    guest, chain = Guest(), words(3)
    guest.sees(LIAR, chain)
    guest.work(99)
    acks = tuple(ack(chain, one, 3) for one in (LIAR, ME, BERT))
    guest.hear(LIAR, Commit(named, acks))
    guest.work(99)
    assert guest.machine.replica.confirmed == 3


def test_what_comes_back_was_shown_by_an_earlier_host() -> None:
    """The host's history is illegal, and what it took the place of is newer than the rest of
    it. That is acknowledged to nobody in this term.
    """
    guest = Guest()
    earlier = hosted(Chain(FIRST), BERT, 3, (LIAR, BERT, CARLA))
    for number in (1, 2):
        earlier.extend(IDENTITIES[BERT], said(earlier, LIAR, number))
    later = hosted(Chain(FIRST), LIAR, 2, (LIAR, CARLA, OTHER))
    later.extend(IDENTITIES[LIAR], said(later, LIAR, 1))
    later.extend(IDENTITIES[LIAR], said(later, LIAR, 2, BAD))
    hosted(later, OTHER, 4, (LIAR, CARLA, OTHER))
    guest.sees(BERT, earlier)
    guest.work(99)
    guest.wait(0.5)
    guest.said.clear()
    guest.sees(OTHER, later)
    guest.work(99)
    assert guest.machine.replica.chain.age == (3, 3)
    for _ in range(4):
        guest.wait(0.5)
        guest.work(99)
    assert not [one for one in guest.said if later.place_of(one.hash) is None]


@pytest.mark.parametrize("before", [False, True])
def test_a_history_is_judged_again_beside_another_hosts(before: bool) -> None:
    """Bert holds what a majority had signed, the liars among it. One of them has forgotten it
    for a history of its own, and both for the next one, which is confirmed.
    """
    guest, berts = Guest(), words(3)
    acks = tuple(ack(berts, one, 3) for one in (LIAR, BERT, OTHER))
    first = hosted(upto(berts, 2), LIAR, 2, (LIAR, ME, CARLA))
    first.extend(IDENTITIES[LIAR], said(first, LIAR, 3, b"else"))
    second = hosted(Chain(FIRST), OTHER, 3, (LIAR, CARLA, OTHER))
    for number in (1, 2):
        second.extend(IDENTITIES[OTHER], said(second, LIAR, number, b"else"))

    def asks_bert(chain: Chain) -> None:
        """For a while Bert says where he is, and answers."""
        for _ in range(30):
            guest.sent.clear()
            guest.hear(BERT, Heartbeat(1, False, 3, 3, berts.hash_at(3)))
            host = chain.host_index(chain.term)
            guest.hear(host, Heartbeat(chain.term, True, chain.head, 0, chain.hash_at(0)))
            guest.wait(0.5)
            guest.work(99)
            for one in guest.sent:  # it asks on meanwhile
                if one.operator != BERT or not isinstance(one.message, Follow):
                    continue
                asked = one.message
                if asked.term == 0 and berts.place_of(asked.hash) == asked.confirmed:
                    rest = [entry.signed for entry in berts.entries[asked.confirmed + 1 :]]
                    guest.hear(BERT, History(tuple(rest), acks))
                elif asked.term == 0:
                    guest.hear(BERT, Witness(berts.entries[asked.confirmed].signed))

    guest.sees(LIAR, first)
    guest.work(99)
    if before:
        asks_bert(first)
        assert guest.suspects == {LIAR}
    guest.sees(OTHER, second)
    guest.confirmed_by(OTHER, second, (LIAR, CARLA, OTHER))
    guest.work(99)
    assert guest.machine.replica.confirmed == second.head
    asks_bert(second)
    assert guest.suspects == {LIAR, OTHER}


def test_a_host_that_shows_more_than_anybody_follows_loses_its_link() -> None:
    """And sends nobody home."""
    guest, chain = Guest(), Chain(FIRST)
    for number in range(1, 4200):
        chain.extend(IDENTITIES[LIAR], said(chain, LIAR, number))
    guest.sees(LIAR, chain)
    guest.work(9999)
    assert guest.ended is None
    assert 4000 < guest.machine.replica.folded < chain.head
    guest.sees(LIAR, chain, 4000)  # on the next link it goes on
    guest.work(9999)
    assert guest.machine.replica.folded == chain.head


def test_what_a_majority_has_signed_is_taken_however_long_it_is() -> None:
    guest, chain = Guest(), Chain(FIRST)
    for number in range(1, 4200):
        chain.extend(IDENTITIES[LIAR], said(chain, LIAR, number))
    head, acks = chain.head, tuple(ack(chain, one, chain.head) for one in (LIAR, BERT, CARLA))
    for _ in range(8):
        guest.hear(CARLA, Heartbeat(1, False, head, head, chain.hash_at(head)))
        guest.wait(0.5)
    for first in range(1, chain.head + 1, 240):
        part = tuple(entry.signed for entry in chain.entries[first : first + 240])
        guest.hear(CARLA, History(part, acks if first + 240 > head else ()))
    guest.work(9999)
    assert (guest.ended, guest.machine.replica.confirmed) == (None, head)
