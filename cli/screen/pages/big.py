"""The table for a room that looks on: nothing to press, and everything as large as it goes."""

from __future__ import annotations

from cli.client.client_model import ClientModel
from cli.screen.look import Look
from cli.screen.pages.plain_page import PlainPage
from cli.screen.pages.table import Table
from cli.text.cells import Block


class Big(PlainPage):
    """Cities, gold, crown, victims and the last acts, for the back row."""

    bare = True

    def __init__(self, model: ClientModel) -> None:
        super().__init__(model)
        self._table = Table(model)

    def status(self, look: Look) -> tuple[str, str]:
        return self._table.status(look)

    def paint(self, look: Look, width: int, height: int) -> Block:
        return self._table.paint(look, width, height)
