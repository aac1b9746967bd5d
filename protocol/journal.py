"""The table's ordered, signed, hash-chained entries, and the check of each next one.

The rules of this room:

- An entry is the bytes that the host signed; they are stored and forwarded unchanged.
- `Chain.check` is the one gate: sequencer, follower and verifier pass every entry through it.
- Entry 0 is the genesis. It holds what every operator agreed to, each under its own signature,
  so nobody can be put at a table that he did not agree to.
- Term 1 belongs to operator 0 of the roster. (A later term will belong to whom it elected.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from protocol.application import Genesis, Operator, Seat
from protocol.codec import decode, encode
from protocol.errors import (
    BadSignature,
    Equivocation,
    IllegalEntry,
    Impostor,
    Malformed,
    RemoteError,
    VersionMismatch,
)
from protocol.evidence import exhibit
from protocol.identity import Identity, verify
from protocol.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_TERMS,
    MAX_ORDERED,
    MAX_STATEMENT,
    MAX_TERMS,
    NOTHING,
    VERSION,
    Ack,
    Authored,
    GenesisBody,
    Ordered,
    Signed,
    Terms,
    check_author,
    entry_hash,
    quorum,
    sign,
)

TERM = 1
HOST = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One checked entry: the bytes that the host signed, and what is in them."""

    signed: Signed
    hash: bytes
    term: int
    seq: int
    author: int
    counter: int
    ancestor: bytes
    body: bytes
    authored: bytes
    author_signature: bytes

    def __repr__(self) -> str:
        return f"Entry(seq={self.seq}, author={self.author}, body={len(self.body)} bytes)"

    def exhibit(self) -> bytes:
        """This entry as evidence."""
        return exhibit("ordered", self.signed)


@dataclass(frozen=True, slots=True)
class Journal:
    """A saved journal as it was read, unchecked: signed entries from 0 on, and the newest
    certificate of confirmation that its owner held."""

    records: tuple[Signed, ...]
    certificate: tuple[Signed, ...] = ()


def open_genesis(signed: Signed) -> tuple[Genesis, Entry]:
    """What entry 0 says, once every signature in it holds.

    Raises `Malformed`, `BadSignature`, `VersionMismatch`, `Impostor` (somebody did not agree).
    """
    ordered = decode(signed.content, Ordered, limit=MAX_ORDERED)
    authored = decode(ordered.authored, Authored, limit=MAX_ORDERED)
    body = decode(authored.body, GenesisBody, limit=MAX_ORDERED)
    terms = open_terms(body.terms)
    host = terms.operators[HOST].identity
    verify(host, DOMAIN_ORDERED, signed.content, signed.signature)
    check_author(host, ordered.authored, ordered.signature)
    first = (ordered.term, ordered.seq, ordered.previous) == (TERM, 0, NOTHING)
    if not first or (authored.table, authored.author) != (terms.table, HOST):
        raise Malformed("not a first entry", culprit=host)
    if (authored.counter, authored.ancestor) != (0, NOTHING):
        raise Malformed("not a first entry", culprit=host)
    if len(body.agreements) != len(terms.operators):
        raise Impostor("somebody did not agree to this table", culprit=host)
    for operator, agreement in zip(terms.operators, body.agreements, strict=True):
        try:
            verify(operator.identity, DOMAIN_TERMS, body.terms, agreement)
        except BadSignature:
            raise Impostor(
                f"{operator.name!r} did not agree to this table",
                culprit=host,
                evidence=(exhibit("ordered", signed),),
            ) from None
    if any(seat.kind == "open" for seat in terms.seats):
        raise IllegalEntry("a match with an open seat", culprit=host)
    return _genesis(terms, authored.body), _entry(signed, ordered, authored)


def open_terms(content: bytes) -> Terms:
    """Decoded terms that make sense in themselves; raises `Malformed` or `VersionMismatch`."""
    terms = decode(content, Terms, limit=MAX_TERMS)
    if terms.version != VERSION:
        raise VersionMismatch(f"journal version {terms.version}, ours is {VERSION}")
    identities = {operator.identity for operator in terms.operators}
    if len(identities) != len(terms.operators):
        raise Malformed("one identity twice at a table")
    for seat in terms.seats:
        if (seat.operator is None) != (seat.kind == "open"):
            raise Malformed("a seat that is neither open nor somebody's")
        if seat.operator is not None and seat.operator >= len(terms.operators):
            raise Malformed("a seat of nobody at this table")
    return terms


def make_genesis(identity: Identity, terms: bytes, agreements: tuple[bytes, ...]) -> Signed:
    """Entry 0, authored and ordered by the host; `terms` are what everybody signed."""
    body = encode(GenesisBody(terms, agreements))
    table = decode(terms, Terms, limit=MAX_TERMS).table
    authored = sign(identity, DOMAIN_AUTHORED, Authored(table, HOST, 0, NOTHING, body))
    return sign(
        identity,
        DOMAIN_ORDERED,
        Ordered(TERM, 0, NOTHING, authored.content, authored.signature),
    )


class Chain:
    """A journal in memory that grows by checked entries only."""

    def __init__(self, first: Signed) -> None:
        self.genesis, entry = open_genesis(first)
        #: What everybody signed before the match, in its canonical bytes.
        self.terms: bytes = decode(entry.body, GenesisBody, limit=MAX_ORDERED).terms
        self.entries: list[Entry] = []
        self._places: dict[bytes, int] = {}
        self._counters: list[int] = [0] * len(self.genesis.operators)
        self._by_counter: dict[tuple[int, int], int] = {}
        self.append(entry)

    @property
    def head(self) -> int:
        """The newest entry's number."""
        return len(self.entries) - 1

    @property
    def host(self) -> bytes:
        """The identity that orders."""
        return self.genesis.operators[HOST].identity

    def hash_at(self, seq: int) -> bytes:
        return self.entries[seq].hash

    def place_of(self, entry_hash: bytes) -> int | None:
        """Where an entry with this hash is, if it is in this history at all."""
        return self._places.get(entry_hash)

    def last_counter(self, author: int) -> int:
        return self._counters[author]

    def by_counter(self, author: int, counter: int) -> Entry | None:
        """What this author's statement of this number became."""
        seq = self._by_counter.get((author, counter))
        return None if seq is None else self.entries[seq]

    def check(self, signed: Signed) -> Entry | None:
        """The next entry, or None for one that is here already. Appends nothing.

        Raises a `RemoteError` naming the culprit, with the evidence.
        """
        verify(self.host, DOMAIN_ORDERED, signed.content, signed.signature)
        shown = exhibit("ordered", signed)
        try:
            return self._checked(signed)
        except Equivocation:
            raise
        except RemoteError as problem:
            raise problem.blame(self.host, shown) from None

    def append(self, entry: Entry) -> None:
        """Take an entry that `check` returned."""
        self.entries.append(entry)
        self._places[entry.hash] = entry.seq
        self._counters[entry.author] = entry.counter
        self._by_counter[entry.author, entry.counter] = entry.seq

    def extend(self, identity: Identity, authored: Signed) -> Entry:
        """Put an author's statement in order: the host's side of `check`."""
        ordered = Ordered(
            TERM,
            self.head + 1,
            self.hash_at(self.head),
            authored.content,
            authored.signature,
        )
        signed = sign(identity, DOMAIN_ORDERED, ordered)
        said = decode(authored.content, Authored, limit=MAX_ORDERED)
        entry = _entry(signed, ordered, said)
        self.append(entry)
        return entry

    def check_certificate(
        self, seq: int, acks: tuple[Signed, ...], own: Signed | None = None
    ) -> tuple[Ack, ...]:
        """The acknowledgements inside, once a majority's hold for `seq` in this very history.

        `own` is one that we signed ourselves. Raises `Malformed`, `BadSignature`, or
        `Equivocation` where another history was acknowledged.
        """
        held = tuple(self.check_ack(ack, own) for ack in acks)
        voters = {ack.operator for ack in held if ack.seq >= seq}
        if len(voters) != len(held) or len(voters) < quorum(len(self.genesis.operators)):
            raise Malformed("not a majority's certificate", culprit=self.host)
        return held

    def check_ack(self, signed: Signed, own: Signed | None = None) -> Ack:
        """An operator's acknowledgement of an entry of this history; `own` is known to hold."""
        ack = decode(signed.content, Ack, limit=MAX_STATEMENT)
        if ack.operator >= len(self.genesis.operators) or ack.table != self.genesis.table:
            raise Malformed("not an acknowledgement of this table")
        if signed != own:
            signer = self.genesis.operators[ack.operator].identity
            verify(signer, DOMAIN_ACK, signed.content, signed.signature)
        if ack.seq > self.head:
            raise Malformed("an entry nobody has shown us was acknowledged")
        if ack.hash != self.hash_at(ack.seq):
            raise Equivocation(
                f"another history was acknowledged at {ack.seq}",
                culprit=self.host,
                evidence=(self.entries[ack.seq].exhibit(), exhibit("ack", signed)),
            )
        return ack

    def _checked(self, signed: Signed) -> Entry | None:
        ordered = decode(signed.content, Ordered, limit=MAX_ORDERED)
        if ordered.term != TERM:
            raise Malformed("a term that nobody was elected for")
        if ordered.seq <= self.head:
            here = self.entries[ordered.seq]
            if here.signed.content == signed.content:
                return None
            raise self._two_histories(here, signed)
        if ordered.seq != self.head + 1:
            raise Malformed(f"entry {ordered.seq} after {self.head}")
        if ordered.previous != self.hash_at(self.head):
            raise self._two_histories(self.entries[self.head], signed)
        authored = self.check_authored(Signed(ordered.authored, ordered.signature))
        last = self._counters[authored.author]
        if authored.counter <= last:
            before = self.by_counter(authored.author, last)
            raise IllegalEntry(
                "an author's statements out of their order",
                evidence=() if before is None else (before.exhibit(),),
            )
        if authored.ancestor not in self._places:
            raise Equivocation(
                f"the author of entry {ordered.seq} has seen another history",
                culprit=self.host,
                evidence=(exhibit("ordered", signed),),
            )
        return _entry(signed, ordered, authored)

    def check_authored(self, signed: Signed) -> Authored:
        """What an author of this table said; raises `Malformed` or `BadSignature`."""
        authored = decode(signed.content, Authored, limit=MAX_ORDERED)
        if authored.table != self.genesis.table:
            raise BadSignature("said at another table")
        if authored.author >= len(self.genesis.operators):
            raise BadSignature("said by nobody at this table")
        try:
            check_author(
                self.genesis.operators[authored.author].identity,
                signed.content,
                signed.signature,
            )
        except BadSignature as problem:
            # Who passed it on knew better; the author named in it may be innocent.
            raise BadSignature(problem.detail) from None
        return authored

    def _two_histories(self, here: Entry, signed: Signed) -> Equivocation:
        return Equivocation(
            f"two histories from entry {here.seq} on",
            culprit=self.host,
            evidence=(here.exhibit(), exhibit("ordered", signed)),
        )


def replay(journal: Journal) -> Iterator[tuple[Chain, Entry]]:
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
        if entry is None:
            raise Malformed("an entry twice", culprit=chain.host)
        chain.append(entry)
        yield chain, entry
    if journal.certificate:
        acks = [decode(ack.content, Ack, limit=MAX_ORDERED) for ack in journal.certificate]
        chain.check_certificate(min(ack.seq for ack in acks), journal.certificate)


def check_journal(journal: Journal) -> Chain:
    """The whole journal, checked: chain, signatures, the consents in the genesis."""
    *_, (chain, _) = replay(journal)
    return chain


def _genesis(terms: Terms, body: bytes) -> Genesis:
    return Genesis(
        table=terms.table,
        name=terms.name,
        options=terms.options,
        operators=operators_of(terms),
        seats=seats_of(terms),
        digest=hashlib.sha256(body).digest(),
    )


def operators_of(terms: Terms) -> tuple[Operator, ...]:
    """The roster in these terms."""
    return tuple(
        Operator(identity=one.identity, name=one.name, addresses=one.addresses)
        for one in terms.operators
    )


def seats_of(terms: Terms) -> tuple[Seat, ...]:
    """The seats in these terms."""
    return tuple(
        Seat(kind=seat.kind, name=seat.name, operator=seat.operator, level=seat.level)
        for seat in terms.seats
    )


def _entry(signed: Signed, ordered: Ordered, authored: Authored) -> Entry:
    return Entry(
        signed=signed,
        hash=entry_hash(signed.content),
        term=ordered.term,
        seq=ordered.seq,
        author=authored.author,
        counter=authored.counter,
        ancestor=authored.ancestor,
        body=authored.body,
        authored=ordered.authored,
        author_signature=ordered.signature,
    )
