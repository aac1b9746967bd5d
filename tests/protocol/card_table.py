"""A scene for the sealed cards: operators with keys, and cards laid in slots 0, 1, 2 …"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.cards.deck import SealedCards
from protocol.cards.group import Edwards25519, Group
from protocol.cards.holder import CardHolder
from protocol.cards.share_keys import KeyPair

CONTEXT = b"table and roster".ljust(32, b".")
DECK = b"deck"
DEAL = b"deal"
OPEN = b"open"


@dataclass(frozen=True)
class CardTable:
    """One public `cards`, folded by all alike, and every operator's private side."""

    cards: SealedCards
    holders: tuple[CardHolder, ...]
    keys: tuple[KeyPair, ...]
    slots: tuple[int, ...]

    def shuffle_by(self, *operators: int, slots: Sequence[int] | None = None) -> None:
        """These operators shuffle the slots (all where none are named), in turn."""
        chosen = self.slots if slots is None else slots
        for operator in operators:
            step, _ = self.holders[operator].make_shuffle(chosen, DECK)
            self.cards.apply_shuffle(operator, chosen, DECK, step)

    def share_by(self, *operators: int, slots: Sequence[int], purpose: bytes = DEAL) -> None:
        """These operators publish their shares of the slots."""
        for operator in operators:
            step = self.holders[operator].make_shares(slots, purpose)
            self.cards.apply_shares(operator, slots, purpose, step)

    def fork(self) -> SealedCards:
        """The public state again, as another laptop holds it: same past, own copy."""
        copy = SealedCards(self.cards.group, self.cards.context, self.cards.publics)
        copy.__dict__.update(
            {
                name: value.copy() if isinstance(value, dict) else value
                for name, value in self.cards.__dict__.items()
            }
        )
        return copy


def lay_table(
    operators: int,
    labels: Sequence[bytes],
    group: Group | None = None,
    context: bytes = CONTEXT,
    keys: Sequence[KeyPair] = (),
) -> CardTable:
    """A table of so many operators, with one card for each label."""
    group = group or Edwards25519()
    pairs = tuple(keys) or tuple(KeyPair.create(group) for _ in range(operators))
    cards = SealedCards(group, context, [pair.public for pair in pairs])
    slots = tuple(range(len(labels)))
    cards.lay(slots, labels)
    holders = tuple(CardHolder(cards, i, pair) for i, pair in enumerate(pairs))
    return CardTable(cards, holders, pairs, slots)
