"""Who is likely to win, where a round has ended and every hand is known.

So it is in the worlds that a hard bot imagines; `judgement.chances` says as much of what
everybody sees. The model is a softmax over the seats of a linear worth, with weights for each
distance from the end, fitted to games of hard bots (`python -m benchmarks.prospects` makes them
anew).
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.bots.judgement import points, softmax
from citadels_p2p.bots.prospect_weights import WEIGHTS
from citadels_p2p.rules.board import needed, size
from citadels_p2p.rules.hooks import District, Faces
from citadels_p2p.rules.state import State

#: distances from the end that are told apart; whatever is further counts as the last
STAGES: Final = 7


def prospects(state: State, faces: Faces) -> list[float]:
    """How likely each seat is to win from here, as parts of one."""
    weights = WEIGHTS[stage(state)]
    worth = []
    for seat in range(state.rules.seats):
        total = 0.0
        for at, value in enumerate(numbers(state, seat, faces)):
            total += weights[at] * value
        worth.append(total)
    return softmax(worth, 1.0)


def stage(state: State) -> int:
    """How far the end is, as a row of the weights: what the largest city lacks."""
    largest = max([size(state, seat) for seat in range(state.rules.seats)])
    return min(max(needed(state) - largest, 1), STAGES) - 1


def numbers(state: State, seat: int, faces: Faces) -> list[float]:
    """What tells of a seat's prospects: 20 numbers.

    Points; districts, and what they cost; those of each type but the unique one, and how many
    types there are; gold, and as much of it as a district costs; cards, up to four; those of
    use, the first two of them, and whether one could be paid next turn; who chooses first,
    second, third; one district or two short of the end, and whether the last could be paid.
    """
    place, districts = state.places[seat], state.tables.districts
    gold, counts, built = place.gold, place.quarters, size(state, seat)
    useful: list[District] = []
    payable = 0.0
    for slot in place.hand:
        card = districts[faces[slot]]
        if card in place.districts or card in useful or card.effect.unveiled:
            continue
        useful.append(card)
        if card.cost <= gold + 2:
            payable = 1.0
    cost = 0
    for card in place.districts:
        cost += card.cost
    types = 0
    for count in counts:
        if count:
            types += 1
    missing = needed(state) - built
    turn = (seat - (state.crown or 0)) % state.rules.seats
    return [
        float(points(state, seat)),
        float(built),
        float(cost),
        float(counts[0]),
        float(counts[1]),
        float(counts[2]),
        float(counts[3]),
        float(types),
        float(gold),
        float(min(gold, 4)),
        float(min(len(place.hand), 4)),
        float(len(useful)),
        float(min(len(useful), 2)),
        payable,
        1.0 if turn == 0 else 0.0,
        1.0 if turn == 1 else 0.0,
        1.0 if turn == 2 else 0.0,
        1.0 if missing <= 1 else 0.0,
        1.0 if missing <= 2 else 0.0,
        payable if missing <= 1 else 0.0,
    ]
