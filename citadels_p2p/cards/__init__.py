"""The card tables: what is printed, and nothing that moves."""

from citadels_p2p.cards.contents import (
    CHARACTERS,
    DISTRICTS,
    FIRST_GAME,
    QUARTERS,
    Character,
    District,
)
from citadels_p2p.cards.editions import (
    EDITIONS,
    MOST_SEATS,
    READINGS,
    Edition,
    Printing,
    extended,
)
from citadels_p2p.cards.presets import PRESETS, Preset

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
