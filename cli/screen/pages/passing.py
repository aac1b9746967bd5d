"""The laptop goes to whoever must decide: nothing secret stands here."""

from __future__ import annotations

from citadels_p2p.match import PassOn, TakeSeat
from cli.client.hot_seat import pass_on
from cli.drawing import letters
from cli.drawing.building import city_height
from cli.drawing.grid import Grid
from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.page import ModelPage, ScreenEffects
from cli.screen.pages import afar, cities
from cli.screen.pages.sheet import Sheet
from cli.screen.plan import NARROW, Plan
from cli.text.cells import Row, wrap
from cli.text.scene import called

#: rows of the one city that is shown, with its head
CITY = 1 + city_height(2, tight=True)


class Passing(ModelPage):
    """The laptop goes to whoever must decide; only Enter shows their cards."""

    hints = (("Enter", N_("sit down")),)

    @property
    def _news(self) -> PassOn:
        passing = self.model.passing
        assert passing is not None
        return passing

    def status(self, look: Look) -> tuple[str, str]:
        return _("Citadels"), pass_on(self._news)

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """The name to be read from afar, what everybody may know, and the one thing to do."""
        grid, name = Grid(width, height), called(self._news.name)
        said = _("Nobody's cards are on the screen. Whoever else is here looks away now.")
        sit = _("I am {name}").format(name=name)
        grid.fill(0, 1, width, letters.HIGH + 2, "on-acts")
        afar.write(grid, look, 2, 2, (name,), width - 5, "strong")
        y = grid.lines(2, letters.HIGH + 4, wrap(said, width - 4), "dim")
        grid.put(0, y + 1, f"{look.signs.focus} {sit} ", "focus")
        grid.aim(0, y + 1, width, 1, "sit")
        grid.stand(0, y + 1)
        y += 3
        last = self._city(grid, look, height - CITY) if height - CITY >= y + 2 else height
        told = [part for entry in self.model.journal for part in wrap(entry.text, width - 4)]
        grid.lines(2, y, told[len(told) - min(len(told), max(0, last - y)) :])
        return grid.block()

    def _city(self, grid: Grid, look: Look, y: int) -> int:
        """What everybody sees of the city of whoever is to sit down; the row above it."""
        view = self.model.view
        if view is None or grid.columns < NARROW:
            return grid.rows
        sheet = Sheet(grid, look, self.model, view, still=True)
        pitch = min(8, (grid.columns - 2) // sheet.plots)
        plan = Plan(1, 1, grid.columns, CITY, 2, pitch, 0)
        cities.panel(sheet, view.seats[self._news.seat], 0, y, grid.columns, plan)
        return y - 1

    def press(self, key: str) -> ScreenEffects | None:
        return self._sit() if key == "enter" else None

    def obey(self, command: str) -> ScreenEffects | None:
        """Nobody speaks, and nobody has anything to hide."""
        return () if command in ("say", "hide") else None

    def click(self, target: str) -> ScreenEffects | None:
        return self._sit() if target == "sit" else None

    def _sit(self) -> ScreenEffects:
        return (TakeSeat(self._news.seat),)
