"""The table from 60×18 on: a row for every seat, the hand, the menu, what happened last.

Where a decision would have no room beside so many seats, two of them share a row until it is
made; their districts are a Tab away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.screen.look import Look
from cli.screen.menu import Menu
from cli.screen.overlays.journal import entry_rows
from cli.screen.pages.choices import least_height, menu_height, menu_rows
from cli.screen.pages.hand import hand_rows, role_rows
from cli.screen.pages.ranks import rank_row
from cli.screen.pages.seats import city_names, headline, seat_pairs, seat_rows
from cli.text import screen as phrases
from cli.text.cells import Row, Span, clip, line, row_width
from cli.text.cells import width as cells

if TYPE_CHECKING:
    from cli.screen.pages.table import Table

#: rows beside the seats from which there is one for the headline, and one for the ranks alone
SPARE_HEAD, SPARE_RANKS = 14, 16
#: rows of the page below which choices come before the journal, which has its rule
LOW = 16
#: rows without which a choice is no choice, and rows with which it is a pleasure
LEAST_MENU, GOOD_MENU = 3, 5
#: rows of the journal that a long menu leaves alone
JOURNAL = 3


def paint(page: Table, look: Look, width: int, height: int) -> tuple[Row, ...]:
    """At most `height` rows: seats, ranks, hand, menu and the last sentence always; what is
    left goes round among them.
    """
    model, view = page.model, page.model.view
    assert view is not None
    rule = line(look.signs.rule * width, "rule")
    spare = height + look.explained - len(view.seats)  # an explanation moves no seat
    head: list[Row] = [headline(model, view, look)] if spare >= SPARE_HEAD else []
    ranks = rank_row(view, model, look, width)
    divider = [row for row in (ranks, rule if spare >= SPARE_RANKS or not ranks else ()) if row]
    menu = None if page.hidden else page.menu
    seats = seat_rows(model, look, width, hidden=page.hidden)
    if height - len(seats) - len(divider) - 2 < min(menu_height(menu), GOOD_MENU):
        seats = seat_pairs(model, look, width, hidden=page.hidden)
    top = [*head, *seats, *divider]
    hand = list(hand_rows(view, model, look, width, hidden=page.hidden))
    if page.looked_at is not None and page.looked_at < len(view.seats):
        hand = [*city_names(view.seats[page.looked_at], model, look, width), *hand]
    role = list(role_rows(view, model, width, hidden=page.hidden))
    room = _shares(menu, len(hand), len(role), height - len(top) - 1, tight=height < LOW)
    asked = (
        menu_rows(menu, model, look, width, room.menu)
        if menu is not None
        else page.idle(look, width, room.menu)
    )
    own = [*_cut(hand, room.hand, look, width), *_shortened(role, room.role, look, width)]
    if not room.journal:
        return (*top, *own, _newest(page, look, width), *asked)
    asked = (rule, *asked) if asked else ()
    rest = height - len(top) - len(own) - len(asked) - 1
    return (*top, *own, *asked, rule, *last_entries(page, look, width, rest))


@dataclass(slots=True)
class _Shares:
    """Rows that each part gets."""

    hand: int = 1
    role: int = 0
    menu: int = 1
    journal: int = 0


def _shares(menu: Menu | None, hand: int, role: int, left: int, *, tight: bool) -> _Shares:
    """Share `left` rows out, the dearest wish first; `tight`: choices before anything else."""
    wish = max(1, menu_height(menu))
    least = max(1, least_height(menu))
    got = _Shares(menu=min(wish, LEAST_MENU))
    left -= got.hand + got.menu

    def grow(name: str, to: int) -> None:
        nonlocal left
        more = max(0, min(to - getattr(got, name), left))
        setattr(got, name, getattr(got, name) + more)
        left -= more

    grow("menu", min(least, GOOD_MENU))
    grow("hand", hand)
    if tight:
        grow("menu", least)
    if left >= 2:
        left -= 1  # the rule above it
        grow("journal", 1)
    grow("role", min(role, 1))
    grow("menu", least)
    if got.journal:
        grow("journal", JOURNAL)
    grow("role", role)
    if left >= wish - got.menu:  # the impossible is spelled out where all of it has room
        grow("menu", wish)
    return got


def _cut(rows: list[Row], height: int, look: Look, size: int) -> list[Row]:
    """Rows of cards, as `flow` lays them; where some are lost, the last says how many cards."""
    if len(rows) <= height:
        return rows
    *before, last = rows[:height]
    lost = sum(len(row) // 3 for row in rows[height:])  # a gap, a code and a name for each
    while True:
        more = Span(f"  {look.signs.down} {phrases.number_of_more(lost)}", "dim")
        if len(last) <= 3 or row_width((*last, more)) <= size:
            return [*before, (*last, more)]
        last, lost = last[:-3], lost + 1


def _shortened(rows: Sequence[Row], height: int, look: Look, width: int) -> list[Row]:
    """Rows of words; where some are lost, the last one ends in an ellipsis."""
    if len(rows) <= height or not height:
        return list(rows[:height])
    *before, last = rows[:height]
    head, tail = last[:-1], last[-1]
    said = " ".join((tail.text, *(row[-1].text.strip() for row in rows[height:])))
    text = clip(said, width - sum(cells(span.text) for span in head), look.signs.ellipsis)
    return [*before, (*head, tail._replace(text=text))]


def _newest(page: Table, look: Look, width: int) -> Row:
    """The rule above the menu, with the newest sentence of the journal in it."""
    rule = look.signs.rule
    if not page.model.journal:
        return line(rule * width, "rule")
    said = clip(page.model.journal[-1].text, width - 4, look.signs.ellipsis)
    style = "" if page.model.fresh else "dim"
    rest = rule * max(0, width - cells(said) - 3)
    return (Span(f"{rule} ", "rule"), Span(said, style), Span(f" {rest}", "rule"))


def last_entries(page: Table, look: Look, width: int, height: int) -> list[Row]:
    """The newest sentences, newest last. Those from before the viewer's last answer are dim."""
    rows: list[Row] = []
    fresh = page.model.fresh
    if height < 1:
        return rows
    for place, entry in enumerate(reversed(page.model.journal)):
        told = entry_rows(entry, look, width, seen=place >= fresh)
        if rows and len(rows) + len(told) > height:
            break
        rows = [*_shortened(told, height, look, width), *rows]
    return rows
