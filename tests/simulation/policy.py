"""A liar with a policy of its own: the real machine, at the mercy of that policy.

The laptop plays, so that the match goes on and there is something to lie about. What leaves it
and what reaches it is dropped, delayed, repeated, changed or different for each; and between
that it says what no machine said. How much of it all a liar does is drawn from the seed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

import msgspec

from protocol.application import Application, Contribution, Genesis
from protocol.errors import ProtocolError
from tests.simulation.doubles import Double, copied
from tests.simulation.forgery import CODES, Forger
from tests.simulation.fortune import Fortune
from tests.simulation.laptop import Laptop
from tests.simulation.sightings import Sightings, brief
from tests.simulation.slow_disk import Disk
from tests.simulation.temper import Temper, whims
from tests.simulation.world import Clock, Link

TOLD = 25
"""The last lies, for whoever reads of a failure."""


class Liar:
    """Sits in a laptop, before it is started; `lies` counts what it has done, by its name."""

    def __init__(
        self,
        laptop: Laptop[Application],
        forger: Forger,
        seen: Sightings,
        fortune: Fortune,
        temper: Temper,
        clock: Clock,
        double: Double,
    ) -> None:
        self.laptop = laptop
        self.me = laptop.me
        self.temper = temper
        self.lies: Counter[str] = Counter()
        self.told: deque[str] = deque(maxlen=TOLD)
        self.crash: Exception | None = None
        self._forger = forger
        self._seen = seen
        self._fortune = fortune
        self._clock = clock
        self._double = double
        self._sent: deque[msgspec.Struct] = deque(maxlen=200)
        self._old: list[Disk] = []
        self._numbers = 0
        self._occupy()
        self._make_app = laptop.make
        laptop.make = self._make

    @property
    def lied(self) -> int:
        """How often."""
        return self.lies.total()

    @property
    def is_lying(self) -> bool:
        """Whether it may lie again."""
        return self.lied < self.temper.most

    def repent(self) -> None:
        """From now on the truth, as far as its laptop still knows it."""
        self.temper.most = 0
        self._double.stop()

    @property
    def is_clumsy(self) -> bool:
        """Whether it did nothing but put back an older disk, as an honest person may, and
        nobody else has its key.
        """
        return set(self.lies) <= {"restore"} and self._forger.is_alone

    def _lie(self, name: str, about: object = "") -> None:
        self.lies[name] += 1
        self.told.append(f"{self._clock.now:.3f} {self.me} {name} {brief(about)}")

    # The laptop.

    def _occupy(self) -> None:
        """Stand between the laptop and the world."""
        laptop = self.laptop
        self._attach, self._deliver, self._boot = laptop.attach, laptop.deliver, laptop.boot
        plan_at = laptop.lid.plan_at
        laptop.attach = self._attached  # type: ignore[method-assign]
        laptop.deliver = self._arrives  # type: ignore[method-assign]
        laptop.boot = self._boots  # type: ignore[method-assign]
        laptop.lid.plan_at = lambda moment, event: plan_at(moment, self._guarded(event))  # type: ignore[method-assign]
        temper = self.temper
        for rate, deed in (
            (temper.invents, self._invent),
            (temper.says, self._say),
            (temper.repeats, self._repeat),
            (temper.restores, self._restore),
            (temper.doubles, self._run_twice),
        ):
            if rate:
                self._again(rate, deed)

    def _again(self, rate: float, deed: Callable[[], None]) -> None:
        def happen() -> None:
            laptop = self.laptop
            if self.is_lying:
                if laptop.is_up and laptop.failure is None and not laptop.lid.is_closed:
                    self._guarded(deed)()
                self._again(rate, deed)

        self._clock.plan(self._fortune.pause(rate), happen)

    def _guarded(self, event: Callable[[], None]) -> Callable[[], None]:
        """A machine that is lied to by its own laptop may break: nobody else minds."""

        def happen() -> None:
            try:
                event()
            except AssertionError:
                raise
            except Exception as problem:
                self._break(problem)

        return happen

    def _break(self, problem: Exception) -> None:
        self.crash = problem
        self.told.append(f"{self._clock.now:.3f} {self.me} broke: {problem!r}")
        if self.laptop.failure is None:
            self.laptop.failure = ProtocolError(repr(problem))
            self.laptop.lid.stop()

    def _boots(self) -> None:
        self._guarded(self._boot)()

    def _attached(self, link: Link) -> None:
        """Everything that leaves by this link passes by us."""
        honest = link.send

        def send(sender: int, message: msgspec.Struct) -> None:
            if sender == self.me:
                self._leaves(link, honest, message)
            else:
                honest(sender, message)

        link.send = send  # type: ignore[method-assign]
        self._attach(link)

    def _make(self, genesis: Genesis, me: int) -> Application:
        """An application that judges as we please: where we host, it is the law."""
        app = self._make_app(genesis, me)
        fold = app.fold

        def take(seq: int, author: int, body: bytes) -> str | None:
            if not self.is_lying or not self._hosts:
                return fold(seq, author, body)
            if author != me and self._fortune.happens(self.temper.strict):
                self._lie(f"refuse {author}", body[:8])
                return self._fortune.one(CODES) or "no"
            code = fold(seq, author, body)
            if code is not None and self._fortune.happens(self.temper.lax):
                self._lie("take what is wrong", body[:8])
                return None
            return code

        app.fold = take  # type: ignore[method-assign]
        return app

    @property
    def _hosts(self) -> bool:
        laptop = self.laptop
        return laptop.is_up and hasattr(laptop, "machine") and laptop.machine.is_host

    # Messages.

    def _leaves(
        self, link: Link, send: Callable[[int, msgspec.Struct], None], message: msgspec.Struct
    ) -> None:
        self._sent.append(message)
        self._seen.see(message)
        other = link.other(self.me).me
        self._whims(message, other, True, lambda what: send(self.me, what))

    def _arrives(self, link: Link, message: msgspec.Struct) -> None:
        self._seen.see(message)
        other = link.other(self.me).me

        def hear(what: msgspec.Struct) -> None:
            self._guarded(lambda: self._deliver(link, what))()

        self._whims(message, other, False, hear)

    def _whims(
        self,
        message: msgspec.Struct,
        other: int,
        leaves: bool,
        pass_on: Callable[[msgspec.Struct], None],
    ) -> None:
        """Do to a message what we please, then let it go."""
        left = whims(
            self.temper,
            self._fortune,
            message,
            leaves=leaves,
            other=other,
            is_lying=lambda: self.is_lying,
            lie=self._lie,
            later=lambda seconds, what: self._clock.plan(seconds, lambda: pass_on(what)),
            twist=lambda what: self._made(lambda: self._forger.twisted(what)),
            answer=lambda what: self._answer(other, what),
        )
        if left is not None:
            pass_on(left)

    def _made(self, make: Callable[[], msgspec.Struct | None]) -> msgspec.Struct | None:
        """Something false, if our machine is in a state to help with it."""
        if not self.laptop.is_up or not hasattr(self.laptop, "machine"):
            return None
        return make()

    # Deeds.

    def evidence(self) -> tuple[bytes, ...]:
        """What may be shown to a judge: true statements and made-up ones."""
        return self._forger.evidence(self._fortune.one((1, 2, 2, 2, 2, 3)))

    def _others(self) -> list[Link]:
        return [self.laptop._links[other] for other in sorted(self.laptop._links)]

    def _invent(self) -> None:
        """Something new, to somebody, to all, or other words for each."""
        links = self._others()
        if not links:
            return
        kind = self._fortune.one(self.temper.kinds)
        chosen = links if self._fortune.happens(0.5) else self._fortune.some(links)
        each = self._fortune.happens(0.3)
        message = self._made(lambda: self._forger.message(kind))
        for link in chosen:
            if message is not None and link.is_open:
                self._lie(f"invent to {link.other(self.me).me}", message)
                Link.send(link, self.me, message)
            if each:
                message = self._made(lambda: self._forger.message(kind))

    def _answer(self, other: int, heard: msgspec.Struct) -> None:
        """Something that has to do with what was just said."""
        link = self.laptop._links.get(other)
        kind = self._fortune.one(self.temper.kinds)
        message = self._made(lambda: self._forger.message(kind, about=heard, other=other))
        if link is not None and message is not None:
            self._lie(f"answer to {other}", message)
            Link.send(link, self.me, message)

    def _repeat(self) -> None:
        """Something old, to whoever it was for, or not."""
        links = self._others()
        message = self._fortune.recent(self._sent)
        if links and message is not None:
            link = self._fortune.one(links)
            self._lie(f"again to {link.other(self.me).me}", message)
            Link.send(link, self.me, message)

    def _say(self) -> None:
        """What our program never owed, in the way of everything that it says."""
        self._numbers += 1
        body = self._forger.body()
        self._lie("say", body[:40])
        said = Contribution(key=b"lie %d" % self._numbers, body=body)
        self.laptop.driver.perform(self.laptop.machine.write((said,)))

    def _restore(self) -> None:
        """A copy of the disk; or the power goes, and a copy comes back."""
        laptop = self.laptop
        if len(self._old) < 2 or self._fortune.happens(0.5):
            self._old.append(copied(laptop.disk))
            return
        disk = self._fortune.one(self._old)
        self._lie("restore", f"{len(disk.entries)} of {len(laptop.disk.entries)} entries")
        laptop.power_cut()
        laptop.disk = copied(disk)
        self._clock.plan(
            self._fortune.between(0.02, 2.0), lambda: None if laptop.is_up else laptop.boot()
        )

    def _run_twice(self) -> None:
        """A second program with our key, from our disk or an older one; or its end."""
        if self._double.runs:
            self._double.stop()
            return
        peers = tuple(sorted(self._fortune.some([one.me for one in self.laptop.outside])))
        disk = self._fortune.recent(self._old) or self.laptop.disk
        self._lie("run twice", f"with {list(peers)}, {len(disk.entries)} entries")
        self._double.start(peers, disk, fresh=self._fortune.happens(0.5))

    def __str__(self) -> str:
        lies = ", ".join(f"{name}: {many}" for name, many in self.lies.most_common())
        return f"liar {self.me}: {self.temper}\n  lies: {lies}"
