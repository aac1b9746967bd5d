"""What one person alone knows of a round: the characters passed on, and the one put aside."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from citadels_p2p.match import Ask


@dataclass(slots=True)
class Known:
    """Characters by id. Only what was decided counts: an ask that is open tells nothing yet."""

    passed: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()

    def decide(self, ask: Ask, picks: Collection[str]) -> None:
        """The viewer has answered an ask."""
        if ask.kind not in ("character", "discard_character") or not picks:
            return
        offered = [
            (one.id in picks, str(one.fields.get("card", one.fields.get("character"))))
            for one in ask.options
        ]
        self.passed = tuple(card for chosen, card in offered if not chosen)
        if ask.kind == "discard_character":
            self.aside = (*self.aside, *(card for chosen, card in offered if chosen))

    def forget(self) -> None:
        """A round begins."""
        self.passed = self.aside = ()
