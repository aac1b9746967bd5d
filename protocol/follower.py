"""A guest's machine: the host's order in, checked, stored, folded, acknowledged.

    entry ─ checked ─┬─ on our disk ─┬─ acknowledged ─ … ─ certificate of a majority ─ confirmed
                     └─ folded ──────┘

Nothing the host says is believed: its order must chain, carry its author's signature, keep each
author's own order, leave out nothing of ours, and be accepted by our own application. A
confirmation is a majority's signed acknowledgements, which we check against our own history.

Our own statements are signed over the newest entry that we know to be confirmed, so the host
cannot show them to anybody in another history.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.accusation import accused, is_accusation, verdict
from protocol.application import Contribution
from protocol.codec import decode
from protocol.effects import (
    Confirm,
    Effect,
    Fail,
    Fold,
    Reject,
    Send,
    StoreLetters,
    StoreRefusal,
)
from protocol.errors import (
    Diverged,
    IllegalEntry,
    LocalError,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.evidence import exhibit
from protocol.messages import Acked, Follow, Submit
from protocol.replica import Replica
from protocol.statements import CHECKPOINT, MAX_ORDERED, Ack, Ordered, Signed

MAX_UNFOLDED = 4096
"""Entries received and not yet folded: a whole match, so a catch-up never stops for this."""


class Follower:
    """Follows one host. Every call returns the effects to perform, in order."""

    def __init__(self, replica: Replica, term: int, host: int | None) -> None:
        """Follows the host of `term`; nobody while there is none."""
        self.replica = replica
        self.chain = replica.chain
        self.outbox = replica.outbox
        self.term = term
        self.host = host
        self._me = replica.me
        self._acked = -1
        self._agreed = max(replica.confirmed, 0)  # up to here our history is surely our host's
        self._own: Signed | None = None  # our newest acknowledgement
        self._connected = False
        self._failed = False
        self._claims: dict[int, list[tuple[Ack, Signed]]] = {}  # digests to compare, by entry
        # The newest confirmation, with what it speaks of; waits for our own folds.
        self._commit: tuple[int, tuple[Signed, ...], int] | None = None

    @property
    def confirmed(self) -> int:
        """The newest entry that a majority holds."""
        return self.replica.confirmed

    @property
    def head(self) -> int:
        """The newest entry received."""
        return self.chain.head

    @property
    def is_settled(self) -> bool:
        """Whether what we received says for certain what is owed, and nothing of ours is under
        way.
        """
        return self.replica.is_certain and self.outbox.is_settled

    def connected(self) -> list[Effect]:
        """The host can be reached: say what we have, and again what it may not have heard."""
        if self.host is None:
            return []
        self._connected = True
        self._acked = -1
        known = max(self.confirmed, 0)
        follow = Follow(
            self.chain.genesis.table,
            self.term,
            known,
            self.chain.hash_at(known),
            self.outbox.settled,
        )
        return [Send(self.host, follow), *self.flush(), *self._submit()]

    def disconnected(self) -> None:
        """The host cannot be reached; what we say waits in the outbox."""
        self._connected = False

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """Say something."""
        letters = self.outbox.write(contributions, self.chain.hash_at(max(self.confirmed, 0)))
        return [StoreLetters(letters)] if letters else []

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our letters are on our disk, and may leave."""
        kept = tuple(counters)
        self.outbox.kept(kept)
        return self._submit(frozenset(kept))

    def _submit(self, only: frozenset[int] | None = None) -> list[Effect]:
        """Say to the host what is pending, or only these.

        A new host is told nothing before we have its first entry: only then do we know which of
        our letters have their place, and they must reach it in their order.
        """
        host = self.host
        if not self._connected or host is None or self.chain.term != self.term:
            return []
        return [
            Send(host, Submit(letter.authored))
            for letter in self.outbox.sent(self.term)
            if only is None or letter.counter in only
        ]

    def entries(self, batch: Iterable[Signed]) -> list[Effect]:
        """The host's next entries."""
        effects: list[Effect] = []
        try:
            for signed in batch:
                effects += self._entry(signed)
        except ProtocolError as problem:
            effects += self._fail(problem)
        return effects

    def commit(self, seq: int, acks: tuple[Signed, ...]) -> list[Effect]:
        """The host says that everything up to `seq` is confirmed, and shows it."""
        try:
            if seq > self.head:
                raise Malformed("a confirmation of what we were not shown")
            if seq <= self.confirmed:
                return []
            held = self.chain.check_certificate(seq, acks, self._own)
            for ack, signed in zip(held, acks, strict=True):
                if ack.digest:
                    self._claims.setdefault(ack.seq, []).append((ack, signed))
                    self._compare(ack.seq)
        except RemoteError as problem:
            return self._fail(problem.blame(self._host_key()))
        if self._commit is None or seq >= self._commit[0]:
            self._commit = (seq, acks, max(ack.seq for ack in held))
        return self._confirm()

    def refused(self, refusal: Signed) -> list[Effect]:
        """The host will not order something of ours."""
        try:
            answer = self.outbox.refused(refusal, self.term, self._host_key())
        except RemoteError as problem:
            return self._fail(problem.blame(self._host_key()))
        if answer is None:
            return []
        letter, code = answer
        return [
            StoreRefusal(self._me, letter.counter, refusal),
            Reject(letter.key, letter.counter, code),
        ]

    def stored(self, seq: int) -> list[Effect]:
        """An entry is on our disk."""
        return self._acknowledge()

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`."""
        replica = self.replica
        if seq != replica.folded + 1:
            raise LocalError(f"fold {seq} answered after {replica.folded}")
        entry = self.chain.entries[seq]
        if is_accusation(entry.body):
            author = accused(self.chain, entry).author
            return self._fail(verdict(self.chain, entry, author, code))
        if code is not None:
            fault = IllegalEntry(
                f"the host ordered what the table refuses: {code}",
                culprit=self.chain.host_of(entry.term),
                evidence=(entry.exhibit(),),
            )
            return self._fail(fault)
        replica.note_folded(seq, turned=turned)
        replica.skip_elections()
        if digest is not None:
            replica.digests[seq] = digest
            try:
                self._compare(seq)
            except RemoteError as problem:
                return self._acknowledge() + self._fail(problem)
        return self._acknowledge() + self._confirm()

    def _entry(self, signed: Signed) -> list[Effect]:
        if self._failed:
            return []
        replica = self.replica
        entry = self.chain.check(signed)
        if entry is None:
            seq = decode(signed.content, Ordered, limit=MAX_ORDERED).seq
            return self._agree(seq)
        if self.head - replica.folded > MAX_UNFOLDED:
            raise Unavailable("too_slow", "more entries than this laptop can follow")
        effects: list[Effect] = []
        if entry.seq <= self.head:
            if self._commit is not None and entry.seq <= self._commit[0]:
                replica.confirmed = self._commit[0]  # it was shown to us, with its majority
            effects += replica.give_way(entry)
            self._acked = min(self._acked, self.head)
        joins = self.chain.term != self.term
        effects.append(replica.take(entry))
        self._agreed = entry.seq
        effects += replica.note_ours(entry)
        if joins:
            effects += self._submit()
        if is_accusation(entry.body):
            condemned = accused(self.chain, entry)
            authored = Signed(entry.authored, entry.author_signature)
            return [
                *effects,
                Fold(entry.seq, condemned.author, condemned.body, authored, checkpoint=False),
            ]
        return effects + replica.fold(entry)

    def _agree(self, seq: int) -> list[Effect]:
        """The host shows us what we have already: so far we have its history."""
        if seq <= self._agreed:
            return []
        self._agreed = seq
        return self._acknowledge()

    def flush(self) -> list[Effect]:
        """Acknowledge all that we hold, whether somebody waits for it or not."""
        return self._acknowledge(everything=True)

    def _acknowledge(self, *, everything: bool = False) -> list[Effect]:
        """Every checkpoint by itself, then the newest that is both stored and folded.

        Nobody waits for it until something turns the match that no certificate covers yet.
        """
        newest = min(self.replica.stored, self.replica.folded, self._agreed)
        host = self.host
        if not self._connected or host is None or self._failed or newest <= self._acked:
            return []
        first = max(self._acked, self.confirmed)
        step = first - first % CHECKPOINT + CHECKPOINT
        shown = self.confirmed if self._commit is None else self._commit[0]
        waited_for = max(self._acked, shown) < self.replica.turned <= newest
        if not (everything or waited_for or step <= newest):
            return []
        points = [*range(step, newest, CHECKPOINT), newest]
        self._acked = newest
        return [Send(host, Acked(self._ack(seq))) for seq in points]

    def _ack(self, seq: int) -> Signed:
        self._own = self.replica.acknowledge(self.term, seq)
        return self._own

    def _confirm(self) -> list[Effect]:
        """A certificate takes effect once our own application agrees with all it covers."""
        if self._commit is None or self._commit[0] > self.replica.folded or self._failed:
            return []
        seq, acks, highest = self._commit
        self._commit = None
        self.replica.confirm(seq, acks, highest)
        return [Confirm(seq, acks)]

    def _host_key(self) -> bytes:
        """The identity of the host that we follow."""
        return self.chain.genesis.operators[self.host or 0].identity

    def _compare(self, seq: int) -> None:
        """Do the others see the same public state here?"""
        ours = self.replica.digests.get(seq)
        if ours is None:
            return
        for ack, signed in self._claims.pop(seq, ()):
            if ack.digest != ours:
                raise Diverged(seq, evidence=(exhibit("ack", signed),))

    def _fail(self, problem: ProtocolError) -> list[Effect]:
        self._failed = True
        return [Fail(problem)]
