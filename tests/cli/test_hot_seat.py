"""Two persons at one laptop, in plain lines: what one has read goes before the other sits."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pyte
import pytest

from citadels_p2p.match.acts import Act, OnceMore
from citadels_p2p.match.news import Anew, Ask, Bye, OverNews, PassOn, Session, TableNews
from cli.client.effects import PROMPT, Effect, Print, Wipe
from cli.client.hot_seat import HotSeat
from cli.client.plain import Plain
from cli.client.terminal import WIPE
from cli.text.asking import numbers
from tests.cli.peeping import Peeping, sealed, shared
from tests.screens.terminal import citadels, window


class Paper:
    """A terminal, and all that has scrolled out of it."""

    def __init__(self) -> None:
        self._screen = pyte.HistoryScreen(80, 24, history=20000)
        self._stream = pyte.Stream(self._screen)
        self._gone: list[str] = []  #: what has scrolled away, and can be scrolled back to

    def show(self, effect: Effect) -> None:
        match effect:
            case Print(text):
                self._stream.feed(text.replace("\n", "\r\n") + "\r\n")
            case Wipe():
                self._stream.feed(WIPE)

    @property
    def text(self) -> str:
        """What can be read, from the first line that can be scrolled to."""
        top = self._screen.history.top
        if len(top) < len(self._gone):  # wiped
            self._gone.clear()
        for row in islice(top, len(self._gone), None):
            self._gone.append("".join(row[x].data for x in range(80)))
        return "\n".join((*self._gone, *self._screen.display))


class Laptop:
    """A plain table that is played by typed lines alone, on paper that is read all the time."""

    def __init__(self, session: Session, seed: int, *, peeps: bool = False) -> None:
        self.paper, self.peeping = Paper(), Peeping()
        self._session = session
        self._client = HotSeat(Plain)
        self._random = Random(seed)
        self._peeps = peeps

    async def play(self) -> None:
        """To the end, whoever sits."""
        await self._perform(self._client.greet())
        asked: Ask | None = None
        while True:
            news = await self._session.next()
            if self._peeps:
                self.peeping.hear(news)
            effects = self._client.hear(news)
            await self._perform(effects)
            if isinstance(news, Ask):
                asked = news
            if asked is not None and PROMPT in effects:  # else it waits for what it follows
                await self._decide(asked)
                asked = None
            match news:
                case Bye():
                    return
                case TableNews(hosting=False, words=()) if news.address:
                    await self._type("ready")
                case _ if "then presses Enter" in self._last_line():
                    await self._type("hand")  # nobody's
                    await self._type("")

    def _last_line(self) -> str:
        return self.paper.text.rstrip().rpartition("\n")[2] if self._peeps else ""

    async def _decide(self, ask: Ask) -> None:
        for line in ("hand", "log 30", "table") if self._peeps else ():
            await self._type(line)
        box = self._client._tables[self._client._sits].model.box
        keys = [str(number) for number in numbers(ask, box)]
        for _try in range(50):
            low, high = (1, 1) if ask.low is None else (ask.low, ask.high or 0)
            picked = self._random.sample(keys, self._random.randint(low, high))
            line = " ".join(picked) or "none"
            # What gives something up is said twice.
            if await self._type(line) or await self._type(line):
                return
        raise AssertionError(f"nothing that is typed decides {ask}")

    async def _type(self, line: str) -> bool:
        return await self._perform(self._client.read(line))

    async def _perform(self, effects: tuple[Effect, ...]) -> bool:
        """Whether something went to the session."""
        acted = False
        for effect in effects:
            self.paper.show(effect)
            if isinstance(effect, Act):
                self.peeping.does(effect)
                await self._session.do(effect)
                acted = True
        if effects and self._peeps:
            self.peeping.look(self.paper.text)
        return acted


def test_no_card_of_one_is_left_while_the_other_sits() -> None:
    async def scene() -> Laptop:
        laptop = Laptop(shared(2, edition="2016"), 2, peeps=True)
        await laptop.play()
        return laptop

    laptop = asyncio.run(scene())
    assert "Final score:" in laptop.paper.text
    assert len(laptop.peeping.sat) > 10
    assert set(laptop.peeping.sat) == {0, 1}
    assert laptop.peeping.checked > 2_000


@pytest.mark.parametrize("hosts", [True, False])
def test_nor_at_a_sealed_table(tmp_path: Path, hosts: bool) -> None:
    """Ann and Ben at one laptop, Cleo at another, by typed lines to the last score."""

    async def scene() -> tuple[Laptop, Laptop]:
        theirs, hers = await sealed(tmp_path, hosts=hosts)
        two = Laptop(theirs, 4, peeps=True)
        cleo = Laptop(hers, 5)
        async with asyncio.timeout(600), asyncio.TaskGroup() as group:
            group.create_task(two.play())
            group.create_task(cleo.play())
        return two, cleo

    two, cleo = asyncio.run(scene())
    assert "Final score:" in two.paper.text
    assert set(two.peeping.sat) == set(two.peeping.seats)
    assert two.peeping.checked > 1_000
    assert "Ann and Ben sit at one laptop" in cleo.paper.text


def test_once_more_is_asked_for_by_nobody_in_particular() -> None:
    client = HotSeat(partial(Plain, linger=True))

    async def until_passed() -> tuple[Effect, ...]:
        session = shared(1)
        while True:
            news = await session.next()
            effects = client.hear(news)
            if isinstance(news, PassOn):
                return effects

    before = asyncio.run(until_passed())
    client.read("")
    score = OverNews((), (), "", "", ("Ann", "Ben", "Bot 1", "Bot 2"))
    assert client.hear(score)[0] == Wipe()
    assert client.read("more") == (OnceMore(),)
    client.hear(Anew())
    assert asyncio.run(until_passed()) == before


def test_the_program_wipes_the_terminal(tmp_path: Path) -> None:
    command = citadels(
        "play", "--people", "Ann,Ben", "--seats", "2", "--seed", "3", "--ui", "plain"
    )
    with window(command, tmp_path) as shown:
        shown.wait("who then presses Enter.")
        (first,) = re.findall("Pass the laptop to (Ann|Ben),", shown.text)
        assert WIPE.encode() not in shown.raw  # nobody has seen anything yet
        shown.press("enter")
        shown.wait("Which character")
        shown.press("1", "enter", "enter")  # the second was typed in haste
        shown.wait(lambda now: now.raw.count(WIPE.encode()) == 1 and "Pass the" in now.text)
        assert "Which character" not in shown.text
        other = {"Ann": "Ben", "Ben": "Ann"}[first]
        assert f"Pass the laptop to {other}," in shown.text
        shown.press("c-c")
        assert shown.end() == 130


@pytest.mark.parametrize("words", [("--ui", "json"), ("--ui", "plain")])
def test_where_nothing_can_be_wiped_nobody_shares(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    command = citadels("play", "--people", "Ann,Ben", *words)
    with window(command, tmp_path, TERM="dumb") as shown:
        assert shown.end() == 2
        assert "a terminal that can be wiped" in " ".join(shown.text.split())


@pytest.mark.parametrize("names", ["Ann", "Ann,ann", "Ann,,Ben"])
def test_names_that_are_none(tmp_path: Path, names: str) -> None:
    with window(citadels("play", "--people", names), tmp_path) as shown:
        assert shown.end() == 2
