"""The page of a table that is not there yet."""

from __future__ import annotations

from cli.drawing.grid import Grid
from cli.drawing.panorama import panorama
from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.page import ModelPage, Obey, ScreenEffects
from cli.text import notice
from cli.text.cells import Row, wrap

#: rows above the picture, for what is being done
HEAD = 4


class Opening(ModelPage):
    """A table is being opened or looked for; nothing is known of it."""

    bar = "on-told"
    hints = (("Esc", N_("back")),)

    def status(self, look: Look) -> tuple[str, str]:
        return _("Citadels"), _("Opening…")

    def press(self, key: str) -> ScreenEffects | None:
        return (Obey("quit"),) if key == "escape" else None

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        work, grid = self.model.work, Grid(width, height)
        told = "" if work is None else notice(work, self.model.scene)
        for place, text in enumerate(wrap(told, width - 2), 1):
            grid.put(1, place, text)
        panorama(grid, HEAD, height - HEAD, look.pen)
        return grid.block()
