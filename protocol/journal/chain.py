"""The journal in memory: signed, hash-chained entries, and the check of each next one.

The rules of this room:

- An entry is the bytes that a host signed. They are stored and forwarded unchanged.
- `Chain.check` is the one gate: leader, follower and verifier pass every entry through it.
- A term has one host. Operator 0 has term 1; every later term begins with an *election*, an
  entry that carries a majority's votes for this host and this very history.
- A *removal* takes out who has left for good. A majority is read at its place (`membership`).
- Entries that nobody confirmed may be replaced by those of a later term (`truncate`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from protocol.errors import (
    BadSignature,
    Equivocation,
    IllegalEntry,
    Malformed,
    RemoteError,
)
from protocol.identity.keys import Identity
from protocol.journal.election import (
    check_majority,
    double_vote,
    journal_of,
    open_election,
)
from protocol.journal.evidence import (
    check_authored,
    exhibit,
    forged_order,
    is_of,
    open_authored,
    said_in,
    signer_of,
)
from protocol.journal.genesis import FIRST_TERM, HOST, open_genesis
from protocol.journal.membership import (
    Membership,
    holds_removal,
    is_majority,
    is_removal,
    open_removal,
    removal_body,
)
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_ORDERED,
    MAX_ORDERED,
    NOTHING,
    Ack,
    Authored,
    Election,
    GenesisBody,
    Ordered,
    Removal,
    Said,
    Signed,
    entry_hash,
    sign,
)
from protocol.journal.stop_reason import StopReason
from protocol.wire.codec import decode


@dataclass(frozen=True, slots=True)
class Entry:
    """One checked entry: the bytes that the host signed, and what is in them.

    An election has `election` and no body, a removal has `removal` and a body that its host
    made. Neither has a counter of its author's.
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
    inside: Signed  #: what its author has signed
    election: Election | None = None
    removal: Removal | None = None

    def __repr__(self) -> str:
        return f"Entry(seq={self.seq}, author={self.author}, body={len(self.body)} bytes)"

    @property
    def age(self) -> tuple[int, int]:
        """Of two journals the one is newer whose last entry has the later term, then number."""
        return self.term, self.seq

    @property
    def is_said(self) -> bool:
        """Whether it holds an author's statement, and not what only a host orders."""
        return self.election is None and self.removal is None

    def exhibit(self) -> bytes:
        return exhibit("ordered", self.signed)


def entry_of(signed: Signed, ordered: Ordered, said: Said) -> Entry:
    election = removal = None
    counter, ancestor, body = 0, NOTHING, b""
    match said:
        case Election():
            election, author = said, said.candidate
        case Removal():
            removal, author = said, said.host
            body = removal_body(said.operator, said.place)
        case Authored():
            author, counter, ancestor = said.author, said.counter, said.ancestor
            body = said.body
    return Entry(
        signed=signed,
        hash=entry_hash(signed.content),
        previous=ordered.previous,
        term=ordered.term,
        seq=ordered.seq,
        author=author,
        counter=counter,
        ancestor=ancestor,
        body=body,
        inside=ordered.inside,
        election=election,
        removal=removal,
    )


@dataclass(frozen=True, slots=True)
class Journal:
    """A saved journal as it was read, unchecked.

    It has the signed entries from 0 on, the newest quorum certificate that its owner held, and
    the reason for which the match was stopped; and the complaints that it was looking into.
    """

    records: tuple[Signed, ...]
    quorum_certificate: tuple[Signed, ...] = ()
    fault: StopReason | None = None
    cases: tuple[StopReason, ...] = ()


class Chain:
    """A journal in memory that grows by checked entries only."""

    def __init__(self, first: Signed) -> None:
        self.genesis, ordered, authored = open_genesis(first)
        entry = entry_of(first, ordered, authored)
        #: What everybody signed before the match.
        self.beginning = decode(entry.body, GenesisBody, limit=MAX_ORDERED)
        self.entries: list[Entry] = []
        self.head = -1  #: the newest entry's number
        self.term = FIRST_TERM  #: and its term
        self._elections: dict[int, Entry] = {}  # the first entry of each later term
        self.membership = Membership(range(len(self.genesis.operators)))
        self._places: dict[bytes, int] = {}
        self._counters: list[int] = [0] * len(self.genesis.operators)
        self._before: list[int] = []  # by entry: its author's counter before it
        self._by_counter: dict[tuple[int, int], int] = {}
        self.append(entry)

    @property
    def members(self) -> frozenset[int]:  # who count in a majority after the newest entry
        return self.membership.newest

    @property
    def host(self) -> bytes:
        return self.host_of(self.term)

    @property
    def age(self) -> tuple[int, int]:
        """Its newest entry's."""
        return self.term, self.head

    def host_of(self, term: int) -> bytes:
        """The identity that orders in a term of this history."""
        return self.genesis.operators[self.host_index(term)].identity

    def knows_term(self, term: int) -> bool:
        return term == FIRST_TERM or term in self._elections

    def host_index(self, term: int) -> int:
        """The roster index of the host of a term of this history."""
        return HOST if term == FIRST_TERM else self._elections[term].author

    def hash_at(self, seq: int) -> bytes:
        return self.entries[seq].hash

    def place_of(self, entry_hash: bytes) -> int | None:
        """The number of the entry with this hash; None if it is not in this history."""
        return self._places.get(entry_hash)

    def last_counter(self, author: int) -> int:
        """The counter of this author's newest ordered statement; 0 before the first."""
        return self._counters[author]

    def counter_before(self, author: int, seq: int) -> int:
        """The same as it was right before entry `seq`."""
        for entry in self.entries[seq:]:
            if entry.author == author:
                return self._before[entry.seq]
        return self._counters[author]

    def by_counter(self, author: int, counter: int) -> Entry | None:
        """The entry of this author's statement with this counter; None if it has none."""
        seq = self._by_counter.get((author, counter))
        return None if seq is None else self.entries[seq]

    def check(self, signed: Signed, ordered: Ordered | None = None) -> Entry | None:
        """The entry that may be appended; None if it is in the chain already.

        Changes nothing. If its number is not past the head, it replaces the entry there and all
        after it: `truncate` before `append`. `ordered`: what is signed, where that is decoded
        already. Raises a `RemoteError`; where the host's signature proves the fault, it carries
        the culprit and the evidence.
        """
        try:
            ordered = ordered or signed.read(Ordered)
        except RemoteError as problem:
            signer = signer_of(self.genesis, signed)
            raise problem.blame(signer, exhibit("ordered", signed)) from None
        said = said_in(ordered)
        if not is_of(self.genesis, said):
            raise self._foreign(signed, ordered)
        if ordered.seq > self.head or ordered.seq == 0:
            try:
                return self._checked(signed, ordered, said)
            except RemoteError as problem:
                raise self._rival(signed, ordered) or problem from None
        here = self.entries[ordered.seq]
        if here.signed.content == signed.content:
            return None
        if (excluded := self._excluded(signed, ordered)) is not None:
            raise excluded
        # Truncate for nobody, even for a moment, who has not signed this entry.
        before = self.entries[ordered.seq - 1]
        host, _ = self._orderer(ordered, before)
        signed.check(host, DOMAIN_ORDERED)
        tail = self.truncate(before.seq)
        try:
            return self._checked(signed, ordered, said)
        finally:
            for entry in tail:
                self.append(entry)

    def check_run(
        self, shown: Iterable[tuple[Signed, Ordered | None]]
    ) -> tuple[list[Entry | None], RemoteError | None]:
        """What `check` says of these, each after those before it, as far as they hold; and why
        the next one does not. Changes nothing.

        None of them holds where one excludes an entry of ours: once ours has given way to
        those before it, nobody would see that.
        """
        run, found = [*shown], list[Entry | None]()
        ours, common = (*self.entries,), self.head
        try:
            for signed, ordered in run:
                if ordered is not None and (excluded := self._excluded(signed, ordered)):
                    return found, excluded
            for signed, ordered in run:
                entry = self.check(signed, ordered)
                found.append(entry)
                if entry is not None:
                    common = min(common, entry.seq - 1)
                    self.truncate(entry.seq - 1)
                    self.append(entry)
        except RemoteError as problem:
            return found, problem
        finally:
            self.truncate(common)
            for entry in ours[common + 1 :]:
                self.append(entry)
        return found, None

    def append(self, entry: Entry) -> None:
        """Append an entry that `check` returned."""
        self.entries.append(entry)
        self.head, self.term = entry.seq, entry.term
        self._places[entry.hash] = entry.seq
        self._before.append(self._counters[entry.author])
        if entry.election is not None:
            self._elections[entry.term] = entry
        elif entry.removal is not None:
            self.membership.remove(entry.seq, entry.removal.operator)
        else:
            self._counters[entry.author] = entry.counter
            self._by_counter[entry.author, entry.counter] = entry.seq

    def truncate(self, seq: int) -> tuple[Entry, ...]:
        """Drop all entries after `seq`; returns them in order."""
        tail = tuple(self.entries[seq + 1 :])
        for entry in reversed(tail):
            self.entries.pop()
            del self._places[entry.hash]
            before = self._before.pop()
            if entry.election is not None:
                del self._elections[entry.term]
            elif entry.removal is not None:
                self.membership.eras.pop()
            else:
                self._counters[entry.author] = before
                del self._by_counter[entry.author, entry.counter]
        self.head, self.term = len(self.entries) - 1, self.entries[-1].term
        return tail

    def extend(
        self, identity: Identity, authored: Signed, said: Authored | None = None
    ) -> Entry:
        """Order an author's statement: the host's side of `check`. `said`: what is signed,
        where that is decoded already.
        """
        said = said or authored.read(Authored)
        return self._order(identity, self.term, authored, said)

    def begin_term(self, identity: Identity, election: Signed) -> Entry:
        """Order our own election: the first entry of our term."""
        opened = open_election(self.genesis, election)
        return self._order(identity, opened.term, election, opened)

    def remove(self, identity: Identity, removal: Signed) -> Entry:
        """Order our own removal of somebody who has left for good."""
        return self._order(identity, self.term, removal, open_removal(self.genesis, removal))

    def _order(
        self,
        identity: Identity,
        term: int,
        signed: Signed,
        said: Said,
    ) -> Entry:
        previous = self.hash_at(self.head)
        ordered = Ordered(term, self.head + 1, previous, signed.content, signed.signature)
        entry = entry_of(sign(identity, DOMAIN_ORDERED, ordered), ordered, said)
        self.append(entry)
        return entry

    def check_quorum_certificate(
        self, seq: int, acks: tuple[Signed, ...], known: Mapping[Signed, Ack] | None = None
    ) -> tuple[Ack, ...]:
        """The acknowledgements of a majority, if they confirm entry `seq` of this very history.

        All are of one term, and the newest entry that all of them cover is of that term: only
        then can no later host lack it (Ongaro, *Consensus*, 3.6.2). They are a majority of
        those who count at that entry. What is `known` was signed or checked here and is not
        opened again. Raises `Malformed` or `BadSignature`, which name nobody: who has brought
        it need not be the host of these entries.
        """
        held = tuple(self.check_ack(ack, known) for ack in acks)
        reach = min((ack.seq for ack in held), default=-1)
        voters = [ack.operator for ack in held]
        if reach < seq or not is_majority(voters, self.membership.at(reach)):
            raise Malformed("not a majority's certificate")
        if any(ack.term != self.entries[reach].term for ack in held):
            raise Malformed("a certificate of another term")
        return held

    def check_ack(self, signed: Signed, known: Mapping[Signed, Ack] | None = None) -> Ack:
        """An operator's acknowledgement of an entry of ours; one that is `known` was signed or
        checked here, and is not opened again.

        Raises `Malformed` or `BadSignature`.
        """
        heard = None if known is None else known.get(signed)
        ack = heard or signed.read(Ack)
        self.check_said(ack, signed, holds=heard is not None)
        return ack

    def check_said(self, ack: Ack, signed: Signed, *, holds: bool) -> None:
        """The same for a decoded one; `holds` says that its signature is known to be right."""
        self.check_signer(ack, signed, holds=holds)
        if ack.seq > self.head:
            raise Malformed("an entry nobody has shown us was acknowledged")
        if ack.hash != self.hash_at(ack.seq):
            # Its signer lies, or was shown another entry: only the host's signature tells.
            raise Malformed(f"an acknowledgement of another entry {ack.seq}")

    def check_signer(self, ack: Ack, signed: Signed, *, holds: bool = False) -> None:
        """Whether an operator of this table has said it, of whatever entry."""
        if ack.operator >= len(self.genesis.operators) or ack.match != self.genesis.digest:
            raise Malformed("not an acknowledgement of this table")
        if not holds:
            signer = self.genesis.operators[ack.operator].identity
            signed.check(signer, DOMAIN_ACK)

    def check_authored(self, signed: Signed) -> Authored:
        """A statement by an operator of this table; raises `Malformed` or `BadSignature`."""
        return open_authored(self.genesis, signed)

    def _foreign(self, signed: Signed, ordered: Ordered) -> RemoteError:
        """The fault in an order that does not name our match. Its host may have signed it in
        another, of this version or an older one; but never right after an entry of ours.
        """
        if self._places.get(ordered.previous) == ordered.seq - 1:
            return forged_order(signer_of(self.genesis, signed), signed)
        return BadSignature("ordered in another match")

    def _checked(self, signed: Signed, ordered: Ordered, said: Said | None) -> Entry:
        """The entry, if it is the next one after our head; `said` is decoded from it."""
        host, election = self._orderer(ordered, self.entries[-1])
        signed.check(host, DOMAIN_ORDERED)
        last = self.entries[-1]
        # What does not follow our head proves nothing: its history may have given way.
        if ordered.seq != last.seq + 1:
            raise Malformed(f"entry {ordered.seq} after {last.seq}")
        if ordered.previous != last.hash:
            if last.term == ordered.term:
                raise self._two_histories(last, signed)
            raise Malformed(f"entry {ordered.seq} does not follow ours")
        try:
            return self._following(signed, ordered, election, said)
        except RemoteError as problem:
            # Its host signed it for this very place: anybody with our history finds this.
            raise problem.blame(host, exhibit("ordered", signed)) from None

    def _orderer(self, ordered: Ordered, before: Entry) -> tuple[bytes, Election | None]:
        """The host that orders this right after entry `before`; its election if new."""
        if ordered.term <= before.term:
            return self.host_of(before.term), None
        election = open_election(self.genesis, ordered.inside)
        check_majority(self.genesis, election, self.membership.at(before.seq))
        return self.genesis.operators[election.candidate].identity, election

    def _following(
        self, signed: Signed, ordered: Ordered, election: Election | None, said: Said | None
    ) -> Entry:
        if ordered.term < self.term:
            raise Malformed("a term that has ended")
        if election is not None:
            return self._elected(signed, ordered, election)
        inside = ordered.inside
        if holds_removal(inside.content):
            return self._removed(signed, ordered, open_removal(self.genesis, inside))
        if not isinstance(said, Authored):
            raise Malformed("no statement of an author")
        check_authored(self.genesis, said, inside)
        if is_removal(said.body):
            raise Malformed("a removal that an author said")
        counter = self._counters[said.author]
        if said.counter <= counter:
            before = self.by_counter(said.author, counter)
            if before is not None and before.term != ordered.term:
                before = None  # the two prove nothing by themselves: the history between does
            raise IllegalEntry(
                "an author's statements out of their order",
                evidence=() if before is None else (before.exhibit(),),
            )
        if said.ancestor not in self._places:
            raise IllegalEntry(f"the author of entry {ordered.seq} has seen another history")
        return entry_of(signed, ordered, said)

    def _elected(self, signed: Signed, ordered: Ordered, election: Election) -> Entry:
        """The first entry of a term: votes for this host, this term and this very place."""
        if election.term != ordered.term:
            raise Malformed("elected for another term")
        if journal_of(election) != (self.head, ordered.previous):
            raise Malformed("votes for another journal")
        return entry_of(signed, ordered, election)

    def _removed(self, signed: Signed, ordered: Ordered, removal: Removal) -> Entry:
        """One who counts no more; the certificate shows that its host may order that now."""
        host, members = self.host_index(ordered.term), self.members
        if (removal.term, removal.host) != (ordered.term, host):
            raise Malformed("a removal by another host, or in another term")
        if removal.operator not in members or len(members) < 2:
            raise Malformed("nobody to be removed")
        held = self.check_quorum_certificate(self.membership.since, removal.acks)
        shown = held[0].term, min(ack.seq for ack in held)  # of one term, all of them
        if shown != (ordered.term, removal.place):
            raise Malformed("a removal by a certificate of another term or place")
        return entry_of(signed, ordered, removal)

    def _excluded(self, signed: Signed, ordered: Ordered) -> RemoteError | None:
        """What it shows beside an entry of ours of its term, if there cannot be both."""
        if not 0 < ordered.seq <= self.head:
            return self._rival(signed, ordered) if ordered.term <= self.term else None
        here = self.entries[ordered.seq]
        if here.signed.content == signed.content:
            return None
        rival = self._rival(signed, ordered)
        if rival is None and here.term == ordered.term:
            return self._two_histories(here, signed)
        return rival

    def _rival(self, signed: Signed, ordered: Ordered) -> RemoteError | None:
        """What another election of a term of ours shows: a second vote, or a second place."""
        ours = self._elections.get(ordered.term)
        if ours is None or ours.election is None:
            return None
        with contextlib.suppress(RemoteError):
            other = open_election(self.genesis, ordered.inside)
            if other.term == ours.term and other.candidate != ours.author:
                return double_vote(self.genesis, ours.election, other)
            if other.term == ours.term:  # its voters vote anew where it asks anew
                return self._two_histories(ours, signed)
        return None

    def _two_histories(self, here: Entry, signed: Signed) -> RemoteError:
        """The fault of a host that has ordered two things, one of which excludes the other."""
        culprit = self.host_of(here.term)
        signed.check(culprit, DOMAIN_ORDERED)
        return Equivocation(
            f"two histories from entry {here.seq} on",
            culprit=culprit,
            evidence=(here.exhibit(), exhibit("ordered", signed)),
        )


def check_entries(journal: Journal) -> Iterator[tuple[Chain, Entry]]:
    """Every entry of a saved journal in order, each checked before it is yielded.

    Raises a `RemoteError` at the first bad entry: its number is the count of those yielded.
    After the last entry the quorum certificate is checked, if there is one.
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
    """The chain of a whole saved journal; raises as `check_entries` does."""
    *_, (chain, _) = check_entries(journal)
    return chain
