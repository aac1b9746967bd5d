"""The page before a guided game: what a house shows, and how a match goes."""

from __future__ import annotations

from collections.abc import Callable

from citadels_p2p.cards import CHARACTERS
from cli.client.client_model import ClientModel
from cli.drawing.building import House, city_height, stand
from cli.drawing.grid import Grid
from cli.i18n import N_, _
from cli.screen.frame import asking_bar
from cli.screen.look import Look
from cli.screen.page import ModelPage, ScreenEffects
from cli.screen.pages.sheet import fits
from cli.text import cards
from cli.text.cells import Block, clip, wrap

#: kind and cost of the houses
_HOUSES = (("noble", 4), ("religious", 3), ("trade", 2), ("military", 3), ("unique", 5))
#: half rows of a gold, the larger first; cells of a house at most
_SIZES, WIDEST = (6, 4, 3, 2, 1), 14
#: rows of all but the houses and what is said below them: headings, names, the bar
ELSE = 7


class Primer(ModelPage):
    """Stands until it is read. `read`: what comes then."""

    bare = True
    hints = (("Enter", N_("go on")),)

    def __init__(self, model: ClientModel, read: Callable[[], None]) -> None:
        super().__init__(model)
        self._read = read

    def status(self, look: Look) -> tuple[str, str]:
        return _("How to play"), _("Next: the game")

    def commands(self) -> tuple[str, ...]:
        return ("enough", "help", "quit")

    def paint(self, look: Look, columns: int, rows: int) -> Block:
        grid, pitch = Grid(columns, rows), columns // len(_HOUSES)
        view = self.model.view
        grid.fill(0, 0, columns, 1, "on-bar")
        grid.put(1, 0, self.status(look)[0], "status")
        steps = self._steps(0 if view is None else view.city_size)
        told = [wrap(text, columns - 5) for text in steps]
        dearer = wrap(_("Taller is dearer: what it costs it is worth in points."), columns - 2)
        room = rows - ELSE - sum(map(len, told)) - len(dearer)
        gold = next((g for g in _SIZES if city_height(g, tight=True) <= room), _SIZES[-1])
        room, size = min(room, city_height(gold)), min(WIDEST, pitch - 4)
        y = 1 if room < city_height(gold) else 2
        about = _("A house is a district: cost, type and whom it pays.")
        y = grid.lines(1, y, wrap(about, columns - 2), "bold")
        grid.fill(0, y, columns, room, "on-sky")
        ground = y + room - 1
        for place, (kind, cost) in enumerate(_HOUSES):
            x = 1 + place * pitch
            house = House("", kind, cost)
            stand(grid, x, ground, size, house, look.pen, gold=gold, room=room, sky="on-sky",
                  lit=True)  # fmt: skip
            grid.put(x, ground + 1, clip(cards.quarter(kind), pitch - 1), f"{kind} bold")
            paid = self._paid(kind)
            grid.put(x, ground + 2, fits(paid, pitch - 1) or clip(paid[-1], pitch - 1), "dim")
        y = grid.lines(1, ground + 3, dearer)
        y += rows - y - 2 >= sum(map(len, told))
        for number, lines in enumerate(told, 1):
            grid.put(1, y, f"{number}", "key")
            y = grid.lines(3, y, lines)
        grid.lay(
            [asking_bar(_("Next: the game"), _("Enter: go on"), look, columns)], 0, rows - 1
        )
        return grid.block()

    def _paid(self, kind: str) -> tuple[str, ...]:
        """Whom these districts pay a gold each; of the unique ones, that they do not."""
        if kind == "unique":
            return (_("has a rule of its own"), _("has a rule"))
        roles = (role for role in self.model.box.ranks.values() if role in CHARACTERS)
        found = next((role for role in roles if CHARACTERS[role].quarter == kind), None)
        return ("" if found is None else cards.character(found),)

    @staticmethod
    def _steps(city: int) -> tuple[str, ...]:
        return (
            _("In secret everybody takes a character for the round."),
            _("They are called by rank: each who has one takes a turn."),
            _("A turn: gold or cards, your power, a district to build."),
            _("{city} districts in one city end it: most points win.").format(city=city),
        )

    def press(self, key: str) -> ScreenEffects | None:
        if key in ("enter", " ", "escape"):
            self._read()
            return ()
        return None

    def obey(self, command: str) -> ScreenEffects | None:
        if command == "enough":
            self._read()
        return None  # the screen does what it is
