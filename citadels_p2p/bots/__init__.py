"""Players that are programs. A bot sees what its seat may see, and its legal choices; nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from citadels_p2p.bots import easy, normal
from citadels_p2p.rules.asks import Choice
from citadels_p2p.rules.view import View

#: view, choice, chance → the ids of the options chosen
Bot: TypeAlias = Callable[[View, Choice, Random], tuple[str, ...]]

LEVELS: dict[str, Bot] = {"easy": easy.choose, "normal": normal.choose}

__all__ = ["LEVELS", "Bot"]
