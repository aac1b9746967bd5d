"""What a laptop makes of an accusation: by the evidence alone, or with its own history."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Equivocation, IllegalEntry, Malformed
from protocol.journal.chain import Chain
from protocol.journal.judgement import place_needed, prove
from protocol.journal.statements import DOMAIN_AUTHORED, Authored, Signed, sign
from protocol.messages import Fault
from protocol.replication.review import make_fault
from tests.protocol.tabletop import Tabletop


class Histories:
    """A host that has shown one guest `shown` and another `other`."""

    def __init__(self) -> None:
        table = Tabletop(3)
        self.host = table.identities[0]
        self.shown, self.other = Chain(table.first), Chain(table.first)
        for chain, body in ((self.shown, b"one"), (self.other, b"two")):
            chain.extend(self.host, self.said(chain, body))

    def said(self, chain: Chain, body: bytes) -> Signed:
        counter = chain.last_counter(0) + 1
        statement = Authored(chain.genesis.digest, 0, counter, chain.hash_at(chain.head), body)
        return sign(self.host, DOMAIN_AUTHORED, statement)

    def complaint(self) -> Fault:
        """Of something that nobody has signed, by whoever holds the other history."""
        return make_fault(Malformed("a majority of one", culprit=self.host.public), self.other)


def test_a_complaint_without_proof_blames_nobody() -> None:
    histories = Histories()
    fault = histories.complaint()
    assert prove(histories.other, fault.evidence) is None


def test_the_newest_entry_of_another_history_is_proof_to_us() -> None:
    histories = Histories()
    problem = prove(histories.shown, histories.complaint().evidence)
    assert isinstance(problem, Equivocation)
    assert problem.culprit == histories.host.public
    assert len(problem.evidence) == 2


def test_evidence_that_somebody_has_is_not_replaced() -> None:
    histories = Histories()
    entry = histories.shown.entries[1].exhibit()
    fault = IllegalEntry("no", culprit=histories.host.public, evidence=(entry,))
    assert make_fault(fault, histories.other).evidence == (entry,)
    assert make_fault(Malformed("whoever it was"), histories.other).evidence == ()


@given(st.lists(st.binary(max_size=200), max_size=4))
def test_whatever_is_brought_nothing_is_raised(evidence: list[bytes]) -> None:
    chain = Histories().shown
    assert prove(chain, tuple(evidence)) is None
    assert place_needed(chain.genesis, tuple(evidence)) is None
