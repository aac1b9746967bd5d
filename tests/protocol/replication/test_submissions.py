"""What waits at a host, what it refuses, and what it sends to whom."""

from __future__ import annotations

import pytest

from protocol.application import Contribution
from protocol.errors import Excessive
from protocol.journal.chain import Chain
from protocol.journal.statements import DOMAIN_REFUSAL, Authored, Refusal, Signed, unseal
from protocol.messages import MAX_BATCH, Commit, Entries, Refused
from protocol.replication.delivery import (
    BATCH_ENTRIES,
    COMPANY,
    WINDOW,
    Delivery,
    Listening,
    next_batch,
)
from protocol.replication.effects import Effect, Reject, Send, StoreRefusal
from protocol.replication.intake import (
    MAX_REFUSED,
    MAX_WAITING,
    Intake,
    PendingSubmissions,
    RefusedSubmissions,
)
from protocol.replication.replica import Replica
from tests.protocol.journal.signing import (
    ANNA,
    FIRST,
    ack,
    chain_of,
    said,
)


def host(chain: Chain) -> Replica:
    return Replica(identity=ANNA, me=0, chain=chain)


def word(author: int, counter: int) -> tuple[Authored, Signed]:
    chain = chain_of()
    signed = said(chain, author, counter)
    return chain.check_authored(signed), signed


# Waiting.


def test_each_has_its_turn_in_the_order_in_which_they_came() -> None:
    waiting = PendingSubmissions()
    items = [word(2, 1), word(1, 1), word(2, 2)]
    for item in items:
        waiting.enter(*item, item[0].author)
    assert len(waiting) == 3
    assert waiting.find(2, 2) == items[2][1]
    assert waiting.find(2, 3) is None
    assert waiting.of(2) == {1: items[0][1], 2: items[2][1]}
    assert waiting.call(()) == items[0]
    assert len(waiting) == 3  # it has its turn
    waiting.leave(items[0][0])
    assert len(waiting) == 2
    assert waiting.call({1}) == items[2]  # who may be accused waits
    assert waiting.call({1}) is None
    assert waiting.call(()) == items[1]
    assert waiting.call(()) is None


def test_nobody_has_a_turn_after_an_accusation() -> None:
    waiting = PendingSubmissions()
    waiting.enter(*word(1, 1), 1)
    waiting.turn_away()
    assert waiting.call(()) is None
    assert waiting.find(1, 1) is not None
    waiting.enter(*word(1, 2), 1)
    waiting.empty()
    assert waiting.call(()) is None
    assert waiting.find(1, 1) is None


def test_so_much_of_one_author_waits() -> None:
    waiting = PendingSubmissions()
    for counter in range(1, MAX_WAITING):
        waiting.enter(*word(1, counter), 1)
    waiting.check_excess(1)
    waiting.enter(*word(1, MAX_WAITING), 1)
    with pytest.raises(Excessive):
        waiting.check_excess(1)
    waiting.check_excess(2)
    waiting.leave(word(1, 1)[0])
    waiting.check_excess(1)


def test_nobody_fills_the_line_of_another() -> None:
    """Who brings a liar's word has an answer, however many others have brought."""
    waiting = PendingSubmissions()
    for counter in range(1, MAX_WAITING + 1):
        assert not waiting.is_crowded(1, 2)
        waiting.enter(*word(1, counter), 2)
    assert waiting.is_crowded(1, 2)
    assert not waiting.is_crowded(1, 0)
    waiting.check_excess(1)
    waiting.leave(word(1, 3)[0])
    assert not waiting.is_crowded(1, 2)


def test_what_an_accomplice_brings_keeps_no_honest_operator_out() -> None:
    intake = Intake(host(chain_of()), 1)
    for counter in range(1, MAX_WAITING + 1):
        assert intake.take(*word(1, counter), teller=2) is None
    last = MAX_WAITING + 1
    assert intake.take(*word(1, last), teller=2) == []
    assert intake.waiting.find(1, last) is None
    assert intake.take(*word(1, last), teller=0) is None
    assert intake.waiting.find(1, last) is not None
    assert intake.take(*word(1, last + 1), teller=1) is None  # its author has its own line too


def test_words_of_a_liar_that_were_here_before_have_a_line_too() -> None:
    intake = Intake(host(chain_of()), 1)
    for counter in range(1, MAX_WAITING + 1):
        assert intake.take(*word(1, counter), teller=None) is None
    assert intake.take(*word(1, MAX_WAITING + 1), teller=None) == []


# Refusing.


def told(effects: list[Effect]) -> list[int]:
    return [one.operator for one in effects if isinstance(one, Send)]


def test_a_refusal_names_the_newest_entry_and_goes_to_who_brought_it() -> None:
    chain = chain_of(2)
    rejected = RefusedSubmissions(host(chain), 7)
    statement, signed = word(2, 1)
    rejected.brought(statement, 4)
    rejected.brought(statement, 3)
    effects = rejected.refuse(statement, signed, "stale")
    stored, *_ = effects
    assert isinstance(stored, StoreRefusal)
    refusal = unseal(stored.refusal, Refusal, DOMAIN_REFUSAL, ANNA.public)
    assert (refusal.term, refusal.author, refusal.counter, refusal.code) == (7, 2, 1, "stale")
    assert (refusal.place, refusal.entry) == (2, chain.hash_at(2))
    assert told(effects) == [2, 3, 4]
    assert told(rejected.refuse(*word(2, 2), "stale")) == [2]


def test_the_same_bytes_have_the_same_answer() -> None:
    rejected = RefusedSubmissions(host(chain_of()), 1)
    statement, signed = word(2, 1)
    assert rejected.answer(statement, signed, 2) is None
    (_, sent) = rejected.refuse(statement, signed, "stale")
    assert rejected.answer(statement, signed, 2) == [sent]
    assert told(rejected.answer(statement, signed, 3) or []) == [2, 3]
    assert told(rejected.answer(statement, signed, None) or []) == [2]
    assert told(rejected.answer(statement, signed, 0) or []) == [2]  # we know it
    assert rejected.answer(*word(2, 2), 2) is None


def test_who_comes_back_is_told_what_it_does_not_know() -> None:
    rejected = RefusedSubmissions(host(chain_of()), 1)
    for author, counter in ((2, 1), (2, 2), (3, 3), (2, 4)):
        rejected.refuse(*word(author, counter), "stale")
    counters = []
    for effect in rejected.since(2, 1):
        assert isinstance(effect, Send)
        assert effect.operator == 2
        assert isinstance(effect.message, Refused)
        content = effect.message.refusal
        counters.append(unseal(content, Refusal, DOMAIN_REFUSAL, ANNA.public).counter)
    assert counters == [2, 4]


def test_the_newest_refused_word_of_each_is_remembered() -> None:
    rejected = RefusedSubmissions(host(chain_of()), 1)
    assert rejected.newest.get(2) is None
    for counter in (1, 3, 2):
        rejected.refuse(*word(2, counter), "stale")
    assert rejected.newest.get(2) == (3, word(2, 3)[1])


def test_our_own_game_is_told_without_a_message() -> None:
    replica = host(chain_of())
    (submission,) = replica.outbox.write((Contribution(key=b"k", body=b"b"),), bytes(32))
    rejected = RefusedSubmissions(replica, 1)
    statement = replica.chain.check_authored(submission.authored)
    stored, reject = rejected.refuse(statement, submission.authored, "stale")
    assert isinstance(stored, StoreRefusal)
    assert reject == Reject(b"k", 1, "stale")


def test_so_much_of_one_author_is_refused() -> None:
    rejected = RefusedSubmissions(host(chain_of()), 1)
    statement, signed = word(2, 1)
    for _ in range(MAX_REFUSED - 1):
        rejected.refuse(statement, signed, "stale")
    rejected.check_excess(2, 2)
    rejected.refuse(statement, signed, "stale")
    with pytest.raises(Excessive):
        rejected.check_excess(2, 2)
    rejected.check_excess(3, 3)


def test_so_much_of_one_author_may_another_bring() -> None:
    """What others brought was counted nowhere, and an accomplice filled the disk."""
    rejected = RefusedSubmissions(host(chain_of()), 1)
    statement, signed = word(2, 1)
    for _ in range(MAX_REFUSED):
        rejected.check_excess(2, 3)
        rejected.brought(statement, 3)
        rejected.refuse(statement, signed, "stale")
    with pytest.raises(Excessive):
        rejected.check_excess(2, 3)
    rejected.check_excess(2, 4)  # who brought none of them
    rejected.check_excess(3, 3)


# Sending.


def grown(count: int, size: int = 4) -> Chain:
    chain = Chain(FIRST)
    for counter in range(1, count + 1):
        chain.extend(ANNA, said(chain, 1, counter, bytes(size)))
    return chain


def test_a_batch_fits_one_message_and_holds_one_entry_at_least() -> None:
    chain = grown(4, 30_000)
    assert len(next_batch(chain, 0, 4)) == 2
    assert len(next_batch(chain, 2, 3)) == 1
    assert next_batch(chain, 4, 4) == ()
    large = grown(2, MAX_BATCH + 1)
    assert next_batch(large, 0, 2) == (large.entries[1].signed,)
    many = grown(BATCH_ENTRIES + 1)
    assert len(next_batch(many, 0, BATCH_ENTRIES + 1)) == BATCH_ENTRIES


def test_a_batch_counts_what_surrounds_an_entry() -> None:
    """64 KiB with 80 bytes for each: exactly so many are sent together."""
    chain = grown(2, 30_000)
    rest = MAX_BATCH - len(chain.entries[1].signed.content) - 2 * 80
    head = len(chain.entries[2].signed.content) - 30_000
    for more, together in ((0, 2), (1, 1)):
        other = grown(1, 30_000)
        other.extend(ANNA, said(other, 1, 2, bytes(rest - head + more)))
        assert len(other.entries[2].signed.content) == rest + more
        assert len(next_batch(other, 0, 2)) == together


def test_a_window_opens_with_what_has_arrived() -> None:
    replica = host(grown(WINDOW + 2, MAX_BATCH))
    listening = Listening(sent=0)
    assert len(list(listening.batches(replica, WINDOW + 2))) == WINDOW
    assert list(listening.batches(replica, WINDOW + 2)) == []
    listening.arrived(2)
    assert len(list(listening.batches(replica, WINDOW + 2))) == 2
    assert listening.sent == WINDOW + 2
    listening.arrived(WINDOW + 2)
    assert not listening.flying


def confirmed(replica: Replica, seq: int, highest: int) -> tuple[Signed, ...]:
    acks = tuple(ack(replica.chain, one, seq) for one in (0, 1, 2))
    replica.confirm(seq, acks, highest)
    return acks


def test_news_wait_for_all_that_they_speak_of_and_are_told_once() -> None:
    replica = host(grown(5))
    listening = Listening(sent=3)
    acks = confirmed(replica, 2, 4)
    assert listening.news(replica) is None
    listening.sent = 4
    assert listening.lacks(4)
    assert listening.news(replica) == Commit(2, acks)
    assert listening.news(replica) is None
    assert listening.lacks(5)
    listening.sent = 5
    assert listening.lacks(5)  # what is confirmed at its head is still to come
    confirmed(replica, 5, 5)
    assert listening.news(replica) is not None
    assert not listening.lacks(5)
    listening.flying.append(5)
    assert listening.lacks(5)


def sends(effects: list[Effect]) -> list[tuple[int, str, int]]:
    found = []
    for one in effects:
        assert isinstance(one, Send)
        message = one.message
        assert isinstance(message, Entries | Commit)
        number = len(message.entries) if isinstance(message, Entries) else message.seq
        found.append((one.operator, type(message).__name__, number))
    return found


def test_entries_that_nobody_waits_for_go_with_one_that_somebody_does() -> None:
    replica = host(grown(COMPANY))
    replica.turned = 0
    delivery = Delivery(replica)
    delivery.begin(2, 1)
    assert (2 in delivery, 3 in delivery) == (True, False)
    assert sends(delivery.pump(2)) == []
    assert delivery.lacks(2)
    assert not delivery.lacks(3)
    replica.turned = 2
    assert sends(delivery.pump(2)) == [(2, "Entries", COMPANY - 1)]
    assert sends(delivery.pump(2)) == []
    delivery.begin(3, COMPANY - 1)
    replica.turned = 0
    assert sends(delivery.pump(3, everything=True)) == [(3, "Entries", 1)]
    delivery.begin(4, 0)
    assert sends(delivery.pump(4)) == [(4, "Entries", COMPANY)]  # so many together
    delivery.end(4)
    assert 4 not in delivery


def test_what_is_not_on_our_disk_is_not_sent() -> None:
    replica = host(grown(4))
    replica.stored = 2
    replica.turned = 4
    delivery = Delivery(replica)
    delivery.begin(2, 0)
    assert sends(delivery.pump(2)) == []
    assert sends(delivery.pump(2, everything=True)) == [(2, "Entries", 2)]


def test_all_listeners_are_told_what_is_confirmed_in_our_term() -> None:
    replica = host(grown(4))
    delivery = Delivery(replica)
    for operator in (2, 3):
        delivery.begin(operator, 4)
    assert sends(delivery.tell_all()) == []
    confirmed(replica, 2, 3)
    delivery.first = 3
    assert sends(delivery.tell_all()) == []
    confirmed(replica, 3, 4)
    assert sends(delivery.tell_all()) == [(2, "Commit", 3), (3, "Commit", 3)]
    delivery.arrived(2, 4)
    assert sends(delivery.pump_all(everything=True)) == []
