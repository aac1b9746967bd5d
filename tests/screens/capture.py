"""Writes the screens in docs/screens, two as pictures: `python -m tests.screens.capture`.

A test keeps them current.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from citadels_p2p import match
from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, Option, OverNews, RecordNews
from citadels_p2p.rules import Rules
from cli.client.guide import MOMENTS
from cli.client.lobby import Lobby
from cli.commands.openings import opening
from cli.line.parser import build
from cli.screen.pages.lobby import LobbyPage
from cli.screen.pages.table import Table
from cli.screen.screen import Screen
from cli.screen.theme import THEMES
from cli.settings import Settings
from tests.cli.scripted import NAMES, view
from tests.cli.test_plain_lobby import left, listing
from tests.screens.picture import svg
from tests.screens.robot import painted, table, text
from tests.screens.tale import tale

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SIZES = ((80, 24), (140, 40))
PICTURES, PICTURE = ("selection", "turn"), (120, 36)
SEED = 22
SETTLED = Settings(Path("/home/ann"), name="Ann")

Shots = dict[str, str]  #: file name → what is on the screen


def shots() -> Shots:
    """All screens at all sizes."""
    taken: Shots = {}
    _take(taken, "lobby", nearby())
    _take(taken, "replay", replayed())
    asyncio.run(_guided(taken))
    asyncio.run(_play(taken))
    asyncio.run(_look_on(taken))
    return taken


def _take(
    taken: Shots, name: str, screen: Screen, sizes: tuple[tuple[int, int], ...] = SIZES
) -> None:
    for columns, rows in sizes:
        taken[f"{name}-{columns}x{rows}.txt"] = text(painted(screen, columns, rows)) + "\n"
    if name in PICTURES:
        columns, rows = PICTURE
        taken[f"{name}.svg"] = svg(painted(screen, columns, rows), columns, THEMES["dark"])


def nearby() -> Screen:
    """The lobby, with two tables and how an unfinished match stands."""

    def opens(line: tuple[str, ...], now: Settings, password: str) -> object:
        raise AssertionError("nobody sits down here")

    page = LobbyPage(Lobby("Ann"), opens, SETTLED)  # type: ignore[arg-type]
    tables = (listing("Friday"), listing("Full house", 4))
    monday = replace(left("Monday"), names=NAMES, seat=0)
    page.hear(Lobby("Ann", tables, (monday,), views={monday.path: view(you=False)}))
    return Screen(page, SETTLED)


def replayed() -> Screen:
    """In the fourth round of a saved match, from the chair of the third player."""
    screen = Screen()
    screen.hear(RecordNews(tale(5, SEED), 2, "/home/ann/saved.citadels"), 0.0)
    for key in ("pagedown", "pagedown", "pagedown", "down", "down", "right"):
        screen.press(key)
    return screen


async def _guided(taken: Shots) -> None:
    """The guided game, where it explains what a turn begins with."""
    session = await opening(build().parse_args(("play", "--guided")), SETTLED)()
    screen = Screen(guided=True)
    while screen.guide.now is not MOMENTS["resources"]:
        news = await session.next()
        screen.hear(news, 0.0)
        while screen.explains:
            screen.press("enter")
        if isinstance(news, Ask) and news.kind == "character":
            await session.do(Answer(news.id, _choice(news)))
            screen.model.answered(news)
    _take(taken, "guide", screen)


async def _play(taken: Shots) -> None:
    """A game in which Ann is the Thief whenever she can, and builds what she can pay."""
    session, screen = table(5, SEED), Screen()
    wanted: dict[str, Callable[[Ask], bool]] = {
        "selection": lambda ask: ask.kind == "character" and _round(screen) == 3,
        "turn": lambda ask: _offers(ask, "build", "end") and _round(screen) >= 4,
        "theft": lambda ask: _offers(ask, "rob", "end") and _round(screen) >= 2,
    }
    while not isinstance(news := await session.next(), OverNews):
        screen.hear(news, 0.0)
        if not isinstance(news, Ask):
            continue
        if screen.model.recap is not None:
            if "lookback" not in {shot.partition("-")[0] for shot in taken}:
                _take(taken, "lookback", screen)
            screen.press("enter")
        for name in [name for name, fits in wanted.items() if fits(news)]:
            if name == "theft":
                _open(screen, "rob")
            _take(taken, name, screen)
            del wanted[name]
        await session.do(Answer(news.id, _choice(news)))
        screen.model.answered(news)
    screen.hear(news, 0.0)
    screen.press("enter")  # the look back on the last round comes before the score
    _take(taken, "score", screen)
    assert not wanted, f"another seed is needed for {sorted(wanted)}"


async def _look_on(taken: Shots) -> None:
    """The table for a room, in the fifth round, when much has been seen already."""
    rules, levels = Rules.make(seats=4), ("normal",) * 4
    session = match.practice(rules, levels=levels, name="", seed=SEED, spectate=True)
    screen = Screen(big=True)
    view = screen.model.view
    while view is None or view.round < 5 or view.turn is None or view.turn.rank < 6:
        screen.hear(await session.next(), 0.0)
        view = screen.model.view
    _take(taken, "big", screen, ((100, 30), (200, 60)))


def _round(screen: Screen) -> int:
    return screen.model.view.round if screen.model.view is not None else 0


def _offers(ask: Ask, *verbs: str) -> bool:
    return set(verbs) <= {option.verb for option in ask.options}


def _open(screen: Screen, verb: str) -> None:
    """Open the group of a verb by keys, and go to its second entry."""
    page = screen.page
    assert isinstance(page, Table)
    menu = page.menu
    assert menu is not None
    while menu.focused is None or menu.focused.verb != verb:
        screen.press("down")
    screen.press("enter")
    screen.press("down")
    screen.press("enter")


def _choice(ask: Ask) -> tuple[str, ...]:
    """What Ann decides."""
    if ask.low is not None:
        return tuple(option.id for option in ask.options[: ask.low])
    verbs = ("gold", "income", "rob", "build", "end")

    def liked(option: Option) -> int:
        if option.fields.get("card") == "thief":
            return -1
        return verbs.index(option.verb) if option.verb in verbs else len(verbs)

    return (min(ask.options, key=liked).id,)


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, shown in shots().items():
        (FOLDER / name).write_text(shown, encoding="utf-8")


if __name__ == "__main__":
    main()
