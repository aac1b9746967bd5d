"""Shell: what host and guest have in common: who they are, what they keep, whom they tell.

`HostSide` and `GuestSide` own the channels and the clock of one table. They hand what arrives
to the lobby or to the match's machine, and decide nothing themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from protocol.application import Application, Genesis
from protocol.channel import Channel
from protocol.desk import Desk
from protocol.errors import (
    BadProof,
    BadSignature,
    Diverged,
    Equivocation,
    Excessive,
    IllegalEntry,
    Impostor,
    Malformed,
    ProtocolError,
    RemoteError,
    VersionMismatch,
)
from protocol.evidence import judge
from protocol.identity import Identity
from protocol.journal import Chain
from protocol.messages import Fault, Status
from protocol.room import Gathering
from protocol.store import Store, match_path
from protocol.tidings import Began, Failed, LobbyChanged, NodeEvent

A = TypeVar("A", bound=Application)

_FAULTS: dict[str, type[RemoteError]] = {
    kind.code: kind
    for kind in (
        Malformed,
        Excessive,
        VersionMismatch,
        BadSignature,
        Impostor,
        BadProof,
        IllegalEntry,
        Equivocation,
    )
}


@dataclass(frozen=True, slots=True)
class Pace:
    """The table's times, in seconds."""

    beat: float = 0.5
    silence: float = 3.0
    """After so long without a word, somebody counts as lost and the link is given up."""
    redial: tuple[float, float] = (0.1, 2.0)
    """Shortest and longest wait between two attempts to reach the host."""
    patience: float = 1.5
    """One attempt to reach it; waiting longer for a lost packet is slower than another try."""
    lobby_patience: float = 10.0
    """How long a guest looks for a host that was lost before the match began."""
    farewell: float = 3.0
    """How long a host that leaves waits for guests that lack something."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays here, and where it is kept."""

    home: Path
    identity: Identity
    name: str
    edition: str = ""
    interfaces: Collection[str] | None = None


class Side(Generic[A]):
    """One operator at one table."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        self.person = person
        self.pace = pace
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.on_change: Callable[[], None] = lambda: None  #: what strangers see has changed
        self.desk: Desk[A] | None = None
        self.genesis: Genesis | None = None
        self.path: Path | None = None
        self.gathering: Gathering | None = None
        self.me: int | None = None
        self.address = ""
        self._make = make
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    @property
    def now(self) -> float:
        return self._loop.time()

    def name_of(self, operator: int) -> str:
        """An operator's name by roster index."""
        operators = self.gathering.operators if self.gathering is not None else ()
        return operators[operator].name if operator < len(operators) else ""

    def status(self) -> Status:
        """What a stranger who knocks is told."""
        raise NotImplementedError

    def _adopt(self, chain: Chain, me: int) -> None:
        """The match's roster stands from here on."""
        genesis = chain.genesis
        self.genesis, self.me = genesis, me
        self.path = match_path(self.person.home, genesis.table)
        self.gathering = Gathering(
            table=genesis.table,
            name=genesis.name,
            options=genesis.options,
            operators=genesis.operators,
            seats=genesis.seats,
            ready=(True,) * len(genesis.operators),
            me=me,
        )

    def _tell(self, event: NodeEvent) -> None:
        self.events.put_nowait(event)
        if isinstance(event, LobbyChanged | Began):
            self.on_change()

    async def _open_store(self, table: bytes) -> Store:
        return await asyncio.to_thread(Store, match_path(self.person.home, table))

    def _spawn(self, task: asyncio.Task[None]) -> None:
        """Keep a task; what it raises unasked is a failure of ours and is told."""
        self._tasks.add(task)

        def ended(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            problem = None if done.cancelled() else done.exception()
            if isinstance(problem, ProtocolError):
                self._tell(Failed(problem))
            elif problem is not None:
                self._loop.call_exception_handler(
                    {"message": "a table's task failed", "exception": problem}
                )

        task.add_done_callback(ended)

    async def _end_tasks(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def post(channel: Channel, message: msgspec.Struct) -> None:
    """Send if it still can be; whoever receives on the channel learns of its end."""
    with contextlib.suppress(ProtocolError):
        channel.post(message)


def accuse(problem: ProtocolError) -> Fault:
    """A failure as others are told of it."""
    if isinstance(problem, RemoteError):
        return Fault(problem.code, problem.culprit, problem.evidence[:3])
    return Fault("failed", None, ())


def believe(fault: Fault, genesis: Genesis | None, teller: bytes, name: str) -> RemoteError:
    """What to make of somebody's accusation: proven if the evidence says so by itself."""
    if genesis is not None:
        proven = judge(genesis, fault.evidence)
        if proven is not None:
            return proven
    if fault.code == Diverged.code:
        return Diverged(-1, evidence=fault.evidence)
    kind = _FAULTS.get(fault.code, RemoteError)
    # Unproven: it stops the table, since its teller goes on no more, but it blames nobody.
    return kind(f"{name} stopped the table: {fault.code}", evidence=fault.evidence)
