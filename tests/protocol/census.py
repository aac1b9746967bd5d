"""What a program holds: counted, so that what grows is found without a clock."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from pathlib import Path

OURS = ("protocol.", "citadels_p2p.", "asyncio.streams", "asyncio.sslproto", "ssl")
COMING_AND_GOING = 32
"""Places in containers that differ from moment to moment, as timers of the loop do."""

DESCRIPTORS = Path("/proc/self/fd")
CONTAINERS = (dict, list, set, deque, OrderedDict)


@dataclass(frozen=True, slots=True)
class Census:
    """Objects by type, the places in all containers, and what the system lends us."""

    objects: Counter[str]
    places: int
    tasks: int
    threads: int
    descriptors: int

    def growth(self, before: Census) -> dict[str, int]:
        """What there is more of than before, by name."""
        more = dict(self.objects - before.objects)
        for name in ("places", "tasks", "threads", "descriptors"):
            grown = getattr(self, name) - getattr(before, name)
            if grown > (COMING_AND_GOING if name == "places" else 0):
                more[name] = grown
        return more


async def settled_census(samples: int = 8) -> Census:
    """What there is at all of several moments: not what just comes and goes."""
    counted = []
    for _ in range(samples):
        await asyncio.sleep(0)
        counted.append(census())
    first, *others = counted
    objects = first.objects
    for one in others:
        objects &= one.objects
    return Census(
        objects=objects,
        places=min(one.places for one in counted),
        tasks=min(one.tasks for one in counted),
        threads=min(one.threads for one in counted),
        descriptors=min(one.descriptors for one in counted),
    )


def census() -> Census:
    """Everything that is alive now. Called within a running loop, between two events."""
    gc.collect()
    found = gc.get_objects()
    names = (f"{type(one).__module__}.{type(one).__qualname__}" for one in found)
    return Census(
        objects=Counter(name for name in names if name.startswith(OURS)),
        places=sum(len(one) for one in found if type(one) in CONTAINERS),
        tasks=len(asyncio.all_tasks()),
        threads=threading.active_count(),
        descriptors=len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.is_dir() else 0,
    )
