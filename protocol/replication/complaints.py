"""Complaints: why somebody stops a table, as it is said to others and as it is believed."""

from __future__ import annotations

from protocol.errors import ProtocolError, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.evidence import MAX_EXHIBITS
from protocol.messages import Fault


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
