"""What our own key signed once it had checked it needs no second check; nothing else does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from citadels_p2p.match.archive.audit import examine
from citadels_p2p.match.fold import bodies
from protocol.cards import deck
from protocol.errors import BadProof
from protocol.identity.keys import Identity
from protocol.journal.chain import Journal
from protocol.journal.statements import Signed
from tests.match.signed_table import SignedTable, small_table
from tests.protocol.tiny_group import TinyGroup


@pytest.fixture(scope="module", autouse=True)
def small_numbers() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citadels_p2p.match.fold.match.Edwards25519", TinyGroup)
        yield


@pytest.fixture(scope="module")
def played(small_numbers: None) -> SignedTable:
    table = small_table(3)
    table.play()
    return table


def no_proof_holds(*_: object) -> None:
    raise BadProof("shuffle")


def holds(records: tuple[Signed, ...], own: Identity | None) -> bool:
    """Whether a journal is sound to this identity, if no proof of a shuffle holds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deck, "check_shuffle", no_proof_holds)
        return examine(Journal(records), own=None if own is None else own.public)[0].sound


def without(table: SignedTable, author: int) -> tuple[Signed, ...]:
    """The entries before this operator said that the match was over."""
    for entry in table.chain.entries[1:]:
        if entry.author == author and isinstance(bodies.read(entry.body), bodies.Ended):
            return table.records()[: entry.seq]
    raise AssertionError


def test_the_verdict_is_the_same(played: SignedTable) -> None:
    journal = Journal(
        played.records(), played.certificate(dict.fromkeys((0, 1), played.chain.head))
    )
    full = examine(journal)[0]
    assert full.sound
    assert full.opened
    assert all(examine(journal, own=one.public)[0] == full for one in played.identities)


def test_only_our_own_word_stands_for_proofs(played: SignedTable) -> None:
    assert not holds(played.records(), None)
    assert not holds(played.records(), Identity.fresh())
    for one in played.identities:
        assert holds(played.records(), one)


def test_before_we_said_that_it_was_over_we_said_nothing(played: SignedTable) -> None:
    for author, one in enumerate(played.identities):
        assert not holds(without(played, author), one)


def test_our_word_in_another_history_stands_for_nothing(played: SignedTable) -> None:
    """Others can forge all of a match but what we say, and over what we say it."""
    ended = len(without(played, 2))
    records = list(played.records())
    foreign = (*records[: ended - 1], records[ended])  # one entry is left out
    assert not holds(foreign, played.identities[2])
    other = small_table(3, "another")
    other.play()
    assert not holds((*other.records()[:-1], records[ended]), played.identities[2])


def test_our_word_over_the_beginning_stands_for_the_beginning_alone() -> None:
    table = small_table(3)
    table.over_head = False
    table.play()
    assert examine(Journal(table.records()), own=table.identities[0].public)[0].sound
    assert not holds(table.records(), table.identities[0])
