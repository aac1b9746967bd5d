"""What operators tell each other of what their host has shown them.

A host that lies can show two guests different entries, and confirm each with its own and that
guest's signature. Every heartbeat says how far its sender knows the journal confirmed, and the
hash there. Who was shown something else is sent the entry, under the host's signature: with its
own it has the proof.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TypeGuard

from protocol.errors import ProtocolError, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.evidence import MAX_EXHIBIT, Exhibit
from protocol.journal.statements import Signed
from protocol.messages import Heartbeat, Witness
from protocol.replication.effects import Effect, Fail, Send
from protocol.replication.replica import Replica
from protocol.wire.codec import decode


def gossip(replica: Replica, operator: int, heartbeat: Heartbeat) -> list[Effect]:
    """Who was shown another confirmed history is shown ours."""
    chain = replica.chain
    known = heartbeat.confirmed
    if known > replica.confirmed or chain.hash_at(known) == heartbeat.hash:
        return []
    return [Send(operator, Witness(chain.entries[known].signed))]


def compare(chain: Chain, shown: Signed) -> list[Effect]:
    """Somebody was shown another entry than we; two by one host are proof enough."""
    problem = _contradiction(chain, shown)
    return [] if problem is None else [Fail(problem)]


def is_proof(problem: ProtocolError) -> TypeGuard[RemoteError]:
    """Whether a fault names somebody and carries what exposes it to all with our history."""
    return isinstance(problem, RemoteError) and bool(problem.culprit and problem.evidence)


def _contradiction(chain: Chain, shown: Signed) -> RemoteError | None:
    try:
        chain.check(shown)
    except RemoteError as problem:
        return problem if is_proof(problem) else None
    return None


def prove_with_chain(chain: Chain, evidence: tuple[bytes, ...]) -> RemoteError | None:
    """What somebody else's evidence proves together with the history that we were shown.

    None where it proves nothing. Whatever the bytes, nothing is raised.
    """
    for shown in orders(evidence):
        problem = _contradiction(chain, shown)
        if problem is not None:
            return problem
    return None


def follows(chain: Chain, evidence: tuple[bytes, ...]) -> Signed | None:
    """The entry in evidence that we lack, and would be shown next; None where there is none."""
    for shown in orders(evidence):
        with contextlib.suppress(RemoteError):
            entry = chain.check(shown)
            if entry is not None and entry.seq == chain.head + 1:
                return shown
    return None


def orders(evidence: tuple[bytes, ...]) -> Iterator[Signed]:
    """The entries in evidence, unchecked."""
    for item in evidence:
        with contextlib.suppress(RemoteError):
            shown = decode(item, Exhibit, limit=MAX_EXHIBIT)
            if shown.kind == "ordered":
                yield Signed(shown.content, shown.signature)
