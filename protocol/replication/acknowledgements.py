"""Who has said in one term that it holds what: a guest's own word, and what others tell it.

With a majority's words nobody has to wait for the host's certificate: they are one.
"""

from __future__ import annotations

from protocol.errors import Malformed
from protocol.journal.statements import MAX_STATEMENT, Ack, Signed
from protocol.replication.replica import Replica
from protocol.replication.tally import Certificate, Tally, certificate_of
from protocol.wire.codec import decode


class Acknowledgements:
    """The newest word of each operator in one term. Pure."""

    def __init__(self, replica: Replica, term: int) -> None:
        self._replica = replica
        self._term = term
        self._own: tuple[Ack, Signed] | None = None
        self._others = Tally(replica.chain)

    @property
    def own(self) -> Signed | None:
        """Our newest word, as we signed it."""
        return None if self._own is None else self._own[1]

    def make(self, seq: int) -> Signed:
        """Our own word that we hold everything up to this entry."""
        self._own = self._replica.acknowledge(self._term, seq)
        return self._own[1]

    def hear(self, operator: int, signed: Signed) -> Ack | None:
        """Another's word; None where it is of another term, or about an entry that is not ours
        or not ours yet. Raises `Malformed` or `BadSignature`.
        """
        ack = decode(signed.content, Ack, limit=MAX_STATEMENT)
        if ack.term != self._term or operator == self._replica.me:
            return None
        if ack.operator != operator:
            raise Malformed("somebody else's acknowledgement")
        self._replica.chain.check_signer(ack, signed)
        self._others.take(ack, signed)
        return ack if self._is_ours(ack) else None

    def certificate(self) -> Certificate | None:
        """A majority's words, ours among them, that cover an entry of this very term."""
        if self._own is None:
            return None
        chain, confirmed = self._replica.chain, self._replica.confirmed
        words = (self._own, *self._others.newest())
        # Words about what is confirmed add nothing to it, and most are such.
        said = [one for one in words if one[0].seq > confirmed and self._is_ours(one[0])]
        if not said:
            return None
        held = certificate_of(chain, said, confirmed)
        if held is None or chain.entries[held[-1][0].seq].term != self._term:
            return None
        return held

    def _is_ours(self, ack: Ack) -> bool:
        chain = self._replica.chain
        return ack.seq <= chain.head and ack.hash == chain.hash_at(ack.seq)
