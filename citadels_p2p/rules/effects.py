"""All effects in one place: the tables that the characters' and districts' rooms fill."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any, Final

from citadels_p2p.cards import EDITIONS
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
    secrets,
    triggers,
)
from citadels_p2p.rules.hooks import Ask, CharacterEffect, DistrictEffect, Step
from citadels_p2p.rules.income import Income
from citadels_p2p.rules.rule_tables import RuleTables
from citadels_p2p.rules.ruleset import Rules

_RANKS: Final = (rank1, rank2, rank3, rank4, rank5, rank6, rank7, rank8, rank9)
_GROUPS: Final = (building, actions, triggers, secrets, defence, endgame)


def _rows(table: str, *rooms: ModuleType) -> dict[str, Any]:
    """What the rooms that have this table put into it."""
    found: dict[str, Any] = {}
    for room in rooms:
        found.update(getattr(room, table, {}))
    return found


CHARACTERS: Final[dict[str, CharacterEffect]] = _rows("CHARACTERS", *_RANKS)
#: the same where the older boxes read differently
OLDER: Final[dict[str, CharacterEffect]] = _rows("OLDER", *_RANKS)
DISTRICTS: Final[dict[str, DistrictEffect]] = _rows("DISTRICTS", *_GROUPS)
OLDER_DISTRICTS: Final[dict[str, DistrictEffect]] = _rows("OLDER", *_GROUPS)
#: what interrupts on behalf of a card, by the word its frames carry
ASKS: Final[dict[str, Ask]] = _rows("ASKS", *_RANKS, *_GROUPS)
STEPS: Final[dict[str, Step]] = _rows("STEPS", *_RANKS, *_GROUPS)


@lru_cache(maxsize=64)
def tables_of(rules: Rules) -> RuleTables:
    """The tables of these rules, with the effects of their cards; equal rules share one."""
    wording = EDITIONS[rules.edition].wording
    characters = {**CHARACTERS, **OLDER} if wording == "older" else CHARACTERS
    districts = {**DISTRICTS, **OLDER_DISTRICTS} if wording == "older" else DISTRICTS
    plain = CharacterEffect()
    cast = {id: characters.get(id, plain) for id in rules.characters}
    return RuleTables(rules, cast, districts, Income())
