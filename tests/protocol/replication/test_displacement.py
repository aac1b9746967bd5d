"""No honest journal grows older: what takes the place of entries reaches as far, or waits."""

from __future__ import annotations

import pytest

from protocol.errors import Malformed
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    MAX_BODY,
    MAX_ORDERED,
    Authored,
    Ordered,
    Signed,
    sign,
)
from protocol.replication.displacement import MAX_HELD_BYTES, Displacement
from protocol.wire.codec import decode, encode
from tests.protocol.tabletop import genesis, operators

IDENTITIES: list[Identity] = operators(3)
FIRST: Signed = genesis(IDENTITIES)


def grown(*bodies: bytes) -> Chain:
    """A journal of the first host's, with an entry for each of these."""
    chain = Chain(FIRST)
    host = IDENTITIES[HOST]
    for body in bodies:
        counter = chain.last_counter(HOST) + 1
        said = Authored(chain.genesis.digest, HOST, counter, chain.hash_at(0), body)
        chain.extend(host, sign(host, DOMAIN_AUTHORED, said))
    return chain


def said_in(entry: Signed) -> Ordered:
    return decode(entry.content, Ordered, limit=MAX_ORDERED)


def test_what_follows_ours_is_taken_at_once() -> None:
    ours, theirs = grown(b"a"), grown(b"a")
    longer = grown(b"a", b"b")
    for signed in (theirs.entries[1].signed, longer.entries[2].signed):
        assert Displacement(ours).hear([signed]) == [(signed, said_in(signed))]


def test_what_displaces_ours_waits_until_it_reaches_as_far() -> None:
    ours, theirs = grown(b"a", b"b", b"c"), grown(b"x", b"y", b"z")
    shown = [entry.signed for entry in theirs.entries[1:]]
    displacing = Displacement(ours)
    assert displacing.hear(shown[:1]) == []
    assert displacing.hear(shown[1:2]) == []
    last = shown[-1]
    assert displacing.hear(shown[2:]) == [
        (shown[0], said_in(shown[0])),
        (shown[1], None),  # nobody has looked at it
        (last, said_in(last)),
    ]


def test_a_host_that_keeps_the_rest_back_changes_nothing() -> None:
    """It cannot make us vote for a journal older than what we have acknowledged."""
    ours, theirs = grown(b"a", b"b", b"c"), grown(b"x")
    displacing = Displacement(ours)
    for _ in range(3):
        assert displacing.hear([theirs.entries[1].signed]) == []
    assert ours.head == 3


def test_what_waits_is_held_within_bounds() -> None:
    fit = MAX_HELD_BYTES // MAX_BODY
    displacing = Displacement(grown(*(bytes([number]) for number in range(fit + 9))))
    large = [
        Signed(encode(Ordered(1, seq, bytes(32), bytes(MAX_BODY), bytes(64))), bytes(64))
        for seq in range(1, fit + 1)
    ]
    for one in large[:-1]:
        assert displacing.hear([one]) == []
    with pytest.raises(Malformed, match="never reaches"):
        displacing.hear([large[-1]])
