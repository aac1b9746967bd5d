"""The host's machine: statements in, one order out.

A statement of anybody, the host's own included, goes this way and no other:

    submitted ─ waiting ─ folded by our own application ─┬─ refused, signed, and told its author
                                                         └─ ordered, signed ─ on our disk ─ sent
    sent ─ acknowledged by a majority (ours counts once it is on our disk) ─ confirmed

An entry never leaves before it is on our disk, so that no crash lets us sign another one for
the same place. One fold runs at a time, since the next entry's place hangs on its
outcome; storing, sending and acknowledging overlap with it.

What comes in, and by whom, is `intake`'s. A refusal names the place at which it was judged, so
that everybody can judge there. What no honest program could have said is judged once more at
the place where its author said it, before its author is accused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from protocol.errors import (
    Diverged,
    Equivocation,
    Excessive,
    LocalError,
    Malformed,
    RemoteError,
    Unavailable,
)
from protocol.journal.accusation import MAX_ACCUSED, is_accusation, is_forbidden
from protocol.journal.chain import Entry
from protocol.journal.membership import make_removal, removal_body
from protocol.journal.statements import CHECKPOINT, Ack, Authored, Removal, Signed
from protocol.messages import Follow
from protocol.replication.accuser import Accuser
from protocol.replication.delivery import Delivery
from protocol.replication.effects import (
    Ask,
    Confirm,
    Cut,
    Effect,
    Fail,
    Fold,
    StoreEntry,
    Suspect,
)
from protocol.replication.intake import Intake
from protocol.replication.replica import Replica
from protocol.replication.tally import Tally, certificate_of


class Remover:
    """How a host takes out of the journal's majorities who has left for good, in its term: one
    at a time, and only after it has confirmed an entry of its own term and the removal before
    (Ongaro, *Consensus*, 4.1, with the condition that the author added in 2015). Pure.
    """

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
        if not replica.leaving or len(chain.members) < 2:
            return None
        if replica.confirmed < max(first, chain.membership.since):
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


class Leader:
    """Orders, stores, sends and counts. Every call returns the effects to perform, in order."""

    def __init__(self, replica: Replica, term: int) -> None:
        """For the host of `term`, whose replica is at rest."""
        self.replica = replica
        self.chain = replica.chain
        self.outbox = replica.outbox
        self.term = term
        self._me = replica.me
        self._identity = replica.identity
        self.delivery = Delivery(replica)
        self.intake = Intake(replica, term)
        self._waiting, self._refused = self.intake.waiting, self.intake.refused
        self._folding: tuple[Authored, Signed] | None = None
        self._remover = Remover(replica, term)
        self._tally = Tally()
        self._accuser = Accuser(self.chain)
        self._voted = -1  # the newest entry that we have acknowledged ourselves

    @property
    def is_settled(self) -> bool:
        """Whether what is folded says for certain what is owed, and nothing is on its way."""
        return self.replica.is_certain and not self._is_busy and self.outbox.is_settled

    @property
    def _is_busy(self) -> bool:
        """Whether our application has perhaps folded what has no place. What others let wait
        does not count: they could let something wait for ever.
        """
        return self._folding is not None or self._remover.is_busy or self._accuser.is_sure

    def start(
        self, election: Signed | None = None, words: Iterable[Signed] = ()
    ) -> list[Effect]:
        """Once: put our election in order, acknowledge what we hold, go on with what is
        pending. The first term has no election. `words`: what the host before us left lying.
        """
        effects: list[Effect] = []
        if election is not None:
            entry = self.chain.begin_term(self._identity, election)
            self.delivery.first = entry.seq
            self.replica.skip_elections()
            effects.append(StoreEntry(entry))
        else:
            effects += self._acknowledge(self.replica.stored)
        for authored in (*words, *(one.authored for one in self.outbox.pending())):
            effects += self._take_checked(authored)
        return effects

    def step_down(self) -> list[Effect]:
        """We order no more. What waited is for its authors to say again."""
        self._waiting.empty()
        folds = self._remover.stop() or self._folding is not None
        self._folding = None  # the application has perhaps folded what has no place
        return self.replica.count_again() or (self.replica.rewind() if folds else [])

    @property
    def may_hasten(self) -> bool:
        """Whether all that we hold is on our disk and folded, and nothing is on its way."""
        return self.replica.is_at_rest and not self._is_busy and self.outbox.is_settled

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        kept = self.outbox.kept(counters)  # signed a moment ago
        return [effect for said in kept for effect in self._take(*said)]

    def submit(self, operator: int, authored: Signed) -> list[Effect]:
        """A connected operator brings a statement, its own or one that it has heard.

        Its faults end in `Cut`, with the evidence. Only who follows us in this term is heard:
        what was on its way since an earlier one may have its answer from another host.
        """
        if operator not in self.delivery:
            return []
        try:
            statement = self.chain.check_authored(authored)
            if statement.author == self._me:
                return []  # what of ours still waits is here already
            return self._take(statement, authored, operator)
        except RemoteError as problem:
            return self._cut(operator, problem)

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`; `digest` at a checkpoint."""
        if seq != self.chain.head + 1:
            raise LocalError(f"nobody asked to fold {seq}")
        if self._remover.is_busy:
            return [StoreEntry(self._remover.folded(code)), *self._placed(seq, digest)]
        if self._folding is None:
            raise LocalError(f"nobody asked to fold {seq}")
        statement, authored = self._folding
        self._folding = None
        self._waiting.leave(statement)
        if code is None:
            put = self._put(statement, authored, turned=turned)
            return [*put, *self._placed(seq, digest)]
        effects = self._refused.refuse(statement, authored, code)
        if statement.author == self._me or not self._accuser.may_suspect(statement, code):
            return effects + self._advance()
        if len(authored.content) > MAX_ACCUSED:
            cut = self._cut(statement.author, Excessive("too large to be shown"))
            return effects + cut + self._advance()
        examine = self._accuser.suspect(statement, authored)
        return [*effects, examine, *self._advance()]

    def _placed(self, seq: int, digest: bytes | None) -> list[Effect]:
        """An entry has its place: compare what we have come to, and go on."""
        effects: list[Effect] = []
        if digest is not None:
            effects += self._compared(lambda: self.replica.states.folded(seq, digest))
        return effects + self._advance()

    def departed(self) -> list[Effect]:
        """More is confirmed, perhaps that somebody has left for good."""
        return self._advance()

    def examined(self, key: bytes, code: str | None) -> list[Effect]:
        """The answer to `Examine`: what the game says at the place where somebody spoke."""
        found = self._accuser.take(key)
        if found is None:
            return []
        if code is None or not is_forbidden(code):
            # It was late, and is refused already. What waited for this waits no second time.
            self._accuser.spare(found[0].author, self._waiting.of(found[0].author))
            return self._advance()
        statement = found[0]
        place = self.chain.place_of(statement.ancestor) or 0
        self.replica.note_verdict(place, statement.author, statement.body, code)
        # Nothing is folded any more: the accusation is the last entry of this match.
        self._waiting.turn_away()
        return self.replica.write((self._accuser.condemn(*found, code),))

    def _put(
        self, statement: Authored, authored: Signed, *, turned: bool = True
    ) -> list[Effect]:
        """Give a statement its place. What of ours is lost by it may be owed again."""
        entry = self.chain.extend(self._identity, authored, statement)
        self.replica.note_folded(entry.seq, turned=turned)
        # An accusation leaves behind what else of ours was waiting.
        if entry.author == self._me and not self._accuser.is_sure:
            return [StoreEntry(entry), *self.replica.note_ours(entry)]
        return [StoreEntry(entry)]

    def stored(self, seq: int) -> list[Effect]:
        """An entry is on our disk: now it may be seen."""
        effects = self.delivery.pump_all()
        verdict = self._accuser.verdict(self.chain.entries[seq])
        if verdict is not None:
            return [*effects, Fail(verdict)]
        return effects + self._vote()

    def flush(self) -> list[Effect]:
        """Send and acknowledge all that we hold, whether somebody waits for it or not."""
        return self.delivery.pump_all(everything=True) + self._vote(everything=True)

    def follow(self, operator: int, follow: Follow) -> list[Effect]:
        """An operator is connected and says what it knows confirmed.

        It is sent everything after that again: what it holds beyond may be of another history.
        """
        if follow.term != self.term:
            return []  # it will hear of our term, or we of its
        if self.chain.place_of(follow.hash) != follow.confirmed:
            return self._cut(operator, Malformed("it follows another history"))
        self.delivery.begin(operator, follow.confirmed)
        effects = self._refused.since(operator, follow.settled)
        return effects + self.delivery.pump(operator, everything=True)

    def acked(self, operator: int, signed: Signed) -> list[Effect]:
        """A connected operator has checked something and has it on disk."""
        try:
            ack = signed.read(Ack)
            if ack.term != self.term:
                return []  # meant for a host before us
            listens = operator in self.delivery
            if not listens and self._is_elsewhere(ack):  # the two are compared first
                self.chain.check_signer(ack, signed)
                return []
            self.chain.check_said(ack, signed, holds=self.replica.knows(ack))
            if ack.operator != operator:
                raise Malformed("somebody else's acknowledgement")
            if ack.seq > self.replica.stored:
                raise Malformed("acknowledged before it was sent")
        except RemoteError as problem:
            return self._cut(operator, problem)
        if listens:
            self.delivery.arrived(operator, ack.seq)
        effects: list[Effect] = []
        if ack.digest:
            effects += self._compared(lambda: self.replica.states.heard(ack, signed))
        effects += self._count(ack, signed)
        return effects + (self.delivery.pump(operator) if listens else [])

    def _is_elsewhere(self, ack: Ack) -> bool:
        """Whether who says this has another history."""
        return self.chain.place_of(ack.hash) != ack.seq

    def _compared(self, compare: Callable[[], frozenset[int]]) -> list[Effect]:
        """Whose public state differs from ours; or that we cannot go on."""
        try:
            return [Suspect(one, "differs") for one in sorted(compare())]
        except (Diverged, Unavailable) as problem:
            return [Fail(problem)]

    def _take_checked(self, authored: Signed) -> list[Effect]:
        """Take a statement whose signature we have made, or checked before."""
        statement = authored.read(Authored)
        try:
            return self._take(statement, authored)
        except Excessive:
            return []  # its author will bring it
        except Equivocation as problem:
            return [Fail(problem)]

    def _take(
        self, statement: Authored, authored: Signed, teller: int | None = None
    ) -> list[Effect]:
        """Queue a statement whose signature holds, or answer why not."""
        answered = self.intake.take(statement, authored, teller)
        return self._advance() if answered is None else answered

    def _advance(self) -> list[Effect]:
        """Fold the next one that waits, if none is being folded.

        An author that may be accused waits: what it said has to stay newer than its entries.
        """
        effects: list[Effect] = []
        while self._folding is None and not self._remover.is_busy:
            if not self._accuser.is_sure and (due := self._remover.begin(self.delivery.first)):
                return [*effects, due]
            item = self._waiting.call(self._accuser.suspects)
            if item is None:
                break
            statement, authored = item
            if self._accuser.is_sure:
                if statement.author == self._me and is_accusation(statement.body):
                    effects += self._put(statement, authored)
                continue
            code = self.intake.misplaced(statement)
            if code:
                self._waiting.leave(statement)
                effects += self._refused.refuse(statement, authored, code)
                continue
            if self.is_settled:
                effects.append(Ask())
            self._folding, seq = item, self.chain.head + 1
            effects.append(Fold(seq, statement.author, statement.body, authored))
        return effects

    def _vote(self, *, everything: bool = False) -> list[Effect]:
        """Acknowledge what is on our disk, as a guest does: where somebody waits for it."""
        newest, voted = self.replica.vouched_for, self._voted
        checkpoint = newest - newest % CHECKPOINT
        waited_for = voted < self.replica.turned <= newest
        if newest <= voted or not (everything or waited_for or voted < checkpoint):
            return []
        return self._acknowledge(newest)

    def _acknowledge(self, seq: int) -> list[Effect]:
        """Our own vote: it counts like any other."""
        self._voted = seq
        ack, signed = self.replica.acknowledge(self.term, seq)
        return self.delivery.vouch(seq, signed) + self._count(ack, signed)

    def _count(self, ack: Ack, signed: Signed) -> list[Effect]:
        """Take an acknowledgement into account; confirm what a majority holds."""
        self._tally.take(ack, signed)
        confirmed = self.replica.confirmed
        if ack.seq <= confirmed:
            return []
        held = certificate_of(self.chain, self._tally.newest(confirmed), confirmed)
        if held is None or held[-1][0].seq < self.delivery.first:
            return []  # an older term's entry is confirmed by one of ours after it
        seq, certificate = held[-1][0].seq, tuple(signed for _, signed in held)
        self.replica.confirm(seq, certificate, held[0][0].seq)
        return [Confirm(seq, certificate), *self.delivery.tell_all()]

    def _cut(self, operator: int, problem: RemoteError) -> list[Effect]:
        self.delivery.end(operator)
        return [Cut(operator, problem)]
