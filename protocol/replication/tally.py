"""The acknowledgements that a host has in its term, and what they confirm. Pure."""

from __future__ import annotations

from protocol.journal.chain import Chain
from protocol.journal.statements import Ack, Signed, quorum


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

    def certificate(self, confirmed: int) -> tuple[int, int, tuple[Signed, ...]] | None:
        """What a majority holds beyond `confirmed`: up to where, the newest entry that these
        acknowledgements speak of, and they themselves. None where it is nothing.

        Each entry has the majority of those who count at it: behind a removal that is not
        confirmed yet, and before it, these are not the same.
        """
        end = self._chain.head
        for since, members in reversed(self._chain.membership.eras):
            acks = [pair for one, pair in self._acks.items() if one in members]
            held = sorted(acks, key=lambda pair: -pair[0].seq)[: quorum(len(members))]
            seq = held[-1][0].seq if len(held) == quorum(len(members)) else -1
            if max(since, confirmed + 1) <= seq <= end:
                return seq, held[0][0].seq, tuple(signed for _, signed in held)
            if since <= confirmed:
                break
            end = since - 1
        return None
