"""A guest whose disk kept nothing of a match that has begun comes back to it all the same."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol import Advanced, Began, Failed, Hosted
from protocol.errors import Unavailable
from protocol.identity.keys import Identity
from protocol.session import operator_session
from protocol.storage.keeping import away, put_away
from protocol.storage.match_files import unfinished
from protocol.storage.store import Store
from tests.protocol.gathering import (
    Company,
    HighCardNode,
    company,
    crash,
    operator,
    over,
    play,
    until,
)

pytestmark = pytest.mark.played(by=play)


async def begun_without(
    table: Company, monkeypatch: pytest.MonkeyPatch, loser: int
) -> HighCardNode:
    """The match begins; this guest's disk fails at the first entry."""
    guests = table.nodes[1:]
    for guest in guests:
        assert await guest.ready() == ""
    entry, broken = Store.entry, table.homes[loser]

    def failing(store: Store, one: object, done: object, **more: object) -> None:
        if broken in store.path.parents:
            done(Unavailable("disk_full"))  # type: ignore[operator]
        else:
            entry(store, one, done, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "entry", failing)
    host, lost = table.nodes[0], table.nodes[loser]
    while await host.start():
        await host.next()
    assert (await until(lost, Failed)).problem.args == ("disk_full",)
    await lost.leave()
    monkeypatch.undo()
    assert not list(broken.glob("matches/*"))
    return lost


async def test_the_host_sends_it_the_first_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with company(tmp_path, 3) as table:
        table.nodes.remove(await begun_without(table, monkeypatch, 1))
        again = await table.join(1, "Guest 1")
        assert again.genesis is not None
        await asyncio.gather(*map(over, table.nodes))


@pytest.mark.parametrize("asks_first", [True, False])
async def test_who_comes_while_it_begins_blames_nobody_if_the_hosts_disk_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, asks_first: bool
) -> None:
    """It was shown the table as it had been, with other addresses of its own. `asks_first`: the
    host tells that it plays; else it has told just before that it does not.
    """
    fails = asyncio.Event()

    async def failing(*of: Any, **_more: Any) -> None:
        of[3].adopt(of[0], of[1], of[2])
        await fails.wait()
        raise Unavailable("disk_full")

    async with company(tmp_path, 3) as table:
        host, guest, other = table.nodes
        await table.agreed()
        monkeypatch.setattr(operator_session, "open_new", failing)
        status = operator(host).table.status(hosting=True)
        starting = asyncio.create_task(host.start())
        await asyncio.sleep(0)
        await crash(guest)
        if not asks_first:
            monkeypatch.setattr(operator(host).table, "status", lambda **_: status)
        coming = asyncio.create_task(table.join(1, "Guest 1"))
        await asyncio.sleep(0.5)
        fails.set()
        assert await starting == "disk_full"
        monkeypatch.undo()
        if asks_first:
            with pytest.raises(Unavailable) as refusal:
                await coming
            assert refusal.value.hint == "no_beginning"
            coming = asyncio.create_task(table.join(1, "Guest 1"))
        again = await coming
        table.nodes.remove(guest)
        await asyncio.sleep(0.5)  # the table is another one: both agree anew
        await table.agreed()
        assert await host.start() == ""
        for one in (again, other):
            await until(one, Began)
        await asyncio.gather(*map(over, table.nodes))


async def test_so_does_a_host_that_has_come_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with company(tmp_path, 5) as table:
        table.nodes.remove(await begun_without(table, monkeypatch, 1))
        await crash(table.nodes.pop(0))
        hosted = (await until(table.nodes[0], Hosted)).operator
        while hosted == 0:
            hosted = (await until(table.nodes[0], Hosted)).operator
        table.nodes.sort(key=lambda node: node.me != hosted)
        again = await table.join(1, "Guest 1")
        assert again.me == 1
        await until(again, Advanced)


async def test_a_stranger_is_sent_nothing(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        table.identities.append(Identity.fresh())
        table.homes.append(tmp_path / "eve")
        with pytest.raises(Unavailable, match="Kitchen") as caught:
            await table.join(2, "Eve")
        assert caught.value.hint == "started"


async def test_who_has_lost_what_it_had_said_already_does_not_say_it_anew(
    tmp_path: Path,
) -> None:
    """Two words under one number would make a cheat of it."""
    async with company(tmp_path, 3, 20) as table:
        await table.begin()
        lost = table.nodes.pop(1)
        await until(lost, Advanced)
        await lost.leave()
        for file in table.homes[1].glob("matches/*"):
            file.unlink()
        again = await table.join(1, "Guest 1")
        problem = (await until(again, Failed)).problem
        assert isinstance(problem, Unavailable)
        assert problem.hint == "outbox_lost"


async def test_a_match_that_was_put_away_is_taken_out_again(tmp_path: Path) -> None:
    """Beside a new file for it, all that its person has said there would be forgotten."""
    async with company(tmp_path, 3, 20) as table:
        await table.begin()
        gone = table.nodes.pop(1)
        await until(gone, Advanced)
        await gone.leave()
        (path,) = unfinished(table.homes[1])
        put_away(path)
        again = await table.join(1, "Guest 1")
        await until(again, Advanced)
        assert unfinished(table.homes[1]) == (path,)
        assert not away(table.homes[1])
