"""Links between laptops, above TLS: they delay, and can be cut, split and slow, one way too.

`Tcp` has the face of asyncio's transports, and `Tls` that of its TLS; so `Connection`, its back
pressure and its goodbyes run as they are. TLS itself is tried in `tests/protocol/wire`.

A cut cable loses nothing: what was sent waits, and arrives a little after the cable is whole.
A connection whose address is nobody's any more carries nothing ever again, and no word of that.
"""

from __future__ import annotations

import asyncio
import enum
import errno
import hashlib
from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any

from protocol.wire.certificate import ALPN

if TYPE_CHECKING:
    from tests.world.laptop import Laptop
    from tests.world.world import World

KERNEL = 256 << 10
"""Bytes that the system takes off a program's hands and still has to send."""

SYN_SECONDS = 1.0
"""Between two tries of the system to reach a laptop that does not answer."""

RESENT = 0.3
"""Seconds until what an address had waited for arrives there."""


class Mark(enum.Enum):
    """What arrives beside bytes: TLS is there, TLS says goodbye, TCP ends, TCP is reset."""

    HELLO, BYE, END, RESET = range(4)


Item = bytes | Mark


class ListeningSocket:
    """A port of a laptop, and who waits to be let in there."""

    def __init__(self, laptop: Laptop, host: str, port: int) -> None:
        self._laptop, self._where = laptop, (host, port)
        self._waiting: deque[Tcp] = deque()
        self._someone: asyncio.Future[None] | None = None
        self.is_open = True
        laptop.listening[self._where] = self

    def getsockname(self) -> tuple[str, int]:
        return self._where

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        self.is_open = False
        if self._laptop.listening.get(self._where) is self:
            del self._laptop.listening[self._where]

    def offer(self, tcp: Tcp) -> None:
        self._waiting.append(tcp)
        if self._someone is not None and not self._someone.done():
            self._someone.set_result(None)

    async def accepted(self) -> Tcp:
        while not self._waiting:
            self._someone = asyncio.get_running_loop().create_future()
            await self._someone
        return self._waiting.popleft()


class AcceptedSocket:
    """A connection before anybody has spoken on it."""

    def __init__(self, tcp: Tcp) -> None:
        self.tcp, self.is_taken = tcp, False

    def setblocking(self, _flag: bool) -> None: ...

    def setsockopt(self, *_given: object) -> None: ...

    def close(self) -> None:
        if not self.is_taken:
            self.tcp.abort()


class Tls:
    """A transport to `Connection`, and a protocol to TCP."""

    def __init__(self, tcp: Tcp, protocol: Any) -> None:
        self._tcp, self._protocol = tcp, protocol
        self._greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._is_closing = False

    async def greet(self) -> Tls | None:
        self._tcp.set_protocol(self)
        self._tcp.send(Mark.HELLO)
        self._tcp.resume_reading()
        await self._greeted
        return None if self._tcp.is_closing() else self

    # To `Connection`.

    def write(self, data: bytes) -> None:
        self._tcp.send(bytes(data))

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self._is_closing or self._tcp.is_closing()

    def pause_reading(self) -> None:
        self._tcp.pause_reading()

    def resume_reading(self) -> None:
        self._tcp.resume_reading()

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._tcp.send(Mark.BYE)

    def abort(self) -> None:
        self._tcp.abort()

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self if name == "ssl_object" else self._tcp.get_extra_info(name, default)

    def selected_alpn_protocol(self) -> str:
        return ALPN

    def getpeercert(self, *, binary_form: bool) -> bytes:
        assert binary_form
        return self._tcp.other.laptop.certificate

    # To TCP.

    def take(self, item: Item) -> None:
        match item:
            case Mark.HELLO:
                if not self._greeted.done():
                    self._greeted.set_result(None)
            case Mark.BYE:
                self._protocol.eof_received()
                if not self._is_closing:
                    self._is_closing = True
                    self._tcp.send(Mark.END)
                self._tcp.shut()
            case Mark.END:
                self._protocol.eof_received()
                self._tcp.shut()
            case _:
                self._protocol.data_received(item)

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def connection_lost(self, problem: Exception | None) -> None:
        if not self._greeted.done():
            self._greeted.set_result(None)
        self._protocol.connection_lost(problem)


class Tcp:
    """One end of a connection: what asyncio's transport is to a program."""

    other: Tcp  #: the other end

    def __init__(self, net: Net, laptop: Laptop, near: str, far_end: tuple[str, int]) -> None:
        self._net, self.laptop, self.near, self.far_end = net, laptop, near, far_end
        self._loop = laptop.loop
        self._protocol: Any = None
        self._is_reading = self._is_closed = self._has_ended = False
        self._inbox: deque[tuple[Item, int]] = deque()  # has arrived, and is not read
        self._flying: deque[tuple[Item, int]] = deque()  # is sent, and has not arrived
        self._unread = 0  # bytes sent that the other end has not read
        self._last = 0.0  # when the newest of what flies arrives

    def attach(self, protocol: Any) -> Any:
        self._protocol = protocol
        protocol.connection_made(self)
        return protocol

    # What a program does with it.

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self.far_end if name == "peername" else default

    def get_protocol(self) -> Any:
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_write_buffer_size(self) -> int:
        return max(0, self._unread - KERNEL)

    def is_closing(self) -> bool:
        return self._is_closed

    def pause_reading(self) -> None:
        self._is_reading = False

    def resume_reading(self) -> None:
        if not self._is_reading:
            self._is_reading = True
            if self._inbox:
                self._loop.call_soon(self._read)

    def write_eof(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self.send(Mark.END)

    def abort(self) -> None:
        """The program lets go: what it has sent may still arrive, or a reset overtakes it."""
        if not self._is_closed:
            self.send(Mark.END if self._net.chance.random() < 0.7 else Mark.RESET)
            self.shut()

    # What the net does with it.

    @property
    def is_lost(self) -> bool:
        """Whether one of its addresses is nobody's any more."""
        return not (self.laptop.has(self.near) and self.other.laptop.has(self.other.near))

    def shut(self, problem: Exception | None = None) -> None:
        """This end is gone; its program hears of it, if there is one."""
        if self._is_closed:
            return
        self._is_closed = True
        self._net.ends.pop(self, None)
        if not self._loop.is_dead:
            self._loop.call_soon(self._lose, problem)

    def vanish(self) -> None:
        """This end is gone, and so is its program."""
        self._is_closed = True
        self._net.ends.pop(self, None)

    def send(self, item: Item) -> None:
        if self._is_closed:
            return
        size = len(item) if isinstance(item, bytes) else 0
        self._unread += size
        self._flying.append((item, size))
        self._net.note(self, item)
        self._plan(0.0)

    def mended(self, after: float) -> None:
        """The cable is whole again: what waited is sent once more."""
        for _ in self._flying:
            self._plan(after)

    def _plan(self, after: float) -> None:
        there, now = self.other.laptop, self._net.world.now
        if self.is_lost or not self._net.carries(self.laptop, there):
            return
        arrives = now + after + self._net.delay(self.laptop, there)
        self._last = max(self._last, arrives)
        self._net.world.plan(self._last - now, self._arrive)

    def _arrive(self) -> None:
        other = self.other
        if not self._flying or self.is_lost or not self._net.carries(self.laptop, other.laptop):
            return  # lost on its way; `mended` plans it anew
        item, size = self._flying.popleft()
        if item is Mark.RESET:
            self._flying.clear()
            other.shut(ConnectionResetError(errno.ECONNRESET, "reset"))
        elif other._is_closed:
            self._unread -= size
        else:
            other._inbox.append((item, size))
            if other._is_reading and not other._loop.is_dead:
                other._loop.call_soon(other._read)

    def _read(self) -> None:
        while self._is_reading and self._inbox and not self._is_closed:
            item, size = self._inbox.popleft()
            self.other._unread -= size
            if isinstance(self._protocol, Tls):
                self._net.world.event(self.laptop, "reads")
                self._protocol.take(item)
            elif isinstance(item, Mark):  # nobody listens to more than the end
                self.shut()

    def _lose(self, problem: Exception | None) -> None:
        if self._protocol is not None and hasattr(self._protocol, "connection_lost"):
            self._protocol.connection_lost(problem)


class Net:
    """Who reaches whom, and how fast; a digest of every byte that was sent."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = Random(f"{world.seed}/net")
        self.latency = 0.0005, 0.004  #: seconds: least and most
        self.ends: dict[Tcp, None] = {}  #: of open connections, the oldest first
        self.frames = self.bytes = self.connections = 0
        self._cut: set[tuple[str, str]] = set()
        self._sent: list[tuple[float, Tcp, bytes]] = []

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for when, end, sent in self._sent:
            way = f"{when:.9f} {end.laptop.name}>{end.other.laptop.name} {len(sent)} "
            found.update(way.encode() + sent)
        return found.hexdigest()[:16]

    def carries(self, speaker: Laptop, hearer: Laptop) -> bool:
        return (speaker.name, hearer.name) not in self._cut

    def delay(self, speaker: Laptop, hearer: Laptop) -> float:
        return 0.00005 if speaker is hearer else self.chance.uniform(*self.latency)

    def cut(self, one: Laptop, other: Laptop, *, one_way: bool = False) -> None:
        """From now on nothing arrives there; `one_way`: only from `one` to `other`."""
        self._cut.add((one.name, other.name))
        if not one_way:
            self._cut.add((other.name, one.name))
        self.world.note(None, "cut", f"{one.name} {'>' if one_way else '-'} {other.name}")

    def mend(self, one: Laptop, other: Laptop) -> None:
        """All is well between them; what waited arrives within a second."""
        ways = {(one.name, other.name), (other.name, one.name)}
        if not ways & self._cut:
            return
        self._cut -= ways
        self.world.note(None, "mended", f"{one.name} - {other.name}")
        after = self.chance.uniform(0.05, 0.6)
        for end in tuple(self.ends):
            if (end.laptop.name, end.other.laptop.name) in ways:
                end.mended(after)

    def resend(self, laptop: Laptop) -> None:
        """It has an address again: what waited for it arrives within a second."""
        for end in tuple(self.ends):
            if laptop in (end.laptop, end.other.laptop):
                end.mended(RESENT)

    def mend_all(self) -> None:
        laptops = self.world.laptops
        for one in laptops:
            for other in laptops[: one.number]:
                self.mend(one, other)

    async def dial(self, laptop: Laptop, host: str, port: int) -> Tcp:
        """A connection, as the system of `laptop` makes it. Waits for ever where nothing
        answers: whoever dials has a deadline. Raises OSError.
        """
        host = host.partition("%")[0]
        route = self.world.route(laptop, host)
        if route is None:
            raise OSError(errno.EHOSTUNREACH, "no route to host")
        near, other = route
        await asyncio.sleep(2 * self.delay(laptop, other))
        while not (  # noqa: ASYNC110 (the system tries again, and is told nothing)
            self.carries(laptop, other)
            and self.carries(other, laptop)
            and other.answers
            and other.has(host)
        ):
            await asyncio.sleep(SYN_SECONDS)
        bound = other.listening.get((host, port)) or other.listening.get(("0.0.0.0", port))
        if bound is None:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "refused")
        self.connections += 1
        ours = Tcp(self, laptop, near, (host, port))
        theirs = Tcp(self, other, host, (near, 40_000 + self.connections))
        ours.other, theirs.other = theirs, ours
        self.ends |= {ours: None, theirs: None}
        other.loop.call_soon(bound.offer, theirs)
        return ours

    def note(self, end: Tcp, item: Item) -> None:
        sent = item if isinstance(item, bytes) else item.name.encode()
        self._sent.append((self.world.now, end, sent))
        if isinstance(item, bytes):
            self.frames += 1
            self.bytes += len(item)
