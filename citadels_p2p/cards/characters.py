"""The characters: one row each. What they do lives in `rules/characters`."""

from __future__ import annotations

from typing import NamedTuple


class Character(NamedTuple):
    """One character card.

    `quarter`: the districts that pay it income, or None. `fewest_seats`: below them it cannot
    play. `older_rank`: where the older boxes call it at another rank.
    """

    id: str
    rank: int
    quarter: str | None = None
    fewest_seats: int = 2
    older_rank: int | None = None


CHARACTERS: dict[str, Character] = {
    row.id: row
    for row in (
        Character("assassin", 1),
        Character("witch", 1),
        Character("magistrate", 1),
        Character("thief", 2),
        Character("spy", 2),
        Character("blackmailer", 2),
        Character("magician", 3),
        Character("wizard", 3),
        Character("seer", 3),
        Character("king", 4, "noble"),
        Character("emperor", 4, "noble", fewest_seats=3),
        Character("patrician", 4, "noble"),
        Character("bishop", 5, "religious"),
        Character("abbot", 5, "religious"),
        Character("cardinal", 5, "religious"),
        Character("merchant", 6, "trade"),
        Character("alchemist", 6),
        Character("trader", 6, "trade"),
        Character("architect", 7),
        Character("navigator", 7),
        Character("scholar", 7),
        Character("warlord", 8, "military"),
        Character("diplomat", 8, "military"),
        Character("marshal", 8, "military"),
        Character("queen", 9, fewest_seats=5),
        Character("artist", 9),
        Character("tax_collector", 9, older_rank=2),
    )
}

#: the eight that every box plays a first game with
FIRST_GAME = (
    "assassin",
    "thief",
    "magician",
    "king",
    "bishop",
    "merchant",
    "architect",
    "warlord",
)
