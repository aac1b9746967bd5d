"""How others come to the table: the join code, in words, and as a QR code where that fits."""

from __future__ import annotations

from cli.client.client_model import ClientModel
from cli.i18n import N_, _
from cli.screen.frame import AROUND, WIDEST
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.settings import Settings
from cli.share import qr
from cli.text.cells import Block, Row, Span, beside, line, wrap
from cli.text.lobby import is_alone, ways_in

#: cells of the text beside the QR code
TEXT = 34


class JoinCode(Reading):
    """What is shown to whoever is to come."""

    heading = N_("How others come to this table")
    hints = (("Esc", N_("back")),)
    shuts = ("c",)

    def __init__(self, model: ClientModel, settled: Settings | None) -> None:
        super().__init__()
        self._model = model
        self._on_light = settled is not None and settled.theme == "light"

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        texts = ways_in(self._model.lobby)
        rows = [(line(part) for part in wrap(text, width)) for text in texts]
        return tuple(row for part in rows for row in (*part, ()))

    def paint(self, look: Look, width: int, height: int) -> Block:
        picture = self._picture(look)
        if not picture:
            return super().paint(look, width, height)
        size, high = len(picture[0]), len(picture)
        code = [(Span(row, here=not place),) for place, row in enumerate(picture)]
        if width >= size + TEXT and height >= high:
            told = self.rows(look, width - size - 2)[:height]
            return beside(((code, size), (told, width - size - 2)), line("  "))
        told = self.rows(look, width)
        if width >= size and height >= high + len(told):
            return (*told, *code)
        small = [line(part, "dim") for part in wrap(self._needed(look, size, high), width)]
        return (*super().paint(look, width, height - len(small)), *small)

    def _needed(self, look: Look, size: int, high: int) -> str:
        """Which window has room for a picture of so many columns and rows."""
        columns = size + TEXT + AROUND[0]
        if columns > WIDEST:
            columns = size + AROUND[0]
            high += len(self.rows(look, size))
        return _("A window of {columns}×{rows} cells has room for a QR code here.").format(
            columns=columns, rows=high + AROUND[1]
        )

    def _picture(self, look: Look) -> tuple[str, ...]:
        news = self._model.lobby
        if news is None or not news.code or is_alone(news):
            return ()
        return qr.rows(news.code, ascii_only=look.ascii, on_light=self._on_light)
