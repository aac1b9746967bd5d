"""The table: the cities, and below them what happened, what is asked, hand and journal."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from citadels_p2p.match import AdviceNews, Advise, Answer, Ask, Say
from citadels_p2p.rules.view import View
from cli.client.client_model import ClientModel
from cli.drawing.grid import Grid
from cli.i18n import _
from cli.screen.look import Look
from cli.screen.menu import Menu
from cli.screen.page import Hurry, ModelPage, ScreenEffects
from cli.screen.pages import (
    annals,
    choices,
    chronicle,
    cities,
    hand,
    happening,
    ranks,
    standings,
)
from cli.screen.pages.choices import opened
from cli.screen.pages.sheet import Sheet, fits
from cli.screen.plan import HIGH, NARROW, ROOMY, Plan, above, plan, rank_rows
from cli.screen.turn_lines import TurnLines
from cli.text import question, reactions, refusal
from cli.text import screen as phrases
from cli.text.advice import advice
from cli.text.asking import ranks_in
from cli.text.cells import Block, width
from cli.text.screen import time_left

#: columns of the question and the menu where the page is narrow, and from which it is broad
MENU, BROAD = 49, 100
#: columns from which the journal has a column of its own
WIDE = 160
#: rows of a panel from which the place of one that is missing shows who leads
GAP = 8
#: choices for which the line of the hand gives its row up
CHOICES = 5
#: seats whose bars are shown without all the others
BARS = 5


def waited(model: ClientModel, look: Look) -> str:
    """For how long the table has waited for somebody; "" where that is not long."""
    seconds = model.seconds_waited(look.now)
    return "" if seconds is None else phrases.time_waited(seconds)


def seen(view: View, look: Look) -> View:
    """The table as it is seen: as it stands, or as it stood when what is shown happened; the
    hand is as it stands, and the characters are those of the round that is seen.
    """
    if look.moment is None:
        return view
    then, you = look.moment.view, view.you
    if you is not None and then.you is not None and then.round != view.round:
        you = replace(you, characters=then.you.characters)
    return replace(then, you=you)


class Table(ModelPage):
    """The match being played."""

    bare = True

    @property
    def bar(self) -> str:
        return "on-acts" if self.model.ask is None else "on-must"

    def __init__(self, model: ClientModel) -> None:
        super().__init__(model)
        self.hidden = model.settings.hide
        self.looked_at: int | None = None  #: the seat whose city is spelled out
        self._place: int | None = None  #: and the district of it that is looked at
        self._rank: int | None = None  #: the rank that is looked at
        self._asks_bot = False  #: what a bot would do stands there, or is awaited
        self._heeded: AdviceNews | None = None  #: to which the focus went
        self._menu: Menu | None = None
        self._speaks = False  #: the digit that comes next says something
        self._nudged = -inf  #: when whoever is waited for was last reminded
        self._now = 0.0  #: when the page was painted
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
            self._asks_bot = False
        elif self._asks_bot and self.model.advice is not self._heeded:
            self._heeded = self.model.advice
            if self._heeded is not None:
                self._menu.show(self._heeded.picks)
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
            vain=() if view is None else view.faceup,
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
            return now, model.refused or opened(menu, self.model, look)
        if menu.ask.sole:
            return now, model.refused or _("Press Enter to go on.")
        return now, model.refused or question(menu.ask, model.scene)

    @property
    def _is_shared(self) -> bool:
        """Whether somebody at another laptop hears what the viewer says."""
        return self.model.is_live and self.model.me is not None and self.model.record is None

    def commands(self) -> tuple[str, ...]:
        lobby = self.model.lobby
        seat = ("own_seat",) if self._is_shared else ()
        first = ("takeover",) if self.model.is_elsewhere else ()
        words = ("words",) if lobby is not None and lobby.words else ()
        mine = None if lobby is None or self.model.me is None else lobby.seats[self.model.me]
        if mine is not None and mine.kind == "human" and mine.level:
            first, seat = (*first, *seat), ()  # a bot plays it: how to take it back comes first
        advised = self.model.may_be_advised
        advise = ("advise",) if advised and self.menu is not None else ()
        hide = ("hide",) if self.model.me is not None else ()  # who watches has no hand
        react = ("react",) if self._is_shared else ()
        say = () if advised else self.talk  # bots do not listen
        usual = (*first, "help", *react, *say, "log", "card", *advise, *hide, "quit")
        return (*usual, *seat, *words)

    def keys(self) -> tuple[tuple[str, str], ...]:
        menu = self.menu
        if self._rank is not None:
            return (("Tab", _("city")), ("←→", _("ranks")), ("Esc", _("back")))
        if self.looked_at is not None:
            return (("Tab", _("city")), ("←→", _("districts")), ("Esc", _("back")))
        if menu is None:
            return (("Enter", _("skip ahead")),) if self.model.is_paced else ()
        if menu.sure is not None or menu.picks or menu.path:
            return (("Esc", _("back")),)
        return ()

    # What is shown

    def paint(self, look: Look, columns: int, rows: int) -> Block:
        """All rows but the keys, and an explanation above them."""
        view, self._now = self.model.view, look.now
        assert view is not None
        sheet = Sheet(Grid(columns, rows), look, self.model, seen(view, look), self.hidden)
        sheet.pointed, sheet.ranked = self._pointed(sheet.view), self._rank
        note = self.model.trouble(look.now)
        whole = rows + look.explained + 1  # an explanation moves no city
        note = "" if standings.status(sheet, note) else note
        if columns >= ROOMY:
            standings.ranking(sheet, 1)
        top = above(columns, whole)
        ranks.ranks(sheet, top - rank_rows(columns, whole), rank_rows(columns, whole))
        panels = plan(columns, whole, len(view.seats), sheet.plots)
        y = cities.rows(sheet, top) if panels is None else cities.panels(sheet, top, panels)
        if panels is not None:
            happening.draw(sheet, panels)
            if annals.is_in_skies(panels, len(view.seats)):
                annals.skies(sheet)
        banded = (columns >= ROOMY and whole >= HIGH) or chronicle.must_tell(sheet) or note
        filled = panels is not None and self._fill_gap(sheet, top, panels)
        low = Sheet(sheet.grid, look, self.model, view, self.hidden)
        low.pointed, low.ranked = self._pointed(view), self._rank
        self._below(low, y + bool(banded), panels, barred=filled)
        if banded:
            sheet.journalled = low.journalled
            chronicle.band(sheet, y, note)
        return sheet.grid.block()

    def _pointed(self, view: View) -> tuple[int, int] | None:
        """The district that is looked at, if it still stands."""
        seat, place = self.looked_at, self._place
        if seat is None or place is None or seat >= len(view.seats):
            return None
        return (seat, place) if place < len(view.seats[seat].city) else None

    def _fill_gap(self, sheet: Sheet, top: int, panels: Plan) -> bool:
        """Who leads, as bars, in the place of a city that an odd table leaves free."""
        seats = len(sheet.view.seats)
        free = panels.across * panels.lines - seats
        if not free or panels.height < GAP:
            return False
        x = (panels.across - free) * (panels.size + 1)
        y = top + (panels.lines - 1) * panels.height
        size = sheet.grid.columns - x - 1
        self._leaders(sheet, x, y, size, panels.height - 1)
        return True

    def _leaders(self, sheet: Sheet, x: int, y: int, size: int, rows: int) -> None:
        """Who leads, as bars under a heading; as it is seen, also while something is shown."""
        sheet.title(x, y, size, _("Who leads"))
        shown = replace(sheet, view=seen(sheet.view, sheet.look))
        standings.bars(shown, x, y + 1, size, rows - 1)

    def _below(self, sheet: Sheet, y: int, panels: Plan | None, *, barred: bool) -> None:
        """All below the band: the question, the hand, what is known, the journal."""
        menu = None if self.hidden else self.menu
        columns, last = sheet.grid.columns, sheet.grid.rows
        room = max(1, last - y - 3)
        if self._rank is not None:
            y += ranks.spelled(sheet, y, room)
        elif self.looked_at is not None and self.looked_at < len(sheet.view.seats):
            y += cities.spelled(sheet, sheet.view.seats[self.looked_at], y, room)
        elif self._asks_bot and menu is not None:
            y += self._advice(sheet, menu, y, room)
        chooses = menu is not None and menu.ask.kind == "character" and menu.sure is None
        if chooses and menu is not None:
            self._choosing(sheet, menu, y, last)
        elif columns < BROAD:
            self._narrow(sheet, menu, y, last, drawn=panels is not None)
        else:
            told = annals.is_in_skies(panels, len(sheet.view.seats))
            self._broad(sheet, menu, y, last, barred=barred, told=told)

    def _advice(self, sheet: Sheet, menu: Menu, y: int, rows: int) -> int:
        """What a bot would do, and why; the rows it took."""
        news = self.model.advice
        if news is None:
            return sheet.note(y, rows, (_("A bot thinks about it…"), ""), ())
        first, *more = advice(news, menu.ask, sheet.model.scene)
        return sheet.note(y, rows, (first, ""), (" ".join(more),))

    def _ask(self, sheet: Sheet, menu: Menu | None, x: int, y: int, size: int) -> int:
        """The bar of the question, or of whoever is waited for; the rows it took."""
        told = self.status(sheet.look)[1]
        if menu is None and (sheet.calling is not None or sheet.is_behind):
            told = _("One moment…")
        seconds = self.model.seconds_left(sheet.look.now)
        left = "" if seconds is None else time_left(seconds)
        if self._speaks:
            return choices.question(sheet, x, y, size, choices.reactions(), "")
        if menu is None:
            if self.menu is not None:  # it is hidden with the hand
                told = _("Your choices are hidden with your hand: h shows them.")
                return choices.question(sheet, x, y, size, told, left)
            signs = sheet.look.signs
            note = left or phrases.bar(self.model.work, signs.full, signs.empty)
            note = note or waited(self.model, sheet.look)
            return choices.idle(sheet, x, y, size, told, note)
        item = menu.focused
        does = item is not None and item.barred is None and menu.sure is None
        does = does and not sheet.look.reads
        hint = _("Enter: do it") if does and not menu.ask.sole else ""
        if left:
            room = size - width(told) - width(hint) - 8
            left = fits((_("{left}, then chance decides").format(left=left),), room) or left
        note = f"{left}   {hint}".strip() if left else hint
        return choices.question(sheet, x, y, size, told, note)

    def _menu_rows(
        self, sheet: Sheet, menu: Menu | None, x: int, y: int, size: int, rows: int
    ) -> int:
        """What may be chosen; while nothing may, who has chosen a character."""
        if menu is not None:
            return choices.choices(sheet, menu, x, y, size, rows)
        used = 0
        if sheet.view.phase == "selection" and not sheet.is_behind and rows > 0:
            choices.order(sheet, x + 1, y, size - 2)
            used = 1
        if self._is_shared and not self._speaks and rows > used + 1:
            waits = self._reminds is not None
            used += choices.speech(sheet, x + 1, y + used, size - 2, nudges=waits)
        return used

    @property
    def _reminds(self) -> int | None:
        """The seat of another person whom one waits for and may remind."""
        awaited = self.model.awaited
        early = self._now - self._nudged < reactions.PATIENCE
        seat, lobby = None if awaited is None else awaited.seat, self.model.lobby
        if seat in (None, self.model.me) or early or lobby is None:
            return None
        return seat if lobby.seats[seat].kind == "human" else None

    def _choosing(self, sheet: Sheet, menu: Menu, y: int, last: int) -> None:
        """A character is chosen: the menu has the whole width."""
        columns, cards = sheet.grid.columns, len(hand.held(sheet)) + len(hand.lost(sheet))
        # question, order, what is not offered, and a heading before the hand as spines
        lined = columns < BROAD or last - y - menu.free - 4 < cards
        if lined and last - y - 2 > min(menu.free, CHOICES):
            hand.line(sheet, y)
            y += 1
        y += self._ask(sheet, menu, 0, y, columns)
        if last - y > menu.free:
            gone = choices.not_offered(sheet, menu)
            tight = last - y - 1 <= menu.free
            more = _("Not offered: {characters}").format(characters=gone) if gone else ""
            choices.order(sheet, 1, y, columns - 2, more if tight else "")
            y += 1
        y += choices.characters(sheet, menu, y, last - y)
        if last - y >= 3 and not lined:
            half = columns // 2
            self._journal(sheet, 1, y, half - 2, last - y)
            self._hand(sheet, half + 1, y, columns - half - 2, last - y)
        elif last - y >= 2:
            self._journal(sheet, 1, y, columns - 2, last - y)

    def _narrow(
        self, sheet: Sheet, menu: Menu | None, y: int, last: int, *, drawn: bool
    ) -> None:
        """The hand in one line; the menu, and beside it what there is room for."""
        columns = sheet.grid.columns
        if last - y - 2 >= (1 if menu is None else min(menu.free, CHOICES - 1)):
            hand.line(sheet, y)
            y += 1
        beside = columns >= NARROW and (menu is not None or not drawn)
        size = MENU if beside else columns
        asked = self._ask(sheet, menu, 0, y, size)
        used = y + asked + self._menu_rows(sheet, menu, 0, y + asked, size, last - y - asked)
        if not beside and columns >= NARROW:
            used += chronicle.know(sheet, 1, used, columns - 2, min(2, last - used))
            self._journal(sheet, 1, used, columns - 2, last - used)
            return
        if not beside:
            chronicle.journal(sheet, 1, used, columns - 2, last - used)
            return
        x, side = size + 1, columns - size - 2
        at = y if drawn else y + cities.corner(sheet, x, y, side)
        at += chronicle.know(sheet, x, at, side, min(4, last - at) if drawn else last - at)
        if last - at >= max(3, last - used):
            self._journal(sheet, x, at, side, last - at)
        elif last - used >= 2:
            self._journal(sheet, 1, used, size - 2, last - used)
        else:
            chronicle.journal(sheet, 1, used, size - 2, last - used)

    def _broad(
        self, sheet: Sheet, menu: Menu | None, y: int, last: int, *, barred: bool, told: bool
    ) -> None:
        """Two columns, or three: the menu, the hand, the journal. `barred`: who leads stands
        above already; `told`: so does what one remembers of the seats.
        """
        columns, rows = sheet.grid.columns, last - y
        wide = columns >= WIDE
        left = columns * 36 // 100 if wide else columns * 11 // 20
        x, side = left + 2, columns * 35 // 100 if wide else columns - left - 3
        used = self._ask(sheet, menu, 0, y, left)
        room = rows - used
        if not wide and menu is not None and room > menu.free:
            room -= 1  # the newest of the journal comes before reasons and effects
        used += self._menu_rows(sheet, menu, 0, y + used, left, room)
        seats, kept = len(sheet.view.seats), chronicle.known_height(sheet, side)
        if wide:
            kept = 0 if barred else seats + 1
        elif rows - kept <= len(hand.held(sheet)) + len(hand.lost(sheet)):
            kept = min(kept, 1 + len(chronicle.known(sheet)))  # by numbers alone
        at = y + self._hand(sheet, x, y, side, max(2, rows - kept))
        if wide:
            used += chronicle.know(sheet, 1, y + used, left - 2, rows - used)
            if last - at >= 4 and not barred:
                self._leaders(sheet, x, at, side, last - at)
                at += 1 + seats
            if not told:
                annals.rounds(sheet, 1, y + used, left - 2, rows - used)
                annals.uniques(sheet, x, at, side, last - at)
            third = x + side + 2
            self._journal(sheet, third, y, columns - third - 1, rows)
            return
        at += chronicle.know(sheet, x, at, side, last - at)
        bars = not barred and last - at > max(BARS, seats)
        free, beside = rows - used, 0 if bars else last - at
        if bars:
            self._leaders(sheet, x, at, side, last - at)
        if beside >= 3 and beside > free + 1:
            self._journal(sheet, x, at, side, beside)
        elif free >= 2:
            self._journal(sheet, 1, y + used, left - 2, free)
        else:
            chronicle.journal(sheet, 1, y + used, left - 2, free)

    def _hand(self, sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
        """The hand as spines under its heading; the rows they took."""
        if sheet.view.you is None:
            return hand.spines(sheet, x, y, size, rows)
        sheet.title(x, y, size, f"{hand.heading(sheet)} {hand.count(sheet)}")
        return 1 + hand.spines(sheet, x, y + 1, size, rows - 1)

    def _journal(self, sheet: Sheet, x: int, y: int, size: int, rows: int) -> None:
        sheet.title(x, y, size, _("Journal"))
        chronicle.journal(sheet, x, y + 1, size, rows - 1)

    # What is pressed

    def press(self, key: str) -> ScreenEffects | None:
        speaks, self._speaks = self._speaks, False
        if speaks and key.isdecimal() and 1 <= int(key) <= len(reactions.REACTIONS):
            return (Say(_(reactions.REACTIONS[int(key) - 1])),)
        if speaks and key in ("escape", "enter"):
            return ()
        menu = self.menu
        if key in ("tab", "s-tab"):
            self._look_on(1 if key == "tab" else -1)
            return ()
        looks = self.looked_at is not None or self._rank is not None
        if looks and key in ("left", "right", "escape"):
            self._walk(key)
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
                if self._asks_bot:
                    self._asks_bot = False
                else:
                    menu.back()
            case _ if key.isdecimal():
                menu.digit(key)
            case _:
                return None
        self.model.refused = ""
        return ()

    def obey(self, command: str) -> ScreenEffects | None:
        if command == "hide":
            self.hidden = not self.hidden
        elif command == "advise":
            return self._advise()
        elif command == "react" and self._is_shared:
            self._speaks = True
        elif command == "nudge" and self._is_shared:
            if self._reminds is None:
                return ()
            self._nudged = self._now
            return (Say(_(reactions.NUDGE)),)
        else:
            return None
        return ()

    def click(self, target: str) -> ScreenEffects | None:
        where, _colon, place = target.partition(":")
        menu = self.menu
        if where == "react":
            self._speaks = True
            return self.press(place)
        if where == "seat":
            self.looked_at, self._rank = int(place), None
            return ()
        if where == "rank":
            self.looked_at, self._rank = None, int(place)
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
        self.model.answered(ask, picks)
        return (Answer(ask.id, picks),)

    def _advise(self) -> ScreenEffects:
        """Ask what a bot would do; once more takes it away."""
        if not self.model.may_be_advised or self.menu is None or self.hidden:
            return ()
        self._asks_bot = not self._asks_bot
        self.looked_at = self._place = self._rank = None
        return (Advise(),) if self._asks_bot and self.model.advice is None else ()

    def _look_on(self, step: int) -> None:
        """To the next city around the table, and behind the last one to the ranks."""
        view = self.model.view
        assert view is not None
        count, me = len(view.seats), self.model.me or 0
        stops: list[int | None] = [(me + place) % count for place in range(1, count + 1)]
        stops.append(None)
        looks = self.looked_at is not None or self._rank is not None
        at = stops.index(self.looked_at) if looks else len(stops) - 1
        if looks or step > 0:
            at = (at + step) % len(stops)
        self.looked_at, self._place, self._rank = stops[at], None, None
        if self.looked_at is None:
            self._rank = self.model.rank or min(self.model.box.ranks, default=None)

    def _walk(self, key: str) -> None:
        """On to the next district of the city that is looked at; Esc looks away."""
        view, seat, place = self.model.view, self.looked_at, self._place
        if key == "escape":
            self.looked_at = self._place = self._rank = None
        elif self._rank is not None:
            known = sorted(self.model.box.ranks)
            step = 1 if key == "right" else -1
            self._rank = known[(known.index(self._rank) + step) % len(known)]
        elif view is not None and seat is not None and (count := len(view.seats[seat].city)):
            step = 1 if key == "right" else -1
            self._place = (step > 0) - 1 if place is None else place + step
            self._place %= count
