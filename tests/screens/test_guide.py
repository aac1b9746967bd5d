"""The guided first game: what is explained is true, comes once, fits, and can be left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from citadels_p2p.cards import DISTRICTS
from citadels_p2p.game import Game
from citadels_p2p.match import Anew, Evening, Leave
from citadels_p2p.match.acts import Act, Answer
from citadels_p2p.match.news import Ask, Awaited, OverNews, Patience, StateNews
from citadels_p2p.match.session.solo import Practice
from citadels_p2p.rules.state import State
from cli import i18n
from cli.client.client_model import ClientModel
from cli.client.effects import Print
from cli.client.guide import IN_LINES, MOMENTS, ON_SCREEN, Guide
from cli.client.plain import Plain
from cli.client.rounds import RoundSummary
from cli.commands.openings import opening
from cli.line.parser import build
from cli.screen.look import Look
from cli.screen.pace import Pace
from cli.screen.pages.lookback import Lookback
from cli.screen.pages.primer import Primer
from cli.screen.pages.score import Score
from cli.screen.screen import Screen
from cli.screen.shell import Shell
from cli.settings import Settings
from cli.text.cells import text_of, wrap
from tests.cli.scripted import ACT, NAMES, lobby, view
from tests.screens import patrol, robot
from tests.screens.patrol import SIZES, faults
from tests.screens.patrol import painted as frame_of
from tests.screens.terminal import citadels, window

NAMED = {moment: name for name, moment in MOMENTS.items()}
SETTLED = Settings(Path("/nowhere"), name="Ann")
#: what every newcomer is told, whatever they choose
ALWAYS = {"welcome", "pick", "called", "resources", "build", "end", "lookback", "score"}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.use("en")


async def guided() -> tuple[Evening, Game]:
    """What `citadels play --guided` opens, and the game in it."""
    session = await opening(build().parse_args(("play", "--guided")), SETTLED)()
    assert isinstance(session, Evening)
    practice = session._session
    assert isinstance(practice, Practice)
    return session, practice._game


async def moments(chance: Random, screen: Screen) -> AsyncIterator[tuple[str, State, Game]]:
    """Play by chance, and tell what is explained as it comes; '' is a moment with nothing."""
    session, game = await guided()
    while True:
        news = await session.next()
        screen.hear(news, 0.0)
        if not isinstance(news, StateNews | Ask | OverNews):
            continue
        if isinstance(screen.page, Primer):
            assert screen.explains
            assert screen.press("enter") == ()
        told = None
        while True:
            now = screen.guide.now
            if now is not told or now is None:
                yield (NAMED[now] if now is not None else "", game.state, game)
            told = screen.guide.now
            if told is not None and (screen.explains or chance.random() < 0.7):
                assert screen.press("enter") == ()
            elif isinstance(screen.page, Lookback):
                screen.press("enter")
            else:
                break
        if isinstance(news, OverNews):
            return
        if isinstance(news, Ask):
            screen.model.answered(news)
            await session.do(Answer(news.id, _choice(news, chance)))


def _choice(ask: Ask, chance: Random) -> tuple[str, ...]:
    """Any answer, but the turn ends late."""
    going_on = [one.id for one in ask.options if one.verb != "end" or chance.random() < 0.1]
    ids = going_on or [ask.options[0].id]
    return (chance.choice(ids),) if ask.low is None else tuple(chance.sample(ids, ask.low))


def _verbs(screen: Screen) -> set[str]:
    ask = screen.model.ask
    return set() if ask is None else {one.verb for one in ask.options}


def _chooses(screen: Screen) -> bool:
    return screen.model.ask is not None and screen.model.ask.kind == "character"


def _suffered(kind: str, field: str) -> Callable[[State, Game, Screen], bool]:
    def truth(state: State, game: Game, screen: Screen) -> bool:
        last = [event.fields() for event in game.log[-3:] if event.kind == kind][-1]
        return last[field] == 0 != last["seat"]

    return truth


def _mine(game: Game) -> tuple[str, ...]:
    you = game.view(0).you
    assert you is not None
    return you.characters


#: moment → whether the engine says that it is one
TRUTH: dict[str, Callable[[State, Game, Screen], bool]] = {
    "welcome": lambda state, game, screen: state.round == 1 and _chooses(screen),
    "pick": lambda state, game, screen: _chooses(screen),
    "out": lambda state, game, screen: _chooses(screen) and len(state.faceup) > 0,
    "crown": lambda state, game, screen: _chooses(screen) and state.crown is not None,
    "called": lambda state, game, screen: state.turn is not None,
    "resources": lambda state, game, screen: {"gold", "cards"} <= _verbs(screen),
    "keep": lambda state, game, screen: _verbs(screen) == {"keep"},
    "build": lambda state, game, screen: "build" in _verbs(screen),
    "end": lambda state, game, screen: "end" in _verbs(screen),
    "income": lambda state, game, screen: "income" in _verbs(screen),
    "murdered": lambda state, game, screen: state.silenced in _mine(game),
    "murder": lambda state, game, screen: (
        bool(state.silenced) and state.silenced not in _mine(game)
    ),
    "robbed": lambda state, game, screen: state.named["theft"][0] in _mine(game),
    "destroyed": _suffered("destroyed", "owner"),
    "swapped": _suffered("hands_swapped", "other"),
    "unique": lambda state, game, screen: any(
        DISTRICTS[one.card].quarter == "unique"
        for one in game.view(0).you.hand  # type: ignore[union-attr]  # seat 0 is a person's
    ),
    "lookback": lambda state, game, screen: isinstance(screen.page, Lookback),
    "types": lambda state, game, screen: _chooses(screen),
    "nearly": lambda state, game, screen: max(len(place.city) for place in state.places) >= 5,
    "last_round": lambda state, game, screen: state.ends,
    "score": lambda state, game, screen: (
        state.phase == "over" and isinstance(screen.page, Score)
    ),
    "key_dim": lambda state, game, screen: bool(screen.model.ask and screen.model.ask.barred),
}
KEYS = {name for name, one in MOMENTS.items() if one.only} - {"key_dim"}
ROLES = {"assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"}


def _is_true(name: str, state: State, game: Game, screen: Screen) -> bool:
    if name in ROLES:
        turn = state.turn
        return turn is not None and (turn.seat, turn.character) == (0, name)
    return name in KEYS or TRUTH[name](state, game, screen)


@pytest.mark.parametrize("newcomer", range(24))
def test_what_is_explained_is_true_comes_once_and_hides_nothing(newcomer: int) -> None:
    i18n.use(i18n.LANGUAGES[newcomer % len(i18n.LANGUAGES)])

    async def run() -> list[str]:
        screen, told = Screen(guided=True), list[str]()
        async for name, state, game in moments(Random(newcomer), screen):
            if not name:
                continue
            assert _is_true(name, state, game, screen), name
            told.append(name)
            size = SIZES[len(told) % len(SIZES)]
            frame = frame_of(screen, state, size)
            assert not faults(frame), faults(frame)[0] + "\n" + "\n".join(frame.rows)
            said = " ".join(row.lstrip(" │") for row in frame.rows if row.startswith(" │ "))
            assert said.split() == screen.guide.text(screen.model).split()
        return told

    told = asyncio.run(run())
    assert len(told) == len(set(told))
    assert set(told) >= ALWAYS


def test_newcomers_meet_nearly_everything_there_is() -> None:
    """The deal is a good one, and no moment is one that never comes."""

    async def run(newcomer: int) -> set[str]:
        return {name async for name, *_ in moments(Random(newcomer), Screen(guided=True))}

    met = [asyncio.run(run(newcomer)) for newcomer in range(100, 120)]
    assert set.union(*met) - {""} == {NAMED[one] for one in ON_SCREEN}
    assert sum(map(len, met)) / len(met) > 0.7 * len(ON_SCREEN)


@pytest.mark.parametrize("leaves_at", range(0, 24, 3))
def test_whoever_leaves_the_guide_plays_on_without_it(leaves_at: int) -> None:
    async def run() -> tuple[int, int]:
        screen, told, since = Screen(guided=True), 0, 0
        async for name, _state, _game in moments(Random(leaves_at), screen):
            if told > leaves_at:
                assert not name
                since += 1
            elif name:
                told += 1
                if told > leaves_at:
                    screen.press("x")
                    assert not screen.explains
                    assert screen.guide.over
                    assert screen.tour_taken
        assert isinstance(screen.page, Score)
        return told, since

    told, since = asyncio.run(run())
    assert told == leaves_at + 1
    assert since > 0


def test_an_answer_goes_past_an_explanation_and_a_stale_one_never_stands() -> None:
    async def run() -> None:
        session, _game = await guided()
        screen = Screen(guided=True)
        while screen.model.ask is None:
            screen.hear(await session.next(), 0.0)
        screen.press("enter")  # the page before the game
        assert screen.guide.now is ON_SCREEN[0]
        screen.press("2")  # the menu is open to every key but Enter
        assert screen.guide.now is ON_SCREEN[0]
        for _ in ON_SCREEN:
            if (effects := screen.press("enter")) != ():
                break
        assert isinstance(effects[0], Act)
        assert not screen.guide.text(screen.model)

    asyncio.run(run())


def test_the_enter_that_is_one_too_many_after_the_last_explanation_chooses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        session, _game = await guided()
        screen, now, done = Screen(guided=True), [10.0], list[object]()
        shell = Shell(screen, source=DummyInput(), sink=DummyOutput())
        clock = SimpleNamespace(time=lambda: now[0])
        monkeypatch.setattr(shell, "_loop", clock, raising=False)
        monkeypatch.setattr(shell, "do", done.extend)
        while screen.model.ask is None:
            screen.hear(await session.next(), 0.0)
        shell.press("enter")  # the page before the game
        while screen.explained:
            shell.press("enter")
        for seconds in (0.3, 0.6):
            now[0] += seconds
            shell.press("enter")
        assert not done
        now[0] += 0.2
        shell.press("enter")
        assert done

    asyncio.run(run())


def test_the_second_game_of_an_evening_is_no_longer_explained() -> None:
    screen = Screen(guided=True)
    screen.hear(Anew(), 0.0)
    assert screen.guide.over


def test_hints_are_told_once_a_program_and_no_setting_begins_the_guide_anew() -> None:
    screen = Screen(settled=SETTLED)
    hints = screen.guide
    assert not hints.over
    screen.sit()
    assert screen.guide is hints
    screen = Screen(settled=SETTLED, guided=True)
    whole = screen.guide
    screen.settle("hints", True)
    assert screen.guide is whole
    screen.guided = False
    screen.settle("hints", False)
    assert screen.guide.over


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_text_is_short(language: str) -> None:
    i18n.use(language)
    for moment in MOMENTS.values():
        said = i18n._(moment.text).format(city=7)
        assert len(wrap(said, 80 - 4)) <= 3, said
        assert len(wrap(said, 60 - 4)) <= 4, said


@pytest.mark.parametrize("size", SIZES)
def test_seats_and_ranks_stand_still_when_an_explanation_goes(size: tuple[int, int]) -> None:
    async def run() -> None:
        session, _game = await guided()
        screen = Screen(guided=True)
        while screen.model.ask is None:
            screen.hear(await session.next(), 0.0)
        screen.press("enter")  # the page before the game
        above = 3 + len(NAMES) + 1
        longest = max(ON_SCREEN, key=lambda one: len(one.text))
        screen.guide.now = replace(longest, holds=lambda _: True, page="table")
        with_it = [text_of(row) for row in patrol.painted(screen, _game.state, size).block]
        screen.press("x")
        without = [text_of(row) for row in patrol.painted(screen, _game.state, size).block]
        assert with_it[:above] == without[:above]
        assert with_it != without

    asyncio.run(run())


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_cities_stand_still_in_a_look_back_too(size: tuple[int, int]) -> None:
    columns, rows = size
    screen = Screen()
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(view(), ("Ann", "Bob", "Cleo")), 0.0)
    told = ["Bob takes the crown from you."] * 2
    screen.model.recap = RoundSummary(2, told=told, table=view())
    page = screen.page
    assert isinstance(page, Lookback)
    whole = [text_of(row) for row in page.paint(Look(), columns, rows - 3)]
    short = [text_of(row) for row in page.paint(Look(explained=3), columns, rows - 6)]
    cities = next(place for place, row in enumerate(whole) if "Bob takes" in row)
    assert short[:cities] == whole[:cities]


def test_nothing_is_told_on_before_an_explanation_is_read() -> None:
    async def run() -> list[bool]:
        pace, model, read, done = Pace(), ClientModel(), [False], list[bool]()
        acted = StateNews(view(), NAMES, Awaited(1, "act"))
        model.hear(lobby(), 0.0)
        following = asyncio.ensure_future(pace.follow(acted, model, lambda: not read[0]))
        for reads in (False, True):
            read[0] = reads
            pace.touched()
            for _ in range(5):
                await asyncio.sleep(0)
            done.append(following.done())
        leaving = asyncio.ensure_future(pace.follow(acted, model, lambda: True))
        await asyncio.sleep(0)
        pace.leave()
        await leaving
        return done

    assert asyncio.run(run()) == [False, True]


# In plain lines


async def _lines(enough_at: int | None) -> list[str]:
    """A game as plain lines; `enough` is typed at that question."""
    session, _game = await guided()
    plain, said, questions = Plain(), list[str](), 0
    plain.guide = Guide(IN_LINES)
    chance = Random(5)
    while True:
        news = await session.next()
        effects = plain.hear(news)
        said += [one.text for one in effects if isinstance(one, Print)]
        if isinstance(news, OverNews):
            assert any(isinstance(one, Leave) for one in effects)
            return said
        if isinstance(news, Ask):
            if questions == enough_at:
                said += [x.text for x in plain.read("enough") if isinstance(x, Print)]
            questions += 1
            plain.model.answered(news)
            await session.do(Answer(news.id, _choice(news, chance)))


def test_plain_lines_explain_the_same_and_nothing_about_keys() -> None:
    said = asyncio.run(_lines(None))
    told = [line.removeprefix("Guide: ") for line in said if line.startswith("Guide: ")]
    by_text = {one.text.format(city=7): one for one in NAMED}
    names = [NAMED[by_text[one]] for one in told]
    assert len(names) == len(set(names))
    assert set(names) >= ALWAYS | {"key_enough"}
    assert all(by_text[one].only != "screen" for one in told)
    assert said.index("Which character do you choose?") > said.index(f"Guide: {told[0]}")


def test_the_word_enough_ends_them() -> None:
    said = asyncio.run(_lines(3))
    at = said.index("Nothing more is explained. Play on!")
    assert any(line.startswith("Guide: ") for line in said[:at])
    assert not any(line.startswith("Guide: ") for line in said[at:])


# The command


@pytest.mark.parametrize("more", [("--seats", "5"), ("--seed", "3"), ("--city", "6")])
def test_the_deal_is_fixed(more: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="guided_deal"):
        opening(build().parse_args(("play", "--guided", *more)), SETTLED)


def test_a_guided_game_in_a_small_terminal(tmp_path: Path) -> None:
    with window(citadels("play", "--guided"), tmp_path, (60, 18)) as shown:
        shown.wait("How to play")
        shown.press("enter")
        shown.wait("Welcome to Citadels!")
        shown.press("x")
        shown.wait(lambda now: "end the guide" not in now.text and "q leave" in now.text)
        shown.press("c-c", "c-c")
        assert shown.end() == 130


def at_a_table() -> Screen:
    """Bob, who is new, in the waiting room of a table of laptops."""
    screen = Screen()
    agreed = Patience(away=20, step_time=0, escrow="all", laptops=3, needed=2)
    screen.hear(replace(lobby(third="human"), patience=agreed), 0.0)
    screen.press("f")
    return screen


def test_whoever_is_new_at_a_table_is_told_everything_and_nobody_waits_for_it() -> None:
    screen = at_a_table()
    assert "Every step of the match will be explained" in shown_by(screen)
    mine = replace(view(), you=replace(view().you, seat=1)) if view().you else view()
    screen.hear(StateNews(mine, NAMES, Awaited(0, "act")), 0.0)
    assert not screen.explains
    screen.hear(ACT, 0.0)
    told = screen.guide.text(screen.model)
    assert told
    assert " ".join(told.split()[:4]) in " ".join(shown_by(screen).split())
    assert screen.press("enter") == (), "it is read"
    assert screen.guide.text(screen.model) != told


def test_what_was_explained_stays_until_something_else_is_to_be_told() -> None:
    screen = at_a_table()
    seats = tuple(replace(one, characters=(None,)) for one in view().seats)
    called = replace(view(), you=replace(view().you, seat=1), seats=seats)
    screen.hear(StateNews(called, NAMES, Awaited(0, "act")), 0.0)
    screen.hear(ACT, 0.0)
    told = screen.guide.text(screen.model)
    screen.model.answered(ACT)
    screen.hear(StateNews(replace(called, n=8), NAMES, Awaited(2, "act")), 0.0)
    assert screen.guide.text(screen.model) == told
    screen.press("enter")
    assert screen.guide.text(screen.model) != told


def test_who_has_heard_enough_in_the_waiting_room_is_told_nothing() -> None:
    screen = at_a_table()
    screen.press("f")
    assert "Nothing more is explained" in shown_by(screen)
    assert not screen.guided


def shown_by(screen: Screen) -> str:
    return robot.text(robot.painted(screen, 120, 36))


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_five_houses_say_what_a_house_shows_before_the_first_question(
    language: str, size: tuple[int, int]
) -> None:
    i18n.use(language)
    screen = Screen(guided=True)
    for news in (lobby(), StateNews(view(), NAMES)):
        screen.hear(news, 0.0)
    rows = robot.text(robot.painted(screen, *size)).split("\n")
    shown = "\n".join(rows)
    assert all(plate in shown for plate in ("◊4", "+3", "●2", "▲3", "*5"))
    assert all(any(row.startswith(f" {n} ") for row in rows) for n in range(1, 5))
    assert screen.press("1") == ()
    assert screen.press("enter") == ()
    assert not isinstance(screen.page, Primer)
