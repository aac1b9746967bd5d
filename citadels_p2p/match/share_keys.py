"""The operators' share keys: committed to, shown, and given away at the end."""

from __future__ import annotations

import hashlib

from protocol import keygen
from protocol.application import Genesis
from protocol.errors import BadProof
from protocol.group import Group, Point
from protocol.words import safety_words


class ShareKeys:
    """What everybody knows of the keys of one match, by roster index."""

    def __init__(self, genesis: Genesis, group: Group) -> None:
        self._genesis = genesis
        self._group = group
        self._promises: dict[int, bytes] = {}
        self._openings: dict[int, bytes] = {}
        self._publics: dict[int, Point] = {}
        self._secrets: dict[int, bytes] = {}

    @property
    def promised(self) -> frozenset[int]:
        """Who has committed to a key."""
        return frozenset(self._promises)

    @property
    def shown(self) -> frozenset[int]:
        """Who has shown its public key."""
        return frozenset(self._publics)

    @property
    def given(self) -> frozenset[int]:
        """Who has given its secret key away."""
        return frozenset(self._secrets)

    @property
    def publics(self) -> tuple[Point, ...]:
        """The public keys in roster order, once all are shown."""
        return tuple(self._publics[operator] for operator in sorted(self._publics))

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """The secret keys that were given away, in roster order."""
        return tuple(self._secrets[operator] for operator in sorted(self._secrets))

    def promise(self, operator: int, commitment: bytes) -> None:
        """An operator commits to its key."""
        if len(commitment) != 32:
            raise BadProof("a key commitment has 32 bytes")
        self._promises[operator] = commitment

    def show(self, operator: int, opening: bytes) -> None:
        """An operator shows its key; BadProof unless it was promised and is its own."""
        public = keygen.check_key(
            self._group, self._genesis.digest, operator, self._promises[operator], opening
        )
        if public in self._publics.values():
            raise BadProof("a share key that somebody else has shown")
        if len(self._publics) + 1 == len(self._genesis.operators):
            keygen.joint_key(self._group, [*self._publics.values(), public])
        self._publics[operator] = public
        self._openings[operator] = opening

    def give(self, operator: int, secret: bytes) -> None:
        """After the match an operator gives its secret key away."""
        if self._group.base(self._group.decode_scalar(secret)) != self._publics[operator]:
            raise BadProof("not the secret of the key that was used")
        self._secrets[operator] = secret

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
