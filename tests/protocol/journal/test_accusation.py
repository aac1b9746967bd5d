"""A cheat that the host refuses becomes known to all, under the cheater's own signature."""

from __future__ import annotations

from unittest import mock

import pytest

from protocol.application import FORBIDDEN
from protocol.errors import (
    BadProof,
    Excessive,
    IllegalEntry,
    Malformed,
    ProtocolError,
    RemoteError,
)
from protocol.identity.keys import Identity
from protocol.journal.accusation import MAX_ACCUSED, make_accusation
from protocol.journal.chain import HOST, Journal, check_entries
from protocol.journal.statements import DOMAIN_AUTHORED, Authored, Signed, sign
from protocol.messages import Submit
from protocol.replication.folding import replay as refold
from protocol.replication.intake import Intake
from protocol.wire.codec import encode
from tests.protocol.high_card import HighCard
from tests.protocol.tabletop import Tabletop


class Strict(HighCard):
    """Everything stands but b"cheat", which nobody honest says, and b"late", which happens."""

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if body.startswith(b"cheat"):
            return f"{FORBIDDEN}proof: a share that does not hold"
        if body == b"late":
            return "stale"
        self.wins[author] += 1
        return None

    def tick(self, now: float, silences: tuple[float, ...], withheld: object = ()) -> bool:
        return False

    def owed(self, *, early: bool = False) -> tuple[()]:
        return ()


@pytest.fixture
def table() -> Tabletop:
    top = Tabletop(4, Strict)
    top.run()
    return top


def failures(table: Tabletop) -> list[ProtocolError | None]:
    return [laptop.failure for laptop in table.laptops]


def test_a_cheating_guest_is_named_on_every_laptop(table: Tabletop) -> None:
    table.laptops[1].say(b"k", b"fine")
    table.run()
    table.laptops[2].say(b"c", b"cheat")
    table.run()
    for problem in failures(table):
        assert isinstance(problem, BadProof)
        assert problem.culprit == table.identities[2].public
        assert problem.evidence


def test_the_journal_ends_with_the_proof(table: Tabletop) -> None:
    table.laptops[2].say(b"c", b"cheat")
    table.run()
    for laptop in table.laptops:
        *_, (chain, last) = check_entries(Journal(tuple(laptop.disk)))
        assert last.author == HOST
        found = refold(Strict, 1, chain, ()).stopped
        assert isinstance(found, BadProof)
        assert found.culprit == table.identities[2].public
        assert chain.head == last.seq - 1


def test_an_accident_accuses_nobody(table: Tabletop) -> None:
    table.laptops[2].say(b"l", b"late")
    table.run()
    assert failures(table) == [None] * 4
    table.laptops[1].say(b"k", b"fine")
    table.run()
    assert all(laptop.game.wins[1] == 1 for laptop in table.laptops)


def ordered_by_host(table: Tabletop, body: bytes) -> None:
    """The host says something that its own machine would not."""
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    with mock.patch.object(Intake, "misplaced", return_value=""):
        table.host.say(b"a lie", body)
        table.run()


def said_by(author: Identity, index: int, table: Tabletop, body: bytes) -> Signed:
    chain = table.host.machine.chain
    said = Authored(chain.genesis.digest, index, 9, chain.hash_at(0), body)
    return sign(author, DOMAIN_AUTHORED, said)


def test_a_false_accusation_names_the_host(table: Tabletop) -> None:
    """What is accused here stands by everybody's rules."""
    innocent = said_by(table.identities[1], 1, table, b"fine")
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    ordered_by_host(table, make_accusation(innocent))
    for problem in failures(table)[1:]:
        assert isinstance(problem, IllegalEntry)
        assert problem.culprit == table.identities[HOST].public


def test_what_has_its_place_cannot_be_accused(table: Tabletop) -> None:
    """A guest's own old, ordered, honest statement is no cheat, whenever it is shown again."""
    table.laptops[1].say(b"k", b"fine")
    table.run()
    old = table.laptops[1].submissions[1].authored

    def fold(seq: int, author: int, body: bytes) -> str | None:
        return f"{FORBIDDEN}illegal: not twice" if author == 1 and seq > 2 else None

    for laptop in table.laptops:
        laptop.game.fold = fold  # type: ignore[method-assign]
    ordered_by_host(table, make_accusation(old))
    for problem in failures(table)[1:]:
        assert isinstance(problem, RemoteError)
        assert problem.culprit == table.identities[HOST].public


class Once(Strict):
    """What may be said once is forbidden afterwards."""

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if self.wins[2]:
            return f"{FORBIDDEN}illegal: too late for that"
        return super().fold(seq, author, body)


def test_a_word_kept_back_until_it_was_illegal_does_not_make_its_author_guilty() -> None:
    """It is judged where its author spoke: after what it had seen confirmed."""
    table = Tabletop(3, Once)
    table.run()
    kept_back = said_by(table.identities[1], 1, table, b"fine")
    table.laptops[2].say(b"k", b"fine")
    table.run()
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    ordered_by_host(table, make_accusation(kept_back))
    for problem in failures(table)[1:]:
        assert isinstance(problem, RemoteError)
        assert problem.culprit == table.identities[HOST].public


def test_an_honest_host_refuses_what_came_too_late_and_accuses_nobody() -> None:
    table = Tabletop(3, Once)
    table.run()
    late = said_by(table.identities[1], 1, table, b"fine")
    table.laptops[2].say(b"k", b"fine")
    table.run()
    table.wires[1, HOST].append(Submit(late))
    table.run()
    assert failures(table) == [None] * 3
    assert not table.cuts


def test_a_forged_accusation_names_the_host(table: Tabletop) -> None:
    """The accused never signed what he is accused of."""
    forged = said_by(table.identities[HOST], 1, table, b"cheat")
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    ordered_by_host(table, make_accusation(forged))
    for problem in failures(table)[1:]:
        assert isinstance(problem, RemoteError)
        assert problem.culprit == table.identities[HOST].public


@pytest.mark.parametrize("rest", [b"", b"\x92", b"\xc0", encode((b"a", b"b"))])
def test_an_accusation_of_nothing_names_the_host(table: Tabletop, rest: bytes) -> None:
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    ordered_by_host(table, b"\xc1accusation" + rest)
    for problem in failures(table)[1:]:
        assert isinstance(problem, RemoteError)
        assert problem.culprit == table.identities[HOST].public


def test_a_guest_may_accuse_nobody(table: Tabletop) -> None:
    """Only who orders can put a refused statement in order."""
    statement = said_by(table.identities[2], 2, table, b"cheat")
    table.laptops[1].say(b"a", make_accusation(statement))
    table.run()
    assert failures(table) == [None] * 4
    assert table.laptops[1].rejected == [(b"a", "stale")]


def test_a_host_that_orders_anothers_accusation_is_named(table: Tabletop) -> None:
    """Who was host when it said so may have been replaced since, and is honest."""
    accusation = make_accusation(said_by(table.identities[2], 2, table, b"cheat"))
    table.host.game.fold = lambda *_: None  # type: ignore[method-assign]
    with mock.patch.object(Intake, "misplaced", return_value=""):
        table.laptops[1].say(b"a", accusation)
        table.run()
    for problem in failures(table)[1:]:
        assert isinstance(problem, Malformed)
        assert problem.culprit == table.identities[HOST].public


def test_a_cheat_too_large_to_be_shown_only_cuts_the_link(table: Tabletop) -> None:
    large = said_by(table.identities[3], 3, table, b"cheat" + bytes(MAX_ACCUSED))
    table.wires[3, HOST].append(Submit(large))
    table.run()
    assert failures(table) == [None] * 4
    ((guest, fault),) = table.cuts
    assert guest == 3
    assert isinstance(fault, Excessive)


def test_a_host_accuses_whatever_else_it_was_about_to_say(table: Tabletop) -> None:
    table.host.say(b"k", b"fine")
    table.laptops[1].say(b"c", b"cheat")
    table.laptops[1].work()
    table.deliver(1, HOST)
    table.host.say(b"l", b"fine too")
    table.run()
    for problem in failures(table):
        assert isinstance(problem, BadProof)
        assert problem.culprit == table.identities[1].public
