"""The lobby: matches to go on with, tables nearby as they come and go, and the ways to begin.

The only page without a session. Matches and tables have digits that stay theirs while they are
there; the ways to begin have the keys of the command table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_p2p.match import Session, StateNews
from cli.client.client_model import ClientModel
from cli.client.lobby import Lobby, LobbyEntry, begin, empty_handed
from cli.drawing.grid import Grid
from cli.drawing.panorama import panorama
from cli.i18n import N_, _
from cli.line.command_table import BY_NAME
from cli.line.exits import ASKING, reason_for
from cli.line.form import Form
from cli.screen.look import Look
from cli.screen.overlays.answers import TextPrompt
from cli.screen.overlays.cards import Library
from cli.screen.overlays.fill import Fill
from cli.screen.overlays.finding import TITLE, FindTable, told
from cli.screen.overlays.reading import Giving
from cli.screen.overlays.settings import SettingsOverlay
from cli.screen.page import Base, Open, Quit, Recall, ScreenEffects, Sit
from cli.screen.pages import cities, standings
from cli.screen.pages.sheet import Sheet
from cli.screen.plan import largest
from cli.screen.scroll import shares, step
from cli.settings import Settings
from cli.text import Scene, ending
from cli.text.cells import Row, Span, line, wrap
from cli.text.game import refused_game
from cli.text.nearby import match_detail, match_title, round_of, standing
from cli.text.screen import number_of_more
from cli.text.table import Box
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from citadels_p2p.match import UnfinishedMatch

Gives = Callable[[Settings, Callable[[Sequence[str]], None]], Callable[[], object]]
Opens = Callable[[tuple[str, ...], Settings, str], Callable[[], Awaitable[Session]]]
#: puts an unfinished match away; why not, or ""
PutsAway = Callable[[Path], str]

#: so many tables are found at a glance
MANY = 9

#: the column behind the ways to begin; columns from which a match stands there, a row a seat
BEGUN, BESIDE = 76, 100


class LobbyPage(Base):
    """The base page. `opens` turns a command line, the settings and a password into an
    opening; it raises ValueError for flags that describe no game. `gives` begins to share the
    program, tells what to show meanwhile, and gives back what ends it. `puts_away` puts an
    unfinished match away; it tells why not, or "".
    """

    hints = (("Enter", N_("do it")), ("↑↓", N_("choose")))

    def __init__(
        self,
        lobby: Lobby,
        opens: Opens,
        settled: Settings,
        gives: Gives = lambda *_: lambda: None,
        puts_away: PutsAway = lambda _: "",
    ) -> None:
        self.lobby = lobby
        self._command: tuple[str, ...] = ()
        self._opens = opens
        self._gives = gives
        self._settled = settled
        self._focus = "host"
        self._title = ""
        self._moved = self._heard = False
        self._digits: dict[str, int] = {}
        self._trouble = ""
        self._puts_away = puts_away
        self._away: set[str] = set()  #: matches that were put away, by their tables
        self._unfolded = False
        self._tops: dict[str, int] = {}  #: the first entry in sight, by its heading
        self._page = 1

    def hear(self, lobby: Lobby) -> None:
        """The lobby has changed. The focus begins on the likeliest entry and stays with it,
        also while it is gone: Enter never means another table than the one that was read, and
        nothing before it is known what there is.
        """
        if lobby.tables is None and not lobby.trouble:
            lobby = replace(lobby, tables=self.lobby.tables)  # those of the last search
        lobby = self.lobby = replace(
            lobby,
            name=self._settled.name or lobby.name,
            unfinished=tuple(one for one in lobby.unfinished if one.table not in self._away),
            unfolded=self._unfolded,
        )
        present = [entry.key for entry in (*lobby.matches, *lobby.nearby)]
        self._digits = {key: digit for key, digit in self._digits.items() if key in present}
        for key in present:
            if key not in self._digits:
                free = set(range(1, 10)) - set(self._digits.values())
                if free:
                    self._digits[key] = min(free)
        likely = [entry.key for entry in (*lobby.matches, *lobby.nearby) if not entry.barred]
        was_read = self._focus.startswith("table:") and not self._command
        is_lost = self._focus not in self._keys() and not was_read
        if is_lost or not (self._moved or self._heard):
            self._focus = likely[0] if likely else "host"
        self._heard = True
        titles = {entry.key: entry.title for entry in self.lobby.entries}
        self._title = titles.get(self._focus, self._title)

    def complain(self, why: str) -> None:
        """A table could not be opened: say why until something else is done."""
        self._trouble = why

    # What is shown

    def status(self, look: Look) -> tuple[str, str]:
        name = self.lobby.name
        who = name and _("You are {name}.").format(name=name)
        here = f"{_('Citadels')} {look.signs.dot} {who}" if who else _("Citadels")
        return here, self._said or _("Where do you sit down?")

    @property
    def bar(self) -> str:
        return "on-told" if self._said else "on-must"

    @property
    def _said(self) -> str:
        """What is amiss, or all that is told of the table that has the focus."""
        here = (one for one in self.lobby.nearby if one.key == self._focus and not one.barred)
        said = next((one.about for one in here), "")
        if self._focus not in self._keys():
            said = _("Gone: {table}").format(table=self._title)
        return self._trouble or said

    def commands(self) -> tuple[str, ...]:
        nearby = self.lobby.nearby
        watch = ("watch",) if any(e.watch and e.key == self._focus for e in nearby) else ()
        find = ("find",) if len(nearby) > MANY else ()
        away = ("put_away",) if self._match() is not None else ()
        usual = ("host", "practise", "address", "card", "settings", "help", "quit")
        return (*watch, *find, *away, *usual)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        lobby, room = self.lobby, height
        notes = [part for text in empty_handed(lobby) for part in wrap(text, width - 4)]
        lists = [(_("Tables on this network"), lobby.nearby), (_("Begin"), begin())]
        if lobby.matches:
            lists.insert(0, (_("Matches to go on with"), lobby.matches))
        counts = [len(entries) for _heading, entries in lists]
        room -= len(lists) + len(notes)
        weights = [2 if entries is lobby.nearby else 1 for _heading, entries in lists]
        shown = shares(counts, weights, room)
        seats = max((len(match.names) for match in lobby.unfinished), default=0)
        if seats and (width < BESIDE or shown[-1] < seats):
            room -= 1  # for a line of how a match stands, whichever has the focus
            shown = shares(counts, weights, room)
        gap: tuple[Row, ...] = ((),) if sum(counts) + len(lists) <= room else ()
        rows: list[Row] = []
        for (heading, entries), most in zip(lists, shown, strict=True):
            part = self._part(heading, entries, most, look, width)
            rows += (*gap, *part)
            if entries is lobby.nearby:
                self._page = max(1, most - 1)
                rows += [line(f"   {note}", "dim") for note in notes]
        grid = Grid(width, height)
        grid.lay(rows, 0, 0)
        y = self._left_off(grid, look, len(rows), shown[-1])
        panorama(grid, y, height - y, look.pen)
        return grid.block()

    def _left_off(self, grid: Grid, look: Look, end: int, begun: int) -> int:
        """How the match that has the focus was left, a row a seat: beside the ways to begin,
        `begun` rows that end before row `end`; else as heads of its cities, or below; where all
        of that is too much, in a line. The row behind what stands below.
        """
        match, y = self._match(), end + (end + 1 < grid.rows)
        view = None if match is None else self.lobby.views.get(match.path)
        if match is None or view is None:
            return y
        model = ClientModel(self._settled)
        model.hear(StateNews(view, match.names), 0.0)
        model.scene = replace(model.scene, you=match.seat)
        model.box = Box.of(match.edition)
        sheet, seats = Sheet(grid, look, model, view, still=True), len(view.seats)
        head = f"{match_title(match)} {look.signs.dot} {round_of(view)}"
        is_beside = grid.columns >= BESIDE and seats <= begun
        if is_beside:
            top = end - begun - 1
            standings.places(sheet, BEGUN, top, grid.columns - BEGUN - 1, head)
        free = grid.rows - y - (not is_beside)
        panels = largest(grid.columns, free, seats, sheet.plots)
        if is_beside and panels is None:
            return y
        if panels is None and seats <= free:
            return y + standings.places(sheet, 1, y, grid.columns - 2, head) + 1
        if not is_beside:
            grid.put(1, y, standing(match, view, grid.columns - 2), "bold")
            y += 1
        if panels is None:
            return y
        cities.panels(sheet, y, panels)
        return grid.rows  # a city of nobody's would be taken for one of theirs

    def _part(
        self, heading: str, entries: Sequence[LobbyEntry], most: int, look: Look, width: int
    ) -> tuple[Row, ...]:
        """A heading and as many of its entries, which moves no further than the focus asks."""
        top = min(self._tops.get(heading, 0), len(entries) - most)
        for at in (n for n, one in enumerate(entries) if one.key == self._focus):
            top = max(at - most + 1, min(at, top))
        self._tops[heading] = top
        first: Row = (Span(f" {heading}", "heading"),)
        if most < len(entries):
            up = look.signs.up if top else ""
            down = look.signs.down if top + most < len(entries) else ""
            more = number_of_more(len(entries) - most)
            first = (*first, Span(f"  {up}{down} {more}", "dim"))
        return (first, *(self._row(one, look, width) for one in entries[top : top + most]))

    def _row(self, entry: LobbyEntry, look: Look, width: int) -> Row:
        focused = entry.key == self._focus
        sign = look.signs.focus if focused else " "
        command = BY_NAME.get(_COMMANDS.get(entry.key, entry.key))
        own = command.keys[0] if command is not None else " "
        key = self._digits.get(entry.key, own)
        style = "focus" if focused else "dim" if entry.barred else "key"
        if (match := self._match(entry.key)) is not None:
            room = width - 8 - TITLE - 1
            entry = replace(entry, detail=match_detail(match, room))
        row = told(entry, look, width - 8, focused=focused)
        return (
            Span(f" {sign} ", style, entry.key, focused),
            Span(f"{key:<2} ", style, entry.key),
            *(span._replace(target=entry.key) for span in row),
        )

    # What is pressed

    def press(self, key: str) -> ScreenEffects | None:
        keys = self._keys()
        at = keys.index(self._focus) if self._focus in keys else 0
        place = step(key, at, len(keys), page=self._page)
        if place is not None:
            return self._to(keys[place])
        if key == "enter" and (self._heard or self._moved):
            return self._choose(self._focus)
        if key in ("enter", "escape"):
            return ()
        for entry, digit in self._digits.items():
            if key == str(digit):
                return self._to(entry)
        return () if key.isdecimal() else None

    def obey(self, command: str) -> ScreenEffects | None:
        if command == "watch":
            return self._watch()
        if command == "put_away":
            return self._put_away()
        if command == "find":
            return (Open(FindTable(lambda: self.lobby.nearby, self._take)),)
        for entry in begin():
            if _COMMANDS.get(entry.key, entry.key) == command:
                return self._take(entry)
        return None

    def click(self, target: str) -> ScreenEffects | None:
        if target not in self._keys():
            return None
        if target == self._focus:
            return self._choose(target)
        return self._to(target)

    def _keys(self) -> list[str]:
        return [entry.key for entry in self.lobby.entries]

    def _to(self, key: str) -> ScreenEffects:
        self._focus, self._moved, self._trouble, self._command = key, True, "", ()
        self._title = next((one.title for one in self.lobby.entries if one.key == key), "")
        return ()

    def _choose(self, key: str) -> ScreenEffects:
        entry = next((one for one in self.lobby.entries if one.key == key), None)
        if entry is None:
            return ()
        if entry.barred:
            self._trouble = entry.barred
            return ()
        match entry.kind:
            case "host" | "play":
                begin_it = _("Open the table") if entry.kind == "host" else _("Begin the game")
                form = Form.of_command(entry.kind)
                fill = Fill(entry.title, form, begin_it, lambda done: self._sit(done.line()))
                return (Open(fill),)
            case "address":
                asked = _("The host's address, join code or words:")
                join = TextPrompt(entry.title, asked, lambda typed: self._sit(("join", typed)))
                return (Open(join),)
            case "share":
                return (Open(Giving(partial(self._gives, self._settled))),)
            case "past":
                return (Recall(lambda path: self._sit(("replay", path))),)
            case "rules":
                return (Open(Library()),)
            case "settings":
                return (Open(SettingsOverlay(self._settled)),)
            case "unfold":
                self._unfolded = True
                self.hear(self.lobby)
                return ()
            case "quit":
                return (Quit(),)
        return self._sit(entry.line)

    def _take(self, entry: LobbyEntry) -> ScreenEffects:
        """A table that was found among many, or an entry whose key was pressed."""
        self._to(entry.key)
        return self._choose(entry.key)

    def _match(self, key: str = "") -> UnfinishedMatch | None:
        """The unfinished match of an entry; where none is given, of the one with the focus."""
        key = key or self._focus
        here = key.removeprefix("resume:")
        matches = self.lobby.unfinished if here != key else ()
        return next((one for one in matches if one.table == here), None)

    def _put_away(self) -> ScreenEffects:
        match = self._match()
        if match is None:
            self._trouble = _("Choose an unfinished match first.")
            return ()
        why_not = self._puts_away(match.path)
        if not why_not:
            self._away.add(match.table)
            self.hear(self.lobby)
        said = _("Put away: {table}. It comes back with: citadels resume {file}")
        put = said.format(table=match_title(match), file=match.path.stem)
        self._trouble = why_not or put
        return ()

    def _watch(self) -> ScreenEffects:
        """Look on at the table that has the focus."""
        entry = next((one for one in self.lobby.nearby if one.key == self._focus), None)
        if entry is not None and entry.watch:
            return self._sit(entry.watch)
        self._trouble = _("Choose a table that welcomes spectators first.")
        return ()

    def fail(self, problem: ProtocolError) -> ScreenEffects:
        reason = reason_for(problem)
        # The page that asks says it all; the sentence tells how a command is made to ask.
        self._trouble = "" if reason == "locked" else ending(reason, {}, Scene())
        return self._ask_password() if reason in ASKING else ()

    def settle(self, key: str, value: str | bool | None) -> None:
        self._settled = replace(self._settled, **{key: value})  # type: ignore[arg-type]
        name = value if key == "name" and isinstance(value, str) and value else self.lobby.name
        self.lobby = replace(self.lobby, name=name)  # and its entries in another language

    def _sit(self, command: tuple[str, ...]) -> ScreenEffects:
        self._trouble, self._command = "", command
        if command[0] == "host" and "--locked" in command:
            return self._ask_password()
        return self._open("")

    def _ask_password(self) -> ScreenEffects:
        asked = _("Password of the table:")
        return (Open(TextPrompt(_("Password"), asked, self._open, secret=True)),)

    def _open(self, password: str) -> ScreenEffects:
        try:
            opening = self._opens(self._command, self._settled, password)
            return (Sit(opening, guided="--guided" in self._command),)
        except ValueError as problem:
            self._trouble = refused_game(problem)[1]
        except ProtocolError as problem:
            self._trouble = ending(reason_for(problem), {}, Scene())
        return ()


#: entry → command whose key goes with it, where that has another name
_COMMANDS = {"play": "practise", "rules": "card"}
