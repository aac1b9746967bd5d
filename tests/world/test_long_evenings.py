"""A long evening costs no more than a short one: what programs hold is counted, and is flat."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter, OrderedDict, deque
from functools import _lru_cache_wrapper, partial

import pytest

from citadels_p2p.match import Leave
from citadels_p2p.match.acts import Say
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from protocol import Node
from protocol.session.match_session import MatchSession
from protocol.storage.store import Store
from protocol.wire.channel import Channel
from tests.world import oracles
from tests.world.evening import Evening
from tests.world.person import Person
from tests.world.run import Scene, act
from tests.world.scenes import ended_well

OURS = ("protocol.", "citadels_p2p.", "cli.", "asyncio.")
CONTAINERS = (dict, list, set, deque, OrderedDict)
COMING_AND_GOING = 64
"""Places in containers that differ from moment to moment, as timers of a loop do."""


def census(table: Evening) -> Counter[str]:
    """What all programs hold: objects by type, places in all containers, tasks, connections.

    The least of some moments: not what just comes and goes. What the world itself remembers of
    the evening is forgotten first.
    """
    found = None
    table.wait(60.0)  # timers that nobody waits for
    for _ in range(8):
        table.wait(0.3)
        _forget(table)
        gc.collect()
        alive = gc.get_objects()
        names = (f"{type(one).__module__}.{type(one).__qualname__}" for one in alive)
        now = Counter(name for name in names if name.startswith(OURS))
        now["places"] = sum(len(one) for one in alive if type(one) in CONTAINERS)
        now["tasks"] = sum(len(asyncio.all_tasks(one.loop)) for one in table.world.laptops)
        now["connections"] = len(table.net.ends)
        found = now if found is None else found & now
    assert found is not None
    return found


def _forget(table: Evening) -> None:
    """What the world remembers of the evening, and caches that are bounded by themselves."""
    for cache in [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]:
        if cache.__module__.startswith(OURS):
            cache.cache_clear()
    seen = table.safety._words, table.safety._seen, oracles._JUDGED
    for kept in (table.world._trace, table.net._sent, table.liveness.links, *seen):
        kept.clear()
    for person in table.persons:
        person.heard.clear()
        person.since = 0
    table.liveness._heard = [0] * table.seats


def check_growth(before: Counter[str], after: Counter[str]) -> None:
    more = after - before
    if more["places"] <= COMING_AND_GOING:
        del more["places"]
    assert not +more, f"there is more of {+more}"


def evenings_in_a_row(table: Evening) -> None:
    """Of all that was played no more is held than the last match, if that."""
    *_, watcher = table.persons
    for _ in range(4):
        for person in table.persons:
            person.matches = 1
        answers = table.answers
        table.sit_down("--city 3 --bots 1 --spectators", seats=3)
        table.until(lambda: table.answers > answers)  # noqa: B023
        watcher.types("watch")
        ended_well(table)
        table.until(lambda: watcher.code is not None)
    for person in table.persons:
        person._begin()  # and remembers nothing of it
    held = census(table)
    for kind in (Node, MatchSession, SealedDealer, Channel, Store):
        name = f"{kind.__module__}.{kind.__qualname__}"
        assert held[name] <= len(table.persons), f"{held[name]} {name} are held"


def test_matches_in_a_row_leave_what_one_leaves() -> None:
    act(evenings_in_a_row, seats=2, guests=1)


def guests_come_and_go(table: Evening) -> None:
    """Somebody sits down, says a word and goes, again and again; another looks on."""
    host, guest, watcher = table.persons
    guest.attends = False
    host.types("host Kitchen --name Anna --seats 3 --city 3 --spectators")
    table.until(lambda: host.table)
    counted = []
    for number in range(110):
        for person, line in ((guest, "join --name Bert"), (watcher, "watch")):
            person.types(line)
            table.until(partial(_sees, person))
        guest.does(Say(f"hello, {number}"))
        table.wait(1.0)
        for person in (guest, watcher):
            person.does(Leave())
        table.until(lambda: guest.code is not None and watcher.code is not None)
        table.wait(30.0)  # nobody comes too often
        if number in (70, 109):
            counted.append(census(table))
    check_growth(*counted)


def _sees(person: Person) -> bool:
    assert person.code is None, person.failed
    return person.table is not None


def test_guests_who_come_and_go_leave_nothing() -> None:
    act(guests_come_and_go, seats=1, guests=2)


def stands_in_its_lobby(table: Evening) -> None:
    table.players[-1].attends = False
    table.sit_down("--spectators")
    hours(table)


def stands_in_its_match(table: Evening) -> None:
    table.sit_down("--spectators")
    table.some_way()
    for person in table.players:
        person.attends = False
    hours(table)


def hours(table: Evening) -> None:
    table.wait(600)
    before = census(table)
    table.wait(7_200)
    check_growth(before, census(table))


@pytest.mark.parametrize("scene", [stands_in_its_lobby, stands_in_its_match])
def test_a_table_that_stands_for_hours_holds_no_more_than_after_minutes(
    scene: Scene,
) -> None:
    act(scene, seats=2)
