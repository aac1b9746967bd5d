"""Which tables are asked, and when: whoever looks round a hall is a burden to nobody."""

from __future__ import annotations

import asyncio
import dataclasses
import math
from collections.abc import Awaitable, Callable, Iterable, Sequence

import pytest

from citadels_p2p.match.session import listing
from citadels_p2p.match.session.listing import Nearby
from protocol import Found, TableStatus, Way
from protocol.discovery.announcement import Announcement
from protocol.errors import Unavailable
from protocol.identity.keys import fingerprint
from protocol.journal.statements import VERSION
from protocol.messages import Status


def key(n: int) -> bytes:
    return bytes([n]) * 32


def announced(n: int, *, role: str = "host", change: str = "", taken: int = 1) -> Found:
    own = fingerprint(key(n) if role == "host" else key(100 + n))
    said = Announcement(
        table=bytes([n]) * 16,
        name=f"Table {n}",
        role="host" if role == "host" else "guest",
        edition="classic",
        seats=4,
        taken=taken,
        locked=False,
        fingerprint=own,
        host=fingerprint(key(n)),
        port=4000,
        version=1,
        state="lobby",
        change=change,
    )
    return Found(announcement=said, addresses=(f"10.0.0.{n}:4000",))


class Hall:
    """Tables that answer or not, a clock that is moved by hand, and who was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.asked: list[int] = []
        self.failing: dict[int, str] = {}
        self.silent: set[int] = set()
        self.slow: set[int] = set()  #: who answers when it is asked again
        self.answering: asyncio.Event | None = None  #: before it is set nobody answers
        self.players: dict[int, int] = {}
        self.nearby = Nearby(lambda: self.now)
        monkeypatch.setattr(listing, "knock", self.knock)
        monkeypatch.setattr(listing, "TURN_SECONDS", 0.0)

    async def knock(self, ways: Iterable[Way], **_: object) -> TableStatus:
        n = int(next(iter(ways)).address.split(":")[0].rpartition(".")[2])
        self.asked.append(n)
        if self.answering is not None:
            await self.answering.wait()
        if n in self.silent or n in self.slow:
            self.slow.discard(n)
            await asyncio.Event().wait()
        if n in self.failing:
            raise Unavailable(self.failing[n])
        status = Status(
            version=VERSION,
            table=bytes([n]) * 16,
            name=f"Table {n}",
            edition="classic",
            options=b"",
            state="lobby",
            seats=4,
            taken=self.players.get(n, 1),
            bots=0,
            host=key(n),
            addresses=(),
            role="host",
            spectators=False,
            locked=False,
        )
        return TableStatus(status, f"10.0.0.{n}:4000")

    async def look(self, found: Sequence[Found]) -> tuple[list[str], list[int]]:
        """The rows, and who was asked for them."""
        self.asked.clear()
        rows = await self.nearby.look(found)
        return [row.name for row in rows], sorted(self.asked)


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Hall:
    return Hall(monkeypatch)


def plays(scene: Callable[[Hall], Awaitable[None]]) -> Callable[[Hall], None]:
    def test(hall: Hall) -> None:
        asyncio.run(scene(hall))  # type: ignore[arg-type]

    test.__name__ = scene.__name__
    return test


@plays
async def test_what_is_new_or_has_changed_is_asked_and_the_rest_is_left_in_peace(
    hall: Hall,
) -> None:
    one, two = announced(1), announced(2)
    assert await hall.look([one]) == (["Table 1"], [1])
    assert await hall.look([one]) == (["Table 1"], [])
    assert await hall.look([one, two]) == (["Table 1", "Table 2"], [2])
    for changed in (announced(1, change="aa"), announced(1, change="aa", taken=2)):
        assert await hall.look([changed, two]) == (["Table 1", "Table 2"], [1])
    moved = dataclasses.replace(changed, addresses=("10.0.0.1:4001", *changed.addresses))
    assert (await hall.look([moved, two]))[1] == [1]
    assert (await hall.look([dataclasses.replace(moved, addresses=moved.addresses[::-1])]))[
        1
    ] == []


@plays
async def test_guests_who_repeat_a_change_ask_for_no_knock(hall: Hall) -> None:
    host, guest = announced(1), announced(1, role="guest")
    assert (await hall.look([host]))[1] == [1]
    for repeated in (guest, announced(1, role="guest", change="bb")):
        assert (await hall.look([host, repeated]))[1] == []
    # Where nobody hears the host, what a guest says counts.
    assert len((await hall.look([guest]))[1]) == 1


async def an_hour(hall: Hall, found: Sequence[Found]) -> list[int]:
    """How many are asked in each of its seconds, the first look left out."""
    await hall.look(found)
    times = []
    for second in range(3600):
        hall.now = float(second)
        times.append(len((await hall.look(found))[1]))
    return times


@plays
async def test_in_an_hour_a_hall_is_asked_seldom_and_not_all_at_once(hall: Hall) -> None:
    found = [announced(n) for n in range(1, 41)]
    times = await an_hour(hall, found)
    # A knock is some 18 packets: half a packet a second at each table.
    assert 40 * 3600 / 60 < sum(times) < 40 * 3600 / 30
    assert max(times) < len(found)


@plays
async def test_who_announces_every_change_is_asked_more_seldom_still(hall: Hall) -> None:
    found = [announced(n, change="aa") for n in range(1, 41)]
    assert 40 * 10 < sum(await an_hour(hall, found)) < 40 * 20


@plays
async def test_rows_are_built_again_when_an_answer_has_changed_and_only_then(
    hall: Hall,
) -> None:
    found = [announced(n, change="aa") for n in range(1, 4)]
    rows = await hall.nearby.look(found)
    for _ in range(20):
        hall.now += 60
        assert await hall.nearby.look(found) is rows
    hall.players[2] = 3
    hall.now += 600
    again = await hall.nearby.look(found)
    assert [row.taken for row in again] == [1, 3, 1]
    assert [row.number for row in again] == [1, 2, 3]


@plays
async def test_a_lobby_sleeps_until_somebody_is_to_be_asked(hall: Hall) -> None:
    assert hall.nearby.idle() == math.inf
    one = announced(1)
    await hall.look([one])
    assert 30 < hall.nearby.idle() < 60
    hall.now += hall.nearby.idle()
    assert (await hall.look([one]))[1] == [1]
    hall.silent.add(1)
    await hall.nearby.look([announced(1, change="bb")], 0.01)
    assert hall.nearby.idle() == 0.0  # its answer is to be seen
    await hall.nearby.close()


@plays
async def test_a_row_outlives_knocks_that_fail_and_the_focus_with_it(hall: Hall) -> None:
    """A table that is asked by too many lets in so many a second."""
    one = announced(1)
    await hall.look([one])
    hall.failing[1] = "closed"
    changed = announced(1, change="aa")
    rows, asked = await hall.look([changed])
    assert (rows, asked) == (["Table 1"], [1])
    assert (await hall.look([changed]))[1] == []  # not at once
    while len(rows) == 1 and hall.now < 60:
        hall.now += 0.25
        rows, asked = await hall.look([changed])
    assert 2 < hall.now < 10
    del hall.failing[1]
    while not rows and hall.now < 60:
        hall.now += 0.25
        rows, asked = await hall.look([changed])
    assert rows == ["Table 1"]


@plays
async def test_what_is_over_has_no_row(hall: Hall) -> None:
    one, two = announced(1), announced(2)
    assert (await hall.look([one, two]))[0] == ["Table 1", "Table 2"]
    assert (await hall.look([two]))[0] == ["Table 2"]  # its announcement was withdrawn
    hall.failing[2] = "refused"  # nobody listens there
    assert (await hall.look([announced(2, change="aa")]))[0] == []


@plays
async def test_who_is_announced_and_does_not_answer_is_counted(hall: Hall) -> None:
    hall.failing[2] = "refused"
    hall.silent.add(3)
    await hall.nearby.look([announced(n) for n in (1, 2, 3)], 0.01)
    assert hall.nearby.silent == 2
    await hall.nearby.look([announced(n) for n in (1, 3)], 0.01)
    assert hall.nearby.silent == 1
    await hall.nearby.close()


@plays
async def test_whoever_answers_counts_though_others_do_not(hall: Hall) -> None:
    """Dead announcements keep nobody waiting, and are asked after those that may be meant."""
    dead = [announced(n) for n in range(2, 2 + listing.KNOCKS)]
    hall.silent.update(range(2, 2 + listing.KNOCKS))
    hall.asked.clear()
    rows = await hall.nearby.look(
        [*dead, announced(1)], 0.05, lambda said: said.name == "Table 1"
    )
    assert hall.asked[0] == 1
    assert [row.name for row in rows] == ["Table 1"]
    assert hall.nearby.is_asking(lambda said: said.name == "Table 2")
    assert not hall.nearby.is_asking(lambda said: said.name == "Table 1")
    before = list(hall.asked)
    await hall.nearby.look([*dead, announced(1)], 0.0)
    assert set(hall.asked) - set(before) <= set(range(2, 2 + listing.KNOCKS))
    await hall.nearby.close()
    assert not hall.nearby.is_asking(lambda _: True)


@plays
async def test_a_hall_of_dead_announcements_hides_no_table_that_answers(hall: Hall) -> None:
    """More are announced than may be asked at once: each has a short turn, and a long one when
    everybody has had one.
    """
    last = 2 + 3 * listing.KNOCKS
    hall.silent.update(range(3, last + 1))
    hall.slow.add(2)
    found = [announced(n) for n in (*range(2, last + 1), 1)]
    rows = await hall.nearby.look(found, 0.5)
    assert [row.name for row in rows] == ["Table 1", "Table 2"]
    assert (hall.asked.count(1), hall.asked.count(2)) == (1, 2)
    await hall.nearby.close()


@plays
async def test_announcements_that_change_and_never_answer_leave_no_more_knocks_than_tables(
    hall: Hall,
) -> None:
    """Each packet of a stranger would leave some behind, before those of honest tables."""
    hall.silent = set(range(1, 100))
    for turn in range(50):
        found = [announced(n, change=f"{turn:02x}") for n in (1, 2)]
        found += [announced(3 + turn)]  # one that goes as the next one comes
        await hall.nearby.look(found, 0.0)
        assert len(hall.nearby._asking) <= len(found) + 1
    await hall.nearby.close()


@plays
async def test_what_has_changed_while_it_was_asked_is_asked_once_more(hall: Hall) -> None:
    hall.answering = asyncio.Event()
    assert await hall.nearby.look([announced(1)], 0.0) == ()
    changed = announced(1, change="aa")
    await hall.nearby.look([changed], 0.0)
    assert hall.asked == [1]
    hall.answering.set()
    await hall.nearby.look([changed])
    hall.players[1] = 2
    (row,) = await hall.nearby.look([changed])
    assert (hall.asked, row.taken) == ([1, 1], 2)
    assert (await hall.look([changed]))[1] == []
