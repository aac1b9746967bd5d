"""The safety words, at any time: to be read aloud."""

from __future__ import annotations

from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.screen.page import ScreenEffects, Shut
from cli.text.cells import Row, line, wrap
from cli.text.lobby import safety_words


class SafetyWords(Reading):
    """What everybody at the table must see alike."""

    def __init__(self, model: ClientModel) -> None:
        super().__init__()
        self._model = model

    def title(self) -> str:
        return _("Safety words")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Esc", _("back")),)

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        told, *more = safety_words(self._model.lobby)
        rows = [line(part, "heading") for part in wrap(told, width)]
        return (*rows, *(line(part) for text in more for part in wrap(text, width)))

    def press(self, key: str) -> ScreenEffects:
        return (Shut(),) if key == "k" else super().press(key)
