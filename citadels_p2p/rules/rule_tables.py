"""The rules of a match, compiled once: every table the engine reads while it plays.

Absent cards cost nothing: a hook that no card of this match fills is an empty table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from citadels_p2p.cards import EDITIONS, QUARTERS
from citadels_p2p.rules.hooks import Act, CharacterEffect, District, DistrictEffect, Role
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.state import Frame

#: A stage of the selection is a word and a number. `up`: so many open, face up; `down`: so many
#: unseen, face down; `take`: the seat so many places left of the crown keeps one; `put`: that
#: seat puts one face down; `join`: the unseen card comes back into the pile; `rest`: what is
#: left goes face down, by that seat; `mix`: the pile is shuffled again. Where chance deals:
#: `favour`: the holder of the crown, if there is one, keeps one; `spread`: everybody is dealt
#: up to so many; `bury`: what is left goes face down, seen by nobody.
Stage: TypeAlias = tuple[str, int]

_DOWN: Final[Stage] = ("down", 1)

#: a district that is only its row
PLAIN: Final = DistrictEffect()


def _take(seats: int) -> tuple[Stage, ...]:
    """So many seats keep a character each, one after the other."""
    return tuple(("take", place) for place in range(seats))


#: (seats, characters) → the stages of two and three seats, where each keeps two characters; of
#: nine characters one of the five in the middle goes out unseen
SMALL: Final[dict[tuple[int, int], tuple[Stage, ...]]] = {
    (2, 8): (_DOWN, *_take(2), ("put", 1), ("take", 0), ("put", 0), ("take", 1), ("rest", 1)),
    (3, 8): (_DOWN, *_take(3), *_take(3), ("rest", 2)),
    (3, 9): (_DOWN, *_take(3), ("mix", 0), _DOWN, *_take(3), ("rest", 2)),
}


def dealt(each: int) -> tuple[Stage, ...]:
    """The stages where chance deals so many characters to each seat."""
    return (("favour", 0), ("mix", 0), ("spread", each), ("bury", 0))


def schedule(seats: int, characters: int, *, hidden_first: bool) -> tuple[Stage, ...]:
    """The stages of one selection.

    `hidden_first`: the unseen card is laid before those face up: of these there are as many as
    leave one for each seat, one unseen, and one over. With one character fewer than seats can
    do, the last seat's rule applies.
    """
    if (seats, characters) in SMALL:
        return SMALL[seats, characters]
    up: list[Stage] = [("up", characters - seats - 2)] if characters > seats + 2 else []
    last = seats - 1
    join: list[Stage] = [("join", last)] if characters == seats + 1 else []
    aside = (_DOWN, *up) if hidden_first else (*up, _DOWN)
    return (*aside, *_take(last), *join, ("take", last), ("rest", last))


class RuleTables:
    """Tables for one `Rules`. Quarters are numbers here, in the order of `QUARTERS`."""

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
        #: the districts of the deck by id, and the whole deck in its public order
        self.districts = {
            row.card: District(rules, row, districts.get(row.card, PLAIN))
            for row in rules.printings
        }
        self.labels = rules.pack
        #: what the cheapest of them costs: with less gold none is paid for
        self.cheapest = min(card.cost for card in self.districts.values())
        effects = [card.effect for card in self.districts.values()]
        #: does any of them have rules of its own for building it, or not count there?
        self.sites = any(card.site for card in self.districts.values())
        self.uncounted = not all(effect.counted for effect in effects)
        #: can any be shown from the hand at the end? even for a quarter?
        self.unveils = any(effect.unveiled for effect in effects)
        self.unveils_quarter = rules.unveiling == "quarter"
        ways = [way for effect in effects for way in (*effect.ways, *effect.own_ways)]
        self.way_of = {way.verb: way for way in ways}
        #: the characters of this match in rank order, and their ranks
        self.roster = rules.characters
        self.ranks = {id: rank for id in self.roster if (rank := rules.rank_of(id)) is not None}
        self.of_rank = [""] * 10
        for id, rank in self.ranks.items():
            self.of_rank[rank] = id
        #: the frames that are asked over and over: calls with their character, menus by seat
        self.calls = tuple(
            (id, Frame("call", "called", -1, (rank,))) for id, rank in self.ranks.items()
        )
        self.menus = tuple(Frame("decide", "act", seat) for seat in range(rules.seats))
        self.gathering = tuple(Frame("decide", "gather", seat) for seat in range(rules.seats))
        self.schedule: tuple[Stage, ...] = (
            dealt(rules.characters_each)
            if rules.draft == "deal"
            else schedule(rules.seats, len(self.roster), hidden_first=box.hidden_first)
        )
        self.crown_bound = tuple(id for id in self.roster if characters[id].crown_bound)
        #: what characters do while others play, in rank order
        watching = [characters[id] for id in self.roster]
        self.reveals = [e.on_reveal for e in watching if e.on_reveal is not None]
        self.detains = [e.detains for e in watching if e.detains is not None]
        self.payments = [e.on_payment for e in watching if e.on_payment is not None]
        self.built = [e.on_built for e in watching if e.on_built is not None]
        self.ends = [e.on_any_end for e in watching if e.on_any_end is not None]
        self.exposures = [e.on_any_exposed for e in watching if e.on_any_exposed is not None]
        #: the characters of this match by id
        of_city = {act.verb: act for effect in effects for act in effect.acts}
        self.roles = {
            id: Role(rules, id, effect, of_city, income) for id, effect in characters.items()
        }
