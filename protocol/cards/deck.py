"""The deck of sealed cards: the ciphertext in every slot, its version and its shares.

`SealedCards` is public and the same on every laptop, because it is folded from journal entries.
Cards are laid face up, each operator shuffles them in turn, and then decryption shares are
published. When all shares but one are there, the operator whose share is missing can read the
card; when all are there, the card is open. A step is checked whole before any of it is applied.
`holder.py` is one operator's private side: it makes the steps.

A ciphertext is dealt to one operator for life. Before the card passes to anybody else, its slot
is shuffled or re-masked, or its owner transfers it; each begins a new version without shares.
The caller decides when; nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from protocol.cards.elgamal import (
    CIPHERTEXT_BYTES,
    Ciphertext,
    card_point,
    from_bytes,
    seal,
    unseal,
)
from protocol.cards.group import Group, Point
from protocol.cards.proofs import check_shares, read_shares
from protocol.cards.share_keys import joint_key
from protocol.cards.shuffle import check_shuffle
from protocol.cards.transcript import Binding, frame, whole
from protocol.cards.transfer import check_transfer, read_transfer
from protocol.errors import LocalError, Malformed

VEIL = b"veil"
"""The purpose of shares that add their operator's layer instead of taking it off."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """The state of one slot.

    `version` counts the ciphertexts that have lain here, from 1. `sharers` are the operators
    whose share is published, or whose key is not in the ciphertext. `audience` is the only
    operator whose share is missing, so that it alone can read the card; None while several
    shares are missing, or none.
    """

    value: Ciphertext
    version: int
    sharers: frozenset[int]
    audience: int | None
    is_open: bool


class SealedCards:
    """Every slot's ciphertext at one table, with its version and its shares."""

    def __init__(self, group: Group, context: bytes, publics: Sequence[Point]) -> None:
        """`publics[i]` is operator i's checked share key; BadProof as `joint_key` raises it."""
        self.group = group
        self.context = context
        self.publics = tuple(publics)
        self.departed: frozenset[int] = frozenset()
        self._joints: dict[frozenset[int], Point] = {}
        self.joint = self._joint_without(self.departed)
        self._slots = _Slots()
        self._points: dict[bytes, Point] = {}
        self.labels: dict[Point, bytes] = {}  #: of the cards that were ever laid
        self._ours: set[tuple[Binding, tuple[Ciphertext, ...], frozenset[int], bytes]] = set()
        self.vouched = False  #: whoever folds knows that the proofs of the next steps hold

    def depart(self, operator: int) -> None:
        """Lay and shuffle without this operator's key from now on.

        A card under its key loses that layer at its next shuffle, for which the operator's
        share must be there. A card that this operator alone can read keeps the layer.
        """
        departed = self.departed | {operator}
        self.joint = self._joint_without(departed)
        self.departed = departed

    def lay(self, slots: Sequence[int], labels: Sequence[bytes]) -> None:
        """Put the cards with these labels into these slots; everybody can recompute it.

        The randomisers are public hashes, so no ciphertext begins with the identity. A slot may
        be laid again: its card is replaced, and its version goes on.
        """
        _distinct(slots)
        if len(slots) != len(labels):
            raise LocalError("one card for each slot")
        for slot, label in zip(slots, labels, strict=True):
            before = self._slots.get(slot)
            version = before.version + 1 if before else 1
            randomiser = self.group.hash_to_scalar(
                b"start", frame(self.context, whole(slot), whole(version))
            )
            sealed = seal(self.group, self.joint, self._card(label), randomiser)
            self._slots[slot] = _Lying(sealed, version, without=self.departed)

    def version(self, slot: int) -> int:
        """How many ciphertexts have lain in `slot`; Malformed where nothing was ever laid."""
        return self._slots[slot].version

    def places(self, slots: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """These slots in this order, each with its version."""
        versions = [self._slots[slot].version for slot in slots]
        return tuple(zip(slots, versions, strict=True))

    def state(self, slot: int) -> SlotState:
        """What lies in `slot`; raises Malformed where nothing was ever laid."""
        lying = self._slots[slot]
        given = self.sharers(slot)
        missing = [i for i in range(len(self.publics)) if i not in given]
        return SlotState(
            value=lying.sealed,
            version=lying.version,
            sharers=frozenset(given),
            audience=missing[0] if len(missing) == 1 else None,
            is_open=not missing,
        )

    def vouch(self, operator: int, slots: Sequence[int], purpose: bytes, step: bytes) -> None:
        """Skip the check of a step that our own prover made, as long as the same lies there."""
        binding = self.binding(operator, slots, purpose)
        self._ours.add((binding, self.ciphertexts(slots), self.departed, step))

    def _is_ours(self, binding: Binding, sealed: tuple[Ciphertext, ...], step: bytes) -> bool:
        """Whether `vouch` was told of exactly this step over exactly these ciphertexts; or of
        all that come.
        """
        return self.vouched or (binding, sealed, self.departed, step) in self._ours

    def apply_shuffle(
        self,
        operator: int,
        slots: Sequence[int],
        purpose: bytes,
        step: bytes,
        *,
        alone: bool = False,
    ) -> None:
        """Check an operator's shuffle of these slots and apply it: new versions, no shares.

        `alone`: of cards that it alone can read, under its own key and no other. Raises
        BadProof or Malformed and changes nothing where it does not hold.
        """
        binding, lying = self.binding(operator, slots, purpose), self.ciphertexts(slots)
        size = CIPHERTEXT_BYTES * len(slots)
        inputs, joint, without = self.bare(slots, operator if alone else None)
        outputs = from_bytes(self.group, step[:size])
        if not self._is_ours(binding, lying, step):
            check_shuffle(self.group, binding, joint, inputs, outputs, step[size:])
        for (slot, version), sealed in zip(binding.places, outputs, strict=True):
            self._slots[slot] = _Lying(sealed, version + 1, without=without)

    def apply_transfer(
        self, operator: int, receiver: int, slots: Sequence[int], purpose: bytes, step: bytes
    ) -> None:
        """Check and apply an operator's transfer of cards that it alone can read.

        They then lie under the receiver's key alone. Raises BadProof or Malformed and changes
        nothing if the step does not hold.
        """
        binding, lying = self.binding(operator, slots, purpose), self.ciphertexts(slots)
        inputs, _, _ = self.bare(slots, operator)
        if self._is_ours(binding, lying, step):
            outputs = read_transfer(self.group, len(slots), step)
        else:
            outputs = check_transfer(self.group, binding, self.publics[receiver], inputs, step)
        without = self._others(receiver)
        for (slot, version), sealed in zip(binding.places, outputs, strict=True):
            self._slots[slot] = _Lying(sealed, version + 1, without=without)

    def lacks(self, slot: int) -> frozenset[int]:
        """The operators whose key a shuffle of this slot would leave out."""
        return self._taken_in(self._slots[slot], None)[2]

    def bare(
        self, slots: Sequence[int], owner: int | None = None
    ) -> tuple[tuple[Ciphertext, ...], Point, frozenset[int]]:
        """The inputs of a step over these slots, their joint key, and the operators it lacks.

        The layer of a departed operator is taken off with its share; veils are laid on. For an
        `owner` all layers but its own are taken off. Raises Malformed for slots under different
        keys, or for an owner that cannot read them alone.
        """
        inputs, kinds = [], set()
        for one in map(self._slots.__getitem__, slots):
            off, on, lacking = self._taken_in(one, owner)
            body = unseal(self.group, one.sealed, off)
            for share in on:
                body = self.group.add(body, share)
            inputs.append(Ciphertext(one.sealed.mask, body))
            kinds.add(lacking)
        if len(kinds) != 1:
            raise Malformed("cards under different keys")
        if owner is not None and kinds != {self._others(owner)}:
            raise Malformed("cards that this operator cannot read alone")
        (without,) = kinds
        return tuple(inputs), self._joint_without(without), without

    def _taken_in(
        self, one: _Lying, owner: int | None
    ) -> tuple[Collection[Point], Collection[Point], frozenset[int]]:
        """The layers that a step takes off and lays on, and the operators it then lacks."""
        if owner is not None:
            off = {i: share for i, share in one.shares.items() if i != owner}
            return off.values(), (), one.without.union(off)
        off = {i: share for i, share in one.shares.items() if i in self.departed}
        on = {i: veil for i, veil in one.veils.items() if i not in self.departed}
        return off.values(), on.values(), one.without.union(off).difference(on)

    def unveiled(
        self, slots: Iterable[int], operators: Iterable[int]
    ) -> dict[int, tuple[int, ...]]:
        """The slots whose cards lack these operators' layers, by operator.

        A card lacks layers after a transfer, until veils are laid on.
        """
        lacking: dict[int, list[int]] = {}
        for slot in slots:
            one = self._slots[slot]
            for operator in one.without.difference(one.veils).intersection(operators):
                lacking.setdefault(operator, []).append(slot)
        return {operator: tuple(places) for operator, places in sorted(lacking.items())}

    def apply_veils(self, operator: int, slots: Sequence[int], step: bytes) -> None:
        """Check the veils that an operator lays over these cards, and keep them.

        The next shuffle of these slots takes them in; until then anybody could take them off.
        Raises BadProof or Malformed and changes nothing if one does not hold.
        """
        binding, sealed = self.binding(operator, slots, VEIL), self.ciphertexts(slots)
        if self.unveiled(slots, (operator,)).get(operator) != tuple(slots):
            raise Malformed("a layer that is there")
        for slot, share in zip(slots, self._proven(binding, sealed, step), strict=True):
            one = self._slots[slot]
            self._slots[slot] = replace(one, veils={**one.veils, operator: share})

    def apply_shares(
        self, operator: int, slots: Sequence[int], purpose: bytes, step: bytes
    ) -> None:
        """Check an operator's decryption shares for these slots, in order, and keep them.

        Raises BadProof or Malformed and changes nothing where one does not hold or was given
        before.
        """
        binding, sealed = self.binding(operator, slots, purpose), self.ciphertexts(slots)
        if any(operator in self.sharers(slot) for slot in slots):
            raise Malformed("a share given twice, or of nothing")
        for slot, share in zip(slots, self._proven(binding, sealed, step), strict=True):
            self.add_share(operator, slot, share)

    def _proven(
        self, binding: Binding, sealed: tuple[Ciphertext, ...], step: bytes
    ) -> tuple[Point, ...]:
        if self._is_ours(binding, sealed, step):
            return read_shares(self.group, len(sealed), step)
        return check_shares(self.group, binding, sealed, step)

    def add_share(self, operator: int, slot: int, share: Point) -> None:
        """Keep an operator's share that is proven already, by itself or by escrowed parts."""
        one = self._slots[slot]
        given = {**one.shares, operator: share}
        face = None
        if len(given) + len(one.without) == len(self.publics):
            point = unseal(self.group, one.sealed, given.values())
            face = self.label(point)
        self._slots[slot] = replace(one, shares=given, face=face)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Undo everything that was applied inside if the block raises."""
        before = _Slots(self._slots)
        try:
            yield
        except BaseException:
            self._slots = before
            raise

    def face(self, slot: int) -> bytes | None:
        """The label of the card in `slot` once it is open, else None."""
        return self._slots[slot].face

    def shares(self, slot: int) -> Mapping[int, Point]:
        """The published shares for what lies in `slot` now, by operator."""
        return self._slots[slot].shares

    def sharers(self, slot: int) -> Collection[int]:
        """The operators whose share is published, or whose key is not in the ciphertext."""
        lying = self._slots[slot]
        return lying.shares.keys() | lying.without if lying.without else lying.shares.keys()

    def layers(self, slot: int) -> tuple[int, ...]:
        """The operators whose key is in the ciphertext, shares or not."""
        without = self._slots[slot].without
        return tuple(index for index in range(len(self.publics)) if index not in without)

    def ciphertexts(self, slots: Iterable[int]) -> tuple[Ciphertext, ...]:
        return tuple(self._slots[slot].sealed for slot in slots)

    def binding(self, operator: int, slots: Sequence[int], purpose: bytes) -> Binding:
        """The binding of a proof by `operator` about these slots at their present versions."""
        if not 0 <= operator < len(self.publics):
            raise Malformed("no such operator")
        return Binding(
            context=self.context,
            purpose=purpose,
            operator=operator,
            publics=self.publics,
            places=self.places(_distinct(slots)),
        )

    def label(self, point: Point) -> bytes:
        """The label of a card's point. Proven steps lead to no other, so a miss is our bug."""
        label = self.labels.get(point)
        if label is None:
            raise LocalError("a proven card that was never laid")
        return label

    def _others(self, operator: int) -> frozenset[int]:
        return frozenset(range(len(self.publics))) - {operator}

    def _joint_without(self, departed: frozenset[int]) -> Point:
        if departed not in self._joints:
            staying = [key for index, key in enumerate(self.publics) if index not in departed]
            self._joints[departed] = joint_key(self.group, staying)
        return self._joints[departed]

    def _card(self, label: bytes) -> Point:
        if label not in self._points:
            point = card_point(self.group, self.context, label)
            self._points[label] = point
            self.labels[point] = label
        return self._points[label]


@dataclass(frozen=True, slots=True)
class _Lying:
    sealed: Ciphertext
    version: int
    shares: Mapping[int, Point] = field(default_factory=dict)
    face: bytes | None = None
    without: frozenset[int] = frozenset()  #: operators whose key is not in it
    veils: Mapping[int, Point] = field(default_factory=dict)  #: to be laid on by a shuffle


class _Slots(dict[int, _Lying]):
    """What lies in each slot; whoever names another one is wrong."""

    def __missing__(self, slot: int) -> _Lying:
        raise Malformed("no card was laid in this slot")


def _distinct(slots: Sequence[int]) -> Sequence[int]:
    if len(set(slots)) != len(slots):
        raise Malformed("a slot named twice")
    return slots
