"""Who counts in the journal's majorities, from which entry on.

Whoever has left for good is taken out by a *removal*: an entry that only a host makes, one
operator at a time (Ongaro, *Consensus*, 4.1). It counts from its own place on, whether it is
confirmed or not, and is truncated with the entries around it. So at every place the journal
alone says whose acknowledgements, votes and digests make a majority.

A removal carries a certificate: acknowledgements of a majority of those who counted before it,
given in the host's own term, for an entry at or after the removal before. So it proves itself
that the one before is confirmed, and that its host has confirmed an entry of its own term.

Why so: docs/decisions, 30.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from protocol.application import Genesis
from protocol.errors import Malformed
from protocol.identity.keys import Identity
from protocol.journal.statements import DOMAIN_REMOVAL, Removal, Signed, quorum, sign

_PREFIX = b"\xc1removal"
"""Begins what a game folds of a removal. 0xC1 begins nothing in MessagePack."""

_PLACE_BYTES = 8
_SIX_FIELDS = b"\x96"  # how MessagePack begins an array of six


class Membership:
    """The operators that count, by roster index, from each place of one journal on."""

    def __init__(self, members: Iterable[int]) -> None:
        self.eras: list[tuple[int, frozenset[int]]] = [(0, frozenset(members))]
        """The first entry of each era, and who counts in it; the newest is the last, and may
        give way.
        """

    @property
    def since(self) -> int:
        """The place of the newest removal, 0 where there is none."""
        return self.eras[-1][0]

    @property
    def newest(self) -> frozenset[int]:
        """Who counts after the newest entry."""
        return self.eras[-1][1]

    def at(self, seq: int) -> frozenset[int]:
        """Who counts right after entry `seq`."""
        return next(members for since, members in reversed(self.eras) if since <= seq)

    def until(self, seq: int) -> Membership:
        """Another one, that knows of the removals up to entry `seq`."""
        early = Membership(())
        early.eras = [era for era in self.eras if era[0] <= seq]
        return early

    def removal_of(self, operator: int) -> int | None:
        """The entry that takes this operator out; None while it counts."""
        return next((since for since, members in self.eras if operator not in members), None)

    def remove(self, seq: int, operator: int) -> None:
        """Entry `seq` takes this operator out."""
        self.eras.append((seq, self.newest - {operator}))


def is_majority(voters: Collection[int], members: Collection[int]) -> bool:
    """Whether these are a majority of the members, each of them once and nobody else."""
    distinct = set(voters)
    return len(distinct) == len(voters) >= quorum(len(members)) and distinct <= set(members)


def make_removal(identity: Identity, removal: Removal) -> Signed:
    return sign(identity, DOMAIN_REMOVAL, removal)


def holds_removal(content: bytes) -> bool:
    """Whether these bytes can be nothing but a removal: no other statement that is ordered has
    so many fields.
    """
    return content.startswith(_SIX_FIELDS)


def open_removal(genesis: Genesis, signed: Signed) -> Removal:
    """A removal at this table, by the host that it names; raises `Malformed`, `BadSignature`.

    Whether it may stand hangs on its place: see `chain`.
    """
    removal = signed.read(Removal)
    if removal.match != genesis.digest or removal.host >= len(genesis.operators):
        raise Malformed("a removal at another table")
    host = genesis.operators[removal.host].identity
    signed.check(host, DOMAIN_REMOVAL)
    return removal


def removal_body(operator: int, place: int) -> bytes:
    """What a game folds: the journal counts `operator` no more, since it had left for good when
    entry `place` was confirmed.
    """
    return _PREFIX + bytes([operator]) + place.to_bytes(_PLACE_BYTES, "big")


def is_removal(body: bytes) -> bool:
    """Whether a body claims to be a removal's; no author may say one."""
    return body.startswith(_PREFIX)


def read_removal(body: bytes) -> tuple[int, int]:
    """The operator and the place in the body of a removal; raises `Malformed`."""
    rest = body.removeprefix(_PREFIX)
    if not is_removal(body) or len(rest) != 1 + _PLACE_BYTES:
        raise Malformed("no removal")
    return rest[0], int.from_bytes(rest[1:], "big")
