"""A list of places to choose one from: rounds and turns of a saved match, or its chairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import ScreenEffects, Shut
from cli.screen.scroll import spelled
from cli.text.cells import Row, pad


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the list. Digits that spell its `number` move the focus there."""

    text: str
    number: int | None = None
    style: str = ""


class Places(ListOverlay[Place]):
    """`take` gets the index of the place that was chosen; the focus begins at `focus`."""

    wraps = False

    def __init__(
        self, title: str, places: Sequence[Place], focus: int, take: Callable[[int], None]
    ) -> None:
        super().__init__(focus)
        self._title = title
        self._places = tuple(places)
        self._take = take
        self._digits = ""

    def title(self) -> str:
        return self._title

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), ("Enter", _("go on")), ("Esc", _("back")))

    def items(self) -> tuple[Place, ...]:
        return self._places

    def row(self, place: int, item: Place, look: Look, width: int) -> Row:
        text = pad(item.text, width - 2, ellipsis=look.signs.ellipsis)
        return (self.span(place, text, look, item.style),)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        self.page = max(1, height - 1)
        return super().paint(look, width, height)

    def press(self, key: str) -> ScreenEffects:
        digits, self._digits = self._digits, ""
        if key.isdecimal() and key.isascii():
            numbers = [place.number for place in self._places]
            known = {number for number in numbers if number is not None}
            self._digits = spelled(digits, key, known)
            if self._digits:
                self.focus = numbers.index(int(self._digits))
            return ()
        return (Shut(),) if key in ("q", "g", "v") else super().press(key)

    def choose(self, place: int) -> ScreenEffects:
        self._take(place)
        return (Shut(),)
