"""Faults between operators: what is told of one, and what is made of it."""

from __future__ import annotations

import pytest

from protocol.errors import (
    Equivocation,
    IllegalEntry,
    LocalError,
    Malformed,
    Unavailable,
)
from protocol.journal.chain import Chain
from protocol.journal.judgement import is_proof
from protocol.messages import Fault, Heartbeat, Witness
from protocol.replication.accuser import Accuser
from protocol.replication.effects import Fail, Send
from protocol.replication.parting import compare, gossip
from protocol.replication.replica import Replica
from protocol.replication.review import make_fault
from tests.protocol.journal.signing import (
    ANNA,
    CARLA,
    FIRST,
    IDENTITIES,
    chain_of,
    order,
    said,
)

CHAIN = chain_of(2)
OTHER = Chain(FIRST)
for counter in (1, 2):
    OTHER.extend(ANNA, said(OTHER, 3, counter))


def test_a_fault_carries_its_evidence_or_the_newest_entry() -> None:
    evidence = tuple(b"%d" % number for number in range(6))
    named = Malformed("no", culprit=ANNA.public)
    assert make_fault(
        IllegalEntry("no", culprit=ANNA.public, evidence=evidence), CHAIN
    ) == Fault("illegal", ANNA.public, evidence[:4])
    assert make_fault(named, CHAIN).evidence == (CHAIN.entries[-1].exhibit(),)
    assert make_fault(named) == Fault("malformed", ANNA.public, ())
    assert make_fault(Malformed("no"), CHAIN).evidence == ()


@pytest.mark.parametrize("problem", [Unavailable("disk", "full"), LocalError("a bug")])
def test_our_own_failures_accuse_nobody(problem: Unavailable | LocalError) -> None:
    assert make_fault(problem, CHAIN) == Fault("failed", None, ())


# Gossip.


def replica(confirmed: int) -> Replica:
    made = Replica(identity=CARLA, me=2, chain=chain_of(2))
    made.confirmed = confirmed
    return made


def test_who_knows_another_confirmed_history_is_shown_ours() -> None:
    here = replica(1)
    ours = here.chain
    for confirmed, hashed, answers in (
        (1, ours.hash_at(1), False),
        (1, OTHER.hash_at(1), True),
        (2, OTHER.hash_at(2), False),  # we do not know that far
        (0, b"\1" * 32, True),
    ):
        effects = gossip(here, 4, Heartbeat(1, False, 2, confirmed, hashed))
        assert effects == (
            [Send(4, Witness(ours.entries[confirmed].signed))] if answers else []
        )


def test_a_witness_of_another_entry_stops_the_match() -> None:
    chain = chain_of(2)
    (fail,) = compare(chain, OTHER.entries[1].signed)
    assert isinstance(fail, Fail)
    assert isinstance(fail.fault, Equivocation)
    assert compare(chain, chain.entries[1].signed) == []
    assert compare(chain, order(chain, said(chain, 3, 1))) == []  # the next one
    assert compare(chain, order(chain, said(chain, 3, 1), signer=CARLA)) == []
    assert compare(chain, order(chain, said(chain, 3, 1), seq=9, previous=bytes(32))) == []


def test_proof_names_somebody_and_shows_something() -> None:
    assert is_proof(Malformed("no", culprit=ANNA.public, evidence=(b"x",)))
    assert not is_proof(Malformed("no", culprit=ANNA.public))
    assert not is_proof(Malformed("no", evidence=(b"x",)))
    assert not is_proof(Unavailable("disk", "full"))


# Accusing.


def test_who_may_be_accused_is_judged_at_the_place_where_it_spoke() -> None:
    chain = chain_of(2)
    accuser = Accuser(chain)
    signed = said(chain, 3, 1, ancestor=chain.hash_at(1))
    statement = chain.check_authored(signed)
    assert (accuser.suspects, accuser.is_sure) == (set(), False)
    examine = accuser.suspect(statement, signed)
    assert (examine.place, examine.statement) == (1, statement)
    assert accuser.suspects == {3}
    assert accuser.take(examine.key) == (statement, signed)
    assert accuser.suspects == set()
    assert accuser.take(examine.key) is None
    assert accuser.verdict(chain.entries[2]) is None


def test_once_somebody_is_accused_nobody_else_is() -> None:
    chain = chain_of(2)
    accuser = Accuser(chain)
    signed = said(chain, 3, 1, b"cheat")
    statement = chain.check_authored(signed)
    other = accuser.suspect(chain.check_authored(said(chain, 4, 1)), said(chain, 4, 1))
    contribution = accuser.condemn(statement, signed, "forbidden illegal: no")
    assert accuser.is_sure
    assert accuser.take(other.key) is None
    assert accuser.verdict(chain.entries[2]) is None  # not the accusation
    entry = chain.extend(ANNA, said(chain, 0, 1, contribution.body))
    verdict = accuser.verdict(entry)
    assert isinstance(verdict, IllegalEntry)
    assert verdict.culprit == IDENTITIES[3].public
    assert Accuser(chain).verdict(entry) is None
