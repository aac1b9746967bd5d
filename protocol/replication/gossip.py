"""What operators tell each other of what their host has shown them.

A host that lies can show two guests different entries, and confirm each with its own and that
guest's signature. Every heartbeat says how far its sender knows the journal confirmed, and the
hash there. Who was shown something else is sent the entry, under the host's signature: with its
own it has the proof.
"""

from __future__ import annotations

from protocol.journal.chain import Chain
from protocol.journal.evidence import exhibit
from protocol.journal.judgement import prove
from protocol.journal.statements import Signed
from protocol.messages import Heartbeat, Witness
from protocol.replication.effects import Effect, Fail, Send
from protocol.replication.replica import Replica


def gossip(replica: Replica, operator: int, heartbeat: Heartbeat) -> list[Effect]:
    """Who was shown another confirmed history is shown ours."""
    chain = replica.chain
    known = heartbeat.confirmed
    if known > replica.confirmed or chain.hash_at(known) == heartbeat.hash:
        return []
    return [Send(operator, Witness(chain.entries[known].signed))]


def compare(chain: Chain, shown: Signed) -> list[Effect]:
    """Somebody was shown another entry than we; two by one host are proof enough."""
    problem = prove(chain, (exhibit("ordered", shown),))
    return [] if problem is None else [Fail(problem)]
