"""Every door through which somebody else's bytes come in, with honest bytes for each.

A door takes bytes and either takes them or raises a `ProtocolError`. Nothing else ever: that is
what is tried here.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from citadels_p2p.bots import make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.options import pack_options, unpack_options
from citadels_p2p.rules import Rules
from cli.client.json_lines import JsonLines
from protocol.cards.deck import SealedCards
from protocol.cards.group import Edwards25519
from protocol.discovery.announcement import from_txt, to_txt
from protocol.errors import Malformed
from protocol.identity.keys import parse_fingerprint
from protocol.journal.chain import Chain
from protocol.journal.evidence import prove_alone
from protocol.journal.genesis import open_genesis, open_terms
from protocol.journal.statements import (
    DOMAIN_LINE,
    DOMAIN_ORDERED,
    NOTHING,
    VERSION,
    Agreement,
    Signed,
)
from protocol.messages import (
    QUIET,
    Acked,
    Audience,
    Audit,
    Catalogue,
    CodeShare,
    Commit,
    Elected,
    Entries,
    Fault,
    Follow,
    History,
    Join,
    JoinTogether,
    Knock,
    Lobby,
    Meet,
    PasswordProof,
    PasswordShare,
    Ready,
    Refused,
    Remember,
    RequestVote,
    Segment,
    Spoken,
    Status,
    Submit,
    TableOpened,
    TrialVote,
    Unready,
    Voted,
    Watch,
    Witness,
)
from protocol.session.chat import Chat
from protocol.storage.match_files import read_journal
from protocol.storage.store import Store
from protocol.wire.addresses import split_join_code
from protocol.wire.codec import decode, encode
from protocol.wire.frames import PEER_FRAME, Frames, framed
from protocol.wire.handshake import Handshake, Role
from tests.match.round_table import RoundTable
from tests.protocol.card_table import lay_table
from tests.protocol.company import identity
from tests.protocol.tabletop import Tabletop


@dataclass(frozen=True, slots=True)
class Door:
    """`take` is given `samples` and what becomes of them."""

    name: str
    take: Callable[[bytes], object]
    samples: tuple[bytes, ...]
    share: float = 1.0  #: of the tries that a door gets; slow ones get fewer


def doors() -> tuple[Door, ...]:
    """All of them. Takes a second: a table is played for its samples."""
    top = Tabletop(3)
    top.run()
    return (
        _messages(top),
        _frames(),
        _handshake(),
        _announcement(),
        _terms(top),
        _genesis(top),
        _order(top),
        _evidence(top),
        _chat(),
        _journal(top),
        _addresses(),
        _points(),
        *_steps(),
        _options(),
        *_match(),
        _machine_client(),
    )


def _messages(top: Tabletop) -> Door:
    signed = top.host.disk[1]
    said: tuple[msgspec.Struct, ...] = (
        Knock(),
        Status(1, bytes(16), "x", "classic", b"{}", "lobby", 4, 2, 1, bytes(32), ("a:1",),
               "host", True, False),
        Join(VERSION, "Anna", ("10.0.0.1:1", "[::1]:2")),
        JoinTogether(VERSION, ("Anna", "Boris"), ("10.0.0.1:1",)),
        Lobby(bytes(300), (True, False)),
        Ready(Agreement(bytes(16), bytes(64))),
        Unready(),
        TableOpened(bytes(16), ("10.0.0.1:1",)),
        Spoken(signed),
        Follow(bytes(16), 1, 7, bytes(32), 3),
        Entries(tuple(top.host.disk[:3])),
        Submit(signed),
        Refused(signed),
        Acked(signed),
        Commit(2, (signed, signed)),
        QUIET,
        Fault("proof", bytes(32), (bytes(80),)),
        Watch(VERSION, bytes(16), 0, NOTHING),
        Audience(2),
        Meet(bytes(16), bytes(32), ("10.0.0.1:1",), bytes(8), False),
        Remember(signed, None, 3, 7),
        History((signed,), (signed,)),
        Audit(bytes(16), 9, bytes(32), 3, bytes(32)),
        Segment(3, (signed, signed)),
        RequestVote(2, 1, 9, bytes(32), False),
        TrialVote(2, True),
        Voted(signed),
        Elected(signed),
        Witness(signed),
        PasswordShare(bytes(33)),
        PasswordProof(bytes(32)),
        CodeShare(bytes(33)),
    )  # fmt: skip
    samples = tuple(encode(message) for message in said)
    return Door("messages", lambda data: decode(data, Catalogue, limit=PEER_FRAME), samples)


def _frames() -> Door:
    def take(data: bytes) -> None:
        frames = Frames()
        for start in range(0, len(data), 7):
            frames.feed(data[start : start + 7], 0.0)
            while frames.take(0.0) is not None:
                pass

    return Door("frames", take, (framed(b"x") + framed(bytes(300)), framed(bytes(4096))))


def _handshake() -> Door:
    def side(role: Role) -> Handshake:
        who = identity(1 if role is Role.LISTENED else 2)
        return Handshake(who, "Anna", role, certificate=bytes(32), nonce=bytes(32))

    dialled, listened = side(Role.DIALLED), side(Role.LISTENED)
    proof = dialled.receive(listened.start()) or b""
    hello = dialled.start()

    def take(data: bytes) -> None:
        if data[:1] != proof[:1] or len(data) % 2:
            side(Role.LISTENED).receive(data)
        else:
            met = side(Role.LISTENED)
            met.receive(hello)
            met.receive(data)

    return Door("handshake", take, (hello, proof), share=0.5)


def _announcement() -> Door:
    from tests.protocol.discovery.test_announcement import TABLE

    def take(data: bytes) -> None:
        pairs = (item.partition(b"=") for item in data.split(b"\0"))
        from_txt({key: value if mark else None for key, mark, value in pairs}, 4000)

    sample = "\0".join(f"{key}={value}" for key, value in to_txt(TABLE).items())
    return Door("announcement", take, (sample.encode(),))


def _terms(top: Tabletop) -> Door:
    return Door("terms", open_terms, (Chain(top.first).beginning.terms,))


def _genesis(top: Tabletop) -> Door:
    host = top.identities[0]

    def take(data: bytes) -> None:
        open_genesis(Signed(data, host.sign(DOMAIN_ORDERED, data)))

    return Door("genesis", take, (top.first.content,), share=0.5)


def _order(top: Tabletop) -> Door:
    """What a host may sign: it is the worst of all strangers."""
    host, chain = top.identities[0], Chain(top.first)
    for signed in top.host.disk[1:6]:
        entry = chain.check(signed)
        assert entry is not None
        chain.append(entry)

    def take(data: bytes) -> None:
        chain.check(Signed(data, host.sign(DOMAIN_ORDERED, data)))

    samples = tuple(signed.content for signed in top.host.disk[1:9])
    return Door("order", take, samples, share=0.5)


def _evidence(top: Tabletop) -> Door:
    chain = Chain(top.first)
    for signed in top.host.disk[1:4]:
        entry = chain.check(signed)
        assert entry is not None
        chain.append(entry)
    samples = tuple(entry.exhibit() for entry in chain.entries)
    half = len(samples[0]) // 2

    def take(data: bytes) -> None:
        prove_alone(chain.genesis, (data,))
        prove_alone(chain.genesis, (data[:half], data[half:], samples[1]))

    return Door("evidence", take, samples, share=0.5)


def _chat() -> Door:
    """A line whose signature holds, whatever was signed; every one comes to the same ears."""
    anna, table = identity(1), bytes(16)
    said = Chat(anna, 7).speak(table, "hello", 0.0)
    assert said is not None

    def take(data: bytes) -> None:
        line = Signed(data, anna.sign(DOMAIN_LINE, data))
        Chat(identity(2), 7).hear(line, table, (anna.public,), anna.public, 0.0)

    return Door("chat", take, (said[1].content,), share=0.5)


def _journal(top: Tabletop) -> Door:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.citadels"
        store = Store(path)
        store.start()
        for entry in Chain(top.first).entries:
            store.entry(entry, lambda _: None)
        store.close(finished=True)
        sample = path.read_bytes()

    def take(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "match.citadels"
            path.write_bytes(data)
            read_journal(path)

    return Door("journal file", take, (sample,), share=0.01)


def _addresses() -> Door:
    def take(data: bytes) -> None:
        text = data.decode("utf-8", errors="surrogateescape")
        with contextlib.suppress(Malformed):
            parse_fingerprint(text)
        split_join_code(text, 24_482)

    samples = (b"192.168.1.20:24482/ABCD-EFGH-IJKL-MNOP", b"[fe80::1%eth0]:1", b"laptop.local")
    return Door("addresses", take, samples)


def _points() -> Door:
    group = Edwards25519()
    point = bytes(group.base(group.random_scalar()))

    def take(data: bytes) -> None:
        with contextlib.suppress(Malformed):
            group.decode_scalar(data)
        group.decode_point(data)

    return Door("points", take, (point, b"\1" + bytes(31), b"\xec" + b"\xff" * 30 + b"\x7f"))


def _steps() -> tuple[Door, ...]:
    """Proven steps over sealed cards, each of which lies before the same table every time."""
    table = lay_table(3, [b"king", b"thief", b"bishop"])
    giver, taker, other = table.holders
    slots, cards = table.slots, table.cards
    shuffled, _ = giver.make_shuffle(slots, b"deck")
    shares = taker.make_shares(slots, b"deal")
    laid = table.fork()
    table.share_by(1, 2, slots=slots)
    passed = giver.make_transfer(slots, 1, b"pass")
    dealt = table.fork()
    cards.apply_transfer(0, 1, slots, b"pass", passed)
    veils = other.make_veils(slots)
    return (
        _step("shuffle", laid, shuffled, partial(laid.apply_shuffle, 0, slots, b"deck")),
        _step("shares", laid, shares, partial(laid.apply_shares, 1, slots, b"deal")),
        _step("transfer", dealt, passed, partial(dealt.apply_transfer, 0, 1, slots, b"pass")),
        _step("veils", cards, veils, partial(cards.apply_veils, 2, slots)),
    )


def _step(name: str, cards: SealedCards, step: bytes, apply: Callable[[bytes], None]) -> Door:
    def take(data: bytes) -> None:
        with contextlib.suppress(_TakenBack), cards.trial():
            apply(data)
            raise _TakenBack

    return Door(name, take, (step,), share=0.1)


class _TakenBack(Exception):
    """It was taken: the next one comes to the same table."""


def _options() -> Door:
    kinds = (Rules.make(seats=4), Rules.make("dark-city", seats=7), Rules.make("2016", seats=8))
    return Door("options", unpack_options, tuple(pack_options(rules) for rules in kinds))


def _match() -> tuple[Door, Door]:
    """Entries of a match in the middle, as an operator of it may write them."""
    table = RoundTable(Rules.make(seats=3, city=6), [make_bot("easy")] * 3, operators=2)
    for _ in range(14):
        table.step()
    match = Match(table.genesis)
    *before, (author, newest) = table.journal
    for seq, (who, body) in enumerate(before, start=1):
        match.fold(seq, who, body)

    def fold(data: bytes) -> None:
        if data != newest:  # that one belongs here
            match.fold(len(before) + 1, author, data)

    samples = tuple({body[1]: body for _, body in table.journal}.values())
    return (
        Door("bodies", bodies.read, samples),
        Door("match", fold, (newest, *samples), share=0.2),
    )


def _machine_client() -> Door:
    client = JsonLines("fuzz", 1)
    samples = (
        b'{"answer": 3, "option": "build:17"}',
        b'{"answer": 3, "subset": ["card:5", "card:9"]}',
        b'{"say": "text"}',
        b'{"do": "kick", "seat": 3}',
        b"[" * 200,
    )
    return Door(
        "machine client", lambda data: client.read(data.decode(errors="replace")), samples
    )
