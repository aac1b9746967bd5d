"""What strangers and cheats may ask of a table before they are shown the door: real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from protocol import (
    Advanced,
    Chatted,
    LobbyChanged,
    NodeEvent,
    SpectatorsChanged,
    knock,
)
from protocol.errors import Malformed, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    DOMAIN_LINE,
    NOTHING,
    VERSION,
    Authored,
    Line,
    agree_to,
    sign,
)
from protocol.messages import (
    Audience,
    Catalogue,
    Denied,
    Entries,
    Join,
    Knock,
    Lobby,
    Meet,
    Ready,
    Spoken,
    Status,
    Submit,
    Unready,
    Watch,
)
from protocol.replication import intake
from protocol.session import access, mesh
from protocol.wire import admission, listener, rate_limits
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel, dial
from protocol.wire.rate_limits import STRANGER_WORDS
from tests.protocol.company import until as true
from tests.protocol.gathering import (
    Company,
    HighCardNode,
    company,
    link,
    lobby_guest,
    match_of,
    operator,
    over,
    until,
)
from tests.protocol.gathering import play_live as play

pytestmark = pytest.mark.played(by=play)

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"


@pytest.fixture(autouse=True)
def addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address of the loopback is a machine of its own, as on a network."""
    monkeypatch.setattr(admission, "origin", lambda host: host)
    monkeypatch.setattr(access, "origin", lambda host: host)


async def stranger(table: Company, who: Identity | None = None) -> Channel:
    host, port = split_address(table.nodes[0].address)
    return await dial(host, port, who or Identity.fresh(), "", catalogue=Catalogue)


Visit = Callable[[asyncio.StreamWriter], Awaitable[None]]


async def flood(
    table: Company, visit: Callable[[asyncio.StreamWriter], Awaitable[None]]
) -> int:
    """Connections from elsewhere, one after the other's end, until cancelled; how many."""
    host, port = split_address(table.nodes[0].address)
    count = 0
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    host, port, local_addr=(ELSEWHERE, 0)
                )
                count += 1
                try:
                    await visit(writer)
                    await reader.read()
                finally:
                    writer.transport.abort()
    return count


async def silent(writer: asyncio.StreamWriter) -> None:
    """Says nothing at all."""


async def half_a_hello(writer: asyncio.StreamWriter) -> None:
    """Begins TLS and stops."""
    writer.write(bytes.fromhex("16030100c8010000c40303"))


@pytest.mark.parametrize("visit", [silent, half_a_hello])
async def test_a_flood_of_connections_leaves_the_table_and_the_door_to_others(
    tmp_path: Path, visit: Visit
) -> None:
    async with company(tmp_path, 2, rounds=10) as table:
        floods = [asyncio.create_task(flood(table, visit)) for _ in range(60)]
        door = table.nodes[0]._session.table.listener
        assert door is not None
        await true(lambda: door.connections[0] >= admission.HALF_OPEN_PER_ADDRESS)
        for _ in range(5):  # newcomers from another machine
            seen = await knock([table.nodes[0].address])
            assert seen.status.name == "Kitchen"
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))
        assert door.connections[0] <= admission.HALF_OPEN_PER_ADDRESS + 1
        for task in floods:
            task.cancel()
        assert sum(await asyncio.gather(*floods)) > admission.ARRIVALS_PER_ADDRESS


async def test_whoever_comes_too_often_is_hung_up_on_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pace in ("ARRIVAL_SECONDS_PER_ADDRESS", "ARRIVAL_SECONDS_ON_LOOPBACK"):
        monkeypatch.setattr(admission, pace, 60.0)  # also a slow machine comes too often
    async with company(tmp_path, 1) as table:
        hints = []
        for _ in range(admission.ARRIVALS_ON_LOOPBACK + 1):
            with contextlib.suppress(Unavailable):
                (await stranger(table)).abort()
                continue
            hints.append("closed")
        assert hints


async def test_the_loop_has_its_turn_between_two_that_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backlog full of connections is not worked through in one breath."""
    turns: list[int] = []
    hung_up = listener._reset
    monkeypatch.setattr(admission.Admission, "may_arrive", lambda *_: False)
    monkeypatch.setattr(
        listener, "_reset", lambda one: (turns.append(clock[0]), hung_up(one))[1]
    )
    clock = [0]
    loop = asyncio.get_running_loop()

    def tick() -> None:
        clock[0] += 1
        loop.call_soon(tick)

    async with company(tmp_path, 1) as table:
        host, port = split_address(table.nodes[0].address)
        tick()
        callers = [socket.create_connection((host, port)) for _ in range(40)]
        await true(lambda: len(turns) == 40)
        for caller in callers:
            caller.close()
    assert len(set(turns)) == 40


async def test_a_stranger_says_a_few_words(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        visitor = await stranger(table)
        for _ in range(STRANGER_WORDS):
            visitor.post(Knock())
            assert isinstance(await visitor.receive(), Status)
        visitor.post(Knock())
        await visitor.closed()


async def test_one_machine_with_many_keys_sits_down_a_few_times(tmp_path: Path) -> None:
    """Each time everybody's readiness is gone; so not for ever."""
    async with company(tmp_path, 1, spectators=True) as table:
        answers = []
        for _ in range(rate_limits.SITTINGS_PER_ADDRESS + 2):
            visitor = await stranger(table)
            visitor.post(Join(VERSION, "Eve", ()))
            answers.append(await visitor.receive())
            visitor.abort()
        assert answers[:-2] == [Denied("full")] * rate_limits.SITTINGS_PER_ADDRESS
        assert answers[-2:] == [Denied("too_often")] * 2
        visitor = await stranger(table)
        visitor.post(Watch(VERSION, table.nodes[0].lobby.table, 0, NOTHING))
        assert await visitor.receive() == Denied("too_often")
        visitor.abort()


async def test_a_spectator_asks_for_the_whole_match_once(tmp_path: Path) -> None:
    """A hundred bytes that are answered with half a megabyte are said once a connection."""
    async with company(tmp_path, 1, spectators=True) as table:
        visitor = await stranger(table)
        watch = Watch(VERSION, table.nodes[0].lobby.table, 0, NOTHING)
        visitor.post(watch)
        while not isinstance(await visitor.receive(), Lobby):
            pass
        visitor.post(watch)
        await visitor.closed()


async def test_a_host_that_floods_its_guests_with_chat_is_not_listened_to(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 2) as table:
        (host, guest), anna = table.nodes, table.identities[0]
        for number in range(400):
            said = Line(host.lobby.table, anna.public, number, f"\x1b[31mline {number}\u202e")
            operator(host).links.broadcast(Spoken(sign(anna, DOMAIN_LINE, said)))
        assert host.change(lambda room: room.set_options(b"the end of it")) == ""
        heard = []
        await true(lambda: guest.lobby.options == b"the end of it")
        while not guest._session.events.queue.empty():
            event = await guest.next()
            if isinstance(event, Chatted):
                heard.append(event)
        assert 8 <= len(heard) <= 60
        assert heard[0] == Chatted(0, "Anna", "[31mline 0", anna.public)


async def test_a_guest_whose_every_word_is_refused_is_cut_off_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusals are kept, so there is an end to them."""
    monkeypatch.setattr(intake, "MAX_REFUSED", 5)
    async with company(tmp_path, 2, rounds=8) as table:
        await table.begin()
        await until(table.nodes[0], Advanced)
        link = operator(table.nodes[1]).links.of(table.identities[0].public)
        assert link is not None
        for counter in range(900, 912):
            genesis = table.nodes[0].genesis
            assert genesis is not None
            said = Authored(genesis.digest, 1, counter, bytes(32), b"no such ancestor")
            link.post(Submit(sign(table.identities[1], DOMAIN_AUTHORED, said)))
        await link.closed()


class _Join(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """A wish to sit down, made by a program that checks nothing."""

    version: int
    name: str
    addresses: tuple[str, ...]


async def test_guests_with_endless_addresses_make_nobody_refuse_the_table(
    tmp_path: Path,
) -> None:
    """They took the room of everybody's terms, and honest guests named the host a cheat."""
    async with company(tmp_path, 4, rounds=1) as table:
        host, *guests = table.nodes
        await guests[2].leave()
        await true(lambda: host.lobby.seats[3].kind == "open")
        for letter in "宽窄":
            visitor = await stranger(table)
            visitor.post(_Join(VERSION, "Eve", tuple(letter * (299 - n) for n in range(8))))
            await visitor.closed()
        longest = "[fe80:1111:2222:3333:4444:5555:6666:7777]:65535"
        visitor = await stranger(table)
        visitor.post(Join(VERSION, "\U0001f451" * 24, (longest,) * 8))
        assert isinstance(await visitor.receive(), Lobby)
        visitor.abort()
        await true(lambda: host.lobby.seats[3].kind == "open")
        assert host.change(lambda room: room.set_bot(3, "easy")) == ""
        table.nodes.remove(guests[2])
        for guest in guests[:2]:
            await true(lambda node=guest: node.lobby.seats[3].kind == "bot")  # type: ignore[misc]
        await table.begin()


async def test_ready_said_without_end_is_told_once(tmp_path: Path) -> None:
    async with company(tmp_path, 3) as table:
        host, mallory, carla = table.nodes
        lobby = lobby_guest(mallory)
        assert lobby.channel is not None
        told = host._session.events.queue
        while not told.empty():
            told.get_nowait()
        for _ in range(200):
            agreement = agree_to(lobby.terms, table.identities[1], bytes(16))
            lobby.channel.post(Ready(agreement))
            lobby.channel.post(Join(VERSION, "Mallory", ()))
            assert await mallory.ready() == ""
        assert await carla.ready() == ""
        await true(lambda: all(host.lobby.ready))
        assert told.qsize() == 2  # Mallory, then Carla


@pytest.mark.parametrize("question", [Knock(), Join(VERSION, "Mallory", ())])
async def test_who_has_a_place_is_not_told_again_what_is_here(
    tmp_path: Path, question: msgspec.Struct, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few bytes ask for all of the terms; in a match for its whole beginning."""
    told: list[msgspec.Struct] = []
    post = Channel.post

    def counted(self: Channel, message: msgspec.Struct) -> None:
        if isinstance(message, Status | Lobby | Entries):
            told.append(message)
        post(self, message)

    async with company(tmp_path, 3) as table:
        host, mallory, _ = table.nodes
        lobby = lobby_guest(mallory)
        assert lobby.channel is not None
        monkeypatch.setattr(Channel, "post", counted)
        for _ in range(200):
            lobby.channel.post(question)
        assert await mallory.ready() == ""
        await true(lambda: host.lobby.ready[1])
        assert len(told) < 10


async def test_who_agrees_and_takes_it_back_without_end_is_cut_off(tmp_path: Path) -> None:
    """Each change of mind is shown to everybody, with all of the terms."""
    async with company(tmp_path, 3) as table:
        host, mallory, carla = table.nodes
        assert await carla.ready() == ""
        await true(lambda: host.lobby.ready[2])
        told = host._session.events.queue
        while not told.empty():
            told.get_nowait()
        channel = lobby_guest(mallory).channel
        assert channel is not None
        agreement = agree_to(lobby_guest(mallory).terms, table.identities[1], bytes(16))
        with contextlib.suppress(Unavailable):
            for _ in range(200):
                channel.post(Ready(agreement))
                channel.post(Unready())
        await channel.closed()
        assert told.qsize() < 50


def meeting(table: Company, index: int, addresses: tuple[str, ...] = ()) -> Meet:
    """What an operator's program says first on a link of the match."""
    node = table.nodes[index]
    assert node.genesis is not None
    session = match_of(node).mesh.programs.session
    return Meet(node.genesis.table, node.genesis.digest, addresses, session, False)


async def test_who_says_new_addresses_while_it_is_dialled_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place that answered had been pushed out, and the dialler's program ended."""
    async with company(tmp_path, 3, rounds=20) as table:
        await table.begin()
        anna = table.nodes[0]
        await until(anna, Advanced)
        dial_once, cheat = mesh.dial_once, table.identities[1]

        async def meanwhile(*where: object) -> Channel:
            """The cheat takes its time with its proof, and says two things elsewhere."""
            for batch in range(2):
                told = tuple(f"10.0.{batch}.{n}:4000" for n in range(8))
                other = await stranger(table, cheat)
                other.post(meeting(table, 1, told))
                await true(lambda told=told: told[0] in known.of(1))  # type: ignore[misc]
            return await dial_once(*where)  # type: ignore[arg-type]

        known = match_of(anna).mesh.addresses
        monkeypatch.setattr(mesh, "dial_once", meanwhile)
        channel = await match_of(anna).mesh._dial(1)
        monkeypatch.undo()
        assert channel is not None
        assert known.of(1)[0] == channel.address
        channel.abort()


async def test_who_meets_again_on_its_link_loses_it(tmp_path: Path) -> None:
    """Each time the link began anew, with all that is said first on one, under a signature."""
    async with company(tmp_path, 3, rounds=20) as table:
        await table.begin()
        anna, bert, _carla = table.nodes
        await until(anna, Advanced)
        channel = await link(anna, to=1)
        with pytest.raises(Malformed):
            operator(anna).inbound._hear(channel, meeting(table, 1))
        (await link(bert, to=0)).post(meeting(table, 1))
        await channel.closed()
        await asyncio.gather(*map(over, table.nodes))


def waiting(node: HighCardNode) -> list[NodeEvent]:
    """What a person is yet to be told."""
    queue = node._session.events.queue
    return [queue.get_nowait() for _ in range(queue.qsize())]


async def test_a_host_that_says_how_many_look_on_without_end_is_heard_at_a_persons_pace(
    tmp_path: Path,
) -> None:
    """Every word of it was told, some thousands a second: no screen draws them."""
    async with company(tmp_path, 3, rounds=20, spectators=True) as table:
        await table.begin()
        anna, bert, _carla = table.nodes
        await until(bert, Advanced)
        channel = await link(anna, to=1)
        waiting(bert)
        for number in range(1000):
            channel.post(Audience(number))
        await true(lambda: operator(bert).table.watching == 999)
        told = [one for one in waiting(bert) if isinstance(one, SpectatorsChanged)]
        assert len(told) < 250


async def test_a_host_that_shows_its_lobby_without_end_is_seen_at_a_persons_pace(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        waiting(guest)
        shown = lobby_guest(guest).terms
        for number in range(1000):
            operator(host).links.broadcast(Lobby(shown, (True, number % 2 == 0)))
        operator(host).links.broadcast(Audience(7))
        await true(lambda: operator(guest).table.watching == 7)
        told = [one for one in waiting(guest) if isinstance(one, LobbyChanged)]
        assert len(told) < 250
        assert host.change(lambda room: room.set_options(b"the end of it")) == ""
        while guest.lobby.options != b"the end of it":
            await until(guest, LobbyChanged)
