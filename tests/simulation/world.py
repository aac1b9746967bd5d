"""Virtual time, and cables between laptops that behave as TCP over a bad Wi-Fi does.

Nothing here waits: an event is a moment and what happens then, and the clock jumps from one to
the next. Two events of one moment happen in the order in which they were planned.

A link is ordered and reliable until it breaks. What is on its way when it breaks is lost from
some point on; its ends learn of it at different moments, or only by silence. A direction of a
cable may be cut: then data waits, and arrives late when the cut is mended in time.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

import msgspec

from protocol.wire.codec import encode

Event = Callable[[], None]


class Stuck(AssertionError):
    """Nothing is left to happen, or time has run out, and the match is not over."""


@dataclass(slots=True)
class Clock:
    """The moments to come."""

    now: float = 0.0
    events: int = 0
    _due: list[tuple[float, int, Event]] = field(default_factory=list)
    _planned: int = 0

    def plan(self, delay: float, event: Event) -> None:
        """Let something happen after `delay` seconds."""
        self.plan_at(self.now + delay, event)

    def plan_at(self, moment: float, event: Event) -> None:
        """Let something happen then."""
        heapq.heappush(self._due, (max(moment, self.now), self._planned, event))
        self._planned += 1

    def step(self) -> None:
        """The next event happens."""
        if not self._due:
            raise Stuck("nothing is left to happen")
        self.now, _, event = heapq.heappop(self._due)
        self.events += 1
        event()


class End(Protocol):
    """A laptop, as a cable sees it."""

    me: int

    @property
    def is_up(self) -> bool: ...

    def attach(self, link: Link) -> None: ...

    def detach(self, link: Link) -> None: ...

    def deliver(self, link: Link, message: msgspec.Struct) -> None: ...


class Link:
    """One connection."""

    def __init__(self, net: Net, ends: tuple[End, End]) -> None:
        self.net = net
        self.since = net.clock.now
        one, other = ends
        self.ends = {one.me: one, other.me: other}
        self._others = {one.me: other, other.me: one}
        self._last = dict.fromkeys(self.ends, 0.0)  # by receiver: arrivals keep their order
        self._stalled: dict[int, list[msgspec.Struct]] = {me: [] for me in self.ends}
        self._closed: set[int] = set()  # ends that have let go
        self._lost = False  # nothing that is on its way arrives

    @property
    def is_open(self) -> bool:
        return not self._closed

    def other(self, me: int) -> End:
        return self._others[me]

    def send(self, sender: int, message: msgspec.Struct) -> None:
        """Put something on its way."""
        encode(message)  # whatever is sent can be
        receiver = self.other(sender).me
        clock = self.net.clock
        moment = max(clock.now + self.net.delay(sender, receiver), self._last[receiver])
        self._last[receiver] = moment
        clock.plan_at(moment, lambda: self._arrive(receiver, message))

    def abort(self, by: int, *, lost: bool = True) -> None:
        """One end gives it up; the other learns of it in time, if the cable carries the news.

        What is on its way to the other end is `lost`, or arrives before the news does.
        """
        self._lost = self._lost or lost
        self._let_go(by)
        other = self.other(by)
        if self.net.carries(by, other.me):
            moment = self.net.clock.now + self.net.delay(by, other.me)
            moment = max(moment, self._last[other.me])
            self.net.clock.plan_at(moment, lambda: self._let_go(other.me))

    def _let_go(self, me: int) -> None:
        if me not in self._closed:
            self._closed.add(me)
            self.ends[me].detach(self)

    def mend(self, receiver: int) -> None:
        """A cut direction carries again: what waited arrives."""
        waiting, self._stalled[receiver] = self._stalled[receiver], []
        for message in waiting:
            self._arrive(receiver, message)

    def _arrive(self, receiver: int, message: msgspec.Struct) -> None:
        if self._lost or receiver in self._closed:
            return
        sender = self.other(receiver).me
        if self._stalled[receiver] or not self.net.carries(sender, receiver):
            self._stalled[receiver].append(message)
            return
        self.ends[receiver].deliver(self, message)


class Net:
    """Who reaches whom, and how fast."""

    def __init__(self, clock: Clock, chance: Random, latency: tuple[float, float]) -> None:
        self.clock = clock
        self._chance = chance
        self.latency = latency
        self._cut: set[tuple[int, int]] = set()
        self._slow: dict[tuple[int, int], float] = {}
        self.links: list[Link] = []

    def carries(self, sender: int, receiver: int) -> bool:
        return (sender, receiver) not in self._cut

    def delay(self, sender: int, receiver: int) -> float:
        """How long something takes just now."""
        low, high = self.latency
        return self._chance.uniform(low, high) + self._slow.get((sender, receiver), 0.0)

    def connect(self, one: End, other: End) -> bool:
        """A new connection, if both are up and the cable carries both ways."""
        both = self.carries(one.me, other.me) and self.carries(other.me, one.me)
        if not (one.is_up and other.is_up and both):
            return False
        link = Link(self, (one, other))
        self.links = [old for old in self.links if old.is_open]
        self.links.append(link)
        one.attach(link)
        other.attach(link)
        return True

    def cut(self, sender: int, receiver: int) -> None:
        """This direction carries nothing any more."""
        self._cut.add((sender, receiver))

    def slow(self, sender: int, receiver: int, seconds: float) -> None:
        """This direction takes so much longer."""
        self._slow[sender, receiver] = seconds

    def clear(self) -> None:
        """Everything carries again, and at its usual pace."""
        self._slow.clear()
        self.mend(sorted(self._cut))

    def mend(self, pairs: Iterable[tuple[int, int]]) -> None:
        """These directions carry again."""
        pairs = tuple(pairs)
        self._cut.difference_update(pairs)
        for pair in pairs:
            for link in self.links:
                if set(pair) == set(link.ends):
                    link.mend(pair[1])
