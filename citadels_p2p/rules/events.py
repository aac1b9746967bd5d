"""What happened, as public values: one kind a row, its fields in order.

An event names seats by number, cards and characters by their English id, slots by number, and
never a card that is still hidden. Narration, screens, replays and tests read events; only the
board's verbs emit them. The table below is the whole vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

Value: TypeAlias = int | str | bool | tuple[int, ...] | tuple[str, ...] | None

#: kind → names of its fields
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "characters_drawn": ("characters",),  # who takes part, by lots
    "uniques_drawn": ("districts",),  # the unique districts of the deck, by lots
    "match_begins": ("first",),  # seat that lots gave the crown first (None: nobody)
    "round_begins": ("round", "crown"),
    "face_up": ("characters",),  # discarded face up this round
    "face_up_replaced": ("character",),  # may not lie face up: goes back, another is drawn
    "face_down": ("count",),  # discarded unseen
    "character_taken": ("seat",),
    "character_dealt": ("seat",),  # by chance, where characters are not chosen
    "character_set_aside": ("seat",),  # discarded face down by a choosing seat
    "rank_called": ("rank", "seat", "character"),  # seat, character None: nobody answered
    "rank_silent": ("rank",),  # not called aloud with effect: its character was murdered
    "turn_begins": ("seat", "rank", "character"),
    "turn_ends": ("seat",),
    "turn_resumed": ("seat", "rank", "character"),  # by a seat that is not its holder
    "gold_gathered": ("seat", "gold"),
    "cards_drawn": ("seat", "count"),  # seen by the seat, some may go back
    "cards_kept": ("seat", "count", "returned"),
    "cards_gained": ("seat", "count", "reason"),  # by the ability of this card
    "cards_discarded": ("seat", "count", "reason"),
    "gold_gained": ("seat", "gold", "reason"),
    "gold_paid": ("seat", "gold", "reason", "to"),  # to: seat or None (bank, or a character)
    "cards_given": ("seat", "to", "count", "reason"),
    "hand_seen": ("seat", "other", "reason"),  # looked at by seat alone
    "spied": ("seat", "other", "quarter", "count"),  # cards of that quarter in other's hand
    "hand_opened": ("seat", "cards"),  # a count was denied: everybody sees the hand
    "income": ("seat", "gold", "quarter"),
    "built": ("seat", "card", "slot", "paid"),
    "city_completed": ("seat", "first"),
    "last_round": (),
    "goes_on": (),  # no complete city is left: there will be another round
    "named": ("seat", "character", "purpose"),  # purpose: murder, theft, …
    "markers_placed": ("seat", "characters", "purpose"),  # one of them is the true one
    "marker_signed": ("seat", "purpose"),  # which one, is the seat's secret
    "taxed": ("seat", "gold"),  # onto the character's token
    "markers_withdrawn": ("seat", "purpose"),
    "bribed": ("seat", "to", "gold"),  # the threat goes away unseen
    "bribe_refused": ("seat", "to"),
    "threat_shown": ("seat", "victim", "character"),  # the character that bears the true one
    "threat_dropped": ("seat", "victim"),
    "summoned": ("seat", "card", "slot", "paid", "judge"),  # paid for; judge may take it
    "confiscated": ("seat", "owner", "card", "slot", "returned"),  # returned: gold, to owner
    "robbed": ("seat", "victim", "gold"),
    "crown_taken": ("seat", "before"),  # before: seat that had it or None
    "hands_swapped": ("seat", "other", "given", "taken"),
    "destroyed": ("seat", "owner", "card", "slot", "paid"),
    "seized": ("seat", "owner", "card", "slot", "paid"),
    "exchanged": ("seat", "card", "slot", "other", "other_card", "other_slot", "paid"),
    "gilded": ("seat", "card", "slot", "gold"),
    "deck_shuffled": (),
    "deck_searched": ("seat", "count"),  # looked through by the seat alone, to take one card
    "cards_tucked": ("seat", "count", "reason"),  # hand cards go face down under a district
    "site_begun": ("seat", "card"),  # a district is about to be paid for in another way
    "declined": ("seat", "reason"),  # what a district offered
    "recasting": ("seat", "other"),  # lots will say which of other's two characters
    "picks_swapped": ("seat", "other"),  # one hidden character each
    "fewer_needed": ("seat", "count"),  # so many districts complete a city from now on
    "unveiled": ("seat", "card"),  # shown from the hand when points are counted
    "recovered": ("seat", "card", "slot", "paid"),
    "recovery_declined": ("seat", "card"),
    "exposed": ("seat", "character"),  # never revealed in the round, shown at its end
    "heir": ("seat", "character"),
    "seat_away": ("seat",),
    "seat_back": ("seat",),
    "timed_out": ("seat",),
    "match_over": ("winners",),
}


@dataclass(init=False, unsafe_hash=True, slots=True)
class Event:
    """One thing that happened: `n` counts from 1 in the match's order."""

    n: Final[int]
    kind: Final[str]
    values: Final[tuple[Value, ...]]

    # Written out: the constructor that `dataclass` makes is interpreted in a compiled engine.
    def __init__(self, n: int, kind: str, values: tuple[Value, ...]) -> None:
        self.n = n
        self.kind = kind
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        return Event, (self.n, self.kind, self.values)

    def fields(self) -> dict[str, Value]:
        """The event's own fields by name, in the table's order."""
        return dict(zip(KINDS[self.kind], self.values, strict=True))
