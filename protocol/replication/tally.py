"""The acknowledgements that an operator has heard in one term, and what they confirm. Pure."""

from __future__ import annotations

from collections.abc import Collection

from protocol.errors import Malformed
from protocol.journal.chain import Chain
from protocol.journal.statements import Ack, Signed, quorum
from protocol.replication.replica import Replica

Certificate = tuple[tuple[Ack, Signed], ...]
"""A majority's words, newest first, each decoded and as it was signed."""


class Tally:
    """The newest acknowledgement of each operator, in one term."""

    def __init__(self) -> None:
        self._acks: dict[int, tuple[Ack, Signed]] = {}

    def take(self, ack: Ack, signed: Signed) -> None:
        """An operator has said this; what it said before may be newer."""
        before = self._acks.get(ack.operator)
        if before is None or before[0].seq <= ack.seq:
            self._acks[ack.operator] = (ack, signed)

    def newest(self, beyond: int = -1) -> list[tuple[Ack, Signed]]:
        """The newest of each operator that is about an entry `beyond` this one."""
        return [one for one in self._acks.values() if one[0].seq > beyond]


def certificate_of(
    chain: Chain, said: Collection[tuple[Ack, Signed]], confirmed: int
) -> Certificate | None:
    """The acknowledgements, one of each operator, that confirm the most beyond `confirmed`.

    Each entry has the majority of those who count at it: behind a removal that is not confirmed
    yet, and before it, these are not the same.
    """
    if len(said) < quorum(len(chain.members)):
        return None  # most words come before a majority's, and none needs fewer than the newest
    end, newest = chain.head, sorted(said, key=lambda pair: -pair[0].seq)
    for since, members in reversed(chain.membership.eras):
        needed = quorum(len(members))
        held = [pair for pair in newest if pair[0].operator in members][:needed]
        seq = held[-1][0].seq if len(held) == needed else -1
        if max(since, confirmed + 1) <= seq <= end:
            return tuple(held)
        if since <= confirmed:
            break
        end = since - 1
    return None


class Acknowledgements:
    """The newest word of each operator in one term: a guest's own, and what others tell it.

    With a majority's words nobody has to wait for the host's certificate: they are one.
    """

    def __init__(self, replica: Replica, term: int) -> None:
        self._replica = replica
        self._term = term
        self._own: tuple[Ack, Signed] | None = None
        self._others = Tally()

    @property
    def known(self) -> dict[Signed, Ack]:
        """What we have signed ourselves, or checked: these words are not opened again."""
        own = () if self._own is None else (self._own,)
        return {signed: ack for ack, signed in (*own, *self._others.newest())}

    def make(self, seq: int) -> Signed:
        """Our own word that we hold everything up to this entry."""
        self._own = self._replica.acknowledge(self._term, seq)
        return self._own[1]

    def hear(self, operator: int, signed: Signed) -> Ack | None:
        """Another's word; None where it is of another term, or about an entry that is not ours
        or not ours yet. Raises `Malformed` or `BadSignature`.
        """
        ack = signed.read(Ack)
        if ack.term != self._term or operator == self._replica.me:
            return None
        if ack.operator != operator:
            raise Malformed("somebody else's acknowledgement")
        self._replica.chain.check_signer(ack, signed)
        self._others.take(ack, signed)
        return ack if self._replica.chain.place_of(ack.hash) == ack.seq else None

    def certificate(self) -> Certificate | None:
        """A majority's words, ours among them, that cover an entry of this very term."""
        if self._own is None:
            return None
        chain, confirmed = self._replica.chain, self._replica.confirmed
        # Words about what is confirmed add nothing to it, and most are such.
        words = self._others.newest(confirmed)
        if self._own[0].seq > confirmed:
            words.insert(0, self._own)
        said = [one for one in words if chain.place_of(one[0].hash) == one[0].seq]
        held = certificate_of(chain, said, confirmed)
        if held is None or chain.entries[held[-1][0].seq].term != self._term:
            return None
        return held
