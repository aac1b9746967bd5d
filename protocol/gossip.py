"""What operators tell each other of what their host has shown them.

A host that lies can show two guests different entries, and confirm each with its own and that
guest's signature. Every beat says how far its sender knows the journal confirmed, and the hash
there. Who was shown something else is sent the entry, under the host's signature: with its own
it has the proof.
"""

from __future__ import annotations

from protocol.effects import Effect, Fail, Send
from protocol.errors import Equivocation, RemoteError
from protocol.journal import Chain
from protocol.messages import Beat, Witness
from protocol.replica import Replica
from protocol.statements import Signed


def gossip(replica: Replica, operator: int, beat: Beat) -> list[Effect]:
    """Who was shown another confirmed history is shown ours."""
    chain = replica.chain
    if beat.confirmed > replica.confirmed or chain.hash_at(beat.confirmed) == beat.hash:
        return []
    return [Send(operator, Witness(chain.entries[beat.confirmed].signed))]


def compare(chain: Chain, shown: Signed) -> list[Effect]:
    """Somebody was shown another entry than we; two by one host are proof enough."""
    try:
        chain.check(shown)
    except Equivocation as problem:
        return [Fail(problem)]
    except RemoteError:
        pass  # it proves nothing
    return []
