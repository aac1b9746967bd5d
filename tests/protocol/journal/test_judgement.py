"""One judgement, for whoever condemns and for whoever is told.

The table is PROTOCOL.md's, 10.4. Each of its proofs is judged as its finder has it,
as a stranger is shown it, and as somebody whose own journal holds one of the statements is
shown the other. Whatever one of them finds, all find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from protocol.application import FORBIDDEN
from protocol.errors import Malformed, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.evidence import exhibit
from protocol.journal.judgement import court, judge, place_needed, prove
from protocol.journal.statements import Authored, Signed
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    DORA,
    ELSEWHERE,
    EMIL,
    ack,
    chain_of,
    elect,
    order,
    refuse,
    remove,
    said,
    shown,
    vote,
)

CHEAT = f"{FORBIDDEN}illegal: no"


@dataclass
class Proof:
    """Statements that expose `culprit` together; `held` is a journal with one of them in it."""

    culprit: Identity
    shown: tuple[bytes, ...]
    held: Chain  #: with an entry in the place of `lacking`
    lacking: tuple[int, ...] = ()  #: exhibits that this journal makes up for
    code: str | None = None  #: what the game says at the place, where it is asked


def extended(chain: Chain, signed: Signed) -> Chain:
    entry = chain.check(signed)
    assert entry is not None
    chain.append(entry)
    return chain


def two_orders() -> Proof:
    one = order(chain_of(2), said(chain_of(2), 2, 1))
    two = order(chain_of(2), said(chain_of(2), 3, 1))
    return Proof(ANNA, shown(ordered=[one, two]), extended(chain_of(2), one), (0,))


def torn_before() -> Proof:
    """Ours is the earlier one."""
    chain = chain_of(2)
    late = order(chain, said(chain, 3, 1), seq=3, previous=bytes(32))
    return Proof(ANNA, (chain.entries[2].exhibit(), *shown(ordered=late)), chain, (0,))


def torn_after() -> Proof:
    """Ours is the later one, the first of its term."""
    chain = chain_of(2)
    chain.begin_term(CARLA, elect(chain, 2))
    early = order(chain, said(chain, 3, 1), seq=2, term=2, previous=bytes(32), signer=CARLA)
    return Proof(CARLA, (*shown(ordered=early), chain.entries[3].exhibit()), chain, (1,))


def counters() -> Proof:
    chain = chain_of(3)
    far = order(chain, said(chain, 1, 2, b"again"), seq=7, previous=bytes(32))
    return Proof(ANNA, (chain.entries[2].exhibit(), *shown(ordered=far)), chain, (0,))


def counters_of_two_terms() -> Proof:
    """Only the history before the order shows that its author was ordered there already."""
    chain = chain_of(3)
    chain.begin_term(CARLA, elect(chain, 2))
    late = order(chain, said(chain, 1, 2, b"again"), signer=CARLA)
    return Proof(CARLA, shown(ordered=late), chain)


def two_elections_of_one() -> Proof:
    chain, other = chain_of(2), chain_of(1)
    ours = chain.begin_term(CARLA, elect(chain, 2))
    theirs = other.begin_term(CARLA, elect(other, 2))
    return Proof(CARLA, (ours.exhibit(), theirs.exhibit()), chain, (0,))


def two_elections_of_two() -> Proof:
    chain, other = chain_of(2), chain_of(2)
    ours = chain.begin_term(CARLA, elect(chain, 2, voters=(1, 2, 3)))
    theirs = other.begin_term(DORA, elect(other, 3, voters=(0, 3, 4)))
    return Proof(DORA, (ours.exhibit(), theirs.exhibit()), chain, (0,))


def two_votes() -> Proof:
    chain = chain_of(2)
    chain.begin_term(CARLA, elect(chain, 2, voters=(1, 2, 3)))
    before = chain_of(2)
    votes = shown(vote=[vote(before, 3, 2), vote(before, 3, 4)])
    return Proof(DORA, votes, chain, (0,))


def two_statements() -> Proof:
    chain = chain_of(1)
    words = shown(authored=[said(chain, 1, 1), said(chain, 1, 1, b"other")])
    return Proof(BERT, words, chain, (0,))


def refused_and_ordered() -> Proof:
    chain = chain_of(2)
    refusal = refuse(chain, said(chain, 1, 1), author=1, counter=1)
    return Proof(ANNA, (chain.entries[1].exhibit(), *shown(refusal=refusal)), chain, (0,))


def refused_elsewhere() -> Proof:
    chain = chain_of(2)
    refusal = refuse(chain, said(chain, 3, 1), author=3, place=2, hashed=bytes(32))
    return Proof(ANNA, (chain.entries[2].exhibit(), *shown(refusal=refusal)), chain, (0,))


def refused_elsewhere_with_the_statement() -> Proof:
    """As whoever complains of an unjust refusal shows it: R11."""
    chain, word = chain_of(2), said(chain_of(2), 3, 1)
    refusal = refuse(chain, word, author=3, place=2, hashed=bytes(32))
    shows = (chain.entries[2].exhibit(), *shown(refusal=refusal, authored=word))
    return Proof(ANNA, shows, chain, (0,))


def forged_author() -> Proof:
    chain = chain_of(2)
    return Proof(ANNA, shown(ordered=order(chain, said(chain, 3, 1, signer=ANNA))), chain)


def removal_of_nobody() -> Proof:
    chain = chain_of(2)
    removal = remove(chain, 4, [ack(chain, one, 2) for one in (0, 1)])
    return Proof(ANNA, shown(ordered=order(chain, removal)), chain)


def another_ancestor() -> Proof:
    chain = chain_of(2)
    word = said(chain, 3, 1, ancestor=ELSEWHERE)
    return Proof(ANNA, shown(ordered=order(chain, word)), chain)


def passed_counter() -> Proof:
    """Of a new host, so that the two orders are not of one term."""
    chain = chain_of(2)
    chain.begin_term(CARLA, elect(chain, 2))
    word = order(chain, said(chain, 1, 1, b"again"), signer=CARLA)
    return Proof(CARLA, shown(ordered=word), chain)


def votes_for_another_journal() -> Proof:
    chain = chain_of(2)
    elected = order(chain, elect(chain_of(1), 2), term=2, signer=CARLA)
    return Proof(CARLA, shown(ordered=elected), chain)


def a_term_that_has_ended() -> Proof:
    """Of the host of both: another's word counts for nothing then."""
    chain = chain_of(2)
    chain.begin_term(ANNA, elect(chain, 0))
    return Proof(ANNA, shown(ordered=order(chain, said(chain, 3, 1), term=1)), chain)


def illegal_order() -> Proof:
    chain = chain_of(2)
    return Proof(ANNA, shown(ordered=order(chain, said(chain, 3, 1))), chain, code="late")


def unjust_refusal() -> Proof:
    chain, word = chain_of(2), said(chain_of(2), 3, 1)
    refusal = refuse(chain, word, author=3)
    return Proof(ANNA, shown(refusal=refusal, authored=word), chain)


def false_accusation() -> Proof:
    chain = chain_of(2)
    accusation = said(chain, 0, 1, make_accusation(said(chain, 3, 1)))
    return Proof(ANNA, shown(ordered=order(chain, accusation)), chain, code="late")


def condemned_statement() -> Proof:
    chain = chain_of(2)
    accusation = said(chain, 0, 1, make_accusation(said(chain, 3, 1)))
    return Proof(DORA, shown(ordered=order(chain, accusation)), chain, code=CHEAT)


TABLE: dict[str, Callable[[], Proof]] = {
    make.__name__: make
    for make in (
        two_orders,
        torn_before,
        torn_after,
        counters,
        counters_of_two_terms,
        two_elections_of_one,
        two_elections_of_two,
        two_votes,
        two_statements,
        refused_and_ordered,
        refused_elsewhere,
        forged_author,
        removal_of_nobody,
        another_ancestor,
        passed_counter,
        votes_for_another_journal,
        a_term_that_has_ended,
        illegal_order,
        unjust_refusal,
        false_accusation,
        condemned_statement,
    )
}


def judged(proof: Proof, chain: Chain, evidence: tuple[bytes, ...]) -> RemoteError | None:
    def game(place: int, said: Authored) -> str | None:
        return proof.code

    return judge(chain, evidence, game, chain.head)


def names(problem: RemoteError | None, proof: Proof) -> bool:
    return problem is not None and problem.culprit == proof.culprit.public


@pytest.mark.parametrize("name", TABLE)
def test_what_is_shown_whole_is_judged_alike_whatever_journal_one_has(name: str) -> None:
    proof = TABLE[name]()
    assert names(judged(proof, proof.held, proof.shown), proof)
    assert names(judged(proof, proof.held, proof.shown[::-1]), proof)
    if proof.lacking:
        assert names(judged(proof, chain_of(0), proof.shown), proof)  # who was shown nothing


@pytest.mark.parametrize("name", TABLE)
def test_ones_own_journal_stands_in_the_place_of_a_statement(name: str) -> None:
    proof = TABLE[name]()
    rest = tuple(one for at, one in enumerate(proof.shown) if at not in proof.lacking)
    found = judged(proof, proof.held, rest)
    assert names(found, proof)
    assert found is not None
    # What was found so is shown whole to the next one, whose journal may be another: it proves
    # alone, or names the place at which it is to be judged.
    assert names(judged(proof, proof.held, found.evidence), proof)
    if place_needed(proof.held.genesis, found.evidence) is None:
        assert names(judged(proof, chain_of(0), found.evidence), proof)
    if proof.lacking:
        assert names(judged(proof, chain_of(0), found.evidence), proof)


def test_a_refusal_in_another_history_is_found_in_whoevers_hands() -> None:
    """Others' refusals too, with the statement beside them."""
    proof = refused_elsewhere_with_the_statement()
    assert names(judged(proof, proof.held, proof.shown[1:]), proof)


@pytest.mark.parametrize("name", TABLE)
def test_half_of_a_proof_proves_nothing_to_who_does_not_hold_the_other(name: str) -> None:
    proof = TABLE[name]()
    rest = tuple(one for at, one in enumerate(proof.shown) if at not in proof.lacking)
    if proof.lacking:
        assert prove(chain_of(0), rest) is None
        return
    assert judged(proof, chain_of(0), rest) is None or name == "forged_author"


@pytest.mark.parametrize("name", TABLE)
def test_who_lacks_the_history_judges_in_what_another_shows_of_it(name: str) -> None:
    """Whether it was confirmed or not: its hash is in what was signed."""
    proof = TABLE[name]()
    needed = place_needed(proof.held.genesis, proof.shown)
    if needed is None:
        assert len(proof.shown) == 2
        return
    place, entry_hash = needed
    assert proof.held.hash_at(place) == entry_hash
    ours = chain_of(1)
    judges = court(ours, 1, [entry.signed for entry in proof.held.entries[2 : place + 1]])
    assert judges.hash_at(place) == entry_hash
    assert names(judged(proof, judges, proof.shown), proof)
    assert ours.head == 1


def test_entries_that_are_no_journal_are_no_court() -> None:
    chain = chain_of(3)
    entries = [entry.signed for entry in chain.entries]
    for wrong in (
        entries[3:],
        entries[1:2],
        [order(chain_of(2), said(chain, 2, 1, signer=ANNA))],
    ):
        with pytest.raises(RemoteError):
            court(chain, 1, wrong)
    assert court(chain, 1, entries[2:]).head == 3
    with pytest.raises(Malformed):
        court(chain, 2, entries[2:])  # what is there already


HONEST: dict[str, Callable[[], tuple[bytes, ...]]] = {
    "orders that follow each other": lambda: (
        chain_of(2).entries[1].exhibit(),
        chain_of(2).entries[2].exhibit(),
    ),
    "an order that we have": lambda: (chain_of(2).entries[2].exhibit(),),
    "the next one": lambda: shown(ordered=order(chain_of(3), said(chain_of(3), 2, 1))),
    "two statements of one author": lambda: shown(
        authored=[said(chain_of(1), 1, 1), said(chain_of(1), 1, 2)]
    ),
    "two votes for one candidate": lambda: shown(
        vote=[vote(chain_of(2), 3, 2), vote(chain_of(1), 3, 2)]
    ),
    "votes in two terms": lambda: shown(
        vote=[vote(chain_of(2), 3, 2, 2), vote(chain_of(2), 3, 4, 3)]
    ),
    "a refusal of another match": lambda: shown(
        ordered=chain_of(3).entries[1].signed,
        refusal=refuse(chain_of(3), said(chain_of(3), 1, 1), match=ELSEWHERE),
    ),
    "a refusal of another term": lambda: shown(
        ordered=chain_of(3).entries[1].signed,
        refusal=refuse(chain_of(3), said(chain_of(3), 1, 1), term=2),
    ),
    "a refusal by nobody": lambda: shown(
        ordered=chain_of(3).entries[1].signed,
        refusal=refuse(chain_of(3), said(chain_of(3), 1, 1), signer=EMIL),
    ),
    "noise": lambda: (b"noise", exhibit("ordered", Signed(b"", bytes(64)))),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_honest_ones_sign_or_nobody_has_signed_proves_nothing(name: str) -> None:
    for entries in range(4):
        chain = chain_of(entries)
        assert prove(chain, HONEST[name]()) is None
    elected = chain_of(3)
    elected.begin_term(CARLA, elect(elected, 2))
    assert prove(elected, HONEST[name]()) is None
