"""The lobby between real laptops: what the host changes, guests see and agree to anew."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from citadels_p2p.match.acts import Kick, Leave, OpenSeat, Propose, Ready, Say, SetBot, Start
from citadels_p2p.match.news import Bye, Chat, Notice, Refused, TableNews
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol import knock
from protocol.messages import Audience, Spoken
from protocol.wire.addresses import split_address
from tests.match import laptops
from tests.match.laptops import Laptop
from tests.protocol.gathering import lobby_guest, operator

#: a table that hangs ends the test, never the suite
PATIENCE = 120.0


@asynccontextmanager
async def at_table(tmp_path: Path, seats: int) -> AsyncIterator[tuple[Laptop, Online, Online]]:
    """Anna hosts, Bert is her guest; the host's node beside the two sessions."""
    async with asyncio.timeout(PATIENCE):
        node = await laptops.host(tmp_path / "anna", Rules.make(seats=seats))
        anna, bert = Online(node), Online(await laptops.join(node, tmp_path / "bert"))
        try:
            yield node, anna, bert
        finally:
            await bert.do(Leave())
            await anna.do(Leave())


async def sees(session: Online, wanted: Callable[[TableNews], bool]) -> TableNews:
    """The first table it is told of that is as wanted."""
    while True:
        news = await session.next()
        if isinstance(news, TableNews) and wanted(news):
            return news


async def refused(session: Online) -> str:
    while True:
        news = await session.next()
        if isinstance(news, Refused):
            return news.reason


def kinds(news: TableNews) -> list[str]:
    return [seat.kind for seat in news.seats]


async def test_a_guest_sees_each_change_at_once_and_agrees_anew(tmp_path: Path) -> None:
    async with at_table(tmp_path, 3) as (_node, anna, bert):
        await bert.do(Ready())
        await sees(anna, lambda news: news.seats[1].ready)
        await anna.do(Propose(Rules.make("2016", 5, characters=["queen"])))
        table = await sees(bert, lambda news: news.edition == "2016")
        assert len(table.seats) == 5
        assert "queen" in str(table.options["characters"])
        assert not table.seats[1].ready
        await anna.do(SetBot(4, "easy"))
        assert (await sees(bert, lambda news: news.seats[4].kind == "bot")).seats[
            4
        ].level == "easy"
        await anna.do(OpenSeat(4))
        await sees(bert, lambda news: news.seats[4].kind == "open")


async def test_nobody_agrees_to_what_is_still_on_its_way_to_the_screen(tmp_path: Path) -> None:
    """A host could change the game in the moment in which somebody agreed to it, and begin."""
    async with at_table(tmp_path, 3) as (node, _anna, bert):
        guest, host = lobby_guest(bert.node), node._session.lobby  # type: ignore[attr-defined]
        table = await sees(bert, lambda news: news.seats[1].kind == "human")
        game = Rules.from_options(table.options)
        relaxed = pack_options(game, Liveness(escrow="relaxed"))
        assert host.room.set_options(relaxed) == ""
        guest.hear_lobby(guest.channel, host.shown())
        await bert.do(Ready())
        assert not guest._agreed
        assert await refused(bert) == "table_changed"
        await sees(bert, lambda news: "relaxed" in str(news.patience))
        await bert.do(Ready())
        assert guest._agreed == host.room.terms


async def test_last_words_are_told_of_who_said_them(tmp_path: Path) -> None:
    """Who says good night and goes: by the time it is shown, another has its place in the
    roster.
    """
    async with at_table(tmp_path, 3) as (node, _anna, bert):
        carla = Online(await laptops.join(node, tmp_path / "carla", "Carla"))
        await sees(carla, lambda news: kinds(news) == ["human"] * 3)
        guest, host = lobby_guest(carla.node), node._session.lobby  # type: ignore[attr-defined]
        said = operator(bert.node).chat.lines.speak(node.lobby.table, "good night", 0.0)
        assert said is not None
        assert guest.channel is not None
        assert host.room.leave(bert.node.lobby.operators[1].identity) == ""
        guest.hear_line(guest.channel, Spoken(said[1]))
        guest.hear_lobby(guest.channel, host.shown())
        while not isinstance(told := await carla.next(), Chat):
            pass
        assert told.seat in (
            1,
            None,
        )  # where it sat, or nowhere: that it goes may be told first
        assert told.name == "Bert"
        await carla.do(Leave())


async def test_whose_seat_a_bot_plays_is_ready_by_itself(tmp_path: Path) -> None:
    """To every change of the table too, until it is told otherwise."""
    async with asyncio.timeout(PATIENCE):
        node = await laptops.host(tmp_path / "anna", Rules.make(seats=3))
        anna = Online(node)
        bert = Online(await laptops.join(node, tmp_path / "bert"), agrees=True)
        await sees(anna, lambda news: news.seats[1].ready)
        await anna.do(SetBot(2, "easy"))
        await sees(anna, lambda news: news.seats[2].kind == "bot" and news.seats[1].ready)
        await sees(bert, lambda news: news.seats[2].kind == "bot" and news.seats[1].ready)
        await bert.do(Ready(agrees=False))
        await sees(bert, lambda news: not news.seats[1].ready)
        await anna.do(OpenSeat(2))
        await sees(bert, lambda news: news.seats[2].kind == "open")
        await bert.do(Say("not yet"))
        while not isinstance(await anna.next(), Chat):
            pass
        assert not node.lobby.ready[1]
        await bert.do(Leave())
        await anna.do(Leave())


async def test_the_host_changes_how_long_the_table_waits(tmp_path: Path) -> None:
    async with at_table(tmp_path, 3) as (_node, anna, bert):
        await bert.do(Ready())
        table = await sees(anna, lambda news: news.seats[1].ready)
        game = Rules.from_options(table.options)
        await anna.do(Propose(game, Liveness(away=60, escrow="strict")))
        table = await sees(
            bert, lambda news: news.patience is not None and news.patience.away == 60
        )
        assert table.patience is not None
        assert (table.patience.escrow, table.patience.needed) == ("strict", None)
        assert not table.seats[1].ready
        await anna.do(Propose(Rules.make(seats=3, city=6)))
        table = await sees(bert, lambda news: news.options["city"] == 6)
        assert table.patience is not None
        assert table.patience.away == 60


async def test_strangers_are_told_of_the_game_that_is_proposed_now(tmp_path: Path) -> None:
    async with at_table(tmp_path, 3) as (node, anna, _bert):
        await anna.do(Propose(Rules.make("dark-city", 4)))
        await sees(anna, lambda news: news.edition == "dark-city")
        status = (await knock([node.address])).status
        assert (status.edition, status.seats) == ("dark-city", 4)


async def test_fewer_seats_than_people_are_refused(tmp_path: Path) -> None:
    async with at_table(tmp_path, 3) as (node, anna, _bert):
        assert (
            node.change(lambda room: room.set_options(pack_options(Rules.make(seats=2)), 1))
            == "seats_taken"
        )
        await anna.do(SetBot(2, "genius"))
        assert await refused(anna) == "unknown_level"
        await anna.do(Start())
        assert await refused(anna) == "seat_open"


async def test_only_the_host_changes_the_table(tmp_path: Path) -> None:
    async with at_table(tmp_path, 3) as (_node, _anna, bert):
        for act in (
            Propose(Rules.make(seats=4)),
            SetBot(2, "easy"),
            OpenSeat(2),
            Kick(0),
            Start(),
        ):
            await bert.do(act)
            assert await refused(bert) == "not_host"


async def test_a_host_that_proposes_what_is_no_game_is_left(tmp_path: Path) -> None:
    """It is called no cheat: nothing of that is in a file that others could judge."""
    async with at_table(tmp_path, 3) as (node, _anna, bert):
        assert (
            node.change(lambda room: room.set_options(pack_options(Rules.make(seats=4)), 3))
            == ""
        )
        heard = []
        while not heard or not isinstance(heard[-1], Bye):
            heard.append(await bert.next())
        assert not [one for one in heard if isinstance(one, Notice) and one.code == "cheat"]
        assert heard[-1] == Bye(5, "broke", {"name": "Anna", "what": "illegal"})


async def test_what_is_no_game_is_the_hosts_whatever_else_it_says(tmp_path: Path) -> None:
    """How many look on is told first, and shows the table too."""
    async with at_table(tmp_path, 3) as (node, _anna, bert):
        await sees(bert, lambda news: news.seats[1].kind == "human")
        guest, host = lobby_guest(bert.node), node._session.lobby  # type: ignore[attr-defined]
        await asyncio.sleep(0.2)
        assert host.room.set_options(pack_options(Rules.make(seats=4)), 3) == ""
        guest.hear_audience(guest.channel, Audience(1))
        guest.hear_lobby(guest.channel, host.shown())
        while not isinstance(told := await bert.next(), Bye):
            pass
        assert told == Bye(5, "broke", {"name": "Anna", "what": "illegal"})


async def test_a_table_of_bots_alone_begins_by_itself_when_full(tmp_path: Path) -> None:
    """Nobody comes who would change anything, so it has to begin as it is."""
    async with asyncio.timeout(PATIENCE):
        node = await laptops.host(tmp_path, bots=("easy", "easy"), no_seat=True)
        session = Online(node, autostart=True)
        while node.genesis is None:
            news = await session.next()
            assert not isinstance(news, Bye)
            assert not isinstance(news, TableNews) or news.carrier == "Anna"
        await session.do(Leave())


async def test_seats_that_cannot_be_leave_no_port_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    with pytest.raises(ValueError, match="seats"):
        await laptops.host(tmp_path, bots=("easy", "easy", "easy"), port=port)
    node = await laptops.host(tmp_path, bots=("easy",), port=port)
    assert split_address(node.address)[1] == port
    await node.leave()
