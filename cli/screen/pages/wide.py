"""The table from 120×36 on.

Cities by name on the left and the menu below them; on the right one's own cards with what
they do, and the journal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citadels_p2p.rules.view import SeatView
from cli.i18n import ngettext
from cli.screen.look import Look
from cli.screen.pages.choices import menu_rows
from cli.screen.pages.compact import last_entries
from cli.screen.pages.hand import hand_texts, role_rows
from cli.screen.pages.ranks import rank_row
from cli.screen.pages.seats import (
    card_sign,
    city_codes,
    district,
    gold_sign,
    headline,
    marks,
    points_sign,
    role_of,
    seat_style,
)
from cli.text.cells import Block, Row, Span, beside, fit, line, pad, stack, width, wrap
from cli.text.stakes import stakes

if TYPE_CHECKING:
    from cli.screen.pages.table import Table

WIDTH = 120
#: rows of the page, without status and footer
HEIGHT = 32
#: rows that the menu has at least
MENU = 9
#: as much of anything as a seat may have
MUCH = 88
#: rows of a seat above its districts
HEAD = 3


def columns(size: int) -> tuple[int, int]:
    """The cells of both columns."""
    side = 40 + (size - WIDTH) // 4
    return size - side - 3, side


def paint(page: Table, look: Look, size: int, height: int) -> tuple[Row, ...]:
    """Two columns with a line between them."""
    left, side = columns(size)
    return beside(
        (
            (_table(page, look, left, height), left),
            (_own(page, look, side, height), side),
        ),
        (Span(f" {look.signs.side} ", "rule"),),
    )


def _table(page: Table, look: Look, size: int, height: int) -> Block:
    """All seats, and the menu where it always is: the cities have room to grow."""
    model, view, menu = page.model, page.model.view, page.menu
    assert view is not None
    count = len(view.seats)
    across = count if count <= 4 else (count + 1) // 2
    lines = [view.seats[start : start + across] for start in range(0, count, across)]
    most = HEAD + max(view.city_size, max(len(seat.city) for seat in view.seats))
    words = _words(page, size)
    room = height + look.explained - 3 - len(words)  # headline, ranks, the rule
    high = max(HEAD + 2, min(most, (room - MENU) // len(lines) - 1))
    inside = size // across - 2
    brief = width("  ".join(_spelled(MUCH, MUCH, MUCH))) > inside - 3
    rows: list[Row] = [headline(model, view, look), rank_row(view, model, look, size), *words]
    for seats in lines:
        panels = [
            (_panel(page, seat, look, inside, high, brief=brief), size // across - 1)
            for seat in seats
        ]
        rows += [*beside(panels, (Span(" "),)), ()]
    rows[-1] = line(look.signs.rule * size, "rule")
    rest = height - len(rows)
    rows += (
        menu_rows(menu, model, look, size, rest)
        if menu is not None and not page.hidden
        else page.idle(look, size, rest)
    )
    return stack(rows, size, height)


def _words(page: Table, size: int) -> list[Row]:
    """What lies on the characters, in words; a blank row where nothing does."""
    you = page.model.view.you if page.model.view is not None else None
    signed = dict(you.signed) if you is not None else {}
    said = "  ".join(stakes(page.model.stakes.on, page.model.scene, signed))
    return [line(f" {text}", "warn") for text in wrap(said, size - 2)] if said else [()]


def _spelled(gold: int, hand: int, points: int) -> tuple[str, str, str]:
    """Gold, cards and points, spelled out."""
    return (
        ngettext("{gold} gold", "{gold} gold", gold).format(gold=gold),
        ngettext("{count} card", "{count} cards", hand).format(count=hand),
        ngettext("{points} point", "{points} points", points).format(points=points),
    )


def _letters(gold: int, hand: int, points: int) -> tuple[str, str, str]:
    """The same with a letter behind each."""
    return f"{gold}{gold_sign()}", f"{hand}{card_sign()}", f"{points}{points_sign()}"


def _panel(
    page: Table, seat: SeatView, look: Look, size: int, height: int, *, brief: bool
) -> Block:
    """A seat; `brief`: gold, cards and points as letters."""
    model, view = page.model, page.model.view
    assert view is not None
    ellipsis = look.signs.ellipsis
    role, style = role_of(seat, model, look, size - 3, hidden=page.hidden)
    told = _letters if brief else _spelled
    gold, hand, points = told(seat.gold, seat.hand, seat.points_so_far)
    count = f" {len(seat.city)}/{view.city_size}"
    name = pad(model.scene.name(seat.seat), size - 3 - width(count), ellipsis=ellipsis)
    rows: list[Row] = [
        (
            Span(marks(seat, model, look), "crown"),
            Span(name, seat_style(seat, model)),
            Span(count, "dim"),
        ),
        (Span("   "), Span(role, style)),
        (Span("   "), Span(gold, "gold"), Span(f"  {hand}"), Span(f"  {points}", "dim")),
    ]
    room = height - len(rows)
    named = seat.city if len(seat.city) <= room else seat.city[: max(0, room - 1)]
    rows += [(Span("   "), *district(card, look)) for card in named]
    if len(named) < len(seat.city):
        codes = city_codes(seat.city[len(named) :], look, size - 3, shapes=True)
        rows.append((Span("   "), *codes))
    lots = min(view.city_size, room) - len(seat.city)
    rows += [line(f"   {look.signs.lot}", "rule")] * max(0, lots)
    rows += [()] * (height - len(rows))
    target = f"seat:{seat.seat}"
    return tuple(
        tuple(span._replace(target=target) for span in fit(row, size, ellipsis)) for row in rows
    )


def _own(page: Table, look: Look, size: int, height: int) -> Block:
    """Who one is, the hand, and below them what happened last."""
    model, view = page.model, page.model.view
    assert view is not None
    role = role_rows(view, model, size, hidden=page.hidden)
    own = [
        *role,
        *([()] if role else []),
        *hand_texts(view, model, look, size, hidden=page.hidden),
    ]
    own = own[: height * 3 // 5]
    rest = height - len(own) - 1
    entries = last_entries(page, look, size, rest)
    return stack([*own, line(look.signs.rule * size, "rule"), *entries], size, height)
