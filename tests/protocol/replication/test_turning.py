"""What nobody waits for goes in company: sent, acknowledged and confirmed with what turns."""

from __future__ import annotations

import msgspec
import pytest

from protocol.journal.genesis import HOST
from protocol.journal.statements import Signed
from protocol.messages import Acked, Commit, Entries
from protocol.replication.effects import Effect
from tests.protocol.high_card import HighCard
from tests.protocol.tabletop import Laptop, Tabletop


class Listening:
    """Everything that went over the wires."""

    def __init__(self, table: Tabletop) -> None:
        self.said: list[tuple[int, int, msgspec.Struct]] = []
        table.tamper = self._note

    def _note(
        self, sender: int, receiver: int, message: msgspec.Struct
    ) -> list[msgspec.Struct]:
        self.said.append((sender, receiver, message))
        return [message]

    def count(self, kind: type[msgspec.Struct], between: tuple[int, int]) -> int:
        return sum(isinstance(m, kind) and (s, r) == between for s, r, m in self.said)


def five() -> Tabletop:
    """Five operators and a game of high card, everything before it confirmed."""
    top = Tabletop(5)
    top.run(ask=False)
    return top


@pytest.fixture
def table() -> Tabletop:
    return five()


def say_all(table: Tabletop, *who: int) -> None:
    for me in who:
        laptop = table.laptops[me]
        laptop.perform(laptop.machine.replica.write(laptop.game.owed()))


def flush(laptop: Laptop) -> list[Effect]:
    return laptop.machine.flush()


def test_a_whole_round_is_confirmed_by_two_certificates(table: Tabletop) -> None:
    heard = Listening(table)
    table.run()
    assert all(laptop.game.is_over for laptop in table.laptops)
    turns = 2 * 3 + 1  # all cards lie, all cards are shown, three times; and one checkpoint
    for guest in range(1, 5):
        assert heard.count(Commit, (HOST, guest)) == turns
        assert heard.count(Acked, (guest, HOST)) <= turns
    assert {laptop.machine.replica.confirmed for laptop in table.laptops} == {30}


def test_what_nobody_waits_for_is_kept_back_until_something_turns(table: Tabletop) -> None:
    heard = Listening(table)
    say_all(table, 1, 2, 3, HOST)
    table.run(ask=False)
    assert table.leader.chain.head == 4
    assert heard.count(Entries, (HOST, 4)) == 0
    assert (table.leader.replica.confirmed, table.leader._voted) == (0, 0)
    say_all(table, 4)
    table.run(ask=False)
    (batch,) = [m for s, r, m in heard.said if isinstance(m, Entries) and r == 4]
    assert len(batch.entries) == 5
    assert {laptop.machine.replica.confirmed for laptop in table.laptops} == {5}


def test_who_still_owes_may_speak_although_nothing_is_confirmed(table: Tabletop) -> None:
    say_all(table, 1, 2)
    table.run(ask=False)
    table.host.perform(flush(table.host))  # guests are shown both, and do not acknowledge them
    table.run(ask=False)
    guest = table.follower(4)
    assert (guest.chain.head, guest.replica.confirmed) == (2, 0)
    assert guest.is_settled
    assert table.leader.is_settled


def test_who_has_turned_the_match_waits_for_a_majority() -> None:
    table = five()
    table.cut(1)
    table.cut(2)
    table.cut(3)
    say_all(table, HOST, 4)
    table.run(ask=False)
    for me in (1, 2, 3):  # their cards reach the host, and it alone holds all five
        table.link(me)
        say_all(table, me)
        table.laptops[me].work()
        while table.deliver(me, HOST):
            pass
        table.cut(me)
    table.cut(4)
    table.run(ask=False)
    assert table.leader.chain.head == 5
    assert table.host.game.owed()  # it could show its card
    assert not table.leader.is_settled


def test_with_the_beat_all_is_acknowledged(table: Tabletop) -> None:
    say_all(table, 1, 2)
    table.run(ask=False)
    table.host.perform(flush(table.host))
    table.run(ask=False)
    assert table.leader.replica.confirmed == 0
    for laptop in table.laptops[1:]:
        laptop.perform(flush(laptop))
    table.run(ask=False)
    assert {laptop.machine.replica.confirmed for laptop in table.laptops} == {2}


def test_an_application_that_always_turns_is_confirmed_at_once() -> None:
    class Eager(HighCard):
        def turned(self) -> bool:
            return True

    table = Tabletop(3, Eager)
    say_all(table, 1)
    table.run(ask=False)
    assert {laptop.machine.replica.confirmed for laptop in table.laptops} == {1}


def test_a_late_acknowledgement_is_neither_needed_nor_kept(table: Tabletop) -> None:
    table.run(ask=False)
    say_all(table, *range(5))
    late: list[Acked] = []

    def hold_back(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        if sender == 4 and isinstance(message, Acked):
            late.append(message)
            return []
        return [message]

    table.tamper = hold_back
    table.run(ask=False)
    assert table.leader.replica.confirmed == 5
    forged = Acked(Signed(late[-1].ack.content, bytes(64)))
    table.host.perform(table.leader.acked(4, forged.ack))
    assert not table.cuts  # nobody is ever shown it, so nobody checks it
    table.tamper = lambda _sender, _receiver, message: [message]
    table.run()
    certificate = table.leader.replica.certificate
    assert all(any(ack.signature) for ack in certificate)


def test_a_forged_acknowledgement_of_something_new_is_cut_off(table: Tabletop) -> None:
    say_all(table, *range(5))
    table.tamper = lambda sender, _receiver, message: (
        [Acked(Signed(message.ack.content, bytes(64)))]
        if sender == 4 and isinstance(message, Acked)
        else []
        if isinstance(message, Acked)
        else [message]
    )
    table.run(ask=False)
    assert [operator for operator, _ in table.cuts] == [4]
    assert table.leader.replica.confirmed == 0


def test_who_is_shown_a_certificate_first_has_nothing_to_add(table: Tabletop) -> None:
    heard, slow = Listening(table), table.laptops[4]
    say_all(table, *range(5))
    slow.work()  # its own words leave, and then it folds nothing for a while
    work, slow.work = slow.work, slow.write  # type: ignore[method-assign]
    table.run(ask=False)
    assert table.leader.replica.confirmed == 5
    assert heard.count(Commit, (HOST, 4)) == 1
    slow.work = work  # type: ignore[method-assign]
    table.run(ask=False)
    assert slow.machine.replica.confirmed == 5
    assert heard.count(Acked, (4, HOST)) == 0
    slow.perform(flush(slow))
    assert heard.count(Acked, (4, HOST)) == 1
