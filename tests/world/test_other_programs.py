"""Programs of another version, and folders that moved: nobody else is troubled by them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from unittest import mock

import msgspec
import pytest

from protocol.errors import VersionMismatch
from protocol.journal import genesis
from protocol.journal.statements import VERSION
from protocol.wire.channel import Channel
from tests.world.evening import Evening
from tests.world.here import here
from tests.world.laptop import Laptop
from tests.world.oracles import check_files, check_scores
from tests.world.run import act
from tests.world.scenes import ended_well


@contextlib.contextmanager
def another_version(laptop: Laptop, by: int) -> Iterator[None]:
    """The program on this laptop is `by` versions ahead of ours, or behind it: its messages say
    so, and what says our version is another one to it.
    """
    post, read, check = Channel.post, Channel._read, genesis._check_version

    def told(message: msgspec.Struct, by: int) -> msgspec.Struct:
        if here() is not laptop or getattr(message, "version", None) != VERSION:
            return message
        return msgspec.structs.replace(message, version=VERSION + by)

    def checked(version: object = VERSION) -> None:
        check(version)
        if here() is laptop:
            raise VersionMismatch(f"journal version {version}, ours is {VERSION + by}")

    with (
        mock.patch.object(Channel, "post", lambda self, said: post(self, told(said, by))),
        mock.patch.object(Channel, "_read", lambda self, frame: told(read(self, frame), -by)),
        mock.patch.object(genesis, "_check_version", checked),
    ):
        yield


def comes_with(table: Evening, by: int) -> None:
    """Carla's program is another one; she sits down once she has ours."""
    anna, bert, carla = table.players
    anna.types("host Kitchen --name Anna --seats 3 --city 3")
    table.joins(bert)
    with another_version(carla.laptop, by):
        table.joins(carla)
        table.until(lambda: carla.code is not None)
    assert carla.failed == "version"
    assert anna.table is not None
    assert all(seat.name != "Carla" for seat in anna.table.seats)
    table.joins(carla)
    ended_well(table)


def an_older_program(table: Evening) -> None:
    comes_with(table, -1)


def a_newer_program(table: Evening) -> None:
    comes_with(table, 1)


@pytest.mark.parametrize("scene", [an_older_program, a_newer_program])
def test_who_comes_with_another_program_is_told_so_and_sits_down_with_ours(
    scene: Callable[[Evening], None],
) -> None:
    act(scene)


def updated_in_mid_match(table: Evening) -> None:
    """Bert's program is a newer one when he comes back: it leaves the match as it was."""
    table.sit_down()
    table.some_way()
    bert = table["Bert"]
    bert.laptop.kill()
    before = bert.laptop.disk.digest()
    with another_version(bert.laptop, 1):
        table.come_back(bert)
        table.until(lambda: bert.code is not None)
    assert bert.failed == "journal_version"
    assert bert.laptop.disk.digest() == before
    table.come_back(bert)
    ended_well(table)


def test_a_match_of_another_version_is_not_touched() -> None:
    act(updated_in_mid_match)


def in_another_place(table: Evening) -> None:
    """Bert's folder is moved, and his program told where it is now."""
    table.sit_down()
    table.some_way()
    bert = table["Bert"]
    bert.laptop.kill(power=True)
    table.wait(3)
    disk = bert.laptop.disk
    disk.home = disk.home.rename(disk.home.with_name("moved"))
    table.come_back(bert)
    ended_well(table)


def test_a_folder_that_moved_goes_on_where_it_is() -> None:
    act(in_another_place)


def on_another_laptop(table: Evening) -> None:
    """Bert's laptop is broken; his folder lies on Dora's now, where he goes on."""
    table.sit_down()
    table.some_way()
    bert, dora = table["Bert"], table["Dora"]
    bert.laptop.kill(power=True)
    table.gone.add(bert)
    table.wait(3)
    dora.laptop.disk.put_back(bert.laptop.disk.copy())
    table.come_back(dora)
    there = [*table.players, dora]
    table.until(lambda: all(one.knows_the_end for one in there))
    check_scores(there)
    for person in there:
        assert person.notices("cheat") == 0
    ended_well(table)
    assert dora.code == 0
    check_files(there)


def test_a_folder_that_moved_to_another_laptop_goes_on_there() -> None:
    act(on_another_laptop, guests=1)
