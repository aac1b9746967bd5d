"""The card tables: what is printed, and nothing that moves."""

from citadels_p2p.cards.characters import CHARACTERS, FIRST_GAME, Character
from citadels_p2p.cards.districts import DISTRICTS, QUARTERS, District
from citadels_p2p.cards.editions import EDITIONS, MOST_SEATS, Edition, Printing, extended
from citadels_p2p.cards.presets import PRESETS, Preset
from citadels_p2p.cards.readings import READINGS

__all__ = [
    "CHARACTERS",
    "DISTRICTS",
    "EDITIONS",
    "FIRST_GAME",
    "MOST_SEATS",
    "PRESETS",
    "QUARTERS",
    "READINGS",
    "Character",
    "District",
    "Edition",
    "Preset",
    "Printing",
    "extended",
]
