"""Nobody honest is blamed, live: where threads and copied folders meet real nodes.

What else changed programs try, `tests/world/liars.py` plays with whole laptops, and
`tests/simulation` with the machines alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Generic, TypeVar

import pytest

from protocol import Began, Node, NodeEvent
from protocol.application import Application, Contribution
from protocol.errors import IllegalEntry, RemoteError, Unavailable
from protocol.journal.chain import Chain
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    Authored,
    sign,
)
from protocol.messages import Entries, Fault
from protocol.session.events import Elsewhere, Failed
from protocol.session.match_runtime import MatchRuntime
from protocol.wire.channel import Channel
from tests.protocol.gathering import Company, company, operator
from tests.protocol.gathering import play_live as play
from tests.protocol.high_card import HighCard

pytestmark = pytest.mark.played(by=play)

A = TypeVar("A", bound=Application)
E = TypeVar("E")


class Ear(Generic[A]):
    """Everything that one person is told."""

    def __init__(self, node: Node[A]) -> None:
        self.node = node
        self.heard: list[NodeEvent] = []
        self._more = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while True:
            self.heard.append(await self.node.next())
            self._more.set()

    async def more(self) -> None:
        self._more.clear()
        await self._more.wait()

    async def hears(self, kind: type[E]) -> E:
        """The first event of this kind, past or to come."""
        while True:
            for event in self.heard:
                if isinstance(event, kind):
                    return event
            await self.more()

    async def sees(self, done: Callable[[A], bool]) -> None:
        """Until this holds for the application."""
        if self.node.genesis is None:
            await self.hears(Began)
        while not await self.node.run(done):
            await self.more()

    @property
    def blames(self) -> set[bytes]:
        """The identities that were named as a cheat's."""
        problems = [event.problem for event in self.heard if isinstance(event, Failed)]
        return {one.culprit for one in problems if isinstance(one, RemoteError) and one.culprit}

    @property
    def stopped(self) -> bool:
        return any(isinstance(event, Failed) for event in self.heard)


def ears(nodes: list[Node[A]]) -> list[Ear[A]]:
    return [Ear(node) for node in nodes]


def is_over(game: HighCard) -> bool:
    return game.is_over and game.confirmed >= 2 * game.players * game.rounds


async def to_the_end(listening: list[Ear[HighCard]]) -> None:
    """The match is played out on all these laptops, and nobody was blamed on the way."""
    await asyncio.gather(*(ear.sees(is_over) for ear in listening))
    assert [ear.blames for ear in listening] == [set()] * len(listening)


def desk_of(node: Node[A]) -> MatchRuntime[A]:
    desk = node._session.runtime
    assert desk is not None
    return desk


async def linked(node: Node[A], other: int) -> Channel:
    """How a node speaks with another one, once they have met, which may come late."""
    links, who = operator(node).links, operator(node).table.identity_of(other)
    while (channel := links.of(who)) is None:  # noqa: ASYNC110 (nobody announces it)
        await asyncio.sleep(0)
    return channel


class Stalled(HighCard):
    """Carla shows no card, so nobody has anything more to say; Bert takes his time to see that
    an order is no good.
    """

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return () if self.me == 2 else super().owed(early=early)

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if body == b"no card" and self.me == 1:
            time.sleep(0.5)
        return super().fold(seq, author, body)


def test_a_complaint_about_what_follows_an_entry_that_is_still_being_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a host that has ordered what nobody takes, brought by whoever is in it with it."""
    monkeypatch.setattr("tests.protocol.gathering.HighCard", Stalled)

    named: list[set[bytes]] = []

    async def test() -> None:
        async with company(tmp_path, 3, rounds=1) as table:
            await table.begin()
            anna, bert, carla = ears(table.nodes)
            await bert.sees(lambda game: game.confirmed >= 2)
            desk, host = desk_of(bert.node), table.identities[0]
            shown = Chain(desk.chain.entries[0].signed)
            for one in desk.chain.entries[1:]:
                shown.append(one)
            for counter in (90, 91):
                match, seen = shown.genesis.digest, shown.hash_at(0)
                word = Authored(match, 0, counter, seen, b"no card")
                shown.extend(host, sign(host, DOMAIN_AUTHORED, word))
            bad, after = shown.entries[-2:]
            (await linked(carla.node, 1)).post(
                Fault("illegal", host.public, (after.exhibit(),))
            )
            await asyncio.sleep(0.2)  # until then he waits for what comes before
            (await linked(anna.node, 1)).post(Entries((bad.signed,)))
            for ear in (bert, anna, carla):  # he shows the others what he has found
                assert isinstance((await ear.hears(Failed)).problem, RemoteError)
                named.append(ear.blames - {host.public})

    with contextlib.suppress(IllegalEntry):  # what somebody hears while it leaves
        play(test())
    assert named == [set(), set(), set()]


class Patient(HighCard):
    """Carla thinks, as long as she is told to."""

    thinks = False

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return () if self.thinks else super().owed(early=early)


@asynccontextmanager
async def patient(home: Path) -> AsyncIterator[Company]:
    """A table where somebody may think."""
    async with company(home, 3, rounds=6) as table:
        table.make = lambda genesis, me: Patient(genesis, me, 6)
        for node in table.nodes:
            node._session.make = table.make
        await table.begin()
        yield table


async def rests(ear: Ear[HighCard]) -> None:
    """Carla thinks, and all that she had said has its place."""

    def think(game: HighCard) -> None:
        assert isinstance(game, Patient)
        game.thinks = True

    await ear.sees(lambda game: game.round > 0)
    await ear.node.run(think)
    await desk_of(ear.node).quiet()
    while not desk_of(ear.node).machine.is_settled:
        await ear.more()


def copied(table: Company, home: Path) -> None:
    """Carla's disk as it is now, on another laptop."""
    shutil.copytree(table.homes[2], home)


async def twin(table: Company, home: Path) -> Ear[HighCard]:
    """Somebody goes on with this disk of Carla's."""
    table.homes[2] = home
    return Ear(await table.resume(2))


async def test_of_two_programs_with_one_key_the_newer_waits_or_replaces_the_older(
    tmp_path: Path,
) -> None:
    async with patient(tmp_path) as table:
        anna, bert, older = ears(table.nodes)
        await rests(older)
        copied(table, tmp_path / "copy")
        newer = await twin(table, tmp_path / "copy")
        await newer.hears(Elsewhere)
        assert not newer.stopped
        assert await newer.node.take_over() == ""
        problem = (await older.hears(Failed)).problem
        assert isinstance(problem, Unavailable)
        assert problem.hint == "elsewhere"
        await to_the_end([anna, bert, newer])
