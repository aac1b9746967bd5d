"""One operator's private side of the deck: it makes the steps that `deck.py` checks."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards.deck import VEIL, SealedCards
from protocol.cards.elgamal import to_bytes, unseal
from protocol.cards.proofs import prove_shares
from protocol.cards.share_keys import KeyPair
from protocol.cards.shuffle import prove_shuffle, random_order, shuffle
from protocol.cards.transfer import make_transfer
from protocol.errors import LocalError


class CardHolder:
    """Holds an operator's secret key: makes its steps and reads its cards."""

    def __init__(self, cards: SealedCards, operator: int, keys: KeyPair) -> None:
        """`keys` must be the pair behind `cards.publics[operator]`."""
        if not 0 <= operator < len(cards.publics) or cards.publics[operator] != keys.public:
            raise LocalError("these are not this operator's keys")
        self._cards = cards
        self._operator = operator
        self._keys = keys
        self._peeked: dict[int, tuple[int, bytes]] = {}

    def __repr__(self) -> str:
        return f"CardHolder(operator={self._operator})"

    def make_shuffle(
        self,
        slots: Sequence[int],
        purpose: bytes,
        order: Sequence[int] | None = None,
        *,
        alone: bool = False,
    ) -> tuple[bytes, tuple[int, ...]]:
        """A step for `apply_shuffle`, and its order: output i holds what input order[i] held.

        The order is uniformly random unless one is given (the identity makes a pure re-mask).
        What is returned must be kept before the step leaves: a second call makes another step.
        """
        cards = self._cards
        binding = cards.binding(self._operator, slots, purpose)
        inputs, joint, _ = cards.bare(slots, self._operator if alone else None)
        chosen = random_order(len(inputs)) if order is None else tuple(order)
        outputs, randomisers = shuffle(cards.group, joint, inputs, chosen)
        proof = prove_shuffle(cards.group, binding, joint, inputs, outputs, chosen, randomisers)
        return to_bytes(outputs) + proof, chosen

    def make_shares(self, slots: Sequence[int], purpose: bytes) -> bytes:
        """A step for `apply_shares`; only for slots the rules just named."""
        cards = self._cards
        if any(self._operator in cards.shares(slot) for slot in slots):
            raise LocalError("this operator's share is already published")
        binding = cards.binding(self._operator, slots, purpose)
        return prove_shares(cards.group, binding, cards.ciphertexts(slots), self._keys.secret)

    def make_transfer(self, slots: Sequence[int], receiver: int, purpose: bytes) -> bytes:
        """A step for `apply_transfer`, of cards that this operator alone can read."""
        cards = self._cards
        binding = cards.binding(self._operator, slots, purpose)
        inputs, _, _ = cards.bare(slots, self._operator)
        key = cards.publics[receiver]
        return make_transfer(cards.group, binding, key, inputs, self._keys.secret)

    def make_veils(self, slots: Sequence[int]) -> bytes:
        """A step for `apply_veils`, of cards that lack this operator's layer."""
        cards = self._cards
        binding = cards.binding(self._operator, slots, VEIL)
        return prove_shares(cards.group, binding, cards.ciphertexts(slots), self._keys.secret)

    def peek(self, slot: int) -> bytes | None:
        """The label of the card in `slot`, once every other operator's share is there."""
        cards = self._cards
        state = cards.state(slot)
        if state.is_open:
            return cards.face(slot)
        if state.audience != self._operator:
            return None
        version, label = self._peeked.get(slot, (0, b""))
        if version != state.version:
            own = cards.group.multiply(self._keys.secret, state.value.mask)
            label = cards.label(
                unseal(cards.group, state.value, (*cards.shares(slot).values(), own))
            )
            self._peeked[slot] = (state.version, label)
        return label
