"""Shell: what host and guest have in common: who they are, what they keep, whom they tell.

`HostSide` and `GuestSide` own the channels and the clock of one table. They hand what arrives
to the lobby or to the match's machine, and decide nothing themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
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
    Unavailable,
    VersionMismatch,
    WrongPassword,
)
from protocol.evidence import judge
from protocol.genesis import HOST
from protocol.gossip import convict
from protocol.hearing import Timing
from protocol.identity import Identity
from protocol.journal import Chain, check_journal
from protocol.listening import Listener, listen
from protocol.messages import Catalogue, Chat, Fault, Status
from protocol.names import legible
from protocol.password import Password
from protocol.room import Gathering, Talk
from protocol.statements import MAX_ADDRESSES, VERSION
from protocol.store import Saved, Store, match_path
from protocol.tidings import Began, Chatted, Failed, Hosted, LobbyChanged, NodeEvent
from protocol.wiring import Wiring

A = TypeVar("A", bound=Application)

_FAULTS: dict[str, type[RemoteError]] = {
    kind.code: kind
    for kind in (
        Malformed,
        Excessive,
        VersionMismatch,
        WrongPassword,
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
    timing: Timing = field(default_factory=Timing)
    """When a match looks for another host."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays here, and where it is kept."""

    home: Path
    identity: Identity
    name: str
    edition: str = ""
    interfaces: Collection[str] | None = None
    password: Password | None = None  #: the table's, as this person knows it


class Side(Generic[A]):
    """One operator at one table."""

    def __init__(
        self,
        person: Person,
        make: Callable[[Genesis, int], A],
        pace: Pace,
    ) -> None:
        self.person = person
        self.edition = person.edition  #: what strangers are told of the game
        self.pace = pace
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.on_change: Callable[[], None] = lambda: None  #: what strangers see has changed
        self.desk: Desk[A] | None = None
        self.genesis: Genesis | None = None
        self.path: Path | None = None
        self.gathering: Gathering | None = None
        self.me: int | None = None
        self.address = ""
        self.host = b""  #: the identity that orders
        self.table = b""
        self.listener: Listener | None = None
        self.locked = False  #: whether a password is needed to sit down or to look on
        self.audience: int | None = None  #: how many watch; None where nobody may
        self._overheard = Talk(patience=4.0)
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

    @property
    def is_host(self) -> bool:
        return self.host == self.person.identity.public

    def status(self) -> Status:
        """What a stranger who knocks is told."""
        known = self.gathering
        if self.is_host:
            addresses = () if self.listener is None else self.listener.addresses
        else:
            place = self.index_of(self.host) or HOST
            told = () if known is None else known.operators[place].addresses
            addresses = tuple(dict.fromkeys((*told, self.address)))
        seats = () if known is None else known.seats
        return Status(
            VERSION,
            self.table,
            "table" if known is None else known.name,
            self.edition,
            b"" if known is None else known.options,
            "lobby" if self.genesis is None else "playing",
            len(seats),
            sum(seat.kind != "open" for seat in seats),
            sum(seat.kind == "bot" for seat in seats),
            self.host,
            addresses[:MAX_ADDRESSES],
            "host" if self.is_host else "guest",
            self.audience is not None,
            self.locked,
        )

    def _hear_chat(self, said: Chat) -> None:
        """What a host passes on; one that passes on a flood is not listened to."""
        text = self._overheard.hear(said.operator, said.text, self.now)
        if text:
            self._tell(Chatted(said.operator, legible(said.name), text))

    def _adopt(self, chain: Chain, me: int) -> None:
        """The match's roster stands from here on."""
        genesis = chain.genesis
        self.genesis, self.me, self.host, self.table = genesis, me, chain.host, genesis.table
        self.path = self._journal_path(genesis.table)
        self.gathering = Gathering(
            table=genesis.table,
            name=genesis.name,
            options=genesis.options,
            operators=genesis.operators,
            seats=genesis.seats,
            ready=(True,) * len(genesis.operators),
            me=me,
        )

    def _journal_path(self, table: bytes) -> Path:
        return match_path(self.person.home, table)

    async def _listen(
        self, attend: Callable[[Channel], Awaitable[None]], port: int = 0
    ) -> Listener:
        """Let others find us. Raises `Unavailable` where nothing can listen."""
        self.listener = await listen(
            self.person.identity,
            self.person.name,
            attend,
            catalogue=Catalogue,
            port=port,
            interfaces=self.person.interfaces,
        )
        return self.listener

    def _tell(self, event: NodeEvent) -> None:
        self.events.put_nowait(event)
        if isinstance(event, LobbyChanged | Began | Hosted):
            self.on_change()

    def index_of(self, identity: bytes) -> int | None:
        """An operator's roster index."""
        operators = () if self.gathering is None else self.gathering.operators
        for index, operator in enumerate(operators):
            if operator.identity == identity:
                return index
        return None

    async def _begin_match(self, chain: Chain, me: int) -> Desk[A]:
        """A match that begins now, once its genesis is on our disk."""
        self._adopt(chain, me)
        store = await asyncio.to_thread(Store, self._journal_path(chain.genesis.table))
        try:
            return await self._open_desk(chain, me, store, None)
        except Unavailable:
            await asyncio.to_thread(store.discard)
            raise

    async def _reopen_match(self, path: Path) -> Desk[A]:
        """A match that our disk remembers."""
        store = await asyncio.to_thread(Store, path)
        try:
            saved = await asyncio.to_thread(store.load)
            chain = await asyncio.to_thread(check_journal, saved.journal)
            if saved.me is None:
                raise Unavailable("journal_incomplete", str(path))
        except BaseException:
            await asyncio.to_thread(store.close)
            raise
        self._adopt(chain, saved.me)
        return await self._open_desk(chain, saved.me, store, saved)

    async def _open_desk(
        self, chain: Chain, me: int, store: Store, saved: Saved | None
    ) -> Desk[A]:
        try:
            self.desk = await Desk.open(
                identity=self.person.identity,
                me=me,
                chain=chain,
                store=store,
                make=self._make,
                wiring=Wiring(
                    tell=self._pass_on, send=self._send, cut=self._cut, hosted=self._hosted
                ),
                timing=self.pace.timing,
                saved=saved,
            )
        except BaseException:
            await asyncio.to_thread(store.close)
            raise
        self._spawn(asyncio.create_task(self._tell_time(self.desk), name="clock"))
        return self.desk

    def silences(self) -> tuple[float, ...]:
        """For how many seconds each operator has not been heard, by roster index."""
        raise NotImplementedError

    async def _tell_time(self, desk: Desk[A]) -> None:
        """The application has no clock of its own."""
        while not desk.failed:
            await asyncio.sleep(self.pace.beat)
            desk.tick(self.now, self.silences())

    def _send(self, operator: int, message: msgspec.Struct) -> None:
        raise NotImplementedError

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        raise NotImplementedError

    def _hosted(self, operator: int | None) -> None:
        """Who orders from now on; None while nobody is known to."""

    def _pass_on(self, event: NodeEvent) -> None:
        """What the desk tells."""
        raise NotImplementedError

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
    try:  # noqa: SIM105 (said thousands of times a match, and a third of what that costs)
        channel.post(message)
    except ProtocolError:
        pass


def accuse(problem: ProtocolError, chain: Chain | None = None) -> Fault:
    """A failure as others are told of it.

    Where nothing signed shows it, the newest entry of our history may: whoever was shown
    another one can tell who showed them.
    """
    if not isinstance(problem, RemoteError):
        return Fault("failed", None, ())
    evidence = problem.evidence[:3]
    if not evidence and problem.culprit is not None and chain is not None:
        evidence = (chain.entries[-1].exhibit(),)
    return Fault(problem.code, problem.culprit, evidence)


def believe(
    fault: Fault, genesis: Genesis | None, name: str, chain: Chain | None = None
) -> RemoteError:
    """What to make of the accusation of somebody called `name`.

    Proven if the evidence says so by itself, or together with our own history.
    """
    if genesis is not None:
        proven = judge(genesis, fault.evidence)
        if proven is None and chain is not None:
            proven = convict(chain, fault.evidence)
        if proven is not None:
            return proven
    if fault.code == Diverged.code:
        return Diverged(-1, evidence=fault.evidence)
    kind = _FAULTS.get(fault.code, RemoteError)
    # Unproven: it stops the table, since its teller goes on no more, but it blames nobody.
    return kind(f"{name} stopped the table: {fault.code}", evidence=fault.evidence)
