"""The normal bot."""

from __future__ import annotations

from random import Random

from citadels_p2p.bots.easy import Easy
from citadels_p2p.rules.asks import Choice
from citadels_p2p.rules.view import View


class Normal:
    """Builds cheap and fast."""

    def choose(self, view: View, choice: Choice, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen."""
        return Easy().choose(view, choice, random)
