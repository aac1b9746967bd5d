"""Texts of cards: type a part of a name, read what the card does."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.client_model import ClientModel
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.page import Deeds, Shut
from cli.screen.scroll import window
from cli.text import cards
from cli.text.cells import Row, Span, line, wrap
from cli.text.table import describe


class CardTexts:
    """The characters of this match by rank, then one's hand, the cities, and all other
    districts.
    """

    def __init__(self, model: ClientModel) -> None:
        self._heard = model
        self._line = LineEditor(limit=40)
        self._focus = 0

    def title(self) -> str:
        return _("What cards do")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), (_("letters"), _("search")), ("Esc", _("back")))

    def _codes(self) -> tuple[str, ...]:
        box, view = self._heard.box, self._heard.view
        codes = [box.ranks[rank] for rank in sorted(box.ranks)]
        if view is not None:
            codes += [card.card for card in view.you.hand] if view.you else []
            codes += [card.card for seat in view.seats for card in seat.city]
        rest = [card for card in box.prices if card not in codes]
        codes += sorted(rest, key=lambda card: cards.district(card))
        wanted = self._line.text.casefold()
        return tuple(
            code for code in dict.fromkeys(codes) if wanted in cards.source(code).casefold()
        )

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        codes = self._codes()
        label = _("Name: ")
        head = (Span(label, "key"), *self._line.row(max(4, width - len(label))))
        head = tuple(span._replace(here=False) for span in head)
        if not codes:
            return (head, (), line(_("There is no card of that name."), "dim"))
        self._focus = min(self._focus, len(codes) - 1)
        about = describe(codes[self._focus], self._heard.box)
        text = [row for part in about for row in wrap(part, width)]
        room = max(1, height - len(text) - 3)
        first, last = window(self._focus, len(codes), room)
        names = []
        for place in range(first, last):
            here = place == self._focus
            sign = look.signs.focus if here else " "
            shown = cards.source(codes[place])
            style = "focus" if here else ""
            names.append((Span(f"{sign} {shown}", style, f"card:{place}", here),))
        return (head, *names, (), *(line(row) for row in text))

    def press(self, key: str) -> Deeds:
        match key:
            case "escape" if self._line.text:
                self._line, self._focus = LineEditor(limit=40), 0
            case "escape" | "enter":
                return (Shut(),)
            case "up" | "down" | "pageup" | "pagedown":
                step = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8}[key]
                self._focus = max(0, self._focus + step)
            case _ if self._line.press(key):
                self._focus = 0
        return ()

    def click(self, target: str) -> Deeds:
        where, _colon, place = target.partition(":")
        if where == "card" and place.isdecimal():
            self._focus = int(place)
        return ()
