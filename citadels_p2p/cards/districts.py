"""The districts.

One row each. Copies and changed costs are an edition's matter, effects `rules/districts`'.
"""

from __future__ import annotations

from typing import NamedTuple

#: the five quarters, in the order used wherever they are counted
QUARTERS = ("noble", "religious", "trade", "military", "unique")


class District(NamedTuple):
    """One district card: its quarter (colour) and printed cost in gold.

    A card that nobody can build has no cost: it counts as 0.
    """

    id: str
    quarter: str
    cost: int


DISTRICTS: dict[str, District] = {
    row.id: row
    for row in (
        District("manor", "noble", 3),
        District("castle", "noble", 4),
        District("palace", "noble", 5),
        District("temple", "religious", 1),
        District("church", "religious", 2),
        District("monastery", "religious", 3),
        District("cathedral", "religious", 5),
        District("tavern", "trade", 1),
        District("market", "trade", 2),
        District("trading_post", "trade", 2),
        District("docks", "trade", 3),
        District("harbor", "trade", 4),
        District("town_hall", "trade", 5),
        District("watchtower", "military", 1),
        District("prison", "military", 2),
        District("barracks", "military", 3),
        District("fortress", "military", 5),
        District("secret_vault", "unique", 0),
        District("haunted_quarter", "unique", 2),
        District("stables", "unique", 2),
        District("armory", "unique", 3),
        District("framework", "unique", 3),
        District("keep", "unique", 3),
        District("lighthouse", "unique", 3),
        District("statue", "unique", 3),
        District("basilica", "unique", 4),
        District("monument", "unique", 4),
        District("museum", "unique", 4),
        District("observatory", "unique", 4),
        District("poor_house", "unique", 4),
        District("bell_tower", "unique", 5),
        District("capitol", "unique", 5),
        District("factory", "unique", 5),
        District("graveyard", "unique", 5),
        District("imperial_treasury", "unique", 5),
        District("ivory_tower", "unique", 5),
        District("laboratory", "unique", 5),
        District("map_room", "unique", 5),
        District("necropolis", "unique", 5),
        District("quarry", "unique", 5),
        District("smithy", "unique", 5),
        District("wishing_well", "unique", 5),
        District("dragon_gate", "unique", 6),
        District("gold_mine", "unique", 6),
        District("great_wall", "unique", 6),
        District("hospital", "unique", 6),
        District("library", "unique", 6),
        District("park", "unique", 6),
        District("school_of_magic", "unique", 6),
        District("theater", "unique", 6),
        District("thieves_den", "unique", 6),
        District("throne_room", "unique", 6),
        District("university", "unique", 6),
    )
}
