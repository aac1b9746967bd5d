"""What pages have in common that only show something, and those that do nothing else."""

from __future__ import annotations

from cli.client.client_model import ClientModel
from cli.drawing.grid import Grid
from cli.drawing.panorama import panorama
from cli.i18n import _
from cli.screen.look import Look
from cli.screen.page import Obey, ScreenEffects
from cli.text import notice
from cli.text.cells import Row, wrap

#: rows above the picture, for what is being done
HEAD = 4


def talk(model: ClientModel) -> tuple[str, ...]:
    """The command to speak, for whoever is heard."""
    return ("say",) if model.may_talk else ()


class PlainPage:
    """A page that answers no key of its own."""

    bare = False

    @property
    def bar(self) -> str:
        return "on-must"

    def __init__(self, model: ClientModel) -> None:
        self.model = model

    def commands(self) -> tuple[str, ...]:
        return ("help", "quit")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return ()

    def press(self, key: str) -> ScreenEffects | None:
        return None

    def obey(self, command: str) -> ScreenEffects | None:
        return None

    def click(self, target: str) -> ScreenEffects | None:
        return None


class Opening(PlainPage):
    """A table is being opened or looked for; nothing is known of it."""

    @property
    def bar(self) -> str:
        return "on-told"

    def status(self, look: Look) -> tuple[str, str]:
        return _("Citadels"), _("Opening…")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Esc", _("back")),)

    def press(self, key: str) -> ScreenEffects | None:
        return (Obey("quit"),) if key == "escape" else None

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        work, grid = self.model.work, Grid(width, height)
        told = "" if work is None else notice(work, self.model.scene)
        for place, text in enumerate(wrap(told, width - 2), 1):
            grid.put(1, place, text)
        panorama(grid, HEAD, height - HEAD, look.pen)
        return grid.block()
