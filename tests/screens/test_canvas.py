"""What the canvas writes stands on the terminal, and only what changed is written."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pyte
import pytest
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from pyte.screens import Char

from cli.screen.strokes import Ink, change
from cli.text.cells import Block, Row, Span, fit, text_of
from tests.screens.easel import Easel

COLUMNS, ROWS = 30, 8


@pytest.fixture
def easel() -> Easel:
    return Easel(COLUMNS, ROWS)


def block(*rows: Row) -> Block:
    """A whole frame that begins with these rows."""
    return tuple(fit(row, COLUMNS) for row in (*rows, *[()] * (ROWS - len(rows))))


def random_block(chance: random.Random) -> Block:
    words = ("Anna", "ж", "港町", "  ", "Château", "♛►", "", "───────", " " * 12)
    styles = ("", "focus", "dim", "status", "must", "gold")

    def row() -> Row:
        return tuple(
            Span(chance.choice(words), chance.choice(styles))
            for _ in range(chance.randrange(6))
        )

    return block(*(row() for _ in range(ROWS)))


def stands(easel: Easel, wanted: Block) -> bool:
    shown = [row.rstrip() for row in easel.seen.display]
    return shown == [text_of(row).rstrip() for row in wanted]


def test_any_frame_after_any_other_stands_as_it_should(easel: Easel) -> None:
    chance = random.Random(11)
    frames = [random_block(chance) for _ in range(60)]
    for number, frame in enumerate(frames):
        mixed = tuple(
            new if chance.random() < 0.5 else old
            for new, old in zip(frame, frames[number - 1], strict=True)
        )
        easel.show(mixed)
        assert stands(easel, mixed)
        easel.show(frame)
        assert stands(easel, frame)


def test_any_frame_after_any_other_looks_as_it_would_at_first() -> None:
    """Whatever ink the terminal had before; of a blank counts what one sees of it."""
    chance, easel = random.Random(12), Easel(COLUMNS, ROWS)
    for _ in range(60):
        frame, fresh = random_block(chance), Easel(COLUMNS, ROWS)
        easel.show(frame)
        fresh.show(frame)
        for y in range(ROWS):
            assert list(map(_look, _cells_of(easel, y))) == list(
                map(_look, _cells_of(fresh, y))
            )


def _cells_of(easel: Easel, y: int) -> list[Char]:
    return [easel.seen.buffer[y][x] for x in range(COLUMNS)]


def _look(cell: Char) -> Char:
    return cell if cell.data.strip() else cell._replace(fg="default", bold=False, italics=False)


@pytest.mark.parametrize(
    "code",
    [
        "\x1b[0m",
        "\x1b[0;31m",
        "\x1b[0;38;5;231;48;5;97;1m",
        "\x1b[0;38;2;1;2;3;48;2;4;5;6;1;3;4;7;9m",
        "\x1b[0;97;40;2m",
    ],
)
def test_an_ink_is_read_as_it_is_written(code: str) -> None:
    ink = Ink.read(code)
    assert Ink.read(change(None, ink).replace("\x1b[m", "\x1b[0m")) == ink
    for other in (Ink(), Ink("31"), Ink("38;5;9", "48;5;3", frozenset("1247"))):
        screens = []
        for written in (change(None, other) + change(other, ink), code):
            screen = pyte.Screen(4, 1)
            pyte.Stream(screen).feed(f"{written}x")
            screens.append(screen.buffer[0][0])
        assert screens[0] == screens[1]


def test_what_stands_already_is_not_written_again(easel: Easel) -> None:
    easel.show(block((Span("Anna builds"),), (Span("Deck: "), Span("31", "gold"))))
    frame = block((Span("Anna builds"),), (Span("Deck: "), Span("30", "gold")))
    written = easel.show(frame)
    assert stands(easel, frame)
    assert "Anna" not in written
    assert "Deck" not in written


def test_cells_between_two_that_changed_are_not_written_again(easel: Easel) -> None:
    """A row with a city in it has thirty spans, and a coin that flies over it changes two."""
    city = tuple(
        Span(letter, style) for letter, style in zip("ABCDEFGHIJKL", "xy" * 6, strict=True)
    )
    easel.show(block((Span("1"), *city, Span("2"))))
    frame = block((Span("3"), *city, Span("4")))
    written = easel.show(frame)
    assert stands(easel, frame)
    assert not set("ABCDEFGHIJKL") & set(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written))
    near = block((Span("5"), *city[:4], Span("6"), *city[5:], Span("4")))
    assert "BCD" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", easel.show(near))
    assert stands(easel, near)


def test_the_cursor_goes_where_the_focus_is(easel: Easel) -> None:
    easel.show(block((Span("港"), Span("one")), (Span("港 "), Span("two", here=True))))
    assert (easel.seen.cursor.x, easel.seen.cursor.y) == (3, 1)


def test_a_row_that_became_shorter_leaves_nothing_behind(easel: Easel) -> None:
    easel.show(block((Span("a long row of words"),)))
    easel.show(block((Span("short"),)))
    assert easel.seen.display[0].rstrip() == "short"


def test_blanks_that_can_be_seen_are_written(easel: Easel) -> None:
    easel.show(block((Span("   ", "focus"),)))
    focused, after = easel.seen.buffer[0][2], easel.seen.buffer[0][3]
    assert focused.reverse or focused.bg != "default"
    assert not after.reverse
    assert after.bg == "default"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda easel: easel.canvas.clear(),
        lambda easel: easel.canvas.erase(leave_alternate_screen=False),
        lambda easel: setattr(easel, "size", Size(ROWS, COLUMNS + 1)),
    ],
    ids=["cleared", "erased", "resized"],
)
def test_whatever_spoilt_the_terminal_all_is_painted_anew(
    easel: Easel, spoil: Callable[[Easel], None]
) -> None:
    frame = block((Span("Anna"),), (Span("Boris"),))
    easel.show(frame)
    easel.seen.draw("rubbish")
    spoil(easel)
    assert "Boris" in easel.show(frame)
    assert stands(easel, frame)


def test_what_stood_on_the_terminal_before_is_left_alone(easel: Easel) -> None:
    """Painting anew happens on the other screen, and never by way of the first one."""
    easel.show(block((Span("Anna"),)))
    easel.written.truncate(0)
    easel.canvas.clear()
    assert "\x1b[?1049l" not in easel.written.getvalue()
    assert "\x1b[?1049h" not in easel.show(block((Span("Anna"),)))


def test_a_click_means_what_stands_there(easel: Easel) -> None:
    easel.show(block((Span("  "), Span("Build", target="item:3"))))
    for x, kind in ((3, MouseEventType.MOUSE_UP), (0, MouseEventType.MOUSE_UP)):
        easel.canvas.mouse_handlers.mouse_handlers[0][x](
            MouseEvent(Point(x, 0), kind, MouseButton.LEFT, frozenset())
        )
    scroll = MouseEvent(Point(0, 5), MouseEventType.SCROLL_UP, MouseButton.NONE, frozenset())
    easel.canvas.mouse_handlers.mouse_handlers[5][0](scroll)
    assert easel.model == ["item:3", "up"]


def test_at_the_end_nothing_is_left(easel: Easel) -> None:
    easel.show(block((Span("Anna"),)))
    easel.written.truncate(0)
    easel.canvas.render(easel.app, easel.app.layout, is_done=True)
    assert "\x1b[?1049l" in easel.written.getvalue()
    assert "\x1b[?7h" in easel.written.getvalue()  # lines wrap again
