"""What one remembers of the seats: whom they have been, what their unique districts do, what
their cities are good for. Broad skies tell it of each city, else it stands beside the menu.
"""

from __future__ import annotations

from functools import lru_cache

from citadels_p2p.rules.view import SeatView
from cli.client.rounds import RoundSummary
from cli.drawing.pen import KINDS
from cli.i18n import _
from cli.screen.moments import Flying
from cli.screen.pages.cities import SKY
from cli.screen.pages.sheet import Sheet
from cli.screen.plan import Plan
from cli.text import brief, cards, wordings
from cli.text.cells import width, wrap
from cli.text.prospects import paid, weakest

#: cells of a panel from which its sky tells it, and seats up to which
BROAD, FEW = 60, 4
#: rounds that have a column, and its cells
COLUMNS, COLUMN = 5, 12
#: cells of a line, of a sky at most, and beside a line; rounds of which a sky tells
NARROWEST, WIDEST, BESIDE, ROUNDS = 18, 48, 2, 4

Told = tuple[str, str, str]  #: a head, the ink of it, and what is told under it


def is_in_skies(plan: Plan | None, seats: int) -> bool:
    """Whether the skies of these panels tell it; more seats fill the rows beside the menu."""
    return plan is not None and plan.size >= BROAD and seats <= FEW


def skies(sheet: Sheet) -> None:
    """In every panel, unless something flies over it."""
    if sheet.look.marks(Flying):
        return
    for seat in sheet.seats:
        spot, field = sheet.spots[seat.seat], sheet.field(seat.seat)
        right, top = spot.x + spot.size - 2, spot.y + 1 + SKY  # deeds have the rows above
        rows = range(top, spot.ground - 1)
        free = (min(WIDEST, sheet.grid.blank(right, y, field)) for y in rows)
        lines = _lines((*_of(sheet, seat), *_uniques(sheet, seat)), tuple(free))
        x = right + 1 - max((width(line) for line, _head, _ink in lines), default=0)
        _write(sheet, x, top, lines)


def rounds(sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
    """Who had which character in the rounds before, a row a seat; the rows it took."""
    earlier, heading = _earlier(sheet), _("Last rounds")
    names = max(width(heading), *(width(sheet.name(seat.seat)) for seat in sheet.seats)) + 3
    count = min(COLUMNS, len(earlier), (size - names) // COLUMN)
    if rows <= len(sheet.seats) or count < 1:
        return 0
    sheet.title(x, y, size, heading)
    for place, seat in enumerate(sheet.seats, 1):
        mine = seat is sheet.mine
        name = sheet.name(seat.seat)
        sheet.grid.put(x, y + place, f" {name} ", "bold" * mine, "on-me" if mine else None)
        for column, one in enumerate(earlier[-count:]):
            at = x + names + column * COLUMN
            roles = one.characters.get(seat.seat, [])
            told = ", ".join(brief.character(role, COLUMN - 1) for role in roles) or "?"
            sheet.grid.put(at, y, f" {one.number} ", "dim")
            sheet.grid.put(at + 1, y + place, told, "" if column == count - 1 else "dim")
    return 1 + len(sheet.seats)


def uniques(sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
    """What the unique districts of all cities do, under their heading; the rows it took."""
    told = dict.fromkeys(one for seat in sheet.seats for one in _uniques(sheet, seat))
    lines = _lines(tuple(told), (size + BESIDE,) * (rows - 1))
    if lines:
        sheet.title(x, y, size, _("Unique districts"))
        _write(sheet, x, y + 1, lines)
    return len(lines) and 1 + len(lines)


def _write(sheet: Sheet, x: int, y: int, lines: tuple[Told, ...]) -> None:
    """Lines with the heads in them."""
    for place, (line, head, ink) in enumerate(lines):
        sheet.grid.put(x, y + place, line, "dim")
        if head and line.startswith(head):
            sheet.grid.put(x, y + place, head, ink)


def _earlier(sheet: Sheet) -> list[RoundSummary]:
    """The rounds before the one that is seen of which characters are known."""
    known = (one for one in sheet.model.rounds if one.characters)
    return [one for one in known if one.number < sheet.view.round]


def _of(sheet: Sheet, seat: SeatView) -> list[Told]:
    """What is told of any city; what has nothing to tell is left out."""
    view, box = sheet.view, sheet.model.box
    roles = [one.characters.get(seat.seat, []) for one in _earlier(sheet)[-ROUNDS:]]
    names = [" + ".join(map(cards.character, one)) or "?" for one in roles]
    stand = {card.quarter for card in seat.city}
    lacks = [cards.quarter(kind) for kind in KINDS if kind not in stand]
    told = (
        (_("Last rounds"), ", ".join(names) if any(roles) else ""),
        (_("Districts pay"), paid(seat, box)),
        (_("Kinds lacking"), ", ".join(lacks) if stand else ""),
        (_("Cheapest to destroy"), weakest(seat, view, box)),
    )
    return [(_("{head}:").format(head=head), "", text) for head, text in told if text]


def _uniques(sheet: Sheet, seat: SeatView) -> list[Told]:
    """What the unique districts of a city do."""
    box, found = sheet.model.box, []
    for card in seat.city:
        if effect := wordings.effect(card.card, box.edition, box.readings):
            head = _("{head}:").format(head=cards.district(card.card))
            found.append((head, "unique", effect))
    return found


@lru_cache(maxsize=64)
def _lines(told: tuple[Told, ...], free: tuple[int, ...]) -> tuple[Told, ...]:
    """As many as have room where so many cells of each row are free, one below the other; what
    has none is left out whole.
    """
    kept: tuple[Told, ...] = ()
    chosen: tuple[Told, ...] = ()
    for one in told:
        if found := _laid((*chosen, one), free):
            chosen, kept = (*chosen, one), found
    return kept


def _laid(told: tuple[Told, ...], free: tuple[int, ...]) -> tuple[Told, ...]:
    """All of it in as few rows as it takes; () where it has no room."""
    for rows in range(1, len(free) + 1):
        room = min(free[:rows]) - BESIDE
        if room < NARROWEST:
            return ()
        lines = tuple(
            (line, "" if place else head, ink)
            for head, ink, text in told
            for place, line in enumerate(wrap(f"{head} {text}", room))
        )
        if len(lines) <= rows:
            return lines
    return ()
