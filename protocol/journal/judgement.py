"""One judgement: what evidence shows, whoever holds it. Pure.

`judge` is called on what somebody else brings, on what one is about to stop for oneself, and on
what a saved file holds; so what condemns on one laptop condemns on every other. It asks, in
this order:

1. What do the exhibits prove by themselves (`evidence.prove_alone`)?
2. What does one of them prove with an entry of a journal in the place of the other?
3. What does an application say at the place that the evidence names (`refusals`)?

The last question needs the history up to that place, and the evidence names it by its hash
(`place_needed`). Whoever lacks it is shown it by somebody else, as a *segment* of a journal
(`court`). Nothing hangs on whether that history was confirmed: whoever signed something about
the entry with this hash has signed all that leads to it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from protocol.application import Genesis
from protocol.errors import BadSignature, Malformed, ProtocolError, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.election import double_vote, open_election
from protocol.journal.evidence import (
    Exhibit,
    exhibit,
    exhibits,
    prove_alone,
    signer_of,
)
from protocol.journal.refusals import Judged, prove_by_folding
from protocol.journal.statements import (
    DOMAIN_REFUSAL,
    Authored,
    Election,
    Ordered,
    Refusal,
    Signed,
    Vote,
)


def judge(
    chain: Chain, evidence: tuple[bytes, ...], judged: Judged, stood: int
) -> RemoteError | None:
    """The fault that this evidence shows to whoever has this journal; None where it shows none.

    `judged` is asked among the entries up to `stood`, which hold. Raises nothing of its own,
    whatever the bytes.
    """
    return prove(chain, evidence) or prove_by_folding(chain, evidence, judged, stood)


def is_proof(problem: ProtocolError) -> TypeGuard[RemoteError]:
    """Whether a fault names somebody, and carries what may expose it."""
    return isinstance(problem, RemoteError) and bool(problem.culprit and problem.evidence)


def prove(chain: Chain, evidence: tuple[bytes, ...]) -> RemoteError | None:
    """The same without an application: by itself, or with an entry of this journal."""
    proven = prove_alone(chain.genesis, evidence) or _two_elections(chain.genesis, evidence)
    if proven is not None:
        return proven
    for item, shown in exhibits(evidence):
        proven = _checked(chain, shown)
        for rival in _rivals(chain, shown):
            proven = proven or prove_alone(chain.genesis, (item, rival))
        if proven is not None:
            return proven
    return None


def orders(evidence: Iterable[bytes]) -> Iterator[Signed]:
    """The entries in evidence, unchecked."""
    for _, shown in exhibits(evidence):
        if shown.kind == "ordered":
            yield shown.signed


def _checked(chain: Chain, shown: Exhibit) -> RemoteError | None:
    """What the check of an order with our own history shows, of somebody and with evidence."""
    if shown.kind == "ordered":
        try:
            chain.check(shown.signed)
        except RemoteError as problem:
            return problem if is_proof(problem) else None
    return None


def _two_elections(genesis: Genesis, evidence: tuple[bytes, ...]) -> RemoteError | None:
    """Two candidates elected in one term: somebody voted for both."""

    def opened(signed: Signed) -> Election:
        order = signed.read(Ordered)
        return open_election(genesis, order.inside)

    with contextlib.suppress(RemoteError, ValueError):  # not two, or no elections
        first, second = map(opened, orders(evidence))
        if first.term == second.term and first.candidate != second.candidate:
            found = double_vote(genesis, first, second)
            return found if found.culprit else None
    return None


def _rivals(chain: Chain, shown: Exhibit) -> Iterator[bytes]:
    """What of our journal may contradict this, as exhibits."""
    with contextlib.suppress(RemoteError):
        match shown.kind:
            case "ordered":
                yield from _rivals_of_order(chain, shown.signed.read(Ordered))
            case "refusal":
                told = shown.signed.read(Refusal)
                placed = chain.by_counter(told.author, told.counter)
                here = chain.entries[told.place : told.place + 1]
                for entry in (placed, *here):
                    if entry is not None and entry.term == told.term and entry.seq > 0:
                        yield entry.exhibit()
            case "authored":
                said = shown.signed.read(Authored)
                placed = chain.by_counter(said.author, said.counter)
                if placed is not None:
                    yield exhibit("authored", placed.inside)
            case "vote":
                vote = shown.signed.read(Vote)
                for entry in chain.entries:
                    if entry.election is not None and entry.term == vote.term:
                        yield from (exhibit("vote", one) for one in entry.election.votes)


def _rivals_of_order(chain: Chain, order: Ordered) -> Iterator[bytes]:
    """Entries of its term: beside its place, with its author's counters, and an election."""
    try:
        said = order.inside.read(Authored)
        author, counter = said.author, said.counter
    except RemoteError:
        author, counter = -1, 0
    for entry in chain.entries[1:]:
        if entry.term != order.term:
            continue
        out_of_order = (
            entry.is_said
            and entry.author == author
            and (
                entry.counter >= counter if entry.seq < order.seq else entry.counter <= counter
            )
        )
        if abs(entry.seq - order.seq) <= 1 or out_of_order or entry.election is not None:
            yield entry.exhibit()


def place_needed(genesis: Genesis, evidence: tuple[bytes, ...]) -> tuple[int, bytes] | None:
    """The entry, by number and hash, after which an application has to be asked; None where
    none has to, as of what nobody at this table has signed.
    """
    shown = {one.kind: one for _, one in exhibits(evidence)}
    with contextlib.suppress(RemoteError):
        if "refusal" in shown and shown.keys() <= {"refusal", "authored"}:
            told = _signed_refusal(genesis, shown["refusal"])
            return told.place, told.entry
        if shown.keys() == {"ordered"} and len(evidence) == 1:
            signed = Signed(shown["ordered"].content, shown["ordered"].signature)
            signer_of(genesis, signed)
            order = signed.read(Ordered)
            return (order.seq - 1, order.previous) if order.seq else None
    return None


def _signed_refusal(genesis: Genesis, shown: Exhibit) -> Refusal:
    """The refusal in an exhibit, by an operator of this match. Raises a `RemoteError`."""
    told = shown.signed.read(Refusal)
    for operator in genesis.operators:
        with contextlib.suppress(BadSignature):
            shown.signed.check(operator.identity, DOMAIN_REFUSAL)
            if told.match == genesis.digest:
                return told
    raise BadSignature("refused by nobody at this table")


def court(chain: Chain, place: int, segment: Iterable[Signed] = ()) -> Chain:
    """Our journal up to entry `place`, and then these entries, each checked: for a judgement.

    Raises a `RemoteError` where they are no journal.
    """
    copied = Chain(chain.entries[0].signed)
    for entry in chain.entries[1 : place + 1]:
        copied.append(entry)
    add_segment(copied, segment)
    return copied


def add_segment(chain: Chain, segment: Iterable[Signed]) -> None:
    """Put these entries behind a journal, each checked: a millisecond for seven of them.

    Raises a `RemoteError` where they are none.
    """
    for signed in segment:
        shown = chain.check(signed)
        if shown is None or shown.seq != chain.head + 1:
            raise Malformed("entries that do not follow each other")
        chain.append(shown)
