"""Acknowledgements of others than the host: nobody waits for what it can count itself."""

from __future__ import annotations

import msgspec
import pytest

from protocol.errors import BadSignature, Malformed
from protocol.journal.genesis import HOST
from protocol.journal.statements import DOMAIN_ACK, MAX_STATEMENT, Ack, Signed, sign
from protocol.messages import Acked, Commit
from protocol.replication.effects import Confirm, Cut
from protocol.wire.codec import decode
from tests.protocol.tabletop import Tabletop


def without_commits(operators: int) -> Tabletop:
    """A table where the host's certificates never arrive."""
    table = Tabletop(operators)
    table.run(ask=False)
    table.tamper = lambda _sender, _receiver, message: (
        [] if isinstance(message, Commit) else [message]
    )
    return table


@pytest.mark.parametrize("operators", [2, 3, 4, 5])
def test_up_to_five_confirm_without_the_hosts_certificate(operators: int) -> None:
    table = without_commits(operators)
    table.run()
    assert all(laptop.game.is_over for laptop in table.laptops)
    assert len({laptop.machine.replica.confirmed for laptop in table.laptops}) == 1


def test_six_wait_for_the_certificate() -> None:
    table = without_commits(6)
    table.run()
    assert not any(laptop.game.is_over for laptop in table.laptops[1:])


def test_two_and_three_are_sent_no_certificate_that_they_have() -> None:
    table = Tabletop(3)
    table.run(ask=False)
    sent: list[msgspec.Struct] = []

    def note(sender: int, _: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        sent.append(message)
        return [message]

    table.tamper = note
    table.run()
    assert not [one for one in sent if isinstance(one, Commit)]
    assert all(laptop.game.is_over for laptop in table.laptops)


def ready() -> tuple[Tabletop, Ack]:
    """A table of four, where Dora waits for one more word than her own and the host's."""
    table = without_commits(4)
    heard: list[Acked] = []

    def hold(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        if receiver == 3 and sender != HOST and isinstance(message, Acked):
            heard.append(message)
            return []
        return [] if isinstance(message, Commit) else [message]

    table.tamper = hold
    table.run(ask=False)
    for laptop in table.laptops:  # everybody puts its card
        laptop.ask()
    table.run(ask=False)
    assert table.follower(3).replica.confirmed < table.leader.replica.confirmed == 4
    return table, decode(heard[-1].ack.content, Ack, limit=MAX_STATEMENT)


def test_one_word_more_makes_a_majority() -> None:
    table, word = ready()
    signed = sign(table.identities[word.operator], DOMAIN_ACK, word)
    effects = table.follower(3).acknowledged(word.operator, signed)
    (confirm,) = [one for one in effects if isinstance(one, Confirm)]
    assert confirm.seq == 4
    table.follower(3).chain.check_quorum_certificate(4, confirm.certificate)


def test_a_word_about_another_entry_counts_for_nothing() -> None:
    table, word = ready()
    other = msgspec.structs.replace(word, hash=bytes(32))
    signed = sign(table.identities[word.operator], DOMAIN_ACK, other)
    assert table.follower(3).acknowledged(word.operator, signed) == []


def test_a_word_of_another_term_counts_for_nothing() -> None:
    table, word = ready()
    other = msgspec.structs.replace(word, term=2)
    signed = sign(table.identities[word.operator], DOMAIN_ACK, other)
    assert table.follower(3).acknowledged(word.operator, signed) == []


def test_a_word_ahead_of_its_entry_waits_for_it() -> None:
    table, word = ready()
    ahead = msgspec.structs.replace(word, seq=word.seq + 1, hash=bytes(32))
    signed = sign(table.identities[word.operator], DOMAIN_ACK, ahead)
    assert table.follower(3).acknowledged(word.operator, signed) == []
    assert table.follower(3).replica.confirmed < 4


def test_the_same_word_twice_is_one_word() -> None:
    table, _ = ready()
    own, _ = table.follower(3).replica.acknowledge(1, 4)
    signed = sign(table.identities[3], DOMAIN_ACK, own)
    assert table.follower(3).acknowledged(3, signed) == []  # its own, said back to it


def test_a_false_signature_costs_the_one_who_brings_it_its_link() -> None:
    table, word = ready()
    content = sign(table.identities[word.operator], DOMAIN_ACK, word).content
    (cut,) = table.follower(3).acknowledged(word.operator, Signed(content, bytes(64)))
    assert isinstance(cut, Cut)
    assert cut.operator == word.operator
    assert isinstance(cut.fault, BadSignature)


def test_nobody_speaks_for_another() -> None:
    table, word = ready()
    signed = sign(table.identities[word.operator], DOMAIN_ACK, word)
    bearer = next(one for one in (1, 2) if one != word.operator)
    (cut,) = table.follower(3).acknowledged(bearer, signed)
    assert isinstance(cut, Cut)
    assert cut.operator == bearer
    assert isinstance(cut.fault, Malformed)
