"""The messages between two peers on one channel.

The tags are part of the protocol: they are written out and never reused. A message is vouched
for by its channel alone; what others must be able to check is inside it as `Signed` bytes.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated

import msgspec

from protocol.journal.evidence import Evidence
from protocol.journal.statements import (
    MAX_SEATS,
    MAX_TERMS,
    Agreement,
    Count,
    Hash,
    Signed,
    TableId,
)
from protocol.roster import MAX_ADDRESSES, MAX_OPERATORS, Address, Code, Key, Name
from protocol.wire.codec import CanonicalStruct

MAX_BATCH = 64 * 1024
"""Most bytes of entries in one message; a single larger entry travels alone."""

Addresses = Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_ADDRESSES)]
Batch = Annotated[tuple[Signed, ...], msgspec.Meta(max_length=1024)]
Certificate = Annotated[tuple[Signed, ...], msgspec.Meta(max_length=MAX_OPERATORS)]
Share = Annotated[bytes, msgspec.Meta(min_length=33, max_length=33)]


class Message(CanonicalStruct, frozen=True):
    """Base of the messages: on the wire an array that begins with the tag."""


class Knock(Message, frozen=True, tag=1):
    """Asks who is there; answered by `Status`."""


class Status(Message, frozen=True, tag=2):
    """The table here. `state` is "lobby" or "playing"; `host` and `addresses` are the host's.

    `taken` counts the seats that are not open, `bots` those of them that bots play.
    `spectators` says whether they are welcome, `locked` whether a password is needed.
    """

    version: Count
    table: TableId
    name: Name
    edition: Code
    options: Annotated[bytes, msgspec.Meta(max_length=4096)]
    state: Code
    seats: Count
    taken: Count
    bots: Count
    host: Key
    addresses: Addresses
    role: Code
    spectators: bool
    locked: bool


class Join(Message, frozen=True, tag=3):
    """Asks for a seat; answered by `Lobby` or `Denied`."""

    version: Count
    name: Name
    addresses: Addresses


class JoinTogether(Message, frozen=True, tag=38):
    """As `Join`, for the several persons who sit at the sender: a seat for each of them."""

    version: Count
    names: Annotated[tuple[Name, ...], msgspec.Meta(min_length=2, max_length=MAX_SEATS)]
    addresses: Addresses


AMONG_OPERATORS = ("elsewhere", "linked", "replaced")
"""Codes with which one operator of a match would not be linked with another."""

DENIALS = (
    "full", "gallery_full", "guesses", "kicked", "locked", "name", "no_spectators", "no_spoken",
    "not_begun", "not_spoken", "other_table", "own_table", "password", "started",
    "too_few_seats", "too_large", "too_often", "version", *AMONG_OPERATORS,
)  # fmt: skip
"""Why somebody would not have us. No other code is heard, and none is a verdict of ours."""

GOODBYES = ("closed", "finished", "kicked", "left")
"""What a goodbye may be called. Whether a match is over the hearer's own journal says."""


class Denied(Message, frozen=True, tag=4):
    """The answer is no; `code` says why."""

    code: Annotated[str, msgspec.Meta(pattern=rf"^({'|'.join(DENIALS)})\Z")]


class Lobby(Message, frozen=True, tag=5):
    """The lobby after a change: the new terms, and who has signed them, by roster index."""

    terms: Annotated[bytes, msgspec.Meta(max_length=MAX_TERMS)]
    ready: Annotated[tuple[bool, ...], msgspec.Meta(max_length=MAX_OPERATORS)]


class Ready(Message, frozen=True, tag=6):
    """A guest agrees to the terms as it knows them."""

    agreement: Agreement


class Unready(Message, frozen=True, tag=8):
    """A guest takes its agreement back; the terms stay as they are."""


class Leave(Message, frozen=True, tag=7):
    """The sender leaves, or sends the receiver away ("kicked")."""

    code: Annotated[str, msgspec.Meta(pattern=rf"^({'|'.join(GOODBYES)})\Z")]


class TableOpened(Message, frozen=True, tag=9):
    """The host of the lobby `table` is gone; the sender, its guest, has opened it at its own
    `addresses`.
    """

    table: TableId
    addresses: Addresses


class Follow(Message, frozen=True, tag=10):
    """Asks for the journal after entry `confirmed`, whose hash is `hash`.

    The host of `term` answers with `Entries`; another operator, if it knows more, with
    `History`, or with `Witness` where it has another entry. In term 0, which is nobody's, the
    host answers so too. Every statement of the sender's up to counter `settled` has its answer.
    """

    table: TableId
    term: Count
    confirmed: Count
    hash: Hash
    settled: Count


class Entries(Message, frozen=True, tag=11):
    """The host's next entries, in order."""

    entries: Batch


class Submit(Message, frozen=True, tag=12):
    """A statement, the sender's own or anybody's.

    The host is to order or refuse it. Anybody else learns that the host has not answered it.
    """

    authored: Signed


class Refused(Message, frozen=True, tag=13):
    """The host's signed refusal, from the host or passed on."""

    refusal: Signed


class Acked(Message, frozen=True, tag=14):
    """An operator's signed acknowledgement."""

    ack: Signed


class Commit(Message, frozen=True, tag=15):
    """Entry `seq` and all before it are confirmed; `acks` is the quorum certificate."""

    seq: Count
    acks: Certificate


class Heartbeat(Message, frozen=True, tag=16):
    """The sender is here, in `term`, and hosts in it or not.

    Its journal ends with entry `head`, and it knows it confirmed up to entry `confirmed`, whose
    hash is `hash`.
    """

    term: Count
    hosting: bool
    head: Count
    confirmed: Count
    hash: Hash


QUIET = Heartbeat(0, False, 0, 0, bytes(32))
"""The heartbeat in a lobby, where there is no journal yet."""


class Fault(Message, frozen=True, tag=18):
    """The match stops for the sender: an error's code, its culprit, and the evidence."""

    code: Code
    culprit: Key | None
    evidence: Evidence


class Watch(Message, frozen=True, tag=32):
    """Asks to watch, from entry `following` on; `hash` is that of the entry before it."""

    version: Count
    table: TableId
    following: Count
    hash: Hash


class Audience(Message, frozen=True, tag=33):
    """How many watch."""

    spectators: Count


class PasswordShare(Message, frozen=True, tag=34):
    """One side's share of the password exchange (SPAKE2); answered by the other's."""

    share: Share


class PasswordProof(Message, frozen=True, tag=35):
    """Proof of knowing the key that was exchanged; answered by the host's own."""

    proof: Hash


class CodeShare(Message, frozen=True, tag=37):
    """A guest's share of the exchange over the secret of a spoken code; answered by a
    `PasswordShare`, and from there on as a password is.
    """

    share: Share


class Meet(Message, frozen=True, tag=19):
    """The sender is an operator of this table; both sides say it first on every link.

    `match` is the digest of its genesis: a host may have signed two of them for one table.
    Every program draws its own random `session`, which tells two programs under one key apart.
    `replaces`: its person has decided that it takes the other one's place.
    """

    table: TableId
    match: Hash
    addresses: Addresses
    session: Annotated[bytes, msgspec.Meta(min_length=8, max_length=8)]
    replaces: bool


class RequestVote(Message, frozen=True, tag=20):
    """Asks for a vote in `term`; the sender's journal ends with entry `seq`, of `last_term`.

    A `trial` (Raft's pre-vote) binds nobody: it asks who would vote for the sender.
    """

    term: Count
    last_term: Count
    seq: Count
    hash: Hash
    trial: bool


class TrialVote(Message, frozen=True, tag=21):
    """Whether the sender would vote for the receiver in `term`."""

    term: Count
    granted: bool


class Voted(Message, frozen=True, tag=22):
    """The sender's signed vote for the receiver."""

    vote: Signed


class Elected(Message, frozen=True, tag=23):
    """Who hosts: the signed election."""

    election: Signed


class Witness(Message, frozen=True, tag=24):
    """The sender's entry at a place where the receiver has named another hash."""

    entry: Signed


class Remember(Message, frozen=True, tag=25):
    """What the sender last heard under the receiver's signature; said first on every link.

    `statement` is the newest one that the sender holds and does not know confirmed, `vote` the
    newest vote, `confirmed` the newest entry that the sender knows confirmed: all earlier
    statements are at or before it. `term` is the sender's own.
    """

    statement: Signed | None
    vote: Signed | None
    term: Count
    confirmed: Count


class History(Message, frozen=True, tag=26):
    """Confirmed entries from an operator that does not host, in answer to `Follow`.

    The last message of an answer carries the quorum certificate, the others carry none.
    """

    entries: Batch
    acks: Certificate


class Audit(Message, frozen=True, tag=41):
    """Asks for what leads to an entry, to judge evidence there; answered by `Segment`.

    `seq` and `hash` are the entry's, `known` and `known_hash` those of one before it that the
    sender has.
    """

    table: TableId
    seq: Count
    hash: Hash
    known: Count
    known_hash: Hash


class Segment(Message, frozen=True, tag=42):
    """The entries after number `known` of the sender's journal, in answer to `Audit`.

    None where the entry that was named under this number is another one there.
    """

    known: Count
    entries: Batch


class Spoken(Message, frozen=True, tag=36):
    """A line of chat under its speaker's signature, from the speaker or passed on."""

    line: Signed


Catalogue = reduce(or_, Message.__subclasses__())
"""All messages: any of them may arrive on a channel."""
