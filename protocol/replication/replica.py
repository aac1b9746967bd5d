"""One operator's copy of the journal, and what is known of it: the same whoever hosts.

The leader and the follower act on it; a change of host changes which of them does. What was
confirmed stays for good. What was not may give way to a later host's order: then the disk lets
go of it, the application goes back, and our own submissions in it wait for their place again.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeGuard

from protocol.application import SPECTATOR, Contribution
from protocol.errors import Diverged, Malformed, ProtocolError, RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.accusation import Accused
from protocol.journal.chain import Chain, Entry
from protocol.journal.evidence import exhibit
from protocol.journal.judgement import is_proof, judge
from protocol.journal.statements import (
    CHECKPOINT,
    DOMAIN_ACK,
    Ack,
    Authored,
    Election,
    Signed,
    Vote,
    quorum,
    sign,
)
from protocol.replication.effects import (
    Effect,
    Fold,
    Recall,
    Reject,
    Rewind,
    StoreEntry,
    StoreSubmissions,
    Truncate,
)
from protocol.replication.outbox import Outbox, Submission
from protocol.replication.unanswered import Unanswered

KEPT = 64
"""Checkpoints of which the digests are kept: a late word about an older one is not compared."""


class Checkpoints:
    """Our own digests, and what others have said of theirs, by checkpoint.

    One odd digest is one odd laptop. With three or more the majority plays on; who differs from
    it is told so, keeps its journal, and can fold it again. Only where no majority agrees does
    the match stop. An operator's digest says something of that operator alone.
    """

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
        for at in [at for at in self._theirs if at <= seq - KEPT * CHECKPOINT]:
            del self._theirs[at]
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


REFUSED = 16
"""Terms of which the illegal order is kept: a host that goes on after one shows two orders."""

CERTIFICATES = 64
"""Certificates kept, so that one is left of which nothing gives way to a later host."""


class Certified(NamedTuple):
    """What a majority holds everything up to, and the newest entry that its words speak of."""

    seq: int
    certificate: tuple[Signed, ...]
    highest: int


def _told(body: bytes) -> bytes:
    """A body of which only the verdict is kept."""
    return hashlib.sha256(body).digest()


class Replica:
    """The journal that we hold, with its outbox, digests and confirmations."""

    def __init__(
        self,
        *,
        identity: Identity,
        me: int,
        chain: Chain,
        submissions: Iterable[Submission] = (),
        certificate: tuple[Signed, ...] = (),
        digests: Mapping[int, bytes] | None = None,
    ) -> None:
        """Everything in `chain` is on our disk and folded.

        `submissions`: our own, as our disk remembers them; `certificate`: the newest
        confirmation known; `digests`: our public state's, by checkpoint.
        """
        self.identity = identity
        self.me = me
        self.chain = chain
        match = chain.genesis.digest
        self.outbox = Outbox(identity=identity, match=match, me=me, submissions=submissions)
        self.stored = chain.head
        self.folded = chain.head
        self.turned = chain.head  #: the newest entry that gave somebody something new to say
        self.confirmed = -1  # not even the genesis
        self.sure = -1  #: what a majority has signed, though it may not be folded here yet
        self.departed: frozenset[int] = frozenset()  #: who left for good, as our game says
        self.states = Checkpoints(me, chain.membership.at, digests or {})
        self._certificates: deque[tuple[int, tuple[Signed, ...]]] = deque(maxlen=CERTIFICATES)
        if certificate:
            held = chain.check_quorum_certificate(0, certificate)
            self.confirmed = min(ack.seq for ack in held)
            self._certificates.append((max(ack.seq for ack in held), certificate))
        #: what our application would not take, by its term, and why
        self.refused: dict[int, tuple[Entry, str]] = {}
        self.awaited: Certified | None = None  #: the newest one; waits for our own folds
        self._gave_way: list[Entry] = []  # the newest that we had given our word for
        self._verdicts: dict[tuple[int, int, bytes], str | None] = {}  # what it said, and where
        self.accusation: tuple[Entry, Accused] | None = None  #: being examined: the last entry
        self.unanswered = Unanswered(chain)  #: what others said and no host has answered
        self.lost: list[Effect] = []  # what the restart found, for whoever begins
        for entry in chain.entries:
            self.lost += self.note_ours(entry)

    @property
    def certificate(self) -> tuple[Signed, ...]:
        return self._certificates[-1][1] if self._certificates else ()

    @property
    def certified(self) -> int:
        """The newest entry that the certificate speaks of; -1 while there is none."""
        return self._certificates[-1][0] if self._certificates else -1

    @property
    def newest_of_the_game(self) -> bytes:
        """The hash of the newest entry that is no election: what the game stands at."""
        entries = reversed(self.chain.entries)
        return next(entry.hash for entry in entries if entry.election is None)

    @property
    def is_certain(self) -> bool:
        """Whether all we hold is folded, and what it says to do will not be taken back.

        An entry that did not turn the match may wait: what is owed after it was owed before.
        """
        return self.folded == self.chain.head and self.confirmed >= self.turned

    @property
    def certain(self) -> int:
        """The newest entry that all will have, folded here or not: they can judge after it."""
        return max(self.confirmed, self.sure)

    @property
    def is_at_rest(self) -> bool:
        """Whether all we hold is on our disk and folded."""
        return self.stored == self.folded == self.chain.head

    @property
    def leaving(self) -> frozenset[int]:
        """Who has left for good, and still counts."""
        return self.departed & self.chain.members

    @property
    def is_out(self) -> bool:
        """Whether we have left for good, and a majority knows that we count no more."""
        counted = self.chain.membership.at(max(self.confirmed, 0))
        return self.me != SPECTATOR and self.me not in counted

    @property
    def vouched_for(self) -> int:
        """The newest entry on our disk that our word counts for: before our own removal."""
        out = self.chain.membership.removal_of(self.me)
        return self.stored if out is None else min(self.stored, out - 1)

    def shown_to(self, operator: int, sent: int) -> int:
        """The newest entry that this operator may be sent, who has been sent `sent`.

        Who is being taken out is shown nothing before that is confirmed: until then its vote
        may be needed by those who have not heard of it either.
        """
        sure = self.chain.membership.since <= self.confirmed
        return self.stored if sure or operator in self.chain.members else sent

    def knows(self, ack: Ack) -> bool:
        """Whether it says only what a majority has said: then nobody is shown its signature."""
        if ack.seq > self.confirmed or ack.hash != self.chain.hash_at(ack.seq):
            return False
        return not ack.digest or ack.digest == self.states.ours(ack.seq)

    def note_verdict(self, place: int, author: int, body: bytes, code: str | None) -> None:
        """What our application, or one made anew, says of a statement after an entry."""
        self._verdicts[place, author, _told(body)] = code

    def exposes(self, problem: ProtocolError) -> TypeGuard[RemoteError]:
        """Whether everybody with our journal finds what we have found. Asked before we stop for
        it: else whoever shows us alone something odd could send us home.
        """

        def judged(place: int, said: Authored) -> str | None:
            return self._verdicts[place, said.author, _told(said.body)]

        if not is_proof(problem):
            return False
        try:
            found = judge(self.chain, problem.evidence, judged, self.chain.head)
        except KeyError:
            return False  # nobody has asked the application
        return found is not None and found.culprit == problem.culprit

    def is_no_newer(self, term: int, seq: int, shown: bytes) -> bool:
        """Whether a journal that ends with entry `seq` of this term, with this hash, is as new
        as ours. What we hold has its own place and term, whatever is said of it.
        """
        place = self.chain.place_of(shown)
        if place is not None and (place, self.chain.entries[place].term) != (seq, term):
            return False
        return self.chain.age <= (term, seq)

    def note_ours(self, entry: Entry) -> list[Effect]:
        """An entry found its place: if it is ours, our outbox knows; what is lost by it."""
        if entry.author != self.me or entry.seq == 0 or not entry.is_said:
            return []
        placed = self.outbox.ordered(entry, self.chain.host_of(entry.term))
        effects: list[Effect] = [
            Reject(passed.key, passed.counter, code) for passed, code in placed.lost
        ]
        if placed.was_refused:
            effects.append(Recall(placed.submission.contribution))
        return effects

    def confirm(self, seq: int, certificate: tuple[Signed, ...], highest: int) -> None:
        """A majority holds everything up to `seq`."""
        self.confirmed = seq
        self._certificates.append((highest, certificate))

    def note_refused(self, entry: Entry, code: str) -> None:
        """Our application does not take it: kept until everybody can judge who ordered it."""
        self.refused[entry.term] = entry, code
        while len(self.refused) > REFUSED:
            del self.refused[min(self.refused)]

    def unconfirmed_of(self, operator: int) -> Signed | None:
        """The newest statement of this operator, if nobody has confirmed it yet."""
        entry = self.chain.by_counter(operator, self.chain.last_counter(operator))
        if entry is None or entry.seq <= self.confirmed:
            return None
        return entry.inside

    def forgetful_voter(self, election: Election) -> int | None:
        """Who voted for a journal that lacks what the same one had acknowledged, by our newest
        certificate.

        Every majority that undoes what another has confirmed has somebody in it who did. It is
        no proof of a cheat: a disk that was put back from a backup does so without its person.
        """
        chain = self.chain
        acks = {ack.operator: ack for ack in (one.read(Ack) for one in self.certificate)}
        for signed in election.votes:
            vote = signed.read(Vote)
            ack = acks.get(vote.voter)
            if ack is None or ack.term >= vote.term or vote.seq > chain.head:
                continue
            had, followed = chain.entries[ack.seq], chain.entries[vote.seq]
            older = (followed.term, followed.seq) < (had.term, had.seq)
            if followed.hash == vote.hash and older:
                return vote.voter
        return None

    def note_folded(self, seq: int, *, turned: bool) -> None:
        """The application has taken an entry, and says whether it turned the match."""
        self.folded = seq
        if turned:
            self.turned = seq

    def acknowledge(self, term: int, seq: int) -> tuple[Ack, Signed]:
        """Our word to the host of `term` that we have everything up to `seq`, and it signed."""
        chain = self.chain
        digest = self.states.ours(seq) or b""
        ack = Ack(chain.genesis.digest, term, self.me, seq, chain.hash_at(seq), digest)
        return ack, sign(self.identity, DOMAIN_ACK, ack)

    def write(
        self, contributions: Iterable[Contribution], after: int | None = None
    ) -> list[Effect]:
        """Sign what is new among these, and have it stored; it leaves after that.

        It is signed over the newest entry that we know confirmed; what was owed early, over
        entry `after`, and is void where that gives way.
        """
        ancestor = self.chain.hash_at(max(self.confirmed, 0) if after is None else after)
        submissions = self.outbox.write(contributions, ancestor)
        return [StoreSubmissions(submissions)] if submissions else []

    def give_way(self, entry: Entry) -> list[Effect]:
        """Let go of what stands in the place of this entry of another term, and after it."""
        seq = entry.seq - 1
        if seq < self.certain:
            raise Malformed(f"entry {entry.seq} would undo what a majority holds")
        self._remember(seq)
        return self.let_go(seq)

    def _remember(self, seq: int) -> None:
        """What gives way after `seq`, if no newer word of ours was given for something else."""
        entries, held = self.chain.entries, self._gave_way
        if held and seq + 1 < held[0].seq:
            held = [*entries[seq + 1 : held[0].seq], *held]
        ours = entries[seq + 1 : min(self.stored, self.folded) + 1]
        if ours and (not held or ours[-1].age > held[-1].age):
            held = ours
        self._gave_way = held

    def refuse(self, seq: int) -> list[Effect]:
        """Let go of entry `seq`, which our application does not take, and of all after it.

        What gave way to it has its place again, if it is newer than what is left: our word for
        it was given, and a host that shows us an illegal entry does not take it back.
        """
        effects, tail = self.let_go(seq - 1), self._gave_way
        if not tail or tail[-1].age <= self.chain.age:
            return effects
        before = self.chain.place_of(tail[0].previous)
        if before is None or before < self.certain:
            return effects
        effects += self.let_go(before)
        for entry in tail:
            stored = self.take(entry, lazy=entry is not tail[-1])
            effects += [stored, *self.note_ours(entry), *self.fold(entry)]
        return effects

    def let_go(self, seq: int) -> list[Effect]:
        """Drop everything after `seq`, which nobody has confirmed."""
        chain = self.chain
        tail = chain.truncate(seq)
        if self.accusation is not None and self.accusation[0].seq > seq:
            self.accusation = None
        if self.awaited is not None and self.awaited.highest > seq:
            self.awaited = None
        ours = [e for e in tail if e.author == self.me and e.is_said]
        self.outbox.undone(ours)
        self.stored = min(self.stored, seq)
        self.states.truncate(seq)
        while self._certificates and self._certificates[-1][0] > seq:
            self._certificates.pop()
        return [Truncate(seq, self.certificate), *self.rewind()]

    def count_again(self) -> list[Effect]:
        """We do not host: let go of our own removal, unless we know it confirmed.

        Nobody counts on us for what stands from there on, and we may be needed for what stands
        before: to vote for a journal without the removal, or to host with ours.
        """
        out = self.chain.membership.removal_of(self.me)
        return [] if out is None or out <= self.confirmed else self.let_go(out - 1)

    def rewind(self) -> list[Effect]:
        """The application goes back to what is certain, and folds on from there."""
        self.folded = min(self.folded, self.chain.head)
        self.turned = min(self.turned, self.folded)
        again: list[Effect] = [Rewind(self.folded, self.confirmed, self.outbox.said())]
        for entry in self.chain.entries[self.folded + 1 :]:
            again += self.fold(entry)
        return again

    def fold(self, entry: Entry) -> list[Effect]:
        """What the application has to do for an entry; an election is nothing to it."""
        if entry.election is not None:
            self.skip_elections()
            return []
        return [Fold(entry.seq, entry.author, entry.body, entry.inside)]

    def skip_elections(self) -> None:
        """Count what there is nothing to fold of."""
        entries = self.chain.entries
        while self.folded < self.chain.head and entries[self.folded + 1].election is not None:
            self.note_folded(self.folded + 1, turned=True)  # its term waits for it

    def has_stored(self, seq: int, entry_hash: bytes) -> bool:
        """An entry is on our disk; False if it has given way meanwhile."""
        if self.chain.place_of(entry_hash) != seq:
            return False
        self.stored = max(self.stored, seq)
        return True

    def take(self, entry: Entry, *, lazy: bool = False) -> StoreEntry:
        """Append a checked entry and store it; a `lazy` one with the next that is not."""
        self.chain.append(entry)
        self.unanswered.ordered(entry)
        return StoreEntry(entry, lazy)
