"""Texts of cards: type a part of a name, read what the card does."""

from __future__ import annotations

from abc import abstractmethod

from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import ScreenEffects, Shut
from cli.text import cards
from cli.text.cells import Row, Span, line, wrap
from cli.text.table import describe


class CardList(ListOverlay[str]):
    """Cards with a search among their names, and the text of the one that has the focus."""

    wraps = False
    writes = True

    def __init__(self) -> None:
        super().__init__()
        self._search = LineEditor(limit=40)

    @abstractmethod
    def codes(self) -> tuple[str, ...]:
        """All cards, by their ids."""

    @abstractmethod
    def texts(self, code: str) -> tuple[str, ...]:
        """What is said about a card."""

    def items(self) -> tuple[str, ...]:
        """The cards whose names hold what was typed."""
        wanted = self._search.text.casefold()
        return tuple(x for x in self.codes() if wanted in cards.source(x).casefold())

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        label = _("Name: ")
        typed = self._search.row(max(4, width - len(label)))
        return ((Span(label, "key"), *(span._replace(here=False) for span in typed)),)

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        found = self.items()
        if not found:
            return ((), line(_("There is no card of that name."), "dim"))
        said = self.texts(found[self.focus])
        return ((), *(line(part) for text in said for part in wrap(text, width)))

    def row(self, place: int, item: str, look: Look, width: int) -> Row:
        return (self.span(place, cards.source(item), look),)

    def press(self, key: str) -> ScreenEffects:
        if key == "escape" and self._search.text:
            self._search, self.focus = LineEditor(limit=40), 0
            return ()
        if key not in ("enter", "up", "down", "pageup", "pagedown") and self._search.press(key):
            self.focus = 0
            return ()
        return super().press(key)

    def choose(self, place: int) -> ScreenEffects:
        return (Shut(),)

    def point(self, place: int) -> ScreenEffects:
        self.focus = place
        return ()


class CardTexts(CardList):
    """The characters of this match by rank, then one's hand, the cities, and all other
    districts.
    """

    def __init__(self, model: ClientModel) -> None:
        super().__init__()
        self._model = model

    def title(self) -> str:
        return _("What cards do")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), (_("letters"), _("search")), ("Esc", _("back")))

    def codes(self) -> tuple[str, ...]:
        box, view = self._model.box, self._model.view
        codes = [box.ranks[rank] for rank in sorted(box.ranks)]
        if view is not None:
            codes += [card.card for card in view.you.hand] if view.you else []
            codes += [card.card for seat in view.seats for card in seat.city]
        rest = [card for card in box.prices if card not in codes]
        codes += sorted(rest, key=lambda card: cards.district(card))
        return tuple(dict.fromkeys(codes))

    def texts(self, code: str) -> tuple[str, ...]:
        return describe(code, self._model.box)
