"""The operators' share keys: committed to, shown, held in escrow, and given away at the end.

Why so: docs/decisions, 22.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping

from protocol.application import Genesis
from protocol.cards import escrow, share_keys
from protocol.cards.group import Group, Point, Scalar
from protocol.errors import BadProof, IllegalEntry
from protocol.identity.safety_words import safety_words


class ShareKeys:
    """What everybody knows of the keys of one match, by roster index."""

    def __init__(self, genesis: Genesis, group: Group, needed: int | None = None) -> None:
        """`needed`: how many holders make the share of one that is gone; None: no escrow."""
        self.needed = needed
        self.departed: tuple[int, ...] = ()  #: who holds nothing of anybody's key any more
        self.renewed: frozenset[int] = frozenset()  #: who has entrusted its key since then
        self.promised: dict[int, bytes] = {}  #: the commitments to keys
        self.shown: dict[int, Point] = {}  #: the public keys
        self.given: dict[int, Scalar] = {}  #: the secret ones, after the match
        self.escrows: dict[int, escrow.Escrow] = {}
        self._former: dict[int, list[escrow.Escrow]] = {}
        self._genesis = genesis
        self._group = group
        self._openings: dict[int, bytes] = {}
        self._known: Mapping[int, Scalar] | None = None  # until another one is given

    @property
    def publics(self) -> tuple[Point, ...]:
        """The public keys in roster order, once all are shown."""
        return tuple(self.shown[operator] for operator in sorted(self.shown))

    @property
    def known(self) -> Mapping[int, Scalar]:
        """The secret keys by operator, now that the match is over, as far as they are known.

        One that was not given away is put together from its escrow where enough of those who
        hold it have given theirs.
        """
        if self._known is None:
            found = dict(self.given)
            for operator in sorted(self.shown.keys() - found.keys()):
                key = self._rebuilt(operator)
                if key is not None:
                    found[operator] = key
            self._known = found
        return self._known

    def entrusted(self, dealer: int) -> tuple[escrow.Escrow, ...]:
        """All escrows that an operator ever dealt: former ones hold the same key."""
        newest = self.escrows.get(dealer)
        return (*self._former.get(dealer, ()), *(() if newest is None else (newest,)))

    def _rebuilt(self, operator: int) -> Scalar | None:
        for held in reversed(self.entrusted(operator)):
            with contextlib.suppress(BadProof):  # too few, or a value that is none
                return held.rebuild(self.given)
        return None

    def promise(self, operator: int, commitment: bytes) -> None:
        if len(commitment) != 32:
            raise BadProof("a key commitment has 32 bytes")
        self.promised[operator] = commitment

    def show(self, operator: int, opening: bytes) -> None:
        """An operator shows its key.

        BadProof unless it was promised, is its own, and adds up to nothing with no set of the
        keys that are there.
        """
        public = share_keys.check_key(
            self._group, self._genesis.digest, operator, self.promised[operator], opening
        )
        # Not at the end: whoever shows its key last must not answer for a sum of others.
        share_keys.check_beside(self._group, tuple(self.shown.values()), public)
        self.shown[operator] = public
        self._openings[operator] = opening

    def entrust(self, operator: int, raw: bytes) -> None:
        """An operator puts its key in escrow with the others; of two left, with nobody."""
        if self.needed is not None:
            group, context = self._group, self.context()
            held = escrow.read_escrow(
                group, context, self.publics, operator, self.needed, raw, self.departed
            )
            self._retire(operator)
            self.escrows[operator] = held
        elif raw:
            raise BadProof("an escrow that nobody asks for")
        else:
            self._retire(operator)
        self.renewed |= {operator}

    def _retire(self, dealer: int) -> None:
        held = self.escrows.pop(dealer, None)
        if held is not None:
            self._former.setdefault(dealer, []).append(held)

    def regroup(self, departed: tuple[int, ...], needed: int | None) -> None:
        """These have left for good: everybody else entrusts its key anew, to the others."""
        self.departed, self.needed, self.renewed = departed, needed, frozenset()

    def uphold(self, holder: int, dealer: int, proof: bytes) -> None:
        """Return where a holder rightly complains of what a dealer sealed to it."""
        # A complaint may have been on its way while the dealer entrusted its key anew.
        several = self.entrusted(dealer)
        if not several or dealer == holder:
            raise IllegalEntry("complains of nothing")
        for held in several:
            try:
                held.uphold(holder, proof)
            except BadProof:
                if held is several[-1]:
                    raise
            else:
                return

    def give(self, operator: int, secret: bytes) -> None:
        """After the match an operator gives its secret key away."""
        scalar = self._group.decode_scalar(secret)
        if self._group.base(scalar) != self.shown[operator]:
            raise BadProof("not the secret of the key that was used")
        self.given[operator] = scalar
        self._known = None

    def words(self) -> tuple[str, ...]:
        """The safety words of this table.

        An opening holds the key and the nonce that was committed to before any key was shown.
        """
        return safety_words(
            self._genesis.digest,
            *(
                operator.identity + self._openings[index]
                for index, operator in enumerate(self._genesis.operators)
            ),
        )

    def context(self) -> bytes:
        """What every proof about the cards is bound to: table, roster, rules and keys."""
        return hashlib.sha256(self._genesis.digest + b"".join(self.publics)).digest()
