"""An operator owes more than a host lets wait: it says it bit by bit, all gets its place.

A host with many bots, or a deal of many cards, owes hundreds of statements in one moment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec
import pytest

from protocol.application import Contribution, Genesis
from protocol.journal.genesis import HOST
from protocol.messages import Entries, Refused, Submit
from protocol.replication.intake import MAX_WAITING
from tests.protocol.high_card import HighCard
from tests.protocol.tabletop import Tabletop

MUCH = 3 * MAX_WAITING


class Dealer(HighCard):
    """One operator owes very many statements at once, and all of them end the game."""

    def __init__(self, genesis: Genesis, me: int, debtor: int) -> None:
        super().__init__(genesis, me)
        self.debtor = debtor
        self.folded: list[bytes] = []

    @property
    def is_over(self) -> bool:
        return len(self.folded) == MUCH

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if author != self.debtor or body != b"%d" % len(self.folded):
            return "out of order"
        self.folded.append(body)
        return None

    def rewind(self) -> None:
        self.folded.clear()

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        self.said |= {said.key for said in kept}

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        if self.me != self.debtor:
            return ()
        names = [b"%d" % number for number in range(MUCH)]
        made = tuple(Contribution(key=one, body=one) for one in names if one not in self.said)
        self.restore(made)
        return made

    def digest(self) -> bytes:
        return hashlib.sha256(b"/".join(self.folded)).digest()


def table(debtor: int) -> Tabletop:
    return Tabletop(3, lambda genesis, me: Dealer(genesis, me, debtor))


def all_have_all(table: Tabletop) -> None:
    assert table.cuts == []
    for laptop in table.laptops:
        assert laptop.failure is None
        assert laptop.rejected == []
        assert laptop.game.is_over
    assert table.leader.replica.confirmed == MUCH


@pytest.mark.parametrize("debtor", [HOST, 1], ids=["host", "guest"])
def test_all_that_is_owed_at_once_gets_its_place(debtor: int) -> None:
    scene = table(debtor)
    scene.run()
    all_have_all(scene)


def test_never_more_wait_at_the_host_than_it_lets_wait() -> None:
    """Each answer makes room for the next; so an honest author is never told that it floods."""
    scene = table(1)
    unanswered = most = 0

    def count(sender: int, receiver: int, message: msgspec.Struct) -> list[msgspec.Struct]:
        nonlocal unanswered, most
        if isinstance(message, Submit):
            unanswered += 1
            most = max(most, unanswered)
        elif receiver == 1 and isinstance(message, Entries):
            unanswered -= len(message.entries)
        elif receiver == 1 and isinstance(message, Refused):
            unanswered -= 1
        return [message]

    scene.tamper = count
    scene.run()
    all_have_all(scene)
    assert 0 < most <= MAX_WAITING


@pytest.mark.parametrize("again", range(1, 4))
def test_a_link_that_breaks_in_the_midst_of_it_loses_nothing(again: int) -> None:
    """What had no answer is said again from the oldest on, and no more of it than before."""
    scene = table(1)
    for _ in range(again):
        _a_few_steps(scene)
        scene.cut(1)
        scene.link(1)
    scene.run()
    all_have_all(scene)


@pytest.mark.parametrize("debtor", [HOST, 1], ids=["host", "guest"])
def test_a_restart_in_the_midst_of_it_loses_nothing(debtor: int) -> None:
    """All that is owed is on the disk; the host is not told more at once for that."""
    scene = table(debtor)
    _a_few_steps(scene)
    laptop = scene.laptops[debtor]
    for guest in (1, 2) if debtor == HOST else (1,):
        scene.cut(guest)
    laptop.boot()
    for guest in (1, 2) if debtor == HOST else (1,):
        scene.link(guest)
    scene.run()
    all_have_all(scene)


def _a_few_steps(scene: Tabletop) -> None:
    """The submissions are written, some are sent, and some have their places."""
    steps: list[Callable[[], bool]] = [laptop.work for laptop in scene.laptops]
    for laptop in scene.laptops:
        laptop.ask()
    for _ in range(10):
        for step in steps:
            step()
        for sender, receiver in tuple(scene.wires):
            scene.deliver(sender, receiver)
