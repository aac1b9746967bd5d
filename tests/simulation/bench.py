"""A table where some lie, and what must hold there at every moment (`byzantine` says what)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from protocol.application import Application
from protocol.errors import ProtocolError, RemoteError
from protocol.journal.statements import quorum
from protocol.session.chat import Spoke
from tests.simulation.chatter import Chatter
from tests.simulation.laptop import Laptop
from tests.simulation.runtime import Watch
from tests.simulation.table import INSPECTED, Table

HASTY, BREATH = 6, 2.0
"""What is refused so often within so many seconds is said again without a pause. A host gives
in to each liar twice within them, and then not for a while.
"""


class Broken(AssertionError):
    """A theorem does not hold. Its first line says which."""


class Bench(Table):
    """A table where some may lie: what only honest laptops together can break is noted."""

    def __init__(self, *given: object, **named: object) -> None:
        self.own: dict[int, list[bytes]] = {}
        self.forks: list[str] = []
        self.grown = 0.0  # when the history grew last
        self.clumsy: Callable[[], set[int]] = set  #: who did only what an honest person may
        #: By laptop and operator: why it is suspected, and since when.
        self.suspicions: dict[int, dict[int, tuple[str, float]]] = {}
        self._times: dict[tuple[int, bytes], deque[float]] = {}  # by laptop and what it does
        super().__init__(*given, **named)  # type: ignore[arg-type]
        members = [one.public for one in self.identities]
        for laptop in self.laptops:
            laptop._watch = replace(
                laptop._watch,
                suspected=self._suspected,  # type: ignore[arg-type]
                refused=self._refused,  # type: ignore[arg-type]
            )
        self.people = [
            Chatter(laptop, identity, members, self.clock, self.chance, self._saw)
            for laptop, identity in zip(self.laptops, self.identities, strict=True)
        ]

    def begin(self) -> None:
        """Who starts anew has forgotten whom it suspected."""
        for laptop in self.laptops:
            boot = laptop.boot

            def booted(me: int = laptop.me, boot: Callable[[], None] = boot) -> None:
                self.suspicions.pop(me, None)
                boot()

            laptop.boot = booted  # type: ignore[method-assign]
        super().begin()

    @property
    def honest(self) -> list[Laptop[Application]]:
        return [one for one in self.laptops if one.me not in self.suspects]

    def operator(self, key: bytes | None) -> int | None:
        """Whose key this is."""
        keys = [one.public for one in self.identities]
        return None if key is None or key not in keys else keys.index(key)

    def another(self, me: int) -> Callable[[], Laptop[Application]]:
        """How a second program with this one's key is made."""
        return lambda: Laptop(
            me,
            identity=self.identities[me],
            first=self.laptops[me].disk.entries[0],
            make=self.game.make,
            clock=self.clock,
            net=self.net,
            chance=self.chance,
            watch=Watch(self._confirmed, self._hosting, self._failed),
        )

    def _confirmed(self, laptop: Laptop[Application], seq: int) -> None:
        self._trace.update(f"{self.clock.now:.6f} {laptop.me} {seq}\n".encode())
        if laptop.me in self.suspects:
            return
        if seq % INSPECTED == 0:
            self.game.inspect(laptop.app)
        chain = laptop.machine.replica.chain
        own = self.own.setdefault(laptop.me, [])
        known = min(len(own) - 1, seq)
        if known >= 0 and chain.hash_at(known) != own[known]:
            raise Broken(f"lost: {laptop.me} held another entry {known} confirmed")
        own.extend(chain.hash_at(at) for at in range(len(own), seq + 1))
        agreed = min(seq, len(self.history) - 1)
        if agreed >= 0 and chain.hash_at(agreed) != self.history[agreed]:
            self.forks.append(f"{laptop.me} holds another entry {agreed} confirmed")
            return
        if seq >= len(self.history):
            self.grown = self.clock.now
        self.history.extend(chain.hash_at(at) for at in range(len(self.history), seq + 1))
        content = chain.entries[seq].signed.content
        members = chain.membership.at(seq)
        holders = sum(
            len(one.disk.entries) > seq and one.disk.entries[seq].content == content
            for one in self.honest
            if one.me in members
        )
        if holders + len(self.suspects & members) < quorum(len(members)):
            raise Broken(f"lost: {seq} is confirmed on {holders} honest disks")

    def _hosting(self, laptop: Laptop[Application], host: int) -> None:
        term = laptop.machine.term
        if laptop.me == host:
            self._breathe(host, b"host again", 2 * len(self.suspects) + 3)
        self._trace.update(f"{self.clock.now:.6f} {laptop.me} hosted {host}\n".encode())
        if laptop.me in self.suspects:
            return
        if self.hosts.setdefault(term, host) != host:
            self.forks.append(f"{laptop.me} follows {host} as a second host of term {term}")

    def _failed(self, laptop: Laptop[Application], problem: ProtocolError) -> None:
        self.charges.append((laptop.me, problem))
        if laptop.me not in self.suspects:
            self.accuse(f"{laptop.me}", problem)

    def _refused(self, laptop: Laptop[Application], key: bytes) -> None:
        """Whatever a host does, nobody honest is driven to say one thing without a pause."""
        self._breathe(laptop.me, b"say " + key, HASTY)

    def _breathe(self, me: int, deed: bytes, many: int) -> None:
        times = self._times.setdefault((me, deed), deque(maxlen=many))
        times.append(self.clock.now)
        is_hasty = len(times) == many and times[-1] - times[0] < BREATH
        if is_hasty and me not in self.suspects:
            raise Broken(f"pace: {many} times in a breath {me} does one thing: {deed!r}")

    def _saw(self, me: int, spoke: Spoke) -> None:
        speaker = self.operator(spoke.speaker)
        if speaker is None or {me, speaker} & self.suspects:
            return
        if spoke.text not in self.people[speaker].said:
            raise Broken(f"accuracy: {me} sees {spoke.text!r}, which {speaker} never said")

    def _suspected(self, laptop: Laptop[Application], operator: int, why: str | None) -> None:
        held = self.suspicions.setdefault(laptop.me, {})
        if why is None:
            held.pop(operator, None)
        else:
            held.setdefault(operator, (why, self.clock.now))

    def accuse(
        self, teller: str, problem: ProtocolError | None, *, made_up: bool = False
    ) -> None:
        """Somebody says this of somebody. `Broken` where it is of an honest one; evidence that
        is `made_up` is signed by liars that had said nothing false, too.
        """
        if isinstance(problem, RemoteError):
            liars = self.suspects if made_up else self.suspects - self.clumsy()
            named = self.operator(problem.culprit)
            if named is not None and named not in liars:
                raise Broken(f"accuracy: {teller} names {named}: {problem!r}") from problem
