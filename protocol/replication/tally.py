"""The acknowledgements that an operator has heard in one term, and what they confirm. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.journal.chain import Chain
from protocol.journal.statements import Ack, Signed, quorum

Certificate = tuple[tuple[Ack, Signed], ...]
"""A majority's words, newest first, each decoded and as it was signed."""


class Tally:
    """The newest acknowledgement of each operator, in one term."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._acks: dict[int, tuple[Ack, Signed]] = {}

    def take(self, ack: Ack, signed: Signed) -> None:
        """An operator has said this; what it said before may be newer."""
        before = self._acks.get(ack.operator)
        if before is None or before[0].seq <= ack.seq:
            self._acks[ack.operator] = (ack, signed)

    def newest(self) -> Iterable[tuple[Ack, Signed]]:
        """The newest of each operator."""
        return self._acks.values()

    def certificate(self, confirmed: int) -> tuple[int, int, tuple[Signed, ...]] | None:
        """What a majority holds beyond `confirmed`: up to where, the newest entry that these
        acknowledgements speak of, and they themselves. None where it is nothing.
        """
        held = certificate_of(self._chain, self._acks.values(), confirmed)
        if held is None:
            return None
        return held[-1][0].seq, held[0][0].seq, tuple(signed for _, signed in held)


def certificate_of(
    chain: Chain, said: Iterable[tuple[Ack, Signed]], confirmed: int
) -> Certificate | None:
    """The acknowledgements, one of each operator, that confirm the most beyond `confirmed`.

    Each entry has the majority of those who count at it: behind a removal that is not confirmed
    yet, and before it, these are not the same.
    """
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
