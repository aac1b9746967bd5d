"""The normal bot."""

from __future__ import annotations

from random import Random

from citadels_p2p.bots import easy
from citadels_p2p.rules.asks import Choice
from citadels_p2p.rules.view import View


def choose(view: View, choice: Choice, random: Random) -> tuple[str, ...]:
    return easy.choose(view, choice, random)
