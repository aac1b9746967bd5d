"""Whole tables over real loopback sockets: the lobby, a match, a cut cable, a restart."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from ipaddress import ip_interface
from pathlib import Path

import pytest

from protocol import (
    Advanced,
    Began,
    Chatted,
    Closed,
    Failed,
    LobbyChanged,
    PeerBack,
    PeerLeft,
    Reconnected,
    Reconnecting,
    Refused,
    knock,
)
from protocol.application import Contribution
from protocol.errors import Equivocation, Impostor, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.chain import check_journal
from protocol.journal.statements import (
    DOMAIN_AUTHORED,
    VERSION,
    Agreement,
    Authored,
    Signed,
    agree_to,
    sign,
)
from protocol.messages import (
    QUIET,
    Catalogue,
    Commit,
    Denied,
    Heartbeat,
    Join,
    Knock,
    Meet,
    Ready,
    Status,
    Submit,
)
from protocol.session import searching
from protocol.session.lobby import HostedLobby
from protocol.session.lobby_host import LobbyHost
from protocol.storage.match_files import read_journal, unfinished
from protocol.storage.saved_matches import open_unfinished
from protocol.wire import listener
from protocol.wire.addresses import Adapter, split_address
from protocol.wire.channel import Channel, dial
from protocol.wire.codec import encode
from tests.protocol.company import tasks
from tests.protocol.company import until as true
from tests.protocol.gathering import (
    Company,
    HighCardNode,
    company,
    crash,
    cut,
    link_to_host,
    lobby_guest,
    operator,
    over,
    until,
)
from tests.protocol.gathering import (
    play_live as play,
)
from tests.protocol.session.test_chat import linked

pytestmark = pytest.mark.played(by=play)


async def test_three_operators_play_high_card_to_the_end(tmp_path: Path) -> None:
    async with company(tmp_path, 3) as table:
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))
        wins = [await node.run(lambda game: game.wins) for node in table.nodes]
        assert wins[0] == wins[1] == wins[2]
        paths = [node.path for node in table.nodes]
        for node in reversed(table.nodes):
            await node.leave(finished=True)
    journals = [read_journal(path) for path in paths if path is not None]
    chains = [check_journal(journal) for journal in journals]
    assert len({chain.hash_at(18) for chain in chains}) == 1
    assert chains[0].head == 18


async def test_a_cut_guest_takes_up_what_it_missed(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=8) as table:
        await table.begin()
        await until(table.nodes[2], Advanced)
        cut(table.nodes[2])
        await until(table.nodes[2], Reconnecting)
        await until(table.nodes[2], Reconnected)
        cut(table.nodes[1])
        await asyncio.gather(*(over(node) for node in table.nodes))
        wins = [await node.run(lambda game: game.wins) for node in table.nodes]
        assert wins[0] == wins[1] == wins[2]


async def test_a_guest_that_left_goes_on_from_its_disk(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=8) as table:
        await table.begin()
        await until(table.nodes[2], Advanced)
        await table.nodes[2].leave()
        lost = await until(table.nodes[0], PeerLeft)
        assert lost == PeerLeft(2, "Guest 2")
        again = await table.resume(2)
        assert await until(table.nodes[0], PeerBack) == PeerBack(2, "Guest 2")
        await asyncio.gather(over(table.nodes[0]), over(table.nodes[1]), over(again))


async def test_a_host_of_two_is_not_told_that_it_answers_again(tmp_path: Path) -> None:
    """Alone it hosts no more; with the guest back it does, and it never was away."""
    async with company(tmp_path, 2, rounds=8) as table:
        await table.begin()
        await until(table.nodes[1], Advanced)
        await table.nodes[1].leave()
        await until(table.nodes[0], PeerLeft)
        await true(lambda: not table.nodes[0].is_host)
        again = await table.resume(1)
        other = asyncio.create_task(over(again))
        told: list[object] = []
        while not await table.nodes[0].run(lambda game: game.is_over):
            told.append(await table.nodes[0].next())
        await other
        assert not [event for event in told if isinstance(event, Reconnected)]


async def test_joining_again_goes_on_with_the_match_that_is_played_there(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 2, rounds=8) as table:
        await table.begin()
        await until(table.nodes[1], Advanced)
        await table.nodes[1].leave()
        again = await table.join(1, "somebody else by name")
        assert again.genesis is not None
        assert again.me == 1
        await asyncio.gather(over(table.nodes[0]), over(again))


async def test_guests_wait_for_a_host_that_crashed(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=8) as table:
        await table.begin()
        await until(table.nodes[0], Advanced)
        await crash(table.nodes[0])
        await until(table.nodes[1], Reconnecting)
        again = await table.resume(0)
        await until(table.nodes[1], Reconnected)
        await asyncio.gather(over(again), over(table.nodes[1]), over(table.nodes[2]))


async def test_a_whole_table_goes_on_another_day(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=8) as table:
        await table.begin()
        await until(table.nodes[0], Advanced)
        for node in table.nodes[1:]:
            await node.leave()
        await table.nodes[0].leave()
        (path,) = unfinished(table.homes[1])
        found = open_unfinished(path, table.identities[1])
        assert found is not None
        assert found.me == 1
        later = [await table.resume(index) for index in (2, 0, 1)]
        await asyncio.gather(*(over(node) for node in later))
        for node in later:
            await node.leave(finished=True)
        assert unfinished(table.homes[1]) == ()


async def test_a_host_that_leaves_closes_the_table(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.nodes[0].leave()
        assert await until(table.nodes[1], Closed) == Closed("closed", "Anna")


async def test_a_guest_in_the_lobby_gives_up_a_host_that_died(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await crash(table.nodes[0])
        assert await until(table.nodes[1], Closed) == Closed("closed")


async def test_a_guest_cut_in_the_lobby_sits_down_again(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        cut(table.nodes[1])
        await until(table.nodes[1], Reconnected)
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_the_lobby_says_why_it_does_not_begin(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        assert await host.start() == "not_ready"
        assert await guest.start() == "not_host"
        assert guest.kick(0) == "not_host"
        assert guest.change(lambda room: room.set_options(b"x")) == "not_host"
        assert await host.ready() == "host"
        assert await guest.ready() == ""
        while not all(host.lobby.ready):
            await until(host, LobbyChanged)
        assert host.change(lambda room: room.set_options(b"another game")) == ""
        assert not all(host.lobby.ready)
        while guest.lobby.options != b"another game":
            await until(guest, LobbyChanged)
        assert await host.start() == "not_ready"
        assert host.kick(1) == ""
        assert await until(guest, Closed) == Closed("kicked", "Anna")
        assert await host.start() == "seat_open"
        assert host.change(lambda room: room.set_bot(1, "easy")) == ""
        assert await host.start() == ""
        assert host.kick(1) == "started"
        with pytest.raises(Unavailable) as caught:
            await table.join(1, "again")
        assert caught.value.hint == "started"


async def test_who_was_kicked_or_finds_no_seat_is_told_so(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        table.identities.append(Identity.fresh())
        table.homes.append(tmp_path / "late")
        with pytest.raises(Unavailable) as caught:
            await table.join(2, "late")
        assert caught.value.hint == "full"
        table.nodes[0].kick(1)
        with pytest.raises(Unavailable) as caught:
            await table.join(1, "again")
        assert caught.value.hint == "kicked"


async def test_everybody_hears_everybody(tmp_path: Path) -> None:
    async with company(tmp_path, 3) as table:
        assert await table.nodes[1].say("good evening") == ""
        heard = [await until(node, Chatted) for node in table.nodes]
        bert = table.identities[1].public
        assert set(heard) == {Chatted(1, "Guest 1", "good evening", bert)}
        assert await table.nodes[1].say("\x1b\u202e") == "chat"
        assert await table.nodes[0].say("\x1b[1mhello") == ""
        assert (await until(table.nodes[2], Chatted)).text == "[1mhello"


async def test_a_knock_is_answered_and_a_guest_points_to_its_host(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        listener = guest._session.table.listener
        assert listener is not None
        for address in (host.address, listener.addresses[0]):
            seen, place, _ = await knock(["127.0.0.1:1", address])
            assert (seen.name, seen.state) == ("Kitchen", "lobby")
            assert (seen.seats, seen.taken) == (2, 2)
            assert (seen.host, place) == (table.identities[0].public, host.address)
        with pytest.raises(Unavailable):
            await knock(["127.0.0.1:1"])
        with pytest.raises(Unavailable):
            await knock([])


async def test_the_join_code_pins_the_host(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        table.identities.append(Identity.fresh())
        table.homes.append(tmp_path / "other")
        with pytest.raises(Impostor):
            await table.join(1, "Bert", expect=Identity.fresh().public)
        assert table.nodes[0].code.startswith(table.nodes[0].address)


async def test_the_join_code_follows_its_host_to_another_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "POLL_SECONDS", 0.01)
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        assert host.code.startswith("127.0.0.1:")
        now = Adapter(name="lo", index=1, interfaces=(ip_interface("127.0.0.7/8"),))
        monkeypatch.setattr(listener, "adapters", lambda _only: (now,))
        while not host.code.startswith("127.0.0.7:"):
            await until(host, LobbyChanged)
        assert (await knock([host.code.split("/")[0]])).status.name == "Kitchen"
        await table.begin()  # and nobody has to agree anew
        meets = guest._session.table.listener
        assert meets is not None
        await true(lambda: meets.addresses[0].startswith("127.0.0.7:"))


async def test_a_person_may_speak_beside_what_is_owed(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        await table.nodes[1].submit(Contribution(key=b"mine", body=b"S\x00nonsense"))
        refused = await until(table.nodes[1], Refused)
        assert refused.key == b"mine"
        assert refused.code in ("not_now", "not_that_card", "round")
        await asyncio.gather(*(over(node) for node in table.nodes))


# Strangers and cheats.


async def approach(address: str, identity: Identity) -> Channel:
    host, port = split_address(address)
    return await dial(host, port, identity, "M", catalogue=Catalogue)


async def test_whatever_a_stranger_says_the_others_notice_nothing(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        address = table.nodes[0].address
        signed = Signed(b"x", bytes(64))
        for message in (
            Submit(signed),
            QUIET,
            Ready(Agreement(bytes(16), bytes(64))),
            Commit(1, (signed,)),
            Status(1, bytes(16), "x", "", b"", "", 0, 0, 0, bytes(32), (), "", False, False),
        ):
            channel = await approach(address, Identity.fresh())
            channel.post(message)
            if not isinstance(message, Heartbeat):
                await channel.closed()
            channel.abort()
        for claim in (
            Join(VERSION, "M", ()),
            Meet(bytes(16), bytes(32), (), bytes(8), False),
        ):
            channel = await approach(address, Identity.fresh())
            channel.post(claim)
            assert await channel.receive() == Denied("started")
            channel.post(Knock())
            assert isinstance(await channel.receive(), Status)
            channel.abort()
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_the_later_in_the_roster_keeps_the_link_that_is_alive(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=20) as table:
        await table.begin()
        await linked(table)
        bert, carla = map(operator, table.nodes[1:])
        first = carla.links.of(table.identities[1].public)
        assert bert.match is not None
        assert carla.table.listener is not None
        place = f"127.0.0.1:{carla.table.listener.port}"
        again = await approach(place, table.identities[1])
        session = bert.match.mesh.programs.session
        again.post(
            Meet(bert.match.mesh._at.table.id, bert.match.mesh._match, (), session, False)
        )
        assert await again.receive() == Denied("linked")
        again.post(Knock())
        assert isinstance(await again.receive(), Status)
        assert carla.links.of(table.identities[1].public) is first
        again.abort()


async def test_a_forging_guest_loses_its_link_and_nobody_is_named(tmp_path: Path) -> None:
    """What does not verify is nobody's word; the match goes on."""
    async with company(tmp_path, 3, rounds=50) as table:
        await table.begin()
        host, mallory, carla = table.nodes
        await until(mallory, Advanced)
        statement = Authored(match_named(host), 2, 1, bytes(32), b"in Carla's name")
        forged = sign(table.identities[1], DOMAIN_AUTHORED, statement)
        link = link_to_host(mallory)
        link.post(Submit(forged))
        await link.closed()
        await asyncio.gather(*(over(node) for node in (host, carla)))


def match_named(node: HighCardNode) -> bytes:
    """What names this node's match in what is said in it."""
    assert node.genesis is not None
    return node.genesis.digest


def two_words(table: Company, mallory: HighCardNode, author: int) -> None:
    """Somebody says two things under one counter."""
    desk = mallory._session.runtime
    assert desk is not None
    ancestor = desk.chain.hash_at(0)
    for body in (b"one", b"two"):
        statement = Authored(match_named(mallory), author, 999, ancestor, body)
        signed = sign(table.identities[author], DOMAIN_AUTHORED, statement)
        link_to_host(mallory).post(Submit(signed))


async def test_a_guest_that_says_two_things_stops_the_table_by_name(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=50) as table:
        await table.begin()
        host, mallory, carla = table.nodes
        await until(mallory, Advanced)
        two_words(table, mallory, 1)
        for node in (host, carla):
            problem = (await until(node, Failed)).problem
            assert isinstance(problem, Equivocation)
            assert problem.culprit == table.identities[1].public


async def test_who_comes_back_to_a_table_that_has_stopped_is_told_why(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=50) as table:
        await table.begin()
        host, mallory, carla = table.nodes
        await until(mallory, Advanced)
        await crash(carla)
        two_words(table, mallory, 1)
        await until(host, Failed)
        again = await table.resume(2)
        assert isinstance((await until(again, Failed)).problem, Equivocation)


async def agreed(guest: HighCardNode) -> None:
    """A guest agrees, and hears that all do."""
    await guest.ready()
    while not all(guest.lobby.ready):
        await until(guest, LobbyChanged)


def room_of(host: HighCardNode) -> HostedLobby:
    lobby = operator(host).lobby
    assert isinstance(lobby, LobbyHost)
    return lobby.room


async def test_a_match_begun_on_terms_that_had_changed_is_refused(tmp_path: Path) -> None:
    """The host keeps an old agreement and begins with it after showing another table."""
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        await agreed(guest)
        lobby_guest(guest).terms = encode(b"what the guest was shown last")
        assert await host.start() == ""
        problem = (await until(guest, Failed)).problem
        assert isinstance(problem, Impostor)
        assert problem.culprit == table.identities[0].public


async def test_a_match_begun_with_an_agreement_of_another_evening_is_refused(
    tmp_path: Path,
) -> None:
    """The host has a table's id, its terms and all that was signed there from before."""
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        await agreed(guest)
        room = room_of(host)
        (place,) = room._guests
        old = agree_to(room.terms, table.identities[1], b"another evening.")
        room._guests = [replace(place, agreement=old)]
        assert await host.start() == ""
        problem = (await until(guest, Failed)).problem
        assert isinstance(problem, Unavailable), "an honest host may have had it from us"
        assert problem.hint == "started"


async def test_a_guest_that_begins_anew_agrees_anew(tmp_path: Path) -> None:
    """The host has not seen yet that its program was killed, and holds its old word."""
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        await agreed(guest)
        anew = lobby_guest(guest)
        anew._nonce, anew._agreed = b"of a new program", b""
        await guest.ready()
        (place,) = room_of(host)._guests
        while place.agreement is None or place.agreement.nonce != anew._nonce:
            await asyncio.sleep(0)
            (place,) = room_of(host)._guests
        assert await host.start() == ""
        await asyncio.gather(until(host, Began), until(guest, Began))


async def test_nothing_is_left_running(tmp_path: Path) -> None:
    async with company(tmp_path, 3) as table:
        await table.begin()
    assert [task for task in tasks() if task.get_name() != "Task-2"] == []


async def test_a_guest_whose_link_breaks_at_the_start_is_not_left_behind(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 3) as table:
        host, bert, carla = table.nodes
        for guest in (bert, carla):
            await guest.ready()
        while not (all(bert.lobby.ready) and all(host.lobby.ready)):
            await until(bert, LobbyChanged)
        cut(bert)
        assert await host.start() == ""
        for guest in (bert, carla):
            await until(guest, Began)
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_nobody_joins_his_own_table(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        with pytest.raises(Unavailable) as caught:
            await table.join(0, "Anna")
        assert caught.value.hint == "own_table"


async def test_who_joins_again_by_another_program_has_the_place_and_the_first_one_goes(
    tmp_path: Path,
) -> None:
    """Both have one key. They do not take the link from each other for ever."""
    async with company(tmp_path, 2) as table:
        host, first = table.nodes
        second = await table.join(1, "Bert")
        assert await until(first, Closed) == Closed("own_table", "Anna")
        assert await second.ready() == ""
        while await host.start():
            await host.next()
        assert await until(second, Began)


async def test_of_two_programs_of_one_key_that_look_on_the_second_does(tmp_path: Path) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        key = Identity.fresh()
        first = await table.watch(tmp_path / "watching", key)
        await table.watch(tmp_path / "too", key)
        assert await until(first, Closed) == Closed("own_table", "Anna")
        assert operator(table.nodes[0]).table.watching == 1
