"""The table for a room that looks on: nothing to press, and everything as large as it goes."""

from __future__ import annotations

from citadels_p2p.rules.view import SeatView, View
from cli.client.client_model import ClientModel
from cli.i18n import ngettext
from cli.screen.look import Look
from cli.screen.overlays.journal import entry_rows
from cli.screen.pages.plain_page import PlainPage
from cli.screen.pages.ranks import rank_row
from cli.screen.pages.seats import city_codes, district, headline, marks, role_of, seat_style
from cli.screen.pages.table import Table
from cli.text import screen as phrases
from cli.text.cells import (
    Block,
    Row,
    Span,
    beside,
    fit,
    line,
    pad,
    row_width,
    stack,
    styled,
    wrap,
)
from cli.text.stakes import stakes

#: from these cells on; below them stands the usual table
WIDTH, HEIGHT = 100, 26
#: cells of a seat, at least
PANEL = 24
#: rows of the last acts, at least
ACTS = 4
#: rows of a seat beside its number and its districts: who it is, and what it plays
HEAD = 2

#: digits in 3×5 dots, each row's dots as the bits of a number
_DIGITS = {
    "0": (7, 5, 5, 5, 7),
    "1": (2, 6, 2, 2, 7),
    "2": (7, 1, 7, 4, 7),
    "3": (7, 1, 7, 1, 7),
    "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7),
    "6": (7, 4, 7, 5, 7),
    "7": (7, 1, 1, 2, 2),
    "8": (7, 5, 7, 5, 7),
    "9": (7, 5, 7, 1, 7),
}
#: two dots, one above the other, in one cell
_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}

_CROWN = ("▄ ▄ ▄", "█▄█▄█", "▀▀▀▀▀")


class Big(PlainPage):
    """Cities, gold, crown, victims and the last acts, for the back row."""

    def __init__(self, model: ClientModel) -> None:
        super().__init__(model)
        self._small = Table(model)

    def status(self, look: Look) -> tuple[str, str]:
        model, view = self.model, self._view()
        now = phrases.happening(view, model.scene, model.rank, model.box.ranks)
        return now, phrases.awaited(model.awaited, model.work, model.scene)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        if width < WIDTH or height < HEIGHT:
            return self._small.paint(look, width, height)
        model, view = self.model, self._view()
        lies = stakes(model.stakes.on, model.scene, {})
        said = [line(f" {text}", "warn") for text in wrap("  ".join(lies), width - 2)]
        top = [headline(model, view, look), rank_row(view, model, look, width), *said, ()]
        lines = _lines(view, width)
        size = width // len(lines[0])
        high = (height - len(top) - ACTS - 1) // len(lines)
        tall = _tall(high, size)
        high = min(high, HEAD + 1 + tall + 2 * _most(view))
        rows: list[Row] = [*top]
        for seats in lines:
            panels = [(self._panel(seat, look, size - 2, high, tall), size) for seat in seats]
            rows += beside(panels)
        rows.append(line(look.signs.rule * width, "rule"))
        return stack([*rows, *self._acts(look, width, height - len(rows))], width, height)

    def _view(self) -> View:
        view = self.model.view
        assert view is not None
        return view

    def _panel(self, seat: SeatView, look: Look, size: int, height: int, tall: int) -> Block:
        """A seat: who it is and plays, its gold in large digits, and its city."""
        model, view = self.model, self._view()
        count = f" {len(seat.city)}/{view.city_size}"
        name = pad(model.scene.name(seat.seat), size - 3 - len(count))
        turn = view.turn is not None and view.turn.seat == seat.seat
        who: Row = (
            Span(marks(seat, model, look), "crown"),
            Span(name, f"{seat_style(seat, model)} {'focus' if turn else 'you'}".strip()),
            Span(count, "dim"),
        )
        role, style = role_of(seat, model, look, size - 3, hidden=False)
        rows: list[Row] = [who, (Span("   "), Span(role, style))]
        rows += self._purse(seat, look, size, tall)
        room = height - len(rows)
        if len(seat.city) <= room:
            spread = 2 if 2 * max(_most(view), 1) <= room else 1
            for card in seat.city:
                rows += [(Span("   "), *styled(district(card, look), "you")), ()][:spread]
        else:
            rows += _codes(seat, look, size - 3)
        return stack([fit(row, size, look.signs.ellipsis) for row in rows], size, height)

    def _purse(self, seat: SeatView, look: Look, size: int, tall: int) -> list[Row]:
        """Gold in digits of `tall` rows (1: as text), cards and points beside it, the crown."""
        gold = ngettext("{gold} gold", "{gold} gold", seat.gold).format(gold=seat.gold)
        said = [
            ngettext("{count} card", "{count} cards", seat.hand).format(count=seat.hand),
            ngettext("{points} point", "{points} points", seat.points_so_far).format(
                points=seat.points_so_far
            ),
        ]
        drawn = _large(str(seat.gold), tall, look)
        if not drawn:
            return [(Span(f"   {gold}", "gold"), Span(f"  {'  '.join(said)}"))]
        beside_it = [line(gold, "gold"), *map(line, said)]
        rows: list[Row] = []
        for place, dots in enumerate(drawn):
            text = beside_it[place] if place < len(beside_it) else ()
            rows.append((Span(f"   {dots}  ", "gold"), *text))
        room = size - 2 - max(map(row_width, rows))  # a blank before it and behind
        if self._view().crown == seat.seat and room >= len(_CROWN[0]) and not look.ascii:
            for place, dots in enumerate(_CROWN):
                left = size - 1 - row_width(rows[place])
                rows[place] += (Span(dots.rjust(left), "crown"),)
        return rows

    def _acts(self, look: Look, width: int, height: int) -> list[Row]:
        """What happened last, newest last and brightest."""
        rows: list[Row] = []
        for place, entry in enumerate(reversed(self.model.journal)):
            told = entry_rows(entry, look, width, seen=place > 0)
            if len(rows) + len(told) > height:
                break
            rows = [*(styled(row, "must") if place == 0 else row for row in told), *rows]
        return rows


def _lines(view: View, width: int) -> list[tuple[SeatView, ...]]:
    """The seats, in as few lines as leave each of them room."""
    fit_beside = max(1, width // PANEL)
    lines = -(-len(view.seats) // fit_beside)
    across = -(-len(view.seats) // lines)
    return [view.seats[start : start + across] for start in range(0, len(view.seats), across)]


def _most(view: View) -> int:
    """The districts of the fullest city, or as many as a complete one has."""
    return max(view.city_size, max(len(seat.city) for seat in view.seats))


def _tall(height: int, size: int) -> int:
    """The rows of a digit in a seat of this size: 1 where it is not drawn."""
    dots = min(height // 20, (size - 18) // 16)
    return 5 * dots if dots else 3 if height >= HEAD + 6 else 1


def _large(number: str, tall: int, look: Look) -> list[str]:
    """The rows of a number in digits of 3 rows (two dots a cell), or of 5, 10, …; [] for 1."""
    if tall < 3 or (tall == 3 and look.ascii):
        return []
    lit = [[[bits >> 2 & 1, bits >> 1 & 1, bits & 1] for bits in _DIGITS[x]] for x in number]
    if tall == 3:
        pairs = ((0, 1), (2, 3), (4, None))
        return [
            " ".join(
                "".join(
                    _HALVES[digit[up][x], 0 if low is None else digit[low][x]] for x in range(3)
                )
                for digit in lit
            )
            for up, low in pairs
        ]
    dot = tall // 5
    rows = [
        (" " * dot * 2).join(
            "".join((look.signs.full if on else " ") * dot * 2 for on in digit[y])
            for digit in lit
        )
        for y in range(5)
    ]
    return [row for row in rows for _again in range(dot)]


def _codes(seat: SeatView, look: Look, size: int) -> list[Row]:
    """A city in short codes, in as many rows as it takes."""
    rows: list[Row] = []
    left = seat.city
    while left:
        spans = city_codes(left, look, size, shapes=True)
        shown = sum(1 for span in spans if not span.text.startswith("+"))
        if not shown:
            break
        rows.append((Span("   "), *spans[:shown]))
        left = left[shown:]
    return rows
