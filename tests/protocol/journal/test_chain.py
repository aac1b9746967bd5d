"""The journal: what makes an entry the next one, and what evidence proves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import (
    BadSignature,
    Equivocation,
    IllegalEntry,
    Impostor,
    Malformed,
    RemoteError,
    VersionMismatch,
)
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Entry, Journal, check_journal
from protocol.journal.evidence import exhibit, prove_alone
from protocol.journal.genesis import make_genesis, open_terms
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    VERSION,
    Ack,
    Authored,
    Ordered,
    Refusal,
    Signed,
    Terms,
    agree_to,
    authored_hash,
    sign,
)
from protocol.roster import Operator, Seat
from protocol.wire.codec import encode
from tests.protocol.tabletop import TABLE, genesis, lobby, match_of, operators

IDENTITIES = operators(3)
HOST, BERT, CARLA = IDENTITIES
FIRST = genesis(IDENTITIES)
MATCH = match_of(FIRST)


@pytest.fixture
def chain() -> Chain:
    return Chain(FIRST)


def said(
    author: int,
    counter: int,
    ancestor: bytes,
    body: bytes = b"body",
    match: bytes = MATCH,
    signer: Identity | None = None,
) -> Signed:
    statement = Authored(match, author, counter, ancestor, body)
    return sign(signer or IDENTITIES[author], DOMAIN_AUTHORED, statement)


def ordered(
    chain: Chain,
    authored: Signed,
    *,
    seq: int | None = None,
    previous: bytes | None = None,
    term: int = 1,
    signer: Identity = HOST,
) -> Signed:
    place = chain.head + 1 if seq is None else seq
    before = chain.hash_at(chain.head) if previous is None else previous
    statement = Ordered(term, place, before, authored.content, authored.signature)
    return sign(signer, DOMAIN_ORDERED, statement)


def add(chain: Chain, author: int, counter: int, body: bytes = b"body") -> Entry:
    return chain.extend(HOST, said(author, counter, chain.hash_at(0), body))


def test_what_a_host_puts_in_order_is_accepted_by_everybody(chain: Chain) -> None:
    other = Chain(genesis_of(chain))
    for counter in (1, 2, 3):
        entry = add(chain, 1, counter)
        checked = other.check(entry.signed)
        assert checked == entry
        other.append(checked)
    assert other.hash_at(3) == chain.hash_at(3)


def genesis_of(chain: Chain) -> Signed:
    return chain.entries[0].signed


def test_an_entry_that_is_here_already_is_no_news(chain: Chain) -> None:
    entry = add(chain, 1, 1)
    assert chain.check(entry.signed) is None


def test_an_entry_not_signed_by_the_host_is_refused(chain: Chain) -> None:
    with pytest.raises(BadSignature):
        chain.check(ordered(chain, said(1, 1, chain.hash_at(0)), signer=BERT))


def test_a_forged_author_shows_the_host_as_the_forger(chain: Chain) -> None:
    forged = ordered(chain, said(1, 1, chain.hash_at(0), signer=HOST))
    with pytest.raises(BadSignature) as caught:
        chain.check(forged)
    assert caught.value.culprit == HOST.public
    verdict = prove_alone(chain.genesis, caught.value.evidence)
    assert isinstance(verdict, BadSignature)
    assert verdict.culprit == HOST.public


def test_a_statement_of_another_table_is_refused(chain: Chain) -> None:
    foreign = said(1, 1, chain.hash_at(0), match=bytes(32))
    with pytest.raises(BadSignature) as caught:
        chain.check(ordered(chain, foreign))
    assert caught.value.culprit == HOST.public
    # Shown to others it proves nothing: an honest entry of that other table looks the same.
    assert prove_alone(chain.genesis, caught.value.evidence) is None


def test_a_statement_of_nobody_at_the_table_is_refused(chain: Chain) -> None:
    stranger = said(7, 1, chain.hash_at(0), signer=Identity.fresh())
    with pytest.raises(BadSignature):
        chain.check(ordered(chain, stranger))


def test_a_number_left_out_is_refused(chain: Chain) -> None:
    with pytest.raises(Malformed):
        chain.check(ordered(chain, said(1, 1, chain.hash_at(0)), seq=2))


def test_a_term_that_nobody_elected_is_refused(chain: Chain) -> None:
    with pytest.raises(Malformed):
        chain.check(ordered(chain, said(1, 1, chain.hash_at(0)), term=2))


def test_two_entries_for_one_place_prove_a_lying_host(chain: Chain) -> None:
    other = ordered(chain, said(2, 1, chain.hash_at(0)))
    add(chain, 1, 1)
    with pytest.raises(Equivocation) as caught:
        chain.check(other)
    verdict = prove_alone(chain.genesis, caught.value.evidence)
    assert isinstance(verdict, Equivocation)
    assert verdict.culprit == caught.value.culprit == HOST.public


def test_an_entry_grafted_onto_another_history_proves_a_lying_host(chain: Chain) -> None:
    add(chain, 1, 1)
    grafted = ordered(chain, said(2, 1, chain.hash_at(0)), previous=bytes(32))
    with pytest.raises(Equivocation) as caught:
        chain.check(grafted)
    assert isinstance(prove_alone(chain.genesis, caught.value.evidence), Equivocation)


def test_an_author_who_saw_another_history_gives_the_host_away(chain: Chain) -> None:
    elsewhere = said(1, 1, b"\x01" * 32)
    with pytest.raises(IllegalEntry) as caught:
        chain.check(ordered(chain, elsewhere))
    assert caught.value.culprit == HOST.public


def test_a_host_that_turns_an_authors_statements_round_is_caught(chain: Chain) -> None:
    add(chain, 1, 2)
    with pytest.raises(IllegalEntry) as caught:
        chain.check(ordered(chain, said(1, 1, chain.hash_at(0))))
    assert isinstance(prove_alone(chain.genesis, caught.value.evidence), IllegalEntry)


def test_a_counter_used_twice_is_refused(chain: Chain) -> None:
    add(chain, 1, 1)
    with pytest.raises(IllegalEntry):
        chain.check(ordered(chain, said(1, 1, chain.hash_at(0), b"other")))


def test_an_old_ancestor_is_in_order_as_long_as_it_is_in_the_history(chain: Chain) -> None:
    for counter in range(1, 9):
        add(chain, 1, counter)
    assert chain.check(ordered(chain, said(2, 1, chain.hash_at(2)))) is not None


def test_bytes_of_another_form_are_refused(chain: Chain) -> None:
    content = b"\x95" + bytes(5)
    signed = Signed(content, HOST.sign(DOMAIN_ORDERED, content))
    with pytest.raises(Malformed) as caught:
        chain.check(signed)
    assert caught.value.culprit == HOST.public


# The genesis.


def roster(*identities: Identity) -> tuple[Operator, ...]:
    return tuple(Operator(one.public, "xyz"[n], ()) for n, one in enumerate(identities))


def terms(**changes: object) -> bytes:
    fields: dict[str, object] = {
        "version": VERSION,
        "table": TABLE,
        "name": "Kitchen",
        "options": b"",
        "operators": roster(*IDENTITIES),
        "seats": tuple(Seat("taken", "xyz"[index], index, "") for index in range(3)),
    }
    return encode(Terms(**{**fields, **changes}))  # type: ignore[arg-type]  # by design


def first(content: bytes, signers: list[Identity] | None = None) -> Signed:
    agreed = [agree_to(content, one, bytes(16)) for one in signers or IDENTITIES]
    return make_genesis(HOST, content, tuple(agreed))


def test_the_genesis_names_the_table_and_binds_its_digest() -> None:
    chain = Chain(first(terms()))
    again = Chain(first(terms(name="Garden")))
    assert chain.genesis.table == TABLE
    assert [operator.identity for operator in chain.genesis.operators] == [
        one.public for one in IDENTITIES
    ]
    assert chain.genesis.digest != again.genesis.digest


def test_nobody_is_put_at_a_table_that_he_did_not_agree_to() -> None:
    for signers in ([HOST, BERT], [HOST, BERT, BERT], [HOST, CARLA, BERT]):
        with pytest.raises(Impostor) as caught:
            Chain(first(terms(), signers))
        assert caught.value.culprit == HOST.public


def test_an_agreement_to_other_terms_does_not_count() -> None:
    agreed = tuple(agree_to(terms(), one, bytes(16)) for one in IDENTITIES)
    with pytest.raises(Impostor):
        Chain(make_genesis(HOST, terms(options=b"other"), agreed))


def test_keys_swapped_at_joining_leave_a_missing_agreement() -> None:
    mallory = Identity.fresh()
    with pytest.raises(Impostor):
        Chain(first(terms(operators=roster(HOST, mallory, CARLA))))


def test_a_first_entry_of_another_host_is_refused() -> None:
    content = terms()
    agreed = tuple(agree_to(content, one, bytes(16)) for one in IDENTITIES)
    with pytest.raises(BadSignature):
        Chain(make_genesis(BERT, content, agreed))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"version": VERSION + 1}, VersionMismatch),
        ({"operators": (Operator(HOST.public, "x", ()),) * 3}, Malformed),
        ({"seats": (Seat("open", "", None, ""),)}, IllegalEntry),
        ({"seats": (Seat("taken", "x", None, ""),)}, Malformed),
        ({"seats": (Seat("open", "x", 0, ""),)}, Malformed),
        ({"seats": (Seat("bot", "x", 3, "easy"),)}, Malformed),
    ],
)
def test_terms_that_make_no_sense_are_refused(
    changes: dict[str, object], error: type[RemoteError]
) -> None:
    with pytest.raises(error):
        Chain(first(terms(**changes)))


def test_terms_of_another_version_are_known_whatever_their_shape() -> None:
    for content in ([VERSION + 1, "and", 7], [VERSION - 1]):
        with pytest.raises(VersionMismatch):
            open_terms(encode(content))
    for content in ([VERSION, "and", 7], []):
        with pytest.raises(Malformed):
            open_terms(encode(content))


def test_an_ordinary_entry_is_no_genesis(chain: Chain) -> None:
    with pytest.raises(RemoteError):
        Chain(add(chain, 1, 1).signed)


# Acknowledgements.


def ack(chain: Chain, operator: int, seq: int, entry_hash: bytes | None = None) -> Signed:
    seen = chain.hash_at(seq) if entry_hash is None else entry_hash
    return sign(IDENTITIES[operator], DOMAIN_ACK, Ack(MATCH, 1, operator, seq, seen, b""))


def test_a_majority_confirms(chain: Chain) -> None:
    add(chain, 1, 1)
    held = chain.check_quorum_certificate(1, (ack(chain, 0, 1), ack(chain, 2, 1)))
    assert [one.operator for one in held] == [0, 2]


def test_less_than_a_majority_does_not(chain: Chain) -> None:
    add(chain, 1, 1)
    own = ack(chain, 0, 1)
    for acks in ((own,), (own, own), (own, ack(chain, 1, 0))):
        with pytest.raises(Malformed) as caught:
            chain.check_quorum_certificate(1, acks)
        assert caught.value.culprit is None  # whoever has brought it


def test_a_forged_acknowledgement_is_refused(chain: Chain) -> None:
    forged = sign(HOST, DOMAIN_ACK, Ack(MATCH, 1, 1, 0, chain.hash_at(0), b""))
    with pytest.raises(BadSignature):
        chain.check_quorum_certificate(0, (ack(chain, 0, 0), forged))


def test_an_acknowledgement_is_an_operators_of_this_table(chain: Chain) -> None:
    stranger = Identity.fresh()
    for signer, match, operator in ((HOST, bytes(32), 0), (stranger, MATCH, 3)):
        wrong = sign(signer, DOMAIN_ACK, Ack(match, 1, operator, 0, chain.hash_at(0), b""))
        with pytest.raises(Malformed):
            chain.check_ack(wrong)
    own = ack(chain, 1, 0)
    forged = Signed(own.content, bytes(64))
    said = chain.check_ack(own)
    assert chain.check_ack(forged, {forged: said}) is said  # we know our own
    with pytest.raises(BadSignature):
        chain.check_ack(forged, {own: said})


def test_an_acknowledgement_of_another_entry_exposes_nobody(chain: Chain) -> None:
    """It is its signer's word, and no signature of the host's."""
    entry = add(chain, 1, 1)
    other = ack(chain, 2, 1, bytes(32))
    with pytest.raises(Malformed) as caught:
        chain.check_quorum_certificate(1, (ack(chain, 0, 1), other))
    assert not caught.value.evidence
    assert prove_alone(chain.genesis, (entry.exhibit(), exhibit("ack", other))) is None


def test_an_acknowledgement_of_the_future_is_refused(chain: Chain) -> None:
    with pytest.raises(Malformed):
        chain.check_ack(ack(chain, 0, 1, bytes(32)))


# Judging.


def test_two_statements_under_one_counter_prove_a_lying_author(chain: Chain) -> None:
    pair = [said(1, 1, chain.hash_at(0), body) for body in (b"one", b"two")]
    shown = tuple(exhibit("authored", one) for one in pair)
    verdict = prove_alone(chain.genesis, shown)
    assert isinstance(verdict, Equivocation)
    assert verdict.culprit == BERT.public
    assert prove_alone(chain.genesis, (shown[0], shown[0])) is None


def test_refused_and_ordered_prove_a_lying_host(chain: Chain) -> None:
    entry = add(chain, 1, 1)
    hashed, place = authored_hash(entry.inside.content), chain.hash_at(0)
    refusal = sign(HOST, DOMAIN_REFUSAL, Refusal(MATCH, 1, 1, 1, hashed, 0, place, "no"))
    verdict = prove_alone(chain.genesis, (entry.exhibit(), exhibit("refusal", refusal)))
    assert isinstance(verdict, Equivocation)
    assert verdict.culprit == HOST.public


def test_honest_statements_prove_nothing(chain: Chain) -> None:
    entries = [add(chain, 1, 1), add(chain, 1, 2), add(chain, 2, 1)]
    shown = [entry.exhibit() for entry in entries]
    acknowledged = exhibit("ack", ack(chain, 1, 1))
    for evidence in (
        (),
        (shown[0],),
        (shown[0], shown[1]),
        (shown[1], shown[2]),
        (shown[0], shown[0]),
        (acknowledged, shown[0]),
        (acknowledged, shown[1]),
        tuple(shown),
    ):
        assert prove_alone(chain.genesis, evidence) is None


def test_evidence_against_others_needs_their_signatures(chain: Chain) -> None:
    forged = [said(1, 1, chain.hash_at(0), body, signer=CARLA) for body in (b"one", b"two")]
    assert prove_alone(chain.genesis, tuple(exhibit("authored", one) for one in forged)) is None


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_whatever_evidence_is_brought_judging_never_raises(evidence: list[bytes]) -> None:
    genesis_value = Chain(genesis(IDENTITIES)).genesis
    assert prove_alone(genesis_value, tuple(evidence)) is None


# Saved journals.


def test_a_saved_journal_is_checked_from_its_first_entry_on(chain: Chain) -> None:
    for counter in range(1, 5):
        add(chain, 1, counter)
    records = tuple(entry.signed for entry in chain.entries)
    certificate = (ack(chain, 0, 4), ack(chain, 1, 4))
    assert check_journal(Journal(records, certificate)).head == 4
    for damaged in (
        (),
        records[1:],
        (*records[:2], *records[3:]),
        (*records[:3], records[2]),
        (*records[:2], records[3], records[2]),
        records[:4],  # what was confirmed has been cut off
    ):
        with pytest.raises(RemoteError):
            check_journal(Journal(damaged, certificate))


def test_a_lobby_is_what_its_guests_sign() -> None:
    room = lobby(IDENTITIES)
    assert Chain(first(room.terms)).beginning.terms == room.terms
