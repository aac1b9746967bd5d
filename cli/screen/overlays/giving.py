"""The program is given away for as long as this is open: where, and under which code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.screen.page import ScreenEffects, Shut
from cli.text.cells import Row, line, wrap

#: begins to share, with whom to tell what is shown; what ends it
Begin = Callable[[Callable[[Sequence[str]], None]], Callable[[], object]]


class Giving(Reading):
    """What a friend needs to see, letter by letter."""

    def __init__(self, begin: Begin) -> None:
        super().__init__()
        self._told: Sequence[str] = (_("Packing what is installed here…"),)
        self._end = begin(self._hear)

    def _hear(self, told: Sequence[str]) -> None:
        self._told = told

    def title(self) -> str:
        return _("Give the program away")

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        return tuple(line(part) for text in self._told for part in wrap(text, width) or ("",))

    def press(self, key: str) -> ScreenEffects:
        effects = super().press(key)
        if Shut() in effects:
            self._end()
        return effects
