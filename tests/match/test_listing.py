"""The list of tables, with strangers on the network: real sockets, announcements by hand."""

from __future__ import annotations

import asyncio
import dataclasses
import selectors
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from pathlib import Path
from random import SystemRandom
from typing import TypeVar, TypeVarTuple

import pytest

from citadels_p2p.match.options import pack_options
from citadels_p2p.match.session import listing, seating, table_meant
from citadels_p2p.match.session.listing import (
    Nearby,
    NotMeant,
    TableListing,
    recall,
    remember_tables,
)
from citadels_p2p.rules import Rules
from protocol import chance
from protocol.discovery.announcement import Announcement
from protocol.discovery.browser import Found
from protocol.errors import Unavailable
from protocol.identity.keys import fingerprint, load_or_create, parse_fingerprint
from protocol.wire import listener
from protocol.wire.channel import Channel
from tests.match import laptops
from tests.match.laptops import Laptop

THEIR_TABLE = bytes(range(16))

Selected = list[tuple[selectors.SelectorKey, int]]
_Args = TypeVarTuple("_Args")
_Result = TypeVar("_Result")


async def answering(found: Sequence[Found]) -> tuple[TableListing, ...]:
    """The rows of somebody who looks for the first time."""
    return await Nearby().look(found)


class _Idle(selectors.DefaultSelector):
    """Time that passes while nobody here has anything to do, so that a slow machine is none."""

    passed = 0.0
    threads = 0

    def select(self, timeout: float | None = None) -> Selected:
        events = super().select(None if self.threads and timeout else timeout)
        if not events and timeout is not None:
            self.passed += timeout
        return events


class _Loop(asyncio.SelectorEventLoop):
    """Real sockets and threads by that time: what is to answer within 0.2 seconds does."""

    def __init__(self) -> None:
        self.idle = _Idle()
        super().__init__(self.idle)

    def time(self) -> float:
        return self.idle.passed

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Args], _Result], *args: *_Args
    ) -> asyncio.Future[_Result]:
        job = super().run_in_executor(executor, func, *args)
        self.idle.threads += 1
        job.add_done_callback(self._ended)
        return job

    def _ended(self, _job: object) -> None:
        self.idle.threads -= 1


def play(test: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(90):
            await test

    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(bounded())


pytestmark = pytest.mark.played(by=play)


@asynccontextmanager
async def keeping(
    home: Path, monkeypatch: pytest.MonkeyPatch, *names: str, table_name: str = "Kitchen"
) -> AsyncIterator[list[Laptop]]:
    """Tables of these people, all under one public id and one name."""
    nodes: list[Laptop] = []
    monkeypatch.setattr(chance, "source", _OneId())
    try:
        for name in names:
            nodes.append(await laptops.host(home / name, name=name, table_name=table_name))
        yield nodes
    finally:
        for node in nodes:
            await node.leave()


class _OneId(SystemRandom):
    def randbytes(self, n: int) -> bytes:
        return THEIR_TABLE if n == 16 else super().randbytes(n)


def announced(
    node: Laptop, *addresses: str, key: str = "", role: str = "host", host: str = ""
) -> Found:
    """What is heard of a table: by default the truth."""
    own = key or fingerprint(node._session.table.person.identity.public)
    said = Announcement(
        table=node.lobby.table,
        name=node.lobby.name,
        role="host" if role == "host" else "guest",
        edition="classic",
        seats=2,
        taken=1,
        locked=False,
        fingerprint=own,
        host=host or own,
        port=1,
        version=3,
        state="lobby",
    )
    return Found(announcement=said, addresses=addresses or (node.address,))


class _Heard:
    """A browser that has heard this already."""

    left_out = 0

    def __init__(self, found: Sequence[Found]) -> None:
        self.found = tuple(found)

    async def start(self) -> None:
        """It has."""

    async def changed(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        """It may."""


def hearing(monkeypatch: pytest.MonkeyPatch, *found: Found) -> None:
    for looking in (seating, table_meant):
        monkeypatch.setattr(looking, "Browser", lambda _interfaces: _Heard(found))
    monkeypatch.setattr(table_meant, "LOOK_SECONDS", 0.0)


async def place(home: Path, target: str | None) -> tuple[tuple[str, ...], bytes | None]:
    return await table_meant.table_meant(target, home, 0.2, None, seating._is_joinable)


def shown(rows: Sequence[TableListing]) -> list[tuple[str, bool]]:
    return [(row.fingerprint, row.contested) for row in rows]


def key_of(node: Laptop) -> str:
    return node._session.table.person.identity.fingerprint


async def test_two_keys_under_one_table_id_are_two_rows_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        for found in ((anna, mallory), (mallory, anna)):
            rows = await answering([announced(node) for node in found])
            assert sorted(shown(rows)) == sorted(
                [(key_of(anna), True), (key_of(mallory), True)]
            )
            for row in rows:
                owner = anna if row.fingerprint == key_of(anna) else mallory
                assert row.code == owner.code
        assert shown(await answering([announced(anna)])) == [(key_of(anna), False)]


async def test_a_stranger_that_announces_the_hosts_own_key_takes_nobodys_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where it says that it is the host, nor as a guest that leads to itself."""
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        lies = (
            announced(mallory, key=key_of(anna)),
            announced(mallory, role="guest", host=key_of(anna)),
            announced(anna, mallory.address, "127.0.0.1:1"),
        )
        for lie in lies:
            for found in ([lie, announced(anna)], [announced(anna), lie]):
                rows = await answering(found)
                assert shown(rows) == [(key_of(anna), False)]
                assert rows[0].address == anna.address


async def test_guests_lead_to_a_host_that_is_not_heard_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        bert = await laptops.join(anna, tmp_path / "Bert")
        try:
            listener = bert._session.table.listener
            assert listener is not None
            at = listener.addresses[0]
            guest = announced(bert, at, role="guest", host=key_of(anna))
            rows = await answering([announced(mallory), guest])
            assert sorted(shown(rows)) == sorted(
                [(key_of(anna), True), (key_of(mallory), True)]
            )
            silent = dataclasses.replace(guest.announcement, host="")
            older = Found(announcement=silent, addresses=guest.addresses)
            assert shown(await answering([older])) == [(key_of(anna), False)]
        finally:
            await bert.leave()


async def test_whoever_looks_shows_nobody_who_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look has another key, and a home that is only looked from gets none at all."""
    seen: list[bytes] = []
    real = listener.Channel

    class Overheard(Channel):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            seen.append(self.peer)

    monkeypatch.setattr(listener, "Channel", Overheard)
    async with keeping(tmp_path, monkeypatch, "Anna") as (anna,):
        me = load_or_create(tmp_path / "me")
        hearing(monkeypatch, announced(anna))
        for _ in range(2):
            await place(tmp_path / "me", "Kitchen")
            async for rows in seating.watch_tables(wait=0.0):
                assert len(rows) == 1
                break
        assert len(set(seen)) == len(seen) >= 4
        assert me.public not in seen
        assert issubclass(Overheard, real)


async def test_a_name_that_two_tables_have_is_asked_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        hearing(monkeypatch, announced(mallory), announced(anna))
        for target in ("Kitchen", None):
            with pytest.raises(NotMeant) as caught:
                await place(tmp_path, target)
            assert caught.value.hint == "several"
            told = {row.fingerprint: str(row.number) for row in caught.value.rows}
            assert told.keys() == {key_of(anna), key_of(mallory)}
        # What it was told there, the person may say.
        for node in (anna, mallory):
            pinned = ((node.address,), parse_fingerprint(key_of(node)))
            assert await place(tmp_path, key_of(node).lower()) == pinned
            assert await place(tmp_path, told[key_of(node)]) == pinned


async def test_a_match_of_ours_without_a_host_is_where_anybody_of_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table of two there is no host while one is gone."""
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, _mallory):
        gone = announced(anna, "127.0.0.1:1", "127.0.0.1:2", role="guest", host=key_of(anna))
        ours = frozenset({anna.lobby.table.hex()})
        hearing(monkeypatch, gone)

        async def found(target: str | None, mine: frozenset[str]) -> tuple[str, ...]:
            suits = seating._is_joinable
            place = await table_meant.table_meant(target, tmp_path, 0.2, None, suits, mine)
            assert place[1] is None
            return place[0]

        for target in ("Kitchen", None, key_of(anna)):
            assert await found(target, ours) == ("127.0.0.1:1", "127.0.0.1:2")
            with pytest.raises(Unavailable):
                await found(target, frozenset())
        with pytest.raises(Unavailable):
            await found("Attic", ours)


async def test_a_name_is_typed_as_people_call_it_and_else_what_is_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(tmp_path, monkeypatch, "Anna") as (anna,):
        hearing(monkeypatch, announced(anna))
        pinned = ((anna.address,), parse_fingerprint(key_of(anna)))
        assert await place(tmp_path, " kITCHEN") == pinned
        with pytest.raises(NotMeant) as caught:
            await place(tmp_path, "Kitten")
        assert caught.value.hint == "not_found"
        (row,) = caught.value.rows
        assert row.name == "Kitchen"
        assert await place(tmp_path, str(row.number)) == pinned
        with pytest.raises(Unavailable, match="99999"):
            await place(tmp_path, "10.0.0.7:99999")


async def test_a_table_that_does_not_answer_is_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many ask it at once, or its laptop sleeps: it is announced all the same."""
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        remember_tables(tmp_path, await answering([announced(anna)]))
        hearing(monkeypatch, announced(anna, "127.0.0.1:1"))
        for target, why in (
            ("kitchen", "no_host"),
            ("1", "no_host"),
            (key_of(anna), "no_host"),
            (key_of(mallory), "not_found"),
            ("Kitten", "not_found"),
            (None, "not_found"),
        ):
            with pytest.raises(Unavailable) as caught:
                await place(tmp_path, target)
            assert caught.value.hint == why, target


async def test_a_name_waits_for_others_who_may_have_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who answers first is nobody special."""
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        heard = _Heard([announced(mallory)])
        monkeypatch.setattr(table_meant, "Browser", lambda _interfaces: heard)
        monkeypatch.setattr(table_meant, "LOOK_SECONDS", 0.4)
        turn = asyncio.Event()

        async def later() -> None:
            await turn.wait()
            heard.found = (announced(mallory), announced(anna))

        monkeypatch.setattr(heard, "changed", later)
        asyncio.get_running_loop().call_later(0.1, turn.set)
        with pytest.raises(Unavailable) as caught:
            await table_meant.table_meant("Kitchen", tmp_path, 5.0, None, seating._is_joinable)
        assert caught.value.hint == "several"


async def test_a_number_means_the_row_that_was_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another table has come before it, or taken its place."""
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        remember_tables(tmp_path, await answering([announced(anna)]))
        assert recall(tmp_path, 1) == (anna.lobby.table.hex(), key_of(anna))
        hearing(monkeypatch, announced(mallory), announced(anna))
        pinned = ((anna.address,), parse_fingerprint(key_of(anna)))
        assert await place(tmp_path, "1") == pinned
        hearing(monkeypatch, announced(mallory))
        with pytest.raises(Unavailable) as caught:
            await place(tmp_path, "1")
        assert caught.value.hint == "not_found"
        # Who has been shown no list counts as the next one would.
        mine = ((mallory.address,), parse_fingerprint(key_of(mallory)))
        assert await place(tmp_path / "new", "1") == mine


@pytest.mark.parametrize("kept", ["", "[", "[1]", "{}", "[[1]]", "null", '"ab"'])
def test_a_list_that_is_none_is_as_if_nothing_had_been_shown(tmp_path: Path, kept: str) -> None:
    (tmp_path / listing.SHOWN_FILE).write_text(kept)
    assert recall(tmp_path, 1) in (None, ("a", "b"))
    assert recall(tmp_path, 0) is None


async def test_who_joins_by_a_row_is_not_taken_in_by_another_at_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(tmp_path, monkeypatch, "Anna", "Mallory") as (anna, mallory):
        hearing(monkeypatch, announced(anna))
        where, expect = await place(tmp_path, "Kitchen")
        assert (where, expect) == ((anna.address,), parse_fingerprint(key_of(anna)))
        with pytest.raises(Exception, match="not the expected key"):
            await laptops.join(mallory, tmp_path / "Bert", expect=expect)


async def test_where_no_table_has_a_place_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that there is none: `citadels tables` lists it."""
    async with keeping(tmp_path, monkeypatch, "Anna") as (anna,):
        monkeypatch.setattr(table_meant, "LOOK_SECONDS", 0.0)
        for found, why in (((), "not_found"), ((announced(anna),), "none_suits")):
            hearing(monkeypatch, *found)
            with pytest.raises(Unavailable) as caught:
                await table_meant.table_meant(None, tmp_path, 0.5, None, lambda _: False)
            assert caught.value.hint == why


async def test_where_no_table_lets_others_look_on_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that none has a place: whoever looks on wants none."""
    async with keeping(tmp_path, monkeypatch, "Anna") as (anna,):
        monkeypatch.setattr(table_meant, "LOOK_SECONDS", 0.0)
        hearing(monkeypatch, announced(anna))
        with pytest.raises(Unavailable) as caught:
            await seating.watch(seating.PersonHere(tmp_path / "w"), None, wait=0.2)
        assert caught.value.hint == "no_spectators"


async def test_whatever_the_list_shows_and_nobody_announces_has_a_number_that_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So whoever looks need not ask until something has."""
    async with keeping(tmp_path, monkeypatch, "Anna") as (anna,):

        async def told() -> tuple[str, TableListing]:
            said = anna._session.table.announcement(1, hosting=True)
            return said.change, (await answering([announced(anna)]))[0]

        seen = [await told()]
        rules = Rules.make("classic", seats=2, city=6)
        assert anna.change(lambda room: room.set_options(pack_options(rules, None))) == ""
        seen.append(await told())
        assert anna.change(lambda room: room.set_bot(1, "normal")) == ""
        seen.append(await told())
        assert await told() == seen[-1]
        assert len({change for change, _ in seen}) == len({row for _, row in seen}) == 3
