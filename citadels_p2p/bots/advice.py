"""What a bot would do in a person's place, and why: by its own judgement, for them to weigh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.judgement import LURE, Sight
from citadels_p2p.bots.observation import Observation
from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules import asks
from citadels_p2p.rules.board import needed, size
from citadels_p2p.rules.building import price
from citadels_p2p.rules.characters import rank8
from citadels_p2p.rules.events import Value
from citadels_p2p.rules.income import amount
from citadels_p2p.rules.moves import Move

#: seconds that a person waits for it
SECONDS: Final = 0.7

#: the gold that is missing, and that one turn may bring
SOON: Final = 2

#: from what lure on a character's power alone is a reason to take it
STRONG: Final = 1.8


Ground: TypeAlias = tuple[str, dict[str, Value]]
"""One reason for a move: its code, and the fields that `GROUNDS` has for it."""

GROUNDS: Final[dict[str, tuple[str, ...]]] = {
    "income": ("quarter", "gold"),  # the city pays this character
    "power": ("character",),  # what it can do is worth much
    "bearer": ("seat", "character", "percent"),  # who may well hold what is named
    "near": ("seat", "built", "needed"),  # how far a city is
    "rich": ("seat", "gold"),
    "short": ("card", "gold"),  # so much gold is missing for the best that may come next
    "bare": (),  # nothing in the hand can be built
    "paid": (),  # all of it can be paid already
    "points": ("points",),
    "new_quarter": ("quarter",),  # the first district of its type in this city
    "completes": (),
    "pays_more": ("count",),  # with this gold so many more districts can be paid
    "later": (),  # nothing more can be paid with it: so it may wait, and may grow
    "hands": ("seat", "count", "own"),  # their cards, and what is of use of one's own
    "spare": ("count",),  # so many cards are of no use
    "price": ("gold",),
    "nothing_left": (),
}
"""Code of a reason → the fields that it has."""


@dataclass(frozen=True, slots=True)
class Counsel:
    """What a bot would choose (`picks`), how likely it then holds the seat to win (in percent;
    None: there is but one answer), and why; the same of the `next` best choice, () for none.
    """

    picks: tuple[str, ...]
    percent: int | None = None
    grounds: tuple[Ground, ...] = ()
    next: tuple[str, ...] = ()
    next_percent: int | None = None


class Adviser:
    """Looks over the shoulder of one seat, and remembers what that seat was shown."""

    def __init__(self, seconds: float = SECONDS, iterations: int | None = None) -> None:
        """As `Hard` has them."""
        self._bot = Hard(seconds, iterations)

    def note(self, observation: Observation) -> None:
        """Look at a decision that nobody asks about: what is seen there is remembered."""
        self._bot.note(observation)

    def advise(self, observation: Observation) -> Counsel:
        """What it would do; the same question is answered alike, as far as time allows."""
        weighed = self._bot.weigh(observation, Random(observation.state.n))
        if not weighed:
            choice = asks.choice(observation.state, observation.faces)
            return Counsel(tuple(move.id for move in choice.moves[: choice.low or 1]))
        (move, chance), *others = weighed
        passed = self._bot.memory.passed
        sight = Sight(observation.state, observation.seat, observation.faces, passed)
        grounds = tuple(_GROUNDS[move.verb](sight, move)) if move.verb in _GROUNDS else ()
        percent = round(100 * chance)
        if not others:
            return Counsel(move.picks, percent, grounds)
        other, less = others[0]
        return Counsel(move.picks, percent, grounds, other.picks, round(100 * less))


_Grounds: TypeAlias = Callable[[Sight, Move], Iterator[Ground]]


def _take(sight: Sight, move: Move) -> Iterator[Ground]:
    state, id = sight.state, sight.faces[move.slot]
    quarter = state.tables.roles[id].income
    gold = sight.place.quarters[quarter] if quarter >= 0 else 0
    if gold:
        yield ("income", {"quarter": QUARTERS[quarter], "gold": gold})
    if LURE.get(id, 0.0) >= STRONG:
        yield ("power", {"character": id})


def _near(sight: Sight, seat: int) -> Ground:
    state = sight.state
    return "near", {"seat": seat, "built": size(state, seat), "needed": needed(state)}


def _murder(sight: Sight, move: Move) -> Iterator[Ground]:
    seats = [(c * sight.lead(seat), seat, c) for seat, c in _bearers(sight, move)]
    if seats:
        _, seat, chance = max(seats)
        yield _bearer(seat, move.character, chance)
        yield _near(sight, seat)


def _rob(sight: Sight, move: Move) -> Iterator[Ground]:
    places = sight.state.places
    seats = [(c * (places[seat].gold + 0.5), seat, c) for seat, c in _bearers(sight, move)]
    if seats:
        _, seat, chance = max(seats)
        yield _bearer(seat, move.character, chance)
        yield ("rich", {"seat": seat, "gold": places[seat].gold})


def _bearers(sight: Sight, move: Move) -> list[tuple[int, float]]:
    """The seats that may hold the character that is named, each with how likely it does."""
    seats = range(sight.state.rules.seats)
    found = []
    for seat in seats:
        stakes = [float(other == seat) for other in seats]
        chance = sight.bearers(stakes).get(move.character, 0.0)
        if chance and seat != sight.seat:
            found.append((seat, chance))
    return found


def _bearer(seat: int, character: str, chance: float) -> Ground:
    percent = round(100 * chance)
    return "bearer", {"seat": seat, "character": character, "percent": percent}


def _gold(sight: Sight, move: Move) -> Iterator[Ground]:
    state, seat, gold = sight.state, sight.seat, sight.place.gold
    lacks = [(price(state, seat, card) - gold, card.id) for card in sight.useful]
    lacks = [(short, card) for short, card in lacks if short > 0]
    if lacks:
        soon = [one for one in lacks if one[0] <= SOON]
        short, card = max(soon) if soon else min(lacks)
        yield ("short", {"card": card, "gold": short})


def _cards(sight: Sight, move: Move) -> Iterator[Ground]:
    if not sight.useful:
        yield ("bare", {})
    elif sight.payable(sight.place.gold) == len(sight.useful):
        yield ("paid", {})


def _build(sight: Sight, move: Move) -> Iterator[Ground]:
    state, card = sight.state, sight.card(move.slot)
    district = state.tables.districts[card]
    yield ("points", {"points": district.cost})
    quarter = district.quarter
    if not sight.place.quarters[quarter]:
        yield ("new_quarter", {"quarter": QUARTERS[quarter]})
    if size(state, sight.seat) + 1 == needed(state):
        yield ("completes", {})


def _income(sight: Sight, move: Move) -> Iterator[Ground]:
    gold = sight.place.gold
    more = sight.payable(gold + amount(sight.state, sight.seat)) - sight.payable(gold)
    yield ("pays_more", {"count": more}) if more > 0 else ("later", {})


def _swap(sight: Sight, move: Move) -> Iterator[Ground]:
    count = len(sight.state.places[move.seat].hand)
    yield ("hands", {"seat": move.seat, "count": count, "own": len(sight.useful)})


def _redraw(sight: Sight, move: Move) -> Iterator[Ground]:
    spare = len(sight.place.hand) - len(sight.useful)
    if spare:
        yield ("spare", {"count": spare})


def _destroy(sight: Sight, move: Move) -> Iterator[Ground]:
    yield _near(sight, move.seat)
    yield ("price", {"gold": rank8.price(sight.state, move.seat, move.slot)})


_GROUNDS: Final[dict[str, _Grounds]] = {
    "take": _take,
    "murder": _murder,
    "rob": _rob,
    "gold": _gold,
    "cards": _cards,
    "build": _build,
    "income": _income,
    "swap": _swap,
    "redraw": _redraw,
    "destroy": _destroy,
    "end": lambda sight, move: iter((("nothing_left", {}),)),
}
