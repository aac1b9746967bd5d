"""Everything that two operators say to each other over a channel.

The tags are the protocol: written out, never reused. What must hold beyond the moment travels
as `Signed` bytes inside; the rest is only as good as the channel it came through.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from protocol.journal.statements import (
    MAX_ADDRESSES,
    MAX_OPERATORS,
    MAX_TERMS,
    Address,
    Code,
    Count,
    Hash,
    Key,
    Name,
    Signature,
    Signed,
    TableId,
)

MAX_BATCH = 64 * 1024
"""Bytes of entries in one message; a single larger entry travels alone."""

Addresses = Annotated[tuple[Address, ...], msgspec.Meta(max_length=MAX_ADDRESSES)]


class Message(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of the messages: an array that begins with its tag."""


class Knock(Message, frozen=True, tag=1):
    """Who is there? Answered by `Status`."""


class Status(Message, frozen=True, tag=2):
    """What is here. `state` is "lobby" or "playing"; `host` and `addresses` say who orders.

    `taken` counts the seats that are not open, `bots` those of them that bots play.
    `spectators`: whether they are welcome; `locked`: whether a password is needed.
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
    """May I sit down? Answered by `Lobby` or `Denied`."""

    version: Count
    name: Name
    addresses: Addresses


class Denied(Message, frozen=True, tag=4):
    """No: `code` says why."""

    code: Code


class Lobby(Message, frozen=True, tag=5):
    """The lobby after a change: the terms to agree to, and who has agreed, by roster index."""

    terms: Annotated[bytes, msgspec.Meta(max_length=MAX_TERMS)]
    ready: Annotated[tuple[bool, ...], msgspec.Meta(max_length=MAX_OPERATORS)]


class Ready(Message, frozen=True, tag=6):
    """I agree to these terms: the signature over their bytes."""

    signature: Signature


class Leave(Message, frozen=True, tag=7):
    """I go, and mean it; `code` says why ("left", "kicked", "closed", "finished")."""

    code: Code


class Follow(Message, frozen=True, tag=10):
    """I know the journal confirmed up to here, where it has this hash: what comes after?

    To the host of `term`; or to anybody else who knows more, and answers with `History`. Up to
    `settled`, all I said has its answer.
    """

    table: TableId
    term: Count
    confirmed: Count
    hash: Hash
    settled: Count


class Entries(Message, frozen=True, tag=11):
    """The next entries, in order."""

    entries: Annotated[tuple[Signed, ...], msgspec.Meta(max_length=1024)]


class Submit(Message, frozen=True, tag=12):
    """Something I said, or heard: to the host, put it in order or refuse it; to anybody else,
    the host has left it lying.
    """

    authored: Signed


class Refused(Message, frozen=True, tag=13):
    """The host's signed refusal."""

    refusal: Signed


class Acked(Message, frozen=True, tag=14):
    """An operator's signed acknowledgement."""

    ack: Signed


class Commit(Message, frozen=True, tag=15):
    """Everything up to `seq` is confirmed, as these acknowledgements show."""

    seq: Count
    acks: Annotated[tuple[Signed, ...], msgspec.Meta(max_length=MAX_OPERATORS)]


class Heartbeat(Message, frozen=True, tag=16):
    """I am here, in this term, and host in it or not.

    My journal ends at `head`; I know it confirmed up to `confirmed`, where it has this hash.
    """

    term: Count
    hosting: bool
    head: Count
    confirmed: Count
    hash: Hash


QUIET = Heartbeat(0, False, 0, 0, bytes(32))
"""The beat of a lobby, where there is no journal yet."""


class Fault(Message, frozen=True, tag=18):
    """The table stops: a code, whom I hold to be the culprit, and what shows it."""

    code: Code
    culprit: Key | None
    evidence: Annotated[
        tuple[Annotated[bytes, msgspec.Meta(max_length=300 * 1024)], ...],
        msgspec.Meta(max_length=4),
    ]


class Watch(Message, frozen=True, tag=32):
    """May I look on? I have the entries before number `following`, the last with this hash."""

    version: Count
    table: TableId
    following: Count
    hash: Hash


class Audience(Message, frozen=True, tag=33):
    """So many watch; and whether a password is needed, for whoever hosts next."""

    spectators: Count
    locked: bool


class PasswordShare(Message, frozen=True, tag=34):
    """Half of an exchange over the table's password; answered by the other half."""

    share: Annotated[bytes, msgspec.Meta(min_length=33, max_length=33)]


class PasswordProof(Message, frozen=True, tag=35):
    """That the key which came of it is known; answered by the host's own."""

    proof: Hash


class Meet(Message, frozen=True, tag=19):
    """I am an operator of this table, and listen here; said first on every link, by both.

    `session` is drawn anew by every program that comes to a table: two that are alive under one
    key are told apart by it. `replaces`: its person has said that it takes the other's place.
    """

    table: TableId
    addresses: Addresses
    session: Annotated[bytes, msgspec.Meta(min_length=8, max_length=8)]
    replaces: bool


class RequestVote(Message, frozen=True, tag=20):
    """May I host in `term`? My journal ends with entry `seq`, of `last_term`.

    A `trial` binds nobody: it asks who would vote for me.
    """

    term: Count
    last_term: Count
    seq: Count
    hash: Hash
    trial: bool


class TrialVote(Message, frozen=True, tag=21):
    """Whether I would vote for you in `term`."""

    term: Count
    granted: bool


class Voted(Message, frozen=True, tag=22):
    """My signed vote for you."""

    vote: Signed


class Elected(Message, frozen=True, tag=23):
    """Who hosts, by a majority's votes: the signed election."""

    election: Signed


class Witness(Message, frozen=True, tag=24):
    """What I was shown in a place where you were shown something else: a signed entry."""

    entry: Signed


class Remember(Message, frozen=True, tag=25):
    """What I last heard under your signature; said first on every link, before the first beat.

    The newest statement of yours that I hold and that has no place, and your newest vote.
    """

    statement: Signed | None
    vote: Signed | None


class History(Message, frozen=True, tag=26):
    """What an operator that does not host knows confirmed, to whoever asked it with `Follow`.

    The next entries; with the last of them the acknowledgements of a majority, else none.
    """

    entries: Annotated[tuple[Signed, ...], msgspec.Meta(max_length=1024)]
    acks: Annotated[tuple[Signed, ...], msgspec.Meta(max_length=MAX_OPERATORS)]


class Spoken(Message, frozen=True, tag=36):
    """A line of chat under its speaker's signature: from the speaker, or passed on."""

    line: Signed


Catalogue: TypeAlias = (
    Knock
    | Status
    | Join
    | Denied
    | Lobby
    | Ready
    | Leave
    | Follow
    | Entries
    | Submit
    | Refused
    | Acked
    | Commit
    | Heartbeat
    | Fault
    | Watch
    | Audience
    | PasswordShare
    | PasswordProof
    | Meet
    | RequestVote
    | TrialVote
    | Voted
    | Elected
    | Witness
    | Remember
    | History
    | Spoken
)
