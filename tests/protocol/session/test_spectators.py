"""Who looks on: sees what is confirmed, checks all of it, and changes nothing."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from protocol import (
    Advanced,
    Began,
    CatchingUp,
    Closed,
    Failed,
    GalleryFull,
    Node,
    NodeEvent,
    PeerLeft,
    Person,
    Reconnected,
    Reconnecting,
    SpectatorsChanged,
    knock,
)
from protocol.application import SPECTATOR
from protocol.errors import BadSignature, Impostor, RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.chain import check_journal
from protocol.journal.statements import (
    DOMAIN_ACK,
    NOTHING,
    VERSION,
    Ack,
    Agreement,
    Signed,
    sign,
)
from protocol.messages import (
    QUIET,
    Acked,
    Audience,
    Catalogue,
    Commit,
    Denied,
    Entries,
    Fault,
    Heartbeat,
    Join,
    Knock,
    Leave,
    Lobby,
    Meet,
    Ready,
    Spoken,
    Submit,
    Watch,
)
from protocol.roster import Operator
from protocol.session import match_opening, operator_session, spectators
from protocol.session.lobby import HostedLobby
from protocol.session.match_runtime import MatchRuntime
from protocol.session.reporting import CALM
from protocol.session.spectating import Spectating
from protocol.storage.match_files import read_journal, unfinished
from protocol.storage.store import Store
from protocol.wire import admission
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel, dial
from tests.protocol import gathering
from tests.protocol.gathering import (
    PACE,
    Company,
    HighCardNode,
    company,
    crash,
    cut,
    match_of,
    operator,
    over,
    play,
    until,
)
from tests.protocol.high_card import HighCard

pytestmark = pytest.mark.played(by=play)


async def seen_to_the_end(node: HighCardNode) -> list[int]:
    """Who won how often, as a spectator knows it once everything is confirmed."""
    await over(node)
    return await node.run(lambda game: game.wins)


async def test_a_spectator_sees_the_lobby_and_the_whole_match(tmp_path: Path) -> None:
    async with company(tmp_path, 3, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        assert watcher.me is None
        assert not watcher.is_host
        assert [seat.name for seat in watcher.lobby.seats] == ["Anna", "Guest 1", "Guest 2"]
        await table.begin()
        await until(watcher, Began)
        wins = await seen_to_the_end(watcher)
        await asyncio.gather(*(over(node) for node in table.nodes))
        assert wins == await table.nodes[0].run(lambda game: game.wins)
        assert await watcher.run(lambda game: game.me) == SPECTATOR
        path = watcher.path
        assert path is not None
        await watcher.leave(finished=True)
        chain = check_journal(read_journal(path))
        assert chain.head == 18
        assert unfinished(tmp_path / "w") == ()


async def test_a_spectator_may_come_in_the_middle_and_come_again(tmp_path: Path) -> None:
    async with company(tmp_path, 2, rounds=20, spectators=True) as table:
        await table.begin()
        await until(table.nodes[0], Advanced)
        who = Identity.fresh()
        first = await table.watch(tmp_path / "w", who)
        while (await until(first, Advanced)).seq < 8:
            pass
        await first.leave()
        again = await table.watch(tmp_path / "w", who)
        assert await again.run(lambda game: game.confirmed) >= 8  # from its own disk
        wins = await seen_to_the_end(again)
        await asyncio.gather(*(over(node) for node in table.nodes))
        assert wins == await table.nodes[1].run(lambda game: game.wins)


async def test_everybody_at_the_table_knows_how_many_look_on(tmp_path: Path) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        host, guest = table.nodes
        assert host.spectators == 0
        while guest.spectators != 0:
            await until(guest, SpectatorsChanged)
        watcher = await table.watch(tmp_path / "w")
        for node in (*table.nodes, watcher):
            while node.spectators != 1:
                await until(node, SpectatorsChanged)
        await watcher.leave()
        for node in table.nodes:
            while node.spectators != 0:
                await until(node, SpectatorsChanged)


async def test_who_looked_on_at_the_laptop_that_died_is_counted_no_more(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=400, spectators=True) as table:
        host, bert, carla = table.nodes
        watcher = await table.watch(tmp_path / "w")
        await table.begin()
        await until(watcher, Advanced)
        assert bert.spectators == carla.spectators == 1
        await crash(host)
        await watcher.leave()
        async with asyncio.timeout(20):
            for node in (bert, carla):
                while node.spectators:
                    await until(node, SpectatorsChanged)


async def test_a_table_says_whether_spectators_are_welcome(tmp_path: Path) -> None:
    for welcome in (True, False):
        async with company(tmp_path / str(welcome), 1, spectators=welcome) as table:
            status = (await knock([table.nodes[0].address])).status
            assert status.spectators is welcome
            if not welcome:
                with pytest.raises(Unavailable) as caught:
                    await table.watch(tmp_path / "w")
                assert caught.value.hint == "no_spectators"
                assert table.nodes[0].spectators is None


async def test_who_plays_at_a_table_does_not_also_watch_it(tmp_path: Path) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        with pytest.raises(Unavailable) as caught:
            await table.watch(tmp_path / "w", table.identities[1])
        assert caught.value.hint == "own_table"


async def test_the_gallery_has_a_last_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "SPECTATORS", 2)
    async with company(tmp_path, 1, spectators=True) as table:
        who = Identity.fresh()
        await table.watch(tmp_path / "1", who)
        await table.watch(tmp_path / "2")
        with pytest.raises(Unavailable) as caught:
            await table.watch(tmp_path / "3")
        assert caught.value.hint == "gallery_full"
        await table.watch(tmp_path / "4", who)  # the place that it has already


async def test_a_larger_gallery_leaves_the_door_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks on takes no connection of those who come to play."""
    monkeypatch.setattr(admission, "ESTABLISHED", 3)
    monkeypatch.setattr(spectators, "SPECTATORS", 1)
    table = Company(tmp_path, 2)
    host = await Node.host(
        Person(tmp_path / "0", table.identities[0], "Anna", interfaces=["lo"]),
        table.make,
        table_name="Kitchen",
        options=b"high card",
        seats=2,
        announce=False,
        pace=PACE,
        spectators=True,
        places=4,
    )
    table.nodes.append(host)
    for number in range(4):
        await table.watch(tmp_path / f"w{number}")
    await table.join(1, "Bert")
    await table.begin()
    for node in (*table.nodes, *table.watchers):
        await node.leave()


async def test_the_host_is_told_once_that_somebody_found_no_place(tmp_path: Path) -> None:
    async with company(tmp_path, 1, spectators=True) as table:
        host = table.nodes[0]
        operator(host).spectators.places = 1
        first = await table.watch(tmp_path / "1")
        for number in (2, 3):
            with pytest.raises(Unavailable):
                await table.watch(tmp_path / str(number))
        assert await until(host, GalleryFull) == GalleryFull(1)
        await first.leave()
        while host.spectators:
            told = await host.next()
            assert not isinstance(told, GalleryFull)
        await table.watch(tmp_path / "4")
        with pytest.raises(Unavailable):
            await table.watch(tmp_path / "5")
        await until(host, GalleryFull)


async def test_a_spectator_is_silent_and_agrees_to_nothing(tmp_path: Path) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        assert await watcher.say("hello") == "spectator"
        assert await watcher.ready() == "spectator"
        assert await watcher.start() == "not_host"
        assert watcher.kick(1) == "not_host"


async def _as_spectator(table: Company, identity: Identity | None = None) -> Channel:
    """A program of its own in the spectators, which may say what it likes."""
    host, port = split_address(table.nodes[0].address)
    channel = await dial(host, port, identity or Identity.fresh(), "", catalogue=Catalogue)
    channel.post(Watch(VERSION, table.nodes[0].lobby.table, 0, NOTHING))
    while not isinstance(await channel.receive(), Audience):
        pass
    return channel


@pytest.mark.parametrize(
    "word",
    [
        Spoken(Signed(b"let me in", bytes(64))),
        Ready(Agreement(bytes(16), bytes(64))),
        Submit(Signed(b"x", bytes(64))),
        Acked(Signed(b"x", bytes(64))),
        Commit(3, ()),
        Entries(()),
        Lobby(b"", ()),
        Audience(9),
        Denied("full"),
    ],
    ids=lambda word: type(word).__name__,
)
async def test_a_spectator_that_says_more_than_where_it_is_goes(
    tmp_path: Path, word: msgspec.Struct
) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        await table.begin()
        channel = await _as_spectator(table)
        channel.post(word)
        await channel.closed()
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_a_spectator_is_not_counted_and_not_waited_for(tmp_path: Path) -> None:
    """It acknowledges nothing and reads nothing, and the match goes on to its end."""
    async with company(tmp_path, 2, rounds=60, spectators=True) as table:
        channel = await _as_spectator(table)
        channel._connection.transport.pause_reading()
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))
        for node in table.nodes:
            await node.leave(finished=True)
        channel.abort()


async def test_who_claims_another_history_is_refused(tmp_path: Path) -> None:
    async with company(tmp_path, 2, rounds=2, spectators=True) as table:
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))
        here = table.nodes[0].lobby.table
        for watch in (
            Watch(VERSION, here, 3, bytes(32)),
            Watch(VERSION, bytes(16), 1, NOTHING),
            Watch(VERSION, here, 10_000, bytes(32)),
            Watch(VERSION, here, 0, b"\1" * 32),
            Watch(VERSION + 1, here, 0, NOTHING),
        ):
            host, port = split_address(table.nodes[0].address)
            channel = await dial(host, port, Identity.fresh(), "", catalogue=Catalogue)
            channel.post(watch)
            code = "version" if watch.version != VERSION else "other_table"
            assert await channel.receive() == Denied(code)
            channel.abort()


async def test_nothing_that_is_private_is_sent_to_the_gallery(tmp_path: Path) -> None:
    """A whole match, as it arrives: entries, their confirmation, beats, the number watching."""
    async with company(tmp_path, 2, rounds=3, spectators=True) as table:
        channel = await _as_spectator(table)
        await table.begin()
        await until(table.nodes[1], Advanced)
        assert await table.nodes[1].say("only for the table") == ""
        kinds: set[type[msgspec.Struct]] = set()
        confirmed, number = 0, -1
        while confirmed < 12:
            message = await channel.receive()
            kinds.add(type(message))
            if isinstance(message, Commit):
                confirmed = message.seq
            if isinstance(message, Entries):
                number += len(message.entries)
                channel.post(msgspec.structs.replace(QUIET, head=number))
        assert kinds <= {Lobby, Entries, Commit, Heartbeat, Audience}
        assert {Entries, Commit} <= kinds
        channel.abort()
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_a_false_host_is_found_out_by_its_spectators(tmp_path: Path) -> None:
    """One bit of one entry on its way, and the spectator stops: it believes nobody."""
    async with company(tmp_path, 2, rounds=3, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        spectators = operator(table.nodes[0]).spectators
        true = spectators.send

        def forged(identity: bytes, message: msgspec.Struct) -> None:
            if isinstance(message, Entries):
                first, *others = message.entries
                bad = bytearray(first.content)
                bad[-70] ^= 1
                message = Entries((Signed(bytes(bad), first.signature), *others))
            true(identity, message)

        spectators.send = forged  # type: ignore[method-assign]
        await table.begin()
        failed = await until(watcher, Failed)
        assert isinstance(failed.problem, RemoteError)
        assert isinstance(failed.problem, BadSignature)
        assert failed.problem.culprit == table.identities[0].public
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_no_word_of_one_operator_has_a_spectator_name_another(tmp_path: Path) -> None:
    """Bert says that he hosts, and shows what Anna has ordered under a certificate of his own
    word alone. It names her host of it, and nobody has signed that.
    """
    async with company(tmp_path, 2, rounds=20, spectators=True) as table:
        await table.begin()
        anna, bert = table.nodes
        for node in table.nodes:
            await until(node, Advanced)
        liar, match = operator(bert), match_of(bert)
        me, told = liar.table.person.identity, liar.table.status(hosting=True)
        liar.table.status = lambda **_: replace(told, host=me.public)  # type: ignore[method-assign]
        liar.spectators.is_open = True

        def lie(**_: object) -> None:
            replica = match.runtime.machine.replica
            shown = replica.chain.entries[: replica.confirmed + 1]
            last = shown[-1]
            own = Ack(replica.chain.genesis.digest, last.term, 1, last.seq, last.hash, b"")
            liar.spectators.broadcast(Entries(tuple(one.signed for one in shown)))
            liar.spectators.broadcast(Commit(last.seq, (sign(me, DOMAIN_ACK, own),)))

        match.pump_spectators = lie  # type: ignore[method-assign]
        assert liar.table.listener is not None
        watcher = await Node.watch(
            Person(tmp_path / "w", Identity.fresh()),
            table.make,
            addresses=[f"127.0.0.1:{liar.table.listener.port}"],
            pace=PACE,
        )
        table.watchers.append(watcher)
        wins, *_ = await asyncio.gather(seen_to_the_end(watcher), over(anna), over(bert))
        assert wins == await anna.run(lambda game: game.wins)


async def test_who_watches_again_asks_an_operator_of_that_match_and_nobody_else(
    tmp_path: Path,
) -> None:
    """A stranger's table has the id of one that was watched."""
    async with company(tmp_path, 2, rounds=20, spectators=True) as table:
        await table.begin()
        watcher = await table.watch(tmp_path / "w")
        await until(watcher, Advanced)
        await watcher.leave()
        table.watchers.remove(watcher)
        stranger = Company(tmp_path / "s", 1)
        other = operator(await stranger.host(1, spectators=True)).table
        other.id = operator(table.nodes[0]).table.id
        with pytest.raises(Impostor):
            await stranger.watch(tmp_path / "w")
        await stranger.nodes[0].leave()


async def test_a_cut_spectator_takes_up_what_it_missed(tmp_path: Path) -> None:
    async with company(tmp_path, 2, rounds=20, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        cut(watcher)
        await until(watcher, Reconnected)
        await table.begin()
        await until(watcher, Began)
        cut(watcher)
        wins = await seen_to_the_end(watcher)
        await asyncio.gather(*(over(node) for node in table.nodes))
        assert wins == await table.nodes[1].run(lambda game: game.wins)


async def test_spectators_wait_for_a_host_that_comes_back(tmp_path: Path) -> None:
    async with company(tmp_path, 2, rounds=20, spectators=True) as table:
        await table.begin()
        watcher = await table.watch(tmp_path / "w")
        await until(watcher, Advanced)
        await crash(table.nodes[0])
        again = await table.resume(0)
        await until(watcher, Reconnected)
        wins = await seen_to_the_end(watcher)
        await asyncio.gather(over(again), over(table.nodes[1]))
        assert wins == await again.run(lambda game: game.wins)


async def test_a_closed_table_says_goodbye_to_its_gallery(tmp_path: Path) -> None:
    async with company(tmp_path, 1, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        await table.nodes[0].leave()
        assert await until(watcher, Closed) == Closed("closed", "Anna")


@pytest.mark.parametrize(
    "word",
    [Leave("left"), Denied("kicked"), Fault("failed", None, ())],
    ids=lambda word: type(word).__name__,
)
async def test_no_operators_word_ends_what_others_could_host(
    tmp_path: Path, word: Leave | Denied | Fault
) -> None:
    """Who looks on goes to whoever hosts next, and sees the match to its end."""
    async with company(tmp_path, 3, rounds=60, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        await table.begin()
        await until(watcher, Advanced)
        anna, *others = table.nodes
        operator(anna).spectators.broadcast(word)
        await until(watcher, Reconnecting)
        await anna.leave()
        told: list[NodeEvent] = []
        while not any(isinstance(one, Closed | Failed | Reconnected) for one in told):
            told.append(await watcher.next())
        assert isinstance(told[-1], Reconnected)
        for node in others:
            await until(node, PeerLeft)
        await table.resume(0)
        await over(watcher)


@pytest.mark.parametrize("operators", [2, 3])
async def test_where_nobody_hosts_any_more_who_looks_on_is_told_so(
    tmp_path: Path, operators: int
) -> None:
    """Of two nobody is left to host; of three nobody does who would have it."""
    async with company(tmp_path, operators, rounds=60, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        await table.begin()
        await until(watcher, Advanced)
        operator(table.nodes[0]).spectators.broadcast(Denied("kicked"))
        told: list[NodeEvent] = []
        while not told or not isinstance(told[-1], Closed):
            told.append(await watcher.next())
        assert told[-1] == Closed("kicked", "Anna")
        assert any(isinstance(one, Reconnecting) for one in told) is (operators > 2)


async def test_who_looks_on_is_told_that_its_own_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")

        class Full(Store):
            def __init__(self, path: Path) -> None:
                if path.is_relative_to(tmp_path / "w"):
                    raise Unavailable("disk_full", str(path))
                super().__init__(path)

        monkeypatch.setattr(match_opening, "Store", Full)
        await table.begin()
        told: list[NodeEvent] = []
        while not any(isinstance(one, Closed | Failed) for one in told):
            told.append(await watcher.next())
        assert isinstance(told[-1], Failed)
        assert isinstance(told[-1].problem, Unavailable)
        assert told[-1].problem.hint == "disk_full"
        with pytest.raises(Unavailable) as caught:
            await table.watch(tmp_path / "w" / "again")
        assert caught.value.hint == "disk_full"


async def test_how_far_behind_it_is_a_spectator_is_told_calmly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host says that it is far ahead, and sends nothing, without end."""
    async with company(tmp_path, 2, rounds=60, spectators=True) as table:
        watcher = await table.watch(tmp_path / "w")
        await table.begin()
        await until(watcher, Advanced)
        end = watcher._session
        assert isinstance(end, Spectating)
        assert end.channel is not None
        answers: list[msgspec.Struct] = []
        monkeypatch.setattr(end.channel, "post", answers.append)
        end.events.beat()
        end.hear_beat(end.channel, replace(QUIET, head=10**9))
        for _ in range(100):
            end.hear_entries(end.channel, Entries(()))
            end.word()
        queue = end.events.queue
        told = [queue.get_nowait() for _ in range(queue.qsize())]
        assert 0 < sum(isinstance(one, CatchingUp) for one in told) <= CALM
        assert not answers
        monkeypatch.undo()


async def test_a_spectator_has_its_place_and_is_told_no_more_of_the_table(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 1, spectators=True) as table:
        channel = await _as_spectator(table)
        channel.post(Knock())
        channel.post(Join(VERSION, "Bert", ()))
        channel.post(Meet(table.nodes[0].lobby.table, bytes(32), (), bytes(8), False))
        answer = await channel.receive()
        while isinstance(answer, Heartbeat):
            answer = await channel.receive()
        assert answer == Denied("not_begun")
        channel.abort()


async def test_who_looked_on_in_the_lobby_finds_the_match_at_another_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cable was out while the match began, and the host's laptop died."""
    monkeypatch.setattr(gathering, "PACE", dataclasses.replace(PACE, lobby_patience=30.0))
    async with company(tmp_path, 3, rounds=2000, spectators=True) as table:
        host, bert, _carla = table.nodes
        watcher = await table.watch(tmp_path / "w")
        session = watcher._session
        assert isinstance(session, Spectating)
        reach_again = session._reach_again
        is_back = asyncio.Event()

        async def out() -> Channel:
            if not is_back.is_set():
                raise Unavailable("no_route")
            return await reach_again()

        monkeypatch.setattr(session, "_reach_again", out)
        cut(watcher)
        await table.begin()
        await until(bert, Advanced)
        await crash(host)
        is_back.set()
        async with asyncio.timeout(10):
            await until(watcher, Began)
            await until(watcher, Advanced)


async def test_a_guest_shows_who_looked_on_in_the_lobby_no_table_of_its_own(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        watcher, liar = await table.watch(tmp_path / "w"), table.identities[1]
        session = watcher._session
        assert isinstance(session, Spectating)
        room = HostedLobby(
            Operator(identity=liar.public, name="Guest 1"),
            table=watcher.lobby.table,
            name="Kitchen",
            options=b"high card",
            seats=1,
            spectators=True,
        )
        with pytest.raises(Impostor):
            session.hear_lobby(
                cast(Channel, SimpleNamespace(peer=liar.public)), Lobby(room.terms, room.ready)
            )
        _, first = room.start(liar)
        assert first is not None
        session.table.host = liar.public  # it answered where its addresses lead
        with pytest.raises(Impostor):
            await session._begin(first)


async def test_who_comes_to_look_on_while_it_begins_sends_no_guest_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host's disk takes its time, and a guest's program has begun anew."""
    goes_on, real = asyncio.Event(), operator_session.open_new

    async def slow(*of: Any, **more: Any) -> MatchRuntime[HighCard]:
        if of[1] == 0:
            of[3].adopt(of[0], of[1], of[2])
            await goes_on.wait()
        return await real(*of, **more)

    async with company(tmp_path, 2, spectators=True) as table:
        host, guest = table.nodes
        await table.agreed()
        monkeypatch.setattr(operator_session, "open_new", slow)
        starting = asyncio.create_task(host.start())
        await asyncio.sleep(0)
        await crash(guest)
        coming = asyncio.create_task(table.join(1, "Guest 1"))
        await asyncio.sleep(0.5)
        await table.watch(tmp_path / "w")
        await asyncio.sleep(0.5)
        goes_on.set()
        assert await starting == ""
        await until(await coming, Began)
