"""A guest's machine: the host's order in, checked, stored, folded, acknowledged.

    entry ─ checked ─┬─ on our disk ─┬─ acknowledged ─ … ─ certificate of a majority ─ confirmed
                     └─ folded ──────┘

Nothing the host says is believed: its order must chain, carry its author's signature, keep each
author's own order, and be accepted by our own application. So must its refusals of our words:
we judge them at the place that they name. A confirmation is a majority's signed
acknowledgements, which we check against our own history.

Our own statements are signed over the newest entry that we know to be confirmed, so the host
cannot show them to anybody in another history.

What exposes the host by its own signature stops the match. What is merely wrong, and nobody
else could check, costs it the link: it may answer better on the next one, or lose its office.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from protocol.errors import (
    Diverged,
    IllegalEntry,
    LocalError,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal.accusation import check_accusation, is_accusation, verdict
from protocol.journal.evidence import exhibit
from protocol.journal.judgement import prove
from protocol.journal.refusals import illegal_order
from protocol.journal.statements import CHECKPOINT, Ack, Refusal, Signed, entry_hash
from protocol.messages import Acked, Follow, Submit
from protocol.replication.answers import Answers
from protocol.replication.delivery import tells_guests
from protocol.replication.displacement import Displacement, Shown
from protocol.replication.effects import (
    Confirm,
    Cut,
    Effect,
    Examine,
    Fail,
    Send,
    Suspect,
    Truncate,
)
from protocol.replication.replica import Certified, Replica
from protocol.replication.tally import Acknowledgements

MAX_UNFOLDED = 4096
"""Entries of a host that are not yet folded: a whole match, so a catch-up never stops for this.
What a majority has signed is taken whole, however long it is.
"""


class Follower:
    """Follows one host. Every call returns the effects to perform, in order."""

    def __init__(
        self,
        replica: Replica,
        term: int,
        host: int | None,
        linked: Collection[int] = (),
        answers: Answers | None = None,
    ) -> None:
        """Follows the host of `term`; nobody while there is none. `linked`: whom we can tell
        what we hold, kept up to date by its owner. `answers`: what earlier hosts have refused
        us, and nobody could judge yet.
        """
        self.replica = replica
        self.chain = replica.chain
        self.outbox = replica.outbox
        self.term = term
        self.host = host
        self._me = replica.me
        self._acked = -1
        self._agreed = max(replica.confirmed, 0)  # up to here our history is surely our host's
        self._acks = Acknowledgements(replica, term)
        self._linked = linked
        self._connected = False
        self._failed = False
        # Our state is the odd one at this checkpoint: we stop once we have said our digest.
        self._odd: tuple[int, ProtocolError] | None = None
        self._answers = answers or Answers(replica)
        self._displacing = Displacement(replica.chain)
        self._lazy = False  # entries that take the place of ours reach the disk together

    @property
    def is_settled(self) -> bool:
        """Whether what we received says for certain what is owed, and nothing is to be said."""
        return self.replica.is_certain and self.outbox.is_settled

    @property
    def may_speak(self) -> bool:
        """Whether a statement of ours may go to this host, or to others on its account.

        Not before we have the first entry of its term: only then do we know which of our
        submissions have their place, and they must reach it in their order.
        """
        return self.host is not None and self.chain.term == self.term

    def connected(self) -> list[Effect]:
        """The host can be reached: say what we have, and again what it may not have heard."""
        if self.host is None:
            return []
        self._connected = True
        self._acked = -1
        # It serves us where its history has what we know confirmed.
        self._agreed = max(self._agreed, self.replica.confirmed)
        return [Send(self.host, self.follows), *self.flush(), *self._submit(again=True)]

    @property
    def follows(self) -> Follow:
        """Where we are, for whoever sends us what comes after."""
        known = max(self.replica.confirmed, 0)
        table, here = self.chain.genesis.table, self.chain.hash_at(known)
        return Follow(table, self.term, known, here, self.outbox.settled)

    def disconnected(self) -> None:
        """The host cannot be reached; what we say waits in the outbox."""
        self._connected = False

    @property
    def may_hasten(self) -> bool:
        """Whether all that this host has shown us is on our disk and folded, and nothing of
        ours is under way.
        """
        return self.may_speak and self.replica.is_at_rest and self.outbox.is_settled

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our submissions are on our disk, and may leave."""
        self.outbox.kept(counters)
        return self._submit()

    def _submit(self, *, again: bool = False) -> list[Effect]:
        """Say to the host what it has not been told yet; or all that waits, `again`."""
        host = self.host
        if not self._connected or host is None or not self.may_speak:
            return []
        submissions = self.outbox.send(self.term, again=again)
        return [Send(host, Submit(submission.authored)) for submission in submissions]

    def entries(self, batch: Iterable[Signed]) -> list[Effect]:
        return self._take(self._displacing, batch, term=self.term)

    def _take(
        self,
        displacing: Displacement,
        batch: Iterable[Signed],
        *,
        term: int | None = None,
        teller: int | None = None,
    ) -> list[Effect]:
        """`teller` shows them; None for our host. Who hosts in `term` has entries of no later
        one; else we could host in a term that our own journal says is over.
        """
        effects: list[Effect] = []
        try:
            ready = displacing.hear(batch)
            if term and any(one.ordered and one.ordered.term > term for one in ready):
                raise Malformed("an entry of a later term than its host's")
            for count, shown in enumerate(ready, 1):
                lazy, is_host = count < len(ready), teller is None
                effects += self._entry(shown, lazy=lazy, is_host=is_host)
        except ProtocolError as problem:
            effects += self._fail(problem, teller)
        return effects

    def commit(
        self, seq: int, acks: tuple[Signed, ...], teller: int | None = None
    ) -> list[Effect]:
        """The host, or `teller`, shows that everything up to `seq` is confirmed."""
        if self.replica.accusation is not None:
            return []  # nothing is taken after that: it may speak of what is not
        try:
            if seq > self.chain.head:
                raise Malformed("a confirmation of what we were not shown")
            if seq <= self.replica.confirmed:
                return []
            held = self.chain.check_quorum_certificate(seq, acks, self._acks.known)
        except ProtocolError as problem:
            return self._fail(problem, teller)
        # A host that names less than they have signed keeps nothing open that they have closed.
        return self._certify(min(ack.seq for ack in held), held, acks)

    def acknowledged(self, operator: int, signed: Signed) -> list[Effect]:
        """Another operator has something on its disk: with our own word, perhaps a majority."""
        try:
            ack = self._acks.hear(operator, signed)
        except RemoteError as problem:
            return [Cut(operator, problem)]
        if ack is None:
            return []
        effects = self._gather()
        if ack.digest:
            effects += self._compared(ack.seq, partial(self.replica.states.heard, ack, signed))
        return effects

    def _gather(self) -> list[Effect]:
        """What we and others have said may be a majority's certificate already."""
        found = None if self._failed else self._acks.certificate()
        if found is None or found[-1][0].seq <= self._shown:
            return []
        held, words = zip(*found, strict=True)
        return self._certify(found[-1][0].seq, held, words)

    def _certify(self, seq: int, held: Sequence[Ack], acks: tuple[Signed, ...]) -> list[Effect]:
        """A majority holds everything up to `seq`, and we with it once we have folded it."""
        effects: list[Effect] = []
        for ack, signed in zip(held, acks, strict=True):
            if ack.digest:  # of a checkpoint
                compare = partial(self.replica.states.heard, ack, signed)
                effects += self._compared(ack.seq, compare)
        self.replica.sure = max(self.replica.sure, seq)
        if seq >= self._shown:
            self.replica.awaited = Certified(seq, acks, max(ack.seq for ack in held))
        return effects + self._confirm()

    def caught_up(
        self, teller: int, seq: int, entries: Sequence[Signed], acks: tuple[Signed, ...]
    ) -> list[Effect]:
        """What a majority's signatures make final up to `seq`; `teller` has brought it.

        Where a majority has signed other entries that we hold, nothing is taken: whoever knows
        both histories compares them.
        """
        sure = self.chain.entries[seq - len(entries) + 1 : self.replica.certain + 1]
        both = zip(sure, entries, strict=False)
        if any(ours.signed.content != theirs.content for ours, theirs in both):
            return []
        # What our host has shown and what others show are two histories: neither goes on in the
        # other, and each has to reach as far as ours by itself.
        effects = self._take(Displacement(self.chain), entries, teller=teller)
        held = [entry.signed.content for entry in self.chain.entries[seq : seq + 1]]
        if self._failed or not entries or entries[-1].content not in held:
            return effects  # we hold a later term's, of which it says nothing
        self.replica.sure = max(self.replica.sure, seq)
        newest = seq, self.chain.hash_at(seq)
        if all((ack.seq, ack.hash) == newest for ack in (one.read(Ack) for one in acks)):
            # It speaks of nothing that we lack: ours to show.
            effects += self.commit(seq, acks, teller)
        return effects + self._confirm()

    def refused(self, refusal: Signed, told: Refusal) -> list[Effect]:
        """The host will not order something of ours; `told` is what its signature is under."""
        return self._checked(lambda: self._answers.hear(refusal, told, self.term))

    def examined(self, key: bytes, code: str | None) -> list[Effect]:
        """The answer to `Examine`: of an accusation, or of a refusal of ours."""
        pending = self.replica.accusation
        if pending is not None and key == pending[0].hash:
            entry, condemned = pending
            author, said = condemned.statement.author, condemned.statement
            self.replica.note_verdict(condemned.ancestor, author, said.body, code)
            return self._fail(verdict(self.chain, entry, author, code))
        return self._checked(lambda: self._answers.examined(key, code))

    def _checked(self, step: Callable[[], list[Effect]]) -> list[Effect]:
        """What comes of a step, or of the fault that it found."""
        try:
            return step()
        except RemoteError as problem:
            return self._fail(problem)

    def stored(self, seq: int) -> list[Effect]:
        return self._acknowledge()

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        replica = self.replica
        if seq != replica.folded + 1:
            raise LocalError(f"fold {seq} answered after {replica.folded}")
        entry = self.chain.entries[seq]
        if code is not None:
            replica.note_refused(entry, code)
            replica.note_verdict(seq - 1, entry.author, entry.body, code)
            if seq - 1 <= self.replica.certain:
                return self._show_refused()
            # As long as the entry before may give way, not everybody could judge: we go on
            # without this one, and rather under another host than one that has it.
            fault = IllegalEntry(f"the host ordered what the table refuses: {code}")
            has_it = seq <= self._agreed
            cut = [Cut(self.host, fault)] if has_it and self.host is not None else []
            effects = replica.refuse(seq)
            # What has its place again is ours: this host has not shown it.
            left = min(one.seq for one in effects if isinstance(one, Truncate))
            self._acked = self._agreed = min(self._agreed, left)
            return [*effects, *cut]
        replica.note_folded(seq, turned=turned)
        replica.skip_elections()
        effects = self._examine_accusation(seq - 1)
        if digest is not None:
            effects += self._compared(seq, partial(replica.states.folded, seq, digest))
        effects += self._acknowledge() + self._confirm()
        return effects + self._checked(lambda: self._answers.folded(self.term))

    @property
    def _shown(self) -> int:
        """The newest entry that a certificate covers, folded here or not."""
        awaited = self.replica.awaited
        return self.replica.confirmed if awaited is None else awaited.seq

    def _show_refused(self) -> list[Effect]:
        """What our application did not take exposes who ordered it, once all can judge it."""
        chain, refused = self.chain, self.replica.refused
        for term, (entry, code) in refused.items():
            before = chain.place_of(entry.previous)
            if before is not None and before <= self.replica.certain:
                del refused[term]
                return self._fail(illegal_order(chain.host_of(term), entry.exhibit(), code))
        return []

    def _entry(self, shown: Shown, *, lazy: bool, is_host: bool) -> list[Effect]:
        if self._failed or self.replica.accusation is not None:
            return []
        replica = self.replica
        self._compare_refused(shown)
        entry = shown.entry or self.chain.check(shown.signed, shown.ordered)
        if entry is None:
            place = self.chain.place_of(entry_hash(shown.signed.content)) or 0
            return self._agree(place) if is_host else []
        if is_host and self.chain.head - replica.folded > MAX_UNFOLDED:
            raise Malformed("more entries than a laptop can follow")
        effects: list[Effect] = []
        if entry.seq <= self.chain.head:
            effects += replica.give_way(entry)
            self._acked = min(self._acked, self.chain.head)
            self._agreed = min(self._agreed, self.chain.head)
        joins = self.chain.term != self.term
        gives_way = bool(effects)
        self._lazy = lazy and (gives_way or self._lazy)
        effects.append(replica.take(entry, lazy=self._lazy))
        if is_host:
            self._agreed = entry.seq
        effects += replica.note_ours(entry)
        if joins or entry.author == self._me:
            effects += self._submit(again=joins)
        if is_accusation(entry.body):
            replica.accusation = entry, check_accusation(self.chain, entry)
            return effects + self._examine_accusation()
        return effects + replica.fold(entry)

    def _examine_accusation(self, folded: int = -1) -> list[Effect]:
        """Once our application has taken what stands before it, which was `folded` so far:
        there, too, may stand what it does not take.
        """
        if self.replica.accusation is None:
            return []
        entry, condemned = self.replica.accusation
        if not folded < entry.seq - 1 <= self.replica.folded:
            return []
        return [Examine(entry.hash, condemned.ancestor, condemned.statement)]

    def _compare_refused(self, shown: Shown) -> None:
        """Raises `Equivocation` where our application has refused another entry of this very
        place and term: that one is in our journal no more.
        """
        ordered = shown.ordered
        if ordered is None or ordered.term not in self.replica.refused:
            return
        refused, _ = self.replica.refused[ordered.term]
        if refused.seq == ordered.seq:
            two = refused.exhibit(), exhibit("ordered", shown.signed)
            if (proven := prove(self.chain, two)) is not None:
                raise proven

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
            return self._stop(newest)
        first = max(self._acked, self.replica.confirmed)
        step = first - first % CHECKPOINT + CHECKPOINT
        waited_for = max(self._acked, self._shown) < self.replica.turned <= newest
        if not (everything or waited_for or step <= newest):
            return self._stop(newest)
        points = [*range(step, newest, CHECKPOINT), newest]
        self._acked = newest
        said: list[Effect] = []
        for seq in points:
            ack = Acked(self._acks.make(seq))
            tells = seq % CHECKPOINT == 0 or tells_guests(len(self.chain.genesis.operators))
            others = sorted({*self._linked} - {host}) if tells else ()
            said += [Send(one, ack) for one in (host, *others)]
        return [*said, *self._gather(), *self._stop(newest)]

    def _stop(self, newest: int) -> list[Effect]:
        """Our state is the odd one: say so where somebody hears it, and go."""
        if self._odd is None or self._failed:
            return []
        seq, problem = self._odd
        if not self._connected or self.host is None:
            return self._fail(problem)
        if seq > newest:
            return []  # not on our disk yet
        last = Acked(self._acks.make(seq))
        told = [Send(one, last) for one in sorted({*self._linked, self.host})]
        return [*told, *self._fail(problem)]

    def _confirm(self) -> list[Effect]:
        """A certificate takes effect once our own application agrees with all it covers."""
        if self._failed:
            return []
        effects: list[Effect] = []
        replica, known = self.replica, self.replica.awaited
        if known is not None and known.seq <= replica.folded:
            replica.awaited = None
            replica.confirm(*known)
            effects.append(Confirm(known.seq, known.certificate))
        if replica.confirmed < replica.sure <= replica.folded:
            replica.confirmed = replica.sure
            effects.append(Confirm(replica.sure, replica.certificate))
        is_more = bool(effects)
        effects += self._show_refused()
        return effects + (self._checked(self._answers.judge) if is_more else [])

    def _compared(self, seq: int, compare: Callable[[], frozenset[int]]) -> list[Effect]:
        """Whose public state differs from ours at a checkpoint.

        Where ours is the odd one we stop, but say our digest first: the others are to know why.
        """
        try:
            return [Suspect(one, "differs") for one in sorted(compare())]
        except (Diverged, Unavailable) as problem:
            self._odd = self._odd or (seq, problem)
            return self._acknowledge()

    def _fail(self, problem: ProtocolError, teller: int | None = None) -> list[Effect]:
        """What is shown stops the match; what is not costs `teller`, or else the host, its link
        to us.
        """
        shows = self.host if teller is None else teller
        unproven = isinstance(problem, RemoteError) and not isinstance(problem, Diverged)
        if unproven and not self.replica.exposes(problem) and shows is not None:
            return [Cut(shows, problem)]
        self._failed = True
        return [Fail(problem)]
