"""One key in two programs: a second laptop of one name, linked with some of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from protocol.application import Application
from tests.simulation.laptop import Laptop
from tests.simulation.slow_disk import Disk
from tests.simulation.world import End, Net


def copied(disk: Disk) -> Disk:
    """What a backup of this disk holds."""
    parts = {}
    for one in fields(disk):
        value = getattr(disk, one.name)
        parts[one.name] = value.copy() if isinstance(value, list | dict | set) else value
    return Disk(**parts)


class Switchboard:
    """Says which of two programs is meant when somebody dials an operator."""

    def __init__(self, net: Net) -> None:
        self._connect = net.connect
        self._doubles: dict[int, Double] = {}
        net.connect = self._connected  # type: ignore[method-assign]

    def add(self, double: Double) -> None:
        """From now on this operator has two."""
        self._doubles[double.me] = double

    def _connected(self, one: End, other: End) -> bool:
        meant = self._meant(other, one.me)
        return self._meant(one, other.me) is one and self._connect(one, meant)

    def _meant(self, end: End, peer: int) -> End:
        double = self._doubles.get(end.me)
        return end if double is None else double.facing(peer)


class Double:
    """A laptop and its twin; which of them each other operator is linked with."""

    def __init__(
        self,
        first: Laptop[Application],
        make: Callable[[], Laptop[Application]],
        board: Switchboard,
    ) -> None:
        self.me = first.me
        self._first = first
        self._make = make
        self._second: Laptop[Application] | None = None
        self._with_second: tuple[int, ...] = ()
        board.add(self)

    @property
    def runs(self) -> bool:
        """Whether the second one does."""
        return self._second is not None and self._second.is_up

    def facing(self, peer: int) -> Laptop[Application]:
        """Whom this one is linked with."""
        if self._second is not None and self._second.is_up and peer in self._with_second:
            return self._second
        return self._first

    def start(self, peers: tuple[int, ...], disk: Disk, *, fresh: bool) -> None:
        """The second program starts, from a copy of a disk; these are linked with it."""
        second = self._second = self._make()
        second.disk = copied(disk)
        second.outside = self._first.outside
        second._fresh = fresh
        self._with_second = peers
        second.boot()
        for peer in peers:
            self._first.unplug(peer)

    def stop(self) -> None:
        """The second one is switched off."""
        if self._second is not None and self._second.is_up:
            self._second.power_cut()
