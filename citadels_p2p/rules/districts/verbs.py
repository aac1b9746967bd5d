"""What unique districts let their owner do, by the verbs of their moves.

See `rules/moves.py` for the form.
"""

VERBS: dict[str, tuple[str, ...]] = {
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

#: those that build a card of the hand, and so show it
BUILDING = ("framework", "necropolis", "thieves_den")
