"""What folding up to a place proves: unjust refusals, illegal orders, false accusations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.application import FORBIDDEN
from protocol.errors import BadProof, Equivocation, IllegalEntry, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.refusals import (
    disputed_statement,
    prove_by_folding,
)
from protocol.journal.statements import Authored, Refusal, Signed
from protocol.wire.codec import decode
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    DORA,
    ELSEWHERE,
    chain_of,
    elect,
    order,
    refuse,
    said,
    shown,
    vote,
)

CHAIN = chain_of(3)
OTHER = b"\1" * 32
WORD = said(CHAIN, 2, 1)
STRANGER = Identity.fresh()


class Game:
    """What the table says of a statement; remembers what it was asked, and where."""

    def __init__(self, code: str | None) -> None:
        self.code = code
        self.asked: list[tuple[int, int, int]] = []

    def __call__(self, place: int, statement: Authored) -> str | None:
        self.asked.append((place, statement.author, statement.counter))
        return self.code


def proven(evidence: tuple[bytes, ...], game: Game, chain: Chain = CHAIN) -> RemoteError | None:
    return prove_by_folding(chain, evidence, game, chain.head)


# Refusals.


@pytest.mark.parametrize("place", [0, 2, 3])
def test_who_refuses_what_the_table_accepts_is_exposed(place: int) -> None:
    game = Game(None)
    evidence = shown(refusal=refuse(CHAIN, WORD, place=place, author=2), authored=WORD)
    problem = proven(evidence, game)
    assert isinstance(problem, IllegalEntry)
    assert (problem.culprit, problem.evidence) == (ANNA.public, evidence)
    assert game.asked == [(place, 2, 1)]


def test_the_host_of_the_refusals_term_is_exposed() -> None:
    chain = chain_of(1)
    chain.begin_term(DORA, elect(chain, 3))
    word = said(chain, 2, 1)
    refusal = refuse(chain, word, term=2, author=2, signer=DORA)
    problem = proven(shown(refusal=refusal, authored=word), Game(None), chain)
    assert problem is not None
    assert problem.culprit == DORA.public


def test_to_refuse_what_the_table_refuses_is_right() -> None:
    evidence = shown(refusal=refuse(CHAIN, WORD, author=2), authored=WORD)
    assert proven(evidence, Game("stale")) is None


LATE = said(CHAIN, 1, 3)  # Bert's third statement has its place
EARLY = said(CHAIN, 2, 1, ancestor=CHAIN.hash_at(2))
LOST = said(CHAIN, 2, 1, ancestor=OTHER)
ACCUSING = said(CHAIN, 2, 1, make_accusation(said(CHAIN, 3, 1)))

EXPLAINED: dict[str, Callable[[], tuple[bytes, ...]]] = {
    "judged at a place that is still to come": lambda: shown(
        refusal=refuse(CHAIN, WORD, place=4, hashed=OTHER, author=2), authored=WORD
    ),
    "judged in a term that is not ours": lambda: shown(
        refusal=refuse(CHAIN, WORD, term=2, author=2), authored=WORD
    ),
    "judged in another history": lambda: shown(
        refusal=refuse(CHAIN, WORD, hashed=OTHER, author=2), authored=WORD
    ),
    "at another table": lambda: shown(
        refusal=refuse(CHAIN, WORD, match=ELSEWHERE, author=2), authored=WORD
    ),
    "under another key": lambda: shown(
        refusal=refuse(CHAIN, WORD, author=2, signer=BERT), authored=WORD
    ),
    "of something else": lambda: shown(
        refusal=refuse(CHAIN, WORD, author=2), authored=said(CHAIN, 2, 1, b"other")
    ),
    "of another counter": lambda: shown(
        refusal=refuse(CHAIN, WORD, author=2, counter=2), authored=WORD
    ),
    "of a counter that has its place": lambda: shown(
        refusal=refuse(CHAIN, LATE, counter=3), authored=LATE
    ),
    "before its author had seen this": lambda: shown(
        refusal=refuse(CHAIN, EARLY, place=1, author=2), authored=EARLY
    ),
    "said of another history": lambda: shown(
        refusal=refuse(CHAIN, LOST, author=2), authored=LOST
    ),
    "an accusation by a guest": lambda: shown(
        refusal=refuse(CHAIN, ACCUSING, author=2), authored=ACCUSING
    ),
    "without the statement": lambda: shown(refusal=refuse(CHAIN, WORD, author=2)),
    "with a third exhibit": lambda: shown(
        refusal=refuse(CHAIN, WORD, author=2), authored=WORD, vote=vote(CHAIN, 1, 2)
    ),
    "a forged statement": lambda: shown(
        refusal=refuse(CHAIN, FORGED, author=2), authored=FORGED
    ),
}
FORGED = said(CHAIN, 2, 1, signer=BERT)


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_refusal_that_proves_nothing(name: str) -> None:
    game = Game(None)
    assert proven(EXPLAINED[name](), game) is None
    assert not game.asked


def test_a_counter_was_still_to_come_at_an_earlier_place() -> None:
    """What was refused before it had its place, in a later term, could have stood."""
    game = Game(None)
    assert proven(shown(refusal=refuse(CHAIN, LATE, place=2, counter=3), authored=LATE), game)
    assert game.asked == [(2, 1, 3)]


def test_a_refusal_at_the_ancestor_itself_counts() -> None:
    evidence = shown(refusal=refuse(CHAIN, EARLY, place=2, author=2), authored=EARLY)
    assert proven(evidence, Game(None))


def told(refusal: Signed) -> Refusal:
    return decode(refusal.content, Refusal, limit=1024)


@pytest.mark.parametrize("place", [1, 3])
def test_a_refusal_in_another_history_of_the_same_host_exposes_it(place: int) -> None:
    """It has signed one entry for that place, and names another one there."""
    refusal = refuse(CHAIN, WORD, place=place, hashed=OTHER, author=2)
    with pytest.raises(Equivocation) as caught:
        disputed_statement(CHAIN, told(refusal), refusal, WORD)
    assert caught.value.culprit == ANNA.public
    assert len(caught.value.evidence) == 2


@pytest.mark.parametrize(("place", "term"), [(0, 1), (3, 2), (4, 1), (3, 7)])
def test_a_refusal_in_another_history_of_another_host_does_not(place: int, term: int) -> None:
    """Nor one after the genesis, that everybody has signed, or after what we were not shown."""
    chain = chain_of(3)
    chain.begin_term(DORA, elect(chain, 3))
    refusal = refuse(chain, WORD, place=place, hashed=OTHER, term=term)
    if place == 4:  # Dora's own entry, refused after by Anna
        assert chain.entries[4].term == 2
    assert disputed_statement(chain, told(refusal), refusal, WORD) is None


# Orders.


@pytest.mark.parametrize("place", [0, 1, 3])
def test_who_orders_what_the_table_refuses_is_exposed(place: int) -> None:
    """Also in the place of an entry of ours."""
    game = Game("stale")
    evidence = shown(ordered=order(CHAIN, WORD, seq=place + 1))
    problem = proven(evidence, game)
    assert isinstance(problem, IllegalEntry)
    assert (problem.culprit, problem.evidence) == (ANNA.public, evidence)
    assert game.asked == [(place, 2, 1)]


def test_to_order_what_the_table_accepts_is_right() -> None:
    game = Game(None)
    assert proven(shown(ordered=order(CHAIN, WORD)), game) is None
    assert game.asked


NO_ORDER: dict[str, Callable[[], tuple[bytes, ...]]] = {
    "nothing": lambda: (),
    "noise": lambda: (b"noise",),
    "two orders": lambda: shown(ordered=[order(CHAIN, WORD), order(CHAIN, said(CHAIN, 3, 1))]),
    "another kind": lambda: shown(ack=order(CHAIN, WORD)),
    "of an election": lambda: shown(ordered=order(CHAIN, elect(CHAIN, 2), signer=CARLA)),
    "by nobody": lambda: shown(ordered=order(CHAIN, WORD, signer=STRANGER)),
    "of what nobody said": lambda: shown(ordered=order(CHAIN, said(CHAIN, 2, 1, signer=BERT))),
    "of another history": lambda: shown(ordered=order(CHAIN, WORD, previous=OTHER)),
    "of another number": lambda: shown(
        ordered=order(CHAIN, WORD, seq=3, previous=CHAIN.hash_at(3))
    ),
    "of a number far ahead": lambda: shown(
        ordered=order(CHAIN, WORD, seq=9, previous=CHAIN.hash_at(3))
    ),
}


@pytest.mark.parametrize("name", NO_ORDER)
def test_an_order_that_proves_nothing(name: str) -> None:
    game = Game("stale")
    assert proven(NO_ORDER[name](), game) is None
    assert not game.asked


# Accusations that somebody shows.


CHEAT = said(CHAIN, 3, 1, b"cheat", ancestor=CHAIN.hash_at(2))
CHEATED = f"{FORBIDDEN}proof: a share that does not hold"


def accused(word: Signed, accuser: int = 0, signer: Identity = ANNA) -> tuple[bytes, ...]:
    chain = CHAIN
    body = make_accusation(word)
    return shown(ordered=order(chain, said(chain, accuser, 4, body), signer=signer))


def test_an_accusation_is_judged_at_the_ancestor_of_its_statement() -> None:
    game = Game(CHEATED)
    problem = proven(accused(CHEAT), game)
    assert isinstance(problem, BadProof)
    assert problem.detail == "a share that does not hold"
    assert (problem.culprit, problem.evidence) == (DORA.public, accused(CHEAT))
    assert game.asked == [(2, 3, 1)]


@pytest.mark.parametrize("code", [None, "stale"])
def test_an_accusation_of_what_is_not_forbidden_there_exposes_the_accuser(
    code: str | None,
) -> None:
    problem = proven(accused(CHEAT), Game(code))
    assert isinstance(problem, IllegalEntry)
    assert problem.culprit == ANNA.public


@pytest.mark.parametrize(
    "word",
    [
        pytest.param(said(CHAIN, 1, 3), id="that has its place"),
        pytest.param(said(CHAIN, 1, 2), id="that was passed over"),
        pytest.param(said(CHAIN, 3, 1, ancestor=OTHER), id="of another history"),
        pytest.param(said(CHAIN, 0, 9), id="of its own"),
        pytest.param(said(CHAIN, 3, 1, signer=ANNA), id="that nobody signed"),
        pytest.param(said(CHAIN, 3, 1, match=ELSEWHERE), id="of another table"),
    ],
)
def test_an_accusation_of_nothing_exposes_the_accuser(word: Signed) -> None:
    game = Game(CHEATED)
    problem = proven(accused(word), game)
    assert problem is not None
    assert problem.culprit == ANNA.public
    assert not game.asked


def test_an_accusation_in_anothers_name_exposes_who_ordered_it() -> None:
    problem = proven(accused(CHEAT, accuser=2), Game(CHEATED))
    assert problem is not None
    assert problem.culprit == ANNA.public


def test_the_statement_may_have_been_said_right_before_the_accusation() -> None:
    word = said(CHAIN, 3, 1, b"cheat", ancestor=CHAIN.hash_at(3))
    game = Game(CHEATED)
    problem = proven(accused(word), game)
    assert problem is not None
    assert problem.culprit == DORA.public
    assert game.asked == [(3, 3, 1)]


def test_what_was_said_after_the_accusations_place_is_none() -> None:
    """The accuser stands at an earlier place than what its victim had seen."""
    body = make_accusation(CHEAT)  # its ancestor is entry 2
    ordered = order(CHAIN, said(CHAIN, 0, 4, body), seq=2)
    game = Game(CHEATED)
    problem = proven(shown(ordered=ordered), game)
    assert problem is not None
    assert problem.culprit == ANNA.public
    assert not game.asked
