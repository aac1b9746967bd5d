"""A question with a yes and a no, before something that cannot be taken back."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.overlays.answers import Answers
from cli.screen.page import ScreenEffects


class Confirm(Answers):
    """`yes` is done when the person says so, also by Ctrl-C; the focus begins on no."""

    def __init__(self, question: str, yes_label: str, yes: ScreenEffects) -> None:
        super().__init__()
        self._question = question
        self._label = yes_label
        self._yes = yes

    def title(self) -> str:
        return _("Are you sure?")

    def question(self) -> str:
        return self._question

    def answers(self) -> tuple[tuple[str, ScreenEffects], ...]:
        return ((_("No, go back"), ()), (self._label, self._yes))

    def press(self, key: str) -> ScreenEffects:
        return self.choose(1) if key == "c-c" else super().press(key)
