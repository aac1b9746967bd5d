"""From addresses to a table: whatever strangers answer there, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_interface
from pathlib import Path

import msgspec
import pytest

from protocol import Reconnected, knock
from protocol.discovery.announcement import Announcement
from protocol.discovery.browser import Found
from protocol.errors import Impostor, RemoteError, Unavailable
from protocol.identity.keys import Identity, fingerprint, fingerprint_bytes
from protocol.journal.statements import MAX_SEATS, VERSION
from protocol.messages import QUIET, Catalogue, Entries, Status
from protocol.session import finding, searching, spectating
from protocol.session.finding import Way, reach
from protocol.wire.addresses import Adapter, split_address
from protocol.wire.admission import Admission
from protocol.wire.channel import Channel, dial
from protocol.wire.listener import Listener, listen
from tests.protocol.gathering import (
    Company,
    HighCardNode,
    company,
    cut,
    match_of,
    operator,
    until,
)
from tests.protocol.gathering import play_live as play
from tests.protocol.tabletop import TABLE, genesis

pytestmark = pytest.mark.played(by=play)

Answer = Callable[[Channel], Awaitable[None]]


def status(
    host: Identity,
    role: str,
    *addresses: str,
    state: str = "lobby",
    table: bytes = bytes(16),
    locked: bool = False,
) -> Status:
    return Status(
        VERSION,
        table,
        "Kitchen",
        "classic",
        b"",
        state,
        2,
        1,
        0,
        host.public,
        addresses,
        role,
        True,
        locked,
    )


@asynccontextmanager
async def answering(who: Identity, *answers: msgspec.Struct | None) -> AsyncIterator[Listener]:
    """Somebody who answers one message after the other with these; None is silence."""

    async def attend(channel: Channel) -> None:
        for answer in answers:
            await channel.receive()
            if answer is not None:
                channel.post(answer)
        await channel.closed()

    listener = await listen(who, "M", attend, catalogue=Catalogue, interfaces=["lo"])
    try:
        yield listener
    finally:
        await listener.close()


def at(listener: Listener) -> str:
    return f"127.0.0.1:{listener.port}"


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that anybody asked the resolver for."""
    names: list[str] = []
    real = socket.getaddrinfo

    def ask(host: str, *rest: object, **more: object) -> object:
        try:
            socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
        except (OSError, ValueError):
            names.append(host)
            raise socket.gaierror("no names in a test") from None
        return real(host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    return names


async def test_a_stranger_shows_no_more_seats_than_a_table_has() -> None:
    """Each was drawn, in the lobby of everybody on the network."""
    mallory = Identity.fresh()
    many = {"seats": 2**48, "taken": 2**48, "bots": 2**48}
    shown = msgspec.structs.replace(status(mallory, "host"), **many)
    async with answering(mallory, shown) as stranger:
        told = (await knock([at(stranger)])).status
        assert max(told.seats, told.taken, told.bots) == MAX_SEATS


@pytest.mark.parametrize("place", ["a..b:1", "example.org:80", "宽" * 300])
def test_a_stranger_that_redirects_a_knock_to_a_name_is_refused(
    place: str, looked_up: list[str]
) -> None:
    async def test() -> None:
        mallory = Identity.fresh()
        async with answering(mallory, status(Identity.fresh(), "guest", place)) as stranger:
            with pytest.raises(RemoteError):
                await knock([at(stranger)])

    play(test())
    assert looked_up == []


async def test_one_bad_attempt_never_ends_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it raises: somebody's library may raise anything over what it was sent."""
    real = finding.dial

    async def bad(host: str, port: int, *rest: object, **more: object) -> Channel:
        if port == 1:
            raise UnicodeError("label empty or too long")
        return await real(host, port, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(finding, "dial", bad)
    async with company(tmp_path, 1) as table:
        seen = await knock(["10.9.9.9:1", table.nodes[0].address])
        assert seen.status.name == "Kitchen"
        with pytest.raises(Unavailable):
            await knock(["10.9.9.9:1"])


async def test_a_table_of_ours_needs_no_host_to_be_found() -> None:
    """A guest that nobody hosts for at the moment will do, if our disk knows the match."""
    guest = Identity.fresh()
    waits = status(Identity.fresh(), "guest", state="playing")
    async with answering(guest, waits, waits) as listener:
        for table in (bytes(16), b"x" * 16):
            seek = reach([at(listener)], Identity.fresh(), "", None, ours=table.__eq__)
            if table == waits.table:
                reached = await seek
                assert (reached.channel.peer, reached.status) == (guest.public, waits)
                reached.channel.abort()
            else:
                with pytest.raises(Unavailable) as caught:
                    await seek
                assert caught.value.hint == "no_host"


async def test_a_link_local_address_is_tried_with_every_zone_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another laptop has the same address on another network; the key decides."""
    real, tried = finding.dial, []
    networks = [
        Adapter(name=name, index=index, interfaces=(ip_interface("fe80::1/64"),))
        for index, name in ((2, "eth0"), (3, "eth1"), (4, "eth2"))
    ]

    async def cabled(host: str, port: int, *rest: object, **more: object) -> Channel:
        tried.append(host)
        if host == "fe80::7%2":
            raise Unavailable("no_route")
        place = "127.0.0.1" if host == "fe80::7%4" else "127.0.0.2"
        return await real(place, port, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(finding, "dial", cabled)
    monkeypatch.setattr(finding, "adapters", lambda: tuple(networks))
    async with company(tmp_path, 1) as table:
        _, port = split_address(table.nodes[0].address)
        host = table.identities[0].public
        reached = await reach([f"[fe80::7]:{port}"], Identity.fresh(), "", host)
        assert reached.channel.peer == host
        reached.channel.abort()
        assert sorted(tried) == ["fe80::7%2", "fe80::7%3", "fe80::7%4"]
        networks.clear()
        with pytest.raises(Unavailable) as caught:
            await reach([f"[fe80::7]:{port}"], Identity.fresh(), "", host)
        assert caught.value.hint == "no_route"


async def test_what_a_person_types_may_be_a_name_and_a_wrong_one_is_told() -> None:
    with pytest.raises(Unavailable) as caught:
        await dial("a..b", 1, Identity.fresh(), "", catalogue=Catalogue)
    assert caught.value.hint == "unknown_host"


async def test_others_are_told_the_number_of_what_was_typed_as_a_name(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        host, port = split_address(table.nodes[0].address)
        reached = await reach([f"localhost:{port}"], Identity.fresh(), "", None)
        assert reached.address == f"{host}:{port}"
        reached.channel.abort()


@pytest.mark.parametrize(
    "place",
    [
        "127.0.0.1:22",
        "[::1]:22",
        "0.0.0.0:22",
        "224.0.0.1:22",
        "[::ffff:7f00:1]:22",  # the same three, written in IPv6
        "[::ffff:0:0]:22",
        "[::ffff:e000:1]:22",
    ],
)
def test_nobody_elsewhere_sends_us_to_our_own_machine(place: str) -> None:
    assert not finding._may_follow(place, "10.0.0.9:4000")
    assert finding._may_follow("10.0.0.8:22", "10.0.0.9:4000")
    assert finding._may_follow("127.0.0.1:22", "127.0.0.1:4000")
    assert finding._may_follow("[::ffff:7f00:1]:22", "[::ffff:7f00:1]:4000")


async def test_a_guest_of_another_host_does_not_take_us_there(tmp_path: Path) -> None:
    """Who is pinned, or says itself who hosts now, is followed; nobody else is."""
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        listener = guest._session.table.listener
        assert listener is not None
        way = Way(at(listener), fingerprint_bytes(table.identities[1].public))
        for pinned in table.identities:
            expect = fingerprint_bytes(pinned.public)
            reached = await reach([way], Identity.fresh(), "", expect)
            assert reached.channel.peer == table.identities[0].public
            reached.channel.abort()
        with pytest.raises(Impostor):
            await reach([way], Identity.fresh(), "", Identity.fresh().public)
        assert host.address == reached.address


async def test_who_joins_sits_down_with_the_host_that_was_chosen(tmp_path: Path) -> None:
    """A host that sends newcomers on to another one is not followed there."""
    async with company(tmp_path, 1) as table:
        liar = Identity.fresh()
        told = status(table.identities[0], "guest", table.nodes[0].address)
        table.identities.append(Identity.fresh())
        table.homes.append(tmp_path / "other")
        async with answering(liar, told) as stranger:
            host = table.nodes[0]._session.table
            host.address, true = at(stranger), host.address
            with pytest.raises(Impostor):
                await table.join(1, "Bert", expect=liar.public)
            host.address = true


@contextmanager
def led_to(table: Company, address: str, guest: Identity, home: Path) -> Iterator[None]:
    """Whoever comes to this table next, the `guest`, comes to this address instead."""
    table.identities.append(guest)
    table.homes.append(home / "other")
    shown, true = table.nodes[0]._session.table, table.nodes[0].address
    shown.address = address
    yield
    shown.address = true


@pytest.mark.parametrize("answers", [0, 1], ids=["no status", "no answer to a join"])
@pytest.mark.parametrize("looks_on", [False, True], ids=["join", "watch"])
async def test_a_host_that_goes_silent_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: int, looks_on: bool
) -> None:
    for room in (finding, spectating):
        monkeypatch.setattr(room, "KNOCK_SECONDS", 0.05)
    host = Identity.fresh()
    async with (
        company(tmp_path, 1) as table,
        answering(host, *[status(host, "host")][:answers], None, None) as silent,
    ):
        with led_to(table, at(silent), Identity.fresh(), tmp_path):
            home = tmp_path / "watcher"
            wish = table.watch(home) if looks_on else table.join(1, "Bert")
            with pytest.raises(Unavailable) as caught:
                await wish
            assert caught.value.hint == "timeout"


@pytest.mark.parametrize("agreed", [False, True], ids=["nothing", "an older agreement"])
async def test_a_match_that_we_never_agreed_to_is_no_answer_to_a_join(
    tmp_path: Path, agreed: bool
) -> None:
    host, guest, other = Identity.fresh(), Identity.fresh(), Identity.fresh()
    answer = Entries((genesis([host, guest, other]),) if agreed else ())
    shown = status(host, "host", table=TABLE)
    async with company(tmp_path, 1) as table, answering(host, shown, answer, None) as false:
        with led_to(table, at(false), guest, tmp_path):
            if agreed:  # by an earlier program of ours, perhaps: nobody has lied
                with pytest.raises(Unavailable) as told:
                    await table.join(1, "Bert")
                assert told.value.hint == "started"
            else:
                with pytest.raises(RemoteError) as caught:
                    await table.join(1, "Bert")
                assert caught.value.culprit == host.public


async def test_a_host_that_answers_a_join_with_heartbeats_alone_is_told_in_words(
    tmp_path: Path,
) -> None:
    host = Identity.fresh()
    shown = status(host, "host", table=TABLE)
    async with (
        company(tmp_path, 1) as table,
        answering(host, shown, *[QUIET] * 1000) as beating,
    ):
        with led_to(table, at(beating), Identity.fresh(), tmp_path):
            with pytest.raises(RemoteError) as caught:
                await table.join(1, "Bert")
            assert caught.value.culprit == host.public


def test_only_where_its_key_is_proven_an_operator_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Announcements in its name, with junk in them, push out nothing that is known."""

    class Heard:
        def __init__(self, _interfaces: object) -> None:
            self.found: tuple[Found, ...] = ()

        async def start(self) -> None:
            self.found = tuple(map(announced, places))

        async def changed(self) -> None:
            raise TimeoutError

        async def close(self) -> None:
            """Nothing is open."""

    monkeypatch.setattr(searching, "Browser", Heard)
    places: list[tuple[str, ...]] = []
    told: list[tuple[str, tuple[str, ...]]] = []

    def announced(addresses: tuple[str, ...]) -> Found:
        said = Announcement(
            table=node.lobby.table,
            name="Kitchen",
            role="host",
            edition="classic",
            seats=2,
            taken=2,
            locked=False,
            fingerprint=fingerprint(node._session.table.person.identity.public),
            port=1,
            version=VERSION,
            state="playing",
        )
        return Found(announcement=said, addresses=addresses)

    async def test() -> None:
        nonlocal node
        async with company(tmp_path, 2) as table, answering(Identity.fresh()) as liar:
            node, guest = table.nodes
            places[:] = [
                (at(liar), "127.0.0.1:1"),
                (at(liar), node.address),
            ]
            await table.begin()
            mesh = match_of(guest).mesh
            monkeypatch.setattr(
                mesh, "suggest", lambda letters, where, first: told.append((letters, where))
            )
            with pytest.raises(TimeoutError):
                await searching._glance(operator(guest), None)
            assert told == [(table.identities[0].fingerprint, (node.address,))]

    node: HighCardNode
    play(test())


async def test_another_table_of_the_same_laptop_hides_the_hosts_from_nobody(
    tmp_path: Path,
) -> None:
    """Two programs under one key: both are announced, and both prove it."""
    async with company(tmp_path, 2) as table, asyncio.timeout(20):
        host, guest = table.nodes
        cellar = Company(tmp_path / "cellar", 1)
        cellar.identities = table.identities[:1]
        other = await cellar.host(2)
        try:
            said = other._session.table.announcement(1, hosting=True)
            await searching._suggest(
                operator(guest), Found(announcement=said, addresses=(other.address,))
            )
            cut(guest)
            await until(guest, Reconnected)
            assert guest.address == host.address
        finally:
            await other.leave()


@pytest.mark.parametrize(("cut_off", "hint"), [(0, ""), (3, ""), (99, "crowded")])
async def test_whoever_comes_in_when_too_many_ask_tries_again(
    cut_off: int, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "PAUSES", (0.0, 0.0, 0.0))
    tried: list[int] = []

    async def come_in() -> str:
        tried.append(len(tried))
        if len(tried) <= cut_off:
            raise Unavailable("closed", "reset")
        return "in"

    if hint:
        with pytest.raises(Unavailable, match="reset") as caught:
            await finding.persistently(come_in)
        assert caught.value.hint == hint
    else:
        assert await finding.persistently(come_in) == "in"
    assert len(tried) == min(cut_off + 1, 4)


async def test_what_is_no_crowd_is_told_at_once() -> None:
    async def nobody() -> str:
        raise Unavailable("refused")

    with pytest.raises(Unavailable, match="refused"):
        await finding.persistently(nobody)


@pytest.mark.parametrize("looks_on", [False, True])
async def test_whoever_comes_is_let_in_by_a_table_that_was_crowded(
    looks_on: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cuts the first ones off as its admission does, with a reset before a word."""
    real = Admission.may_arrive
    turned_away: list[str] = []

    def crowded(self: Admission, origin: str, now: float) -> bool:
        if len(turned_away) < 2:
            turned_away.append(origin)
            return False
        return real(self, origin, now)

    monkeypatch.setattr(finding, "PAUSES", (0.01, 0.01, 0.01))
    table = Company(tmp_path, 2)
    try:
        await table.host(2, spectators=looks_on)
        monkeypatch.setattr(Admission, "may_arrive", crowded)
        await (table.watch(tmp_path / "watch") if looks_on else table.join(1, "Bert"))
        assert len(turned_away) == 2
    finally:
        for node in (*table.nodes, *table.watchers):
            await node.leave()
