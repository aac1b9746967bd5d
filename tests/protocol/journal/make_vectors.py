"""Writes the journal's vectors anew: `python -m tests.protocol.journal.make_vectors`.

`--record` writes what this version says to others, as `version-N.json` beside them. That comes
before the version goes up: `tests/protocol/session/test_versions.py` reads it from then on.

Everything here is a function of fixed keys: the bytes hold for as long as the version does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import get_args

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.identity.keys import Identity
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ELECTION,
    DOMAIN_LINE,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    DOMAIN_REMOVAL,
    DOMAIN_VOTE,
    NOTHING,
    VERSION,
    Ack,
    Authored,
    Election,
    Line,
    Ordered,
    Refusal,
    Removal,
    Signed,
    Terms,
    Vote,
    agree_to,
    authored_hash,
    entry_hash,
    sign,
)
from protocol.messages import (
    Catalogue,
    Denied,
    Entries,
    Join,
    JoinTogether,
    Lobby,
    Status,
    Watch,
)
from protocol.roster import Operator, Seat
from protocol.wire.codec import encode
from protocol.wire.handshake import Handshake, Role

FILE = Path(__file__).parent / "vectors" / "journal.json"
TABLE = bytes(range(16))


def identity(number: int) -> Identity:
    """The operator whose secret key is this number, 32 times."""
    return Identity(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


def shown(signed: Signed) -> dict[str, str]:
    return {"content": signed.content.hex(), "signature": signed.signature.hex()}


def vectors() -> dict[str, object]:
    """A table of two, its first entries, one handshake; tag and fields of every message."""
    anna, bert = identity(1), identity(2)
    terms = encode(
        Terms(
            version=VERSION,
            table=TABLE,
            name="Kitchen",
            options=b"{}",
            operators=(
                Operator(anna.public, "Anna", ("192.0.2.1:24482",)),
                Operator(bert.public, "Bert", ()),
            ),
            seats=(
                Seat("taken", "Anna", 0, ""),
                Seat("taken", "Bert", 1, ""),
                Seat("bot", "Bot 3", 0, "easy"),
            ),
        )
    )
    agreed = tuple(agree_to(terms, one, bytes(16)) for one in (anna, bert))
    first = make_genesis(anna, terms, agreed)
    chain = Chain(first)
    genesis, entry = chain.genesis, chain.entries[0]
    authored = sign(bert, DOMAIN_AUTHORED, Authored(genesis.digest, 1, 1, entry.hash, b"body"))
    ordered = sign(
        anna,
        DOMAIN_ORDERED,
        Ordered(1, 1, entry.hash, authored.content, authored.signature),
    )
    placed = entry_hash(ordered.content)
    refused = authored_hash(authored.content)
    refusal = Refusal(genesis.digest, 1, 1, 1, refused, 0, chain.hash_at(0), "stale")
    given = [
        sign(one, DOMAIN_VOTE, Vote(genesis.digest, 2, voter, 1, 1, placed))
        for voter, one in enumerate((anna, bert))
    ]
    election = sign(bert, DOMAIN_ELECTION, Election(genesis.digest, 2, 1, tuple(given)))
    second = sign(
        bert,
        DOMAIN_ORDERED,
        Ordered(2, 2, placed, election.content, election.signature),
    )
    third = entry_hash(second.content)
    acks = [
        sign(one, DOMAIN_ACK, Ack(genesis.digest, 2, operator, 2, third, b""))
        for operator, one in enumerate((anna, bert))
    ]
    removal = sign(bert, DOMAIN_REMOVAL, Removal(genesis.digest, 2, 1, 0, 2, tuple(acks)))
    removed = sign(
        bert, DOMAIN_ORDERED, Ordered(2, 3, third, removal.content, removal.signature)
    )
    for signed in (ordered, second, removed):
        following = chain.check(signed)
        assert following is not None
        chain.append(following)
    listening = Handshake(anna, "Anna", Role.LISTENED, certificate=bytes(32), nonce=b"a" * 32)
    dialling = Handshake(
        bert, "Bert", Role.DIALLED, certificate=bytes(32), nonce=b"b" * 32, purpose="table"
    )
    hellos = (dialling.start(), listening.start())
    proofs = (dialling.receive(hellos[1]), listening.receive(hellos[0]))
    return {
        "keys": {"Anna": anna.public.hex(), "Bert": bert.public.hex()},
        "terms": terms.hex(),
        "genesis": {**shown(first), "hash": entry.hash.hex(), "digest": genesis.digest.hex()},
        "authored": shown(authored),
        "ordered": {**shown(ordered), "hash": placed.hex()},
        "ack": shown(sign(bert, DOMAIN_ACK, Ack(genesis.digest, 1, 1, 1, placed, b""))),
        "refusal": shown(sign(anna, DOMAIN_REFUSAL, refusal)),
        "vote": shown(given[0]),
        "election": shown(election),
        "second_term": shown(second),
        "removal": shown(removal),
        "removed": {**shown(removed), "body": chain.entries[-1].body.hex()},
        "line": shown(sign(bert, DOMAIN_LINE, Line(TABLE, bert.public, 7, "good evening"))),
        "accusation": make_accusation(authored).hex(),
        "handshake": {
            "dialled": [hellos[0].hex(), (proofs[0] or b"").hex()],
            "listened": [hellos[1].hex(), (proofs[1] or b"").hex()],
        },
        "messages": {
            kind.__name__: " ".join((str(kind.__struct_config__.tag), *kind.__struct_fields__))
            for kind in get_args(Catalogue)
        },
    }


def recorded() -> dict[str, object]:
    """What a program of this version says to one of another: lines in hexadecimal, by name."""
    pinned = json.loads(FILE.read_text(encoding="utf-8"))
    terms = bytes.fromhex(pinned["terms"])
    genesis = {name: pinned["genesis"][name] for name in ("content", "signature")}
    anna, here = identity(1).public, ("192.0.2.2:24482",)
    says = {
        "status": Status(
            version=VERSION,
            table=TABLE,
            name="Kitchen",
            edition="classic",
            options=b"{}",
            state="lobby",
            seats=3,
            taken=2,
            bots=1,
            host=anna,
            addresses=("192.0.2.1:24482",),
            role="host",
            spectators=True,
            locked=False,
        ),
        "join": Join(VERSION, "Bert", here),
        "join together": JoinTogether(VERSION, ("Bert", "Cleo"), here),
        "watch": Watch(VERSION, TABLE, 0, NOTHING),
        "lobby": Lobby(terms, (True, False)),
        "entries": Entries((Signed(*map(bytes.fromhex, genesis.values())),)),
        "denied": Denied("version"),
    }
    return {
        "version": VERSION,
        "lines": {name: encode(message).hex() for name, message in says.items()},
        "genesis": genesis,
        "terms": pinned["terms"],
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        file, content = FILE.with_name(f"version-{VERSION}.json"), recorded()
    else:
        file, content = FILE, vectors()
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
