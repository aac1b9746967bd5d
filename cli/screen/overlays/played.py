"""The matches on this laptop that are over, to see one again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import ScreenEffects, Shut
from cli.text.cells import Row, line, pad
from cli.text.scene import shown

if TYPE_CHECKING:
    from cli.client.past import Played  # which takes a match's modules

#: cells of a table's name
NAME = 40


class PlayedMatches(ListOverlay["Played"]):
    """`take` says what choosing the match of a file does."""

    heading = N_("Matches that are over")
    hints = (("↑↓", N_("choose")), ("Enter", N_("see it again")), ("Esc", N_("back")))

    wraps = False

    def __init__(self, matches: Sequence[Played], take: Callable[[str], ScreenEffects]) -> None:
        super().__init__()
        self._matches = tuple(matches)
        self._take = take

    def items(self) -> tuple[Played, ...]:
        return self._matches

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        if self._matches:
            return ()
        return (line(_("There is no finished match on this laptop yet."), "dim"),)

    def row(self, place: int, item: Played, look: Look, width: int) -> Row:
        name = pad(shown(item.title, NAME), NAME, ellipsis=look.signs.ellipsis)
        return (self.span(place, f"{item.when}  {name}", look),)

    def choose(self, place: int) -> ScreenEffects:
        if not self._matches:
            return (Shut(),)
        return (Shut(), *self._take(str(self._matches[place].path)))
