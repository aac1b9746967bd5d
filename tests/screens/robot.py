"""A player that has nothing but the screen and its keys."""

from __future__ import annotations

from citadels_p2p import match
from citadels_p2p.match.acts import Act
from citadels_p2p.match.news import Ask, Bye, Session
from citadels_p2p.rules import Rules
from cli.drawing.pen import ASCII, UNICODE
from cli.screen.look import Look
from cli.screen.page import ScreenEffects
from cli.screen.screen import Screen
from cli.text.cells import Block, row_width, text_of

SIZES = ((60, 18), (80, 24), (120, 36), (140, 40))


def table(seats: int, seed: int, *, edition: str = "classic", name: str = "Ann") -> Session:
    """A practice game in which every run is the same."""
    return match.practice(
        Rules.make(edition, seats=seats),
        levels=("normal",) * (seats - 1),
        name=name,
        seed=seed,
    )


def painted(screen: Screen, columns: int, rows: int, *, ascii_only: bool = False) -> Block:
    """A frame; nothing in it overflows, and one cell at most has the cursor."""
    block = screen.paint(Look(ASCII if ascii_only else UNICODE, 0.0), columns, rows)
    assert len(block) == rows
    for row in block:
        assert row_width(row) == columns, text_of(row)
    assert sum(span.here for row in block for span in row) <= 1
    return block


def text(block: Block) -> str:
    """What can be read on a frame."""
    return "\n".join(text_of(row).rstrip() for row in block)


async def play(screen: Screen, session: Session) -> int:
    """Play to the end: down one more line than last time, then Enter; where that decides
    nothing, up from the last line. The frames seen.
    """
    frames = step = 0
    while True:
        news = await session.next()
        screen.hear(news, 0.0)
        if isinstance(news, Bye):
            return frames
        if isinstance(news, Ask) or screen.model.over is not None:
            frames += await _decide(screen, session, step)
            step += 1


async def _decide(screen: Screen, session: Session, step: int) -> int:
    frames = 0
    for turn in range(60):
        for columns, rows in SIZES:
            painted(screen, columns, rows)
            frames += 1
        keys = ["end", *["up"] * (turn % 9 - 1)] if turn % 9 else ["down"] * (step % 3)
        effects: ScreenEffects = ()
        for key in ("q",) if screen.model.over is not None else (*keys, "enter"):
            effects += screen.press(key)
        for effect in effects:
            if isinstance(effect, Act):
                await session.do(effect)
        if effects:
            return frames
    raise AssertionError("Enter decides nothing:\n" + text(painted(screen, 80, 24)))
