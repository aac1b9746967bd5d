"""Programs that share one laptop of the world: for tests that hold its nodes in their hands.

They meet over loopback, and wait for nothing: what takes seconds takes them of virtual time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from citadels_p2p.match.archive.audit import Verdict, verify
from citadels_p2p.match.fold import match as folded
from tests.protocol.tiny_group import TinyGroup
from tests.world import doors
from tests.world.world import World

T = TypeVar("T")

PATIENCE = 600.0
"""Seconds that such a scene may take, of its own time."""


def play(scene: Coroutine[Any, Any, T], seconds: float = PATIENCE) -> T:
    """Play it to its end, in the place of `asyncio.run`; cards are sealed in the tiny group.
    Raises what it raises, `Stuck` where it comes to no end, and AssertionError for what nobody
    has handled.
    """
    with doors.shut():
        world = World("indoors", ["Anna"])
        laptop = world.laptops[0]
        loop = laptop.loop
        task = loop.call(lambda: loop.create_task(scene))
        try:
            world.until(task.done, seconds)
        finally:
            left = loop.call(lambda: asyncio.all_tasks(loop))
            for one in left:
                loop.call(one.cancel)
            world.until(lambda: all(one.done() for one in left), seconds)
            loop.end()
            world.close()
        assert not world.problems, world.problems
        return task.result()


@contextlib.contextmanager
def tiny_group() -> Iterator[None]:
    """Matches that were played here are read as they were sealed."""
    with mock.patch.object(folded, "Edwards25519", TinyGroup):
        yield


def verified(path: Path) -> Verdict:
    """`verify`, of a match that was played here."""
    with tiny_group():
        return verify(path)
