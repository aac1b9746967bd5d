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

from collections.abc import Iterable, Mapping

from protocol.accusation import accused, is_accusation, verdict
from protocol.application import Contribution
from protocol.effects import (
    Confirm,
    Effect,
    Fail,
    Fold,
    Reject,
    Send,
    StoreEntry,
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
from protocol.identity import Identity
from protocol.journal import HOST, Chain
from protocol.messages import Acked, Follow, Submit
from protocol.outbox import Outbox
from protocol.statements import CHECKPOINT, DOMAIN_ACK, Ack, Signed, sign

MAX_UNFOLDED = 4096
"""Entries received and not yet folded: a whole match, so a catch-up never stops for this."""


class Follower:
    """Follows one table. Every call returns the effects to perform, in order."""

    def __init__(
        self,
        *,
        identity: Identity,
        chain: Chain,
        outbox: Outbox,
        me: int,
        certificate: tuple[Signed, ...] = (),
        digests: Mapping[int, bytes] | None = None,
    ) -> None:
        """Everything in `chain` is on our disk and folded; the rest as for the sequencer."""
        self.chain = chain
        self.outbox = outbox
        self.confirmed = -1  # not even the genesis
        self._identity = identity
        self._me = me
        self._stored = chain.head
        self._folded = chain.head
        self._acked = -1
        self._own: Signed | None = None  # our newest acknowledgement
        self._connected = False
        self._failed = False
        self._digests = dict(digests or {})
        self._claims: dict[int, list[tuple[Ack, Signed]]] = {}  # digests to compare, by entry
        self._commit: tuple[int, tuple[Signed, ...]] | None = None  # waits for our own folds
        if certificate:
            held = chain.check_certificate(0, certificate)
            self.confirmed = min(ack.seq for ack in held)
        for entry in chain.entries:
            if entry.author == me and entry.seq:
                outbox.ordered(entry)

    @property
    def head(self) -> int:
        """The newest entry received."""
        return self.chain.head

    @property
    def checked(self) -> int:
        """The newest entry that our own application has accepted."""
        return self._folded

    @property
    def is_settled(self) -> bool:
        """Whether all we received is folded and confirmed, and nothing of ours under way."""
        return self.confirmed == self._folded == self.head and self.outbox.is_settled

    def connected(self) -> list[Effect]:
        """The host can be reached: say what we have, and again what it may not have heard."""
        self._connected = True
        self._acked = -1
        head = self.chain.head
        follow = Follow(
            self.chain.genesis.table, head, self.chain.hash_at(head), self.outbox.settled
        )
        return [
            Send(HOST, follow),
            *self._acknowledge(),
            *(Send(HOST, Submit(letter.authored)) for letter in self.outbox.pending()),
        ]

    def disconnected(self) -> None:
        """The host cannot be reached; what we say waits in the outbox."""
        self._connected = False

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """Say something."""
        letters = self.outbox.write(contributions, self.chain.hash_at(max(self.confirmed, 0)))
        return [StoreLetters(letters)] if letters else []

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our letters are on our disk, and may leave."""
        letters = self.outbox.kept(counters)
        if not self._connected:
            return []
        return [Send(HOST, Submit(letter.authored)) for letter in letters]

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
            return self._fail(problem.blame(self.chain.host))
        if self._commit is None or seq >= self._commit[0]:
            self._commit = (seq, acks)
        return self._confirm()

    def refused(self, refusal: Signed) -> list[Effect]:
        """The host will not order something of ours."""
        try:
            answer = self.outbox.refused(refusal)
        except RemoteError as problem:
            return self._fail(problem.blame(self.chain.host))
        if answer is None:
            return []
        letter, code = answer
        return [
            StoreRefusal(self._me, letter.counter, refusal),
            Reject(letter.key, letter.counter, code),
        ]

    def stored(self, seq: int) -> list[Effect]:
        """An entry is on our disk."""
        self._stored = seq
        return self._acknowledge()

    def folded(self, seq: int, code: str | None, digest: bytes | None) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`."""
        if seq != self._folded + 1:
            raise LocalError(f"fold {seq} answered after {self._folded}")
        entry = self.chain.entries[seq]
        if is_accusation(entry.body):
            author = accused(self.chain, entry).author
            return self._fail(verdict(self.chain, entry, author, code))
        if code is not None:
            fault = IllegalEntry(
                f"the host ordered what the table refuses: {code}",
                culprit=self.chain.host,
                evidence=(self.chain.entries[seq].exhibit(),),
            )
            return self._fail(fault)
        self._folded = seq
        if digest is not None:
            self._digests[seq] = digest
            try:
                self._compare(seq)
            except RemoteError as problem:
                return self._acknowledge() + self._fail(problem)
        return self._acknowledge() + self._confirm()

    def _entry(self, signed: Signed) -> list[Effect]:
        if self._failed:
            return []
        entry = self.chain.check(signed)
        if entry is None:
            return []
        if self.head - self._folded > MAX_UNFOLDED:
            raise Unavailable("too_slow", "more entries than this laptop can follow")
        if entry.author == self._me:
            self.outbox.ordered(entry)
        self.chain.append(entry)
        authored = Signed(entry.authored, entry.author_signature)
        store = StoreEntry(entry)
        if is_accusation(entry.body):
            condemned = accused(self.chain, entry)
            fold = Fold(entry.seq, condemned.author, condemned.body, authored, checkpoint=False)
            return [store, fold]
        checkpoint = entry.seq % CHECKPOINT == 0
        return [store, Fold(entry.seq, entry.author, entry.body, authored, checkpoint)]

    def _acknowledge(self) -> list[Effect]:
        """Every checkpoint by itself, then the newest that is both stored and folded."""
        newest = min(self._stored, self._folded)
        if not self._connected or self._failed or newest <= self._acked:
            return []
        first = max(self._acked, self.confirmed)
        step = first - first % CHECKPOINT + CHECKPOINT
        points = [*range(step, newest, CHECKPOINT), newest]
        self._acked = newest
        return [Send(HOST, Acked(self._ack(seq))) for seq in points]

    def _ack(self, seq: int) -> Signed:
        digest = self._digests.get(seq, b"") if seq % CHECKPOINT == 0 else b""
        table = self.chain.genesis.table
        ack = Ack(table, self._me, seq, self.chain.hash_at(seq), digest)
        self._own = sign(self._identity, DOMAIN_ACK, ack)
        return self._own

    def _confirm(self) -> list[Effect]:
        """A certificate takes effect once our own application agrees with all it covers."""
        if self._commit is None or self._commit[0] > self._folded or self._failed:
            return []
        seq, acks = self._commit
        self._commit = None
        self.confirmed = seq
        return [Confirm(seq, acks)]

    def _compare(self, seq: int) -> None:
        """Do the others see the same public state here?"""
        ours = self._digests.get(seq)
        if ours is None:
            return
        for ack, signed in self._claims.pop(seq, ()):
            if ack.digest != ours:
                raise Diverged(seq, evidence=(exhibit("ack", signed),))

    def _fail(self, problem: ProtocolError) -> list[Effect]:
        self._failed = True
        return [Fail(problem)]
