"""Cheating at a match.

Each attempt is refused by everybody, with the kind of fault, and changes nothing.

`order` puts an entry before every operator as if its host had ordered it, so a cheating host
and a cheating guest are the same thing here: what none of the others folds.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from citadels_p2p import rules
from citadels_p2p.bots import make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.bodies import Body
from citadels_p2p.match.fold.refusal import refusal_code
from citadels_p2p.match.fold.share_keys import ShareKeys
from citadels_p2p.rules import Rules
from citadels_p2p.rules.needs import Call, Decide
from protocol.application import FORBIDDEN
from protocol.cards.group import Scalar
from protocol.cards.share_keys import KeyPair, commit_key, open_key
from protocol.errors import BadProof, IllegalEntry
from protocol.journal.statements import Refusal
from protocol.wire.codec import decode, encode
from tests.match.round_table import RoundTable, genesis_for
from tests.protocol.tiny_group import TinyGroup


def new_table(table: bytes = b"T" * 16) -> RoundTable:
    chosen = Rules.make(seats=3, city=6)
    return RoundTable(chosen, [make_bot("normal")] * 3, group=TinyGroup(), seed=5)


def attempt(
    round_table: RoundTable, change: Callable[[int, Body], Body | None]
) -> tuple[int, list[str | None]]:
    """Play until `change` gives another body; order that one; return author and verdicts."""
    while True:
        progress = False
        for author, dealer in enumerate(round_table.dealers):
            for contribution in dealer.owed():
                honest = bodies.read(contribution.body)
                forged = change(author, honest)
                if forged is not None:
                    before = remembered(round_table)
                    verdicts = round_table.order(author, bodies.write(forged))
                    assert remembered(round_table) == before
                    # The honest body still stands: a refusal has changed nothing.
                    assert not any(round_table.order(author, contribution.body))
                    return author, verdicts
                assert not any(round_table.order(author, contribution.body))
                progress = True
        assert progress, "the match ended before the cheat"


def remembered(round_table: RoundTable) -> list[tuple[bytes, int]]:
    """What each program would judge the next entry by: its digest, and what was done before."""
    return [(one.digest(), len(one.match.owed_once)) for one in round_table.dealers]


def refused_as(kind: str, verdicts: list[str | None]) -> bool:
    return all(
        verdict is not None and verdict.startswith(f"{FORBIDDEN}{kind}") for verdict in verdicts
    )


def flip(raw: bytes, at: int) -> bytes:
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


@pytest.mark.parametrize("at", [0, 40, 64 * 3, -1, -40])
def test_a_shuffle_that_is_not_one(at: int) -> None:
    """Any altered output or proof of a joint shuffle."""

    def change(author: int, body: Body) -> Body | None:
        if isinstance(body, bodies.Shuffled) and len(body.slots) > 3:
            return msgspec.structs.replace(body, proof=flip(body.proof, at % len(body.proof)))
        return None

    _, verdicts = attempt(new_table(), change)
    assert refused_as("proof", verdicts) or refused_as("malformed", verdicts)


def test_a_shuffle_that_doubles_a_card() -> None:
    def change(author: int, body: Body) -> Body | None:
        if isinstance(body, bodies.Shuffled) and len(body.slots) == 68:
            outputs = body.proof[:64] * 2 + body.proof[128:]
            return msgspec.structs.replace(body, proof=outputs)
        return None

    _, verdicts = attempt(new_table(), change)
    assert refused_as("proof", verdicts)


def test_a_proof_of_another_place_or_author() -> None:
    """A share kept from an earlier deal is shown again for later cards."""
    kept: list[bodies.Shared] = []

    def change(author: int, body: Body) -> Body | None:
        if isinstance(body, bodies.Shared) and author == 1:
            if kept and len(kept[0].slots) == len(body.slots) and kept[0].slots != body.slots:
                return msgspec.structs.replace(body, shares=kept[0].shares)
            if not kept:
                kept.append(body)
        return None

    _, verdicts = attempt(new_table(), change)
    assert refused_as("proof", verdicts)


def test_a_proof_from_another_table() -> None:
    """The same operator, the same step, another match: its shuffle is worth nothing here."""
    elsewhere: list[bodies.Shuffled] = []

    def take(author: int, body: bytes) -> bytes:
        entry = bodies.read(body)
        if isinstance(entry, bodies.Shuffled) and author == 0:
            elsewhere.append(entry)
        return body

    other = new_table()
    while not elsewhere:
        other.step(take)

    def change(author: int, body: Body) -> Body | None:
        if isinstance(body, bodies.Shuffled) and author == 0:
            assert body.slots == elsewhere[0].slots
            return elsewhere[0]
        return None

    _, verdicts = attempt(new_table(), change)
    assert refused_as("proof", verdicts) or refused_as("malformed", verdicts)


def test_keys_that_cancel_out_name_one_of_those_who_made_them() -> None:
    """Two of four promise such keys, and an honest operator happens to show its own last."""
    group = TinyGroup()
    genesis = genesis_for(Rules.make(seats=4, city=6), 4, range(4))
    secrets = [KeyPair.create(group).secret for _ in range(4)]
    mirrored = group.order - int.from_bytes(secrets[0], "little")
    secrets[2] = Scalar(mirrored.to_bytes(32, "little"))
    keys = ShareKeys(genesis, group)
    openings = []
    for operator, secret in enumerate(secrets):
        pair = KeyPair.from_secret(group, secret)
        openings.append(open_key(group, genesis.digest, operator, pair))
        keys.promise(operator, commit_key(genesis.digest, operator, openings[-1]))
    keys.show(0, openings[0])
    keys.show(1, openings[1])
    with pytest.raises(BadProof, match="add up to nothing"):
        keys.show(2, openings[2])
    keys.show(3, openings[3])
    assert set(keys.shown) == {0, 1, 3}


def test_a_pick_changed_after_the_commitment() -> None:
    """The holder answers a call with its card and another nonce than it committed to."""

    def change(author: int, body: Body) -> Body | None:
        if isinstance(body, bodies.Answered) and body.seat >= 0:
            return msgspec.structs.replace(body, nonce=bytes(32))
        return None

    _, verdicts = attempt(new_table(), change)
    assert refused_as("proof", verdicts)


def test_an_illegal_build() -> None:
    """A district that the seat cannot pay for, or any before gathering."""
    round_table = new_table()

    def change(author: int, body: Body) -> Body | None:
        if not isinstance(body, bodies.Acted) or body.picks not in (("gold",), ("cards",)):
            return None
        dealer = round_table.dealers[author]
        slot = next(iter(dealer.faces(body.seat)))
        shares = dealer.contributor.card_holder().make_shares((slot,), b"open")
        return msgspec.structs.replace(body, picks=(f"build:{slot}",), shares=shares)

    _, verdicts = attempt(round_table, change)
    assert refused_as("illegal", verdicts)


def test_an_act_out_of_turn() -> None:
    round_table = new_table()

    def change(author: int, body: Body) -> Body | None:
        if isinstance(body, bodies.Acted):
            return msgspec.structs.replace(body, seat=(body.seat + 1) % 3)
        return None

    _, verdicts = attempt(round_table, change)
    assert refused_as("illegal", verdicts)


def test_an_entry_that_nobody_asked_for() -> None:
    """A second shuffle of a settled deck, with a sound proof."""
    round_table = new_table()

    def change(author: int, body: Body) -> Body | None:
        if not isinstance(body, bodies.Acted):
            return None
        match = round_table.dealers[author].match
        deck = tuple(s for s, z in sorted(rules.zones(match.state).items()) if z.kind == "deck")
        holder = round_table.dealers[author].contributor.card_holder()
        proof, _ = holder.make_shuffle(deck, b"shuffle")
        return bodies.Shuffled(deck, proof, 0)

    _, verdicts = attempt(round_table, change)
    assert refused_as("illegal", verdicts)


@pytest.mark.parametrize(
    "raw", [b"", b"\xc0", b"\x91\x63", b"\x93\x03\x90", b"\xff" * 40, bytes(70_000)]
)
def test_bytes_that_are_no_entry(raw: bytes) -> None:
    round_table = new_table()
    for _ in range(5):
        round_table.step()
    verdicts = round_table.order(1, raw)
    assert refused_as("malformed", verdicts) or refused_as("excessive", verdicts)


def test_a_host_cannot_read_a_guests_hand() -> None:
    """Given its own key and the whole journal, the host opens no card of another seat."""
    round_table = new_table()
    while not (
        isinstance(rules.need(round_table.dealers[0].match.state), Decide | Call)
        and round_table.dealers[0].match.state.round == 2
    ):
        round_table.step()
    host = round_table.dealers[0]
    hidden = [
        slot
        for slot, zone in rules.zones(host.match.state).items()
        if zone.kind in ("hand", "pick") and zone.seat in (1, 2)
    ]
    assert hidden
    assert all(host.contributor.known.peek(slot) is None for slot in hidden)
    assert all(host.match.cards.face(slot) is None for slot in hidden)


def test_a_refusal_quotes_nothing_that_others_would_not_take() -> None:
    """Else whoever is refused chooses what the host signs, and the host is called malformed."""
    for detail in ("\x1b[2J", "Ärger\n", "\u202e", "x" * 99):
        told = refusal_code(IllegalEntry(detail))
        refusal = Refusal(bytes(32), 1, 1, 1, bytes(32), 0, bytes(32), told)
        assert decode(encode(refusal), Refusal, limit=1024) == refusal
