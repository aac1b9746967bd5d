"""A question and its answers."""

from __future__ import annotations

from abc import abstractmethod

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import ScreenEffects, Shut
from cli.text.cells import Row, line, wrap


class Answers(ListOverlay[tuple[str, ScreenEffects]]):
    """An answer, or the digit before it, shuts the overlay; the focus begins on the first."""

    @abstractmethod
    def question(self) -> str:
        """What stands above the answers."""

    @abstractmethod
    def answers(self) -> tuple[tuple[str, ScreenEffects], ...]:
        """Each with what is done when it is chosen; always as many."""

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("choose")), ("Esc", _("back")))

    def items(self) -> tuple[tuple[str, ScreenEffects], ...]:
        return self.answers()

    def row(self, place: int, item: tuple[str, ScreenEffects], look: Look, width: int) -> Row:
        return (self.span(place, f"{place + 1} {item[0]}", look),)

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        return (*(line(text) for text in wrap(self.question(), width)), ())

    def press(self, key: str) -> ScreenEffects:
        if key.isdecimal() and 1 <= int(key) <= len(self.answers()):
            return self.choose(int(key) - 1)
        return super().press({"left": "up", "right": "down"}.get(key, key))

    def choose(self, place: int) -> ScreenEffects:
        return (Shut(), *self.answers()[place][1])
