"""Writes the card vectors anew: `python -m tests.protocol.cards.make_vectors`.

Only for a new protocol version: proofs are randomised, so every run writes other bytes, and
bytes that hold today must hold for as long as the version does.
"""

from __future__ import annotations

import json
from pathlib import Path

from protocol.cards import commitment
from protocol.cards.group import Edwards25519, Scalar, generator
from protocol.cards.share_keys import KeyPair, commit_key, open_key
from protocol.cards.transcript import PROTOCOL, frame
from tests.protocol.card_table import lay_table

FOLDER = Path(__file__).parent / "vectors"
CONTEXT = bytes(range(32))
LABELS = (b"red", b"red", b"green", b"blue")


def write(name: str, content: dict[str, object]) -> None:
    """One vector file, readable and stable."""
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (FOLDER / name).write_text(text + "\n", encoding="utf-8")


def hashing() -> dict[str, object]:
    """Framing, hashing to scalars and points, generators, commitments."""
    group = Edwards25519()
    messages = (b"", b"a", bytes(range(70)))
    nonce = bytes(range(32, 64))
    return {
        "protocol": PROTOCOL.decode(),
        "group": group.name,
        "frames": [
            {"parts": [part.hex() for part in parts], "bytes": frame(*parts).hex()}
            for parts in ((), (b"",), (b"ab", b"c"), (b"a", b"bc"))
        ],
        "scalars": [
            {
                "domain": "challenge",
                "message": message.hex(),
                "scalar": group.hash_to_scalar(b"challenge", message).hex(),
            }
            for message in messages
        ],
        "points": [
            {
                "domain": "card",
                "message": message.hex(),
                "point": group.hash_to_point(b"card", message).hex(),
            }
            for message in messages
        ],
        "generators": [generator(group, index).hex() for index in range(4)],
        "commitments": [
            {
                "context": CONTEXT.hex(),
                "label": "pick",
                "value": value.decode(),
                "nonce": nonce.hex(),
                "commitment": commitment.commit(CONTEXT, b"pick", value, nonce).hex(),
            }
            for value in (b"red", b"")
        ],
        "forbidden_points": [encoding.hex() for encoding in group.forbidden],
        "forbidden_scalars": [
            value.to_bytes(32, "little").hex()
            for value in (group.order, group.order + 1, 2**255, 2**256 - 1)
        ],
    }


def match() -> dict[str, object]:
    """Two operators: keys, laid cards, a shuffle each, shares, opened faces."""
    group = Edwards25519()
    keys = [
        KeyPair.from_secret(group, group.hash_to_scalar(b"vector", bytes([operator])))
        for operator in range(2)
    ]
    openings = [open_key(group, CONTEXT, i, pair) for i, pair in enumerate(keys)]
    table = lay_table(2, LABELS, context=CONTEXT, keys=keys)
    laid = [one.to_bytes().hex() for one in table.cards.ciphertexts(table.slots)]
    shuffles, shares = [], []
    for operator, holder in enumerate(table.holders):
        step, order = holder.make_shuffle(table.slots, b"deck")
        table.cards.apply_shuffle(operator, table.slots, b"deck", step)
        shuffles.append(
            {
                "operator": operator,
                "purpose": "deck",
                "slots": table.slots,
                "order": order,
                "step": step.hex(),
            }
        )
    for operator, holder in enumerate(table.holders):
        slots = table.slots if operator else table.slots[:2]
        step = holder.make_shares(slots, b"open")
        table.cards.apply_shares(operator, slots, b"open", step)
        shares.append(
            {"operator": operator, "purpose": "open", "slots": slots, "step": step.hex()}
        )
    return {
        "context": CONTEXT.hex(),
        "keys": [
            {
                "operator": operator,
                "secret": Scalar(pair.secret).hex(),
                "opening": opening.hex(),
                "commitment": commit_key(CONTEXT, operator, opening).hex(),
            }
            for operator, (pair, opening) in enumerate(zip(keys, openings, strict=True))
        ],
        "joint": table.cards.joint.hex(),
        "labels": [label.decode() for label in LABELS],
        "laid": laid,
        "shuffles": shuffles,
        "shares": shares,
        "open": {str(slot): (table.cards.face(slot) or b"").decode() for slot in (0, 1)},
        "operator_0_sees": {
            str(slot): (table.holders[0].peek(slot) or b"").decode() for slot in table.slots
        },
    }


def transfer() -> dict[str, object]:
    """Two operators: cards dealt to the first, passed to the second, mixed, veiled, shown."""
    group = Edwards25519()
    keys = [
        KeyPair.from_secret(group, group.hash_to_scalar(b"vector", bytes([operator])))
        for operator in range(2)
    ]
    table = lay_table(2, LABELS[1:], context=CONTEXT, keys=keys)
    cards, (giver, taker), slots = table.cards, table.holders, table.slots
    shares = taker.make_shares(slots, b"deal")
    cards.apply_shares(1, slots, b"deal", shares)
    passed = giver.make_transfer(slots, 1, b"pass")
    cards.apply_transfer(0, 1, slots, b"pass", passed)
    mixed, order = taker.make_shuffle(slots, b"mix", alone=True)
    cards.apply_shuffle(1, slots, b"mix", mixed, alone=True)
    seen = {str(slot): (taker.peek(slot) or b"").decode() for slot in slots}
    veils = giver.make_veils(slots)
    cards.apply_veils(0, slots, veils)
    shuffled, again = giver.make_shuffle(slots, b"deck")
    cards.apply_shuffle(0, slots, b"deck", shuffled)
    opened = [holder.make_shares(slots, b"open") for holder in table.holders]
    for operator, step in enumerate(opened):
        cards.apply_shares(operator, slots, b"open", step)
    return {
        "context": CONTEXT.hex(),
        "secrets": [Scalar(pair.secret).hex() for pair in keys],
        "labels": [label.decode() for label in LABELS[1:]],
        "shares_of_1": shares.hex(),
        "passed_to_1": passed.hex(),
        "mixed_by_1": mixed.hex(),
        "order_of_1": order,
        "operator_1_sees": seen,
        "veils_of_0": veils.hex(),
        "shuffled_by_0": shuffled.hex(),
        "order_of_0": again,
        "opened": [step.hex() for step in opened],
        "open": {str(slot): (cards.face(slot) or b"").decode() for slot in slots},
    }


def keys() -> dict[str, object]:
    """Keys shown one after the other: the first, if any, that may not stand beside them."""
    group = Edwards25519()
    drawn = [group.hash_to_scalar(b"vector", bytes([operator])) for operator in range(5)]
    numbers = [int.from_bytes(scalar, "little") for scalar in drawn]
    one, two, three, four, five = numbers
    rosters = [
        numbers,
        [one, two, one, three],
        [one, two, -one, three],
        [one, two, three, -one - three, four],
        [one, two, three, four, -two - three - four],
        [one, two, three, -one - two - three],
        [one, two, three, one - two, five],
    ]
    refused = [None, 2, 2, 3, 4, 3, None]
    return {
        "rosters": [
            {
                "publics": [
                    group.base(Scalar((number % group.order).to_bytes(32, "little"))).hex()
                    for number in roster
                ],
                "refused": place,
            }
            for roster, place in zip(rosters, refused, strict=True)
        ]
    }


if __name__ == "__main__":
    write("cards-hashing.json", hashing())
    write("cards-keys.json", keys())
    write("cards-match.json", match())
    write("cards-transfer.json", transfer())
