"""Sequencer and followers, and what becomes of a host or a guest that cheats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec
import pytest

from protocol.errors import (
    BadSignature,
    Diverged,
    Equivocation,
    Excessive,
    IllegalEntry,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal.chain import Chain
from protocol.journal.evidence import prove_alone
from protocol.journal.genesis import HOST, make_genesis
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    MAX_ORDERED,
    Ack,
    Authored,
    Ordered,
    Refusal,
    Signed,
    authored_hash,
    sign,
)
from protocol.messages import Acked, Entries, Follow, Refused, Submit
from protocol.replication.follower import Follower
from protocol.replication.intake import MAX_WAITING
from protocol.wire.codec import decode
from tests.protocol.high_card import HighCard
from tests.protocol.tabletop import TABLE, Tabletop


class Anything(HighCard):
    """Accepts every body but b"no"; owes nothing."""

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if body == b"no":
            return "no"
        self.wins[author] += 1
        return None

    def tick(self, now: float, silences: tuple[float, ...], withheld: object = ()) -> bool:
        return False

    def owed(self, *, early: bool = False) -> tuple[()]:
        return ()


@pytest.fixture
def table() -> Tabletop:
    """Three operators, nothing said yet."""
    top = Tabletop(3, Anything)
    top.run()
    return top


def failure(table: Tabletop, guest: int) -> ProtocolError:
    problem = table.laptops[guest].failure
    assert problem is not None
    return problem


def counts(table: Tabletop) -> list[list[int]]:
    return [laptop.game.wins for laptop in table.laptops]


# The honest way.


def test_everybody_folds_the_same_in_the_same_order(table: Tabletop) -> None:
    for number in range(10):
        for laptop in table.laptops:
            laptop.say(b"%d" % number, b"word")
    table.run()
    assert counts(table) == [[10, 10, 10]] * 3
    assert {laptop.machine.replica.confirmed for laptop in table.laptops} == {30}
    assert [entry.signed for entry in table.follower(1).chain.entries] == table.host.disk


def test_nothing_is_confirmed_before_a_majority_has_it(table: Tabletop) -> None:
    table.cut(1)
    table.cut(2)
    table.host.say(b"k", b"alone")
    table.run()
    assert table.leader.chain.head == 1
    assert table.leader.replica.confirmed == 0
    assert not table.leader.is_settled
    table.link(2)
    table.run()
    assert table.leader.replica.confirmed == 1
    table.link(1)
    table.run()
    assert table.follower(1).replica.confirmed == 1


def test_an_entry_leaves_only_after_it_is_on_the_hosts_disk(table: Tabletop) -> None:
    table.host.say(b"k", b"word")
    for _ in range(2):  # the submission is kept, the body folded
        assert table.host.work()
    assert table.leader.chain.head == 1
    assert not table.wires[HOST, 1]
    assert table.host.work()  # stored
    assert isinstance(table.wires[HOST, 1][0], Entries)


def test_a_statement_leaves_only_after_it_is_on_its_authors_disk(table: Tabletop) -> None:
    table.laptops[1].say(b"k", b"word")
    assert not table.wires[1, HOST]
    table.laptops[1].work()
    assert isinstance(table.wires[1, HOST][0], Submit)


def test_a_guest_acknowledges_only_what_is_stored_and_folded(table: Tabletop) -> None:
    table.host.say(b"k", b"word")
    while table.host.work():
        pass
    assert table.deliver(HOST, 1)
    assert table.laptops[1].work()
    assert not table.wires[1, HOST]
    assert table.laptops[1].work()
    assert isinstance(table.wires[1, HOST][0], Acked)


def test_a_refusal_is_signed_and_reaches_its_author(table: Tabletop) -> None:
    for laptop in table.laptops:
        laptop.say(b"k", b"no")
    table.run()
    assert [laptop.rejected for laptop in table.laptops] == [[(b"k", "no")]] * 3
    table.laptops[1].say(b"k", b"yes")  # the same key may be said again in another form
    table.run()
    assert counts(table) == [[0, 1, 0]] * 3
    assert table.follower(1).outbox.is_settled


def test_what_was_under_way_at_a_cut_is_said_again_byte_for_byte(table: Tabletop) -> None:
    table.laptops[1].say(b"k", b"word")
    table.laptops[1].work()
    (sent,) = table.wires[1, HOST]
    table.cut(1)
    table.link(1)
    assert sent in table.wires[1, HOST]
    table.run()
    assert counts(table) == [[0, 1, 0]] * 3


def test_what_is_sent_twice_is_ordered_once(table: Tabletop) -> None:
    table.tamper = lambda sender, receiver, message: [message, message]
    for laptop in table.laptops:
        laptop.say(b"k", b"word")
    table.run()
    assert counts(table) == [[1, 1, 1]] * 3
    assert table.cuts == []


def test_a_crash_between_store_and_send_repeats_the_same_bytes(table: Tabletop) -> None:
    guest = table.laptops[1]
    guest.say(b"k", b"word")
    guest.work()
    before = guest.submissions[1]
    table.cut(1)
    guest.boot()
    table.link(1)
    (sent,) = [m for m in table.wires[1, HOST] if isinstance(m, Submit)]
    assert sent.authored == before.authored
    table.run()
    assert counts(table) == [[0, 1, 0]] * 3


def test_a_crashed_host_goes_on_with_what_its_disk_holds(table: Tabletop) -> None:
    table.laptops[1].say(b"k", b"word")
    table.host.say(b"k", b"word")
    table.run()
    table.host.say(b"l", b"kept, not yet ordered")
    table.host.work()
    for guest in (1, 2):
        table.cut(guest)
    table.host.boot()
    for guest in (1, 2):
        table.link(guest)
    table.run()
    assert counts(table) == [[2, 1, 0]] * 3


def test_a_guest_that_missed_a_whole_match_catches_up_in_batches(table: Tabletop) -> None:
    table.cut(2)
    for number in range(40):
        table.host.say(b"%d" % number, b"word" * 1500)
        table.run()
    table.link(2)
    table.run()
    assert table.follower(2).replica.confirmed == 40
    assert counts(table) == [[40, 0, 0]] * 3


def test_a_refusal_lost_in_a_cut_is_told_again(table: Tabletop) -> None:
    guest = table.laptops[1]
    guest.say(b"k", b"no")
    guest.work()
    table.deliver(1, HOST)
    while table.host.work():
        pass
    table.cut(1)
    table.host.boot()  # from what its disk holds
    table.link(2) if 2 not in table.linked else None
    table.link(1)
    table.run()
    assert guest.rejected == [(b"k", "no")]
    guest.say(b"l", b"yes")
    table.run()
    assert guest.failure is None
    assert counts(table)[0] == [0, 1, 0]


def test_a_refusal_that_came_early_is_why_a_later_word_passes_over_this_one(
    table: Tabletop,
) -> None:
    """A slow laptop has not folded yet where the host judged; the reason is known already."""
    guest = table.laptops[1]
    table.host.say(b"h", b"word")
    while table.host.work():
        pass
    guest.say(b"k", b"no")
    guest.say(b"l", b"yes")
    while guest.write():
        pass
    while table.deliver(1, HOST):
        pass
    while table.host.work():
        pass
    while table.deliver(HOST, 1):  # and folds nothing meanwhile
        pass
    table.run()
    assert guest.rejected == [(b"k", "no")]
    assert counts(table) == [[1, 1, 0]] * 3


def test_an_application_is_asked_only_when_all_is_settled(table: Tabletop) -> None:
    table.laptops[1].say(b"k", b"word")
    assert not table.follower(1).is_settled
    table.run()
    assert table.follower(1).is_settled
    table.host.say(b"k", b"word")
    assert not table.leader.is_settled
    table.run()
    assert table.leader.is_settled


def test_one_operator_is_its_own_majority() -> None:
    table = Tabletop(1, Anything)
    table.run()
    table.host.say(b"k", b"word")
    table.run()
    assert table.leader.replica.confirmed == 1


# A host that cheats.


def rewrite(table: Tabletop, guest: int, change: Callable[[Signed], list[Signed]]) -> None:
    """From now on the host sends this guest other entries."""

    def tamper(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        if receiver == guest and isinstance(message, Entries):
            changed = [new for old in message.entries for new in change(old)]
            return [Entries(tuple(changed))] if changed else []
        return [message]

    table.tamper = tamper


def resigned(table: Tabletop, old: Signed, **changes: object) -> Signed:
    """The same entry with other fields, signed by the host again."""
    ordered = decode(old.content, Ordered, limit=MAX_ORDERED)
    changed = msgspec.structs.replace(ordered, **changes)
    return sign(table.identities[HOST], DOMAIN_ORDERED, changed)


def test_a_host_that_forges_a_guests_statement_is_named(table: Tabletop) -> None:
    anna = table.identities[HOST]
    forged = sign(anna, DOMAIN_AUTHORED, Authored(table.match, 2, 1, bytes(32), b"forged"))
    rewrite(
        table,
        1,
        lambda old: [resigned(table, old, authored=forged.content, signature=forged.signature)],
    )
    table.host.say(b"k", b"word")
    table.run()
    problem = failure(table, 1)
    assert isinstance(problem, BadSignature)
    assert problem.culprit == anna.public
    assert isinstance(
        prove_alone(table.follower(1).chain.genesis, problem.evidence), BadSignature
    )


def test_a_host_that_changes_what_a_guest_said_is_named(table: Tabletop) -> None:
    def change(old: Signed) -> list[Signed]:
        ordered = decode(old.content, Ordered, limit=MAX_ORDERED)
        said = decode(ordered.authored, Authored, limit=MAX_ORDERED)
        other = msgspec.structs.replace(said, body=b"other")
        return [resigned(table, old, authored=msgspec.msgpack.encode(other))]

    rewrite(table, 1, change)
    table.laptops[2].say(b"k", b"word")
    table.run()
    assert isinstance(failure(table, 1), BadSignature)


def test_a_host_that_shows_two_histories_is_named_by_both_entries(table: Tabletop) -> None:
    table.host.say(b"k", b"one")
    table.run()
    chain = Chain(table.first)
    anna = table.identities[HOST]
    said = sign(anna, DOMAIN_AUTHORED, Authored(table.match, 0, 1, chain.hash_at(0), b"two"))
    other = chain.extend(anna, said)
    table.laptops[1].perform(table.follower(1).entries((other.signed,)))
    problem = failure(table, 1)
    assert isinstance(problem, Equivocation)
    assert problem.culprit == anna.public
    assert isinstance(prove_alone(chain.genesis, problem.evidence), Equivocation)


def test_a_guest_shown_another_history_is_heard_by_the_others(table: Tabletop) -> None:
    """The host tells Bert one thing and Carla another; Bert's next word gives it away."""
    anna = table.identities[HOST]
    mirror = Chain(table.first)
    said = sign(anna, DOMAIN_AUTHORED, Authored(table.match, 0, 1, mirror.hash_at(0), b"two"))
    other = mirror.extend(anna, said)
    acks = tuple(
        sign(table.identities[one], DOMAIN_ACK, Ack(table.match, 1, one, 1, other.hash, b""))
        for one in (0, 1)
    )
    bert = table.laptops[1]
    bert.perform(table.follower(1).entries((other.signed,)))
    while bert.work():
        pass
    bert.perform(table.follower(1).commit(1, acks))
    assert table.follower(1).replica.confirmed == 1  # the host's vote and his own
    table.cut(1)
    bert.say(b"k", b"mine")
    while bert.work():
        pass
    honest_looking = table.leader
    honest_looking.chain.extend(anna, bert.submissions[1].authored)
    carla = table.follower(2)
    problem = next(
        effect.fault  # type: ignore[union-attr]  # it is a Fail
        for effect in carla.entries((honest_looking.chain.entries[1].signed,))
    )
    assert isinstance(problem, IllegalEntry)
    assert problem.culprit == anna.public


def test_a_host_that_hides_an_entry_is_caught_by_the_next(table: Tabletop) -> None:
    rewrite(table, 1, lambda old: [])
    table.host.say(b"k", b"hidden")
    table.run(ask=False)
    table.tamper = lambda sender, receiver, message: [message]
    table.host.say(b"l", b"shown")
    table.run()
    assert table.laptops[1].failure is None  # nobody else could see it
    assert [(one, type(fault)) for one, fault in table.laptops[1].cuts] == [(HOST, Malformed)]


def test_what_was_dropped_is_lost_and_said_again(table: Tabletop) -> None:
    """By whom is not known: whoever passes words on may have left one out."""

    def drop_first(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        if isinstance(message, Submit):
            said = decode(message.authored.content, Authored, limit=MAX_ORDERED)
            return [] if said.counter == 1 else [message]
        return [message]

    table.tamper = drop_first
    table.laptops[1].say(b"k", b"dropped")
    table.laptops[1].say(b"l", b"ordered")
    table.run()
    assert table.laptops[1].failure is None
    assert table.laptops[1].rejected == [(b"k", "lost")]
    table.laptops[1].say(b"k", b"again")
    table.run()
    assert counts(table) == [[0, 2, 0]] * 3


def test_a_host_that_orders_what_the_rules_refuse_is_named(table: Tabletop) -> None:
    def lenient(seq: int, author: int, body: bytes) -> str | None:
        return None

    table.host.game.fold = lenient  # type: ignore[method-assign]  # a cheat
    table.laptops[2].say(b"k", b"no")
    table.run()
    for guest in (1, 2):
        problem = failure(table, guest)
        assert isinstance(problem, IllegalEntry)
        assert problem.culprit == table.identities[HOST].public
        assert problem.evidence


def test_a_host_that_refuses_and_orders_is_proven_to_lie(table: Tabletop) -> None:
    guest = table.laptops[1]
    guest.say(b"k", b"word")
    guest.work()
    hashed, place = (
        authored_hash(guest.submissions[1].authored.content),
        table.follower(1).chain,
    )
    refusal = Refusal(table.match, 1, 1, 1, hashed, 0, place.hash_at(0), "no")
    signed = sign(table.identities[HOST], DOMAIN_REFUSAL, refusal)
    guest.perform(table.follower(1).refused(signed, refusal))
    table.run()
    problem = failure(table, 1)
    assert isinstance(problem, RemoteError)  # whichever of the two lies is seen first
    assert problem.culprit == table.identities[HOST].public
    assert len(problem.evidence) == 2


def test_a_host_cannot_confirm_by_itself(table: Tabletop) -> None:
    anna = table.identities[HOST]

    def alone(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        if isinstance(message, Acked):
            return []
        return [message]

    table.tamper = alone
    table.host.say(b"k", b"word")
    table.run()
    chain = table.leader.chain
    own = sign(anna, DOMAIN_ACK, Ack(table.match, 1, 0, 1, chain.hash_at(1), b""))
    forged = sign(anna, DOMAIN_ACK, Ack(table.match, 1, 2, 1, chain.hash_at(1), b""))
    for acks, error in (((own,), Malformed), ((own, own), Malformed)):
        effects = fresh_follower(table).commit(1, acks)
        assert isinstance(effects[0].fault, error)  # type: ignore[union-attr]
    effects = fresh_follower(table).commit(1, (own, forged))
    assert isinstance(effects[0].fault, BadSignature)  # type: ignore[union-attr]
    assert table.follower(1).replica.confirmed == 0


def fresh_follower(table: Tabletop) -> Follower:
    """Carla, as she starts from her disk."""
    table.cut(2)
    table.laptops[2].boot()
    return table.follower(2)


def test_a_confirmation_waits_for_our_own_rules(table: Tabletop) -> None:
    """A majority that confirms what our application refuses does not persuade us."""
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    table.laptops[1].game.fold = lambda *_: None  # type: ignore[method-assign]
    table.laptops[1].say(b"k", b"no")
    table.run()
    assert table.leader.replica.confirmed == 1
    assert table.follower(2).replica.confirmed == 0
    assert isinstance(failure(table, 2), IllegalEntry)


def other_state() -> bytes:
    return hashlib.sha256(b"other").digest()


def say_much(table: Tabletop) -> None:
    """Up to the first checkpoint, and past it."""
    for number in range(18):
        table.host.say(b"%d" % number, b"word")
        table.run()


def test_one_odd_digest_is_one_odd_laptop() -> None:
    """The majority plays on; who differs is told so, and its journal stays."""
    table = Tabletop(3, Anything)
    table.run()
    table.laptops[2].game.digest = other_state  # type: ignore[method-assign]
    say_much(table)
    odd = failure(table, 2)
    assert isinstance(odd, Unavailable)
    assert odd.hint == "differs"
    assert len(table.laptops[2].disk) >= 17
    assert [laptop.failure for laptop in table.laptops[:2]] == [None, None]
    assert (2, "differs") in table.host.suspects
    assert table.leader.replica.confirmed == 18


def test_who_differs_says_so_before_it_stops() -> None:
    """A majority is ahead of its disk; the others learn all the same why it went."""
    table = Tabletop(3, Anything)
    table.run()
    carla = table.laptops[2]
    carla.game.digest = other_state  # type: ignore[method-assign]
    carla.write = lambda: False  # type: ignore[method-assign]
    for number in range(18):
        table.host.say(b"%d" % number, b"word")
        table.run(ask=False)
    assert table.leader.replica.confirmed == 18
    del carla.write  # its disk goes on
    table.run()
    odd = failure(table, 2)
    assert isinstance(odd, Unavailable)
    assert odd.hint == "differs"
    assert table.host.suspects == [(2, "differs")]


def test_a_host_with_an_odd_digest_goes() -> None:
    table = Tabletop(3, Anything)
    table.run()
    table.host.game.digest = other_state  # type: ignore[method-assign]
    say_much(table)
    odd = table.host.failure
    assert isinstance(odd, Unavailable)
    assert odd.hint == "differs"
    assert [laptop.failure for laptop in table.laptops[1:]] == [None, None]


def test_two_that_differ_both_stop() -> None:
    """Neither is a majority, and nobody is named."""
    table = Tabletop(2, Anything)
    table.run()
    table.laptops[1].game.digest = other_state  # type: ignore[method-assign]
    say_much(table)
    assert isinstance(table.host.failure, Diverged)
    assert table.host.failure.seq == 16
    assert table.host.failure.culprit is None
    assert isinstance(table.laptops[1].failure, Diverged)  # by the host's own digest
    assert len(table.laptops[1].disk) == 17  # both journals stay


def test_one_false_digest_of_a_liar_stops_nobody() -> None:
    table = Tabletop(3, Anything)
    table.run()
    carla = table.identities[2]

    def lie(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        if sender != 2 or not isinstance(message, Acked):
            return [message]
        told = decode(message.ack.content, Ack, limit=MAX_ORDERED)
        if not told.digest:
            return [message]
        lied = msgspec.structs.replace(told, digest=other_state())
        return [Acked(sign(carla, DOMAIN_ACK, lied))]

    table.tamper = lie
    say_much(table)
    assert [laptop.failure for laptop in table.laptops] == [None] * 3
    assert table.host.suspects == [(2, "differs")]
    assert table.leader.replica.confirmed == 18


# A guest that cheats.


def submit(table: Tabletop, operator: int, authored: Signed) -> RemoteError | None:
    table.host.perform(table.leader.submit(operator, authored))
    table.run()
    problem = table.cuts[-1][1] if table.cuts else None
    assert problem is None or isinstance(problem, RemoteError)
    return problem


def test_a_guest_that_speaks_for_another_is_cut_off(table: Tabletop) -> None:
    bert = table.identities[1]
    ancestor = table.leader.chain.hash_at(0)
    forged = sign(bert, DOMAIN_AUTHORED, Authored(table.match, 2, 1, ancestor, b"word"))
    problem = submit(table, 1, forged)
    assert isinstance(problem, BadSignature)
    assert problem.culprit is None  # least of all Carla, who never said so


def test_anybody_may_bring_anothers_words(table: Tabletop) -> None:
    """Its author's signature is what counts: so no broken link silences anybody."""
    carla = table.laptops[2]
    table.cut(2)
    carla.say(b"k", b"word")
    while carla.work():
        pass
    assert submit(table, 1, carla.submissions[1].authored) is None
    assert table.host.game.wins[2] == 1


def test_words_of_another_table_are_cut_off(table: Tabletop) -> None:
    ancestor = table.leader.chain.hash_at(0)
    statement = Authored(bytes(32), 1, 1, ancestor, b"word")
    problem = submit(table, 1, sign(table.identities[1], DOMAIN_AUTHORED, statement))
    assert isinstance(problem, BadSignature)


def test_other_words_under_an_old_counter_prove_a_lying_guest(table: Tabletop) -> None:
    bert = table.identities[1]
    table.laptops[1].say(b"k", b"word")
    table.run()
    ancestor = table.leader.chain.hash_at(0)
    other = sign(bert, DOMAIN_AUTHORED, Authored(table.match, 1, 1, ancestor, b"other"))
    problem = submit(table, 1, other)
    assert isinstance(problem, Equivocation)
    assert problem.culprit == bert.public
    verdict = prove_alone(table.leader.chain.genesis, problem.evidence)
    assert isinstance(verdict, Equivocation)
    assert verdict.culprit == bert.public


def test_a_counter_that_was_passed_over_is_refused(table: Tabletop) -> None:
    bert = table.identities[1]
    ancestor = table.leader.chain.hash_at(0)
    for counter in (5, 3):
        statement = Authored(table.match, 1, counter, ancestor, b"word")
        table.host.perform(table.leader.submit(1, sign(bert, DOMAIN_AUTHORED, statement)))
        while table.host.work():
            pass
    assert table.leader.chain.head == 1
    refused = [m for m in table.wires[HOST, 1] if isinstance(m, Refused)]
    assert decode(refused[0].refusal.content, Refusal, limit=1024).code == "counter"


def test_an_ancestor_nobody_has_seen_is_refused(table: Tabletop) -> None:
    statement = Authored(table.match, 1, 1, b"\x01" * 32, b"word")
    signed = sign(table.identities[1], DOMAIN_AUTHORED, statement)
    table.host.perform(table.leader.submit(1, signed))
    (refused,) = [m for m in table.wires[HOST, 1] if isinstance(m, Refused)]
    assert decode(refused.refusal.content, Refusal, limit=1024).code == "ancestor"
    assert table.leader.chain.head == 0


def test_a_guest_that_says_too_much_at_once_is_cut_off(table: Tabletop) -> None:
    ancestor = table.leader.chain.hash_at(0)
    for counter in range(1, MAX_WAITING + 3):
        statement = Authored(table.match, 1, counter, ancestor, b"word")
        signed = sign(table.identities[1], DOMAIN_AUTHORED, statement)
        table.host.perform(table.leader.submit(1, signed))
    assert isinstance(table.cuts[0][1], Excessive)


@pytest.mark.parametrize("seq", [0, 1])
def test_an_acknowledgement_of_something_else_is_cut_off(table: Tabletop, seq: int) -> None:
    bert = table.identities[1]
    ack = Ack(table.match, 1, 1, seq, bytes(32), b"")
    table.host.perform(table.leader.acked(1, sign(bert, DOMAIN_ACK, ack)))
    assert table.cuts[0][0] == 1


def test_an_acknowledgement_for_another_is_cut_off(table: Tabletop) -> None:
    carla = table.identities[2]
    ack = Ack(table.match, 1, 2, 0, table.leader.chain.hash_at(0), b"")
    table.host.perform(table.leader.acked(1, sign(carla, DOMAIN_ACK, ack)))
    assert isinstance(table.cuts[0][1], Malformed)


def test_a_guest_of_another_history_is_not_followed(table: Tabletop) -> None:
    for known in (0, 5):
        table.host.perform(table.leader.follow(1, Follow(TABLE, 1, known, bytes(32), 0)))
        assert isinstance(table.cuts[-1][1], Malformed)


# Ourselves.


def test_the_same_identity_on_two_machines_stops_before_it_lies(table: Tabletop) -> None:
    guest = table.laptops[1]
    guest.say(b"k", b"word")
    guest.work()
    table.run()
    guest.submissions.clear()  # a disk restored from a backup
    guest.disk = guest.disk[:1]
    guest.certificate = ()
    table.cut(1)
    guest.boot()
    table.link(1)
    table.run()
    problem = failure(table, 1)
    assert isinstance(problem, Unavailable)
    assert problem.hint == "outbox_lost"


def test_secrets_hide_in_every_repr(table: Tabletop) -> None:
    top = Tabletop(2)
    top.run(ask=False)
    top.laptops[1].ask()
    secret = top.laptops[1].game.secrets[0]
    (job,) = top.laptops[1].writing
    job()
    submission = top.laptops[1].submissions[1]
    assert submission.contribution.keep == secret
    assert repr(secret)[2:-1] not in repr(submission)


def test_a_genesis_signed_by_somebody_else_begins_no_chain(table: Tabletop) -> None:
    terms = Chain(table.first).beginning.terms
    with pytest.raises(RemoteError):
        Chain(make_genesis(table.identities[1], terms, (bytes(64),) * 3))


def test_what_is_said_while_the_host_cannot_be_reached_waits() -> None:
    table = Tabletop(3)
    table.run(ask=False)
    laptop, guest = table.laptops[1], table.follower(1)
    guest.disconnected()
    laptop.perform(guest.replica.write(laptop.game.owed()))
    table.run(ask=False)
    assert table.leader.chain.head == 0
    laptop.perform(guest.connected())
    table.run(ask=False)
    assert table.leader.chain.head == 1
