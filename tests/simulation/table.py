"""A whole match under one seed: weather, then clear sky, and what must hold all the while.

- What one laptop holds confirmed, none ever holds otherwise, and a majority has it on disk.
- No term has two hosts.
- Nobody honest is accused, and nobody honest stops.
- Nobody reads what lies in another's hand.
- The same journal gives the same public state.
- When the weather clears, the match goes to its end, for everybody.
- Every journal, read from its disk, verifies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from protocol.application import Application, Genesis
from protocol.errors import ProtocolError
from protocol.journal.chain import Chain, Journal, check_journal
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import Signed, agree_to, quorum
from protocol.roster import Operator
from protocol.session.lobby import HostedLobby
from tests.simulation.chance import identity
from tests.simulation.laptop import Laptop
from tests.simulation.runtime import Watch
from tests.simulation.world import Clock, Net, Stuck

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil", "Fritz", "Greta", "Hugo")
INSPECTED = 3
"""Every so many confirmed entries the application is looked into."""

CLEAR_SECONDS = 240.0
"""Under a clear sky a match ends within this."""


@dataclass(frozen=True)
class Game:
    """What is played: made anew for each operator, and over when `is_over` says so."""

    options: bytes
    make: Callable[[Genesis, int], Application]
    is_over: Callable[[Application], bool]
    result: Callable[[Application], object]
    seats: int = 0  # as many as there are operators
    inspect: Callable[[Application], None] = lambda _: None  # now and then, on every laptop
    goes: frozenset[int] = frozenset()  # who will leave for good by its own word


@dataclass(frozen=True)
class Outcome:
    """What came of it. Equal for equal seeds."""

    trace: str
    seconds: float
    events: int
    entries: int
    terms: int
    faults: int
    operators: int


class Table:
    """Some laptops, their cables and the eye that watches them."""

    laptop: type[Laptop[Any]] = Laptop  #: how one is made

    def __init__(
        self, chance: Random, operators: int, game: Game, *, real: bool = False
    ) -> None:
        self.chance = chance
        self.game = game
        self.clock = Clock()
        low = chance.choice((0.0005, 0.002, 0.01))
        self.net = Net(self.clock, chance, (low, low * chance.choice((2, 5, 20))))
        self.identities = [identity(chance, real=real) for _ in range(operators)]
        self.history: list[bytes] = []
        self.hosts: dict[int, int] = {}
        self.faults = 0
        self.suspects: set[int] = (
            set()
        )  # laptops that lie: their own failures count for nothing
        self.gone: set[int] = set()  # laptops that have left for good, and are switched off
        self.charges: list[tuple[int, ProtocolError]] = []
        self._trace = hashlib.sha256()
        first = self._genesis()
        watch = Watch(self._confirmed, self._hosting, self._failed)
        self.laptops = [
            self.laptop(
                me,
                identity=one,
                first=first,
                make=game.make,
                clock=self.clock,
                net=self.net,
                chance=chance,
                watch=watch,
            )
            for me, one in enumerate(self.identities)
        ]
        self._last = self.laptops[0]  # is asked first whether all is over
        for laptop in self.laptops:
            laptop.outside = [one for one in self.laptops if one is not laptop]

    def _genesis(self) -> Signed:
        me = self.identities[0]
        host = Operator(identity=me.public, name=NAMES[0], addresses=())
        count = len(self.identities)
        table = self.chance.randbytes(16)
        room = HostedLobby(
            table=table,
            name="Kitchen",
            options=self.game.options,
            host=host,
            seats=max(self.game.seats, count),
            bots=["easy"] * max(self.game.seats - count, 0),
        )
        for guest, name in zip(self.identities[1:], NAMES[1:], strict=False):
            assert room.join(guest.public, name, ()) == ""
        agreed = tuple(agree_to(room.terms, one, bytes(16)) for one in self.identities)
        return make_genesis(me, room.terms, agreed)

    # What is watched.

    def _confirmed(self, laptop: Laptop[Application], seq: int) -> None:
        chain = laptop.machine.replica.chain
        self._trace.update(f"{self.clock.now:.6f} {laptop.me} {seq}\n".encode())
        if laptop.me in self.suspects:
            return
        if seq % INSPECTED == 0:
            self.game.inspect(laptop.app)
        for at in range(min(seq, len(self.history) - 1), -1, -1):
            if chain.hash_at(at) == self.history[at]:
                break  # and so is everything before it: entries are chained
            raise AssertionError(f"{laptop.me} holds another entry {at} confirmed")
        for at in range(len(self.history), seq + 1):
            self.history.append(chain.hash_at(at))
        content = chain.entries[seq].signed.content
        members = chain.membership.at(seq)
        holders = sum(
            len(one.disk.entries) > seq and one.disk.entries[seq].content == content
            for one in self.laptops
            if one.me in members
        )
        assert holders >= quorum(len(members)), f"{seq} is confirmed on {holders} disks"

    def _hosting(self, laptop: Laptop[Application], host: int) -> None:
        term = laptop.machine.term
        self._trace.update(f"{self.clock.now:.6f} {laptop.me} hosted {host}\n".encode())
        if laptop.me not in self.suspects:
            assert self.hosts.setdefault(term, host) == host, f"two hosts in term {term}"

    def _failed(self, laptop: Laptop[Application], problem: ProtocolError) -> None:
        self.charges.append((laptop.me, problem))
        if not self.suspects:
            raise AssertionError(f"{laptop.me} stopped") from problem

    # Time.

    def begin(self) -> None:
        """Everybody is there, and connected within a moment."""
        for laptop in self.laptops:
            laptop.boot()

    def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Let time pass until something is so; `Stuck` if it takes longer than this."""
        last = self.clock.now + seconds
        while not condition():
            self.clock.step()
            if self.clock.now > last:
                raise Stuck(f"not over after {seconds} seconds: {self._where()}")

    def pass_by(self, seconds: float) -> None:
        """Let so much time pass."""
        over: list[bool] = []
        self.clock.plan(seconds, lambda: over.append(True))
        while not over:
            self.clock.step()

    @property
    def is_over(self) -> bool:
        """Whether everybody has played to the end, and knows it confirmed."""
        if not self.is_done(self._last):
            return False
        for laptop in self.laptops:
            if not self.is_done(laptop):
                self._last = laptop
                return False
        return True

    def is_done(self, laptop: Laptop[Application]) -> bool:
        """Whether this one has played to the end, and knows it confirmed."""
        replica = laptop.machine.replica
        return (
            laptop.is_up
            and replica.confirmed == replica.chain.head
            and self.game.is_over(laptop.app)
        )

    def play_out(self) -> Outcome:
        """The sky is clear, and the match comes to its end."""
        self.clear()
        self.until(lambda: self.is_over, CLEAR_SECONDS)
        results = {repr(self.game.result(laptop.app)) for laptop in self.laptops}
        assert len(results) == 1, results
        digests = {laptop.app.digest() for laptop in self.laptops}
        assert len(digests) == 1
        self.verify(self.laptops)
        return self.outcome()

    def clear(self) -> None:
        """Everything runs and carries from now on."""
        self.net.clear()
        for laptop in self.laptops:
            laptop.lid.close(0.0)
            laptop.slow_disk.seconds = laptop.fold_seconds = (0.0002, 0.002)
            if not laptop.is_up and laptop.failure is None and laptop.me not in self.gone:
                laptop.boot()

    def outcome(self) -> Outcome:
        """What came of it so far."""
        chains = [laptop.machine.replica.chain for laptop in self.laptops]
        return Outcome(
            self._trace.hexdigest(),
            self.clock.now,
            self.clock.events,
            min(chain.head for chain in chains),
            max(chain.term for chain in chains),
            self.faults,
            len(self.laptops),
        )

    def write_out(self, laptops: list[Laptop[Application]]) -> None:
        """Let the disks of these come to rest."""
        slowest = max(laptop.slow_disk.backlog for laptop in laptops)  # nobody waits
        self.until(
            lambda: all(laptop.slow_disk.backlog < 0.0 for laptop in laptops),
            CLEAR_SECONDS + max(0.0, slowest),
        )

    def verify(self, laptops: list[Laptop[Application]]) -> None:
        """Their journals as a stranger reads them, each different history folded once more."""
        self.write_out(laptops)
        digests: dict[bytes, bytes] = {}
        for laptop in laptops:
            chain = check_journal(Journal(tuple(laptop.disk.entries), laptop.disk.certificate))
            head = chain.hash_at(chain.head)
            if head not in digests:
                digests[head] = self._folded(chain, laptop.me)
            assert digests[head] == laptop.app.digest()

    def _folded(self, chain: Chain, me: int) -> bytes:
        again = self.game.make(chain.genesis, me)
        for entry in chain.entries[1:]:
            if entry.election is None:
                assert again.fold(entry.seq, entry.author, entry.body) is None
        return again.digest()

    def _where(self) -> str:
        lines = []
        for laptop in self.laptops:
            machine = laptop.machine
            replica = machine.replica
            lines.append(
                f"{laptop.me}: up={laptop.is_up} term={machine.term} host={machine.host}"
                f" {machine.role.value} head={replica.chain.head}"
                f" stored={replica.stored} folded={replica.folded}"
                f" confirmed={replica.confirmed} pending={len(replica.outbox.pending())}"
                f" links={sorted(laptop._links)}"
            )
        return "\n".join(lines)
