"""Real TLS on loopback: operators talk, everybody else is shown the door."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
import hashlib
import logging
import random
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from ipaddress import ip_interface
from typing import ClassVar

import msgspec
import pytest

from protocol.errors import (
    BadSignature,
    Excessive,
    Impostor,
    LocalError,
    Malformed,
    ProtocolError,
    RemoteError,
    Unavailable,
    VersionMismatch,
)
from protocol.identity.keys import fingerprint_bytes
from protocol.wire import addresses, connection, frames, listener
from protocol.wire.admission import ESTABLISHED, HALF_OPEN_ON_LOOPBACK, Admission
from protocol.wire.certificate import ALPN, dialling_context, listening_context
from protocol.wire.channel import Channel, dial
from protocol.wire.codec import encode
from protocol.wire.frames import PEER_FRAME, STRANGER_FRAME, framed
from protocol.wire.handshake import Handshake, Role
from protocol.wire.listener import Listener, bind, listen
from tests.protocol.company import (
    MESSAGES,
    Said,
    Shown,
    echo,
    host,
    identity,
    run,
    tasks,
    until,
)

ANNA, BEN = identity(1), identity(2)


async def ben(listener: Listener, **more: object) -> Channel:
    return await dial(
        "127.0.0.1",
        listener.port,
        BEN,
        "Ben",
        catalogue=MESSAGES,
        **more,  # type: ignore[arg-type]
    )


@contextlib.asynccontextmanager
async def plain(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection with nothing on it yet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@contextlib.asynccontextmanager
async def tls(
    port: int, context: ssl.SSLContext | None = None, receive_buffer: int = 0
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection with TLS and no handshake of ours."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.connect(("127.0.0.1", port))
    connection.setblocking(False)
    reader, writer = await asyncio.open_connection(
        sock=connection, ssl=context or dialling_context(), server_hostname=""
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What the other side still said before it closed."""
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        return await reader.read(1 << 20)
    return b""


@contextlib.asynccontextmanager
async def ended_at_any_step() -> AsyncIterator[None]:
    """On a busy machine the other side's patience may end before this one has said its part."""
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        yield


async def proven(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seed: int = 2
) -> None:
    """Be an operator over bare streams, to misbehave afterwards."""
    tls_object = writer.get_extra_info("ssl_object")
    certificate = hashlib.sha256(tls_object.getpeercert(binary_form=True)).digest()
    handshake = Handshake(
        identity(seed), "Ben", Role.DIALLED, certificate=certificate, nonce=bytes(32)
    )
    writer.write(framed(handshake.start()))
    while handshake.peer is None:
        length = int.from_bytes(await reader.readexactly(4), "big")
        answer = handshake.receive(await reader.readexactly(length))
        if answer is not None:
            writer.write(framed(answer))


def narrow(channel: Channel) -> None:
    """Let the system take a few kilobytes at a time, so that the rest waits on our side."""
    tcp = channel._connection.transport.get_extra_info("socket")
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)


async def still_welcome(listener: Listener) -> None:
    """An honest guest joins and is answered."""
    guest = await ben(listener, expect=ANNA.public)
    guest.post(Said(1, "hello"))
    assert await guest.receive() == Said(1, "hello")
    await guest.close()


def test_two_operators_know_each_other_and_talk() -> None:
    met: list[Channel] = []

    async def greet(channel: Channel) -> None:
        met.append(channel)
        await echo(channel)

    async def scene() -> None:
        async with host(greet) as listener:
            guest = await ben(listener, purpose="join", expect=fingerprint_bytes(ANNA.public))
            assert (guest.peer, guest.peer_name) == (ANNA.public, "Anna")
            assert guest.address == f"127.0.0.1:{listener.port}"
            for message in (Said(1), Shown(bytes(200_000), (1, 2), True), Said(2)):
                guest.post(message)
                assert await guest.receive() == message
            assert (met[0].peer, met[0].peer_name) == (BEN.public, "Ben")
            assert met[0].purpose == guest.purpose == "join"
            await guest.close()
            with pytest.raises(Unavailable):
                guest.post(Said(3))
            with pytest.raises(Unavailable):
                await guest.receive()
            await met[0].closed()

    run(scene())


def test_what_was_sent_before_the_end_still_arrives() -> None:
    async def farewell(channel: Channel) -> None:
        for number in range(100):
            channel.post(Said(number))
        await channel.close()

    async def scene() -> None:
        async with host(farewell) as listener:
            guest = await ben(listener)
            for number in range(100):
                assert await guest.receive() == Said(number)
            with pytest.raises(Unavailable) as caught:
                await guest.receive()
            assert caught.value.hint == "closed"

    run(scene())


def test_last_words_arrive_while_the_other_side_goes_on_talking() -> None:
    """A reset would overtake them: most of them are still on this side when we close, and
    more has come than we have read.
    """
    words = [Shown(bytes(PEER_FRAME // 4), (number,)) for number in range(8)]

    async def farewell(channel: Channel) -> None:
        narrow(channel)
        await until(lambda: len(channel._connection._inbox) == connection.INBOX_FRAMES)
        for word in words:
            channel.post(word)
        await channel.close()

    async def scene() -> None:
        async with host(farewell) as listener:
            guest = await ben(listener)

            async def talk() -> None:
                with contextlib.suppress(Unavailable):
                    while True:
                        guest.post(Said(1))
                        await asyncio.sleep(0)

            talking = asyncio.create_task(talk())
            assert [await guest.receive() for _ in words] == words
            with pytest.raises(Unavailable):
                await guest.receive()
            await talking

    run(scene())


def test_frames_beyond_a_full_inbox_are_given_out_after_the_end() -> None:
    """They came in one piece with the peer's goodbye, before the inbox was full."""
    said = [Said(number) for number in range(2 * connection.INBOX_FRAMES + 50)]

    async def scene() -> None:
        async with host() as listener:
            guest = await ben(listener)
            guest._connection.data_received(b"".join(framed(encode(one)) for one in said))
            guest._connection.eof_received()
            assert not guest.is_open
            assert [await guest.receive() for _ in said] == said
            with pytest.raises(Unavailable):
                await guest.receive()
            await guest.close()

    run(scene())


@pytest.mark.parametrize("queued", [0, PEER_FRAME - 100])
def test_both_may_close_at_the_same_moment(
    queued: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hears the other's end, though neither listens to what the other says."""
    monkeypatch.setattr(connection, "CLOSE_SECONDS", 60.0)
    met: list[Channel] = []

    async def note(channel: Channel) -> None:
        met.append(channel)
        await channel.closed()

    async def scene() -> None:
        async with host(note) as listener:
            guest = await ben(listener)
            await until(lambda: bool(met))
            for channel in (guest, *met) if queued else ():
                narrow(channel)
                for _ in range(2):
                    channel.post(Shown(bytes(queued)))
            await asyncio.gather(guest.close(), met[0].close())

    run(scene())


def test_whoever_was_told_goodbye_sends_nothing_more(caplog: pytest.LogCaptureFixture) -> None:
    """asyncio would warn about each further message, in the middle of the screen."""

    async def insist(channel: Channel) -> None:
        while channel.is_open:
            for _ in range(10):
                channel.post(Said(1))
            await asyncio.sleep(0)

    async def scene() -> None:
        async with host(insist) as listener:
            guest = await ben(listener)
            await guest.receive()
            await guest.close()

    run(scene())
    assert not [one for one in caplog.records if one.name == "asyncio"]


def test_a_listener_that_closes_takes_its_connections_along() -> None:
    async def scene() -> None:
        async with host() as listener:
            guests = [await ben(listener) for _ in range(3)]
            await until(lambda: listener.connections == (0, 3))
        for guest in guests:
            with pytest.raises(Unavailable):
                await guest.receive()
        with pytest.raises(Unavailable) as caught:
            await ben(listener)
        assert caught.value.hint == "refused"

    run(scene())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows' loop watches no socket")
def test_who_comes_just_when_a_listener_closes_is_hung_up() -> None:
    """Between being taken and being received: no connection is forgotten, still open."""

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        async with host() as listener:
            with ours, theirs, socket.socket() as caller:
                closing = loop.create_future()
                await asyncio.sleep(0)  # it waits for callers now
                loop.add_reader(ours, closing.set_result, None)
                theirs.send(b"!")  # we are woken a moment before the listener is
                caller.connect(("127.0.0.1", listener.port))
                await closing
                loop.remove_reader(ours)
                await listener.close()
                caller.settimeout(5.0)
                with contextlib.suppress(ConnectionError):
                    assert caller.recv(1) == b""

    run(scene())


@pytest.mark.parametrize("bug", [KeyError, LocalError, FileNotFoundError])
def test_an_owner_that_fails_is_loud_and_harms_nobody_else(bug: type[Exception]) -> None:
    async def scene() -> None:
        heard: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: heard.append(context["exception"])
        )

        async def clumsy(channel: Channel) -> None:
            if channel.purpose == "trip":
                raise bug("a bug")
            await echo(channel)

        async with host(clumsy) as listener:
            guest = await ben(listener, purpose="trip")
            with pytest.raises(Unavailable):
                await guest.receive()
            assert [type(one) for one in heard] == [bug]
            await still_welcome(listener)

    run(scene())


def test_another_key_than_the_pinned_one_is_an_impostor() -> None:
    async def scene() -> None:
        async with host() as listener:
            with pytest.raises(Impostor):
                await ben(listener, expect=identity(9).public)

    run(scene())


def test_a_relay_in_the_middle_is_refused_on_both_sides() -> None:
    """It ends TLS towards each side, passes on every byte, and knows no secret of either."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(65_536):
                writer.write(chunk)
        writer.transport.abort()

    async def scene() -> None:
        accepted: list[Channel] = []

        async def note(channel: Channel) -> None:
            accepted.append(channel)

        async with host(note) as listener:

            async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                async with tls(listener.port) as (far_reader, far_writer):
                    await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

            context, _ = listening_context()
            server = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(BadSignature):
                await dial("127.0.0.1", port, BEN, "Ben", catalogue=MESSAGES)
            server.close()
            await until(lambda: listener.connections == (0, 0))
            await until(lambda: len(tasks()) <= 1)
            assert not accepted

    run(scene())


@pytest.mark.parametrize(
    "speech",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.0\r\n",
        bytes(range(256)) * 8,
        b"\x16\x03\x01\x00\x05hello",
        b"\x00" * 10_000,
    ],
    ids=["HTTP", "SSH", "bytes", "half of TLS", "zeros"],
)
def test_who_speaks_something_else_is_closed(speech: bytes) -> None:
    async def scene() -> None:
        async with host() as listener:
            async with plain(listener.port) as (reader, writer):
                writer.write(speech)
                writer.write_eof()
                await ended(reader)
            await still_welcome(listener)

    run(scene())


def test_an_older_tls_is_not_spoken() -> None:
    async def scene() -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        async with host() as listener:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                async with tls(listener.port, context):
                    pass
            await still_welcome(listener)

    run(scene())


def test_another_protocol_inside_tls_is_closed() -> None:
    async def scene() -> None:
        context = dialling_context()
        context.set_alpn_protocols(["h2"])
        async with host() as listener:
            async with tls(listener.port, context) as (reader, _):
                assert await ended(reader) == b""
            await still_welcome(listener)

    run(scene())


@pytest.mark.parametrize("alpn", [["h2"], [], [ALPN]])
def test_dialling_something_else_than_a_table(alpn: list[str]) -> None:
    """Another protocol inside TLS is a mismatch; the right one with a bad hello malformed."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(framed(b"\x80"))
        with contextlib.suppress(OSError, ssl.SSLError):
            await reader.read()
        writer.transport.abort()

    async def scene() -> None:
        context, _ = listening_context()
        context.set_alpn_protocols(alpn)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        expected = Malformed if alpn == [ALPN] else VersionMismatch
        with pytest.raises(expected):
            await dial("127.0.0.1", port, BEN, "Ben", catalogue=MESSAGES)
        server.close()
        await until(lambda: not tasks())

    run(scene())


def test_dialling_a_web_server_says_that_it_is_no_table() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def scene() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unavailable) as caught:
            await dial("127.0.0.1", port, BEN, "Ben", catalogue=MESSAGES)
        assert caught.value.hint in ("not_citadels", "closed")
        server.close()
        await until(lambda: not tasks())

    run(scene())


def test_dialling_somebody_silent_ends_in_time() -> None:
    async def scene() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            with pytest.raises(Unavailable) as caught:
                await dial(
                    "127.0.0.1",
                    silent.getsockname()[1],
                    BEN,
                    "Ben",
                    catalogue=MESSAGES,
                    timeout=0.05,
                )
            assert caught.value.hint == "timeout"

    run(scene())


def test_half_open_connections_do_not_keep_an_honest_guest_out() -> None:
    async def scene() -> None:
        async with host() as listener, contextlib.AsyncExitStack() as crowd:
            for _ in range(3 * HALF_OPEN_ON_LOOPBACK):
                await crowd.enter_async_context(plain(listener.port))
            begin = asyncio.get_running_loop().time()
            await still_welcome(listener)
            assert asyncio.get_running_loop().time() - begin < 1.0
            assert listener.connections[0] <= HALF_OPEN_ON_LOOPBACK

    run(scene())


@pytest.mark.parametrize("depth", ["tcp", "tls", "hello"])
def test_whoever_stops_halfway_is_closed_in_time(
    depth: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "HANDSHAKE_SECONDS", 0.1)

    async def scene() -> None:
        async with host() as listener:
            connection = plain if depth == "tcp" else tls
            async with ended_at_any_step(), connection(listener.port) as (reader, writer):
                if depth == "hello":
                    half = Handshake(
                        BEN, "", Role.DIALLED, certificate=bytes(32), nonce=bytes(32)
                    )
                    writer.write(framed(half.start()))
                await ended(reader)
            await until(lambda: listener.connections == (0, 0))

    run(scene())


def test_a_crowd_of_proven_strangers_pushes_out_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who has a place at the table stays, however many come with keys that they have made."""
    monkeypatch.setattr("protocol.wire.admission.ESTABLISHED", 4)

    async def seated(channel: Channel) -> None:
        channel.keep()
        await echo(channel)

    async def scene() -> None:
        async with host(lambda channel: seats.pop()(channel)) as listener:
            inside = [await ben(listener) for _ in range(2)]
            await until(lambda: len(seats) == 4)
            strangers = [await ben(listener) for _ in range(4)]
            for pushed in strangers[:2]:
                with pytest.raises(Unavailable):
                    await pushed.receive()
            for guest in (*inside, *strangers[2:]):
                guest.post(Said(1))
                assert await guest.receive() == Said(1)
                await guest.close()
        assert ESTABLISHED >= 3 * 16

    seats = [echo] * 4 + [seated] * 2
    run(scene())


BAD_FRAMES = {
    "random": (random.Random(1).randbytes(100), Malformed),
    "deep": (b"\x91" * 5_000, Excessive),
    "map": (b"\x80", Malformed),
    "unknown": (encode((99, 1)), Malformed),
    "wrong type": (encode((1, "one", "")), Malformed),
    "not canonical": (b"\x93\x01\xcc\x05\xa0", Malformed),
    "cut short": (b"\x93\x01", Malformed),
}


@pytest.mark.parametrize("bad", BAD_FRAMES)
def test_a_guest_that_sends_nonsense_is_named_and_closed(bad: str) -> None:
    payload, kind = BAD_FRAMES[bad]
    faults: list[ProtocolError] = []

    async def reading(channel: Channel) -> None:
        try:
            while True:
                channel.post(await channel.receive())
        except ProtocolError as fault:
            faults.append(fault)
            raise

    async def scene() -> None:
        async with host(reading) as listener:
            async with tls(listener.port) as (reader, writer):
                await proven(reader, writer)
                writer.write(framed(payload))
                assert await ended(reader) == b""
            assert isinstance(faults[0], kind)
            assert isinstance(faults[0], RemoteError)
            assert faults[0].culprit == BEN.public
            await still_welcome(listener)

    run(scene())


@pytest.mark.parametrize("limit", [STRANGER_FRAME, PEER_FRAME], ids=["stranger", "peer"])
def test_a_frame_over_the_limit_is_refused_at_its_header(limit: int) -> None:
    async def scene() -> None:
        async with host() as listener:
            async with tls(listener.port) as (reader, writer):
                if limit == PEER_FRAME:
                    await proven(reader, writer)
                writer.write((limit + 1).to_bytes(4, "big"))
                await ended(reader)
            await still_welcome(listener)

    run(scene())


def test_a_large_frame_right_behind_the_proof_is_a_peers() -> None:
    async def scene() -> None:
        async with host() as listener:
            guest = await ben(listener)
            guest.post(Shown(bytes(PEER_FRAME - 100)))
            assert await guest.receive() == Shown(bytes(PEER_FRAME - 100))
            await guest.close()

    run(scene())


def test_any_bytes_against_a_live_listener_leave_it_as_it_was() -> None:
    chance = random.Random(7)

    async def scene() -> None:
        async with host() as listener:
            for _ in range(30):
                async with tls(listener.port) as (reader, writer):
                    if chance.random() < 0.5:
                        await proven(reader, writer)
                    for _ in range(chance.randint(1, 5)):
                        payload = chance.randbytes(chance.randint(1, 60))
                        whole = framed(payload) if chance.random() < 0.7 else payload
                        writer.write(whole)
                    writer.transport.abort()
            await still_welcome(listener)
            await until(lambda: listener.connections == (0, 0))

    run(scene())


def test_a_flood_is_cut_off_and_others_notice_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.wire.rate_limits.FRAMES_PER_SECOND", 500)
    monkeypatch.setattr("protocol.wire.rate_limits.PATIENCE_SECONDS", 0.1)
    faults: list[ProtocolError] = []

    async def reading(channel: Channel) -> None:
        try:
            while True:
                message = await channel.receive()
                if channel.peer == BEN.public:
                    channel.post(message)
        except ProtocolError as fault:
            faults.append(fault)

    async def scene() -> None:
        async with host(reading) as listener, tls(listener.port) as (reader, writer):
            await proven(reader, writer, seed=5)
            with contextlib.suppress(ConnectionError):
                for _ in range(50):
                    writer.write(framed(encode(Said(1))) * 200)
                    await writer.drain()
            await ended(reader)
            assert isinstance(faults[0], Excessive)
            assert faults[0].culprit == identity(5).public
            await still_welcome(listener)

    run(scene())


def test_an_unread_inbox_makes_the_sender_wait_and_loses_nothing() -> None:
    async def scene() -> None:
        gate = asyncio.Event()
        taken: list[msgspec.Struct] = []

        async def slow(channel: Channel) -> None:
            await gate.wait()
            while len(taken) < 1_000:
                taken.append(await channel.receive())
            channel.post(Said(0, "all"))

        async with host(slow) as listener:
            guest = await ben(listener)
            for number in range(1_000):
                guest.post(Said(number))
            await asyncio.sleep(0)
            gate.set()
            assert await guest.receive() == Said(0, "all")
            assert taken == [Said(number) for number in range(1_000)]
            await guest.close()

    run(scene())


def test_a_peer_that_takes_nothing_is_cut_off_not_waited_for() -> None:
    async def scene() -> None:
        async def deaf(channel: Channel) -> None:
            await channel.closed()

        async with host(deaf) as listener:
            guest = await ben(listener)

            async def insist() -> None:
                for _ in range(64):
                    guest.post(Shown(bytes(PEER_FRAME // 2)))
                    await asyncio.sleep(0)

            with pytest.raises(Unavailable) as caught:
                await insist()
            assert caught.value.hint == "closed"
            await guest.closed()

    run(scene())


def test_a_peer_that_stops_taking_is_gone_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "TICK_SECONDS", 0.01)
    monkeypatch.setattr(connection, "STALL_SECONDS", 0.05)

    async def scene() -> None:
        gone = asyncio.Event()

        async def chatty(channel: Channel) -> None:
            # Our side of the kernel swallows megabytes before anything has to wait.
            while channel._connection.unsent < PEER_FRAME:
                channel.post(Shown(bytes(PEER_FRAME // 2)))
                await asyncio.sleep(0)
            await channel.closed()
            gone.set()

        async with (
            host(chatty) as listener,
            tls(listener.port, receive_buffer=4_096) as (reader, writer),
        ):
            await proven(reader, writer)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await gone.wait()

    run(scene())


def test_a_close_that_is_cancelled_ends_the_connection_all_the_same() -> None:
    """The other side takes nothing and says no goodbye; nobody has time to wait for it."""

    async def scene() -> None:
        deaf, gone = asyncio.Event(), asyncio.Event()

        async def impatient(channel: Channel) -> None:
            await deaf.wait()
            closing = asyncio.create_task(channel.close())
            await asyncio.sleep(0)
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            await channel.closed()
            gone.set()

        async with host(impatient) as listener, tls(listener.port) as (reader, writer):
            await proven(reader, writer)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            deaf.set()
            await gone.wait()

    run(scene(), seconds=3.0)


def test_a_frame_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "TICK_SECONDS", 0.01)
    monkeypatch.setattr(frames, "START_SECONDS", 0.05)

    async def scene() -> None:
        async with host() as listener, tls(listener.port) as (reader, writer):
            await proven(reader, writer)
            writer.write((100).to_bytes(4, "big") + b"x")
            await ended(reader)
            await until(lambda: listener.connections == (0, 0))

    run(scene())


def test_our_own_mistakes_are_local_errors() -> None:
    async def scene() -> None:
        async with host() as listener:
            guest = await ben(listener)
            with pytest.raises(LocalError):
                guest.post(Shown(bytes(PEER_FRAME)))
            first = asyncio.create_task(guest.receive())
            await asyncio.sleep(0)
            with pytest.raises(LocalError):
                await guest.receive()
            guest.post(Said(5))
            assert await first == Said(5)
            await guest.close()

    run(scene())


def test_a_cancelled_receive_loses_no_message() -> None:
    async def scene() -> None:
        async with host() as listener:
            guest = await ben(listener)
            waiting = asyncio.create_task(guest.receive())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            guest.post(Said(5))
            assert await guest.receive() == Said(5)
            await guest.close()

    run(scene())


def test_a_cancelled_dial_leaves_nothing_behind() -> None:
    async def scene() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            going = asyncio.create_task(
                dial("127.0.0.1", silent.getsockname()[1], BEN, "Ben", catalogue=MESSAGES)
            )
            await asyncio.sleep(0.02)
            going.cancel()
            with pytest.raises(asyncio.CancelledError):
                await going

    run(scene())


def test_a_port_in_use_is_said_as_such() -> None:
    async def scene() -> None:
        async with host() as listener:
            with pytest.raises(Unavailable) as caught:
                await listen(
                    ANNA,
                    "Anna",
                    echo,
                    catalogue=MESSAGES,
                    host="127.0.0.1",
                    port=listener.port,
                )
            assert caught.value.hint == "port_busy"

    run(scene())


def test_a_listener_on_every_network_names_where_to_try() -> None:
    async def scene() -> None:
        listener = await listen(ANNA, "Anna", echo, catalogue=MESSAGES)
        assert listener.addresses
        assert all(address.endswith(f":{listener.port}") for address in listener.addresses)
        await still_welcome(listener)
        await listener.close()

    run(scene())


def test_an_interface_that_is_not_there() -> None:
    async def scene() -> None:
        with pytest.raises(Unavailable) as caught:
            await listen(ANNA, "Anna", echo, catalogue=MESSAGES, interfaces=["nothere9"])
        assert caught.value.hint == "no_interface"

    run(scene())


def test_where_ed25519_certificates_are_forbidden_another_curve_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden() -> None:
        raise ValueError("not approved")

    monkeypatch.setattr(
        "protocol.wire.certificate.ed25519.Ed25519PrivateKey.generate", forbidden
    )

    async def scene() -> None:
        async with host() as listener:
            await still_welcome(listener)

    run(scene())


def test_the_certificate_is_another_one_each_time_and_names_nobody() -> None:
    first, second = listening_context(), listening_context()
    assert first[1] != second[1]


class _Stubborn(socket.socket):
    """As on BSD: closing what the other side has reset raises."""

    def close(self) -> None:
        super().close()
        raise ConnectionResetError


class _Door(socket.socket):
    """A listening socket at which the first callers bring trouble."""

    troubles: ClassVar[list[object]] = []

    def accept(self) -> tuple[socket.socket, object]:
        if not self.troubles:
            return super().accept()
        trouble = self.troubles.pop(0)
        if isinstance(trouble, Exception):
            raise trouble
        taken, _address = super().accept()
        if trouble == "stubborn":
            return _Stubborn(taken.family, taken.type, taken.proto, taken.detach()), None
        return taken, trouble


@pytest.mark.skipif(sys.platform == "win32", reason="Windows' loop takes callers by AcceptEx")
@pytest.mark.parametrize(
    "troubles",
    [
        [None],
        [()],
        ["stubborn"],
        [ConnectionAbortedError(errno.ECONNABORTED, "hung up first")] * 3,
        [OSError(errno.EINVAL, "hung up first")] * 3,
        [OSError(errno.EMFILE, "no descriptors")] * 3,
        [OSError(errno.ENOBUFS, "no memory")] * 3,
    ],
    ids=[
        "no address",
        "an empty one",
        "stubborn",
        "aborted",
        "invalid",
        "no descriptors",
        "no memory",
    ],
)
def test_no_caller_ends_the_listening(
    monkeypatch: pytest.MonkeyPatch, troubles: list[object]
) -> None:
    def doors(*where: object) -> tuple[socket.socket, ...]:
        made = []
        for one in bind(*where):  # type: ignore[arg-type]
            made.append(_Door(one.family, one.type, one.proto, one.detach()))
        return tuple(made)

    monkeypatch.setattr(listener, "bind", doors)
    monkeypatch.setattr(listener, "ACCEPT_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(_Door, "troubles", troubles)

    async def scene() -> None:
        async with host() as listener:
            for one in listener._sockets:
                one.setblocking(False)
            while _Door.troubles:  # some of them need a caller, who is hung up on
                with contextlib.suppress(ConnectionError):
                    async with plain(listener.port) as (reader, writer):
                        writer.write_eof()  # else it is waited for: its handshake may come
                        await reader.read()
            await still_welcome(listener)

    run(scene())


def test_a_bug_in_admitting_one_caller_is_loud_and_harms_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        heard: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: heard.append(context["exception"])
        )
        async with host() as listener:
            with monkeypatch.context() as broken:
                broken.setattr(Admission, "arrive", lambda *_: {}["a bug"])
                async with ended_at_any_step(), plain(listener.port) as (reader, _):
                    assert await ended(reader) == b""
            assert [type(one) for one in heard] == [KeyError]
            await still_welcome(listener)

    run(scene())


def test_every_end_is_in_the_log_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "protocol")

    async def scene() -> None:
        async with host() as listener:
            guest = await ben(listener)
            guest.post(Said(1, "a word of ours"))
            await guest.close()
            async with tls(listener.port) as (reader, writer):
                await proven(reader, writer, seed=5)
                writer.write((PEER_FRAME + 1).to_bytes(4, "big"))
                await ended(reader)
            async with plain(listener.port) as (reader, writer):
                writer.write(b"GET / HTTP/1.1\r\n\r\n")
                await ended(reader)
            await until(lambda: listener.connections == (0, 0))
        with pytest.raises(Unavailable):
            await ben(listener)

    run(scene())
    lines = [record.getMessage() for record in caplog.records]
    for end in (
        f"({ANNA.fingerprint}): ended, Unavailable: closed",
        f"({identity(5).fingerprint}): ended, Excessive: a frame of",
        "not proven, SSLError: ",
        "no channel, ConnectionRefusedError: ",
    ):
        assert any(end in line for line in lines), (end, lines)
    assert not any("a word of ours" in line for line in lines)


def test_a_listener_says_where_it_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [addresses.Adapter(name="lo", index=1, interfaces=(ip_interface("127.0.0.1/8"),))]
    monkeypatch.setattr(listener, "adapters", lambda _only: tuple(there))

    async def scene() -> None:
        for interfaces in (None, ["lo"]):
            there[0] = dataclasses.replace(there[0], interfaces=(ip_interface("127.0.0.1/8"),))
            listener = await listen(
                ANNA, "Anna", echo, catalogue=MESSAGES, interfaces=interfaces
            )
            assert listener.addresses == (f"127.0.0.1:{listener.port}",)
            assert not await listener.look_again()
            there[0] = dataclasses.replace(there[0], interfaces=(ip_interface("127.0.0.7/8"),))
            assert await listener.look_again()
            assert listener.addresses == (f"127.0.0.7:{listener.port}",)
            assert not await listener.look_again()
            guest = await dial("127.0.0.7", listener.port, BEN, "Ben", catalogue=MESSAGES)
            await guest.close()
            await listener.close()

    run(scene())
