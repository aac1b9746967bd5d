"""A disk that fails under a laptop in the middle of a match, and before one begins.

The program says what is wrong and goes; the others are accused of nothing; nothing that was
told is lost; and once the disk is well again, the match goes on.
"""

from __future__ import annotations

import sqlite3

from citadels_p2p.match.news import EventNews, News, Refused
from tests.world.evening import Evening
from tests.world.oracles import judged
from tests.world.person import Person
from tests.world.run import act
from tests.world.scenes import ended_well

SICK = (("disk_full", sqlite3.SQLITE_FULL), ("disk_read_only", sqlite3.SQLITE_READONLY))


def saved(person: Person) -> tuple[list[bytes], int]:
    """The entries on this disk, and the events that follow from them."""
    (path,) = person.laptop.disk.home.glob("matches/*.citadels")
    journal, _verdict, match = judged(path)
    assert match is not None
    return [record.content for record in journal.records], len(match.events)


def that_fail_and_are_mended(table: Evening) -> None:
    """The guest's, and the host's, full or read-only, one after another."""
    table.sit_down("--city 7")
    for name in ("Bert", "Anna"):
        for reason, error in SICK:
            sick, disk = table[name], table[name].laptop.disk
            table.some_way(3, 6)
            disk.fill(error=error)
            table.until(lambda: sick.code is not None)  # noqa: B023
            assert sick.bye is not None
            assert sick.bye.reason == reason
            told = sum(isinstance(news, EventNews) for _, news in sick.heard[sick.since :])
            entries, events = saved(sick)
            assert 0 < told <= events
            table.come_back(sick)  # on a disk that is sick still
            table.until(lambda: sick.code is not None)  # noqa: B023
            assert reason in (sick.failed, sick.bye and sick.bye.reason)
            assert saved(sick) == (entries, events)
            disk.mend()
            table.come_back(sick)
            table.until(lambda: sick.asked or sick.state)  # noqa: B023
            assert saved(sick)[0][: len(entries)] == entries
    ended_well(table)
    assert not [one for one in table.players if one.notices("cheat")]


def test_a_match_outlives_a_disk() -> None:
    act(that_fail_and_are_mended, 1)


def at_the_start(table: Evening, sick: Person) -> None:
    """Everybody has agreed, and this disk takes nothing of the match."""
    carla = table["Carla"]
    carla.attends = False
    table.sit_down()
    table.until(lambda: all(one.table and one.table.you is not None for one in table.players))
    sick.laptop.disk.fill()
    carla.attend()
    table.until(lambda: sick.code is not None or Refused("disk_full") in told(sick))
    assert not [*sick.laptop.disk.home.glob("matches/*.citadels")]


def told(person: Person) -> list[News]:
    return [news for _, news in person.heard]


def of_a_host_at_the_start(table: Evening) -> None:
    """It is told so, and begins once there is room; nobody has to come anew."""
    anna, bert, _ = table.players
    at_the_start(table, anna)
    table.wait(20)
    bert.laptop.kill(power=True)
    table.wait(5)
    table.joins(bert)
    table.wait(5)
    assert anna.state is None
    anna.laptop.disk.mend()
    ended_well(table)


def of_a_guest_at_the_start(table: Evening) -> None:
    """The others have begun, and it has nothing to resume: it sits down where it sat before."""
    bert = table["Bert"]
    at_the_start(table, bert)
    assert bert.bye is not None
    assert bert.bye.reason == "disk_full"
    assert table["Anna"].code is None
    bert.laptop.disk.mend()
    bert.types("join Kitchen --name Bert")
    ended_well(table)


def test_a_match_that_the_hosts_disk_does_not_keep_begins_once_it_does() -> None:
    act(of_a_host_at_the_start)


def test_a_guest_whose_disk_failed_at_the_first_entry_comes_back() -> None:
    act(of_a_guest_at_the_start)
