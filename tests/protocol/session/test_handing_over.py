"""A match that is over is handed to whoever missed its end, over real sockets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from protocol import Advanced, Began, Node, Person
from protocol.application import Contribution
from protocol.discovery.announcement import Announcement
from protocol.discovery.browser import Found
from protocol.identity.keys import Identity, fingerprint
from protocol.messages import Denied, Follow, Heartbeat, History, Meet
from protocol.session import finished_matches
from protocol.session.finding import dial_once, hear_answer
from protocol.session.finished_matches import MAX_AT_ONCE, FinishedMatches
from protocol.storage.match_files import SECRETS, match_path
from protocol.wire.channel import Channel
from tests.protocol.gathering import (
    PACE,
    Company,
    HighCardNode,
    company,
    match_of,
    play,
    until,
)
from tests.protocol.high_card import HighCard

pytestmark = pytest.mark.played(by=play)

ROUNDS = 12


class Late(HighCard):
    """Of the later rounds the last one is not a part: the others can end without it."""

    @property
    def players(self) -> int:
        return self._seats - (self.round > 2)

    @players.setter
    def players(self, count: int) -> None:
        self._seats, self.round = count, 0

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        self.folded = seq
        return super().fold(seq, author, body)

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return super().owed(early=early) if self.me < self.players else ()


async def over(node: HighCardNode) -> None:
    """Return once its game has come to its end, and that is confirmed."""

    def done(game: HighCard) -> bool:
        return game.is_over and game.confirmed >= game.folded  # type: ignore[attr-defined]

    while not await node.run(done):
        await until(node, Advanced)


@asynccontextmanager
async def missed(home: Path, count: int = 3) -> AsyncIterator[tuple[Company, HighCardNode]]:
    """A match that all but the last have finished and closed; and the last one, who waits."""
    gathered = Company(home, count)
    gathered.make = lambda genesis, me: Late(genesis, me, ROUNDS)
    try:
        await gathered.host(count)
        for index in range(1, count):
            await gathered.join(index, f"Guest {index}")
        await gathered.begin()
        *others, last = gathered.nodes
        while not await last.run(lambda game: game.round > 2):
            await until(last, Advanced)
        await last.leave()
        await asyncio.gather(*map(over, others))
        for node in others:
            await node.leave(finished=True)
        waiting = await gathered.resume(count - 1)
        assert not await has_all(waiting)
        yield gathered, waiting
    finally:
        for node in gathered.nodes:
            await node.leave()


async def another_table(table: Company, index: int) -> HighCardNode:
    """The next evening: this operator hosts something else."""
    node = await Node.host(
        Person(table.homes[index], table.identities[index], "Anna", interfaces=["lo"]),
        table.make,
        table_name="Attic",
        options=b"high card",
        seats=2,
        announce=False,
        pace=PACE,
    )
    table.nodes.append(node)
    return node


async def has_all(waiting: HighCardNode) -> bool:
    return await waiting.run(lambda game: game.is_over)


def heard_of(node: HighCardNode, key: bytes, address: str) -> Found:
    """What is announced of the match in which this one waits."""
    return announced(node.lobby.table, key, address)


def announced(table: bytes, key: bytes, address: str) -> Found:
    """A guest that waits at this table."""
    said = Announcement(
        table=table,
        name="Kitchen",
        role="guest",
        edition="",
        seats=3,
        taken=3,
        locked=False,
        fingerprint=fingerprint(key),
        port=1,
        version=3,
        state="playing",
    )
    return Found(announcement=said, addresses=(address,))


def own_address(node: HighCardNode) -> str:
    listener = node._session.table.listener
    assert listener is not None
    return listener.addresses[0]


async def met(
    address: str, identity: Identity, table: bytes, match: bytes = bytes(32)
) -> Channel:
    """Somebody says at this address that it plays at that table."""
    channel = await dial_once(address, identity, "", None, 5.0)
    channel.post(Meet(table, match, (), bytes(8), False))
    return channel


@pytest.mark.parametrize("playing", [False, True], ids=["lobby", "another match"])
async def test_who_is_found_at_another_table_hands_it_over(
    tmp_path: Path, playing: bool
) -> None:
    async with missed(tmp_path) as (table, waiting):
        anna = await another_table(table, 0)
        if playing:
            anna.change(lambda room: room.set_bot(1, "easy"))
            assert await anna.start() == ""
        match_of(waiting).mesh.suggest(
            fingerprint(table.identities[0].public), (own_address(anna),), first=True
        )
        await over(waiting)
        assert waiting.path == match_path(table.homes[2], waiting.lobby.table)


async def test_who_looks_round_hands_it_over(tmp_path: Path) -> None:
    """In a lobby nobody listens: whoever waits is announced, and is visited."""
    async with missed(tmp_path) as (table, waiting):
        bert = FinishedMatches(table.homes[1], table.identities[1])
        found = heard_of(waiting, table.identities[2].public, own_address(waiting))
        await bert.visit([found])
        await over(waiting)


async def test_of_two_who_missed_it_both_get_it(tmp_path: Path) -> None:
    """No majority is there: what is confirmed needs none any more."""
    async with missed(tmp_path, 4) as (table, waiting):
        carla = FinishedMatches(table.homes[0], table.identities[0])
        own = heard_of(waiting, table.identities[3].public, own_address(waiting))
        await carla.visit([own, own])
        await over(waiting)


async def test_strangers_are_told_what_they_are_told_of_any_table(tmp_path: Path) -> None:
    """Neither a stranger nor who looks on learns which matches lie on a laptop."""
    async with missed(tmp_path) as (table, waiting):
        anna = await another_table(table, 0)
        match, unknown = waiting.lobby.table, bytes(16)
        answers = []
        for identity, wanted in (
            (Identity.fresh(), match),
            (Identity.fresh(), unknown),
            (table.identities[2], unknown),
        ):
            channel = await met(own_address(anna), identity, wanted)
            answers.append(await hear_answer(channel))
            channel.abort()
        assert answers == [Denied("not_begun")] * 3


async def test_an_announcement_of_another_key_is_not_visited(tmp_path: Path) -> None:
    """Nobody is shown our key who has not shown one of that match."""
    async with missed(tmp_path) as (table, waiting):
        mallory = await another_table(Company(tmp_path / "m", 1), 0)
        bert = FinishedMatches(table.homes[1], table.identities[1])
        for key in (mallory._session.table.host, table.identities[2].public):
            await bert.visit([heard_of(waiting, key, own_address(mallory))])
        assert not await has_all(waiting)
        await mallory.leave()


async def test_a_match_that_is_not_over_is_not_handed_over(tmp_path: Path) -> None:
    async with company(tmp_path, 2, ROUNDS) as table:
        await table.begin()
        await until(table.nodes[1], Advanced)
        for node in table.nodes:
            await node.leave()
        anna = await another_table(table, 0)
        (path,) = table.homes[0].glob("matches/*.citadels")
        for _ in range(2):
            channel = await met(
                own_address(anna), table.identities[1], bytes.fromhex(path.stem)
            )
            assert await hear_answer(channel) == Denied("not_begun")
            channel.abort()
            path.with_suffix(SECRETS).unlink(missing_ok=True)  # lost, and not forgotten
            await anna.leave()
            anna = await another_table(table, 0)


async def test_a_history_that_was_changed_on_the_way_is_not_taken(tmp_path: Path) -> None:
    """Whoever brings it: a majority's signatures are on it, or it is nothing."""
    async with missed(tmp_path) as (table, waiting):
        assert waiting.genesis is not None
        place, known = own_address(waiting), waiting.genesis
        channel = await met(place, table.identities[0], known.table, known.digest)
        asked: Follow | None = None
        async with asyncio.timeout(100):
            while asked is None:
                word = await channel.receive()
                if isinstance(word, Heartbeat):
                    more = word.confirmed + 2
                    channel.post(Heartbeat(word.term, False, more, more, bytes(32)))
                if isinstance(word, Follow):
                    asked = word
        lies = match_of(waiting).runtime.chain.entries[1].signed
        channel.post(History((lies, lies), ()))
        channel.post(History((), (lies,)))
        await channel.closed()
        bert = FinishedMatches(table.homes[1], table.identities[1])
        found = heard_of(waiting, table.identities[2].public, own_address(waiting))
        await bert.visit([found])
        await over(waiting)


async def test_who_has_it_once_is_not_told_again_and_again(tmp_path: Path) -> None:
    async with missed(tmp_path) as (table, waiting):
        await until(waiting, Began)
        bert = FinishedMatches(table.homes[1], table.identities[1])
        found = heard_of(waiting, table.identities[2].public, own_address(waiting))
        await bert.visit([found])
        await over(waiting)
        assert not await bert.owes(waiting.lobby.table, table.identities[2].public)


async def test_who_announces_many_finished_matches_has_one_read_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read one is a fifth of a second's work, and nothing obliges it to take it."""
    liar, others = Identity.fresh().public, [bytes([n]) * 32 for n in range(8)]
    finished = FinishedMatches(tmp_path, Identity.fresh())
    matches = {bytes([number]) * 16: frozenset({liar, *others}) for number in range(40)}
    finished._known = matches
    now, most, done = 0, 0, Counter[bytes]()

    async def serve(channel: Channel, *_: object) -> None:
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.2)
        now -= 1
        done[channel.peer] += 1

    async def dialled(_at: str, _me: Identity, _name: str, peer: bytes, _for: float) -> Channel:
        await asyncio.sleep(0.01)
        closed = partial(asyncio.sleep, 0)
        return cast(Channel, SimpleNamespace(peer=peer, abort=lambda: None, close=closed))

    async def proved(_at: object, _peer: bytes) -> str:
        await asyncio.sleep(0.01)
        return "here:1"

    monkeypatch.setattr(finished_matches, "prove", proved)
    monkeypatch.setattr(finished_matches, "dial_once", dialled)
    monkeypatch.setattr(finished, "_read", lambda _: (None, None))
    monkeypatch.setattr(finished, "_serve", serve)
    for _ in range(20):
        await finished.visit([announced(table, liar, "here:1") for table in matches])
        assert most == 1
        await asyncio.sleep(0.5)
    assert done[liar] <= 4
    await finished.visit(
        [announced(*one, "here:1") for one in zip(matches, others, strict=False)]
    )
    assert most == MAX_AT_ONCE


async def test_nobody_takes_the_place_of_all_others(tmp_path: Path) -> None:
    """Four are served at a time: a friend of many evenings could be all four of them."""
    friend, other = bytes([1]) * 32, bytes([2]) * 32
    matches = [bytes([number]) * 16 for number in range(4)]
    finished = FinishedMatches(tmp_path, Identity.fresh())
    finished._known = dict.fromkeys(matches, frozenset((friend, other)))
    finished._serving.add((matches[0], friend))
    assert not await finished.owes(matches[1], friend)
    assert await finished.owes(matches[1], other)
