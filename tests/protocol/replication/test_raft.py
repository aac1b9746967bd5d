"""When the host is gone: the others find a new one, lose nothing, and nobody is accused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol import (
    Advanced,
    Began,
    Closed,
    Hosted,
    PeerLeft,
    Reconnected,
    Reconnecting,
    SpectatorsChanged,
    knock,
)
from protocol.errors import Unavailable
from protocol.journal.chain import check_journal
from protocol.storage.match_files import read_journal
from tests.protocol.gathering import HighCardNode, company, crash, cut, over, play, until


async def successor(node: HighCardNode) -> Hosted:
    """Who hosts after the first one."""
    while (hosted := await until(node, Hosted)).operator == 0:
        pass
    return hosted


def test_a_table_of_three_goes_on_without_its_host_and_takes_it_back(tmp_path: Path) -> None:
    """Its cards wait for it; the order of things does not."""

    async def test() -> None:
        async with company(tmp_path, 3, rounds=8) as table:
            await table.begin()
            await until(table.nodes[0], Advanced)
            await crash(table.nodes[0])
            for node in table.nodes[1:]:
                await until(node, Reconnecting)
            host = (await successor(table.nodes[2])).operator
            again = await table.resume(0)
            assert (await successor(again)).operator == host
            assert not again.is_host
            assert table.nodes[host].is_host
            await asyncio.gather(*(over(node) for node in (again, *table.nodes[1:3])))
            paths = [node.path for node in table.nodes[1:]]
        for path in paths:
            assert path is not None
            chain = check_journal(read_journal(path))
            elections = [entry for entry in chain.entries if entry.election is not None]
            assert elections[-1].term == chain.term > 1

    play(test())


def test_whoever_is_asked_names_the_new_host(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 3, rounds=8) as table:
            await table.begin()
            await until(table.nodes[0], Advanced)
            await crash(table.nodes[0])
            for node in table.nodes[1:]:
                host = (await successor(node)).operator
            for node in table.nodes[1:]:
                listener = node._session.table.listener
                assert listener is not None
                seen = await knock(listener.addresses)
                assert seen.status.host == table.identities[host].public

    play(test())


def test_a_host_that_leaves_hands_over_at_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 3, rounds=8) as table:
            await table.begin()
            await until(table.nodes[0], Advanced)
            await table.nodes[0].leave()
            assert await until(table.nodes[2], PeerLeft) == PeerLeft(0, "Anna")
            assert (await successor(table.nodes[2])).operator in (1, 2)

    play(test())


def test_a_table_of_two_waits_for_its_host(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 2, rounds=8) as table:
            await table.begin()
            await until(table.nodes[1], Advanced)
            await crash(table.nodes[0])
            await until(table.nodes[1], Reconnecting)
            assert not table.nodes[1].is_host
            again = await table.resume(0)
            await until(table.nodes[1], Reconnected)
            await asyncio.gather(over(table.nodes[1]), over(again))

    play(test())


def test_a_table_of_two_is_closed_by_its_host(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 2, rounds=8) as table:
            await table.begin()
            await until(table.nodes[1], Advanced)
            await table.nodes[0].leave()
            assert await until(table.nodes[1], Closed) == Closed("closed", "Anna")

    play(test())


def test_a_whole_table_comes_back_from_its_disks(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 3, rounds=8) as table:
            await table.begin()
            await until(table.nodes[2], Advanced)
            for node in table.nodes[:3]:
                await crash(node)
            again = [await table.resume(index) for index in (2, 0, 1)]
            await asyncio.gather(*(over(node) for node in again))
            wins = [await node.run(lambda game: game.wins) for node in again]
            assert wins[0] == wins[1] == wins[2]

    play(test())


def test_a_cable_between_host_and_one_guest_deposes_nobody(tmp_path: Path) -> None:
    """The others still hear it, and say so."""

    async def test() -> None:
        async with company(tmp_path, 3, rounds=20) as table:
            await table.begin()
            await until(table.nodes[2], Advanced)
            for _ in range(3):
                cut(table.nodes[2])
                await until(table.nodes[2], Reconnected)
            await asyncio.gather(*(over(node) for node in table.nodes))
            assert table.nodes[0].is_host

    play(test())


def test_who_hosts_next_keeps_the_gallery_open_and_the_table_locked(tmp_path: Path) -> None:
    """It knows the password by which it came in itself; nobody gets past it without."""

    async def test() -> None:
        async with company(tmp_path, 3, 8, spectators=True, password="seven owls") as table:
            watcher = await table.watch(tmp_path / "w", password="seven owls")
            for node in table.nodes[1:]:
                while node.spectators != 1:
                    await until(node, SpectatorsChanged)
            await table.begin()
            await until(watcher, Began)
            await crash(table.nodes[0])
            host = (await successor(table.nodes[2])).operator
            await until(watcher, Reconnected)
            table.nodes[0], old = table.nodes[host], table.nodes[0]
            for word, code in ((None, "locked"), ("six owls", "password")):
                with pytest.raises(Unavailable) as caught:
                    await table.watch(tmp_path / "eve", password=word)
                assert caught.value.hint == code
            late = await table.watch(tmp_path / "late", password="seven owls")
            table.nodes[0] = old
            again = await table.resume(0)
            everybody = (again, *table.nodes[1:3], watcher, late)
            await asyncio.gather(*(over(node) for node in everybody))

    play(test())
