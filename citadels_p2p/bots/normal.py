"""The normal bot: builds as soon as it can, takes what pays, names likely victims.

It weighs each option by what its seat sees and takes the best, with a little chance so that
nobody can count on it. Where an option does not stand in its table, quick judgement decides.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from citadels_p2p.bots import judgement, rollout_policy
from citadels_p2p.bots.observation import Observation
from citadels_p2p.cards import DISTRICTS
from citadels_p2p.rules.asks import Choice
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.view import View

#: an option weighing less than ending the turn is not taken
END = 0.0


class Normal:
    """Sensible, quick, without a memory."""

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen."""
        view, choice = observation.view, observation.choice
        if choice.low is not None and choice.high is not None:
            return _discards(view, choice)
        if any(move.verb not in _WEIGHTS for move in choice.moves):
            frame = observation.state.stack[-1]
            return (
                rollout_policy.choose(observation.state, frame, observation.faces, random)[
                    0
                ].id,
            )
        best = max(
            choice.moves,
            key=lambda move: _WEIGHTS[move.verb](view, move) + 0.4 * random.random(),
        )
        return (best.id,)


def _discards(view: View, choice: Choice) -> tuple[str, ...]:
    """Cards that cannot be built, those that stand or are held twice first."""
    low, high = choice.low or 1, choice.high or 0  # for nothing at all one would not ask
    held = set(judgement.useful(view))
    ordered: list[tuple[float, str]] = []
    for move in choice.moves:
        card = _card(move)
        keeps = card in held
        held.discard(card)
        far = DISTRICTS[card].cost - judgement.mine(view).gold - 4 if keeps else 9
        ordered.append((-float(far), move.id))
    ordered.sort()
    worthless = sum(weight < 0 for weight, _ in ordered)
    return tuple(id for _, id in ordered[: min(max(worthless, low), high)])


def _card(move: Move) -> str:
    card = move.fields().get("card")
    return card if isinstance(card, str) else ""


def _cost(move: Move) -> int:
    cost = move.fields().get("cost", 0)
    return cost if isinstance(cost, int) else 0


def _take(view: View, move: Move) -> float:
    return judgement.worth_being(view, _card(move)) if _card(move) else 0.0


def _gold(view: View, move: Move) -> float:
    """Gold, unless nothing in hand can be built with it."""
    return 20.0 if judgement.useful(view) else 10.0


def _cards(view: View, move: Move) -> float:
    own, held = judgement.mine(view), judgement.useful(view)
    paid = [card for card in held if DISTRICTS[card].cost <= own.gold]
    return 21.0 if len(held) == len(paid) == 1 or len(held) < 1 else 11.0


def _keep(view: View, move: Move) -> float:
    return judgement.worth_keeping(view, _card(move))


def _build(view: View, move: Move) -> float:
    return 10.0 + judgement.worth_building(view, _card(move))


def _income(view: View, move: Move) -> float:
    """Before building where the gold may help, else after it: the district may pay as well."""
    assert view.turn is not None
    own = judgement.mine(view)
    richer = own.gold + judgement.income(view, view.turn.character)
    helps = any(own.gold < DISTRICTS[card].cost <= richer for card in judgement.useful(view))
    return 30.0 if helps else 5.0


def _destroy(view: View, move: Move) -> float:
    """What is cheap, of the seat ahead; dearer only where a city is nearly complete."""
    own, victim = judgement.mine(view), view.seats[move.seat]
    if victim.seat == own.seat:
        return -5.0
    near = len(victim.city) >= view.city_size - 2
    patience = 3.0 if near else 0.6
    ahead = victim.points_so_far - own.points_so_far
    harm = next(d.cost for d in victim.city if d.slot == move.slot) / 4 + ahead / 20
    return (
        patience + harm - 1.4 * _cost(move) + (0.5 if victim == judgement.leader(view) else 0.0)
    )


def _murder(view: View, move: Move) -> float:
    """Whoever others want, the more so what would help the seat that leads."""
    if move.character in view.faceup:
        return -1.0
    return 40.0 + judgement.TEMPTING.get(move.character, 1.0) + _help(view, move.character)


def _rob(view: View, move: Move) -> float:
    if move.character in view.faceup:
        return -1.0
    return 40.0 + judgement.TEMPTING.get(move.character, 1.0)


def _help(view: View, character: str) -> float:
    """What a character would do for the leader."""
    rival = judgement.leader(view)
    if character == "architect":
        return min(rival.gold, 6) / 3
    if character == "magician":
        return max(0, judgement.mine(view).hand - rival.hand) / 2
    if character == "thief":
        return judgement.mine(view).gold / 4
    return 0.5 if character == "king" and len(rival.city) >= view.city_size - 2 else 0.0


def _swap(view: View, move: Move) -> float:
    gain = view.seats[move.seat].hand - len(judgement.useful(view))
    return 50.0 + gain if gain >= 2 else -1.0


def _redraw(view: View, move: Move) -> float:
    own, held = judgement.mine(view), judgement.useful(view)
    return 45.0 if own.hand - len(held) >= 2 or not held else -1.0


def _lab(view: View, move: Move) -> float:
    """A card that can never be built."""
    card, held = _card(move), judgement.hand(view)
    spare = card not in judgement.useful(view) or held.count(card) > 1
    return 25.0 if spare else -1.0


def _smithy(view: View, move: Move) -> float:
    own = judgement.mine(view)
    return 8.0 if own.gold >= 4 and len(judgement.useful(view)) < 2 else -1.0


def _recover(view: View, move: Move) -> float:
    own = judgement.mine(view)
    standing = any(district.card == _card(move) for district in own.city)
    return -1.0 if standing else DISTRICTS[_card(move)].cost - 2.0


def _always(weight: float) -> Callable[[View, Move], float]:
    return lambda view, move: weight


_WEIGHTS: dict[str, Callable[[View, Move], float]] = {
    "take": _take,
    "aside": _take,  # what is best for oneself is not left for others
    "gold": _gold,
    "cards": _cards,
    "keep": _keep,
    "build": _build,
    "income": _income,
    "bonus_gold": _always(60.0),
    "bonus_cards": _always(60.0),
    "murder": _murder,
    "rob": _rob,
    "swap": _swap,
    "redraw": _redraw,
    "destroy": _destroy,
    "lab": _lab,
    "smithy": _smithy,
    "recover": _recover,
    "decline": _always(END),
    "end": _always(END),
}
