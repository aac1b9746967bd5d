"""The host's laptop dies in its lobby: a guest opens the table again, the others come over."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol import Began, LobbyChanged, Node, Person, Reconnected, Reconnecting
from protocol.errors import Unavailable
from protocol.identity.keys import Identity
from protocol.messages import TableOpened
from protocol.roster import Operator
from protocol.session.finding import dial_once
from protocol.session.lobby import HostedLobby
from tests.protocol import gathering
from tests.protocol.gathering import (
    PACE,
    Company,
    HighCardNode,
    crash,
    cut,
    over,
    play,
    until,
)

pytestmark = pytest.mark.played(by=play)

PATIENT = dataclasses.replace(PACE, lobby_patience=30.0)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "PACE", PATIENT)


@asynccontextmanager
async def forsaken(
    home: Path, count: int = 3, *, password: str | None = None
) -> AsyncIterator[tuple[Company, list[HighCardNode]]]:
    """The guests of a table with a bot and spectators, whose host's laptop has just died."""
    table = Company(home, count)
    try:
        host = await table.host(count + 1, spectators=True, password=password)
        assert host.change(lambda room: room.set_bot(count, "easy")) == ""
        for index in range(1, count):
            await table.join(index, f"Guest {index}", password=password)
        for guest in table.nodes[1:]:
            while any(seat.kind == "open" for seat in guest.lobby.seats):
                await until(guest, LobbyChanged)
        await crash(host)
        guests = table.nodes[1:]
        for guest in guests:
            await until(guest, Reconnecting)
        yield table, guests
    finally:
        for node in table.nodes:
            await node.leave()


async def reopened(table: Company, node: HighCardNode) -> HighCardNode:
    moved = await node.reopen()
    table.nodes.append(moved)
    return moved


async def invited(node: HighCardNode) -> Operator:
    """By whom, once it is."""
    while node.forsaken is None or node.forsaken.invitation is None:
        await until(node, LobbyChanged)
    return node.forsaken.invitation


@pytest.mark.parametrize("password", [None, "seven owls"])
async def test_the_same_table_is_opened_by_a_guest_and_the_others_come_over(
    tmp_path: Path, password: str | None
) -> None:
    async with forsaken(tmp_path, password=password) as (table, (bert, carla)):
        before = bert.lobby
        assert bert.forsaken is not None
        own = await reopened(table, bert)
        assert own.is_host
        lobby = own.lobby
        assert lobby.table != before.table
        assert (lobby.name, lobby.options) == (before.name, before.options)
        assert [seat.kind for seat in lobby.seats] == ["taken", "open", "open", "bot"]
        assert lobby.seats[3].level == "easy"
        assert own.spectators == 0
        assert (await invited(carla)).name == "Guest 1"
        there = await reopened(table, carla)
        assert not there.is_host
        assert there.lobby.table == lobby.table
        assert there.address == own.address
        assert own._session.table.locked == (password is not None)


async def test_the_match_begins_at_the_other_laptop(tmp_path: Path) -> None:
    async with forsaken(tmp_path) as (table, (bert, carla)):
        own = await reopened(table, bert)
        await invited(carla)
        there = await reopened(table, carla)
        assert own.change(lambda room: room.set_bot(2, "easy")) == ""
        while any(seat.kind == "open" for seat in there.lobby.seats):
            await until(there, LobbyChanged)
        assert await there.ready() == ""
        while await own.start():
            await until(own, LobbyChanged)
        assert own.forsaken is None
        await until(there, Began)
        await asyncio.gather(over(own), over(there))


async def test_a_host_that_is_here_is_nobodys_to_replace(tmp_path: Path) -> None:
    """Not even where another guest says that it has opened the table again."""
    async with gathering.company(tmp_path, 3) as table:
        _anna, bert, carla = table.nodes
        for node in table.nodes:
            with pytest.raises(Unavailable, match="host_here"):
                await node.reopen()
        listener = carla._session.table.listener
        assert listener is not None
        channel = await dial_once(listener.addresses[0], table.identities[1], "", None, 5.0)
        channel.post(TableOpened(bert.lobby.table, ("127.0.0.1:1",)))
        await channel.closed()
        assert carla.forsaken is None


async def test_a_stranger_invites_nobody(tmp_path: Path) -> None:
    async with forsaken(tmp_path) as (table, (bert, _carla)):
        listener = bert._session.table.listener
        assert listener is not None
        for identity, wanted in (
            (Identity.fresh(), bert.lobby.table),
            (table.identities[2], bytes(16)),
            (table.identities[1], bert.lobby.table),
        ):
            channel = await dial_once(listener.addresses[0], identity, "", None, 5.0)
            channel.post(TableOpened(wanted, ("127.0.0.1:1",)))
            await channel.closed()
        assert bert.forsaken is not None
        assert bert.forsaken.invitation is None


async def test_of_two_who_open_it_at_once_the_later_one_is_asked_over(tmp_path: Path) -> None:
    async with forsaken(tmp_path) as (table, (bert, carla)):
        first, second = await reopened(table, bert), await reopened(table, carla)
        assert first.is_host
        if second.is_host:  # it had not heard yet
            await invited(second)
            second = await reopened(table, second)
        assert second.lobby.table == first.lobby.table
        assert first.forsaken is not None
        assert first.forsaken.invitation is None


async def test_an_invitation_that_leads_nowhere_leaves_one_free_to_open_the_table(
    tmp_path: Path,
) -> None:
    async with forsaken(tmp_path) as (table, (bert, carla)):
        own = await reopened(table, bert)
        await invited(carla)
        await own.leave()
        with pytest.raises(Unavailable):
            await carla.reopen()
        assert carla.forsaken is not None
        assert carla.forsaken.invitation is None
        assert (await reopened(table, carla)).is_host


async def test_a_cable_that_is_back_leaves_all_as_it_was(tmp_path: Path) -> None:
    async with gathering.company(tmp_path, 2) as table:
        _anna, bert = table.nodes
        cut(bert)
        await until(bert, Reconnecting)
        await until(bert, Reconnected)
        assert bert.forsaken is None
        with pytest.raises(Unavailable, match="host_here"):
            await bert.reopen()


@pytest.mark.played(by=asyncio.run)
async def test_persons_at_one_laptop_open_the_table_again_together(tmp_path: Path) -> None:
    table = Company(tmp_path, 2)
    try:
        host = await table.host(4)
        guest = await table.join(1, "Bert", others=("Carla",))
        await crash(host)
        await until(guest, Reconnecting)
        own = await reopened(table, guest)
        seats = [(seat.name, seat.operator) for seat in own.lobby.seats]
        assert seats == [("Bert", 0), ("Carla", 0), ("", None), ("", None)]
        assert own.lobby.operators[0].name == "Bert & Carla"
    finally:
        for node in table.nodes:
            await node.leave()


@pytest.mark.played(by=asyncio.run)
async def test_who_cannot_open_the_table_goes_on_looking_for_the_host(tmp_path: Path) -> None:
    """Its own adapter is away, which is why it misses the host."""
    async with gathering.company(tmp_path, 2) as table:
        _anna, bert = table.nodes
        bert._session.table.person = dataclasses.replace(
            bert._session.table.person, interfaces=["wlan0"]
        )
        cut(bert)
        await until(bert, Reconnecting)
        with pytest.raises(Unavailable, match="wlan0"):
            await bert.reopen()
        await until(bert, Reconnected)
        assert bert.forsaken is None


async def test_whom_its_host_seated_as_fewer_is_told_that_there_are_too_few_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that carries the table gave two persons at one laptop one seat, beside a bot."""
    join = HostedLobby.join
    monkeypatch.setattr(HostedLobby, "join", lambda room, *who: join(room, *who[:3]))
    table = Company(tmp_path, 2)
    try:
        host = await Node.host(
            Person(table.homes[0], table.identities[0], "Anna", interfaces=["lo"]),
            table.make,
            table_name="Kitchen",
            options=b"high card",
            seats=2,
            bots=["easy"],
            no_seat=True,
            announce=False,
            pace=PATIENT,
        )
        table.nodes.append(host)
        guest = await table.join(1, "Bert", others=("Carla",))
        await crash(host)
        await until(guest, Reconnecting)
        with pytest.raises(Unavailable, match="too_few_seats"):
            await guest.reopen()
        assert guest.forsaken is not None
    finally:
        for node in table.nodes:
            await node.leave()
