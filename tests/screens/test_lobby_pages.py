"""Lobby, form, settings, rules and waiting room on the screen: by keys alone, at every size."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match.acts import (
    Kick,
    OpenSeat,
    Propose,
    Readmit,
    Ready,
    Reopen,
    SetBot,
    Start,
    Welcome,
)
from citadels_p2p.match.news import (
    Bye,
    Holders,
    Notice,
    Patience,
    StateNews,
    TableNews,
    TableSeat,
    Trust,
)
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from cli import i18n
from cli.client.lobby import Lobby, begin
from cli.commands.openings import opening
from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.drawing.pen import UNICODE
from cli.line.form import Form
from cli.line.parser import build
from cli.screen.look import Look
from cli.screen.overlays.fill import Fill
from cli.screen.overlays.finding import told
from cli.screen.page import Quit, ScreenEffects, Settle, Sit
from cli.screen.pages.lobby import BEGUN, LobbyPage
from cli.screen.screen import Screen
from cli.settings import Settings
from cli.text import Scene, cards, ending
from cli.text.cells import width
from cli.text.endings import ENDINGS
from cli.text.game import chosen
from cli.text.lobby import audience, forsaken, together
from cli.text.nearby import table_detail
from protocol.errors import Unavailable
from tests.cli.scripted import NAMES, lobby, view
from tests.cli.test_plain_lobby import left, listing
from tests.screens.reading import read
from tests.screens.robot import SIZES, painted, text


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    i18n.use("en")
    yield
    i18n.use("en")


class Opened:
    """Remembers the command lines that would have been opened."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, ...]] = []
        self.passwords: list[str] = []
        self.names: list[str | None] = []
        self.giving = False

    def __call__(self, line: tuple[str, ...], settled: Settings, password: str) -> object:
        if "9" in line:
            raise ValueError("seats_out_of_range:classic")
        self.lines.append(line)
        self.passwords.append(password)
        self.names.append(settled.name)
        return None

    def gives(
        self, settled: Settings, hear: Callable[[Sequence[str]], None]
    ) -> Callable[[], None]:
        """The program is shared, for as long as nobody ends it."""
        self.giving = True
        hear(("http://10.0.0.7:24490/", "Code: 1234"))

        def end() -> None:
            self.giving = False

        return end


@pytest.fixture
def opened() -> Opened:
    return Opened()


@pytest.fixture
def screen(opened: Opened, tmp_path: Path) -> Screen:
    settled = Settings(tmp_path, name="Ann")
    page = LobbyPage(Lobby("Ann"), opened, settled, opened.gives)  # type: ignore[arg-type]
    page.hear(Lobby("Ann", (listing("Friday"), listing("Full", 4)), (left("Monday"),)))
    return Screen(page, settled)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 36), (200, 50)])
def test_the_match_that_has_the_focus_shows_how_it_stands(
    opened: Opened, tmp_path: Path, size: tuple[int, int]
) -> None:
    settled, monday = (
        Settings(tmp_path, name="Ann"),
        replace(left("Monday"), names=NAMES, seat=0),
    )
    page = LobbyPage(Lobby("Ann"), opened, settled)  # type: ignore[arg-type]
    stands = view(you=False)
    known = Lobby("Ann", (listing("Friday"),), (monday,), views={monday.path: stands})
    page.hear(replace(known, views={}))
    before = seen(Screen(page, settled), *size).splitlines()
    page.hear(known)
    after = seen(Screen(page, settled), *size).splitlines()
    told = "Round 2. Bob 3 (1/7), Ann 1 (1/7), Cleo 0 (0/7)"
    heading = "Monday · Round 2."
    assert (told in "\n".join(after)) == (size < (120, 36))
    assert (heading in "\n".join(after)) == (size >= (120, 36))
    rows = [place for place, row in enumerate(after) if re.match(r" [ ►] [0-9a-z]  ", row)]
    kept = [row[: row.find(heading)].rstrip() if heading in row else row[:76] for row in after]
    kept = [row.rstrip() for row in kept[: rows[-1] + 1]]
    assert kept == [row[:76].rstrip() for row in before[: rows[-1] + 1]], "nothing moves"
    if size >= (120, 36):
        assert any(re.search(r"Bob \? .*1/7 5 ?g", row) for row in after), "the cities as left"
        top = next(place for place, row in enumerate(after) if heading in row)
        beside = [row[76:].split() for row in after[top + 1 : top + 4]]
        assert beside == [
            ["Bob", "3", "1/7", "*3"],
            ["Ann", "·", "you", UNICODE.crown, "1", "1/7", "●1"],
            ["Cleo", "0", "0/7"],
        ]
    page.press("2")
    shown = seen(Screen(page, settled), *size)
    assert told not in shown
    assert heading not in shown


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 36)])
def test_of_a_match_of_many_none_is_left_out_without_a_word(
    opened: Opened, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Whatever has no room is counted, and our own seat is among those that have."""
    settled, seats = Settings(tmp_path, name="Ann"), 8
    one = view(you=False)
    stands = replace(one, seats=tuple(replace(one.seats[2], seat=n) for n in range(seats)))
    names = tuple(f"Player{n}" for n in range(seats))
    monday = replace(left("Monday"), names=names, seat=7)
    page = LobbyPage(Lobby("Ann"), opened, settled)  # type: ignore[arg-type]
    tables = tuple(listing(f"Table {n}") for n in range(8))
    page.hear(Lobby("Ann", tables, (monday,), views={monday.path: stands}))
    shown = seen(Screen(page, settled), *size)
    row = next(row for row in shown.splitlines() if "  Monday  " in row)
    if size >= (80, 24):
        here = re.findall(r"Player\d", row)
        others = re.search(r" and (\d) more$", row)
        assert len(here) + (int(others[1]) if others else 0) == seats
        assert "Player7" in here
        assert "…" not in row
    else:
        assert row.endswith("…")
    rows = [row for row in shown.splitlines() if "0/7" in row]
    told = [name for row in rows for name in re.findall(r"Player\d|YOU", row)]
    rest = re.search(r"Round 2\..*, (\d) more$", shown, re.MULTILINE)
    assert len(told) + (int(rest[1]) if rest else 0) == seats
    assert {"Player7", "YOU"} & set(told)


def test_what_the_lobby_always_offers_leaves_room_for_how_a_match_stands() -> None:
    for language in i18n.LANGUAGES:
        i18n.use(language)
        for entry in begin():
            *_blanks, said = told(entry, Look(), 200, focused=False)
            assert 200 + 6 - width(said.text) + width(entry.detail) < BEGUN


def keys(screen: Screen, *pressed: str) -> ScreenEffects:
    """Press keys; every frame on the way is whole at every size."""
    done: ScreenEffects = ()
    for key in pressed:
        done += screen.press(key)
        for columns, rows in SIZES:
            painted(screen, columns, rows)
            painted(screen, columns, rows, ascii_only=True)
    return done


def seen(screen: Screen, columns: int = 80, rows: int = 24) -> str:
    return text(painted(screen, columns, rows))


def typed(screen: Screen, letters: str) -> None:
    for letter in letters:
        screen.press(letter)


# The lobby


def test_an_unfinished_match_is_first_and_has_the_focus(screen: Screen, opened: Opened) -> None:
    lines = seen(screen).splitlines()
    assert "You are Ann." in lines[0]
    first = next(line for line in lines if "Monday" in line)
    assert first.startswith(" ► 1  Monday")
    assert isinstance(keys(screen, "enter")[0], Sit)
    assert opened.lines == [("resume", str(Path("/m/one.citadels")))]


def test_digits_belong_to_their_tables_while_these_are_there(
    screen: Screen, opened: Opened
) -> None:
    page = screen.base
    assert isinstance(page, LobbyPage)
    page.hear(Lobby("Ann", (listing("Alpha"), listing("Friday")), (left("Monday"),)))
    keys(screen, "2")
    assert opened.lines == [], "a digit goes there, Enter does it"
    keys(screen, "enter")
    assert opened.lines[-1] == ("join", "10.0.0.7:24482/Friday")
    assert " 3  Alpha" in seen(screen)
    keys(screen, "3", "enter")
    assert opened.lines[-1] == ("join", "10.0.0.7:24482/Alpha")


def test_the_focus_stays_with_its_table_when_others_come(
    screen: Screen, opened: Opened
) -> None:
    keys(screen, "down")
    assert "► 2  Friday" in seen(screen)
    page = screen.base
    assert isinstance(page, LobbyPage)
    page.hear(Lobby("Ann", (listing("Alpha"), listing("Friday"))))
    assert "► 2  Friday" in seen(screen)
    # Its row is gone for a moment: Enter sits down at no other one.
    page.hear(Lobby("Ann", (listing("Alpha"),)))
    assert "►" not in seen(screen)
    assert "Gone: Friday" in seen(screen)
    keys(screen, "enter")
    assert not opened.lines
    page.hear(Lobby("Ann", (listing("Alpha"), listing("Friday"))))
    assert "► 2  Friday" in seen(screen)
    page.hear(Lobby("Ann", (listing("Alpha"),)))
    keys(screen, "down", "up")
    assert "► 1  Alpha" in seen(screen)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_lobby_that_goes_on_says_so(screen: Screen, columns: int, rows: int) -> None:
    """Every table is seen on one frame or another; each list says how many are not, and none
    takes all the room.
    """
    page = hall(screen, 40, matches=3)
    met: set[str] = set()
    for _ in page.lobby.entries:
        shown = seen(screen, columns, rows)
        names = set(re.findall(r"Table \d\d", shown))
        lines = [f"{row}  " for row in shown.splitlines()]
        begun = [
            one.title for one in begin() if any(f"  {one.title}  " in row for row in lines)
        ]
        met |= names
        for heading, unseen in (
            ("Tables on this network", 40 - len(names)),
            ("Begin", len(begin()) - len(begun)),
        ):
            row = next(row for row in shown.splitlines() if row.startswith(f" {heading}"))
            assert row.endswith(f" {unseen} more" if unseen else heading)
        assert len(names) >= 4
        assert len(begun) >= 2
        assert "►" in shown
        keys(screen, "down")
    assert len(met) == 40


def test_a_list_moves_no_further_than_the_focus_asks(screen: Screen) -> None:
    """Rows that jump with each key cannot be read on the way."""
    hall(screen, 40)
    keys(screen, "home")
    before = tables_in(seen(screen))
    for _ in before[1:]:
        screen.press("down")
        assert tables_in(seen(screen)) == before
    screen.press("down")
    assert tables_in(seen(screen))[:-1] == before[1:]
    screen.press("up")
    assert tables_in(seen(screen))[:-1] == before[1:]
    screen.press("pagedown")
    assert len(set(tables_in(seen(screen))) & set(before)) < len(before) - 2
    assert "► " in next(
        row for row in seen(screen).splitlines() if "Table" in row and "►" in row
    )
    at = tables_in(seen(screen))
    keys(screen, "end")
    assert tables_in(seen(screen)) == at, "the other list moves, not this one"


def test_a_list_begins_with_its_first_row(screen: Screen) -> None:
    page = screen.base
    assert isinstance(page, LobbyPage)
    page.hear(Lobby("Ann", ()))
    seen(screen)
    hall(screen, 40)
    assert tables_in(seen(screen))[0] == "Table 01"


def test_whoever_comes_back_from_a_table_finds_the_list_as_it_was(screen: Screen) -> None:
    """The network is searched anew, which takes seconds."""
    page = hall(screen, 40)
    keys(screen, "home", "down", "enter")
    before = seen(screen)
    page.hear(Lobby("Ann"))
    assert seen(screen) == before
    page.hear(Lobby("Ann", ()))
    assert "Table" not in seen(screen).replace("Tables", "")


def test_tables_of_one_name_and_one_host_are_told_apart(screen: Screen) -> None:
    page = screen.base
    assert isinstance(page, LobbyPage)
    one = replace(listing("Friday"), host="Anna", fingerprint="AAAA-BBBB-CCCC-DDDD")
    two = replace(one, table="77", fingerprint="QRST-UVWX-YZ23-4567")
    page.hear(Lobby("Ann", (one, two, replace(listing("Kitchen"), host="Anna"))))
    keys(screen, "home")
    shown = seen(screen)
    rows = [row for row in shown.splitlines() if "Friday  " in row]
    assert ["AAAA-BBBB-CCCC-DDDD" in row for row in rows] == [True, False]
    assert ["QRST-UVWX-YZ23-4567" in row for row in rows] == [False, True]
    assert "AAAA" in shown.splitlines()[1]
    assert listing("Kitchen").fingerprint not in shown


def test_who_keeps_a_table_stands_in_a_column(screen: Screen) -> None:
    hall(screen, 40)
    rows = [row for row in seen(screen, 80, 24).splitlines() if "Table " in row]
    assert len({row.index("Host") for row in rows if "Host" in row}) == 1
    assert all("3 of 4 seats free" in row for row in rows if "Host" in row)


def test_another_language_is_spoken_at_once(screen: Screen) -> None:
    hall(screen, 3)
    seen(screen)
    screen.settle("lang", "uk")
    assert "seats" not in seen(screen)


def test_a_focus_that_nobody_moved_stays_with_its_table_too(
    screen: Screen, opened: Opened
) -> None:
    page = screen.base
    assert isinstance(page, LobbyPage)
    page.hear(Lobby("Ann", (listing("Kitchen"),)))
    page.hear(Lobby("Ann", (listing("Alpha"), listing("Kitchen"))))
    assert "► 1  Kitchen" in seen(screen)
    page.hear(Lobby("Ann", (listing("Alpha"),)))
    keys(screen, "enter")
    assert not opened.lines
    # Once it has been played at, another one will do.
    page.hear(Lobby("Ann", (listing("Kitchen"),)))
    keys(screen, "enter")
    assert opened.lines
    page.hear(Lobby("Ann", (listing("Alpha"),)))
    assert "► 1  Alpha" in seen(screen)


def test_a_full_table_stays_in_its_place_with_the_reason(
    screen: Screen, opened: Opened
) -> None:
    assert "3  Full                       Every seat is taken." in seen(screen)
    assert keys(screen, "3", "enter") == ()
    assert "Every seat is taken." in seen(screen).splitlines()[1]
    assert opened.lines == []


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("n", "Host a table"),
        ("p", "Practise"),
        ("a", "Join by address or code"),
        ("r", "Rules and cards"),
        ("s", "Settings"),
        ("?", "Help"),
        ("т", "Host a table"),  # the same key on a Russian keyboard
    ],
)
def test_every_way_has_its_key(screen: Screen, key: str, title: str) -> None:
    keys(screen, key)
    assert f"─ {title}" in seen(screen)
    keys(screen, "escape")
    assert "┌" not in seen(screen)


def test_one_may_look_on_where_spectators_are_welcome(screen: Screen, opened: Opened) -> None:
    assert keys(screen, "w") == ()
    assert "Choose a table that welcomes spectators first." in seen(screen)
    page = screen.base
    assert isinstance(page, LobbyPage)
    page.hear(Lobby("Ann", (listing("Friday", spectators=True),)))
    keys(screen, "home", "w")
    assert opened.lines == [("watch", "10.0.0.7:24482/Friday")]


def test_help_tells_the_keys_of_the_place(screen: Screen) -> None:
    keys(screen, "?")
    assert "host a table" in seen(screen, 140, 40)
    assert "hide your hand" not in seen(screen, 140, 40)
    waiting = room(lobby())
    keys(waiting, "?")
    assert "host a table" not in seen(waiting, 140, 40)


def test_leaving_the_lobby_leaves_the_program(screen: Screen) -> None:
    assert keys(screen, "q") == (Quit(),)
    assert screen.press("c-c") == (Quit(),)


def test_a_click_chooses_and_a_second_one_does_it(screen: Screen, opened: Opened) -> None:
    target = Lobby("Ann", (listing("Friday"),)).nearby[0].key
    assert screen.click(target) == ()
    assert isinstance(screen.click(target)[0], Sit)
    assert opened.lines == [("join", "10.0.0.7:24482/Friday")]


def test_an_address_can_be_typed(screen: Screen, opened: Opened) -> None:
    keys(screen, "a")
    typed(screen, "10.0.0.9")
    assert isinstance(keys(screen, "enter")[-1], Sit)
    assert opened.lines == [("join", "10.0.0.9")]


def test_join_words_with_a_slip_are_said_to_be_wrong(tmp_path: Path) -> None:
    settled = Settings(tmp_path, name="Ann")
    page = LobbyPage(
        Lobby("Ann"), lambda line, now, _: opening(build().parse_args(line), now), settled
    )
    screen = Screen(page, settled)
    screen.press("a")
    typed(screen, "1-20-aple-river-ticket")
    assert keys(screen, "enter") == ()
    assert "Did you mean “apple”?" in seen(screen)


def test_what_could_not_be_opened_is_said_in_the_lobby(screen: Screen) -> None:
    keys(screen, "2", "enter")
    screen.sit()
    screen.fail(Unavailable("no_host"))
    assert "The host of that table does not answer." in seen(screen)
    keys(screen, "down")
    assert "You are Ann." in seen(screen)


def test_a_locked_table_asks_for_its_password_and_shows_none(
    screen: Screen, opened: Opened
) -> None:
    keys(screen, "2", "enter")
    screen.sit()
    screen.fail(Unavailable("locked"))
    typed(screen, "open sesame")
    shown = seen(screen)
    assert "Password of the table:" in shown
    assert "--locked" not in shown, "that is for who typed a command"
    assert "sesame" not in shown
    assert "***********" in shown
    keys(screen, "enter")
    assert (opened.lines[-1], opened.passwords[-1]) == (
        ("join", "10.0.0.7:24482/Friday"),
        "open sesame",
    )


def test_a_table_of_ones_own_is_locked_with_a_password_that_is_asked_for(
    screen: Screen, opened: Opened
) -> None:
    keys(screen, "n")
    to(screen, "Password")
    keys(screen, "right", "end", "enter")
    assert opened.lines == []
    typed(screen, "secret")
    assert "secret" not in seen(screen)
    keys(screen, "enter")
    assert (opened.lines, opened.passwords) == ([("host", "--locked")], ["secret"])


def test_after_a_match_the_lobby_says_if_it_ended_badly(screen: Screen) -> None:
    screen.sit()
    screen.hear(lobby(), 0.0)
    screen.hear(Bye(4, "kicked"), 0.0)
    screen.rise()
    assert "The host has sent you away from the table." in seen(screen)


# The form


def test_a_form_ends_as_a_command(screen: Screen, opened: Opened) -> None:
    keys(screen, "n")
    typed(screen, "Friday night")
    keys(screen, "down", "left", "down", "down", "right", "end")
    shown = seen(screen)
    assert "citadels host 'Friday night' --edition" in shown
    assert isinstance(keys(screen, "enter")[-1], Sit)
    assert opened.lines[0][:2] == ("host", "Friday night")
    assert opened.lines[0][-2:] == ("--seats", "5")


def test_cards_are_chosen_on_their_own_page(screen: Screen, opened: Opened) -> None:
    keys(screen, "n", "down", "left", "down", "down", "down", "down", "down", "down")
    assert "► Characters" in seen(screen)
    keys(screen, "enter")
    keys(screen, *["down"] * 9, "enter", "escape")
    shown = seen(screen)
    assert "Characters" in shown
    assert "--characters" in shown


def to(screen: Screen, row: str) -> None:
    """Down to the row of this name."""
    for _ in range(40):
        if f"► {row}" in seen(screen):
            return
        keys(screen, "down")
    raise AssertionError(seen(screen))


def test_a_refusal_stands_beside_its_row_and_nothing_is_opened(
    screen: Screen, opened: Opened
) -> None:
    keys(screen, "n", "down", "left")
    to(screen, "Unique districts")
    keys(screen, "enter", "down", "enter")
    why = "Unique districts in this edition (2016): 14."
    assert why in seen(screen)
    keys(screen, "escape", "end", "enter")
    shown = seen(screen, 120, 36)
    assert "► Unique districts" in shown
    row = next(line for line in shown.splitlines() if "► Unique districts" in line)
    assert why[:30] in row
    assert f"Unique districts: {why}" in shown
    assert opened.lines == []


def test_a_number_of_seconds_is_typed_as_a_number(screen: Screen, opened: Opened) -> None:
    keys(screen, "n")
    to(screen, "Seconds until away")
    keys(screen, "c-u", "4", "5", "end", "pagedown")
    assert "citadels host --away 45" in seen(screen)
    keys(screen, "enter")
    assert opened.lines == [("host", "--away", "45")]


def test_when_a_seat_is_lost_is_asked_too(screen: Screen, opened: Opened) -> None:
    keys(screen, "n")
    to(screen, "Seconds until a seat is lost")
    keys(screen, "c-u", "9", "0", "0", "end", "pagedown")
    keys(screen, "enter")
    assert opened.lines == [("host", "--give-up", "900")]


def test_a_name_that_is_too_long_must_be_put_right_first(screen: Screen) -> None:
    keys(screen, "n")
    typed(screen, "x" * 30)
    assert "a name has 1 to 24 visible characters" in seen(screen)
    keys(screen, "down")
    assert "a name has 1 to 24 visible characters" in seen(screen)
    keys(screen, *["backspace"] * 6, "down")
    assert "► Edition" in seen(screen)


# Settings and rules


def test_settings_hold_at_once_and_are_kept_on_wish(screen: Screen, tmp_path: Path) -> None:
    keys(screen, "s", "down")
    assert keys(screen, "right") == (Settle("lang", "ru"),)
    screen.settle("lang", "ru")
    assert "Цитадели" in seen(screen)
    keys(screen, "up", "up", "enter")
    assert tomllib.loads((tmp_path / "settings.toml").read_text("utf-8")) == {"lang": "ru"}
    assert str(tmp_path) in seen(screen, 140, 40)


def test_another_name_is_the_name_one_sits_down_with(screen: Screen, opened: Opened) -> None:
    keys(screen, "s")
    for letter in "a!":
        for effect in screen.press(letter):
            assert isinstance(effect, Settle)
            screen.settle(effect.key, effect.value)
    keys(screen, "escape", "2", "enter")
    assert opened.names == ["Anna!"]


def test_the_rules_of_every_edition_can_be_read(screen: Screen) -> None:
    keys(screen, "r")
    titles = set()
    for _ in range(4):
        keys(screen, "right")
        titles.add(seen(screen).splitlines()[3])
    assert len(titles) == 4
    typed(screen, "haun")
    assert "Haunted Quarter" in seen(screen)
    typed(screen, "xyz")
    keys(screen, "enter")
    assert "There is no card of that name." in seen(screen) or "┌" not in seen(screen)


# The waiting room


def room(news: TableNews) -> Screen:
    screen = Screen()
    screen.hear(news, 0.0)
    return screen


def test_a_guest_says_ready(opened: Opened) -> None:
    screen = room(lobby())
    assert "Say that you are ready" in seen(screen)
    assert keys(screen, "enter") == (Ready(),)
    screen.hear(lobby(ready=True), 0.0)
    assert "You are ready. Waiting for 1 more person or bot." in seen(screen)
    assert "I am not ready yet after all" in seen(screen)
    assert screen.press("enter") == (Ready(agrees=False),)


def test_a_word_that_has_fallen_says_why() -> None:
    screen = room(lobby(ready=True))
    screen.hear(lobby(third="human"), 0.0)
    assert "New here: Cleo. Say once more that you are ready." in seen(screen)
    screen.hear(lobby(ready=True, third="human"), 0.0)
    screen.hear(lobby(), 0.0)
    assert "Gone: Cleo. Say once more" in seen(screen)
    screen.hear(lobby(ready=True), 0.0)
    screen.hear(lobby(), 0.0)
    assert "Say that you are ready" in seen(screen), "that was the guest's own wish"


def test_a_guest_cannot_touch_the_seats() -> None:
    screen = room(lobby())
    keys(screen, "up", "up")
    assert keys(screen, "left") == ()
    assert keys(screen, "2") == ()


def test_the_host_changes_seats_where_they_stand() -> None:
    screen = room(replace(lobby(), hosting=True, you=0))
    keys(screen, "3")
    assert keys(screen, "right") == (SetBot(2, "easy"),)
    screen.hear(replace(lobby(third="bot"), hosting=True, you=0), 0.0)
    assert keys(screen, "left") == (OpenSeat(2),)
    assert keys(screen, "right") == (SetBot(2, "normal"),)
    assert keys(screen, "2", "enter") == ()
    assert "Bob cannot come back to this table, unless you let them in again." in seen(screen)
    assert keys(screen, "2") == ()
    assert keys(screen, "enter") == (Kick(1),)


def test_an_enter_too_many_puts_no_bot_on_a_seat() -> None:
    """The seat of somebody who was sent away has the focus still."""
    screen = room(replace(lobby(), hosting=True, you=0))
    keys(screen, "3")
    assert keys(screen, "enter", "enter") == ()
    assert keys(screen, "right") == (SetBot(2, "easy"),)


def test_an_enter_before_it_is_known_what_there_is_does_nothing(
    opened: Opened, tmp_path: Path
) -> None:
    """The unfinished match appears a moment later, and has the focus then."""
    settled = Settings(tmp_path, name="Ann")
    page = LobbyPage(Lobby("Ann"), opened, settled)  # type: ignore[arg-type]
    screen = Screen(page, settled)
    assert keys(screen, "enter") == ()
    assert not screen.overlays
    page.hear(Lobby("Ann", unfinished=(left("Monday"),)))
    assert isinstance(keys(screen, "enter")[0], Sit)


def test_nothing_moves_under_the_cursor(opened: Opened, tmp_path: Path) -> None:
    """A table that appears later does not take the place of what an Enter is about to do."""
    settled = Settings(tmp_path, name="Ann")
    page = LobbyPage(Lobby("Ann"), opened, settled)  # type: ignore[arg-type]
    screen = Screen(page, settled)
    page.hear(Lobby("Ann"))
    page.hear(Lobby("Ann", (listing("Alpha"),)))
    assert "► n  Host a table" in seen(screen)


def test_a_table_whose_host_is_gone_is_opened_by_one_key() -> None:
    screen = room(replace(lobby(), host_gone=True))
    assert "The host's laptop is gone." in seen(screen)
    assert "► Open this table on your laptop" in seen(screen)
    assert keys(screen, "enter") == (Reopen(),)
    screen.hear(replace(lobby(), host_gone=True, invited_by="Cleo"), 0.0)
    assert "► Go to the table of Cleo" in seen(screen)
    assert keys(screen, "enter") == (Reopen(),)
    screen.hear(lobby(), 0.0)
    assert "► I am ready" in seen(screen)


def test_the_host_begins_when_all_are_ready() -> None:
    ready = replace(lobby(ready=True, third="bot"), hosting=True, you=0)
    screen = room(ready)
    assert "All are ready: begin the match." in seen(screen)
    assert keys(screen, "enter") == (Start(),)


def test_the_host_proposes_another_game_in_the_same_form() -> None:
    screen = room(replace(lobby(), hosting=True, you=0))
    keys(screen, "up", "enter")
    assert "─ Another game" in seen(screen)
    keys(screen, "down", "right", "end")
    assert keys(screen, "enter") == (Propose(Rules.make("classic", 4, 8)),)


def test_the_host_proposes_other_times_in_the_same_form() -> None:
    waits = Patience(20, 0, "usual", 2, 1)
    screen = room(replace(lobby(), hosting=True, you=0, patience=waits))
    keys(screen, "up", "enter")
    to(screen, "Standing in for who is a")
    keys(screen, "right", "end")
    wanted = Propose(Rules.make("classic", 3, 8), Liveness(escrow="strict"))
    assert keys(screen, "enter") == (wanted,)


def test_a_tables_game_is_no_command_to_be_typed() -> None:
    screen = room(replace(lobby(), hosting=True, you=0))
    keys(screen, "up", "enter")
    assert "citadels --" not in seen(screen)


def test_everybody_sees_which_seat_is_theirs() -> None:
    rows = seen(room(lobby()), 80, 18).splitlines()
    assert [row.split()[1] for row in rows if row[:44].rstrip().endswith("· you")] == ["Bob"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_with_room_the_names_are_large_and_one_row_is_to_be_typed(
    size: tuple[int, int],
) -> None:
    """As on the projector: who sits, how it stands with each, and whose turn it is to act."""
    guest = room(lobby())
    frame = painted(guest, *size)
    large = Grid(40, letters.HIGH)
    letters.write(large, 0, 0, "Bob", "")
    for row in text(large.block()).splitlines():
        assert row.strip() in text(frame)
    mine = [span.text for row in frame for span in row if span.style.startswith("on-mine")]
    assert any("not ready yet · you" in said for said in mine)
    assert next(span for row in frame for span in row if "on-must" in span.style).text.strip()
    guest.hear(lobby(ready=True), 0.0)
    styles = [span.style for row in painted(guest, *size)[:2] for span in row]
    assert any("on-acts" in style for style in styles), "nothing is asked any more"
    host = room(replace(lobby(), hosting=True, you=0))
    shown = painted(host, *size)
    typed = [span.text for row in shown for span in row if "badge" in span.style]
    assert "citadels join Friday" in "".join(typed)
    letters.write(command := Grid(size[0], letters.HIGH), 1, 0, "citadels join Friday", "")
    assert (text(command.block()) in text(shown)) == (size > (80, 24))
    assert keys(host, "3", "right") == (SetBot(2, "easy"),)


def test_everybody_sees_what_is_played_and_what_has_changed() -> None:
    screen = room(lobby())
    options: dict[str, object] = {"edition": "classic", "seats": 3, "city": 6}
    screen.hear(replace(lobby(), options=options), 0.0)
    shown = seen(screen)
    assert "Complete city: 6 districts" in shown
    assert "The host proposes another game" in shown


def test_safety_words_and_who_could_see_what_stand_in_the_waiting_room() -> None:
    news = lobby(third="bot", words=("123", "456", "789", "012"))
    rests = Trust((Holders(2, (0, 2)),), 1, 1)
    agreed = Patience(20, 0, "usual", 3, 2)
    screen = room(replace(news, patience=agreed, trust=rests, carrier="Cleo"))
    shown = seen(screen)
    assert "Cleo holds this table without a seat" in shown
    assert "123 456 789 012" in shown
    assert "Ann and Cleo together could open your hand." in shown
    assert "the host could look into their hands" in shown


def test_long_work_before_the_first_round_shows_how_far_it_is() -> None:
    screen = room(lobby(ready=True))
    screen.hear(Notice("progress", {"what": "keys", "done": 1, "of": 3}), 0.0)
    assert "Making keys together: 1 of 3." in seen(screen)


def test_a_small_window_still_shows_how_others_come_here() -> None:
    code = "192.168.100.200:24482/ABCD-EFGH-IJKL-MNOP"
    screen = room(replace(lobby(), hosting=True, you=0, code=code))
    assert code in seen(screen, 60, 18)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_the_waiting_room_says_nothing_twice(lang: str) -> None:
    """What stands there is in no list of what has happened besides."""
    with i18n.speaking(lang):
        base, dora = lobby(), TableSeat(2, "Dora", "human", 1, True, True)
        shared = (*base.seats[:2], dora)
        screen = room(replace(base, watching=0))
        for news in (
            replace(base, watching=1),
            replace(base, watching=0),
            replace(base, watching=0, seats=shared),
            replace(base, watching=0, seats=shared, you=0, hosting=True),
            replace(base, watching=0, host_gone=True),
            replace(base, watching=0, invited_by="Dora"),
        ):
            screen.hear(news, 0.0)
            frame = " ".join(seen(screen).split())
            for said in (*audience(news), *together(news), forsaken(news)):
                assert frame.count(" ".join(said.split())) <= 1, frame


def test_an_address_that_leads_nobody_here_is_not_shown() -> None:
    shown = seen(room(replace(lobby(), hosting=True, you=0, address="127.0.0.1:4521")))
    assert "This table is on no network: nobody at another laptop can sit down." in shown
    assert "127.0.0.1" not in shown


def test_the_table_takes_the_place_of_the_waiting_room() -> None:
    screen = room(lobby())
    screen.hear(StateNews(view(), NAMES), 0.0)
    assert "Seats" not in seen(screen).splitlines()[4]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_page_is_whole_in_every_language(
    screen: Screen, language: str, opened: Opened
) -> None:
    i18n.use(language)
    keys(
        screen,
        "n",
        "down",
        "left",
        "escape",
        "s",
        "escape",
        "r",
        "down",
        "escape",
        "a",
        "escape",
    )
    waiting = room(
        replace(lobby(), hosting=True, you=0, code="192.168.100.200:24482/" + "ABCD-" * 4)
    )
    keys(waiting, "up", "enter", "down", "escape")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_eight_seats_and_many_uniques_leave_room_for_how_others_join(
    columns: int, rows: int
) -> None:
    """However long the game is: the code is in sight, and every option can be scrolled to."""
    usual = Rules.make("2016", seats=8).uniques
    game = Rules.make(
        "2016", seats=8, uniques=tuple("park" if card == "keep" else card for card in usual)
    )
    guests = tuple(
        TableSeat(seat, f"Guest {seat}", "human", seat, present=True) for seat in range(1, 8)
    )
    news = replace(
        lobby(),
        you=0,
        hosting=True,
        edition="2016",
        options=game.to_options(),
        seats=(lobby().seats[0], *guests),
        watching=2,
        code="192.0.2.2:24482/OBPP-5BRA-U7BG-TQAJ",
    )
    screen = room(news)
    read = set()
    for _ in range(20):
        frame = seen(screen, columns, rows)
        assert news.code in frame
        assert "Begin the match" in frame
        assert "? help" in frame
        read |= {card for card in game.uniques if cards.district(card).split()[-1] in frame}
        screen.press("pagedown")
    assert read == set(game.uniques)
    screen.press("home")
    assert "2016" in seen(screen, columns, rows)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("command", ["host", "play"])
def test_nothing_in_a_form_is_cut(lang: str, command: str) -> None:
    """Every name and every word that a field may be, beside the arrows that change it."""
    with i18n.speaking(lang):
        form = Form.of_command(command)
        for place, field in enumerate(form.fields):
            page, overlay = Screen(), Fill("", form, "", lambda _form: ())
            page.overlays.append(overlay)
            for row in range(place + 1):
                overlay.go(row)
            for _ in range(max(1, len(field.choices) if field.kind != "several" else 1)):
                body = seen(page).splitlines()[2:]
                assert "…" not in "".join(body), (field.name, body)
                page.press("right")


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("reason", sorted(ENDINGS))
def test_why_it_ended_is_told_whole_in_the_lobby(
    lang: str, reason: str, screen: Screen
) -> None:
    with i18n.speaking(lang):
        why = ending(reason, {"name": "Bob"}, Scene())
        screen.base.complain(why)  # type: ignore[union-attr]
        shown = " ".join(row.strip() for row in seen(screen).splitlines()[1:6])
        assert why in shown


def test_a_form_shows_a_few_rows_first_and_unfolds_where_one_goes_to_the_rest(
    screen: Screen,
) -> None:
    keys(screen, "n")
    folded = seen(screen)
    assert "Complete city" in folded
    assert "Seconds" not in folded
    assert re.search(r"▼ \d+ more: Characters", folded) or "more: " in folded
    to(screen, "Complete city")
    keys(screen, "down")
    assert "more:" not in seen(screen, 120, 36)
    assert len(seen(screen, 120, 36).split()) > len(folded.split())


def test_a_form_in_which_something_rare_was_changed_is_not_folded() -> None:
    form = Form.of_command("host").with_value("draft", "deal")
    screen = Screen()
    screen.overlays.append(Fill("Host", form, "Open", lambda _form: ()))
    assert "more:" not in seen(screen, 120, 36)


def test_a_form_that_is_longer_than_the_window_says_so(screen: Screen) -> None:
    screen.press("p")
    rows = seen(screen, 60, 18).splitlines()
    assert any("▼" in row and "more" in row for row in rows), rows
    screen.press("end")
    screen.press("up")
    rows = seen(screen, 60, 18).splitlines()
    assert any("▲" in row and "more" in row for row in rows), rows


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("seats", [3, 8])
def test_the_game_that_is_proposed_is_told_in_a_small_window(lang: str, seats: int) -> None:
    i18n.use(lang)
    screen = Screen()
    edition, extra = ("classic", {}) if seats == 3 else ("2016", {"draft": "deal", "city": 6})
    game = Rules.make(edition, seats, **extra)  # type: ignore[arg-type]
    table = replace(lobby(), you=1, edition=edition, options=game.to_options())
    some = [replace(table.seats[0], seat=n, name=f"Guest {n}") for n in range(seats - 1)]
    some.append(TableSeat(seats - 1, "Bot", "bot", None, True, False, "easy"))
    words = ("144", "602", "802", "894")  # notes that take all the room there is
    screen.hear(replace(table, seats=tuple(some), words=words, watching=2), 0.0)
    shown = " ".join(" ".join(read(screen, (60, 18))).split())
    values = [" ".join(one.partition(": ")[2].split()) for one in chosen(game)]
    assert values[2] in shown, shown
    assert all(value in shown for value in values) or "…" in shown or "▼" in shown


def test_the_program_is_given_away_while_its_page_is_open(
    screen: Screen, opened: Opened
) -> None:
    keys(screen, "d")
    assert opened.giving
    assert "Code: 1234" in seen(screen, 80, 24)
    keys(screen, "escape")
    assert not opened.giving
    assert "Code: 1234" not in seen(screen, 80, 24)


def test_the_waiting_room_says_how_a_friend_gets_the_program() -> None:
    news = replace(lobby(), you=0, hosting=True, code="192.0.2.2:24482/OBPP-5BRA-U7BG-TQAJ")
    assert "citadels share" in seen(room(news), 80, 24)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_what_one_may_begin_is_written_out(opened: Opened, language: str) -> None:
    with i18n.speaking(language):
        page = LobbyPage(Lobby("Ann"), opened, Settings(Path()))  # type: ignore[arg-type]
        shown = seen(Screen(page))
        for entry in begin():
            assert entry.title in shown
            assert entry.detail in shown


def test_help_in_the_lobby_is_about_the_lobby(screen: Screen) -> None:
    """It said that nothing is asked and one may just watch, and what digits do in a turn."""
    screen.press("?")
    shown = seen(screen)
    assert "Choose a table" in shown
    assert "just watch" not in shown
    assert "in your turn" not in shown


def test_help_at_a_table_that_has_not_begun_is_about_that() -> None:
    screen = room(lobby())
    screen.press("?")
    shown = seen(screen)
    assert "when all are ready" in shown
    assert "just watch" not in shown
    assert "in your turn" not in shown


def test_a_table_that_is_chosen_is_told_whole(screen: Screen) -> None:
    """That it is locked came last, and was cut."""
    with i18n.speaking("fr"):
        page = screen.base
        assert isinstance(page, LobbyPage)
        table = replace(listing("Friday"), locked=True, spectators=True)
        page.hear(Lobby("Ann", (table,)))
        keys(screen, "up", "down")
        assert page.status(Look())[1] == table_detail(table)
        assert table_detail(table) in seen(screen)


def test_a_seat_and_the_game_beside_it_have_a_gap() -> None:
    with i18n.speaking("fr"):
        rows = seen(room(lobby()), 80, 18).splitlines()
    assert "vousPlaces" not in "".join(rows)
    assert any("pas encore · vous " in row for row in rows)


# A hall full of tables


def hall(screen: Screen, tables: int, matches: int = 0) -> LobbyPage:
    """So many tables, kept by Host 01, Host 02, …; and unfinished matches."""
    page = screen.base
    assert isinstance(page, LobbyPage)
    found = (
        replace(listing(f"Table {n:02d}"), host=f"Host {n:02d}") for n in range(1, tables + 1)
    )
    kept = tuple(left(f"Left {n}", f"{n:02x}") for n in range(matches))
    page.hear(Lobby("Ann", tuple(found), kept))
    return page


def tables_in(shown: str) -> list[str]:
    """The tables that are in sight, in order; not the one that the status tells of."""
    return re.findall(r"^ .{5}(Table \d\d)", shown, re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_friend_is_found_among_forty_tables(
    screen: Screen, opened: Opened, language: str
) -> None:
    i18n.use(language)
    hall(screen, 40)
    keys(screen, "/", *"host 27")
    shown = seen(screen)
    assert "Table 27" in shown
    assert "Host 27" in shown
    assert "Table 26" not in shown
    keys(screen, "enter")
    assert opened.lines[-1] == ("join", "10.0.0.7:24482/Table 27")


def test_in_the_search_the_focus_stays_with_its_table(screen: Screen, opened: Opened) -> None:
    page = hall(screen, 12)
    keys(screen, "/", *"table", "down", "down")
    assert "► Table 03" in seen(screen)
    page.hear(replace(page.lobby, tables=(listing("A table"), *(page.lobby.tables or ()))))
    assert "► Table 03" in seen(screen)
    keys(screen, "enter")
    assert opened.lines[-1] == ("join", "10.0.0.7:24482/Table 03")


def test_where_nobody_is_called_so_nothing_is_opened(screen: Screen, opened: Opened) -> None:
    hall(screen, 12)
    keys(screen, "/", *"nobody", "enter")
    assert "No table here has that name." in seen(screen)
    keys(screen, "escape", "escape")
    assert opened.lines == []


def test_many_unfinished_matches_are_folded_until_they_are_asked_for(screen: Screen) -> None:
    page = hall(screen, 2, matches=18)
    shown = seen(screen)
    assert "15 more" in shown
    assert "Table 02" in shown
    assert "Left 5" not in shown
    keys(screen, "down", "down", "down", "enter")
    assert "Left 5" in seen(screen)
    hall(screen, 2, matches=18)  # and stay so
    assert len(page.lobby.matches) == 18
    hall(screen, 2, matches=4)
    assert "more" not in seen(screen)


def test_a_match_is_put_away_by_a_key_and_says_how_it_comes_back(
    opened: Opened, tmp_path: Path
) -> None:
    away: list[Path] = []
    why = [""]

    def puts_away(path: Path) -> str:
        away.append(path)
        return why[0]

    settled = Settings(tmp_path, name="Ann")
    page = LobbyPage(Lobby("Ann"), opened, settled, puts_away=puts_away)  # type: ignore[arg-type]
    screen = Screen(page, settled)
    hall(screen, 1, matches=2)
    why[0] = "Another program of yours plays this match."
    keys(screen, "u")
    assert why[0] in seen(screen)
    assert len(page.lobby.matches) == 2
    why[0] = ""
    keys(screen, "u")
    assert "citadels resume" in seen(screen)
    assert [entry.title for entry in page.lobby.matches] == ["Left 1"]
    hall(screen, 1, matches=2)  # the disk was looked at before
    assert [entry.title for entry in page.lobby.matches] == ["Left 1"]
    keys(screen, "down", "u")
    assert "Choose an unfinished match first." in seen(screen)
    assert len(away) == 2


def test_what_there_is_no_room_for_is_said(screen: Screen) -> None:
    page = hall(screen, 1)
    page.hear(replace(page.lobby, left_out=3))
    assert "3 more laptops announce tables" in seen(screen)


def test_who_lets_others_look_on_already_is_offered_nothing() -> None:
    screen = room(replace(lobby(), hosting=True, you=0))
    assert "Let others look on" in seen(screen)
    screen.hear(replace(lobby(), hosting=True, you=0, watching=0), 0.0)
    assert "Let others look on" not in seen(screen)


def test_the_host_lets_in_again_whoever_was_sent_away() -> None:
    screen = room(replace(lobby(), hosting=True, you=0, sent_away=("Dan",)))
    assert "Let Dan in again" in seen(screen)
    keys(screen, "up", "up")
    assert keys(screen, "enter") == (Welcome(),)
    keys(screen, "up")
    assert keys(screen, "enter") == (Readmit(),)
