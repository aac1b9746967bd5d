"""What is above the cities: what is going on, who is about to end it, and who leads."""

from __future__ import annotations

from typing import NamedTuple

from citadels_p2p.rules.view import SeatView
from cli.drawing.pen import KINDS
from cli.i18n import _, counted
from cli.screen.pages import cities
from cli.screen.pages.sheet import Sheet
from cli.text import brief, deeds
from cli.text import screen as phrases
from cli.text.cells import clip, width

#: cells between two seats in the row of who leads, at most
GAP = 5
#: cells that a seat's bar has for its name's sake, and behind it
BAR_HEAD, BAR_TAIL = 2, 9
#: points for which a bar always has room
SCALE = 24
#: cells in which bars still tell one seat from another
LEAST = 6
#: cells of a row beside its name and its districts, without what is built
PLACED = 13


def status(sheet: Sheet, note: str) -> bool:
    """The first row. `note`: what is amiss, which comes before all else at its right end.
    Whether it had room there.
    """
    view, grid, model = sheet.view, sheet.grid, sheet.model
    grid.fill(0, 0, grid.columns, 1, "on-bar")
    now = phrases.happening(view, model.scene, sheet.called, model.box.ranks)
    room = grid.columns - 2
    at = grid.put(1, 0, clip(now, room, sheet.look.signs.ellipsis), "status")
    short = [sheet.name(seat.seat) for seat in sheet.view.seats if sheet.is_short(seat)]
    free = grid.columns - at - 3
    if note and width(note) <= free:
        grid.put(grid.columns - width(note) - 1, 0, note, "warn")
        return True
    if short:
        long = " " + _("one district short: {names}").format(names=", ".join(short)) + " "
        brief_form = f" {view.city_size - 1}/{view.city_size}! "
        told = long if width(long) <= free + 1 else brief_form
        if width(told) <= free + 1:
            grid.put(grid.columns - width(told) - 1, 0, told, "bold", "on-near")
    else:
        told = _deck(sheet)
        if width(told) <= free:
            grid.put(grid.columns - width(told) - 1, 0, told, "dim")
    return False


def _deck(sheet: Sheet) -> str:
    view = sheet.view
    deck = counted("Deck: {count} card", "Deck: {count} cards", count=view.deck)
    size = counted("{size} district ends it", "{size} districts end it", size=view.city_size)
    return f"{deck} {sheet.look.signs.dot} {size}"


class _Bit(NamedTuple):
    """A stretch of the row of who leads: `field` None for none of its own."""

    text: str
    ink: str = ""
    field: str | None = None


def ranking(sheet: Sheet, y: int) -> None:
    """Names, points and built of size in one row, who leads first; what has no room goes: the
    parts of points, how much is built, long names, last the last seats, never the viewer.
    """
    order = sorted(sheet.seats, key=lambda seat: (-seat.points_so_far, -len(seat.city)))
    size = sheet.grid.columns - 2
    entries: list[tuple[SeatView, list[_Bit]]] = []
    gap = 1
    for level in range(5):
        entries = [(seat, _entry(sheet, seat, level, seat is order[0])) for seat in order]
        need = sum(map(_size, entries))
        gap = min(GAP, (size - need) // max(1, len(entries) - 1))
        if gap >= (2 if level < 3 else 1):
            break
    gap, left = max(1, gap), 0
    while len(entries) > 2:
        total = sum(map(_size, entries)) + gap * (len(entries) - 1)
        if total + (_rest(left) if left else 0) <= size:
            break
        last = max(n for n, (seat, _bits) in enumerate(entries) if seat is not sheet.mine)
        del entries[last]
        left += 1
    at = 1
    for seat, bits in entries:
        start = at
        for bit in bits:
            at = sheet.grid.put(at, y, bit.text, bit.ink, bit.field)
        sheet.grid.aim(start, y, at - start, 1, f"seat:{seat.seat}")
        at += gap
    if left:
        sheet.grid.put(size + 2 - _rest(left), y, phrases.number_of_more(left), "dim")


def _rest(left: int) -> int:
    """The cells of how many seats are left out, with a blank around."""
    return width(phrases.number_of_more(left)) + 2


def _size(entry: tuple[SeatView, list[_Bit]]) -> int:
    return sum(width(bit.text) for bit in entry[1])


def _entry(sheet: Sheet, seat: SeatView, level: int, first: bool) -> list[_Bit]:
    """A seat in that row; the higher the level, the less of it."""
    points = seat.points_so_far
    more = points - sum(card.cost for card in seat.city)
    name = sheet.name(seat.seat)
    name = brief.person(name, 8) if level > 3 else name
    leads, me = points == sheet.most, seat is sheet.mine
    bits = [_Bit(f" {name} ", "bold", "on-me")] if me else [_Bit(f"{name} ")]
    if leads:
        bits += [_Bit(" ")] * me  # apart from a name that is as light
        bits.append(_Bit(f" {points} ", "bold", "on-badge"))
    elif me:
        bits[0] = _Bit(f" {name} {points} ", "bold", "on-me")
    else:
        bits.append(_Bit(f"{points}", "strong"))
    if more > 0 and (level == 0 or (level == 1 and first)):
        bits.append(_Bit(f"{'' if leads else ' '}({points - more}+{more})", "dim"))
    if level < 3 or (sheet.is_short(seat) and level < 4):
        short = sheet.is_short(seat)
        bits += [
            _Bit(" "),
            _Bit(sheet.built(seat), "" if short else "dim", "on-near" if short else None),
        ]
    return bits


def places(sheet: Sheet, x: int, y: int, size: int, heading: str) -> int:
    """How it stands in so many cells, a row a seat, who leads first: name, crown, points, built
    of size, and the districts where all have room. The rows it took.
    """
    order = sorted(sheet.seats, key=lambda seat: (-seat.points_so_far, -len(seat.city)))
    names = {seat.seat: sheet.model.scene.name(seat.seat) for seat in order}
    if sheet.mine is not None:
        names[sheet.mine.seat] += f" {sheet.look.signs.dot} {deeds.you()}"
    built = max(width(sheet.built(seat)) for seat in order)
    broad = min(max(map(width, names.values())), size - PLACED - built)
    city = x + broad + PLACED + built
    most = max(len(seat.city) for seat in order)
    sheet.grid.aim(x, y, size, len(order) + 1, "")
    sheet.title(x, y, size, heading)
    for row, seat in enumerate(order, y + 1):
        name = names[seat.seat]
        if seat is sheet.mine and width(name) > broad:
            name = deeds.you().upper()
        _place(sheet, seat, x, row, brief.person(name, broad), broad)
        if city + most * cities.TILE <= x + size:
            for place, card in enumerate(seat.city):
                cities.tile(sheet, city + place * cities.TILE, row, cities.house(sheet, card))
    return len(order) + 1


def _place(sheet: Sheet, seat: SeatView, x: int, y: int, name: str, broad: int) -> None:
    """One of these rows, without its districts; `broad`: the cells that names take."""
    grid, leads = sheet.grid, seat.points_so_far == sheet.most
    grid.put(x, y, f" {name} ", "bold", "on-me" if seat is sheet.mine else None)
    if seat.seat == sheet.view.crown:
        grid.put(x + broad + 3, y, sheet.look.signs.crown, "crown")
    points = f" {seat.points_so_far:>2} "
    if leads and not sheet.look.colours:
        points = f"[{seat.points_so_far}]".rjust(4)
    grid.put(x + broad + 6, y, points, "bold", "on-badge" if leads else None)
    sheet.put_built(x + broad + 11, y, seat)


def bars(sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
    """The points of the seats as bars of their districts, who leads first; the rows it took."""
    order = sorted(sheet.seats, key=lambda seat: -seat.points_so_far)[:rows]
    names = max(width(sheet.name(seat.seat)) for seat in order) + BAR_HEAD
    most = max(SCALE, *(sum(card.cost for card in seat.city) for seat in sheet.view.seats))
    room = size - names - BAR_TAIL - 5
    unit = room // most if room >= most else room / most if room >= LEAST else 0
    for place, seat in enumerate(order):
        _bar(sheet, seat, x, y + place, size, names, unit)
    return len(order)


def _bar(
    sheet: Sheet, seat: SeatView, x: int, y: int, size: int, names: int, unit: float
) -> None:
    """`unit`: cells of a point."""
    grid, leads = sheet.grid, seat.points_so_far == sheet.most
    name, points = sheet.name(seat.seat), f"{seat.points_so_far:>3}"
    if seat is sheet.mine:
        grid.put(x, y, f" {name} ", "bold", "on-me")
    else:
        grid.put(x + 1, y, name, "strong" if leads else "")
    grid.put(x + names, y, f"{points} ", "bold", "on-badge" if leads else None)
    start = at = x + names + 5
    worth = 0
    for card in sorted(seat.city, key=lambda one: KINDS.index(one.quarter)):
        worth += card.cost
        cells = start + round(worth * unit) - at
        sign = sheet.pen.sign(card.quarter)
        if cells and sheet.pen.paints:
            grid.put(at, y, sign.ljust(cells), "bold", f"on-{card.quarter}")
        elif cells:
            grid.put(at, y, sign * cells, card.quarter)
        at += cells
    more = seat.points_so_far - worth
    if more > 0:
        grid.put(at + 1, y, f"+{more}", "good bold")
    built = sheet.built(seat)
    if sheet.is_short(seat):
        grid.put(x + size - width(built) - 2, y, f" {built} ", "bold", "on-near")
    else:
        grid.put(x + size - width(built) - 1, y, built, "dim")
