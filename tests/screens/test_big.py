"""The table for a room that looks on: readable at every size, and nothing has to be pressed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p import match
from citadels_p2p.match.news import Bye, Chat, EventNews, OverNews, StateNews, TableSeat
from citadels_p2p.rules import Rules
from citadels_p2p.rules.view import CityCard
from cli.client.client_model import SPOKEN
from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.screen.pages.big import COLUMNS, ROWS, Big
from cli.screen.pages.score import Score
from cli.screen.screen import Screen
from cli.text import cards
from cli.text.cells import Block, text_of
from cli.text.stakes import stakes
from protocol.wire.spoken_code import spoken
from tests.cli.scripted import NAMES, event, lobby, view
from tests.screens import robot
from tests.screens.terminal import citadels, window
from tests.slice import and_long

SIZES = ((100, 30), (120, 36), (200, 60), (320, 90))


@pytest.mark.parametrize(
    ("edition", "seats"), and_long([("classic", 2)], [("classic", 4), ("2016", 8)])
)
def test_a_whole_match_is_seen_without_a_key(edition: str, seats: int) -> None:
    rules, levels = Rules.make(edition, seats=seats), ("easy",) * seats
    seen = set()

    def look(screen: Screen, place: int) -> None:
        """One size and one alphabet at a time: each is looked at often."""
        columns, rows = SIZES[place % 4]
        only_ascii = place % 3 == 0
        frame = robot.painted(screen, columns, rows, ascii_only=only_ascii)
        text = robot.text(frame)
        model, view = screen.model, screen.model.view
        assert view is not None
        assert isinstance(screen.page, Big)
        for seat in view.seats:
            assert model.scene.name(seat.seat) in text
            assert re.search(rf"(?<!\d){seat.gold}( gold|g)", text)
            if columns >= 200 and not only_ascii and seats < 8:
                named = sum(cards.district(card.card) in text for card in seat.city)
                assert named == len(seat.city)
        assert "Your" not in text
        for said in stakes(model.stakes.on, model.scene, {}):
            seen.add(said)

    async def scene() -> None:
        session = match.practice(rules, levels=levels, name="", seed=5, spectate=True)
        screen, place = Screen(big=True), 0
        while True:
            news = await session.next()
            screen.hear(news, 0.0)
            if isinstance(news, OverNews):
                break
            assert not isinstance(news, Bye)
            if screen.model.view is not None:
                place += 1
                look(screen, place)
        assert isinstance(screen.page, Score)
        robot.painted(screen, *SIZES[2])
        screen.press("x")  # the points need not be counted
        over = screen.model.over
        assert over is not None
        ranked = sorted(over.scores, key=lambda one: (one.rank, one.seat))
        for size in ((120, 36), (160, 45), (200, 60)):
            frame = robot.painted(screen, *size)
            places = [large_at(frame, screen.model.scene.name(one.seat)) for one in ranked]
            assert all(places), f"a room reads how each has done: {size}"
            x = [place[0] for place in places]
            y = [place[1] for place in places]
            assert places == sorted(places), "the first place is uppermost, or at the left"
            assert len(set(x)) == 1 or (size[0] < 140 and y[0] == min(y))

    asyncio.run(scene())
    assert seen


@pytest.mark.parametrize("card", ["market", "haunted_quarter"])
def test_whoever_did_the_last_deed_is_named_in_large_letters(card: str) -> None:
    """Who acts stands above it: a deed without a name would be theirs."""
    keep = CityCard(card, 9, 3, "unique")
    seats = (view().seats[0], replace(view().seats[1], city=(keep,)), view().seats[2])
    shown, screen = replace(view(you=False), seats=seats), Screen(big=True)
    table = replace(lobby(), spectator=True, you=None)
    for news in (table, StateNews(shown, NAMES), EventNews(event(3, "built", 1, card, 9, 3))):
        screen.hear(news, 0.0)
    frame = robot.text(robot.painted(screen, 140, 45))
    large = Grid(30, letters.HIGH)
    letters.write(large, 0, 0, "Bob", "")
    told = frame.splitlines()[1 + letters.HIGH + 1 :][: letters.HIGH + 2]
    for row in robot.text(large.block()).splitlines():
        assert any(row.strip() in one for one in told), frame


def test_what_is_said_stands_at_its_seat_for_some_seconds_and_is_large_on_a_projector() -> None:
    async def begun(big: bool) -> Screen:
        session, screen = robot.table(4, 5), Screen(big=big)
        while screen.model.view is None or screen.model.view.phase != "selection":
            screen.hear(await session.next(), 0.0)
        return screen

    for big in (True, False):
        screen = asyncio.run(begun(big))
        screen.hear(Chat(2, screen.model.scene.name(2), "ouch!"), 1.0)
        for size in SIZES:
            frame = robot.painted(screen, *size)
            assert "“ouch!”" in robot.text(frame)
            bubble = [span for row in frame for span in row if "on-key" in span.style.split()]
            assert (len(bubble) > 1) == (big and size >= (COLUMNS, ROWS)), size
        assert screen.model.fade(SPOKEN)
        assert "“ouch!”" in robot.text(robot.painted(screen, *SIZES[0]))
        assert screen.model.fade(1.0 + SPOKEN)
        assert not screen.model.fade(2.0 + SPOKEN)
        for size in SIZES[2:]:
            lit = [span for row in robot.painted(screen, *size) for span in row]
            assert not any("on-key" in span.style.split() for span in lit)


def test_the_waiting_room_says_what_to_type_and_for_whom_one_waits() -> None:
    seats = (
        TableSeat(0, "Ann", "human", 0, True),
        TableSeat(1, "Yves", "human", 1, True),
        TableSeat(2, "", "open", None, True),
    )
    waiting = replace(
        lobby(), seats=seats, you=None, spectator=True, address="192.168.1.20:24484", words=()
    )
    screen = Screen(big=True)
    screen.hear(waiting, 0.0)
    for size in ((60, 18), (80, 24), (120, 36)):
        frame = robot.text(robot.painted(screen, *size))
        assert "citadels join Friday" in frame
        assert "Waiting for Yves" in frame
    all_here = replace(waiting, seats=(seats[0], replace(seats[1], ready=True), seats[2]))
    screen.hear(all_here, 0.0)
    assert "Waiting for 1 more person or bot." in robot.text(robot.painted(screen, 80, 24))


def test_the_waiting_room_shows_the_words_where_it_has_them_and_cuts_no_other_way() -> None:
    code = "192.168.1.20:24482/TFEI-ZW3V-BVJF-23HN"
    seats = (TableSeat(0, "Ann", "human", 0, True), TableSeat(1, "", "open", None, True))
    waiting = replace(lobby(), seats=seats, you=None, spectator=True, code=code, words=())
    words = spoken("192.168.1.20:24484", (40, 200), 24484)
    screen = Screen(big=True)
    for size in ((60, 18), (80, 24), (120, 36)):
        screen.hear(waiting, 0.0)
        assert code in robot.text(robot.painted(screen, *size))
        screen.hear(replace(waiting, spoken=words), 0.0)
        frame = robot.text(robot.painted(screen, *size))
        assert "citadels join 1-20-butter-quilt-cliff" in frame
        assert code not in frame
        if size >= (80, 24):
            for part in letters.lines("1-20-BUTTER-QUILT-CLIFF", size[0] - 2):
                large = Grid(size[0], letters.HIGH)
                letters.write(large, 1, 0, part, "")
                assert robot.text(large.block()) in frame


def large_at(frame: Block, name: str) -> tuple[int, int] | tuple[()]:
    """The column and row at which a name begins in large letters; () where it does not."""
    grid = Grid(letters.size(name), letters.HIGH)
    letters.write(grid, 0, 0, name, "")
    wanted, rows = [text_of(row) for row in grid.block()], [text_of(row) for row in frame]
    for y in range(len(rows) - letters.HIGH + 1):
        for x in range(len(rows[y])):
            if all(rows[y + n].startswith(part, x) for n, part in enumerate(wanted)):
                return x, y
    return ()


def test_large_letters_are_four_rows_of_dots() -> None:
    grid = Grid(40, 4)
    assert letters.write(grid, 0, 0, "Yї", "") == letters.size("Yї")
    assert robot.text(grid.block()).count("\n") == 3
    assert letters.known("Єгор Їжак-2")
    assert not letters.known("李")
    assert letters.lines("violin-moss night", 36) == ("violin-", "moss", "night")
    assert letters.lines("violin-moss night", 58) == ("violin-moss", "night")
    assert letters.lines("violin", 28) == letters.lines("李 night", 80) == ()


def test_it_needs_a_screen(tmp_path: Path) -> None:
    with window(citadels("watch", "--big", "--ui", "plain"), tmp_path) as shown:
        assert shown.end() == 2
        assert "--big: The big screen needs a terminal" in shown.text


@pytest.mark.parametrize("size", [(80, 24), *SIZES])
def test_a_code_to_photograph_stands_only_where_it_opens_something(
    size: tuple[int, int],
) -> None:
    screen, where = Screen(big=True), "http://192.168.1.20:24490/"
    screen.hear(replace(lobby(), spectator=True, you=None), 0.0)
    assert "█▀▀▀▀▀█" not in robot.text(robot.painted(screen, *size))
    screen.model.given_at = where
    shown = robot.text(robot.painted(screen, *size))
    assert (where in shown) is (size[0] >= 120), "in small windows the words come first"
    assert "Type this:" in shown
    assert "Bob" in shown or size[1] >= 30
