"""Who looks on at a match of laptops: the public story, checked, and no hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

from citadels_p2p.match.acts import Leave, Ready, Welcome
from citadels_p2p.match.news import (
    Ask,
    Bye,
    EventNews,
    News,
    Notice,
    OverNews,
    Refused,
    StateNews,
    TableNews,
)
from citadels_p2p.match.session.online import Online
from citadels_p2p.match.session.table_meant import USUAL_PORT
from citadels_p2p.rules import Rules
from protocol import Node, Person
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import Identity
from tests.match import laptops
from tests.match.laptops import Listener, Maker, honest, played
from tests.match.test_online import FalseShares, named
from tests.world import indoors


async def watched(home: Path, guest: Maker, *, late: int) -> list[Listener]:
    """A match of two laptops; the third listener looks on, from the lobby or a `late` round."""
    rules = Rules.make(seats=3, city=6)
    host = await laptops.host(home / "0", rules, bots=["easy"], spectators=True)
    node = await laptops.join(host, home / "1", make=guest)

    async def look_on() -> Listener:
        watcher: laptops.Laptop = await Node.watch(
            Person(home / "w", Identity.fresh()),
            laptops.unplayed,
            addresses=[host.address],
        )
        return Listener(Online(watcher))

    listeners = [Listener(Online(host, autostart=True)), Listener(Online(node))]
    async with asyncio.timeout(100), asyncio.TaskGroup() as group:
        if not late:
            listeners.append(await look_on())
            group.create_task(listeners[2].listen())
        for listener in listeners[:2]:
            group.create_task(listener.listen())
        await listeners[1].session.do(Ready())
        if late:
            await listeners[0].advanced.wait()
            while _round(listeners[0]) < late:
                listeners[0].advanced.clear()
                await listeners[0].advanced.wait()
            listeners.append(await look_on())
            group.create_task(listeners[2].listen())
    return listeners


def test_the_host_may_let_others_look_on_before_the_start(tmp_path: Path) -> None:
    async def run() -> tuple[str, TableNews]:
        host = await laptops.host(tmp_path / "0", Rules.make(seats=3))
        session = Online(host)

        async def look_on() -> Online:
            return Online(
                await Node.watch(
                    Person(tmp_path / "w", Identity.fresh()),
                    laptops.unplayed,
                    addresses=[host.address],
                )
            )

        try:
            await look_on()
        except Unavailable as refused:
            code = refused.hint
        except RemoteError as refused:
            code = refused.code
        await session.do(Welcome())
        watcher = await look_on()
        while not isinstance(news := await watcher.next(), TableNews):
            pass
        for one in (watcher, session):
            await one.do(Leave())
        return code, news

    code, table = indoors.play(run())
    assert code == "no_spectators"
    assert table.spectator


def test_whoever_looks_on_by_the_hosts_words_tells_them_on(tmp_path: Path) -> None:
    """A room reads them. Who came another way never had them: they could pass for the host."""

    async def run() -> list[TableNews]:
        host = await laptops.host(tmp_path / "0", Rules.make(seats=3), spectators=True)
        sessions = [Online(host)]
        for told in (host.spoken(USUAL_PORT), None):
            watcher: laptops.Laptop = await Node.watch(
                Person(tmp_path / f"{len(sessions)}", Identity.fresh()),
                laptops.unplayed,
                addresses=[host.address],
            )
            sessions.append(Online(watcher, told=told))
        tables = []
        for session in sessions:
            while not isinstance(news := await session.next(), TableNews):
                pass
            tables.append(news)
        for session in reversed(sessions):
            await session.do(Leave())
        return tables

    host, room, stranger = indoors.play(run())
    assert host.spoken is not None
    assert room.spoken == host.spoken
    assert stranger.spoken is None


def told(listener: Listener, *kinds: type[News]) -> list[News]:
    return [news for news in listener.heard if isinstance(news, kinds)]


def test_a_late_spectator_is_told_what_all_are_told_and_sees_no_hand(tmp_path: Path) -> None:
    host, guest, watcher = indoors.play(watched(tmp_path, honest, late=1))
    assert told(watcher, EventNews) == told(host, EventNews) == told(guest, EventNews)
    overs = [listener.last(OverNews) for listener in (host, watcher)]
    assert len({over.digest for over in overs}) == 1
    assert not told(watcher, Ask, Refused)
    assert watcher.session._foretelling._waiting is None  # nobody there is asked anything
    for news in told(watcher, StateNews):
        assert isinstance(news, StateNews)
        assert news.view.you is None
    table = watcher.last(TableNews)
    assert (table.you, table.spectator, table.watching) == (None, True, 1)
    seen = guest.last(TableNews)
    assert table.words == seen.words != ()
    for player in (host, guest):  # and not that nobody watches, where nobody ever has
        watching = [
            one for one in told(player, Notice) if getattr(one, "code", "") == "watching"
        ]
        assert watching[0] == Notice("watching", {"count": 1})
    assert watcher.last(Bye) == Bye(0)
    (kept,) = (tmp_path / "w").rglob("*.citadels")
    verdict = indoors.verified(kept)
    assert (verdict.sound, verdict.finished, verdict.opened) == (True, True, True)


def _round(listener: Listener) -> int:
    """The newest that somebody has been shown."""
    rounds = [one.view.round for one in listener.heard if isinstance(one, StateNews)]
    return max(rounds, default=0)


def test_who_comes_late_sees_how_each_round_found_the_table(tmp_path: Path) -> None:
    """So what is drawn of gold and cities has no gaps for them."""
    _host, _guest, watcher = indoors.play(watched(tmp_path, honest, late=3))
    begun = [
        news.view.round
        for news in told(watcher, StateNews)
        if isinstance(news, StateNews) and news.view.phase == "selection"
    ]
    assert sorted(set(begun)) == list(range(1, max(begun) + 1))


def test_a_spectator_names_the_cheat_by_itself(tmp_path: Path) -> None:
    """It has checked the very proof that the operators have, and keeps the journal."""
    *_, watcher = indoors.play(watched(tmp_path, played(kind=FalseShares), late=0))
    notice, bye = watcher.last(Notice), watcher.last(Bye)
    assert (notice.code, notice.fields) == ("cheat", {"name": "Bert", "what": "proof"})
    assert bye.code == 5
    (kept,) = (tmp_path / "w").rglob("*.citadels")
    assert named(indoors.verified(kept)) == ("Bert", "proof")
