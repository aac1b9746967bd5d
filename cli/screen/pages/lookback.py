"""A round is over: who was who, what they did to each other, and how everybody stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citadels_p2p.rules.view import SeatView, View
from cli.client.rounds import RoundSummary
from cli.drawing.grid import Grid
from cli.i18n import N_, _, counted
from cli.screen.look import Look
from cli.screen.moments import Instant
from cli.screen.page import ModelPage, ScreenEffects
from cli.screen.pages import chronicle, cities, ranks, standings
from cli.screen.pages.sheet import Sheet
from cli.screen.plan import ROOMY, plan, rank_rows
from cli.text import cards
from cli.text import screen as phrases
from cli.text.cells import Block, Row, Span, fit, line, pad, wrap
from cli.text.cells import width as cells

#: rows of the window that are not the page's: the status and the keys
AROUND = 3
#: columns from which who leads stands beside what happened, and rows of the journal, at least
BROAD, JOURNAL = 100, 4
#: cells that a name has at least, and those that neither names nor characters may have
NAME, KEPT = 14, 32


class Lookback(ModelPage):
    """It stands until a key is pressed, so that nobody misses what was shown."""

    hints = (("Enter", N_("go on")),)

    def _round(self) -> RoundSummary:
        ended = self.model.recap
        assert ended is not None
        return ended

    def _table(self) -> View:
        table = self._round().table
        assert table is not None
        return table

    def status(self, look: Look) -> tuple[str, str]:
        ended = self._round()
        over = _("Round {round} is over.").format(round=ended.number)
        if ended.last:
            over = _("Round {round} is over, and with it the match.").format(round=ended.number)
            return over, _("Press Enter for the score.")
        if self.model.ask is not None:
            return over, _("Your choice is waiting: press Enter.")
        return over, _("Press Enter to go on.")

    def commands(self) -> tuple[str, ...]:
        return ("help", *self.talk, "log", "card", "quit")

    def press(self, key: str) -> ScreenEffects | None:
        return _go_on(self) if key in ("enter", " ", "escape") else None

    def click(self, target: str) -> ScreenEffects | None:
        return _go_on(self) if target == "on" else None

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """The cities as they stood, with all characters shown; where none has room, a list."""
        return self._drawn(look, width, height) or self._listed(look, width, height)

    def _drawn(self, look: Look, width: int, height: int) -> Block:
        ended = self._round()
        view = self._shown()
        then = replace(look, moment=Instant(view, view.n))
        sheet = Sheet(Grid(width, height), then, self.model, view, still=True)
        if width < ROOMY:
            return ()
        free = height + look.explained  # an explanation moves no city
        panels = plan(width, free + AROUND, len(view.seats), sheet.plots)
        rows = rank_rows(width, free + AROUND)
        top = 1 + rows
        high = 0 if panels is None else panels.lines * panels.height
        if width < BROAD and top + high + _high(ended.told, width) + 3 > free:
            panels = None  # rows take fewer
        standings.ranking(sheet, 0)
        ranks.ranks(sheet, 1, rows)
        y = cities.rows(sheet, top) if panels is None else cities.panels(sheet, top, panels)
        room, half = height - y - 3, width * 11 // 20
        size = half if width >= BROAD and _high(ended.told, half) <= room else width
        told = [(), *_told(ended.told, look, size, room)]
        sheet.grid.lay([*told, (), self._button(look)], 0, y)
        below = y + len(told) + 3
        if (free := height - below) >= JOURNAL:
            sheet.title(1, below, size - 2, _("Journal"))
            chronicle.journal(sheet, 1, below + 1, size - 2, free - 1)
        if size < width and room >= len(view.seats):
            sheet.title(size + 1, y + 1, width - size - 2, _("Who leads"))
            standings.bars(sheet, size + 1, y + 2, width - size - 2, room)
        return sheet.grid.block()

    def _shown(self) -> View:
        """The table when the round ended, with whatever character became known."""
        view, known = self._table(), self._round().characters
        seats = (replace(one, characters=tuple(known.get(one.seat, ()))) for one in view.seats)
        # what lies face up by now, and what one holds, may be the next round's
        shown = replace(view, round=self._round().number, seats=tuple(seats), faceup=())
        return replace(shown, turn=None, you=None)

    def _button(self, look: Look) -> Row:
        return (Span(f"{look.signs.focus} {_('Go on')}", "focus", "on", True),)

    def _listed(self, look: Look, width: int, height: int) -> Block:
        view, ended = self._table(), self._round()
        names = (cells(self.model.scene.name(seat.seat)) for seat in view.seats)
        broad = max(NAME, *names)
        rows: list[Row] = [_head(width, broad)]
        rows += [self._seat(seat, ended, look, width, broad) for seat in view.seats]
        last = self._button(look)
        if ended.told and height - len(rows) > 2:
            rows.append(line(look.signs.rule * width, "rule"))
            rows += _told(ended.told, look, width, height - len(rows) - 1)
        return (*rows, *[()] * (height - len(rows) > 1), last)

    def _seat(
        self, seat: SeatView, ended: RoundSummary, look: Look, width: int, broad: int
    ) -> Row:
        view = self._table()
        crown = pad(look.signs.crown if view.crown == seat.seat else "", 2)
        away = " " if seat.present else look.signs.away
        shown = ended.characters.get(seat.seat, [])
        roles = ", ".join(cards.character(role) for role in shown)
        ellipsis = look.signs.ellipsis
        points = counted("{points} point", "{points} points", points=seat.points_so_far)
        row = (
            Span(f"{crown}{away} ", "crown"),
            Span(
                pad(self.model.scene.name(seat.seat), broad, ellipsis=ellipsis),
                "you" if seat.seat == self.model.me else "",
            ),
            Span(
                " " + pad(roles or look.signs.barred, width - KEPT - broad, ellipsis=ellipsis)
            ),
            Span(f" {pad(str(seat.gold), 6, right=True)}", "gold"),
            Span(f" {pad(f'{len(seat.city)}/{view.city_size}', 6, right=True)}"),
            Span(f" {pad(points, 11, right=True)}"),
        )
        return fit(row, width, ellipsis)


def _high(sentences: Sequence[str], width: int) -> int:
    """The rows that all of them take."""
    return sum(len(wrap(one, width - 3, "  ")) for one in sentences)


def _told(sentences: Sequence[str], look: Look, width: int, height: int) -> list[Row]:
    """The newest sentences, in at most `height` rows; the first counts those before them."""
    told = [[line(f"  {text}") for text in wrap(one, width - 3, "  ")] for one in sentences]
    left = height - (sum(map(len, told)) > height)
    rows: list[Row] = []
    while told and len(told[-1]) + len(rows) <= left:
        rows = [*told.pop(), *rows]
    more = f"  {look.signs.up} {phrases.number_of_more(len(told))}"
    return [line(more, "dim"), *rows] if told else rows


def _head(width: int, broad: int) -> Row:
    heads = (
        "   ",
        pad(_("player"), broad),
        " ",
        pad(_("character"), width - KEPT - broad),
        " ",
        pad(_("gold"), 6, right=True),
        " ",
        pad(_("city"), 6, right=True),
        " ",
        pad(_("so far"), 11, right=True),
    )
    return line("".join(heads), "dim")


def _go_on(page: Lookback) -> ScreenEffects:
    page.model.recap = None
    return ()
