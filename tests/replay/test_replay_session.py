"""A saved match as a session: stepping on and back, from one chair or another."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match.acts import Answer, Leave
from citadels_p2p.match.archive.history import recall
from citadels_p2p.match.news import (
    Ask,
    Bye,
    EventNews,
    News,
    Notice,
    OverNews,
    RecordNews,
    Refused,
    StateNews,
    TableNews,
)
from citadels_p2p.match.session.replay import ReplaySession, find_saved
from protocol.errors import Unavailable
from protocol.journal.chain import Journal
from protocol.storage.match_files import SECRETS, SUFFIX
from tests.match.dated import dated


async def until(session: ReplaySession, *kinds: type) -> list[News]:
    """What is told up to the first news of one of these kinds."""
    heard: list[News] = []
    while not heard or not isinstance(heard[-1], kinds):
        heard.append(await session.next())
    return heard


async def choose(session: ReplaySession, ask: News, pick: str) -> None:
    assert isinstance(ask, Ask)
    await session.do(Answer(ask.id, (pick,)))


def play(journal: Journal, script: Callable[[ReplaySession], Awaitable[None]]) -> None:
    async def run() -> None:
        session = ReplaySession(journal)
        await script(session)
        await session.do(Leave())

    asyncio.run(run())


def last_state(heard: list[News]) -> StateNews:
    return next(news for news in reversed(heard) if isinstance(news, StateNews))


def test_forward_tells_what_happened_and_back_shows_it_again(journal: Journal) -> None:
    async def script(session: ReplaySession) -> None:
        first = await until(session, Ask)
        assert isinstance(first[-1], Ask)
        assert {option.id for option in first[-1].options} >= {"forward", "look_from:1"}
        assert "back" not in {option.id for option in first[-1].options}
        await choose(session, first[-1], "forward")
        second = await until(session, Ask)
        assert any(isinstance(news, EventNews) for news in second)
        await choose(session, second[-1], "back")
        again = await until(session, Ask)
        assert any(isinstance(news, Notice) and news.code == "back_at" for news in again)
        assert last_state(again).view == last_state(first).view

    play(journal, script)


def test_rounds_are_leapt_and_come_back_to(journal: Journal) -> None:
    async def script(session: ReplaySession) -> None:
        first = await until(session, Ask)
        await choose(session, first[-1], "round_on")
        second = await until(session, Ask)
        assert last_state(second).view.round == 2
        await choose(session, second[-1], "forward")
        third = await until(session, Ask)
        await choose(session, third[-1], "round_back")
        fourth = await until(session, Ask)
        assert last_state(fourth).view == last_state(second).view
        await choose(session, fourth[-1], "round_back")
        assert last_state(await until(session, Ask)).view.round == 1

    play(journal, script)


def test_the_same_moment_is_seen_from_another_chair(journal: Journal) -> None:
    async def script(session: ReplaySession) -> None:
        first = await until(session, Ask)
        assert last_state(first).view.you is None
        await choose(session, first[-1], "look_from:2")
        second = await until(session, Ask)
        assert any(isinstance(news, TableNews) and news.you == 2 for news in second)
        you = last_state(second).view.you
        assert you is not None
        assert you.seat == 2
        assert last_state(second).view.n == last_state(first).view.n

    play(journal, script)


def test_the_end_is_the_score(journal: Journal) -> None:
    async def script(session: ReplaySession) -> None:
        first = await until(session, Ask)
        await choose(session, first[-1], "finish")
        assert isinstance((await until(session, OverNews, Bye))[-1], OverNews)

    play(journal, script)


def test_what_is_not_offered_is_refused_and_changes_nothing(journal: Journal) -> None:
    async def script(session: ReplaySession) -> None:
        first = await until(session, Ask)
        await choose(session, first[-1], "look_from:9")
        refused = (await until(session, Refused))[-1]
        assert isinstance(refused, Refused)
        assert refused.reason == "not_an_option"
        await choose(session, first[-1], "forward")
        assert isinstance((await until(session, Ask))[-1], Ask)

    play(journal, script)


def test_straight_tells_all_asks_nothing_and_ends_by_itself(journal: Journal) -> None:
    async def run() -> list[News]:
        session = ReplaySession(journal, straight=True)
        heard = await until(session, Bye)
        await session.do(Leave())
        return heard

    heard = asyncio.run(run())
    assert isinstance(heard[-2], OverNews)
    assert heard[-1] == Bye(0)
    assert not any(isinstance(news, Ask) for news in heard)


def test_a_whole_story_is_told_at_once_and_nothing_is_asked(journal: Journal) -> None:
    async def run() -> tuple[list[News], list[News]]:
        session = ReplaySession(journal, whole=True, seat=1, path="/home/ann/saved")
        told = await until(session, RecordNews)
        await session.do(Answer(1, ("forward",)))
        refused = await until(session, Refused)
        await session.do(Leave())
        return told, [*refused, *(await until(session, Bye))]

    told, after = asyncio.run(run())
    record = told[-1]
    assert isinstance(record, RecordNews)
    assert (record.seat, record.path) == (1, "/home/ann/saved")
    assert isinstance(record.record.ending(record.path), OverNews)
    assert not any(isinstance(news, Ask | StateNews) for news in told)
    assert [type(news) for news in after] == [Refused, Bye]


@pytest.mark.parametrize("left", [True, False], ids=["left", "cancelled"])
def test_whoever_leaves_while_it_is_checked_does_not_wait(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, left: bool
) -> None:
    """The thread that checks stops where it is next asked how far it has come."""
    gone, stopped = threading.Event(), threading.Event()

    def checks(journal: Journal, progress: Callable[[int, int], None]) -> None:
        progress(50, 100)
        assert gone.wait(60)
        try:
            progress(100, 100)
        except Exception:
            stopped.set()
            raise

    monkeypatch.setattr("citadels_p2p.match.session.replay.record_of", checks)

    async def run() -> None:
        session = ReplaySession(journal)
        await until(session, Notice)
        if left:
            await session.do(Leave())
        else:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
        gone.set()

    asyncio.run(run())
    assert stopped.is_set()


def test_hands_that_stay_hidden_are_said_to_be(journal: Journal) -> None:
    cut = replace(journal, records=journal.records[:-2], quorum_certificate=())

    async def run() -> list[News]:
        return await until(ReplaySession(cut, seat=1), Ask)

    heard = asyncio.run(run())
    reasons = [news.reason for news in heard if isinstance(news, Refused)]
    assert reasons == ["hands_stay_hidden"]


def test_a_match_is_found_by_its_file_its_name_or_as_the_newest(saved: Path) -> None:
    home = saved.parent.parent
    for target in (str(saved), saved.stem, None):
        assert find_saved(home, target) == saved
    for missing in ("no such table", "0", "2", "1.0", "-1"):
        with pytest.raises(Unavailable) as caught:
            find_saved(home, missing)
        assert caught.value.hint == "nothing_saved"
    with pytest.raises(Unavailable) as caught:
        find_saved(home / "empty", None)
    assert caught.value.hint == "none_saved"


def test_a_number_counts_as_history_does(saved: Path, tmp_path: Path) -> None:
    """Played and watched ones together, the newest first, without those that may go on."""
    files = ("matches/old", "watched/middle", "matches/open", "matches/new")
    for age, name in enumerate(files):
        path = tmp_path / f"{name}{SUFFIX}"
        path.parent.mkdir(exist_ok=True)
        shutil.copy(saved, path)  # so the files themselves are all of this day
        dated(path, 1_700_000_000 + age)
    (tmp_path / "matches/open").with_suffix(SECRETS).touch()
    assert [find_saved(tmp_path, number).stem for number in "123"] == ["new", "middle", "old"]
    numbers = recall(tmp_path).numbers
    assert {file.removesuffix(SUFFIX): number for file, number in numbers.items()} == {
        "matches/new": 1,
        "watched/middle": 2,
        "matches/old": 3,
    }
    assert find_saved(tmp_path, None).stem == "new"
    assert find_saved(tmp_path, "middle").parent.name == "watched"
