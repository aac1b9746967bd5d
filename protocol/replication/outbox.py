"""What an operator has said itself: numbered, signed, the same bytes whenever it is sent again.

The rules of this room:

- A submission gets its counter once and is signed once. It is sent only after `kept`.
- A program that starts with a disk leaves out a random number of counters: whatever was said
  after the disk was copied stands under others.
- A submission is *pending* until a host has put it in order or refused it. What is pending is
  sent again, byte for byte, after every return and to every new host; duplicates are harmless.
- So many at once wait for their answers (`WINDOW`); the others follow as answers come.
- A submission is *lost* when a later one of ours has a place: its place has passed. Nobody is
  to blame for it, since whoever passes our words on may have left one out.
- An order that was never confirmed may be undone by a change of host; the submission is pending
  again. What was refused is never sent again; a later host may order it all the same, since
  others have heard it, and then it has its place.

Why so: docs/decisions, 12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice

from protocol.application import Contribution
from protocol.errors import Unavailable
from protocol.identity.keys import Identity
from protocol.journal.chain import Entry
from protocol.journal.refusals import check_one_answer
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    Authored,
    Refusal,
    Signed,
    authored_hash,
    sign,
)

WINDOW = 32
"""Submissions that wait for an answer at once; a host lets twice as many wait."""


class Fate(Enum):
    """What became of a submission, as far as its author knows."""

    PENDING = "pending"
    ORDERED = "ordered"
    REFUSED = "refused"  # or lost


@dataclass(frozen=True, slots=True)
class Submission:
    """One contribution with its number and signature; `contribution.keep` is secret."""

    counter: int
    contribution: Contribution
    authored: Signed
    refusal: Signed | None = None

    @property
    def key(self) -> bytes:
        return self.contribution.key


@dataclass(slots=True)
class _Slot:
    submission: Submission
    fate: Fate
    on_disk: bool
    sent_in: int = 0  # the last term whose host was sent it
    foretold: str = "lost"  # why it is refused, where we could not judge that yet
    statement: Authored | None = None  # what is signed, until it is on our disk


@dataclass(frozen=True, slots=True)
class Placed:
    """One of ours has its place: the older ones that are lost by it, each with the code of its
    refusal or "lost"; and whether it had been refused before.
    """

    submission: Submission
    lost: tuple[tuple[Submission, str], ...] = ()
    was_refused: bool = False


class Outbox:
    """Our own submissions of one match, in the order of their counters."""

    def __init__(
        self,
        *,
        identity: Identity,
        match: bytes,
        me: int,
        submissions: Iterable[Submission],
    ) -> None:
        """`submissions` are those that our disk holds, after a restart."""
        self._identity = identity
        self._match = match
        self._me = me
        self._slots: dict[int, _Slot] = {}
        self._keys: dict[bytes, int] = {}
        self._pending: dict[int, None] = {}  # in the order of the counters
        self.refusals: Counter[bytes] = Counter()  #: how often each key was refused
        for submission in submissions:
            self._slots[submission.counter] = _Slot(submission, Fate.PENDING, on_disk=True)
            self._keys[submission.key] = submission.counter
            self._pending[submission.counter] = None
            if submission.refusal is not None:
                self._refuse(submission.counter)
        self._next = max(self._slots, default=0) + 1

    def leap(self, numbers: int) -> None:
        """Go on with a counter that no other program of ours has used: this one has started
        with a disk, which may be older than what we have said since.
        """
        self._next += numbers

    def write(
        self, contributions: Iterable[Contribution], ancestor: bytes
    ) -> tuple[Submission, ...]:
        """Submissions for what is new among these, signed over the newest confirmed entry."""
        written = []
        for said in contributions:
            if said.key in self._keys:
                continue  # the same key is never said twice
            counter, self._next = self._next, self._next + 1
            statement = Authored(self._match, self._me, counter, ancestor, said.body)
            submission = Submission(
                counter, said, sign(self._identity, DOMAIN_AUTHORED, statement)
            )
            slot = _Slot(submission, Fate.PENDING, on_disk=False, statement=statement)
            self._slots[counter] = slot
            self._keys[said.key] = counter
            self._pending[counter] = None
            written.append(submission)
        return tuple(written)

    def kept(self, counters: Iterable[int]) -> list[tuple[Authored, Signed]]:
        """These are on our disk now and may leave: what was signed, as it was signed."""
        kept = []
        for slot in map(self._slots.__getitem__, counters):
            slot.on_disk = True
            if slot.statement is not None:
                kept.append((slot.statement, slot.submission.authored))
                slot.statement = None
        return kept

    def send(self, term: int, *, again: bool = False) -> tuple[Submission, ...]:
        """What goes to the host of this term now; `again` with what it was sent before."""
        submissions = []
        for submission in islice(self.pending(), WINDOW):
            slot = self._slots[submission.counter]
            if again or slot.sent_in != term:
                submissions.append(submission)
            slot.sent_in = term
        return tuple(submissions)

    def unanswered(self) -> tuple[Submission, ...]:
        """What waits for an answer, as far as the window goes."""
        return tuple(islice(self.pending(), WINDOW))

    def said(self) -> tuple[Contribution, ...]:
        """Everything said and not refused, in order."""
        return tuple(
            slot.submission.contribution
            for _, slot in sorted(self._slots.items())
            if slot.fate is not Fate.REFUSED
        )

    def pending(self) -> tuple[Submission, ...]:
        """What has neither been ordered nor refused, and may leave."""
        return tuple(
            self._slots[counter].submission
            for counter in self._pending
            if self._slots[counter].on_disk
        )

    def submission(self, counter: int) -> Submission | None:
        slot = self._slots.get(counter)
        return None if slot is None else slot.submission

    def knows(self, said: Signed) -> bool:
        """Whether this statement of ours is one that our disk remembers."""
        counter = said.read(Authored).counter
        if counter == 0:
            return True  # a first entry's: it is nobody's submission
        slot = self._slots.get(counter)
        return slot is not None and slot.submission.authored.content == said.content

    @property
    def is_settled(self) -> bool:
        """Whether everything we said has its place or its refusal."""
        return not self._pending

    @property
    def settled(self) -> int:
        """The highest counter below which nothing is pending."""
        return next(iter(self._pending), self._next) - 1

    def ordered(self, entry: Entry, host: bytes) -> Placed:
        """One of ours has its place. `host` ordered it.

        Raises `Equivocation` where that host had refused it in this very term, and
        `Unavailable` with the hint "outbox_lost" where our own disk does not know what we said:
        a copy from a backup, or the same identity on two machines.
        """
        slot = self._slots.get(entry.counter)
        if slot is None or slot.submission.authored.content != entry.inside.content:
            raise Unavailable("outbox_lost", f"our own entry {entry.seq} is not on our disk")
        was_refused = slot.fate is Fate.REFUSED
        if slot.submission.refusal is not None:
            check_one_answer(entry, slot.submission.refusal, host)
        lost = []
        for counter in tuple(self._pending):
            if counter >= entry.counter:
                break
            passed = self._slots[counter]
            lost.append((passed.submission, passed.foretold))
            self.refusals[passed.submission.key] += 1
            self._refuse(counter)
        slot.fate = Fate.ORDERED
        self._pending.pop(entry.counter, None)
        return Placed(slot.submission, tuple(lost), was_refused)

    def undone(self, entries: Iterable[Entry]) -> None:
        """These orders of ours are none any more."""
        for entry in entries:
            slot = self._slots[entry.counter]
            if slot.submission.refusal is not None:
                self._refuse(entry.counter)  # as it was before
                continue
            slot.fate = Fate.PENDING
            self._pending[entry.counter] = None
        self._pending = dict(sorted(self._pending.items()))

    def foretell(self, counter: int, code: str) -> None:
        """A host refuses this where we cannot judge it yet: a word of ours may come before."""
        self._slots[counter].foretold = code

    def refused(self, signed: Signed, refusal: Refusal, term: int) -> Submission | None:
        """The submission that the host of this term refuses; its signature was checked.

        None if that is known already, or is from another term, or of what we never said.
        """
        slot = self._slots.get(refusal.counter)
        if slot is None or authored_hash(slot.submission.authored.content) != refusal.hash:
            return None
        ours = (refusal.match, refusal.author) == (self._match, self._me)
        if not ours or slot.fate is not Fate.PENDING or refusal.term != term:
            return None
        slot.submission = replace(slot.submission, refusal=signed)
        self.refusals[slot.submission.key] += 1
        self._refuse(refusal.counter)
        return slot.submission

    def _refuse(self, counter: int) -> None:
        slot = self._slots[counter]
        slot.fate = Fate.REFUSED
        self._pending.pop(counter, None)
        # It may be owed again in another form.
        if self._keys.get(slot.submission.key) == counter:
            del self._keys[slot.submission.key]
