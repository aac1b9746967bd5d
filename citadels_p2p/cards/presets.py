"""Whole settings by name: the characters and unique districts that a rulebook puts together.

Two printings of the newest box share most names and differ in a few cards; the later one has
the plain name, the earlier one its year behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from citadels_p2p.cards.contents import CHARACTERS, FIRST_GAME
from citadels_p2p.cards.editions import EDITIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One setting.

    `characters` of the ranks one to eight, `ninth` where a ninth is called for; `uniques` in
    the order of the alphabet.
    """

    id: str
    edition: str
    characters: tuple[str, ...]
    ninth: str
    uniques: tuple[str, ...]

    def roster(self, seats: int, *, ninth: bool | None = None) -> tuple[str, ...]:
        """The characters for so many seats, in rank order.

        `ninth`: with a character of rank nine or without; None: only where it is needed. Who
        cannot play with so few seats is replaced by the next of its rank that can.
        """
        box = EDITIONS[self.edition]
        wanted = seats in box.ninth_needed if ninth is None else ninth
        chosen = (*self.characters, self.ninth) if wanted and seats > 2 else self.characters
        return tuple(_fit(id, seats, box.cast) for id in chosen)


def _fit(character: str, seats: int, cast: tuple[str, ...]) -> str:
    if CHARACTERS[character].fewest_seats <= seats:
        return character
    rank = CHARACTERS[character].rank
    return next(
        id
        for id in cast
        if CHARACTERS[id].rank == rank and CHARACTERS[id].fewest_seats <= seats
    )


def _preset(id: str, characters: str, ninth: str, uniques: str) -> Preset:
    return Preset(
        id=id,
        edition="2016",
        characters=tuple(characters.split()),
        ninth=ninth,
        uniques=tuple(uniques.split()),
    )


_EMISSARIES: Final = "witch spy seer emperor bishop merchant scholar diplomat"
_DIGNITARIES: Final = "magistrate blackmailer wizard king abbot alchemist navigator marshal"

PRESETS: Final[dict[str, Preset]] = {
    row.id: row
    for row in (
        _preset(
            "first_game",
            " ".join(FIRST_GAME),
            "artist",
            "dragon_gate factory haunted_quarter imperial_treasury keep laboratory library"
            " map_room quarry school_of_magic smithy statue thieves_den wishing_well",
        ),
        _preset(
            "devious_dignitaries",
            _DIGNITARIES,
            "queen",
            "dragon_gate framework gold_mine haunted_quarter laboratory necropolis park"
            " poor_house secret_vault smithy stables theater thieves_den wishing_well",
        ),
        _preset(
            "illustrious_emissaries",
            _EMISSARIES,
            "artist",
            "capitol factory framework great_wall haunted_quarter ivory_tower keep library"
            " observatory park poor_house quarry school_of_magic smithy",
        ),
        _preset(
            "vicious_nobles",
            "assassin thief magician patrician cardinal trader architect warlord",
            "tax_collector",
            "armory basilica dragon_gate gold_mine imperial_treasury ivory_tower map_room"
            " monument museum school_of_magic stables statue thieves_den wishing_well",
        ),
        _preset(
            "ambitious_aristocrats",
            "magistrate thief wizard patrician bishop trader architect marshal",
            "queen",
            "capitol factory framework great_wall haunted_quarter keep necropolis park"
            " poor_house quarry school_of_magic stables statue thieves_den",
        ),
        _preset(
            "cunning_agents",
            "witch blackmailer magician emperor abbot alchemist architect warlord",
            "tax_collector",
            "armory basilica dragon_gate gold_mine keep monument museum necropolis park"
            " poor_house quarry secret_vault smithy theater",
        ),
        _preset(
            "tenacious_delegates",
            "assassin spy seer king cardinal trader scholar diplomat",
            "artist",
            "basilica capitol haunted_quarter imperial_treasury laboratory library map_room"
            " observatory school_of_magic secret_vault smithy stables statue wishing_well",
        ),
        _preset(
            "devious_dignitaries_2016",
            _DIGNITARIES,
            "queen",
            "dragon_gate factory framework haunted_quarter laboratory necropolis park"
            " poor_house secret_vault smithy stables theater thieves_den wishing_well",
        ),
        _preset(
            "illustrious_emissaries_2016",
            _EMISSARIES,
            "artist",
            "factory framework great_wall haunted_quarter ivory_tower keep library museum"
            " observatory park poor_house quarry school_of_magic smithy",
        ),
        _preset(
            "vicious_nobles_2016",
            "assassin thief magician patrician cardinal merchant navigator warlord",
            "tax_collector",
            "armory basilica dragon_gate gold_mine imperial_treasury ivory_tower laboratory"
            " map_room monument museum school_of_magic statue thieves_den wishing_well",
        ),
    )
}
