"""Unjust refusals and illegal orders: proofs that need the application at one place.

A refusal names the entry after which the host judged. Whoever has that entry folds the match up
to there with a new application, and asks it about the statement. If the application accepts it,
the refusal, the statement and the journal expose the host. If the statement was stale there,
the refusal is right: a race is no cheat.

An order works the other way round: a host signs an entry only after its own application has
accepted the statement at that place, so an application that refuses it there exposes the host.

A refusal is *disputed* here when its signatures hold, and only the application can still say
whether it was right.
"""

from __future__ import annotations

from collections.abc import Callable

from protocol.errors import Equivocation, IllegalEntry, Malformed, RemoteError
from protocol.journal.accusation import (
    false_accusation,
    is_accusation,
    open_accusation,
    verdict_between,
)
from protocol.journal.chain import Chain, Entry
from protocol.journal.evidence import (
    MAX_EXHIBIT,
    Exhibit,
    exhibit,
    exhibits,
    open_ordered,
)
from protocol.journal.membership import (
    holds_removal,
    is_removal,
    open_removal,
    removal_body,
)
from protocol.journal.statements import (
    DOMAIN_REFUSAL,
    NOTHING,
    Authored,
    Ordered,
    Refusal,
    Signed,
    authored_hash,
    unseal,
)
from protocol.wire.codec import decode


def disputed_statement(
    chain: Chain, told: Refusal, refusal: Signed, authored: Signed
) -> Authored | None:
    """The refused statement, if only the application can say whether the refusal was right.

    None if its counter or its ancestor explains the refusal, or if the host judged in a history
    that is not ours. `told` was verified with the key of its term's host. Raises `Equivocation`
    if that host has ordered another entry at the place that it names.
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
    if is_accusation(statement.body) or is_removal(statement.body):
        return None  # nobody but a host may accuse, or remove
    if statement.counter <= chain.counter_before(statement.author, told.place + 1):
        return None
    ancestor = chain.place_of(statement.ancestor)
    # A host that has not reached the ancestor yet refuses early; that is no lie.
    if ancestor is None or ancestor > told.place:
        return None
    return statement


def check_one_answer(entry: Entry, refusal: Signed, host: bytes) -> None:
    """Raise `Equivocation` where this host has refused for good, in the entry's own term, what
    it has put in order by it.
    """
    told = refusal.read(Refusal)
    is_same = (told.term, told.hash) == (entry.term, authored_hash(entry.inside.content))
    if is_same and told.is_final:
        raise Equivocation(
            "refused and ordered",
            culprit=host,
            evidence=(entry.exhibit(), exhibit("refusal", refusal)),
        )


def unjust_refusal(
    chain: Chain, told: Refusal, refusal: Signed, authored: Signed
) -> IllegalEntry:
    """The fault of a host whose application accepts what it refused."""
    return IllegalEntry(
        "the host refused what the table accepts",
        culprit=chain.host_of(told.term),
        evidence=(exhibit("refusal", refusal), exhibit("authored", authored)),
    )


def illegal_order(host: bytes, shown: bytes, code: str) -> IllegalEntry:
    """The fault of a host that ordered what the application refuses there with `code`."""
    return IllegalEntry(
        f"the host ordered what the table refuses: {code}", culprit=host, evidence=(shown,)
    )


Judged = Callable[[int, Authored], str | None]
"""What a new application says of a statement right after an entry: None where it may stand."""


def prove_by_folding(
    chain: Chain, evidence: tuple[bytes, ...], judged: Judged, stood: int
) -> RemoteError | None:
    """The fault that these exhibits prove with our journal and an application; or None.

    `judged(place, statement)` asks a new application, folded up to entry `place`. It is asked
    up to entry `stood`: what comes after, an application has not taken yet, and perhaps never
    does. Raises nothing of its own, whatever the bytes.
    """
    if len(evidence) == 1:
        return _prove_order(chain, evidence[0], judged, stood)
    return _prove_refusal(chain, evidence, judged, stood)


def _prove_refusal(
    chain: Chain, evidence: tuple[bytes, ...], judged: Judged, stood: int
) -> RemoteError | None:
    """The fault of a host that refused what the application accepts."""
    shown = {one.kind: one.signed for _, one in exhibits(evidence)}
    if shown.keys() != {"refusal", "authored"}:
        return None
    refusal, authored = shown["refusal"], shown["authored"]
    try:
        claimed = refusal.read(Refusal)
        if claimed.match != chain.genesis.digest or not chain.knows_term(claimed.term):
            return None  # at another table, or of another history
        told = unseal(refusal, Refusal, DOMAIN_REFUSAL, chain.host_of(claimed.term))
        if told.hash != authored_hash(authored.content):
            return None
        statement = disputed_statement(chain, told, refusal, authored)
    except RemoteError:
        return None
    if statement is None or statement.counter != told.counter or told.place > stood:
        return None
    accepts = judged(told.place, statement) is None
    return unjust_refusal(chain, told, refusal, authored) if accepts else None


def _prove_order(chain: Chain, shown: bytes, judged: Judged, stood: int) -> RemoteError | None:
    """The fault of a host that ordered, right after an entry of ours, what the application
    refuses there. We may hold another entry in that place.
    """
    try:
        one = decode(shown, Exhibit, limit=MAX_EXHIBIT)
        if one.kind != "ordered":
            return None
        ordered, signer = open_ordered(chain.genesis, one)
        said = _said(chain, ordered)
    except RemoteError:
        return None  # an election, or what nobody has signed
    place = chain.place_of(ordered.previous)
    if place is None or ordered.seq != place + 1:
        return None
    if not is_accusation(said.body):
        code = judged(place, said) if place <= stood else None
        return None if code is None else illegal_order(signer, shown, code)
    # It proves something of the accused, or else of the accuser. One that is none by what was
    # signed needs no application.
    operators = chain.genesis.operators
    try:
        if operators[said.author].identity != signer:
            raise Malformed("only who orders accuses")
        accused = open_accusation(chain, place, said.author, said.body)
    except RemoteError as problem:
        return false_accusation(problem, signer, shown)
    if accused.ancestor > stood:
        return None
    code = judged(accused.ancestor, accused.statement)
    author = operators[accused.statement.author].identity
    return verdict_between(signer, author, code, shown)


def _said(chain: Chain, ordered: Ordered) -> Authored:
    """What an application would fold of this order."""
    signed = ordered.inside
    if not holds_removal(signed.content):
        return chain.check_authored(signed)
    removal = open_removal(chain.genesis, signed)
    body = removal_body(removal.operator, removal.place)
    return Authored(removal.match, removal.host, 0, NOTHING, body)
