"""What each option is worth to the seat that is asked, in gold, by its verb.

Only what the seat may know is looked at, also where the whole world is imagined. Options are
compared with each other and with `end` and `decline`, which are worth nothing; what is worth
more than about ten is a matter of order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from citadels_p2p.bots.judgement import LURE, Sight, worth_being
from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules.board import needed, size, standing, worth
from citadels_p2p.rules.characters import rank8
from citadels_p2p.rules.income import amount
from citadels_p2p.rules.moves import Move

Weight: TypeAlias = Callable[[Sight, Move], float]

#: for what is better left alone, whatever the chance
NEVER: Final = -9.0

#: for what is best done when everything is built
LATE: Final = 5.0


def _flat(weight: float) -> Weight:
    return lambda sight, move: weight


# Characters


def _take(sight: Sight, move: Move) -> float:
    return 1.5 * worth_being(sight.state, sight.seat, sight.faces[move.slot])


def _stage(sight: Sight, move: Move) -> float:
    """Better than what one holds, by what everybody may be expected to hold."""
    state, place = sight.state, sight.place
    slot = move.slot if move.slot >= 0 else place.picks[0]
    own = worth_being(state, sight.seat, sight.faces[slot])
    every = [worth_being(state, sight.seat, id) for id in state.tables.roster]
    return sum(every) / len(every) - own - 0.5


def _murder(sight: Sight, move: Move) -> float:
    """Whoever is feared, as what it would like to be."""
    seats = range(sight.state.rules.seats)
    chance = sight.bearers([sight.lead(seat) for seat in seats]).get(move.character, 0.0)
    return 40.0 + chance + 0.3 * LURE.get(move.character, 1.0) if chance else -1.0


def _bewitch(sight: Sight, move: Move) -> float:
    """What one would like to be oneself, if anybody is."""
    chance = sight.bearers([1.0] * sight.state.rules.seats).get(move.character, 0.0)
    return 40.0 + 2.0 * chance * worth_being(sight.state, sight.seat, move.character)


def _rob(sight: Sight, move: Move) -> float:
    gold = [float(place.gold) + 0.5 for place in sight.state.places]
    chance = sight.bearers(gold).get(move.character, 0.0)
    return 40.0 + 2.0 * chance if chance else -1.0


def _threat(sight: Sight, move: Move) -> float:
    """Where there is gold to be taken."""
    if move.character in sight.state.faceup.values():
        return NEVER
    gold = [0.5 + min(place.gold, 6) for place in sight.state.places]
    return sight.bearers(gold).get(move.character, 0.0)


def _warrant(sight: Sight, move: Move) -> float:
    """Where there is gold to be spent on a district."""
    builds = sight.state.tables.roles[move.character].effect.builds
    return min(_threat(sight, move), 9.0 if builds else 0.0)


def _sign(sight: Sight, move: Move) -> float:
    """As they were laid; the frame says for which purpose."""
    (purpose,) = sight.state.stack[-1].labels
    return PARTS[purpose](sight, move)


# Gathering and gold


def _income(sight: Sight, move: Move) -> float:
    """Gold before building where it helps, else after it: what was built may pay as well."""
    state, gold = sight.state, sight.place.gold
    if state.tables.fixed_steps or state.role().effect.income is not None:
        return 25.0
    richer = gold + amount(state, sight.seat)
    return 25.0 if sight.payable(richer) > sight.payable(gold) else LATE


def _cards(sight: Sight, move: Move) -> float:
    useful, paid = len(sight.useful), sight.payable(sight.place.gold)
    return 21.0 if useful <= 1 and useful == paid else 17.0 if useful == paid else 11.0


def _crown(sight: Sight, move: Move) -> float:
    """To somebody who has something to give for it, and is not feared."""
    place = sight.state.places[move.seat]
    pays = 1.0 if place.gold or place.hand else 0.0
    return 10.0 + pays - 0.5 * sight.lead(move.seat)


# Hands


def _keep(sight: Sight, move: Move) -> float:
    return sight.keeping(move.slot)


def _spy(sight: Sight, move: Move) -> float:
    """A gold and a card for each card of a quarter: as many as the pack leads to expect."""
    tables, place = sight.state.tables, sight.state.places[move.seat]
    quarter = QUARTERS.index(move.quarter)
    alike = sum(tables.districts[card].quarter == quarter for card in tables.labels)
    alike -= sum(other.quarters[quarter] for other in sight.state.places)
    expected = len(place.hand) * max(alike, 0) / len(tables.labels)
    return 40.0 + expected + 0.5 * min(expected, place.gold)


def _swap(sight: Sight, move: Move) -> float:
    gain = len(sight.state.places[move.seat].hand) - len(sight.useful)
    return 50.0 + gain if gain >= 2 else -1.0


def _redraw(sight: Sight, move: Move) -> float:
    spare = len(sight.place.hand) - len(sight.useful)
    return 45.0 if spare >= 2 or not sight.useful else -2.0


def _tuck(sight: Sight, move: Move) -> float:
    """A point for a card: for one of no use at once, for others when nothing is left to do."""
    keeping = sight.keeping(move.slot)
    spare = keeping <= 0.0 or sight.state.ends or len(sight.useful) > 3
    return 5.0 - 0.5 * keeping if spare else -1.0


def _smithy(sight: Sight, move: Move) -> float:
    return 8.0 if len(sight.useful) < 2 and sight.place.gold >= 4 else -1.0


# Building


def _build(sight: Sight, move: Move) -> float:
    return 10.0 + sight.gain(sight.card(move.slot))


def _ruin(sight: Sight, move: Move) -> float:
    """Giving a standing district up to build another for nothing."""
    state, lost = sight.state, move.give
    if lost < 0:
        lost = sight.place.slot_of(move.verb)
    given_up = worth(state, lost, standing(state, lost))
    return 2.0 * (sight.gain(sight.card(move.slot)) - given_up) - 3.0


def _borrow(sight: Sight, move: Move) -> float:
    """For what one's own gold does not pay, with cards of no use."""
    spare = len(sight.place.hand) - len(sight.useful)
    if sight.payable(sight.place.gold):
        return -1.0
    return 4.0 + spare - 0.5 * len(sight.useful) + 0.2 * sight.state.places[move.seat].gold


def _toll(sight: Sight, move: Move) -> float:
    """An earlier end, for who is ahead."""
    state = sight.state
    most = max(size(state, seat) for seat in range(state.rules.seats) if seat != sight.seat)
    return 1.0 + size(state, sight.seat) - most


# Cities


def _destroy(sight: Sight, move: Move) -> float:
    state = sight.state
    if move.seat == sight.seat:
        return NEVER
    near = size(state, move.seat) >= needed(state) - 2
    return (4.0 if near else 1.0) - 1.1 * rank8.price(state, move.seat, move.slot)


def _seize(sight: Sight, move: Move) -> float:
    return 12.0 + sight.gain(sight.state.faces[move.slot]) * 0.3 + 0.3 * sight.lead(move.seat)


def _armory(sight: Sight, move: Move) -> float:
    state = sight.state
    if move.seat == sight.seat:
        return NEVER
    return 3.0 if size(state, move.seat) >= needed(state) - 1 else -4.0


def _exchange(sight: Sight, move: Move) -> float:
    state = sight.state
    taken, given = standing(state, move.slot), standing(state, move.give)
    gain = worth(state, move.slot, taken) - worth(state, move.give, given)
    price = rank8.difference(state, move.seat, move.slot, move.give)
    return 0.3 + 1.6 * gain - 1.2 * price if gain > 0 else -2.0


def unknown(_sight: Sight, move: Move) -> float:
    """A move of a house box's own: a gift is taken, and of the rest one may be better than to
    end the turn.
    """
    return 30.0 if move.outlay == "gift" else 1.0


#: every verb of the engine but those of several options at once; a house box's are `unknown`
WEIGHTS: Final[dict[str, Weight]] = {
    "take": _take,
    "aside": _take,  # what is best for oneself is not left for others
    "gold": lambda sight, move: 20.0 if sight.useful else 10.0,
    "cards": _cards,
    "keep": _keep,
    "build": _build,
    "end": _flat(0.0),
    "decline": _flat(0.0),
    "income": _income,
    "bonus_gold": _flat(60.0),
    "bonus_cards": _flat(60.0),
    "murder": _murder,
    "bewitch": _bewitch,
    "place_warrants": _flat(40.0),
    "confiscate": _flat(3.0),
    "rob": _rob,
    "spy": _spy,
    "count": _flat(0.0),
    "agree": _flat(0.0),
    "contest": _flat(0.0),
    "place_threats": _flat(40.0),
    # half the gold, against all of it where the threat is real
    "bribe": lambda sight, move: 0.5 * sight.place.gold - sight.place.gold // 2,
    "refuse_bribe": _flat(0.2),
    "threaten": _flat(3.0),
    "sign": _sign,
    "swap": _swap,
    "redraw": _redraw,
    "peek": lambda sight, move: 42.0 + 0.3 * len(sight.state.places[move.seat].hand),
    "pocket": _keep,
    "raise": _build,
    "foresee": _flat(40.0),
    "give": lambda sight, move: -sight.keeping(move.slot),
    "crown": _crown,
    "tribute_gold": _flat(60.0),
    "tribute_card": _flat(60.0),
    "tribute": lambda sight, move: 60.5 - 0.5 * sight.keeping(move.slot),  # in a gold's place
    "share": lambda sight, move: 60.0 + (1.0 if len(sight.useful) > 1 else -0.5) * move.number,
    "alms": lambda sight, move: 40.0 + sight.lead(move.seat),
    "borrow": _borrow,
    "homage": _flat(60.0),
    # a point for a gold, when there is gold to spare
    "gild": lambda sight, move: 4.0 if sight.state.ends or sight.place.gold > 4 else -0.5,
    "collect": _flat(60.0),
    "voyage_gold": _flat(60.0),
    "voyage_cards": lambda sight, move: 61.0 if len(sight.useful) < 2 else 58.0,
    "study": _flat(30.0),
    "destroy": _destroy,
    "exchange": _exchange,
    "seize": _seize,
    "lab": lambda sight, move: 22.0 if sight.keeping(move.slot) <= 0.0 else -1.0,
    "smithy": lambda sight, move: (
        8.0 if len(sight.useful) < 2 and sight.place.gold >= 4 else -1.0
    ),
    "recover": _keep,
    "armory": _armory,
    "framework": _ruin,
    "necropolis": _ruin,
    "thieves_den": lambda sight, move: _build(sight, move) - 1.0,
    "tuck": _tuck,
    "restock": _flat(30.0),
    "search": _flat(30.0),
    "fetch": _keep,
    "toll": _toll,
    "treat": _flat(40.0),
    "stage": _stage,
    "recast": _stage,
}

#: what each of several options is worth that one move takes
PARTS: Final[dict[str, Weight]] = {
    "warrants": _warrant,
    "threats": _threat,
    "discard": lambda sight, move: 2.0 - sight.keeping(move.slot),
    "pay_cards": lambda sight, move: 1.5 - sight.keeping(move.slot),
}
