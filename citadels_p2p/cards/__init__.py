"""The card tables: what is printed, and nothing that moves."""

from citadels_p2p.cards.characters import CHARACTERS, Character
from citadels_p2p.cards.districts import DISTRICTS, QUARTERS, District
from citadels_p2p.cards.editions import EDITIONS, MOST_SEATS, Edition, Printing

__all__ = [
    "CHARACTERS",
    "DISTRICTS",
    "EDITIONS",
    "MOST_SEATS",
    "QUARTERS",
    "Character",
    "District",
    "Edition",
    "Printing",
]
