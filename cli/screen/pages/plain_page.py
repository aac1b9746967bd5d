"""What pages have in common that only show something."""

from __future__ import annotations

from cli.client.client_model import ClientModel
from cli.screen.page import ScreenEffects


def talk(model: ClientModel) -> tuple[str, ...]:
    """The command to speak, for whoever is heard."""
    return ("say",) if model.may_talk else ()


class PlainPage:
    """A page that answers no key of its own."""

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
