"""Texts of cards: type a part of a name, read what the card does; with or without a table."""

from __future__ import annotations

from abc import abstractmethod

from citadels_p2p.cards import DISTRICTS, EDITIONS, QUARTERS
from cli.client.client_model import ClientModel
from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.overlays.listing import SearchedList
from cli.screen.overlays.reading import Told
from cli.screen.page import Open, ScreenEffects, Shut
from cli.screen.scroll import step
from cli.text import cards
from cli.text.cells import Row, Span, line, wrap
from cli.text.rules import summary
from cli.text.table import Box, describe


class CardList(SearchedList[str]):
    """Cards with a search among their names, and the text of the one that has the focus."""

    @abstractmethod
    def codes(self) -> tuple[str, ...]:
        """All cards, by their ids."""

    @abstractmethod
    def texts(self, code: str) -> tuple[str, ...]:
        """What is said about a card."""

    def items(self) -> tuple[str, ...]:
        """The cards whose names hold what was typed."""
        wanted = self.wanted.casefold()
        return tuple(x for x in self.codes() if wanted in cards.source(x).casefold())

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        found = self.items()
        if not found:
            return ((), line(_("There is no card of that name."), "dim"))
        said = self.texts(found[self.focus])
        return ((), *(line(part) for text in said for part in wrap(text, width)))

    def row(self, place: int, item: str, look: Look, width: int) -> Row:
        return (self.span(place, cards.source(item), look),)

    def choose(self, place: int) -> ScreenEffects:
        return (Shut(),)

    def point(self, place: int) -> ScreenEffects:
        self.focus = place
        return ()


class CardTexts(CardList):
    """The characters of this match by rank, then one's hand, the cities, and all other
    districts.
    """

    heading = N_("What cards do")

    def __init__(self, model: ClientModel) -> None:
        super().__init__()
        self._model = model

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


#: stands for the rules in short, before the cards
RULES = ""


class Library(CardList):
    """Left and right go through the editions; the rules in short come before the cards."""

    def __init__(self) -> None:
        super().__init__()
        self._editions = list(EDITIONS)
        self._at = self._editions.index("classic")

    def title(self) -> str:
        return _("Rules and cards: {edition}").format(edition=cards.edition(self._edition))

    def keys(self) -> tuple[tuple[str, str], ...]:
        search, back = (_("letters"), _("search")), ("Esc", _("back"))
        return (("↑↓", _("choose")), ("←→", _("edition")), search, back)

    @property
    def _edition(self) -> str:
        return self._editions[self._at]

    def codes(self) -> tuple[str, ...]:
        """The characters by rank, the districts by type and cost."""
        box = EDITIONS[self._edition]
        printed = {row.card: row.cost for row in (*box.deck, *box.chest)}
        quarters = list(QUARTERS)
        districts = sorted(
            printed,
            key=lambda card: (quarters.index(DISTRICTS[card].quarter), printed[card], card),
        )
        return (*box.cast, *districts)

    def items(self) -> tuple[str, ...]:
        return (*(() if self.wanted else (RULES,)), *super().items())

    def texts(self, code: str) -> tuple[str, ...]:
        return (
            summary(self._edition) if code == RULES else describe(code, Box.of(self._edition))
        )

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        found = self.items()
        about = super().below(look, width, height)[: 1 + max(3, height // 2)]
        if found and found[self.focus] == RULES:
            return (*about[:-1], line(_("Enter reads on."), "dim"))
        return about

    def row(self, place: int, item: str, look: Look, width: int) -> Row:
        name = _("The rules in short") if item == RULES else cards.source(item)
        span, district = self.span(place, name, look), DISTRICTS.get(item)
        mark = Span("   ")
        if district is not None:
            mark = Span(f"{look.quarter(district.quarter)} ", district.quarter)
        sign = Span(span.text[: -len(name)])  # the district's type stands between both
        return (sign, mark, span._replace(text=name))

    def press(self, key: str) -> ScreenEffects:
        if key in ("left", "right"):
            by = 1 if key == "right" else -1
            self._at, self.focus = (self._at + by) % len(self._editions), 0
            return ()
        if key in ("home", "end"):
            self.focus = step(key, self.focus, len(self.items())) or 0
            return ()
        return super().press(key)

    def choose(self, place: int) -> ScreenEffects:
        if self.items()[place : place + 1] != (RULES,):
            return (Shut(),)
        apart = [part for text in summary(self._edition) for part in (text, "")]
        return (Open(Told(_("The rules in short"), apart)),)
