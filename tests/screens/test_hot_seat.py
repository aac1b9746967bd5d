"""Two persons at one laptop, on the full screen: no card of one is seen by the other."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest

from citadels_p2p.match.acts import Act, Leave
from citadels_p2p.match.news import Anew, Ask, Bye, OverNews, PassOn, Session
from cli.client.effects import Print
from cli.client.hot_seat import HotSeat
from cli.client.plain import Plain
from cli.screen.screen import Screen
from tests.cli.peeping import Peeping, sealed, shared
from tests.cli.test_hot_seat import Laptop
from tests.screens import robot
from tests.screens.terminal import citadels, window
from tests.screens.test_two_laptops import free_port
from tests.slice import and_long

#: keys that may decide something
KEYS = ("0", *"1234", "down", "up", "end")


@pytest.mark.parametrize(("seed", "edition"), and_long([(1, "classic")], [(2, "2016")]))
def test_no_card_of_one_is_seen_while_the_other_sits(seed: int, edition: str) -> None:
    async def scene() -> Peeping:
        return await played(shared(seed, edition=edition), seed)

    peeping = asyncio.run(scene())
    assert len(peeping.sat) > 10
    assert set(peeping.sat) == {0, 1}
    assert peeping.checked > 2_000


@pytest.mark.long
def test_nor_at_a_sealed_table(tmp_path: Path) -> None:
    """Ann and Ben at one laptop, Cleo at another, from the waiting room to the last score."""

    async def scene() -> Peeping:
        theirs, hers = await sealed(tmp_path)
        async with asyncio.timeout(600), asyncio.TaskGroup() as group:
            group.create_task(Laptop(hers, 5).play())
            return await group.create_task(played(theirs, 1))

    peeping = asyncio.run(scene())
    assert set(peeping.sat) == {0, 1}
    assert peeping.checked > 1_000


async def played(session: Session, seed: int) -> Peeping:
    """A session on the full screen, by any keys at all, to its end."""
    peeping, screen, random = Peeping(), Screen(), Random(seed)

    def look(*sizes: tuple[int, int]) -> None:
        for columns, rows in sizes or robot.SIZES[1:3]:
            peeping.look(robot.text(robot.painted(screen, columns, rows)))

    async def press(*keys: str) -> bool:
        """Whether something went to the session."""
        acted = False
        for key in keys:
            for effect in screen.press(key):
                if isinstance(effect, Act):
                    peeping.does(effect)
                    await session.do(effect)
                    acted = True
        look()
        return acted

    while True:
        news = await session.next()
        peeping.hear(news)
        screen.hear(news, 0.0)
        look((80, 24))
        if isinstance(news, Bye):
            return peeping
        if isinstance(news, PassOn):
            for key in ("l", "r", "t", "h", "?"):  # whatever lies over the page is nobody's
                await press(key, "escape")
            assert await press("enter")
        elif isinstance(news, Ask):
            await press("l")
            await press("escape")
            for _try in range(400):
                if await press(*random.choices(KEYS, k=2), "enter"):
                    break
            else:
                frame = robot.text(robot.painted(screen, 80, 24))
                raise AssertionError("Enter decides nothing:\n" + frame)
        elif isinstance(news, OverNews):
            await press("l")
            await session.do(Leave())


def test_once_more_nobody_sits_yet() -> None:
    screen = Screen()

    async def until_passed() -> str:
        session = shared(1)
        while True:
            news = await session.next()
            screen.hear(news, 0.0)
            if isinstance(news, PassOn):
                return robot.text(robot.painted(screen, 80, 24))

    before = asyncio.run(until_passed())
    screen.press("enter")
    screen.hear(Anew(), 0.0)
    assert "Pass the laptop" not in robot.text(robot.painted(screen, 80, 24))
    assert "Your hand" not in robot.text(robot.painted(screen, 80, 24))
    assert asyncio.run(until_passed()) == before
    assert "Pass the laptop" in before


def test_enter_in_haste_shows_nobodys_cards(tmp_path: Path) -> None:
    command = citadels("play", "--people", "Ann,Ben", "--seats", "2", "--seed", "3")
    with window(command, tmp_path) as shown:
        shown.wait("I am ")
        shown.read(1.2, wanted=b"never")
        shown.press("enter")
        shown.wait("Which character do you choose?")
        shown.read(0.3, wanted=b"never")
        shown.press("enter", "enter", "enter")
        shown.wait("Pass the laptop to ")
        assert "Which character" not in shown.text
        shown.press("c-c", "c-c")
        assert shown.end() == 130
        after = shown.raw.rpartition(b"\x1b[?1049l")[2]
        assert not re.sub(rb"\x1b\[[?0-9;]*[a-z]", b"", after).strip()


@pytest.mark.long
def test_a_table_is_opened_killed_and_resumed_by_two_at_one_laptop(tmp_path: Path) -> None:
    port, here = free_port(), ("--interface", "127.0.0.1", "--ui", "plain")
    host = ("host", "Friday", "--people", "Ann,Ben", "--seats", "3", "--port", str(port))
    join = ("join", f"127.0.0.1:{port}")
    with window(citadels(*host, *here), tmp_path / "two") as two:
        two.wait("Seat 3 is open")
        crowd = citadels(*join, "--people", "Cleo,Dora", "--ui", "plain")
        with window(crowd, tmp_path / "crowd") as shown:
            assert shown.end() == 4
            assert "There are not enough seats for so many." in shown.text
        with window(citadels(*join, "--name", "Cleo", *here), tmp_path / "one") as one:
            one.wait("Type ready")
            assert "Ann and Ben sit at one laptop" in " ".join(one.text.split())
            one.press("ready\n")
            two.wait("All are ready")
            two.press("start\n")
            two.wait("has the crown and chooses first.")
            if "Cleo has the crown" in two.text:
                one.wait("Which character")
                one.wait(lambda shown: re.search(r"^ *[1-8]\. ", shown.text, re.M) is not None)
                (rank, *_) = re.findall(r"^ *([1-8])\. ", one.text, re.M)
                one.press(f"{rank}\n")  # a number is a rank, and any may be out of the round
            two.wait("who then presses Enter.")
            (first,) = re.findall("Pass the laptop to (Ann|Ben),", two.text)
            two.press("enter")
            two.wait("Which character")
            two.process.kill()
            two.process.wait()
            with window(citadels("resume", "--ui", "json"), tmp_path / "two") as shown:
                assert shown.end() == 2
                assert '"reason":"no_screen"' in shown.text.replace("\n", "").replace(" ", "")
            with window(citadels("resume", *here), tmp_path / "two") as back:
                back.wait(f"Pass the laptop to {first},")
                back.press("enter")
                back.wait("Which character")
                back.press("c-c")
                assert back.end() == 130


def test_before_the_laptop_is_passed_on_its_persons_do_not_only_watch() -> None:
    screen, client = Screen(), HotSeat(Plain)

    async def until_told() -> None:
        session = shared(1)
        while screen.model.view is None:
            news = await session.next()
            screen.hear(news, 0.0)
            client.hear(news)

    asyncio.run(until_told())
    why = "No hand is shown until the laptop is passed on."
    assert why in robot.text(robot.painted(screen, 80, 24))
    assert Print(why) in client.read("hand")
