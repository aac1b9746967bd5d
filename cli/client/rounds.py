"""What is kept of a round for looking back on it, and which events belong there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from citadels_p2p.match import Ask
from citadels_p2p.rules.view import View
from cli.text.stakes import Mark

#: what is told once more when a round is over
TOLD_AGAIN = frozenset({
    "named", "markers_placed", "rank_silent", "robbed", "bribed", "threat_shown",
    "turn_resumed", "hands_swapped", "destroyed", "seized", "exchanged",
    "confiscated", "crown_taken", "heir", "city_completed", "last_round", "goes_on",
    "fewer_needed",
})  # fmt: skip
#: what may happen from a round's beginning on while gold and cities stay as they were
STILL = frozenset({
    "round_begins", "face_up", "face_up_replaced", "face_down", "character_taken",
    "character_dealt", "character_set_aside", "rank_called", "turn_begins", "crown_taken",
    "seat_away", "seat_back", "timed_out",
})  # fmt: skip


@dataclass(slots=True)
class RoundSummary:
    """What became known in one round, and how the seats stood when it ended."""

    number: int
    #: by seat, in the order shown
    characters: dict[int, list[str]] = field(default_factory=dict)
    revealed: dict[int, list[str]] = field(default_factory=dict)  #: of these, when called
    told: list[str] = field(default_factory=list)
    #: what lay on which character when it ended
    stakes: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    gold: tuple[int, ...] = ()
    worth: tuple[int, ...] = ()  #: by seat, the summed cost of the city
    table: View | None = None  #: how everything lay when it ended
    still: bool = True  #: since it began, no gold and no district has moved
    last: bool = False  #: the match ended with it


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
        self.passed = self.aside = ()
