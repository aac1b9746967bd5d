"""The characters: one row each. What they do lives in `rules/characters`."""

from __future__ import annotations

from typing import NamedTuple


class Character(NamedTuple):
    """One character card. `quarter`: the districts that pay it income, or None."""

    id: str
    rank: int
    quarter: str | None = None


CHARACTERS: dict[str, Character] = {
    row.id: row
    for row in (
        Character("assassin", 1),
        Character("thief", 2),
        Character("magician", 3),
        Character("king", 4, "noble"),
        Character("bishop", 5, "religious"),
        Character("merchant", 6, "trade"),
        Character("architect", 7),
        Character("warlord", 8, "military"),
    )
}
