"""Every proof about sealed cards, with what a checker computes on its way, and near misses.

Three operators; the secrets are in the file, so a prover can be held against it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from protocol.cards import escrow
from protocol.cards.elgamal import Ciphertext
from protocol.cards.group import Edwards25519, Point, Scalar, generator
from protocol.cards.proofs import check_possession, check_shares, prove_shares
from protocol.cards.share_keys import KeyPair, check_key, commit_key, open_key
from protocol.cards.shuffle import check_shuffle
from protocol.cards.transcript import Binding, whole
from protocol.cards.transfer import check_transfer
from protocol.errors import RemoteError
from tests.protocol.card_table import lay_table

CONTEXT = bytes(range(32))
LABELS = (b"deck/tavern", b"deck/tavern", b"deck/temple")
NEEDED = 2

Vector = dict[str, Any]


class Listening(Edwards25519):
    """The group, which writes down what was hashed in it since `begin`."""

    seeds: ClassVar[list[str]] = []
    weights: ClassVar[list[str]] = []
    challenges: ClassVar[list[str]] = []

    def begin(self) -> None:
        """A proof begins."""
        for heard in (self.seeds, self.weights, self.challenges):
            heard.clear()

    def hash_to_scalar(self, domain: bytes, message: bytes) -> Scalar:
        scalar = Edwards25519.hash_to_scalar(self, domain, message)
        if domain == b"weight":
            seed = message[:64].hex()
            if seed not in self.seeds:
                self.seeds.append(seed)
            self.weights.append(scalar.hex())
        elif domain == b"challenge":
            self.challenges.append(scalar.hex())
        return scalar

    def told(self) -> Vector:
        """What a checker must come to before it compares."""
        seed = {"seed": self.seeds[0], "weights": [*self.weights]} if self.seeds else {}
        return {**seed, "challenge": self.challenges[-1]}


def bound(binding: Binding) -> Vector:
    """A binding as it is written down; its purpose in hex, since some hold numbers."""
    return {
        "context": binding.context.hex(),
        "purpose": binding.purpose.hex(),
        "operator": binding.operator,
        "publics": [key.hex() for key in binding.publics],
        "places": [list(place) for place in binding.places],
    }


def binding_of(vector: Vector) -> Binding:
    """The same, read again."""
    return Binding(
        context=bytes.fromhex(vector["context"]),
        purpose=bytes.fromhex(vector["purpose"]),
        operator=vector["operator"],
        publics=tuple(Point(bytes.fromhex(key)) for key in vector["publics"]),
        places=tuple((slot, version) for slot, version in vector["places"]),
    )


def ciphertexts_of(rows: Sequence[str]) -> tuple[Ciphertext, ...]:
    """Ciphertexts in hex, read again."""
    raws = [bytes.fromhex(row) for row in rows]
    return tuple(Ciphertext(Point(raw[:32]), Point(raw[32:])) for raw in raws)


def check(group: Edwards25519, vector: Vector) -> None:
    """Judge one vector; a `RemoteError` where its proof does not hold."""
    binding, step = binding_of(vector), bytes.fromhex(vector["step"])
    inputs = ciphertexts_of(vector.get("inputs", ()))
    match vector["proof"]:
        case "possession":
            check_possession(group, binding, step)
        case "shares":
            check_shares(group, binding, inputs, step)
        case "transfer":
            receiver = Point(bytes.fromhex(vector["receiver"]))
            check_transfer(group, binding, receiver, inputs, step)
        case "shuffle":
            size = 64 * len(inputs)
            outputs = ciphertexts_of(
                [step[start : start + 64].hex() for start in range(0, size, 64)]
            )
            joint = Point(bytes.fromhex(vector["joint"]))
            check_shuffle(group, binding, joint, inputs, outputs, step[size:])


def with_change(vector: Vector, change: Vector) -> Vector:
    """A vector with one thing changed: a part of its step, or what it is said to be about."""
    step = bytes.fromhex(vector["step"])
    if "at" in change:
        put, at = bytes.fromhex(change["put"]), change["at"]
        step = step[:at] + put + step[at + len(put) :]
    step = step[: change.get("length", len(step))]
    about = {key: change[key] for key in ("context", "purpose", "places") if key in change}
    if "swapped" in change:
        first, second, *others = vector["inputs"]
        about["inputs"] = [second, first, *others]
    return {**vector, **about, "step": step.hex()}


def _near(vector: Vector, group: Edwards25519) -> list[Vector]:
    """Changes, each of which makes the proof one that has to be refused, and as what."""
    step = bytes.fromhex(vector["step"])
    end = len(step)
    beside = bytes([step[-32] ^ 1]) + step[-31:]
    far = bytes([255]) + bytes.fromhex(vector["context"])[1:]
    changes: list[Vector] = [
        {"what": "the last response is another", "at": end - 32, "put": beside.hex()},
        {"what": "the last response is q", "at": end - 32, "put": _order(group).hex()},
        {"what": "a byte is missing", "length": end - 1},
        {"what": "a byte is left over", "at": end, "put": "00"},
        {"what": "another context", "context": far.hex()},
        {"what": "another purpose", "purpose": b"other".hex()},
    ]
    if end > 64:
        changes += [
            {"what": "the first point is the identity", "at": 0, "put": _identity().hex()},
            {"what": "the first point is of order 2", "at": 0, "put": _order_two().hex()},
            {"what": "the first point is G", "at": 0, "put": group.generator.hex()},
        ]
    if vector["places"]:
        (slot, version), *rest = vector["places"]
        changes += [
            {"what": "another version", "places": [[slot, version + 1], *rest]},
            {"what": "another slot", "places": [[slot + 100, version], *rest]},
        ]
    if "inputs" in vector:
        changes.append({"what": "the first two inputs the other way round", "swapped": True})
    for change in changes:
        try:
            check(group, with_change(vector, change))
        except RemoteError as problem:
            change["error"] = problem.code
        else:
            raise AssertionError(f"{vector['name']}: {change['what']} is accepted")
    return changes


def _order(group: Edwards25519) -> bytes:
    return group.order.to_bytes(32, "little")


def _identity() -> bytes:
    return bytes([1]) + bytes(31)


def _order_two() -> bytes:
    return bytes([0xEC]) + b"\xff" * 30 + bytes([0x7F])


def vectors() -> Vector:
    """All proofs, in the order in which a match meets them."""
    group = Listening()
    keys = [
        KeyPair.from_secret(group, group.hash_to_scalar(b"vector", bytes([operator])))
        for operator in range(3)
    ]
    publics = tuple(pair.public for pair in keys)
    found: list[Vector] = []

    def told(name: str, kind: str, binding: Binding, step: bytes, **more: object) -> None:
        vector = {"name": name, "proof": kind, **bound(binding), **more, "step": step.hex()}
        group.begin()
        check(group, vector)
        vector["computed"] = group.told()
        vector["refused"] = _near(vector, group)
        found.append(vector)

    openings = [open_key(group, CONTEXT, at, pair) for at, pair in enumerate(keys)]
    commitments = [commit_key(CONTEXT, at, opening) for at, opening in enumerate(openings)]
    for at, (opening, promise) in enumerate(zip(openings, commitments, strict=True)):
        check_key(group, CONTEXT, at, promise, opening)
    possession = Binding(context=CONTEXT, purpose=b"", operator=0, publics=publics[:1])
    told("the key of an opening", "possession", possession, openings[0][32:96])

    table = lay_table(3, LABELS, context=CONTEXT, keys=keys)
    cards, slots = table.cards, table.slots

    def lying() -> list[str]:
        return [one.to_bytes().hex() for one in cards.ciphertexts(slots)]

    for operator, holder in enumerate(table.holders[:2]):
        step, _ = holder.make_shuffle(slots, b"shuffle")
        binding, inputs = cards.binding(operator, slots, b"shuffle"), lying()
        cards.apply_shuffle(operator, slots, b"shuffle", step)
        if operator == 0:
            joint = cards.joint.hex()
            told("a joint shuffle", "shuffle", binding, step, joint=joint, inputs=inputs)
    for operator in (1, 2):
        step = table.holders[operator].make_shares(slots, b"deal")
        binding, inputs = cards.binding(operator, slots, b"deal"), lying()
        cards.apply_shares(operator, slots, b"deal", step)
        if operator == 1:
            told("shares of dealt cards", "shares", binding, step, inputs=inputs)
    step = table.holders[0].make_transfer(slots, 1, b"pass")
    binding = cards.binding(0, slots, b"pass")
    bare = [one.to_bytes().hex() for one in cards.bare(slots, 0)[0]]
    told("cards passed on", "transfer", binding, step, receiver=publics[1].hex(), inputs=bare)
    cards.apply_transfer(0, 1, slots, b"pass", step)
    step, _ = table.holders[1].make_shuffle(slots, b"shuffle", alone=True)
    binding = cards.binding(1, slots, b"shuffle")
    bare = [one.to_bytes().hex() for one in cards.bare(slots, 1)[0]]
    key = publics[1].hex()
    told("a mix under one key", "shuffle", binding, step, joint=key, inputs=bare)
    cards.apply_shuffle(1, slots, b"shuffle", step, alone=True)
    for operator in (0, 2):
        step = table.holders[operator].make_veils(slots)
        binding = cards.binding(operator, slots, b"veil")
        if operator == 0:
            told("a veil", "shares", binding, step, inputs=lying())
        cards.apply_veils(operator, slots, step)
    inputs_under_veils = [one.to_bytes().hex() for one in cards.bare(slots)[0]]
    step, _ = table.holders[2].make_shuffle(slots, b"shuffle")
    binding, joint = cards.binding(2, slots, b"shuffle"), cards.joint.hex()
    told("after veils", "shuffle", binding, step, joint=joint, inputs=inputs_under_veils)
    cards.apply_shuffle(2, slots, b"shuffle", step)

    held = _escrow(group, keys, publics, found)
    parts = Binding(
        context=CONTEXT,
        purpose=b"escrow" + whole(0) + b"deal",
        operator=1,
        publics=held.points,
        places=tuple((slot, cards.version(slot)) for slot in slots),
    )
    value = held.open_seal(1, keys[1].secret)
    step = prove_shares(group, parts, cards.ciphertexts(slots), value)
    told("parts of a share", "shares", parts, step, inputs=lying())
    return {
        "group": group.name,
        "context": CONTEXT.hex(),
        "secrets": [pair.secret.hex() for pair in keys],
        "publics": [public.hex() for public in publics],
        "commitments": [one.hex() for one in commitments],
        "openings": [one.hex() for one in openings],
        "generators": [generator(group, at).hex() for at in range(4)],
        "proofs": found,
        "escrow": _shown(group, held, keys),
    }


_DEALT: dict[int, bytes] = {}


def _escrow(
    group: Listening, keys: Sequence[KeyPair], publics: tuple[Point, ...], found: list[Vector]
) -> escrow.Escrow:
    """Operator 0 deals; the proof of the first seal is one of the vectors."""
    raw = escrow.deal_escrow(group, CONTEXT, publics, 0, keys[0], NEEDED)
    held = escrow.read_escrow(group, CONTEXT, publics, 0, NEEDED, raw)
    _DEALT[0] = raw
    first = raw[32 * (NEEDED - 1) :][:128]
    binding = Binding(
        context=CONTEXT,
        purpose=b"seal" + whole(1) + first[32:64],
        operator=0,
        publics=(Point(first[:32]),),
    )
    vector: Vector = {"name": "a seal", "proof": "possession", **bound(binding)}
    vector["step"] = first[64:].hex()
    group.begin()
    check(group, vector)
    vector["computed"] = group.told()
    vector["refused"] = _near(vector, group)
    found.append(vector)
    return held


def _shown(group: Listening, held: escrow.Escrow, keys: Sequence[KeyPair]) -> Vector:
    """The escrow, what each holder reads in it, a wrong one with a complaint, a part given
    back.
    """
    publics = [pair.public for pair in keys]
    raw = _DEALT[0]
    wrong = escrow.seal_to(group, CONTEXT, 0, 1, group.random_scalar(), publics[1])
    false = raw[: 32 * (NEEDED - 1)] + wrong + raw[32 * (NEEDED - 1) + 128 :]
    bad = escrow.read_escrow(group, CONTEXT, publics, 0, NEEDED, false)
    proof = bad.complain(1, keys[1].secret)
    unjust = held.complain(1, keys[1].secret)
    lock = KeyPair.from_secret(group, group.hash_to_scalar(b"vector", b"lock"))
    given = [held.give_back(holder, keys[holder].secret, lock.public) for holder in (1, 2)]
    return {
        "dealer": 0,
        "threshold": NEEDED,
        "escrow": raw.hex(),
        "points": [point.hex() for point in held.points],
        "values": {
            str(holder): held.open_seal(holder, keys[holder].secret).hex() for holder in (1, 2)
        },
        "wrong_escrow": false.hex(),
        "complaint_of_1": proof.hex(),
        "complaint_against_a_right_one": unjust.hex(),
        "lock_secret": lock.secret.hex(),
        "lock": lock.public.hex(),
        "given_back_by_1_and_2": [one.hex() for one in given],
    }
