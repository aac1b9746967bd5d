"""The genesis, entry 0: the terms, with every operator's signature over them.

So nobody can be put at a table, at a seat or under rules that it did not sign. Operator 0 of
the roster opened the table, and hosts in term 1. It may sit nowhere, and keeps the bots; every
other operator has a person's seat, so that nobody counts whom no screen shows.
"""

from __future__ import annotations

import hashlib

from protocol.application import Genesis
from protocol.errors import (
    BadSignature,
    IllegalEntry,
    Impostor,
    Malformed,
    Seatless,
    VersionMismatch,
)
from protocol.identity.keys import Identity
from protocol.identity.names import joint_names, legible, skeleton
from protocol.journal.evidence import exhibit
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    MAX_ORDERED,
    MAX_TERMS,
    NOTHING,
    VERSION,
    Agreement,
    Authored,
    GenesisBody,
    Ordered,
    Signed,
    Terms,
    check_author,
    sign,
)
from protocol.wire.codec import decode, encode

FIRST_TERM = 1
NO_TERM = 0
HOST = 0
"""Roster index of the host of the first term."""


def open_genesis(signed: Signed) -> tuple[Genesis, Ordered, Authored]:
    """The genesis in entry 0, with its order and its statement, once all signatures hold.

    Raises `Malformed`, `BadSignature`, `VersionMismatch`, `IllegalEntry` (an open seat),
    `Seatless` or `Impostor` (somebody did not agree).
    """
    ordered = signed.read(Ordered)
    authored = ordered.inside.read(Authored)
    body = decode(authored.body, GenesisBody, limit=MAX_ORDERED)
    terms = _decoded(body.terms)
    host = terms.operators[HOST].identity
    signed.check(host, DOMAIN_ORDERED)
    check_author(host, ordered.inside)
    first = (ordered.term, ordered.seq, ordered.previous) == (FIRST_TERM, 0, NOTHING)
    digest = genesis_digest(authored.body)
    if not first or (authored.match, authored.author) != (digest, HOST):
        raise Malformed("not a first entry", culprit=host)
    if (authored.counter, authored.ancestor) != (0, NOTHING):
        raise Malformed("not a first entry", culprit=host)
    if len(body.agreements) != len(terms.operators):
        raise Impostor("somebody did not agree to this table", culprit=host)
    for operator, agreement in zip(terms.operators, body.agreements, strict=True):
        try:
            agreement.check(operator.identity, body.terms)
        except BadSignature:
            raise Impostor(
                f"{operator.name!r} did not agree to this table",
                culprit=host,
                evidence=(exhibit("ordered", signed),),
            ) from None
    if any(seat.kind == "open" for seat in terms.seats):
        raise IllegalEntry("a match with an open seat", culprit=host)
    try:
        _check_roster(terms)
    except (Seatless, Malformed) as problem:
        raise problem.blame(host, exhibit("ordered", signed)) from None
    return Genesis.by(terms, digest=digest), ordered, authored


def genesis_digest(body: bytes) -> bytes:
    """What names a match in all that is said in it: see `Genesis.digest`."""
    return hashlib.sha256(body).digest()


def open_terms(content: bytes) -> Terms:
    """Decoded, consistent terms; raises `Malformed`, `VersionMismatch` or `Seatless`."""
    terms = _decoded(content)
    _check_roster(terms)
    return terms


def _check_roster(terms: Terms) -> None:
    """Raise `Seatless` where a laptop counts at which nobody sits."""
    sitting = {HOST, *(seat.operator for seat in terms.seats if seat.kind == "taken")}
    for index, operator in enumerate(terms.operators):
        if index not in sitting:
            raise Seatless(f"nobody sits at the laptop {operator.name!r}")
    if any(seat.kind == "bot" and seat.operator != HOST for seat in terms.seats):
        raise Seatless("a bot of somebody who does not host")
    _check_names(terms)


def _check_names(terms: Terms) -> None:
    """Raise `Malformed` where a laptop is not called after who sits there, or as people see it
    like another: whatever it did would be told of somebody else.
    """
    held: dict[str, int] = {}
    for index, operator in enumerate(terms.operators):
        persons = [
            seat.name for seat in terms.seats if (seat.kind, seat.operator) == ("taken", index)
        ]
        named = persons if len(persons) == 1 else joint_names(persons)
        if persons and operator.name not in named:
            raise Malformed(f"{operator.name!r} is not called after who sits there")
        looks = (skeleton(legible(name)) for name in (operator.name, *persons))
        if any(not look or held.setdefault(look, index) != index for look in looks):
            raise Malformed(f"somebody else is called {operator.name!r}")


def _decoded(content: bytes) -> Terms:
    try:
        terms = decode(content, Terms, limit=MAX_TERMS)
    except Malformed:
        # Another version's terms may have another shape; their first field is the version.
        _check_version(*decode(content, tuple[object, ...], limit=MAX_TERMS)[:1])
        raise
    _check_version(terms.version)
    identities = {operator.identity for operator in terms.operators}
    if len(identities) != len(terms.operators):
        raise Malformed("one identity twice at a table")
    for seat in terms.seats:
        if (seat.operator is None) != (seat.kind == "open"):
            raise Malformed("a seat that is neither open nor somebody's")
        if seat.operator is not None and seat.operator >= len(terms.operators):
            raise Malformed("a seat of nobody at this table")
    return terms


def _check_version(version: object = VERSION) -> None:
    if version != VERSION:
        raise VersionMismatch(f"journal version {version}, ours is {VERSION}")


def make_genesis(identity: Identity, terms: bytes, agreements: tuple[Agreement, ...]) -> Signed:
    """Entry 0, authored and ordered by the host; `agreements` to `terms`, in roster order."""
    body = encode(GenesisBody(terms, agreements))
    first = Authored(genesis_digest(body), HOST, 0, NOTHING, body)
    authored = sign(identity, DOMAIN_AUTHORED, first)
    return sign(
        identity,
        DOMAIN_ORDERED,
        Ordered(FIRST_TERM, 0, NOTHING, authored.content, authored.signature),
    )
