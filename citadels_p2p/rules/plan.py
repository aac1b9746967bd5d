"""The rules of a match, compiled once: every table the engine reads while it plays.

Absent cards cost nothing: a hook that no card of this match fills is an empty table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from citadels_p2p.cards import CHARACTERS, EDITIONS, QUARTERS
from citadels_p2p.rules import effects
from citadels_p2p.rules.hooks import Act, CharacterEffect, DistrictEffect
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.schedule import Stage, schedule
from citadels_p2p.rules.state import Frame, State

_PLAIN_CHARACTER = CharacterEffect()
_PLAIN_DISTRICT = DistrictEffect()


class Plan:
    """Tables for one `Rules`. Quarters are numbers here, in the order of `QUARTERS`."""

    __slots__ = (
        "act_of",
        "any_income",
        "any_quarter",
        "calls",
        "character_acts",
        "copies",
        "cost",
        "crown_bound",
        "destroyed",
        "district_acts",
        "draws",
        "effect",
        "gold",
        "hand",
        "income",
        "keeps_all",
        "labels",
        "menus",
        "points",
        "quarter",
        "ranks",
        "reveals",
        "roster",
        "schedule",
        "surcharge",
        "unique",
        "untouchable",
    )

    def __init__(self, rules: Rules) -> None:
        box = EDITIONS[rules.edition]
        self.gold = box.gold
        self.hand = box.hand
        self.unique = QUARTERS.index("unique")
        self.quarter: dict[str, int] = dict(effects.DISTRICT_QUARTERS)
        #: printed cost by district, copies in the deck, and the whole deck in its public order
        self.cost = {printing.card: printing.cost for printing in box.deck}
        self.copies = {printing.card: printing.copies for printing in box.deck}
        self.labels = rules.pack
        #: the characters of this match in rank order, and their ranks
        self.roster = tuple(sorted(box.characters, key=lambda id: CHARACTERS[id].rank))
        self.ranks = {id: CHARACTERS[id].rank for id in self.roster}
        #: the frames that are asked over and over: calls with their character, menus by seat
        self.calls = tuple(
            (id, Frame("call", "called", -1, (rank,))) for id, rank in self.ranks.items()
        )
        self.menus = tuple(Frame("decide", "act", seat) for seat in range(rules.seats))
        self.income: dict[str, int] = {
            id: QUARTERS.index(quarter)
            for id in self.roster
            if (quarter := CHARACTERS[id].quarter) is not None
        }
        self.schedule: tuple[Stage, ...] = schedule(rules.seats, len(self.roster))
        self.effect: dict[str, CharacterEffect] = {
            id: effects.CHARACTERS.get(id, _PLAIN_CHARACTER) for id in self.roster
        }
        self.crown_bound = tuple(id for id in self.roster if self.effect[id].crown_bound)
        self.reveals: tuple[Callable[[State, int, str], None], ...] = tuple(
            hook for id in self.roster if (hook := self.effect[id].on_reveal) is not None
        )
        self.character_acts: dict[str, tuple[Act, ...]] = {
            id: ((effects.INCOME,) if id in self.income else ()) + self.effect[id].acts
            for id in self.roster
        }
        standing: dict[str, DistrictEffect] = {
            card: effects.DISTRICTS.get(card, _PLAIN_DISTRICT) for card in self.cost
        }
        self.district_acts = {c: e.acts for c, e in standing.items() if e.acts}
        self.draws = {c: e.draws for c, e in standing.items() if e.draws}
        self.surcharge = {c: e.surcharge for c, e in standing.items() if e.surcharge}
        self.keeps_all = frozenset(c for c, e in standing.items() if e.keeps_all)
        self.any_income = frozenset(c for c, e in standing.items() if e.any_income)
        self.any_quarter = frozenset(c for c, e in standing.items() if e.any_quarter)
        self.untouchable = frozenset(c for c, e in standing.items() if e.untouchable)
        self.points = {c: e.points for c, e in standing.items() if e.points is not None}
        self.destroyed = {
            c: e.on_destroyed for c, e in standing.items() if e.on_destroyed is not None
        }
        acts = (*self.character_acts.values(), *self.district_acts.values())
        self.act_of: dict[str, Act] = {act.verb: act for group in acts for act in group}


@cache
def plan_of(rules: Rules) -> Plan:
    """The compiled tables; equal rules share one."""
    return Plan(rules)
