"""Shell: what an answer costs at a table of four, in peace and among hostile connections.

Four operators over loopback, with their disks. An *answer* is what a person waits for: from a
statement of one operator to its confirmation on that operator's own screen. Peace and siege
take turns in one run, so that a busy machine is busy for both.

The besiegers are a process of their own, at low priority. On a network they would be other
machines, so in peace they besiege a decoy instead: this machine is as busy then, and what is
compared is what the table itself has to bear. They come back as soon as they are sent away:
silent, in the middle of TLS, with bytes of anything, or with a key made for the purpose and
questions as fast as they are answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol import Advanced, Began, LobbyChanged, Node, Person
from protocol.application import Application, Contribution, Genesis
from protocol.errors import ProtocolError
from protocol.identity.keys import Identity
from protocol.messages import Catalogue, Knock
from protocol.wire.addresses import split_address
from protocol.wire.channel import dial

OPERATORS = 4
BESIEGERS = 1_000
ANSWERS = 200
"""Of one turn; the hundredth part of a run's is what p99 stands on."""

TURNS = 3
DECOY = "decoy"
MARK = 2.0
"""An answer under siege may take so many times as long as in peace."""

SETTLE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Siege:
    """Milliseconds of an answer in peace and under siege, and what the besiegers did.

    `ratio_*`: siege over peace. `connections`: how often they came.
    """

    besiegers: int
    answers: int
    connections: int
    peace_median_ms: float
    peace_p99_ms: float
    siege_median_ms: float
    siege_p99_ms: float
    ratio_median: float
    ratio_p99: float


def measure(besiegers: int = BESIEGERS, answers: int = ANSWERS, turns: int = TURNS) -> Siege:
    """The whole comparison; about a minute."""
    return asyncio.run(_measure(besiegers, answers, turns))


async def _measure(besiegers: int, answers: int, turns: int) -> Siege:
    peace: list[float] = []
    siege: list[float] = []
    connections = 0
    with tempfile.TemporaryDirectory() as home:
        async with _table(Path(home)) as table:
            await table.answers(answers // 4)  # caches, and the first entries
            for _ in range(turns):
                async with _besieged(DECOY, besiegers):
                    peace += await table.answers(answers)
                async with _besieged(table.address, besiegers) as attack:
                    siege += await table.answers(answers)
                connections += attack.connections
    calm, hard = _quantiles(peace), _quantiles(siege)
    return Siege(
        besiegers=besiegers,
        answers=len(peace),
        connections=connections,
        peace_median_ms=calm[0],
        peace_p99_ms=calm[1],
        siege_median_ms=hard[0],
        siege_p99_ms=hard[1],
        ratio_median=hard[0] / calm[0],
        ratio_p99=hard[1] / calm[1],
    )


def _quantiles(seconds: Sequence[float]) -> tuple[float, float]:
    """Median and p99, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return 1000 * statistics.median(seconds), 1000 * cuts[98]


class Tally(Application):
    """An application that takes whatever is said, and remembers where."""

    def __init__(self, genesis: Genesis, me: int) -> None:
        self.places: dict[bytes, int] = {}

    def can_mend(self) -> bool:
        return False

    def rewind(self) -> None:
        self.places.clear()

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        self.places[body] = seq
        return None

    def departed(self) -> frozenset[int]:
        return frozenset()

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return ()

    def tick(self, now: float, silences: tuple[float, ...], withheld: object = ()) -> bool:
        return False

    def digest(self) -> bytes:
        return hashlib.sha256(len(self.places).to_bytes(8, "big")).digest()


class _Table:
    """Operators that have begun."""

    def __init__(self, nodes: Sequence[Node[Tally]], tallies: Sequence[Tally]) -> None:
        self.address = nodes[0].address
        self._nodes, self._tallies = nodes, tallies
        self._numbers = itertools.count()

    async def answers(self, count: int) -> list[float]:
        """Seconds that each of so many answers took; the operators take turns."""
        took = []
        for number in itertools.islice(self._numbers, count):
            index = number % len(self._nodes)
            node, tally = self._nodes[index], self._tallies[index]
            body = number.to_bytes(8, "big") + bytes(500)  # as large as a usual act
            began = time.perf_counter()
            await node.submit(Contribution(key=body[:8], body=body))
            while True:
                event = await node.next()
                if isinstance(event, Advanced) and event.seq >= tally.places.get(body, 1 << 48):
                    break
            took.append(time.perf_counter() - began)
        return took


@contextlib.asynccontextmanager
async def _table(home: Path) -> AsyncIterator[_Table]:
    """A table of four that has begun."""
    nodes: list[Node[Tally]] = []
    try:
        nodes.append(
            await Node.host(
                Person(home / "0", Identity.fresh(), "Anna", interfaces=("127.0.0.1",)),
                Tally,
                table_name="Siege",
                options=b"",
                seats=OPERATORS,
                announce=False,
            )
        )
        for index in range(1, OPERATORS):
            nodes.append(
                await Node.join(
                    Person(
                        home / str(index),
                        Identity.fresh(),
                        f"Guest {index}",
                        interfaces=("127.0.0.1",),
                    ),
                    Tally,
                    addresses=[nodes[0].address],
                    announce=False,
                )
            )
        for node in nodes[1:]:
            while len(node.lobby.operators) < OPERATORS:
                await _until(node, LobbyChanged)
            await node.ready()
        while await nodes[0].start():
            await _until(nodes[0], LobbyChanged)
        for node in nodes:
            await _until(node, Began)
        yield _Table(nodes, [await node.run(lambda tally: tally) for node in nodes])
    finally:
        for node in reversed(nodes):
            await node.leave(finished=True)


async def _until(node: Node[Tally], kind: type[Began] | type[LobbyChanged]) -> None:
    while not isinstance(await node.next(), kind):
        pass


# The besiegers


@dataclass(slots=True)
class _Attack:
    connections: int = 0


@contextlib.asynccontextmanager
async def _besieged(address: str, besiegers: int) -> AsyncIterator[_Attack]:
    """So many of them at this address, from when they are all there until the end."""
    attack = _Attack()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.flood",
        address,
        str(besiegers),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        await process.stdout.readline()  # every one of them has come at least once
        await asyncio.sleep(SETTLE_SECONDS)
        yield attack
    finally:
        process.stdin.close()
        with contextlib.suppress(ValueError):
            attack.connections = int(await process.stdout.readline() or b"0")
        await process.wait()


Visit = Callable[[str, int], Awaitable[None]]


async def _silent(host: str, port: int) -> None:
    """Connects and says nothing."""
    await _raw(host, port, b"")


async def _half(host: str, port: int) -> None:
    """Begins TLS and stops."""
    await _raw(host, port, bytes.fromhex("16030100c8010000c40303"))


async def _noise(host: str, port: int) -> None:
    """Bytes of anything."""
    await _raw(host, port, os.urandom(2_000))


async def _raw(host: str, port: int, said: bytes) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(said)
        await reader.read()
    finally:
        writer.transport.abort()


async def _stranger(host: str, port: int) -> None:
    """A key made for the purpose, and questions for as long as they are answered."""
    channel = await dial(host, port, Identity.fresh(), "", catalogue=Catalogue)
    try:
        while True:
            channel.post(Knock())
            await channel.receive()
    finally:
        channel.abort()


VISITS: tuple[Visit, ...] = (_silent, _half, _noise, _stranger)


async def _besiege(address: str, besiegers: int) -> None:
    """All of them at once, each again and again, until the input ends."""
    if address == DECOY:
        decoy = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        host, port = decoy.sockets[0].getsockname()[:2]
    else:
        host, port = split_address(address)
    count = itertools.count()
    came = 0
    all_there = asyncio.Event()

    async def come(visit: Visit) -> None:
        nonlocal came
        while True:
            came = next(count) + 1
            if came >= besiegers:
                all_there.set()
            with contextlib.suppress(ProtocolError, OSError, TimeoutError):
                await visit(host, port)
            # A machine that is hung up on still needs a round trip for the next try.
            await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(come(VISITS[i % len(VISITS)])) for i in range(besiegers)]
    await all_there.wait()
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(came, flush=True)


def _room_for(connections: int) -> None:
    """Files open at once, where the system counts them."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, connections + 500), most))


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)
    _room_for(int(sys.argv[2]))
    asyncio.run(_besiege(sys.argv[1], int(sys.argv[2])))
