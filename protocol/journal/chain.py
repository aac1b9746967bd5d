"""The table's entries, ordered, signed and hash-chained, and the check of each next one.

The rules of this room:

- An entry is the bytes that a host signed; they are stored and forwarded unchanged.
- `Chain.check` is the one gate: sequencer, follower and verifier pass every entry through it.
- A term belongs to one host. Operator 0 has the first; every later one begins with an
  *election*, an entry that carries a majority's votes for this host and this very history.
- Entries that were never confirmed may give way to those of a later host (`truncate`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from protocol.errors import (
    BadSignature,
    Equivocation,
    IllegalEntry,
    Malformed,
    RemoteError,
)
from protocol.identity.keys import Identity, verify
from protocol.journal.election import double_vote, journal_of, open_election
from protocol.journal.evidence import exhibit
from protocol.journal.genesis import FIRST_TERM, HOST, open_genesis
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_ORDERED,
    MAX_ORDERED,
    MAX_STATEMENT,
    NOTHING,
    Ack,
    Authored,
    Election,
    GenesisBody,
    Ordered,
    Signed,
    check_author,
    entry_hash,
    quorum,
    sign,
)
from protocol.journal.stop_reason import StopReason
from protocol.wire.codec import decode


@dataclass(frozen=True, slots=True)
class Entry:
    """One checked entry: the bytes that the host signed, and what is in them.

    An election has `election`, no body, and no counter of its author's.
    """

    signed: Signed
    hash: bytes
    previous: bytes
    term: int
    seq: int
    author: int
    counter: int
    ancestor: bytes
    body: bytes
    authored: bytes
    author_signature: bytes
    election: Election | None = None

    def __repr__(self) -> str:
        return f"Entry(seq={self.seq}, author={self.author}, body={len(self.body)} bytes)"

    def exhibit(self) -> bytes:
        """This entry as evidence."""
        return exhibit("ordered", self.signed)


@dataclass(frozen=True, slots=True)
class Journal:
    """A saved journal as it was read, unchecked: signed entries from 0 on, the newest
    certificate of confirmation that its owner held, and what the match was stopped for."""

    records: tuple[Signed, ...]
    quorum_certificate: tuple[Signed, ...] = ()
    fault: StopReason | None = None


class Chain:
    """A journal in memory that grows by checked entries only."""

    def __init__(self, first: Signed) -> None:
        self.genesis, ordered, authored = open_genesis(first)
        entry = _entry(first, ordered, authored)
        #: What everybody signed before the match, in its canonical bytes.
        self.terms: bytes = decode(entry.body, GenesisBody, limit=MAX_ORDERED).terms
        self.entries: list[Entry] = []
        self._hosts: dict[int, int] = {FIRST_TERM: HOST}
        self._places: dict[bytes, int] = {}
        self._counters: list[int] = [0] * len(self.genesis.operators)
        self._before: list[int] = []  # by entry: its author's counter before it
        self._by_counter: dict[tuple[int, int], int] = {}
        self.append(entry)

    @property
    def head(self) -> int:
        """The newest entry's number."""
        return len(self.entries) - 1

    @property
    def term(self) -> int:
        """The newest entry's term."""
        return self.entries[-1].term

    @property
    def host(self) -> bytes:
        return self.host_of(self.term)

    def host_of(self, term: int) -> bytes:
        """The identity that orders in a term of this history."""
        return self.genesis.operators[self._hosts[term]].identity

    def knows_term(self, term: int) -> bool:
        """Whether this history has an entry of the term."""
        return term in self._hosts

    def host_index(self, term: int) -> int:
        """The roster index of the host of a term of this history."""
        return self._hosts[term]

    def hash_at(self, seq: int) -> bytes:
        return self.entries[seq].hash

    def place_of(self, entry_hash: bytes) -> int | None:
        """Where an entry with this hash is, if it is in this history at all."""
        return self._places.get(entry_hash)

    def last_counter(self, author: int) -> int:
        """The counter of this author's newest statement that has a place."""
        return self._counters[author]

    def counter_before(self, author: int, seq: int) -> int:
        """The same as it was right before entry `seq`."""
        for entry in self.entries[seq:]:
            if entry.author == author:
                return self._before[entry.seq]
        return self._counters[author]

    def by_counter(self, author: int, counter: int) -> Entry | None:
        """What this author's statement of this number became."""
        seq = self._by_counter.get((author, counter))
        return None if seq is None else self.entries[seq]

    def check(self, signed: Signed) -> Entry | None:
        """The entry that may be appended, or None for one that is here already.

        Changes nothing. A number that is not past the head is that of an entry which gives
        way, with all after it: `truncate` before `append`. Raises a `RemoteError` naming the
        culprit, with the evidence.
        """
        try:
            ordered = decode(signed.content, Ordered, limit=MAX_ORDERED)
        except RemoteError as problem:
            verify(self.host, DOMAIN_ORDERED, signed.content, signed.signature)
            raise problem.blame(self.host, exhibit("ordered", signed)) from None
        if ordered.seq > self.head or ordered.seq == 0:
            return self._checked(signed, ordered)
        here = self.entries[ordered.seq]
        if here.signed.content == signed.content:
            return None
        if here.term == ordered.term:
            raise self._two_histories(here, signed, ordered)
        # Before anything gives way, even for a moment, its host must have signed it.
        before = self.entries[ordered.seq - 1]
        host, _ = self._orderer(ordered, before.term)
        verify(host, DOMAIN_ORDERED, signed.content, signed.signature)
        tail = self.truncate(before.seq)
        try:
            return self._checked(signed, ordered)
        finally:
            for entry in tail:
                self.append(entry)

    def append(self, entry: Entry) -> None:
        """Take an entry that `check` returned."""
        self.entries.append(entry)
        self._places[entry.hash] = entry.seq
        self._before.append(self._counters[entry.author])
        if entry.election is not None:
            self._hosts[entry.term] = entry.author
        else:
            self._counters[entry.author] = entry.counter
            self._by_counter[entry.author, entry.counter] = entry.seq

    def truncate(self, seq: int) -> tuple[Entry, ...]:
        """Let go of everything after `seq`; what was let go, in order."""
        tail = tuple(self.entries[seq + 1 :])
        for entry in reversed(tail):
            self.entries.pop()
            del self._places[entry.hash]
            before = self._before.pop()
            if entry.election is not None:
                del self._hosts[entry.term]
            else:
                self._counters[entry.author] = before
                del self._by_counter[entry.author, entry.counter]
        return tail

    def extend(self, identity: Identity, authored: Signed) -> Entry:
        """Put an author's statement in order: the host's side of `check`."""
        said = decode(authored.content, Authored, limit=MAX_ORDERED)
        signed, ordered = self._order(identity, self.term, authored)
        return self._appended(_entry(signed, ordered, said))

    def begin_term(self, identity: Identity, election: Signed) -> Entry:
        """Put our own election in order: the first entry of our term."""
        opened = open_election(self.genesis, election)
        signed, ordered = self._order(identity, opened.term, election)
        return self._appended(_election_entry(signed, ordered, opened))

    def _order(self, identity: Identity, term: int, said: Signed) -> tuple[Signed, Ordered]:
        previous = self.hash_at(self.head)
        ordered = Ordered(term, self.head + 1, previous, said.content, said.signature)
        return sign(identity, DOMAIN_ORDERED, ordered), ordered

    def _appended(self, entry: Entry) -> Entry:
        self.append(entry)
        return entry

    def check_quorum_certificate(
        self, seq: int, acks: tuple[Signed, ...], own: Signed | None = None
    ) -> tuple[Ack, ...]:
        """The acknowledgements inside, once a majority's hold for `seq` in this very history.

        All are of one term, and what they all cover ends with an entry of that term: only then
        can no later host lack it (Ongaro, *Consensus*, 3.6.2). `own` is one that we signed
        ourselves. Raises `Malformed` or `BadSignature`.
        """
        held = tuple(self.check_ack(ack, own) for ack in acks)
        voters = {ack.operator for ack in held if ack.seq >= seq}
        if len(voters) != len(held) or len(voters) < quorum(len(self.genesis.operators)):
            raise Malformed("not a majority's certificate", culprit=self.host)
        covered = self.entries[min(ack.seq for ack in held)]
        if any(ack.term != covered.term for ack in held):
            raise Malformed("a certificate of another term", culprit=self.host)
        return held

    def check_ack(self, signed: Signed, own: Signed | None = None) -> Ack:
        """An operator's acknowledgement of an entry of this history; `own` is known to hold."""
        ack = decode(signed.content, Ack, limit=MAX_STATEMENT)
        self.check_said(ack, signed, holds=signed == own)
        return ack

    def check_said(self, ack: Ack, signed: Signed, *, holds: bool) -> None:
        """The same for one that is read already, and whose signature may be known to hold."""
        if ack.operator >= len(self.genesis.operators) or ack.table != self.genesis.table:
            raise Malformed("not an acknowledgement of this table")
        if not holds:
            signer = self.genesis.operators[ack.operator].identity
            verify(signer, DOMAIN_ACK, signed.content, signed.signature)
        if ack.seq > self.head:
            raise Malformed("an entry nobody has shown us was acknowledged")
        if ack.hash != self.hash_at(ack.seq):
            # Whoever says so was shown it, or lies: without the host's signature it is a word.
            raise Malformed(f"an acknowledgement of another entry {ack.seq}")

    def check_authored(self, signed: Signed) -> Authored:
        """What an author of this table said; raises `Malformed` or `BadSignature`."""
        authored = decode(signed.content, Authored, limit=MAX_ORDERED)
        if authored.table != self.genesis.table:
            raise BadSignature("said at another table")
        if authored.author >= len(self.genesis.operators):
            raise BadSignature("said by nobody at this table")
        signer = self.genesis.operators[authored.author].identity
        check_author(signer, signed.content, signed.signature)
        return authored

    def _checked(self, signed: Signed, ordered: Ordered) -> Entry:
        """The next entry after our head."""
        host, election = self._orderer(ordered, self.term)
        verify(host, DOMAIN_ORDERED, signed.content, signed.signature)
        last = self.entries[-1]
        # What does not begin where we end proves nothing: it may be of a history that gave way.
        if ordered.seq != last.seq + 1:
            raise Malformed(f"entry {ordered.seq} after {last.seq}")
        if ordered.previous != last.hash:
            if last.term == ordered.term:
                raise self._two_histories(last, signed, ordered)
            raise Malformed(f"entry {ordered.seq} does not follow ours")
        try:
            return self._following(signed, ordered, election)
        except RemoteError as problem:
            # Its host signed it for this very place: whoever has our history comes to the same.
            raise problem.blame(host, exhibit("ordered", signed)) from None

    def _orderer(self, ordered: Ordered, before: int) -> tuple[bytes, Election | None]:
        """Who orders after an entry of term `before`, and the election that says so."""
        if ordered.term <= before:
            return self.host_of(before), None
        election = open_election(self.genesis, Signed(ordered.authored, ordered.signature))
        return self.genesis.operators[election.candidate].identity, election

    def _following(self, signed: Signed, ordered: Ordered, election: Election | None) -> Entry:
        if ordered.term < self.term:
            raise Malformed("a term that has ended")
        if election is not None:
            return self._elected(signed, ordered, election)
        authored = self.check_authored(Signed(ordered.authored, ordered.signature))
        counter = self._counters[authored.author]
        if authored.counter <= counter:
            before = self.by_counter(authored.author, counter)
            raise IllegalEntry(
                "an author's statements out of their order",
                evidence=() if before is None else (before.exhibit(),),
            )
        if authored.ancestor not in self._places:
            raise IllegalEntry(f"the author of entry {ordered.seq} has seen another history")
        return _entry(signed, ordered, authored)

    def _elected(self, signed: Signed, ordered: Ordered, election: Election) -> Entry:
        """The first entry of a term: votes for this host, this term and this very place."""
        if election.term != ordered.term:
            raise Malformed("elected for another term")
        if journal_of(election) != (self.head, ordered.previous):
            raise Malformed("votes for another journal")
        return _election_entry(signed, ordered, election)

    def _two_histories(self, here: Entry, signed: Signed, ordered: Ordered) -> RemoteError:
        """Two entries of one term that cannot both stand: who is to blame."""
        culprit = self.host_of(here.term)
        if here.election is not None and here.seq == ordered.seq:
            with contextlib.suppress(RemoteError):  # its host may have ordered something else
                other = open_election(self.genesis, Signed(ordered.authored, ordered.signature))
                if other.term == here.term and other.candidate != here.author:
                    return double_vote(self.genesis, here.election, other)
        verify(culprit, DOMAIN_ORDERED, signed.content, signed.signature)
        return Equivocation(
            f"two histories from entry {here.seq} on",
            culprit=culprit,
            evidence=(here.exhibit(), exhibit("ordered", signed)),
        )


def check_entries(journal: Journal) -> Iterator[tuple[Chain, Entry]]:
    """Every entry of a saved journal in order, each checked before it is given out.

    Raises a `RemoteError` at the first one at fault: the number of entries given out is its
    number. Whatever its owner held confirmed must be there.
    """
    if not journal.records:
        raise Malformed("a journal without entries")
    chain = Chain(journal.records[0])
    yield chain, chain.entries[0]
    for signed in journal.records[1:]:
        entry = chain.check(signed)
        if entry is None or entry.seq <= chain.head:
            raise Malformed("an entry twice", culprit=chain.host)
        chain.append(entry)
        yield chain, entry
    if acks := journal.quorum_certificate:
        seqs = [decode(ack.content, Ack, limit=MAX_ORDERED).seq for ack in acks]
        chain.check_quorum_certificate(min(seqs), acks)


def check_journal(journal: Journal) -> Chain:
    """The whole journal, checked."""
    *_, (chain, _) = check_entries(journal)
    return chain


def _entry(signed: Signed, ordered: Ordered, authored: Authored) -> Entry:
    return Entry(
        signed=signed,
        hash=entry_hash(signed.content),
        previous=ordered.previous,
        term=ordered.term,
        seq=ordered.seq,
        author=authored.author,
        counter=authored.counter,
        ancestor=authored.ancestor,
        body=authored.body,
        authored=ordered.authored,
        author_signature=ordered.signature,
    )


def _election_entry(signed: Signed, ordered: Ordered, election: Election) -> Entry:
    return Entry(
        signed=signed,
        hash=entry_hash(signed.content),
        previous=ordered.previous,
        term=ordered.term,
        seq=ordered.seq,
        author=election.candidate,
        counter=0,
        ancestor=NOTHING,
        body=b"",
        authored=ordered.authored,
        author_signature=ordered.signature,
        election=election,
    )
