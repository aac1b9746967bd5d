"""The vectors of PROTOCOL.md, 1 "Sealed cards": bytes that hold as long as the version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocol.cards import commitment
from protocol.cards.deck import SealedCards
from protocol.cards.group import Edwards25519, Group, Point, generator
from protocol.cards.holder import CardHolder
from protocol.cards.share_keys import KeyPair, check_beside, check_key
from protocol.cards.transcript import PROTOCOL, frame
from protocol.errors import BadProof, Malformed, RemoteError
from tests.protocol.slow_group import SlowEdwards25519
from tests.protocol.slow_verifier import (
    Claim,
    Refused,
    check_key_beside,
    check_shares_step,
    check_shuffle_step,
    check_transfer_step,
)

FOLDER = Path(__file__).parent / "vectors"
HASHING = json.loads((FOLDER / "cards-hashing.json").read_text(encoding="utf-8"))
KEYS = json.loads((FOLDER / "cards-keys.json").read_text(encoding="utf-8"))
MATCH = json.loads((FOLDER / "cards-match.json").read_text(encoding="utf-8"))
TRANSFER = json.loads((FOLDER / "cards-transfer.json").read_text(encoding="utf-8"))
GROUPS = [Edwards25519(), SlowEdwards25519()]

both = pytest.mark.parametrize("group", GROUPS, ids=["real", "slow"])


def test_version_and_framing() -> None:
    assert HASHING["protocol"].encode() == PROTOCOL
    for vector in HASHING["frames"]:
        assert frame(*map(bytes.fromhex, vector["parts"])).hex() == vector["bytes"]


@both
def test_hashing_to_the_group(group: Group) -> None:
    for vector in HASHING["scalars"]:
        domain, message = vector["domain"].encode(), bytes.fromhex(vector["message"])
        assert group.hash_to_scalar(domain, message).hex() == vector["scalar"]
    for vector in HASHING["points"]:
        domain, message = vector["domain"].encode(), bytes.fromhex(vector["message"])
        assert group.hash_to_point(domain, message).hex() == vector["point"]
    assert [generator(group, index).hex() for index in range(4)] == HASHING["generators"]


@pytest.mark.parametrize("vector", KEYS["rosters"])
def test_keys_that_may_not_stand_together(vector: dict[str, object]) -> None:
    publics = [bytes.fromhex(key) for key in vector["publics"]]  # type: ignore[attr-defined]
    for place, public in enumerate(publics):
        shown = publics[:place]
        if place == vector["refused"]:
            with pytest.raises(BadProof):
                check_beside(GROUPS[0], [Point(key) for key in shown], Point(public))
            with pytest.raises(Refused):
                check_key_beside(shown, public)
            break
        check_beside(GROUPS[0], [Point(key) for key in shown], Point(public))
        check_key_beside(shown, public)
    else:
        assert vector["refused"] is None


@both
def test_forbidden_bytes(group: Group) -> None:
    for encoding in HASHING["forbidden_points"]:
        with pytest.raises(Malformed):
            group.decode_point(bytes.fromhex(encoding))
    for encoding in HASHING["forbidden_scalars"]:
        with pytest.raises(Malformed):
            group.decode_scalar(bytes.fromhex(encoding))


def test_commitments() -> None:
    for vector in HASHING["commitments"]:
        parts = (
            bytes.fromhex(vector["context"]),
            vector["label"].encode(),
            vector["value"].encode(),
            bytes.fromhex(vector["nonce"]),
        )
        assert commitment.commit(*parts).hex() == vector["commitment"]
        commitment.check(*parts, bytes.fromhex(vector["commitment"]))


def _table() -> tuple[SealedCards, list[CardHolder]]:
    group, context = GROUPS[0], bytes.fromhex(MATCH["context"])
    keys = [KeyPair.from_secret(group, bytes.fromhex(one["secret"])) for one in MATCH["keys"]]
    publics = [
        check_key(
            group,
            context,
            one["operator"],
            bytes.fromhex(one["commitment"]),
            bytes.fromhex(one["opening"]),
        )
        for one in MATCH["keys"]
    ]
    cards = SealedCards(group, context, publics)
    cards.lay(range(len(MATCH["labels"])), [label.encode() for label in MATCH["labels"]])
    return cards, [CardHolder(cards, i, pair) for i, pair in enumerate(keys)]


def _fold(cards: SealedCards) -> None:
    for one in MATCH["shuffles"]:
        cards.apply_shuffle(
            one["operator"], one["slots"], one["purpose"].encode(), bytes.fromhex(one["step"])
        )
    for one in MATCH["shares"]:
        cards.apply_shares(
            one["operator"], one["slots"], one["purpose"].encode(), bytes.fromhex(one["step"])
        )


def test_a_match_opens_to_its_faces() -> None:
    cards, holders = _table()
    assert cards.joint.hex() == MATCH["joint"]
    laid = [one.to_bytes().hex() for one in cards.ciphertexts(range(4))]
    assert laid == MATCH["laid"]
    _fold(cards)
    for slot, label in MATCH["open"].items():
        assert cards.face(int(slot)) == label.encode()
    assert cards.face(3) is None
    for slot, label in MATCH["operator_0_sees"].items():
        assert holders[0].peek(int(slot)) == label.encode()
    assert holders[1].peek(3) is None


def test_the_second_verifier_holds_the_vectors_too() -> None:
    cards, _ = _table()
    publics = tuple(map(bytes, cards.publics))
    sealed = list(map(bytes.fromhex, MATCH["laid"]))
    version = 1
    for one in MATCH["shuffles"]:
        places = tuple((slot, version) for slot in one["slots"])
        step = bytes.fromhex(one["step"])
        claim = Claim(cards.context, one["purpose"].encode(), one["operator"], publics, places)
        check_shuffle_step(claim, sealed, step)
        sealed = [step[64 * i : 64 * i + 64] for i in range(len(sealed))]
        version += 1
    for one in MATCH["shares"]:
        places = tuple((slot, version) for slot in one["slots"])
        claim = Claim(cards.context, one["purpose"].encode(), one["operator"], publics, places)
        chosen = [sealed[slot] for slot in one["slots"]]
        check_shares_step(claim, chosen, bytes.fromhex(one["step"]))


def test_edited_vectors_are_refused() -> None:
    cards, _ = _table()
    one = MATCH["shuffles"][0]
    step = bytearray.fromhex(one["step"])
    for position in range(0, len(step), 97):
        edited = bytearray(step)
        edited[position] ^= 4
        with pytest.raises(RemoteError):
            cards.apply_shuffle(0, one["slots"], b"deck", bytes(edited))
    with pytest.raises(BadProof):
        cards.apply_shuffle(0, one["slots"], b"desk", bytes(step))


def test_cards_handed_on_open_to_their_faces() -> None:
    """Dealt to 0, passed to 1, mixed, veiled, shuffled, opened; held by both verifiers."""
    context, steps = bytes.fromhex(TRANSFER["context"]), TRANSFER
    keys = [KeyPair.from_secret(GROUPS[0], bytes.fromhex(one)) for one in steps["secrets"]]
    publics = tuple(pair.public for pair in keys)
    cards, slots = SealedCards(GROUPS[0], context, publics), (0, 1, 2)
    cards.lay(slots, [label.encode() for label in steps["labels"]])

    def claim(operator: int, purpose: bytes, version: int) -> Claim:
        places = tuple((slot, version) for slot in slots)
        return Claim(context, purpose, operator, publics, places)

    def lying(owner: int | None = None) -> list[bytes]:
        return [one.to_bytes() for one in cards.bare(slots, owner)[0]]

    dealt = bytes.fromhex(steps["shares_of_1"])
    check_shares_step(claim(1, b"deal", 1), lying(), dealt)
    cards.apply_shares(1, slots, b"deal", dealt)
    passed = bytes.fromhex(steps["passed_to_1"])
    check_transfer_step(claim(0, b"pass", 1), publics[1], lying(0), passed)
    cards.apply_transfer(0, 1, slots, b"pass", passed)
    mixed = bytes.fromhex(steps["mixed_by_1"])
    check_shuffle_step(claim(1, b"mix", 2), lying(1), mixed, publics[1])
    cards.apply_shuffle(1, slots, b"mix", mixed, alone=True)
    taker = CardHolder(cards, 1, keys[1])
    for slot, label in steps["operator_1_sees"].items():
        assert taker.peek(int(slot)) == label.encode()
    veils = bytes.fromhex(steps["veils_of_0"])
    check_shares_step(claim(0, b"veil", 3), lying(), veils)
    cards.apply_veils(0, slots, veils)
    shuffled = bytes.fromhex(steps["shuffled_by_0"])
    check_shuffle_step(claim(0, b"deck", 3), lying(), shuffled)
    cards.apply_shuffle(0, slots, b"deck", shuffled)
    for operator, step in enumerate(map(bytes.fromhex, steps["opened"])):
        check_shares_step(claim(operator, b"open", 4), lying(), step)
        cards.apply_shares(operator, slots, b"open", step)
    for slot, label in steps["open"].items():
        assert cards.face(int(slot)) == label.encode()
