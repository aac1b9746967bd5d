"""What an operator has said itself: numbered, signed, the same bytes whenever it is sent again.

The rules of this room:

- A letter gets its counter once and is signed once. It is sent only after `kept`.
- A letter is *pending* until a host has put it in order or refused it. Pending letters are
  sent again, byte for byte, after every return and to every new host; duplicates are harmless.
- A host that was sent a letter in its term and orders a later one, with neither an order nor a
  refusal for the first, has dropped it, and is caught here. Where the letter had only reached a
  host before it, the letter is *lost*: its place has passed, and nobody is to blame.
- An order that was never confirmed may be undone by a change of host; the letter is pending
  again. A refusal is final: what was refused is never sent again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from protocol.application import Contribution
from protocol.errors import Equivocation, IllegalEntry, Malformed, Unavailable
from protocol.evidence import exhibit
from protocol.identity import Identity
from protocol.journal import Entry
from protocol.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_REFUSAL,
    Authored,
    Refusal,
    Signed,
    authored_hash,
    sign,
    unseal,
)


class Fate(Enum):
    """What became of a letter, as far as its author knows."""

    PENDING = "pending"
    ORDERED = "ordered"
    REFUSED = "refused"  # or lost


@dataclass(frozen=True, slots=True)
class Letter:
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
    letter: Letter
    fate: Fate
    on_disk: bool
    sent_in: int = 0  # the last term whose host was sent it


class Outbox:
    """Our own letters of one match, in the order of their counters."""

    def __init__(
        self,
        *,
        identity: Identity,
        table: bytes,
        me: int,
        letters: Iterable[Letter],
    ) -> None:
        """`letters` are those that our disk holds, after a restart."""
        self._identity = identity
        self._table = table
        self._me = me
        self._slots: dict[int, _Slot] = {}
        self._keys: dict[bytes, int] = {}
        self._pending: dict[int, None] = {}  # in the order of the counters
        for letter in letters:
            self._slots[letter.counter] = _Slot(letter, Fate.PENDING, on_disk=True)
            self._keys[letter.key] = letter.counter
            self._pending[letter.counter] = None
            if letter.refusal is not None:
                self._refuse(letter.counter)
        self._next = max(self._slots, default=0) + 1

    def write(
        self, contributions: Iterable[Contribution], ancestor: bytes
    ) -> tuple[Letter, ...]:
        """Letters for what is new among these, signed over the newest confirmed entry."""
        written = []
        for said in contributions:
            if said.key in self._keys:
                continue  # the same key is never said twice
            counter, self._next = self._next, self._next + 1
            statement = Authored(self._table, self._me, counter, ancestor, said.body)
            letter = Letter(counter, said, sign(self._identity, DOMAIN_AUTHORED, statement))
            self._slots[counter] = _Slot(letter, Fate.PENDING, on_disk=False)
            self._keys[said.key] = counter
            self._pending[counter] = None
            written.append(letter)
        return tuple(written)

    def kept(self, counters: Iterable[int]) -> tuple[Letter, ...]:
        """These are on our disk now and may leave."""
        letters = []
        for counter in counters:
            self._slots[counter].on_disk = True
            letters.append(self._slots[counter].letter)
        return tuple(letters)

    def sent(self, term: int) -> tuple[Letter, ...]:
        """All that is pending and may leave, now that it goes to the host of this term."""
        for counter in self._pending:
            if self._slots[counter].on_disk:
                self._slots[counter].sent_in = term
        return self.pending()

    def said(self) -> tuple[Contribution, ...]:
        """Everything said and not refused, in order."""
        return tuple(
            slot.letter.contribution
            for _, slot in sorted(self._slots.items())
            if slot.fate is not Fate.REFUSED
        )

    def pending(self) -> tuple[Letter, ...]:
        """What has neither been ordered nor refused, and may leave."""
        return tuple(
            self._slots[counter].letter
            for counter in self._pending
            if self._slots[counter].on_disk
        )

    @property
    def is_settled(self) -> bool:
        """Whether everything we said has its place or its refusal."""
        return not self._pending

    @property
    def settled(self) -> int:
        """The highest counter below which nothing is pending."""
        return next(iter(self._pending), self._next) - 1

    def ordered(self, entry: Entry, host: bytes) -> tuple[Letter, ...]:
        """One of ours has its place; the older ones that are lost by it, if any.

        `host` ordered it. Raises where that host dropped or twisted something. `Unavailable`
        with the hint "outbox_lost" means that our own disk does not know what we said: a copy
        from a backup, or the same identity on two machines.
        """
        slot = self._slots.get(entry.counter)
        if slot is None or slot.letter.authored.content != entry.authored:
            raise Unavailable("outbox_lost", f"our own entry {entry.seq} is not on our disk")
        if slot.fate is Fate.REFUSED:
            self._judge_refused(slot.letter, entry, host)
        lost = []
        for counter in tuple(self._pending):
            if counter >= entry.counter:
                break
            older = self._slots[counter]
            if older.sent_in == entry.term:
                raise IllegalEntry(
                    f"the host dropped our statement {counter}",
                    culprit=host,
                    evidence=(exhibit("authored", older.letter.authored), entry.exhibit()),
                )
            self._refuse(counter)
            lost.append(older.letter)
        slot.fate = Fate.ORDERED
        self._pending.pop(entry.counter, None)
        return tuple(lost)

    def _judge_refused(self, letter: Letter, entry: Entry, host: bytes) -> None:
        """A refusal is final for its author, so only the host that refused can order it."""
        refusal = letter.refusal
        raise Equivocation(
            "refused and ordered",
            culprit=host,
            evidence=(
                entry.exhibit(),
                *(() if refusal is None else (exhibit("refusal", refusal),)),
            ),
        )

    def undone(self, entries: Iterable[Entry]) -> None:
        """These orders of ours are none any more."""
        for entry in entries:
            self._slots[entry.counter].fate = Fate.PENDING
            self._pending[entry.counter] = None
        self._pending = dict(sorted(self._pending.items()))

    def refused(self, signed: Signed, term: int, host: bytes) -> tuple[Letter, str] | None:
        """The refusal of one of ours by the host of this term: the letter and the code.

        None if it is known already, or from a term before.
        """
        refusal = unseal(signed, Refusal, DOMAIN_REFUSAL, host)
        if (refusal.table, refusal.author) != (self._table, self._me):
            raise Malformed("a refusal of somebody else's", culprit=host)
        slot = self._slots.get(refusal.counter)
        if slot is None or authored_hash(slot.letter.authored.content) != refusal.hash:
            raise Malformed("a refusal of what we never said", culprit=host)
        if slot.fate is not Fate.PENDING or refusal.term != term:
            return None
        slot.letter = replace(slot.letter, refusal=signed)
        self._refuse(refusal.counter)
        return slot.letter, refusal.code

    def _refuse(self, counter: int) -> None:
        slot = self._slots[counter]
        slot.fate = Fate.REFUSED
        self._pending.pop(counter, None)
        # It may be owed again in another form.
        if self._keys.get(slot.letter.key) == counter:
            del self._keys[slot.letter.key]
