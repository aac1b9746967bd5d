"""The table from 120×36 on: every city by name, the hand with its texts, the journal at the
side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citadels_p2p.rules.view import SeatView
from cli.i18n import ngettext
from cli.screen.cells import Block, Row, Span, beside, fit, line, pad, stack
from cli.screen.look import Look
from cli.screen.pages.choices import menu_height, menu_rows
from cli.screen.pages.compact import last_entries
from cli.screen.pages.hand import hand_texts, role_rows
from cli.screen.pages.seats import city_codes, district, headline, marks, role_of, seat_style

if TYPE_CHECKING:
    from cli.screen.pages.table import Table

WIDTH = 120
#: rows of the page, without status and footer
HEIGHT = 32
#: cells of the journal at the side
JOURNAL = 40
#: rows that hand and menu need below the cities
LEAST_BELOW = 10


def paint(page: Table, look: Look, width: int, height: int) -> tuple[Row, ...]:
    """Cities and below them menu and hand on the left, the journal on the right."""
    view = page.heard.view
    assert view is not None
    side = JOURNAL if width < 160 else JOURNAL + (width - 160) // 4 + 8
    left = width - side - 3
    rule = line(look.signs.rule * left, "rule")
    cities = _cities(page, look, left, height - LEAST_BELOW - 3)
    above: list[Row] = [headline(page.heard, view, look), (), *cities, rule]
    below = _below(page, look, left, height - len(above))
    block = stack([*above, *below], left, height)
    entries = stack(last_entries(page, look, side, height), side, height)
    return beside(((block, left), (entries, side)), (Span(f" {look.signs.side} ", "rule"),))


def _cities(page: Table, look: Look, width: int, height: int) -> list[Row]:
    view = page.heard.view
    assert view is not None
    count = len(view.seats)
    columns = count if count <= 4 else (count + 1) // 2
    size = (width - 1) // columns
    lines = [view.seats[start : start + columns] for start in range(0, count, columns)]
    most = height // len(lines) - 1
    rows: list[Row] = []
    for seats in lines:
        blocks = [(_panel(page, seat, look, size - 2, most), size - 1) for seat in seats]
        rows += beside([((), 1), *blocks], (Span(" "),))
        rows.append(())
    return rows


def _panel(page: Table, seat: SeatView, look: Look, size: int, most: int) -> Block:
    heard, view = page.heard, page.heard.view
    assert view is not None
    ellipsis = look.signs.ellipsis
    role, style = role_of(seat, heard, look, hidden=page.hidden)
    gold = ngettext("{gold} gold", "{gold} gold", seat.gold).format(gold=seat.gold)
    hand = ngettext("{count} card", "{count} cards", seat.hand).format(count=seat.hand)
    rows: list[Row] = [
        (
            Span(marks(seat, heard, look), "crown"),
            Span(
                pad(heard.scene.name(seat.seat), size - 3, ellipsis=ellipsis),
                seat_style(seat, heard),
            ),
        ),
        (Span("   "), Span(role, style)),
        (
            Span("   "),
            Span(gold, "gold"),
            Span(f", {hand}"),
            Span(f"  {len(seat.city)}/{view.city_size}", "dim"),
        ),
    ]
    room = most - len(rows)
    named = seat.city if len(seat.city) <= room else seat.city[: max(0, room - 1)]
    rows += [(Span("   "), *district(card, look)) for card in named]
    if len(named) < len(seat.city):
        codes = city_codes(seat.city[len(named) :], look, size - 3, shapes=True)
        rows.append((Span("   "), *codes))
    target = f"seat:{seat.seat}"
    return tuple(
        tuple(span._replace(target=target) for span in fit(row, size, ellipsis)) for row in rows
    )


def _below(page: Table, look: Look, width: int, height: int) -> Block:
    """The menu, and beside it the hand with what its cards do."""
    heard, view, menu = page.heard, page.heard.view, page.menu
    assert view is not None
    left = width * 11 // 20
    right = width - left - 3
    choices = (
        menu_rows(menu, heard, look, left, min(height, menu_height(menu)))
        if menu is not None
        else (page.idle(),)
    )
    own = (
        *role_rows(view, right, hidden=page.hidden),
        *hand_texts(view, heard, look, right, hidden=page.hidden),
    )
    gap = (Span(f" {look.signs.side} ", "rule"),)
    return beside(
        ((stack(choices, left, height), left), (stack(own, right, height), right)), gap
    )
