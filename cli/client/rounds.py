"""What is kept of a round for looking back on it, and which events belong there."""

from __future__ import annotations

from dataclasses import dataclass, field

from citadels_p2p.rules.view import View

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
    characters: dict[int, list[str]] = field(
        default_factory=dict
    )  #: by seat, in the order shown
    revealed: dict[int, list[str]] = field(default_factory=dict)  #: of these, when called
    told: list[str] = field(default_factory=list)
    gold: tuple[int, ...] = ()
    worth: tuple[int, ...] = ()  #: by seat, the summed cost of the city
    table: View | None = None  #: how everything lay when it ended
    still: bool = True  #: since it began, no gold and no district has moved
    last: bool = False  #: the match ended with it
