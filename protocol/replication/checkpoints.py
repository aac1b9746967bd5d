"""Whether all come to the same public state: digests at the checkpoints, compared.

One odd digest is one odd laptop. With three or more the majority plays on; who differs from it
is told so, keeps its journal, and can fold it again. Only where no majority agrees does the
match stop. An operator's digest says something of that operator alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from protocol.errors import Diverged, ProtocolError, Unavailable
from protocol.journal.evidence import exhibit
from protocol.journal.statements import CHECKPOINT, Ack, Signed, quorum

KEPT = 64
"""Checkpoints of which the digests are kept: a late word about an older one is not compared."""


class Checkpoints:
    """Our own digests, and what others have said of theirs, by checkpoint."""

    def __init__(
        self, me: int, members: Callable[[int], frozenset[int]], ours: Mapping[int, bytes]
    ) -> None:
        """`members(seq)`: whose states count at this entry."""
        self._me = me
        self._members = members
        self._ours = dict(ours)
        self._theirs: dict[int, dict[int, tuple[bytes, Signed]]] = {}
        self._odd: set[int] = set()

    def ours(self, seq: int) -> bytes | None:
        """Our digest at this entry, if it is a checkpoint that we have folded."""
        return self._ours.get(seq) if seq % CHECKPOINT == 0 else None

    def truncate(self, seq: int) -> None:
        """What comes after this entry has given way."""
        self._ours = {at: digest for at, digest in self._ours.items() if at <= seq}
        self._theirs = {at: told for at, told in self._theirs.items() if at <= seq}

    def folded(self, seq: int, digest: bytes) -> frozenset[int]:
        """We have come to this state: who is found to differ. Raises as `heard` does."""
        self._ours[seq] = digest
        return self._compare(seq)

    def heard(self, ack: Ack, signed: Signed) -> frozenset[int]:
        """An operator's word, its signature checked: who is newly found to differ from us.

        Raises `Unavailable` ("differs") where a majority differs from us, and `Diverged` where
        all have spoken and no majority agrees.
        """
        if not ack.digest or ack.seq % CHECKPOINT or ack.operator == self._me:
            return frozenset()
        if ack.operator not in self._members(ack.seq):
            return frozenset()
        if ack.seq <= max(self._ours, default=0) - KEPT * CHECKPOINT:
            return frozenset()
        told = self._theirs.setdefault(ack.seq, {})
        told.setdefault(ack.operator, (ack.digest, signed))
        return self._compare(ack.seq)

    def _compare(self, seq: int) -> frozenset[int]:
        ours, told = self._ours.get(seq), self._theirs.get(seq, {})
        for at in [at for at in self._theirs if at <= seq - KEPT * CHECKPOINT]:
            del self._theirs[at]
        if ours is None or not told:
            return frozenset()
        differing = frozenset(one for one, (digest, _) in told.items() if digest != ours)
        if not differing:
            return frozenset()
        members = self._members(seq)
        present = self._me in members  # a spectator's own state counts for nothing
        agreed = present + len(told) - len(differing)
        majority = quorum(len(members))
        (_, others), *_ = Counter(told[one][0] for one in differing).most_common(1)
        problem: ProtocolError | None = None
        if len(members) > 2 and others >= majority:
            problem = Unavailable("differs", f"a majority comes to another state at {seq}")
        elif agreed < majority and len(told) + present == len(members):
            first = told[min(differing)][1]
            problem = Diverged(seq, evidence=(exhibit("ack", first),))
        if problem is not None:
            raise problem
        if agreed < majority:
            return frozenset()  # others have yet to speak
        found = differing - self._odd
        self._odd |= found
        return found
