"""One laptop: its adapters, clock, disk, and the program that runs on it."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Coroutine
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from protocol.wire.addresses import Adapter
from tests.world.disk import EPOCH, Disk
from tests.world.loop import Clock, LaptopLoop, rounded_up
from tests.world.net import ListeningSocket

if TYPE_CHECKING:
    from tests.world.world import World


class Laptop:
    """A laptop of the world, on from the beginning."""

    def __init__(self, world: World, name: str, number: int) -> None:
        self.world, self.name, self.number = world, name, number
        self.chance = Random(f"{world.seed}/{name}")
        self.certificate = f"certificate of {name}".encode()
        self.adapters = {"wlan0": f"10.0.0.{number + 1}"}  #: addresses by name
        self.listening: dict[tuple[str, int], ListeningSocket] = {}
        self.work_seconds = 0.0001, 0.002  #: what a job of a thread takes, least and most
        self.day_ahead = 0.0  #: seconds by which its time of day is wrong
        self.answers = True  #: whether its system answers, which it does without a program
        self.at_terminal = False  #: whether its program has a terminal
        self.boots = 0
        self.disk = Disk(self)
        self.clock = Clock(self)
        self.loop = LaptopLoop(self)
        self._graves: list[LaptopLoop] = []  # what is collected would run its `finally`s
        self._ports = 49_152

    def __repr__(self) -> str:
        return f"Laptop({self.name})"

    def thread_seconds(self) -> float:
        return self.disk.chance.uniform(*self.work_seconds)

    def run(self, program: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """A program starts here."""

        def ended(task: asyncio.Task[Any]) -> None:
            problem = None if task.cancelled() else task.exception()
            if problem is not None and not self.loop.is_dead:
                self.world.blame(self, "a program ended so", problem)

        task = self.loop.call(lambda: self.loop.create_task(program))
        task.add_done_callback(ended)
        return task

    # Faults.

    def kill(self, *, power: bool = False) -> None:
        """The program is gone from one moment to the next; with the `power`, the system too,
        and nobody hears anything.
        """
        self.world.watch()
        self.world.note(self, "killed", "power" if power else "")
        self.loop.is_dead = True
        self._graves.append(self.loop)
        self.disk.lose_power()
        self.listening.clear()
        self.answers = not power
        for end in tuple(self.world.net.ends):
            if end.laptop is self:
                if not power:
                    end.abort()
                end.vanish()
        self.world.hall.forget(self)

    def boot(self) -> None:
        """It is on again, and no program runs."""
        self.boots += 1
        self.answers = True
        self.clock = Clock(self)
        self.loop = LaptopLoop(self)
        self.world.note(self, "boots", "")

    def close_lid(self, seconds: float, *, counts: bool = False) -> None:
        """It sleeps. `counts`: its clock goes on meanwhile, as on some systems."""
        if self.loop.is_asleep or self.loop.is_dead:
            return
        loop, clock = self.loop, self.clock
        loop.is_asleep, self.answers = True, False
        self.world.note(self, "sleeps", f"{seconds:.1f} s")

        def wake() -> None:
            if loop.is_dead:
                return
            loop.is_asleep, self.answers = False, True
            if not counts:
                clock.behind += rounded_up(seconds * clock.rate)
            self.world.note(self, "wakes", "")

        self.world.plan(seconds, wake)

    def move(self, address: str, adapter: str = "wlan0") -> None:
        """Another lease: what went over the old address is lost, without a word. What waited
        for this one, which was gone for a while, is sent once more.
        """
        self.world.note(self, "moves", f"{self.adapters.get(adapter)} -> {address}")
        self.adapters[adapter] = address
        self.world.net.resend(self)

    def unplug(self, adapter: str) -> None:
        """An adapter is gone, with its address."""
        self.world.note(self, "unplugs", adapter)
        del self.adapters[adapter]

    # What its system says.

    def has(self, address: str) -> bool:
        return address in self.adapters.values() or address == "127.0.0.1"

    def every_adapter(self) -> tuple[Adapter, ...]:
        named = {"lo": "127.0.0.1", **self.adapters}
        return tuple(
            _adapter(name, index, address)
            for index, (name, address) in enumerate(named.items(), 1)
        )

    def bound(self, host: str, port: int) -> ListeningSocket:
        if host == "::":
            raise OSError("no IPv6 here")
        if not port:
            self._ports += 1
            port = self._ports
        if (host, port) in self.listening:
            raise OSError("this port is taken")
        return ListeningSocket(self, host, port)

    def wall_ns(self) -> int:
        return int((EPOCH + self.world.now + self.day_ahead) * 1e9)


@lru_cache
def _adapter(name: str, index: int, address: str) -> Adapter:
    return Adapter(
        name=name,
        index=index,
        interfaces=(ipaddress.IPv4Interface(f"{address}/24"),),
        labels=(name,),
        is_way_out=index == 2,
    )
