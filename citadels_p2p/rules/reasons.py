"""Why not.

Refusals are values with a code and its fields, turned into sentences by the person's side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from citadels_p2p.rules.events import Value

#: code → names of its fields, in order. The whole vocabulary.
REASONS: Final[dict[str, tuple[str, ...]]] = {
    "not_needed": (),  # a fact that answers nothing that is asked now
    "not_your_turn": ("seat",),
    "not_an_option": (),  # no such option here
    "too_few": ("low",),
    "too_many": ("high",),
    "no_such_card": (),  # the slot holds nothing that may be chosen
    "not_shown": (),  # the card must be shown with this move
    "false_face": ("card",),  # more of this card than the pack holds, or not of this pack
    "gather_first": (),
    "already_gathered": (),
    "deck_empty": (),
    "already_used": (),  # once per turn
    "build_limit": ("limit",),
    "quarter_only": ("quarter",),  # beyond the limit, as many of this quarter as one likes
    "no_building": (),  # this character may not build
    "not_buildable": ("card",),  # this district cannot be built by any means
    "too_many_districts": ("limit",),  # stand in the city already
    "turn_closing": (),  # a power of the turn's end was used: only the end is left
    "step_over": (),  # the turn's steps have a fixed order, and this one is past
    "duty_first": (),  # something must be done before the turn may end
    "already_built": ("card",),
    "stands_there": ("card", "seat"),  # one like it, in the city that would get this one
    "too_dear": ("cost", "gold"),
    "no_income": (),
    "out_of_reach": (),  # the power finds nobody and nothing
    "not_yourself": (),
    "not_itself": (),
    "not_that_character": ("character",),
    "hand_empty": (),  # one's own
    "no_cards": ("seat",),  # the hand of this seat is empty
    "nobody_has_cards": (),  # beside the one who asks
    "too_few_cards": (),  # in one's own hand, to pay with
    "not_richest": ("seat",),
    "is_richest": (),  # nobody is richer
    "equally_rich": (),  # two or more are the richest, and so none of them gives
    "holds_crown": ("seat",),
    "no_gold": ("seat",),
    "already_gilded": (),
    "dearer_than": ("limit",),  # costs more than the power reaches
    "protected": ("seat",),
    "untouchable": ("card",),
    "city_complete": ("seat",),
    "not_present": ("seat",),
    "already_so": (),  # away when already away, back when never gone
    "wrong_rank": (),  # the character shown is not the one called
    "silent_holder": ("seat", "character"),  # kept silent with a living character
    "not_spared": (),  # the others could not play on without this operator
    "match_over": (),
    "ask_closed": (),  # the question has been answered already
    "no_such_seat": (),  # nobody here plays one
    "unknown_level": (),  # there are no such bots
    "not_passed": (),  # the laptop was not passed to this seat
}


@dataclass(init=False, unsafe_hash=True, slots=True)
class Reason:
    """Why something is refused."""

    code: Final[str]
    values: Final[tuple[Value, ...]]

    def __init__(self, code: str, values: tuple[Value, ...] = ()) -> None:
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        return Reason, (self.code, self.values)

    def fields(self) -> dict[str, Value]:
        return dict(zip(REASONS[self.code], self.values, strict=True))
