"""The table: cities, hand, menu and journal, laid out for the size there is."""

from __future__ import annotations

from citadels_p2p.match import Answer, Ask
from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.look import Look
from cli.screen.menu import Menu
from cli.screen.page import Hurry, ScreenEffects
from cli.screen.pages import compact, wide
from cli.screen.pages.choices import opened
from cli.screen.pages.plain_page import talk
from cli.screen.turn_lines import TurnLines
from cli.text import question, refusal
from cli.text import screen as phrases
from cli.text.asking import ranks_in
from cli.text.cells import Row, line


class Table:
    """The match being played."""

    def __init__(self, model: ClientModel) -> None:
        self.model = model
        self.hidden = model.settings.hide
        self.looked_at: int | None = None  #: the seat whose city is spelled out
        self._menu: Menu | None = None
        self._turn: object = None  #: whose lines `_lines` are: the round and the turn in it
        self._lines = TurnLines()

    @property
    def menu(self) -> Menu | None:
        """The menu of the open question; a new question gets a new one."""
        ask = self.model.ask
        if ask is None:
            self._menu = None
        elif self._menu is None or self._menu.ask is not ask:
            self._menu = self._made(ask)
        return self._menu

    def _made(self, ask: Ask) -> Menu:
        """The menu of an ask; those of one turn share their lines."""
        view, me = self.model.view, self.model.me
        turn = None if view is None else (view.round, view.turn)
        if ask.kind == "act" and turn != self._turn:
            self._turn, self._lines = turn, TurnLines()
        city = view.seats[me].city if view is not None and me is not None else ()
        return Menu(
            ask,
            warns=self.model.settings.warnings,
            lines=self._lines,
            city=[card.slot for card in city],
            ranks=ranks_in(self.model.box),
        )

    def settle(self, key: str, value: object) -> None:
        """A setting holds from now on, in the middle of a decision too."""
        if key == "hide":
            self.hidden = bool(value)
        if key == "warnings":
            self._menu = None

    def status(self, look: Look) -> tuple[str, str]:
        model = self.model
        view = model.view
        assert view is not None
        now = phrases.happening(view, model.scene, model.rank, model.box.ranks)
        menu = self.menu
        if menu is None:
            return now, phrases.awaited(model.awaited, model.work, model.scene)
        if self.hidden:
            return now, model.refused or question(menu.ask, model.scene)
        focused = menu.focused
        if focused is not None and focused.barred is not None and menu.sure is None:
            barred = focused.barred
            return now, refusal(barred.reason, barred.fields, model.scene)
        if menu.path:
            return now, model.refused or opened(menu, model, look)
        if menu.ask.sole:
            return now, model.refused or _("Press Enter to go on.")
        return now, model.refused or question(menu.ask, model.scene)

    def commands(self) -> tuple[str, ...]:
        lobby = self.model.lobby
        others = lobby is not None and lobby.patience is not None and self.model.me is not None
        seat = ("own_seat",) if others else ()
        first = ("takeover",) if self.model.is_elsewhere else ()
        words = ("words",) if lobby is not None and lobby.words else ()
        mine = None if lobby is None or self.model.me is None else lobby.seats[self.model.me]
        if mine is not None and mine.kind == "human" and mine.level:
            first, seat = (*first, *seat), ()  # a bot plays it: how to take it back comes first
        hide = ("hide",) if self.model.me is not None else ()  # who watches has no hand
        return (*first, "help", *talk(self.model), "log", "card", *hide, "quit", *seat, *words)

    def keys(self) -> tuple[tuple[str, str], ...]:
        menu = self.menu
        if menu is None:
            return (("Enter", _("skip ahead")),) if self.model.is_paced else ()
        if menu.sure is not None or menu.picks or menu.path:
            return (("Esc", _("back")),)
        return ()

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        if width >= wide.WIDTH and height + look.explained >= wide.HEIGHT:
            return wide.paint(self, look, width, height)
        return compact.paint(self, look, width, height)

    def idle(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """What stands in the menu's place while nothing is asked."""
        hidden = _("Your choices are hidden with your hand: h shows them.")
        nothing = _("Nothing is asked of you now.")
        return (line(" " + (nothing if self.menu is None else hidden), "dim"),)

    def press(self, key: str) -> ScreenEffects | None:
        menu = self.menu
        if key in ("tab", "s-tab"):
            self._look_on(1 if key == "tab" else -1)
            return ()
        if menu is None and key == "enter" and self.model.is_paced:
            return (Hurry(),)
        if menu is None or self.hidden:  # what is not seen is not chosen
            return () if key in ("escape", "enter") or key.isdecimal() else None
        match key:
            case _ if menu.press(key):
                pass
            case "right" if menu.focused is not None and menu.focused.step is not None:
                return self._send(menu.accept())
            case "left" if menu.path:
                menu.back()
            case "enter":
                return self._send(menu.accept())
            case " " if menu.several:
                return self._send(menu.accept())
            case "escape" | "backspace":
                if not menu.back():
                    self.looked_at = None
            case _ if key.isdecimal():
                menu.digit(key)
            case _:
                return None
        self.model.refused = ""
        return ()

    def obey(self, command: str) -> ScreenEffects | None:
        if command != "hide":
            return None
        self.hidden = not self.hidden
        return ()

    def click(self, target: str) -> ScreenEffects | None:
        where, _colon, place = target.partition(":")
        menu = self.menu
        if where == "seat":
            self.looked_at = int(place)
            return ()
        if menu is None or self.hidden:
            return None
        if where == "item" and menu.point(int(place)):
            return self._send(menu.accept())
        if where == "sure":
            return self._send(menu.accept())
        if where == "unsure":
            menu.back()
        return () if where in ("item", "unsure") else None

    def _send(self, picks: tuple[str, ...] | None) -> ScreenEffects:
        ask = self.model.ask
        self.model.refused = ""
        if picks is None or ask is None:
            return ()
        self.model.answered(ask)
        return (Answer(ask.id, picks),)

    def _look_on(self, step: int) -> None:
        view = self.model.view
        assert view is not None
        seats = len(view.seats)
        start = self.looked_at if self.looked_at is not None else (self.model.me or 0)
        self.looked_at = (start + step) % seats
