"""The rollout policy: how the hard bot plays the rest of a round in a world that it imagines.

Thousands of imagined decisions fit into one real one, so nothing here builds a view. Options
are weighed in gold; one without a row in the table is taken now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from citadels_p2p.rules.asks import ASKS, compose
from citadels_p2p.rules.board import needed, size
from citadels_p2p.rules.hooks import Faces
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.scoring import lines
from citadels_p2p.rules.state import Frame, State

#: what being a character brings, beside the income of its quarter
LURE: dict[str, float] = {
    "assassin": 1.0,
    "witch": 1.2,
    "magistrate": 1.4,
    "thief": 1.6,
    "spy": 1.4,
    "blackmailer": 1.4,
    "magician": 1.4,
    "wizard": 1.8,
    "seer": 1.8,
    "king": 1.3,
    "emperor": 1.5,
    "patrician": 1.3,
    "bishop": 0.9,
    "abbot": 1.5,
    "cardinal": 1.5,
    "merchant": 1.8,
    "alchemist": 2.0,
    "trader": 1.6,
    "architect": 3.0,
    "navigator": 2.8,
    "scholar": 2.2,
    "warlord": 1.1,
    "diplomat": 1.2,
    "marshal": 1.5,
    "queen": 1.4,
    "artist": 1.0,
    "tax_collector": 1.4,
}

#: how much one choice may stray from the best by chance
STRAY = 1.5


def worth_being(state: State, seat: int, character: str) -> float:
    """How good a character is for a seat, by what everybody sees."""
    place = state.places[seat]
    worth = LURE.get(character, 1.0)
    quarter = state.tables.income.get(character)
    if quarter is not None:
        worth += 0.9 * place.quarters[quarter]
    if character == "architect" and place.gold < 4:
        worth -= 1.0
    elif character == "magician" and len(place.hand) < 2:
        worth += 1.5
    return worth


def choose(
    state: State, frame: Frame, faces: Faces, random: Random
) -> tuple[Move, list[tuple[float, Move]]]:
    """A move for the seat that is asked, and every option by its weight, the best first."""
    ask = ASKS[frame.then]
    moves = ask.options(state, frame, faces)
    if ask.several:
        low, high = ask.bounds(state, frame)
        low = max(low, min(1, high))  # for nothing at all one would not ask
        count = low if low == high else low + int(random.random() * (high - low + 1))
        cheap = sorted(moves, key=lambda move: _spare(state, frame.seat, move, faces, random))
        return compose(ask, cheap[:count]), []
    if len(moves) == 1:
        return moves[0], []
    if ask.returns:  # else a bot might go to and fro for ever
        moves = [move for move in moves if move.verb != "decline"]
    seat = frame.seat
    weighed = [
        (_WEIGHTS.get(move.verb, _unknown)(state, seat, move, faces), move) for move in moves
    ]
    chance = random.random
    best = max(weighed, key=lambda pair: pair[0] + STRAY * chance())
    return best[1], weighed


def standing(state: State, seat: int) -> float:
    """What a seat has at the end of a round, in points: its score, and what else promises more.

    Every district counts beside its points, for it brings the match's end nearer. The weights
    are those by which a softmax over the seats best foretold, round by round, who won 500
    matches between normal bots.
    """
    place = state.places[seat]
    hand = len(place.hand)
    promised = 1.5 * place.gold + min(hand, 4) + 0.3 * min(hand, 8)
    full = sum(1 for count in place.quarters if count)
    return points(state, seat) + 5.5 * size(state, seat) + promised + 0.5 * full


def points(state: State, seat: int) -> int:
    """A seat's score as if the match ended now."""
    return sum(some for _, some in lines(state, seat))


def _spare(state: State, seat: int, move: Move, faces: Faces, random: Random) -> float:
    card = faces.get(move.slot, "")
    cost = state.tables.cost.get(card, 0)
    return -9.0 if card in state.places[seat].names else cost + random.random()


def _unknown(state: State, seat: int, move: Move, faces: Faces) -> float:
    return 0.2


def _affordable(state: State, seat: int, gold: int, faces: Faces) -> tuple[int, int]:
    """Hand cards of any use, and those of them that so much gold pays."""
    place, cost = state.places[seat], state.tables.cost
    useful = {card for slot in place.hand if (card := faces.get(slot)) is not None}
    useful.difference_update(place.names)
    return len(useful), sum(1 for card in useful if cost[card] <= gold)


def _take(state: State, seat: int, move: Move, faces: Faces) -> float:
    return 1.5 * worth_being(state, seat, faces[move.slot])


def _gold(state: State, seat: int, move: Move, faces: Faces) -> float:
    useful, _ = _affordable(state, seat, 0, faces)
    return 20.0 if useful else 10.0


def _cards(state: State, seat: int, move: Move, faces: Faces) -> float:
    useful, paid = _affordable(state, seat, state.places[seat].gold, faces)
    return 21.0 if useful <= 1 and useful == paid else 17.0 if useful == paid else 11.0


def _keep(state: State, seat: int, move: Move, faces: Faces) -> float:
    place, card = state.places[seat], faces.get(move.slot, "")
    if card in place.names or any(faces.get(slot) == card for slot in place.hand):
        return 0.0
    cost = state.tables.cost.get(card, 0)
    fresh = 0.8 if not place.quarters[state.tables.quarter.get(card, 0)] else 0.0
    return 1.0 + cost + fresh - 1.5 * max(0, cost - place.gold - 2)


def _build(state: State, seat: int, move: Move, faces: Faces) -> float:
    card = faces.get(move.slot, "")
    quarter = state.tables.quarter.get(card, 0)
    fresh = 0.0 if state.places[seat].quarters[quarter] else 0.8
    return 10.0 + state.tables.cost.get(card, 0) + fresh


def _income(state: State, seat: int, move: Move, faces: Faces) -> float:
    return 25.0


def _bonus(state: State, seat: int, move: Move, faces: Faces) -> float:
    return 60.0


def _victim(state: State, seat: int, move: Move, faces: Faces) -> float:
    if move.character in state.faceup.values():
        return -1.0
    own = {faces.get(slot) for slot in state.places[seat].picks}
    if move.character in own or state.tables.ranks[move.character] <= 2:
        return 1.0
    return 40.0 + LURE.get(move.character, 1.0)


def _swap(state: State, seat: int, move: Move, faces: Faces) -> float:
    useful, _ = _affordable(state, seat, 0, faces)
    gain = len(state.places[move.seat].hand) - useful
    return 50.0 + gain if gain >= 2 else -1.0


def _redraw(state: State, seat: int, move: Move, faces: Faces) -> float:
    useful, _ = _affordable(state, seat, 0, faces)
    return 45.0 if len(state.places[seat].hand) - useful >= 2 else -2.0


def _destroy(state: State, seat: int, move: Move, faces: Faces) -> float:
    if move.seat == seat:
        return -9.0
    cost = state.tables.cost.get(state.faces.get(move.slot, ""), 1)
    near = len(state.places[move.seat].city) >= needed(state) - 2
    return (4.0 if near else 1.0) - 1.1 * (cost - 1)


def _seize(state: State, seat: int, move: Move, faces: Faces) -> float:
    return -9.0 if move.seat == seat else 12.0


def _armory(state: State, seat: int, move: Move, faces: Faces) -> float:
    if move.seat == seat:
        return -9.0
    near = len(state.places[move.seat].city) >= needed(state) - 1
    return 3.0 if near else -4.0


def _exchange(state: State, seat: int, move: Move, faces: Faces) -> float:
    cost = state.tables.cost
    gain = cost.get(state.faces.get(move.slot, ""), 0) - cost.get(
        state.faces.get(move.give, ""), 0
    )
    return 0.5 + gain * 0.3 if gain >= 0 else -2.0


def _lab(state: State, seat: int, move: Move, faces: Faces) -> float:
    place, card = state.places[seat], faces.get(move.slot, "")
    twice = sum(faces.get(slot) == card for slot in place.hand) > 1
    return 22.0 if card in place.names or twice else -1.0


def _smithy(state: State, seat: int, move: Move, faces: Faces) -> float:
    useful, _ = _affordable(state, seat, 0, faces)
    return 8.0 if useful < 2 and state.places[seat].gold >= 4 else -1.0


def _ruin(state: State, seat: int, move: Move, faces: Faces) -> float:
    """Giving a standing district up to build another for nothing."""
    cost = state.tables.cost
    lost = cost.get(state.faces.get(move.give, ""), 3)
    return 9.0 + cost.get(faces.get(move.slot, ""), 0) - 2 * lost


def _flat(weight: float) -> Callable[[State, int, Move, Faces], float]:
    return lambda state, seat, move, faces: weight


_WEIGHTS: dict[str, Callable[[State, int, Move, Faces], float]] = {
    "take": _take,
    "aside": _take,
    "gold": _gold,
    "cards": _cards,
    "keep": _keep,
    "pocket": _keep,
    "fetch": _keep,
    "raise": _build,
    "build": _build,
    "framework": _build,
    "necropolis": _ruin,
    "thieves_den": _build,
    "income": _income,
    "bonus_gold": _bonus,
    "bonus_cards": _bonus,
    "voyage_gold": _bonus,
    "voyage_cards": _bonus,
    "tribute_gold": _bonus,
    "share": _bonus,
    "homage": _bonus,
    "collect": _bonus,
    "study": _flat(15.0),
    "foresee": _flat(40.0),
    "spy": _flat(40.0),
    "alms": _flat(40.0),
    "place_warrants": _flat(40.0),
    "place_threats": _flat(40.0),
    "search": _flat(30.0),
    "restock": _flat(30.0),
    "toll": _flat(1.0),
    "tuck": _flat(5.0),
    "gild": _flat(4.0),
    "peek": _flat(42.0),
    "confiscate": _flat(3.0),
    "threaten": _flat(3.0),
    "murder": _victim,
    "bewitch": _victim,
    "rob": _victim,
    "swap": _swap,
    "redraw": _redraw,
    "destroy": _destroy,
    "seize": _seize,
    "armory": _armory,
    "exchange": _exchange,
    "lab": _lab,
    "smithy": _smithy,
    "decline": _flat(0.0),
    "end": _flat(0.0),
}
