"""The ids of moves: every verb there is, and its arguments.

`moves.py` says what an id looks like. What an id means never changes, since ids travel in
journals and in the JSON client.

Why so: docs/decisions, 6.
"""

from __future__ import annotations

from typing import Final

#: verb → its arguments in order: `slot`, `seat`, `character`, `quarter`, `number`, `give` (a
#: slot given for another), or `slots` and `characters` for a set of them
VERBS: Final[dict[str, tuple[str, ...]]] = {
    "take": ("slot",),  # keep this character
    "aside": ("slot",),  # put this character face down, out of the round
    "gold": (),  # gather gold
    "cards": (),  # gather cards
    "keep": ("slot",),  # of the cards drawn, this one stays in hand
    "build": ("slot",),
    "end": (),  # end the turn
    "card": ("slot",),  # one option of a choice of several; never a move by itself
    "role": ("character",),  # likewise
    "decline": (),  # of something offered
    # characters of several ranks
    "income": (),  # for the districts of the character's quarter
    "bonus_gold": (),
    "bonus_cards": (),
    # rank 1
    "murder": ("character",),
    "bewitch": ("character",),
    "place_warrants": (),  # asks on whom, then which is signed
    "warrants": ("characters",),
    "confiscate": ("slot",),  # the warrant, shown
    # rank 2
    "rob": ("character",),
    "spy": ("quarter", "seat"),
    "count": ("number",),  # so many cards of that quarter
    "agree": (),  # to the count
    "contest": (),  # the count: the hand is opened
    "place_threats": (),
    "threats": ("characters",),
    "bribe": (),
    "refuse_bribe": (),
    "threaten": ("slot",),  # the threat, shown
    # a secret: `sign` is the seat's own, `seal` all that others see of it
    "sign": ("slot", "character"),
    "seal": ("slot",),
    # rank 3
    "swap": ("seat",),  # exchange whole hands
    "redraw": (),  # asks which cards go under the deck; as many are drawn
    "discard": ("slots",),  # of the hand, these go
    "peek": ("seat",),  # look at a hand, to take a card of it
    "pocket": ("slot",),  # this one, into the hand
    "raise": ("slot",),  # this one, built at once
    "foresee": (),  # a card from everybody
    "give": ("slot",),
    # rank 4
    "crown": ("seat",),
    "tribute_gold": (),
    "tribute_card": (),
    "tribute": ("slot",),  # this card
    # rank 5
    "share": ("number",),  # so much gold, and cards for the other districts
    "alms": ("seat",),
    "borrow": ("seat",),  # what a district costs more than one has
    "pay_cards": ("slots",),
    # rank 6 and 9
    "homage": (),
    "gild": ("slot",),
    "collect": (),
    # rank 7
    "voyage_gold": (),
    "voyage_cards": (),
    "study": (),
    # rank 8
    "destroy": ("seat", "slot"),
    "exchange": ("give", "seat", "slot"),
    "seize": ("seat", "slot"),
    # districts
    "lab": ("slot",),  # discard a card for gold
    "smithy": (),  # pay for cards
    "recover": ("slot",),  # take a destroyed district to hand
    "armory": ("seat", "slot"),  # destroy it, and a district of a city
    "framework": ("slot",),  # build this card, destroying the Framework instead of paying
    "necropolis": ("slot", "give"),  # build it, destroying this district instead of paying
    "thieves_den": ("slot",),  # build it, asks which hand cards pay
    "tuck": ("slot",),  # a hand card goes face down under the Museum
    "restock": (),  # cards for an empty hand
    "search": (),  # look through the deck
    "fetch": ("slot",),  # take this card of it
    "toll": (),  # one district fewer is enough from now on
    "treat": ("slot",),  # this is the murdered character: its holder gathers all the same
    "stage": ("seat",),  # exchange characters with this seat
    "recast": ("slot", "seat"),  # give this character for one of that seat's, by lots
}

#: verbs that gather at the beginning of a turn
GATHERING: Final = ("gold", "cards")

#: verbs that build a card of the hand, and so show it
BUILDING: Final = frozenset(("build", "framework", "necropolis", "thieves_den"))
