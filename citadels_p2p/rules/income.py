"""What the districts of the character's own quarter bring: the one act that many share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules import board
from citadels_p2p.rules.choices import Once
from citadels_p2p.rules.hooks import About, Act
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import State
from citadels_p2p.rules.steps import INCOME

_NO_INCOME: Final = Reason("no_income")


def amount(state: State, seat: int) -> int:
    """How many districts pay the character whose turn it is."""
    home, turn = state.places[seat], state.turn
    assert turn is not None
    count = home.quarters[turn.role.income]
    for card in home.uniques:
        if card.effect.any_income:
            count += 1
    return count


class Income(Once):
    """A gold each, taken in one go, at any moment of the turn, for what stands there then."""

    verb = "income"
    power = "income"
    outlay = "gift"
    step = INCOME

    def bars(self, state: State, seat: int) -> Reason | None:
        return None if amount(state, seat) else _NO_INCOME

    def do(self, state: State, seat: int, move: Move) -> None:
        take_gold(state, seat, amount(state, seat))

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", amount(state, seat)),)


class CardIncome(Income):
    """A card each."""

    def bars(self, state: State, seat: int) -> Reason | None:
        return super().bars(state, seat) if state.deck else Reason("deck_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.draw(state, seat, amount(state, seat), state.in_turn().character)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("count", min(amount(state, seat), len(state.deck))),)


class MixedIncome(Act):
    """A gold or a card each, in any mix that is told before anything is taken."""

    verb = "share"
    power = "income"
    outlay = "gift"
    step = INCOME

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        return [Move("share", number=gold) for gold in range(amount(state, seat) + 1)]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        count = amount(state, seat)
        if not count:
            return Reason("no_income")
        if not 0 <= move.number <= count:
            return Reason("not_an_option")
        return Reason("deck_empty") if count - move.number > len(state.deck) else None

    def do(self, state: State, seat: int, move: Move) -> None:
        cards = amount(state, seat) - move.number
        if move.number:
            take_gold(state, seat, move.number)
        board.draw(state, seat, cards, state.in_turn().character)

    def about(self, state: State, seat: int, move: Move) -> About:
        return (("gold", move.number), ("count", amount(state, seat) - move.number))


def take_gold(state: State, seat: int, gold: int) -> None:
    """The bank pays for districts of the character's quarter."""
    state.bank -= gold
    state.places[seat].gold += gold
    state.emit("income", seat, gold, QUARTERS[state.role().income])
