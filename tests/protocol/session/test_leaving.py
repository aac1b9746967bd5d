"""A table is opened as a whole and left as a whole: nothing stays open, whatever fails."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from protocol import Began, Closed, Failed, LobbyChanged, Node, Person, Reconnecting, node
from protocol.errors import LocalError, Unavailable
from protocol.identity.keys import Identity
from protocol.identity.password import Password
from protocol.journal.statements import MAX_SEATS
from protocol.session import match_session
from protocol.session.password_exchange import Lock
from protocol.storage import store
from protocol.storage.store import Store
from protocol.wire.channel import Channel
from tests.protocol.company import tasks
from tests.protocol.gathering import (
    PACE,
    Company,
    HighCardNode,
    company,
    cut,
    lobby_guest,
    operator,
    over,
    until,
)
from tests.protocol.gathering import (
    play_live as play,
)

pytestmark = pytest.mark.played(by=play)

WORD = "seven owls"

THREADS = ("application", "journal")
DESCRIPTORS = Path("/proc/self/fd")


def running() -> set[object]:
    """The tasks of this loop but the test's own, and the threads of matches."""
    return {*tasks(), *(one for one in threading.enumerate() if one.name in THREADS)}


def descriptors() -> int:
    """How many files and sockets are open; 0 where the system does not say."""
    return len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.is_dir() else 0


@contextlib.asynccontextmanager
async def leaves_nothing() -> AsyncIterator[None]:
    """Nothing runs or is open after the block that was not before, once the loop has had its
    turns.
    """
    before, were_open = running(), descriptors()
    yield
    while running() - before or descriptors() > were_open:  # noqa: ASYNC110 (it is nobody's to announce)
        await asyncio.sleep(0.001)


def is_free(path: Path) -> bool:
    """Whether nobody holds the match's file."""
    try:
        Store(path).close()
    except Unavailable:
        return False
    return True


# Opening.


@pytest.mark.parametrize(("word", "hint"), [(None, "locked"), ("six owls", "password")])
async def test_a_spectator_that_is_not_let_in_again_may_try_again(
    tmp_path: Path, word: str | None, hint: str
) -> None:
    """It has seen some of the match, so its journal is opened before the host says no."""
    async with company(tmp_path, 2, 20, spectators=True, password=WORD) as table:
        eve = Identity.fresh()
        first = await table.watch(tmp_path / "w", eve, password=WORD)
        await table.begin()
        await until(first, Began)
        await first.leave()
        async with leaves_nothing():
            for _ in range(3):
                with pytest.raises(Unavailable) as caught:
                    await table.watch(tmp_path / "w", eve, password=word)
                assert caught.value.hint == hint
        again = await table.watch(tmp_path / "w", eve, password=WORD)
        await asyncio.gather(over(again), *(over(one) for one in table.nodes))


async def test_a_match_whose_port_is_taken_is_let_go_of(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        path = table.nodes[1].path
        assert path is not None
        await table.nodes[1].leave()
        taken = table.nodes[0]._session.table.listener
        assert taken is not None
        async with leaves_nothing():
            with pytest.raises(Unavailable) as caught:
                await Node.resume(
                    Person(table.homes[1], table.identities[1], interfaces=["lo"]),
                    table.make,
                    path=path,
                    port=taken.port,
                    announce=False,
                    pace=PACE,
                )
            assert caught.value.hint == "port_busy"
        assert is_free(path)


@pytest.mark.parametrize(("seats", "bots"), [(0, 0), (MAX_SEATS + 1, 0), (2, 2)])
async def test_a_table_that_cannot_be_does_not_listen(
    tmp_path: Path, seats: int, bots: int
) -> None:
    async with leaves_nothing():
        with pytest.raises(ValueError, match="seats"):
            await Node.host(
                Person(tmp_path, Identity.fresh(), "Anna", interfaces=["lo"]),
                Company(tmp_path, 1).make,
                table_name="Kitchen",
                options=b"high card",
                seats=seats,
                bots=["easy"] * bots,
                announce=False,
            )


STEPS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]


@pytest.mark.parametrize("steps", STEPS)
async def test_who_is_interrupted_on_its_way_to_a_seat_leaves_nothing(
    tmp_path: Path, steps: int
) -> None:
    async with company(tmp_path, 2, password=WORD) as table:
        await table.nodes[1].leave()
        table.nodes.pop()
        await until(table.nodes[0], LobbyChanged)
        await _interrupted(steps, lambda: table.join(1, "Bert", password=WORD))


@pytest.mark.parametrize("steps", STEPS)
async def test_who_is_interrupted_on_its_way_back_leaves_nothing(
    tmp_path: Path, steps: int
) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        guest = table.nodes.pop()
        await guest.leave()
        await _interrupted(steps, lambda: table.resume(1))
        await freed(guest)


@pytest.mark.parametrize("steps", STEPS)
async def test_who_is_interrupted_on_its_way_to_watch_again_leaves_nothing(
    tmp_path: Path, steps: int
) -> None:
    async with company(tmp_path, 2, 20, spectators=True) as table:
        await table.begin()
        eve = Identity.fresh()
        first = await table.watch(tmp_path / "w", eve)
        await until(first, Began)
        await first.leave()
        await _interrupted(steps, lambda: table.watch(tmp_path / "w", eve))
        await freed(first)


async def freed(left: HighCardNode) -> None:
    """Return once nobody holds the match's file: a thread may be at it for a moment more."""
    assert left.path is not None
    while not is_free(left.path):  # noqa: ASYNC110
        await asyncio.sleep(0.001)


async def _interrupted(steps: int, opening: Callable[[], Awaitable[HighCardNode]]) -> None:
    """Give an opening so many turns of the loop, then cancel it."""
    async with leaves_nothing():
        going = asyncio.ensure_future(opening())
        for _ in range(steps):
            await asyncio.sleep(0)
        going.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await (await going).leave()  # it was quicker


# Leaving.


class Broken:
    """An announcer whose network fails in a way that nobody has thought of."""

    closed = 0

    def __init__(self, interfaces: object) -> None:
        del interfaces

    async def start(self, *said: object) -> None:
        raise KeyError("a bug")

    async def withdraw(self) -> None:
        Broken.closed += 1


async def announced(table: Company, monkeypatch: pytest.MonkeyPatch) -> HighCardNode:
    """A host whose announcing fails."""
    monkeypatch.setattr(node, "Announcer", Broken)
    monkeypatch.setattr(Broken, "closed", 0)
    found = await Node.host(
        Person(table.homes[0], table.identities[0], "Anna", interfaces=["lo"]),
        table.make,
        table_name="Kitchen",
        options=b"high card",
        seats=2,
        pace=PACE,
    )
    table.nodes.append(found)
    return found


async def test_a_helper_that_has_failed_keeps_nobody_from_leaving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody hears the goodbye, all is closed, and the failure is told; once."""
    async with leaves_nothing():
        table = Company(tmp_path, 2)
        host = await announced(table, monkeypatch)
        guest = await table.join(1, "Bert")
        await table.begin()
        with pytest.raises(LocalError, match="KeyError"):
            await host.leave()
        assert await until(guest, Closed) == Closed("closed", "Anna")
        assert Broken.closed == 1
        assert host.path is not None
        assert is_free(host.path)
        await host.leave()
        await guest.leave()


class SlowDisk:
    """Every write of a match's file waits until the disk is `well`, and may be `full` then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        self.well = threading.Event()
        self.busy = threading.Event()
        self.full = False
        commit = Store._commit

        def slow(one: Store, batch: list[store._Work]) -> None:
            if home in one.path.parents and not self.well.is_set():
                self.busy.set()
                self.well.wait()
            if home in one.path.parents and self.full:
                raise OSError(errno.ENOSPC, "No space left on device")
            commit(one, batch)

        monkeypatch.setattr(Store, "_commit", slow)


async def test_who_leaves_with_a_slow_disk_says_goodbye_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last write goes on by itself; whoever asks again waits for it."""
    table = Company(tmp_path, 2, 20)
    host, guest = await table.host(2), await table.join(1, "Bert")
    await table.begin()
    disk = SlowDisk(monkeypatch, table.homes[0])
    await asyncio.to_thread(disk.busy.wait)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(PACE.farewell + 1.0):
            await host.leave()
    assert await until(guest, Closed) == Closed("closed", "Anna")
    assert host.path is not None
    assert not is_free(host.path)
    disk.well.set()
    await host.leave()
    assert is_free(host.path)
    await guest.leave()


async def test_a_last_write_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with leaves_nothing():
        table = Company(tmp_path, 2, 20)
        host, guest = await table.host(2), await table.join(1, "Bert")
        await table.begin()
        disk = SlowDisk(monkeypatch, table.homes[0])
        await asyncio.to_thread(disk.busy.wait)
        disk.full = True
        leaving = asyncio.create_task(host.leave())
        assert await until(guest, Closed) == Closed("closed", "Anna")
        disk.well.set()
        with pytest.raises(Unavailable) as caught:
            await leaving
        assert caught.value.hint == "disk_full"
        assert host.path is not None
        assert is_free(host.path)
        await host.leave()
        await guest.leave()


async def test_whoever_stops_waiting_for_a_leave_does_not_stop_it(tmp_path: Path) -> None:
    async with leaves_nothing():
        table = Company(tmp_path, 2)
        host, guest = await table.host(2), await table.join(1, "Bert")
        await table.begin()
        impatient = asyncio.create_task(guest.leave())
        await asyncio.sleep(0)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        await guest.leave()
        assert guest.path is not None
        assert is_free(guest.path)
        await host.leave()


async def test_a_part_that_fails_at_the_end_keeps_the_others_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where closing a connection fails, and the listener too."""
    async with leaves_nothing():
        table = Company(tmp_path, 2)
        host, guest = await table.host(2), await table.join(1, "Bert")
        await table.begin()
        close = Channel.close

        async def clumsy(channel: Channel) -> None:
            await close(channel)
            raise OSError("a bug")

        monkeypatch.setattr(Channel, "close", clumsy)
        with pytest.raises(LocalError, match="OSError"):
            await host.leave()
        monkeypatch.undo()
        assert host.path is not None
        assert is_free(host.path)
        await guest.leave()


# In between.


async def test_a_task_of_the_table_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match would stand still without a word."""
    async with company(tmp_path, 2) as table:
        heard: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: heard.append(context["exception"])
        )
        await table.begin()

        def clumsy(self: object) -> None:
            raise KeyError("a bug")

        monkeypatch.setattr(match_session.MatchSession, "_look_on", clumsy)
        failed = await until(table.nodes[0], Failed)
        assert isinstance(failed.problem, LocalError)
        assert "KeyError" in str(failed.problem)
        assert isinstance(heard[0], KeyError)
        monkeypatch.undo()


async def test_a_guest_that_leaves_the_moment_the_match_begins_hangs_up(tmp_path: Path) -> None:
    """The lobby's link is not one of the match's yet, and nobody else's to close."""
    table = Company(tmp_path, 2)
    host, guest = await table.host(2), await table.join(1, "Bert")
    lobby = lobby_guest(guest).channel
    assert lobby is not None
    assert await guest.ready() == ""
    while await host.start():
        await until(host, LobbyChanged)
    await until(guest, Began)
    await guest.leave()
    assert not lobby.is_open
    await host.leave()


async def test_who_does_not_come_in_again_holds_no_connection(tmp_path: Path) -> None:
    """A spectator's link breaks, and by then another password is wanted."""
    async with company(tmp_path, 2, 20, spectators=True, password=WORD) as table:
        watcher = await table.watch(tmp_path / "w", password=WORD)
        await table.begin()
        await until(watcher, Began)
        host = operator(table.nodes[0])
        host.access._lock = Lock(Password("nine owls"))
        cut(watcher)
        await until(watcher, Reconnecting)
        await until(watcher, Closed)
        listener = host.table.listener
        assert listener is not None
        while listener.connections[1] > 1:  # the guest's  # noqa: ASYNC110
            await asyncio.sleep(0.001)
