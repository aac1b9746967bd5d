"""Faults, drawn from the seed: each seed has its own few kinds, so some have them often."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from protocol.application import Application
from tests.simulation.laptop import Laptop
from tests.simulation.table import Table


class Weather:
    """What befalls a table for a while."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._chance = chance = table.chance
        kinds: list[Callable[[], None]] = [
            self._power_cut,
            self._host_power_cut,
            self._break,
            self._cut_cable,
            self._cut_one_way,
            self._part,
            self._freeze,
            self._slow_disk,
            self._slow_cable,
        ]
        self._kinds = chance.sample(kinds, chance.randint(1, 5))
        self._pause = chance.choice((0.05, 0.3, 1.0, 3.0))

    def rage(self, faults: int, until: Callable[[], bool] = lambda: False) -> None:
        """So many faults, with pauses between them; fewer where it is over before."""
        for _ in range(faults):
            self._table.pass_by(self._chance.expovariate(1 / self._pause))
            if self._table.is_over or until():
                return
            self._table.faults += 1
            self._chance.choice(self._kinds)()

    def _later(self, longest: float, event: Callable[[], None]) -> None:
        self._table.clock.plan(longest * self._chance.random() ** 2, event)

    def _any(self) -> Laptop[Application]:
        return self._chance.choice(self._table.laptops)

    def _pair(self) -> tuple[int, int]:
        count = len(self._table.laptops)
        one = self._chance.randrange(count)
        return one, (one + self._chance.randrange(1, count)) % count

    def _kill(self, laptop: Laptop[Application]) -> None:
        if laptop.is_up and laptop.failure is None:
            laptop.power_cut()
            self._later(10.0, lambda: None if laptop.is_up else laptop.boot())

    def _power_cut(self) -> None:
        self._kill(self._any())

    def _host_power_cut(self) -> None:
        hosts = [one for one in self._table.laptops if one.is_up and one.machine.is_host]
        if hosts:
            self._kill(self._chance.choice(hosts))

    def _break(self) -> None:
        one, other = self._pair()
        self._table.laptops[one].unplug(other, lost=self._chance.random() < 0.7)

    def _cut(self, pairs: list[tuple[int, int]]) -> None:
        net = self._table.net
        for pair in pairs:
            net.cut(*pair)

        def mend() -> None:
            net.mend(pairs)

        self._later(12.0, mend)

    def _cut_cable(self) -> None:
        one, other = self._pair()
        self._cut([(one, other), (other, one)])

    def _cut_one_way(self) -> None:
        self._cut([self._pair()])

    def _part(self) -> None:
        """Two groups that do not hear each other."""
        count = len(self._table.laptops)
        group = set(self._chance.sample(range(count), self._chance.randint(1, count - 1)))
        self._cut(
            [(a, b) for a in range(count) for b in range(count) if (a in group) != (b in group)]
        )

    def _freeze(self) -> None:
        laptop = self._any()
        if laptop.is_up:
            laptop.lid.close(self._chance.choice((0.3, 2.0, 10.0)))

    def _slow_disk(self) -> None:
        laptop = self._any()
        laptop.slow_disk.seconds = (0.0, self._chance.choice((0.05, 0.3, 2.0)))

    def _slow_cable(self) -> None:
        self._table.net.slow(*self._pair(), self._chance.choice((0.1, 0.5, 2.0)))


def chance_of(seed: int, kind: str) -> Random:
    """The one source of a seed's fortune."""
    return Random(f"{kind} {seed}")
