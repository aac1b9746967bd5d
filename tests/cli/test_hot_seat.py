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

from citadels_p2p.match.acts import Act, Answer, OnceMore
from citadels_p2p.match.news import Anew, Ask, Bye, OverNews, PassOn
from cli.client.effects import Effect, Print, Wipe
from cli.client.hot_seat import HotSeat
from cli.client.plain import Plain
from cli.client.terminal import WIPE
from tests.cli.peeping import Peeping, shared
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


def test_no_card_of_one_is_left_while_the_other_sits() -> None:
    peeping, paper, random = Peeping(), Paper(), Random(2)

    async def scene() -> None:
        session, client = shared(2, edition="2016"), HotSeat(Plain)

        async def perform(effects: tuple[Effect, ...]) -> bool:
            acted = False
            for effect in effects:
                paper.show(effect)
                if isinstance(effect, Act):
                    peeping.does(effect)
                    await session.do(effect)
                    acted = True
            if effects:
                peeping.look(paper.text)
            return acted

        await perform(client.greet())
        while True:
            news = await session.next()
            peeping.hear(news)
            await perform(client.hear(news))
            if isinstance(news, Bye):
                return
            if "then presses Enter" in paper.text.rstrip().rpartition("\n")[2]:
                await perform(client.read("hand"))  # nobody's
                await perform(client.read(""))
            elif isinstance(news, Ask):
                for line in ("hand", "log 30", "table"):
                    await perform(client.read(line))
                low, high = news.low or 1, news.high or 1
                ids = [option.id for option in news.options]
                while True:
                    picked = random.sample(ids, random.randint(low, high))
                    if await perform((Answer(news.id, tuple(picked)),)):
                        break

    asyncio.run(scene())
    assert "Final score:" in paper.text
    assert len(peeping.sat) > 10
    assert set(peeping.sat) == {0, 1}
    assert peeping.checked > 2_000


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
