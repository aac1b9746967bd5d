"""The waiting room: who sits at the table, what it plays, and whether the match may begin.

The host changes seats where it stands: left and right on a seat put bots on it and send them
away, Enter on a guest asks whether to send the guest away. Everybody sees each change at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from citadels_p2p import match
from citadels_p2p.match import TableNews, TableSeat
from citadels_p2p.rules import Rules
from cli.client.client_model import ClientModel
from cli.client.effects import AT_ONCE
from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.drawing.panorama import panorama
from cli.i18n import N_, _
from cli.line.arguments import LEVELS
from cli.line.form import Form
from cli.screen.look import Look
from cli.screen.overlays.answers import Confirm
from cli.screen.overlays.fill import Fill
from cli.screen.overlays.journal import entry_rows
from cli.screen.page import ModelPage, Obey, Open, ScreenEffects
from cli.screen.pages import seating
from cli.screen.scroll import Scroll, step
from cli.text import cards, notice
from cli.text import lobby as lobby_text
from cli.text.cells import Block, Row, Span, beside, line, pad, row_width, wrap
from cli.text.doubts import mark
from cli.text.game import chosen
from cli.text.scene import called

#: columns from which the game stands beside the seats
WIDE = 76
#: cells of the game's column
GAME = 36
#: sentences of the journal that are always seen
TALK = 4
#: rows above the picture while a table is being opened
HEAD = 4


class Waiting(ModelPage):
    """Rows that can be chosen: the seats (for the host), then what may be done."""

    _focus = -1  #: counted from the seats on; negative: from the last action backwards

    def __init__(self, model: ClientModel) -> None:
        super().__init__(model)
        self._game = Scroll()

    @property
    def news(self) -> TableNews:
        news = self.model.lobby
        assert news is not None
        return news

    def status(self, look: Look) -> tuple[str, str]:
        return lobby_text.where(self.news), self._must()[0]

    @property
    def bar(self) -> str:
        return "on-must" if self._must()[1] else "on-acts"

    def _must(self) -> tuple[str, bool]:
        """What must be done, and whether by the viewer."""
        news, work = self.news, self.model.work
        if work is not None:
            return notice(work, self.model.scene), False
        if news.spectator:
            return _("You watch; the match is told as soon as it begins."), False
        if news.host_gone or news.invited_by:
            return lobby_text.forsaken(news), True
        if news.hosting:
            if lobby_text.may_start(news):
                return _("All are ready: begin the match."), True
            if lobby_text.is_complete(news):
                return lobby_text.waited_for(news), False
            return _("Waiting for guests; or put bots on the open seats."), True
        if news.you is None:
            return "", False
        if news.seats[news.you].ready:
            return f"{_('You are ready.')} {lobby_text.waited_for(news)}", False
        asked = _("Say that you are ready when you agree to this table.")
        return self.model.fallen or asked, True

    def commands(self) -> tuple[str, ...]:
        first = ("takeover",) if self.model.is_elsewhere else ()
        words = ("words",) if self.news.words else ()
        code = ("code",) if self.news.code and not self.news.words else ()
        heard = self.talk
        plays = len(lobby_text.yours(self.news)) == 1 and not self.news.words
        explain = ("explain",) if plays else ()
        kept = ("log", "card", "settings", "quit")
        return (*first, *heard, "help", *code, *explain, *kept, *words)

    def keys(self) -> tuple[tuple[str, str], ...]:
        more = (("PgUp PgDn", _("scroll")),) if self._game.is_cut else ()
        return (*self._seat_keys(), *more)

    def _seat_keys(self) -> tuple[tuple[str, str], ...]:
        seat = self._seat()
        if seat is None or not self.news.hosting:
            return (("Enter", _("choose")),)
        if seat.kind == "human":
            other = seat.seat not in lobby_text.yours(self.news)
            return (("Enter", _("send away")),) if other else ()
        return (("←→", _("bot or guest")),)

    # What is shown

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """With names in large letters and a city where there is room; else as a list."""
        grid = Grid(width, height)
        y = self._drawn(grid, look, width, height)
        if not y:
            rows = self._listed(look, width, height)
            grid.lay(rows, 0, 0)
            y = len(rows)
        panorama(grid, y + 1, height - y - 1, look.pen)
        return grid.block()

    def _drawn(self, grid: Grid, look: Look, width_: int, height: int) -> int:
        """What others type, as large as it goes; the seats as panels or in rows, the game
        beside them, below what may be done; the row behind it all, 0 where it has no room.
        """
        news, options, notes = self.news, self._options(look, width_), self._notes(width_)
        left = width_ - max(map(row_width, options)) - 3
        if width_ < WIDE or left < seating.PANEL:
            return 0
        actions, said = self._action_rows(look), self._said(look, width_)
        doors = self._doors(width_)
        ways_in = bool(doors) and not lobby_text.is_alone(news)
        typed, words, _others = lobby_text.joins(news) if ways_in else ("", "", ())
        below = [*actions, *([()] if doors else ()), *doors, *([()] if notes else ()), *notes]
        below += [(), *said] if said else []
        large = letters.lines(typed, width_ - 2) or letters.lines(words, width_ - 2)
        panels, rows = seating.height(news.seats, left), len(news.seats) + 1
        ways = [(large, panels), (large, rows), ((), panels), ((), rows)]
        for lines, seats in ways if typed else [((), panels)]:
            used = 1 + 2 * bool(typed) + len(lines) * letters.FIELD
            used += max(seats, len(options) + 1)
            if used + len(below) <= height:
                break
        else:
            return 0
        y = 1
        if typed:
            at = grid.put(1, y, _("Type this:"), "bold") + 1
            grid.fill(at, y, width_ - at - 1, 1, "on-badge")
            grid.put(at + 1, y, typed, "bold")
            y += 2
        for part in lines:
            letters.write(grid, 1, y, part, "strong", ascii_only=look.ascii)
            y += letters.FIELD
        if seats == panels:
            places = (0, y, left)
            seating.draw(grid, look, news.seats, places, lambda seat: self._panel(seat, look))
        else:
            grid.lay([self._seat_row(seat, look) for seat in news.seats], 0, y)
        grid.lay(options, left + 2, y)
        y += max(seats, len(options) + 1)
        grid.lay(below, 0, y)
        return y + len(below)

    def _panel(self, seat: TableSeat, look: Look) -> seating.Panel:
        here = self._on_seats() and self._seat() == seat
        mine = seat.seat in lobby_text.yours(self.news)
        state = self._told(seat, look)
        if self._seats_count():  # the host goes to it by its number
            state = f"{seat.seat + 1} {state}"
        late = seat.kind == "human" and not seat.ready and seat.operator != 0
        ink = "dim" if seat.kind == "open" else "warn" if late else "good"
        return seating.Panel(state, ink, field="on-mine" if mine else "on-sky", here=here)

    def _listed(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """Seats and actions always, then how others come here, the talk, the rest."""
        seats = [line(" " + _("Seats"), "heading")]
        seats += [self._seat_row(seat, look) for seat in self.news.seats]
        actions = self._action_rows(look)
        doors, notes = self._doors(width), self._notes(width)
        options = self._options(look, width)
        #: rows of the game that the seats leave no room for
        beneath = 0 if width >= WIDE else min(2, len(options))
        needed = len(seats) + beneath + len(actions)
        blank: list[Row] = [()] if needed + len(doors) + len(notes) + 4 <= height else []
        free = max(0, height - needed - 4 * len(blank))
        how = [*doors, *notes][:free] if len(doors) <= free else doors[len(doors) - free :]
        room = height - len(actions) - len(how) - 4 * len(blank)
        said = self._said(look, width)
        said = said[len(said) - max(0, min(len(said), room - len(seats) - beneath)) :]
        upper: Block
        if width >= WIDE:
            game = self._game.show(options, look, max(len(seats), room - len(said)))
            upper = beside(((seats, width - GAME - 1), (game, GAME)), (Span(" "),))
        else:
            left = max(0, room - len(said) - len(seats))
            game = self._game.show(options, look, left)
            if 0 < len(game) < min(3, len(options)):  # too low for the signs of a scroll
                game = (*game[:-1], (*game[-1], Span(look.signs.ellipsis, "dim")))
            upper = (*seats, *game)
        return (*blank, *upper, *blank, *actions, *blank, *how, *blank, *said)[:height]

    def _options(self, look: Look, width: int) -> list[Row]:
        """The game that is proposed: a column of its own, or a sentence below the seats."""
        options = chosen(Rules.from_options(self.news.options))
        if width < WIDE:
            brief = f" {look.signs.dot} ".join(options)
            return [line(f" {part}") for part in wrap(brief, width - 2)]
        rows: list[Row] = [line(_("The game"), "heading")]
        return rows + [line(part) for x in options for part in wrap(x, GAME - 2, "  ")]

    def _seat_row(self, seat: TableSeat, look: Look) -> Row:
        focused = self._seat() == seat and self._on_seats()
        sign = look.signs.focus if focused else " "
        mine = seat.seat in lobby_text.yours(self.news)
        style = "focus" if focused else "you" if mine else ""
        name = called(seat.name) if seat.kind != "open" else _("open")
        is_ready = seat.kind == "human" and seat.ready
        mark = Span(f" {sign} {seat.seat + 1} ", style or "dim", f"seat:{seat.seat}", focused)
        return (
            mark,
            Span(pad(name, 16, ellipsis=look.signs.ellipsis), style, f"seat:{seat.seat}"),
            Span(f" {self._told(seat, look)}", "good" if is_ready else "dim"),
        )

    def _told(self, seat: TableSeat, look: Look) -> str:
        """How it stands with a seat, and whether it is the viewer's."""
        state = self._state(seat)
        mine = (_("you"),) if seat.seat in lobby_text.yours(self.news) else ()
        doubt = (mark(seat.suspected),) if seat.suspected else ()
        return f" {look.signs.dot} ".join((state, *doubt, *mine))

    def _state(self, seat: TableSeat) -> str:
        if seat.kind == "open":
            return _("for a guest")
        if seat.kind == "bot":
            return _("bot, {level}").format(level=cards.level(seat.level))
        if seat.operator == 0:
            return _("the host")
        return _("ready") if seat.ready else _("not ready yet")

    def _action_rows(self, look: Look) -> list[Row]:
        rows: list[Row] = []
        for place, (name, label) in enumerate(self._actions()):
            focused = place == self._place() - self._seats_count()
            sign = look.signs.focus if focused else " "
            style = "focus" if focused else "key"
            rows.append((Span(f" {sign} ", style, name, focused), Span(label, style, name)))
        return rows

    def _doors(self, width: int) -> list[Row]:
        """How others come here; the last row is enough by itself."""
        news = self.news
        if news.words or not news.hosting:
            return []
        if lobby_text.is_alone(news):
            return _dim((lobby_text.alone(),), width)
        texts = (
            lobby_text.no_citadels_yet(),
            _("Others on this network type: citadels join"),
            *lobby_text.aloud(news),
            *lobby_text.elsewhere(news),
            _("If that finds nothing, they type this:"),
            f"  citadels join {news.code or news.address}",
        )
        return _dim(texts, width)

    def _notes(self, width: int) -> list[Row]:
        """Safety words, who looks on, how long one waits, who could see what."""
        news = self.news
        words = lobby_text.safety(news) if news.words else ()
        who = (
            *lobby_text.together(news),
            *lobby_text.audience(news),
            *lobby_text.patience(news),
            *lobby_text.bots_seen(news),
        )
        return _dim((*words, *who), width)

    def _said(self, look: Look, width: int) -> list[Row]:
        entries = list(self.model.journal)[-TALK:]
        return [
            (Span(" "), *row) for entry in entries for row in entry_rows(entry, look, width - 2)
        ]

    # What is pressed

    def press(self, key: str) -> ScreenEffects | None:
        if key in ("pageup", "pagedown", "home", "end"):
            self._game.press(key)
            return ()
        count = self._seats_count() + len(self._actions())
        if not count:
            return None
        place = step(key, self._place(), count)
        if place is not None:
            self._focus = place
            return ()
        match key:
            case "left" | "right" if self._on_seats():
                return self._cycle(1 if key == "right" else -1)
            case "enter":
                return self._enter()
            case _ if key.isdecimal() and 0 < int(key) <= self._seats_count():
                self._focus = int(key) - 1
            case _:
                return None
        return ()

    def click(self, target: str) -> ScreenEffects | None:
        where, _colon, place = target.partition(":")
        if where == "scroll":
            self._game.press("pageup" if place == "up" else "pagedown")
            return ()
        if where == "seat" and place.isdecimal() and self._seats_count():
            again = self._place() == int(place)
            self._focus = int(place)
            return (self._enter() or self._cycle(1)) if again else ()
        names = [name for name, _label in self._actions()]
        if target not in names:
            return None
        self._focus = self._seats_count() + names.index(target)
        return self._enter()

    def _actions(self) -> tuple[tuple[str, str], ...]:
        """What may be done besides, the likeliest last."""
        news = self.news
        if not news.address or news.spectator or news.words:
            return ()
        if news.invited_by:
            there = _("Go to the table of {name}").format(name=called(news.invited_by))
            return (("reopen", there),)
        if news.host_gone:
            return (("reopen", _("Open this table on your laptop")),)
        if news.hosting:
            usual = (("change", _("Change the game")), ("start", _("Begin the match")))
            back = (("readmit", lobby_text.readmission(news)),) if news.sent_away else ()
            shut = news.watching is None
            return (*back, *((("welcome", _("Let others look on")),) if shut else ()), *usual)
        if news.you is None:
            return ()
        if news.seats[news.you].ready:
            return (("unready", _("I am not ready yet after all")),)
        return (("ready", _("I am ready")),)

    def _seats_count(self) -> int:
        changing = self.news.hosting and self.news.address and not self.news.words
        return len(self.news.seats) if changing else 0

    def _place(self) -> int:
        count = self._seats_count() + len(self._actions())
        return self._focus % count if count else 0

    def _on_seats(self) -> bool:
        return self._place() < self._seats_count()

    def _seat(self) -> TableSeat | None:
        return self.news.seats[self._place()] if self._on_seats() else None

    def _enter(self) -> ScreenEffects:
        seat = self._seat()
        if seat is not None:  # a bot comes and goes by other keys than a habitual Enter
            return self._send_away(seat) if seat.kind == "human" else ()
        actions = self._actions()
        if not actions:
            return ()
        act = AT_ONCE.get(actions[self._place() - self._seats_count()][0])
        if act is not None:
            return (act,)  # to change the game asks for another one first
        form = Form.of_table(self.news)
        return (Open(Fill(_("Another game"), form, _("Propose this"), self._propose)),)

    def _propose(self, form: Form) -> ScreenEffects:
        if form.proposal() == Form.of_table(self.news).proposal():
            return ()
        return (match.Propose(*form.proposal()),)

    def _send_away(self, seat: TableSeat) -> ScreenEffects:
        if seat.seat in lobby_text.yours(self.news):
            return ()
        asked = _("{name} cannot come back to this table, unless you let them in again.")
        asked = asked.format(name=called(seat.name))
        return (Open(Confirm(asked, _("Yes, send away"), (match.Kick(seat.seat),))),)

    def _cycle(self, by: int) -> ScreenEffects:
        """A seat goes round: open, then a bot of each level."""
        seat = self._seat()
        if seat is None or seat.kind == "human":
            return ()
        states = ("", *LEVELS)
        now = states.index(seat.level) if seat.kind == "bot" and seat.level in states else 0
        wanted = states[(now + by) % len(states)]
        return (match.SetBot(seat.seat, wanted),) if wanted else (match.OpenSeat(seat.seat),)


def _dim(texts: Iterable[str], width: int) -> list[Row]:
    return [line(f" {part}", "dim") for text in texts for part in wrap(text, width - 2)]


class Opening(ModelPage):
    """A table is being opened or looked for; nothing is known of it."""

    bar = "on-told"
    hints = (("Esc", N_("back")),)

    def status(self, look: Look) -> tuple[str, str]:
        return _("Citadels"), _("Opening…")

    def press(self, key: str) -> ScreenEffects | None:
        return (Obey("quit"),) if key == "escape" else None

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        work, grid = self.model.work, Grid(width, height)
        told = "" if work is None else notice(work, self.model.scene)
        grid.lines(1, 1, wrap(told, width - 2))
        panorama(grid, HEAD, height - HEAD, look.pen)
        return grid.block()
