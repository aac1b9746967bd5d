"""All effects in one place: the tables that the characters' and districts' rooms fill."""

from __future__ import annotations

from citadels_p2p.cards import DISTRICTS as DISTRICT_ROWS
from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules.characters import (
    rank1,
    rank2,
    rank3,
    rank4,
    rank5,
    rank6,
    rank7,
    rank8,
    rank9,
)
from citadels_p2p.rules.districts import (
    actions,
    building,
    defence,
    endgame,
    income,
    moments,
    secrets,
)
from citadels_p2p.rules.hooks import Act, Ask, CharacterEffect, DistrictEffect, Step
from citadels_p2p.rules.income import Income

_RANKS = (rank1, rank2, rank3, rank4, rank5, rank6, rank7, rank8, rank9)
_GROUPS = (income, building, actions, moments, secrets, defence, endgame)

CHARACTERS: dict[str, CharacterEffect] = {
    id: effect for room in _RANKS for id, effect in room.CHARACTERS.items()
}
#: the same where the older boxes read differently
OLDER: dict[str, CharacterEffect] = {
    id: effect for room in _RANKS for id, effect in room.OLDER.items()
}
DISTRICTS: dict[str, DistrictEffect] = {
    id: effect for room in _GROUPS for id, effect in room.DISTRICTS.items()
}
OLDER_DISTRICTS: dict[str, DistrictEffect] = {
    id: effect for room in _GROUPS for id, effect in room.OLDER.items()
}
#: what interrupts on behalf of a card, by the word its frames carry
ASKS: dict[str, Ask] = {
    word: ask for room in (*_RANKS, *_GROUPS) for word, ask in room.ASKS.items()
}
STEPS: dict[str, Step] = {
    word: step for room in (*_RANKS, *_GROUPS) for word, step in room.STEPS.items()
}

#: the act of every character with a quarter
INCOME: Act = Income()

DISTRICT_QUARTERS: dict[str, int] = {
    id: QUARTERS.index(row.quarter) for id, row in DISTRICT_ROWS.items()
}


#: of a card that does nothing but what its row says
PLAIN_CHARACTER, PLAIN_DISTRICT = CharacterEffect(), DistrictEffect()


def character(id: str, wording: str) -> CharacterEffect:
    """What a character does by this wording; nothing for one without an effect."""
    if wording == "older" and id in OLDER:
        return OLDER[id]
    return CHARACTERS.get(id, PLAIN_CHARACTER)


def district(id: str, wording: str) -> DistrictEffect:
    """What a district does by this wording; nothing for one without an effect."""
    if wording == "older" and id in OLDER_DISTRICTS:
        return OLDER_DISTRICTS[id]
    return DISTRICTS.get(id, PLAIN_DISTRICT)
