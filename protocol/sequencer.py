"""The host's machine: statements in, one order out.

A statement of anybody, the host's own included, goes this way and no other:

    submitted ─ waiting ─ folded by our own application ─┬─ refused, signed, and told its author
                                                         └─ ordered, signed ─ on our disk ─ sent
    sent ─ acknowledged by a majority (ours counts once it is on our disk) ─ confirmed

An entry never leaves before it is on our disk, so that no crash lets us sign another one for
the same place. One fold runs at a time, since the next entry's place hangs on its
outcome; storing, sending and acknowledging overlap with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from protocol.accusation import MAX_ACCUSED, accuse, is_accusation, is_forbidden, verdict
from protocol.application import Contribution
from protocol.codec import decode
from protocol.delivery import Delivery
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
from protocol.messages import Follow, Refused
from protocol.replica import Replica
from protocol.statements import (
    CHECKPOINT,
    DOMAIN_REFUSAL,
    MAX_ORDERED,
    MAX_STATEMENT,
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


class Sequencer:
    """Orders, stores, sends and counts. Every call returns the effects to perform, in order."""

    def __init__(self, replica: Replica, term: int) -> None:
        """For the host of `term`, whose replica is at rest."""
        self.replica = replica
        self.chain = replica.chain
        self.outbox = replica.outbox
        self.term = term
        self._me = replica.me
        self._identity = replica.identity
        self._delivery = Delivery(replica)
        self._refusals: dict[tuple[int, int], Signed] = {}
        self._waiting: deque[tuple[Authored, Signed]] = deque()
        self._queued: dict[tuple[int, int], Signed] = {}  # waiting or being folded
        self._folding: tuple[Authored, Signed] | None = None
        self._acks: dict[int, tuple[Ack, Signed]] = {}
        self._condemned: tuple[int, str] | None = None  # a cheating author, and the refusal
        self._voted = -1  # the newest entry that we have acknowledged ourselves
        self._quorum = quorum(len(self.chain.genesis.operators))

    @property
    def confirmed(self) -> int:
        """The newest entry that a majority holds."""
        return self.replica.confirmed

    @property
    def head(self) -> int:
        """The newest entry that is ordered and folded."""
        return self.chain.head

    @property
    def is_settled(self) -> bool:
        """Whether what is folded says for certain what is owed, and nothing is on its way."""
        return self.replica.is_certain and not self._queued and self.outbox.is_settled

    def start(self, election: Signed | None = None) -> list[Effect]:
        """Once: put our election in order, acknowledge what we hold, go on with what is
        pending. The first term has no election.
        """
        effects: list[Effect] = []
        if election is not None:
            entry = self.chain.begin_term(self._identity, election)
            self._delivery.first = entry.seq
            self.replica.skip_elections()
            effects.append(StoreEntry(entry))
        else:
            effects += self._acknowledge(self.replica.stored)
        for letter in self.outbox.sent(self.term):
            effects += self._take_ours(letter.authored)
        return effects

    def step_down(self) -> list[Effect]:
        """We order no more. What waited is for its authors to say again."""
        self._waiting.clear()
        self._queued.clear()
        if self._folding is None:
            return []
        self._folding = None  # the application has perhaps folded what has no place
        return self.replica.rewind()

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """Say something ourselves; it takes the way of everything else."""
        letters = self.outbox.write(contributions, self.chain.hash_at(max(self.confirmed, 0)))
        return [StoreLetters(letters)] if letters else []

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our letters are on our disk."""
        effects: list[Effect] = []
        for letter in self.outbox.kept(counters):  # signed a moment ago
            statement = decode(letter.authored.content, Authored, limit=MAX_ORDERED)
            effects += self._take(statement, letter.authored)
        return effects

    def submit(self, operator: int, authored: Signed) -> list[Effect]:
        """A connected operator says something. Its faults end in `Cut`, with the evidence.

        Only who follows us in this term is heard: what was on its way since an earlier one may
        have its answer from another host.
        """
        if operator not in self._delivery:
            return []
        try:
            statement = self.chain.check_authored(authored)
            if statement.author != operator:
                raise Malformed("somebody else's statement")
            if is_accusation(statement.body):
                raise Malformed("only who orders accuses")
            return self._take(statement, authored)
        except RemoteError as problem:
            return self._cut(operator, problem)

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`; `digest` at a checkpoint."""
        if self._folding is None or seq != self.head + 1:
            raise LocalError(f"nobody asked to fold {seq}")
        statement, authored = self._folding
        self._folding = None
        del self._queued[statement.author, statement.counter]
        if code is None:
            if digest is not None:
                self.replica.digests[seq] = digest
            return [self._put(authored, turned=turned), *self._advance()]
        effects = self._refuse(statement, authored, code)
        if statement.author == self._me or not is_forbidden(code):
            return effects + self._advance()
        if len(authored.content) > MAX_ACCUSED:
            return effects + self._cut(statement.author, Excessive("too large to be shown"))
        # Nothing is folded any more: the accusation is the last entry of this match.
        self._condemned = (statement.author, code)
        self._waiting.clear()
        return effects + self.write((Contribution(key=b"accusation", body=accuse(authored)),))

    def _put(self, authored: Signed, *, turned: bool = True) -> StoreEntry:
        """Give a statement its place."""
        entry = self.chain.extend(self._identity, authored)
        self.replica.note_folded(entry.seq, turned=turned)
        # An accusation leaves behind what else of ours was waiting.
        if entry.author == self._me and self._condemned is None:
            self.outbox.ordered(entry, self._identity.public)
        return StoreEntry(entry)

    def stored(self, seq: int) -> list[Effect]:
        """An entry is on our disk: now it may be seen."""
        effects = self._delivery.pump_all()
        entry = self.chain.entries[seq]
        if self._condemned is not None and is_accusation(entry.body):
            return [*effects, Fail(verdict(self.chain, entry, *self._condemned))]
        return effects + self._vote()

    def flush(self) -> list[Effect]:
        """Send and acknowledge all that we hold, whether somebody waits for it or not."""
        return self._delivery.pump_all(everything=True) + self._vote(everything=True)

    def follow(self, operator: int, follow: Follow) -> list[Effect]:
        """An operator is connected and says what it knows confirmed.

        It is sent everything after that again: what it holds beyond may be of another history.
        """
        if follow.term != self.term:
            return []  # it will hear of our term, or we of its
        if follow.confirmed > self.head or follow.hash != self.chain.hash_at(follow.confirmed):
            return self._cut(operator, Malformed("it follows another history"))
        self._delivery.begin(operator, follow.confirmed)
        effects: list[Effect] = [
            Send(operator, Refused(refusal))
            for (author, counter), refusal in self._refusals.items()
            if author == operator and counter > follow.settled
        ]
        return effects + self._delivery.pump(operator, everything=True)

    def gone(self, operator: int) -> None:
        """An operator is not connected any more."""
        self._delivery.end(operator)

    def lacks(self, operator: int) -> bool:
        """Whether a connected operator has not acknowledged everything, or not heard of it."""
        return self._delivery.lacks(operator)

    def acked(self, operator: int, signed: Signed) -> list[Effect]:
        """A connected operator has checked something and has it on disk."""
        try:
            ack = decode(signed.content, Ack, limit=MAX_STATEMENT)
            if ack.term != self.term:
                return []  # meant for a host before us
            self.chain.check_said(ack, signed, holds=self._adds_nothing(ack))
            if ack.operator != operator:
                raise Malformed("somebody else's acknowledgement")
            if ack.seq > self.replica.stored:
                raise Malformed("acknowledged before it was sent")
        except RemoteError as problem:
            return self._cut(operator, problem)
        listens = operator in self._delivery
        if listens:
            self._delivery.arrived(operator, ack.seq)
        effects = self._count(ack, signed)
        return effects + (self._delivery.pump(operator) if listens else [])

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
            told = decode(refusal.content, Refusal, limit=MAX_STATEMENT)
            if told.hash != authored_hash(authored.content):
                raise Malformed("other words under a counter that was refused")
            return [] if author == self._me else [Send(author, Refused(refusal))]
        if author != self._me and sum(a == author for a, _ in self._refusals) >= MAX_REFUSED:
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
            self.term,
            statement.author,
            statement.counter,
            authored_hash(authored.content),
            code,
        )
        signed = sign(self._identity, DOMAIN_REFUSAL, refusal)
        self._refusals[statement.author, statement.counter] = signed
        effects: list[Effect] = [StoreRefusal(statement.author, statement.counter, signed)]
        if statement.author != self._me:
            return [*effects, Send(statement.author, Refused(signed))]
        answer = self.outbox.refused(signed, self.term, self._identity.public)
        if answer is not None:
            letter, reason = answer
            effects.append(Reject(letter.key, letter.counter, reason))
        return effects

    def _adds_nothing(self, ack: Ack) -> bool:
        """Whether it says only what a majority has said: then nobody is shown its signature."""
        if ack.seq > self.confirmed or ack.hash != self.chain.hash_at(ack.seq):
            return False
        return not ack.digest or ack.digest == self.replica.digests.get(ack.seq)

    def _vote(self, *, everything: bool = False) -> list[Effect]:
        """Acknowledge what is on our disk, as a guest does: where somebody waits for it."""
        newest, voted = self.replica.stored, self._voted
        checkpoint = newest - newest % CHECKPOINT
        waited_for = voted < self.replica.turned <= newest
        if newest <= voted or not (everything or waited_for or voted < checkpoint):
            return []
        return self._acknowledge(newest)

    def _acknowledge(self, seq: int) -> list[Effect]:
        """Our own vote: it counts like any other."""
        self._voted = seq
        signed = self.replica.acknowledge(self.term, seq)
        return self._count(decode(signed.content, Ack, limit=MAX_STATEMENT), signed)

    def _count(self, ack: Ack, signed: Signed) -> list[Effect]:
        """Take an acknowledgement into account; confirm what a majority holds."""
        ours = self.replica.digests.get(ack.seq)
        if ack.digest and ours is not None and ack.digest != ours:
            return [Fail(Diverged(ack.seq, evidence=(exhibit("ack", signed),)))]
        before = self._acks.get(ack.operator)
        if before is None or before[0].seq <= ack.seq:
            self._acks[ack.operator] = (ack, signed)
        if ack.seq <= self.confirmed:
            return []
        held = sorted(self._acks.values(), key=lambda item: -item[0].seq)
        if len(held) < self._quorum:
            return []
        seq = held[self._quorum - 1][0].seq
        if seq <= self.confirmed or seq < self._delivery.first:
            return []  # an older term's entry is confirmed by one of ours after it
        certificate = tuple(signed for _, signed in held[: self._quorum])
        self.replica.confirm(seq, certificate, held[0][0].seq)
        return [Confirm(seq, certificate), *self._delivery.tell_all()]

    def _cut(self, operator: int, problem: RemoteError) -> list[Effect]:
        problem.blame(self.chain.genesis.operators[operator].identity)
        self.gone(operator)
        return [Cut(operator, problem)]
