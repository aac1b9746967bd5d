"""The rules of a match, compiled once: every table the engine reads while it plays.

Absent cards cost nothing: a hook that no card of this match fills is an empty table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, QUARTERS
from citadels_p2p.rules import steps
from citadels_p2p.rules.hooks import Act, CharacterEffect, DistrictEffect, Faces
from citadels_p2p.rules.move_ids import GATHERING
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.schedule import Stage, dealt, schedule
from citadels_p2p.rules.state import Frame, State

#: what a menu looks at in an act: the power it spends, how often it may, what adds its options
Offer: TypeAlias = tuple[str, int, Callable[[State, int, Faces, list[Move]], None]]


class RuleTables:
    """Tables for one `Rules`. Quarters are numbers here, in the order of `QUARTERS`."""

    __slots__ = (
        "act_of",
        "any_income",
        "any_quarter",
        "bars",
        "built",
        "calls",
        "character_acts",
        "cities_break",
        "closing",
        "copies",
        "cost",
        "crown_bound",
        "crowned",
        "destroyed",
        "detains",
        "discount",
        "district_acts",
        "district_offers",
        "draws",
        "early",
        "effect",
        "ends",
        "exposures",
        "fades",
        "fixed_steps",
        "gathered_gold",
        "gathering",
        "gold",
        "hand",
        "income",
        "keeps",
        "keeps_all",
        "labels",
        "menus",
        "musts",
        "offers",
        "own_ways",
        "payments",
        "plain_builders",
        "points",
        "quarter",
        "raised",
        "ranks",
        "reveals",
        "roster",
        "rules",
        "schedule",
        "selected",
        "silenced",
        "sites",
        "size",
        "step_of",
        "surcharge",
        "ties",
        "turn_ends",
        "twins",
        "uncounted",
        "unique",
        "unlimited",
        "untouchable",
        "unveils",
        "unveils_quarter",
        "way_of",
        "ways",
        "yards",
    )

    def __init__(
        self,
        rules: Rules,
        characters: Mapping[str, CharacterEffect],
        districts: Mapping[str, DistrictEffect],
        income: Act,
    ) -> None:
        box = EDITIONS[rules.edition]
        self.rules = rules
        self.gold = box.gold
        self.ties = rules.ties
        self.cities_break = rules.cities_break
        self.fixed_steps = rules.steps == "fixed"
        self.hand = box.hand
        self.unique = QUARTERS.index("unique")
        self.quarter: dict[str, int] = {
            id: QUARTERS.index(row.quarter) for id, row in DISTRICTS.items()
        }
        #: printed cost by district, copies in the deck, and the whole deck in its public order
        printings = rules.printings
        self.cost = {printing.card: printing.cost for printing in printings}
        self.copies = {printing.card: printing.copies for printing in printings}
        self.labels = rules.pack
        #: the characters of this match in rank order, and their ranks
        self.roster = rules.characters
        self.ranks = {id: rank for id in self.roster if (rank := rules.rank_of(id)) is not None}
        #: the frames that are asked over and over: calls with their character, menus by seat
        self.calls = tuple(
            (id, Frame("call", "called", -1, (rank,))) for id, rank in self.ranks.items()
        )
        self.menus = tuple(Frame("decide", "act", seat) for seat in range(rules.seats))
        self.gathering = tuple(Frame("decide", "gather", seat) for seat in range(rules.seats))
        self.income: dict[str, int] = {
            id: QUARTERS.index(quarter)
            for id in self.roster
            if (quarter := CHARACTERS[id].quarter) is not None
        }
        self.schedule: tuple[Stage, ...] = (
            dealt(rules.characters_each)
            if rules.draft == "deal"
            else schedule(rules.seats, len(self.roster), hidden_first=box.hidden_first)
        )
        self.effect: dict[str, CharacterEffect] = dict(characters)
        self.crown_bound = tuple(id for id in self.roster if self.effect[id].crown_bound)
        self.reveals: tuple[Callable[[State, int, str], None], ...] = tuple(
            hook for id in self.roster if (hook := self.effect[id].on_reveal) is not None
        )
        self._watch()
        self.unlimited = {
            id: QUARTERS.index(quarter)
            for id in self.roster
            if (quarter := self.effect[id].unlimited) is not None
        }
        #: characters for whom the common rules of building are all there is
        self.plain_builders = frozenset(
            id
            for id, effect in self.effect.items()
            if effect.builds and not effect.duplicates and effect.unlimited is None
        )
        self.character_acts: dict[str, tuple[Act, ...]] = {
            id: ((effect.income or income,) if id in self.income else ()) + effect.acts
            for id, effect in self.effect.items()
        }
        #: as menus look at them: all; before the gathering; when the turn is closing
        self.offers = {id: _offers(acts) for id, acts in self.character_acts.items()}
        self.early = {
            id: _offers(act for act in acts if not (act.after_gathering or act.at_turn_end))
            for id, acts in self.character_acts.items()
        }
        self.closing = {
            id: _offers(act for act in acts if act.at_turn_end)
            for id, acts in self.character_acts.items()
        }
        self.musts = {
            id: musts
            for id, acts in self.character_acts.items()
            if (musts := tuple(act for act in acts if act.must))
        }
        self._stand(rules, districts)
        self._build(districts)
        self._hear(districts)
        self.district_acts = {c: e.acts for c, e in districts.items() if e.acts}
        self.district_offers = {c: _offers(acts) for c, acts in self.district_acts.items()}
        self.draws = {c: e.draws for c, e in districts.items() if e.draws}
        self.surcharge = {c: e.surcharge for c, e in districts.items() if e.surcharge}
        self.keeps_all = frozenset(c for c, e in districts.items() if e.keeps_all)
        self.any_income = frozenset(c for c, e in districts.items() if e.any_income)
        self.any_quarter = frozenset(c for c, e in districts.items() if e.any_quarter)
        self.untouchable = frozenset(c for c, e in districts.items() if e.untouchable)
        self.points = {c: e.points for c, e in districts.items() if e.points is not None}
        self.destroyed = {
            c: e.on_destroyed for c, e in districts.items() if e.on_destroyed is not None
        }
        #: by character, what each verb means in its turn; districts' acts among them
        common = {act.verb: act for group in self.district_acts.values() for act in group}
        self.act_of: dict[str, dict[str, Act]] = {
            id: common | {act.verb: act for act in acts}
            for id, acts in self.character_acts.items()
        }

        #: by character, to which step of its turn each verb belongs; all others build
        self.step_of: dict[str, dict[str, int]] = {
            id: {
                **dict.fromkeys(GATHERING, steps.GATHERING),
                "end": steps.CLOSING,
                **{
                    verb: steps.CLOSING if act.at_turn_end else act.step
                    for verb, act in acts.items()
                },
            }
            for id, acts in self.act_of.items()
        }

    def _stand(self, rules: Rules, districts: Mapping[str, DistrictEffect]) -> None:
        """What districts change by standing in a city."""
        self.gathered_gold = {c: e.gold for c, e in districts.items() if e.gold}
        self.keeps = {c: e.keeps for c, e in districts.items() if e.keeps > 1}
        self.fades = frozenset(c for c, e in districts.items() if e.fades)
        self.size = {c: e.size - 1 for c, e in districts.items() if e.size > 1}
        self.unveils_quarter = rules.unveiling == "quarter"
        self.unveils = {c: e.unveiled for c, e in districts.items() if e.unveiled}

    def _build(self, districts: Mapping[str, DistrictEffect]) -> None:
        """What districts change in building: `sites` of themselves, `yards` of others."""
        self.discount = {c: e.discount for c, e in districts.items() if e.discount}
        self.twins = {c: e.twins for c, e in districts.items() if e.twins > 1}
        self.ways = {c: e.ways for c, e in districts.items() if e.ways}
        self.own_ways = {c: e.own_ways for c, e in districts.items() if e.own_ways}
        self.bars = {c: e.bars for c, e in districts.items() if e.bars is not None}
        self.uncounted = frozenset(c for c, e in districts.items() if not e.counted)
        groups = (*self.ways.values(), *self.own_ways.values())
        self.way_of = {way.verb: way for group in groups for way in group}
        self.sites = frozenset(self.own_ways) | frozenset(self.bars) | self.uncounted
        self.yards = frozenset((*self.discount, *self.twins, *self.ways))

    def _hear(self, districts: Mapping[str, DistrictEffect]) -> None:
        """What districts do when something happens."""
        every = districts.items()
        self.raised = {c: e.on_raised for c, e in every if e.on_raised is not None}
        self.turn_ends = {c: e.on_end for c, e in every if e.on_end is not None}
        self.crowned = {c: e.on_crown for c, e in every if e.on_crown is not None}
        self.selected = {c: e.on_selected for c, e in every if e.on_selected is not None}
        self.silenced = {c: e.on_silenced for c, e in every if e.on_silenced is not None}

    def _watch(self) -> None:
        """What characters do while others play, in rank order."""
        watching = [self.effect[id] for id in self.roster]
        self.detains = tuple(e.detains for e in watching if e.detains is not None)
        self.payments = tuple(e.on_payment for e in watching if e.on_payment is not None)
        self.built = tuple(e.on_built for e in watching if e.on_built is not None)
        self.ends = tuple(e.on_any_end for e in watching if e.on_any_end is not None)
        self.exposures = tuple(
            e.on_any_exposed for e in watching if e.on_any_exposed is not None
        )


def _offers(acts: Iterable[Act]) -> tuple[Offer, ...]:
    return tuple((act.power, act.times, act.options) for act in acts)
