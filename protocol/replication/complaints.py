"""Complaints: why somebody stops a table, as it is said to others and as it is believed."""

from __future__ import annotations

from protocol.application import Genesis
from protocol.errors import (
    BadProof,
    BadSignature,
    Diverged,
    Equivocation,
    Excessive,
    IllegalEntry,
    Impostor,
    Malformed,
    ProtocolError,
    RemoteError,
    VersionMismatch,
    WrongPassword,
)
from protocol.journal.chain import Chain
from protocol.journal.evidence import MAX_EXHIBITS, prove_alone
from protocol.messages import Fault
from protocol.replication.gossip import prove_with_chain

_FAULTS: dict[str, type[RemoteError]] = {
    kind.code: kind
    for kind in (
        Malformed,
        Excessive,
        VersionMismatch,
        WrongPassword,
        BadSignature,
        Impostor,
        BadProof,
        IllegalEntry,
        Equivocation,
    )
}


def make_fault(problem: ProtocolError, chain: Chain | None = None) -> Fault:
    """A failure as others are told of it.

    Where nothing signed shows it, the newest entry of our history may: whoever was shown
    another one can tell who showed them.
    """
    if not isinstance(problem, RemoteError):
        return Fault("failed", None, ())
    evidence = problem.evidence[:MAX_EXHIBITS]
    if not evidence and problem.culprit is not None and chain is not None:
        evidence = (chain.entries[-1].exhibit(),)
    return Fault(problem.code, problem.culprit, evidence)


def assess_fault(
    fault: Fault, genesis: Genesis, chain: Chain | None = None
) -> RemoteError | None:
    """What somebody's complaint shows: by itself, or together with our own history.

    None where it shows nothing: then its teller has stopped, and nobody else has to. Two that
    come to different states both stop, since neither is a majority.
    """
    proven = prove_alone(genesis, fault.evidence)
    if proven is None and chain is not None:
        proven = prove_with_chain(chain, fault.evidence)
    if proven is None and fault.code == Diverged.code and len(genesis.operators) == 2:
        return Diverged(-1, evidence=fault.evidence)
    return proven


def unproven_fault(fault: Fault, name: str) -> RemoteError:
    """What a fault says that shows nothing, for who can not go on without its teller."""
    kind = _FAULTS.get(fault.code, RemoteError)
    return kind(f"{name} stopped the table: {fault.code}", evidence=fault.evidence)
