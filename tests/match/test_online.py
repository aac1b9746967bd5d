"""Real laptops in one process.

TLS on loopback, SQLite on disk, the real group. Slow by nature, so few.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.acts import Leave, Ready
from citadels_p2p.match.archive.audit import Verdict, verify
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.news import Bye, News, Notice, OverNews, StateNews, TableNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import pack_options
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol.application import Contribution, Genesis
from protocol.identity.keys import Identity
from protocol.node import Node

Maker = Callable[[Genesis, int], SealedDealer]


def honest(genesis: Genesis, me: int) -> SealedDealer:
    """A program plays every seat of this operator."""
    mine = [seat for seat, row in enumerate(genesis.seats) if row.operator == me]
    return SealedDealer(genesis, me, dict.fromkeys(mine, make_bot("normal")))


class FalseShares(SealedDealer):
    """Deals a card with a share that is not made from its key."""

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        made = super()._make(duty, key)
        if duty.kind != "deal":
            return made
        body = bodies.read(made.body)
        assert isinstance(body, bodies.Shared)
        own = self.match.keys.publics[self.me]
        forged = msgspec.structs.replace(body, shares=own + body.shares[32:])
        return Contribution(key=made.key, body=bodies.write(forged))


class SilentHolder(SealedDealer):
    """Denies its character whenever it is called."""

    def _answer(self, key: bytes) -> Contribution:
        body = bodies.Answered(self.match.step, -1, -1, b"", b"")
        return Contribution(key=key, body=bodies.write(body))


class IllegalBuilder(SealedDealer):
    """Builds before gathering, as the first thing it does in a turn."""

    def _bot_act(self, duty: Duty, key: bytes) -> Contribution:
        made = super()._bot_act(duty, key)
        if self.match.state.turn is None:
            return made
        slot = next(iter(self.faces(duty.seat)))
        shares = self._card_holder().make_shares((slot,), b"open")
        act = bodies.Acted(self.match.step, duty.seat, (f"build:{slot}",), b"", shares)
        return Contribution(key=made.key, body=bodies.write(act))


def bot_for(kind: type[SealedDealer]) -> Maker:
    def make(genesis: Genesis, me: int) -> SealedDealer:
        mine = [seat for seat, row in enumerate(genesis.seats) if row.operator == me]
        return kind(genesis, me, dict.fromkeys(mine, make_bot("normal")))

    return make


class Listener:
    """Everything that one person's side is told, until the end."""

    def __init__(self, session: Online) -> None:
        self.session = session
        self.heard: list[News] = []
        self.advanced = asyncio.Event()  #: some turns have been told

    async def listen(self) -> None:
        while True:
            news = await self.session.next()
            self.heard.append(news)
            if sum(isinstance(told, StateNews) for told in self.heard) == 3:
                self.advanced.set()
            if isinstance(news, OverNews):
                await asyncio.sleep(0)
                await self.session.do(Leave())
            if isinstance(news, Bye):
                return

    def last(self, kind: type[News]) -> News:  # type: ignore[valid-type]
        return [news for news in self.heard if isinstance(news, kind)][-1]


async def table(home: Path, makers: list[Maker], seats: int) -> list[Listener]:
    """A host and guests sit down, agree, and play until everybody has said goodbye."""
    rules = Rules.make(seats=seats, city=6)
    identities = [Identity.fresh() for _ in makers]
    host = await Node.host(
        home=home / "0",
        identity=identities[0],
        name="Anna",
        table_name="Kitchen",
        options=pack_options(rules),
        seats=seats,
        bots=["easy"] * (seats - len(makers)),
        make=makers[0],
        announce=False,
    )
    sessions = [Online(host, autostart=True)]
    for number, (identity, make) in enumerate(zip(identities, makers, strict=True)):
        if number:
            node = await Node.join(
                home=home / str(number),
                identity=identity,
                name=["Anna", "Bert", "Carla"][number],
                addresses=[host.address],
                make=make,
                announce=False,
            )
            sessions.append(Online(node))
    listeners = [Listener(session) for session in sessions]
    async with asyncio.timeout(100), asyncio.TaskGroup() as group:
        for listener in listeners:
            group.create_task(listener.listen())
        for session in sessions[1:]:
            await session.do(Ready())
    return listeners


def journals(home: Path) -> list[Path]:
    return sorted(home.glob("*/matches/*.citadels"))


def test_two_laptops_play_a_match_that_anybody_can_check(tmp_path: Path) -> None:
    listeners = asyncio.run(table(tmp_path, [honest, honest], 3))
    overs = [listener.last(OverNews) for listener in listeners]
    assert len({over.digest for over in overs if isinstance(over, OverNews)}) == 1
    views = [listener.last(StateNews) for listener in listeners]
    assert {view.view.phase for view in views if isinstance(view, StateNews)} == {"over"}
    words = [listener.last(TableNews) for listener in listeners]
    said = {news.words for news in words if isinstance(news, TableNews)}
    assert len(said) == 1
    assert () not in said
    assert [listener.last(Bye) for listener in listeners] == [Bye(0), Bye(0)]
    for path in journals(tmp_path):
        verdict = verify(path)
        assert (verdict.sound, verdict.finished, verdict.opened) == (True, True, True)
        assert verdict.words in said


@pytest.mark.parametrize(
    ("kind", "code"),
    [(FalseShares, "proof"), (SilentHolder, "illegal"), (IllegalBuilder, "illegal")],
)
def test_a_cheating_guest_is_named_and_the_journal_proves_it(
    tmp_path: Path, kind: type[SealedDealer], code: str
) -> None:
    listeners = asyncio.run(table(tmp_path, [honest, bot_for(kind), honest], 3))
    for listener in listeners:
        notice, bye = listener.last(Notice), listener.last(Bye)
        assert isinstance(notice, Notice)
        assert isinstance(bye, Bye)
        assert (notice.code, notice.fields) == ("cheat", {"name": "Bert", "what": code})
        assert bye.code == 5
    verdicts = [verify(path) for path in journals(tmp_path)]
    assert len(verdicts) == 3
    for verdict in verdicts:
        assert named(verdict) == ("Bert", code)


def test_a_cheating_host_is_named_by_its_guests(tmp_path: Path) -> None:
    """A host whose own program accepts its false shares puts them in order.

    Nobody else does.
    """

    class Lenient(FalseShares):
        def fold(self, seq: int, author: int, body: bytes) -> str | None:
            code = super().fold(seq, author, body)
            return code if author != self.me else None

    listeners = asyncio.run(table(tmp_path, [bot_for(Lenient), honest, honest], 3))
    for listener in listeners[1:]:
        notice = listener.last(Notice)
        assert isinstance(notice, Notice)
        assert (notice.code, notice.fields["name"]) == ("cheat", "Anna")
    for path in journals(tmp_path)[1:]:
        assert named(verify(path)) == ("Anna", "proof")


def named(verdict: Verdict) -> tuple[str, str]:
    assert not verdict.sound
    (fault,) = verdict.faults
    return fault.author, fault.code
