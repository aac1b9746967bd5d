"""The host's machine: statements in, one order out.

A statement of anybody, the host's own included, goes this way and no other:

    submitted ─ waiting ─ folded by our own application ─┬─ refused, signed, and told its author
                                                         └─ ordered, signed ─ on our disk ─ sent
    sent ─ acknowledged by a majority (ours counts once it is on our disk) ─ confirmed

An entry never leaves before it is on our disk: after a crash we could otherwise sign another
one for the same place. One fold runs at a time, since the next entry's place hangs on its
outcome; storing, sending and acknowledging overlap with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from protocol.accusation import MAX_ACCUSED, accuse, is_accusation, is_forbidden, verdict
from protocol.application import Contribution
from protocol.batches import WINDOW, next_batch
from protocol.effects import (
    Confirm,
    Cut,
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
    Equivocation,
    Excessive,
    LocalError,
    Malformed,
    RemoteError,
)
from protocol.evidence import exhibit
from protocol.identity import Identity
from protocol.journal import HOST, Chain
from protocol.messages import Commit, Entries, Follow, Refused
from protocol.outbox import Outbox
from protocol.statements import (
    CHECKPOINT,
    DOMAIN_ACK,
    DOMAIN_REFUSAL,
    Ack,
    Authored,
    Refusal,
    Signed,
    authored_hash,
    quorum,
    sign,
)

MAX_WAITING = 64
"""Statements of one author that may wait for their turn. A step of a game is a handful."""

MAX_REFUSED = 1_024
"""Refused statements of one author in one match: each is kept. An honest one has a few."""


@dataclass(slots=True)
class _Listener:
    """What one connected operator has been sent."""

    sent: int
    told: int = -1  #: the newest confirmation
    flying: deque[int] = field(default_factory=deque)  #: last number of each batch under way


class Sequencer:
    """Orders, stores, sends and counts. Every call returns the effects to perform, in order."""

    def __init__(
        self,
        *,
        identity: Identity,
        chain: Chain,
        outbox: Outbox,
        certificate: tuple[Signed, ...] = (),
        digests: Mapping[int, bytes] | None = None,
        refusals: Mapping[tuple[int, int], Signed] | None = None,
    ) -> None:
        """Everything in `chain` is on our disk and folded.

        `certificate`: the newest confirmation known; `digests`: our public state's, by
        checkpoint; `refusals`: ours, by author and counter.
        """
        self.chain = chain
        self.outbox = outbox
        self.confirmed = -1  # not even the genesis
        self._identity = identity
        self._certificate: tuple[Signed, ...] = ()
        self._certified = 0  # the newest entry that the certificate speaks of
        self._stored = chain.head
        self._digests = dict(digests or {})
        self._refusals = dict(refusals or {})
        self._waiting: deque[tuple[Authored, Signed]] = deque()
        self._queued: dict[tuple[int, int], Signed] = {}  # waiting or being folded
        self._folding: tuple[Authored, Signed] | None = None
        self._acks: dict[int, tuple[Ack, Signed]] = {}
        self._listeners: dict[int, _Listener] = {}
        self._condemned: tuple[int, str] | None = None  # a cheating author, and the refusal
        self._quorum = quorum(len(chain.genesis.operators))
        if certificate:
            held = chain.check_certificate(0, certificate)
            self.confirmed = min(ack.seq for ack in held)
            self._certificate = certificate
            self._certified = max(ack.seq for ack in held)
        for entry in chain.entries:
            if entry.author == HOST and entry.seq:
                outbox.ordered(entry)

    @property
    def head(self) -> int:
        """The newest entry that is ordered and folded."""
        return self.chain.head

    @property
    def on_disk(self) -> int:
        """The newest entry that may be seen."""
        return self._stored

    @property
    def certificate(self) -> tuple[Signed, ...]:
        """What confirms the newest confirmed entry."""
        return self._certificate

    @property
    def certified(self) -> int:
        """The newest entry that the certificate speaks of; -1 while there is none."""
        return self._certified if self._certificate else -1

    @property
    def is_settled(self) -> bool:
        """Whether everything folded is confirmed and nothing is on its way."""
        return self.confirmed == self.head and not self._queued and self.outbox.is_settled

    def start(self) -> list[Effect]:
        """Once: acknowledge what our disk holds, go on with what is pending."""
        effects = self._acknowledge(self._stored)
        for letter in self.outbox.pending():
            effects += self._take_ours(letter.authored)
        return effects

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """Say something ourselves; it takes the way of everything else."""
        letters = self.outbox.write(contributions, self.chain.hash_at(max(self.confirmed, 0)))
        return [StoreLetters(letters)] if letters else []

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our letters are on our disk."""
        effects: list[Effect] = []
        for letter in self.outbox.kept(counters):
            effects += self._take_ours(letter.authored)
        return effects

    def submit(self, operator: int, authored: Signed) -> list[Effect]:
        """A connected operator says something. Its faults end in `Cut`, with the evidence."""
        try:
            statement = self.chain.check_authored(authored)
            if statement.author != operator:
                raise Malformed("somebody else's statement")
            if is_accusation(statement.body):
                raise Malformed("only who orders accuses")
            return self._take(statement, authored)
        except RemoteError as problem:
            return self._cut(operator, problem)

    def folded(self, seq: int, code: str | None, digest: bytes | None) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`; `digest` at a checkpoint."""
        if self._folding is None or seq != self.head + 1:
            raise LocalError(f"nobody asked to fold {seq}")
        statement, authored = self._folding
        self._folding = None
        del self._queued[statement.author, statement.counter]
        if code is None:
            if digest is not None:
                self._digests[seq] = digest
            return [self._put(authored), *self._advance()]
        effects = self._refuse(statement, authored, code)
        if statement.author == HOST or not is_forbidden(code):
            return effects + self._advance()
        if len(authored.content) > MAX_ACCUSED:
            return effects + self._cut(statement.author, Excessive("too large to be shown"))
        # Nothing is folded any more: the accusation is the last entry of this match.
        self._condemned = (statement.author, code)
        self._waiting.clear()
        return effects + self.write((Contribution(key=b"accusation", body=accuse(authored)),))

    def _put(self, authored: Signed) -> StoreEntry:
        """Give a statement its place."""
        entry = self.chain.extend(self._identity, authored)
        # An accusation leaves behind what else of ours was waiting.
        if entry.author == HOST and self._condemned is None:
            self.outbox.ordered(entry)
        return StoreEntry(entry)

    def stored(self, seq: int) -> list[Effect]:
        """An entry is on our disk: now it may be seen."""
        self._stored = seq
        effects: list[Effect] = []
        for operator in self._listeners:
            effects += self._pump(operator)
        entry = self.chain.entries[seq]
        if self._condemned is not None and is_accusation(entry.body):
            return [*effects, Fail(verdict(self.chain, entry, *self._condemned))]
        return effects + self._acknowledge(seq)

    def follow(self, operator: int, follow: Follow) -> list[Effect]:
        """An operator is connected and says what it has."""
        known = follow.head <= self.head
        if known and follow.hash != self.chain.hash_at(follow.head):
            return self._cut(operator, Malformed("it follows another history"))
        if not known:
            return self._cut(operator, Malformed("it is ahead of its host"))
        self._listeners[operator] = _Listener(sent=follow.head)
        effects: list[Effect] = [
            Send(operator, Refused(refusal))
            for (author, counter), refusal in self._refusals.items()
            if author == operator and counter > follow.settled
        ]
        return effects + self._pump(operator)

    def gone(self, operator: int) -> None:
        """An operator is not connected any more."""
        self._listeners.pop(operator, None)

    def lacks(self, operator: int) -> bool:
        """Whether a connected operator has not acknowledged everything, or not heard of it."""
        listener = self._listeners.get(operator)
        if listener is None:
            return False
        return bool(listener.flying) or listener.sent < self.head or listener.told < self.head

    def acked(self, operator: int, signed: Signed) -> list[Effect]:
        """A connected operator has checked something and has it on disk."""
        try:
            ack = self.chain.check_ack(signed)
            if ack.operator != operator:
                raise Malformed("somebody else's acknowledgement")
            if ack.seq > self._stored:
                raise Malformed("acknowledged before it was sent")
        except RemoteError as problem:
            return self._cut(operator, problem)
        listener = self._listeners.get(operator)
        if listener is not None:
            while listener.flying and listener.flying[0] <= ack.seq:
                listener.flying.popleft()
        effects = self._count(ack, signed)
        return effects + (self._pump(operator) if listener is not None else [])

    def _take_ours(self, authored: Signed) -> list[Effect]:
        return self._take(self.chain.check_authored(authored), authored)

    def _take(self, statement: Authored, authored: Signed) -> list[Effect]:
        """Queue a statement whose signature holds, or answer why not."""
        author, counter = statement.author, statement.counter
        known = self._known(author, counter)
        if known is not None:
            if known == authored.content:
                return []  # sent again after a cut: it has its place, or its turn will come
            raise Equivocation(
                f"two statements under counter {counter}",
                evidence=(
                    exhibit("authored", Signed(known, self._signature(author, counter))),
                    exhibit("authored", authored),
                ),
            )
        refusal = self._refusals.get((author, counter))
        if refusal is not None:
            return [] if author == HOST else [Send(author, Refused(refusal))]
        if author != HOST and sum(a == author for a, _ in self._refusals) >= MAX_REFUSED:
            raise Excessive(f"more than {MAX_REFUSED} statements were refused")
        newest = max(
            (c for a, c in self._queued if a == author), default=self.chain.last_counter(author)
        )
        if counter <= newest:
            return self._refuse(statement, authored, "counter")
        if self.chain.place_of(statement.ancestor) is None:
            return self._refuse(statement, authored, "ancestor")
        if sum(a == author for a, _ in self._queued) >= MAX_WAITING:
            raise Excessive(f"more than {MAX_WAITING} statements wait")
        self._queued[author, counter] = authored
        self._waiting.append((statement, authored))
        return self._advance()

    def _known(self, author: int, counter: int) -> bytes | None:
        """The bytes that this author has sent under this counter before."""
        entry = self.chain.by_counter(author, counter)
        if entry is not None:
            return entry.authored
        queued = self._queued.get((author, counter))
        return None if queued is None else queued.content

    def _signature(self, author: int, counter: int) -> bytes:
        entry = self.chain.by_counter(author, counter)
        if entry is not None:
            return entry.author_signature
        return self._queued[author, counter].signature

    def _advance(self) -> list[Effect]:
        """Fold the next one that waits, if none is being folded."""
        if self._folding is not None or not self._waiting:
            return []
        if self._condemned is not None:
            statement, authored = self._waiting.popleft()
            if not is_accusation(statement.body):
                return self._advance()
            return [self._put(authored)]
        self._folding = self._waiting.popleft()
        statement = self._folding[0]
        seq = self.head + 1
        authored = self._folding[1]
        return [Fold(seq, statement.author, statement.body, authored, seq % CHECKPOINT == 0)]

    def _refuse(self, statement: Authored, authored: Signed, code: str) -> list[Effect]:
        refusal = Refusal(
            self.chain.genesis.table,
            statement.author,
            statement.counter,
            authored_hash(authored.content),
            code,
        )
        signed = sign(self._identity, DOMAIN_REFUSAL, refusal)
        self._refusals[statement.author, statement.counter] = signed
        effects: list[Effect] = [StoreRefusal(statement.author, statement.counter, signed)]
        if statement.author != HOST:
            return [*effects, Send(statement.author, Refused(signed))]
        answer = self.outbox.refused(signed)
        if answer is not None:
            letter, reason = answer
            effects.append(Reject(letter.key, letter.counter, reason))
        return effects

    def _acknowledge(self, seq: int) -> list[Effect]:
        """Our own vote: it counts like any other."""
        ack = Ack(
            self.chain.genesis.table,
            HOST,
            seq,
            self.chain.hash_at(seq),
            self._digests.get(seq, b"") if seq % CHECKPOINT == 0 else b"",
        )
        return self._count(ack, sign(self._identity, DOMAIN_ACK, ack))

    def _count(self, ack: Ack, signed: Signed) -> list[Effect]:
        """Take an acknowledgement into account; confirm what a majority holds."""
        ours = self._digests.get(ack.seq)
        if ack.digest and ours is not None and ack.digest != ours:
            return [Fail(Diverged(ack.seq, evidence=(exhibit("ack", signed),)))]
        before = self._acks.get(ack.operator)
        if before is None or before[0].seq <= ack.seq:
            self._acks[ack.operator] = (ack, signed)
        held = sorted(self._acks.values(), key=lambda item: -item[0].seq)
        if len(held) < self._quorum:
            return []
        seq = held[self._quorum - 1][0].seq
        if seq <= self.confirmed:
            return []
        self.confirmed = seq
        self._certificate = tuple(signed for _, signed in held[: self._quorum])
        self._certified = held[0][0].seq
        effects: list[Effect] = [Confirm(seq, self._certificate)]
        for operator in self._listeners:
            effects += self._tell(operator)
        return effects

    def _pump(self, operator: int) -> list[Effect]:
        """Send what this operator lacks, as far as the window goes, then what is confirmed."""
        listener = self._listeners[operator]
        effects: list[Effect] = []
        while listener.sent < self._stored and len(listener.flying) < WINDOW:
            batch = next_batch(self.chain, listener.sent, self._stored)
            listener.sent += len(batch)
            listener.flying.append(listener.sent)
            effects.append(Send(operator, Entries(batch)))
        return effects + self._tell(operator)

    def _tell(self, operator: int) -> list[Effect]:
        """The newest certificate, once this operator has everything that it speaks of."""
        listener = self._listeners[operator]
        if listener.told >= self.confirmed:
            return []
        if listener.sent < self._certified:
            return []
        listener.told = self.confirmed
        return [Send(operator, Commit(self.confirmed, self._certificate))]

    def _cut(self, operator: int, problem: RemoteError) -> list[Effect]:
        problem.blame(self.chain.genesis.operators[operator].identity)
        self.gone(operator)
        return [Cut(operator, problem)]
