"""The rules and every card of every edition, to look through without a table."""

from __future__ import annotations

from citadels_p2p.cards import DISTRICTS, EDITIONS, QUARTERS
from cli.i18n import _
from cli.screen.keys import is_text
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.screen.page import Deeds, Open, Shut
from cli.screen.scroll import window
from cli.text import cards
from cli.text.cells import Row, Span, line, wrap
from cli.text.rules import summary
from cli.text.table import Box, describe

#: stands for the rules in short, before the cards
RULES = ""


class InShort(Reading):
    """The rules in short, whole."""

    def title(self) -> str:
        return _("The rules in short")

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        rows: list[Row] = []
        for text in summary():
            rows += [*(line(part) for part in wrap(text, width)), ()]
        return tuple(rows)


class Library:
    """Left and right go through the editions, letters search, the text is below."""

    def __init__(self, edition: str = "classic") -> None:
        self._editions = list(EDITIONS)
        self._at = self._editions.index(edition)
        self._line = LineEditor(limit=40)
        self._focus = 0

    def title(self) -> str:
        return _("Rules and cards: {edition}").format(edition=cards.edition(self._edition))

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (
            ("↑↓", _("choose")),
            ("←→", _("edition")),
            (_("letters"), _("search")),
            ("Esc", _("back")),
        )

    @property
    def _edition(self) -> str:
        return self._editions[self._at]

    def _codes(self) -> tuple[str, ...]:
        """The rules, the characters by rank, the districts by type and cost."""
        box = EDITIONS[self._edition]
        printed = {row.card: row.cost for row in (*box.deck, *box.chest)}
        quarters = list(QUARTERS)
        districts = sorted(
            printed,
            key=lambda card: (quarters.index(DISTRICTS[card].quarter), printed[card], card),
        )
        wanted = self._line.text.casefold()
        found = [
            code for code in (*box.cast, *districts) if wanted in cards.source(code).casefold()
        ]
        return (*(() if wanted else (RULES,)), *found)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        codes = self._codes()
        label = _("Name: ")
        typed = self._line.row(max(4, width - len(label)))
        head = (Span(label, "key"), *(span._replace(here=False) for span in typed))
        if not codes:
            return (head, (), line(_("There is no card of that name."), "dim"))
        self._focus = min(self._focus, len(codes) - 1)
        text = [line(part) for said in self._texts(codes) for part in wrap(said, width)]
        text = text[: max(3, height // 2)]
        if codes[self._focus] == RULES:
            text[-1] = line(_("Enter reads on."), "dim")
        room = max(1, height - len(text) - 2)
        first, last = window(self._focus, len(codes), room)
        return (head, *(self._name(codes, n, look) for n in range(first, last)), (), *text)

    def _name(self, codes: tuple[str, ...], place: int, look: Look) -> Row:
        code, here = codes[place], place == self._focus
        sign = look.signs.focus if here else " "
        target = f"card:{place}"
        row = DISTRICTS.get(code)
        if code == RULES:
            shown = _("The rules in short")
        elif row is None:
            shown = cards.character(code)
        else:
            shown = cards.district(code)
        mark = Span(f"{look.quarter(row.quarter)} ", row.quarter) if row else Span("   ")
        return (Span(f"{sign} "), mark, Span(shown, "focus" if here else "", target, here))

    def _texts(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        code = codes[self._focus]
        return summary() if code == RULES else describe(code, Box.of(self._edition))

    def press(self, key: str) -> Deeds:
        match key:
            case "escape" if self._line.text:
                self._line, self._focus = LineEditor(limit=40), 0
            case "enter" if self._codes()[self._focus :][:1] == (RULES,):
                return (Open(InShort()),)
            case "escape" | "enter":
                return (Shut(),)
            case "up" | "down" | "pageup" | "pagedown":
                step = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8}[key]
                self._focus = max(0, self._focus + step)
            case "home" | "end":
                self._focus = 0 if key == "home" else len(self._codes()) - 1
            case "left" | "right":
                by = 1 if key == "right" else -1
                self._at = (self._at + by) % len(self._editions)
                self._focus = 0
            case _ if is_text(key) or key in ("backspace", "delete", "c-u"):
                self._line.press(key)
                self._focus = 0
        return ()

    def click(self, target: str) -> Deeds:
        where, _colon, place = target.partition(":")
        if where == "card" and place.isdecimal():
            self._focus = int(place)
        return ()
