"""A question and its answers, the first of which leaves everything as it is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.page import Deeds, Shut
from cli.text.cells import Row, Span, line, wrap


class Answers(ABC):
    """Arrows and Enter or a digit choose, which shuts it; the focus begins on the first."""

    _focus = 0

    @abstractmethod
    def title(self) -> str: ...

    @abstractmethod
    def question(self) -> str:
        """What stands above the answers."""

    @abstractmethod
    def answers(self) -> tuple[tuple[str, Deeds], ...]:
        """Each with what is done when it is chosen; always as many."""

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("choose")), ("Esc", _("back")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        rows = [line(text) for text in wrap(self.question(), width)]
        rows.append(())
        for place, (label, _deeds) in enumerate(self.answers()):
            focused = place == self._focus
            sign = look.signs.focus if focused else " "
            style = "focus" if focused else ""
            text = f"{sign} {place + 1} {label}"
            rows.append((Span(text, style, f"answer:{place}", focused),))
        return tuple(rows)

    def press(self, key: str) -> Deeds:
        count = len(self.answers())
        match key:
            case "up" | "left" | "s-tab":
                self._focus = (self._focus - 1) % count
            case "down" | "right" | "tab":
                self._focus = (self._focus + 1) % count
            case "escape":
                return (Shut(),)
            case "enter":
                return self._take(self._focus)
            case _ if key.isdecimal() and 1 <= int(key) <= count:
                return self._take(int(key) - 1)
        return ()

    def click(self, target: str) -> Deeds:
        where, _colon, place = target.partition(":")
        return self._take(int(place)) if where == "answer" else ()

    def _take(self, place: int) -> Deeds:
        return (Shut(), *self.answers()[place][1])
