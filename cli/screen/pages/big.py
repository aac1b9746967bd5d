"""The table for a room that looks on: nothing to press, and everything as large as it goes.

From five metres one reads who acts, what was done to whom last, who has how many points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from citadels_p2p.match import TableSeat
from cli.client.client_model import ClientModel
from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.drawing.panorama import panorama
from cli.i18n import _, counted
from cli.screen.look import Look
from cli.screen.page import ModelPage
from cli.screen.pages import afar, cities, happening, ranks, seating, standings
from cli.screen.pages.sheet import Sheet
from cli.screen.pages.table import Table, seen, waited
from cli.screen.plan import largest
from cli.share import qr
from cli.text import brief, cards, deeds
from cli.text.cells import Block, pad, width, wrap
from cli.text.lobby import joins, waited_for, where
from cli.text.scene import called

#: columns and rows from which names and points are written in large letters
COLUMNS, ROWS = 140, 40
#: columns that the waiting room keeps for all but the picture, and rows around that
ROOM, AROUND = 76, 10


class Big(ModelPage):
    """Cities, gold, crown, victims and the last acts, for the back row."""

    bare = True

    def __init__(self, model: ClientModel) -> None:
        super().__init__(model)
        self._table = Table(model)

    def status(self, look: Look) -> tuple[str, str]:
        return self._table.status(look)

    def paint(self, look: Look, width: int, height: int) -> Block:
        view = self.model.view
        assert view is not None
        if width < COLUMNS or height < ROWS:
            return self._table.paint(look, width, height)
        sheet = Sheet(Grid(width, height), look, self.model, seen(view, look))
        standings.status(sheet, self.model.trouble(look.now))
        y = 1 + _acts(sheet, 1)
        y += _told(sheet, y, _said(sheet, y))
        places = _places(sheet)
        beside = afar.size(places)
        afar.column(sheet.grid, look, (width - beside, y, beside), height - y - 3, places)
        left = Sheet(Grid(width - beside - 1, height - y - 3), look, self.model, sheet.view)
        panels = largest(left.grid.columns, left.grid.rows, len(view.seats), left.plots)
        if panels is not None:
            cities.panels(left, 0, panels)
            happening.draw(left, panels)
            sheet.grid.lay(left.grid.block(), 0, y)
        ranks.ranks(sheet, height - 2, 2)
        return sheet.grid.block()


def _acts(sheet: Sheet, y: int) -> int:
    """Who acts, and as whom; the rows it took."""
    grid, turn, seat = sheet.grid, sheet.view.turn, sheet.acting
    grid.fill(0, y, grid.columns, letters.FIELD, "on-acts")
    name = sheet.name(seat) if seat is not None else ""
    role = f"{turn.rank} {cards.character(turn.character)}" if turn is not None else ""
    short = f"{turn.rank} {brief.character(turn.character, 9)}" if turn is not None else ""
    gone = _("Characters are being chosen.") if sheet.view.phase == "selection" else ""
    if name and gone:
        role, short = gone, _("chooses")
    forms = [f"{name}  {one}".strip() for one in (role or gone, short)]
    told = (*forms, name) if name else (gone or _("One moment…"),)
    long = waited(sheet.model, sheet.look)
    room = grid.columns - 4 - (width(long) + 2 if long else 0)
    afar.write(sheet.grid, sheet.look, 2, y + 1, told, room, "strong")
    grid.put(grid.columns - width(long) - 2, y + 1, long, "bold")
    return letters.FIELD


def _said(sheet: Sheet, y: int) -> int:
    """What somebody has just said, at the right end; the columns left of it."""
    grid, spoken = sheet.grid, sheet.model.spoken
    if not spoken:
        return grid.columns
    seat, (text, _at) = list(spoken.items())[-1]
    name, most = sheet.name(seat), grid.columns * 2 // 5
    forms = (f"{name}: {text}", text)
    large = next((one for one in forms if letters.known(one) and letters.size(one) <= most), "")
    room = letters.size(large) if large else min(most, width(text))
    x = grid.columns - max(room, width(name)) - 4
    grid.fill(x, y, grid.columns - x, letters.FIELD + 1, "on-key")
    letters.write(grid, x + 2, y + 1, large, "bold", ascii_only=sheet.look.ascii)
    if large != forms[0]:
        grid.put(x + 2, y + letters.FIELD, name, "bold")
    grid.lines(x + 2, y + 1, () if large else wrap(text, room)[: letters.HIGH], "bold")
    return x


def _told(sheet: Sheet, y: int, columns: int) -> int:
    """What was done last, in so many columns: whom it befell and what they lost, else who did
    what; the rows.
    """
    grid, entry = sheet.grid, sheet.newest or sheet.earlier
    event = None if entry is None else entry.event
    lost = () if event is None else deeds.suffered(event, sheet.model.scene)
    grid.fill(0, y, columns, letters.FIELD + 1, "on-bad" if lost else "on-told")
    if event is None or entry is None:
        return letters.FIELD + 1
    who = deeds.victim(event) if lost else event.fields().get("seat")
    name = sheet.name(who if isinstance(who, int) else None)
    forms = lost or deeds.done(event, sheet.model.scene)
    large = tuple(f"{name}: {form}".replace("−", "-") for form in forms)
    by = tuple(form.replace("−", "-") for form in lost)  # it names the doer, the sentence both
    afar.write(sheet.grid, sheet.look, 2, y + 1, (*large, *by, name), columns - 4, "bold")
    grid.put(2, y + letters.FIELD, pad(entry.text, min(columns - 4, width(entry.text))), "bold")
    return letters.FIELD + 1


def _places(sheet: Sheet) -> list[afar.Place]:
    """All seats, who leads first."""
    return [
        afar.Place(
            sheet.name(seat.seat),
            seat.points_so_far,
            sheet.built(seat),
            leads=seat.points_so_far == sheet.most,
            acts=seat.seat == sheet.acting,
            is_near=sheet.is_short(seat),
        )
        for seat in sorted(sheet.seats, key=lambda seat: -seat.points_so_far)
    ]


class BigWaiting(ModelPage):
    """The waiting room for a room that looks on: how one comes here, and who is here."""

    bare = True
    _low = 0  #: the row behind the picture at the right end

    def status(self, look: Look) -> tuple[str, str]:
        news = self.model.lobby
        assert news is not None
        return where(news), ""

    def paint(self, look: Look, width_: int, height: int) -> Block:
        news, grid = self.model.lobby, Grid(width_, height)
        assert news is not None
        grid.fill(0, 0, width_, 1, "on-bar")
        taken = sum(seat.kind != "open" for seat in news.seats)
        count = counted(
            "{taken} of {count} seat taken",
            "{taken} of {count} seats taken",
            count=len(news.seats),
            taken=taken,
        )
        grid.put(1, 0, where(news), "status")
        grid.put(width_ - width(count) - 1, 0, count, "dim")
        command, words, others = joins(news)
        width_ -= self._given(grid, look)
        y = _typed(grid, command, others, width_)
        last, large = height - 2, letters.lines(words, width_ - 2)
        seats = sorted(news.seats, key=lambda seat: seat.kind == "open")
        people = [seat for seat in seats if seat.kind != "open"]
        # Panels of free seats go first, for these are counted above; then large names.
        for parts, shown in (
            (large, seats),
            (large, people),
            (large, []),
            ([], seats),
            ([], []),
        ):
            rows = seating.height(shown, width_) - 1 if shown else -(-len(seats) // 2)
            if y + len(parts) * letters.FIELD + 1 + rows <= last:
                break
        for part in parts:
            letters.write(grid, 1, y + 1, part, "strong", ascii_only=look.ascii)
            y += letters.FIELD
        y += 1
        if shown:
            y = seating.draw(grid, look, shown, (0, y, width_), partial(_panel, look=look))
        else:
            y = _listed(grid, look, seats, y)
        panorama(grid, max(y, self._low), last - max(y, self._low), look.pen)
        grid.fill(0, height - 1, grid.columns, 1, "on-told")
        grid.put(1, height - 1, waited_for(news), "bold")
        return grid.block()

    def _given(self, grid: Grid, look: Look) -> int:
        """Where the program is given away, as a picture that a phone opens; the columns that it
        took at the right end, none where there is no room or no such place.
        """
        where, self._low = self.model.given_at, 0
        picture = qr.rows(where, ascii_only=look.ascii) if where else ()
        size = max((*map(width, picture), width(where)), default=0)
        if not where or grid.columns - size < ROOM or grid.rows < len(picture) + AROUND:
            return 0
        x = grid.columns - size - 1
        y = grid.lines(x, 2, wrap(_("No citadels on your laptop yet?"), size), "bold")
        y = grid.lines(x, y, picture, "strong")
        y = grid.lines(x, y, (where,), "key")
        how = _("A browser says how; a phone opens the picture.")
        self._low = grid.lines(x, y, wrap(how, size), "dim") + 1
        return size + 2


def _typed(grid: Grid, command: str, others: Sequence[str], columns: int) -> int:
    """What to type, and other ways, from the third row on; the row behind it."""
    at, y = grid.put(1, 2, _("Type this:"), "bold") + 1, 2
    if at + width(command) + 2 > columns:
        at, y = 0, 3
    grid.fill(at, y, columns - at - 1, 1, "on-badge")
    grid.put(at + 1, y, command, "bold")
    told = (part for text in others for part in wrap(text, columns - 2))
    return grid.lines(1, y + 1, told, "dim")


def _listed(grid: Grid, look: Look, seats: Sequence[TableSeat], y: int) -> int:
    """Who sits, two to a row; the row behind them."""
    size = grid.columns // 2
    for place, seat in enumerate(seats):
        panel = _panel(seat, look)
        at = grid.put(place % 2 * size + 1, y + place // 2, f"{panel.state}  ", panel.ink)
        grid.put(at, y + place // 2, called(seat.name) if seat.kind != "open" else "", "bold")
    return y + -(-len(seats) // 2) + 1


def _panel(seat: TableSeat, look: Look) -> seating.Panel:
    """A seat, and what it waits for."""
    signs = look.signs
    if seat.kind == "open":
        return seating.Panel(f"{signs.unchosen} {_('free')}", "dim")
    if seat.operator == 0 and seat.kind == "human":
        return seating.Panel(f"{signs.chosen} {_('ready')}", "good bold", _("the host"))
    if seat.kind == "bot" or seat.ready:
        level = cards.level(seat.level) if seat.level else ""
        return seating.Panel(f"{signs.chosen} {_('ready')}", "good bold", level)
    return seating.Panel(f"{signs.unchosen} {_('not ready yet')}", "warn")
