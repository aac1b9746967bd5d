"""The table from 60×18 on: a row for every seat, the hand, the menu, what happened last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.screen.look import Look
from cli.screen.overlays.journal import entry_rows
from cli.screen.pages.choices import menu_height, menu_rows
from cli.screen.pages.hand import hand_rows, role_rows
from cli.screen.pages.ranks import rank_row
from cli.screen.pages.seats import city_names, headline, seat_rows
from cli.text.cells import Row, line

if TYPE_CHECKING:
    from cli.screen.pages.table import Table

#: rows of the journal that the menu leaves alone, where there is room for a journal at all
LEAST_JOURNAL = 2
#: rows beside the seats from which there is one for the ranks
SPARE = 16
#: rows of the menu without which a choice is no pleasure
LEAST_MENU = 4


def paint(page: Table, look: Look, width: int, height: int) -> tuple[Row, ...]:
    """At most `height` rows: seats, hand and menu first; the journal gets the rest."""
    model, view = page.model, page.model.view
    assert view is not None
    rule = line(look.signs.rule * width, "rule")
    seats = seat_rows(model, look, width, hidden=page.hidden)
    hand = list(hand_rows(view, model, look, width, hidden=page.hidden))
    if page.looked_at is not None and page.looked_at < len(view.seats):
        hand = [*city_names(view.seats[page.looked_at], model, look, width), *hand]
    menu = page.menu
    wish = max(1, menu_height(menu))
    role = list(role_rows(view, model, width, hidden=page.hidden))
    head: list[Row] = [headline(model, view, look)]
    if height - len(view.seats) >= SPARE:
        head.append(rank_row(view, model, look, width))
    rules = 2

    def left() -> int:
        return height - len(head) - len(seats) - len(hand) - len(role) - rules

    journal = LEAST_JOURNAL + 1 if height >= 18 else 0
    if left() < min(wish, LEAST_MENU) + journal:
        role = role[:1] if left() + len(role) - 1 >= min(wish, LEAST_MENU) + journal else []
    if left() < min(wish, LEAST_MENU) + journal:
        head = []
    room = left()
    shown = max(1, min(wish, room - journal))
    rows = [*head, *seats, rule, *hand, *role]
    asked = (
        menu_rows(menu, model, look, width, shown)
        if menu is not None and not page.hidden
        else page.idle(look, width, shown)
    )
    rows += [rule, *asked] if asked else []
    rest = height - len(rows) - 1
    if rest > 0:
        rows += [rule, *last_entries(page, look, width, rest)]
    return tuple(rows[:height])


def last_entries(page: Table, look: Look, width: int, height: int) -> list[Row]:
    """The newest sentences, newest last. Those from before the viewer's last answer are dim."""
    rows: list[Row] = []
    fresh = page.model.fresh
    for place, entry in enumerate(reversed(page.model.journal)):
        told = entry_rows(entry, look, width, seen=place >= fresh)
        if len(rows) + len(told) > height:
            break
        rows = [*told, *rows]
    return rows
