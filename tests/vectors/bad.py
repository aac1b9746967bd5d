"""Journals with one fault each: the beginning of a whole match, and what was put after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import msgspec

from citadels_p2p.match.archive.audit import judge
from citadels_p2p.match.fold import bodies
from protocol.application import Contribution
from protocol.cards import escrow
from protocol.cards.group import Edwards25519, Scalar
from protocol.cards.share_keys import KeyPair, commit_key, open_key
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain, Journal
from protocol.journal.election import make_election
from protocol.journal.genesis import make_genesis, open_terms
from protocol.journal.membership import make_removal
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_VOTE,
    NOTHING,
    VERSION,
    Ack,
    Authored,
    Ordered,
    Removal,
    Seat,
    Signed,
    Vote,
    agree_to,
    sign,
)
from protocol.storage.match_files import read_journal
from protocol.wire.codec import encode
from tests.match.signed_table import SignedTable
from tests.protocol.journal.make_vectors import identity
from tests.vectors.matches import PLAIN, judged
from tests.vectors.writing import FOLDER, drawn_from

Bad = tuple[int, list[Signed]]
"""How many entries of the match are kept, and what stands after them."""


class Torn:
    """The beginning of a match that was saved, to be gone on with by whoever has its keys."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.journal = read_journal(FOLDER / "matches" / f"{name}.citadels")
        chain = Chain(self.journal.records[0])
        for record in self.journal.records[1:]:
            entry = chain.check(record)
            assert entry is not None
            chain.append(entry)
        self.whole = chain
        self.identities = [identity(1 + at) for at in range(len(chain.genesis.operators))]

    def at(self, kind: type[object], nth: int = 0, **fields: object) -> int:
        """The number of the entry with the nth body of this kind that has these fields."""
        found = [
            entry.seq
            for entry in self.whole.entries[1:]
            if entry.election is None
            and isinstance(body := bodies.read(entry.body), kind)
            and all(getattr(body, name) == value for name, value in fields.items())
        ]
        return found[nth]

    def body(self, seq: int) -> Any:
        """The body of an entry, to be changed."""
        return bodies.read(self.whole.entries[seq].body)

    def said(self, place: int, body: bytes, by: int | None = None, **other: object) -> Signed:
        """A statement as an author would make it for this place; `other` fields are others."""
        author = self.whole.entries[place].author if by is None else by
        counter = self.whole.counter_before(author, place) + 1
        before = self.whole.hash_at(place - 1)
        made = Authored(self.whole.genesis.digest, author, counter, before, body)
        made = msgspec.structs.replace(made, **other)
        return sign(self.identities[made.author], DOMAIN_AUTHORED, made)

    def ordered(
        self, place: int, said: Signed, by: int | None = None, **other: object
    ) -> Signed:
        """The order that its host would give this for this place."""
        before = self.whole.entries[place - 1]
        host = self.whole.host_index(before.term) if by is None else by
        made = Ordered(before.term, place, before.hash, said.content, said.signature)
        made = msgspec.structs.replace(made, **other)
        return sign(self.identities[host], DOMAIN_ORDERED, made)

    def put(self, seq: int, body: bodies.Body, author: int | None = None) -> Bad:
        """Another body in the place of an entry, rightly said and ordered."""
        return seq, [self.ordered(seq, self.said(seq, bodies.write(body), author))]

    def changed(self, seq: int, **fields: object) -> Bad:
        """The body of an entry with other fields in it."""
        return self.put(seq, msgspec.structs.replace(self.body(seq), **fields))


def other(raw: bytes, at: int = -33) -> bytes:
    """The same bytes but for one bit."""
    at %= len(raw)
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


@dataclass(frozen=True)
class Fault:
    """One fault: in which match, what sort of check finds it, and how it is made."""

    name: str
    of: str
    needs: str
    make: Callable[[Torn], Bad]


FAULTS: list[Fault] = []


def fault(
    name: str, needs: str, of: str = "plain"
) -> Callable[[Callable[[Torn], Bad]], Callable[[Torn], Bad]]:
    """A fault of the list; `needs`: "journal", "cards", "duties" or "engine"."""

    def add(make: Callable[[Torn], Bad]) -> Callable[[Torn], Bad]:
        FAULTS.append(Fault(name, of, needs, make))
        return make

    return add


# The journal: what anybody finds who knows signatures, and nothing of cards.


@fault("terms of the version before", "journal")
def _(torn: Torn) -> Bad:
    return _begun(torn, version=VERSION - 1)


@fault("options that are not canonical", "duties")
def _(torn: Torn) -> Bad:
    return _begun(torn, options=b" " + torn.whole.genesis.options)


@fault("a laptop at which nobody sits", "journal")
def _(torn: Torn) -> Bad:
    return _begun(torn, seats=(Seat("taken", "Anna", 0, ""), Seat("bot", "Bot", 0, "easy")))


@fault("somebody has not agreed", "journal")
def _(torn: Torn) -> Bad:
    terms = torn.whole.beginning.terms
    agreed = [agree_to(terms, torn.identities[0], bytes([at]) * 16) for at in range(2)]
    return 0, [make_genesis(torn.identities[0], terms, tuple(agreed))]


def _begun(torn: Torn, **fields: object) -> Bad:
    terms = encode(msgspec.structs.replace(open_terms(torn.whole.beginning.terms), **fields))
    agreed = tuple(agree_to(terms, one, bytes(16)) for one in torn.identities)
    return 0, [make_genesis(torn.identities[0], terms, agreed)]


def _first(torn: Torn) -> int:
    return torn.at(bodies.KeyOpen)


@fault("an order's signature", "journal")
def _(torn: Torn) -> Bad:
    record = torn.journal.records[_first(torn)]
    return _first(torn), [Signed(record.content, other(record.signature))]


@fault("an author's signature", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    said = torn.said(seq, torn.whole.entries[seq].body)
    return seq, [torn.ordered(seq, Signed(said.content, other(said.signature)))]


@fault("another entry before it", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    said = torn.said(seq, torn.whole.entries[seq].body)
    return seq, [torn.ordered(seq, said, previous=torn.whole.hash_at(seq - 2))]


@fault("a number left out", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    return seq, [torn.ordered(seq, torn.said(seq, torn.whole.entries[seq].body), seq=seq + 1)]


@fault("an order in the canonical form of nothing", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    content = torn.journal.records[seq].content
    long = content[:1] + b"\xcc" + content[1:]  # the term in a longer form
    return seq, [Signed(long, torn.identities[0].sign(DOMAIN_ORDERED, long))]


@fault("a counter that was used", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    return seq, [torn.ordered(seq, torn.said(seq, torn.whole.entries[seq].body, counter=1))]


@fault("an ancestor in no entry", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    said = torn.said(seq, torn.whole.entries[seq].body, ancestor=bytes(32))
    return seq, [torn.ordered(seq, said)]


@fault("a statement of another match", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    return seq, [torn.ordered(seq, torn.said(seq, torn.whole.entries[seq].body, match=NOTHING))]


@fault("an order by who does not host", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    return seq, [torn.ordered(seq, torn.said(seq, torn.whole.entries[seq].body), by=1)]


@fault("a later term without an election", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    return seq, [torn.ordered(seq, torn.said(seq, torn.whole.entries[seq].body), term=2)]


@fault("an entry twice", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    return seq, [torn.journal.records[seq - 1]]


@fault("a removal that an author says", "journal")
def _(torn: Torn) -> Bad:
    seq = _first(torn)
    body = b"\xc1removal" + bytes([0]) + (1).to_bytes(8, "big")
    return seq, [torn.ordered(seq, torn.said(seq, body))]


def _elected(torn: Torn, voters: tuple[int, ...], place: int) -> Bad:
    chain, seq, match = torn.whole, _first(torn), torn.whole.genesis.digest
    votes = [
        sign(torn.identities[one], DOMAIN_VOTE, Vote(match, 2, one, 1, place, hash_))
        for one in voters
        for hash_ in (chain.hash_at(place),)
    ]
    elected = make_election(torn.identities[1], match, 2, 1, votes)
    return seq, [torn.ordered(seq, elected, by=1, term=2)]


@fault("an election by too few", "journal", "absence")
def _(torn: Torn) -> Bad:
    return _elected(torn, (1,), _first(torn) - 1)


@fault("votes for another journal", "journal", "absence")
def _(torn: Torn) -> Bad:
    return _elected(torn, (1, 2), _first(torn) - 2)


def _removed(torn: Torn, signers: tuple[int, ...]) -> Bad:
    chain, seq, match = torn.whole, _first(torn), torn.whole.genesis.digest
    head, place = chain.hash_at(seq - 1), seq - 1
    acks = tuple(
        sign(torn.identities[one], DOMAIN_ACK, Ack(match, 1, one, place, head, b""))
        for one in signers
    )
    removal = make_removal(torn.identities[0], Removal(match, 1, 0, 2, place, acks))
    return seq, [torn.ordered(seq, removal)]


@fault("a removal without a majority", "journal", "absence")
def _(torn: Torn) -> Bad:
    return _removed(torn, (0,))


@fault("a removal of who has not left", "duties", "absence")
def _(torn: Torn) -> Bad:
    return _removed(torn, (0, 1))


@fault("an accusation by who does not host", "journal")
def _(torn: Torn) -> Bad:
    return _accused(torn, accuser=1, author=0)


@fault("an accusation of what is allowed", "duties")
def _(torn: Torn) -> Bad:
    return _accused(torn, accuser=0, author=1)


@fault("an accusation of what is only late", "duties")
def _(torn: Torn) -> Bad:
    seq = _commit_of(torn, 1)
    said = torn.said(seq + 1, torn.whole.entries[seq].body, by=1)
    return seq + 1, [torn.ordered(seq + 1, torn.said(seq + 1, make_accusation(said), by=0))]


@fault("an accusation that holds", "duties")
def _(torn: Torn) -> Bad:
    seq = _commit_of(torn, 1)
    never = bodies.write(bodies.KeyShown(bytes(32)))
    said = torn.said(seq, never, by=1)
    return seq, [torn.ordered(seq, torn.said(seq, make_accusation(said), by=0))]


def _accused(torn: Torn, accuser: int, author: int) -> Bad:
    seq = _commit_of(torn, author)
    said = torn.said(seq, torn.whole.entries[seq].body)
    return seq, [torn.ordered(seq, torn.said(seq, make_accusation(said), by=accuser))]


def _commit_of(torn: Torn, author: int) -> int:
    both = (torn.at(bodies.KeyCommit, nth) for nth in range(2))
    return next(seq for seq in both if torn.whole.entries[seq].author == author)


# Sealed cards: proofs, and what is bound to a commitment.


@fault("a key that was not promised", "cards")
def _(torn: Torn) -> Bad:
    return torn.changed(_first(torn), opening=other(torn.body(_first(torn)).opening, -1))


@fault("a key without possession", "cards")
def _(torn: Torn) -> Bad:
    return torn.changed(_first(torn), opening=other(torn.body(_first(torn)).opening, 70))


def _field(kind: type[object], name: str, of: str = "plain", **fields: object) -> None:
    words = {
        "proof": "the proof of a shuffle",
        "shares": "the proof of shares",
        "transfer": "the proof of a transfer",
        "veils": "the proof of veils",
        "parts": "the proof of parts",
        "escrow": "the proof of a seal",
        "seal": "the proof of what is given back",
    }
    said = f"{words[name]} ({kind.__name__})"

    @fault(said, "cards", of)
    def _(torn: Torn) -> Bad:
        seq = torn.at(kind, **fields)
        return torn.changed(seq, **{name: other(getattr(torn.body(seq), name), -32)})


_field(bodies.Shuffled, "proof")
_field(bodies.Shared, "shares")
_field(bodies.Opened, "shares")
_field(bodies.Passed, "transfer")
_field(bodies.Entrusted, "escrow", "absence")
_field(bodies.Recovered, "parts", "absence")
_field(bodies.GaveBack, "seal", "absence")
_field(bodies.Veiled, "veils", "departure")


@fault("a card for another one in a shuffle", "cards")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Shuffled)
    proof = torn.body(seq).proof
    return torn.changed(seq, proof=proof[64:128] + proof[:64] + proof[128:])


@fault("the nonce of another commitment", "cards")
def _(torn: Torn) -> Bad:
    seq = next(_revealing(torn))
    return torn.changed(seq, nonce=other(torn.body(seq).nonce, 0))


@fault("an answer without its share", "cards")
def _(torn: Torn) -> Bad:
    return torn.changed(next(_revealing(torn)), shares=b"")


def _revealing(torn: Torn) -> Iterator[int]:
    for entry in torn.whole.entries[1:]:
        if entry.election is None:
            body = bodies.read(entry.body)
            if isinstance(body, bodies.Answered) and body.seat >= 0:
                yield entry.seq


@fault("silent at the call of a character that is shown later", "engine")
def _(torn: Torn) -> Bad:
    """The last of its round to answer; it comes out when the round ends."""
    liar = Liar([*_revealing(torn)][3])
    liar.until(lambda: liar.witness.match.cheat is not None)
    return liar.place, [entry.signed for entry in liar.chain.entries[liar.place :]]


class Liar(SignedTable):
    """The plain match once more; who should answer in entry `place` says 'not I'."""

    def __init__(self, place: int) -> None:
        super().__init__(PLAIN)
        self.place = place

    def order(self, author: int, letter: Contribution) -> None:
        if self.chain.head + 1 == self.place:
            said = bodies.read(letter.body)
            assert isinstance(said, bodies.Answered)
            silent = bodies.write(bodies.Answered(said.step, -1, -1, b"", b""))
            letter = replace(letter, body=silent)
        super().order(author, letter)


@fault("a key given away that is another", "cards")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.KeyShown)
    return torn.changed(seq, secret=other(torn.body(seq).secret, 0))


@fault("an escrow that holds another value, and who complains of it", "cards", "absence")
def _(torn: Torn) -> Bad:
    return _complained(torn, wrong=True)


@fault("a complaint of an escrow that is right", "cards", "absence")
def _(torn: Torn) -> Bad:
    return _complained(torn, wrong=False)


def _complained(torn: Torn, *, wrong: bool) -> Bad:
    """Operator 1 seals to operator 0, which complains: with keys that are known here, so all
    entries are others than in the match.
    """
    group, chain = Edwards25519(), Chain(torn.journal.records[0])
    match, made = chain.genesis.digest, list[Signed]()

    def put(author: int, body: bodies.Body) -> None:
        counter, before = chain.last_counter(author) + 1, chain.hash_at(chain.head)
        said = Authored(match, author, counter, before, bodies.write(body))
        signed = sign(torn.identities[author], DOMAIN_AUTHORED, said)
        made.append(chain.extend(torn.identities[0], signed).signed)

    pairs = [KeyPair.create(group) for _ in torn.identities]
    publics = [pair.public for pair in pairs]
    openings = [open_key(group, match, at, pair) for at, pair in enumerate(pairs)]
    for at, opening in enumerate(openings):
        put(at, bodies.KeyCommit(commit_key(match, at, opening)))
    for at, opening in enumerate(openings):
        put(at, bodies.KeyOpen(opening))
    context = sha256(match + b"".join(publics)).digest()
    dealt = escrow.deal_escrow(group, context, publics, 1, pairs[1], 2)
    if wrong:
        value = Scalar(bytes([7]) + bytes(31))
        dealt = (
            dealt[:32] + escrow.seal_to(group, context, 1, 0, value, publics[0]) + dealt[160:]
        )
    put(1, bodies.Entrusted(dealt))
    held = escrow.read_escrow(group, context, publics, 1, 2, dealt)
    proof = held.complain(0, pairs[0].secret)
    put(0, bodies.Complained(1, proof))
    return 1, made


# Duties: who owes what, at which step.


@fault("a key promised twice", "duties")
def _(torn: Torn) -> Bad:
    first = torn.at(bodies.KeyCommit)
    return torn.put(first + 1, torn.body(first), author=torn.whole.entries[first].author)


@fault("a shuffle before its author's turn", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Shuffled)
    return torn.put(seq, torn.body(seq), author=1 - torn.whole.entries[seq].author)


@fault("a shuffle of other versions", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Shuffled, 1)
    return torn.changed(seq, age=torn.body(seq).age + 1)


@fault("a shuffle under other keys", "duties")
def _(torn: Torn) -> Bad:
    return torn.changed(torn.at(bodies.Shuffled, 1), lacking=(0,))


@fault("shares for another seat", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Shared)
    return torn.changed(seq, seat=1 - torn.body(seq).seat)


@fault("shares of fewer cards", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Shared)
    return torn.changed(seq, slots=torn.body(seq).slots[:-1])


@fault("an answer for a step that has passed", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Answered)
    return torn.changed(seq, step=torn.body(seq).step - 1)


@fault("'not I' with a share in it", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Answered, seat=-1)
    return torn.changed(seq, shares=bytes(96))


@fault("a character taken without a commitment", "duties")
def _(torn: Torn) -> Bad:
    return torn.changed(torn.at(bodies.Acted), commitment=b"")


@fault("missed since another word", "duties")
def _(torn: Torn) -> Bad:
    return torn.put(torn.at(bodies.Acted), bodies.Missed(1, 1), author=0)


@fault("back though nobody missed it", "duties")
def _(torn: Torn) -> Bad:
    return torn.put(torn.at(bodies.Acted), bodies.Returned(), author=1)


@fault("a default for who is here", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Acted)
    act = torn.body(seq)
    return torn.put(seq, bodies.TimedOut(act.step, act.seat), author=0)


@fault("somebody else's seat handed over", "duties")
def _(torn: Torn) -> Bad:
    return torn.put(torn.at(bodies.Acted), bodies.HandedOver(0, "easy"), author=1)


@fault("over before the end", "engine")
def _(torn: Torn) -> Bad:
    return torn.put(torn.at(bodies.Acted), bodies.Ended(), author=1)


@fault("a key given away before all have said over", "duties")
def _(torn: Torn) -> Bad:
    ended, shown = torn.at(bodies.Ended, 1), torn.at(bodies.KeyShown)
    author = torn.whole.entries[shown].author
    return torn.put(ended, torn.body(shown), author=author)


@fault("a part that nobody asked for", "duties", "absence")
def _(torn: Torn) -> Bad:
    return torn.put(torn.at(bodies.Acted), bodies.GaveBack(1, 1, bytes(128)), author=0)


@fault("a body of no known tag", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Acted)
    return seq, [torn.ordered(seq, torn.said(seq, encode((17, 1))))]


@fault("a body with a field too many", "duties")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Acted)
    return seq, [torn.ordered(seq, torn.said(seq, encode((13, 1))))]


# The engine: what the rules of the game do not allow.


@fault("an option that is none", "engine")
def _(torn: Torn) -> Bad:
    return torn.changed(torn.at(bodies.Acted), picks=("gold",))


@fault("a character that does not lie there", "engine")
def _(torn: Torn) -> Bad:
    return torn.changed(torn.at(bodies.Acted), picks=("take:3",))


@fault("two options for one", "engine")
def _(torn: Torn) -> Bad:
    seq = torn.at(bodies.Acted)
    return torn.changed(seq, picks=torn.body(seq).picks * 2)


@fault("the end of a turn in which nothing was gathered", "engine")
def _(torn: Torn) -> Bad:
    seq = next(at for at in _acts(torn) if torn.body(at).picks in (("gold",), ("cards",)))
    return torn.changed(seq, picks=("end",), shares=b"")


def _acts(torn: Torn) -> Iterator[int]:
    for entry in torn.whole.entries[1:]:
        if entry.election is None and isinstance(bodies.read(entry.body), bodies.Acted):
            yield entry.seq


# Certificates: what lies beside the entries.


def certificates(torn: Torn) -> dict[str, tuple[Signed, ...]]:
    """False ones, each beside the whole match."""
    chain, head = torn.whole, torn.whole.head
    match = chain.genesis.digest

    def ack(operator: int, seq: int, **fields: object) -> Signed:
        made = Ack(match, 1, operator, seq, chain.hash_at(min(seq, head)), b"")
        made = msgspec.structs.replace(made, **fields)
        return sign(torn.identities[operator], DOMAIN_ACK, made)

    right = ack(0, head)
    return {
        "acknowledged by one alone": (right,),
        "by one twice": (right, right),
        "of an entry after the last one": (right, ack(1, head + 3)),
        "of another entry": (right, ack(1, head, hash=bytes(32))),
        "of two terms": (right, ack(1, head, term=2)),
        "of another match": (right, ack(1, head, match=bytes(32))),
        "a false signature": (right, replace_signature(ack(1, head))),
    }


def replace_signature(signed: Signed) -> Signed:
    """The same, signed by nobody."""
    return Signed(signed.content, other(signed.signature))


def forks(torn: Torn) -> list[dict[str, Any]]:
    """Two histories each, both of which are sound by themselves."""
    seq = _first(torn)
    again = bodies.write(torn.body(seq))
    theirs = bodies.write(torn.body(seq + 1))
    second = torn.whole.entries[seq + 1].author

    def confirmed(keep: int, put: list[Signed], *signers: int) -> dict[str, Any]:
        chain = Chain(torn.journal.records[0])
        for record in (*torn.journal.records[1:keep], *put):
            entry = chain.check(record)
            assert entry is not None
            chain.append(entry)
        head = chain.head
        said = Ack(chain.genesis.digest, chain.term, 0, head, chain.hash_at(head), b"")
        acks = [
            sign(torn.identities[one], DOMAIN_ACK, msgspec.structs.replace(said, operator=one))
            for one in signers
        ]
        return {
            "entries": [written(signed) for signed in put],
            "acknowledgements": [written(signed) for signed in acks],
        }

    ours = [torn.ordered(seq, torn.said(seq, again))]
    other_order = [torn.ordered(seq, torn.said(seq, theirs, by=second))]
    _, elected = _elected(torn, (1, 2), seq - 1)
    return [
        {
            "name": "a host that orders two statements under one number",
            "of": torn.name,
            "keep": seq,
            "sides": [confirmed(seq, ours, 0, 1), confirmed(seq, other_order, 0, 2)],
            "parts": seq,
            "exposed": ["Anna"],
            "forgot": [],
        },
        {
            "name": "one of those who confirmed it votes it away",
            "of": torn.name,
            "keep": seq,
            "sides": [confirmed(seq, ours, 0, 2), confirmed(seq, elected, 1, 2)],
            "parts": seq,
            "exposed": [],
            "forgot": ["Carla"],
        },
    ]


FILES: dict[str, list[str]] = {
    "another format": ["PRAGMA user_version = 9"],
    "a table more": ["CREATE TABLE more (value BLOB)"],
    "an index": ["CREATE INDEX fast ON entry (signature)"],
    "a view": ["CREATE VIEW few AS SELECT * FROM entry"],
    "an entry is missing": ["DELETE FROM entry WHERE seq = 30"],
    "a signature of another length": [
        "UPDATE entry SET signature = zeroblob(63) WHERE seq = 30"
    ],
    "a certificate that is none": ["UPDATE meta SET value = x'c1' WHERE name = 'certificate'"],
}
"""Statements of SQL that make a file one that is not to be read."""


def journal_of(torn: Torn, bad: Bad) -> Journal:
    """The journal with the fault in it."""
    keep, put = bad
    return Journal((*torn.journal.records[:keep], *put))


def written(signed: Signed) -> list[str]:
    """A signed thing in hex."""
    return [signed.content.hex(), signed.signature.hex()]


def read_signed(rows: list[list[str]]) -> tuple[Signed, ...]:
    """The same, read again."""
    return tuple(Signed(bytes.fromhex(one), bytes.fromhex(two)) for one, two in rows)


def vectors() -> dict[str, Any]:
    """All faults, with the verdict on each."""
    torn = {name: Torn(name) for name in ("plain", "absence", "departure")}
    entries = []
    for one in FAULTS:
        with drawn_from("plain" if "silent" in one.name else one.name):
            bad = one.make(torn[one.of])
        verdict = judge(journal_of(torn[one.of], bad))
        assert not verdict.sound, one.name
        entries.append(
            {
                "name": one.name,
                "of": one.of,
                "needs": one.needs,
                "keep": bad[0],
                "entries": [written(signed) for signed in bad[1]],
                "faults": judged(verdict)["faults"],
            }
        )
    plain = torn["plain"]
    beside = []
    for name, acks in certificates(plain).items():
        verdict = judge(replace(plain.journal, quorum_certificate=acks))
        assert not verdict.sound, name
        beside.append(
            {
                "name": name,
                "of": "plain",
                "acknowledgements": [written(signed) for signed in acks],
                "faults": judged(verdict)["faults"],
            }
        )
    return {
        "entries": entries,
        "certificates": beside,
        "forks": forks(torn["absence"]),
        "files": [{"name": name, "of": "plain", "sql": sql} for name, sql in FILES.items()],
    }
