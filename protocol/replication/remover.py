"""How a host takes out of the journal's majorities who has left for good: one at a time, and
only after it has confirmed an entry of its own term and the removal before (Ongaro,
*Consensus*, 4.1, with the condition that the author added in 2015). Pure.
"""

from __future__ import annotations

from protocol.errors import LocalError
from protocol.journal.chain import Entry
from protocol.journal.membership import make_removal, removal_body
from protocol.journal.statements import Removal, Signed
from protocol.replication.effects import Fold
from protocol.replication.replica import Replica


class Remover:
    """The removals of one host in its term."""

    def __init__(self, replica: Replica, term: int) -> None:
        self._replica = replica
        self._term = term
        self._folding: Signed | None = None

    @property
    def is_busy(self) -> bool:
        """Whether our application folds a removal: nothing else has its place meanwhile."""
        return self._folding is not None

    def begin(self, first: int) -> Fold | None:
        """The next removal for our application, if one is due. Our term begins at `first`."""
        replica, chain = self._replica, self._replica.chain
        ready = replica.confirmed >= max(first, chain.membership.since)
        if not replica.leaving or not ready or len(chain.members) < 2:
            return None
        operator, place = min(replica.leaving), replica.confirmed
        match, acks = chain.genesis.digest, replica.certificate
        removal = Removal(match, self._term, replica.me, operator, place, acks)
        self._folding, seq = make_removal(replica.identity, removal), chain.head + 1
        return Fold(seq, replica.me, removal_body(operator, place), self._folding)

    def folded(self, code: str | None) -> Entry:
        """Our application has folded it: the entry in its place."""
        signed, self._folding = self._folding, None
        if signed is None or code is not None:
            raise LocalError(f"our game takes back that somebody has left: {code}")
        entry = self._replica.chain.remove(self._replica.identity, signed)
        self._replica.note_folded(entry.seq, turned=True)  # its majority waits for it
        return entry

    def stop(self) -> bool:
        """We order no more: whether our application has folded what has no place."""
        folding, self._folding = self._folding, None
        return folding is not None
