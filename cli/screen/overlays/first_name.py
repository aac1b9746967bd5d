"""The name at the table, asked once at the first start and kept."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.keys import is_text
from cli.screen.line_editor import LineEditor
from cli.screen.overlays.answers import Answers
from cli.screen.overlays.prompt import TextPrompt
from cli.screen.page import Obey, Open, ScreenEffects, Settle, Shut
from cli.settings import Settings
from cli.settings.file import keep_name
from cli.text.scene import NAME_LIMIT, clean


class FirstName(TextPrompt):
    """The name that the laptop thought of stands there already; Enter or Esc takes it, and
    the first letter that is typed takes its place.
    """

    def __init__(self, settled: Settings, proposed: str) -> None:
        asked = _("What are you called at the table? You can change it in the settings.")
        super().__init__(_("Welcome to Citadels"), asked, self._named, text=proposed)
        self._settled = settled
        self._proposed = proposed
        self._untouched = True

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("keep this name")),)

    def press(self, key: str) -> ScreenEffects:
        if key == "escape" or (key == "enter" and not clean(self.text).strip()):
            return (Shut(), *self._named(self._proposed))
        if self._untouched and is_text(key):
            self._line = LineEditor()
        self._untouched = False
        return super().press(key)

    def _named(self, typed: str) -> ScreenEffects:
        name = clean(typed, NAME_LIMIT).strip()
        keep_name(self._settled.home, name)
        return (Settle("name", name), Open(Offer()))


class Offer(Answers):
    """Whoever is here for the first time may have the first game explained."""

    def title(self) -> str:
        return _("Welcome to Citadels")

    def question(self) -> str:
        return _(
            "Is the game new to you? In a guided first game every step is explained where it"
            " happens. You can leave the guide at any time. If not now, you find it under"
            " Begin."
        )

    def answers(self) -> tuple[tuple[str, ScreenEffects], ...]:
        return (_("Play the guided game"), (Obey("guide"),)), (_("Not now"), ())
