"""Whether a host refused what it should have ordered: everybody can judge at the same place.

A refusal names the entry after which the host judged. Whoever has that entry folds the match up
to there, with an application made anew, and asks it. Where the statement might have stood, the
refusal, the statement and the journal expose the host. To refuse what was stale there is right:
a race is no cheat.

The same holds for an order: whoever signed an entry for a place of ours must have seen its own
application accept it there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from protocol.errors import Equivocation, IllegalEntry, Malformed, RemoteError
from protocol.journal.accusation import (
    false_accusation,
    is_accusation,
    open_accusation,
    verdict_between,
)
from protocol.journal.chain import Chain
from protocol.journal.evidence import MAX_EXHIBIT, Exhibit, exhibit, open_ordered
from protocol.journal.statements import (
    DOMAIN_REFUSAL,
    Authored,
    Ordered,
    Refusal,
    Signed,
    authored_hash,
    unseal,
)
from protocol.wire.codec import decode


@dataclass(frozen=True, slots=True)
class DisputedRefusal:
    """A host's refusal and what it refuses, both signatures checked."""

    told: Refusal
    refusal: Signed
    authored: Signed
    statement: Authored  #: to be judged right after entry `told.place`


def disputed_statement(
    chain: Chain, told: Refusal, refusal: Signed, authored: Signed
) -> Authored | None:
    """The statement, if only the application can still say whether its refusal was right.

    None where its counter or its ancestor explains the refusal, or where the refusal speaks of
    a history that is not ours. `told` was unsealed under the key of its term's host. Raises
    `Equivocation` where that host has signed another entry for the very place.
    """
    if told.place > chain.head or not chain.knows_term(told.term):
        return None
    here = chain.entries[told.place]
    if here.hash != told.entry:
        if here.term == told.term and here.seq > 0:
            raise Equivocation(
                "refused in another history",
                culprit=chain.host_of(here.term),
                evidence=(here.exhibit(), exhibit("refusal", refusal)),
            )
        return None
    statement = chain.check_authored(authored)
    if is_accusation(statement.body):
        return None  # only who orders accuses
    if statement.counter <= chain.counter_before(statement.author, told.place + 1):
        return None
    ancestor = chain.place_of(statement.ancestor)
    # Judged before what its author had seen confirmed, a refusal is early, and no lie.
    if ancestor is None or ancestor > told.place:
        return None
    return statement


def unjust_refusal(
    chain: Chain, told: Refusal, refusal: Signed, authored: Signed
) -> IllegalEntry:
    """The host of the refusal's term, exposed: its own application would have accepted."""
    return IllegalEntry(
        "the host refused what the table accepts",
        culprit=chain.host_of(told.term),
        evidence=(exhibit("refusal", refusal), exhibit("authored", authored)),
    )


@dataclass(frozen=True, slots=True)
class DisputedOrder:
    """An entry that somebody signed for a place of ours, which may be another one there."""

    signer: bytes
    shown: Signed
    place: int  #: the entry of ours that it follows
    statement: Authored


def open_disputed_order(chain: Chain, evidence: tuple[bytes, ...]) -> DisputedOrder | None:
    """What somebody's evidence shows of an entry after one of ours, as far as signatures go.

    Whoever signed it for that place must have seen its own application accept it there. None
    where nothing is shown, or an election. Whatever the bytes, nothing is raised.
    """
    if len(evidence) != 1:
        return None
    try:
        one = decode(evidence[0], Exhibit, limit=MAX_EXHIBIT)
        if one.kind != "ordered":
            return None
        ordered, signer = open_ordered(chain.genesis, one)
        said = chain.check_authored(Signed(ordered.authored, ordered.signature))
    except RemoteError:
        return None
    place = chain.place_of(ordered.previous)
    if place is None or ordered.seq != place + 1:
        return None
    return DisputedOrder(signer, Signed(one.content, one.signature), place, said)


def illegal_order(found: DisputedOrder, code: str) -> IllegalEntry:
    """Who ordered what the table refuses at that place, exposed."""
    return IllegalEntry(
        f"the host ordered what the table refuses: {code}",
        culprit=found.signer,
        evidence=(exhibit("ordered", found.shown),),
    )


def is_ahead(chain: Chain, evidence: tuple[bytes, ...]) -> bool:
    """Whether evidence speaks of a place after entries that we have not been shown."""
    for item in evidence:
        with contextlib.suppress(RemoteError):
            one = decode(item, Exhibit, limit=MAX_EXHIBIT)
            if one.kind == "refusal":
                return decode(one.content, Refusal, limit=MAX_EXHIBIT).place > chain.head
            if one.kind == "ordered" and len(evidence) == 1:
                return decode(one.content, Ordered, limit=MAX_EXHIBIT).seq > chain.head + 1
    return False


def open_disputed_refusal(chain: Chain, evidence: tuple[bytes, ...]) -> DisputedRefusal | None:
    """What somebody's evidence shows of a refusal, as far as signatures and places go.

    None where it shows none, or one that needs no application to be explained. Whatever the
    bytes, nothing is raised.
    """
    shown: dict[str, Signed] = {}
    for item in evidence:
        with contextlib.suppress(RemoteError):
            one = decode(item, Exhibit, limit=MAX_EXHIBIT)
            shown[one.kind] = Signed(one.content, one.signature)
    if shown.keys() != {"refusal", "authored"}:
        return None
    try:
        claimed = decode(shown["refusal"].content, Refusal, limit=MAX_EXHIBIT)
        if claimed.table != chain.genesis.table or not chain.knows_term(claimed.term):
            raise Malformed("a refusal at another table, or of another history")
        host = chain.host_of(claimed.term)
        told = unseal(shown["refusal"], Refusal, DOMAIN_REFUSAL, host)
        if told.hash != authored_hash(shown["authored"].content):
            raise Malformed("a refusal of something else")
        statement = disputed_statement(chain, told, shown["refusal"], shown["authored"])
    except RemoteError:
        return None
    if statement is None or statement.counter != told.counter:
        return None
    return DisputedRefusal(told, shown["refusal"], shown["authored"], statement)


def prove_by_folding(
    chain: Chain,
    evidence: tuple[bytes, ...],
    judged: Callable[[int, Authored], str | None],
) -> RemoteError | None:
    """The fault that these exhibits show to whoever folds our journal up to their place.

    `judged(place, statement)` is what the game said right after that entry.
    """
    refused = open_disputed_refusal(chain, evidence)
    if refused is not None and judged(refused.told.place, refused.statement) is None:
        return unjust_refusal(chain, refused.told, refused.refusal, refused.authored)
    ordered = open_disputed_order(chain, evidence)
    if ordered is None:
        return None
    if is_accusation(ordered.statement.body):
        return _prove_accusation(chain, ordered, judged)
    code = judged(ordered.place, ordered.statement)
    return None if code is None else illegal_order(ordered, code)


def _prove_accusation(
    chain: Chain, found: DisputedOrder, judged: Callable[[int, Authored], str | None]
) -> RemoteError:
    """Whom an accusation exposes that somebody was shown: the accused, or the accuser."""
    shown = exhibit("ordered", found.shown)
    operators = chain.genesis.operators
    said = found.statement
    try:
        if operators[said.author].identity != found.signer:
            raise Malformed("only who orders accuses")
        accused = open_accusation(chain, found.place, said.author, said.body)
    except RemoteError as problem:
        return false_accusation(problem, found.signer, shown)
    code = judged(accused.ancestor, accused.statement)
    author = operators[accused.statement.author].identity
    return verdict_between(found.signer, author, code, shown)
