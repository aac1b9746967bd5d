"""A list of places to choose one from: rounds and turns of a saved match, or its chairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.page import Deeds, Shut
from cli.screen.scroll import window
from cli.text.cells import Row, Span, pad


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the list. `number` is what typing digits goes to; None: not by digits."""

    text: str
    number: int | None = None
    style: str = ""


class Places:
    """`choose` hears which entry (from 0) was taken; the focus begins at `focus`."""

    def __init__(
        self, title: str, entries: Sequence[Place], focus: int, choose: Callable[[int], None]
    ) -> None:
        self._title = title
        self._entries = tuple(entries)
        self._focus = focus
        self._choose = choose
        self._digits = ""
        self._page = 1

    def title(self) -> str:
        return self._title

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), ("Enter", _("go on")), ("Esc", _("back")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        self._page = max(1, height - 1)
        rows = []
        for place in range(*window(self._focus, len(self._entries), height)):
            entry, focused = self._entries[place], place == self._focus
            sign = look.signs.focus if focused else " "
            style = "focus" if focused else entry.style
            text = pad(f"{sign} {entry.text}", width, ellipsis=look.signs.ellipsis)
            rows.append((Span(text, style, f"place:{place}", focused),))
        return tuple(rows)

    def press(self, key: str) -> Deeds:
        steps = {"up": -1, "down": 1, "pageup": -self._page, "pagedown": self._page}
        digits, self._digits = self._digits, ""
        if key in steps:
            self._go(self._focus + steps[key])
        elif key == "home":
            self._go(0)
        elif key == "end":
            self._go(len(self._entries) - 1)
        elif key.isdecimal() and key.isascii():
            self._find(digits, key)
        elif key in ("enter", " "):
            return self._take(self._focus)
        elif key in ("escape", "q", "g", "v"):
            return (Shut(),)
        return ()

    def click(self, target: str) -> Deeds:
        where, _colon, place = target.partition(":")
        return self._take(int(place)) if where == "place" else ()

    def _go(self, place: int) -> None:
        self._focus = max(0, min(len(self._entries) - 1, place))

    def _find(self, before: str, digit: str) -> None:
        """Go to the entry of the number that is being typed, or that begins anew."""
        numbers = {entry.number: place for place, entry in enumerate(self._entries)}
        for digits in (before + digit, digit):
            if int(digits) in numbers:
                self._digits = digits
                self._focus = numbers[int(digits)]
                return

    def _take(self, place: int) -> Deeds:
        self._choose(place)
        return (Shut(),)
